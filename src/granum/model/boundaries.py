"""Boundaries of grains: at rest, in prescribed motion, or part of a rigid body."""

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
    """A prescribed motion: uniform, harmonic, rotation, or their sum.

    >>> shaking = gr.Motion(amplitude=(0, "2 mm"), frequency="20 Hz")
    """

    velocity: Velocity | None = None
    """Uniform velocity [m/s]: a piston, a conveyor."""
    amplitude: Position | None = None
    """Amplitude of the harmonic displacement amplitude · sin(2π frequency t + phase) [m]: a shaken floor."""
    frequency: Frequency = 0.0
    """Frequency of the harmonic motion [Hz]."""
    phase: Number = 0.0
    """Phase of the harmonic motion [rad]."""
    angular_velocity: AngularVelocityVector | None = None
    """Angular velocity about `centre` [rad/s]: one number in 2-D, a vector in 3-D."""
    centre: Position | None = None
    """Centre of rotation: a point on its axis [m]."""
    start_time: Number = 0.0
    """Time at which uniform velocity and rotation begin [s]."""
    until: Number | None = None
    """Time at which they end [s]; default: never."""

    @model_validator(mode="after")
    def _fits_together(self) -> Motion:
        if (self.amplitude is None) != (self.frequency == 0.0):
            raise ValueError("a harmonic motion needs both amplitude and frequency")
        if self.angular_velocity is not None and self.centre is None:
            raise ValueError("angular_velocity needs centre, a point on the axis of rotation")
        if self.until is not None and self.until <= self.start_time:
            raise ValueError(f"until {self.until:g} s must be later than start_time {self.start_time:g} s")
        return self


class Boundary(Kind, section="boundary"):
    """A wall for grains: at rest, in prescribed motion, or part of a rigid body.

    >>> isinstance(gr.Plane(position=(0, 0), normal=(0, 1)), gr.Boundary)
    True
    """

    material: Name | None = None
    """Material; default: contacts use the coefficients of the grain's material with itself."""
    motion: Motion | None = None
    """Prescribed motion; default: at rest."""
    body: Name | None = None
    """Rigid body of the scene that the boundary is part of and moves with; give the boundary as it is at the start."""

    @model_validator(mode="after")
    def _one_motion(self) -> Boundary:
        if self.motion is not None and self.body is not None:
            raise ValueError("takes body or motion, not both: it moves with its body or as prescribed")
        return self


class Plane(Boundary):
    """An infinite line (2-D) or plane (3-D); grains are on the side the normal points to.

    >>> floor = gr.Plane(position=(0, 0), normal=(0, 1))
    """

    kind: Literal["plane"] = "plane"
    position: Position
    """A point on the plane [m]."""
    normal: Direction
    """Normal, pointing to the side of the grains."""


class Wall(Boundary):
    """A thin wall, solid from both sides.

    In 2-D: between two points, straight or an arc. In 3-D: a triangle or a flat quadrilateral.

    >>> wall = gr.Wall(positions=[(0, 0), (0, 1)])
    """

    kind: Literal["wall"] = "wall"
    positions: tuple[Position, ...] = Field(min_length=2, max_length=4)
    """2-D: the two ends; 3-D: three or four corners, in order [m]."""
    radius: SignedLength | None = None
    """Radius of an arc, in 2-D [m]: positive if it bulges to the left, going from the first point to the second,
    negative if to the right; default: straight."""


class FixedDisk(Boundary):
    """A disk (2-D): an obstacle, or with negative radius a round container.

    >>> peg = gr.FixedDisk(centre=(0, 0), radius="2 cm")
    """

    kind: Literal["disk"] = "disk"
    centre: Position
    """Centre [m]."""
    radius: SignedLength
    """Radius [m]; negative if grains are inside."""


class FixedSphere(Boundary):
    """A sphere (3-D): an obstacle, or with negative radius a round container.

    >>> bowl = gr.FixedSphere(centre=(0, 0, 0), radius=-0.5)
    """

    kind: Literal["sphere"] = "sphere"
    centre: Position
    """Centre [m]."""
    radius: SignedLength
    """Radius [m]; negative if grains are inside."""


class Box(Boundary):
    """A box around the grains; each of its sides is an infinite plane.

    >>> box = gr.Box(lower=(0, 0), upper=(0.4, 0.3), open=["+y"])
    """

    kind: Literal["box"] = "box"
    lower: Position
    """Corner with the smallest coordinates [m]."""
    upper: Position
    """Corner with the largest coordinates [m]."""
    open: tuple[Literal["-x", "+x", "-y", "+y", "-z", "+z"], ...] = ()
    """Sides to omit, such as ["+y"]."""


class Cylinder(Boundary):
    """A cylinder between two ends (3-D): a rod, or with negative radius a tube with grains inside (a drum, a silo).

    >>> drum = gr.Cylinder(ends=[(0, 0, 0), (0, 0, 0.2)], radius=-0.1, closed=(True, True))
    """

    kind: Literal["cylinder"] = "cylinder"
    ends: tuple[Position, Position]
    """Centres of the two ends [m]."""
    radius: SignedLength
    """Radius [m]; negative if grains are inside."""
    closed: tuple[bool, bool] = (False, False)
    """Whether a flat lid closes the first end and the second end."""


class Hopper(Boundary):
    """A funnel with an outlet at its lower end and vertical walls above.

    Two converging walls in 2-D, a cone below a cylinder in 3-D. Upward is +y in 2-D and +z in 3-D.

    >>> hopper = gr.Hopper(position=(0, 0), opening="5 cm", width="30 cm", funnel_height="15 cm", height="50 cm")
    """

    kind: Literal["hopper"] = "hopper"
    position: Position
    """Centre of the outlet [m]."""
    opening: Length
    """Width (diameter) of the outlet [m]."""
    width: Length
    """Width (diameter) of the vertical part [m]."""
    funnel_height: RestLength = 0.0
    """Height of the funnel [m]; 0 is a flat bottom."""
    height: Length
    """Height of the vertical part above the funnel [m]."""

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
    """A smooth surface Γ(X, Y, Z) = 0 (2-D: a curve Γ(X, Y) = 0); grains are where Γ is positive.

    >>> hill = gr.ImplicitSurface(equation="y - 0.1*cos(3*x)")
    """

    kind: Literal["implicit-surface"] = "implicit-surface"
    equation: Formula
    """Γ in X, Y and Z [m]."""

