"""Runs of systems of formulas: coordinates, reactions of constraints, located events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.algebra import Expression, gradient
from granum.algebra.compiled import Compiled
from granum.algebra.expression import walk
from granum.algebra.parse import LONGEST, parse_equation
from granum.algebra.show import text
from granum.algebra.vectors import vector
from granum.analytic.build import Built
from granum.analytic.events import Events, prepare_events
from granum.analytic.expressed import System
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.fundamental import Fundamental
from granum.analytic.row_equations import RowEquations
from granum.analytic.switches import refuse_unfollowed
from granum.base.errors import GranumError, Problem, SceneError
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_rates
from granum.integrate.effort import refuse_endless
from granum.integrate.motion import Motion, Transition
from granum.io.runfile import TRANSITIONS, Arrays
from granum.loads.measured import RATE
from granum.model.scene import Scene
from granum.rows.errors import largest_errors
from granum.rows.rolling_on_surface import Contact
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name
from granum.run.control.live_system import BodyState, Inputs, Violation
from granum.run.energy import Energies, Ledger, energy_at_rest
from granum.run.orientations import Orientation, Orientations
from granum.run.smooth import SmoothSystem, refuse_fixed_steps
from granum.run.subject import errors_frame

if TYPE_CHECKING:
    from granum.run.sections import Sections


ALLOWED = 1e-9
"""Violation of a constraint by a state that is set, in SI units, which is put down to rounding."""


class SolvedFormulas(SmoothSystem):
    """A system of formulas in one of the formulations for them."""

    what = "a system of formulas"

    remedy = "Check the formulas and the start."

    def __init__(self, equations: ExpressedEquations, scene: Scene, built: Built | None = None) -> None:
        refuse_fixed_steps(scene)
        self.scene = scene
        if "energy" in (scene.run.corrections or ()):
            raise SceneError([Problem(
                "run.corrections", 'corrections = ["energy"] is supported for point masses and links only.',
                'For systems of formulas use [constraint.NAME] with kind = "energy", or an invariant.')])
        self.equations, self.system = equations, equations.system
        system, self.reaction_names = self.system, equations.reaction_names
        self.coordinates = system.coordinates
        self._places = {name: k for k, name in enumerate([*system.coordinates, *(v.name for v in system.v)])}
        self._states: dict[str, Compiled] = {}
        """Programs for the states of bodies that were asked for."""
        self.positions = built.positions if built is not None else {
            **{body.name: body.position for body in system.bodies},
            **{name: vector(place) for name, place in system.points.items()}}
        self.built, self.poses = built, {} if built is None else built.poses
        self.dimension = built.dimension if built is not None else _dimension(system)
        contacts = built.contacts if built is not None else ()
        self.watched: Events | None = None if not contacts else prepare_events(
            equations if isinstance(equations, RowEquations) else Fundamental(self.system, equations.start), contacts)
        q, v = equations.start
        try:
            equations.accelerations(q, v)  # says at once what is not determined or contradictory
            equations.refuse_open(q, v)
        except GranumError as error:
            if built is None:
                raise
            raise SceneError([Problem("", str(error))]) from None
        self.motion: Motion = self._motion(q, v)
        if self.motion.switches is None:
            refuse_unfollowed(equations)
        if not system.frictions:
            refuse_endless(self.motion, equations.pack(q, v, 0.0, self.motion.work))
        oriented = [] if built is None else [
            body.name for body in built.assembly.bodies.values()
            if body.kind == "rigid" and (body.parametrised or system.eliminated is not None)]
        self.orientations = Orientations(system, self.poses, oriented, self.dimension) if oriented else None
        self.oriented = oriented or None
        self.sections = self._cut() if scene.probe else None
        self.section_names = None if self.sections is None else self.sections.names
        self.row_names, self.reports = [row.name for row in system.rows], self._reports()
        self.rolling = None if self.watched is None else [contact.name for contact in self.watched.rubbing]
        start = self._evaluated(0.0, np.concatenate([q, v]), system.parameter_values)
        sizes = np.maximum(np.abs(q), 1.0)
        self.ledger = Ledger(
            (agent.name for agent in system.agents), self._potentials(start), unit=self._energy_unit(),
            floor=energy_at_rest(float(sizes @ np.abs(equations.mass_matrix(q)) @ sizes), 1.0, scene.run.until))
        names = list(system.parameters)
        self.inputs = Inputs(({name: names.index(name) for name in system.inputs}, system.parameter_values),
                             changed=equations.take_parameters)

    def _cut(self) -> Sections:
        """What computes section loads: few scenes ask for any, others need not load it."""
        from granum.run.sections import Sections

        return Sections(self.scene)

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.motion.t

    @property
    def body_names(self) -> Sequence[str]:
        """Bodies, and points that are recorded."""
        return list(self.positions)

    def body_state(self, name: str) -> BodyState | None:
        """State of a body, or of a point of the system."""
        if name not in self.positions:
            return None
        d, own, system, motion = self.dimension, symbol_name(name), self.system, self.motion
        if name not in self._states:
            place, pose = self.positions[name][:d], self.poses.get(name)
            turning = () if pose is None or pose.rotation is None else pose.angular_velocity
            self._states[name] = system.compile([*place, *system.rates(place), *turning])
        values = self._states[name](motion.t, np.concatenate([motion.q, motion.v]), system.parameter_values)
        position, velocity, omega = values[:d].copy(), values[d : 2 * d].copy(), values[2 * d :].copy()
        if not len(omega):
            return BodyState(position, velocity)
        if self.orientations is not None and name in self.orientations.names:
            turned = self.orientations.at(motion.t, motion.q, motion.v).orientation[self.orientations.names.index(name)]
        else:
            turned = np.array([self.coordinate(f"{own}.{key}")[0] for key in (
                ("angle",) if d == 2 else ("u0", "u1", "u2", "u3"))])
        if d == 2:
            return BodyState(position, velocity, None, float(turned[0]), float(omega[2]))
        return BodyState(position, velocity, turned.copy(), None, omega)

    def coordinate(self, name: str) -> tuple[float, float]:
        """A coordinate and its rate."""
        k = self._places[name]
        return float(self.motion.q[k]), float(self.motion.v[k])

    def move_coordinates(self, values: Mapping[str, float]) -> Violation | None:
        """Coordinates and rates that still satisfy the constraints."""
        motion, n = self.motion, len(self.coordinates)
        q, v = motion.q.copy(), motion.v.copy()
        for name, value in values.items():
            place = self._places[name]
            (q if place < n else v)[place % n] = value
        off, moving = self.row_errors(*self.system.check(q, v, motion.t)[:2])
        if max(np.abs(off).max(initial=0.0), np.abs(moving).max(initial=0.0)) > ALLOWED:
            row = int(np.argmax(np.maximum(np.abs(off), np.abs(moving))))
            return Violation.of_row(self.system.rows[row].constraint, float(off[row]), float(moving[row]))
        motion.q, motion.v = q, v
        return None

    def move(self, name: str, state: BodyState) -> Violation | None:
        """Coordinates of a body."""
        own = symbol_name(name)
        if f"{own}.x" not in self.coordinates or self.system.eliminated is not None:
            raise GranumError(f'"{name}" follows from the coordinates {", ".join(self.coordinates)}. Set these with '
                              "set_coordinates.")
        values = {f"{own}.{axis}": float(x) for axis, x in zip("xyz", state.position, strict=False)}
        values |= {rate_name(f"{own}.{axis}"): float(v) for axis, v in zip("xyz", state.velocity, strict=False)}
        if state.angle is not None:
            values |= {f"{own}.angle": state.angle, rate_name(f"{own}.angle"): float(np.asarray(
                state.angular_velocity))}
        elif state.orientation is not None:
            rates = quaternion_rates(tuple(state.orientation), np.asarray(state.angular_velocity))
            values |= {f"{own}.u{k}": float(u) for k, u in enumerate(state.orientation)}
            values |= {rate_name(f"{own}.u{k}"): float(u) for k, u in enumerate(rates)}
        return self.move_coordinates(values)

    @cached_property
    def _measures(self) -> Compiled:
        return self.system.compile(list(self.system.measures.values()))

    def measured(self, joint: str) -> tuple[float, float]:
        """What the system measures of a hinge or slider, and its rate."""
        motion, own = self.motion, symbol_name(joint)
        values = dict(zip(self.system.measures, self._measures(
            motion.t, np.concatenate([motion.q, motion.v]), self.system.parameter_values), strict=True))
        return float(values[f"{own}.{self.scene.measured_joints[joint].measures}"]), float(values[f"{own}.{RATE}"])

    def push(self, name: str, force: Floats, torque: Floats) -> None:
        """On a body that has mass."""
        if self.built is None or name not in self.built.assembly.bodies or self.built.assembly.bodies[name].massless:
            raise GranumError(f'"{name}" has no mass, so that no force can be applied to it. Name a body with mass.')
        super().push(name, force, torque)

    def _motion(self, q: Floats, v: Floats) -> Motion:
        contacts = self.built.contacts if self.built is not None else ()
        rolls = {contact.name for contact in contacts if isinstance(contact, Contact)}
        surfaces = [constraint.rows[0] for constraint in self.system.constraints if constraint.name in rolls]
        if self.system.frictions:  # few scenes have any: others need not wait for what they load
            from granum.analytic.virtual_work import VirtualWork
            from granum.integrate.friction import SlidingMotion

            if isinstance(self.equations, VirtualWork):
                self.equations.contact_events = [] if self.watched is None else [
                    event.formula for event in self.watched.listed]
                self.equations.contact_quotients = [] if self.watched is None else self.watched.quotients
                return SlidingMotion(self.equations, self.scene.run, q, v, surfaces)
        return Motion(self.equations, self.scene.run, q, v, self.watched, surfaces)

    @cached_property
    def _evaluated(self) -> Compiled:
        listed = [c for position in self.positions.values() for c in position[: self.dimension]]
        return self.system.compile([*listed, *self.system.rates(listed), self.system.kinetic_energy,
                                    self.system.potential, *(agent.potential for agent in self.system.agents)])

    def _potentials(self, values: Floats) -> Floats:
        """Potential energy of each agent, among what `_evaluated` gives [J]."""
        return values[len(values) - len(self.system.agents) :]

    def energies(self) -> Energies:
        """From the coordinates."""
        values = self._values()
        done = np.zeros(len(self.system.agents))
        done[[agent.integrated for agent in self.system.agents]] += self.motion.work
        size = 2 * len(self.positions) * self.dimension
        kinetic, potential = values[size : size + 2].tolist()
        return Energies(kinetic, potential, self._potentials(values), done)

    def description(self) -> dict[str, Any]:
        """The names of frictions, and whether the start had to be searched."""
        return {"frictions": [friction.name for friction in self.system.frictions],
                **({} if self.built is None else {"searched": self.built.assembly.searched})}

    def _energy_unit(self) -> float:
        """Σ |q ∂V/∂q| over the coordinates, at the start [J]."""
        q, v = self.equations.start
        slopes = self.system.compile(gradient(self.system.potential, self.system.q))
        return float(np.abs(q * slopes(0.0, np.concatenate([q, v]), self.system.parameter_values)).sum())

    def _reports(self) -> list[str]:
        """What ends a run before its time."""
        return [*(f"the contact of {friction.name} opens: its normal force vanishes."
                  for friction in self.system.frictions),
                *(event.report for event in (() if self.watched is None else self.watched.listed))]

    def transitions(self) -> Iterable[tuple[float, int, str]]:
        """Of frictions."""
        names = [friction.name for friction in self.system.frictions]
        return [(change.time, names.index(change.friction), change.after) for change in self.motion.transitions]

    def _values(self) -> Floats:
        """What `_evaluated` gives for the state."""
        return self._evaluated(self.motion.t, np.concatenate([self.motion.q, self.motion.v]),
                               self.system.parameter_values)

    def kinematics(self) -> dict[str, Any]:
        """From the coordinates; full turns of orientations are counted on from here."""
        out, shape = self._values(), (len(self.positions), self.dimension)
        size = shape[0] * shape[1]
        found = {"position": out[:size].reshape(shape), "velocity": out[size : 2 * size].reshape(shape)}
        if self.orientations is not None:
            now = self.orientations.last = self.orientations.at(self.motion.t, self.motion.q, self.motion.v)
            found |= {"orientation": now.orientation, "angular_velocity": now.angular_velocity}
        return found

    def errors(self) -> dict[str, Any]:
        """Of each row, and the largest."""
        value, rate, _ = self.system.check(self.motion.q, self.motion.v, self.motion.t)
        value, rate = self.row_errors(value, rate)
        return {**errors_frame(largest_errors(value, rate, self.system.row_lengths)),
                "constraint_value": value, "constraint_rate": rate}

    def further(self) -> dict[str, Any]:
        """Coordinates, loads across sections, and the friction that rolling needs."""
        found: dict[str, Any] = {"coordinate": self.motion.q, "rate": self.motion.v}
        if self.sections is not None:
            found["section"] = self.sections.at(self.motion.t, self.body_state, self.inputs)
        if self.rolling:
            found["needed_friction"] = self.motion.largest.copy()
        return found

    def reactions(self) -> tuple[Floats, Floats]:
        """Those of the equations."""
        return self.equations.reaction_values(self.motion.q, self.motion.v, self.motion.t)

    def row_errors(self, value: Floats, rate: Floats) -> tuple[Floats, Floats]:
        """Position rows by value and rate, velocity rows by rate; slips while they slide and invariants count apart."""
        rows = self.system.rows
        held = np.array([not row.invariant and not row.slips for row in rows], dtype=bool)
        place = np.array([row.holonomic for row in rows], dtype=bool)
        return np.where(place & held, value, 0.0), np.where(held, rate, 0.0)

    def checkpoint(self) -> dict[str, Any]:
        """Works of agents that are integrated."""
        return {"checkpoint/work": self.motion.work}

    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state of a frame, to the bit."""
        motion = self.motion
        motion.t = float(arrays["time"][frame])
        motion.q, motion.v = np.array(arrays["coordinate"][frame]), np.array(arrays["rate"][frame])
        motion.work = np.array(arrays["checkpoint/work"][slot])
        if len(motion.largest):
            motion.largest[:] = arrays["needed_friction"][frame]
        if self.orientations is not None:
            self.orientations.last = Orientation(motion.t, np.array(arrays["orientation"][frame]),
                                                 np.array(arrays["angular_velocity"][frame]))
        names = [friction.name for friction in self.system.frictions]
        motion.transitions = tuple(
            Transition(t, names[int(k)], "", TRANSITIONS[int(code)]) for t, k, code in arrays["transition"].tolist()
            if code and t <= motion.t)


