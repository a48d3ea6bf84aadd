"""dop853 as kernels: Dormand and Prince's method of order 8 with its error estimates of orders 5 and 3.

The right-hand side is a compiled function given by its address (`granum.base.pointers`), so a step costs little
beyond its evaluations. Steps are chosen as `scipy.integrate.DOP853` chooses them (E. Hairer, S. P. Nørsett,
G. Wanner, Solving Ordinary Differential Equations I, sections II.4, II.5 and II.10); the coefficients are SciPy's.

Every kernel returns a status:

    0         done
    1         most_steps taken: call again with t and h from the figures, and it goes on to the same bits
    2         the step became too small for the number t
    3         the right-hand side is not finite, however small the step
    4         the right-hand side or the events returned a status that is none of 0 and 10 to 99
    5         an event is not finite
    10 to 99  as returned by the right-hand side or the events
    100 + k   event k happened
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853

from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import call_rates

DONE, MORE, TOO_SMALL, NOT_FINITE, BAD_STATUS, BAD_EVENT, FIRST_EVENT = 0, 1, 2, 3, 4, 5, 100

STEPS, EVALUATIONS, REJECTED, SMALLEST, LARGEST, NEXT, TIME = range(7)
"""Places in the figures: three counts and the range of the steps, which go on from call to call; the step to try
next and the time reached, written by every call."""

_A, _B, _C = np.ascontiguousarray(DOP853.A), DOP853.B, DOP853.C
_STAGES = len(_B)
_E3, _E5 = DOP853.E3[:_STAGES], DOP853.E5[:_STAGES]  # without the rates at the end, which have no weight
_SAFETY, _LEAST, _MOST, _EXPONENT = 0.9, 0.2, 10.0, -1.0 / 8.0
_Y_NEW, _F_NEW, _F, _TRIAL, _ERROR, _KEPT, _ROWS = (_STAGES + k for k in range(7))
_EVENT_WIDTH = 1e-13
"""How closely an event is enclosed, as a part of the step it happens in."""
_MAXIMUM_WIDTH = 1e-9
"""How closely a maximum is enclosed, as a part of the bracket."""
_SPACING = 1.0 / 128.0
"""Of the differences about a maximum, as a part of the bracket."""
_SLOPE = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
_CURVATURE = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0
_LARGEST_NUMBER, _NO_LIMIT = np.finfo(float).max, np.iinfo(np.int64).max


def workspace(size: int) -> Floats:
    """The array `work` for vectors of `size` components."""
    return np.zeros((_ROWS, size))


def new_figures() -> Floats:
    """Figures before the first call."""
    figures = np.zeros(TIME + 1)
    figures[SMALLEST] = np.inf
    return figures


def event_space(count: int) -> Floats:
    """The array `g` for `count` events: at the beginning, in the middle and at the end of a step, and in trials.

    When an event stopped a run, g[0] are the values there, and g[3] is 1 for each event that has happened (others
    may at the very same time) and 0 for the rest.
    """
    return np.zeros((4, count))


@kernel
def _copy(source: Floats, target: Floats) -> None:
    """Copy; Numba compiles this in no time, and an assignment of slices, with its check of shapes, in seconds."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def _finite(a: Floats) -> bool:
    """Whether all numbers are finite; no early end, so that the loop runs on vectors."""
    infinite = 0
    for i in range(len(a)):
        infinite |= not abs(a[i]) <= _LARGEST_NUMBER
    return infinite == 0


@kernel
def _call(function: int, t: float, y: Floats, out: Floats, data: Floats) -> int:
    """Evaluate; a status outside those agreed upon would be taken for one of ours."""
    status = call_rates(function, t, y, out, data)
    if status == 0 or 10 <= status < FIRST_EVENT:
        return status
    return BAD_STATUS


@kernel
def _evaluate(rates: int, t: float, y: Floats, dy: Floats, data: Floats) -> int:
    """Evaluate the right-hand side and look whether it is finite."""
    status = _call(rates, t, y, dy, data)
    if status == DONE and not _finite(dy):
        return NOT_FINITE
    return status


@kernel
def _combine(stages: Floats, weights: Floats, count: int, out: Floats) -> None:
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


@kernel
def _predict(
    rates: int, data: Floats, t: float, y: Floats, f: Floats, h: float, stages: Floats, y_new: Floats,
) -> tuple[int, int]:
    """The state a step later, without its rates; returns the status and the number of evaluations."""
    _copy(f, stages[0])
    for s in range(1, _STAGES):
        _combine(stages, _A[s], s, y_new)
        for i in range(len(y)):
            y_new[i] = y[i] + h * y_new[i]
        status = _evaluate(rates, t + _C[s] * h, y_new, stages[s], data)
        if status != DONE:
            return status, s
    _combine(stages, _B, len(stages), y_new)
    for i in range(len(y)):
        y_new[i] = y[i] + h * y_new[i]
    return (DONE if _finite(y_new) else NOT_FINITE), _STAGES - 1


