"""What a load on bodies is to kernels and to formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Vector
from granum.rows.bodies import Body, End
from granum.rows.joint import Joint
from granum.rows.symbolic import Pose


@dataclass(eq=False)
class BodyLoad:
    """A load with the points it acts on resolved."""

    name: str
    entry: Any
    ends: tuple[End, ...] = ()
    """Points it acts on; none for a load on all bodies."""
    numbers: list[float] = field(default_factory=list)
    """Its row in the table of its kind."""
    rest: float = 0.0
    """Rest length [m] of a spring."""
    joint: Joint | None = None
    """The hinge of a torsion spring."""

    @property
    def bodies(self) -> list[int]:
        """Rows of the bodies in the tables; -1 for the ground."""
        return [end.body.index for end in self.ends]


class LoadFormula(NamedTuple):
    """A load as expressions: a potential energy, with or without a damper, or else forces and torques on its ends."""

    potential: Expression = ZERO
    """Potential energy of its forces [J], of positions and orientations alone."""
    forces: tuple[Vector, ...] = ()
    """Force without a potential at the point of each end, in inertial axes [N]."""
    torques: tuple[Vector, ...] = ()
    """Torque without a potential on the body of each end, in inertial axes [N m]."""
    measure: Expression = ZERO
    """What a damper works against, a length [m] or an angle [rad] ..."""
    damping: float = 0.0
    """... and its coefficient."""


class Expressing(Protocol):
    """What the formula of a load may ask."""

    def pose(self, body: Body) -> Pose:
        """Position, orientation and velocities of a body."""

    def masses(self) -> Iterable[tuple[Expression, Vector]]:
        """Masses and positions of all bodies."""

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge since the start."""
