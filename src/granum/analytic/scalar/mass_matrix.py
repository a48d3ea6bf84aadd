"""The mass matrix by depth with its right-hand side (24)-(31), and its elimination from the leaves, without fill."""

from __future__ import annotations

from granum.analytic.scalar.cluster import (
    ABOVE,
    BEFORE,
    COUNT,
    DEPTH,
    EULER,
    FIRST,
    Cluster,
    Scratch,
    angles_of_rotation,
)
from granum.analytic.scalar.kinematics import cross, kinematics, rotated, unrotated
from granum.base.kernels import Floats, Ints, kernel


@kernel
def sum_inward(cluster: Cluster, s: Scratch) -> None:
    """Add to each body what lies beyond it: P times outer."""
    for n in range(len(cluster.outward) - 1, -1, -1):
        body = cluster.outward[n]
        near = cluster.tree[ABOVE, body]
        if near >= 0:
            for k in range(3):
                s.outer[near, k] += s.outer[body, k]


@kernel
def assemble(cluster: Cluster, s: Scratch, w: Floats) -> None:
    """Mass matrix by depth, and Q less the velocity terms into the first right-hand side (24)-(31)."""
    tree, above, depth, right, d, H = cluster.tree, cluster.rows[BEFORE], cluster.rows[DEPTH], s.right[0], s.d, s.H
    rigid, turns = False, angles_of_rotation(s.x.shape[0])
    for body in cluster.outward:
        s.beyond[body] = cluster.mass[body]
        s.outer[body, 2] = 0.0
        for k in range(s.f.shape[0]):
            s.outer[body, k] = s.f[k, body] - cluster.mass[body] * s.bias[body, k]
    for n in range(len(cluster.outward) - 1, -1, -1):
        body = cluster.outward[n]
        if tree[ABOVE, body] >= 0:
            s.beyond[tree[ABOVE, body]] += s.beyond[body]
    sum_inward(cluster, s)
    for body in cluster.outward:
        mass, X, Y, Z = s.beyond[body], s.outer[body, 0], s.outer[body, 1], s.outer[body, 2]
        for a in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
            s.moment[a, 0], s.moment[a, 1], s.moment[a, 2] = mass * d[a, 0], mass * d[a, 1], mass * d[a, 2]
            right[a] = d[a, 0] * X + d[a, 1] * Y + d[a, 2] * Z
        near = tree[ABOVE, body]
        if near >= 0 and tree[EULER, near] >= 0:
            for k in range(turns):
                a, U, V, W = tree[EULER, near] + k, s.du[body, k, 0], s.du[body, k, 1], s.du[body, k, 2]
                s.moment[a, 0] += mass * U
                s.moment[a, 1] += mass * V
                s.moment[a, 2] += mass * W
                right[a] += U * X + V * Y + W * Z
    for b in range(len(above)):
        X, Y, Z, a = s.moment[b, 0], s.moment[b, 1], s.moment[b, 2], b
        while a >= 0:
            H[b, depth[a]] = d[a, 0] * X + d[a, 1] * Y + d[a, 2] * Z
            a = above[a]
    for body in cluster.outward:
        near = tree[ABOVE, body]
        if near >= 0 and tree[EULER, near] >= 0:
            _add_sphere(s, tree[EULER, near], turns, depth, body)
        if tree[EULER, body] >= 0:
            _add_rotation(cluster, s, tree[EULER, body], body, w)
            rigid = True
    if rigid:
        _add_spheres_above(cluster, s)


@kernel
def _add_spheres_above(cluster: Cluster, s: Scratch) -> None:
    """Terms of u on the path of each body with the coordinates of the body."""
    tree, turns = cluster.tree, angles_of_rotation(s.x.shape[0])
    for body in cluster.outward:
        below, near = body, tree[ABOVE, body]
        while near >= 0:
            t, D = tree[EULER, near], s.du[below]
            if t >= 0:
                for b in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
                    X, Y, Z = s.moment[b, 0], s.moment[b, 1], s.moment[b, 2]
                    for k in range(turns):
                        s.H[b, cluster.rows[DEPTH, t + k]] += D[k, 0] * X + D[k, 1] * Y + D[k, 2] * Z
            below, near = near, tree[ABOVE, near]


