"""Runs of point masses and links: their start, their frames and their energy balance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from granum.analytic.equations import LinkEquations
from granum.analytic.newton_euler import constraint_errors
from granum.analytic.redundancy import find_redundancy
from granum.assembly.assembly import assembly_of
from granum.assembly.points import PointState, PointSystem
from granum.assembly.points.forces import kinetic_energy, spring_energy
from granum.base.errors import GranumError, NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.base.names import Names
from granum.integrate import make_stepper
from granum.integrate.corrections import CORRECTION_NAMES
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch
from granum.io.runfile import Arrays
from granum.model.loads import Force, Gravity, Load, Spring, agent_names, damper
from granum.model.scene import Scene
from granum.run.control.live_system import BodyState, Violation
from granum.run.energy import Energies, Ledger, energy_at_rest
from granum.run.smooth import SmoothSystem, restored_one_sided
from granum.run.subject import errors_frame, refuse_infinite

if TYPE_CHECKING:
    from granum.integrate.one_sided_points import OneSidedPoints

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the link, and to the largest speed."""


class LinkedPoints(SmoothSystem):
    """A system of arrays: positions and velocities of bodies, forces of links."""

    what = "a scene of point masses and links"
    remedy = ("Loads or speeds overflow: check the masses, stiffnesses and loads of the scene.")

    def __init__(self, equations: LinkEquations, scene: Scene) -> None:
        self.system, self.scene = equations.system, scene
        state = consistent_start(equations, scene)
        self.start = state.copy()
        self.live = bool(scene.applied)
        """May a user apply forces? They are an agent of the energy balance then."""
        mass = self.system.bodies.mass[~self.system.fixed].sum()
        agents, force = agents_of(self.system, self.live), np.where(self.system.fixed, 0.0, self.system.loads.force)
        self.ledger = Ledger(
            agents, held_by(self.system, state, len(agents)), corrections=CORRECTION_NAMES,
            unit=float(np.abs(force * state.x).sum()),
            floor=energy_at_rest(float(mass), float(np.ptp(state.x, axis=1).max()), scene.run.until))
        self.dimension = self.system.dimension
        self.motion: LinkStepper | OneSidedPoints
        self.one_sided: OneSidedPoints | None = None
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

    @property
    def body_names(self) -> Names:
        """Of all points."""
        return self.system.body_names

    def _slot(self, name: str) -> int | None:
        number = self.system.body_names.find(name)
        return None if number is None else int(self.system.body_rank[number])

    def is_fixed(self, name: str) -> bool:
        """Fixed points of patterns too."""
        slot = self._slot(name)
        return slot is not None and bool(self.system.fixed[slot])

    def body_state(self, name: str) -> BodyState | None:
        """State of a point."""
        slot = self._slot(name)
        return None if slot is None else BodyState(self.state.x[:, slot].copy(), self.state.v[:, slot].copy())

    def move(self, name: str, state: BodyState) -> Violation | None:
        """Move a point, as far as its links allow."""
        changed = self.state.copy()
        changed.x[:, self._slot(name)], changed.v[:, self._slot(name)] = state.position, state.velocity
        if violations := start_violations(self.system, changed):
            first = violations[0]
            if first.one_sided:
                return Violation.wrong_side(first.link, abs(first.length_error), first.length_error < 0.0)
            # the row of a link of the length l is (d² - l²)/(2 l) for a distance d
            d, length = first.length_error + first.length, first.length
            return Violation.of_row(first.link, 0.5 * (d * d - length * length) / length, first.rate * d / length)
        self.state.x[:], self.state.v[:] = changed.x, changed.v
        return None

    def push(self, name: str, force: Floats, torque: Floats) -> None:
        """Let a force act on a point, instead of the one that was applied before."""
        if torque.any():
            raise GranumError(f'"{name}" is a point and cannot rotate. Apply a force.')
        if "energy" in (self.scene.run.corrections or ()):
            raise GranumError('corrections = ["energy"] would take the work of an applied force away. Remove "energy".')
        slot = self._slot(name)
        assert slot is not None
        self._apply(slot, np.asarray(force[: self.system.dimension]))

    def _apply(self, slot: int, force: Floats) -> None:
        self.system.loads.force[:, slot] += force - self.applied[:, slot]
        self.applied[:, slot] = force

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, and add up the work of applied forces, which are constant meanwhile.

        Steps of a given size may end in a state that is not finite: that is refused here, not in the next frame.
        """
        before = self.state.x.copy() if self.applied.any() else self.state.x
        statistics = self.motion.advance(until, watch)
        self._refuse_nonsense()
        if self.applied.any():
            self.applied_work += float(np.sum(self.applied * (self.state.x - before)))
        with np.errstate(over="ignore", invalid="ignore"):
            self._refuse_overflow(kinetic_energy(self.system.bodies, self.state.v))
        return statistics

    @property
    def equations(self) -> LinkEquations:
        """Equations of the links that are closed: of all links, unless some are one-sided."""
        return self.motion.equations

    @property
    def reaction_names(self) -> Names:  # type: ignore[override]
        """Those of the links."""
        return self.system.link_names

    @property
    def always_unique(self) -> bool:  # type: ignore[override]
        """Without loops of links, their forces are unique."""
        return not len(self.system.topology.cuts)

    def reactions(self) -> tuple[Floats, Floats]:
        """Tension of every link [N], zero where one is open, and whether it is unique."""
        forces, unique = self.equations.settled_forces(*self.equations.from_state(self.state))
        if self.one_sided is not None:
            every, determined = np.zeros(self.system.link_count), np.ones(self.system.link_count)
            every[self.one_sided.linked], determined[self.one_sided.linked] = forces, unique
            forces, unique = every, determined
        return forces[self.system.link_rank], unique[self.system.link_rank]

    @property
    def state(self) -> PointState:
        """Positions, velocities and link forces now."""
        return self.motion.state

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.state.t

    def description(self) -> dict[str, Any]:
        """Names of bodies and links, and the order of the links."""
        system = self.system
        fixed = np.flatnonzero(system.fixed[system.body_rank])
        return {"link_order": "as in the scene: patterns first, then single links",
                "points": {"bodies": system.body_names.blocks(), "links": system.link_names.blocks(),
                           "fixed": fixed.tolist()}}

    def kinematics(self) -> dict[str, Any]:
        """Positions and velocities in the order of the scene."""
        self._refuse_nonsense()
        order = self.system.body_rank
        return {"position": self.state.x.T[order], "velocity": self.state.v.T[order]}

    def errors(self) -> dict[str, Any]:
        """Of the links."""
        constraint_errors(self.equations.system.links, self.state.x, self.state.v, self._errors)
        return errors_frame(np.array([*self._errors, self._largest_distance(), 0.0]))

    def energies(self) -> Energies:
        """Loads hold energy; dampers, impacts and applied forces have done work."""
        state, loads = self.state, self.system.scene.load
        damping = np.array([_damps(load) for load in loads.values() if isinstance(load, Spring)], dtype=bool)
        impacts = np.zeros(0) if self.one_sided is None else self.one_sided.work
        with np.errstate(over="ignore", invalid="ignore"):
            held = held_by(self.system, state, len(self.ledger.agents))
            kinetic = kinetic_energy(self.system.bodies, state.v)
        done = np.concatenate([np.zeros(len(loads)), state.work[damping], impacts,
                               [self.applied_work] if self.live else []])
        self._refuse_overflow([kinetic, *held, *done])
        return Energies(kinetic, float(held[: len(loads)].sum()), held, done, state.corrected)

    def _largest_distance(self) -> float:
        """The largest error of the length of a link [m]; of one that is open, how far it is on the wrong side."""
        links, x = self.system.links, self.state.x
        error = np.linalg.norm(x[:, links.head] - x[:, links.tail], axis=0) - links.length
        if self.one_sided is not None:
            is_open = np.setdiff1d(self.system.one_sided, self.one_sided.linked)
            error[is_open] = np.minimum(self.system.senses[is_open] * error[is_open], 0.0)
        return float(np.abs(error).max(initial=0.0))

    def checkpoint(self) -> dict[str, Any]:
        """Link forces, work of dampers, and applied forces with their work."""
        applied = {"checkpoint/applied": [self.applied_work, *self.applied.ravel()]} if self.live else {}
        return {"checkpoint/gamma": self.state.gamma, "checkpoint/work": self.state.work, **applied}

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
                self._apply(number, force)

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

    def _refuse_overflow(self, energy: ArrayLike) -> None:
        refuse_infinite("energy", energy, self.time, self.remedy)

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
class StartViolation:
    """A link that the start does not respect."""

    link: str
    length: float
    """[m]"""
    one_sided: bool
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


def start_violations(system: PointSystem, start: PointState) -> list[StartViolation]:
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
        StartViolation(system.link_name(int(k)), float(system.links.length[k]), bool(one_sided[k]),
                       float(error[k]) if off[k] else 0.0,
                       float(stretching[k]) if moving[k] else 0.0)
        for k in np.flatnonzero(off | moving)
    ]


def open_at(system: PointSystem, state: PointState) -> Ints:
    """Numbers of the one-sided links whose ends do not touch in a state."""
    links = system.links
    distance = np.linalg.norm(state.x[:, links.head] - state.x[:, links.tail], axis=0)
    return np.flatnonzero(system.senses * (distance - links.length) > ALLOWED * links.length)


def agents_of(system: PointSystem, live: bool) -> list[str]:
    """Names of all that does work: loads, dampers, impacts of one-sided links, forces that a user applies."""
    loads = [("load", name) for name in system.scene.load]
    dampers = [("load", damper(name)) for name, load in system.scene.load.items() if _damps(load)]
    impacts = [("link", f"{system.link_name(int(link))}.impact") for link in system.one_sided]
    applied = [("actuator", system.scene.applied)] if live else []
    return agent_names([*loads, *dampers, *impacts, *applied])


def _damps(load: Load) -> bool:
    return isinstance(load, Spring) and load.damping > 0.0


def held_by(system: PointSystem, state: PointState, agents: int) -> Floats:
    """(agents,): potential energy of each load, which stand first among the agents [J]; zero for the others."""
    held, springs = np.zeros(agents), 0
    mass = np.where(system.fixed, 0.0, system.bodies.mass)
    for k, load in enumerate(system.scene.load.values()):
        if isinstance(load, Gravity):
            held[k] = -float(np.asarray(load.acceleration) @ (state.x @ mass))
        elif isinstance(load, Force):
            body = system.body_rank[system.body_names.find(load.on)]
            held[k] = -float(np.asarray(load.force) @ state.x[:, body])
        else:
            held[k] = float(spring_energy(system.loads, state.x, springs))
            springs += 1
    return held
