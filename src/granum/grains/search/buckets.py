"""Grains of any sizes in hashed cells: who overlaps whom, in time linear in their number.

Grains are sorted by size into levels, each twice as coarse as the one before, so that a mixture of sizes does not
collapse into crowded cells; cells are found by hashing, so that empty space costs nothing. Rows of `x` are centre and
radius as in `state.Grains`. A period of zero means that there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.grains.state import FIRST, SECOND, R, X, Y, Z

LEVELS = 64
NO_PERIOD = np.zeros(3)


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
    period: Floats


def make_buckets(capacity: int, smallest: float, period: Floats = NO_PERIOD) -> Buckets:
    """Empty buckets for `capacity` grains of radius `smallest` and above."""
    size = 1 << max(4, int(2 * capacity).bit_length())
    return Buckets(np.zeros((capacity, 4)), np.full(size, -1, dtype=np.int64), np.full(capacity, -1, dtype=np.int64),
                   np.zeros(LEVELS, dtype=np.int64), smallest, period)


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
def cell_count(largest: float, period: float) -> int:
    """Number of cells along a period, each at least a diameter wide; 0 without a period."""
    return max(1, int(np.floor(period / (2.0 * largest)))) if period > 0.0 else 0


@kernel
def cell_of(u: float, largest: float, period: float) -> int:
    """Cell of a coordinate at the level whose largest radius is given."""
    n = cell_count(largest, period)
    if n == 0:
        return int(np.floor(u / (2.0 * largest)))
    return int(np.floor(u / period * n)) % n


@kernel
def bucket_of(level: int, a: int, b: int, c: int, mask: int) -> int:
    """Where a cell is kept."""
    key = a * 73856093 ^ b * 19349663 ^ c * 83492791 ^ level * 49979687
    return (key ^ (key >> 17)) & mask


@kernel
def put(row: int, buckets: Buckets) -> None:
    """Put a row of x into its bucket."""
    x, head, period, smallest = buckets.x, buckets.head, buckets.period, buckets.smallest
    level = level_of(x[row, R], smallest)
    largest = smallest * 2.0**level
    bucket = bucket_of(level, cell_of(x[row, X], largest, period[X]), cell_of(x[row, Y], largest, period[Y]),
                       cell_of(x[row, Z], largest, period[Z]), len(head) - 1)
    buckets.following[row] = head[bucket]
    head[bucket] = row
    buckets.filled[level] += 1


@kernel
def apart(d: float, period: float) -> float:
    """A difference of coordinates, to the nearest image."""
    return d - period * np.floor(d / period + 0.5) if period > 0.0 else d


@kernel
def put_all(given: Floats, buckets: Buckets) -> None:
    """Put all given grains into empty buckets."""
    for row in range(len(given)):
        for k in range(4):
            buckets.x[row, k] = given[row, k]
        put(row, buckets)


@kernel
def hit(n: int, u: Floats, r: float, dimension: int, buckets: Buckets) -> int:
    """A row, of the first n, that a grain at u with radius r would overlap, or -1 (without periods)."""
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
                s = r + x[row, R]
                if (x[row, X] - u[X]) ** 2 + (x[row, Y] - u[Y]) ** 2 + (x[row, Z] - u[Z]) ** 2 < s * s:
                    return row
            return -1
        for a in range(a0, a1 + 1):
            for b in range(b0, b1 + 1):
                for c in range(c0, c1 + 1):
                    row = head[bucket_of(level, a, b, c, mask)]
                    while row >= 0:
                        s = r + x[row, R]
                        if (x[row, X] - u[X]) ** 2 + (x[row, Y] - u[Y]) ** 2 + (x[row, Z] - u[Z]) ** 2 < s * s:
                            return row
                        row = following[row]
    return -1


@kernel
def _span(u: float, reach: float, largest: float, period: float) -> tuple[int, int]:
    """First cell and number of cells within reach of a coordinate, none of them twice."""
    n = cell_count(largest, period)
    width = 2.0 * largest if n == 0 else period / n
    first, last = int(np.floor((u - reach) / width)), int(np.floor((u + reach) / width))
    return first, last - first + 1 if n == 0 else min(last - first + 1, n)


@kernel
def list_pairs(dimension: int, pairs: Ints, buckets: Buckets) -> int:
    """Write all overlapping pairs of rows as far as there is room in `pairs`, and return their number."""
    x, head, following, filled, smallest, period = buckets
    mask = len(head) - 1
    count = 0
    for i in range(len(x)):
        own = level_of(x[i, R], smallest)
        for level in range(own, LEVELS):
            if filled[level] == 0:
                continue
            largest = smallest * 2.0**level
            reach = x[i, R] + largest
            a0, na = _span(x[i, X], reach, largest, period[X])
            b0, nb = _span(x[i, Y], reach, largest, period[Y])
            c0, nc = _span(x[i, Z], reach, largest, period[Z]) if dimension == 3 else (0, 1)
            ma, mb, mc = (cell_count(largest, period[X]), cell_count(largest, period[Y]),
                          cell_count(largest, period[Z]))
            for a in range(a0, a0 + na):
                a = a % ma if ma > 0 else a
                for b in range(b0, b0 + nb):
                    b = b % mb if mb > 0 else b
                    for c in range(c0, c0 + nc):
                        c = c % mc if mc > 0 else c
                        j = head[bucket_of(level, a, b, c, mask)]
                        while j >= 0:
                            s = x[i, R] + x[j, R]
                            dx = apart(x[j, X] - x[i, X], period[X])
                            dy = apart(x[j, Y] - x[i, Y], period[Y])
                            dz = apart(x[j, Z] - x[i, Z], period[Z])
                            # cells that share a bucket must not bring a pair twice
                            if (dx * dx + dy * dy + dz * dz < s * s and (level > own or j < i)
                                    and level_of(x[j, R], smallest) == level
                                    and cell_of(x[j, X], largest, period[X]) == a
                                    and cell_of(x[j, Y], largest, period[Y]) == b
                                    and cell_of(x[j, Z], largest, period[Z]) == c):
                                if count < len(pairs):
                                    pairs[count, FIRST], pairs[count, SECOND] = i, j
                                count += 1
                            j = following[j]
    return count


def overlapping(x: Floats, dimension: int, period: Floats = NO_PERIOD) -> Ints:
    """(m, 2) rows of all pairs of grains that overlap, each pair once."""
    if len(x) < 2:
        return np.zeros((0, 2), dtype=np.int64)
    buckets = make_buckets(len(x), float(x[:, R].min()), period)
    put_all(np.ascontiguousarray(x), buckets)
    pairs = np.empty((8 * len(x), 2), dtype=np.int64)
    count = list_pairs(dimension, pairs, buckets)
    if count > len(pairs):
        pairs = np.empty((count, 2), dtype=np.int64)
        list_pairs(dimension, pairs, buckets)
    return pairs[:count]
