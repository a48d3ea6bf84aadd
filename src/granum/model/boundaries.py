"""Boundaries: what grains touch and cannot move, at rest or moving as prescribed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import (
    AngularVelocityVector,
    Direction,
    Entry,
    Formula,
    Frequency,
    Length,
    Name,
    Number,
    Position,
    RestLength,
    SignedLength,
    Velocity,
)


class Motion(Entry):
    """A prescribed motion: uniform, harmonic, a rotation, or their sum."""

    velocity: Velocity | None = None
    """Uniform velocity [m/s]: a piston, a conveyor."""
    amplitude: Position | None = None
    """Displacement amplitude · sin(2π frequency t + phase) [m]: a shaken floor."""
    frequency: Frequency = 0.0
    """Frequency of the harmonic motion [Hz]."""
    phase: Number = 0.0
    """Phase of the harmonic motion [rad]."""
    angular_velocity: AngularVelocityVector | None = None
    """Rotation about `centre` [rad/s]: one number in 2-D, a vector in 3-D."""
    centre: Position | None = None
    """Centre of the rotation: a point of its axis [m]."""
    start_time: Number = 0.0
    """Time at which uniform velocity and rotation begin [s]."""
    until: Number | None = None
    """Time at which they end [s]; left out, never."""

    @model_validator(mode="after")
    def _fits_together(self) -> Motion:
        if (self.amplitude is None) != (self.frequency == 0.0):
            raise ValueError("a harmonic motion needs amplitude and frequency")
        if self.angular_velocity is not None and self.centre is None:
            raise ValueError("a rotation needs the centre, a point of its axis")
        if self.until is not None and self.until <= self.start_time:
            raise ValueError(f"until {self.until:g} s must be later than start_time {self.start_time:g} s")
        return self


class Boundary(Kind, section="boundary"):
    """What grains touch and cannot move: it is at rest, moves as prescribed, or belongs to a rigid body."""

    material: Name | None = None
    """What it is made of; left out, a contact has the coefficients of the grain's material with itself."""
    motion: Motion | None = None
    """How it moves; left out, it does not."""
    body: Name | None = None
    """A rigid body of the scene that it is part of and moves with; it is given as it is at the start."""

    @model_validator(mode="after")
    def _one_motion(self) -> Boundary:
        if self.motion is not None and self.body is not None:
            raise ValueError("moves with its body or as prescribed: leave out body or motion")
        return self


class Plane(Boundary):
    """A straight line in the plane or a plane in space, without end; grains are where the normal points."""

    kind: Literal["plane"] = "plane"
    position: Position
    """A point of the plane [m]."""
    normal: Direction
    """Direction to the side where grains are."""


class Wall(Boundary):
    """A thin piece of wall, solid from both sides.

    In the plane: between two points, straight or an arc. In space: a triangle or a flat quadrilateral.
    """

    kind: Literal["wall"] = "wall"
    positions: tuple[Position, ...] = Field(min_length=2, max_length=4)
    """2-D: both ends; 3-D: three or four corners, in order [m]."""
    radius: SignedLength | None = None
    """Radius of an arc in the plane [m]; positive, it bulges to the left of the way from the first point to the
    second, negative to the right; left out (infinite), the wall is straight."""


class FixedDisk(Boundary):
    """A fixed disk in the plane: an obstacle, or with negative radius a round hole that grains are in."""

    kind: Literal["disk"] = "disk"
    centre: Position
    """Centre [m]."""
    radius: SignedLength
    """Radius [m]; negative, grains are inside."""


class FixedSphere(Boundary):
    """A fixed ball in space: an obstacle, or with negative radius a round hole that grains are in."""

    kind: Literal["sphere"] = "sphere"
    centre: Position
    """Centre [m]."""
    radius: SignedLength
    """Radius [m]; negative, grains are inside."""


class Box(Boundary):
    """A box that grains are in, each of its sides a plane without end."""

    kind: Literal["box"] = "box"
    lower: Position
    """Corner with the smallest coordinates [m]."""
    upper: Position
    """Corner with the largest coordinates [m]."""
    open: tuple[Literal["-x", "+x", "-y", "+y", "-z", "+z"], ...] = ()
    """Sides that are left out, such as ["+y"]."""


class Cylinder(Boundary):
    """A round tube or rod in space between two ends; with negative radius grains are inside (a drum, a silo)."""

    kind: Literal["cylinder"] = "cylinder"
    ends: tuple[Position, Position]
    """Centres of both ends [m]."""
    radius: SignedLength
    """Radius [m]; negative, grains are inside."""
    closed: tuple[bool, bool] = (False, False)
    """Does a flat lid close the first end, the second end?"""


class Hopper(Boundary):
    """A funnel with an outlet at its lower end, and upright walls above it.

    In the plane two walls run together; in space it is a cone below a cylinder. Upward is +y in the plane and +z in
    space.
    """

    kind: Literal["hopper"] = "hopper"
    position: Position
    """Centre of the outlet [m]."""
    opening: Length
    """Width (diameter) of the outlet [m]."""
    width: Length
    """Width (diameter) of the upright part [m]."""
    funnel_height: RestLength = 0.0
    """Height of the funnel [m]; 0 is a flat bottom."""
    height: Length
    """Height of the upright part above it [m]."""

    @model_validator(mode="after")
    def _runs_together(self) -> Hopper:
        if self.opening >= self.width:
            raise ValueError(f"opening {self.opening:g} m must be smaller than width {self.width:g} m")
        return self

    @property
    def profile(self) -> list[tuple[float, float]]:
        """Distance from the axis and height above the outlet of its corners, from the outlet upward [m]."""
        wide = 0.5 * self.width
        return [(0.5 * self.opening, 0.0), (wide, float(self.funnel_height)), (wide, self.funnel_height + self.height)]


class ImplicitSurface(Boundary):
    """A smooth surface Γ(X, Y, Z) = 0 (a curve Γ(X, Y) = 0 in the plane); grains are where Γ is positive."""

    kind: Literal["implicit-surface"] = "implicit-surface"
    equation: Formula
    """Γ in X, Y and Z [m]."""

