"""Runs of rigid bodies and joints as arrays: positions, orientations, reactions and which of them are unique."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.analytic.rigid_bodies.agents import Agents
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.sections import loads_across
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.base.rotations import rotation_of
from granum.integrate.effort import refuse_endless
from granum.integrate.rigid_bodies import BodyMotion
from granum.io.runfile import Arrays
from granum.model.scene import Scene
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.errors import arm_length, largest_errors, row_length
from granum.rows.system import RowSystem
from granum.run.control.live_system import BodyState, Inputs, Violation
from granum.run.energy import Energies, Ledger, energy_at_rest
from granum.run.recorded import scene_order
from granum.run.smooth import SmoothSystem, refuse_fixed_steps, restored_one_sided
from granum.run.subject import errors_frame
from granum.state.table import VX, WX, WZ, X

if TYPE_CHECKING:
    from granum.integrate.one_sided_bodies import OneSidedBodies
    from granum.run.control.compiled import CommandedLoads


ALLOWED = 1e-9
"""Violation of a joint by a state that is set which is put down to rounding [m, rad, and per second]."""


class JointedBodies(SmoothSystem):
    """Rigid bodies with joints that run by newton-euler."""

    what = "a mechanism of rigid bodies"

    def __init__(self, scene: Scene) -> None:
        refuse_fixed_steps(scene)
        self.scene, self.equations = scene, BodyEquations(scene)
        self.system, self.rows = self.equations.system, self.equations.rows
        self.reaction_names = self.equations.reaction_names
        self.fixed = self.system.assembly.fixed
        if "energy" in (scene.run.corrections or ()) and self.rows.motions is not None:
            raise SceneError([Problem("run.corrections", 'corrections = ["energy"] would violate the prescribed motion '
                                                         "of drives.",
                                      'Use corrections = ["position", "velocity"].')])
        self.cuts, self.dimension = self.system.assembly.cuts, self.rows.dimension
        self.oriented = [body.name for body in self.rows.bodies]
        self.section_names, self.reports = [cut.name for cut in self.cuts], self.system.reports
        self.motion: BodyMotion | OneSidedBodies
        self.one_sided: OneSidedBodies | None = None
        if any(joint.sense for joint in self.rows.joints):  # few scenes have any: others need not load it
            from granum.integrate.one_sided_bodies import OneSidedBodies

            self.motion = self.one_sided = OneSidedBodies(self.equations, scene.run)
        else:
            self.motion = BodyMotion(self.equations, scene.run)
            refuse_endless(self.motion, self.motion.y)
        self.equations.evaluate(self.equations.y0)
        self.agents = Agents(self.system)
        self._measured: tuple[RowSystem, Floats] | None = None
        impacts = [] if self.one_sided is None else [f"{name}.impact" for name in self.one_sided.names]
        self.ledger = Ledger(
            [*self.agents.names, *impacts], np.concatenate([self.agents.held(self.system), np.zeros(len(impacts))]),
            unit=self.agents.unit, floor=energy_at_rest(self.agents.mass, self.agents.extent + arm_length(scene),
                                                        scene.run.until))
        self._bodies = {body.name: body for body in self.rows.bodies}
        self._names = [*(body.name for body in self.rows.bodies), *self.fixed]
        self._order = scene_order(scene, self._names)
        self.inputs = Inputs((self.system.inputs, self.system.expressed.data),
                             (self.rows.steering, self.rows.tables.steering))

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.motion.t

    @property
    def body_names(self) -> Sequence[str]:
        """Fixed points included."""
        return [self._names[k] for k in self._order]

    def rows_now(self) -> RowSystem:
        """For the state as it is now."""
        self.motion.equations.evaluate(self.motion.y, self.motion.t)
        return self.motion.equations.rows

    def body_state(self, name: str) -> BodyState | None:
        """State of a body."""
        body, d = self._bodies.get(name), self.rows.dimension
        if body is None:
            return None
        bodies, own = self.rows_now().tables.bodies, self.rows.own(self.motion.y, body)
        pose, motion = bodies.pose[body.index], bodies.motion[body.index]
        position, velocity = pose[X : X + d].copy(), motion[VX : VX + d].copy()
        if body.kind != "rigid":
            return BodyState(position, velocity)
        if d == 2:
            return BodyState(position, velocity, None, float(own[2]), float(motion[WZ]))
        return BodyState(position, velocity, own[3:7].copy(), None, motion[WX : WZ + 1].copy())

    def move(self, name: str, state: BodyState) -> Violation | None:
        """Write a state into the vector that is integrated, if it fits the joints."""
        before = self.motion.y.copy()
        self._write(self._bodies[name], state)
        violation = self._violation()
        if violation is not None:
            self.motion.y[:] = before
        return violation

    def _violation(self) -> Violation | None:
        """The first joint that the state does not respect; one-sided links may be open."""
        rows = self.rows_now()
        own, lengths = rows.tables, np.maximum(self.row_lengths(), 1.0)
        may = np.array([rows.joints[joint].sense != 0 for joint in own.which[:, tables.JOINT]], dtype=bool)
        value, rate = np.where(may, 0.0, np.abs(own.value)), np.where(may, 0.0, np.abs(own.rate))
        if self.one_sided is not None and (wrong := self.one_sided.on_wrong_side()) is not None:
            return Violation.wrong_side(*wrong, self.scene.link[wrong[0]].sense > 0)
        bad = np.flatnonzero((value > ALLOWED * lengths) | (rate > ALLOWED * lengths))
        if not len(bad):
            return None
        joint = rows.joints[int(own.which[bad[0], tables.JOINT])]
        return Violation.of_row(joint.name, float(value[bad[0]]), float(rate[bad[0]]))

    def _write(self, body: Body, state: BodyState) -> None:
        """Into the vector, which holds momenta of rotation."""
        d, own = self.rows.dimension, self.rows.own(self.motion.y, body)
        own[:d] = state.position
        if d == 2:
            own[3:5] = state.velocity
            if body.kind == "rigid":
                own[2], own[5] = state.angle, body.inertia[2, 2] * np.asarray(state.angular_velocity)
            return
        own[7:10] = state.velocity
        if body.kind == "rigid":
            assert state.orientation is not None
            R = rotation_of(state.orientation.tolist())
            own[3:7], own[10:13] = state.orientation, R @ body.inertia @ R.T @ np.asarray(state.angular_velocity)

    def commanded_loads(self) -> CommandedLoads:
        """Those of the joints."""
        from granum.run.control.compiled import CommandedLoads  # most runs need not wait for it

        return CommandedLoads(self.system.model.loads, self.system.expressed, self.rows.bodies,
                              self.system.assembly.connecting)

    def description(self) -> dict[str, Any]:
        """The kinds of joints, and whether the start had to be searched."""
        return {"joints": {joint.name: joint.kind for joint in self.rows.joints},
                "searched": self.system.assembly.searched}

    def row_lengths(self) -> Floats:
        """Lengths that errors of the rows of the joints that hold are relative to [m]."""
        rows = self.motion.equations.rows
        if self._measured is None or self._measured[0] is not rows:
            arm = arm_length(self.scene)
            self._measured = rows, np.array([row_length(joint, row, arm) for joint in rows.joints
                                             for row in joint.rows])
        return self._measured[1]

    def reactions(self) -> tuple[Floats, Floats]:
        """Those of the equations; zero for links that are open."""
        motion, names = self.motion, self.equations.reaction_names
        values, unique = motion.equations.reaction_values(motion.y, motion.t)
        if self.one_sided is None:
            return values, unique
        held = {name: k for k, name in enumerate(motion.equations.reaction_names)}
        places = [k for k, name in enumerate(names) if name in held]
        every, determined = np.zeros(len(names)), np.ones(len(names))
        every[places] = values
        determined[places] = unique
        return every, determined

    def kinematics(self) -> dict[str, Any]:
        """From the tables and the state."""
        n, d = len(self.rows.bodies), self.rows.dimension
        bodies = self.motion.equations.rows.tables.bodies
        still = np.array(list(self.fixed.values())).reshape(-1, 3)[:, :d]
        own = self.motion.y[: n * self.rows.stride].reshape(n, -1)
        return {
            "position": np.concatenate([bodies.pose[:n, X : X + d], still])[self._order],
            "velocity": np.concatenate([bodies.motion[:n, VX : VX + d], np.zeros_like(still)])[self._order],
            "orientation": own[:, 2:3] if d == 2 else own[:, 3:7],
            "angular_velocity": bodies.motion[:n, WZ if d == 2 else WX : WZ + 1]}

    def errors(self) -> dict[str, Any]:
        """Of the rows of joints."""
        own = self.motion.equations.rows.tables
        return errors_frame(largest_errors(own.value, own.rate, self.row_lengths()))

    def further(self) -> dict[str, Any]:
        """Loads across sections."""
        return {"section": loads_across(self.motion.equations, self.motion.y)}

    def energies(self) -> Energies:
        """From the tables."""
        system = self.motion.equations.system
        impacts = np.zeros(0) if self.one_sided is None else self.one_sided.work
        kinetic, potential = system.rows.tables.figures[[tables.KINETIC, tables.POTENTIAL]].tolist()
        return Energies(kinetic, potential, np.concatenate([self.agents.held(system), np.zeros(len(impacts))]),
                        np.concatenate([self.agents.done(self.motion.y), impacts]))

    def checkpoint(self) -> dict[str, Any]:
        """The state as it is integrated."""
        return {"checkpoint/state": self.motion.y}

    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state of a frame, to the bit."""
        t, y = float(arrays["time"][frame]), np.array(arrays["checkpoint/state"][slot])
        if self.one_sided is not None:
            self.one_sided.resume(t, y, *restored_one_sided(self.one_sided, arrays, slot, t))
        else:
            self.motion.t, self.motion.y[:] = t, y