@kernel
def _add_sphere(s: Scratch, t: int, turns: int, depth: Ints, child: int) -> None:
    """Terms of u_child with itself and with e in the block of the Euler angles of the parent."""
    mass, D = s.beyond[child], s.du[child]
    for b in range(turns):
        for a in range(b + 1):
            total = 0.0
            for k in range(3):
                total += D[a, k] * (s.d[t + b, k] + D[b, k])
            s.H[t + b, depth[t + a]] += mass * total


@kernel
def _add_rotation(cluster: Cluster, s: Scratch, t: int, body: int, w: Floats) -> None:
    """Self-rotation: ∂ωᵀ/∂q̇_a (J ω̇ + ω × J ω) in body axes (3)-(5), and that of the moment (6); R gives ω of (4)."""
    J, R, axes, depth, W = cluster.inertia[body], s.R[body], s.axes[body], cluster.rows[DEPTH], s.by_rate[body]
    turns, moment = angles_of_rotation(s.x.shape[0]), cluster.moment[body]
    psi, theta, phi = w[t], 0.0, 0.0
    if turns == 3:
        theta, phi = w[t + 1], w[t + 2]
    for a in range(turns):
        W[a, 0], W[a, 1], W[a, 2] = unrotated(R, axes[a, 0], axes[a, 1], axes[a, 2])
    # ω̇ at q̈ = 0: each axis is rotated by the angles before it
    A, B, C = cross(W[0], theta * W[1, 0] + phi * W[2, 0], theta * W[1, 1] + phi * W[2, 1],
                     theta * W[1, 2] + phi * W[2, 2])
    D, E, F = cross(W[1], phi * W[2, 0], phi * W[2, 1], phi * W[2, 2])
    A, B, C = rotated(J, psi * A + theta * D, psi * B + theta * E, psi * C + theta * F)
    X = psi * W[0, 0] + theta * W[1, 0] + phi * W[2, 0]
    Y = psi * W[0, 1] + theta * W[1, 1] + phi * W[2, 1]
    Z = psi * W[0, 2] + theta * W[1, 2] + phi * W[2, 2]
    D, E, F = rotated(J, X, Y, Z)
    A, B, C = A + Y * F - Z * E, B + Z * D - X * F, C + X * E - Y * D
    for b in range(turns):
        s.right[0, t + b] += axes[b, 0] * moment[0] + axes[b, 1] * moment[1] + axes[b, 2] * moment[2]
        s.right[0, t + b] -= W[b, 0] * A + W[b, 1] * B + W[b, 2] * C
        D, E, F = rotated(J, W[b, 0], W[b, 1], W[b, 2])
        for a in range(b + 1):
            s.H[t + b, depth[t + a]] += W[a, 0] * D + W[a, 1] * E + W[a, 2] * F


@kernel
def mass_matrix(cluster: Cluster, s: Scratch, q: Floats, w: Floats, M: Floats) -> None:
    """M(q), dense; for inspection, not for solving."""
    kinematics(cluster, s, q, w)
    assemble(cluster, s, w)
    M[:, :] = 0.0
    for b in range(len(q)):
        a = b
        while a >= 0:
            M[a, b] = M[b, a] = s.H[b, cluster.rows[DEPTH, a]]
            a = cluster.rows[BEFORE, a]


@kernel
def factor(rows: Ints, H: Floats) -> None:
    """M = Lᵀ D L from the leaves to the roots, in place: no fill, D on the diagonal."""
    above, depth = rows[BEFORE], rows[DEPTH]
    for k in range(len(above) - 1, -1, -1):
        row, inverse, i = H[k], 1.0 / H[k, depth[k]], above[k]
        while i >= 0:
            n = depth[i]
            scale, target = row[n] * inverse, H[i]
            for j in range(n + 1):
                target[j] -= scale * row[j]
            row[n] = scale
            i = above[i]


@kernel
def solve(rows: Ints, H: Floats, b: Floats) -> None:
    """Replace b by M⁻¹ b with the factors of M."""
    above, depth = rows[BEFORE], rows[DEPTH]
    for k in range(len(above) - 1, -1, -1):
        i, value = above[k], b[k]
        while i >= 0:
            b[i] -= H[k, depth[i]] * value
            i = above[i]
    for k in range(len(above)):
        total, i = b[k] / H[k, depth[k]], above[k]
        while i >= 0:
            total -= H[k, depth[i]] * b[i]
            i = above[i]
        b[k] = total
