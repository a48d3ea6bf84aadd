"""Orientation of bodies that no coordinate tells while a system of formulas runs.

R(q) of a parametrised body tells it, or the pose that follows from chosen coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from granum.algebra.expression import ONE, ZERO
from granum.analytic.expressed import System
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of
from granum.rows.symbolic import Pose

_UPRIGHT = tuple(tuple(ONE if i == k else ZERO for k in range(3)) for i in range(3))
"""The rotation of a body that only slides."""


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
        self._counted = np.array([poses[name].angle is ZERO for name in names])
        """In 2-D: bodies without an angle of their own, whose full turns are counted."""
        rotations = [poses[name].rotation or _UPRIGHT for name in names]
        self._program = system.compile([
            *(entry for rotation in rotations for row in rotation for entry in row),
            *(w for name in names for w in poses[name].angular_velocity), *(poses[name].angle for name in names)])
        self.last: Orientation | None = None
        """The look that full turns are counted from."""

    def at(self, t: float, q: Floats, v: Floats) -> Orientation:
        """The orientation in a state that follows the last one by less than half a turn beyond ½ (ω + ω') Δt."""
        n = len(self.names)
        out = self._program(t, np.concatenate([q, v]), self._system.parameter_values)
        R, w, own = out[: 9 * n].reshape(n, 3, 3), out[9 * n : 12 * n].reshape(n, 3), out[12 * n :, None]
        if not self._planar:
            u = np.array([quaternion_of(one) for one in R]).reshape(n, 4)
            if self.last is not None:
                u[np.einsum("ij,ij->i", u, self.last.orientation) < 0.0] *= -1.0
            return Orientation(t, u, w.copy())
        angle, rate = np.arctan2(R[:, 1, 0], R[:, 0, 0])[:, None], w[:, 2:].copy()
        if self.last is not None:
            expected = self.last.orientation + 0.5 * (self.last.angular_velocity + rate) * (t - self.last.t)
            angle = angle + 2.0 * np.pi * np.round((expected - angle) / (2.0 * np.pi))
        return Orientation(t, np.where(self._counted[:, None], angle, own), rate)
