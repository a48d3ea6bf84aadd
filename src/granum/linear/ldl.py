"""Trees, rings and nets: H = L D Lᵀ on a fixed sparse pattern, one row at a time.

In the order from the leaves to the root a tree of links makes no fill beyond the links that meet at a body;
a loop adds one row. For nets the order is minimum degree. The pattern of L is found once per topology
(elimination tree), the numbers each time the directions change.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from granum.base.kernels import Floats, Ints, kernel
from granum.linear.chain import inverse_pivot
from granum.system import System


class Pattern(NamedTuple):
    """Where the entries of H (upper triangle by columns, in elimination order) and of L are."""

    order: Ints
    """Link at each place of the elimination order."""
    start: Ints
    """First entry of each column of H."""
    row: Ints
    """Place of the row of each entry of H."""
    share_entry: Ints
    """Each share is the contribution of one body to one entry of H:"""
    share_body: Ints
    share_first: Ints
    share_second: Ints
    share_sign: Floats
    parent: Ints
    """Elimination tree."""
    factor_start: Ints
    factor_row: Ints


_NONE = np.zeros(0, dtype=np.int64)
EMPTY = Pattern(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, np.zeros(0), _NONE, _NONE, _NONE)


def minimum_degree(system: System) -> Ints:
    """A fill-reducing order of the links, from SuperLU's minimum degree on the pattern of H."""
    first, second, _, _ = _shares(system)
    links = system.link_count
    ones = np.ones(len(first))
    pattern = sparse.coo_array((ones, (first, second)), shape=(links, links)).tocsc()
    # any diagonally dominant matrix of the pattern will do: only the order is wanted
    matrix = pattern + pattern.T + sparse.diags_array(np.full(links, 2.0 * links))
    factored = splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    return np.argsort(factored.perm_c).astype(np.int64)


def _shares(system: System) -> tuple[Ints, Ints, Ints, Floats]:
    """All pairs of links that meet at a mass, the mass, and the sign of the pair: E_iu E_iv."""
    tail, head, weight = system.links.tail, system.links.head, system.bodies.weight
    link = np.concatenate([np.arange(len(tail)), np.arange(len(tail))])
    body = np.concatenate([tail, head])
    sign = np.concatenate([np.ones(len(tail)), -np.ones(len(tail))])
    movable = weight[body] > 0.0
    link, body, sign = link[movable], body[movable], sign[movable]
    by_body = np.argsort(body, kind="stable")
    link, body, sign = link[by_body], body[by_body], sign[by_body]
    begin = np.flatnonzero(np.r_[True, body[1:] != body[:-1]]) if len(body) else _NONE
    after = np.append(begin[1:], len(body))
    first: list[Ints] = []
    second: list[Ints] = []
    for degree in np.unique(after - begin):
        if degree < 2:
            continue
        groups = begin[after - begin == degree][:, None]
        a, b = np.triu_indices(degree, 1)
        first.append((groups + a).ravel())
        second.append((groups + b).ravel())
    if not first:
        return _NONE, _NONE, _NONE, np.zeros(0)
    u, v = np.concatenate(first), np.concatenate(second)
    return link[u], link[v], body[u], sign[u] * sign[v]


