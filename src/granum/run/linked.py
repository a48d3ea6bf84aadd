"""Runs of point masses and links: their start, their frames and their energy balance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.analytic.equations import LinkEquations
from granum.analytic.newton_euler import constraint_errors
from granum.analytic.redundancy import find_redundancy
from granum.assembly.assembly import assembly_of
from granum.assembly.points import PointState, PointSystem
from granum.assembly.points.forces import kinetic_energy, spring_energy
from granum.base.errors import GranumError, NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.integrate import make_stepper
from granum.integrate.corrections import CORRECTION_NAMES
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch
from granum.io.runfile import Arrays
from granum.model.loads import Force, Gravity, Load, Spring, agent_names, damper
from granum.model.scene import Scene
from granum.run.constraint_errors import errors_frame, errors_layout
from granum.run.energy import energy_at_rest, energy_columns
from granum.run.live.points import PointHandle
from granum.run.one_sided import (
    one_sided_checkpoint,
    one_sided_description,
    one_sided_layout,
    one_sided_log,
    restored_one_sided,
)
from granum.run.subject import Layout, SmoothSubject

if TYPE_CHECKING:
    from granum.integrate.one_sided_points import OneSidedPoints

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the link, and to the largest speed."""


class LinkedSubject(SmoothSubject):
    """A system of arrays: positions and velocities of bodies, forces of links."""

    remedy = ("Loads or speeds overflow: check the masses, stiffnesses and loads of the scene.")

    def __init__(self, equations: LinkEquations, scene: Scene) -> None:
        self.system, self.scene = equations.system, scene
        state = consistent_start(equations, scene)
        self.start = state.copy()
        self.ledger = Ledger(self.system, self.start)
        self.live = bool(scene.applied)
        """May a user apply forces? They are an agent of the energy balance then."""
        self.energy_columns, self.energy_unit = columns(self.system, self.live), self.ledger.unit
        mass = self.system.bodies.mass[~self.system.fixed].sum()
        self.energy_floor = energy_at_rest(float(mass), float(np.ptp(state.x, axis=1).max()), scene.run.until)
        self.motion: LinkStepper | OneSidedPoints
        self.one_sided: OneSidedPoints | None = None
        """What opens and closes links, where some are one-sided."""
        if len(self.system.one_sided):  # few scenes have any: others need not wait for what they load
            from granum.integrate.one_sided_points import OneSidedPoints

            self.motion = self.one_sided = OneSidedPoints(equations, state, scene.run)
        else:
            self.motion = make_stepper(equations, state, scene.run)  # solves for the forces of the state
        self._errors = np.zeros(2)
        self.applied = np.zeros_like(self.system.loads.force)
        """Forces that a user applies [N]."""
        self.applied_work = 0.0
        """Their work since the start [J]."""

    @cached_property
    def handle(self) -> PointHandle:
        """Points and links."""
        return PointHandle(self)

    def apply(self, slot: int, force: Floats) -> None:
        """Let a force act on a point, instead of the one that was applied before."""
        if "energy" in (self.scene.run.corrections or ()):
            raise GranumError('corrections = ["energy"] would take the work of an applied force away. Remove "energy".')
        self.system.loads.force[:, slot] += force - self.applied[:, slot]
        self.applied[:, slot] = force

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, and add up the work of applied forces, which are constant meanwhile."""
        if not self.applied.any():
            return super().advance(until, watch)
        before = self.state.x.copy()
        statistics = super().advance(until, watch)
        self.applied_work += float(np.sum(self.applied * (self.state.x - before)))
        return statistics

    @property
    def equations(self) -> LinkEquations:
        """Equations of the links that are closed: of all links, unless some are one-sided."""
        return self.motion.equations

    def link_forces(self) -> tuple[Floats, Floats]:
        """Force of every link in the order of the arrays, tension positive [N], zero where one is open; and whether it
        is unique.
        """
        forces, unique = self.equations.settled_forces(*self.equations.from_state(self.state))
        if self.one_sided is None:
            return forces, unique
        every, determined = np.zeros(self.system.link_count), np.ones(self.system.link_count)
        every[self.one_sided.linked], determined[self.one_sided.linked] = forces, unique
        return every, determined

    @property
    def _loops(self) -> bool:
        """Are there loops of links? Without them, forces are unique."""
        return len(self.system.topology.cuts) > 0

    @property
    def state(self) -> PointState:
        """Positions, velocities and link forces now."""
        return self.motion.state

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.state.t

    def own_layout(self, frames: int) -> Layout:
        """Positions, velocities and link forces of frames."""
        system = self.system
        bodies, links, dimension = len(system.body_names), system.link_count, system.dimension
        return {
            "position": ((frames, bodies, dimension), "f8"),
            "velocity": ((frames, bodies, dimension), "f8"),
            "link_force": ((frames, links), "f8"),
            **({"unique": ((frames, links), "f8")} if self._loops else {}),
            **errors_layout(frames),
            "checkpoint/gamma": ((2, links), "f8"),
            "checkpoint/work": ((2, len(system.loads.stiffness)), "f8"),
            **({"checkpoint/applied": ((2, 1 + self.applied.size), "f8")} if self.live else {}),
            **one_sided_layout(self.one_sided),
        }

    def own_description(self) -> dict[str, Any]:
        """Names of bodies and links, the order of the links, and which of them open and close."""
        system = self.system
        fixed = np.flatnonzero(system.fixed[system.body_rank])
        return {"link_order": "as in the scene: patterns first, then single links",
                "points": {"bodies": system.body_names.blocks(), "links": system.link_names.blocks(),
                           "fixed": fixed.tolist()},
                **one_sided_description(self.one_sided)}

    def log(self) -> dict[str, Any]:
        """Links that opened, closed and rebounded."""
        return one_sided_log(self.one_sided)

    def sample(self) -> dict[str, Any]:
        """Positions, velocities, link forces, energies and errors."""
        system, state = self.system, self.state
        self._refuse_nonsense()
        constraint_errors(self.equations.system.links, state.x, state.v, self._errors)
        forces, unique = self.link_forces()
        return {"position": state.x.T[system.body_rank], "velocity": state.v.T[system.body_rank],
                "link_force": forces[system.link_rank], "energy": self._energy(),
                **({"unique": unique[system.link_rank]} if self._loops else {}),
                **errors_frame(np.array([*self._errors, self._largest_distance(), 0.0]))}

    def _energy(self) -> Floats:
        """The balance; work of impacts and of applied forces stands before what corrections added."""
        entry = self.ledger.entry(self.state)
        impacts = np.zeros(0) if self.one_sided is None else self.one_sided.work
        more = [*impacts, self.applied_work] if self.live else impacts
        return np.insert(entry, len(entry) - len(CORRECTION_NAMES), more)

    def _largest_distance(self) -> float:
        """The largest error of the length of a link [m]; of one that is open, how far it is on the wrong side."""
        links, x = self.system.links, self.state.x
        error = np.linalg.norm(x[:, links.head] - x[:, links.tail], axis=0) - links.length
        if self.one_sided is not None:
            is_open = np.setdiff1d(self.system.one_sided, self.one_sided.linked)
            error[is_open] = np.minimum(self.system.senses[is_open] * error[is_open], 0.0)
        return float(np.abs(error).max(initial=0.0))

    def checkpoint(self) -> dict[str, Any]:
        """Link forces, work of dampers, and which one-sided links are closed."""
        applied = {"checkpoint/applied": [self.applied_work, *self.applied.ravel()]} if self.live else {}
        return {"checkpoint/gamma": self.state.gamma, "checkpoint/work": self.state.work, **applied,
                **one_sided_checkpoint(self.one_sided)}

    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state of a frame, to the bit."""
        order = self.system.body_order
        state = PointState(
            float(arrays["time"][frame]),
            np.ascontiguousarray(arrays["position"][frame][order].T),
            np.ascontiguousarray(arrays["velocity"][frame][order].T),
            np.array(arrays["checkpoint/gamma"][slot]), np.array(arrays["checkpoint/work"][slot]),
            np.array(arrays["energy"][frame, -3:]),
        )
        if self.one_sided is None:
            self.motion.state = state
        else:
            self.one_sided.resume(state, *restored_one_sided(self.one_sided, arrays, slot, state.t))
        if self.live:
            self.applied_work, *applied = arrays["checkpoint/applied"][slot].tolist()
            for number, force in enumerate(np.reshape(applied, self.applied.shape).T):
                self.apply(number, force)

    def explain(self) -> str:
        """Redundant links at the start often explain a run that fails: a taut row cannot sag."""
        model, scratch = self.equations.rectangular
        redundant = find_redundancy(self.system, model, scratch, self.start.x).links
        if not redundant:
            return ""
        names = ", ".join(self.system.link_name(link) for link in redundant[:5])
        more = ", ..." if len(redundant) > 5 else ""
        return (f"\n  At the start {len(redundant)} links are redundant ({names}{more}). A chain of links stretched "
                "straight between fixed points has no solution: give it slack.")

    def _refuse_nonsense(self) -> None:
        state = self.state
        finite = np.isfinite(state.x).all(axis=0) & np.isfinite(state.v).all(axis=0)
        bad = np.flatnonzero(~finite & ~self.system.fixed)
        if len(bad):
            others = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            raise NotConvergedError(
                f'at t = {state.t:g} s body "{self.system.body_name(int(bad[0]))}"{others} has no finite position or '
                "velocity. The step is too large: try half of it, or dop853."
            )


