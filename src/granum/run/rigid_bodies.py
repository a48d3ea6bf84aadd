"""Runs of rigid bodies and joints as arrays: positions, orientations, reactions and which of them are unique."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.analytic.rigid_bodies.balance import Balance
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.sections import loads_across
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.integrate.effort import refuse_endless
from granum.integrate.rigid_bodies import BodyMotion
from granum.io.runfile import Arrays
from granum.model.scene import Scene
from granum.rows import tables
from granum.rows.errors import arm_length, largest_errors, row_length
from granum.rows.system import RowSystem
from granum.run.constraint_errors import errors_frame, errors_layout
from granum.run.energy import energy_at_rest, energy_columns
from granum.run.live.bodies import BodyHandle
from granum.run.live.inputs import Inputs
from granum.run.one_sided import (
    one_sided_checkpoint,
    one_sided_description,
    one_sided_layout,
    one_sided_log,
    restored_one_sided,
)
from granum.run.recorded import scene_order
from granum.run.subject import EventSubject, Layout

if TYPE_CHECKING:
    from granum.integrate.one_sided_bodies import OneSidedBodies


class BodySubject(EventSubject):
    """Rigid bodies with joints that run by newton-euler."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.equations = BodyEquations(scene)
        self.system, self.rows = self.equations.system, self.equations.rows
        self.fixed = self.system.assembly.fixed
        if "energy" in (scene.run.corrections or ()) and self.rows.motions is not None:
            raise SceneError([Problem("run.corrections", 'corrections = ["energy"] would violate the prescribed motion '
                                                         "of drives.",
                                      'Use corrections = ["position", "velocity"].')])
        self.cuts = self.system.assembly.cuts
        self.motion: BodyMotion | OneSidedBodies  # type: ignore[assignment]
        self.one_sided: OneSidedBodies | None = None
        """What opens and closes links, where some are one-sided."""
        if any(joint.sense for joint in self.rows.joints):  # few scenes have any: others need not load it
            from granum.integrate.one_sided_bodies import OneSidedBodies

            self.motion = self.one_sided = OneSidedBodies(self.equations, scene.run)
        else:
            self.motion = BodyMotion(self.equations, scene.run)
            refuse_endless(self.motion, self.motion.y)
        self.equations.evaluate(self.equations.y0)
        self.balance = Balance(self.system)
        self._measured: tuple[RowSystem, Floats] | None = None
        impacts = () if self.one_sided is None else [f"{name}.impact" for name in self.one_sided.names]
        self.energy_columns = energy_columns([*self.balance.names, *impacts])
        self.energy_unit = self.balance.unit
        self.energy_floor = energy_at_rest(self.balance.mass, self.balance.extent + arm_length(scene), scene.run.until)
        self._names = [*(body.name for body in self.rows.bodies), *self.fixed]
        self._order = scene_order(scene, self._names)
        self.inputs = Inputs((self.system.inputs, self.system.expressed.data),
                             (self.rows.steering, self.rows.tables.steering))

    @cached_property
    def handle(self) -> BodyHandle:
        """Bodies and joints."""
        return BodyHandle(self)

    def own_layout(self, frames: int) -> Layout:
        """Positions, orientations and reactions of frames; the state itself as it is integrated."""
        dimension, bodies = self.rows.dimension, len(self.rows.bodies) + len(self.fixed)
        reactions = len(self.equations.reaction_names)
        return {
            "position": ((frames, bodies, dimension), "f8"),
            "velocity": ((frames, bodies, dimension), "f8"),
            "orientation": ((frames, len(self.rows.bodies), 1 if dimension == 2 else 4), "f8"),
            "angular_velocity": ((frames, len(self.rows.bodies), 1 if dimension == 2 else 3), "f8"),
            "link_force": ((frames, reactions), "f8"),
            "unique": ((frames, reactions), "f8"),
            **errors_layout(frames),
            "section": ((frames, len(self.cuts), 6), "f8"),
            "checkpoint/state": ((2, len(self.motion.y)), "f8"),
            **one_sided_layout(self.one_sided),
        }

    def own_description(self) -> dict[str, Any]:
        """Names of bodies, reactions and joints."""
        return {
            "bodies": [self._names[k] for k in self._order],
            "oriented": [body.name for body in self.rows.bodies],
            "reactions": list(self.equations.reaction_names),
            "joints": {joint.name: joint.kind for joint in self.rows.joints},
            "section_probes": [cut.name for cut in self.cuts], "events": list(self.system.reports),
            "searched": self.system.assembly.searched,
            **one_sided_description(self.one_sided),
        }

    def log(self) -> dict[str, Any]:
        """Links that opened, closed and rebounded."""
        return one_sided_log(self.one_sided)

    def row_lengths(self) -> Floats:
        """Lengths that errors of the rows of the joints that hold are relative to [m]."""
        rows = self.motion.equations.rows
        if self._measured is None or self._measured[0] is not rows:
            arm = arm_length(self.scene)
            self._measured = rows, np.array([row_length(joint, row, arm) for joint in rows.joints
                                             for row in joint.rows])
        return self._measured[1]

    def reaction_values(self) -> tuple[Floats, Floats]:
        """Reactions by the names of the equations, and whether they are unique; zero for links that are open."""
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

    def sample(self) -> dict[str, Any]:
        """Positions, orientations, reactions, energies and how well the joints hold."""
        with (self.motion if self.one_sided is None else self.one_sided.inner).sampling():  # type: ignore[union-attr]
            return self._sampled()

    def _sampled(self) -> dict[str, Any]:
        motion, n = self.motion, len(self.rows.bodies)
        own_tables = motion.equations.rows.tables
        reactions, unique = self.reaction_values()
        d, planar = self.rows.dimension, self.rows.dimension == 2
        still = np.array(list(self.fixed.values())).reshape(-1, 3)[:, :d]
        own, bodies = motion.y[: n * self.rows.stride].reshape(n, -1), own_tables.bodies
        return {
            "position": np.concatenate([bodies[:n, tables.X : tables.X + d], still])[self._order],
            "velocity": np.concatenate([bodies[:n, tables.V : tables.V + d], np.zeros_like(still)])[self._order],
            "orientation": own[:, 2:3] if planar else own[:, 3:7],
            "angular_velocity": own_tables.bodies[:n, tables.W + 2 : tables.W + 3] if planar
            else own_tables.bodies[:n, tables.W : tables.W + 3],
            "link_force": reactions, "unique": unique,
            "energy": self._energy(), "section": self._sections(),
            **errors_frame(largest_errors(own_tables.value, own_tables.rate, self.row_lengths())),
        }

    def _sections(self) -> Floats:
        """Force and moment across each cut."""
        system = self.motion.equations.system
        loads = [np.concatenate(loads_across(system, cut, self.motion.y)) for cut in self.cuts]
        return np.array(loads).reshape(len(self.cuts), 6)

    def _energy(self) -> Floats:
        system = self.motion.equations.system
        impacts = np.zeros(0) if self.one_sided is None else self.one_sided.work
        return np.concatenate([system.rows.tables.figures[[tables.KINETIC, tables.POTENTIAL]],
                               self.balance.work(self.motion.y, system), impacts])

    def checkpoint(self) -> dict[str, Any]:
        """The state as it is integrated, and which one-sided links are closed."""
        return {"checkpoint/state": self.motion.y, **one_sided_checkpoint(self.one_sided)}

    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state of a frame, to the bit."""
        t, y = float(arrays["time"][frame]), np.array(arrays["checkpoint/state"][slot])
        if self.one_sided is not None:
            self.one_sided.resume(t, y, *restored_one_sided(self.one_sided, arrays, slot, t))
        else:
            self.motion.t, self.motion.y[:] = t, y
