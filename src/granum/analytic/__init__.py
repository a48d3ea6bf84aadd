"""Equations of motion, one file per formulation, one result type for all."""

from granum.analytic.derive import derive
from granum.analytic.expressed import Body, Friction, System
from granum.analytic.result import Equations
from granum.analytic.starts import consistent
from granum.rows.symbolic import Constraint

__all__ = ["Body", "Constraint", "Equations", "Friction", "System", "consistent", "derive"]
