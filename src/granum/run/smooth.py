"""Runs of systems that an integrator carries along smooth solutions: what is recorded of them, whatever they are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.base.names import Names
from granum.base.text import listed
from granum.integrate.stepper import METHODS, StepStatistics, Watch
from granum.io.runfile import TRANSITIONS, Arrays
from granum.model.loads import JointFriction
from granum.model.scene import Scene
from granum.run.control.live_system import LiveSystem
from granum.run.energy import Energies, Ledger
from granum.run.subject import Layout, Subject, errors_layout

if TYPE_CHECKING:
    from granum.integrate.adaptive_stepper import AdaptiveStepper
    from granum.integrate.link_stepper import LinkStepper
    from granum.integrate.one_sided import LinkEvent
    from granum.integrate.one_sided_bodies import OneSidedBodies
    from granum.integrate.one_sided_points import OneSidedPoints
    from granum.run.joint_frictions import JointFrictions

    OneSided: TypeAlias = OneSidedBodies | OneSidedPoints

MOST_TRANSITIONS = 1000
"""Transitions of frictions and of one-sided links that a run file has room for."""


class SmoothSystem(LiveSystem):
    """A system that an integrator carries along smooth solutions: point masses with links, rigid bodies with joints, or
    formulas. It says how its bodies move, how well its constraints hold, what its energies are and what a resumed run
    needs; `SmoothSubject` records it.
    """

    motion: LinkStepper | AdaptiveStepper | OneSided
    ledger: Ledger
    """The energy balance, as it begins."""
    dimension: int
    reaction_names: Sequence[str]
    """Of links, joints and constraints."""
    always_unique = False
    """Are all reactions unique by construction?"""
    oriented: Sequence[str] | None = None
    """Bodies whose orientations are recorded, where coordinates or a lack of rotation do not make that needless."""
    section_names: Sequence[str] | None = None
    """Section probes whose loads are recorded."""
    row_names: Sequence[str] | None = None
    """Rows of constraints that are recorded one by one."""
    rolling: Sequence[str] | None = None
    """Contacts whose needed friction is recorded."""
    reports: Sequence[str] | None = None
    """What ends a run before its time, in words."""
    remedy = "Check the start and the loads."
    """What to do about numbers that are not finite."""

    @property
    @abstractmethod
    def time(self) -> float:
        """Time reached [s]."""

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to an event that ends the run."""
        return self.motion.advance(until, watch)

    @abstractmethod
    def kinematics(self) -> dict[str, Any]:
        """`position` and `velocity` of all bodies, `orientation` and `angular_velocity` of those in `oriented`."""

    @abstractmethod
    def reactions(self) -> tuple[Floats, Floats]:
        """Reactions in the order of their names, and whether each is unique (1.0)."""

    @abstractmethod
    def errors(self) -> dict[str, Any]:
        """How well constraints hold; row by row for those in `row_names`."""

    @abstractmethod
    def energies(self) -> Energies:
        """Energies and works of now, in the order of the ledger."""

    def further(self) -> dict[str, Any]:
        """What only some systems record: coordinates, sections, needed friction."""
        return {}

    def description(self) -> dict[str, Any]:
        """What only some systems say in the run file."""
        return {}

    def transitions(self) -> Iterable[tuple[float, int, str]] | None:
        """What frictions or one-sided links have done: time, number and deed; None where there are none."""
        return None if self.one_sided is None else one_sided_events(self.one_sided)

    @abstractmethod
    def checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame, without what one-sided links need."""

    @abstractmethod
    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """Restore the state of a frame, bit by bit."""

    def explain(self) -> str:
        """What may be behind a run that failed."""
        return ""


class SmoothSubject(Subject):
    """A system that one integrator carries from frame to frame, and all that is recorded of it."""

    system: SmoothSystem

    def __init__(self, system: SmoothSystem) -> None:
        self.system, self.scene, self.ledger = system, system.scene, system.ledger
        self.remedy, self.always_unique = system.remedy, system.always_unique
        self.joint_frictions = frictions_in_joints(system.scene)
        """Dry frictions in joints, which are among the reactions."""
        self.reaction_names = system.reaction_names if self.joint_frictions is None else [
            *system.reaction_names, *self.joint_frictions.labels]

    # ---- time

    @property
    def next_step(self) -> float:
        """Step to try next [s]."""
        return self.system.motion.next_step

    @next_step.setter
    def next_step(self, step: float) -> None:
        self.system.motion.next_step = step

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.system.time

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to an event that ends the run."""
        return self.system.advance(until, watch)

    def ended(self) -> Floats | None:
        """The event that ended the run."""
        happened = self.system.motion.happened
        return None if happened is None else np.array([float(happened), self.time])

    def explain(self) -> str:
        """What may be behind a run that failed."""
        return self.system.explain()

    # ---- recording

    def reaction_values(self) -> tuple[Floats, Floats]:
        """Reactions of constraints and of dry frictions in joints, and whether each is unique."""
        with self.system.motion.sampling():
            values, unique = self.system.reactions()
            if self.joint_frictions is None:
                return values, unique
            rubbing, known = self.joint_frictions.values(self.system.motion)
        return np.concatenate([values, rubbing]), np.concatenate([unique, known])

    def own_layout(self, frames: int) -> Layout:
        """Bodies, errors, coordinates and sections of frames, and what a resumed run needs."""
        system = self.system
        shape = (frames, len(system.body_names), system.dimension), "f8"
        layout: Layout = {"position": shape, "velocity": shape, **errors_layout(frames)}
        if system.oriented is not None:
            q, w = (1, 1) if system.dimension == 2 else (4, 3)
            layout |= {"orientation": ((frames, len(system.oriented), q), "f8"),
                       "angular_velocity": ((frames, len(system.oriented), w), "f8")}
        if system.row_names is not None:
            n, m = (frames, len(system.coordinates)), (frames, len(system.row_names))
            layout |= {"coordinate": (n, "f8"), "rate": (n, "f8"), "constraint_value": (m, "f8"),
                       "constraint_rate": (m, "f8")}
        if system.section_names is not None:
            layout["section"] = (frames, len(system.section_names), 6), "f8"
        if system.rolling:
            layout["needed_friction"] = (frames, len(system.rolling), 2), "f8"
        if system.transitions() is not None:
            layout["transition"] = (MOST_TRANSITIONS, 3), "f8"
        return layout | {name: ((2, *np.shape(values)), "i8" if np.asarray(values).dtype.kind == "i" else "f8")
                         for name, values in self.own_checkpoint().items()}

    def own_description(self) -> dict[str, Any]:
        """Names of bodies, coordinates, rows, sections and events; those of patterns are computed from the scene."""
        system = self.system
        names = system.body_names
        return {
            **({} if isinstance(names, Names) else {"bodies": list(names)}),
            **({} if system.oriented is None else {"oriented": list(system.oriented)}),
            **({} if system.section_names is None else {"section_probes": list(system.section_names)}),
            **({} if system.row_names is None else {
                "coordinates": list(system.coordinates), "rows": list(system.row_names)}),
            **({} if system.one_sided is None else {"one_sided": list(system.one_sided.names)}),
            **({} if system.rolling is None else {"rolling": list(system.rolling)}),
            **({} if system.reports is None else {"events": list(system.reports)}),
            **({} if self.joint_frictions is None else {"joint_frictions": self.joint_frictions.names}),
            **system.description(),
        }

    def sample(self) -> dict[str, Any]:
        """Bodies, reactions, energies and how well constraints hold."""
        system = self.system
        with system.motion.sampling():
            reactions = self.reaction_frame()  # first: it brings the tables of rigid bodies up to date
            return {**system.kinematics(), **reactions, **system.errors(), "energy": system.energies(),
                    **system.further()}

    def log(self) -> dict[str, Any]:
        """Transitions of frictions and one-sided links."""
        happened = self.system.transitions()
        return {} if happened is None else {"transition": transition_rows(happened)}

    def own_checkpoint(self) -> dict[str, Any]:
        """The state as it is integrated, and which one-sided links are closed."""
        return {**self.system.checkpoint(), **one_sided_checkpoint(self.system.one_sided)}

    def own_restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state of a frame."""
        self.system.restore(arrays, frame, slot)


def frictions_in_joints(scene: Scene) -> JointFrictions | None:
    """The dry frictions of a scene: few scenes have any, others need not load them."""
    if not any(isinstance(load, JointFriction) for load in scene.load.values()):
        return None
    from granum.run.joint_frictions import JointFrictions

    return JointFrictions(scene)


def transition_rows(happened: Iterable[tuple[float, int, str]]) -> Floats:
    """Transitions as they are recorded, from their time, the number of what changes, and what it does from then on."""
    table = np.zeros((MOST_TRANSITIONS, 3))
    for row, (t, number, what) in zip(table, happened, strict=False):
        row[:] = t, number, TRANSITIONS.index(what)
    return table


def one_sided_events(motion: OneSided) -> Iterator[tuple[float, int, str]]:
    """Links that opened, closed and rebounded: time, number of the link, and what it did."""
    names = list(motion.names)
    return ((event.time, names.index(event.link), event.what) for event in motion.link_events)


def one_sided_checkpoint(motion: OneSided | None) -> dict[str, Any]:
    """What a resumed run needs."""
    return {} if motion is None else {
        "checkpoint/one_sided": motion.record, "checkpoint/forest": motion.topology.record}


def restored_one_sided(motion: OneSided, arrays: Arrays, slot: int, t: float) -> tuple[Floats, Ints, list[LinkEvent]]:
    """Record, forest and events until the time t, as they were recorded."""
    from granum.integrate.one_sided import LinkEvent  # few scenes have such links

    names = motion.names
    events = [LinkEvent(when, names[int(k)], TRANSITIONS[int(code)]) for when, k, code in arrays["transition"].tolist()
              if code and when <= t]
    return np.array(arrays["checkpoint/one_sided"][slot]), np.array(arrays["checkpoint/forest"][slot]), events


def refuse_fixed_steps(scene: Scene) -> None:
    """Refuse solvers that have no error control, or do not locate events."""
    if scene.run.solver not in METHODS:
        others = [*scene.beyond_links()]
        cause = f"the scene has {listed(others, 5)}" if others else f'formulation is "{scene.run.formulation}"'
        raise SceneError([Problem("run.solver", f'solver "{scene.run.solver}" supports point masses and links in '
                                                f"newton-euler, lagrange and scalar only, but {cause}.",
                                  'Use solver = "dop853", or "radau" for a stiff system.')])
