"""Equations of motion, one file per formulation, one result type for all.

>>> gr.derive(gr.analytic.System("x", kinetic="x_dot**2/2", potential="50*x**2"), "lagrange").coordinates
('x',)
"""

from typing import TYPE_CHECKING, Any

from granum.analytic.derive import derive
from granum.base.offers import load

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.analytic.expressed_parts import Body, Friction
    from granum.analytic.result import Equations
    from granum.analytic.starts import consistent
    from granum.rows.symbolic import Constraint

__all__ = ["Body", "Constraint", "Equations", "Friction", "System", "consistent", "derive"]
# loaded when used: a module of this package should not wait for all others
_PLACES = {
    "Body": "granum.analytic.expressed_parts:Body", "Constraint": "granum.rows.symbolic:Constraint",
    "Equations": "granum.analytic.result:Equations", "Friction": "granum.analytic.expressed_parts:Friction",
    "System": "granum.analytic.expressed:System", "consistent": "granum.analytic.starts:consistent",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return load(_PLACES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
