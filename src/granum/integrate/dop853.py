"""dop853 as kernels: Dormand and Prince's method of order 8 with its error estimates of orders 5 and 3.

The right-hand side is a compiled function given by its address (`granum.base.pointers`), so a step costs little
beyond its evaluations. Steps are chosen as `scipy.integrate.DOP853` chooses them (E. Hairer, S. P. Nørsett,
G. Wanner, Solving Ordinary Differential Equations I, sections II.4, II.5 and II.10); the coefficients are SciPy's.

Every kernel returns a status:

    0         done
    1         most_steps taken: call again, and it goes on bit-identically
    2         the step became too small for the number t
    3         the right-hand side is not finite, however small the step
    4         a function returned a status that is not agreed upon
    5         an event is not finite
    10 to 99  as returned by the right-hand side, the events or the end of a step
    100 + k   event k happened
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.callbacks import UNCHANGED
from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import call_rates
from granum.integrate.tableau import E3, E5, STAGES, A, B, C

DONE, MORE, TOO_SMALL, NOT_FINITE, BAD_STATUS, BAD_EVENT, FIRST_EVENT = 0, 1, 2, 3, 4, 5, 100

_SAFETY, _LEAST, _MOST, _EXPONENT = 0.9, 0.2, 10.0, -1.0 / 8.0
_EVENT_WIDTH = 1e-13
"""How closely an event is enclosed, as a part of the step it happens in."""
_LARGEST_NUMBER = np.finfo(float).max
_NO_DIRECTIONS = np.zeros(0, dtype=np.int64)
_PROGRESS = np.dtype([
    ("time", "f8"), ("next_step", "f8"), ("steps", "i8"), ("evaluations", "i8"), ("rejected", "i8"),
    ("smallest_step", "f8"), ("largest_step", "f8")])

Progress = Any
"""A record: the `time` reached and the `next_step` to try, read and written by every call; the number of `steps`,
`evaluations` and `rejected` steps, the `smallest_step` and the `largest_step`, which go on from call to call."""


class Problem(NamedTuple):
    """What is integrated, as addresses of functions (t, y, out, data) -> status (`granum.base.pointers`)."""

    rates: int
    """The right-hand side: out is y'."""
    data: Floats
    end_of_step: int = 0
    """Changes y after every step, or returns UNCHANGED; 0 for none."""
    events: int = 0
    """Fills out with a number for each event; 0 for none.

    An event happens where its number passes zero in its direction; one that is zero at the start has first to leave
    zero."""
    directions: Ints = _NO_DIRECTIONS
    """-1 falling, +1 rising, 0 either."""
    halves: bool = False
    """Compare signs in the middle of each step too, at the cost of another 11 evaluations."""


class Accuracy(NamedTuple):
    """What steps are chosen for."""

    relative: float
    absolute: Floats
    """Positive, a number for each component."""
    largest_step: float = np.inf


class Workspace(NamedTuple):
    """Arrays that steps write into."""

    stages: Floats
    """(12, size)"""
    y_new: Floats
    f_new: Floats
    f: Floats
    """Rates at the beginning of the step."""
    trial: Floats
    error: Floats
    events_before: Floats
    """Events at the beginning of a step. When an event stopped a run, their values there."""
    events_middle: Floats
    events_after: Floats
    events_trial: Floats
    happened: Floats
    """1 for each event that has happened when one stopped a run (others may at the very same time), else 0."""


def workspace(size: int, events: int = 0) -> Workspace:
    """Arrays for vectors of `size` components and a number of events."""
    return Workspace(np.zeros((STAGES, size)), *np.zeros((5, size)), *np.zeros((5, events)))


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
def _finite(a: Floats) -> bool:
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
def _evaluate(p: Problem, t: float, y: Floats, dy: Floats) -> int:
    """Evaluate the right-hand side and look whether it is finite."""
    status = _call(p.rates, t, y, dy, p.data)
    if status == DONE and not _finite(dy):
        return NOT_FINITE
    return status


@small_kernel
def evaluate_events(p: Problem, t: float, y: Floats, g: Floats) -> int:
    """Evaluate the events and look whether they are finite."""
    status = _call(p.events, t, y, g, p.data)
    if status == DONE and not _finite(g):
        return BAD_EVENT
    return status


@small_kernel
def combine(stages: Floats, weights: Floats, count: int, out: Floats) -> None:
    """The sum of weights[s] · stages[s] over s < count; half of the weights are zero."""
    first, w = stages[0], weights[0]
    for i in range(len(out)):
        out[i] = w * first[i]
    for s in range(1, count):
        w = weights[s]
        if w != 0.0:
            row = stages[s]
            for i in range(len(out)):
                out[i] += w * row[i]


