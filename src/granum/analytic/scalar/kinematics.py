"""Positions, velocities, their derivatives by the coordinates and accelerations at q̈ = 0, along the paths."""

from __future__ import annotations

import math

from granum.analytic.scalar.cluster import (
    ANGLES,
    COUNT,
    DIRECTION,
    EULER,
    FIRST,
    ORIENTATION,
    PARENT,
    Cluster,
    Scratch,
    angles_of_rotation,
)
from granum.base.kernels import Floats, kernel


@kernel
def cross(a: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """The vector product a × (X, Y, Z)."""
    return a[1] * Z - a[2] * Y, a[2] * X - a[0] * Z, a[0] * Y - a[1] * X


@kernel
def rotated(R: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """R (X, Y, Z)."""
    return (R[0, 0] * X + R[0, 1] * Y + R[0, 2] * Z, R[1, 0] * X + R[1, 1] * Y + R[1, 2] * Z,
            R[2, 0] * X + R[2, 1] * Y + R[2, 2] * Z)


@kernel
def unrotated(R: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """Rᵀ (X, Y, Z)."""
    return (R[0, 0] * X + R[1, 0] * Y + R[2, 0] * Z, R[0, 1] * X + R[1, 1] * Y + R[2, 1] * Z,
            R[0, 2] * X + R[1, 2] * Y + R[2, 2] * Z)


@kernel
def attached(R: Floats, arms: Floats, k: int) -> tuple[float, float, float]:
    """R times row k of body-fixed vectors."""
    return rotated(R, arms[k, 0], arms[k, 1], arms[k, 2])


@kernel
def rotation_derivatives(
    axes: Floats, w: Floats, X: float, Y: float, Z: float, D: Floats,
) -> tuple[float, float, float]:
    """Derivatives of a body-fixed vector by ψ, θ, φ into D; returns its second derivatives times rates (16), (17).

    Each angle rotates what the later angles have oriented: ∂p/∂a = a × p, ∂²p/∂a∂b = a × (b × p) for a before b. There
    are as many angles as rates `w`: one in 2-D.
    """
    for k in range(len(w)):
        D[k, 0], D[k, 1], D[k, 2] = cross(axes[k], X, Y, Z)
    A, B, C = 0.0, 0.0, 0.0
    for k in range(len(w)):
        P, Q, S = w[k] * D[k, 0], w[k] * D[k, 1], w[k] * D[k, 2]
        for later in range(k + 1, len(w)):
            P += 2.0 * w[later] * D[later, 0]
            Q += 2.0 * w[later] * D[later, 1]
            S += 2.0 * w[later] * D[later, 2]
        P, Q, S = cross(axes[k], P, Q, S)
        A, B, C = A + w[k] * P, B + w[k] * Q, C + w[k] * S
    return A, B, C


@kernel
def _orient(chart: int, q: Floats, w: Floats, R: Floats, axes: Floats, omega: Floats) -> None:
    """Body axes, axes of the Euler angles and angular velocity from ψ, θ, φ (z-x-z) and their rates."""
    cp, sp, ct, st, cf, sf = (math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1]), math.cos(q[2]),
                              math.sin(q[2]))
    i, j, k = chart, (chart + 1) % 3, (chart + 2) % 3
    R[0, i], R[0, j], R[0, k] = cp * cf - sp * ct * sf, -cp * sf - sp * ct * cf, sp * st
    R[1, i], R[1, j], R[1, k] = sp * cf + cp * ct * sf, -sp * sf + cp * ct * cf, -cp * st
    R[2, i], R[2, j], R[2, k] = st * sf, st * cf, ct
    axes[0, 0], axes[0, 1], axes[0, 2] = 0.0, 0.0, 1.0
    axes[1, 0], axes[1, 1], axes[1, 2] = cp, sp, 0.0
    axes[2, 0], axes[2, 1], axes[2, 2] = sp * st, -cp * st, ct
    for m in range(3):
        omega[m] = w[0] * axes[0, m] + w[1] * axes[1, m] + w[2] * axes[2, m]


@kernel
def _orient_flat(angle: float, rate: float, R: Floats, axes: Floats, omega: Floats) -> None:
    """The same in 2-D, where the one angle rotates the body about z."""
    cosine, sine = math.cos(angle), math.sin(angle)
    R[0, 0], R[0, 1], R[1, 0], R[1, 1] = cosine, -sine, sine, cosine
    axes[0, 2], omega[2] = 1.0, rate


@kernel
def _connecting_vector(cluster: Cluster, s: Scratch, q: Floats, w: Floats, body: int) -> tuple[float, float, float]:
    """The vector c (37) and its derivatives by α, β; returns its second derivatives times rates (47)."""
    a, chart, length, c, d = cluster.tree[FIRST, body], cluster.charts[DIRECTION, body], cluster.length[body], s.c, s.d
    ca, sa, cb, sb, wa, wb = math.cos(q[a]), math.sin(q[a]), 0.0, 1.0, w[a], 0.0
    i, j, k = chart, (chart + 1) % 3, (chart + 2) % 3
    if cluster.tree[ANGLES, body] == 2:
        cb, sb, wb = math.cos(q[a + 1]), math.sin(q[a + 1]), w[a + 1]
        d[a + 1, i], d[a + 1, j], d[a + 1, k] = length * cb * ca, length * cb * sa, -length * sb
    X, Y, Z = length * sb * ca, length * sb * sa, length * cb
    c[body, i], c[body, j], c[body, k] = X, Y, Z
    d[a, i], d[a, j], d[a, k] = -Y, X, 0.0
    inward, coriolis = wa * wa + wb * wb, 2.0 * wa * wb * length * cb
    X, Y, Z = -inward * X - coriolis * sa, -inward * Y + coriolis * ca, -wb * wb * Z
    if chart == 0:
        return X, Y, Z
    return (Z, X, Y) if chart == 1 else (Y, Z, X)


@kernel
def kinematics(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Positions, velocities, first derivatives and accelerations at q̈ = 0 along the paths (7)-(17)."""
    tree, dimension = cluster.tree, s.x.shape[0]
    turns = angles_of_rotation(dimension)
    for body in cluster.outward:
        near, c, euler = tree[PARENT, body], tree[FIRST, body], tree[EULER, body]
        x, y, z, X, Y, Z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # (x, y, z) of the body, (X, Y, Z) at q̈ = 0
        if near >= 0:
            x, y, X, Y, Z = s.x[0, near], s.x[1, near], s.bias[near, 0], s.bias[near, 1], s.bias[near, 2]
            if dimension == 3:
                z = s.x[2, near]
            if tree[EULER, near] >= 0:
                t = tree[EULER, near]
                U, V, W = attached(s.R[near], cluster.u, body)
                A, B, C = rotation_derivatives(s.axes[near], w[t : t + turns], U, V, W, s.du[body])
                x, y, z, X, Y, Z = x + U, y + V, z + W, X + A, Y + B, Z + C
            if tree[ANGLES, body] > 0:
                A, B, C = _connecting_vector(cluster, s, q, w, body)
                x, y, z = x + s.c[body, 0], y + s.c[body, 1], z + s.c[body, 2]
                X, Y, Z = X + A, Y + B, Z + C
        else:
            x, y = q[c], q[c + 1]
            if dimension == 3:
                z = q[c + 2]
        if euler >= 0:
            if dimension == 3:
                _orient(cluster.charts[ORIENTATION, body], q[euler:], w[euler:], s.R[body], s.axes[body], s.omega[body])
            else:
                _orient_flat(q[euler], w[euler], s.R[body], s.axes[body], s.omega[body])
            U, V, W = 0.0, 0.0, 0.0
            if near >= 0:
                U, V, W = attached(s.R[body], cluster.e, body)
            A, B, C = rotation_derivatives(s.axes[body], w[euler : euler + turns], U, V, W, s.d[euler:])
            x, y, z, X, Y, Z = x + U, y + V, z + W, X + A, Y + B, Z + C
        s.x[0, body], s.x[1, body] = x, y
        if dimension == 3:
            s.x[2, body] = z
        s.bias[body, 0], s.bias[body, 1], s.bias[body, 2] = X, Y, Z
        along_path(cluster, s, body, w, s.v)


@kernel
def along_path(cluster: Cluster, s: Scratch, body: int, rate: Floats, result: Floats) -> None:
    """Σ_a ∂r/∂q_a rate_a of a body from that of its parent: velocity for q̇, acceleration less bias for q̈."""
    tree = cluster.tree
    near, first, turns = tree[PARENT, body], tree[FIRST, body], angles_of_rotation(result.shape[0])
    for k in range(result.shape[0]):
        total = 0.0
        if near >= 0:
            total = result[k, near]
            t = tree[EULER, near]
            if t >= 0:
                for n in range(turns):
                    total += rate[t + n] * s.du[body, n, k]
        for a in range(first, first + tree[COUNT, body]):
            total += rate[a] * s.d[a, k]
        result[k, body] = total
