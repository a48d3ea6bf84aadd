"""Pieces of disks and balls, which intersections of grains with regions are made of.

Closed forms, and where there is none, integration over slices, whose ends are where slices change their form: with
z = (3 s - s³)/2 in each interval, half-integer powers at its ends become polynomials and Gauss' rule takes them
to 1e-11 of the grain at worst (where a slice almost touches a side), mostly to round-off.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, kernel

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
PLACES = 0.5 * (3.0 * _NODES - _NODES**3)
"""Where slices are taken, between -1 and 1."""
SHARES = 1.5 * (1.0 - _NODES**2) * _WEIGHTS
"""What each of them weighs."""


@kernel
def slab(x: float) -> float:
    """Area of the unit disk left of x, half of it: ∫ √(1 - x²) dx from -1."""
    return 0.5 * (x * math.sqrt(1.0 - x * x) + math.asin(x)) + 0.25 * math.pi


@kernel
def cap(depth: float) -> float:
    """Volume of the unit ball below a plane at height `depth` above its centre."""
    h = min(max(1.0 + depth, 0.0), 2.0)
    return math.pi * h * h * (3.0 - h) / 3.0


@kernel
def sort(values: Floats, count: int) -> None:
    """Insertion sort of a few values."""
    for i in range(1, count):
        value, j = values[i], i - 1
        while j >= 0 and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


@kernel
def add_heights(radius: float, low: float, high: float, heights: Floats, count: int) -> int:
    """Heights within (low, high) at which slices of the unit ball have this radius."""
    if abs(radius) <= 1.0:
        z = math.sqrt(1.0 - radius * radius)
        for place in (z, -z):
            if low < place < high:
                heights[count] = place
                count += 1
    return count


@kernel
def lens(d: float, r: float, R: float) -> float:
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
