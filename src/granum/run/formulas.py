"""Runs of systems of formulas: coordinates, reactions of constraints, located events."""

from __future__ import annotations

import hashlib
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
from granum.integrate.effort import refuse_endless
from granum.integrate.motion import Motion, Transition
from granum.io.runfile import TRANSITIONS, Arrays
from granum.model.one_sided import refuse_one_sided
from granum.model.scene import Scene
from granum.rows.errors import largest_errors
from granum.rows.rolling_on_surface import Contact
from granum.run.constraint_errors import errors_frame, errors_layout
from granum.run.energy import energy_at_rest, energy_columns
from granum.run.live.formulas import FormulaHandle
from granum.run.live.inputs import Inputs
from granum.run.orientations import Orientation, Orientations
from granum.run.subject import MOST_TRANSITIONS, EventSubject, Layout, transition_rows

if TYPE_CHECKING:
    from granum.run.sections import Sections


class FormulaSubject(EventSubject):
    """A system of formulas in one of the formulations for them."""

    remedy = "Check the formulas and the start."

    def __init__(self, equations: ExpressedEquations, scene: Scene, built: Built | None = None) -> None:
        super().__init__(scene)
        own = scene.run.formulation
        refuse_one_sided(scene, f"formulation {own}{' of rigid bodies' if own in ('lagrange', 'scalar') else ''}")
        if "energy" in (scene.run.corrections or ()):
            raise SceneError([Problem(
                "run.corrections", 'corrections = ["energy"] is supported for point masses and links only.',
                'For systems of formulas use [constraint.NAME] with kind = "energy", or an invariant.')])
        self.equations, self.system = equations, equations.system
        system = self.system
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
        self.sections = self._cut() if scene.probe else None
        self.energy_columns = energy_columns(agent.name for agent in system.agents)
        self.energy_unit = self._energy_unit()
        sizes = np.maximum(np.abs(q), 1.0)
        self.energy_floor = energy_at_rest(float(sizes @ np.abs(equations.mass_matrix(q)) @ sizes), 1.0,
                                           scene.run.until)
        start = self._evaluated(0.0, np.concatenate([q, v]), system.parameter_values)
        self._held = self._potentials(start)
        names = list(system.parameters)
        self.inputs = Inputs(({name: names.index(name) for name in system.inputs}, system.parameter_values),
                             changed=equations.take_parameters)

    def _cut(self) -> Sections:
        """What computes section loads: few scenes ask for any, others need not load it."""
        from granum.run.sections import Sections

        return Sections(self.scene)

    @cached_property
    def handle(self) -> FormulaHandle:
        """Coordinates and bodies."""
        return FormulaHandle(self)

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

    def _energy(self, values: Floats) -> Floats:
        """Kinetic, potential, and the work of each agent since the start [J]."""
        work = self._held - self._potentials(values)
        work[[agent.integrated for agent in self.system.agents]] += self.motion.work
        size = 2 * len(self.positions) * self.dimension
        return np.concatenate([values[size : size + 2], work])

    def own_layout(self, frames: int) -> Layout:
        """Coordinates, rates, positions of bodies, reactions and constraint rows of frames."""
        n, m, reactions = len(self.system.q), len(self.system.rows), len(self.equations.reaction_names)
        return {
            "position": ((frames, len(self.positions), self.dimension), "f8"),
            "velocity": ((frames, len(self.positions), self.dimension), "f8"),
            "coordinate": ((frames, n), "f8"),
            "rate": ((frames, n), "f8"),
            "link_force": ((frames, reactions), "f8"),
            "unique": ((frames, reactions), "f8"),
            **errors_layout(frames),
            "constraint_value": ((frames, m), "f8"),
            "constraint_rate": ((frames, m), "f8"),
            "transition": ((MOST_TRANSITIONS, 3), "f8"),
            **({"needed_friction": ((frames, len(self.motion.largest), 2), "f8")} if len(self.motion.largest) else {}),
            "checkpoint/work": ((2, len(self.system.working)), "f8"),
            **self._orientation_layout(frames),
            **({} if self.sections is None else {"section": ((frames, len(self.sections.cuts), 6), "f8")}),
        }

    def _orientation_layout(self, frames: int) -> Layout:
        """Orientations of bodies that no coordinate tells."""
        if self.orientations is None:
            return {}
        bodies, width = len(self.orientations.names), self.orientations.width
        return {"orientation": ((frames, bodies, width), "f8"),
                "angular_velocity": ((frames, bodies, 1 if width == 1 else 3), "f8")}

    def own_description(self) -> dict[str, Any]:
        """Names of bodies, coordinates, reactions, rows and events."""
        return {
            "bodies": list(self.positions), "coordinates": list(self.system.coordinates),
            **({} if self.orientations is None else {"oriented": self.orientations.names}),
            **({} if self.sections is None else {"section_probes": self.sections.names}),
            "reactions": list(self.equations.reaction_names), "rows": [row.name for row in self.system.rows],
            "events": self._reports(), "frictions": [friction.name for friction in self.system.frictions],
            **({} if self.watched is None else {"rolling": [contact.name for contact in self.watched.rubbing]}),
            **({} if self.built is None else {"searched": self.built.assembly.searched}),
        }

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

    def log(self) -> dict[str, Any]:
        """Transitions of friction: time, number of the friction, and what it does from then on."""
        names = [friction.name for friction in self.system.frictions]
        return {"transition": transition_rows(
            (change.time, names.index(change.friction), change.after) for change in self.motion.transitions)}

    def sample(self) -> dict[str, Any]:
        """Coordinates, positions, reactions, energies and how well every row holds."""
        motion, system = self.motion, self.system
        out = self._evaluated(motion.t, np.concatenate([motion.q, motion.v]), system.parameter_values)
        size = len(self.positions) * self.dimension
        shape = (len(self.positions), self.dimension)
        value, rate, _ = system.check(motion.q, motion.v, motion.t)
        value, rate = self.row_errors(value, rate)
        with motion.sampling():
            reactions, unique = self.equations.reaction_values(motion.q, motion.v, motion.t)
        return {
            "position": out[:size].reshape(shape), "velocity": out[size : 2 * size].reshape(shape),
            "coordinate": motion.q, "rate": motion.v, "link_force": reactions, "unique": unique,
            **self._orientation(),
            "energy": self._energy(out),
            **errors_frame(largest_errors(value, rate, system.row_lengths)),
            "constraint_value": value, "constraint_rate": rate, **self._section(),
            **({"needed_friction": motion.largest.copy()} if len(motion.largest) else {}),
        }

    def _section(self) -> dict[str, Any]:
        """Force and moment across each cut."""
        if self.sections is None:
            return {}
        return {"section": self.sections.at(self.motion.t, self.handle.body, self.inputs)}

    def _orientation(self) -> dict[str, Any]:
        """Of bodies that no coordinate tells; full turns are counted on from here."""
        if self.orientations is None:
            return {}
        now = self.orientations.last = self.orientations.at(self.motion.t, self.motion.q, self.motion.v)
        return {"orientation": now.orientation, "angular_velocity": now.angular_velocity}

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
