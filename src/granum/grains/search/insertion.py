"""Insertion of grains one by one: does a new grain overlap one of those that are there already?

Pairs among all grains are found by `neighbours`, once all positions are known. Here positions are drawn one after the
other, and each is tested before it is taken: grains are put into hashed cells, so that empty space costs nothing and
one more grain costs as much as the last one. They are sorted by size into levels, each twice as coarse as the one
before, so that a mixture of sizes does not collapse into crowded cells. Rows of `x` are centre and radius as in
`state.Grains`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, inlined, kernel
from granum.base.space import displacement
from granum.state.table import R, X, Y, Z

LEVELS = 64


class Buckets(NamedTuple):
    """The arrays behind the cells; rows 0, 1, ... of x are put in one after the other."""

    x: Floats
    head: Ints
    """First row of each bucket, -1 for none."""
    following: Ints
    """Next row of the same bucket."""
    filled: Ints
    """Number of rows at each level."""
    smallest: float
    """Largest radius of level 0 [m]."""


def make_buckets(capacity: int, smallest: float) -> Buckets:
    """Empty buckets for `capacity` grains of radius `smallest` and above."""
    size = 1 << max(4, int(2 * capacity).bit_length())
    return Buckets(np.zeros((capacity, 4)), np.full(size, -1, dtype=np.int64), np.full(capacity, -1, dtype=np.int64),
                   np.zeros(LEVELS, dtype=np.int64), smallest)


@kernel
def level_of(r: float, smallest: float) -> int:
    """Level of a radius: smallest · 2^(level - 1) < r ≤ smallest · 2^level."""
    level = 0
    largest = smallest
    while r > largest and level < LEVELS - 1:
        largest *= 2.0
        level += 1
    return level


@kernel
def cell_of(u: float, largest: float) -> int:
    """Cell of a coordinate at the level whose largest radius is given."""
    return int(np.floor(u / (2.0 * largest)))


@kernel
def bucket_of(level: int, a: int, b: int, c: int, mask: int) -> int:
    """Where a cell is kept."""
    key = a * 73856093 ^ b * 19349663 ^ c * 83492791 ^ level * 49979687
    return (key ^ (key >> 17)) & mask


@kernel
def put(row: int, buckets: Buckets) -> None:
    """Put a row of x into its bucket."""
    x, head, smallest = buckets.x, buckets.head, buckets.smallest
    level = level_of(x[row, R], smallest)
    largest = smallest * 2.0**level
    bucket = bucket_of(level, cell_of(x[row, X], largest), cell_of(x[row, Y], largest), cell_of(x[row, Z], largest),
                       len(head) - 1)
    buckets.following[row] = head[bucket]
    head[bucket] = row
    buckets.filled[level] += 1


@kernel
def put_all(given: Floats, buckets: Buckets) -> None:
    """Put all given grains into empty buckets."""
    for row in range(len(given)):
        for k in range(4):
            buckets.x[row, k] = given[row, k]
        put(row, buckets)


@inlined
def overlap(x: Floats, row: int, u: Floats, r: float) -> bool:
    """Does a grain overlap one at u with radius r?"""
    dx, dy, dz = displacement(u[X], u[Y], u[Z], x[row, X], x[row, Y], x[row, Z])
    s = r + x[row, R]
    return dx**2 + dy**2 + dz**2 < s * s


@kernel
def hit(n: int, u: Floats, r: float, dimension: int, buckets: Buckets) -> int:
    """A row, of the first n, that a grain at u with radius r would overlap, or -1."""
    x, head, following, smallest = buckets.x, buckets.head, buckets.following, buckets.smallest
    mask = len(head) - 1
    for level in range(LEVELS):
        if buckets.filled[level] == 0:
            continue
        largest = smallest * 2.0**level
        width = 2.0 * largest
        reach = r + largest
        a0, a1 = int(np.floor((u[X] - reach) / width)), int(np.floor((u[X] + reach) / width))
        b0, b1 = int(np.floor((u[Y] - reach) / width)), int(np.floor((u[Y] + reach) / width))
        c0, c1 = int(np.floor((u[Z] - reach) / width)), int(np.floor((u[Z] + reach) / width))
        if dimension == 2:
            c0, c1 = 0, 0
        if float(a1 - a0 + 1) * float(b1 - b0 + 1) * float(c1 - c0 + 1) > float(n):
            # a giant among dwarfs: a test of every grain is less work than one of every cell
            for row in range(n):
                if overlap(x, row, u, r):
                    return row
            return -1
        for a in range(a0, a1 + 1):
            for b in range(b0, b1 + 1):
                for c in range(c0, c1 + 1):
                    row = head[bucket_of(level, a, b, c, mask)]
                    while row >= 0:
                        if overlap(x, row, u, r):
                            return row
                        row = following[row]
    return -1
