"""Hinges: two bodies share a point and, in 3-D, an axis n: r₂ - r₁ = 0 and n₁·a₂ = n₁·b₂ = 0 with a, b across n."""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import GranumError
from granum.model.connections import Hinge
from granum.rows.joint import (
    Connecting,
    Joint,
    Row,
    forces,
    frame,
    hold_parallel,
    meeting_points,
    moments,
    plane_angle,
    two_ends,
)
from granum.rows.tables import ANGLE


def build(name: str, entry: Hinge, scene: Connecting) -> Joint:
    """The rows, and the angle that a drive or a torsion spring measures."""
    one, two = two_ends(name, entry.kind, entry.between, scene)
    joint = Joint(name, entry.kind, one, two, meeting_points(scene.dimension), labels=forces(name, scene.dimension),
                  assembly=entry.assembly)
    if scene.dimension == 2:
        sense = _sense(entry)
        joint.axis, joint.measure = np.array([0.0, 0.0, sense]), plane_angle(one, two, sense)
        return joint
    if entry.axis is None:
        raise GranumError("needs the direction of its axis in 3-D, such as axis = [0, 0, 1].")
    n, a, b = frame(scene.axis(name, entry))
    side, _ = hold_parallel(joint, n, scene.second_axis(name, entry), (a, b))
    joint.labels += moments(name, 3)
    joint.axis = n
    joint.measure = Row(ANGLE, one.body.carried(n), side, one.body.carried(a))
    return joint


def _sense(entry: Hinge) -> float:
    """1 for a 2-D hinge whose angle is counted about z, as by default, and -1 for one about -z."""
    if entry.axis is None:
        return 1.0
    if len(entry.axis) == 2 or any(entry.axis[:2]):
        given = ", ".join(f"{component:g}" for component in entry.axis)
        raise GranumError(f"axis = [{given}], but in 2-D the axis of a hinge is normal to the plane. Remove axis, or "
                          "give [0, 0, 1] for an angle counted anticlockwise or [0, 0, -1] for one counted clockwise.")
    return math.copysign(1.0, entry.axis[2])
