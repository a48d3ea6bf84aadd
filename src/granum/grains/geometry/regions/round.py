"""Round regions: all points of a disk or ball."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Flags, Floats, kernel
from granum.base.rotations import three
from granum.grains.geometry.regions.pieces import lens
from granum.grains.geometry.regions.region import Geometry, geometry_for
from granum.model.body_entries import ball_volume
from granum.model.regions import RoundRegion


def in_disk(u: Floats, radius: Floats) -> tuple[Floats, Floats]:
    """Two coordinates (n,) of points evenly spread over disks of radii (n,), from u (n, 2) in [0, 1)."""
    radial, azimuth = u.T
    rho = radius * np.sqrt(radial)
    return rho * np.cos(2.0 * math.pi * azimuth), rho * np.sin(2.0 * math.pi * azimuth)


@geometry_for(RoundRegion)
class RoundGeometry(Geometry):
    """A disk or a ball."""

    region: RoundRegion
    fillable = True

    def vectors(self) -> list[tuple[str, tuple[float, ...]]]:
        """The centre."""
        return [("centre", self.region.centre)]

    def inside(self, points: Floats) -> Flags:
        """Not farther from the centre than the radius."""
        x = points[:, : self.dimension]
        within: Flags = np.sum((x - np.array(self.region.centre)) ** 2, axis=1) <= self.region.radius**2
        return within

    @property
    def volume(self) -> float:
        """π R² or 4/3 π R³."""
        return float(ball_volume(self.region.radius, self.dimension))

    def extent(self) -> tuple[Floats, Floats]:
        """A radius to all sides of the centre."""
        centre = np.array(self.region.centre)
        return centre - self.region.radius, centre + self.region.radius

    @property
    def thinnest(self) -> float:
        """The radius."""
        return self.region.radius

    def sides(self) -> tuple[Floats, Floats]:
        """A curved one without an axis."""
        return np.zeros((0, 4)), np.array([[*three(self.region.centre), 0.0, 0.0, 0.0, self.region.radius]])

    def draw(self, u: Floats, r: Floats) -> Floats:
        """By radius and angles."""
        centre, room = three(self.region.centre), np.maximum(0.0, self.region.radius - r)
        if self.dimension == 2:
            return centre + np.stack([*in_disk(u[:, :2], room), np.zeros(len(r))], axis=1)
        radial, polar, azimuth = u.T
        rho = room * np.cbrt(radial)
        cosine, angle = 2.0 * polar - 1.0, 2.0 * math.pi * azimuth
        sine = np.sqrt(1.0 - cosine**2)
        return centre + rho[:, None] * np.stack([sine * np.cos(angle), sine * np.sin(angle), cosine], axis=1)

    def inside_volumes(self, positions: Floats, radii: Floats) -> Floats:
        """Lenses of two disks or two balls."""
        distance = np.linalg.norm(positions[:, : self.dimension] - np.array(self.region.centre), axis=1)
        volumes = np.empty(len(radii))
        (_round_plane if self.dimension == 2 else _round_space)(distance, radii, self.region.radius, volumes)
        return volumes


@kernel
def _round_plane(d: Floats, r: Floats, R: float, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = lens(d[i], r[i], R)


@kernel
def _round_space(d: Floats, r: Floats, R: float, out: Floats) -> None:
    for i in range(len(r)):
        if d[i] >= r[i] + R:
            out[i] = 0.0
        elif d[i] <= abs(R - r[i]):
            out[i] = 4.0 / 3.0 * math.pi * min(r[i], R) ** 3
        else:
            # two caps on the common chord: heights of both above it
            h = (R - d[i] + r[i]) * (R + d[i] - r[i]) / (2.0 * d[i])
            H = (r[i] - d[i] + R) * (r[i] + d[i] - R) / (2.0 * d[i])
            out[i] = math.pi / 3.0 * (h * h * (3.0 * r[i] - h) + H * H * (3.0 * R - H))
