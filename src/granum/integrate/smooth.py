"""dop853 and adams: SciPy's error-controlled solvers for smooth motion.

Both start anew at every recorded frame, dop853 with the step it had reached: a frame is then all that is
needed to go on to the same bits.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.integrate import DOP853, ode

from granum.analytic.equations import LinkEquations, NewtonEuler
from granum.assembly.points import PointState
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.integrate.branches import Branches, is_singular
from granum.integrate.corrections import correct, correcting
from granum.integrate.stepper import Stepper, StepStatistics, Watch
from granum.model.settings import RunSettings

_ABSOLUTE = 1e-3
"""Absolute tolerance as a part of the relative one, in units of the size of the system."""


class _Smooth(Stepper):
    """A first-order vector y = (coordinates, rates, work of dampers) and its derivative."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        self.equations, self.settings = equations, settings
        self.model, self.scratch = equations.rectangular
        self.chosen, self.correction_scratch = correcting(equations.system, start, settings)
        self.branches = Branches(equations.system, start.x)
        self.size = len(equations.coordinates)
        self.relative = max(settings.tolerance, 3e-14)
        extent = (float(np.ptp(start.x, axis=1).max()) or 1.0) if isinstance(equations, NewtonEuler) else 1.0
        self.absolute = self.relative * _ABSOLUTE * extent
        self.statistics = StepStatistics()
        self._state = start.copy()

    def pack(self, state: PointState) -> Floats:
        """The state as one vector."""
        return np.concatenate([*self.equations.from_state(state), state.work])

    def unpack(self, y: Floats, t: float, state: PointState) -> None:
        """Write a vector back into a state."""
        found = self.equations.to_state(y[: self.size], y[self.size : 2 * self.size])
        state.x[:], state.v[:], state.t = found.x, found.v, t
        state.work[:] = y[2 * self.size :]

    def positions(self, y: Floats) -> Floats:
        """Positions of the bodies."""
        return self.equations.to_state(y[: self.size], y[self.size : 2 * self.size]).x

    def derivative(self, t: float, y: Floats) -> Floats:
        """Rates of all components of y; SciPy's choice of step would not end on rates that are not finite."""
        rates = self._rates(y)
        if not np.isfinite(rates).all():
            self.branches.refuse_failure(t)
            raise NotConvergedError(f"the accelerations at t = {t:g} s are not finite: forces or speeds are too "
                                    "large for a number. Check the masses, stiffnesses and loads of the scene.")
        return rates

    def _rates(self, y: Floats) -> Floats:
        self.statistics.evaluations += 1
        size, result = self.size, np.empty_like(y)
        result[:size] = y[size : 2 * size]
        redundant = self.equations.rates(y[:size], y[size : 2 * size], result[size : 2 * size], self._state.gamma,
                                         result[2 * size :])
        self.statistics.redundant = max(self.statistics.redundant, redundant)
        return result

    def correct(self, state: PointState) -> None:
        """Make the chosen corrections and count those that could not be made."""
        self.statistics.energy_uncorrected += not correct(
            self.model, self.scratch, self.chosen, self.correction_scratch, state.x, state.v, state.work,
            state.corrected, False,
        )


class Dop853(_Smooth):
    """Dormand-Prince 8(5,3) with error control; corrections at the end of each step."""

    def advance(self, state: PointState, until: float, watch: Watch) -> StepStatistics:
        """Steps of the solver's choice, the last one shortened to end exactly."""
        self.statistics = StepStatistics()
        self._state.gamma[:] = state.gamma
        self.equations.choose_charts(state)
        self.branches.begin(state.x)
        first = min(self.next_step, until - state.t) if self.next_step else None
        solver = DOP853(self.derivative, state.t, self.pack(state), until, rtol=self.relative,
                        atol=self.absolute, first_step=first)
        while solver.status == "running":
            wanted = solver.h_abs
            message = solver.step()
            if solver.status == "failed":
                self.branches.refuse_failure(solver.t)
                raise NotConvergedError(f"dop853 stopped at t = {solver.t:g} s: {message} "
                                        "Check whether the system passes a singular position.")
            self.statistics.note_step(solver.step_size)
            if self.branches:
                self.branches.follow(self.positions(solver.y), solver.t_old, solver.t)
            leave_charts = self.equations.near_pole(solver.y[: self.size])
            if self.settings.corrections or leave_charts:
                self.unpack(solver.y, solver.t, state)
                if self.settings.corrections:
                    self.correct(state)
                if leave_charts:
                    self.equations.choose_charts(state)
                solver.y = self.pack(state)
                solver.f = self.derivative(solver.t, solver.y)
            # a step cut short by the end of the interval says nothing about the size of the next
            self.next_step = max(solver.h_abs, wanted)
            watch(solver.t)
        if not self.settings.corrections:
            self.unpack(solver.y, until, state)
        state.t = until
        state.gamma[:] = self._state.gamma
        return self.statistics


class Adams(_Smooth):
    """Adams' multistep method of variable order (VODE); corrections at the end of each recorded interval."""

    met_pole = False
    looked_at = 0.0
    """Time of the last evaluation [s]."""
    singular: NotConvergedError | None = None
    """What is wrong where an evaluation met a singular position, or was beyond one."""

    def advance(self, state: PointState, until: float, watch: Watch) -> StepStatistics:
        """Steps and orders of the solver's choice."""
        self.statistics = StepStatistics()
        self._state.gamma[:] = state.gamma
        goal, begun = until, 0
        while state.t < until:
            self.equations.choose_charts(state)
            solver = ode(self.derivative).set_integrator(
                "vode", method="adams", rtol=self.relative, atol=self.absolute, nsteps=1_000_000,
                first_step=min(self.next_step, goal - state.t),
            )
            solver.set_initial_value(self.pack(state), state.t)
            self.met_pole = False
            self.branches.begin(state.x)
            self.looked_at = state.t
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # what it warns of is answered below
                y = solver.integrate(goal)
            if self.met_pole:
                # charts change only where the method starts anew: go less far, so that no pole is met
                goal = 0.5 * (state.t + goal)
                self.statistics.rejected += 1
                continue
            if self.singular is not None:
                raise self.singular
            if not solver.successful():
                self.branches.refuse_failure(solver.t)
                raise NotConvergedError(f"adams stopped at t = {solver.t:g} s before reaching {goal:g} s. "
                                        "Try dop853, or a larger tolerance.")
            self.statistics.note_step(goal - state.t, max(1, (self.statistics.evaluations - begun) // 2))
            begun = self.statistics.evaluations
            self.unpack(y, goal, state)
            goal = until
        self.correct(state)
        state.gamma[:] = self._state.gamma
        watch(until)
        return self.statistics

    def derivative(self, t: float, y: Floats) -> Floats:
        """As for every smooth solver until a pole or a singular position is met; then a standstill, so that the lost
        interval ends soon.

        An exception would not do: it does not pass through VODE unharmed.
        """
        self.met_pole = self.met_pole or self.equations.near_pole(y[: self.size])
        if self.branches and not self.met_pole and self.singular is None:
            if is_singular(self.branches.loops, self.positions(y)):
                self.singular = self.branches.error(self.looked_at, t)
            self.looked_at = t
        if self.met_pole or self.singular is not None:
            self.statistics.evaluations += 1
            return np.zeros_like(y)
        return super().derivative(t, y)
