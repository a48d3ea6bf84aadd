"""Bodies as the builder of formulas sees them: where they are and how they are turned, in the plane and in space."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, number
from granum.algebra.expression import ONE, ZERO, function
from granum.algebra.vectors import Matrix, Vector, quaternion_rotation, turned, vector
from granum.analytic.wrenches import body_force, generalised_force
from granum.base.kernels import Floats


@dataclass
class Place:
    """A body as the builder sees it."""

    name: str
    position: Vector
    rotation: Matrix | None = None
    orientation: tuple[Expression, ...] = ()
    """Coordinates that turn it: a quaternion, or in the plane an angle; none for a point."""
    turning: Vector = (ZERO, ZERO, ZERO)
    """Angular velocity in inertial axes."""
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    start: Floats = field(default_factory=lambda: np.zeros(3))
    turned: Floats = field(default_factory=lambda: np.eye(3))
    """Rotation at the start."""
    angle: float = 0.0
    """Angle at the start, in the plane [rad]."""
    known: bool = False
    """Does the scene say where it is at the start?"""
    fixed: bool = False
    """Is it a fixed point?"""

    @property
    def phi(self) -> Expression:
        """Angle since the start, in the plane; what does not turn has none."""
        return self.orientation[0] - self.angle if self.orientation else ZERO

    def carried(self, direction: Floats) -> Vector:
        """A direction given in inertial axes at the start, carried along by the body (or standing still)."""
        if self.rotation is None:
            return vector(tuple(direction))
        return turned(self.rotation, vector(tuple(self.turned.T @ direction)))

    def moment(self, rows: Sequence[Expression], chosen: Iterable[int], constraint: str) -> Vector:
        """Torque on the body of some rows of a constraint, in inertial axes."""
        if len(self.orientation) == 1:
            return ZERO, ZERO, generalised_force(rows, chosen, constraint, [self.orientation[0].name])[0]
        return body_force(rows, chosen, constraint, self.orientation)[1]


class End(NamedTuple):
    """A point of a body that something is attached to."""

    name: str
    """As the scene names it."""
    place: Place
    position: Vector
    start: Floats
    """Position at the start [m]."""


def rotation_of(quaternion: Sequence[float]) -> Floats:
    """S(u) as numbers (001 eq 23)."""
    rows = quaternion_rotation([number(c) for c in quaternion])
    return np.array([[entry.value for entry in row] for row in rows])


def rotation_by(angle: float) -> Floats:
    """Rotation about z as numbers."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def plane_rotation(phi: Expression) -> Matrix:
    """Rotation about z by an angle."""
    c, s = function("cos", phi), function("sin", phi)
    return (c, -s, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE)


def three(values: Sequence[float]) -> Floats:
    """Components with zeros for those that are left out."""
    full = np.zeros(3)
    full[: len(values)] = values
    return full


def quaternion_rates(quaternion: Sequence[float], w: Sequence[float]) -> list[float]:
    """u̇ = ½ ω u of an angular velocity in inertial axes [rad/s]."""
    a, v = quaternion[0], np.array(quaternion[1:])
    return [-0.5 * float(np.dot(w, v)), *(0.5 * (a * np.array(w) + np.cross(w, v))).tolist()]
