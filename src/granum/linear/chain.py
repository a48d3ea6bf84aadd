"""Chains: H is tridiagonal and is eliminated from both ends at once.

The two eliminations are independent until they meet in the middle, so the processor works on both while it
waits for the divisions of either. Several chains one after the other are one system with zeros between.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.system import System

REDUNDANT = 1e-11
"""A pivot below this part of its diagonal counts as zero: the link's direction lies within 3e-6 rad of the
span of the others. Rounding leaves about 1e-15, a link that matters more."""


def joints(system: System) -> Ints:
    """Body shared by each link and the next, -1 where there is none or where it is fixed."""
    joint = np.full(system.link_count, -1)
    shared = system.links.head[:-1] == system.links.tail[1:]
    movable = system.bodies.weight[system.links.head[:-1]] > 0.0
    joint[:-1] = np.where(shared & movable, system.links.head[:-1], -1)
    return joint


@kernel
def coupling(joint: int, weight: Floats, n: Floats, v: int) -> float:
    """H between link v and v+1: minus the inverse mass between them times the cosine of their angle."""
    if joint < 0:
        return 0.0
    cosine = n[0, v] * n[0, v + 1] + n[1, v] * n[1, v + 1]
    if n.shape[0] == 3:
        cosine += n[2, v] * n[2, v + 1]
    return -weight[joint] * cosine


@kernel
def inverse_pivot(diagonal: float, pivot: float) -> float:
    """1/pivot, or zero where the pivot vanishes."""
    return 1.0 / pivot if pivot > REDUNDANT * diagonal else 0.0


@kernel
def factor(joint: Ints, weight: Floats, tail: Ints, head: Ints, n: Floats, pivot: Floats, off: Floats) -> int:
    """Eliminate from both ends; inverse pivots and couplings are kept. Returns the redundant links."""
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
            off[k] = coupling(joint[k], weight, n, k)
            low = off[k] * off[k] * pivot[k]
        j = last - k
        if j > middle:
            diagonal = weight[tail[j]] + weight[head[j]]
            pivot[j] = inverse_pivot(diagonal, diagonal - high)
            dropped += pivot[j] == 0.0
            off[j - 1] = coupling(joint[j - 1], weight, n, j - 1)
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