@small_kernel
def _predict(p: Problem, t: float, y: Floats, h: float, work: Workspace, y_new: Floats) -> tuple[int, int]:
    """The state a step later, without its rates; returns the status and the number of evaluations."""
    stages = work.stages
    copy(work.f, stages[0])
    for s in range(1, STAGES):
        combine(stages, A[s], s, y_new)
        for i in range(len(y)):
            y_new[i] = y[i] + h * y_new[i]
        status = _evaluate(p, t + C[s] * h, y_new, stages[s])
        if status != DONE:
            return status, s
    combine(stages, B, STAGES, y_new)
    for i in range(len(y)):
        y_new[i] = y[i] + h * y_new[i]
    return (DONE if _finite(y_new) else NOT_FINITE), STAGES - 1


@small_kernel
def error_norm(y: Floats, h: float, accuracy: Accuracy, work: Workspace) -> float:
    """The norm |h| e₅² / √((e₅² + 0.01 e₃²) n) of both estimates (section II.10); below 1 a step is good enough."""
    fifth, third, y_new = work.trial, work.error, work.y_new
    combine(work.stages, E5, STAGES, fifth)
    combine(work.stages, E3, STAGES, third)
    e5, e3 = 0.0, 0.0
    for i in range(len(y)):
        scale = accuracy.absolute[i] + max(abs(y[i]), abs(y_new[i])) * accuracy.relative
        e5 += (fifth[i] / scale) ** 2
        e3 += (third[i] / scale) ** 2
    if e5 == 0.0 and e3 == 0.0:
        return 0.0
    return abs(h) * e5 / np.sqrt((e5 + 0.01 * e3) * len(y))


@small_kernel
def step_factor(error: float) -> float:
    """What a step with this error is multiplied by for the next; not yet limited."""
    return _MOST if error == 0.0 else _SAFETY * error**_EXPONENT


