"""What a run is about: how a family of systems starts, steps and is recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.integrate.stepper import StepStatistics, Watch
from granum.io.runfile import Arrays, Shape
from granum.model.probes import SectionProbe
from granum.model.scene import Scene

Layout = dict[str, tuple[Shape, str]]


def refuse_entries_of_grains(scene: Scene) -> None:
    """Refuse what only grains have, in a scene without them: no formulation would notice it.

    Section probes look at rigid bodies too, by newton-euler.
    """
    cut = scene.has_formulas and scene.formulation == "newton-euler"
    listed = [f"{section}.{name}" for section in ("shape", "bond", "pair", "probe")
              for name, entry in getattr(scene, section).items() if not (cut and isinstance(entry, SectionProbe))]
    if listed:
        raise SceneError([Problem(place, "is about grains, and this scene has none.",
                                  "Leave it out, or add grains, materials or boundaries.") for place in listed])


class Subject(ABC):
    """A system that is run: its state changes, everything else here is constant."""

    scene: Scene
    next_step: float
    """Step to try next [s]; with the state it determines all that follows to the last bit."""

    @abstractmethod
    def layout(self, frames: int) -> Layout:
        """Shapes of the arrays of a run, in SI units: those of frames, and `checkpoint/...` of two places each."""

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """What the run file says about the arrays."""

    @property
    @abstractmethod
    def time(self) -> float:
        """Time reached [s]."""

    @abstractmethod
    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance the state to a time; it may end before, at an event that ends the run."""

    @abstractmethod
    def frame(self) -> dict[str, Any]:
        """The state as it is recorded, by array; refuses numbers that are not finite."""

    @abstractmethod
    def checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame, by array."""

    @abstractmethod
    def restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """Take up the state of a frame, to the bit."""

    def log(self) -> dict[str, Any]:
        """Arrays that are not of frames, as they stand now."""
        return {}

    def ended(self) -> Floats | None:
        """The event that ended the run before its time (its number, its time [s]), if any."""
        return None

    def explain(self) -> str:
        """What may be behind a run that failed."""
        return ""
