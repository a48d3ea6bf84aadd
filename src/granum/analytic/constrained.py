"""M q̈ = Q + Rᵀ λ with A q̈ = b: accelerations and multipliers where M may be singular and rows of A dependent.

The Moore-Penrose form (Udwadia and Mogharabin 2022, eq. 43),

    q̈ = [(I - A⁺A) M; A]⁺ [Q; b]        valid if and only if rank [M; A] = n                      (43)-(45)

costs two singular value decompositions. The same q̈ follows from elimination: S = M + AᵀA is positive definite
exactly where rank [M; A] = n (M positive semidefinite), and since A q̈ = b adding Aᵀ(A q̈ - b) changes nothing:

    S q̈ = Q + Aᵀ b + Rᵀ λ,    (A S⁻¹ Rᵀ) λ = b - A S⁻¹ (Q + Aᵀ b)

with rows of A scaled to the inertia they meet.

Dependent rows show as vanishing pivots of the small matrix and are passed over: the others imply them, if they are
consistent, which `mismatch` measures. R = A for ideal constraints; for sliding friction the row of a normal force
carries the friction it causes (`virtual_work`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, kernel

DEPENDENT = 1e-12
"""Pivot, relative to its diagonal, below which a row depends on those before it."""
LATER = 1e-2
"""Pivot, relative to its diagonal and to the best of those left, below which a row is taken later."""
UNDETERMINED = 1e-13
"""Pivot of S, relative to its diagonal, below which a coordinate is left undetermined."""
MASSLESS = 1e-6
"""What is left of a diagonal of M, relative to it, below which a coordinate has no inertia of its own."""


@kernel
def solve(
    M: Floats, Q: Floats, A: Floats, R: Floats, b: Floats, qdd: Floats, multipliers: Floats, S: Floats, Y: Floats,
    Z: Floats, G: Floats, right: Floats, kept: Floats, size: Floats, order: Floats, hold: bool,
) -> float:
    """Accelerations and multipliers; returns the mismatch of dependent rows, or -1 - k if coordinate k is undetermined.

    Args:
        M, Q: mass matrix (lower triangle used), applied and inertial forces.
        A, R, b: rows of A q̈ = b, and the rows along which their multipliers act.
        qdd, multipliers: results; the multiplier of a row passed over is zero.
        S, Y, Z, G, right, kept, size: workspace of n x n, m x n, m x n, m x m, and m numbers each.
        order, hold: m + 1 numbers, and whether to take the rows that they tell (see `multipliers_of`).
    """
    n, m = Q.shape[0], b.shape[0]
    _inertias(M, S, qdd, n)
    for j in range(n):
        qdd[j] = 1.0 / qdd[j]
    for i in range(m):
        norm = 0.0
        for j in range(n):
            # what the row weighs: a heavy weight on a light coordinate would drown its inertia
            norm += A[i, j] * A[i, j] * qdd[j]
        kept[i] = 1.0 / math.sqrt(norm) if norm > 0.0 else 0.0
    # S = M + AᵀA with rows so scaled that A M⁻¹ Aᵀ has a diagonal of one
    for i in range(n):
        qdd[i] = Q[i]
        for j in range(i + 1):
            S[i, j] = M[i, j]
    for k in range(m):
        weight, first = kept[k] * kept[k], _first(A[k], n)
        for i in range(first, n):
            a = A[k, i] * weight
            if a != 0.0:
                qdd[i] += a * b[k]
                for j in range(first, i + 1):
                    S[i, j] += a * A[k, j]
    failed = cholesky(S, n)
    if failed >= 0:
        return -1.0 - failed
    forward(S, qdd, n)
    different = False
    for k in range(m):
        for i in range(n):
            Y[k, i] = A[k, i] * kept[k]
            Z[k, i] = R[k, i] * kept[k]
            different = different or R[k, i] != A[k, i]
        forward(S, Y[k], n)
        if different:
            forward(S, Z[k], n)
        else:
            for i in range(n):
                Z[k, i] = Y[k, i]
    for k in range(m):
        right[k] = b[k] * kept[k]
        size[k] = abs(right[k])
        for i in range(n):
            right[k] -= Y[k, i] * qdd[i]
            size[k] += abs(Y[k, i] * qdd[i])
        for l in range(m):
            total = 0.0
            if different or l <= k:
                for i in range(n):
                    total += Y[k, i] * Z[l, i]
                G[k, l] = total
                if not different:
                    G[l, k] = total
    mismatch = multipliers_of(G, right, multipliers, size, order, hold, m)
    for k in range(m):
        for i in range(n):
            qdd[i] += Z[k, i] * multipliers[k]
        multipliers[k] *= kept[k]
    backward(S, qdd, n)
    return mismatch


@kernel
def _inertias(M: Floats, S: Floats, h: Floats, n: int) -> None:
    """The inertia of each coordinate: its diagonal of M, or the largest where it has none of its own.

    It has none if what is left of its diagonal vanishes in an elimination that takes the largest first, as that of one
    coordinate of a quaternion does. S is workspace.
    """
    largest = 0.0
    for i in range(n):
        largest = max(largest, M[i, i])
        h[i] = 0.0
        for j in range(i + 1):
            S[i, j] = M[i, j]
    if largest == 0.0:
        largest = 1.0
    for _ in range(n):
        j = -1
        for i in range(n):
            # of equal inertias the first is taken, so that rounding does not decide about the scale
            if h[i] == 0.0 and (j < 0 or S[i, i] > (1.0 + 1e-9) * S[j, j]):
                j = i
        if not S[j, j] > MASSLESS * abs(M[j, j]):
            h[j] = largest
            continue
        h[j] = M[j, j]
        for i in range(n):
            if h[i] != 0.0:
                continue
            factor = (S[i, j] if i > j else S[j, i]) / S[j, j]
            if factor != 0.0:
                for k in range(i + 1):
                    if h[k] == 0.0:
                        S[i, k] -= factor * (S[k, j] if k > j else S[j, k])


@kernel
def _first(row: Floats, n: int) -> int:
    """Place of the first entry that is not zero: what is before it stays zero in elimination."""
    i = 0
    while i < n and row[i] == 0.0:
        i += 1
    return i


@kernel
def cholesky(S: Floats, n: int) -> int:
    """Cholesky of the lower triangle in place, its diagonal inverted; -1, or the first row whose pivot vanishes."""
    for j in range(n):
        pivot = S[j, j]
        for k in range(j):
            pivot -= S[j, k] * S[j, k]
        if not pivot > UNDETERMINED * S[j, j]:
            return j
        pivot = 1.0 / math.sqrt(pivot)
        S[j, j] = pivot
        for i in range(j + 1, n):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            S[i, j] = total * pivot
    return -1


@kernel
def forward(L: Floats, x: Floats, n: int) -> None:
    """x ← L⁻¹ x; the diagonal of L is inverted."""
    first = _first(x, n)
    for i in range(first, n):
        total = x[i]
        for k in range(first, i):
            total -= L[i, k] * x[k]
        x[i] = total * L[i, i]


@kernel
def backward(L: Floats, x: Floats, n: int) -> None:
    """x ← L⁻ᵀ x; the diagonal of L is inverted."""
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= L[k, i] * x[k]
        x[i] = total * L[i, i]


@kernel
def multipliers_of(
    G: Floats, right: Floats, x: Floats, size: Floats, order: Floats, hold: bool, m: int,
) -> float:
    """Solve G x = right by elimination, rows that depend on others passed over.

    Rows are taken in their order, but those with small pivots later: a row that nearly depends on those before it may
    be one that others imply. `order` receives the rows in the order of elimination, and behind them how many take
    part; with `hold` they are those of an earlier call.

    Returns what rows that are passed over miss by at most, relative to `size`, the terms that their right-hand sides
    are made of.
    """
    for k in range(m):
        x[k] = G[k, k]
        if not hold:
            order[k] = k
    taken, step = int(order[m]) if hold else m, 0
    while step < taken:
        if not hold:
            best = 0.0
            for i in range(step, m):
                k = int(order[i])
                if abs(G[k, k]) > best * abs(x[k]):
                    best = abs(G[k, k] / x[k])
            if not best > DEPENDENT:
                taken = step
                break
            i = step
            k = int(order[i])
            while not abs(G[k, k]) > LATER * best * abs(x[k]):
                i += 1
                k = int(order[i])
            for j in range(i, step, -1):
                order[j] = order[j - 1]
            order[step] = k
        k = int(order[step])
        step += 1
        if G[k, k] == 0.0:
            continue
        inverse = 1.0 / G[k, k]
        for p in range(step, m):
            i = int(order[p])
            factor = G[i, k] * inverse
            if factor != 0.0:
                for q in range(step, m):
                    j = int(order[q])
                    G[i, j] -= factor * G[k, j]
                right[i] -= factor * right[k]
                size[i] += abs(factor) * size[k]
    order[m] = taken
    mismatch = 0.0
    for p in range(m - 1, -1, -1):
        k = int(order[p])
        if p >= taken and abs(right[k]) > mismatch * size[k]:
            mismatch = abs(right[k]) / size[k]
        if p >= taken or G[k, k] == 0.0:
            G[k, k], x[k] = 0.0, 0.0
            continue
        total = right[k]
        for q in range(p + 1, taken):
            j = int(order[q])
            total -= G[k, j] * x[j]
        x[k] = total / G[k, k]
    return mismatch


def inertias(M: Floats) -> Floats:
    """The inertia of each coordinate, by which systems of equations are scaled."""
    h = np.zeros(len(M))
    _inertias(M, np.zeros_like(M), h, len(M))
    return h


def moore_penrose(M: Floats, Q: Floats, A: Floats, b: Floats) -> Floats:
    """q̈ by (43), for systems beyond elimination (M not positive semidefinite) and to check it."""
    size = np.linalg.norm(A, axis=1)
    size[size == 0.0] = 1.0
    A, b = A / size[:, None], b / size  # units of rows do not change the motion, but what counts as small
    projector = np.eye(len(Q)) - np.linalg.pinv(A) @ A
    result: Floats = np.linalg.pinv(np.vstack([projector @ M, A])) @ np.concatenate([Q, b])
    return result


def equilibrated(M: Floats, A: Floats) -> tuple[Floats, Floats, Floats]:
    """D M D and A D with rows of unit length, where D gives every coordinate with mass a unit diagonal; and D."""
    light: Floats = 1.0 / np.sqrt(inertias(M))
    rows = A * light
    return M * np.outer(light, light), rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300), light


def refuse_undetermined(coordinates: Sequence[str], M: Floats, A: Floats) -> None:
    """Refuse a system whose [M; A] has not full rank, naming the coordinates left undetermined (45)."""
    M, A, light = equilibrated(M, A)
    _, sizes, V = np.linalg.svd(np.vstack([M, A]))
    free = V[np.count_nonzero(sizes > 1e-11 * sizes[0]) :]
    if len(free):
        weight = np.linalg.norm(free * light / light.max(), axis=0)
        names = [name for name, w in zip(coordinates, weight, strict=True) if w > 1e-6]
        raise GranumError(
            f"the accelerations of {', '.join(names)} are not determined: mass matrix and constraints together have "
            f"rank {len(coordinates) - len(free)}, but there are {len(coordinates)} coordinates. Give these "
            "coordinates mass, or constraints that connect them to something with mass.")
