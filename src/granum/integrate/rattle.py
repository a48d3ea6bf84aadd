"""rattle: velocity Verlet with the rods exact to round-off.

Positions are advanced with the forces at the old position, then moved along the old link directions until every
length is right; velocities are advanced with the forces at the new position, then freed of what would change a
length. Second order, symplectic for conservative loads: energy oscillates but does not drift.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.analytic.equations import LinkEquations
from granum.analytic.newton_euler import Model, Scratch, directions
from granum.assembly.points import PointState
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import StateArrays
from granum.base.arrays import add_scaled, copy_rows
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, kernel
from granum.integrate.branches import Loops, is_singular
from granum.integrate.corrections import length_rates, push, remove_error
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.stepper import StepStatistics, Watch
from granum.linear import factor
from granum.model.settings import RunSettings

EPSILON = float(np.finfo(float).eps)
ROUNDS = 60
"""Rounds of the position solve; each gains a factor of about (link rotation per step)²."""


class RattleScratch(NamedTuple):
    """Arrays of a rattle step."""

    v: Floats
    n: Floats
    error: Floats
    impulse: Floats
    total: Floats


@kernel
def _kick(model: Model, f: Floats, h: float, v: Floats) -> None:
    """V += h M⁻¹ f."""
    for k in range(v.shape[0]):
        for body in range(v.shape[1]):
            v[k, body] += h * model.bodies.weight[body] * f[k, body]


@kernel
def _rounding(x: Floats, shortest: float) -> float:
    """Length error relative to the shortest link that is put down to rounding.

    Links shorter than the coordinates are large cannot be held closer than the coordinates are rounded.
    """
    largest = 0.0
    for k in range(x.shape[0]):
        for body in range(x.shape[1]):
            largest = max(largest, abs(x[k, body]))
    return 1e3 * EPSILON * max(1.0, largest / shortest)


@kernel
def _settle(model: Model, scratch: Scratch, r: RattleScratch, x: Floats, target: float) -> int:
    """Move x along the directions scratch.n (factored) until all lengths are right; returns the rounds, -1 if not.

    The matrix is that of the old position throughout (a simplified Newton iteration), so the solution is exact
    and only the path to it approximate. It stops at round-off: when the error no longer falls.
    """
    r.total[:] = 0.0
    previous = math.inf
    for rounds in range(ROUNDS):
        directions(model.links, x, r.n, scratch.distance)
        worst = 0.0
        for u in range(len(r.error)):
            length = model.links.length[u]
            # half the difference of squares over the length: what H sees to first order, and exact at zero
            r.error[u] = (scratch.distance[u] - length) * (scratch.distance[u] + length) / (2.0 * length)
            worst = max(worst, abs(r.error[u]) / length)
        if worst == 0.0 or (worst < target and worst > 0.3 * previous):
            return rounds
        previous = worst
        remove_error(model, scratch, r.error, r.impulse, x)
        add_scaled(1.0, r.impulse, r.total)
    return ROUNDS if previous < target else -1


@kernel
def _free_velocity(model: Model, scratch: Scratch, r: RattleScratch, v: Floats) -> None:
    """Take from v what changes the lengths; scratch.n must be factored."""
    length_rates(model.links, scratch.n, v, r.error)
    remove_error(model, scratch, r.error, r.impulse, v)


@kernel
def steps(
    model: Model, scratch: Scratch, r: RattleScratch, state: StateArrays, loops: Loops, shortest: float, h: float,
    count: int,
) -> tuple[int, int, int, int]:
    """Take `count` steps; returns the rounds of all, of the worst (-1: not settled), the redundancy, and the number of
    the step that met a singular position or did not settle, 0 for none.
    """
    x, v, gamma, work = state.x, state.v, state.gamma, state.work
    rounds, most, redundant = 0, 0, 0
    damped = len(work) > 0
    directions(model.links, x, scratch.n, scratch.distance)
    redundant = factor(model.elimination, scratch.linear, scratch.n)
    external_forces(model.loads, x, v, scratch.f, scratch.power)
    for number in range(count):
        for s in range(len(work)):
            work[s] += 0.5 * h * scratch.power[s]
        _kick(model, scratch.f, 0.5 * h, v)
        for k in range(len(x)):
            add_scaled(h, v[k], x[k])
        took = _settle(model, scratch, r, x, _rounding(x, shortest))
        if took < 0:
            return rounds, -1, redundant, number + 1
        rounds, most = rounds + took, max(most, took)
        for u in range(len(r.total)):
            r.total[u] /= h
        push(model, scratch.n, r.total, v)
        directions(model.links, x, scratch.n, scratch.distance)
        redundant = max(redundant, factor(model.elimination, scratch.linear, scratch.n))
        copy_rows(v, r.v)
        # forces that depend on velocity are met by repeating the half kick with the velocity it gives
        for _repeat in range(3 if damped else 1):
            external_forces(model.loads, x, v, scratch.f, scratch.power)
            copy_rows(r.v, v)
            _kick(model, scratch.f, 0.5 * h, v)
            _free_velocity(model, scratch, r, v)
        if damped:  # with the velocity just found, as a batch that begins here would
            external_forces(model.loads, x, v, scratch.f, scratch.power)
        for s in range(len(work)):
            work[s] += 0.5 * h * scratch.power[s]
        if is_singular(loops, x):
            return rounds, most, redundant, number + 1
    for u in range(len(gamma)):
        gamma[u] = (r.total[u] + r.impulse[u]) / h
    return rounds, most, redundant, 0


class Rattle(LinkStepper):
    """Velocity Verlet with exact rods and a fixed step."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        super().__init__(equations, start, settings)
        links = equations.system.link_count
        self.work = RattleScratch(
            np.zeros_like(start.v), np.zeros((equations.system.dimension, links)), np.zeros(links), np.zeros(links),
            np.zeros(links),
        )
        self.shortest = float(equations.system.links.length.min()) if links else 1.0

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Equal steps not larger than the setting."""
        self.statistics = StepStatistics()
        self.branches.begin(self.state.x)
        h, count = self.equal_steps(until, watch, self._steps)
        self.statistics.note_step(h, count)
        self.statistics.evaluations = count
        return self.statistics

    def _steps(self, h: float, count: int) -> None:
        state, statistics = self.state, self.statistics
        rounds, most, redundant, stopped = steps(
            self.model, self.scratch, self.work, state.arrays, self.branches.loops, self.shortest, h, count)
        if stopped and most >= 0:
            raise self.branches.error(state.t + (stopped - 1) * h, state.t + stopped * h)
        if most < 0:
            self.branches.refuse_failure(state.t + stopped * h)
            raise NotConvergedError(
                f"rattle could not satisfy the links between t = {state.t:g} s and {state.t + count * h:g} s: they "
                f"rotate too far in one step of {h:g} s. Try step = {h / 4:g}."
            )
        statistics.iterations += rounds
        statistics.most_iterations = max(statistics.most_iterations, most)
        self.note_redundant(redundant)
