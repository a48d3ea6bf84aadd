"""Error-controlled methods from one recorded frame to the next: batches, statistics, what to do about a status."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from granum.base.callbacks import interrupts_kept
from granum.base.kernels import Floats
from granum.integrate import driver
from granum.integrate.driver import Accuracy, Problem, Progress, Work
from granum.integrate.method_driver import Advance
from granum.integrate.pace import BATCH, ENDLESS, HOPELESS, Pace
from granum.integrate.stepper import Stepper, StepStatistics, Watch
from granum.integrate.switching import Switches

if TYPE_CHECKING:  # loads intervals, which point masses and links do not need
    from granum.integrate.step_bounds import StepBounds

ABSOLUTE = 1e-3
"""Absolute tolerance as a part of the relative one (Udwadia and Mogharabin 2022, §3: 1e-12 and 1e-15)."""


class Method(NamedTuple):
    """An error-controlled method."""

    name: str
    workspace: Callable[[int, int, Floats], Work]
    """Arrays for vectors of a size, a number of events, and quotients that are watched."""
    advance: Advance


def method_of(solver: str) -> Method:
    """The method that a solver is named after; its kernels are loaded here."""
    module = import_module(f"granum.integrate.{solver}")
    return Method(solver, module.workspace, module.advance)


class AdaptiveStepper(Stepper):
    """Advances a vector y by an error-controlled method on a compiled right-hand side.

    It starts anew at every frame with the step it had reached: a frame is then all that is needed to go on
    bit-identically.
    """

    method: Method
    relative: float
    """Relative tolerance, as `attainable` gives it."""
    end: float
    """Time at which the run ends [s], which its progress is measured by."""
    largest_step: float = np.inf
    """As the settings say [s]."""
    bounds: StepBounds | None = None
    """Of steps, from the formulas of the scene."""
    t: float = 0.0
    switches: Switches | None = None
    """Modes of formulas that jump or have kinks."""
    happened: int | None = None
    """Number of the event that ended the motion."""
    largest: Floats = driver.NO_QUOTIENTS
    """Largest values so far of quotients that are watched, and their times [s]."""

    @abstractmethod
    def problem(self) -> Problem:
        """What is integrated, asked before every batch of steps."""

    def integrate(
        self, absolute: Floats, y: Floats, until: float, watch: Watch, most_steps: int | None = None,
    ) -> tuple[int, Progress]:
        """Advance y to `until` or to an event; returns the status and the progress made, both of the driver.

        most_steps: end after so many, with the status MORE.
        """
        with self.following(y, until):
            return self._integrate(absolute, y, until, watch, most_steps)

    def vector(self) -> Floats:
        """A copy of what is integrated, in the state reached."""
        raise NotImplementedError

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """Let the equations be asked about the state reached: modes are those of it."""
        if self.switches is None:
            yield
            return
        with self.asked(self.vector()):
            yield

    @contextmanager
    def asked(self, y: Floats) -> Iterator[None]:
        """Let the equations be asked about a state, with its modes."""
        with self.following(y, self.t + self.end):
            if self.switches is not None:
                self.switches.release(self.t, y)
            yield

    def shares(self, loads: Sequence[str]) -> tuple[Floats, Floats]:
        """As its switches say."""
        return super().shares(loads) if self.switches is None else self.switches.shares(loads)

    @contextmanager
    def following(self, y: Floats, until: float) -> Iterator[None]:
        """Let the equations follow their modes, which are decided upon from the state, so that a run that is taken up
        here decides alike.
        """
        if self.switches is None:
            yield
            return
        with self.switches.equations.held():
            self.switches.problem(self.problem(), len(self.largest))
            self.switches.choose(self.t, y, until)
            yield

    def _posed(self) -> Problem:
        inner = self.problem()
        return inner if self.switches is None else self.switches.problem(inner, len(self.largest))

    def _integrate(
        self, absolute: Floats, y: Floats, until: float, watch: Watch, most_steps: int | None,
    ) -> tuple[int, Progress]:
        events = len(self._posed().directions)
        work = self.method.workspace(len(y), events, self.largest)
        accuracy, progress = Accuracy(self.relative, absolute, self.largest_step), driver.new_progress(
            self.t, self.next_step)
        status, pace = driver.MORE, Pace(self.t, max(self.end, until))
        while status == driver.MORE:
            before, taken = float(progress.time), int(progress.steps)
            accuracy = accuracy if self.bounds is None else self.bounds.within(accuracy, before, y)
            left = BATCH if most_steps is None else most_steps - taken
            with interrupts_kept():
                status = self.method.advance(self._posed(), accuracy, until, y, work, progress, left)
            self.t = float(progress.time)
            status = driver.MORE if status == driver.TABLE_ENDS else status  # the next batch has another
            event = status - driver.FIRST_EVENT
            if self.switches is not None and event >= 0 and not self.switches.own_event(event):
                self.switches.change(event, self.t, y, until)
                work = self.method.workspace(len(y), events, self.largest)  # nothing of before the change
                status = driver.STALLED if self.switches.chatters(max(self.end, until)) else driver.MORE
            status = self.answer(status, before, until, y, progress)
            watch(self.t)
            if status == driver.MORE and most_steps is not None and progress.steps >= most_steps:
                break
            if pace.stalls(self.t, int(progress.steps) - taken) and status == driver.MORE:
                status = driver.STALLED
        self.next_step = float(progress.next_step)
        if status >= driver.FIRST_EVENT:
            self.happened = status - driver.FIRST_EVENT
        return status, progress

    def answer(self, status: int, before: float, until: float, y: Floats, progress: Progress) -> int:
        """What a batch of steps from the time `before` means: another status to go on (MORE) or to stop with."""
        return status

    def chattering(self, status: int) -> str | None:
        """What switches without end where steps make no progress."""
        if status != driver.STALLED or self.switches is None or not self.switches.chatters(self.end):
            return None
        return (f"{self.method.name} stopped at t = {self.t:g} s: sign() or abs() in the formula of "
                f"{self.switches.cause} changes ever more often there (Zeno), and the motion makes no progress. Use a "
                "smooth formula, such as tanh(x/e) in place of sign(x), or end the run earlier.")


def attainable(tolerance: float) -> float:
    """A relative tolerance that rounding leaves within reach."""
    return max(tolerance, 3e-14)


def failure_reason(status: int) -> str:
    """What is wrong where a method stopped with a status that is no event."""
    return {driver.TOO_SMALL: "the step became too small for the tolerance",
            driver.NOT_FINITE: "the accelerations are not finite",
            driver.STALLED: f"{ENDLESS * BATCH} steps advance it by less than {ENDLESS * HOPELESS:g} of the run",
            driver.UNSOLVED: "the implicit equations of a step could not be solved",
            }.get(status, f"it returned status {status}")


def statistics_of(progress: Progress) -> StepStatistics:
    """What the progress of a method says about its steps."""
    smallest = float(progress.smallest_step)
    return StepStatistics(
        steps=int(progress.steps), evaluations=int(progress.evaluations), rejected=int(progress.rejected),
        smallest_step=smallest if np.isfinite(smallest) else 0.0, largest_step=float(progress.largest_step))
