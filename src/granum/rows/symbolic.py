"""Bodies and rows as expressions: where a body is, how it moves, and what a row says about two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from granum.algebra import Expression, symbol
from granum.algebra.expression import ZERO, Scalar
from granum.algebra.vectors import Matrix, Vector, cross, minus, plus, turned, vector
from granum.base.kernels import Floats

if TYPE_CHECKING:
    from granum.rows.joint import Row

NOTHING: Vector = (ZERO, ZERO, ZERO)


def rate_name(coordinate: str) -> str:
    """Name of the rate of a coordinate: x has the rate x_dot."""
    return f"{coordinate}_dot"


def multiplier(constraint: str, row: int) -> Expression:
    """The multiplier of a row of a constraint, a symbol in formulas of reactions."""
    return symbol(f"λ {constraint} {row}")


@dataclass(frozen=True)
class Constraint:
    """Formulas that stay zero; those with rates are velocity constraints, the others hold positions."""

    name: str
    rows: tuple[Expression, ...]
    reactions: tuple[tuple[str, Expression], ...] = ()
    """What its multipliers mean: label and formula; by default the multipliers themselves."""
    invariant: bool = False
    """A quantity that the motion keeps by itself: only its rate is held at zero, whatever its value."""
    silent: bool = False
    """Are its multipliers of no interest, as those of a unit quaternion?"""
    labels: tuple[str, ...] = ()
    """Names of the rows; by default the name and a number."""
    lengths: tuple[float, ...] = ()
    """What errors of the rows are relative to (`rows.errors`); left out, the units of the rows are not known."""

    @property
    def row_names(self) -> list[str]:
        """One name per row."""
        if self.labels:
            return list(self.labels)
        if len(self.rows) == 1:
            return [self.name]
        return [f"{self.name}.{k + 1}" for k in range(len(self.rows))]

    @property
    def meaning(self) -> tuple[tuple[str, Expression], ...]:
        """Labels and formulas of the reactions."""
        if self.reactions or self.invariant or self.silent:
            return self.reactions
        return tuple((name, multiplier(self.name, k)) for k, name in enumerate(self.row_names))


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

    def carried(self, direction: Sequence[Scalar] | Floats) -> Vector:
        """A direction in body axes, in inertial axes."""
        constant = vector(tuple(direction))
        return constant if self.rotation is None else turned(self.rotation, constant)

    def point(self, arm: Sequence[Scalar] | Floats) -> tuple[Vector, Vector]:
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
