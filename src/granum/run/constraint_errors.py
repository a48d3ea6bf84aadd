"""How well links, joints and other constraints hold: one type for every run, relative and in units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.run.springs import Springs

_COLUMNS = ("relative", "rate", "distance", "angle")
"""Of the arrays `constraint_error` and `constraint_units`, two each."""


class ConstraintErrors(NamedTuple):
    """The largest error of all links, joints and constraint rows; not a number (nan) where it is not recorded."""

    relative: Floats
    """(frames,): error of a link over its length, of a joint over the longest arm of the scene, of an angle in rad, of
    a formula as it is written."""
    distance: Floats
    """(frames,): of a length, or between points that coincide [m]."""
    angle: Floats
    """(frames,) [rad]."""
    rate: Floats
    """(frames,): the largest rate: of a distance [m/s], an angle [rad/s], or a formula."""


class Constraints(Springs):
    """Errors of what is held in a run."""

    @property
    def constraint_errors(self) -> ConstraintErrors:
        """The largest errors of links, joints and constraint rows; see `ConstraintErrors`."""
        self.needs("constraints")
        table = np.column_stack([self._frames("constraint_error"), self._frames("constraint_units")])
        return ConstraintErrors(**{name: table[:, k] for k, name in enumerate(_COLUMNS)})

    def row_errors(self, name: str) -> tuple[Floats, Floats]:
        """(frames,) value and rate of a constraint row of a system of formulas."""
        self.needs("coordinates")
        value, rate = (self._column(array, "rows", name, "constraint row")
                       for array in ("constraint_value", "constraint_rate"))
        return value, rate
