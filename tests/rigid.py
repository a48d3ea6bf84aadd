"""Rigid bodies by rotation matrices, joined by rods and ball joints: the other side of `scalar`.

Unknowns are the accelerations of all mass centres, all angular accelerations (inertial axes) and one force per rod
(three per ball joint), from one dense system: Newton and Euler for each body, and each joint differentiated twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.base.kernels import Floats


def skew(p: Floats) -> Floats:
    """The matrix of p × ."""
    return np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])


@dataclass(frozen=True)
class Joint:
    """Joins point p of body i (-1: the ground) to point q of body j, in their axes, by a rod, or in one point."""

    i: int
    j: int
    p: Floats
    q: Floats
    ball: bool = False


@dataclass(frozen=True)
class Motion:
    """Positions, orientations and velocities of all bodies; one row per body."""

    x: Floats
    R: Floats
    v: Floats
    omega: Floats


def accelerations(
    mass: Floats, inertia: Floats, joints: list[Joint], motion: Motion, force: Floats
) -> tuple[Floats, Floats, list[Floats]]:
    """(bodies, 3) accelerations and angular accelerations, and the force of each joint (tension positive for a rod)."""
    n = len(mass)
    K = np.zeros((6 * n, 6 * n))
    right = np.zeros(6 * n)
    for b in range(n):
        tensor = motion.R[b] @ inertia[b] @ motion.R[b].T
        K[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = mass[b] * np.eye(3)
        # a point has no equation of rotation: any positive matrix keeps its angular acceleration at zero
        K[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = tensor if inertia[b].any() else np.eye(3)
        right[6 * b : 6 * b + 3] = force[b]
        right[6 * b + 3 : 6 * b + 6] = -np.cross(motion.omega[b], tensor @ motion.omega[b])
    rows, targets = [], []
    for joint in joints:
        J, demand = _constraint(joint, motion, n)
        rows.append(J)
        targets.append(demand)
    J = np.vstack(rows)
    m = len(J)
    matrix = np.block([[K, J.T], [J, np.zeros((m, m))]])
    found = np.linalg.lstsq(matrix, np.concatenate([right, *targets]), rcond=1e-14)[0]
    moving, forces, at = found[: 6 * n].reshape(n, 2, 3), [], 6 * n
    for demand in targets:
        forces.append(found[at : at + len(demand)])
        at += len(demand)
    return moving[:, 0], moving[:, 1], forces


def _constraint(joint: Joint, motion: Motion, n: int) -> tuple[Floats, Floats]:
    """J and b of J (a, ω̇) = b."""
    d, rate, bias, D = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((3, 6 * n))
    for body, arm, sign in ((joint.j, joint.q, 1.0), (joint.i, joint.p, -1.0)):
        if body < 0:
            d += sign * arm
            continue
        P, omega = motion.R[body] @ arm, motion.omega[body]
        d += sign * (motion.x[body] + P)
        rate += sign * (motion.v[body] + np.cross(omega, P))
        bias += sign * np.cross(omega, np.cross(omega, P))
        D[:, 6 * body : 6 * body + 3] += sign * np.eye(3)
        D[:, 6 * body + 3 : 6 * body + 6] -= sign * skew(P)
    if joint.ball:
        return D, -bias
    length = np.linalg.norm(d)
    return (d / length @ D)[None], np.array([-(rate @ rate) / length - d @ bias / length])
