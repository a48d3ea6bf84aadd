"""Rigid bodies and joints, while they run by newton-euler."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from granum.algebra import Expression
from granum.algebra.compiled import Compiled
from granum.algebra.expression import function
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import rotation_of
from granum.loads.commanded import applied_values
from granum.loads.expressed import TablePoses
from granum.loads.measured import Reader, joint_rate, joint_value
from granum.rows import tables
from granum.rows.bodies import Body
from granum.rows.elements import angle
from granum.rows.joint import Connecting, Joint
from granum.rows.symbolic import Pair
from granum.run.live.handle import BodyState, Handle, JointState, find

if TYPE_CHECKING:
    from granum.run.live.compiled import CompiledController
    from granum.run.rigid_bodies import BodySubject


ALLOWED = 1e-9
"""Violation of a joint by a state that is set which is put down to rounding [m, rad, and per second]."""


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
        self.movable = [joint for joint in joints if joint.measure is not None and joint.kind in ("hinge", "slider")]
        self._places = {joint.name: 2 * k for k, joint in enumerate(self.movable)}
        self._kinds = {joint.name: joint.kind for joint in self.movable}
        poses = MeasuredPoses(bodies, planar)
        listed = [entry for joint in self.movable for entry in (joint_value(joint, poses), joint_rate(joint, poses))]
        self._program = Compiled(poses.symbols(), [], listed) if listed else None

    def read(self, name: str, table: Floats) -> JointState:
        """The state of a joint, for the bodies in a table."""
        find(name, list(self._places), "hinge or slider")
        assert self._program is not None
        values, place = self._program(0.0, table.ravel(), np.zeros(0)), self._places[name]
        return JointState(self._kinds[name], float(values[place]), float(values[place + 1]))


class BodyHandle(Handle):
    """Rigid bodies and joints of a BodySubject."""

    subject: BodySubject
    what = "a mechanism of rigid bodies"

    def __init__(self, subject: BodySubject) -> None:
        self.subject, self._rows = subject, subject.rows
        self._bodies = {body.name: body for body in self._rows.bodies}
        self._planar = self._rows.dimension == 2
        self._struck = 0.0
        """Work of impacts that a change of the state has caused [J]: it is booked already."""

    @property
    def bodies(self) -> Sequence[str]:
        """Names of the movable bodies."""
        return list(self._bodies)

    def _table(self) -> Floats:
        """The table of bodies for the state as it is now."""
        motion = self.subject.motion
        motion.equations.evaluate(motion.y, motion.t)
        return motion.equations.rows.tables.bodies

    def body(self, name: str) -> BodyState:
        """State of a body."""
        find(name, self.bodies, "body")
        body, d = self._bodies[name], self._rows.dimension
        row, own = self._table()[body.index], self._rows.own(self.subject.motion.y, body)
        position, velocity = row[tables.X : tables.X + d].copy(), row[tables.V : tables.V + d].copy()
        if body.kind != "rigid":
            return BodyState(position, velocity)
        if self._planar:
            return BodyState(position, velocity, None, float(own[2]), float(row[tables.W + 2]))
        return BodyState(position, velocity, own[3:7].copy(), None, row[tables.W : tables.W + 3].copy())

    def set_body(self, name: str, state: BodyState) -> None:
        """Write a state into the vector that is integrated, if it fits the joints."""
        before = self.subject.motion.y.copy()
        self._write(name, state)
        self._table()
        rows, one_sided = self.subject.motion.equations.rows, self.subject.one_sided
        own, lengths = rows.tables, np.maximum(self.subject.row_lengths(), 1.0)
        # one-sided links may open
        may = np.array([rows.joints[joint].sense != 0 for joint in own.which[:, tables.JOINT]], dtype=bool)
        value, rate = np.where(may, 0.0, np.abs(own.value)), np.where(may, 0.0, np.abs(own.rate))
        bad = np.flatnonzero((value > ALLOWED * lengths) | (rate > ALLOWED * lengths))
        if one_sided is not None and (name_of := one_sided.on_wrong_side()) is not None:
            self.subject.motion.y[:] = before
            raise GranumError(f'one-sided link "{name_of}" does not allow this: its ends would be on the wrong side. '
                              "Give a state that fits the links.")
        if len(bad):
            joint = rows.joints[int(own.which[bad[0], tables.JOINT])]
            self.subject.motion.y[:] = before
            raise GranumError(f'"{joint.name}" does not allow this: its ends would be {value[bad[0]]:.3g} apart and '
                              f"move by {rate[bad[0]]:.3g} per second. Move by actuators and drives, or give a state "
                              "that fits the joints.")
        if one_sided is not None:
            done = float(one_sided.work.sum())
            one_sided.close_touching(one_sided.closed)
            self._struck = float(one_sided.work.sum()) - done

    def _write(self, name: str, state: BodyState) -> None:
        """Into the vector, which holds momenta of rotation."""
        body, d = self._bodies[name], self._rows.dimension
        own = self._rows.own(self.subject.motion.y, body)
        own[:d] = state.position
        if self._planar:
            own[3:5] = state.velocity
            if body.kind == "rigid":
                own[2], own[5] = state.angle, body.inertia[2, 2] * np.asarray(state.angular_velocity)
            return
        own[7:10] = state.velocity
        if body.kind == "rigid":
            assert state.orientation is not None
            R = rotation_of(state.orientation.tolist())
            own[3:7], own[10:13] = state.orientation, R @ body.inertia @ R.T @ np.asarray(state.angular_velocity)

    @cached_property
    def _joints(self) -> JointReader:
        return JointReader(self._rows.joints, self._rows.bodies, self._planar)

    def joint(self, name: str) -> JointState:
        """State of a hinge or slider."""
        return self._joints.read(name, self._table())

    def apply(self, name: str, force: Floats, torque: Floats) -> None:
        """By the inputs of the actuator `applied`."""
        find(name, self.bodies, "body")
        inputs = self.subject.inputs
        inputs.set(applied_values(inputs, self.subject.scene.applied, name, [*force, *torque]))

    def install(self, controller: CompiledController) -> None:
        """Let a compiled controller command the actuators."""
        system = self.subject.system
        self._signals = controller.install(system.model.loads, system.expressed, self.subject.commands,
                                           self._rows.bodies, system.assembly.connecting)

    def book(self, energy: float) -> None:
        """Among the works behind the bodies in the state."""
        working = self.subject.system.working
        self.subject.motion.y[len(self.subject.motion.y) - len(working) + working.index(
            ("actuator", self.subject.scene.applied))] += energy - self._struck
        self._struck = 0.0

