"""Chains: H is tridiagonal and is eliminated from both ends at once.

The two eliminations are independent until they meet in the middle, so the processor works on both while it
waits for the divisions of either. Several chains one after the other are one system with zeros between.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.linear.graph import LinkGraph
from granum.topology.chains import Chains

REDUNDANT = 1e-11
"""A pivot below this part of its diagonal counts as zero: the link's direction lies within 3e-6 rad of the
span of the others. Rounding leaves about 1e-15, a link that matters more."""


class ChainModel(NamedTuple):
    """What is constant of chains."""

    chains: Chains
    """Where each lies."""
    weight: Floats
    """Inverse mass of each body [1/kg]."""
    between: Floats
    """Inverse mass of the body between link v and v+1 [1/kg], zero where a chain ends."""


class ChainScratch(NamedTuple):
    """What an evaluation of chains writes."""

    n: Floats
    """(dimension, links): unit vector of each link, tail to head."""
    b: Floats
    """Right-hand side of H γ = b."""
    pivot: Floats
    """Inverse pivots."""
    off: Floats
    """H between link v and v+1."""


def between(graph: LinkGraph) -> Floats:
    """Inverse mass of the body between each link and the next [1/kg]; zero where a chain ends."""
    shared, ends = np.zeros(len(graph.tail)), graph.head[:-1]
    shared[:-1] = np.where(ends == graph.tail[1:], graph.weight[ends], 0.0)
    return shared


@kernel
def coupling(weight: float, n: Floats, v: int) -> float:
    """H between link v and v+1: minus the inverse mass between them times the cosine of their angle."""
    cosine = n[0, v] * n[0, v + 1] + n[1, v] * n[1, v + 1]
    if n.shape[0] == 3:
        cosine += n[2, v] * n[2, v + 1]
    return -weight * cosine


@kernel
def inverse_pivot(diagonal: float, pivot: float) -> float:
    """1/pivot, or zero where the pivot vanishes."""
    return 1.0 / pivot if pivot > REDUNDANT * diagonal else 0.0


@kernel
def factor(graph: LinkGraph, between: Floats, n: Floats, pivot: Floats, off: Floats) -> int:
    """Eliminate from both ends; inverse pivots and couplings are kept. Returns the redundant links."""
    weight, tail, head = graph.weight, graph.tail, graph.head
    count = len(tail)
    if count == 0:
        return 0
    middle = count // 2
    last = count - 1
    dropped = 0
    low, high = 0.0, 0.0  # what the neighbour on the outer side subtracts from a diagonal
    for k in range(max(middle, last - middle)):
        if k < middle:
            diagonal = weight[tail[k]] + weight[head[k]]
            pivot[k] = inverse_pivot(diagonal, diagonal - low)
            dropped += pivot[k] == 0.0
            off[k] = coupling(between[k], n, k)
            low = off[k] * off[k] * pivot[k]
        j = last - k
        if j > middle:
            diagonal = weight[tail[j]] + weight[head[j]]
            pivot[j] = inverse_pivot(diagonal, diagonal - high)
            dropped += pivot[j] == 0.0
            off[j - 1] = coupling(between[j - 1], n, j - 1)
            high = off[j - 1] * off[j - 1] * pivot[j]
    diagonal = weight[tail[middle]] + weight[head[middle]]
    pivot[middle] = inverse_pivot(diagonal, diagonal - low - high)
    return dropped + (pivot[middle] == 0.0)


@kernel
def solve(pivot: Floats, off: Floats, b: Floats, y: Floats) -> None:
    """Forward substitution to the middle from both ends, then back outward."""
    count = len(pivot)
    if count == 0:
        return
    middle = count // 2
    last = count - 1
    low, high = 0.0, 0.0
    for k in range(max(middle, last - middle)):
        if k < middle:
            y[k] = (b[k] - low) * pivot[k]
            low = off[k] * y[k]
        j = last - k
        if j > middle:
            y[j] = (b[j] - high) * pivot[j]
            high = off[j - 1] * y[j]
    y[middle] = (b[middle] - low - high) * pivot[middle]
    low = high = y[middle]
    for k in range(max(middle, last - middle)):
        i = middle - 1 - k
        if i >= 0:
            y[i] -= off[i] * low * pivot[i]
            low = y[i]
        j = middle + 1 + k
        if j <= last:
            y[j] -= off[j - 1] * high * pivot[j]
            high = y[j]


BLOCK = 1024
"""Links worked on at a time from each end: what one pass writes is still in the cache for the next."""


class Rows(NamedTuple):
    """Components of vectors as rows of their own: contiguous, so that loops over them are vectorized."""

    x: Floats
    y: Floats
    z: Floats
    """Empty in the plane."""


@kernel
def rows(vectors: Floats) -> Rows:
    """The rows of a (dimension, count) array."""
    return Rows(vectors[0], vectors[1], vectors[2] if vectors.shape[0] == 3 else vectors[0][:0])


# Loops that could be vectorized run from 0 over slices, the others tell by max(..., 0) that an index is not
# negative: Python's meaning of a negative index costs a comparison per access otherwise.


@kernel
def _directions(
    low: int, high: int, shift: int, x: Rows, v: Rows, f: Rows, weight: Floats, n: Rows, b: Floats,
) -> None:
    """Directions and right-hand sides of the links from low to high - 1; link u joins bodies u + shift and the next."""
    i, j = low + shift, high + shift + 1
    x0, x1, v0, v1, f0, f1, w = x.x[i:j], x.y[i:j], v.x[i:j], v.y[i:j], f.x[i:j], f.y[i:j], weight[i:j]
    n0, n1, right = n.x[low:high], n.y[low:high], b[low:high]
    if len(n.z) == 0:
        for u in range(len(right)):
            X, Y, U, V = x0[u + 1] - x0[u], x1[u + 1] - x1[u], v0[u + 1] - v0[u], v1[u + 1] - v1[u]
            inverse = 1.0 / math.sqrt(X * X + Y * Y)
            X, Y = X * inverse, Y * inverse
            n0[u], n1[u] = X, Y
            outer = X * (w[u] * f0[u] - w[u + 1] * f0[u + 1]) + Y * (w[u] * f1[u] - w[u + 1] * f1[u + 1])
            right[u] = (U * U + V * V) * inverse - outer
        return
    x2, v2, f2, n2 = x.z[i:j], v.z[i:j], f.z[i:j], n.z[low:high]
    for u in range(len(right)):
        X, Y, Z = x0[u + 1] - x0[u], x1[u + 1] - x1[u], x2[u + 1] - x2[u]
        U, V, W = v0[u + 1] - v0[u], v1[u + 1] - v1[u], v2[u + 1] - v2[u]
        inverse = 1.0 / math.sqrt(X * X + Y * Y + Z * Z)
        X, Y, Z = X * inverse, Y * inverse, Z * inverse
        n0[u], n1[u], n2[u] = X, Y, Z
        outer = X * (w[u] * f0[u] - w[u + 1] * f0[u + 1]) + Y * (w[u] * f1[u] - w[u + 1] * f1[u + 1])
        outer += Z * (w[u] * f2[u] - w[u + 1] * f2[u + 1])
        right[u] = (U * U + V * V + W * W) * inverse - outer


@kernel
def _couplings(low: int, high: int, between: Floats, n: Rows, off: Floats) -> None:
    """H between each link from low to high - 1 and the next: minus the inverse mass between times the cosine."""
    w, o, n0, n1 = between[low:high], off[low:high], n.x[low : high + 1], n.y[low : high + 1]
    for u in range(len(o)):
        o[u] = -w[u] * (n0[u] * n0[u + 1] + n1[u] * n1[u + 1])
    if len(n.z) > 0:
        n2 = n.z[low : high + 1]
        for u in range(len(o)):
            o[u] -= w[u] * n2[u] * n2[u + 1]


@kernel
def _eliminate(
    low: int, high: int, count: int, first: bool, shift: int, weight: Floats, b: Floats, pivot: Floats,
    off: Floats, y: Floats,
) -> int:
    """Eliminate `count` links upward from link `low` and downward from link `high - 1`, in turn.

    first: these are the ends of the chain, with nothing beyond them.
    """
    dropped = 0
    p, r, q, s, below, above = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if not first:
        p, r, below = pivot[low - 1], y[low - 1], off[low - 1]
        q, s, above = pivot[high], y[high], off[high - 1]
    for k in range(count):
        u, j = max(low + k, 0), max(high - 1 - k, 0)
        i = max(u + shift, 0)
        diagonal = weight[i] + weight[i + 1]
        p = inverse_pivot(diagonal, diagonal - below * below * p)
        r = (b[u] - below * r) * p
        pivot[u], y[u], below = p, r, off[u]
        i = max(j + shift, 0)
        diagonal = weight[i] + weight[i + 1]
        q = inverse_pivot(diagonal, diagonal - above * above * q)
        s = (b[j] - above * s) * q
        pivot[j], y[j], above = q, s, off[max(j - 1, 0)]
        dropped += (p == 0.0) + (q == 0.0)
    return dropped


@kernel
def _meet(
    low: int, high: int, lowest: int, highest: int, shift: int, weight: Floats, b: Floats, pivot: Floats,
    off: Floats, y: Floats,
) -> int:
    """The one or two links in the middle, where the eliminations from both ends meet."""
    dropped = 0
    for u in range(low, high):
        diagonal = weight[u + shift] + weight[u + shift + 1]
        remaining, right = diagonal, b[u]
        if u > lowest:
            remaining -= off[u - 1] * off[u - 1] * pivot[u - 1]
            right -= off[u - 1] * y[u - 1]
        if u == high - 1 and high < highest:
            remaining -= off[u] * off[u] * pivot[u + 1]
            right -= off[u] * y[u + 1]
        pivot[u] = inverse_pivot(diagonal, remaining)
        y[u] = right * pivot[u]
        dropped += pivot[u] == 0.0
    if high - low == 2:
        y[low] -= off[low] * pivot[low] * y[low + 1]
    return dropped


@kernel
def _substitute(low: int, high: int, count: int, pivot: Floats, off: Floats, y: Floats) -> None:
    """Substitute back `count` links downward from link `low - 1` and upward from link `high`, in turn."""
    below, above = y[low], y[high - 1]
    for k in range(count):
        i, j = max(low - 1 - k, 0), max(high + k, 1)
        below = y[i] - off[i] * pivot[i] * below
        above = y[j] - off[j - 1] * pivot[j] * above
        y[i], y[j] = below, above


@kernel
def _pull(low: int, high: int, shift: int, f: Floats, weight: Floats, n: Floats, y: Floats, a: Floats) -> None:
    """One component of the accelerations of the bodies between links low .. high - 1 and the next ones."""
    i, j = low + shift + 1, high + shift + 1
    acceleration, force, w = a[i:j], f[i:j], weight[i:j]
    cosine, pull = n[low : high + 1], y[low : high + 1]
    for u in range(len(w)):
        acceleration[u] = w[u] * (force[u] + cosine[u + 1] * pull[u + 1] - cosine[u] * pull[u])


@kernel
def all_accelerations(
    model: ChainModel, scratch: ChainScratch, x: Floats, v: Floats, f: Floats, a: Floats, y: Floats,
) -> int:
    """Link forces (into y) and accelerations (into a) of all chains and loose bodies under the forces f; returns the
    redundant links.

    The same as directions, right-hand side, `factor`, `solve` and accelerations one after the other, but done
    block by block from both ends inward and out again: several times faster, because what one part writes the
    next one finds in the cache. Link u joins bodies u + shift and the next. All is one function, because handing
    the arrays over to another for each chain takes as long as evaluating some twenty links.
    """
    chains, weight, between = model.chains, model.weight, model.between
    n, b, pivot, off = scratch.n, scratch.b, scratch.pivot, scratch.off
    positions, velocities, forces, cosines = rows(x), rows(v), rows(f), rows(n)
    dropped, loose = 0, 0
    for c in range(len(chains.size)):
        link, shift = chains.link[c], chains.body[c] - chains.link[c]
        end = link + chains.size[c]
        low, high = link, end
        while high - low > 2 * BLOCK + 2:
            # one link more than is eliminated: the coupling to it belongs to this block
            _directions(low, low + BLOCK + 1, shift, positions, velocities, forces, weight, cosines, b)
            _directions(high - BLOCK - 1, high, shift, positions, velocities, forces, weight, cosines, b)
            _couplings(low, low + BLOCK, between, cosines, off)
            _couplings(high - BLOCK - 1, high - 1, between, cosines, off)
            dropped += _eliminate(low, high, BLOCK, low == link, shift, weight, b, pivot, off, y)
            low, high = low + BLOCK, high - BLOCK
        count = (high - low - 1) // 2
        _directions(low, high, shift, positions, velocities, forces, weight, cosines, b)
        _couplings(low, high - 1, between, cosines, off)
        dropped += _eliminate(low, high, count, low == link, shift, weight, b, pivot, off, y)
        dropped += _meet(low + count, high - count, link, end, shift, weight, b, pivot, off, y)
        _substitute(low + count, high - count, count, pivot, off, y)
        for k in range(a.shape[0]):
            _pull(low, high - 1, shift, f[k], weight, n[k], y, a[k])
        while low > link:
            _substitute(low, high, BLOCK, pivot, off, y)
            for k in range(a.shape[0]):
                _pull(low - BLOCK, low, shift, f[k], weight, n[k], y, a[k])
                _pull(high - 1, high - 1 + BLOCK, shift, f[k], weight, n[k], y, a[k])
            low, high = low - BLOCK, high + BLOCK
        first, last = link + shift, end + shift
        for k in range(a.shape[0]):
            a[k, first] = weight[first] * (f[k, first] + n[k, link] * y[link])
            a[k, last] = weight[last] * (f[k, last] - n[k, end - 1] * y[end - 1])
        loose = last + 1
    for k in range(a.shape[0]):
        for body in range(loose, a.shape[1]):
            a[k, body] = weight[body] * f[k, body]
    return dropped
