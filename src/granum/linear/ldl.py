"""Trees, rings and nets: H = L D Lᵀ on a fixed sparse pattern, one row at a time.

In the order from the leaves to the root a tree of links makes no fill beyond the links that meet at a body;
a loop adds one row. For nets the order is minimum degree. The pattern of L is found once per topology
(elimination tree), the numbers each time the directions change.

Constraints with sliding friction give H the same pattern but no symmetry: H = L D U, with U kept beside L entry by
entry (`factor_unsymmetric`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from granum.base.kernels import Floats, Ints, kernel
from granum.linear.graph import LinkGraph


class Pattern(NamedTuple):
    """Where the entries of H (upper triangle by columns, in elimination order) and of L are."""

    order: Ints
    """Row (link, or row of a joint) at each position of the elimination order."""
    start: Ints
    """First entry of each column of H; the last one of a column is its diagonal."""
    row: Ints
    """Position of the row of each entry of H."""
    parent: Ints
    """Elimination tree."""
    factor_start: Ints
    factor_row: Ints


class Shares(NamedTuple):
    """Contributions of bodies to the entries of H, for links."""

    entry: Ints
    body: Ints
    first: Ints
    second: Ints
    sign: Floats


class Factors(NamedTuple):
    """What a factorization writes."""

    lower: Floats
    """Entries of L."""
    pivot: Floats
    """D⁻¹ at each position of the order; zero for a row that does not take part."""
    kept: Ints
    """Does the row at each position take part, or does it restrain nothing new?"""
    filled: Ints
    """Entries of each column of L so far."""
    row: Floats
    """Scratch: the row in hand."""
    flag: Ints
    path: Ints
    right: Floats
    """Scratch: a right-hand side in the order of elimination."""


_NONE = np.zeros(0, dtype=np.int64)
EMPTY = Pattern(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE)
NO_SHARES = Shares(_NONE, _NONE, _NONE, _NONE, np.zeros(0))


def new_factors(pattern: Pattern) -> Factors:
    """Arrays for the factors of a pattern."""
    count = len(pattern.order)
    kept, filled, flag, path = np.zeros((4, count), dtype=np.int64)
    pivot, row, right = np.zeros((3, count))
    return Factors(np.zeros(len(pattern.factor_row)), pivot, kept, filled, row, flag, path, right)


def minimum_degree(count: int, first: Ints, second: Ints) -> Ints:
    """A fill-reducing order of rows that are coupled in pairs, from SuperLU's minimum degree on the pattern of H."""
    ones = np.ones(len(first))
    pattern = scipy.sparse.coo_array((ones, (first, second)), shape=(count, count)).tocsc()
    # any diagonally dominant matrix of the pattern will do: only the order is wanted
    matrix = pattern + pattern.T + scipy.sparse.diags_array(np.full(count, 2.0 * count))
    factored = scipy.sparse.linalg.splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    return np.argsort(factored.perm_c).astype(np.int64)


def meeting_pairs(item: Ints, body: Ints) -> tuple[Ints, Ints]:
    """All pairs of indices into two parallel lists (what, at which body) that name the same body."""
    by_body = np.argsort(body, kind="stable")
    sorted_body = body[by_body]
    begin = np.flatnonzero(np.r_[True, sorted_body[1:] != sorted_body[:-1]]) if len(item) else _NONE
    after = np.append(begin[1:], len(item))
    first: list[Ints] = [_NONE]
    second: list[Ints] = [_NONE]
    for degree in np.unique(after - begin):
        if degree < 2:
            continue
        groups = begin[after - begin == degree][:, None]
        a, b = np.triu_indices(degree, 1)
        first.append((groups + a).ravel())
        second.append((groups + b).ravel())
    return by_body[np.concatenate(first)], by_body[np.concatenate(second)]


