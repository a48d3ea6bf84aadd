"""Which way H y = b is solved: elimination from both ends, LDLᵀ leaf to root, or conjugate gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.linear import chain, conjugate, ldl
from granum.system import System
from granum.system.ordering import Chains
from granum.topology import Topology

CHAIN, SPARSE, ITERATIVE = 0, 1, 2

MANY_LOOPS = 24
"""More independent loops than this are ordered by minimum degree instead of along the tree."""
LARGEST_NET = 60_000
"""Links of a net up to which the fill of a factor is worth trying."""
LARGEST_FILL = 40
"""Entries of the factor per entry of H beyond which conjugate gradients are cheaper."""


class Elimination(NamedTuple):
    """How to eliminate: constant for a given topology."""

    kind: int
    between: Floats
    """Chain: inverse mass of the body between link v and v+1 [1/kg], zero where a chain ends."""
    chains: Chains
    """Chain: where each lies."""
    sparse: ldl.Pattern
    shares: ldl.Shares
    """Sparse: what bodies contribute to H."""
    weight: Floats
    """Inverse mass of each body [1/kg]."""
    tail: Ints
    head: Ints


class Workspace(NamedTuple):
    """Arrays that elimination writes into; allocated once."""

    pivot: Floats
    """Inverse pivots (chain: per link; sparse: per place in the order)."""
    off: Floats
    """Chain: H between link v and v+1."""
    values: Floats
    """Sparse: entries of H."""
    factor: Floats
    """Sparse: entries of L."""
    row: Floats
    right: Floats
    """A right-hand side in the order of elimination."""
    filled: Ints
    flag: Ints
    path: Ints
    kept: Ints
    """Sparse: does the row at each place take part, or does it restrain nothing new?"""
    body: Floats
    """(dimension, bodies): link forces summed per body."""
    residual: Floats
    search: Floats
    product: Floats


def choose(system: System) -> tuple[Elimination, Workspace]:
    """The method that fits the graph, and its workspace."""
    kind, pattern, shares = ITERATIVE, ldl.EMPTY, ldl.NO_SHARES
    between = np.zeros(0)
    if system.is_chain:
        kind, between = CHAIN, chain.between(system)
    else:
        order = _order(system)
        if order is not None:
            pattern, shares = ldl.symbolic(system, order, LARGEST_FILL)
            if len(pattern.order):
                kind = SPARSE
    elimination = Elimination(
        kind, between, system.chains, pattern, shares, system.bodies.weight, system.links.tail, system.links.head
    )
    return elimination, _workspace(system, elimination)


def method_name(elimination: Elimination) -> str:
    """The method in words."""
    if elimination.kind == CHAIN:
        return "elimination from both ends"
    return "sparse LDLᵀ from the leaves inward" if elimination.kind == SPARSE else "conjugate gradients"


def _workspace(system: System, elimination: Elimination) -> Workspace:
    links = system.link_count
    sparse = links if elimination.kind == SPARSE else 0
    gradients = links if elimination.kind == ITERATIVE else 0
    pattern = elimination.sparse
    return Workspace(
        pivot=np.zeros(links), off=np.zeros(links if elimination.kind == CHAIN else 0),
        values=np.zeros(len(pattern.row)), factor=np.zeros(len(pattern.factor_row)),
        row=np.zeros(sparse), right=np.zeros(sparse), filled=np.zeros(sparse, dtype=np.int64),
        flag=np.zeros(sparse, dtype=np.int64), path=np.zeros(sparse, dtype=np.int64),
        kept=np.zeros(sparse, dtype=np.int64),
        body=np.zeros((system.dimension, system.body_count)),
        residual=np.zeros(gradients), search=np.zeros(gradients), product=np.zeros(gradients),
    )


def _order(system: System) -> Ints | None:
    """Order of elimination: leaf to root with the cuts last, minimum degree for nets, None for huge nets."""
    along = leaf_to_root(system.topology)
    if along is not None or system.link_count > LARGEST_NET:
        return along
    first, second, _, _ = ldl.pairs_of_links(system)
    return ldl.minimum_degree(system.link_count, first, second)


def leaf_to_root(topology: Topology) -> Ints | None:
    """Links from the leaves to the root with the cuts last; None where loops are so many that this would fill."""
    cuts = topology.cuts
    if len(cuts) > MANY_LOOPS:
        return None
    inward = topology.parent_link[topology.outward()[::-1]]
    return np.concatenate([inward[inward >= 0], cuts])


@kernel
def factor(elimination: Elimination, work: Workspace, n: Floats) -> int:
    """Factor H for the link directions n; returns how many links turned out to be redundant.

    A link whose pivot vanishes against its diagonal restrains nothing that earlier links leave free: it is
    taken out (zero force), so that the others carry its load and the motion is still right.
    """
    if elimination.kind == CHAIN:
        return chain.factor(elimination.between, elimination.weight, elimination.tail, elimination.head, n,
                            work.pivot, work.off)
    if elimination.kind == SPARSE:
        ldl.fill(elimination.shares, elimination.weight, n, work.values)
        return ldl.factor(elimination.sparse, work.values, work.factor, work.pivot, work.row, work.filled,
                          work.flag, work.path, work.kept, chain.REDUNDANT)
    conjugate.diagonal(elimination.weight, elimination.tail, elimination.head, work.pivot)
    return 0


@kernel
def solve(elimination: Elimination, work: Workspace, n: Floats, b: Floats, y: Floats) -> int:
    """Solve H y = b after `factor` with the same n; returns the iterations done (0 for a direct solve).

    Conjugate gradients start from the y given.
    """
    if elimination.kind == CHAIN:
        chain.solve(work.pivot, work.off, b, y)
        return 0
    if elimination.kind == SPARSE:
        ldl.solve(elimination.sparse, work.factor, work.pivot, b, work.right, y)
        return 0
    return conjugate.solve(elimination.weight, elimination.tail, elimination.head, n, work.pivot, b, y,
                           work.body, work.residual, work.search, work.product)
