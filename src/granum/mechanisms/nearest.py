"""The least change of positions or velocities that takes a violation of the rows away, in the metric of the masses."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.rates import call, configuration

NO_DAMPING = 1e-13
"""Damping, relative to the largest mass, that lets rows depend on each other."""


def configured(mechanism: Mechanism, y: Floats, t: float = 0.0) -> None:
    """Bodies and rows of a state into the tables."""
    call(configuration, t, y, y, mechanism.block)


def scene_size(mechanism: Mechanism) -> float:
    """A length of the scene [m]."""
    arms = float(np.abs(mechanism.model.tables.joints[:, :6]).max(initial=0.0))
    return max([1e-3, arms, *(float(np.abs(place.position).max()) for place in mechanism.places
                              if place.position is not None)])


def row_blocks(mechanism: Mechanism) -> sparse.csr_array:
    """J of the state in the tables: rows by velocities (v, ω) of the bodies; in the plane (v_x, v_y, ω)."""
    found = mechanism.model.tables
    n, m, half = len(mechanism.places), len(found.which), 3 if mechanism.dimension == 2 else 6
    ends = found.ends[found.which[:, tables.JOINT]]
    columns = (ends[:, :, None] * half + np.arange(half)).reshape(m, 2 * half)
    values = found.rows[:, tables.J : tables.J + 2 * half]
    inside = columns < n * half
    rows = np.broadcast_to(np.arange(m)[:, None], columns.shape)
    return sparse.csr_array((values[inside], (rows[inside], columns[inside])), shape=(m, n * half))


def masses(mechanism: Mechanism, turning: float = 0.0) -> sparse.csr_array:
    """M of the state in the tables, block by block; `turning` stands for moments of inertia that are not there."""
    found, blocks = mechanism.model.tables.bodies, []
    for place in mechanism.places:
        R = found[place.index, tables.R : tables.R + 9].reshape(3, 3)
        inertia = R @ place.inertia @ R.T
        if not place.turns:
            inertia = inertia + turning * place.mass * np.eye(3)
        elif place.thin:  # about its own axis alone: the other moments count
            axis = R @ np.linalg.eigh(place.inertia)[1][:, 0]
            inertia = inertia + turning * place.mass * np.outer(axis, axis)
        blocks.append(np.diag([place.mass, place.mass, inertia[2, 2]]) if mechanism.dimension == 2
                      else np.block([[place.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]]))
    return sparse.block_diag(blocks, format="csr")


def free_coordinates(mechanism: Mechanism, held: Floats) -> Floats:
    """1 for each velocity (v, ω) that may change; `held` (n, 2) says whether v and ω of each body are held."""
    d = mechanism.dimension
    free: Floats = np.repeat(1.0 - held, [d, 2 * d - 3], axis=1).ravel()
    return free


def nearest(mechanism: Mechanism, value: Floats, free: Floats, used: Floats, damping: float = 0.0) -> Floats:
    """The change c of free velocities (or positions) with J c = -value for the used rows and the least cᵀM c.

    With damping s it is c = -M⁻¹Jᵀ (J M⁻¹Jᵀ + s/m)⁻¹ value, m the largest mass: the damped step of Levenberg and
    Marquardt, short where rows nearly depend on each other.
    """
    keep, rows = np.flatnonzero(free), np.flatnonzero(used)
    full = np.zeros(len(free))
    if not len(keep) or not len(rows):
        return full
    J = row_blocks(mechanism)[rows][:, keep]
    M = masses(mechanism, scene_size(mechanism) ** 2)[keep][:, keep]
    soft = max(damping, NO_DAMPING) / float(M.diagonal().max())
    K = sparse.block_array([[M, J.T], [J, -soft * sparse.eye_array(len(rows))]], format="csc")
    factors, change = splu(K), np.zeros(len(keep))
    for _ in range(3 if damping <= NO_DAMPING else 1):  # what the softness leaves is taken away in turn
        right = np.concatenate([np.zeros(len(keep)), -value[rows] - J @ change])
        change += factors.solve(right)[: len(keep)]
    full[keep] = change
    return full


def shift(mechanism: Mechanism, y: Floats, change: Floats) -> None:
    """Move and turn the bodies of a state by a small change of their positions and orientations."""
    n, planar = len(mechanism.places), mechanism.dimension == 2
    for i, step in enumerate(change.reshape(n, -1)):
        own = y[i * mechanism.stride : (i + 1) * mechanism.stride]
        own[:3] += step[:3]
        if not planar:
            turn(own, step[3:])
    configured(mechanism, y)


def turn(own: Floats, vector: Floats) -> None:
    """Rotate the quaternion of a body of a 3-D state by a rotation vector [rad] in inertial axes."""
    angle = float(np.linalg.norm(vector))
    p, q, r = 0.5 * np.sinc(angle / (2.0 * np.pi)) * vector
    w = np.cos(0.5 * angle)
    a, b, c, d = own[3:7]
    own[3:7] = (w * a - p * b - q * c - r * d, w * b + p * a + q * d - r * c, w * c - p * d + q * a + r * b,
                w * d + p * c - q * b + r * a)
    own[3:7] /= np.linalg.norm(own[3:7])


def push(mechanism: Mechanism, y: Floats, change: Floats) -> None:
    """Change the velocities of a state."""
    found, n, planar = mechanism.model.tables, len(mechanism.places), mechanism.dimension == 2
    for place, step in zip(mechanism.places, change.reshape(n, -1), strict=True):
        own = y[place.index * mechanism.stride : (place.index + 1) * mechanism.stride]
        if planar:
            own[3:6] += step[0], step[1], step[2] * place.inertia[2, 2]
        else:
            R = found.bodies[place.index, tables.R : tables.R + 9].reshape(3, 3)
            own[7:10] += step[:3]
            own[10:13] += R @ place.inertia @ R.T @ step[3:]
    configured(mechanism, y)