def pairs_of_links(graph: LinkGraph) -> tuple[Ints, Ints, Ints, Floats]:
    """All pairs of links that meet at a mass, the mass, and the sign of the pair: E_iu E_iv."""
    tail, head, weight = graph.tail, graph.head, graph.weight
    link = np.concatenate([np.arange(len(tail)), np.arange(len(tail))])
    body = np.concatenate([tail, head])
    sign = np.concatenate([np.ones(len(tail)), -np.ones(len(tail))])
    movable = weight[body] > 0.0
    link, body, sign = link[movable], body[movable], sign[movable]
    u, v = meeting_pairs(link, body)
    return link[u], link[v], body[u], sign[u] * sign[v]


def symbolic(graph: LinkGraph, order: Ints, largest_fill: int) -> tuple[Pattern, Shares]:
    """The pattern of H and L of links in the given order; EMPTY where L would fill more than `largest_fill` times H."""
    links = len(graph.tail)
    first, second, body, sign = pairs_of_links(graph)
    pattern, entry, diagonal = pattern_of(links, order, first, second)
    if pattern.factor_start[-1] > largest_fill * (len(pattern.row) + links):
        return EMPTY, NO_SHARES
    ends = np.concatenate([graph.tail, graph.head])
    both = np.concatenate([np.arange(links), np.arange(links)])
    return pattern, Shares(
        np.concatenate([entry, diagonal[both]]), np.concatenate([body, ends]), np.concatenate([first, both]),
        np.concatenate([second, both]), np.concatenate([sign, np.ones(2 * links)]))


def pattern_of(count: int, order: Ints, first: Ints, second: Ints) -> tuple[Pattern, Ints, Ints]:
    """The pattern of `count` rows in the given order, of which pairs are coupled; the entry of H that each pair and
    each diagonal has.
    """
    position_of = np.empty(count, dtype=np.int64)
    position_of[order] = np.arange(count)
    low, high = np.minimum(position_of[first], position_of[second]), np.maximum(position_of[first], position_of[second])
    key, entry = np.unique(high * count + low, return_inverse=True)
    row, column = key % max(1, count), key // max(1, count)
    start = np.zeros(count + 1, dtype=np.int64)
    np.add.at(start, column + 1, 1)
    start = np.cumsum(start + np.r_[0, np.ones(count, dtype=np.int64)])
    slot = np.arange(len(key)) + column
    rows = np.empty(len(key) + count, dtype=np.int64)
    rows[slot] = row
    diagonal = start[1:] - 1
    rows[diagonal] = np.arange(count)
    parent, counts = np.full(count, -1), np.zeros(count, dtype=np.int64)
    if count > 0:  # without rows nothing is compiled
        _elimination_tree(start, rows, parent, counts)
    factor_start = np.concatenate([[0], np.cumsum(counts)])
    pattern = Pattern(order, start, rows, parent, factor_start, np.zeros(factor_start[-1], dtype=np.int64))
    return pattern, slot[entry], diagonal[position_of]


@kernel
def _elimination_tree(start: Ints, row: Ints, parent: Ints, counts: Ints) -> None:
    """Parent of each column of L and the number of its entries below the diagonal."""
    flag = np.full(len(parent), -1)
    for k in range(len(parent)):
        flag[k] = k
        for p in range(start[k], start[k + 1]):
            i = row[p]
            while flag[i] != k:
                if parent[i] < 0:
                    parent[i] = k
                counts[i] += 1
                flag[i] = k
                i = parent[i]


@kernel
def fill(shares: Shares, weight: Floats, n: Floats, values: Floats) -> None:
    """Entries of H for the link directions n."""
    for p in range(len(values)):
        values[p] = 0.0
    for s in range(len(shares.entry)):
        u, v = shares.first[s], shares.second[s]
        cosine = 0.0
        for k in range(n.shape[0]):
            cosine += n[k, u] * n[k, v]
        values[shares.entry[s]] += shares.sign[s] * weight[shares.body[s]] * cosine


@kernel
def _climb(pattern: Pattern, f: Factors, i: int, k: int, top: int) -> int:
    """Put the path from i up the elimination tree before what `path` holds from `top` on; row k of L has its entries
    there. Returns the new top.
    """
    depth = 0
    while f.flag[i] != k:
        f.path[depth] = i
        depth += 1
        f.flag[i] = k
        i = pattern.parent[i]
    while depth > 0:
        depth -= 1
        top -= 1
        f.path[top] = f.path[depth]
    return top


