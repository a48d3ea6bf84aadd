"""What a run simulates: how a family of systems starts, steps and is recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats
from granum.base.names import Names
from granum.base.text import listed
from granum.integrate.stepper import METHODS, Stepper, StepStatistics, Watch
from granum.io.runfile import TRANSITIONS, Arrays, Shape
from granum.model.bodies import Rigid
from granum.model.connections import Drive
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.run.live.handle import Handle
from granum.run.live.inputs import Inputs

if TYPE_CHECKING:
    from granum.integrate.adaptive_stepper import AdaptiveStepper

Layout = dict[str, tuple[Shape, str]]

MOST_TRANSITIONS = 1000
"""Transitions of frictions and of one-sided links that a run file has room for."""


def transition_rows(happened: Iterable[tuple[float, int, str]]) -> Floats:
    """Transitions as they are recorded, from their time, the number of what changes, and what it does from then on."""
    table = np.zeros((MOST_TRANSITIONS, 3))
    for row, (t, number, what) in zip(table, happened, strict=False):
        row[:] = t, number, TRANSITIONS.index(what)
    return table


def refuse_entries_of_grains(scene: Scene) -> None:
    """Refuse entries that only grains have, in a scene without them: no formulation would notice them.

    Section probes cut rigid bodies, too.
    """
    problems = [Problem(f"{section}.{name}", "is for scenes with grains, but this scene has none.",
                        "Remove it, or add grains, materials or boundaries.")
                for section in ("shape", "bond", "pair", "probe") for name, entry in getattr(scene, section).items()
                if not isinstance(entry, SectionProbe)]
    rigid = any(isinstance(body, Rigid) for body in scene.body.values())
    problems += [Problem(f"probe.{name}", "cuts a rigid body, but this scene has none.", "Remove it.")
                 for name, entry in scene.probe.items() if isinstance(entry, SectionProbe) and not rigid]
    if problems:
        raise SceneError(problems)


def refuse_short_tables(scene: Scene) -> None:
    """Refuse runs that are longer than the tables of their drives."""
    problems = [Problem(f"constraint.{name}.table", f"ends at {entry.table[-1][0]:g} s, but the run ends at "
                                                    f"{scene.run.until:g} s.",
                        "Add rows to the table, or end the run earlier (run.until).")
                for name, entry in scene.constraint.items()
                if isinstance(entry, Drive) and entry.table is not None
                and scene.run.until > entry.table[-1][0] * (1.0 + 1e-9)]
    if problems:
        raise SceneError(problems)


class Subject(ABC):
    """A system that is simulated: its state changes, everything else here is constant."""

    scene: Scene
    next_step: float
    """Step to try next [s]; with the state it determines all that follows to the last bit."""
    energy_columns: Sequence[str]
    """Columns of the energy balance; see `run.energy.energy_columns`."""
    inputs: Inputs = Inputs()
    """Numbers that a controller may change between steps."""
    energy_unit = 0.0
    """Σ |Q q| over the applied forces and the coordinates at the start [J]: a scale of energy where nothing moves."""
    energy_floor = 0.0
    """Kinetic energy that counts as rest [J]; see `run.energy.energy_at_rest`."""
    reaction_names: Sequence[str] | None = None
    """Names of the reactions that are recorded, such as `knee.force.x`; None where there are no links or joints."""
    always_unique = False
    """Are all reactions unique by construction, so that it need not be recorded?"""
    remedy = "Check the start and the loads."
    """What to do about numbers that are not finite."""

    @abstractmethod
    def own_layout(self, frames: int) -> Layout:
        """Shapes of the arrays beyond the energy balance, in SI units: of frames, and `checkpoint/...` of two slots."""

    def layout(self, frames: int) -> Layout:
        """Shapes of all arrays that the subject records."""
        commands = {"command": ((frames, len(self.commands)), "f8")} if self.commands else {}
        return {**self.own_layout(frames), **self._reactions_layout(frames), **commands,
                "energy": ((frames, len(self.energy_columns)), "f8")}

    def _reactions_layout(self, frames: int) -> Layout:
        """A column for each reaction, and whether it is unique."""
        if self.reaction_names is None:
            return {}
        shape = (frames, len(self.reaction_names)), "f8"
        return {"link_force": shape, **({} if self.always_unique else {"unique": shape})}

    def reaction_values(self) -> tuple[Floats, Floats]:
        """Reactions now, in the order of their names, and whether each is unique (1.0); see `run.reactions`."""
        return np.zeros(0), np.zeros(0)

    def reaction_frame(self) -> dict[str, Any]:
        """Reactions as they are recorded."""
        values, unique = self.reaction_values()
        return {"link_force": values, **({} if self.always_unique else {"unique": unique})}

    @property
    def commands(self) -> list[str]:
        """Inputs that are recorded: commands of actuators, but neither forces on every single body nor drives."""
        commanded = self.scene.actuator.keys() - {self.scene.applied}
        return [name for name in self.inputs if name.partition(".")[0] in commanded]

    @property
    @abstractmethod
    def handle(self) -> Handle:
        """What a user may read and change between steps."""

    @abstractmethod
    def own_description(self) -> dict[str, Any]:
        """What the run file says about the arrays beyond the energy balance, such as names of columns."""

    def description(self) -> dict[str, Any]:
        """What the run file says about the arrays."""
        # names of links of a pattern are computed from the scene, not stored
        named = {} if self.reaction_names is None or isinstance(self.reaction_names, Names) else {
            "reactions": list(self.reaction_names)}
        return {**self.own_description(), **named, **({"commands": self.commands} if self.commands else {}),
                "energy_columns": list(self.energy_columns), "energy_unit": self.energy_unit,
                "energy_floor": self.energy_floor}

    @property
    @abstractmethod
    def time(self) -> float:
        """Time reached [s]."""

    def no_steps(self) -> StepStatistics:
        """What the first frame says of the steps before it."""
        return StepStatistics()

    @abstractmethod
    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance the state to a time; it may end before, at an event that ends the run."""

    @abstractmethod
    def sample(self) -> dict[str, Any]:
        """The state as it is recorded, by array."""

    def frame(self) -> dict[str, Any]:
        """The state as it is recorded; refuses numbers that are not finite."""
        content = self.sample()
        if self.commands:
            content["command"] = [self.inputs[name] for name in self.commands]
        for name in self.finite(content):
            if not np.isfinite(content[name]).all():
                raise NotConvergedError(f"at t = {self.time:g} s {name} is not finite. {self.remedy}")
        return content

    def finite(self, content: dict[str, Any]) -> Sequence[str]:
        """The arrays of a frame that must be finite: all, unless a subclass checks some of them by itself."""
        return list(content)

    @abstractmethod
    def checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame, by array."""

    @abstractmethod
    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """Restore the state of a frame, bit by bit."""

    def log(self) -> dict[str, Any]:
        """Arrays that do not belong to frames, as they stand now."""
        return {}

    def ended(self) -> Floats | None:
        """The event that ended the run early (its number, its time [s]), if any."""
        return None

    def explain(self) -> str:
        """What may be behind a run that failed."""
        return ""


class SmoothSubject(Subject):
    """A system that one integrator carries from frame to frame."""

    motion: Stepper

    @property
    def next_step(self) -> float:
        """Step to try next [s]."""
        return self.motion.next_step

    @next_step.setter
    def next_step(self, step: float) -> None:
        self.motion.next_step = step

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to an event that ends the run."""
        return self.motion.advance(until, watch)


class EventSubject(SmoothSubject):
    """A system that an error-controlled method integrates, and whose events it locates."""

    motion: AdaptiveStepper

    def __init__(self, scene: Scene) -> None:
        if scene.run.solver not in METHODS:
            others = [*scene.beyond_links()]
            cause = f"the scene has {listed(others, 5)}" if others else f'formulation is "{scene.run.formulation}"'
            raise SceneError([Problem("run.solver", f'solver "{scene.run.solver}" supports point masses and links in '
                                                    f"newton-euler, lagrange and scalar only, but {cause}.",
                                      'Use solver = "dop853", or "radau" for a stiff system.')])
        self.scene = scene

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.motion.t

    def ended(self) -> Floats | None:
        """The event that ended the run."""
        return None if self.motion.happened is None else np.array([float(self.motion.happened), self.motion.t])
