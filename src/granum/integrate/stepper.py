"""What every solver offers: advance its state to a given time and say how it went."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from granum.base.choices import SOLVERS
from granum.base.extensions import found
from granum.base.kernels import Floats
from granum.base.offers import load
from granum.model.settings import RunSettings

if TYPE_CHECKING:
    from granum.analytic.equations import LinkEquations
    from granum.assembly.points import PointState
    from granum.integrate.link_stepper import LinkStepper

Watch = Callable[[float], None]
"""Called now and then with the time reached [s]; may raise KeyboardInterrupt."""
MakeStepper: TypeAlias = "Callable[[LinkEquations, PointState, RunSettings], LinkStepper]"


@dataclass
class StepStatistics:
    """How an interval went; sums and extremes over its steps."""

    steps: int = 0
    evaluations: int = 0
    """Evaluations of the accelerations."""
    iterations: int = 0
    """Iterations of all steps (mixed: of the mixed iteration; rattle: of the position solve)."""
    most_iterations: int = 0
    """Iterations of the worst step."""
    rejected: int = 0
    """Steps repeated with a smaller step."""
    energy_uncorrected: int = 0
    """Steps at which the energy correction could not be made."""
    redundant: int = 0
    """Most links, or rows of joints, found redundant at once."""
    rank_changes: int = 0
    """How often the number of rows of joints that are redundant changed."""
    residual: float = 0.0
    """Largest residual |H γ - b| relative to |b| left by an iteration."""
    smallest_step: float = 0.0
    largest_step: float = 0.0

    def note_step(self, step: float, count: int = 1) -> None:
        """Count steps of one size [s]."""
        self.smallest_step = min(self.smallest_step, step) if self.steps else step
        self.largest_step = max(self.largest_step, step)
        self.steps += count

    def follow(self, later: StepStatistics) -> None:
        """Add those of an interval that follows."""
        if not later.steps and not later.evaluations:
            return
        self.smallest_step = min(self.smallest_step, later.smallest_step) if self.steps else later.smallest_step
        for name in ("most_iterations", "redundant", "largest_step", "residual"):
            setattr(self, name, max(getattr(self, name), getattr(later, name)))
        for name in ("steps", "evaluations", "iterations", "rejected", "energy_uncorrected", "rank_changes"):
            setattr(self, name, getattr(self, name) + getattr(later, name))

    @classmethod
    def names(cls) -> list[str]:
        """Names of all values, in order."""
        return [field.name for field in fields(cls)]


METHODS = ("dop853", "radau")
"""Error-controlled one-step methods, each in a module of its name: either integrates any smooth system."""


class Stepper(ABC):
    """Advances a state of its own. What it needs to remember between intervals is one number, `next_step`.

    A state and `next_step` determine everything that follows to the last bit: that is what makes a resumed run equal
    to an uninterrupted one.
    """

    next_step: float = 0.0
    """Step to try next [s]; 0 where the solver chooses anew."""

    @property
    def happened(self) -> int | None:
        """Number of the event that ended the motion."""
        return None

    def sampling(self) -> AbstractContextManager[None]:
        """While it lasts, the equations are those of the state reached: formulas that jump have modes."""
        return nullcontext()

    def shares(self, loads: Sequence[str]) -> tuple[Floats, Floats]:
        """Part of its limit with which each of some dry frictions acts in the state asked about; is it unique?"""
        return np.zeros(len(loads)), np.ones(len(loads))

    @abstractmethod
    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance the state to the time `until` exactly, or to an event that ends the motion."""


def make_stepper(equations: LinkEquations, start: PointState, settings: RunSettings) -> LinkStepper:
    """The solver that the settings name, for these equations of points and links."""
    found(_SOLVERS, SOLVERS.section, settings.solver)
    make = _SOLVERS[settings.solver]
    return cast("MakeStepper", load(make) if isinstance(make, str) else make)(equations, start, settings)


def register(name: str, meaning: str, make: MakeStepper) -> None:
    """Add a solver of points and links: scenes choose it by name."""
    SOLVERS.register(name, meaning)
    _SOLVERS[name] = make


# loaded when used: SciPy's solvers alone take as long to import as a short run takes in all
_SOLVERS: dict[str, str | MakeStepper] = {
    "dop853": "granum.integrate.smooth:Adaptive",
    "radau": "granum.integrate.smooth:Adaptive",
    "adams": "granum.integrate.smooth:Adams",
    "rk4": "granum.integrate.rk4:RK4",
    "rattle": "granum.integrate.rattle:Rattle",
}
