"""The least change of positions or velocities that takes a violation of the rows away, in the metric of the masses."""

from __future__ import annotations

import numpy as np
import scipy

from granum.base.kernels import Floats
from granum.base.rotations import rotate_quaternion
from granum.rows import tables
from granum.rows.system import RowSystem

NO_DAMPING = 1e-13
"""Damping, relative to the largest mass, that lets rows depend on each other."""


def free_coordinates(system: RowSystem, held: Floats) -> Floats:
    """1 for each velocity (v, ω) that may change; `held` (n, 2) says whether v and ω of each body are held."""
    d = system.dimension
    free: Floats = np.repeat(1.0 - held, [d, 2 * d - 3], axis=1).ravel()
    return free


def nearest(system: RowSystem, value: Floats, free: Floats, used: Floats, damping: float = 0.0,
            metric: scipy.sparse.csr_array | None = None) -> Floats:
    """The change c of free velocities (or positions) with J c = -value for the used rows and the least cᵀM c.

    With damping s it is c = -M⁻¹Jᵀ (J M⁻¹Jᵀ + s/m)⁻¹ value, m the largest mass: the damped step of Levenberg and
    Marquardt, short where rows nearly depend on each other. Another metric takes the place of the masses M.
    """
    keep, rows = np.flatnonzero(free), np.flatnonzero(used)
    full = np.zeros(len(free))
    if not len(keep) or not len(rows):
        return full
    J = system.jacobian()[rows][:, keep]
    M = (system.masses(system.size() ** 2) if metric is None else metric)[keep][:, keep]
    soft = max(damping, NO_DAMPING) / float(M.diagonal().max())
    K = scipy.sparse.block_array([[M, J.T], [J, -soft * scipy.sparse.eye_array(len(rows))]], format="csc")
    factors, change = scipy.sparse.linalg.splu(K), np.zeros(len(keep))
    for _ in range(3 if damping <= NO_DAMPING else 1):  # what the softness leaves is taken away in turn
        right = np.concatenate([np.zeros(len(keep)), -value[rows] - J @ change])
        change += factors.solve(right)[: len(keep)]
    full[keep] = change
    return full


def metric_of_sizes(system: RowSystem) -> scipy.sparse.csr_array:
    """Squared displacements, and squared rotations times the squared reach of a body: how far its joints are from its
    centre. Heavy and light bodies move alike.
    """
    own, reach = system.tables, np.zeros(len(system.bodies) + 1)
    for side in (0, 1):
        arms = np.linalg.norm(own.joints[:, tables.ARM + 3 * side : tables.ARM + 3 * side + 3], axis=1)
        np.maximum.at(reach, own.ends[:, side], arms)
    reach[reach == 0.0] = system.size()  # what joints hold at its centre alone
    d = system.dimension
    weights = np.repeat(np.column_stack([np.ones(len(system.bodies)), reach[:-1] ** 2]), [d, 2 * d - 3], axis=1)
    return scipy.sparse.diags_array(weights.ravel(), format="csr")


def shift(system: RowSystem, y: Floats, change: Floats) -> None:
    """Move and rotate the bodies of a state by a small change of their positions and orientations."""
    for body, step in zip(system.bodies, change.reshape(len(system.bodies), -1), strict=True):
        own = system.own(y, body)
        own[:3] += step[:3]  # in 2-D the third is the angle
        if system.dimension == 3:
            rotate_quaternion(own[3:7], step[3:])
    system.configure(y)


def push(system: RowSystem, y: Floats, change: Floats) -> None:
    """Change the velocities of a state."""
    for body, step in zip(system.bodies, change.reshape(len(system.bodies), -1), strict=True):
        own = system.own(y, body)
        if system.dimension == 2:
            own[3:6] += step[0], step[1], step[2] * body.inertia[2, 2]
        else:
            R = system.tables.bodies.rotation(body.index)
            own[7:10] += step[:3]
            own[10:13] += R @ body.inertia @ R.T @ step[3:]
    system.configure(y)
