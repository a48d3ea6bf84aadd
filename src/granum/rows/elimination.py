"""H λ = b with H = J M⁻¹ Jᵀ on the pattern of the graph; with sliding friction H = J M⁻¹ Dᵀ, which is not symmetric."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel, small_kernel
from granum.base.pointers import FloatGrid
from granum.base.vectors import at, put, times
from granum.linear import ldl
from granum.linear.ldl import Factors, Pattern
from granum.linear.method import leaf_to_root
from granum.rows.tables import JOINT, J
from granum.state.rotation import accept
from granum.state.table import IM, INVERSE
from granum.topology import Topology

LARGEST_DENSE = 1000
"""Rows up to which independent ones are chosen among all of them (`independence.choose`): 8 MB."""


class Elimination(NamedTuple):
    """Pattern of H, what its entries are made of, and its factors."""

    pattern: Pattern
    share_entry: Ints
    """Contributions to the entries of H: entry, and two rows with their sides as 2 row + side."""
    share_first: Ints
    share_second: Ints
    values: Floats
    upper_values: Floats
    factors: Factors
    upper: Floats
    """U beside L, with sliding friction."""
    column: Floats
    """Scratch, as `factors.row` is."""
    metric: FloatGrid
    """(2 joints, 3): by what velocities of both bodies are measured where rows are compared (`independence.metric`)."""
    dense: FloatGrid
    """Scratch: all of J W Jᵀ, row by row; empty where there are too many rows."""


class Pairs(NamedTuple):
    """Bodies that joints connect, and the graph of those that are connected now."""

    bodies: Ints
    """(pairs, 2): both bodies of each, the smaller number first."""
    topology: Topology
    """Its links are the pairs, by number; those that nothing connects are removed."""


def pairs_of(n: int, ends: Ints) -> tuple[Pairs, Ints]:
    """The pairs of the ends of joints, n being the ground, and the pair of each joint."""
    pairs, group = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    return Pairs(pairs, Topology(n, pairs[:, 0].copy(), pairs[:, 1].copy())), group.ravel()


def make_elimination(
    n: int, ends: Ints, row_joint: Ints, sliding: bool, metric: Floats, pairs: Pairs | None = None,
) -> Elimination:
    """Pattern of H along the graph, which blocks make its entries, and room for its factors.

    Joints of the same two bodies, and drives, stand together; their groups go from the leaves to the root with cuts
    last, and by minimum degree where loops are many.

    metric: see `Elimination`.
    pairs: the graph, where it follows from an earlier one; otherwise it is built.
    """
    m = len(row_joint)
    row_order = _row_order(n, ends, row_joint, pairs)
    side = np.arange(2 * m)
    body = ends[row_joint].ravel()
    side, body = side[body < n], body[body < n]
    u, v = ldl.meeting_pairs(side, body)
    a, b = side[u], side[v]
    rank = np.empty(m, dtype=np.int64)
    rank[row_order] = np.arange(m)
    later = rank[a >> 1] > rank[b >> 1]
    a, b = np.where(later, a, b), np.where(later, b, a)
    pattern, entry, diagonal = ldl.pattern_of(m, row_order, a >> 1, b >> 1)
    entries = np.concatenate([entry, diagonal[side >> 1]])
    by_entry = np.argsort(entries, kind="stable")
    shares = entries[by_entry], np.concatenate([a, side])[by_entry], np.concatenate([b, side])[by_entry]
    size, fill = (len(pattern.row), len(pattern.factor_row)) if sliding else (0, 0)
    return Elimination(pattern, *shares, np.zeros(len(pattern.row)), np.zeros(size), ldl.new_factors(pattern),
                       np.zeros(fill), np.zeros(m), metric, np.zeros((m, m) if m <= LARGEST_DENSE else (0, 0)))


def _row_order(n: int, ends: Ints, row_joint: Ints, given: Pairs | None) -> Ints:
    """Rows in the order of elimination."""
    listed, group = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    if len(listed) < 2:  # nothing to put in order, and nothing to compile for it
        return np.arange(len(row_joint))
    group = group.ravel()
    if given is not None:  # groups are numbered as its pairs are
        numbers = {pair: k for k, pair in enumerate(map(tuple, given.bodies.tolist()))}
        group = np.array([numbers[pair] for pair in map(tuple, listed.tolist())])[group]
    pairs = pairs_of(n, ends)[0] if given is None else given
    order = leaf_to_root(pairs.topology)
    if order is None:
        held = pairs.topology.links
        item, body = np.repeat(held, 2), pairs.bodies[held].ravel()
        item, body = item[body < n], body[body < n]
        u, v = ldl.meeting_pairs(item, body)
        order = ldl.minimum_degree(len(pairs.bodies), item[u], item[v])
    rank = np.zeros(len(pairs.bodies), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.argsort(rank[group[row_joint]], kind="stable").astype(np.int64)


@small_kernel
def weigh(motion: Floats, ends: Ints, rows: Floats, which: Ints, half: int, source: int) -> None:
    """M⁻¹ of the row blocks that begin at column `source`, into the second set of blocks."""
    for r in range(len(which)):
        j = which[r, JOINT]
        for side in range(2):
            i, o, to = ends[j, side], source + side * half, J + (2 + side) * half
            weight = motion[i, IM]
            if half == 3:
                rows[r, to], rows[r, to + 1] = weight * rows[r, o], weight * rows[r, o + 1]
                rows[r, to + 2] = motion[i, INVERSE + 2] * rows[r, o + 2]
            else:
                put(rows, r, to, times(weight, at(rows, r, o)))
                put(rows, r, to + 3, accept(motion, i, at(rows, r, o + 3)))


@small_kernel
def fill(rows: Floats, half: int, entry: Ints, first: Ints, second: Ints, values: Floats) -> None:
    """Entries of H: row blocks of one row times weighed row blocks of another, at each body they share."""
    for p in range(len(values)):
        values[p] = 0.0
    for s in range(len(entry)):
        r, q, o, u = first[s] >> 1, second[s] >> 1, J + (first[s] & 1) * half, J + (2 + (second[s] & 1)) * half
        total = 0.0
        for k in range(half):
            total += rows[r, o + k] * rows[q, u + k]
        values[entry[s]] += total


@small_kernel
def factor(motion: Floats, ends: Ints, rows: Floats, which: Ints, half: int, e: Elimination) -> int:
    """Factor J M⁻¹ Jᵀ with the rows that `independence.choose` found; returns how many are left out."""
    weigh(motion, ends, rows, which, half, J)
    fill(rows, half, e.share_entry, e.share_first, e.share_second, e.values)
    return ldl.factor(e.pattern, e.values, e.factors, 0.0)


@kernel
def solve(e: Elimination, b: Floats, y: Floats) -> None:
    """J M⁻¹ Jᵀ y = b."""
    ldl.solve(e.pattern, e.factors, b, y)


@kernel
def solve_sliding(
    motion: Floats, ends: Ints, rows: Floats, which: Ints, half: int, e: Elimination, b: Floats, y: Floats,
) -> None:
    """J M⁻¹ Dᵀ y = b, with the rows that take part as they are."""
    weigh(motion, ends, rows, which, half, J + 4 * half)
    fill(rows, half, e.share_entry, e.share_first, e.share_second, e.values)
    fill(rows, half, e.share_entry, e.share_second, e.share_first, e.upper_values)
    ldl.factor_unsymmetric(e.pattern, e.values, e.upper_values, e.factors, e.upper, e.column)
    ldl.solve_unsymmetric(e.pattern, e.factors, e.upper, b, y)
