"""Least squares in kernels: Householder's triangular form, for velocities from quasi-velocities."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, kernel

SINGULAR = 1e-9
"""Diagonal of the triangular form, with rows of unit length, below which the columns are dependent."""


@kernel
def triangular(W: Floats, diagonal: Floats) -> int:
    """W = Q R in place, reflectors below, R above, its diagonal apart; 0, or 1 + the first dependent column."""
    k, n = W.shape
    for j in range(n):
        norm = 0.0
        for i in range(j, k):
            norm += W[i, j] * W[i, j]
        norm = math.sqrt(norm)
        if not norm > SINGULAR:
            return 1 + j
        diagonal[j] = -norm if W[j, j] > 0.0 else norm
        W[j, j] -= diagonal[j]
        scale = 1.0 / (diagonal[j] * W[j, j])
        for c in range(j + 1, n):
            total = 0.0
            for i in range(j, k):
                total += W[i, j] * W[i, c]
            total *= scale
            for i in range(j, k):
                W[i, c] += total * W[i, j]
    return 0


@kernel
def least_squares(W: Floats, diagonal: Floats, right: Floats, x: Floats) -> None:
    """x that meets W x = right best, from the triangular form; `right` is overwritten."""
    k, n = W.shape
    for j in range(n):
        total = 0.0
        for i in range(j, k):
            total += W[i, j] * right[i]
        total /= diagonal[j] * W[j, j]
        for i in range(j, k):
            right[i] += total * W[i, j]
    for j in range(n - 1, -1, -1):
        total = right[j]
        for c in range(j + 1, n):
            total -= W[j, c] * x[c]
        x[j] = total / diagonal[j]


@kernel
def least_norm(W: Floats, diagonal: Floats, force: Floats, x: Floats) -> None:
    """x of least norm that meets Wᵀ x = force, from the triangular form: Rᵀ z = force, x = Q z."""
    k, n = W.shape
    for j in range(k):
        x[j] = 0.0
    for j in range(n):
        total = force[j]
        for c in range(j):
            total -= W[c, j] * x[c]
        x[j] = total / diagonal[j]
    for j in range(n - 1, -1, -1):
        total = 0.0
        for i in range(j, k):
            total += W[i, j] * x[i]
        total /= diagonal[j] * W[j, j]
        for i in range(j, k):
            x[i] += total * W[i, j]
