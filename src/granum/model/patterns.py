"""Patterns: many bodies and links from one entry, so that nobody writes a thousand by hand.

A pattern names its bodies `<bodies>-1`, `<bodies>-2`, ... and its links `<links>-1`, ...; left out, the
prefixes are the pattern's own name and `<name>-link`.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import (
    LARGEST,
    Angle,
    Angles,
    AngularVelocity,
    Count,
    Direction,
    Length,
    Mass,
    Name,
    Position,
    Velocity,
    whole,
)


class Pattern(Kind, section="pattern"):
    """Many bodies from one entry."""


class LinkPattern(Pattern):
    """Point masses and links between them."""

    mass: Mass
    """Mass of each body [kg]."""
    bodies: Name | None = None
    """Prefix of the body names."""
    links: Name | None = None
    """Prefix of the link names."""


class _Hanging(LinkPattern):
    """A pattern that starts at a body (`from`) or with its first body at a position (`position`)."""

    from_: Name | None = Field(default=None, alias="from")
    """Body that it hangs on."""
    position: Position | None = None
    """Position of its first body [m]."""

    @model_validator(mode="after")
    def _one_beginning(self) -> _Hanging:
        if (self.from_ is None) == (self.position is None):
            raise ValueError('needs exactly one of from = "BODY" (where it hangs) and position = [x, y] '
                             "(position of its first body)")
        return self


class Chain(_Hanging):
    """`count` masses in a row, each linked to the one before."""

    kind: Literal["chain"] = "chain"
    count: Count
    """How many bodies."""
    length: Length
    """Length of each link [m]."""
    angles: Angles | None = None
    """In the plane: angle of the links from the x axis [rad], one for all or one for each."""
    direction: Direction | None = None
    """In space (or the plane): the direction in which the chain runs."""
    to: Name | None = None
    """Body at the far end, joined by one more link of the same length."""
    velocity: Velocity | None = None
    """Velocity of every body [m/s]."""

    @model_validator(mode="after")
    def _one_direction(self) -> Chain:
        if (self.angles is None) == (self.direction is None):
            raise ValueError('needs exactly one of angles = "-60 deg" (in the plane) and direction = [x, y, z]')
        links = self.count - (self.from_ is None)
        if isinstance(self.angles, tuple) and len(self.angles) != links:
            raise ValueError(f"angles has {len(self.angles)} values, but the chain has {links} links of its own")
        return self


class Stack(_Hanging):
    """`count` masses one above the other: an upright chain, unstable (002 §6.4)."""

    kind: Literal["stack"] = "stack"
    count: Count
    """How many bodies."""
    height: Length
    """Height of the whole stack [m], shared equally by its links."""
    tilt: Angle = 0.0
    """Angle of every link from the vertical, toward +x [rad]."""
    scatter: Angle = 0.0
    """Half width of a random angle added to each link [rad], drawn with the run's seed."""


class Ring(LinkPattern):
    """`count` masses on a circle, each linked to the next, the last to the first."""

    kind: Literal["ring"] = "ring"
    count: Annotated[int, whole(3, LARGEST)]
    """How many bodies."""
    radius: Length
    """Radius of the ring [m]."""
    centre: Position
    """Centre of the ring [m]."""
    axis: Direction | None = None
    """In space: normal of the ring's plane; left out, the z axis."""
    angular_velocity: AngularVelocity = 0.0
    """Rotation about the centre at the start [rad/s]."""


class Net(LinkPattern):
    """`rows` times `columns` masses in a grid, each linked to its neighbours; bodies are named row-column."""

    kind: Literal["net"] = "net"
    rows: Annotated[int, whole(2, LARGEST)]
    """Number of rows."""
    columns: Annotated[int, whole(2, LARGEST)]
    """Number of columns."""
    spacing: Length
    """Distance of neighbours [m]."""
    position: Position
    """Position of body 1-1 [m]."""
    across: Direction
    """Direction in which the columns follow each other."""
    down: Direction
    """Direction in which the rows follow each other."""
    fixed: Literal["none", "corners", "first-row", "border"] = "none"
    """Which of its points are fixed."""
    braced: bool = False
    """One diagonal link in each cell."""

    @model_validator(mode="after")
    def _not_endless_and_not_flat(self) -> Net:
        if self.rows * self.columns > LARGEST:
            raise ValueError(f"has {self.rows * self.columns} bodies; take fewer rows or columns")
        if len(self.across) == len(self.down):
            along = sum(a * d for a, d in zip(self.across, self.down, strict=True))
            if abs(along) > (1.0 - 1e-12) * math.hypot(*self.across) * math.hypot(*self.down):
                raise ValueError("across and down have the same direction, so its bodies would lie on each other")
        return self


class Tree(_Hanging):
    """A tree of links: a stem, then `branching` links at the end of each link, `depth` levels in all."""

    kind: Literal["tree"] = "tree"
    depth: Annotated[int, whole(1, 24)]
    """Number of levels."""
    branching: Annotated[int, whole(1, 64)] = 2
    """Branches at the end of each link."""
    length: Length
    """Length of each link [m]."""
    direction: Direction
    """Direction of the stem."""
    spread: Angle
    """Angle of the fan (in the plane) or of the cone (in space) in which branches leave [rad]."""

    @model_validator(mode="after")
    def _not_endless(self) -> Tree:
        if self.body_count > LARGEST:
            raise ValueError(f"has {self.body_count} bodies; take a smaller depth or branching")
        return self

    @property
    def body_count(self) -> int:
        """How many bodies the tree has."""
        branches = sum(int(self.branching**level) for level in range(self.depth))
        return branches + (self.from_ is None)

