"""Orientation of parametrised bodies while a system of formulas runs: no coordinate tells it, R(q) does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from granum.analytic.expressed import System
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of
from granum.rows.symbolic import Pose


class Orientation(NamedTuple):
    """How bodies are rotated at a time."""

    t: float
    orientation: Floats
    """(bodies, 1) angles, full turns counted [rad], or (bodies, 4) quaternions, without jumps of the sign."""
    angular_velocity: Floats
    """(bodies, 1) or (bodies, 3) [rad/s]."""


class Orientations:
    """Follows the rotation matrices of bodies from one look to the next."""

    def __init__(self, system: System, poses: Mapping[str, Pose], names: Sequence[str], dimension: int) -> None:
        self.names = list(names)
        self._system, self._planar = system, dimension == 2
        self.width = 1 if self._planar else 4
        rotations = [poses[name].rotation or () for name in names]
        self._program = system.compile([
            *(entry for rotation in rotations for row in rotation for entry in row),
            *(w for name in names for w in poses[name].angular_velocity)])
        self.last: Orientation | None = None
        """The look that full turns are counted from."""

    def at(self, t: float, q: Floats, v: Floats) -> Orientation:
        """The orientation in a state that follows the last one by less than half a turn beyond ½ (ω + ω') Δt."""
        n = len(self.names)
        out = self._program(t, np.concatenate([q, v]), self._system.parameter_values)
        R, w = out[: 9 * n].reshape(n, 3, 3), out[9 * n :].reshape(n, 3)
        if not self._planar:
            u = np.array([quaternion_of(one) for one in R]).reshape(n, 4)
            if self.last is not None:
                u[np.einsum("ij,ij->i", u, self.last.orientation) < 0.0] *= -1.0
            return Orientation(t, u, w.copy())
        angle, rate = np.arctan2(R[:, 1, 0], R[:, 0, 0])[:, None], w[:, 2:].copy()
        if self.last is not None:
            expected = self.last.orientation + 0.5 * (self.last.angular_velocity + rate) * (t - self.last.t)
            angle = angle + 2.0 * np.pi * np.round((expected - angle) / (2.0 * np.pi))
        return Orientation(t, angle, rate)
