"""rk4: the classical fourth-order Runge-Kutta method with a fixed step, corrections at the end of each.

For a second-order system the stages combine to

    x⁺ = x + h v + h²/6 (a₁ + a₂ + a₃),   v⁺ = v + h/6 (a₁ + 2 a₂ + 2 a₃ + a₄),

so the velocities of the stages need not be kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.analytic.equations import LinkEquations, NewtonEuler
from granum.analytic.newton_euler import Model, Scratch, accelerations, chain_scratch
from granum.assembly.points import PointState
from granum.assembly.points.point_system import StateArrays
from granum.base.arrays import add_scaled, copy
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, kernel
from granum.integrate.branches import Loops, has_loops, is_singular
from granum.integrate.corrections import Corrections, correct
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch
from granum.linear import chain
from granum.linear.chain import ChainModel, ChainScratch
from granum.linear.method import CHAIN
from granum.model.settings import RunSettings


class Stages(NamedTuple):
    """Arrays of a Runge-Kutta step."""

    x: Floats
    v: Floats
    a: Floats
    sum_x: Floats
    sum_v: Floats
    sum_work: Floats


@kernel
def _begin(h: float, x: Floats, v: Floats, s: Stages) -> None:
    """After the first evaluation: start the sums and set the second stage."""
    half = 0.5 * h
    for k in range(x.shape[0]):
        xk, vk, ak, sxk, svk, s1, s2 = x[k], v[k], s.a[k], s.x[k], s.v[k], s.sum_x[k], s.sum_v[k]
        for i in range(len(xk)):
            sxk[i] = xk[i] + half * vk[i]
            svk[i] = vk[i] + half * ak[i]
            s1[i] = ak[i]
            s2[i] = ak[i]


@kernel
def _continue(h: float, x: Floats, v: Floats, s: Stages) -> None:
    """After the second (half a step) and third (whole step) evaluation: go on with the sums, set the next stage."""
    for k in range(x.shape[0]):
        xk, vk, ak, sxk, svk, s1, s2 = x[k], v[k], s.a[k], s.x[k], s.v[k], s.sum_x[k], s.sum_v[k]
        for i in range(len(xk)):
            sxk[i] = xk[i] + h * svk[i]
            svk[i] = vk[i] + h * ak[i]
            s1[i] += ak[i]
            s2[i] += 2.0 * ak[i]


@kernel
def _finish(h: float, x: Floats, v: Floats, s: Stages) -> None:
    """After the fourth evaluation: the new position and velocity."""
    for k in range(x.shape[0]):
        xk, vk, ak, s1, s2 = x[k], v[k], s.a[k], s.sum_x[k], s.sum_v[k]
        for i in range(len(xk)):
            xk[i] += h * vk[i] + h * h / 6.0 * s1[i]
            vk[i] += h / 6.0 * (s2[i] + ak[i])


@kernel
def steps(
    model: Model, scratch: Scratch, s: Stages, corrections: Corrections, state: StateArrays, loops: Loops, h: float,
    count: int,
) -> tuple[int, int, int]:
    """Take `count` steps of size h; returns the steps whose energy could not be corrected, the redundancy, and the
    number of the step that met a singular position, 0 for none.
    """
    x, v, gamma, work = state.x, state.v, state.gamma, state.work
    failed, redundant = 0, 0
    plain = model.elimination.kind == CHAIN and len(work) == 0
    # asked here, because the calls hand over more arrays than it takes to step some twenty bodies
    correcting, looking = corrections.position or corrections.velocity or corrections.energy, has_loops(loops)
    chains, chain_work, force = model.elimination.chain, chain_scratch(scratch), model.loads.force
    for number in range(count):
        if plain:
            redundant = max(redundant, _chain_step(chains, chain_work, s, h, x, v, force, gamma))
        else:
            redundant = max(redundant, accelerations(model, scratch, x, v, s.a, gamma))
            _begin(h, x, v, s)
            copy(scratch.power, s.sum_work)
            for stage in range(2):
                accelerations(model, scratch, s.x, s.v, s.a, gamma)
                _continue((0.5 + 0.5 * stage) * h, x, v, s)
                add_scaled(2.0, scratch.power, s.sum_work)
            accelerations(model, scratch, s.x, s.v, s.a, gamma)
            _finish(h, x, v, s)
            for k in range(len(work)):
                work[k] += h / 6.0 * (s.sum_work[k] + scratch.power[k])
        if correcting:
            failed += not correct(model, scratch, corrections, state, True)
        if looking and is_singular(loops, x):
            return failed, redundant, number + 1
    return failed, redundant, 0


@kernel
def _chain_step(
    model: ChainModel, scratch: ChainScratch, s: Stages, h: float, x: Floats, v: Floats, force: Floats, gamma: Floats,
) -> int:
    """One step of chains without springs: the same, with no more arrays handed over than they need.

    Handing over all of model and scratch takes longer than evaluating a hundred bodies.
    """
    redundant = chain.all_accelerations(model, scratch, x, v, force, s.a, gamma)
    _begin(h, x, v, s)
    for stage in range(2):
        chain.all_accelerations(model, scratch, s.x, s.v, force, s.a, gamma)
        _continue((0.5 + 0.5 * stage) * h, x, v, s)
    chain.all_accelerations(model, scratch, s.x, s.v, force, s.a, gamma)
    _finish(h, x, v, s)
    return redundant


class RK4(LinkStepper):
    """Classical Runge-Kutta with a fixed step, in any formulation."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        shape = start.x.shape
        self.stages = Stages(
            x=np.zeros(shape), v=np.zeros(shape), a=np.zeros(shape), sum_x=np.zeros(shape), sum_v=np.zeros(shape),
            sum_work=np.zeros(len(start.work)),
        )

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Equal steps not larger than the setting."""
        self.statistics = StepStatistics()
        self.branches.begin(self.state.x)
        h, count = self.equal_steps(
            until, watch, self._rectangular if isinstance(self.equations, NewtonEuler) else self._in_coordinates)
        self.statistics.note_step(h, count)
        self.statistics.evaluations = 4 * count
        return self.statistics

    def _rectangular(self, h: float, count: int) -> None:
        state = self.state
        failed, redundant, singular = steps(
            self.model, self.scratch, self.stages, self.corrections, state.arrays, self.branches.loops, h, count)
        if singular:
            raise self.branches.error(state.t + (singular - 1) * h, state.t + singular * h)
        self.statistics.energy_uncorrected += failed
        self.note_redundant(redundant)

    def _in_coordinates(self, h: float, count: int) -> None:
        """Steps in the coordinates of the formulation, which are taken from the state anew at every step."""
        state = self.state
        for number in range(1, count + 1):
            self._in_charts(h)
            if not np.isfinite(state.v).all():
                self.branches.refuse_failure(state.t + number * h)
                raise NotConvergedError(f"at t = {state.t + number * h:g} s the accelerations are not finite. The step "
                                        "is too large: try half of it, or dop853.")
            self.correct()
            self.branches.follow(state.x, state.t + (number - 1) * h, state.t + number * h)

    def _in_charts(self, h: float) -> None:
        """A step in coordinates whose charts are chosen anew."""
        state, equations, power = self.state, self.equations, np.zeros(len(self.state.work))
        equations.choose_charts(state)
        q, w = equations.from_state(state)
        a, sum_q, sum_w, sum_work = np.zeros_like(q), np.zeros_like(q), np.zeros_like(q), np.zeros_like(power)
        q_stage, w_stage = q, w
        for after, weight in ((0.5 * h, 1.0), (0.5 * h, 2.0), (h, 2.0), (0.0, 1.0)):
            self.note_redundant(equations.rates(q_stage, w_stage, a, state.gamma, power))
            sum_q += weight * w_stage
            sum_w += weight * a
            sum_work += weight * power
            q_stage, w_stage = q + after * w_stage, w + after * a
        state.work += h / 6.0 * sum_work
        reached = equations.to_state(q + h / 6.0 * sum_q, w + h / 6.0 * sum_w)
        state.x[:], state.v[:] = reached.x, reached.v
