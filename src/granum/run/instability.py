"""When something of a run first happens, located between its frames: the fall of a stack."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from granum.base.errors import GranumError
from granum.model.patterns import Stack
from granum.run.result import Run

SUNK = 1e-3
"""Δ = (L − L′)/L at which a stack of height L counts as fallen: its top has sunk by Δ L (Sun 1996, eq. 6.1)."""


def first_below(run: Run, body: str, axis: int, level: float) -> float | None:
    """When a coordinate of a body first falls to a level [m], in seconds; None if it never does.

    Located between two frames by cubic Hermite interpolation of position and velocity.
    """
    height = run.position(body)[:, axis] - level
    below = np.flatnonzero(height <= 0.0)
    if not len(below):
        return None
    if below[0] == 0:
        return float(run.t[0])
    ends = slice(below[0] - 1, below[0] + 1)
    spline = CubicHermiteSpline(run.t[ends], height[ends], run.velocity(body)[ends, axis])
    return float(spline.roots(extrapolate=False)[0])


def time_to_instability(run: Run, pattern: str) -> float:
    """When the top of a stack has sunk by 0.1 % of its height (Sun 1996, §6.4) [s]; raises if it still stands."""
    stack = run.scene.pattern[pattern]
    assert isinstance(stack, Stack)
    prefix = stack.bodies or pattern
    axis = run.dimension - 1
    foot = float(run.position(stack.from_ or f"{prefix}-1")[0, axis])
    time = first_below(run, f"{prefix}-{stack.count}", axis, foot + (1.0 - SUNK) * stack.height)
    if time is None:
        raise GranumError(f'the stack "{pattern}" still stands at t = {float(run.t[-1]):g} s: its top has not sunk by '
                          f"{100.0 * SUNK:g} %. Let the run last longer, or tilt it more.")
    return time
