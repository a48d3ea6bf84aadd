"""The driver of error-controlled one-step methods: step sizes, frames, events and what ends a motion.

A method (`dop853`, `radau`) says how one step is attempted; everything else is here, once. The templates below are
compiled for each method with its own functions (`driver`). The right-hand side is a compiled function given by its
address (`granum.base.pointers`), so a step costs little beyond its evaluations.

Every kernel returns a status:

    0         done
    1         most_steps taken: call again, and it goes on bit-identically
    2         the step became too small for the number t
    3         the right-hand side is not finite, however small the step
    4         a function returned a status that is not agreed upon
    5         an event is not finite
    6         the equations of an implicit step could not be solved, however small the step
    7         the table of longest steps ends here: call again with another
    8         steps make no progress (given by those who call it: `pace`)
    10 to 99  as returned by the right-hand side, the events or the end of a step
    100 + k   event k happened
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from granum.base.callbacks import UNCHANGED
from granum.base.kernels import Floats, Ints, instance, small_kernel
from granum.base.pointers import call_rates

if TYPE_CHECKING:  # what the templates call: each method has its own
    from granum.integrate.dop853 import EXPONENT, attempt, predict

DONE, MORE, TOO_SMALL, NOT_FINITE, BAD_STATUS, BAD_EVENT, UNSOLVED, TABLE_ENDS, STALLED = range(9)
FIRST_EVENT = 100

LEAST, MOST = 0.2, 10.0
"""What a step is multiplied by at least and at most."""
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
_LARGEST_NUMBER = np.finfo(float).max
TIME = -1
"""The place of time in a table of longest steps."""
_OVERSHOOT = 1.5
"""Change in a step, as a multiple of what was allowed, from which it is repeated."""
_NO_TABLE, _NO_PLACES = np.zeros(0), np.zeros(0, dtype=np.int64)
_NO_DIRECTIONS = np.zeros(0, dtype=np.int64)
NO_QUOTIENTS = np.zeros((0, 2))
"""The array `largest` of motions of which no quotient is watched."""
_PROGRESS = np.dtype([
    ("time", "f8"), ("next_step", "f8"), ("steps", "i8"), ("evaluations", "i8"), ("rejected", "i8"),
    ("smallest_step", "f8"), ("largest_step", "f8")])

Work = Any
"""Arrays that steps write into, a named tuple of the method. The driver reads and writes `f` and `f_new`, rates at the
beginning and at the end of a step, `y_new`, the state there, and `trial`, another state. Of events: `events_before` and
`events_after`, at both ends of a step (when one stopped a run, `events_before` has the values there); `events_low` and
`events_high`, at both ends of a bracket; `events_trial`; `happened`, 1 for each event that has happened when one
stopped a run, since others may at the very same time, else 0; `inside`, a row for each of the points in a step. Behind
the numbers of the events each has two numbers, a dividend and a divisor, for each row of `largest`: the largest value
of their quotient so far, where the divisor is positive, and its time."""
Progress = Any
"""A record: the `time` reached and the `next_step` to try, read and written by every call; the number of `steps`,
`evaluations` and `rejected` steps, the `smallest_step` and the `largest_step`, which go on from call to call."""


def event_work(events: int, largest: Floats) -> tuple[Floats, ...]:
    """What a workspace has for a number of events and of quotients, from `events_before` to `largest`."""
    numbers = events + 2 * len(largest)
    return (*np.zeros((5, numbers)), np.zeros(events), np.zeros((_CELLS + 1, numbers)), largest)


class Problem(NamedTuple):
    """What is integrated, as addresses of functions (t, y, out, data) -> status (`granum.base.pointers`)."""

    rates: int
    """The right-hand side: out is y'."""
    data: Floats
    end_of_step: int = 0
    """Changes y after every step, or returns UNCHANGED; 0 for none."""
    events: int = 0
    """Fills out with a number for each event, and two for each quotient that is watched (`Work`); 0 for none.

    An event happens where its number passes zero in its direction; one that is zero at the start has first to leave
    zero."""
    directions: Ints = _NO_DIRECTIONS
    """-1 falling, +1 rising, 0 either."""
    jacobian: int = 0
    """Fills out with ∂y'/∂y, row by row, for implicit methods; 0 for differences of the right-hand side."""