@small_kernel
def _first_step(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Workspace, progress: Progress,
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
    status = _evaluate(p, t + signed, y1, f1)
    progress.evaluations += 1
    if status == NOT_FINITE or h0 == 0.0:
        return DONE, min(h0, accuracy.largest_step)  # as good a guess as any: steps too large are made smaller
    for i in range(len(y)):
        d2 += ((f1[i] - f[i]) / (absolute[i] + abs(y[i]) * relative)) ** 2
    d2 = np.sqrt(d2 / len(y)) / h0
    h1 = max(1e-6, h0 * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** -_EXPONENT
    return status, min(100.0 * h0, h1, length, accuracy.largest_step)


@small_kernel
def _begin(p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Workspace, progress: Progress) -> int:
    """Rates and events at the start, and the first step to try."""
    if progress.time == until:
        return DONE
    status = _evaluate(p, progress.time, y, work.f)
    progress.evaluations += 1
    if status == DONE and progress.next_step == 0.0:
        status, first = _first_step(p, accuracy, until, y, work, progress)
        progress.next_step = first
    if status == DONE and p.events != 0:
        status = evaluate_events(p, progress.time, y, work.events_before)
    return status


@small_kernel
def _good_step(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Workspace, progress: Progress,
) -> tuple[int, float]:
    """Try steps until one is good enough: (status, its end); y is left as it was."""
    t, h, largest = progress.time, progress.next_step, accuracy.largest_step
    onward = np.inf if until > t else -np.inf
    smallest = 10.0 * abs(np.nextafter(t, onward) - t)
    # not min and max: they would let pass a step that is not a number
    size = h if smallest <= h <= largest else (smallest if h < smallest else largest)
    wanted, rejected, failure = size, False, TOO_SMALL
    while size >= smallest or not rejected:
        t_new = t + size if until > t else t - size
        cut = t_new >= until if until > t else t_new <= until
        t_new = until if cut else t_new
        signed = t_new - t
        size = abs(signed)
        status, evaluations = _predict(p, t, y, signed, work, work.y_new)
        if status == DONE:  # the new rates belong to t_new itself, which t + h may miss by a rounding
            status, evaluations = _evaluate(p, t_new, work.y_new, work.f_new), evaluations + 1
        progress.evaluations += evaluations
        if status == DONE:
            error = error_norm(y, signed, accuracy, work)
            factor = step_factor(error)
            if error < 1.0:
                size *= min(1.0 if rejected else _MOST, factor)
                # a step cut short by the end of the interval says nothing about the size of the next
                progress.next_step = max(size, wanted) if cut else size
                return DONE, t_new
            failure, factor = TOO_SMALL, max(_LEAST, factor) if error >= 1.0 else _LEAST
        elif status == NOT_FINITE:
            failure, factor = NOT_FINITE, _LEAST
        else:
            progress.next_step = size
            return status, t
        size *= factor
        rejected = True
        progress.rejected += 1
    progress.next_step = size
    return failure, t


@small_kernel
def _take(t_new: float, y: Floats, work: Workspace, progress: Progress) -> None:
    """Go over to the new state and note the step."""
    size = abs(t_new - progress.time)
    copy(work.y_new, y)
    copy(work.f_new, work.f)
    progress.time = t_new
    progress.steps += 1
    progress.smallest_step = min(progress.smallest_step, size)
    progress.largest_step = max(progress.largest_step, size)


@small_kernel
def _end_step(p: Problem, y: Floats, work: Workspace, progress: Progress) -> int:
    """Let the state be changed and evaluate its rates anew."""
    status = call_rates(p.end_of_step, progress.time, y, work.trial, p.data)
    if status == UNCHANGED:
        return DONE
    if status == DONE:
        progress.evaluations += 1
        return _evaluate(p, progress.time, y, work.f)
    return status if 10 <= status < FIRST_EVENT else BAD_STATUS


@small_kernel
def advance(
    p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Workspace, progress: Progress, most_steps: int,
) -> int:
    """Error-controlled steps from progress.time to exactly `until`, forwards or backwards, changing y in place.

    Ends with the status 100 + k at the first event k on the way. y and the time are then left on the side where its
    number has its new sign, or is zero, no farther from the event than 1e-13 of the step. Whatever the status, y and
    progress.time are those of the last good step.
    """
    status, taken = _begin(p, accuracy, until, y, work, progress), 0
    while status == DONE and progress.time != until:
        if taken == most_steps:
            return MORE
        status, t_new = _good_step(p, accuracy, until, y, work, progress)
        if status == DONE and p.events != 0:
            status, t_new = _locate_events(p, t_new, y, work, progress)
        if status == DONE or status >= FIRST_EVENT:
            _take(t_new, y, work, progress)
            taken += 1
            if p.events != 0:
                copy(work.events_after, work.events_before)
            if p.end_of_step != 0:
                failed = _end_step(p, y, work, progress)
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


@small_kernel
def _try(p: Problem, y: Floats, s: float, work: Workspace, g: Floats, progress: Progress) -> int:
    """The state and the events after one step of size s."""
    status, evaluations = _predict(p, progress.time, y, s, work, work.trial)
    progress.evaluations += evaluations
    if status != DONE:
        return status
    return evaluate_events(p, progress.time + s, work.trial, g)


@small_kernel
def _locate(
    p: Problem, y: Floats, k: int, low: float, g_low: float, high: float, g_high: float, width: float,
    work: Workspace, progress: Progress,
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
        status = _try(p, y, s, work, g, progress)
        if status != DONE:
            return status, high
        if g[k] * np.sign(g_low) > 0.0:
            low, g_low = s, g[k]
        else:
            high, g_high = s, g[k]
        slack *= 0.5
    return DONE, high


@small_kernel
def _earliest(
    p: Problem, y: Floats, low: float, g_low: Floats, high: float, g_high: Floats, width: float, work: Workspace,
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
                status, s = _locate(p, y, k, low, g_low[k], high, g_high[k], width, work, progress)
                # of events at the same time the one with the lowest number is named
                if status == DONE and s != high and (first < 0 or abs(s) < abs(high) - width):
                    status = _try(p, y, s, work, work.events_trial, progress)
                    first, high = k, s
                    copy(work.events_trial, g_high)
                if status != DONE:
                    return status, first, high
                first = k if first < 0 else first
    return DONE, first, high


@small_kernel
def _locate_events(p: Problem, t_new: float, y: Floats, work: Workspace, progress: Progress) -> tuple[int, float]:
    """Look for events in a good step and, if there is one, leave its state in y_new: (status, its time)."""
    t = progress.time
    h = t_new - t
    status = evaluate_events(p, t_new, work.y_new, work.events_after)
    low, high, before, after = 0.0, h, work.events_before, work.events_after
    if status == DONE and p.halves:
        status = _try(p, y, 0.5 * h, work, work.events_middle, progress)
        if _happens(before, work.events_middle, p.directions):
            high, after = 0.5 * h, work.events_middle
        else:
            low, before = 0.5 * h, work.events_middle
    if status != DONE or not _happens(before, after, p.directions):
        return status, t_new
    status, k, s = _earliest(p, y, low, before, high, after, _EVENT_WIDTH * abs(h), work, progress)
    if status == DONE and s != h:
        status = _try(p, y, s, work, after, progress)
        copy(work.trial, work.y_new)
        t_new = t + s
    if status != DONE:
        return status, t_new
    for j in range(len(p.directions)):
        work.happened[j] = 1.0 if _crosses(before[j], after[j], p.directions[j]) else 0.0
        work.events_after[j] = after[j]
    return FIRST_EVENT + k, t_new
