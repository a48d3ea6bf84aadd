"""Patterns: many bodies and links from one entry.

A pattern names its bodies `<bodies>-1`, `<bodies>-2`, ... and its links `<links>-1`, ...; by default the prefixes are
the pattern's own name and `<name>-link`.
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
    AngleWidth,
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
    """Many bodies from one entry.

    >>> isinstance(gr.Chain(from_="nail", count=2, length=1, angles=0, mass=1), gr.Pattern)
    True
    """


class LinkPattern(Pattern):
    """Point masses and links between them.

    >>> isinstance(gr.Chain(from_="nail", count=2, length=1, angles=0, mass=1), gr.LinkPattern)
    True
    """

    mass: Mass
    """Mass of each body [kg]."""
    bodies: Name | None = None
    """Prefix of the body names; default: the name of the pattern."""
    links: Name | None = None
    """Prefix of the link names; default: `<name>-link`."""


class _Hanging(LinkPattern):
    """A pattern that starts at a body (`from`) or with its first body at a position (`position`)."""

    from_: Name | None = Field(default=None, alias="from")
    """Body it is attached to; alternative: `position`."""
    position: Position | None = None
    """Position of its first body [m]; alternative: `from`."""

    @model_validator(mode="after")
    def _one_beginning(self) -> _Hanging:
        if (self.from_ is None) == (self.position is None):
            raise ValueError('needs either from = "BODY" (the body it is attached to) or position = [x, y] '
                             "(the position of its first body)")
        return self


class Chain(_Hanging):
    """A chain of `count` masses, each linked to the one before.

    >>> rope = gr.Chain(from_="nail", count=50, length="5 mm", angles="-45 deg", mass="1 g")
    """

    kind: Literal["chain"] = "chain"
    count: Count
    """Number of bodies."""
    length: Length
    """Length of each link [m]."""
    angles: Angles | None = None
    """2-D: angle of the links from the x axis [rad], one for all or one for each."""
    direction: Direction | None = None
    """Direction of the chain, in 2-D or 3-D."""
    to: Name | None = None
    """Body at the far end, attached by one more link of the same length."""
    velocity: Velocity | None = None
    """Velocity of every body [m/s]."""

    @model_validator(mode="after")
    def _one_direction(self) -> Chain:
        if (self.angles is None) == (self.direction is None):
            raise ValueError('needs either angles = "-60 deg" (2-D) or direction = [x, y, z]')
        links = self.count - (self.from_ is None)
        if isinstance(self.angles, tuple) and len(self.angles) != links:
            raise ValueError(f"found {len(self.angles)} angles, but the chain has {links} links of its own; give one "
                             "angle for each, or one for all")
        return self


class Stack(_Hanging):
    """`count` masses one above the other: an upright, unstable chain (Sun 1996, §6.4).

    >>> stack = gr.Stack(position=(0, 0), count=10, height="10 cm", mass=1.0, tilt="1 deg")
    """

    kind: Literal["stack"] = "stack"
    count: Count
    """Number of bodies."""
    height: Length
    """Height of the whole stack, divided equally among its links [m]."""
    tilt: Angle = 0.0
    """Angle of every link from the vertical, toward +x [rad]."""
    scatter: AngleWidth = 0.0
    """Half-width of a random angle added to each link [rad], drawn with the seed of the run."""


class Ring(LinkPattern):
    """`count` masses on a circle, each linked to the next and the last to the first.

    >>> ring = gr.Ring(count=12, radius=0.5, centre=(0, 0), mass=0.1, angular_velocity="30 rpm")
    """

    kind: Literal["ring"] = "ring"
    count: Annotated[int, whole(3, LARGEST)]
    """Number of bodies."""
    radius: Length
    """Radius of the ring [m]."""
    centre: Position
    """Centre of the ring [m]."""
    axis: Direction | None = None
    """3-D: normal of the plane of the ring; default: the z axis."""
    angular_velocity: AngularVelocity = 0.0
    """Initial angular velocity about the centre [rad/s]."""


class Net(LinkPattern):
    """A grid of `rows` by `columns` masses, each linked to its neighbours; bodies are named row-column.

    >>> net = gr.Net(rows=10, columns=10, spacing="5 cm", position=(0, 0), across=(1, 0), down=(0, -1), mass=0.01)
    """

    kind: Literal["net"] = "net"
    rows: Annotated[int, whole(2, LARGEST)]
    """Number of rows."""
    columns: Annotated[int, whole(2, LARGEST)]
    """Number of columns."""
    spacing: Length
    """Distance between neighbours [m]."""
    position: Position
    """Position of body 1-1 [m]."""
    across: Direction
    """Direction from one column to the next."""
    down: Direction
    """Direction from one row to the next."""
    fixed: Literal["none", "corners", "first-row", "border"] = "none"
    """Which of its bodies are fixed points."""
    braced: bool = False
    """Whether each cell has a diagonal link."""

    @model_validator(mode="after")
    def _not_endless_and_not_flat(self) -> Net:
        if self.rows * self.columns > LARGEST:
            raise ValueError(f"would have {self.rows * self.columns} bodies, but at most {LARGEST} are allowed; use "
                             "fewer rows or columns")
        if len(self.across) == len(self.down):
            along = sum(a * d for a, d in zip(self.across, self.down, strict=True))
            if abs(along) > (1.0 - 1e-12) * math.hypot(*self.across) * math.hypot(*self.down):
                raise ValueError("across and down are parallel, so bodies would coincide; give different directions")
        return self


class Tree(_Hanging):
    """A tree of links: a stem, then `branching` links at the end of each link, `depth` levels in all.

    >>> tree = gr.Tree(from_="nail", depth=4, length=0.2, direction=(0, -1), spread="30 deg", mass=0.1)
    """

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
    """Opening angle of the fan (2-D) or cone (3-D) of branches [rad]."""

    @model_validator(mode="after")
    def _not_endless(self) -> Tree:
        if self.body_count > LARGEST:
            raise ValueError(f"would have {self.body_count} bodies, but at most {LARGEST} are allowed; use a smaller "
                             "depth or branching")
        return self

    @property
    def body_count(self) -> int:
        """How many bodies the tree has."""
        branches = sum(int(self.branching**level) for level in range(self.depth))
        return branches + (self.from_ is None)

