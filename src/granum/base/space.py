"""Space: the one place where a position is subtracted from another.

Contacts, neighbour lists, forces, gaps and measures of contact networks ask here what leads from one point to another.
In unbounded space that is the difference of coordinates. With periods it is the way to the nearest image of the second
point: where grains are packed in a periodic box, see `nearest_image`.

The geometry of boundary elements (`grains.geometry`) is in the coordinates of its elements and asks nothing here.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, inlined
from granum.base.vectors import Vector

NO_PERIOD = np.zeros(3)
"""Periods along the axes of unbounded space: zero stands for none."""


@inlined
def displacement(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Vector:
    """The vector from point a to point b."""
    return bx - ax, by - ay, bz - az


@inlined
def nearest_image(d: float, period: float) -> float:
    """A difference of coordinates, to the nearest image; a period of zero stands for none."""
    return d - period * np.floor(d / period + 0.5) if period > 0.0 else d


@inlined
def periodic_displacement(ax: float, ay: float, az: float, bx: float, by: float, bz: float, period: Floats) -> Vector:
    """The vector from point a to the nearest image of point b; period (3,), zero where there is none."""
    return nearest_image(bx - ax, period[0]), nearest_image(by - ay, period[1]), nearest_image(bz - az, period[2])


def displacements(a: Floats, b: Floats) -> Floats:
    """(n, d): the vectors from points a to points b, one or (n, d) of them each."""
    vectors: Floats = b - a
    return vectors
