"""Bodies and their points at the start, as joints and loads see them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import IDENTITY, rotation_of
from granum.model.body_entries import MasslessBody

NO_INERTIA = 1e-12
"""A principal moment of inertia below this part of the largest counts as none."""

Kind = Literal["rigid", "point", "massless", "ground"]


@dataclass(eq=False)
class Body:
    """A movable body with its start, or the ground."""

    name: str
    kind: Kind = "ground"
    index: int = -1
    """Row in the tables; -1 for a body that they leave out."""
    entry: Any = None
    """What the scene says about it, if it does."""
    mass: float = math.inf
    inertia: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    """About the mass centre in body axes [kg m²]."""
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Named points in body axes, from the mass centre [m]."""
    position: Floats | None = None
    """At the start [m]; None until it is known."""
    angle: float = 0.0
    """At the start, in 2-D [rad]."""
    quaternion: tuple[float, ...] = IDENTITY
    """At the start, in 3-D."""
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    """At the start [m/s]."""
    angular_velocity: Floats = field(default_factory=lambda: np.zeros(3))
    """At the start, in inertial axes [rad/s]."""
    held: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Do position, orientation, velocity and angular velocity at the start stay while the others are fitted?"""
    given: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Does the scene give them, and not as a guess?"""
    placed: bool = True
    """Is the pose at the start known? That of a parametrised body may follow from constraints."""

    @property
    def rotates(self) -> bool:
        """Has it axes that joints can act on?"""
        return self.kind in ("rigid", "ground")

    @property
    def massless(self) -> bool:
        """Is it a point or a body without mass? Its mass and inertia here are a metric of the initial configuration."""
        return self.kind == "massless" or isinstance(self.entry, MasslessBody)

    @property
    def parametrised(self) -> bool:
        """Do formulas in the coordinates of the system say where it is? In 2-D these have no angle of full turns."""
        return getattr(self.entry, "parametrisation", None) is not None

    @property
    def thin(self) -> bool:
        """Has it an axis without inertia, as a rod without radius?"""
        moments = np.linalg.eigvalsh(self.inertia)
        return self.kind == "rigid" and bool(moments[0] < NO_INERTIA * moments[2])

    @property
    def rotation(self) -> Floats:
        """From body axes to inertial axes at the start."""
        half = 0.5 * self.angle
        return rotation_of((math.cos(half), 0.0, 0.0, math.sin(half)) if half else self.quaternion)

    def carried(self, direction: Floats) -> Floats:
        """A direction given in inertial axes at the start, in the axes of the body."""
        own: Floats = self.rotation.T @ direction
        return own

    def inverse_inertia(self, planar: bool) -> Floats:
        """I⁻¹ in body axes; zero about axes without inertia, which nothing rotates a body about."""
        inverse = np.zeros((3, 3))
        if not self.rotates:
            return inverse
        if planar:
            inverse[2, 2] = 1.0 / self.inertia[2, 2]
            return inverse
        moments, axes = np.linalg.eigh(self.inertia)
        scale = np.array([1.0 / moment if moment > NO_INERTIA * moments[2] else 0.0 for moment in moments])
        product: Floats = (axes * scale) @ axes.T
        return product


class End(NamedTuple):
    """A point of a body that something is attached to."""

    name: str
    """As the scene names it."""
    body: Body
    arm: Floats
    """From the mass centre in body axes; for the ground, its position [m]."""
    radius: float | None = None
    """Of a round body, or part of a clump, about this point [m]."""

    @property
    def reach(self) -> Floats:
        """The arm in inertial axes at the start [m]."""
        reach: Floats = self.body.rotation @ self.arm
        return reach

    @property
    def start(self) -> Floats:
        """Position at the start [m]."""
        assert self.body.position is not None
        position: Floats = self.body.position + self.reach
        return position
