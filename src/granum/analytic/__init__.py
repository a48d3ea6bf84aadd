"""Equations of motion, one file per formulation, one result type for all."""

from granum.analytic.derive import derive
from granum.analytic.expressed import Body, Constraint, Friction, System
from granum.analytic.result import Equations
from granum.analytic.starts import consistent

__all__ = ["Body", "Constraint", "Equations", "Friction", "System", "consistent", "derive"]
