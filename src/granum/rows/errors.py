"""Errors of constraint rows: the largest of all, relative and in units, for every formulation and solver."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats
from granum.model.body_entries import Rigid
from granum.model.scene import Scene
from granum.rows.joint import Joint, Row
from granum.rows.tables import ROTATIONS

ANGLE_ROW = 0.0
"""In the place of a length: the row holds an angle."""
UNKNOWN = math.nan
"""In the place of a length: the unit of the row is not known."""


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


def row_length(joint: Joint, row: Row, arm: float) -> float:
    """The length that the error of a row is relative to: of a link its own, of others an arm [m]; or ANGLE_ROW."""
    if row.element in ROTATIONS:
        return ANGLE_ROW
    return row.offset if joint.kind == "link" else arm


def largest_errors(value: Floats, rate: Floats, lengths: Floats) -> Floats:
    """(4,): relative error, rate, distance [m] and angle [rad], the largest of all rows.

    Args:
        value, rate: of each row.
        lengths: see `row_length`; a row whose unit is UNKNOWN counts as it is written.
    """
    error, angle, unknown = np.abs(value), lengths == ANGLE_ROW, np.isnan(lengths)
    relative = error / np.where(angle | unknown, 1.0, lengths)
    columns = relative, np.abs(rate), np.where(angle | unknown, 0.0, error), np.where(angle, error, 0.0)
    return np.array([column.max(initial=0.0) for column in columns])
