"""Charts that keep away from the poles sin β = 0 and sin θ = 0, and the coordinates of a state in them."""

from __future__ import annotations

import math

import numpy as np

from granum.analytic.scalar.cluster import (
    ANGLES,
    DIRECTION,
    EULER,
    FIRST,
    ORIENTATION,
    PARENT,
    Cluster,
    Scratch,
)
from granum.analytic.scalar.kinematics import attached, cross, kinematics
from granum.base.kernels import Floats, kernel


@kernel
def _connect(cluster: Cluster, s: Scratch, body: int, c: Floats, rate: Floats) -> None:
    """The connecting vector c of a body and its rate, from positions, orientations and their rates in scratch."""
    near = cluster.tree[PARENT, body]
    for k in range(s.x.shape[0]):
        c[k], rate[k] = s.x[k, body] - s.x[k, near], s.v[k, body] - s.v[k, near]
    if cluster.tree[EULER, near] >= 0:
        U, V, W = attached(s.R[near], cluster.u, body)
        A, B, C = cross(s.omega[near], U, V, W)
        c[0], c[1], c[2], rate[0], rate[1], rate[2] = (c[0] - U, c[1] - V, c[2] - W, rate[0] - A, rate[1] - B,
                                                       rate[2] - C)
    if cluster.tree[EULER, body] >= 0:
        U, V, W = attached(s.R[body], cluster.e, body)
        A, B, C = cross(s.omega[body], U, V, W)
        c[0], c[1], c[2], rate[0], rate[1], rate[2] = (c[0] - U, c[1] - V, c[2] - W, rate[0] - A, rate[1] - B,
                                                       rate[2] - C)


@kernel
def choose_charts(cluster: Cluster, s: Scratch) -> None:
    """For x and R in scratch the charts whose polar axes are nearest to a right angle; the first of equals."""
    c, rate = np.zeros(3), np.zeros(3)
    for body in cluster.outward:
        if cluster.tree[ANGLES, body] == 2:
            _connect(cluster, s, body, c, rate)
            best = 0
            for p in range(1, 3):
                if abs(c[(p + 2) % 3]) < abs(c[(best + 2) % 3]):
                    best = p
            cluster.charts[DIRECTION, body] = best
        if cluster.tree[EULER, body] >= 0 and s.x.shape[0] == 3:
            best = 0
            for p in range(1, 3):
                if abs(s.R[body, 2, (p + 2) % 3]) < abs(s.R[body, 2, (best + 2) % 3]):
                    best = p
            cluster.charts[ORIENTATION, body] = best


@kernel
def coordinates(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Coordinates and rates in the charts as they are, from x, v, R and ω in scratch."""
    tree, c, V = cluster.tree, np.zeros(3), np.zeros(3)
    for body in cluster.outward:
        a, t = tree[FIRST, body], tree[EULER, body]
        if tree[PARENT, body] < 0:
            for k in range(s.x.shape[0]):
                q[a + k], w[a + k] = s.x[k, body], s.v[k, body]
        elif tree[ANGLES, body] > 0:
            _connect(cluster, s, body, c, V)
            p = cluster.charts[DIRECTION, body]
            i, j, k = p, (p + 1) % 3, (p + 2) % 3
            flat = math.hypot(c[i], c[j])
            q[a] = math.atan2(c[j], c[i])
            w[a] = (c[i] * V[j] - c[j] * V[i]) / (flat * flat)
            if tree[ANGLES, body] == 2:
                q[a + 1] = math.atan2(flat, c[k])
                outward = (c[i] * V[i] + c[j] * V[j]) / flat
                w[a + 1] = (c[k] * outward - flat * V[k]) / (flat * flat + c[k] * c[k])
        if t >= 0 and s.x.shape[0] == 2:
            q[t], w[t] = math.atan2(s.R[body, 1, 0], s.R[body, 0, 0]), s.omega[body, 2]
        elif t >= 0:
            R, omega, p = s.R[body], s.omega[body], cluster.charts[ORIENTATION, body]
            i, j, k = p, (p + 1) % 3, (p + 2) % 3
            flat = math.hypot(R[2, i], R[2, j])
            q[t], q[t + 1] = math.atan2(R[0, k], -R[1, k]), math.atan2(flat, R[2, k])
            q[t + 2] = math.atan2(R[2, i], R[2, j])
            w[t + 1] = omega[0] * math.cos(q[t]) + omega[1] * math.sin(q[t])
            # across both the line of nodes and the body's polar axis: only ψ̇ sin θ rotates there
            along = omega[0] * R[0, k] + omega[1] * R[1, k] + omega[2] * R[2, k]
            w[t] = (omega[2] - along * R[2, k]) / (flat * flat)
            w[t + 2] = along - w[t] * R[2, k]


@kernel
def rechart(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Go to the best charts: (q, q̇) in the old ones are replaced by those in the new."""
    kinematics(cluster, s, q, w)
    choose_charts(cluster, s)
    coordinates(cluster, s, q, w)


@kernel
def near_pole(cluster: Cluster, q: Floats, least: float) -> bool:
    """Is any sin² β or sin² θ smaller than `least`?"""
    for body in cluster.outward:
        if cluster.tree[ANGLES, body] == 2 and math.sin(q[cluster.tree[FIRST, body] + 1]) ** 2 < least:
            return True
        euler = cluster.tree[EULER, body]
        if cluster.force.shape[0] == 3 and euler >= 0 and math.sin(q[euler + 1]) ** 2 < least:
            return True
    return False