def symbolic(system: System, order: Ints, largest_fill: int) -> Pattern:
    """The pattern of H and L in the given order; EMPTY where L would fill more than `largest_fill` times H."""
    links = system.link_count
    place = np.empty(links, dtype=np.int64)
    place[order] = np.arange(links)
    first, second, body, sign = _shares(system)
    low, high = np.minimum(place[first], place[second]), np.maximum(place[first], place[second])
    key, entry = np.unique(high * links + low, return_inverse=True)
    row, column = key % links, key // links
    # every column ends with its diagonal, whose shares are the two ends of the link
    start = np.zeros(links + 1, dtype=np.int64)
    np.add.at(start, column + 1, 1)
    start = np.cumsum(start + np.r_[0, np.ones(links, dtype=np.int64)])
    slot = np.arange(len(key)) + column
    rows = np.empty(len(key) + links, dtype=np.int64)
    rows[slot] = row
    diagonal = start[1:] - 1
    rows[diagonal] = np.arange(links)
    ends = np.concatenate([system.links.tail, system.links.head])
    both = np.concatenate([np.arange(links), np.arange(links)])
    parent, counts = np.full(links, -1), np.zeros(links, dtype=np.int64)
    _elimination_tree(start, rows, parent, counts)
    factor_start = np.concatenate([[0], np.cumsum(counts)])
    if factor_start[-1] > largest_fill * (len(rows) + links):
        return EMPTY
    return Pattern(
        order=order, start=start, row=rows,
        share_entry=np.concatenate([slot[entry], diagonal[place[both]]]),
        share_body=np.concatenate([body, ends]),
        share_first=np.concatenate([first, both]), share_second=np.concatenate([second, both]),
        share_sign=np.concatenate([sign, np.ones(2 * links)]),
        parent=parent, factor_start=factor_start, factor_row=np.zeros(factor_start[-1], dtype=np.int64),
    )


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
def fill(pattern: Pattern, weight: Floats, n: Floats, values: Floats) -> None:
    """Entries of H for the link directions n."""
    for p in range(len(values)):
        values[p] = 0.0
    for s in range(len(pattern.share_entry)):
        u, v = pattern.share_first[s], pattern.share_second[s]
        cosine = 0.0
        for k in range(n.shape[0]):
            cosine += n[k, u] * n[k, v]
        values[pattern.share_entry[s]] += pattern.share_sign[s] * weight[pattern.share_body[s]] * cosine


@kernel
def factor(
    pattern: Pattern, values: Floats, lower: Floats, pivot: Floats, row: Floats, filled: Ints, flag: Ints,
    path: Ints,
) -> int:
    """Numbers of L and of D⁻¹ (into pivot), row by row; returns the number of vanishing pivots."""
    count = len(pivot)
    dropped = 0
    for k in range(count):
        top = count
        flag[k] = k
        filled[k] = 0
        row[k] = 0.0
        for p in range(pattern.start[k], pattern.start[k + 1]):
            i = pattern.row[p]
            row[i] += values[p]
            depth = 0
            while flag[i] != k:  # the entries of row k of L are the paths up the elimination tree
                path[depth] = i
                depth += 1
                flag[i] = k
                i = pattern.parent[i]
            while depth > 0:
                depth -= 1
                top -= 1
                path[top] = path[depth]
        diagonal = row[k]
        value = diagonal
        row[k] = 0.0
        for q in range(top, count):
            i = path[q]
            y = row[i]
            row[i] = 0.0
            begin = pattern.factor_start[i]
            for p in range(begin, begin + filled[i]):
                row[pattern.factor_row[p]] -= lower[p] * y
            entry = y * pivot[i]
            value -= entry * y
            pattern.factor_row[begin + filled[i]] = k
            lower[begin + filled[i]] = entry
            filled[i] += 1
        pivot[k] = inverse_pivot(diagonal, value)
        dropped += pivot[k] == 0.0
    return dropped


@kernel
def solve(pattern: Pattern, lower: Floats, pivot: Floats, b: Floats, right: Floats, y: Floats) -> None:
    """L D Lᵀ y = b."""
    count = len(pivot)
    for k in range(count):
        right[k] = b[pattern.order[k]]
    for k in range(count):
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            right[pattern.factor_row[p]] -= lower[p] * right[k]
    for k in range(count - 1, -1, -1):
        value = right[k] * pivot[k]
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            value -= lower[p] * right[pattern.factor_row[p]]
        # a dropped link carries nothing, whatever the rows below it say
        right[k] = value if pivot[k] > 0.0 else 0.0
    for k in range(count):
        y[pattern.order[k]] = right[k]
