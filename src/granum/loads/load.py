"""What a load on bodies is to kernels and to formulas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.rows.bodies import End
from granum.rows.joint import Joint


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
    """A load as expressions."""

    potential: Expression = ZERO
    """Potential energy of its forces [J]."""
    power: Expression = ZERO
    """Power of forces without a potential, linear in the rates [W]."""
    measure: Expression = ZERO
    """What a damper works against, a length [m] or an angle [rad] ..."""
    damping: float = 0.0
    """... and its coefficient."""
