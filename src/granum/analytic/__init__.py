"""Equations of motion, one file per formulation, one result type for all."""

from granum.analytic.equations import Equations, derive

__all__ = ["Equations", "derive"]