def consistent_start(equations: LinkEquations, scene: Scene) -> PointState:
    """The start of a scene: as given where it fits the links, else what the initial configuration makes of it."""
    system, d = equations.system, scene.dimension
    start = system.initial_state()
    violations = start_violations(system, start)
    if violations and (_velocities_follow(scene) or scene.run.project_start):
        start = system.initial_state({body.name: (body.position[:d], body.velocity[:d])
                                      for body in assembly_of(scene).rows.bodies if body.position is not None})
        violations = start_violations(system, start)
    if violations:
        remedy = ("No start near the given one satisfies all links: check their lengths." if scene.run.project_start
                  else "Give a consistent start, remove the length, or set [run] project_start = true to find the "
                       "nearest one.")
        raise SceneError([Problem(f"link.{v.link}", v.text, remedy) for v in violations])
    return start


def _velocities_follow(scene: Scene) -> bool:
    """Are there bodies whose velocity is left out, or values that are guesses?"""
    return any(start.guess or start.velocity is None for start in scene.start.values()) or bool(scene.pattern)


@dataclass(frozen=True)
class Violation:
    """A link that the start does not respect."""

    link: str
    length_error: float
    """Distance minus length [m]."""
    rate: float
    """Rate at which the distance changes [m/s]."""

    @property
    def text(self) -> str:
        """The violation in words."""
        parts = []
        if self.length_error:
            parts.append(f"its ends start {abs(self.length_error):.3g} m "
                         f"{'farther' if self.length_error > 0 else 'nearer'} than its length allows")
        if self.rate:
            parts.append(f"the initial velocities {'stretch' if self.rate > 0 else 'shorten'} it at "
                         f"{abs(self.rate):.3g} m/s")
        return " and ".join(parts) + "."


