"""Bodies and rows as expressions: where a body is, how it moves, and what a row says about two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Matrix, Vector, cross, minus, plus, turned, vector
from granum.base.kernels import Floats

if TYPE_CHECKING:
    from granum.rows.joint import Row

NOTHING: Vector = (ZERO, ZERO, ZERO)


@dataclass(frozen=True)
class Pose:
    """Position, orientation and velocities of a body as expressions of the coordinates; by default the ground."""

    position: Vector = NOTHING
    velocity: Vector = NOTHING
    rotation: Matrix | None = None
    """From body axes to inertial axes; none for what does not rotate."""
    angular_velocity: Vector = NOTHING
    """In inertial axes."""
    angle: Expression = ZERO
    """In 2-D."""

    def carried(self, direction: Sequence[float] | Floats) -> Vector:
        """A direction in body axes, in inertial axes."""
        constant = vector(tuple(float(c) for c in direction))
        return constant if self.rotation is None else turned(self.rotation, constant)

    def point(self, arm: Sequence[float] | Floats) -> tuple[Vector, Vector]:
        """Position and velocity of a point given in body axes."""
        reach = self.carried(arm)
        return plus(self.position, reach), plus(self.velocity, cross(self.angular_velocity, reach))


class RowFormula(NamedTuple):
    """A row as expressions: what stays zero, and what a unit multiplier does to the second body at its point."""

    value: Expression
    force: Vector
    couple: Vector


@dataclass(frozen=True)
class Pair:
    """A row between points of two bodies."""

    row: Row
    one: Pose
    two: Pose
    arms: tuple[Floats, Floats]
    planar: bool
    motion: Expression = ZERO
    """What a drive prescribes."""

    @cached_property
    def _points(self) -> tuple[tuple[Vector, Vector], tuple[Vector, Vector]]:
        return self.one.point(self.arms[0]), self.two.point(self.arms[1])

    @cached_property
    def apart(self) -> Vector:
        """d, from the first point to the second."""
        return minus(self._points[1][0], self._points[0][0])

    @cached_property
    def rate(self) -> Vector:
        """Its rate."""
        return minus(self._points[1][1], self._points[0][1])
