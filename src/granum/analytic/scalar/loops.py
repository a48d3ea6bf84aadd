"""Links that close loops: forces γ that keep their lengths (34), (35). A joint that closes one has a row per axis."""

from __future__ import annotations

import math

import numpy as np

from granum.analytic.scalar.cluster import (
    ABOVE,
    AXIS,
    COUNT,
    EULER,
    FIRST,
    FORCE,
    HEAD,
    TAIL,
    Cluster,
    Scratch,
    angles_of_rotation,
)
from granum.analytic.scalar.kinematics import attached, rotation_derivatives
from granum.analytic.scalar.mass_matrix import solve
from granum.base.kernels import Floats, Ints, kernel


@kernel
def _end_of_cut(cluster: Cluster, s: Scratch, w: Floats, cut: int, end: int, P: Floats, D: Floats) -> None:
    """Position, velocity and acceleration at q̈ = 0 of an end of a cut link into rows of P; by Euler angles into D."""
    body = cluster.cuts[end, cut]
    for k in range(3):
        P[0, k], P[1, k], P[2, k] = 0.0, 0.0, s.bias[body, k]
    for k in range(s.x.shape[0]):
        P[0, k], P[1, k] = s.x[k, body], s.v[k, body]
    t, turns = cluster.tree[EULER, body], angles_of_rotation(s.x.shape[0])
    if t >= 0:
        U, V, W = attached(s.R[body], cluster.arms[cut], end)
        A, B, C = rotation_derivatives(s.axes[body], w[t : t + turns], U, V, W, D)
        P[0, 0], P[0, 1], P[0, 2] = P[0, 0] + U, P[0, 1] + V, P[0, 2] + W
        P[2, 0], P[2, 1], P[2, 2] = P[2, 0] + A, P[2, 1] + B, P[2, 2] + C
        for k in range(3):
            for n in range(turns):
                P[1, k] += w[t + n] * D[n, k]


@kernel
def _gradient(cluster: Cluster, s: Scratch, body: int, D: Floats, n: Floats, scale: float, column: Floats) -> None:
    """Add scale n · ∂(end)/∂q to a column: the path from the body to its root."""
    tree = cluster.tree
    if not math.isfinite(cluster.mass[body]):
        return
    while body >= 0:
        t = tree[EULER, body]
        for a in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
            total = s.d[a, 0] * n[0] + s.d[a, 1] * n[1] + s.d[a, 2] * n[2]
            if a >= t >= 0:
                total += D[a - t, 0] * n[0] + D[a - t, 1] * n[1] + D[a - t, 2] * n[2]
            column[a] += scale * total
        D, body = s.du[body], tree[ABOVE, body]


@kernel
def _direction(axis: int, tail: Floats, head: Floats, n: Floats) -> float:
    """Direction n in which a row holds the ends: an axis, or that of the link; returns the centripetal acceleration."""
    square, rate = 0.0, 0.0
    for k in range(3):
        n[k] = 1.0 if k == axis else 0.0 if axis >= 0 else head[0, k] - tail[0, k]
        square += n[k] * n[k]
        rate += (head[1, k] - tail[1, k]) ** 2
    if axis >= 0:
        return 0.0
    length = math.sqrt(square)
    for k in range(3):
        n[k] /= length
    return rate / length


@kernel
def close_loops(cluster: Cluster, s: Scratch, w: Floats, gamma: Floats) -> int:
    """Forces γ of the cut links that keep their lengths (34), (35); adds their pull to q̈, returns the redundant."""
    cuts, size, free = cluster.cuts.shape[1], len(w), s.right[0]
    G, S, force, order = np.zeros((cuts, size)), np.empty((cuts, cuts)), np.zeros(cuts), np.arange(cuts)
    tail, head, D, E, n = np.empty((3, 3)), np.empty((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.empty(3)
    for c in range(cuts):
        _end_of_cut(cluster, s, w, c, 0, tail, D)
        _end_of_cut(cluster, s, w, c, 1, head, E)
        force[c] = -_direction(cluster.cuts[AXIS, c], tail, head, n)
        for k in range(3):
            s.units[c, k] = n[k]
            force[c] -= n[k] * (head[2, k] - tail[2, k])
        _gradient(cluster, s, cluster.cuts[HEAD, c], E, n, 1.0, G[c])
        _gradient(cluster, s, cluster.cuts[TAIL, c], D, n, -1.0, G[c])
        for a in range(size):
            s.right[1 + c, a] = G[c, a]
            force[c] -= G[c, a] * free[a]
        solve(cluster.rows, s.H, s.right[1 + c])
    for c in range(cuts):
        force[c] = -force[c]  # G q̈ must change by -S γ
        for e in range(c + 1):
            total = 0.0
            for a in range(size):
                total += G[c, a] * s.right[1 + e, a]
            S[c, e] = S[e, c] = total
    rank = solve_dependent(S, order, force)
    for c in range(cuts):
        gamma[cluster.cuts[FORCE, c]] = force[c]
        for a in range(size):
            free[a] -= force[c] * s.right[1 + c, a]
    return cuts - rank


@kernel
def solve_dependent(S: Floats, order: Ints, b: Floats) -> int:
    """Replace b by a solution of S x = b for S symmetric, not negative, perhaps singular; returns the rank.

    Elimination takes the largest pivot left; rows whose pivot is rounding depend on those before and get x = 0.
    """
    size, rank, largest = len(b), 0, 0.0
    for k in range(size):
        largest = max(largest, S[k, k])
    for k in range(size):
        p = k
        for i in range(k + 1, size):
            if S[i, i] > S[p, p]:
                p = i
        if S[p, p] <= 1e-12 * largest:
            break
        if p != k:
            order[k], order[p], b[k], b[p] = order[p], order[k], b[p], b[k]
            for i in range(size):
                S[k, i], S[p, i] = S[p, i], S[k, i]
            for i in range(size):
                S[i, k], S[i, p] = S[i, p], S[i, k]
        for i in range(k + 1, size):
            scale = S[i, k] / S[k, k]
            for j in range(k + 1, size):
                S[i, j] -= scale * S[k, j]
            b[i] -= scale * b[k]
        rank += 1
    for k in range(size - 1, -1, -1):
        if k >= rank:
            b[k] = 0.0
            continue
        for j in range(k + 1, rank):
            b[k] -= S[k, j] * b[j]
        b[k] /= S[k, k]
    for k in range(size):
        S[0, order[k]] = b[k]
    for k in range(size):
        b[k] = S[0, k]
    return rank