@kernel
def _step(
    rates: int, data: Floats, t: float, t_new: float, y: Floats, f: Floats, h: float, stages: Floats, y_new: Floats,
    f_new: Floats,
) -> tuple[int, int]:
    """One step; the new rates belong to t_new itself, which t + h may miss by a rounding."""
    status, evaluations = _predict(rates, data, t, y, f, h, stages, y_new)
    if status != DONE:
        return status, evaluations
    return _evaluate(rates, t_new, y_new, f_new, data), evaluations + 1


@kernel
def step(
    rates: int, data: Floats, t: float, y: Floats, f: Floats, h: float, stages: Floats, y_new: Floats, f_new: Floats,
) -> int:
    """One step of size h from the state y with the rates f; stages has 12 rows."""
    status, _ = _step(rates, data, t, t + h, y, f, h, stages, y_new, f_new)
    return status


@kernel
def _error(
    y: Floats, y_new: Floats, h: float, relative: float, absolute: Floats, stages: Floats, fifth: Floats, third: Floats,
) -> float:
    """The norm |h| e₅² / √((e₅² + 0.01 e₃²) n) of both estimates (section II.10); below 1 a step is good enough."""
    _combine(stages, _E5, len(stages), fifth)
    _combine(stages, _E3, len(stages), third)
    e5, e3 = 0.0, 0.0
    for i in range(len(y)):
        scale = absolute[i] + max(abs(y[i]), abs(y_new[i])) * relative
        e5 += (fifth[i] / scale) ** 2
        e3 += (third[i] / scale) ** 2
    if e5 == 0.0 and e3 == 0.0:
        return 0.0
    return abs(h) * e5 / np.sqrt((e5 + 0.01 * e3) * len(y))


