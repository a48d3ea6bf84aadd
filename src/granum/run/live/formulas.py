"""Systems of formulas, while they run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from granum.algebra.compiled import Compiled
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_rates
from granum.loads.commanded import applied_values
from granum.loads.measured import ANGLE, DISPLACEMENT, RATE
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name
from granum.run.live.handle import BodyState, Handle, JointState, find

if TYPE_CHECKING:
    from granum.run.formulas import FormulaSubject


class FormulaHandle(Handle):
    """Coordinates, bodies and points of a FormulaSubject."""

    subject: FormulaSubject
    what = "a system of formulas"

    def __init__(self, subject: FormulaSubject) -> None:
        self.subject, self._system = subject, subject.system
        names = [*self._system.coordinates, *(v.name for v in self._system.v)]
        self._places = {name: k for k, name in enumerate(names)}

    @property
    def bodies(self) -> Sequence[str]:
        """Names of bodies and of points that are recorded."""
        return list(self.subject.positions)

    @cached_property
    def _states(self) -> dict[str, Compiled]:
        return {}

    def body(self, name: str) -> BodyState:
        """State of a body, or of a point of the system."""
        find(name, self.bodies, "body")
        d, own, system, oriented = self.subject.dimension, symbol_name(name), self._system, self.subject.orientations
        if name not in self._states:
            place = self.subject.positions[name][:d]
            pose = self.subject.poses.get(name)
            turning = () if pose is None or pose.rotation is None else pose.angular_velocity
            self._states[name] = system.compile([*place, *system.rates(place), *turning])
        motion = self.subject.motion
        values = self._states[name](motion.t, np.concatenate([motion.q, motion.v]), system.parameter_values)
        position, velocity, omega = values[:d].copy(), values[d : 2 * d].copy(), values[2 * d :].copy()
        if not len(omega):
            return BodyState(position, velocity)
        if oriented is not None and name in oriented.names:
            now, k = oriented.at(motion.t, motion.q, motion.v).orientation, oriented.names.index(name)
            return BodyState(position, velocity, None, float(now[k, 0]), float(omega[2])) if d == 2 else BodyState(
                position, velocity, now[k].copy(), None, omega)
        if d == 2:
            return BodyState(position, velocity, None, self.coordinate(f"{own}.angle")[0], float(omega[2]))
        orientation = np.array([self.coordinate(f"{own}.u{k}")[0] for k in range(4)])
        return BodyState(position, velocity, orientation, None, omega)

    def coordinate(self, name: str) -> tuple[float, float]:
        """A coordinate and its rate."""
        find(name, self._system.coordinates, "coordinate")
        k = self._places[name]
        return float(self.subject.motion.q[k]), float(self.subject.motion.v[k])

    def set_coordinates(self, values: dict[str, float]) -> None:
        """Coordinates and rates that still satisfy the constraints."""
        motion, n = self.subject.motion, len(self._system.coordinates)
        q, v = motion.q.copy(), motion.v.copy()
        for name, value in values.items():
            find(name, list(self._places), "coordinate or rate")
            place = self._places[name]
            (q if place < n else v)[place % n] = value
        off, moving = self.subject.row_errors(*self._system.check(q, v, motion.t)[:2])
        worst = max(np.abs(off).max(initial=0.0), np.abs(moving).max(initial=0.0))
        if worst > ALLOWED:
            row = int(np.argmax(np.maximum(np.abs(off), np.abs(moving))))
            raise GranumError(f"these values violate the constraint {self._system.rows[row].name} by {worst:.3g}. Set "
                              "all coordinates that it joins, consistently.")
        motion.q, motion.v = q, v

    def set_body(self, name: str, state: BodyState) -> None:
        """Coordinates of a body."""
        own = symbol_name(name)
        if f"{own}.x" not in self._system.coordinates or self._system.eliminated is not None:
            raise GranumError(f'"{name}" follows from the coordinates {", ".join(self._system.coordinates)}. Set these '
                              "with set_coordinates.")
        values = {f"{own}.{axis}": float(x) for axis, x in zip("xyz", state.position, strict=False)}
        values |= {rate_name(f"{own}.{axis}"): float(v) for axis, v in zip("xyz", state.velocity, strict=False)}
        if state.angle is not None:
            values |= {f"{own}.angle": state.angle, rate_name(f"{own}.angle"): float(np.asarray(
                state.angular_velocity))}
        elif state.orientation is not None:
            rates = quaternion_rates(tuple(state.orientation), np.asarray(state.angular_velocity))
            values |= {f"{own}.u{k}": float(u) for k, u in enumerate(state.orientation)}
            values |= {rate_name(f"{own}.u{k}"): float(u) for k, u in enumerate(rates)}
        self.set_coordinates(values)

    @cached_property
    def _measures(self) -> Compiled:
        return self._system.compile(list(self._system.measures.values()))

    def joint(self, name: str) -> JointState:
        """State of a hinge or slider, by what the system measures."""
        if self.subject.built is None:
            raise self._refused("a hinge or slider")
        kinds = {joint.name: joint.kind for joint in self.subject.built.assembly.joints
                 if joint.kind in ("hinge", "slider")}
        find(name, list(kinds), "hinge or slider")
        motion, own = self.subject.motion, symbol_name(name)
        values = dict(zip(self._system.measures, self._measures(
            motion.t, np.concatenate([motion.q, motion.v]), self._system.parameter_values), strict=True))
        measured = ANGLE if kinds[name] == "hinge" else DISPLACEMENT
        return JointState(kinds[name], float(values[f"{own}.{measured}"]), float(values[f"{own}.{RATE}"]))

    def apply(self, name: str, force: Floats, torque: Floats) -> None:
        """By the inputs of the actuator `applied`; on a coordinate the first component of the force."""
        if name in self.subject.scene.system.coordinates:
            self.subject.inputs.set({f"{self.subject.scene.applied}.{name}.force": float(force[0])})
            return
        assert self.subject.built is not None
        find(name, [body.name for body in self.subject.built.assembly.bodies.values() if not body.massless], "body")
        inputs = self.subject.inputs
        inputs.set(applied_values(inputs, self.subject.scene.applied, name, [*force, *torque]))

    def book(self, energy: float) -> None:
        """Among the works that are integrated."""
        names = [agent.name for agent in self._system.working]
        if (applied := self.subject.scene.applied) in names:
            self.subject.motion.work[names.index(applied)] += energy


ALLOWED = 1e-9
"""Violation of a constraint by a state that is set, in SI units, which is put down to rounding."""
