"""dop853 as kernels: Dormand and Prince's method of order 8 with its error estimates of orders 5 and 3.

Steps are chosen as `scipy.integrate.DOP853` chooses them (E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary
Differential Equations I, sections II.4, II.5 and II.10); the coefficients are SciPy's. `driver` has all that is not
special to this method, and the statuses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, small_kernel
from granum.integrate.driver import (
    DONE,
    MOST,
    NO_QUOTIENTS,
    NOT_FINITE,
    Accuracy,
    Problem,
    Progress,
    copy,
    evaluate,
    finite,
)
from granum.integrate.event_search import event_work
from granum.integrate.method_driver import driver_of
from granum.integrate.tableau import E3, E5, STAGES, A, B, C

EXPONENT = -1.0 / 8.0
_SAFETY = 0.9


class Workspace(NamedTuple):
    """Arrays that steps write into; for those of events see `driver.Work`."""

    stages: Floats
    """(12, size)"""
    y_new: Floats
    f_new: Floats
    f: Floats
    """Rates at the beginning of the step."""
    trial: Floats
    error: Floats
    events_before: Floats
    events_low: Floats
    events_high: Floats
    events_after: Floats
    events_trial: Floats
    happened: Floats
    inside: Floats
    largest: Floats


def workspace(size: int, events: int = 0, largest: Floats = NO_QUOTIENTS) -> Workspace:
    """Arrays for vectors of `size` components, a number of events, and quotients that are watched."""
    return Workspace(np.zeros((STAGES, size)), *np.zeros((5, size)), *event_work(events, largest))


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
def predict(p: Problem, t: float, y: Floats, h: float, work: Workspace, y_new: Floats, progress: Progress) -> int:
    """The state a step later, without its rates."""
    stages = work.stages
    copy(work.f, stages[0])
    for s in range(1, STAGES):
        combine(stages, A[s], s, y_new)
        for i in range(len(y)):
            y_new[i] = y[i] + h * y_new[i]
        status = evaluate(p, t + C[s] * h, y_new, stages[s])
        progress.evaluations += 1
        if status != DONE:
            return status
    combine(stages, B, STAGES, y_new)
    for i in range(len(y)):
        y_new[i] = y[i] + h * y_new[i]
    return DONE if finite(y_new) else NOT_FINITE


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
    return MOST if error == 0.0 else _SAFETY * error**EXPONENT


@small_kernel
def attempt(
    p: Problem, accuracy: Accuracy, t_new: float, y: Floats, work: Workspace, progress: Progress,
) -> tuple[int, float, float]:
    """One step to t_new, left in y_new and f_new: (status, error, what the next step is multiplied by)."""
    h = t_new - progress.time
    status = predict(p, progress.time, y, h, work, work.y_new, progress)
    if status == DONE:  # the new rates belong to t_new itself, which t + h may miss by a rounding
        status = evaluate(p, t_new, work.y_new, work.f_new)
        progress.evaluations += 1
    if status != DONE:
        return status, 0.0, 0.0
    error = error_norm(y, h, accuracy, work)
    return DONE, error, step_factor(error)


advance = driver_of(globals(), "dop853")