class Accuracy(NamedTuple):
    """What steps are chosen for."""

    relative: float
    absolute: Floats
    """Positive, a number for each component."""
    largest_step: float = np.inf
    places: Ints = _NO_PLACES
    """A table of longest steps by what changes in them: TIME, or a place in y. Motion backwards in time ignores it."""
    first: Ints = _NO_PLACES
    """First entry of each of these in `edges` and `longest`, and how many there are in all."""
    edges: Floats = _NO_TABLE
    """Where parts begin and end, rising."""
    longest: Floats = _NO_TABLE
    """Longest change that touches the part which begins there; a step may end where a part of smaller ones begins."""


def new_progress(t: float = 0.0, next_step: float = 0.0) -> Progress:
    """Progress before the first call, from the time t; with next_step = 0 the first step is chosen."""
    progress = np.recarray(1, _PROGRESS)[0]
    for name in _PROGRESS.names or ():
        progress[name] = 0
    progress.time, progress.next_step, progress.smallest_step = t, next_step, np.inf
    return progress


@small_kernel
def copy(source: Floats, target: Floats) -> None:
    """Copy; Numba compiles this in no time, and an assignment of slices, with its check of shapes, in seconds."""
    for i in range(len(source)):
        target[i] = source[i]


@small_kernel
def finite(a: Floats) -> bool:
    """Whether all numbers are finite; no early end, so that the loop runs on vectors."""
    infinite = 0
    for i in range(len(a)):
        infinite |= not abs(a[i]) <= _LARGEST_NUMBER
    return infinite == 0


@small_kernel
def _call(function: int, t: float, y: Floats, out: Floats, data: Floats) -> int:
    """Evaluate; a status outside those agreed upon would be taken for one of ours."""
    status = call_rates(function, t, y, out, data)
    if status == DONE or 10 <= status < FIRST_EVENT:
        return status
    return BAD_STATUS


@small_kernel
def evaluate(p: Problem, t: float, y: Floats, dy: Floats) -> int:
    """Evaluate the right-hand side and look whether it is finite."""
    status = _call(p.rates, t, y, dy, p.data)
    if status == DONE and not finite(dy):
        return NOT_FINITE
    return status


@small_kernel
def evaluate_events(p: Problem, t: float, y: Floats, g: Floats) -> int:
    """Evaluate the events and look whether they are finite."""
    status = _call(p.events, t, y, g, p.data)
    if status == DONE and not finite(g):
        return BAD_EVENT
    return status


@small_kernel
def _reach(edges: Floats, longest: Floats, x: float, way: float, slack: float) -> float:
    """How far a step of the size |way| may go from x, up or down: no part of a table is stepped over."""
    size, up, last = abs(way), way > 0.0, len(edges) - 2
    if not edges[0] <= x <= edges[-1]:
        return size
    k = int(np.searchsorted(edges, x + slack if up else x - slack)) - 1
    k = 0 if k < 0 else last if k > last else k
    size, onward = min(size, longest[k]), 1 if up else -1
    while 0 <= k + onward <= last:
        left = edges[k + 1] - x if up else x - edges[k]
        k += onward
        if size <= left:
            return size
        if longest[k] <= left:
            return left
        size = min(size, longest[k])
    return size


@small_kernel
def bounded(accuracy: Accuracy, t: float, y: Floats, f: Floats, size: float, smallest: float) -> float:
    """A step size that the tables allow, as far as the rates at the beginning of the step tell."""
    for k in range(len(accuracy.places)):
        place, first, end = accuracy.places[k], accuracy.first[k], accuracy.first[k + 1]
        edges, longest = accuracy.edges[first:end], accuracy.longest[first:end]
        if place == TIME:
            size = min(_reach(edges, longest, t, size, smallest), edges[-1] - t)
        elif f[place] != 0.0:
            change = abs(f[place]) * size
            allowed = _reach(edges, longest, y[place], f[place] * size, 0.0)
            size = size * allowed / change if allowed < change else size
    return max(size, smallest)