def start_violations(system: PointSystem, start: PointState) -> list[Violation]:
    """Links that the start violates by more than rounding, in their order."""
    arm = start.x[:, system.links.head] - start.x[:, system.links.tail]
    rate = start.v[:, system.links.head] - start.v[:, system.links.tail]
    distance = np.linalg.norm(arm, axis=0)
    error = distance - system.links.length
    stretching = (arm * rate).sum(axis=0) / np.where(distance > 0.0, distance, 1.0)
    speed = float(np.abs(start.v).max(initial=0.0))
    one_sided = system.senses != 0  # these may be open, and meet with any velocity
    off = np.where(one_sided, -system.senses * error, np.abs(error)) > ALLOWED * system.links.length
    moving = ~one_sided & (np.abs(stretching) > ALLOWED * speed)
    return [
        Violation(system.link_name(int(k)), float(error[k]) if off[k] else 0.0,
                  float(stretching[k]) if moving[k] else 0.0)
        for k in np.flatnonzero(off | moving)
    ]


def open_at(system: PointSystem, state: PointState) -> Ints:
    """Numbers of the one-sided links whose ends do not touch in a state."""
    links = system.links
    distance = np.linalg.norm(state.x[:, links.head] - state.x[:, links.tail], axis=0)
    return np.flatnonzero(system.senses * (distance - links.length) > ALLOWED * links.length)


def columns(system: PointSystem, live: bool) -> list[str]:
    """Names of the columns: kinetic, potential, work of loads, dampers and impacts, what corrections added."""
    loads = [("load", name) for name in system.scene.load]
    dampers = [("load", damper(name)) for name, load in system.scene.load.items() if _damps(load)]
    impacts = [("link", f"{system.link_name(int(link))}.impact") for link in system.one_sided]
    applied = [("actuator", system.scene.applied)] if live else []
    return energy_columns(agent_names([*loads, *dampers, *impacts, *applied]), CORRECTION_NAMES)


def _damps(load: Load) -> bool:
    return isinstance(load, Spring) and load.damping > 0.0


class Ledger:
    """Rows of the energy balance for any state of one run."""

    def __init__(self, system: PointSystem, start: PointState) -> None:
        self.system, self._start = system, start
        self._at_start = self._potentials(start)

    def entry(self, state: PointState) -> Floats:
        """One row [J]; work is counted from the start of the run."""
        potentials = self._potentials(state)
        damping = [_damps(load) for load in self.system.scene.load.values() if isinstance(load, Spring)]
        kinetic = kinetic_energy(self.system.bodies, state.v)
        return np.concatenate([[kinetic, potentials.sum()], self._at_start - potentials,
                               state.work[np.array(damping, dtype=bool)], state.corrected])

    @property
    def unit(self) -> float:
        """Σ |F x| over constant forces and their axes, at the start [J]."""
        force = np.where(self.system.fixed, 0.0, self.system.loads.force)
        return float(np.abs(force * self._start.x).sum())

    def _potentials(self, state: PointState) -> Floats:
        """Potential energy of each load [J]."""
        system, potentials, springs = self.system, [], 0
        mass = np.where(system.fixed, 0.0, system.bodies.mass)
        for load in system.scene.load.values():
            if isinstance(load, Gravity):
                potentials.append(-float(np.asarray(load.acceleration) @ (state.x @ mass)))
            elif isinstance(load, Force):
                body = system.body_rank[system.body_names.find(load.on)]
                potentials.append(-float(np.asarray(load.force) @ state.x[:, body]))
            else:
                potentials.append(float(spring_energy(system.loads, state.x, springs)))
                springs += 1
        return np.array(potentials, dtype=float)
