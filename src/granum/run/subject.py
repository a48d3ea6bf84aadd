"""What a run simulates: how a family of systems starts, steps and is recorded, and which of them runs a scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from granum.base.compiling import expect
from granum.base.errors import GranumError, NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats
from granum.base.names import Names
from granum.integrate.stepper import StepStatistics, Watch
from granum.io.runfile import Arrays, Shape
from granum.model.body_entries import Rigid
from granum.model.one_sided import refuse_by_formulas
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.run.control.handle import Handle
from granum.run.control.live_system import LiveSystem
from granum.run.energy import Ledger

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.run.control.population import Population

Layout = dict[str, tuple[Shape, str]]


def errors_layout(frames: int) -> Layout:
    """Shapes of the arrays of `ConstraintErrors`."""
    return {"constraint_error": ((frames, 2), "f8"), "constraint_units": ((frames, 2), "f8")}


def errors_frame(columns: Floats) -> dict[str, Floats]:
    """Relative error, rate, distance and angle of constraints as they are recorded."""
    return {"constraint_error": columns[:2], "constraint_units": columns[2:]}


class Subject(ABC):
    """A system that is simulated: its state changes, everything else here is constant."""

    scene: Scene
    system: LiveSystem
    """What moves, as a `Handle` reads and changes it."""
    next_step: float
    """Step to try next [s]; with the state it determines all that follows to the last bit."""
    ledger: Ledger
    """The energy balance."""
    reaction_names: Sequence[str] | None = None
    """Names of the reactions that are recorded, such as `knee.force.x`; None where there are no links or joints."""
    population: Population | None = None
    """Grains that touch, enter and leave, where there are some."""
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
                **({"checkpoint/booked": ((2,), "f8")} if self.scene.applied else {}),
                "energy": ((frames, len(self.ledger.columns)), "f8")}

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
        return [name for name in self.system.inputs if name.partition(".")[0] in commanded]

    @cached_property
    def handle(self) -> Handle:
        """What a user may read and change between steps."""
        return Handle(self)

    # ---- recording

    @abstractmethod
    def own_description(self) -> dict[str, Any]:
        """What the run file says about the arrays beyond the energy balance, such as names of columns."""

    def description(self) -> dict[str, Any]:
        """What the run file says about the arrays."""
        # names of links of a pattern are computed from the scene, not stored
        named = {} if self.reaction_names is None or isinstance(self.reaction_names, Names) else {
            "reactions": list(self.reaction_names)}
        return {**self.own_description(), **named, **({"commands": self.commands} if self.commands else {}),
                "energy_columns": self.ledger.columns, "energy_unit": self.ledger.unit,
                "energy_floor": self.ledger.floor}

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
        """The state as it is recorded, by array; `energy` are its `Energies`."""

    def sampled(self) -> dict[str, Any]:
        """The state as it is recorded, by array; `energy` is a row of the ledger."""
        content = self.sample()
        return {**content, "energy": self.ledger.row(content["energy"], self.scene.applied)}

    def frame(self) -> dict[str, Any]:
        """The state as it is recorded; refuses numbers that are not finite."""
        content = self.sampled()
        if self.commands:
            content["command"] = [self.system.inputs[name] for name in self.commands]
        for name in self.finite(content):
            self.refuse_overflow(name, content[name])
        return content

    def refuse_overflow(self, name: str, values: ArrayLike) -> None:
        """Refuse values that are not finite."""
        refuse_infinite(name, values, self.time, self.remedy)

    def finite(self, content: dict[str, Any]) -> Sequence[str]:
        """The arrays of a frame that must be finite: all, unless a subclass checks some of them by itself."""
        return list(content)

    @abstractmethod
    def own_checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame and what is booked, by array."""

    def checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame, by array."""
        return {**self.own_checkpoint(), **({"checkpoint/booked": self.ledger.booked} if self.scene.applied else {})}

    @abstractmethod
    def own_restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """Restore the state of a frame, bit by bit."""

    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """Restore the state of a frame and what is booked, bit by bit."""
        self.own_restore(arrays, frame, slot)
        if self.scene.applied:
            self.ledger.booked = float(arrays["checkpoint/booked"][slot])

    def log(self) -> dict[str, Any]:
        """Arrays that do not belong to frames, as they stand now."""
        return {}

    def ended(self) -> Floats | None:
        """The event that ended the run early (its number, its time [s]), if any."""
        return None

    def explain(self) -> str:
        """What may be behind a run that failed."""
        return ""


def refuse_infinite(name: str, values: ArrayLike, t: float, remedy: str) -> None:
    """Refuse values that are not finite."""
    if not np.isfinite(values).all():
        raise NotConvergedError(f"at t = {t:g} s {name} is not finite. {remedy}")


def subject_of(scene: Scene, room: int = 0) -> Subject:
    """A scene as something that runs; loads only the engine that it needs.

    room: grains that may be added between steps.
    """
    expect(scene.engine)
    refuse_short_tables(scene)
    if scene.has_grains:
        return _grains(scene, room)
    refuse_entries_of_grains(scene)
    scene = scene.with_run(formulation=scene.formulation)
    from granum.analytic.derive import by_joints, by_links, from_built, of_links, options_of
    from granum.run.smooth import SmoothSubject

    if by_joints(scene, scene.run.formulation):
        from granum.run.rigid_bodies import JointedBodies

        return SmoothSubject(JointedBodies(scene))
    if by_links(scene, scene.run.formulation):
        from granum.run.linked import LinkedPoints

        return SmoothSubject(LinkedPoints(of_links(scene), scene))
    if scene.link:
        refuse_by_formulas(scene)
    from granum.analytic.build import build
    from granum.run.formulas import SolvedFormulas

    built = build(scene)
    return SmoothSubject(SolvedFormulas(from_built(built, scene.run.formulation, **options_of(scene)), scene, built))


def _grains(scene: Scene, room: int) -> Subject:
    """Grains, by moreau unless the scene says otherwise."""
    from granum.run.grains import GrainSubject

    return GrainSubject(scene.with_grain_solver(), room)


def subject_of_system(system: System, start: Mapping[str, float] | None, settings: dict[str, Any]) -> Subject:
    """A system of formulas with a start computed from what is given."""
    from granum.analytic.derive import derive
    from granum.analytic.expressed import System
    from granum.analytic.expressed_equations import ExpressedEquations
    from granum.analytic.starts import consistent
    from granum.run.formulas import SolvedFormulas, scene_of
    from granum.run.smooth import SmoothSubject

    if not isinstance(system, System):
        raise GranumError(f"found {system!r:.80}, but a gr.Scene or a gr.analytic.System is simulated. Read a scene "
                          "file with gr.load.")
    if start is not None and not isinstance(start, Mapping):
        raise GranumError(f"found start = {start!r:.80}, but it gives coordinates and rates by name, such as "
                          '{"x": 0.1, "x_dot": 0.0}.')
    settings.setdefault("formulation", "fundamental")
    equations = derive(system, settings["formulation"], start=consistent(system, start or {}))
    assert isinstance(equations, ExpressedEquations)
    return SmoothSubject(SolvedFormulas(equations, scene_of(system, equations).with_run(**settings)))


def refuse_start(start: object) -> None:
    """Refuse a start beside a scene, which has its own and would ignore this one."""
    if start is not None:
        raise GranumError(f"found start = {start!r:.80}, but a scene has its start in [start.NAME] or [system.start]. "
                          "Give start with a gr.analytic.System only.")


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
                for name, entry in scene.drives.items() if entry.table is not None
                and scene.run.until > entry.table[-1][0] * (1.0 + 1e-9)]
    if problems:
        raise SceneError(problems)
