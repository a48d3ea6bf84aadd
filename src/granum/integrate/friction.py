"""Motion with Coulomb friction: from one change of sticking and sliding to the next (Souchet)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.algebra import Expression
from granum.analytic.friction import EVENTS, Mode
from granum.analytic.row_equations import EVENTS as EVENT_PROGRAM
from granum.analytic.row_equations import POSITIONS, SINGULAR, SLOW, VELOCITIES, corrections, events, rates
from granum.analytic.virtual_work import VirtualWork
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats
from granum.integrate import driver
from granum.integrate.adaptive_stepper import failure_reason, method_of, statistics_of
from granum.integrate.motion import Motion, Transition
from granum.integrate.pace import BATCH, Pace
from granum.integrate.step_bounds import StepBounds
from granum.integrate.stepper import StepStatistics, Watch
from granum.model.settings import RunSettings

MOST_AT_ONCE = 50
"""Changes within INSTANT [s] from which friction is taken to jam."""
INSTANT = 1e-10
_BEGINNING = 1e-3
"""First step after a transition, as a part of the step before it."""

_SLOW, _REVERSED, _BREAKS, _OPENS = range(len(EVENTS))


class FrictionMotion:
    """A state of a system with frictions, carried on in time through all transitions.

    Args:
        equations: with frictions in their system.
        q, v, t: the state at the beginning; by default the start of the equations at t = 0.
        work: of each agent of `System.working` so far [J].
        tolerance: of each step, relative to each component (and absolute for those below 1).
        solver: name of an error-controlled method.
        largest_step: of the method [s].
        bounds: of steps, from formulas.
        largest: friction over normal force of each of `contact_quotients` so far, and its time [s]; changed.
    """

    def __init__(
        self, equations: VirtualWork, q: Floats | None = None, v: Floats | None = None, t: float = 0.0, *,
        work: Floats | None = None, tolerance: float = 1e-12, largest_step: float = np.inf,
        solver: str = "dop853", bounds: StepBounds | None = None, largest: Floats | None = None,
    ) -> None:
        if q is None or v is None:
            q, v = equations.start
            equations.refuse_open(q, v, t)
        self.equations, self.t = equations, float(t)
        self.y = equations.pack(q, v, t, np.zeros(len(equations.system.working)) if work is None else work)
        self.transitions: list[Transition] = []
        self.left: str | None = None
        """The friction whose contact has opened: the motion goes no further."""
        self.ended: int | None = None
        """Number among `contact_events` of the contact that has ended: the motion goes no further."""
        self._names = [friction.name for friction in equations.system.frictions]
        count = len(EVENTS) * len(self._names) + len(equations.contact_events)
        self._problem = driver.Problem(
            rates.address, equations.block, corrections.address, events.address if count else 0, np.full(count, -1))
        self._method, self._bounds = method_of(solver), bounds
        self._accuracy = driver.Accuracy(tolerance, np.full(len(self.y), tolerance), largest_step)
        self._largest = np.zeros((len(equations.contact_quotients) // 2, 2)) if largest is None else largest
        self._work, self.progress = self._workspace(), driver.new_progress(self.t)
        slips = equations.slips(q, v, t)
        resting = {k for k, slip in enumerate(slips) if float(np.linalg.norm(slip)) <= SLOW}
        self.modes = equations.decide(q, v, t, resting)
        self._look_for_opening(self.modes)
        self._prepare()

    def _workspace(self) -> driver.Work:
        return self._method.workspace(len(self.y), len(self._problem.directions), self._largest)

    def _prepare(self) -> None:
        """Hand events, corrections and modes to the block, and meet the velocity rows that hold now."""
        head = self.equations.data.head
        head[EVENT_PROGRAM] = self.equations.events.address if len(self._problem.directions) else 0
        head[[POSITIONS, VELOCITIES]] = 1
        self.equations.modes = self.modes
        self.equations.watch_positions(False)
        for _ in range(2):
            self._check(self.equations.correct(self.y, self.t))
        self.equations.watch_positions(True)

    @property
    def state(self) -> tuple[Floats, Floats]:
        """Coordinates and rates."""
        return self.equations.unpack(self.y, self.t)[:2]

    def advance(self, until: float) -> list[Transition]:
        """Go on to `until`, or to where a contact ends; returns the transitions on the way."""
        first = len(self.transitions)
        while self.t < until and self.left is None and self.ended is None:
            self._to_next_event(until)
        return self.transitions[first:]

    def _to_next_event(self, until: float) -> None:
        """To the next event, and decide anew there."""
        self.equations.modes = self.modes
        # what begins may soon be over, and the rates at its beginning do not tell
        self.progress.time, self.progress.next_step = self.t, _BEGINNING * self.progress.next_step
        self._work = self._workspace()  # nothing of before the change
        status, pace = driver.MORE, Pace(self.t, until)
        while status in (driver.MORE, driver.TABLE_ENDS):
            accuracy = self._accuracy if self._bounds is None else self._bounds.within(
                self._accuracy, float(self.progress.time), self.y)
            taken = int(self.progress.steps)
            status = self._method.advance(self._problem, accuracy, until, self.y, self._work, self.progress, BATCH)
            self.t = float(self.progress.time)
            if pace.stalls(self.t, int(self.progress.steps) - taken) and status == driver.MORE:
                status = driver.STALLED
        if status >= driver.FIRST_EVENT:
            happened, own = self._work.happened != 0.0, len(EVENTS) * len(self._names)
            if happened[own:].any():
                self.ended = int(happened[own:].argmax())
            else:
                self._change(happened[:own].reshape(len(self._names), len(EVENTS)))
        elif status == SINGULAR and not self.equations.is_singular(*self.state, self.t):
            self.equations.watch_positions(False)  # other rows took over: until the next change that may happen again
        else:
            self._check(status)

    def _check(self, status: int) -> None:
        if status == 10:
            raise GranumError(f"the acceleration of {self.equations.undetermined} is not determined at t = "
                              f"{self.t:g} s.")
        if status == SINGULAR:
            raise NotConvergedError(self.equations.singular_position(*self.state, self.t))
        if status != driver.DONE:
            raise NotConvergedError(f"{self._method.name} stopped at t = {self.t:g} s: {failure_reason(status)}. Use a "
                                    "larger tolerance.")

    def _change(self, happened: np.ndarray) -> None:
        """What the events of a moment mean for each friction."""
        q, v = self.state
        slips = self.equations.slips(q, v, self.t)
        resting = set()
        for k, mode in enumerate(self.modes):
            speed = float(np.linalg.norm(slips[k]))
            if happened[k, _OPENS] and not self.equations.system.frictions[k].bilateral:
                self._leave(k)
                return
            stops = happened[k, _SLOW] or (happened[k, _REVERSED] and (
                len(slips[k]) == 1 or speed <= SLOW))
            if not mode.slides or stops:
                resting.add(k)
        modes = self.equations.decide(q, v, self.t, resting)
        self._look_for_opening(modes)
        if self.left is None:
            self._adopt(modes, resting)

    def _look_for_opening(self, modes: list[Mode]) -> None:
        for k, mode in enumerate(modes):
            if mode.opens and self.left is None:
                self._leave(k)

    def _leave(self, k: int) -> None:
        self.left = self._names[k]
        self._note(k, self.modes[k].name, "leaves")

    def _adopt(self, modes: list[Mode], resting: set[int]) -> None:
        for k, (old, new) in enumerate(zip(self.modes, modes, strict=True)):
            # a slip that goes on and only turns, or a normal force that changes its sign, is no transition
            if old.slides != new.slides or (new.slides and k in resting):
                self._note(k, old.name, new.name)
        self.modes = modes
        self._prepare()

    def _note(self, k: int, before: str, after: str) -> None:
        self.transitions.append(Transition(self.t, self._names[k], before, after))
        recent = [change for change in self.transitions[-MOST_AT_ONCE:] if change.time > self.t - INSTANT]
        if len(recent) == MOST_AT_ONCE:
            names = ", ".join(sorted({change.friction for change in recent}))
            raise NotConvergedError(f"{names} changed between sticking and sliding {MOST_AT_ONCE} times within "
                                    f"{INSTANT:g} s at t = {self.t:g} s.")


class SlidingMotion(Motion):
    """Advances a system with frictions through their transitions; where a contact opens or ends it stops."""

    def __init__(
        self, equations: VirtualWork, settings: RunSettings, q: Floats, v: Floats, surfaces: Sequence[Expression] = (),
    ) -> None:
        super().__init__(equations, settings, q, v, surfaces=surfaces)
        self._sliding = equations
        self.largest = np.zeros((len(equations.contact_quotients) // 2, 2))

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to where a contact opens or ends."""
        motion = FrictionMotion(self._sliding, self.q, self.v, self.t, work=self.work, tolerance=self.relative,
                                largest_step=self.largest_step,
                                solver=self.method.name, bounds=self.bounds, largest=self.largest)
        self.transitions += tuple(motion.advance(until))
        watch(motion.t)
        self.t = motion.t
        self.q, self.v, self.work = self._sliding.unpack(motion.y, motion.t)
        if motion.left is not None:
            self.happened = [friction.name for friction in self._sliding.system.frictions].index(motion.left)
        elif motion.ended is not None:
            self.happened = len(self._sliding.system.frictions) + motion.ended
        return statistics_of(motion.progress)
