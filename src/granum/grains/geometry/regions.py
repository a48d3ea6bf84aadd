"""Regions of plane and space: which points are inside, how much room there is, the box around it."""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import GranumError, Problem
from granum.base.kernels import Flags, Floats
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion


def dimension_of(region: Region) -> int:
    """2 for a region of the plane, 3 for one of space."""
    return len(_positions(region)[0][1])


def problems_of_region(region: Region, dimension: int, place: str) -> list[Problem]:
    """What does not fit a scene of this dimension, at `place`."""
    where = {2: "in the plane", 3: "in space"}
    if isinstance(region, CylinderRegion) and dimension == 2:
        return [Problem(f"{place}.kind", "a cylinder is in space, but this scene is in the plane.",
                        'Use kind = "box" or "round".')]
    problems = [
        Problem(f"{place}.{key}", f"found {list(vector)} with {len(vector)} components, but this scene is "
                f"{where[dimension]}.", f"Give {dimension} components.")
        for key, vector in _positions(region) if len(vector) != dimension]
    if not problems and isinstance(region, CylinderRegion) and region.ends[0] == region.ends[1]:
        problems.append(Problem(f"{place}.ends", f"both ends are {list(region.ends[0])}, but a cylinder has two."))
    return problems


def inside(region: Region, points: Floats) -> Flags:
    """Which of the points (rows; further columns are ignored) are in the region or on its border."""
    x = points[:, :dimension_of(region)]
    within: Flags
    if isinstance(region, BoxRegion):
        within = np.all((x >= np.array(region.lower)) & (x <= np.array(region.upper)), axis=1)
    elif isinstance(region, RoundRegion):
        within = np.sum((x - np.array(region.centre)) ** 2, axis=1) <= region.radius**2
    elif isinstance(region, HalfSpace):
        within = (x - np.array(region.position)) @ np.array(region.normal) >= 0.0
    else:
        assert isinstance(region, CylinderRegion)
        a, axis, length = _axis(region)
        from_end = x - a
        height = from_end @ axis
        across = from_end - height[:, None] * axis
        within = (height >= 0.0) & (height <= length) & (np.sum(across**2, axis=1) <= region.radius**2)
    return within


def volume(region: Region) -> float:
    """Area of a region of the plane [m²], volume of one of space [m³]; infinite for a half-space."""
    if isinstance(region, BoxRegion):
        return math.prod(b - a for a, b in zip(region.lower, region.upper, strict=True))
    if isinstance(region, RoundRegion):
        return math.pi * region.radius**2 if len(region.centre) == 2 else 4.0 / 3.0 * math.pi * region.radius**3
    if isinstance(region, HalfSpace):
        return math.inf
    assert isinstance(region, CylinderRegion)
    return math.pi * region.radius**2 * _axis(region)[2]


def extent(region: Region) -> tuple[Floats, Floats]:
    """Smallest and largest coordinates of a region, ±∞ where it has no end."""
    if isinstance(region, BoxRegion):
        return np.array(region.lower), np.array(region.upper)
    if isinstance(region, RoundRegion):
        centre = np.array(region.centre)
        return centre - region.radius, centre + region.radius
    if isinstance(region, HalfSpace):
        point, normal = np.array(region.position), np.array(region.normal)
        upright = np.count_nonzero(normal) == 1
        return (np.where(upright & (normal > 0.0), point, -math.inf),
                np.where(upright & (normal < 0.0), point, math.inf))
    assert isinstance(region, CylinderRegion)
    a, axis, length = _axis(region)
    b, across = a + length * axis, region.radius * np.sqrt(np.maximum(0.0, 1.0 - axis**2))
    return np.minimum(a, b) - across, np.maximum(a, b) + across


def _positions(region: Region) -> list[tuple[str, tuple[float, ...]]]:
    """The vectors of a region with their keys."""
    if isinstance(region, BoxRegion):
        return [("lower", region.lower), ("upper", region.upper)]
    if isinstance(region, RoundRegion):
        return [("centre", region.centre)]
    if isinstance(region, HalfSpace):
        return [("position", region.position), ("normal", region.normal)]
    assert isinstance(region, CylinderRegion)
    return [("ends.0", region.ends[0]), ("ends.1", region.ends[1])]


def _axis(region: CylinderRegion) -> tuple[Floats, Floats, float]:
    """First end, direction to the second one, length."""
    a, b = (np.array(end) for end in region.ends)
    length = float(np.linalg.norm(b - a)) if len(a) == len(b) == 3 else 0.0
    if length == 0.0:
        raise GranumError(f"found the ends {[list(end) for end in region.ends]} of a cylinder, but it needs two "
                          "different points in space.")
    return a, (b - a) / length, length
