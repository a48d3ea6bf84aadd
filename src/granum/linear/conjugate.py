"""Large nets: conjugate gradients with the diagonal as preconditioner, H applied through the bodies.

H y is what the link forces y do to the distances: forces are summed on each body, divided by its mass, and
projected on each link again. That is one pass over the links and needs no matrix.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.linear.graph import LinkGraph

TOLERANCE = 1e-14
"""Residual relative to b at which the iteration stops."""


class Gradients(NamedTuple):
    """Arrays of the iteration, a number for each link."""

    inverse: Floats
    """1/H_vv, the preconditioner."""
    residual: Floats
    search: Floats
    product: Floats


def new_gradients(links: int) -> Gradients:
    """Arrays for a number of links."""
    return Gradients(*np.zeros((4, links)))


@kernel
def diagonal(graph: LinkGraph, inverse: Floats) -> None:
    """1/H_vv of every link."""
    for v in range(len(graph.tail)):
        inverse[v] = 1.0 / (graph.weight[graph.tail[v]] + graph.weight[graph.head[v]])


@kernel
def link_pull(graph: LinkGraph, n: Floats, y: Floats, body: Floats) -> None:
    """E C y: link forces y summed on every body, towards the other end for tension."""
    tail, head = graph.tail, graph.head
    for k in range(body.shape[0]):
        for i in range(body.shape[1]):
            body[k, i] = 0.0
    for v in range(len(tail)):
        for k in range(body.shape[0]):
            body[k, tail[v]] += n[k, v] * y[v]
            body[k, head[v]] -= n[k, v] * y[v]


@kernel
def apply(graph: LinkGraph, n: Floats, y: Floats, body: Floats, product: Floats) -> None:
    """Product = H y."""
    weight, tail, head = graph.weight, graph.tail, graph.head
    link_pull(graph, n, y, body)
    for v in range(len(tail)):
        i, j = tail[v], head[v]
        total = 0.0
        for k in range(body.shape[0]):
            total += n[k, v] * (weight[i] * body[k, i] - weight[j] * body[k, j])
        product[v] = total


@kernel
def solve(graph: LinkGraph, n: Floats, work: Gradients, body: Floats, b: Floats, y: Floats) -> int:
    """Solve H y = b from the y given; returns the iterations.

    Where H is singular and b consistent the iteration converges all the same: it never leaves the range.
    It ends at the tolerance or when rounding lets it improve no more.
    """
    count = len(b)
    inverse, residual, search, product = work.inverse, work.residual, work.search, work.product
    apply(graph, n, y, body, product)
    scale, rho, best = 0.0, 0.0, math.inf
    for v in range(count):
        residual[v] = b[v] - product[v]
        search[v] = residual[v] * inverse[v]
        rho += residual[v] * search[v]
        scale += b[v] * b[v] * inverse[v]
    goal = TOLERANCE * TOLERANCE * scale
    limit = 20 * count + 100
    stalled = 0
    for iteration in range(limit):
        if rho <= goal or stalled > 50 + count // 10:
            return iteration
        apply(graph, n, search, body, product)
        curvature = 0.0
        for v in range(count):
            curvature += search[v] * product[v]
        if curvature <= 0.0:
            return iteration
        alpha = rho / curvature
        new = 0.0
        for v in range(count):
            y[v] += alpha * search[v]
            residual[v] -= alpha * product[v]
            new += residual[v] * residual[v] * inverse[v]
        for v in range(count):
            search[v] = residual[v] * inverse[v] + new / rho * search[v]
        rho = new
        stalled = 0 if rho < 0.99 * best else stalled + 1
        best = min(best, rho)
    return limit
