"""Rooms: regions that grains can fill, with volume, depth below the border and points drawn from inside."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.geometry.regions import extent, volume
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion


def padded(vector: tuple[float, ...]) -> Floats:
    """A vector of the plane or of space in three components."""
    result = np.zeros(3)
    result[:len(vector)] = vector
    return result


@dataclass(frozen=True)
class Room:
    """A region of finite size, in the plane or in space."""

    region: Region
    dimension: int

    def __post_init__(self) -> None:
        if isinstance(self.region, HalfSpace):
            raise GranumError("A half-space has no end and cannot be filled; give a box, round or cylinder region.")

    @property
    def volume(self) -> float:
        """Area [m²] or volume [m³]."""
        return volume(self.region)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Corners of the smallest upright box around it [m]."""
        lower, upper = extent(self.region)
        return padded(tuple(lower)), padded(tuple(upper))

    @property
    def thinnest(self) -> float:
        """Radius of the largest grain that fits in [m]."""
        region = self.region
        if isinstance(region, BoxRegion):
            return 0.5 * float(np.min(np.subtract(region.upper, region.lower)))
        if isinstance(region, RoundRegion):
            return region.radius
        assert isinstance(region, CylinderRegion)
        return min(region.radius, 0.5 * math.dist(*region.ends))

    @staticmethod
    def _ends(region: CylinderRegion) -> tuple[Floats, Floats, Floats]:
        first, second = padded(region.ends[0]), padded(region.ends[1])
        length = float(np.linalg.norm(second - first))
        if length == 0.0:
            raise GranumError("The two ends of a cylinder region are the same point; it has no inside.")
        return first, second, (second - first) / length

    def sides(self) -> tuple[Floats, Floats]:
        """Flat sides (k, 4): inward normal and offset, depth = n·x - c; round sides (k, 7): centre, axis, radius."""
        region = self.region
        flat, curved = [], []
        if isinstance(region, BoxRegion):
            for k in range(self.dimension):
                normal = np.eye(3)[k]
                flat += [[*normal, region.lower[k]], [*-normal, -region.upper[k]]]
        elif isinstance(region, RoundRegion):
            curved.append([*padded(region.centre), 0.0, 0.0, 0.0, region.radius])
        else:
            assert isinstance(region, CylinderRegion)
            first, second, axis = self._ends(region)
            flat += [[*axis, float(axis @ first)], [*-axis, -float(axis @ second)]]
            curved.append([*first, *axis, region.radius])
        return np.array(flat).reshape(-1, 4), np.array(curved).reshape(-1, 7)

    def depth(self, points: Floats) -> Floats:
        """Distance of points (n, 3) to the border, positive inside [m]."""
        flat, curved = self.sides()
        depths = [points @ side[:3] - side[3] for side in flat]
        for side in curved:
            d = points - side[:3]
            d = d - np.outer(d @ side[3:6], side[3:6])
            depths.append(side[6] - np.linalg.norm(d, axis=1))
        result: Floats = np.min(depths, axis=0)
        return result

    def draw(self, u: Floats, r: Floats) -> Floats:
        """Points (n, 3), evenly spread over the centres a grain of radius r (n,) can have, from u in [0, 1)³."""
        region = self.region
        if isinstance(region, BoxRegion):
            lower, upper = self.bounds
            room = np.maximum(0.0, upper - lower - 2.0 * r[:, None])
            centres: Floats = 0.5 * (lower + upper) + (u - 0.5) * room
            return centres
        if isinstance(region, RoundRegion) and self.dimension == 3:
            radial, polar, azimuth = u.T
            rho = np.maximum(0.0, region.radius - r) * np.cbrt(radial)
            cosine, angle = 2.0 * polar - 1.0, 2.0 * math.pi * azimuth
            sine = np.sqrt(1.0 - cosine**2)
            direction = np.stack([sine * np.cos(angle), sine * np.sin(angle), cosine], axis=1)
            return padded(region.centre) + rho[:, None] * direction
        assert isinstance(region, RoundRegion | CylinderRegion)
        radial, azimuth, axial = u.T
        rho = np.maximum(0.0, region.radius - r) * np.sqrt(radial)
        across, along = rho * np.cos(2.0 * math.pi * azimuth), rho * np.sin(2.0 * math.pi * azimuth)
        if isinstance(region, RoundRegion):
            return padded(region.centre) + np.stack([across, along, np.zeros_like(rho)], axis=1)
        first, second, axis = self._ends(region)
        e1 = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        e1 /= np.linalg.norm(e1)
        length = float(np.linalg.norm(second - first))
        height = 0.5 * length + (axial - 0.5) * np.maximum(0.0, length - 2.0 * r)
        return first + height[:, None] * axis + across[:, None] * e1 + along[:, None] * np.cross(axis, e1)
