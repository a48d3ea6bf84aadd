"""Where events happen in a step: found between the parts of a step, enclosed, and the first of them located.

Functions without `small_kernel` are templates, as those of the driver are: each method has its own `predict`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from granum.base.kernels import Floats, Ints, small_kernel
from granum.integrate.driver import (
    DONE,
    FIRST_EVENT,
    LARGEST_NUMBER,
    Problem,
    Progress,
    Work,
    copy,
    evaluate_events,
)

if TYPE_CHECKING:  # what the templates call: each method has its own
    from granum.integrate.dop853 import predict

_EVENT_WIDTH = 1e-13
"""How closely an event is enclosed, as a part of the step it happens in."""
_CELLS = 8
"""Parts of a step between which events are looked at, where one may happen inside."""
_NEAR_ZERO = 0.1
"""How near to zero the lowest point of a parabola through three values must come, as a part of their differences, for
an event to be looked for there."""
_AGREES = 0.1
"""Difference between a value and the parabola that predicted it, as a part of the value, from which a lowest point
counts as found."""
_AT_ZERO = 1e-6
"""Value at the beginning of a step, as a part of that at its end, that counts as zero."""
_NEARER, _APPROACHES = 8.0, 16
"""How much nearer to the beginning of a step an event is looked for that has left zero and come back, and how often."""
_LOWERINGS = 40
"""Trials to find a lowest point; each divides the interval by about two."""


def event_work(events: int, largest: Floats) -> tuple[Floats, ...]:
    """What a workspace has for a number of events and of quotients, from `events_before` to `largest`."""
    numbers = events + 2 * len(largest)
    return (*np.zeros((5, numbers)), np.zeros(events), np.zeros((_CELLS + 1, numbers)), largest)


@small_kernel
def _crosses(before: float, after: float, direction: int) -> bool:
    """Whether an event happens between two values: -1 falling, +1 rising, 0 either; a zero before is no crossing."""
    return (before > 0.0 >= after and direction <= 0) or (before < 0.0 <= after and direction >= 0)


@small_kernel
def _happens(before: Floats, after: Floats, directions: Ints) -> bool:
    """Whether any event happens."""
    happens = False
    for k in range(len(directions)):
        happens |= _crosses(before[k], after[k], directions[k])
    return happens


def try_step(p: Problem, y: Floats, s: float, work: Work, g: Floats, progress: Progress) -> int:
    """The state and the events after one step of size s."""
    status = predict(p, progress.time, y, s, work, work.trial, progress)
    if status != DONE:
        return status
    return evaluate_events(p, progress.time + s, work.trial, g)


def locate(
    p: Problem, y: Floats, k: int, low: float, g_low: float, high: float, g_high: float, width: float,
    work: Work, progress: Progress,
) -> tuple[int, float]:
    """Enclose the event k between the step sizes low and high; returns the end on which it has happened.

    ITP of I. Oliveira and R. Takahashi (ACM Trans. Math. Softw. 47, 5, 2021) with k₁ = 0.2 / |high - low|, k₂ = 2
    and n₀ = 1: regula falsi, moved towards the middle and kept so near to it that never more than one trial
    beyond those of bisection is needed.
    """
    k1, slack, g = 0.2 / abs(high - low), width, work.events_trial
    while slack < abs(high - low):
        slack *= 2.0
    while abs(high - low) > width and g_high != 0.0:
        middle = 0.5 * (low + high)
        falsi = (g_high * low - g_low * high) / (g_high - g_low)
        to_middle = middle - falsi
        s = falsi + np.copysign(min(k1 * (high - low) ** 2, abs(to_middle)), to_middle)
        near = slack - 0.5 * abs(high - low)
        if not abs(s - middle) <= near:
            s = middle - np.copysign(max(near, 0.0), to_middle)
        status = try_step(p, y, s, work, g, progress)
        if status != DONE:
            return status, high
        if g[k] * np.sign(g_low) > 0.0:
            low, g_low = s, g[k]
        else:
            high, g_high = s, g[k]
        slack *= 0.5
    return DONE, high


def earliest(
    p: Problem, y: Floats, low: float, g_low: Floats, high: float, g_high: Floats, width: float, work: Work,
    progress: Progress,
) -> tuple[int, int, float]:
    """The first event between the step sizes low and high: (status, event, step size); g_high becomes that there.

    Each event found shortens the search for the others. The second round is for an event that crosses three
    times, of which the first search may have found the last.
    """
    first = -1
    for _ in range(2):
        for k in range(len(p.directions)):
            if k != first and _crosses(g_low[k], g_high[k], p.directions[k]):
                status, s = locate(p, y, k, low, g_low[k], high, g_high[k], width, work, progress)
                # of events at the same time the one with the lowest number is named
                if status == DONE and s != high and (first < 0 or abs(s) < abs(high) - width):
                    status = try_step(p, y, s, work, work.events_trial, progress)
                    first, high = k, s
                    copy(work.events_trial, g_high)
                if status != DONE:
                    return status, first, high
                first = k if first < 0 else first
    return DONE, first, high


@small_kernel
def _interpolate(y: Floats, h: float, u: float, work: Work, out: Floats) -> None:
    """The state at the part u of a step, by the cubic through states and rates at both ends (Hermite)."""
    a, b = (1.0 + 2.0 * u) * (1.0 - u) ** 2, h * u * (1.0 - u) ** 2
    c, d = u * u * (3.0 - 2.0 * u), h * u * u * (u - 1.0)
    f, y_new, f_new = work.f, work.y_new, work.f_new
    for i in range(len(out)):
        out[i] = a * y[i] + b * f[i] + c * y_new[i] + d * f_new[i]


@small_kernel
def look_inside(p: Problem, t: float, y: Floats, h: float, cell: int, work: Work) -> None:
    """Events at the end of a part of a step, on the interpolated state; where they have no value, those before it."""
    u = cell / _CELLS
    _interpolate(y, h, u, work, work.trial)
    if evaluate_events(p, t + u * h, work.trial, work.inside[cell]) != DONE:
        copy(work.inside[cell - 1], work.inside[cell])


@small_kernel
def _may_happen(before: Floats, middle: Floats, after: Floats, directions: Ints) -> bool:
    """Whether an event happens between three values, or changes by more than what is left of it."""
    for k in range(len(directions)):
        a, m, b = before[k], middle[k], after[k]
        if _crosses(a, m, directions[k]) or _crosses(m, b, directions[k]) or _crosses(a, b, directions[k]):
            return True
        side = 1.0 if m > 0.0 else -1.0
        lowest, highest = min(side * a, side * m, side * b), max(side * a, side * m, side * b)
        if side * directions[k] <= 0.0 and lowest < highest - lowest:
            return True
    return False


@small_kernel
def _parabola(a: float, ga: float, m: float, gm: float, b: float, gb: float) -> tuple[float, float]:
    """Where the parabola through three points is lowest, and its value there; the middle, unless that is between."""
    left, right = (gm - ga) / (m - a), (gb - gm) / (b - m)
    curvature = (right - left) / (b - a)
    if not curvature > 0.0:
        return m, np.inf
    x = 0.5 * (a + m) - 0.5 * left / curvature
    if not a < x < b:
        return m, np.inf
    return x, ga + (x - a) * (left + curvature * (x - m))


@small_kernel
def _dips(inside: Floats, k: int, cell: int, direction: int) -> bool:
    """Whether the parabola through an event at the end of a part of a step and its neighbours comes near zero."""
    side = 1.0 if inside[cell, k] > 0.0 else -1.0
    a, m, b = side * inside[cell - 1, k], side * inside[cell, k], side * inside[cell + 1, k]
    if side * direction > 0.0 or a <= 0.0 or b < 0.0:  # from zero it has first to leave it
        return False
    lowest = _parabola(-1.0, a, 0.0, m, 1.0, b)[1]
    return lowest < _NEAR_ZERO * (max(a, m, b) - min(a, m, b))


@small_kernel
def _plain(inside: Floats, directions: Ints) -> tuple[bool, bool]:
    """Whether the events within a step happen at most once each, as the ends say; and whether any may happen."""
    plain, any_event = True, False
    for k in range(len(directions)):
        changes, crossings = 0, 0
        for cell in range(1, _CELLS + 1):
            changes += inside[cell - 1, k] * inside[cell, k] < 0.0
            crossings += _crosses(inside[cell - 1, k], inside[cell, k], directions[k])
            if cell < _CELLS and _dips(inside, k, cell, directions[k]):
                plain, any_event = False, True
        at_ends = _crosses(inside[0, k], inside[_CELLS, k], directions[k])
        # one that is exactly zero in between and goes back has crossed, though both ends have the same sign
        plain &= changes == (1 if at_ends else 0) and (at_ends or crossings == 0)
        any_event |= crossings > 0
    return plain, any_event


@small_kernel
def _quotient(p: Problem, g: Floats, k: int) -> float:
    """A quotient that is watched; -inf where its divisor is not positive."""
    dividend, divisor = g[len(p.directions) + 2 * k], g[len(p.directions) + 2 * k + 1]
    return min(dividend / divisor, LARGEST_NUMBER) if divisor > 0.0 else -np.inf


@small_kernel
def note(p: Problem, t: float, g: Floats, largest: Floats) -> None:
    """Keep quotients that are larger than ever before."""
    for k in range(len(largest)):
        value = _quotient(p, g, k)
        if value > largest[k, 0]:
            largest[k, 0], largest[k, 1] = value, t


@small_kernel
def note_inside(p: Problem, t: float, y: Floats, h: float, work: Work) -> None:
    """Keep quotients in the middle of a step without events, which `bracket` has looked at, and where the parabola
    through the values there and at both ends is highest: there on the interpolated state.
    """
    middle = work.inside[_CELLS // 2]
    note(p, t + 0.5 * h, middle, work.largest)
    for k in range(len(work.largest)):
        u, lowest = _parabola(0.0, -_quotient(p, work.events_before, k), 0.5, -_quotient(p, middle, k),
                              1.0, -_quotient(p, work.events_after, k))
        if -np.inf < lowest < -work.largest[k, 0]:
            _interpolate(y, h, u, work, work.trial)
            if evaluate_events(p, t + u * h, work.trial, work.events_trial) == DONE:
                note(p, t + u * h, work.events_trial, work.largest)


def lower(
    p: Problem, y: Floats, h: float, k: int, cell: int, work: Work, progress: Progress,
) -> tuple[int, float]:
    """Follow an event to its lowest value about the end of a part of a step: (status, step size where it has happened).

    By parabolas through three steps; 0 where it stays on its side.
    """
    width, inside = h / _CELLS, work.inside
    side = 1.0 if inside[cell, k] > 0.0 else -1.0
    a, m, b = (cell - 1) * width, cell * width, (cell + 1) * width
    ga, gm, gb = side * inside[cell - 1, k], side * inside[cell, k], side * inside[cell + 1, k]
    for _ in range(_LOWERINGS):
        # in units of the part of the step: steps may be negative
        x, expected = _parabola(a / width, ga, m / width, gm, b / width, gb)
        s = x * width
        if expected == np.inf or s in (a, m, b):
            return DONE, 0.0
        status = try_step(p, y, s, work, work.events_trial, progress)
        if status != DONE:
            return status, 0.0
        g = side * work.events_trial[k]
        if g <= 0.0:
            return DONE, s
        if abs(g - expected) <= _AGREES * g:
            return DONE, 0.0
        if (x < m / width) == (g < gm):
            b, gb = (m, gm) if g < gm else (b, gb)
            a, ga = (a, ga) if g < gm else (s, g)
        else:
            a, ga = (m, gm) if g < gm else (a, ga)
            b, gb = (b, gb) if g < gm else (s, g)
        if g < gm:
            m, gm = s, g
    return DONE, 0.0


@small_kernel
def _returns(inside: Floats, directions: Ints) -> int:
    """The event that begins at zero and is then where it would be after happening: it may have left zero and come back
    before the first part of the step ends. -1 for none.
    """
    for k in range(len(directions)):
        begin, soon, end = inside[0, k], inside[1, k], inside[_CELLS, k]
        if abs(begin) <= _AT_ZERO * abs(end) and soon * end > 0.0 and directions[k] * end >= 0.0:
            return k
    return -1


def approach(p: Problem, y: Floats, h: float, k: int, work: Work, progress: Progress) -> tuple[int, float, float]:
    """Two step sizes between which an event that begins at zero comes back to it, as `bracket` gives them."""
    high, end = h / _CELLS, work.inside[_CELLS, k]
    status = try_step(p, y, high, work, work.events_high, progress)
    for _ in range(_APPROACHES):
        low = high / _NEARER
        if status == DONE:
            status = try_step(p, y, low, work, work.events_low, progress)
        if status != DONE or work.events_high[k] * end <= 0.0:
            return status, 0.0, 0.0
        if work.events_low[k] * end < 0.0:
            return DONE, low, high
        high = low
        copy(work.events_low, work.events_high)
    return DONE, 0.0, 0.0


def bracket(
    p: Problem, y: Floats, h: float, work: Work, progress: Progress,
) -> tuple[int, float, float]:
    """Two step sizes between which the first event of a step happens, with their values in events_low and events_high.

    (status, size, size); both are 0 without an event. Interpolated states tell whether to look more closely, steps of
    other sizes what is true.
    """
    inside, last = work.inside, _CELLS
    copy(work.events_before, inside[0])
    copy(work.events_after, inside[last])
    copy(work.events_before, work.events_low)
    copy(work.events_after, work.events_high)
    look_inside(p, progress.time, y, h, last // 2, work)
    if not _may_happen(inside[0], inside[last // 2], inside[last], p.directions):
        return DONE, 0.0, 0.0
    for cell in range(1, last):
        look_inside(p, progress.time, y, h, cell, work)
    returns = _returns(inside, p.directions)
    if returns >= 0:
        status, low, high = approach(p, y, h, returns, work, progress)
        if status != DONE or high != 0.0:
            return status, low, high
        copy(work.events_before, work.events_low)
        copy(work.events_after, work.events_high)
    plain, any_event = _plain(inside, p.directions)
    if not any_event:
        return DONE, 0.0, 0.0
    if plain:
        return DONE, 0.0, h
    for cell in range(1, last):
        status = try_step(p, y, cell * h / last, work, inside[cell], progress)
        if status != DONE:
            return status, 0.0, 0.0
    for cell in range(1, last + 1):
        copy(inside[cell - 1], work.events_low)
        if _happens(inside[cell - 1], inside[cell], p.directions):
            copy(inside[cell], work.events_high)
            return DONE, (cell - 1) * h / last, cell * h / last
        for k in range(len(p.directions)):
            if cell < last and _dips(inside, k, cell, p.directions[k]):
                status, s = lower(p, y, h, k, cell, work, progress)
                if status != DONE or s != 0.0:
                    copy(work.events_trial, work.events_high)
                    return status, (cell - 1) * h / last, s
    return DONE, 0.0, 0.0


def locate_events(p: Problem, t_new: float, y: Floats, work: Work, progress: Progress) -> tuple[int, float]:
    """Look for events in a good step and, if there is one, leave its state in y_new: (status, its time)."""
    t = progress.time
    h = t_new - t
    status, low, high = evaluate_events(p, t_new, work.y_new, work.events_after), 0.0, 0.0
    if status == DONE:
        status, low, high = bracket(p, y, h, work, progress)
    if status != DONE or high == 0.0:
        return status, t_new
    before, after = work.events_low, work.events_high
    status, k, s = earliest(p, y, low, before, high, after, _EVENT_WIDTH * abs(h), work, progress)
    if status == DONE and s != h:
        status = try_step(p, y, s, work, after, progress)
        copy(work.trial, work.y_new)
        t_new = t + s
    if status != DONE:
        return status, t_new
    for j in range(len(p.directions)):
        work.happened[j] = 1.0 if _crosses(before[j], after[j], p.directions[j]) else 0.0
        work.events_after[j] = after[j]
    return FIRST_EVENT + k, t_new
