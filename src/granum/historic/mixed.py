"""mixed: the link forces are iterated inside the integration of a step (Sun 1996, §5.3).

With a₀ the accelerations at the beginning of the step and a those at its end,

    x = x₀ + h v₀ + h²/6 (2 a₀ + a),   v = v₀ + h/2 (a₀ + a)          (5.12), (5.24)

and a follows from H γ = b at (x, v). Each round improves γ (ten Gauss-Seidel sweeps as published, or a direct
solve), updates a, x and v, makes the corrections if they are wanted inside, and stops when γ changes by less than
the tolerance. The global order is 2 (the document states local orders). The step follows the number of rounds
(§5.3.4): few rounds lengthen it, many shorten it, divergence repeats the step with half its size.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.analytic.equations import LinkEquations
from granum.analytic.newton_euler import Model, Scratch, accelerate, directions, right_hand_side
from granum.assembly.points import PointState
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import StateArrays
from granum.base.arrays import copy, copy_rows
from granum.base.choices import SOLVERS
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, kernel
from granum.integrate.branches import Loops, is_singular
from granum.integrate.corrections import Corrections, correct
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch, register
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
    residual: Floats
    """One number: the largest residual of the steps."""


class Outcome(NamedTuple):
    """How some steps went."""

    steps: int
    """Steps that converged; the next one did not where these are fewer than asked for."""
    rounds: int
    """Of these steps together."""
    most_rounds: int
    redundant: int
    """Most links redundant at once."""
    uncorrected: int
    """Steps whose energy could not be corrected."""
    residual: float
    """The largest residual |H γ - b| relative to |b|."""
    singular: bool
    """Did the last step end in a singular position, or beyond one?"""


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
def _step(
    model: Model, scratch: Scratch, m: MixedScratch, how: Iterating, corrections: Corrections, state: StateArrays,
    h: float,
) -> tuple[int, int, bool]:
    """One step: its rounds, -1 if the iteration diverged or did not end (then x, v are unchanged); the redundancy; was
    the energy corrected?
    """
    x, v, gamma, work, corrected = state
    copy_rows(x, m.x)
    copy_rows(v, m.v)
    copy(work, m.work)
    copy(corrected, m.corrected)
    external_forces(model.loads, x, v, scratch.f, scratch.power)
    directions(model.links, x, scratch.n, scratch.distance)
    accelerate(model, scratch.n, gamma, scratch.f, m.a0)
    copy_rows(m.a0, m.a)
    copy(scratch.power, m.power)
    copy(gamma, m.before)
    _extrapolate(h, m, x, v, scratch.power, work)
    done, redundant = True, 0
    for rounds in range(1, MOST_ROUNDS + 1):
        external_forces(model.loads, x, v, scratch.f, scratch.power)
        directions(model.links, x, scratch.n, scratch.distance)
        right_hand_side(model, v, scratch.n, scratch.distance, scratch.f, scratch.b)
        redundant = max(redundant, _improve(model, scratch, how.direct, gamma))
        accelerate(model, scratch.n, gamma, scratch.f, m.a)
        change = _change(gamma, m.before)
        converged = change <= how.tolerance
        if converged:
            m.residual[0] = max(m.residual[0], _residual(model, scratch, gamma, corrections.error))
        elif not math.isfinite(change):
            break
        _extrapolate(h, m, x, v, scratch.power, work)
        if how.inside or converged:
            copy(m.corrected, corrected)
            done = correct(model, scratch, corrections, state, how.direct)
        if converged:
            return rounds, redundant, done
    copy_rows(m.x, x)
    copy_rows(m.v, v)
    copy(m.work, work)
    copy(m.corrected, corrected)
    return -1, redundant, True


@kernel
def steps(
    model: Model, scratch: Scratch, m: MixedScratch, how: Iterating, corrections: Corrections, state: StateArrays,
    loops: Loops, h: float, count: int,
) -> Outcome:
    """Take `count` steps, or as many as converge before a singular position is met."""
    total, most, redundant, uncorrected, singular, taken = 0, 0, 0, 0, False, 0
    m.residual[0] = 0.0
    while taken < count and not singular:
        rounds, dropped, done = _step(model, scratch, m, how, corrections, state, h)
        redundant = max(redundant, dropped)
        if rounds < 0:
            break
        total, most, uncorrected = total + rounds, max(most, rounds), uncorrected + (not done)
        taken += 1
        singular = is_singular(loops, state.x)
    return Outcome(taken, total, most, redundant, uncorrected, m.residual[0], singular)


class Mixed(LinkStepper):
    """The mixed iteration of Sun (1996), with its two inner solvers and its choice of step."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        self.how = Iterating(settings.inner_solver == "direct", settings.correct == "inside", settings.tolerance)
        like, damped = np.zeros_like, start.work
        self.work = MixedScratch(
            x=like(start.x), v=like(start.x), work=like(damped), a0=like(start.x), a=like(start.x),
            power=like(damped), before=like(start.gamma), corrected=np.zeros(3), residual=np.zeros(1),
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

    def step(self, until: float) -> StepStatistics:
        """One step, of the size that the rounds of the last one suggest where it adapts."""
        if not self.settings.adapt_step:
            return super().step(until)
        left = until - self.state.t
        return self.advance(until if left <= self.next_step else self.state.t + self._size(left), lambda t: None)

    def _size(self, left: float) -> float:
        """Size of the next step: the last two of an interval share what is left, so that none is tiny."""
        return left if left <= self.next_step else min(self.next_step, 0.5 * left)

    def _equal(self, h: float, count: int) -> None:
        outcome = self._steps(h, count)
        t = self.state.t + outcome.steps * h
        if outcome.singular:
            raise self.branches.error(t - h, t)
        if outcome.steps < count:
            self.branches.refuse_failure(t)
            raise NotConvergedError(
                f"mixed: step at t = {t:g} s did not converge to {self.how.tolerance:g} in {MOST_ROUNDS} iterations "
                f"with h = {h:g} s. Try a smaller step, adapt_step = true"
                + (', or inner_solver = "direct".' if not self.how.direct else ".")
            )

    def _steps(self, h: float, count: int) -> Outcome:
        statistics = self.statistics
        outcome: Outcome = steps(self.model, self.scratch, self.work, self.how, self.corrections, self.state.arrays,
                                 self.branches.loops, h, count)
        if outcome.steps:
            statistics.note_step(h, outcome.steps)
        statistics.iterations += outcome.rounds + (0 if outcome.singular or outcome.steps == count else MOST_ROUNDS)
        statistics.evaluations = statistics.iterations
        statistics.most_iterations = max(statistics.most_iterations, outcome.most_rounds)
        statistics.residual = max(statistics.residual, outcome.residual)
        statistics.energy_uncorrected += outcome.uncorrected
        self.note_redundant(outcome.redundant)
        return outcome

    def _adapt(self, until: float, watch: Watch) -> None:
        state, change = self.state, self.settings.step / SMALLEST_PART
        few, many = FEW_MANY[self.settings.inner_solver]
        while state.t < until:
            left = until - state.t
            h = self._size(left)
            gamma = state.gamma.copy()
            outcome = self._steps(h, 1)
            if not outcome.steps:
                state.gamma[:] = gamma
                self.statistics.rejected += 1
                self.next_step = 0.5 * h
                if self.next_step < change:
                    self.branches.refuse_failure(state.t)
                    raise NotConvergedError(f"mixed: no step of {change:g} s or more converges at t = {state.t:g} s. "
                                            f"Use a step smaller than {self.settings.step:g} s.")
                continue
            before, state.t = state.t, until if h == left else state.t + h
            if outcome.singular:
                raise self.branches.error(before, state.t)
            watch(state.t)
            # without links there are no rounds to judge a step by: it stays as it was given
            if outcome.rounds < few and len(state.gamma):
                self.next_step += change
            elif outcome.rounds > many:
                self.next_step = max(change, self.next_step - change)


register("mixed", SOLVERS["mixed"], Mixed)
