"""What several peers need: their version, memory, and a lean integration loop around their rates."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

import numpy as np

from benchmarks.comparison import Array, ChainState, Setting, Simulation, start_angles, state_of_joints

Rates = Callable[[Array, Array], None]

# Error control needs a bound [s] in some peers; this one is never reached once the chain moves.
LONGEST_ADAPTIVE_STEP = 0.1


def version_of(module: str, distribution: str, needed: str) -> str | None:
    """Version of an importable module that has what is needed, otherwise None."""
    try:
        imported = import_module(module)
    except ImportError:
        return None
    if not hasattr(imported, needed):
        return None
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        # Installed by other means than pip, which leave no record of the distribution.
        return str(getattr(imported, "__version__", "unknown"))


def require_memory(size: int) -> None:
    """Raise MemoryError rather than let so many bytes take more than half of the machine."""
    if not hasattr(os, "sysconf"):
        return
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if size > whole // 2:
        raise MemoryError(f"{size / 1e9:.0f} GB would be needed")


def _runge_kutta_4(rates: Rates, state: Array, step_count: int, step: float) -> None:
    """Advance the state in place by equal steps [s] with the classical fourth-order rule."""
    slopes = np.empty((4, state.size))
    first, second, third, fourth = slopes
    stage = np.empty_like(state)
    weights = np.array([step / 6.0, step / 3.0, step / 3.0, step / 6.0])
    half = 0.5 * step
    add, multiply, dot = np.add, np.multiply, np.dot
    for _ in range(step_count):
        rates(state, first)
        add(state, multiply(first, half, stage), stage)
        rates(stage, second)
        add(state, multiply(second, half, stage), stage)
        rates(stage, third)
        add(state, multiply(third, step, stage), stage)
        rates(stage, fourth)
        add(state, dot(weights, slopes, stage), state)


def _dormand_prince_8(integrate: Any, rates: Rates, state: Array, duration: float, tolerance: float) -> None:
    """Advance the state in place by the duration [s] with the error-controlled DOP853 of scipy.integrate."""

    def slope(_time: float, now: Array) -> Array:
        result = np.empty_like(now)
        rates(now, result)
        return result

    solver = integrate.DOP853(slope, 0.0, state, duration, rtol=tolerance, atol=tolerance)
    while solver.status == "running":
        solver.step()
    state[:] = solver.y if solver.status == "finished" else np.nan


def simulation_of_rates(rates: Rates, count: int, setting: Setting) -> Simulation:
    """Simulation by a loop in Python around a peer's rates of the joint angles [rad] and rates [rad/s]."""
    integrate: Any = None if setting.tolerance is None else import_module("scipy.integrate")

    def simulate(duration: float) -> tuple[float, ChainState]:
        state = np.concatenate([start_angles(count), np.zeros(count)])
        started = time.perf_counter()
        if setting.tolerance is not None:
            _dormand_prince_8(integrate, rates, state, duration, setting.tolerance)
        else:
            step_count = setting.step_count(duration)
            _runge_kutta_4(rates, state, step_count, duration / step_count)
        seconds = time.perf_counter() - started
        return seconds, state_of_joints(state[:count], state[count:])

    return simulate
