"""The largest value of a function along a motion, between two times."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.integrate.dop853 import Workspace, advance
from granum.integrate.driver import DONE, Accuracy, Problem, Progress, copy, evaluate_events

_WIDTH = 1e-9
"""How closely a maximum is enclosed, as a part of the bracket."""
_SPACING = 1.0 / 128.0
"""Of the differences about a maximum, as a part of the bracket."""
_SLOPE = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
_CURVATURE = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0
_NO_LIMIT = np.iinfo(np.int64).max


@kernel
def _value(
    p: Problem, accuracy: Accuracy, bracket: tuple[float, float], u: float, start: Floats, y: Floats, work: Workspace,
    progress: Progress,
) -> tuple[int, float]:
    """The value at the part u of the bracket of times, by steps from the state at its beginning."""
    t0, t1 = bracket
    copy(start, y)
    progress.time, progress.next_step = t0, 0.0
    until = t1 if u == 1.0 else t0 + u * (t1 - t0)
    alone = Problem(p.rates, p.data, 0, 0, p.directions)
    status = advance(alone, accuracy, until, y, work, progress, _NO_LIMIT)
    if status == DONE:
        status = evaluate_events(p, until, y, work.events_trial)
    return status, work.events_trial[0]


@kernel
def _golden_section(
    p: Problem, accuracy: Accuracy, bracket: tuple[float, float], start: Floats, y: Floats, work: Workspace,
    progress: Progress,
) -> tuple[int, float, float]:
    """The largest value within the bracket or at its ends: (status, part of the way, value)."""
    ratio, low, high, best, g_best = 0.5 * (np.sqrt(5.0) - 1.0), 0.0, 1.0, 0.0, -np.inf
    for end in (0.0, 1.0):
        status, g_end = _value(p, accuracy, bracket, end, start, y, work, progress)
        if status != DONE:
            return status, 0.0, 0.0
        if g_end > g_best:
            best, g_best = end, g_end
    left, right, g_left, g_right = 1.0 - ratio, 1.0 - ratio, -np.inf, -np.inf
    ahead = False
    while high - low > _WIDTH:
        u = right if ahead else left
        status, g_u = _value(p, accuracy, bracket, u, start, y, work, progress)
        if status != DONE:
            return status, 0.0, 0.0
        if g_u > g_best:
            best, g_best = u, g_u
        if ahead:
            g_right = g_u
        else:
            g_left = g_u
        if right == left:
            right, ahead = ratio, True  # the first of the two points inside is known, now the other
        elif g_left >= g_right:
            high, right, g_right, ahead = right, left, g_left, False
            left = high - ratio * (high - low)
        else:
            low, left, g_left, ahead = left, right, g_right, True
            right = low + ratio * (high - low)
    return DONE, best, g_best


@kernel
def maximum(
    p: Problem, accuracy: Accuracy, bracket: tuple[float, float], y: Floats, work: Workspace, progress: Progress,
) -> tuple[int, float, float]:
    """Where within a bracket of times the first number of `events` is largest: (status, time, value).

    y is the state at the beginning on entry and that at the maximum on return. Golden section to 1e-9 of the bracket;
    as values near a smooth maximum hardly differ, rounding leaves more than that open, so the time is then taken from
    the slope, by differences of order 6 about the maximum, if this does not lose in value.
    """
    start = y.copy()
    status, best, g_best = _golden_section(p, accuracy, bracket, start, y, work, progress)
    if status == DONE and 3.0 * _SPACING <= best <= 1.0 - 3.0 * _SPACING:
        slope, curvature, size = 0.0, 0.0, 0.0
        for j in range(len(_SLOPE)):
            u = best + (j - 3) * _SPACING
            status, g_u = _value(p, accuracy, bracket, u, start, y, work, progress)
            if status != DONE:
                return status, bracket[0], 0.0
            slope += _SLOPE[j] * g_u
            curvature += _CURVATURE[j] * g_u
            size = max(size, abs(g_u))
        if curvature < 0.0 and abs(slope) <= -curvature:
            u = best - _SPACING * slope / curvature
            status, g_u = _value(p, accuracy, bracket, u, start, y, work, progress)
            best = u if g_u >= g_best - accuracy.relative * size else best
    if status == DONE:
        status, g_best = _value(p, accuracy, bracket, best, start, y, work, progress)
    return status, progress.time, g_best
