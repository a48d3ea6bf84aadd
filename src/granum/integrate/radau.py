"""radau as kernels: the implicit Runge-Kutta method Radau IIA of order 5, for stiff systems.

Three stages, stiffly accurate and L-stable: the step is chosen by what the motion needs, not by the stiffest spring.
The stages are solved for by simplified Newton iterations with one real and one complex matrix, μ/h - ∂f/∂y; steps and
new Jacobians are chosen as in `scipy.integrate.Radau` (E. Hairer, G. Wanner, Solving Ordinary Differential Equations
II, section IV.8, with the step control of Gustafsson). `driver` has all that is not special to this method, and the
statuses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import call_rates
from granum.integrate.driver import (
    DONE,
    MOST,
    NO_QUOTIENTS,
    NOT_FINITE,
    UNSOLVED,
    Accuracy,
    Problem,
    Progress,
    copy,
    evaluate,
    finite,
)
from granum.integrate.event_search import event_work
from granum.integrate.method_driver import driver_of
from granum.linear import lu
from granum.linear.lu import Complexes

EXPONENT = -1.0 / 4.0
STAGES = 3
_S6 = 6.0**0.5
C = np.array([(4.0 - _S6) / 10.0, (4.0 + _S6) / 10.0, 1.0])
E = np.array([-13.0 - 7.0 * _S6, -13.0 + 7.0 * _S6, -1.0]) / 3.0
"""Weights of the stages in the estimate of the error."""
REAL = 3.0 + 3.0 ** (2.0 / 3.0) - 3.0 ** (1.0 / 3.0)
COMPLEX = 3.0 + 0.5 * (3.0 ** (1.0 / 3.0) - 3.0 ** (2.0 / 3.0)) - 0.5j * (3.0 ** (5.0 / 6.0) + 3.0 ** (7.0 / 6.0))
"""Eigenvalues of A⁻¹; the third is the conjugate."""
T = np.array([[0.09443876248897524, -0.14125529502095421, 0.03002919410514742],
              [0.25021312296533332, 0.20412935229379994, -0.38294211275726192], [1.0, 1.0, 0.0]])
"""Its eigenvectors: one, and the real and imaginary part of another (Hairer and Wanner)."""
INVERSE = np.array([[4.17871859155190428, 0.32768282076106237, 0.52337644549944951],
                    [-4.17871859155190428, -0.32768282076106237, 0.47662355450055044],
                    [0.50287263494578682, -2.57192694985560522, 0.59603920482822492]])
"""The inverse of T."""

_ITERATIONS = 6
_SAFETY = 0.9
_SLOW_RATE = 1e-3
"""Convergence from which the Jacobian serves another step."""
_SAME_STEP = 1.2
"""Growth of the step below which it is kept, and with it both factored matrices."""
_ROUNDING = 0.01
"""Change, in units of the tolerance, at which iterations that come no nearer have met rounding and are good enough."""
_EPSILON = 2.220446049250313e-16
_DIFFERENCE = _EPSILON**0.5
VALID, TAKEN, FACTORED, PREVIOUS, ERROR, REJECTED, RELATIVE, ITERATIONS, RATE, MEMORY = range(10)
"""Entries of `memory`: whether there is a Jacobian, and the time it is of; the step that the matrices are factored for;
step and error of the last good step (0: none); whether the last attempt was rejected; the relative tolerance;
iterations of the last solution and how fast they converged."""


class Workspace(NamedTuple):
    """Arrays that steps write into; for those of events see `driver.Work`."""

    jacobian: Floats
    """(size, size)"""
    real: Floats
    """(size, size): factors of the real matrix."""
    complex: Complexes
    real_pivots: Ints
    complex_pivots: Ints
    Z: Floats
    """(3, size): stages, from the state at the beginning."""
    W: Floats
    """(3, size): the same in eigenvectors."""
    F: Floats
    """(3, size): rates of the stages."""
    previous: Floats
    """(3, size): stages of the last good step."""
    pair: Complexes
    absolute: Floats
    error: Floats
    memory: Floats
    y_new: Floats
    f_new: Floats
    f: Floats
    trial: Floats
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
    square, stages = (size, size), (STAGES, size)
    return Workspace(
        np.zeros(square), np.zeros(square), np.zeros(square, complex), np.zeros(size, np.int64),
        np.zeros(size, np.int64), np.zeros(stages), np.zeros(stages), np.zeros(stages), np.zeros(stages),
        np.zeros(size, complex), np.zeros(size), np.zeros(size), np.zeros(MEMORY), *np.zeros((4, size)),
        *event_work(events, largest))


@small_kernel
def _differentiate(p: Problem, t: float, y: Floats, work: Workspace, progress: Progress) -> int:
    """The Jacobian of the right-hand side: as the problem gives it, else by forward differences."""
    memory, jacobian, near, rates = work.memory, work.jacobian, work.trial, work.error
    memory[VALID], memory[TAKEN], memory[FACTORED] = 1.0, t, 0.0
    if p.jacobian != 0:
        return call_rates(p.jacobian, t, y, jacobian, p.data)
    n = len(y)
    copy(y, near)
    for j in range(n):
        # rates are rounded as numbers of the size of y; below its tolerance a component counts as small
        size = _DIFFERENCE * max(abs(y[j]), work.absolute[j] / memory[RELATIVE])
        status, way = NOT_FINITE, 1.0 if work.f[j] >= 0.0 else -1.0
        for _ in range(2):
            if status == NOT_FINITE:
                near[j] = y[j] + way * size
                status = evaluate(p, t, near, rates)
                progress.evaluations += 1
                way = -way
        if status != DONE:
            return status
        size = near[j] - y[j]
        for i in range(n):
            jacobian[i, j] = (rates[i] - work.f[i]) / size
        near[j] = y[j]
    return DONE


@small_kernel
def _factor(h: float, work: Workspace) -> bool:
    """Factor μ/h - ∂f/∂y for the real and the complex μ; False where one is singular."""
    n = len(work.absolute)
    for i in range(n):
        a, b, row = work.real[i], work.complex[i], work.jacobian[i]
        for j in range(n):
            a[j] = -row[j]
            b[j] = -row[j]
        a[i] += REAL / h
        b[i] += COMPLEX / h
    work.memory[FACTORED] = h
    return lu.factor(work.real, work.real_pivots) and lu.factor(work.complex, work.complex_pivots)


@small_kernel
def _guess(h: float, begin: float, work: Workspace) -> None:
    """Stages of a step of size h from the polynomial through those of the last one.

    It begins at the part `begin` of the last step: 1 at its end, 0 to repeat it with another size.
    """
    last, Z = work.memory[PREVIOUS], work.Z
    for s in range(STAGES):
        if last == 0.0:
            for i in range(len(work.absolute)):
                Z[s, i] = 0.0
            continue
        x = begin + C[s] * h / last
        a = x * (x - C[1]) * (x - 1.0) / (C[0] * (C[0] - C[1]) * (C[0] - 1.0))
        b = x * (x - C[0]) * (x - 1.0) / (C[1] * (C[1] - C[0]) * (C[1] - 1.0))
        c = x * (x - C[0]) * (x - C[1]) / ((1.0 - C[0]) * (1.0 - C[1])) - begin
        first, second, third = work.previous[0], work.previous[1], work.previous[2]
        for i in range(len(work.absolute)):
            Z[s, i] = a * first[i] + b * second[i] + c * third[i]


@small_kernel
def _transform(matrix: Floats, source: Floats, target: Floats) -> None:
    """target = matrix · source, for three rows."""
    for s in range(STAGES):
        first, second, third, out = source[0], source[1], source[2], target[s]
        a, b, c = matrix[s, 0], matrix[s, 1], matrix[s, 2]
        for i in range(len(out)):
            out[i] = a * first[i] + b * second[i] + c * third[i]


@small_kernel
def _change(h: float, y: Floats, work: Workspace) -> float:
    """One Newton iteration from the rates F of the stages; returns its size in units of the tolerance."""
    n, F, W, z, real, pair, relative = len(y), work.F, work.W, work.Z[2], work.error, work.pair, work.memory[RELATIVE]
    for i in range(n):
        f0, f1, f2 = F[0, i], F[1, i], F[2, i]
        real[i] = INVERSE[0, 0] * f0 + INVERSE[0, 1] * f1 + INVERSE[0, 2] * f2 - REAL / h * W[0, i]
        one = INVERSE[1, 0] * f0 + INVERSE[1, 1] * f1 + INVERSE[1, 2] * f2
        other = INVERSE[2, 0] * f0 + INVERSE[2, 1] * f1 + INVERSE[2, 2] * f2
        pair[i] = complex(one, other) - COMPLEX / h * complex(W[1, i], W[2, i])
    lu.solve(work.real, work.real_pivots, real)
    lu.solve(work.complex, work.complex_pivots, pair)
    total = 0.0
    for i in range(n):
        scale = work.absolute[i] + max(abs(y[i]), abs(y[i] + z[i])) * relative  # as that of the error
        total += (real[i] / scale) ** 2 + (pair[i].real / scale) ** 2 + (pair[i].imag / scale) ** 2
        W[0, i] += real[i]
        W[1, i] += pair[i].real
        W[2, i] += pair[i].imag
    return np.sqrt(total / (STAGES * n))


@small_kernel
def _iterate(
    p: Problem, t: float, y: Floats, h: float, tolerance: float, work: Workspace, y_stage: Floats,
) -> tuple[int, int]:
    """Newton iterations for the stages from the guess in Z: (status, evaluations)."""
    memory, evaluations, before, rate = work.memory, 0, 0.0, 0.0
    _transform(INVERSE, work.Z, work.W)
    for k in range(_ITERATIONS):
        for s in range(STAGES):
            z = work.Z[s]
            for i in range(len(y)):
                y_stage[i] = y[i] + z[i]
            status = evaluate(p, t + C[s] * h, y_stage, work.F[s])
            evaluations += 1
            if status != DONE:
                return status, evaluations
        size = _change(h, y, work)
        memory[ITERATIONS] = k + 1.0
        if not size < np.inf:
            return UNSOLVED, evaluations
        _transform(T, work.W, work.Z)
        if size == 0.0:
            return DONE, evaluations
        if before > 0.0:
            rate = size / before
            memory[RATE] = rate
            if rate < 1.0 and rate / (1.0 - rate) * size < tolerance:
                return DONE, evaluations
            if rate >= 1.0 or rate ** (_ITERATIONS - 1 - k) / (1.0 - rate) * size > tolerance:
                return DONE if size < _ROUNDING else UNSOLVED, evaluations
        before = size
    return UNSOLVED, evaluations


@small_kernel
def _stages(
    p: Problem, t: float, y: Floats, h: float, begin: float, tolerance: float, work: Workspace, y_stage: Floats,
    progress: Progress,
) -> int:
    """Solve for the stages of a step; the Jacobian is renewed where an earlier one does not serve."""
    memory = work.memory
    if memory[VALID] == 0.0:
        status = _differentiate(p, t, y, work, progress)
        if status != DONE:
            return status
    while True:
        status = UNSOLVED
        if memory[FACTORED] == h or _factor(h, work):
            _guess(h, begin, work)
            status, evaluations = _iterate(p, t, y, h, tolerance, work, y_stage)
            progress.evaluations += evaluations
        if status == DONE or memory[TAKEN] == t or (status != UNSOLVED and status != NOT_FINITE):
            return status
        status = _differentiate(p, t, y, work, progress)
        if status != DONE:
            return status


@small_kernel
def predict(p: Problem, t: float, y: Floats, h: float, work: Workspace, y_new: Floats, progress: Progress) -> int:
    """The state after a step of size h in place of the last good one, without its rates.

    All calls for one step use the Jacobian of its beginning and few digits less than there are, so that the result is a
    function of h alone.
    """
    memory = work.memory
    if memory[TAKEN] != t:
        memory[VALID] = 0.0
    status = _stages(p, t, y, h, 0.0, _newton_tolerance(memory[RELATIVE], 1e-3), work, y_new, progress)
    if status != DONE:
        return status
    for i in range(len(y)):
        y_new[i] = y[i] + work.Z[2, i]
    return DONE if finite(y_new) else NOT_FINITE


@small_kernel
def _newton_tolerance(relative: float, part: float) -> float:
    """Where Newton iterations stop, in units of the tolerance of a step; rounding leaves no less."""
    return max(10.0 * _EPSILON / relative, part * min(0.03, relative**0.5))


@small_kernel
def _error(p: Problem, t: float, y: Floats, h: float, work: Workspace, progress: Progress) -> tuple[int, float]:
    """The estimated error of a step in units of the tolerance (section IV.8): (status, error).

    Where it is too large at the beginning, or after a rejection, it is filtered once more: in stiff components the
    estimate is too large by far.
    """
    memory, error, Z, n = work.memory, work.error, work.Z, len(y)
    status, norm = DONE, 0.0
    for again in range(2):
        rates = work.f if again == 0 else work.f_new
        for i in range(n):
            error[i] = rates[i] + (E[0] * Z[0, i] + E[1] * Z[1, i] + E[2] * Z[2, i]) / h
        lu.solve(work.real, work.real_pivots, error)
        norm = 0.0
        for i in range(n):
            scale = work.absolute[i] + max(abs(y[i]), abs(work.y_new[i])) * memory[RELATIVE]
            norm += (error[i] / scale) ** 2
        norm = np.sqrt(norm / n)
        if again == 1 or norm < 1.0 or not (memory[REJECTED] != 0.0 or memory[PREVIOUS] == 0.0):
            return DONE, norm
        for i in range(n):
            work.trial[i] = y[i] + error[i]
        status = evaluate(p, t, work.trial, work.f_new)
        progress.evaluations += 1
        if status == NOT_FINITE:
            return DONE, norm
        if status != DONE:
            return status, norm
    return status, norm


@small_kernel
def _growth(h: float, error: float, memory: Floats) -> float:
    """What the step is multiplied by: by this error, and by how it has changed since the last step (Gustafsson)."""
    if error == 0.0:
        return MOST
    trend = 1.0
    if memory[ERROR] > 0.0:
        trend = min(1.0, abs(h / memory[PREVIOUS]) * (memory[ERROR] / error) ** -EXPONENT)
    safety = _SAFETY * (2.0 * _ITERATIONS + 1.0) / (2.0 * _ITERATIONS + memory[ITERATIONS])
    return safety * trend * error**EXPONENT


@small_kernel
def attempt(
    p: Problem, accuracy: Accuracy, t_new: float, y: Floats, work: Workspace, progress: Progress,
) -> tuple[int, float, float]:
    """One step to t_new, left in y_new and f_new: (status, error, what the next step is multiplied by)."""
    memory, t = work.memory, progress.time
    h = t_new - t
    memory[RELATIVE] = accuracy.relative
    copy(accuracy.absolute, work.absolute)
    tolerance = _newton_tolerance(accuracy.relative, 1.0)
    status = _stages(p, t, y, h, 1.0, tolerance, work, work.y_new, progress)
    if status != DONE:
        memory[REJECTED] = 1.0
        return status, 0.0, 0.0
    for i in range(len(y)):
        work.y_new[i] = y[i] + work.Z[2, i]
    status, error = _error(p, t, y, h, work, progress)
    if status == DONE and error < 1.0:
        status = evaluate(p, t_new, work.y_new, work.f_new)
        progress.evaluations += 1
    if status != DONE or not error < 1.0:
        memory[REJECTED] = 1.0
        return status, error, _growth(h, error, memory)
    factor = _growth(h, error, memory)
    if memory[ITERATIONS] > 2.0 and memory[RATE] > _SLOW_RATE:
        memory[VALID] = 0.0
    elif factor < _SAME_STEP:
        factor = 1.0
    memory[PREVIOUS], memory[ERROR], memory[REJECTED] = h, max(error, 1e-10), 0.0
    for s in range(STAGES):
        copy(work.Z[s], work.previous[s])
    return DONE, error, factor


advance = driver_of(globals(), "radau")
