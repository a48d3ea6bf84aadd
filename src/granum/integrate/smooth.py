"""dop853, radau and adams: error-controlled solvers for smooth motion of points and links.

All start anew at every recorded frame, the first two with the step they had reached: a frame is then all that is
needed to go on bit-identically.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from granum.analytic.equations import LinkEquations, NewtonEuler
from granum.assembly.points import PointState
from granum.base.callbacks import UNCHANGED, Callback
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.integrate import driver
from granum.integrate.adaptive_stepper import (
    ABSOLUTE,
    AdaptiveStepper,
    attainable,
    failure_reason,
    method_of,
    statistics_of,
)
from granum.integrate.branches import is_singular
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.pace import Pace
from granum.integrate.stepper import StepStatistics, Watch
from granum.model.settings import RunSettings


class _Smooth(LinkStepper):
    """A first-order vector y = (coordinates, rates, work of dampers) and its derivative."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        self.size = len(equations.coordinates)
        self.relative = attainable(settings.tolerance)
        extent = (float(np.ptp(start.x, axis=1).max()) or 1.0) if isinstance(equations, NewtonEuler) else 1.0
        self.absolute = self.relative * ABSOLUTE * extent  # in units of the size of the system
        self._gamma = start.gamma.copy()

    def pack(self) -> Floats:
        """The state as one vector."""
        return np.concatenate([*self.equations.from_state(self.state), self.state.work])

    def unpack(self, y: Floats, t: float) -> None:
        """Write a vector back into the state."""
        reached, state = self.equations.to_state(y[: self.size], y[self.size : 2 * self.size]), self.state
        state.x[:], state.v[:], state.t = reached.x, reached.v, t
        state.work[:] = y[2 * self.size :]

    def positions(self, y: Floats) -> Floats:
        """Positions of the bodies."""
        return self.equations.to_state(y[: self.size], y[self.size : 2 * self.size]).x

    def evaluate(self, y: Floats, dy: Floats) -> None:
        """Rates of all components of y into dy."""
        size = self.size
        dy[:size] = y[size : 2 * size]
        self.note_redundant(self.equations.rates(
            y[:size], y[size : 2 * size], dy[size : 2 * size], self._gamma, dy[2 * size :]))

    def refuse_infinite(self, t: float) -> None:
        """Raise where the accelerations are not finite."""
        self.branches.refuse_failure(t)
        raise NotConvergedError(f"the accelerations at t = {t:g} s are not finite: forces or speeds overflow. Check "
                                "the masses, stiffnesses and loads of the scene.")


class Adaptive(_Smooth, AdaptiveStepper):
    """An error-controlled one-step method; corrections at the end of each step."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        self.method, self.end = method_of(settings.solver), settings.until
        self.largest_step = settings.largest_step
        size = 2 * self.size + len(start.work)
        self._rates, self._end_of_step = Callback(self._rates_of, size), Callback(self._finish_step, size)
        self._no_data, self._absolutes = np.zeros(1), np.full(size, self.absolute)
        self._watch: Watch = lambda t: None
        self._before = 0.0

    def problem(self) -> driver.Problem:
        """The functions below."""
        return driver.Problem(self._rates.address, self._no_data, self._end_of_step.address)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Steps of the solver's choice, the last one shortened to end exactly."""
        return self._advance(until, watch, None)

    def step(self, until: float) -> StepStatistics:
        """One step of the solver's choice, or what is left until a time."""
        return self._advance(until, lambda t: None, 1)

    def _advance(self, until: float, watch: Watch, most_steps: int | None) -> StepStatistics:
        state, self.statistics, self._watch = self.state, StepStatistics(), watch
        self._gamma[:] = state.gamma
        self.equations.choose_charts(state)
        self.branches.begin(state.x)
        self.t = self._before = state.t
        y = self.pack()
        status, progress = self.integrate(self._absolutes, y, until, watch, most_steps)
        if status == driver.NOT_FINITE:
            self.refuse_infinite(self.t)
        if status != driver.DONE and not (status == driver.MORE and most_steps):
            self.branches.refuse_failure(self.t)
            raise NotConvergedError(f"{self.method.name} stopped at t = {self.t:g} s: {failure_reason(status)}. "
                                    "Check whether the system passes a singular position.")
        self.unpack(y, self.t)
        state.gamma[:] = self._gamma
        statistics = statistics_of(progress)
        statistics.redundant, statistics.energy_uncorrected = (
            self.statistics.redundant, self.statistics.energy_uncorrected)
        return statistics

    def answer(self, status: int, before: float, until: float, y: Floats, progress: driver.Progress) -> int:
        """Let exceptions of the functions that the method called go on."""
        self._rates.reraise()
        self._end_of_step.reraise()
        return status

    def _rates_of(self, t: float, y: Floats, dy: Floats) -> int:
        self.evaluate(y, dy)
        return driver.DONE

    def _finish_step(self, t: float, y: Floats, out: Floats) -> int:
        """Look for a singular position, correct the state, leave charts that come near a pole."""
        self._watch(t)
        if self.branches:
            self.branches.follow(self.positions(y), self._before, t)
        self._before = t
        leave_charts = self.equations.near_pole(y[: self.size])
        if not (self.settings.corrections or leave_charts):
            return UNCHANGED
        self.unpack(y, t)
        if self.settings.corrections:
            self.correct()
        if leave_charts:
            self.equations.choose_charts(self.state)
        y[:] = self.pack()
        return driver.DONE


