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

from granum.base.kernels import Floats, kernel
from granum.base.pointers import call_rates

DONE, MORE, TOO_SMALL, NOT_FINITE, BAD_STATUS, BAD_EVENT, FIRST_EVENT = 0, 1, 2, 3, 4, 5, 100

STEPS, EVALUATIONS, REJECTED, SMALLEST, LARGEST, NEXT, TIME = range(7)
"""Places in the figures: three counts and the range of the steps, which go on from call to call; the step to try
next and the time reached, written by every call."""

_A, _B, _C = np.ascontiguousarray(DOP853.A), DOP853.B, DOP853.C
_E3, _E5 = DOP853.E3, DOP853.E5
_STAGES = len(_B)
_SAFETY, _LEAST, _MOST, _EXPONENT = 0.9, 0.2, 10.0, -1.0 / 8.0
_Y_NEW, _F_NEW, _F, _TRIAL, _ERROR, _ROWS = (_STAGES + k for k in range(6))
_LARGEST_NUMBER = np.finfo(float).max


def workspace(size: int) -> Floats:
    """The array `work` for vectors of `size` components."""
    return np.zeros((_ROWS, size))


def new_figures() -> Floats:
    """Figures before the first call."""
    figures = np.zeros(TIME + 1)
    figures[SMALLEST] = np.inf
    return figures


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
    for i in range(len(y)):
        stages[0, i] = f[i]
    for s in range(1, _STAGES):
        _combine(stages, _A[s], s, y_new)
        for i in range(len(y)):
            y_new[i] = y[i] + h * y_new[i]
        status = _evaluate(rates, t + _C[s] * h, y_new, stages[s], data)
        if status != DONE:
            return status, s
    _combine(stages, _B, _STAGES, y_new)
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
    # neither estimate has a weight on the rates at the end of the step
    _combine(stages, _E5, _STAGES, fifth)
    _combine(stages, _E3, _STAGES, third)
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
    for i in range(len(y)):
        y[i] = y_new[i]
    figures[TIME] = t_new
    figures[STEPS] += 1
    figures[SMALLEST] = min(figures[SMALLEST], abs(t_new - t))
    figures[LARGEST] = max(figures[LARGEST], abs(t_new - t))


@kernel
def advance(
    rates: int, data: Floats, t: float, until: float, y: Floats, h: float, relative: float, absolute: Floats,
    largest_step: float, work: Floats, figures: Floats, most_steps: int,
) -> int:
    """Error-controlled steps from t to exactly `until`, forwards or backwards, changing y in place.

    h is the size of the first step to try, 0 to have it chosen; absolute (positive) has a number for each
    component. Whatever the status, y and figures[TIME] are those of the last good step.
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
            f[:] = f_new
            taken += 1
    return status
