"""Motion of systems of formulas: a compiled method on a compiled right-hand side, with corrections and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.algebra import Expression, gradient
from granum.algebra.expression import free_symbols
from granum.analytic.events import Events
from granum.analytic.expressed import TIME
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.row_equations import NOT_DETERMINED, SINGULAR, RowEquations
from granum.analytic.row_slopes import RowSlopes
from granum.analytic.switches import following
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
from granum.integrate.pace import Driven, pole
from granum.integrate.step_bounds import StepBounds
from granum.integrate.stepper import StepStatistics, Watch
from granum.integrate.switching import Switches
from granum.model.settings import RunSettings

_NEAR = 0.05
"""Independence of the constraints, relative to the start, below which a step that is too small is put down to a
singular position."""
_SHORT = (driver.TOO_SMALL, driver.NOT_FINITE, driver.STALLED)
"""Statuses where steps became too short, or the equations do not go on: what holds the motion up is looked for."""
_LOST = (10, 11)
"""What gibbs-appell returns where its quasi-velocities do not determine the motion, and scalar near a pole."""
_SHORTEST = 1e-12
"""Step, as a part of the end time, below which there is no hope in other quasi-velocities."""


@dataclass(frozen=True)
class Transition:
    """A friction that changes what it does."""

    time: float
    friction: str
    before: str
    """`sticks` or `slides`."""
    after: str
    """`sticks`, `slides` (from sliding: the other way) or `leaves`."""


class Motion(AdaptiveStepper):
    """Advances (q, q̇, work of each agent) of a system of formulas."""

    transitions: tuple[Transition, ...] = ()
    """Frictions that stuck or slid, for motions that have them."""

    def __init__(
        self, equations: ExpressedEquations, settings: RunSettings, q: Floats, v: Floats, events: Events | None = None,
        surfaces: Sequence[Expression] = (),
    ) -> None:
        self.equations, self.relative = equations, attainable(settings.tolerance)
        self.method, self.end = method_of(settings.solver), settings.until
        self.largest_step = settings.largest_step
        system = equations.system
        fixed = {name: value for name, value in system.parameters.items() if name not in system.inputs}
        places = {name: k for k, name in enumerate(system.coordinates)} if equations.begins_with_coordinates else {}
        self.q, self.v, self.work = q.copy(), v.copy(), np.zeros(len(equations.system.working))
        wanted = ("position", "velocity") if settings.corrections is None else settings.corrections
        self._corrections = equations.correcting("position" in wanted, "velocity" in wanted)
        self._events = events
        self.largest = np.zeros((0 if events is None else len(events.rubbing), 2))
        self._watch = 0 if events is None else equations.watch(events.equations)
        if (modes := following(equations)) is not None:
            self.switches = Switches(modes, len(equations.pack(q, v, 0.0, self.work)), self.relative * ABSOLUTE)
        formulas = (list if modes is None else modes.formulas.smooth)(system.formulas)
        unstored = (list if modes is None else modes.formulas.smooth)(system.unstored)
        self.bounds = StepBounds(formulas, [*unstored, *surfaces], places, fixed)
        # of friction the slopes jump; other formulations are integrated in coordinates of their own
        self._slopes = (RowSlopes(equations) if self.method.name == "radau" and isinstance(equations, RowEquations)
                        and not equations.system.frictions else None)

    def problem(self) -> driver.Problem:
        """The compiled equations; quasi-velocities may have changed, and with them the block."""
        equations = self.equations
        problem = driver.Problem(equations.rates.address, equations.block, self._corrections,
                                 jacobian=0 if self._slopes is None else self._slopes.address)
        if self._events is None:
            return problem
        return problem._replace(events=self._watch, directions=self._events.directions)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time exactly, or to the first event on the way."""
        equations = self.equations
        y = equations.pack(self.q, self.v, self.t, self.work)
        absolute = np.full(len(y), self.relative * ABSOLUTE)
        # works follow the motion; near zero they are rounding error
        absolute[len(y) - len(self.work) :] = self.relative
        self._watch_positions(True)
        if isinstance(equations, RowEquations):
            equations.hold_rows(y, self.t)
        try:
            status, progress = self.integrate(absolute, y, until, watch)
        finally:
            if isinstance(equations, RowEquations):
                equations.choose_rows()
        if status in (SINGULAR, *_SHORT):
            self.q, self.v, self.work = equations.unpack(y, self.t)  # what is wrong is said about the last good state
        if (found := self.chattering(status)) is not None:
            raise NotConvergedError(found)
        self._judge(status)
        self.q, self.v, self.work = equations.unpack(y, self.t)
        return statistics_of(progress)

    def vector(self) -> Floats:
        """Coordinates and rates as the formulation integrates them, and works."""
        return self.equations.pack(self.q, self.v, self.t, self.work)

    def answer(self, status: int, before: float, until: float, y: Floats, progress: driver.Progress) -> int:
        """Go on with other quasi-velocities or other rows."""
        equations = self.equations
        equations.reraise()
        if equations.chooses_again and status in _LOST and progress.next_step > _SHORTEST * until:
            self._choose_again(y, progress, before)
            return driver.MORE
        if status == SINGULAR and not equations.is_singular(*equations.unpack(y, self.t)[:2], self.t):
            self._watch_positions(False)  # other rows took over: until the next frame that may happen again
            return driver.MORE
        return status

    def _watch_positions(self, watched: bool) -> None:
        if isinstance(self.equations, RowEquations):
            self.equations.watch_positions(watched)

    def _choose_again(self, y: Floats, progress: driver.Progress, before: float) -> None:
        """Take other quasi-velocities where those in use still held, or a shorter step if they were taken there."""
        if self.t == before:
            progress.next_step *= 0.25
        else:
            q, v, works = self.equations.unpack(y, self.t)
            y[:] = self.equations.pack(q, v, self.t, works)

    def _prescribed(self, t: float) -> list[Driven]:
        """Rates and accelerations of all constraints that move with time, in the last good state."""
        system = self.equations.system
        moving = [row for row in system.rows if "t" in free_symbols([row.drift])]
        program = system.compile([each for row in moving for each in (row.drift, *gradient(row.drift, [TIME]))])
        values = program(t, np.concatenate([self.q, self.v]), system.parameter_values)
        return [Driven(row.constraint, -float(rate), -float(acceleration))
                for row, (rate, acceleration) in zip(moving, values.reshape(-1, 2), strict=True)]

    def _judge(self, status: int) -> None:
        """Raise where neither the end nor an event was reached, and say why."""
        if status == driver.DONE or status >= driver.FIRST_EVENT:
            return
        if isinstance(self.equations, RowEquations) and (status == NOT_DETERMINED or (
                status == driver.NOT_FINITE and self.equations.is_undetermined)):
            if np.linalg.eigvalsh(self.equations.mass_matrix(self.q, self.t))[0] < 0.0:
                raise NotConvergedError(f"at t = {self.t:g} s the mass matrix is not positive semidefinite: "
                                        "accelerations can be computed, but the scene cannot be run. Check the kinetic "
                                        "energy.")
            raise NotConvergedError(f"at t = {self.t:g} s the acceleration of {self.equations.undetermined} is not "
                                    "determined: the system is at a singular position.")
        near = status in _SHORT and self.equations.dependence(self.q, self.v, self.t) < _NEAR
        if near or status == SINGULAR or (
                status in _LOST and self.equations.formulation == "gibbs-appell"):
            raise NotConvergedError(self.equations.singular_position(self.q, self.v, self.t))
        if status in _LOST:
            raise NotConvergedError(f"at t = {self.t:g} s no chart determines the motion: the system passes a "
                                    "singular position.")
        if status in _SHORT and (found := pole(self.t, self.end, self._prescribed)) is not None:
            raise NotConvergedError(f"{self.method.name} stopped at t = {self.t:g} s: {found}")
        raise NotConvergedError(f"{self.method.name} stopped at t = {self.t:g} s: {failure_reason(status)}. Check "
                                "whether the system passes a singular position, or use a larger tolerance.")
