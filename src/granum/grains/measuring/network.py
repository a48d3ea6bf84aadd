"""The network of contacts: coordination, rattlers, clusters, percolation, force chains.

A contact is a row of `pair` (C, 2): the grains i and j, or a grain i and j = -1 - e for the element e of the boundary.
`normal` (C, 3) points from i to j, at the boundary from it to the grain; `force` (C, 3) acts on j, at the boundary on
the grain i. Contacts that carry nothing are for the caller to leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints, kernel
from granum.grains.state import FIRST, SECOND, Int32s


class Coordination(NamedTuple):
    """How many contacts grains have; those of rattlers are left out of everything that says `backbone`."""

    mean: float
    """Contacts of a grain, with other grains and with the boundary, rattlers included."""
    backbone: float
    """The same of grains that are no rattlers, among themselves and with the boundary; 0 if there are none."""
    isostatic: float
    """2 (contacts of the backbone)/(its grains): 2 d where frictionless grains are just fixed (in a periodic box it is
    `backbone`; a contact with the boundary counts twice here, because it too fixes one velocity)."""
    rattlers: Flags
    """(N,): is it a rattler?"""
    pairs: int
    """Contacts between grains."""
    walls: int
    """Contacts with the boundary."""


@kernel
def _contact_counts(pair: Int32s, degree: Ints) -> None:
    """Contacts of each grain."""
    degree[:] = 0
    for c in range(len(pair)):
        degree[pair[c, FIRST]] += 1
        if pair[c, SECOND] >= 0:
            degree[pair[c, SECOND]] += 1


@kernel
def _peel(pair: Int32s, first: Ints, contact: Ints, degree: Ints, least: int, stack: Ints, loose: Flags) -> None:
    """Mark grains with fewer than `least` contacts, and those that have fewer without them, until none is left."""
    count, depth = len(degree), 0
    for c in range(len(pair)):  # `first` ends as the place behind each grain's contacts
        for side in range(2):
            if pair[c, side] >= 0:
                contact[first[pair[c, side]]] = c
                first[pair[c, side]] += 1
    for i in range(count):
        loose[i] = degree[i] < least
        if loose[i]:
            stack[depth] = i
            depth += 1
    while depth > 0:
        depth -= 1
        i = stack[depth]
        for k in range(first[i - 1] if i > 0 else 0, first[i]):
            c = contact[k]
            other = pair[c, SECOND] if pair[c, FIRST] == i else pair[c, FIRST]
            if other < 0 or loose[other]:
                continue
            degree[other] -= 1
            if degree[other] < least:
                loose[other] = True
                stack[depth] = other
                depth += 1


def contact_counts(pair: Int32s, count: int) -> Ints:
    """(count,): contacts of each grain, with grains and with the boundary."""
    _check(pair, count)
    degree = np.empty(count, dtype=np.int64)
    _contact_counts(pair, degree)
    return degree


def rattlers(pair: Int32s, count: int, least: int) -> Flags:
    """(count,): grains with fewer than `least` contacts that hold, contacts with rattlers not counted."""
    degree = contact_counts(pair, count)
    first = np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64) if count else np.empty(0, np.int64)
    contact, stack = np.empty(2 * len(pair), np.int64), np.empty(count, np.int64)
    loose = np.empty(count, dtype=np.bool_)
    _peel(pair, first, contact, degree, least, stack, loose)
    return loose


def supported(pair: Int32s, force: Floats, count: int, gravity: Floats) -> Flags:
    """(count,): grains that the boundary carries, directly or through other grains.

    A contact supports the one of its two grains on which its force has a component against gravity. A set of grains at
    rest that the others do not support would have no force against its weight; so every grain at rest is reached by
    supports from the boundary.
    """
    _check(pair, count)
    lift = -force @ gravity
    (i, j), wall = pair.T, pair[:, SECOND] < 0
    up = (lift > 0.0) & ~wall
    down = (lift < 0.0) & ~wall  # the force on i is the opposite one
    standing = i[wall & (lift > 0.0)]
    boundary = np.full(len(standing), count)
    edges = (np.concatenate([i[up], j[down], boundary]), np.concatenate([j[up], i[down], standing]))
    supports = scipy.sparse.coo_array((np.ones(len(edges[0])), edges), shape=(count + 1, count + 1)).tocsr()
    reached = np.zeros(count + 1, dtype=np.bool_)
    reached[scipy.sparse.csgraph.breadth_first_order(supports, count, return_predecessors=False)] = True
    return reached[:count]


def coordination(
    pair: Int32s, count: int, dimension: int, friction: bool = False, force: Floats | None = None,
    gravity: Floats | None = None,
) -> Coordination:
    """Coordination numbers of `count` grains.

    A rattler is a grain that its contacts cannot hold. Without gravity these are fewer than d + 1 without friction,
    fewer than 2 with friction, contacts with other rattlers not counted. Under gravity, where one support is enough to
    rest on, it is a grain that no chain of supports joins to the boundary (`supported`).

    Args:
        force, gravity: (C, 3) forces of the contacts [N] and (3,) acceleration [m/s²], to be given where there is any.
    """
    if gravity is None or not np.any(gravity):
        loose = rattlers(pair, count, 2 if friction else dimension + 1)
    else:
        if force is None:
            raise GranumError("Under gravity, finding rattlers needs the contact forces. Give them as `force`.")
        loose = ~supported(pair, force, count, gravity)
    wall = pair[:, SECOND] < 0
    walls = int(np.count_nonzero(wall))
    pairs = len(pair) - walls
    held = ~loose[pair[:, FIRST]] & (wall | ~loose[np.where(wall, pair[:, FIRST], pair[:, SECOND])])
    held_walls = int(np.count_nonzero(held & wall))
    held_pairs, rest = int(np.count_nonzero(held)) - held_walls, count - int(np.count_nonzero(loose))
    return Coordination((2 * pairs + walls) / max(count, 1), (2 * held_pairs + held_walls) / max(rest, 1),
                        2 * (held_pairs + held_walls) / max(rest, 1), loose, pairs, walls)


def graph(pair: Int32s, count: int, weight: Floats | None = None) -> scipy.sparse.csr_array:
    """(count, count) symmetric graph of contacts between grains, with their number or the sum of their weights.

    The boundary is no node: else all that lies on one floor would hang together.
    """
    _check(pair, count)
    between = pair[:, SECOND] >= 0
    i, j = pair[between].T
    value = np.ones(len(i)) if weight is None else weight[between]
    return scipy.sparse.coo_array(
        (np.concatenate([value, value]), (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(count, count),
    ).tocsr()


def clusters(pair: Int32s, count: int) -> Ints:
    """(count,): number of the cluster of grains that hang together by contacts; 0 is the largest one."""
    if count == 0:
        return np.empty(0, dtype=np.int64)
    label = scipy.sparse.csgraph.connected_components(graph(pair, count), directed=False)[1]
    order = np.argsort(-np.bincount(label), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[label]


def touching(pair: Int32s, count: int, elements: Sequence[int]) -> Flags:
    """(count,): grains in contact with one of the elements of the boundary."""
    _check(pair, count)
    touches = np.zeros(count, dtype=np.bool_)
    touches[pair[(pair[:, SECOND] < 0) & np.isin(-1 - pair[:, SECOND], elements), FIRST]] = True
    return touches


def percolating(cluster: Ints, near: Flags, far: Flags) -> Ints:
    """Numbers of the clusters that reach from the grains `near` to the grains `far`, ascending.

    Between two parts of the boundary these are `touching(...)` one and the other; in a direction, those whose rim is
    beyond a low and a high coordinate.
    """
    return np.intersect1d(cluster[near], cluster[far])


class ForceChains(NamedTuple):
    """Who carries the load."""

    mean: float
    """Mean force of a contact ⟨f⟩ [N]."""
    strong: Flags
    """(C,): contacts with more than the mean force."""
    participation: float
    """(Σ f)²/(C Σ f²): 1 if all carry the same, 1/C if one carries all."""
    carried: float
    """Part of the sum of all forces that strong contacts carry."""
    chain: Ints
    """(N,): number of the cluster of grains that hang together by strong contacts; 0 is the largest one."""


def force_chains(pair: Int32s, force: Floats, count: int) -> ForceChains:
    """Contacts above the mean force and the clusters they form (Radjai's strong network)."""
    size = _sizes(force)
    mean = float(size.mean())
    strong = size > mean
    return ForceChains(mean, strong, float(size.sum() ** 2 / (len(size) * np.sum(size**2))),
                       float(size[strong].sum() / size.sum()), clusters(pair[strong], count))


def force_distribution(force: Floats, bins: int = 50, largest: float | None = None) -> tuple[Floats, Floats]:
    """Density of f/⟨f⟩ over contacts, and the edges of its bins; the integral over all f is one."""
    size = _sizes(force)
    ratio = size / size.mean()
    counts, edges = np.histogram(ratio, bins, (0.0, largest or float(ratio.max())))
    return counts / (len(ratio) * np.diff(edges)), edges


def _sizes(force: Floats) -> Floats:
    size: Floats = np.linalg.norm(force, axis=1)
    if not np.any(size):
        raise GranumError(f"None of {len(size)} contacts carries a force, so there is no mean force. Measure at a time "
                          "when grains press on each other.")
    return size


def _check(pair: Int32s, count: int) -> None:
    """Refuse contacts of grains that are not there: a kernel would read beyond its arrays."""
    if len(pair) and (pair[:, FIRST].min() < 0 or pair.max() >= count):
        raise GranumError(f"contacts name grains {pair[:, FIRST].min()} to {pair.max()}, but there are grains 0 to "
                          f"{count - 1}; the first of a pair is a grain, the second a grain or the boundary.")
