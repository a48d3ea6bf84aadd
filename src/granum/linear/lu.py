"""Dense matrices, real or complex: elimination with row pivoting, in place."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats, Ints, small_kernel

Complexes: TypeAlias = NDArray[np.complex128]


@small_kernel
def factor(a: Floats | Complexes, pivots: Ints) -> bool:
    """P a = L U in the place of a, with pivots[k] the row that row k was exchanged with; False if a is singular.

    Rows whose multiplier is zero are passed over, so that sparse matrices take less: a chain of springs takes the
    square of its length, not the cube.
    """
    n = len(pivots)
    for k in range(n):
        largest, at = 0.0, k
        for i in range(k, n):
            size = abs(a[i, k].real) + abs(a[i, k].imag)
            if size > largest:
                largest, at = size, i
        pivots[k] = at
        if not 0.0 < largest < np.inf:
            return False
        if at != k:
            for j in range(n):
                a[k, j], a[at, j] = a[at, j], a[k, j]
        row, inverse = a[k], 1.0 / a[k, k]
        for i in range(k + 1, n):
            other = a[i]
            if other[k] != 0.0:
                times = other[k] * inverse
                other[k] = times
                for j in range(k + 1, n):
                    other[j] -= times * row[j]
    return True


@small_kernel
def solve(a: Floats | Complexes, pivots: Ints, x: Floats | Complexes) -> None:
    """Solve with a factored matrix; x is the right-hand side, then the solution."""
    n = len(pivots)
    for k in range(n):
        at = pivots[k]
        if at != k:
            x[k], x[at] = x[at], x[k]
    for i in range(1, n):
        total, row = x[i], a[i]
        for j in range(i):
            total -= row[j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total, row = x[i], a[i]
        for j in range(i + 1, n):
            total -= row[j] * x[j]
        x[i] = total / row[i]
