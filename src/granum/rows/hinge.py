"""Hinges: two bodies share a point and, in 3-D, an axis n: r₂ - r₁ = 0 and n₁·a₂ = n₁·b₂ = 0 with a, b across n."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError
from granum.model.connections import Hinge
from granum.rows.joint import (
    Connecting,
    Joint,
    Row,
    forces,
    frame,
    meeting_points,
    moments,
    parallel,
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
        if entry.axis is not None and any(entry.axis[:2]):
            raise GranumError("in 2-D the axis of a hinge is normal to the plane: remove axis.")
        joint.axis, joint.measure = np.array([0.0, 0.0, 1.0]), plane_angle(one, two)
        return joint
    if entry.axis is None:
        raise GranumError("needs the direction of its axis in 3-D, such as axis = [0, 0, 1].")
    n, a, b = frame(scene.axis(name, entry))
    joint.rows += parallel(one, two, n, a, b)
    joint.labels += moments(name, 3)
    joint.axis = n
    joint.measure = Row(ANGLE, one.body.carried(n), two.body.carried(a), one.body.carried(a))
    return joint
