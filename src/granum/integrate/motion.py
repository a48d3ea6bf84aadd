"""Motion of systems of formulas: compiled dop853 on a compiled right-hand side, with corrections and located events."""

from __future__ import annotations

import numpy as np

from granum.analytic import fundamental
from granum.analytic.cluster_equations import ClusterEquations
from granum.analytic.events import Events
from granum.analytic.expressed_equations import ExpressedEquations, GibbsAppell, RowEquations
from granum.analytic.virtual_work import VirtualWork
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.integrate import dop853
from granum.integrate.friction import FrictionMotion, Transition
from granum.integrate.stepper import StepStatistics, Watch
from granum.model.settings import RunSettings

_ABSOLUTE = 1e-3
"""Absolute tolerance as a part of the relative one (001 §3: 1e-12 and 1e-15)."""
_NEAR = 0.05
"""Independence of the constraints, relative to the start, below which a step that is too small is put down to a
singular position."""
_BATCH = 2000
"""Steps between looks at the clock and at Ctrl-C."""
_LOST = (10, 11)
"""What gibbs-appell returns where its quasi-velocities do not determine the motion, and scalar near a pole."""
_HOPELESS = 1e-6
"""Part of the end time that a batch of steps must make: with less, a run would take more than 1e9 steps. So it is where
constraint errors keep the motion from passing a singular position, which no step size helps."""
_SHORTEST = 1e-12
"""Step, as a part of the end time, below which there is no hope in other quasi-velocities."""


