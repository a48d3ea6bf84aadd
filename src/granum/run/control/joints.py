"""Hinges and sliders of a running system, read from its table of bodies; and what compiled controllers read there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.algebra import Expression
from granum.algebra.compiled import Compiled
from granum.algebra.expression import function
from granum.loads.expressed import TablePoses, arguments_of
from granum.loads.measured import Reader, joint_rate, joint_value
from granum.rows.body import Body
from granum.rows.elements import angle
from granum.rows.joint import Connecting, Joint
from granum.rows.symbolic import Pair
from granum.state.table import BodyTable


class MeasuredPoses(TablePoses):
    """Poses for what is read between steps: the angle of a hinge in 3-D is the one within ±π."""

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle since the start."""
        if self.planar:
            return super().hinge_angle(joint)
        assert joint.measure is not None
        sine, cosine = angle.direction(Pair(joint.measure, self.pose(joint.one.body), self.pose(joint.two.body),
                                            (joint.one.arm, joint.two.arm), False))
        return function("atan2", sine, cosine)


class Signals:
    """What a compiled controller reads, from the table of bodies."""

    def __init__(self, names: Sequence[str], scene: Connecting, bodies: Sequence[Body], planar: bool) -> None:
        reader, poses = Reader(scene), MeasuredPoses(bodies, planar)
        listed = [reader.read(name, "reads") for name in names]
        self.program = Compiled(poses.symbols(), [], reader.express(listed, poses))


class JointReader:
    """Angles, displacements and rates of hinges and sliders, from the table of bodies."""

    def __init__(self, joints: Sequence[Joint], bodies: Sequence[Body], planar: bool) -> None:
        movable = [joint for joint in joints if joint.measured is not None]
        self._places = {joint.name: 2 * k for k, joint in enumerate(movable)}
        poses, self._count = MeasuredPoses(bodies, planar), len(bodies)
        listed = [entry for joint in movable for entry in (joint_value(joint, poses), joint_rate(joint, poses))]
        self._program = Compiled(poses.symbols(), [], listed) if listed else None

    def read(self, name: str, bodies: BodyTable) -> tuple[float, float]:
        """Angle or displacement of a joint and its rate, for the bodies in a table."""
        assert self._program is not None
        values = self._program(0.0, arguments_of(bodies, self._count), np.zeros(0))
        place = self._places[name]
        return float(values[place]), float(values[place + 1])
