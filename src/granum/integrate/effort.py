"""The work that a motion will take, estimated before it begins."""

from __future__ import annotations

import ctypes

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.integrate import driver
from granum.integrate.adaptive_stepper import AdaptiveStepper

LARGEST = 400
"""Numbers of a state up to which the effort is estimated: the eigenvalues are those of a dense matrix."""
MOST = 1e9
"""Steps of a run that begins."""
STABLE, ACCURATE = 6.0, 1.0
"""Step of dop853 times a rate of decay up to which it is stable (E. Hairer, G. Wanner, Solving Ordinary Differential
Equations II, section IV.2), and times the angular frequency of a vibration that it follows to common tolerances."""
_DIFFERENCES = (1e-7, 1e-5)
"""Differences that derivatives are taken by, relative to a number of the state; a kink shows in one of the two only."""
_LEAST = 1e-3
"""Size that smaller numbers of the state count as."""


def refuse_endless(motion: AdaptiveStepper, y: Floats) -> None:
    """Refuse a run whose start needs more steps of an explicit method than runs may take, before it begins.

    Raises SceneError.
    """
    if motion.method.name != "dop853" or len(y) > LARGEST:
        return
    with motion.following(y.copy(), motion.t + motion.end):
        fastest = fastest_rate(motion.problem(), motion.t, y)
    steps = fastest * motion.end
    if steps > MOST:
        raise SceneError([Problem(
            "run.solver", f"dop853 would take about {steps:.1g} steps to t = {motion.end:g} s: the fastest vibration "
            f"or decay of the system at its start allows {1.0 / fastest:.1g} s for each.",
            'Use solver = "radau", softer springs and dampers or larger masses, or a shorter run.')])


def fastest_rate(problem: driver.Problem, t: float, y: Floats) -> float:
    """Steps per second that the eigenvalues of ∂y'/∂y ask for; zero where they cannot be computed."""
    found = [_steps_per_second(problem, t, y, size) for size in _DIFFERENCES]
    return min(found) if np.isfinite(found).all() else 0.0


def _steps_per_second(problem: driver.Problem, t: float, y: Floats, size: float) -> float:
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, pointer, pointer, pointer)(problem.rates)
    near, out, jacobian = y.copy(), np.zeros(len(y)), np.zeros((len(y), len(y)))

    def rates() -> Floats:
        arrays = near, out, problem.data
        status = function(t, *(array.ctypes.data_as(pointer) for array in arrays))
        return out.copy() if status == driver.DONE else np.full(len(y), np.nan)

    base = rates()
    for k in range(len(y)):
        near[k] = y[k] + size * max(abs(y[k]), _LEAST)
        jacobian[:, k] = (rates() - base) / (near[k] - y[k])
        near[k] = y[k]
    if not np.isfinite(jacobian).all():
        return float("nan")
    values = np.linalg.eigvals(jacobian)
    return float(np.maximum(np.abs(values.imag) / ACCURATE, -values.real / STABLE).max(initial=0.0))
