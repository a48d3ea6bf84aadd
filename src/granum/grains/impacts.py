"""The speed at which grains will hit something, estimated before a run from the heights they fall.

A grain at speed v₀ that falls by L hits with v = √(v₀² + 2 g L), at most v₀ + g T in a run of length T. L is measured
along gravity from the grain to the boundary below it. Grains in between fall too and end up packed at fraction φ: if
the vertical line through the grain passes through a length c of them, they fill a height c/φ, by which L shrinks. So
grains that lie on each other fall by nothing, and grains without a boundary below hit nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from granum.base.kernels import Floats
from granum.base.space import displacements
from granum.state.table import R

PACKED = {2: 0.82, 3: 0.6}
"""Fraction of a loose packing that grains fill."""
_SAMPLED = 100
"""Grains tested from above, and as many again of all heights."""
_HIT = 1e-3
"""Distance in radii at which a boundary is reached."""
_MARCHES = 20000
"""Most moves along gravity; each goes as far as the nearest boundary is away."""
_ROUND_OFF = 1e-12
"""Of coordinates: by so much more than a radius grains are taken to be near a line."""


def impact_speed(
    x: Floats, v: Floats, others: Floats, gravity: Floats, until: float, distance: Callable[[Floats], Floats],
    dimension: int,
) -> float:
    """Largest expected speed of impact [m/s]; 0 where nothing falls on anything.

    Args:
        x, v: (n, >= 4) centres and radii, (n, >= 3) velocities of grains that may fall.
        others: (m, >= 4) centres and radii of the grains that are there.
        gravity: (3,) [m/s²].
        until: length of the run [s].
        distance: signed distance of points (n, 3) from the nearest boundary [m].
        dimension: 2 or 3.
    """
    g = float(np.linalg.norm(gravity))
    if g == 0.0 or not len(x):
        return 0.0
    down = gravity / g
    rows = _sample(x[:, :3] @ down)
    x, speed = x[rows], np.linalg.norm(v[rows, :3], axis=1)
    most = speed * until + 0.5 * g * until**2
    height = _march(x, down, most, distance)
    falls = np.isfinite(height)
    if not falls.any():
        return 0.0
    taken = _chords(x[falls], others, down, height[falls])
    drop = np.maximum(height[falls] - x[falls, R] - taken / PACKED[dimension], 0.0)
    impact = np.minimum(np.sqrt(speed[falls] ** 2 + 2.0 * g * drop), speed[falls] + g * until)
    return float(impact[drop > 0.0].max(initial=0.0))


def _sample(depth: Floats) -> np.ndarray:
    """Rows of the highest grains, and of some at all heights."""
    order = np.argsort(depth, kind="stable")
    if len(order) <= 2 * _SAMPLED:
        return order
    return np.unique(np.concatenate([order[:_SAMPLED], order[:: math.ceil(len(order) / _SAMPLED)]]))


def _march(x: Floats, down: Floats, most: Floats, distance: Callable[[Floats], Floats]) -> Floats:
    """Distance of each centre from the boundary below it, infinite where none is reached within `most`."""
    height, ends = np.zeros(len(x)), np.full(len(x), np.inf)
    active = np.arange(len(x))
    for _ in range(_MARCHES):
        if not len(active):
            break
        gap = distance(x[active, :3] + height[active, None] * down)
        hit = gap <= _HIT * x[active, R]
        ends[active[hit]] = height[active[hit]]
        height[active] += np.maximum(gap, 0.0)
        active = active[~hit & np.isfinite(gap) & (height[active] <= most[active])]
    return ends


def _chords(x: Floats, others: Floats, down: Floats, height: Floats) -> Floats:
    """Lengths of the lines from centres down to the boundary that lie in other grains."""
    if not len(others):
        return np.zeros(len(x))
    # sorted across gravity, because only grains within a radius of a line are near it; in 2-D across is in the plane
    across = np.cross(down, np.eye(3)[2 - int(np.argmin(np.abs(down[::-1])))])
    across /= np.linalg.norm(across)
    aside = others[:, :3] @ across
    order = np.argsort(aside, kind="stable")
    reach = float(others[:, R].max()) + _ROUND_OFF * float(np.abs(aside).max())
    begin, end = (np.searchsorted(aside[order], x[:, :3] @ across + side) for side in (-reach, reach))
    return np.array([_chord(x[k], others[np.sort(order[begin[k] : end[k]])], down, height[k]) for k in range(len(x))])


def _chord(one: Floats, others: Floats, down: Floats, height: float) -> float:
    """Length of the line from a centre down to the boundary that lies in other grains."""
    apart = displacements(one[:3], others[:, :3])
    along = apart @ down
    square = others[:, R] ** 2 - ((apart - along[:, None] * down) ** 2).sum(axis=1)
    under = (along > 0.0) & (along < height) & (square > 0.0)
    return float(2.0 * np.sqrt(square[under]).sum())