@kernel
def factor(pattern: Pattern, values: Floats, f: Factors, threshold: float) -> int:
    """Numbers of L and of D⁻¹, row by row; returns the number of vanishing pivots.

    With a threshold, rows whose pivot is below that part of their diagonal do not take part; without one (0) those
    that do are taken as given.
    """
    count = len(f.pivot)
    dropped = 0
    for k in range(count):
        top = count
        f.flag[k] = k
        f.filled[k] = 0
        f.row[k] = 0.0
        for p in range(pattern.start[k], pattern.start[k + 1]):
            i = pattern.row[p]
            f.row[i] += values[p]
            top = _climb(pattern, f, i, k, top)
        diagonal = f.row[k]
        value = diagonal
        f.row[k] = 0.0
        for q in range(top, count):
            i = f.path[q]
            y = f.row[i]
            f.row[i] = 0.0
            begin = pattern.factor_start[i]
            for p in range(begin, begin + f.filled[i]):
                f.row[pattern.factor_row[p]] -= f.lower[p] * y
            entry = y * f.pivot[i]
            value -= entry * y
            pattern.factor_row[begin + f.filled[i]] = k
            f.lower[begin + f.filled[i]] = entry
            f.filled[i] += 1
        if threshold > 0.0:
            f.kept[k] = value > threshold * diagonal
        f.pivot[k] = 1.0 / value if f.kept[k] else 0.0
        dropped += f.pivot[k] == 0.0
    return dropped


@kernel
def factor_unsymmetric(
    pattern: Pattern, values: Floats, mirrored: Floats, f: Factors, upper: Floats, column: Floats,
) -> None:
    """Numbers of L, U and D⁻¹ with the rows that take part as given.

    `values` has H_ki of the later row k, `mirrored` H_ik; `upper` gets U, and `column` is scratch as `row` is.
    """
    count = len(f.pivot)
    for k in range(count):
        top = count
        f.flag[k] = k
        f.filled[k] = 0
        f.row[k] = 0.0
        for p in range(pattern.start[k], pattern.start[k + 1]):
            i = pattern.row[p]
            f.row[i] += values[p]
            column[i] += mirrored[p]
            top = _climb(pattern, f, i, k, top)
        value = f.row[k]
        f.row[k], column[k] = 0.0, 0.0
        for q in range(top, count):
            i = f.path[q]
            y, z = f.row[i], column[i]
            f.row[i], column[i] = 0.0, 0.0
            begin = pattern.factor_start[i]
            for p in range(begin, begin + f.filled[i]):
                f.row[pattern.factor_row[p]] -= upper[p] * y
                column[pattern.factor_row[p]] -= f.lower[p] * z
            value -= y * f.pivot[i] * z
            pattern.factor_row[begin + f.filled[i]] = k
            f.lower[begin + f.filled[i]], upper[begin + f.filled[i]] = y * f.pivot[i], z * f.pivot[i]
            f.filled[i] += 1
        f.pivot[k] = 1.0 / value if f.kept[k] else 0.0


@kernel
def solve(pattern: Pattern, f: Factors, b: Floats, y: Floats) -> None:
    """L D Lᵀ y = b."""
    solve_unsymmetric(pattern, f, f.lower, b, y)


@kernel
def solve_unsymmetric(pattern: Pattern, f: Factors, upper: Floats, b: Floats, y: Floats) -> None:
    """L D U y = b, with U stored as L is, by its transpose."""
    count = len(f.pivot)
    right = f.right
    for k in range(count):
        right[k] = b[pattern.order[k]]
    for k in range(count):
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            right[pattern.factor_row[p]] -= f.lower[p] * right[k]
    for k in range(count - 1, -1, -1):
        value = right[k] * f.pivot[k]
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            value -= upper[p] * right[pattern.factor_row[p]]
        # a dropped row carries nothing, whatever the rows below it say
        right[k] = value if f.pivot[k] != 0.0 else 0.0
    for k in range(count):
        y[pattern.order[k]] = right[k]
