"""How much of a region grains fill."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.geometry.regions import geometry_of
from granum.model.body_entries import ball_volume
from granum.model.regions import Region


def inside_volumes(positions: Floats, radii: Floats, region: Region, dimension: int) -> Floats:
    """(N,): how much of each grain is in the region [m³], in the plane [m²]."""
    geometry = geometry_of(region)
    if problems := geometry.problems(dimension, "region"):
        raise GranumError(f"{problems[0].finding} {problems[0].remedy}")
    # a column of a table would have kernels compiled once more
    return geometry.inside_volumes(positions, np.ascontiguousarray(radii))


def filled_part(positions: Floats, radii: Floats, region: Region, dimension: int) -> Floats:
    """(N,): which part of each grain is in the region, from 0 to 1."""
    inside = inside_volumes(positions, radii, region, dimension)
    part: Floats = np.clip(inside / ball_volume(radii, dimension), 0.0, 1.0)
    return part


def box_volume(positions: Floats, radii: Floats) -> float:
    """Volume [m³] (area [m²] in the plane) of the upright box around grains at positions (N, d)."""
    if not len(radii):
        raise GranumError("There are no grains, so there is no box around them. Choose a frame with grains, or give a "
                          "volume.")
    return float(np.prod((positions + radii[:, None]).max(axis=0) - (positions - radii[:, None]).min(axis=0)))


def packing_fraction(positions: Floats, radii: Floats, region: Region, dimension: int,
                     share: Floats | float = 1.0) -> float:
    """Part of the region that grains fill; where grains overlap, the overlap counts for both.

    share: (N,) part of its volume that each stands for, where parts of a body overlap.
    """
    volume = geometry_of(region).volume
    if not np.isfinite(volume):
        raise GranumError("A half-space has no finite volume, so it has no packing fraction. Use a box or a round "
                          "region.")
    return float(np.sum(share * inside_volumes(positions, radii, region, dimension))) / volume