class Motion:
    """Advances (q, q̇, work of each agent) of a system of formulas."""

    next_step: float = 0.0
    transitions: tuple[Transition, ...] = ()
    """Frictions that stuck or slid, for motions that have them."""

    def __init__(
        self, equations: ExpressedEquations, settings: RunSettings, q: Floats, v: Floats, events: Events | None = None,
    ) -> None:
        self.equations, self.events = equations, events
        self.t, self.q, self.v, self.work = 0.0, q.copy(), v.copy(), np.zeros(len(equations.system.working))
        self.happened: int | None = None
        """Number of the event that stopped the motion."""
        self.relative = max(settings.tolerance, 3e-14)
        wanted = ("position", "velocity") if settings.corrections is None else settings.corrections
        self._finish = equations.correcting("position" in wanted, "velocity" in wanted)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time exactly, or to the first event on the way."""
        equations, figures = self.equations, dop853.new_figures()
        y = equations.pack(self.q, self.v, self.t, self.work)
        work, absolute = dop853.workspace(len(y)), np.full(len(y), self.relative * _ABSOLUTE)
        # works follow the motion; near zero they are rounding error
        absolute[len(y) - len(self.work) :] = self.relative
        figures[dop853.NEXT], figures[dop853.TIME] = self.next_step, self.t
        status = dop853.MORE
        self._watch_positions(True)
        while status == dop853.MORE:
            t, h = float(figures[dop853.TIME]), float(figures[dop853.NEXT])
            if self.events is None:
                status = dop853.advance(
                    equations.rates.address, equations.block, t, until, y, h, self.relative, absolute, np.inf, work,
                    figures, _BATCH, self._finish)
            else:
                status = self._to_event(y, t, until, h, absolute, work, figures)
            changes = isinstance(equations, GibbsAppell | ClusterEquations)
            if changes and status in _LOST and figures[dop853.NEXT] > _SHORTEST * until:
                self._choose_again(y, figures, t)
                status = dop853.MORE
            elif status == fundamental.SINGULAR and not equations.is_singular(
                    *equations.unpack(y, t)[:2], float(figures[dop853.TIME])):
                self._watch_positions(False)  # other rows took over: until the next frame that may happen again
                status = dop853.MORE
            elif status == dop853.MORE and figures[dop853.TIME] - t < _HOPELESS * until:
                status = dop853.TOO_SMALL
            watch(float(figures[dop853.TIME]))
        self.t = float(figures[dop853.TIME])
        if status in (fundamental.SINGULAR, dop853.TOO_SMALL):
            self.q, self.v, self.work = equations.unpack(y, self.t)  # what is wrong is said about the last good state
        self._judge(status)
        self.q, self.v, self.work = equations.unpack(y, self.t)
        self.next_step = float(figures[dop853.NEXT])
        return statistics_of(figures)

    def _watch_positions(self, watched: bool) -> None:
        if isinstance(self.equations, RowEquations):
            self.equations.watch_positions(watched)

    def _choose_again(self, y: Floats, figures: Floats, before: float) -> None:
        """Take other quasi-velocities where those in use still held, or a shorter step if they were taken there."""
        t = float(figures[dop853.TIME])
        if t == before:
            figures[dop853.NEXT] *= 0.25
        else:
            q, v, works = self.equations.unpack(y, t)
            y[:] = self.equations.pack(q, v, t, works)

    def _to_event(
        self, y: Floats, t: float, until: float, h: float, absolute: Floats, work: Floats, figures: Floats,
    ) -> int:
        assert self.events is not None
        equations, g = self.equations, dop853.event_space(len(self.events.directions))
        return int(dop853.advance_to_event(
            equations.rates.address, fundamental.events.address, self.events.directions, equations.block, t, until, y,
            h, self.relative, absolute, np.inf, False, work, g, figures, _BATCH, self._finish))

    def _judge(self, status: int) -> None:
        """Note an event; say what went wrong otherwise."""
        if status == dop853.DONE:
            return
        if status >= dop853.FIRST_EVENT:
            self.happened = status - dop853.FIRST_EVENT
            return
        if status == 10 and isinstance(self.equations, RowEquations):
            if np.linalg.eigvalsh(self.equations.mass_matrix(self.q, self.t))[0] < 0.0:
                raise NotConvergedError(f"at t = {self.t:g} s the mass matrix is not positive semidefinite: single "
                                        "accelerations can be computed, but not a run. Check the kinetic energy.")
            k = int(self.equations.block[fundamental.UNDETERMINED])
            raise NotConvergedError(f"at t = {self.t:g} s the acceleration of {self.equations.coordinates[k]} is not "
                                    "determined: the system passes a singular position.")
        near = status == dop853.TOO_SMALL and self.equations.dependence(self.q, self.v, self.t) < _NEAR
        if near or status == fundamental.SINGULAR or (status in _LOST and isinstance(self.equations, GibbsAppell)):
            raise NotConvergedError(self.equations.singular_position(self.q, self.v, self.t))
        if status in _LOST:
            raise NotConvergedError(f"at t = {self.t:g} s no chart determines the motion: the system passes a "
                                    "singular position.")
        reason = {dop853.TOO_SMALL: "the step became too small for the tolerance",
                  dop853.NOT_FINITE: "the accelerations are not finite"}.get(status, f"it returned status {status}")
        raise NotConvergedError(f"dop853 stopped at t = {self.t:g} s: {reason}. Check whether the system passes a "
                                "singular position, or take a larger tolerance.")


class SlidingMotion(Motion):
    """Advances a system with frictions through their transitions; where a contact opens it stops."""

    def __init__(self, equations: VirtualWork, settings: RunSettings, q: Floats, v: Floats) -> None:
        super().__init__(equations, settings, q, v)
        self._sliding = equations

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to where a contact opens."""
        motion = FrictionMotion(self._sliding, self.q, self.v, self.t, work=self.work, tolerance=self.relative)
        self.transitions += tuple(motion.advance(until))
        watch(motion.t)
        self.t = motion.t
        self.q, self.v, self.work = self._sliding.unpack(motion.y, motion.t)
        if motion.left is not None:
            self.happened = [friction.name for friction in self._sliding.system.frictions].index(motion.left)
        return statistics_of(motion.figures)


def statistics_of(figures: Floats) -> StepStatistics:
    """What the figures of dop853 say about its steps."""
    smallest = float(figures[dop853.SMALLEST])
    return StepStatistics(
        steps=int(figures[dop853.STEPS]), evaluations=int(figures[dop853.EVALUATIONS]),
        rejected=int(figures[dop853.REJECTED]), smallest_step=smallest if np.isfinite(smallest) else 0.0,
        largest_step=float(figures[dop853.LARGEST]))
