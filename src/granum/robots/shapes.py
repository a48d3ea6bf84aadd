"""Volume and inertia of the simple shapes of robots, in axes through their centre; z is the axis of round ones.

Sizes are those of MJCF: radii and halves of lengths.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from granum.base.kernels import Floats


def sphere(radius: float) -> tuple[float, Floats]:
    """Volume [m³] and moments of inertia per mass [m²]."""
    return 4.0 / 3.0 * math.pi * radius**3, np.full(3, 0.4 * radius**2)


def ellipsoid(axes: Floats) -> tuple[float, Floats]:
    """From its semi-axes [m]."""
    a, b, c = axes**2
    return 4.0 / 3.0 * math.pi * float(np.prod(axes)), np.array([b + c, a + c, a + b]) / 5.0


def box(half: Floats) -> tuple[float, Floats]:
    """From half its edges [m]."""
    a, b, c = half**2
    return 8.0 * float(np.prod(half)), np.array([b + c, a + c, a + b]) / 3.0


def cylinder(radius: float, half: float) -> tuple[float, Floats]:
    """From half its length [m]."""
    across = radius**2 / 4.0 + half**2 / 3.0
    return 2.0 * math.pi * radius**2 * half, np.array([across, across, 0.5 * radius**2])


def capsule(radius: float, half: float) -> tuple[float, Floats]:
    """A cylinder of half length `half` between two half balls, whose mass centres are 3/8 r beyond its ends."""
    tube, moments = cylinder(radius, half)
    ball, round_moments = sphere(radius)
    away = half**2 + 0.75 * half * radius  # of both half balls: (h + 3/8 r)² - (3/8 r)²
    caps = round_moments + np.array([away, away, 0.0])
    return tube + ball, (tube * moments + ball * caps) / (tube + ball)


SOLIDS: dict[str, tuple[int, Callable[[Floats], tuple[float, Floats]]]] = {
    "sphere": (1, lambda size: sphere(float(size[0]))),
    "capsule": (2, lambda size: capsule(float(size[0]), float(size[1]))),
    "cylinder": (2, lambda size: cylinder(float(size[0]), float(size[1]))),
    "ellipsoid": (3, lambda size: ellipsoid(size[:3])),
    "box": (3, lambda size: box(size[:3]))}
"""Numbers of the size of each shape, and its volume and moments of inertia per mass."""
