"""Linear equations of contact forces: small, and often with more contacts than motion determines."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel

_SHIFT = 1e-10
"""Added to the diagonal of AᵀA, as a part of the square of the largest entry of A."""
_MOST = 40
_ENOUGH = 1e-15


@kernel
def _factorize(A: Floats, m: int, size: float, L: Floats, first: Ints) -> None:
    """L Lᵀ = AᵀA + shift; first[r] is the first column of row r that is not zero, before which L is not read."""
    for r in range(m):
        for c in range(r + 1):
            L[r, c] = 0.0
    for k in range(m):
        for r in range(m):
            if A[k, r] != 0.0:
                for c in range(r + 1):
                    L[r, c] += A[k, r] * A[k, c]
    for r in range(m):
        first[r] = 0
        while first[r] < r and L[r, first[r]] == 0.0:
            first[r] += 1
        L[r, r] += _SHIFT * size * size
        for c in range(first[r], r + 1):
            total = L[r, c]
            for k in range(max(first[r], first[c]), c):
                total -= L[r, k] * L[c, k]
            L[r, c] = total / L[c, c] if c < r else math.sqrt(max(total, 1e-3 * _SHIFT * size * size))


@kernel
def _substitute(L: Floats, m: int, first: Ints, x: Floats) -> None:
    """x ← (L Lᵀ)⁻¹ x."""
    for r in range(m):
        total = x[r]
        for c in range(first[r], r):
            total -= L[r, c] * x[c]
        x[r] = total / L[r, r]
    for r in range(m - 1, -1, -1):
        x[r] /= L[r, r]
        for c in range(first[r], r):
            x[c] -= L[r, c] * x[r]


@kernel
def _rest(A: Floats, m: int, b: Floats, x: Floats, out: Floats, back: Floats) -> tuple[float, float]:
    """out = b - A x and back = Aᵀ out; returns the largest entry of each."""
    largest, pull = 0.0, 0.0
    for r in range(m):
        back[r] = 0.0
    for r in range(m):
        total = b[r]
        for c in range(m):
            total -= A[r, c] * x[c]
        out[r] = total
        largest = max(largest, abs(total))
        for c in range(m):
            back[c] += A[r, c] * total
    for r in range(m):
        pull = max(pull, abs(back[r]))
    return largest, pull


@kernel
def solve(A: Floats, m: int, b: Floats, x: Floats, L: Floats, first: Ints, work: Floats) -> float:
    """A x = b, the first m of each, from the x given; work has two rows. Returns the largest residual, relative to b.

    With x ← x + (AᵀA + shift)⁻¹ Aᵀ (b - A x). Where A is singular, x changes as little as it has to, and a part of b
    that no x can meet (rounding, or a trial state slightly off its constraints) does nothing to x.
    """
    largest, pull = _rest(A, m, b, x, work[0], work[1])
    size, entry = largest, 0.0
    for r in range(m):
        size = max(size, abs(b[r]))
        entry = max(entry, abs(A[r, r]))
    if size == 0.0 or entry == 0.0 or not largest < math.inf:
        return 0.0 if size == 0.0 else 1.0
    _factorize(A, m, entry, L, first)
    for _ in range(_MOST):
        if pull <= _ENOUGH * entry * size:
            break
        _substitute(L, m, first, work[1])
        for r in range(m):
            x[r] += work[1, r]
        last = pull
        largest, pull = _rest(A, m, b, x, work[0], work[1])
        if not pull < 0.7 * last:
            break
    return largest / size if largest < math.inf else 1.0
