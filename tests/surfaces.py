"""Boundaries by another road than the engine's: points of their surfaces by parameters, nearest ones by search."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

from granum.base.kernels import Floats
from granum.grains.geometry.boundaries import Elements
from granum.grains.geometry.elements import OUT
from granum.grains.geometry.surfaces import touch

Patch = Callable[[Floats, Floats], Floats]
"""Points (n, 3) of a piece of surface from parameters in [0, 1]²; those beyond count as 0 or 1, or go on around."""


def contact(elements: Elements, e: int, point: Floats) -> tuple[float, Floats, Floats]:
    """Distance, normal and velocity of the surface of one element."""
    out = np.full(OUT, np.nan)
    x, y, z = (*map(float, point), 0.0)[:3]
    d = touch(elements.now[e], x, y, z, out)
    return d, out[:3].copy(), out[3:6].copy()


def nearest(elements: Elements, point: Floats) -> tuple[float, Floats]:
    """Smallest distance of a point from all elements, and its normal."""
    found = [contact(elements, e, point) for e in range(elements.count)]
    d, n, _ = min(found, key=lambda item: item[0])
    return d, n


def distance_to(patch: Patch, point: Floats) -> float:
    """Distance of a point from a patch: the best of a grid, then of ever finer grids around the best, then downhill.

    Grids alone may end in a narrow valley, as that of a slender triangle, before they have gone along it.
    """
    centre, half = np.array([0.5, 0.5]), 0.5
    best = math.inf
    for level in range(90):
        steps = np.linspace(-half, half, 61 if level == 0 else 9)
        u, v = np.meshgrid(centre[0] + steps, centre[1] + steps)
        u, v = u.ravel(), v.ravel()
        distances = np.linalg.norm(patch(u, v) - point, axis=1)
        k = int(np.argmin(distances))
        best, centre = min(best, float(distances[k])), np.array([u[k], v[k]])
        half = half / 10.0 if level == 0 else half * 0.8
    found = least_squares(lambda x: patch(x[:1], x[1:])[0] - point, np.clip(centre, 1e-12, 1.0 - 1e-12),
                          bounds=(0.0, 1.0), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return min(best, float(np.linalg.norm(found.fun)))


def within(u: Floats) -> Floats:
    """A parameter that has borders."""
    return np.clip(u, 0.0, 1.0)


def triangle(a: Floats, b: Floats, c: Floats) -> Patch:
    """All points of a triangle."""
    return lambda u, v: a + within(u)[:, None] * ((b - a) + within(v)[:, None] * (c - b))


def line(a: Floats, b: Floats) -> Patch:
    """All points between a and b."""
    return lambda u, v: a + within(u)[:, None] * (b - a)


def frame(axis: Floats) -> tuple[Floats, Floats, Floats]:
    """Three unit vectors at right angles, the last along the axis, from the QR decomposition."""
    axis = axis / np.linalg.norm(axis)
    q = np.linalg.qr(np.column_stack([axis, np.eye(3)]))[0]
    return q[:, 1], q[:, 2], axis


def revolved(base: Floats, axis: Floats, begin: tuple[float, float], end: tuple[float, float]) -> Patch:
    """The profile from (ρ, h) = begin to end, turned about an axis."""
    e_1, e_2, e_3 = frame(axis)

    def points(u: Floats, v: Floats) -> Floats:
        rho, h = (begin[i] + within(v) * (end[i] - begin[i]) for i in range(2))
        angle = 2.0 * np.pi * u
        return (base + (rho * np.cos(angle))[:, None] * e_1 + (rho * np.sin(angle))[:, None] * e_2
                + h[:, None] * e_3)

    return points
