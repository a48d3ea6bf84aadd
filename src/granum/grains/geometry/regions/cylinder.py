"""Cylinder regions: all points of a straight cylinder in space."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from granum.base.errors import GranumError, Problem
from granum.base.kernels import Flags, Floats, kernel
from granum.grains.geometry.regions.pieces import PLACES, SHARES, add_heights, lens, sort
from granum.grains.geometry.regions.region import Geometry, geometry_for
from granum.grains.geometry.regions.round import in_disk
from granum.model.regions import CylinderRegion


@geometry_for(CylinderRegion)
class CylinderGeometry(Geometry):
    """A straight round cylinder between two ends."""

    region: CylinderRegion
    fillable = True

    @cached_property
    def axis(self) -> tuple[Floats, Floats, float]:
        """First end, direction to the second one, length."""
        a, b = (np.array(end) for end in self.region.ends)
        length = float(np.linalg.norm(b - a)) if len(a) == len(b) == 3 else 0.0
        if length == 0.0:
            raise GranumError(f"found the ends {[list(end) for end in self.region.ends]} of a cylinder, but it needs "
                              "two different 3-D points.")
        return a, (b - a) / length, length

    def vectors(self) -> list[tuple[str, tuple[float, ...]]]:
        """Both ends."""
        return [("ends.0", self.region.ends[0]), ("ends.1", self.region.ends[1])]

    def problems(self, dimension: int, place: str) -> list[Problem]:
        """It is of space, and its ends differ."""
        if dimension == 2:
            return [Problem(f"{place}.kind", "a cylinder is 3-D, but this scene is 2-D.",
                            'Use kind = "box" or "round".')]
        problems = super().problems(dimension, place)
        if not problems and self.region.ends[0] == self.region.ends[1]:
            problems.append(Problem(f"{place}.ends", f"both ends are {list(self.region.ends[0])}, but a cylinder needs "
                                                     "two different ends."))
        return problems

    def _along_and_across(self, points: Floats) -> tuple[Floats, Floats]:
        """Coordinates along the axis, and vectors from it."""
        a, axis, _ = self.axis
        from_end = points[:, :3] - a
        height: Floats = from_end @ axis
        return height, from_end - height[:, None] * axis

    def inside(self, points: Floats) -> Flags:
        """Between the ends and within the radius."""
        height, across = self._along_and_across(points)
        within: Flags = (height >= 0.0) & (height <= self.axis[2]) & (
            np.sum(across**2, axis=1) <= self.region.radius**2)
        return within

    @property
    def volume(self) -> float:
        """π R² times the length."""
        return math.pi * self.region.radius**2 * self.axis[2]

    def extent(self) -> tuple[Floats, Floats]:
        """Of both circles."""
        a, axis, length = self.axis
        b, across = a + length * axis, self.region.radius * np.sqrt(np.maximum(0.0, 1.0 - axis**2))
        return np.minimum(a, b) - across, np.maximum(a, b) + across

    @property
    def thinnest(self) -> float:
        """The radius, or half of the length."""
        return min(self.region.radius, 0.5 * math.dist(*self.region.ends))

    def sides(self) -> tuple[Floats, Floats]:
        """Two flat lids and the wall."""
        (first, axis, _), second = self.axis, np.array(self.region.ends[1])
        return (np.array([[*axis, float(axis @ first)], [*-axis, -float(axis @ second)]]),
                np.array([[*first, *axis, self.region.radius]]))

    def draw(self, u: Floats, r: Floats) -> Floats:
        """In a disk across the axis, at a height along it."""
        first, axis, length = self.axis
        x, y = in_disk(u[:, :2], np.maximum(0.0, self.region.radius - r))
        e1 = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        e1 /= np.linalg.norm(e1)
        height = 0.5 * length + (u[:, 2] - 0.5) * np.maximum(0.0, length - 2.0 * r)
        centres: Floats = first + height[:, None] * axis + x[:, None] * e1 + y[:, None] * np.cross(axis, e1)
        return centres

    def inside_volumes(self, positions: Floats, radii: Floats) -> Floats:
        """By slices across the axis, each the lens of two disks."""
        height, across = self._along_and_across(positions)
        volumes = np.empty(len(radii))
        _tube(height, np.linalg.norm(across, axis=1), self.axis[2], radii, self.region.radius, np.empty(8), volumes)
        return volumes


@kernel
def _tube(along: Floats, across: Floats, length: float, r: Floats, R: float, heights: Floats, out: Floats) -> None:
    """Volumes of balls in a cylinder, by slices across its axis."""
    for i in range(len(r)):
        d, wide = across[i] / r[i], R / r[i]
        bottom, top = max(-along[i] / r[i], -1.0), min((length - along[i]) / r[i], 1.0)
        if bottom >= top or d >= 1.0 + wide:
            out[i] = 0.0
            continue
        heights[0], heights[1] = bottom, top
        count = add_heights(1.0, bottom, top, heights, 2)
        count = add_heights(d - wide, bottom, top, heights, count)
        count = add_heights(d + wide, bottom, top, heights, count)
        sort(heights, count)
        volume = 0.0
        for k in range(count - 1):
            middle, half = 0.5 * (heights[k + 1] + heights[k]), 0.5 * (heights[k + 1] - heights[k])
            for q in range(len(PLACES)):
                at = middle + half * PLACES[q]
                volume += half * SHARES[q] * lens(d, math.sqrt(max(1.0 - at * at, 0.0)), wide)
        out[i] = r[i] ** 3 * volume
