"""Box regions: all points between two corners."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Flags, Floats, kernel
from granum.grains.geometry.regions.pieces import PLACES, SHARES, add_heights, cap, slab, sort
from granum.grains.geometry.regions.region import Geometry, geometry_for
from granum.model.regions import BoxRegion
from granum.state.table import X, Y, Z


@geometry_for(BoxRegion)
class BoxGeometry(Geometry):
    """A rectangle or a cuboid."""

    region: BoxRegion
    fillable = True

    def vectors(self) -> list[tuple[str, tuple[float, ...]]]:
        """Both corners."""
        return [("lower", self.region.lower), ("upper", self.region.upper)]

    def inside(self, points: Floats) -> Flags:
        """Between the corners."""
        x = points[:, : self.dimension]
        within: Flags = np.all((x >= np.array(self.region.lower)) & (x <= np.array(self.region.upper)), axis=1)
        return within

    @property
    def volume(self) -> float:
        """Product of the edges."""
        return math.prod(b - a for a, b in zip(self.region.lower, self.region.upper, strict=True))

    def extent(self) -> tuple[Floats, Floats]:
        """The corners."""
        return np.array(self.region.lower), np.array(self.region.upper)

    @property
    def thinnest(self) -> float:
        """Half of the shortest edge."""
        return 0.5 * float(np.min(np.subtract(self.region.upper, self.region.lower)))

    def sides(self) -> tuple[Floats, Floats]:
        """Two flat ones along each axis."""
        flat = []
        for k in range(self.dimension):
            normal = np.eye(3)[k]
            flat += [[*normal, self.region.lower[k]], [*-normal, -self.region.upper[k]]]
        return np.array(flat).reshape(-1, 4), np.zeros((0, 7))

    def draw(self, u: Floats, r: Floats) -> Floats:
        """Uniform in the box that is smaller by a radius on all sides."""
        lower, upper = self.bounds
        room = np.maximum(0.0, upper - lower - 2.0 * r[:, None])
        centres: Floats = 0.5 * (lower + upper) + (u - 0.5) * room
        return centres

    def inside_volumes(self, positions: Floats, radii: Floats) -> Floats:
        """By corners of the unit disk, and in space by slices."""
        x, size = positions[:, : self.dimension] - np.array(self.region.lower), np.subtract(*self.extent()[::-1])
        volumes = np.empty(len(radii))
        if self.dimension == 2:
            _rectangle(x, radii, size, volumes)
        else:
            _cuboid(x, radii, size, np.empty(20), volumes)
        return volumes


@kernel
def _corner(a: float, b: float) -> float:
    """Area of the part x <= a, y <= b of the unit disk."""
    a, b = min(max(a, -1.0), 1.0), min(max(b, -1.0), 1.0)
    chord = math.sqrt(1.0 - b * b)
    # slices up to y = b are b + √(1 - x²) long between both ends of the chord; outside of them whole or none
    left, right = min(a, -chord), min(max(a, -chord), chord)
    area = b * (right + chord) + slab(right) - slab(-chord)
    if b > 0.0:
        area += 2.0 * slab(left)
        if a > chord:
            area += 2.0 * (slab(a) - slab(chord))
    return area


@kernel
def _disk_in_rectangle(x: float, y: float, r: float, width: float, height: float) -> float:
    """Area of a disk in the rectangle from (0, 0) to (width, height)."""
    left, right, low, high = -x / r, (width - x) / r, -y / r, (height - y) / r
    return r * r * (_corner(right, high) - _corner(left, high) - _corner(right, low) + _corner(left, low))


@kernel
def _rectangle(x: Floats, r: Floats, size: Floats, out: Floats) -> None:
    for i in range(len(r)):
        within, apart = True, False
        for k in range(2):
            within = within and r[i] <= x[i, k] <= size[k] - r[i]
            apart = apart or x[i, k] <= -r[i] or x[i, k] >= size[k] + r[i]
        if within:
            out[i] = math.pi * r[i] * r[i]
        elif apart:
            out[i] = 0.0
        else:
            out[i] = max(0.0, _disk_in_rectangle(x[i, X], x[i, Y], r[i], size[0], size[1]))


@kernel
def _ball_in_cuboid(x: float, y: float, z: float, width: float, height: float, depth: float, heights: Floats) -> float:
    """Volume of the unit ball in the cuboid from (0, 0, 0), by slices z = const."""
    left, right, low, high = -x, width - x, -y, height - y
    bottom, top = max(-z, -1.0), min(depth - z, 1.0)
    if bottom >= top:
        return 0.0
    heights[0], heights[1] = bottom, top
    count = add_heights(1.0, bottom, top, heights, 2)  # the widest slice may almost touch a side
    for a in (left, right):
        count = add_heights(a, bottom, top, heights, count)
        for b in (low, high):
            count = add_heights(math.sqrt(a * a + b * b), bottom, top, heights, count)
    for b in (low, high):
        count = add_heights(b, bottom, top, heights, count)
    sort(heights, count)
    volume = 0.0
    for k in range(count - 1):
        middle, half = 0.5 * (heights[k + 1] + heights[k]), 0.5 * (heights[k + 1] - heights[k])
        part = 0.0
        for q in range(len(PLACES)):
            at = middle + half * PLACES[q]
            radius = math.sqrt(max(1.0 - at * at, 1e-300))
            part += SHARES[q] * _disk_in_rectangle(x, y, radius, width, height)
        volume += half * part
    return volume


@kernel
def _cuboid(x: Floats, r: Floats, size: Floats, heights: Floats, out: Floats) -> None:
    for i in range(len(r)):
        cuts, apart, depth = 0, False, 0.0
        for k in range(3):
            apart = apart or x[i, k] <= -r[i] or x[i, k] >= size[k] + r[i]
            if x[i, k] < r[i]:
                cuts, depth = cuts + 1, x[i, k] / r[i]
            if x[i, k] > size[k] - r[i]:
                cuts, depth = cuts + 1, (size[k] - x[i, k]) / r[i]
        if apart:
            out[i] = 0.0
        elif cuts < 2:
            out[i] = r[i] ** 3 * (cap(depth) if cuts == 1 else 4.0 / 3.0 * math.pi)
        else:
            s = 1.0 / r[i]
            out[i] = r[i] ** 3 * max(0.0, _ball_in_cuboid(x[i, X] * s, x[i, Y] * s, x[i, Z] * s, size[0] * s,
                                                          size[1] * s, size[2] * s, heights))