class Adams(_Smooth):
    """Adams' multistep method of variable order (VODE); corrections at the end of each recorded interval."""

    met_pole = False
    looked_at = 0.0
    """Time of the last evaluation [s]."""
    farthest = 0.0
    """Time of the farthest evaluation [s]."""
    refused: NotConvergedError | None = None
    """What is wrong where an evaluation met a singular position or numbers that overflow, or was beyond them, or where
    evaluations make no progress."""

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Steps and orders of the solver's choice."""
        from scipy.integrate import ode  # takes as long to import as a short run takes in all

        state, self.statistics = self.state, StepStatistics()
        self._gamma[:] = state.gamma
        goal, begun, largest = until, 0, self.settings.largest_step
        self._pace, self.refused = Pace(state.t, max(self.settings.until, until)), None
        while state.t < until:
            self.equations.choose_charts(state)
            solver = ode(self.derivative).set_integrator(
                "vode", method="adams", rtol=self.relative, atol=self.absolute, nsteps=1_000_000,
                first_step=min(self.next_step, goal - state.t, largest),
                max_step=largest if math.isfinite(largest) else 0.0,  # 0: as long as it likes
            )
            solver.set_initial_value(self.pack(), state.t)
            self.met_pole = False
            self.branches.begin(state.x)
            self.looked_at = self.farthest = state.t
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # what it warns of is answered below
                y = solver.integrate(goal)
            if self.met_pole:
                # charts change only where the method starts anew: go less far, so that no pole is met
                goal = 0.5 * (state.t + goal)
                self.statistics.rejected += 1
                continue
            if self.refused is not None:
                raise self.refused
            if not solver.successful() or self.farthest < goal:  # where its error overflows, VODE claims success
                reached = min(solver.t, self.farthest)
                self.branches.refuse_failure(reached)
                raise NotConvergedError(f"adams stopped at t = {reached:g} s before reaching {goal:g} s. "
                                        "Try dop853, or a larger tolerance.")
            self.statistics.note_step(goal - state.t, max(1, (self.statistics.evaluations - begun) // 2))
            begun = self.statistics.evaluations
            self.unpack(y, goal)
            goal = until
        self.correct()
        state.gamma[:] = self._gamma
        watch(until)
        return self.statistics

    def derivative(self, t: float, y: Floats) -> Floats:
        """Rates of all components of y until a pole is met or something is wrong; then a standstill, so that the lost
        interval ends soon.

        An exception would not do: it does not pass through VODE unharmed.
        """
        self.met_pole = self.met_pole or self.equations.near_pole(y[: self.size])
        if self.branches and not self.met_pole and self.refused is None:
            if is_singular(self.branches.loops, self.positions(y)):
                self.refused = self.branches.error(self.looked_at, t)
            self.looked_at = t
        self.statistics.evaluations += 1
        self.farthest = max(self.farthest, t)
        dy = np.zeros_like(y)
        if self.met_pole or self.refused is not None:
            return dy
        self.evaluate(y, dy)
        try:
            if not np.isfinite(dy).all():
                self.refuse_infinite(t)
            if self.statistics.evaluations % 2 == 0 and self._pace.stalls(t, 1):  # steps take two
                raise NotConvergedError(f"adams stopped at t = {t:g} s: {failure_reason(driver.STALLED)}. Check the "
                                        "loads, or whether the system passes a singular position.")
        except NotConvergedError as error:
            self.refused = error
            dy[:] = 0.0
        return dy
