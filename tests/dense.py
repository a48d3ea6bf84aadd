"""Newton's law of a linked system, written densely and without any part of Granum's solvers: the other side.

A link v from body i to j with unit vector n has the row J_v = (..., -n at i, ..., +n at j, ...), the gradient
of its length. Tension γ pulls its ends together, so M a = f - Jᵀγ, and twice differentiated lengths demand
J a = -|v_rel|²/l. Eliminating a gives H γ = b with H = J W Jᵀ, W = M⁻¹, b = J W f + |v_rel|²/l.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import granum as gr
from granum.assembly.points import PointState, PointSystem, compile_points
from granum.base.kernels import Floats


def rank(matrix: Floats) -> int:
    """Number of singular values that are not rounding."""
    return int(np.linalg.matrix_rank(matrix, tol=1e-8)) if matrix.size else 0


@dataclass(frozen=True)
class Dense:
    """Matrices of one scene at its start; coordinates are all x, all y (, all z) of the bodies."""

    system: PointSystem
    state: PointState
    J: Floats
    W: Floats
    H: Floats
    f: Floats
    b: Floats

    @property
    def rank(self) -> int:
        """Rank of H: links that restrain something of their own."""
        return rank(self.J @ np.sqrt(self.W))

    @property
    def can_move(self) -> bool:
        """Is there an acceleration that all links allow? Links in one line may demand different ones."""
        return bool(np.linalg.norm(self.H @ self.forces() - self.b) <= 1e-9 * (1.0 + np.linalg.norm(self.b)))

    def forces(self) -> Floats:
        """Link forces of least norm [N]."""
        return np.linalg.pinv(self.H, rcond=1e-11, hermitian=True) @ self.b

    def accelerations(self, gamma: Floats) -> Floats:
        """(dimension, bodies) accelerations under the link forces gamma [m/s²]."""
        return (self.W @ (self.f - self.J.T @ gamma)).reshape(self.state.x.shape)


def dense(scene: gr.Scene) -> Dense:
    """The dense matrices of a scene at its start."""
    system, state = compile_points(scene)
    dimension, bodies = state.x.shape
    tail, head = system.links.tail, system.links.head
    arm, rate = state.x[:, head] - state.x[:, tail], state.v[:, head] - state.v[:, tail]
    length = np.linalg.norm(arm, axis=0)
    J = np.zeros((len(tail), dimension, bodies))
    for v in range(len(tail)):
        J[v, :, head[v]] += arm[:, v] / length[v]
        J[v, :, tail[v]] -= arm[:, v] / length[v]
    J = J.reshape(len(tail), dimension * bodies)
    W = np.diag(np.tile(np.where(system.fixed, 0.0, 1.0 / system.bodies.mass), dimension))
    f = _forces(scene, system, state).ravel()
    return Dense(system, state, J, W, J @ W @ J.T, f, J @ W @ f + (rate**2).sum(axis=0) / length)


def _forces(scene: gr.Scene, system: PointSystem, state: PointState) -> Floats:
    """(dimension, bodies): gravity, constant forces, springs with dampers, one by one [N]."""
    slot = {system.body_name(k): k for k in reversed(range(system.body_count))}
    f = np.zeros_like(state.x)
    for load in scene.load.values():
        if isinstance(load, gr.Gravity):
            f += np.outer(load.acceleration, np.where(system.fixed, 0.0, system.bodies.mass))
        elif isinstance(load, gr.Force):
            f[:, slot[load.on]] += load.force
        else:
            i, j = (slot[name] for name in load.between)
            arm, rate = state.x[:, j] - state.x[:, i], state.v[:, j] - state.v[:, i]
            length = np.linalg.norm(arm)
            rest = length if load.rest_length is None else load.rest_length
            pull = load.stiffness * (length - rest) + load.damping * (arm @ rate) / length
            f[:, i] += pull * arm / length
            f[:, j] -= pull * arm / length
    return f