def _dimension(system: System) -> int:
    """Two for a system that has points in the plane and no bodies, otherwise three."""
    return 3 if system.bodies else len(next(iter(system.points.values()), (0, 0, 0)))


def scene_of(system: System, equations: ExpressedEquations) -> Scene:
    """A scene that says what a system of formulas is, as far as text can: for the run file."""
    q, v = equations.start
    names = [*system.coordinates, *(s.name for s in system.v)]
    forces = zip(system.coordinates, system.forces, strict=True)
    return Scene(
        title=system.title, system={
            "coordinates": system.coordinates, "parameters": system.parameters, "kinetic": written(system.kinetic),
            "potential": written(system.potential), "forces": {name: written(f) for name, f in forces if not f.is_zero},
            "start": dict(zip(names, [*q.tolist(), *v.tolist()], strict=True)),
            "points": {name: tuple(map(written, place)) for name, place in system.points.items()},
            "lines": system.lines},
        constraint={c.name: {"kind": "formula", "formulas": tuple(map(written, c.rows))} for c in system.constraints
                    if not c.invariant})


def written(formula: Expression) -> str:
    """A formula as text; where that is too long for a scene, a name made from its digest, so that others differ."""
    parts: dict[int, tuple[int, bytes]] = {}
    for node in walk([formula]):
        inner = [parts[id(argument)] for argument in node.arguments]
        own = f"{node.kind} {node.name if node.kind == 'symbol' else ''} {node.value if node.kind == 'number' else ''}"
        digest = hashlib.sha256(own.encode() + b"".join(part for _, part in inner)).digest()
        parts[id(node)] = 1 + sum(size for size, _ in inner), digest
    size, digest = parts[id(formula)]
    try:
        if size < LONGEST:  # shared parts are written out each time: their text may have no end
            source = text(formula)
            parse_equation(source)
            return source
    except GranumError:
        pass
    return f"long_formula_{digest.hex()[:32]}"
