"""Large nets: conjugate gradients with the diagonal as preconditioner, H applied through the bodies.

H y is what the link forces y do to the distances: forces are summed on each body, divided by its mass, and
projected on each link again. That is one pass over the links and needs no matrix.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel

TOLERANCE = 1e-14
"""Residual relative to b at which the iteration stops."""


@kernel
def diagonal(weight: Floats, tail: Ints, head: Ints, inverse: Floats) -> None:
    """1/H_vv of every link."""
    for v in range(len(tail)):
        inverse[v] = 1.0 / (weight[tail[v]] + weight[head[v]])


@kernel
def link_pull(tail: Ints, head: Ints, n: Floats, y: Floats, body: Floats) -> None:
    """E C y: link forces y summed on every body, towards the other end for tension."""
    for k in range(body.shape[0]):
        for i in range(body.shape[1]):
            body[k, i] = 0.0
    for v in range(len(tail)):
        for k in range(body.shape[0]):
            body[k, tail[v]] += n[k, v] * y[v]
            body[k, head[v]] -= n[k, v] * y[v]


@kernel
def apply(weight: Floats, tail: Ints, head: Ints, n: Floats, y: Floats, body: Floats, product: Floats) -> None:
    """Product = H y."""
    link_pull(tail, head, n, y, body)
    for v in range(len(tail)):
        i, j = tail[v], head[v]
        total = 0.0
        for k in range(body.shape[0]):
            total += n[k, v] * (weight[i] * body[k, i] - weight[j] * body[k, j])
        product[v] = total


@kernel
def solve(
    weight: Floats, tail: Ints, head: Ints, n: Floats, inverse: Floats, b: Floats, y: Floats,
    body: Floats, residual: Floats, search: Floats, product: Floats,
) -> int:
    """Solve H y = b from the y given; returns the iterations.

    Where H is singular and b consistent the iteration converges all the same: it never leaves the range.
    It ends at the tolerance or when rounding lets it improve no more.
    """
    count = len(tail)
    apply(weight, tail, head, n, y, body, product)
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
        apply(weight, tail, head, n, search, body, product)
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