@small_kernel
def overshoot(accuracy: Accuracy, y: Floats, y_new: Floats) -> float:
    """What to multiply a step by that went much farther than the tables allow; 1 for one that did not."""
    factor = 1.0
    for k in range(len(accuracy.places)):
        place, first, end = accuracy.places[k], accuracy.first[k], accuracy.first[k + 1]
        if place != TIME:
            change = y_new[place] - y[place]
            allowed = _reach(accuracy.edges[first:end], accuracy.longest[first:end], y[place], change, 0.0)
            if abs(change) > _OVERSHOOT * allowed:
                factor = min(factor, max(LEAST, allowed / abs(change)))
    return factor


@small_kernel
def _table_ends(accuracy: Accuracy, t: float, y: Floats) -> bool:
    """Whether a state is beyond what a table says something about."""
    for k in range(len(accuracy.places)):
        x = t if accuracy.places[k] == TIME else y[accuracy.places[k]]
        begin, end = accuracy.edges[accuracy.first[k]], accuracy.edges[accuracy.first[k + 1] - 1]
        if x < begin or x > end or (x == end and accuracy.places[k] == TIME):
            return True
    return False


def first_step(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress,
) -> tuple[int, float]:
    """A first step from the sizes of y, of its rates and of their change (section II.4)."""
    f, y1, f1, t = work.f, work.y_new, work.f_new, progress.time
    relative, absolute, length = accuracy.relative, accuracy.absolute, abs(until - t)
    d0, d1, d2 = 0.0, 0.0, 0.0
    for i in range(len(y)):
        scale = absolute[i] + abs(y[i]) * relative
        d0 += (y[i] / scale) ** 2
        d1 += (f[i] / scale) ** 2
    d0, d1 = np.sqrt(d0 / len(y)), np.sqrt(d1 / len(y))
    h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, length)
    signed = h0 if until > t else -h0
    for i in range(len(y)):
        y1[i] = y[i] + signed * f[i]
    status = evaluate(p, t + signed, y1, f1)
    progress.evaluations += 1
    if status == NOT_FINITE or h0 == 0.0:
        return DONE, min(h0, accuracy.largest_step)  # as good a guess as any: steps too large are made smaller
    for i in range(len(y)):
        d2 += ((f1[i] - f[i]) / (absolute[i] + abs(y[i]) * relative)) ** 2
    d2 = np.sqrt(d2 / len(y)) / h0
    h1 = max(1e-6, h0 * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** -EXPONENT
    return status, min(100.0 * h0, h1, length, accuracy.largest_step)


def begin(p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress) -> int:
    """Rates and events at the start, and the first step to try."""
    if progress.time == until:
        return DONE
    status = evaluate(p, progress.time, y, work.f)
    progress.evaluations += 1
    if status == DONE and progress.next_step == 0.0:
        status, first = first_step(p, accuracy, until, y, work, progress)
        progress.next_step = first
    if status == DONE and p.events != 0:
        status = evaluate_events(p, progress.time, y, work.events_before)
        if status == DONE:
            note(p, progress.time, work.events_before, work.largest)
    return status


def good_step(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress,
) -> tuple[int, float]:
    """Try steps until one is good enough: (status, its end); y is left as it was."""
    t, h, largest = progress.time, progress.next_step, accuracy.largest_step
    onward = np.inf if until > t else -np.inf
    smallest = 10.0 * abs(np.nextafter(t, onward) - t)
    # not min and max: they would let pass a step that is not a number
    size = h if smallest <= h <= largest else (smallest if h < smallest else largest)
    bounds = until > t and len(accuracy.places) > 0
    size = bounded(accuracy, t, y, work.f, size, smallest) if bounds else size
    wanted, rejected, failure = size, False, TOO_SMALL
    while size >= smallest or not rejected:
        t_new = t + size if until > t else t - size
        cut = t_new >= until if until > t else t_new <= until
        t_new = until if cut else t_new
        size = abs(t_new - t)
        status, error, factor = attempt(p, accuracy, t_new, y, work, progress)
        shorter = overshoot(accuracy, y, work.y_new) if bounds and status == DONE else 1.0
        if shorter < 1.0 and size > smallest:
            size *= shorter
            rejected = True
            progress.rejected += 1
            continue
        if status == DONE:
            if error < 1.0:
                size *= min(1.0 if rejected else MOST, factor)
                # a step cut short by the end of the interval says nothing about the size of the next
                progress.next_step = max(size, wanted) if cut else size
                return DONE, t_new
            failure, factor = TOO_SMALL, max(LEAST, factor) if error >= 1.0 else LEAST
        elif status in (NOT_FINITE, UNSOLVED):
            failure, factor = status, LEAST if status == NOT_FINITE else 0.5
        else:
            progress.next_step = size
            return status, t
        size *= factor
        rejected = True
        progress.rejected += 1
    progress.next_step = size
    return failure, t


def take(t_new: float, y: Floats, work: Work, progress: Progress) -> None:
    """Go over to the new state and note the step."""
    size = abs(t_new - progress.time)
    copy(work.y_new, y)
    copy(work.f_new, work.f)
    progress.time = t_new
    progress.steps += 1
    progress.smallest_step = min(progress.smallest_step, size)
    progress.largest_step = max(progress.largest_step, size)


def end_step(p: Problem, y: Floats, work: Work, progress: Progress) -> int:
    """Let the state be changed and evaluate its rates anew."""
    status = call_rates(p.end_of_step, progress.time, y, work.trial, p.data)
    if status == UNCHANGED:
        return DONE
    if status == DONE:
        progress.evaluations += 1
        return evaluate(p, progress.time, y, work.f)
    return status if 10 <= status < FIRST_EVENT else BAD_STATUS


def advance(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress, most_steps: int,
) -> int:
    """Error-controlled steps from progress.time to exactly `until`, forwards or backwards, changing y in place.

    Ends with the status 100 + k at the first event k on the way. y and the time are then left on the side where its
    number has its new sign, or is zero, no farther from the event than 1e-13 of the step. Whatever the status, y and
    progress.time are those of the last good step.
    """
    status, taken = begin(p, accuracy, until, y, work, progress), 0
    while status == DONE and progress.time != until:
        if taken == most_steps:
            return MORE
        if taken > 0 and until > progress.time and _table_ends(accuracy, progress.time, y):
            return TABLE_ENDS
        status, t_new = good_step(p, accuracy, until, y, work, progress)
        if status == DONE and p.events != 0:
            status, t_new = locate_events(p, t_new, y, work, progress)
            if status == DONE and len(work.largest) > 0:
                note_inside(p, progress.time, y, t_new - progress.time, work)
        if status == DONE or status >= FIRST_EVENT:
            take(t_new, y, work, progress)
            taken += 1
            if p.events != 0:
                note(p, t_new, work.events_after, work.largest)
                copy(work.events_after, work.events_before)
            if p.end_of_step != 0:
                failed = end_step(p, y, work, progress)
                status = failed if failed != DONE else status
    return status


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
    return min(dividend / divisor, _LARGEST_NUMBER) if divisor > 0.0 else -np.inf


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


_TEMPLATES: tuple[Callable[..., Any], ...] = (
    first_step, begin, good_step, take, end_step, try_step, locate, earliest, lower, approach, bracket, locate_events,
    advance)


class Advance(Protocol):
    """`advance`, as it is compiled for a method."""

    def __call__(self, p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress,
                 most_steps: int, /) -> int:
        """See `advance`."""


def driver(method: dict[str, Any], name: str) -> Advance:
    """`advance` in the scope of a method's module: its `attempt`, `predict` and EXPONENT of its error estimate."""
    scope = {**globals(), **method}
    for each in _TEMPLATES:
        scope[each.__name__] = small_kernel(instance(each, scope, name))
    made: Advance = scope["advance"]
    return made
