"""The driver of error-controlled one-step methods: step sizes, frames, events and what ends a motion.

A method (`dop853`, `radau`) says how one step is attempted; everything else is here and in `event_search`, once. The
templates of both are compiled for each method with its own functions (`method_driver`). The right-hand side is a
compiled function given by its address (`granum.base.pointers`), so a step costs little beyond its evaluations.

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

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from granum.base.callbacks import UNCHANGED
from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import call_rates

if TYPE_CHECKING:  # what the templates call: each method has its own
    from granum.integrate.dop853 import EXPONENT, attempt
    from granum.integrate.event_search import locate_events, note, note_inside

DONE, MORE, TOO_SMALL, NOT_FINITE, BAD_STATUS, BAD_EVENT, UNSOLVED, TABLE_ENDS, STALLED = range(9)
FIRST_EVENT = 100

LEAST, MOST = 0.2, 10.0
"""What a step is multiplied by at least and at most."""
LARGEST_NUMBER = np.finfo(float).max
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
        infinite |= not abs(a[i]) <= LARGEST_NUMBER
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
