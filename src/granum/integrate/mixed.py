"""mixed: the link forces are iterated inside the integration of a step (002 §5.3).

With a₀ the accelerations at the beginning of the step and a those at its end,

    x = x₀ + h v₀ + h²/6 (2 a₀ + a),   v = v₀ + h/2 (a₀ + a)          (5.12), (5.24)

and a follows from H γ = b at (x, v). Each round improves γ (ten Gauss-Seidel sweeps as published, or a direct
solve), updates a, x and v, makes the corrections if they are wanted inside, and stops when γ changes by less than
the tolerance. The global order is 2 (the document states local orders). The step follows the number of rounds
(§5.3.4): few rounds lengthen it, many shorten it, divergence repeats the step with half its size.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.analytic.equations import LinkEquations
from granum.analytic.newton_euler import Model, Scratch, accelerate, directions, right_hand_side
from granum.assembly.points import PointState
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import StateArrays
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, kernel
from granum.integrate.corrections import Corrections, correct
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch
from granum.linear import factor, solve
from granum.linear.conjugate import apply, link_pull
from granum.linear.sweeps import sweep
from granum.model.settings import RunSettings

SWEEPS = 10
"""Gauss-Seidel sweeps in one round, as published (10 to 20)."""
MOST_ROUNDS = 500
"""Rounds after which a step has not converged, as published."""
FEW_MANY = {"gauss-seidel": (20, 90), "direct": (4, 9)}
"""Rounds below which the step grows and above which it shrinks; the first pair as published."""
SMALLEST_PART = 50
"""The smallest step is this part of the first, and steps change by as much, as published."""


class MixedScratch(NamedTuple):
    """Arrays of a mixed step."""

    x: Floats
    """State at the beginning of the step."""
    v: Floats
    work: Floats
    a0: Floats
    a: Floats
    power: Floats
    before: Floats
    """Link forces of the round before."""
    corrected: Floats


_OUTCOME = np.dtype([("residual", "f8"), ("redundant", "i8"), ("uncorrected", "i8")])
"""Of a step: the residual, the most links redundant at once, the energy corrections that failed."""


class Iterating(NamedTuple):
    """How the iteration is done."""

    direct: bool
    inside: bool
    tolerance: float


@kernel
def _improve(model: Model, scratch: Scratch, direct: bool, gamma: Floats) -> int:
    """Better link forces for the directions and right-hand side in scratch; returns the redundancy."""
    if direct:
        redundant = factor(model.elimination, scratch.linear, scratch.n)
        solve(model.elimination, scratch.linear, scratch.n, scratch.b, gamma)
        return redundant
    link_pull(model.elimination.graph, scratch.n, gamma, scratch.linear.body)
    for _ in range(SWEEPS):
        sweep(model.elimination.graph, scratch.n, scratch.b, gamma, scratch.linear.body)
    return 0


@kernel
def _extrapolate(h: float, m: MixedScratch, x: Floats, v: Floats, power: Floats, work: Floats) -> None:
    """Position and velocity at the end of the step for the accelerations a (5.12), (5.24)."""
    for k in range(x.shape[0]):
        for i in range(x.shape[1]):
            x[k, i] = m.x[k, i] + h * m.v[k, i] + h * h / 6.0 * (2.0 * m.a0[k, i] + m.a[k, i])
            v[k, i] = m.v[k, i] + 0.5 * h * (m.a0[k, i] + m.a[k, i])
    for s in range(len(work)):
        work[s] = m.work[s] + 0.5 * h * (m.power[s] + power[s])


@kernel
def _change(gamma: Floats, before: Floats) -> float:
    """Largest change of a link force relative to the largest link force."""
    largest, change = 0.0, 0.0
    for u in range(len(gamma)):
        largest = max(largest, abs(gamma[u]))
        change = max(change, abs(gamma[u] - before[u]))
        before[u] = gamma[u]
    return change / largest if largest > 0.0 else change


@kernel
def _residual(model: Model, scratch: Scratch, gamma: Floats, product: Floats) -> float:
    """|H γ - b| relative to |b|, largest entries: how well the link forces are known."""
    apply(model.elimination.graph, scratch.n, gamma, scratch.linear.body, product)
    largest, worst = 0.0, 0.0
    for u in range(len(product)):
        largest = max(largest, abs(scratch.b[u]))
        worst = max(worst, abs(product[u] - scratch.b[u]))
    return worst / largest if largest > 0.0 else worst


@kernel
def step(
    model: Model, scratch: Scratch, m: MixedScratch, how: Iterating, corrections: Corrections, state: StateArrays,
    h: float, outcome: Any,
) -> int:
    """One step; returns its rounds, or -1 if the iteration diverged or did not end (then x, v are unchanged).

    `outcome` (a record of _OUTCOME) receives what the statistics want to know.
    """
    x, v, gamma, work, corrected = state
    m.x[:], m.v[:], m.work[:], m.corrected[:] = x, v, work, corrected
    external_forces(model.loads, x, v, scratch.f, scratch.power)
    directions(model.links, x, scratch.n, scratch.distance)
    accelerate(model, scratch.n, gamma, scratch.f, m.a0)
    m.a[:], m.power[:], m.before[:] = m.a0, scratch.power, gamma
    _extrapolate(h, m, x, v, scratch.power, work)
    done = True
    for rounds in range(1, MOST_ROUNDS + 1):
        external_forces(model.loads, x, v, scratch.f, scratch.power)
        directions(model.links, x, scratch.n, scratch.distance)
        right_hand_side(model, v, scratch.n, scratch.distance, scratch.f, scratch.b)
        outcome.redundant = max(outcome.redundant, _improve(model, scratch, how.direct, gamma))
        accelerate(model, scratch.n, gamma, scratch.f, m.a)
        change = _change(gamma, m.before)
        converged = change <= how.tolerance
        if converged:
            outcome.residual = _residual(model, scratch, gamma, corrections.error)
        elif not math.isfinite(change):
            break
        _extrapolate(h, m, x, v, scratch.power, work)
        if how.inside or converged:
            corrected[:] = m.corrected
            done = correct(model, scratch, corrections, state, how.direct)
        if converged:
            outcome.uncorrected = not done
            return rounds
    x[:], v[:], work[:], corrected[:] = m.x, m.v, m.work, m.corrected
    return -1


class Mixed(LinkStepper):
    """The mixed iteration of document 002, with its two inner solvers and its choice of step."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        self.how = Iterating(settings.inner_solver == "direct", settings.correct == "inside", settings.tolerance)
        like, damped = np.zeros_like, start.work
        self.work = MixedScratch(
            x=like(start.x), v=like(start.x), work=like(damped), a0=like(start.x), a=like(start.x),
            power=like(damped), before=like(start.gamma), corrected=np.zeros(3),
        )
        self.next_step = settings.step
        self._solve_start(start)

    def _solve_start(self, start: PointState) -> None:
        """Link forces at the start, to the last digit, as the iteration needs a₀."""
        model, scratch = self.model, self.scratch
        external_forces(model.loads, start.x, start.v, scratch.f, scratch.power)
        directions(model.links, start.x, scratch.n, scratch.distance)
        right_hand_side(model, start.v, scratch.n, scratch.distance, scratch.f, scratch.b)
        if start.t == 0.0:
            _improve(model, scratch, True, start.gamma)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Equal steps, or steps that follow the number of rounds."""
        self.statistics = StepStatistics()
        self.branches.begin(self.state.x)
        if self.settings.adapt_step:
            self._adapt(until, watch)
        else:
            self.equal_steps(until, watch, self._equal)
        return self.statistics

    def _equal(self, h: float, count: int) -> None:
        for t in [self.state.t + k * h for k in range(count)]:
            if self._step(h) < 0:
                self.branches.refuse_failure(t)
                raise NotConvergedError(
                    f"mixed: step at t = {t:g} s did not converge to {self.how.tolerance:g} "
                    f"in {MOST_ROUNDS} rounds with h = {h:g} s. Try a smaller step, adapt_step = true"
                    + (', or inner_solver = "direct".' if not self.how.direct else ".")
                )
            self.statistics.note_step(h)
            self.branches.follow(self.state.x, t, t + h)

    def _step(self, h: float) -> int:
        statistics, outcome = self.statistics, np.recarray(1, _OUTCOME)[0]
        outcome.residual, outcome.redundant, outcome.uncorrected = 0.0, 0, 0
        rounds = int(step(
            self.model, self.scratch, self.work, self.how, self.corrections, self.state.arrays, h, outcome))
        statistics.iterations += rounds if rounds > 0 else MOST_ROUNDS
        statistics.most_iterations = max(statistics.most_iterations, rounds)
        statistics.evaluations = statistics.iterations
        statistics.residual = max(statistics.residual, float(outcome.residual))
        statistics.energy_uncorrected += int(outcome.uncorrected)
        self.note_redundant(outcome.redundant)
        return rounds

    def _adapt(self, until: float, watch: Watch) -> None:
        state, change = self.state, self.settings.step / SMALLEST_PART
        few, many = FEW_MANY[self.settings.inner_solver]
        while state.t < until:
            left = until - state.t
            # the last two steps of an interval share what is left, so that none is tiny
            h = left if left <= self.next_step else min(self.next_step, 0.5 * left)
            gamma = state.gamma.copy()
            rounds = self._step(h)
            if rounds < 0:
                state.gamma[:] = gamma
                self.statistics.rejected += 1
                self.next_step = 0.5 * h
                if self.next_step < change:
                    self.branches.refuse_failure(state.t)
                    raise NotConvergedError(f"mixed: no step of {change:g} s or more converges at t = {state.t:g} s. "
                                            f"Take a smaller step than {self.settings.step:g} s.")
                continue
            self.statistics.note_step(h)
            before, state.t = state.t, until if h == left else state.t + h
            self.branches.follow(state.x, before, state.t)
            watch(state.t)
            # without links there are no rounds to judge a step by: it stays as it was given
            if rounds < few and len(state.gamma):
                self.next_step += change
            elif rounds > many:
                self.next_step = max(change, self.next_step - change)
