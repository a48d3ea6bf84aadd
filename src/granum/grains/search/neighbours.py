"""Neighbour search: cells by size, half Verlet lists with a skin, and an order of grains that suits the solver.

Grains are sorted into slabs across the longest horizontal extent, and within a slab bottom to top by cells: the best
locality and the best order for Gauss-Seidel. A slab is at least as wide as two grains can reach, so contacts of slab k
touch grains of k and k + 1 only: even slabs may be worked on at once, then odd ones, with the same bits on any number
of threads.

Grains of different size live in different grids (each level at most twice the size of the one below). A grain looks
for others of its own level and of coarser ones, so a size ratio of 1:20 costs no more than 1:1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats, Ints, kernel
from granum.base.space import NO_PERIOD, displacement
from granum.grains.state import Grains, Int32s
from granum.state.table import R, X, Y, Z

SLAB_GRAINS = 1500
"""Grains per slab that make it worth having; fewer, and all is one slab."""
MOST_SLABS = 64
MOST_LEVELS = 8
SKIN = (0.02, 0.15, 0.8)
"""Least, first and largest skin, in mean radii."""
STEPS = (12, 60)
"""Steps between rebuilds below which the skin grows and above which it shrinks."""


@kernel
def cells_of(x: Floats, levels: Int32s, level: int, low: Floats, size: float, shape: Ints, cell: Int32s) -> None:
    """Cell of each grain of a level (-1 for others); grains outside the grid belong to its border cells.

    That is right for any position: the clipped index of a cell grows with the coordinate by at most as much.
    """
    inverse = 1.0 / size
    for i in range(len(x)):
        if levels[i] != level:
            cell[i] = -1
            continue
        index = 0
        for axis in range(3):
            k = int(min(max((x[i, axis] - low[axis]) * inverse, 0.0), float(shape[axis] - 1)))
            index = index * shape[axis] + k
        cell[i] = index


@kernel
def fill_cells(cell: Int32s, start: Int32s, members: Int32s) -> None:
    """Counting sort of rows by cell: members[start[c]:start[c + 1]] are the rows in cell c, in order."""
    start[:] = 0
    for i in range(len(cell)):
        if cell[i] >= 0:
            start[cell[i] + 1] += 1
    for c in range(len(start) - 1):
        start[c + 1] += start[c]
    # filling from the end leaves start[c + 1] at the beginning of cell c
    for i in range(len(cell) - 1, -1, -1):
        c = cell[i]
        if c >= 0:
            start[c + 1] -= 1
            members[start[c + 1]] = i
    for c in range(len(start) - 1):
        start[c] = start[c + 1]
    start[len(start) - 1] = len(members)


class Grid(NamedTuple):
    """Cells of one level of sizes."""

    level: int
    low: Floats
    """(3,): corner of the first cell [m]."""
    size: float
    """Width of a cell [m]."""
    shape: Ints
    """(3,): cells along the axes."""
    start: Int32s
    """Where the rows of each cell begin in `members`."""
    members: Int32s
    packed: Floats
    """(members, 4): positions and radii in the order of `members`."""


@kernel
def find_pairs(x: Floats, levels: Int32s, own: int, grid: Grid, skin: float, count: int, lower: Int32s,
               upper: Int32s) -> int:
    """Pairs of grains of level `own` with those of a grid (of the same level or a coarser one), after `count` others.

    Returns how many there are then, or -1 where there is no room for more. Every candidate is written, and the next
    one over it if it is no pair: a branch would be foreseen every other time.
    """
    level, low, size, shape, start, members, packed = grid
    inverse = 1.0 / size
    for i in range(len(x)):
        if levels[i] != own:
            continue
        xi, yi, zi, ri = x[i, X], x[i, Y], x[i, Z], x[i, R] + skin
        after = i if level == own else -1
        kx = int(min(max((xi - low[X]) * inverse, 0.0), float(shape[X] - 1)))
        ky = int(min(max((yi - low[Y]) * inverse, 0.0), float(shape[Y] - 1)))
        kz = int(min(max((zi - low[Z]) * inverse, 0.0), float(shape[Z] - 1)))
        for a in range(max(kx - 1, 0), min(kx + 2, shape[X])):
            for b in range(max(ky - 1, 0), min(ky + 2, shape[Y])):
                # cells along the last axis lie side by side in memory
                row = (a * shape[Y] + b) * shape[Z]
                begin, end = start[row + max(kz - 1, 0)], start[row + min(kz + 1, shape[Z] - 1) + 1]
                if count + end - begin > len(lower):
                    return -1
                for m in range(begin, end):
                    j = members[m]
                    dx, dy, dz = displacement(xi, yi, zi, packed[m, X], packed[m, Y], packed[m, Z])
                    reach = ri + packed[m, R]
                    lower[count], upper[count] = min(i, j), max(i, j)
                    count += (j > after) & (dx * dx + dy * dy + dz * dz < reach * reach)
    return count


@kernel
def list_pairs(lower: Int32s, upper: Int32s, first: Ints, other: Int32s) -> None:
    """Counting sort of pairs by their lower rows: other[first[i]:first[i + 1]] are the partners of row i."""
    first[:] = 0
    for k in range(len(lower)):
        first[lower[k] + 1] += 1
    for i in range(len(first) - 1):
        first[i + 1] += first[i]
    # as in fill_cells
    for k in range(len(lower) - 1, -1, -1):
        i = lower[k]
        first[i + 1] -= 1
        other[first[i + 1]] = upper[k]
    for i in range(len(first) - 1):
        first[i] = first[i + 1]
    first[len(first) - 1] = len(lower)


@kernel
def sort_partners(first: Ints, other: Int32s) -> None:
    """Partners of each row in increasing order (insertion sort: the lists are short)."""
    for i in range(len(first) - 1):
        for k in range(first[i] + 1, first[i + 1]):
            j, m = other[k], k
            while m > first[i] and other[m - 1] > j:
                other[m] = other[m - 1]
                m -= 1
            other[m] = j


def solver_order(positions: Floats, radius: float, up: int, dimension: int, reach: float) -> tuple[Ints, Ints]:
    """An order of bodies at positions (n, 3) for the solver, and where its slabs begin.

    Args:
        radius: of the largest one [m].
        up: the axis of gravity, slowest within a slab.
        reach: the largest distance of two centres that are listed as a pair [m].
    """
    axes = [axis for axis in range(dimension) if axis != up]
    extents = [float(np.ptp(positions[:, axis])) for axis in axes]
    across = axes[int(np.argmax(extents))]
    count = max(1, min(MOST_SLABS, len(positions) // SLAB_GRAINS, int(max(extents) / (2.0 * reach))))
    position = positions[:, across]
    borders = _borders(position, count, reach)
    slab = np.searchsorted(borders, position, side="right")
    size = 2.0 * radius
    order = _sorted([slab, *(np.floor(positions[:, axis] / size) for axis in (up, *axes))])
    slabs = np.searchsorted(slab[order], np.arange(len(borders) + 2))
    return order.astype(np.int64), slabs.astype(np.int64)


def _sorted(keys: Sequence[NDArray[Any]]) -> Ints:
    """The order by several whole numbers, the first one counting most."""
    key, span = np.zeros(len(keys[0])), 1.0
    for k in keys:
        width = float(np.ptp(k)) + 1.0
        key, span = key * width + (k - k.min()), span * width
    # rows that hardly moved since the last time are sorted fast, by one key; beyond 2^53 it would not be exact
    return np.argsort(key, kind="stable") if span < 2.0**53 else np.lexsort([*reversed(keys)])


def _borders(position: Floats, count: int, reach: float) -> Floats:
    """Borders of slabs with about equally many grains, none narrower than the reach."""
    borders: list[float] = []
    if count < 2:
        return np.zeros(0)
    last, end = float(position.min()), float(position.max())
    for border in np.quantile(position, np.arange(1, count) / count):
        if border - last >= reach and end - border >= reach:
            borders.append(float(border))
            last = float(border)
    return np.array(borders)


def half_list(grains: Grains, skin: float) -> tuple[Ints, Int32s]:
    """All pairs with a gap below the skin: other[first[i]:first[i + 1]] are the partners of row i, all after i."""
    lower, upper = near_pairs(grains.x, skin)
    if (joined := grains.joined(lower, upper)) is not None:
        lower, upper = lower[~joined], upper[~joined]
    first, other = np.zeros(grains.count + 1, np.int64), np.empty(len(lower), np.int32)
    list_pairs(lower, upper, first, other)
    sort_partners(first, other)
    return first, other


def near_pairs(x: Floats, skin: float) -> tuple[Int32s, Int32s]:
    """Lower and upper rows of all pairs of grains, centre and radius in `x`, with a gap below the skin."""
    n, radii = len(x), x[:, R]
    largest = float(radii.max()) if n else 1.0
    smallest = float(radii.min()) if n else 1.0
    levels = max(1, min(MOST_LEVELS, 1 + math.ceil(math.log2(largest / smallest) - 1e-9))) if largest > smallest else 1
    level = np.zeros(n, np.int32)
    if levels > 1:
        level = np.minimum(np.floor(np.log2(largest / radii) + 1e-12), levels - 1).astype(np.int32)
    grids = [make_grid(x, level, k, largest * 0.5**k, skin) for k in range(levels) if np.any(level == k)]
    room = 8 * n + 1000
    while True:  # again with twice the room where it does not suffice
        lower, upper, count = np.empty(room, np.int32), np.empty(room, np.int32), 0
        for grid in grids:
            for coarse in grids:
                if coarse.level <= grid.level and count >= 0:
                    count = find_pairs(x, level, grid.level, coarse, skin, count, lower, upper)
        if count >= 0:
            return lower[:count], upper[:count]
        room *= 2


def overlapping(x: Floats, period: Floats = NO_PERIOD) -> Ints:
    """(m, 2) rows of all pairs of grains that overlap, each pair once; with periods (3,), also with nearest images."""
    if len(x) < 2:
        return np.zeros((0, 2), np.int64)
    if not np.any(period > 0.0):
        return np.column_stack(near_pairs(np.ascontiguousarray(x), 0.0)).astype(np.int64)
    images, row = x[:, : R + 1].copy(), np.arange(len(x))
    reach = 2.0 * float(x[:, R].max())
    for axis in np.flatnonzero(period > 0.0):
        images[:, axis] %= period[axis]
        # grains near the lower end are there once more beyond the upper one
        low = np.flatnonzero(images[:, axis] < reach)
        more = images[low]
        more[:, axis] += period[axis]
        images, row = np.concatenate([images, more]), np.concatenate([row, row[low]])
    i, j = (row[side] for side in near_pairs(images, 0.0))
    pairs = np.column_stack([np.minimum(i, j), np.maximum(i, j)])
    return np.unique(pairs[i != j], axis=0).astype(np.int64)


def make_grid(x: Floats, levels: Int32s, level: int, radius: float, skin: float) -> Grid:
    """The grid of a level, whose largest grain has the given radius [m]."""
    own = levels == level
    chosen = x[:, :3] if own.all() else x[own, :3]
    size = 2.0 * radius + skin
    # axis by axis: along the rows of a narrow array it takes ten times as long
    low, high = (np.array([bound(chosen[:, axis]) for axis in range(3)]) for bound in (np.min, np.max))
    most = 4 * len(chosen) + 64
    if np.prod((high - low) / size + 1.0) > most:  # some are far away: they go to border cells
        low, high = np.quantile(chosen, [0.01, 0.99], axis=0)
    while np.prod(np.floor((high - low) / size) + 1.0) > most:
        size *= 1.3
    low = np.ascontiguousarray(low)
    shape = (np.floor((high - low) / size) + 1.0).astype(np.int64)
    cell = np.empty(len(x), np.int32)
    cells_of(x, levels, level, low, size, shape, cell)
    start = np.zeros(int(np.prod(shape)) + 1, np.int32)
    members = np.zeros(len(chosen), np.int32)
    fill_cells(cell, start, members)
    return Grid(level, low, size, shape, start, members, x[members])


def next_skin(skin: float, steps: int, wanted: tuple[int, int], mean_radius: float) -> float:
    """The skin for the next list, from the number of steps the last one held; by steps, not by time, so that the same
    scene gives the same bits.
    """
    if steps < wanted[0]:
        skin *= 1.3
    elif steps > wanted[1]:
        skin *= 0.8
    return min(max(skin, SKIN[0] * mean_radius), SKIN[2] * mean_radius)
