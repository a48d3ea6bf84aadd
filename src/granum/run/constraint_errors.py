"""How well links, joints and other constraints hold: one type for every run, relative and in units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.model.bodies import Rigid
from granum.model.connections import BallJoint, Drive, Glue, Hinge, Link, Rolling, Slider, Sliding
from granum.model.scene import Scene
from granum.run.reactions import Reactions
from granum.run.subject import Layout

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


def arm_length(scene: Scene) -> float:
    """The longest arm from a mass centre to a joint [m]; 1 m where all joints are at mass centres."""
    arms = []
    for entry in scene.constraint.values():
        for end in getattr(entry, "between", ()):
            own, _, point = end.partition(".")
            body = scene.body.get(own)
            if point and isinstance(body, Rigid):
                arms.append(float(np.linalg.norm(body.fixed_points()[point])))
    return max(arms, default=0.0) or 1.0


def errors_layout(frames: int) -> Layout:
    """Shapes of the arrays of errors."""
    return {"constraint_error": ((frames, 2), "f8"), "constraint_units": ((frames, 2), "f8")}


def errors_frame(columns: Floats) -> dict[str, Floats]:
    """Relative error, rate, distance and angle as they are recorded."""
    return {"constraint_error": columns[:2], "constraint_units": columns[2:]}


def summed_up(value: Floats, rate: Floats, is_angle: Sequence[bool], scale: Floats) -> Floats:
    """(..., 4): relative error, rate, distance and angle, the largest of rows (..., rows) over the lengths in `scale`.

    A length that is not a number stands for a row whose unit is not known.
    """
    error, angle = np.abs(value), np.asarray(is_angle, dtype=np.bool_)
    unknown = np.isnan(scale)
    relative = error / np.where(angle | unknown, 1.0, scale)
    columns = (relative, np.abs(rate), np.where(angle | unknown, 0.0, error), np.where(angle, error, 0.0))
    return np.stack([column.max(axis=-1, initial=0.0) for column in columns], axis=-1)


class Constraints(Reactions):
    """Errors of what is held in a run."""

    @property
    def constraint_errors(self) -> ConstraintErrors:
        """The largest errors of links, joints and constraint rows; see `ConstraintErrors`."""
        self.needs("constraints")
        table = self._of_rows_of_formulas() if self.has.coordinates else np.column_stack(
            [self._frames("constraint_error"), self._frames("constraint_units")])
        return ConstraintErrors(**{name: table[:, k] for k, name in enumerate(_COLUMNS)})

    def row_errors(self, name: str) -> tuple[Floats, Floats]:
        """(frames,) value and rate of a constraint row of a system of formulas."""
        self.needs("coordinates")
        value, rate = (self.column(array, "rows", name, "constraint row")
                       for array in ("constraint_value", "constraint_rate"))
        return value, rate

    def _of_rows_of_formulas(self) -> Floats:
        """(frames, 4): rows are known one by one, and what each is follows from the scene."""
        seen: dict[str, int] = {}
        angles, scales, arm = [], [], arm_length(self.scene)
        for row in self.metadata["rows"]:
            owner = self._owner(row)
            number = seen[owner] = seen.get(owner, -1) + 1
            entry = self.scene.link.get(owner) or self.scene.constraint.get(owner)
            angles.append(self._is_angle(entry, number))
            known = isinstance(entry, Link | BallJoint | Hinge | Slider | Glue | Drive | Rolling | Sliding)
            scales.append(self._length(entry) if isinstance(entry, Link) else
                          arm if known and row != f"{owner}.surface" else np.nan)
        return summed_up(self._frames("constraint_value"), self._frames("constraint_rate"), angles, np.array(scales))

    def _is_angle(self, entry: object, row: int) -> bool:
        """Does a row of a joint hold an angle? Rows that hold points come first."""
        if isinstance(entry, Drive):
            return isinstance(self.scene.constraint[entry.joint], Hinge)
        held = self.dimension - isinstance(entry, Slider)
        return isinstance(entry, Hinge | Glue | Slider) and row >= held

    def _length(self, link: Link) -> float:
        """Of a link; left out in the scene, it is the distance at the start [m]."""
        if link.length is not None:
            return link.length
        first, second = (self.position(end)[0] for end in link.between)
        return float(np.linalg.norm(second - first))
