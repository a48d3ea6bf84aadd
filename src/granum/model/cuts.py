"""What of a union of disks or balls lies beyond a cut: volume, centre and second moments, slice by slice.

A slice of disks is a union of intervals, one of balls a union of disks: both have closed forms. Along the normal they
are analytic between the places where borders begin, end or meet; with s = (a + b)/2 - (b - a)/2 cos θ the roots at both
ends are smooth too, and Gauss-Legendre in θ gives ten digits.
"""

from __future__ import annotations

import itertools

import numpy as np

from granum.base.kernels import Floats
from granum.model.unions import disk_moments

_ANGLE, _WEIGHT = np.polynomial.legendre.leggauss(24)
_THETA, _WEIGHT = (_ANGLE + 1.0) * np.pi / 2.0, _WEIGHT * np.pi / 2.0
_TRIPLES = 60
"""Balls up to which the places where three of them meet are looked for."""


def beyond(centres: Floats, radii: Floats, point: Floats, normal: Floats, flat: bool) -> tuple[float, Floats, Floats]:
    """Volume (area) where (x - point) · normal > 0, its centre (3,), and ∫ x xᵀ dV about that centre (3, 3).

    Args:
        centres: (n, 3) [m]; in the plane z is zero.
        normal: unit vector.
    """
    axes = _axes(normal, flat)
    local = (centres - point) @ axes.T
    zeroth, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    marks = _marks(local, radii, flat)
    for a, b in itertools.pairwise(marks):
        for theta, weight in zip(_THETA, _WEIGHT, strict=True):
            s = 0.5 * (a + b) - 0.5 * (b - a) * np.cos(theta)
            inside = np.abs(local[:, 0] - s) < radii
            if not inside.any():
                continue
            half = np.sqrt(radii[inside] ** 2 - (local[inside, 0] - s) ** 2)
            size, middle, square = _intervals(local[inside, 1], half) if flat else disk_moments(local[inside, 1:], half)
            ds = weight * 0.5 * (b - a) * np.sin(theta)
            at = np.array([s, *np.atleast_1d(middle), 0.0][:3])
            zeroth, first, second = zeroth + size * ds, first + size * ds * at, second + size * ds * np.outer(at, at)
            second[1 : 3 - flat, 1 : 3 - flat] += np.atleast_2d(square) * ds
    if zeroth <= 0.0:
        return 0.0, point.copy(), np.zeros((3, 3))
    centre = first / zeroth
    return zeroth, point + centre @ axes, axes.T @ (second - zeroth * np.outer(centre, centre)) @ axes


def _axes(normal: Floats, flat: bool) -> Floats:
    """Rows: the normal and two unit vectors across it; in the plane the last is along z."""
    helper = np.array([0.0, 0.0, 1.0]) if flat or abs(normal[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(helper, normal)
    across /= np.linalg.norm(across)
    return np.array([normal, across, np.cross(normal, across)])


def _intervals(middle: Floats, half: Floats) -> tuple[float, float, float]:
    """Length, middle and second moment about it of a union of intervals."""
    order = np.argsort(middle - half)
    low, high = (middle - half)[order], np.maximum.accumulate((middle + half)[order])
    start = np.concatenate([[True], low[1:] > high[:-1]])
    low, high = low[start], high[np.concatenate([start[1:], [True]])]
    length = float(np.sum(high - low))
    at = float(np.sum(high**2 - low**2)) / 2.0 / length
    return length, at, float(np.sum((high - at) ** 3 - (low - at) ** 3)) / 3.0


def _marks(local: Floats, radii: Floats, flat: bool) -> Floats:
    """Places along the normal from the cut on where borders begin, end or meet."""
    at = [np.zeros(1), local[:, 0] - radii, local[:, 0] + radii]
    i, j = np.triu_indices(len(radii), 1)
    between = local[j] - local[i]
    d = np.linalg.norm(between, axis=1)
    cross = (d < radii[i] + radii[j]) & (d > np.abs(radii[i] - radii[j]))
    i, j, between, d = i[cross], j[cross], between[cross], d[cross]
    along = (d**2 + radii[i] ** 2 - radii[j] ** 2) / (2.0 * d)
    half = np.sqrt(np.maximum(radii[i] ** 2 - along**2, 0.0))
    u = between / d[:, None]
    middle = local[i, 0] + along * u[:, 0]
    # in the plane two points to the left and right of u; in space the circle has its extremes where it leans most
    lean = half * np.sqrt(np.maximum(1.0 - u[:, 0] ** 2, 0.0))
    at += [middle - lean, middle + lean]
    if not flat and len(radii) <= _TRIPLES:
        at.append(np.array(_corners(local, radii, set(zip(i.tolist(), j.tolist(), strict=True)))))
    marks = np.unique(np.concatenate(at))
    kept = marks[marks >= 0.0]
    apart = np.concatenate([[True], np.diff(kept) > 1e-14 * float(radii.max())])
    distinct: Floats = kept[apart]
    return distinct


def _corners(local: Floats, radii: Floats, crossing: set[tuple[int, int]]) -> list[float]:
    """Places of the points where three spheres meet."""
    corners = []
    for i, j, k in itertools.combinations(range(len(radii)), 3):
        if not {(i, j), (i, k), (j, k)} <= crossing:
            continue
        A, b = local[[j, k]] - local[i], 0.5 * (radii[i] ** 2 - radii[[j, k]] ** 2)
        b = b + 0.5 * np.sum(A * A, axis=1)
        foot = np.linalg.lstsq(A, b, rcond=None)[0]
        normal = np.cross(A[0], A[1])
        rest, size = radii[i] ** 2 - float(foot @ foot), float(np.linalg.norm(normal))
        if rest > 0.0 and size > 0.0:
            lift = np.sqrt(rest) * normal[0] / size
            corners += [local[i, 0] + foot[0] - lift, local[i, 0] + foot[0] + lift]
    return corners
