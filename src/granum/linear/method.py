"""Which way H y = b is solved: elimination from both ends, LDLᵀ leaf to root, or conjugate gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.linear import chain, conjugate, ldl
from granum.linear.graph import LinkGraph
from granum.topology import Topology
from granum.topology.chains import Chains

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
    graph: LinkGraph
    chain: chain.ChainModel
    """Chain: where each lies, and the masses between links."""
    pattern: ldl.Pattern
    """Sparse: where the entries of H and L are."""
    shares: ldl.Shares
    """Sparse: what bodies contribute to H."""


class Workspace(NamedTuple):
    """Arrays that elimination writes into; allocated once."""

    pivot: Floats
    """Inverse pivots (chain: per link; sparse: per position in the order)."""
    off: Floats
    """Chain: H between link v and v+1."""
    values: Floats
    """Sparse: entries of H."""
    factors: ldl.Factors
    gradients: conjugate.Gradients
    body: Floats
    """(dimension, bodies): link forces summed per body."""


def choose(
    graph: LinkGraph, dimension: int, chains: Chains, topology: Topology | None,
) -> tuple[Elimination, Workspace]:
    """The method that fits the graph, and its workspace; `topology` is None where the links are chains."""
    links, pattern, shares = len(graph.tail), ldl.EMPTY, ldl.NO_SHARES
    if topology is not None:
        pattern, shares = sparse_pattern(graph, topology)
    kind = CHAIN if topology is None else SPARSE if len(pattern.order) else ITERATIVE
    between = chain.between(graph) if kind == CHAIN else np.zeros(0)
    factors = ldl.new_factors(pattern)
    elimination = Elimination(kind, graph, chain.ChainModel(chains, graph.weight, between), pattern, shares)
    return elimination, Workspace(
        pivot=factors.pivot if kind == SPARSE else np.zeros(links), off=np.zeros(links if kind == CHAIN else 0),
        values=np.zeros(len(pattern.row)), factors=factors,
        gradients=conjugate.new_gradients(links if kind == ITERATIVE else 0),
        body=np.zeros((dimension, len(graph.weight))))


def method_name(elimination: Elimination) -> str:
    """The method in words."""
    if elimination.kind == CHAIN:
        return "elimination from both ends"
    return "sparse LDLᵀ from the leaves inward" if elimination.kind == SPARSE else "conjugate gradients"


def sparse_pattern(graph: LinkGraph, topology: Topology) -> tuple[ldl.Pattern, ldl.Shares]:
    """The pattern of H and L, leaf to root with the cuts last, by minimum degree for nets; empty for huge nets."""
    order = leaf_to_root(topology)
    if order is None:
        if len(graph.tail) > LARGEST_NET:
            return ldl.EMPTY, ldl.NO_SHARES
        first, second, _, _ = ldl.pairs_of_links(graph)
        order = ldl.minimum_degree(len(graph.tail), first, second)
    return ldl.symbolic(graph, order, LARGEST_FILL)


def leaf_to_root(topology: Topology) -> Ints | None:
    """Links from the leaves to the root with the cuts last; None where loops are so many that this would fill."""
    cuts = topology.cuts
    if len(cuts) > MANY_LOOPS:
        return None
    inward = topology.parent_link[topology.outward()[::-1]]
    return np.concatenate([inward[inward >= 0], cuts])


@kernel
def factor(elimination: Elimination, work: Workspace, n: Floats) -> int:
    """Factor H for the link directions n; returns how many links are redundant.

    A link whose pivot vanishes against its diagonal restrains nothing that earlier links leave free: it is
    taken out (zero force), so that the others carry its load and the motion is still right.
    """
    if elimination.kind == CHAIN:
        return chain.factor(elimination.graph, elimination.chain.between, n, work.pivot, work.off)
    if elimination.kind == SPARSE:
        ldl.fill(elimination.shares, elimination.graph.weight, n, work.values)
        return ldl.factor(elimination.pattern, work.values, work.factors, chain.REDUNDANT)
    conjugate.diagonal(elimination.graph, work.gradients.inverse)
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
        ldl.solve(elimination.pattern, work.factors, b, y)
        return 0
    return conjugate.solve(elimination.graph, n, work.gradients, work.body, b, y)
