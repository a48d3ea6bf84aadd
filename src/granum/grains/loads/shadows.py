"""Shadows in a flow: what a grain hides of another that it touches (Sun 1996, eqs. 4.10 to 4.12)."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel
from granum.base.space import displacement
from granum.grains.state import FIRST, SECOND
from granum.state.table import R, X, Y, Z

SHADOW = 3
"""Column of what a grain meets, behind the flow relative to it: the part of its projection that others shade."""
LEAST_FLOW = 1e-200
"""Square of a relative velocity [m²/s²] below which it has no direction."""


@kernel
def add_shadows(dimension: int, x: Floats, pairs: Ints, relative: Floats) -> None:
    """Add what each grain of a touching pair shades of the other to its shadow k, in order (Sun 1996, eq. 4.12)."""
    for c in range(len(pairs)):
        i, j = pairs[c, FIRST], pairs[c, SECOND]
        dx, dy, dz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
        a, b = x[i, R], x[j, R]
        u, w = relative[i], relative[j]
        w[SHADOW] += shaded_part(dimension, dx, dy, dz, w[X], w[Y], w[Z], a, b)
        u[SHADOW] += shaded_part(dimension, -dx, -dy, -dz, u[X], u[Y], u[Z], b, a)


@kernel
def shaded_part(
    dimension: int, dx: float, dy: float, dz: float, wx: float, wy: float, wz: float, a: float, b: float,
) -> float:
    """Part of the projection of a grain of radius b that lies behind one of radius a (Sun 1996, eq. 4.10).

    It is at d from that one, and w = u - v is the flow that it meets. Widths of projections in the plane, areas in
    space. The thesis takes x and y one by one; here it is once, along w.
    """
    square = wx * wx + wy * wy + wz * wz
    along = dx * wx + dy * wy + dz * wz
    if along <= 0.0 or square < LEAST_FLOW:  # not downstream, or there is no flow
        return 0.0
    part = along / square
    px, py, pz = dx - part * wx, dy - part * wy, dz - part * wz
    offset = math.sqrt(px * px + py * py + pz * pz)
    if dimension == 2:
        return shaded_width(a, b, offset) / (2.0 * b)
    return shaded_area(a, b, offset) / (math.pi * b * b)


@kernel
def shaded_width(a: float, b: float, offset: float) -> float:
    """Common width of the projections of two disks: min(a + b - offset, 2a, 2b) (Sun 1996, eq. 4.11, corrected)."""
    return max(0.0, min(a + b - offset, 2.0 * a, 2.0 * b))


@kernel
def shaded_area(a: float, b: float, offset: float) -> float:
    """Common area of two circles: two segments beyond their common chord."""
    if offset >= a + b:
        return 0.0
    if offset <= abs(a - b):
        return math.pi * min(a, b) ** 2
    return (_segment(a, (offset + (a - b) * (a + b) / offset) / 2.0)
            + _segment(b, (offset - (a - b) * (a + b) / offset) / 2.0))


@kernel
def _segment(r: float, distance: float) -> float:
    """Area of the part of a circle beyond a chord at a distance from its centre (negative: beyond the centre)."""
    cos = min(1.0, max(-1.0, distance / r))
    sin = math.sqrt((1.0 - cos) * (1.0 + cos))
    return r * r * (math.atan2(sin, cos) - sin * cos)
