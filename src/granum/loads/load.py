"""What a load on bodies is to kernels and to formulas.

A kernel is a C function of (t, bodies, load, numbers): the table of bodies (`state.table.read_bodies`), to which it
adds force and torque; what it is asked and what it gives, `LOAD_WIDTH` entries; the numbers of its `BodyLoad`. It is
called by its address, so that only the kinds of a scene are compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Vector
from granum.model.loads import damper
from granum.rows.body import Body, End
from granum.rows.joint import Joint
from granum.rows.symbolic import Pose

ONE, TWO, ELASTIC, VISCOUS, TURNED, RATE, STORED, POWER, LOAD_WIDTH = range(9)
"""Entries of `load`: rows of its bodies; factors of what has a potential energy and of what has none; the angle that a
load on a hinge counts, and its rate; potential energy [J] and power of what has none [W], without the factors."""


@dataclass(eq=False)
class BodyLoad:
    """A load with the points it acts on resolved."""

    name: str
    entry: Any
    ends: tuple[End, ...] = ()
    """Points it acts on; none for a load on all bodies."""
    numbers: list[float] = field(default_factory=list)
    """Constants of its kernel."""
    rest: float = 0.0
    """Rest length [m] of a spring."""
    joint: Joint | None = None
    """The hinge of a torsion spring: in 3-D its angle is counted along the motion."""
    stores: bool = True
    """Has it a potential energy? Otherwise its work is integrated."""
    damping: float = 0.0
    """Coefficient of its damper, whose work is integrated."""
    twists: bool = False
    """Does it twist bodies as a whole, rather than push at points?"""
    section: str = "load"
    """Of the scene: load or actuator."""
    inputs: dict[str, float] = field(default_factory=dict)
    """Numbers that may change between steps, by the names that its formula has for them."""
    reader: Any = None
    """What the names in its formulas mean (`loads.measured.Reader`)."""
    efforts: tuple[Expression, ...] = ()
    """Formulas of an actuator or of a load given by formulas."""
    counts: bool = False
    """Does it count the angle of its hinge and nothing else?"""

    @property
    def worker(self) -> str | None:
        """Name of the agent whose work is integrated."""
        if self.counts:
            return None
        if not self.stores:
            return self.name
        return damper(self.name) if self.damping > 0.0 else None


class LoadFormula(NamedTuple):
    """A load as expressions: a potential energy, with or without a damper, or else forces and torques on its ends."""

    potential: Expression = ZERO
    """Potential energy of its forces [J], of positions and orientations alone."""
    forces: tuple[Vector, ...] = ()
    """Force without a potential at the point of each end, in inertial axes [N]."""
    torques: tuple[Vector, ...] = ()
    """Torque without a potential on the body of each end, in inertial axes [N m]."""
    generalised: Mapping[str, Expression] = MappingProxyType({})
    """Force without a potential on coordinates, by their names."""
    measure: Expression = ZERO
    """What a damper works against, a length [m] or an angle [rad] ..."""
    damping: float = 0.0
    """... and its coefficient."""


class Expressing(Protocol):
    """What the formula of a load may ask."""

    @property
    def planar(self) -> bool:
        """Is the scene 2-D?"""

    def pose(self, body: Body) -> Pose:
        """Position, orientation and velocities of a body."""

    def masses(self) -> Iterable[tuple[Expression, Vector]]:
        """Masses and positions of all bodies."""

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge since the start."""