@kernel
def _first_step(
    rates: int, data: Floats, t: float, until: float, y: Floats, relative: float, absolute: Floats,
    largest_step: float, work: Floats, figures: Floats,
) -> tuple[int, float]:
    """A first step from the sizes of y, of its rates and of their change (section II.4)."""
    f, y1, f1, length = work[_F], work[_Y_NEW], work[_F_NEW], abs(until - t)
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
    status = _evaluate(rates, t + signed, y1, f1, data)
    figures[EVALUATIONS] += 1
    if status == NOT_FINITE or h0 == 0.0:
        return DONE, min(h0, largest_step)  # as good a guess as any: steps that are too large are made smaller
    for i in range(len(y)):
        d2 += ((f1[i] - f[i]) / (absolute[i] + abs(y[i]) * relative)) ** 2
    d2 = np.sqrt(d2 / len(y)) / h0
    h1 = max(1e-6, h0 * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** -_EXPONENT
    return status, min(100.0 * h0, h1, length, largest_step)


@kernel
def _begin(
    rates: int, data: Floats, t: float, until: float, y: Floats, h: float, relative: float, absolute: Floats,
    largest_step: float, work: Floats, figures: Floats,
) -> int:
    """Rates at the start, and the first step to try."""
    figures[TIME], figures[NEXT] = t, abs(h)
    if t == until:
        return DONE
    status = _evaluate(rates, t, y, work[_F], data)
    figures[EVALUATIONS] += 1
    if status == DONE and h == 0.0:
        status, figures[NEXT] = _first_step(
            rates, data, t, until, y, relative, absolute, largest_step, work, figures,
        )
    return status


@kernel
def _good_step(
    rates: int, data: Floats, t: float, until: float, y: Floats, h: float, relative: float, absolute: Floats,
    largest_step: float, work: Floats, figures: Floats,
) -> tuple[int, float, float]:
    """Try steps until one is good enough: (status, its end, the step to try next); y is left as it was."""
    stages, y_new, f_new, f = work[:_STAGES], work[_Y_NEW], work[_F_NEW], work[_F]
    onward = np.inf if until > t else -np.inf
    smallest = 10.0 * abs(np.nextafter(t, onward) - t)
    # not min and max: they would let pass a step that is not a number
    size = h if smallest <= h <= largest_step else (smallest if h < smallest else largest_step)
    wanted, rejected, failure = size, False, TOO_SMALL
    while size >= smallest or not rejected:
        t_new = t + size if until > t else t - size
        cut = t_new >= until if until > t else t_new <= until
        t_new = until if cut else t_new
        signed = t_new - t
        size = abs(signed)
        status, evaluations = _step(rates, data, t, t_new, y, f, signed, stages, y_new, f_new)
        figures[EVALUATIONS] += evaluations
        if status == DONE:
            error = _error(y, y_new, signed, relative, absolute, stages, work[_TRIAL], work[_ERROR])
            factor = _MOST if error == 0.0 else _SAFETY * error**_EXPONENT
            if error < 1.0:
                size *= min(1.0 if rejected else _MOST, factor)
                # a step cut short by the end of the interval says nothing about the size of the next
                return DONE, t_new, max(size, wanted) if cut else size
            failure, factor = TOO_SMALL, max(_LEAST, factor) if error >= 1.0 else _LEAST
        elif status == NOT_FINITE:
            failure, factor = NOT_FINITE, _LEAST
        else:
            return status, t, size
        size *= factor
        rejected = True
        figures[REJECTED] += 1
    return failure, t, size


@kernel
def _take(t: float, t_new: float, y: Floats, y_new: Floats, figures: Floats) -> None:
    """Go over to the new state and note the step."""
    _copy(y_new, y)
    figures[TIME] = t_new
    figures[STEPS] += 1
    figures[SMALLEST] = min(figures[SMALLEST], abs(t_new - t))
    figures[LARGEST] = max(figures[LARGEST], abs(t_new - t))


@kernel
def _finish(rates: int, finish: int, data: Floats, t: float, y: Floats, work: Floats, figures: Floats) -> int:
    """Correct a state and evaluate its rates anew."""
    status = _call(finish, t, y, work[_TRIAL], data)
    if status == DONE:
        status = _evaluate(rates, t, y, work[_F], data)
        figures[EVALUATIONS] += 1
    return status


@kernel
def advance(
    rates: int, data: Floats, t: float, until: float, y: Floats, h: float, relative: float, absolute: Floats,
    largest_step: float, work: Floats, figures: Floats, most_steps: int, finish: int = 0,
) -> int:
    """Error-controlled steps from t to exactly `until`, forwards or backwards, changing y in place.

    h is the size of the first step to try, 0 to have it chosen; absolute (positive) has a number for each
    component. `finish` is the address of a function like the right-hand side that corrects y after every step, 0 for
    none. Whatever the status, y and figures[TIME] are those of the last good step.
    """
    status = _begin(rates, data, t, until, y, h, relative, absolute, largest_step, work, figures)
    f, f_new, y_new, taken = work[_F], work[_F_NEW], work[_Y_NEW], 0
    while status == DONE and figures[TIME] != until:
        if taken == most_steps:
            return MORE
        t = figures[TIME]
        status, t_new, proposed = _good_step(
            rates, data, t, until, y, figures[NEXT], relative, absolute, largest_step, work, figures,
        )
        figures[NEXT] = proposed
        if status == DONE:
            _take(t, t_new, y, y_new, figures)
            _copy(f_new, f)
            taken += 1
            if finish != 0:
                status = _finish(rates, finish, data, t_new, y, work, figures)
    return status


@kernel
def _crosses(before: float, after: float, direction: int) -> bool:
    """Whether an event happens between two values: -1 falling, +1 rising, 0 either; a zero before is no crossing."""
    return (before > 0.0 >= after and direction <= 0) or (before < 0.0 <= after and direction >= 0)


@kernel
def _happens(before: Floats, after: Floats, directions: Ints) -> bool:
    """Whether any event happens."""
    happens = False
    for k in range(len(directions)):
        happens |= _crosses(before[k], after[k], directions[k])
    return happens


@kernel
def _look(events: int, data: Floats, t: float, y: Floats, g: Floats) -> int:
    """Evaluate the events."""
    status = _call(events, t, y, g, data)
    if status == DONE and not _finite(g):
        return BAD_EVENT
    return status


@kernel
def _try(
    rates: int, events: int, data: Floats, t: float, y: Floats, s: float, work: Floats, g: Floats, figures: Floats,
) -> int:
    """The state and the events after one step of size s."""
    status, evaluations = _predict(rates, data, t, y, work[_F], s, work[:_STAGES], work[_TRIAL])
    figures[EVALUATIONS] += evaluations
    if status != DONE:
        return status
    return _look(events, data, t + s, work[_TRIAL], g)


@kernel
def _locate(
    rates: int, events: int, data: Floats, t: float, y: Floats, k: int, low: float, g_low: float, high: float,
    g_high: float, width: float, work: Floats, g: Floats, figures: Floats,
) -> tuple[int, float]:
    """Enclose the event k between the step sizes low and high; returns the end on which it has happened.

    ITP of I. Oliveira and R. Takahashi (ACM Trans. Math. Softw. 47, 5, 2021) with k₁ = 0.2 / |high - low|, k₂ = 2
    and n₀ = 1: regula falsi, moved towards the middle and kept so near to it that never more than one trial
    beyond those of bisection is needed.
    """
    k1, slack = 0.2 / abs(high - low), width
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
        status = _try(rates, events, data, t, y, s, work, g, figures)
        if status != DONE:
            return status, high
        if g[k] * np.sign(g_low) > 0.0:
            low, g_low = s, g[k]
        else:
            high, g_high = s, g[k]
        slack *= 0.5
    return DONE, high


@kernel
def _earliest(
    rates: int, events: int, directions: Ints, data: Floats, t: float, y: Floats, low: float, g_low: Floats,
    high: float, g_high: Floats, width: float, work: Floats, g: Floats, figures: Floats,
) -> tuple[int, int, float]:
    """The first event between the step sizes low and high: (status, event, step size); g_high becomes that there.

    Each event found shortens the search for the others. The second round is for an event that crosses three
    times, of which the first search may have found the last.
    """
    first = -1
    for _ in range(2):
        for k in range(len(directions)):
            if k != first and _crosses(g_low[k], g_high[k], directions[k]):
                status, s = _locate(
                    rates, events, data, t, y, k, low, g_low[k], high, g_high[k], width, work, g, figures,
                )
                # of events at the same time the one with the lowest number is named
                if status == DONE and s != high and (first < 0 or abs(s) < abs(high) - width):
                    status = _try(rates, events, data, t, y, s, work, g, figures)
                    first, high = k, s
                    _copy(g, g_high)
                if status != DONE:
                    return status, first, high
                first = k if first < 0 else first
    return DONE, first, high


@kernel
def _stop(
    rates: int, events: int, directions: Ints, data: Floats, t: float, t_new: float, y: Floats, halves: bool,
    work: Floats, g: Floats, figures: Floats,
) -> tuple[int, float]:
    """Look for events in a good step and, if there is one, leave its state in _Y_NEW: (status, its time)."""
    h = t_new - t
    status = _look(events, data, t_new, work[_Y_NEW], g[2])
    low, high, before, after = 0.0, h, g[0], g[2]
    if status == DONE and halves:
        status = _try(rates, events, data, t, y, 0.5 * h, work, g[1], figures)
        if _happens(g[0], g[1], directions):
            high, after = 0.5 * h, g[1]
        else:
            low, before = 0.5 * h, g[1]
    if status != DONE or not _happens(before, after, directions):
        return status, t_new
    status, k, s = _earliest(
        rates, events, directions, data, t, y, low, before, high, after, _EVENT_WIDTH * abs(h), work, g[3], figures,
    )
    if status == DONE and s != h:
        status = _try(rates, events, data, t, y, s, work, after, figures)
        _copy(work[_TRIAL], work[_Y_NEW])
        t_new = t + s
    if status != DONE:
        return status, t_new
    for j in range(len(directions)):
        g[3, j] = 1.0 if _crosses(before[j], after[j], directions[j]) else 0.0
        g[2, j] = after[j]
    return FIRST_EVENT + k, t_new


@kernel
def advance_to_event(
    rates: int, events: int, directions: Ints, data: Floats, t: float, until: float, y: Floats, h: float,
    relative: float, absolute: Floats, largest_step: float, halves: bool, work: Floats, g: Floats, figures: Floats,
    most_steps: int, finish: int = 0,
) -> int:
    """As `advance`, but ending with status 100 + k at the first event k on the way.

    `events` is the address of a function like the right-hand side that fills g with a number for each event. An
    event happens where its number passes zero in its direction (-1 falling, +1 rising, 0 either); one that is zero
    at the start has first to leave zero. y and the time are left on the side where the number has its new sign,
    or is zero, no farther from the event than 1e-13 of the step. With `halves` signs are compared in the middle of
    each step too, at the cost of another 11 evaluations.
    """
    status = _begin(rates, data, t, until, y, h, relative, absolute, largest_step, work, figures)
    if status == DONE:
        status = _look(events, data, t, y, g[0])
    f, f_new, y_new, taken = work[_F], work[_F_NEW], work[_Y_NEW], 0
    while status == DONE and figures[TIME] != until:
        if taken == most_steps:
            return MORE
        t = figures[TIME]
        status, t_new, proposed = _good_step(
            rates, data, t, until, y, figures[NEXT], relative, absolute, largest_step, work, figures,
        )
        figures[NEXT] = proposed
        if status == DONE:
            status, t_new = _stop(
                rates, events, directions, data, t, t_new, y, halves, work, g, figures,
            )
        if status == DONE or status >= FIRST_EVENT:
            _take(t, t_new, y, y_new, figures)
            _copy(f_new, f)
            _copy(g[2], g[0])
            taken += 1
            if finish != 0:
                failed = _finish(rates, finish, data, t_new, y, work, figures)
                status = failed if failed != DONE else status
    return status


@kernel
def _value(
    rates: int, value: int, data: Floats, t0: float, t1: float, u: float, y: Floats, relative: float,
    absolute: Floats, largest_step: float, work: Floats, g: Floats, figures: Floats,
) -> tuple[int, float]:
    """The value at the part u of the way from t0 to t1, by steps from the state kept at t0."""
    t = t1 if u == 1.0 else t0 + u * (t1 - t0)
    _copy(work[_KEPT], y)
    status = advance(
        rates, data, t0, t, y, 0.0, relative, absolute, largest_step, work, figures, _NO_LIMIT,
    )
    if status == DONE:
        status = _look(value, data, t, y, g[:1])
    return status, g[0]


@kernel
def _golden_section(
    rates: int, value: int, data: Floats, t0: float, t1: float, y: Floats, relative: float, absolute: Floats,
    largest_step: float, work: Floats, g: Floats, figures: Floats,
) -> tuple[int, float, float]:
    """The largest value between t0 and t1 or at these ends: (status, part of the way, value)."""
    ratio, low, high, best, g_best = 0.5 * (np.sqrt(5.0) - 1.0), 0.0, 1.0, 0.0, -np.inf
    for end in (0.0, 1.0):
        status, g_end = _value(
            rates, value, data, t0, t1, end, y, relative, absolute, largest_step, work, g, figures,
        )
        if status != DONE:
            return status, 0.0, 0.0
        if g_end > g_best:
            best, g_best = end, g_end
    left, right, g_left, g_right = 1.0 - ratio, 1.0 - ratio, -np.inf, -np.inf
    ahead = False
    while high - low > _MAXIMUM_WIDTH:
        u = right if ahead else left
        status, g_u = _value(rates, value, data, t0, t1, u, y, relative, absolute, largest_step, work, g, figures)
        if status != DONE:
            return status, 0.0, 0.0
        if g_u > g_best:
            best, g_best = u, g_u
        if ahead:
            g_right = g_u
        else:
            g_left = g_u
        if right == left:
            right, ahead = ratio, True  # the first of the two places inside is known, now the other
        elif g_left >= g_right:
            high, right, g_right, ahead = right, left, g_left, False
            left = high - ratio * (high - low)
        else:
            low, left, g_left, ahead = left, right, g_right, True
            right = low + ratio * (high - low)
    return DONE, best, g_best


@kernel
def maximum(
    rates: int, value: int, data: Floats, t0: float, t1: float, y: Floats, relative: float, absolute: Floats,
    largest_step: float, work: Floats, g: Floats, figures: Floats,
) -> tuple[int, float, float]:
    """Where between t0 and t1 the number g[0] of the function `value` is largest: (status, time, value).

    y is the state at t0 on entry and that at the maximum on return. Golden section to 1e-9 of the bracket; as
    values near a smooth maximum hardly differ, rounding leaves more than that open, so the time is then taken from
    the slope, by differences of order 6 about the place found, if this does not lose in value.
    """
    _copy(y, work[_KEPT])
    status, best, g_best = _golden_section(
        rates, value, data, t0, t1, y, relative, absolute, largest_step, work, g, figures,
    )
    if status == DONE and 3.0 * _SPACING <= best <= 1.0 - 3.0 * _SPACING:
        slope, curvature, size = 0.0, 0.0, 0.0
        for j in range(len(_SLOPE)):
            u = best + (j - 3) * _SPACING
            status, g_u = _value(rates, value, data, t0, t1, u, y, relative, absolute, largest_step, work, g, figures)
            if status != DONE:
                return status, t0, 0.0
            slope += _SLOPE[j] * g_u
            curvature += _CURVATURE[j] * g_u
            size = max(size, abs(g_u))
        if curvature < 0.0 and abs(slope) <= -curvature:
            u = best - _SPACING * slope / curvature
            status, g_u = _value(rates, value, data, t0, t1, u, y, relative, absolute, largest_step, work, g, figures)
            best = u if g_u >= g_best - relative * size else best
    if status == DONE:
        status, g_best = _value(rates, value, data, t0, t1, best, y, relative, absolute, largest_step, work, g, figures)
    return status, figures[TIME], g_best
