"""How much of a region grains fill: intersections of disks and balls with regions.

Closed forms, and where there is none, integration over slices, whose ends are where slices change their form: with
z = (3 s - s³)/2 in each interval, half-integer powers at its ends become polynomials and Gauss' rule takes them
to 1e-11 of the grain at worst (where a slice almost touches a side), mostly to round-off.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, kernel
from granum.grains.geometry.regions import problems_of_region, volume
from granum.grains.state import X, Y, Z
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_PLACES = 0.5 * (3.0 * _NODES - _NODES**3)
_SHARES = 1.5 * (1.0 - _NODES**2) * _WEIGHTS


def ball(radii: Floats, dimension: int) -> Floats:
    """(N,): areas of disks [m²] or volumes of spheres [m³]."""
    return math.pi * radii**2 if dimension == 2 else 4.0 / 3.0 * math.pi * radii**3


def inside_volumes(positions: Floats, radii: Floats, region: Region, dimension: int) -> Floats:
    """(N,): how much of each grain is in the region [m³], in the plane [m²]."""
    _check(region, dimension)
    out = np.empty(len(radii))
    match region:
        case BoxRegion():
            x = positions[:, :dimension] - np.array(region.lower)
            size = np.array(region.upper) - np.array(region.lower)
            if dimension == 2:
                _rectangle(x, radii, size, out)
            else:
                _cuboid(x, radii, size, np.empty(20), out)
        case RoundRegion():
            (_round_plane if dimension == 2 else _round_space)(
                _distances(positions, region.centre), radii, region.radius, out)
        case CylinderRegion():
            _tube(*_about_axis(region, positions), radii, region.radius, np.empty(8), out)
        case HalfSpace():
            (_half_plane if dimension == 2 else _half_space)(_depths(region, positions), radii, out)
        case _:
            raise TypeError(f"no packing fraction in a region of kind {region.kind}")
    return out


def filled_part(positions: Floats, radii: Floats, region: Region, dimension: int) -> Floats:
    """(N,): which part of each grain is in the region, from 0 to 1."""
    part: Floats = np.clip(inside_volumes(positions, radii, region, dimension) / ball(radii, dimension), 0.0, 1.0)
    return part


def box_volume(positions: Floats, radii: Floats) -> float:
    """Volume [m³] (area [m²] in the plane) of the upright box around grains at positions (N, d)."""
    if not len(radii):
        raise GranumError("There are no grains, and no box around them. Choose a frame with grains, or give a volume.")
    return float(np.prod((positions + radii[:, None]).max(axis=0) - (positions - radii[:, None]).min(axis=0)))


def packing_fraction(positions: Floats, radii: Floats, region: Region, dimension: int,
                     share: Floats | float = 1.0) -> float:
    """Part of the region that grains fill; where grains overlap, the overlap counts for both.

    share: (N,) part of its volume that each stands for, where parts of a body overlap.
    """
    if isinstance(region, HalfSpace):
        raise GranumError("A half-space has no finite volume, so nothing is a fraction of it. Choose a box or a round "
                          "region.")
    return float(np.sum(share * inside_volumes(positions, radii, region, dimension))) / volume(region)


def _check(region: Region, dimension: int) -> None:
    if problems := problems_of_region(region, dimension, "region"):
        raise GranumError(f"{problems[0].finding} {problems[0].remedy}")


def _distances(positions: Floats, centre: tuple[float, ...]) -> Floats:
    return np.linalg.norm(positions[:, : len(centre)] - np.array(centre), axis=1)


def _depths(region: HalfSpace, positions: Floats) -> Floats:
    """How deep points are in the half-space [m]."""
    n = np.array(region.normal)
    return (positions[:, : len(n)] - np.array(region.position)) @ n / np.linalg.norm(n)


def _about_axis(region: CylinderRegion, positions: Floats) -> tuple[Floats, Floats, float]:
    """Coordinates along the axis and distances from it, and the length of the axis."""
    first, last = np.array(region.ends)
    length = float(np.linalg.norm(last - first))
    axis = (last - first) / length
    along: Floats = (positions - first) @ axis
    return along, np.linalg.norm(positions - first - along[:, None] * axis, axis=1), length


@kernel
def _slab(x: float) -> float:
    """Area of the unit disk left of x, half of it: ∫ √(1 - x²) dx from -1."""
    return 0.5 * (x * math.sqrt(1.0 - x * x) + math.asin(x)) + 0.25 * math.pi


@kernel
def _corner(a: float, b: float) -> float:
    """Area of the part x <= a, y <= b of the unit disk."""
    a, b = min(max(a, -1.0), 1.0), min(max(b, -1.0), 1.0)
    chord = math.sqrt(1.0 - b * b)
    # slices up to y = b are b + √(1 - x²) long between both ends of the chord; outside of them whole or none
    left, right = min(a, -chord), min(max(a, -chord), chord)
    area = b * (right + chord) + _slab(right) - _slab(-chord)
    if b > 0.0:
        area += 2.0 * _slab(left)
        if a > chord:
            area += 2.0 * (_slab(a) - _slab(chord))
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
def _cap(depth: float) -> float:
    """Volume of the unit ball below a plane at height `depth` above its centre."""
    h = min(max(1.0 + depth, 0.0), 2.0)
    return math.pi * h * h * (3.0 - h) / 3.0


@kernel
def _half_plane(depth: Floats, r: Floats, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = 2.0 * r[i] * r[i] * _slab(min(max(depth[i] / r[i], -1.0), 1.0))


@kernel
def _half_space(depth: Floats, r: Floats, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = r[i] ** 3 * _cap(depth[i] / r[i])


@kernel
def _sort(values: Floats, count: int) -> None:
    """Insertion sort of a few values."""
    for i in range(1, count):
        value, j = values[i], i - 1
        while j >= 0 and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


@kernel
def _add_heights(radius: float, low: float, high: float, heights: Floats, count: int) -> int:
    """Heights within (low, high) at which slices of the unit ball have this radius."""
    if abs(radius) <= 1.0:
        z = math.sqrt(1.0 - radius * radius)
        for place in (z, -z):
            if low < place < high:
                heights[count] = place
                count += 1
    return count


@kernel
def _ball_in_cuboid(x: float, y: float, z: float, width: float, height: float, depth: float, heights: Floats) -> float:
    """Volume of the unit ball in the cuboid from (0, 0, 0), by slices z = const."""
    left, right, low, high = -x, width - x, -y, height - y
    bottom, top = max(-z, -1.0), min(depth - z, 1.0)
    if bottom >= top:
        return 0.0
    heights[0], heights[1] = bottom, top
    count = _add_heights(1.0, bottom, top, heights, 2)  # the widest slice may almost touch a side
    for a in (left, right):
        count = _add_heights(a, bottom, top, heights, count)
        for b in (low, high):
            count = _add_heights(math.sqrt(a * a + b * b), bottom, top, heights, count)
    for b in (low, high):
        count = _add_heights(b, bottom, top, heights, count)
    _sort(heights, count)
    volume = 0.0
    for k in range(count - 1):
        middle, half = 0.5 * (heights[k + 1] + heights[k]), 0.5 * (heights[k + 1] - heights[k])
        part = 0.0
        for q in range(len(_PLACES)):
            at = middle + half * _PLACES[q]
            radius = math.sqrt(max(1.0 - at * at, 1e-300))
            part += _SHARES[q] * _disk_in_rectangle(x, y, radius, width, height)
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
            out[i] = r[i] ** 3 * (_cap(depth) if cuts == 1 else 4.0 / 3.0 * math.pi)
        else:
            s = 1.0 / r[i]
            out[i] = r[i] ** 3 * max(0.0, _ball_in_cuboid(x[i, X] * s, x[i, Y] * s, x[i, Z] * s, size[0] * s,
                                                          size[1] * s, size[2] * s, heights))


@kernel
def _lens(d: float, r: float, R: float) -> float:
    """Area of the intersection of two disks whose centres are d apart."""
    if d >= r + R:
        return 0.0
    if d <= abs(R - r):
        return math.pi * min(r, R) ** 2
    # distances of the common chord from both centres, written so that nothing large cancels
    x = ((d - R) * (d + R) + r * r) / (2.0 * d)
    y = ((d - r) * (d + r) + R * R) / (2.0 * d)
    h = 0.5 / d * math.sqrt(max((r + R - d) * (d + r - R) * (d + R - r) * (d + r + R), 0.0))
    return max(0.0, r * r * math.atan2(h, x) - x * h + R * R * math.atan2(h, y) - y * h)


@kernel
def _round_plane(d: Floats, r: Floats, R: float, out: Floats) -> None:
    for i in range(len(r)):
        out[i] = _lens(d[i], r[i], R)


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
        count = _add_heights(1.0, bottom, top, heights, 2)
        count = _add_heights(d - wide, bottom, top, heights, count)
        count = _add_heights(d + wide, bottom, top, heights, count)
        _sort(heights, count)
        volume = 0.0
        for k in range(count - 1):
            middle, half = 0.5 * (heights[k + 1] + heights[k]), 0.5 * (heights[k + 1] - heights[k])
            for q in range(len(_PLACES)):
                at = middle + half * _PLACES[q]
                volume += half * _SHARES[q] * _lens(d, math.sqrt(max(1.0 - at * at, 0.0)), wide)
        out[i] = r[i] ** 3 * volume
