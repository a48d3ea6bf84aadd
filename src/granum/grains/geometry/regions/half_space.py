"""Half-spaces: all points on the far side of a line or plane, without end."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Flags, Floats, kernel
from granum.grains.geometry.regions.pieces import cap, slab
from granum.grains.geometry.regions.region import Geometry, geometry_for
from granum.model.regions import HalfSpace


@geometry_for(HalfSpace)
class HalfSpaceGeometry(Geometry):
    """What lies where the normal points."""

    region: HalfSpace

    def vectors(self) -> list[tuple[str, tuple[float, ...]]]:
        """A point of the border and its normal."""
        return [("position", self.region.position), ("normal", self.region.normal)]

    def _heights(self, points: Floats) -> Floats:
        """Of points above the border, times the length of the normal."""
        height: Floats = (points[:, : self.dimension] - np.array(self.region.position)) @ np.array(self.region.normal)
        return height

    def inside(self, points: Floats) -> Flags:
        """On the side of the normal."""
        within: Flags = self._heights(points) >= 0.0
        return within

    @property
    def volume(self) -> float:
        """It has no end."""
        return math.inf

    def extent(self) -> tuple[Floats, Floats]:
        """One side, where the normal is along an axis."""
        point, normal = np.array(self.region.position), np.array(self.region.normal)
        upright = np.count_nonzero(normal) == 1
        return (np.where(upright & (normal > 0.0), point, -math.inf),
                np.where(upright & (normal < 0.0), point, math.inf))

    def inside_volumes(self, positions: Floats, radii: Floats) -> Floats:
        """Caps of disks and balls."""
        depth, volumes = self._heights(positions) / np.linalg.norm(self.region.normal), np.empty(len(radii))
        (_half_plane if self.dimension == 2 else _half_space)(depth, radii, volumes)
        return volumes


@kernel
def _half_plane(depth: Floats, r: Floats, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = 2.0 * r[i] * r[i] * slab(min(max(depth[i] / r[i], -1.0), 1.0))


@kernel
def _half_space(depth: Floats, r: Floats, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = r[i] ** 3 * cap(depth[i] / r[i])
