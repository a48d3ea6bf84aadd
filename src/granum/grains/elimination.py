"""Linear equations of contact forces: nearly always small, often with more contacts than motion determines."""

from __future__ import annotations

from granum.base.kernels import Floats, Ints, kernel

_SHIFT = 1e-5
"""Added to the diagonal as a part of its largest entry; what rounding leaves is divided by it where A is singular."""
_MOST = 40
_ENOUGH = 4e-16


@kernel
def factorize(A: Floats, m: int, lu: Floats, order: Ints) -> bool:
    """L U = P (A + shift) with pivots by rows; rows of grains that do not touch meet zeros, which are passed over."""
    largest = 0.0
    for r in range(m):
        largest = max(largest, abs(A[r, r]))
    for r in range(m):
        order[r] = r
        for c in range(m):
            lu[r, c] = A[r, c]
        lu[r, r] += _SHIFT * largest
    for k in range(m):
        best = k
        for r in range(k + 1, m):
            # the diagonal is kept unless it is much smaller: the pattern then stays as sparse as it was
            if abs(lu[r, k]) > (10.0 if best == k else 1.0) * abs(lu[best, k]):
                best = r
        if not abs(lu[best, k]) > 0.0:
            return False
        if best != k:
            order[k], order[best] = order[best], order[k]
            for c in range(m):
                lu[k, c], lu[best, c] = lu[best, c], lu[k, c]
        for r in range(k + 1, m):
            if lu[r, k] != 0.0:
                factor = lu[r, k] / lu[k, k]
                lu[r, k] = factor
                for c in range(k + 1, m):
                    lu[r, c] -= factor * lu[k, c]
    return True


@kernel
def _substitute(lu: Floats, m: int, order: Ints, r: Floats, out: Floats) -> None:
    """out = (L U)⁻¹ P r."""
    for k in range(m):
        total = r[order[k]]
        for c in range(k):
            total -= lu[k, c] * out[c]
        out[k] = total
    for k in range(m - 1, -1, -1):
        total = out[k]
        for c in range(k + 1, m):
            total -= lu[k, c] * out[c]
        out[k] = total / lu[k, k]


@kernel
def _rest(A: Floats, m: int, b: Floats, x: Floats, out: Floats) -> float:
    """out = b - A x; returns its largest entry."""
    largest = 0.0
    for r in range(m):
        total = b[r]
        for c in range(m):
            total -= A[r, c] * x[c]
        out[r] = total
        largest = max(largest, abs(total))
    return largest


@kernel
def solve(A: Floats, m: int, b: Floats, x: Floats, lu: Floats, order: Ints, work: Floats) -> float:
    """A x = b, the first m of each, from the x given; work has two rows. Returns the largest residual, relative to b.

    With the shifted matrix x ← x + (A + shift)⁻¹ (b - A x): where A is singular and b fits to it, this goes to the
    solution that differs from the first x by a vector in the range of A (the least change, if A is symmetric).
    """
    size = _rest(A, m, b, x, work[0])
    for r in range(m):
        size = max(size, abs(b[r]))
    if size == 0.0:
        return 0.0
    if not factorize(A, m, lu, order):
        return 1.0
    last = 1.0
    for _ in range(_MOST):
        _substitute(lu, m, order, work[0], work[1])
        for r in range(m):
            x[r] += work[1, r]
        largest = _rest(A, m, b, x, work[0]) / size
        if largest <= _ENOUGH or not largest < 0.7 * last:
            return min(largest, last) if largest == largest else 1.0
        last = largest
    return last
