"""Point masses and links of which some are one-sided: the equations of those that are closed, by any solver that steps.

The topology is that of the closed links, updated link by link as they open and close; equations, elimination and tree
coordinates follow from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np

from granum.analytic import newton_euler
from granum.analytic.equations import LinkEquations
from granum.assembly.points import PointState, PointSystem
from granum.assembly.points.forces import kinetic_energy, potential_energy
from granum.base.errors import GranumError, SceneError
from granum.base.errors import Problem as SceneProblem
from granum.base.kernels import Flags, Floats, Ints
from granum.integrate.corrections import length_rates, remove_error
from granum.integrate.link_stepper import LinkStepper
from granum.integrate.one_sided import LinkEvent, OneSidedMotion, Problem
from granum.integrate.stepper import StepStatistics, make_stepper
from granum.linear import factor
from granum.model.settings import RunSettings
from granum.topology import Topology

SOLVERS = ("dop853", "rk4", "rattle", "mixed")
"""Solvers that take single steps from any state; adams starts anew only at frames."""


class _Kept(NamedTuple):
    """A state to come back to."""

    t: float
    x: Floats
    v: Floats
    gamma: Floats
    work: Floats
    corrected: Floats
    next_step: float


class OneSidedPoints(OneSidedMotion):
    """Advances the state of points and links; link forces of the state are those of all links, zero for open ones."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        if settings.solver not in SOLVERS:
            raise SceneError([SceneProblem(
                "run.solver", f'solver "{settings.solver}" does not support one-sided links.',
                f"Use one of {', '.join(SOLVERS)}.")])
        self.system, self.settings, self.state = equations.system, settings, start
        self._derive = cast("Callable[[PointSystem], LinkEquations]", type(equations))
        system = self.system
        self.numbers = system.one_sided
        self.names = [system.link_name(int(link)) for link in self.numbers]
        self.length, self.restitution = system.links.length[self.numbers], system.restitution[self.numbers]
        self.senses = system.senses[self.numbers].astype(float)
        self.end = settings.until
        self.interior = (0.25, 0.5, 0.75) if settings.solver == "dop853" else ()
        self._tail, self._head = system.links.tail[self.numbers], system.links.head[self.numbers]
        self._energy_at_start = kinetic_energy(system.bodies, start.v) + potential_energy(system.loads, start.x)
        self.begin()
        self.topology = Topology(*system.node_ends)
        for link in self.numbers:
            self.topology.remove_link(int(link))
        self._bare = newton_euler.prepare(system.with_links(np.flatnonzero(system.senses == 0), self.topology))
        self._gamma, self._a = np.zeros(system.link_count - len(self.numbers)), np.zeros_like(start.x)
        self._link(self.settings.step if settings.solver == "mixed" else 0.0)
        self.close_touching()

    # ---- closed links

    def link_up(self, closed: Flags) -> None:
        """Change the topology link by link, and go on with the equations of what is closed."""
        present = set(self.topology.links.tolist())
        _, tail, head = self.system.node_ends
        for link, close in zip(self.numbers.tolist(), closed, strict=True):
            if close and link not in present:
                self.topology.add_link(int(tail[link]), int(head[link]), link)
            elif not close and link in present:
                self.topology.remove_link(link)
        self._link(self.inner.next_step)

    def _link(self, next_step: float) -> None:
        """Equations and solver for the links that the topology has; they change the arrays of the state in place."""
        state, linked = self.state, self.topology.links
        self.linked = linked
        """Numbers of the links that are closed, one-sided or not."""
        equations = self._derive(self.system.with_links(linked, self.topology))
        own = PointState(state.t, state.x, state.v, state.gamma[linked], state.work, state.corrected)
        self.inner: LinkStepper = make_stepper(equations, own, self.settings)
        self.inner.corrections = self.inner.corrections._replace(
            energy_at_start=self._energy_at_start + float(self.work.sum()))
        self.inner.next_step = next_step
        self._evaluate(state.x, state.v, own.gamma)
        self._spread()

    def _spread(self) -> None:
        """Time and link forces of the solver into the state."""
        self.state.t = self.inner.state.t
        self.state.gamma[:] = 0.0
        self.state.gamma[self.linked] = self.inner.state.gamma

    def _evaluate(self, x: Floats, v: Floats, gamma: Floats) -> None:
        model, scratch = self.equations.rectangular
        newton_euler.accelerations(model, scratch, x, v, self._a, gamma)

    # ---- what one-sided links ask for

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.state.t

    def arms(self) -> tuple[Floats, Floats]:
        """From tail to head."""
        x, v = self.state.x, self.state.v
        return (x[:, self._head] - x[:, self._tail]).T, (v[:, self._head] - v[:, self._tail]).T

    def forces(self, between: tuple[_Kept, float] | None = None) -> Floats:
        """From the equations of the closed links; between two states by cubics of the positions."""
        x, v = self.state.x, self.state.v
        if between is not None:
            x, v = _between(between[0], self.state, between[1])
        gamma, every = self.inner.state.gamma.copy(), np.zeros(self.system.link_count)
        if self.closed.any():
            self._evaluate(x, v, gamma)
            every[self.linked] = gamma
        force: Floats = -self.senses * every[self.numbers]
        return force

    def free_accelerations(self) -> Floats:
        """With the links that push and pull alone."""
        newton_euler.accelerations(*self._bare, self.state.x, self.state.v, self._a, self._gamma)
        return (self._a[:, self._head] - self._a[:, self._tail]).T

    def problem(self, rows: Flags) -> Problem:
        """A unit impulse along each link, less what the links that push and pull take up."""
        model, scratch = self._bare
        newton_euler.directions(model.links, self.state.x, scratch.n, scratch.distance)
        factor(model.elimination, scratch.linear, scratch.n)
        arm = self.arms()[0]
        n = (self.senses / np.linalg.norm(arm, axis=1)) * arm.T
        which, error = np.flatnonzero(rows), np.zeros_like(self._gamma)
        moved = np.zeros((len(which), *self.state.v.shape))
        for y, k in zip(moved, which, strict=True):
            y[:, self._tail[k]] -= model.bodies.weight[self._tail[k]] * n[:, k]
            y[:, self._head[k]] += model.bodies.weight[self._head[k]] * n[:, k]
            length_rates(model.links, scratch.n, y, error)
            remove_error(model, scratch, error, self._gamma, y)
        rates = moved[:, :, self._head[which]] - moved[:, :, self._tail[which]]
        S = np.einsum("jdk,dk->kj", rates, n[:, which])
        return Problem(rows, 0.5 * (S + S.T), moved)

    def push(self, problem: Problem, impulse: Floats) -> None:
        """Add what the impulses do to the velocities."""
        self.state.v += np.tensordot(impulse, problem.moved, axes=1)

    def book_correction(self, energy: float) -> None:
        """Among the corrections of velocity."""
        self.state.corrected[1] += energy

    def keep(self) -> _Kept:
        """A copy of the state."""
        own = self.inner.state
        return _Kept(own.t, own.x.copy(), own.v.copy(), own.gamma.copy(), own.work.copy(), own.corrected.copy(),
                     self.inner.next_step)

    def put(self, kept: _Kept) -> None:
        """Into the arrays that the solver has."""
        own = self.inner.state
        own.t, own.x[:], own.v[:], own.gamma[:] = kept.t, kept.x, kept.v, kept.gamma
        own.work[:], own.corrected[:], self.inner.next_step = kept.work, kept.corrected, kept.next_step
        self.state.t = kept.t

    def step(self, until: float) -> StepStatistics:
        """One step of the solver."""
        statistics = self.inner.step(until)
        self._spread()
        return statistics

    # ---- records

    def resume(self, state: PointState, record: Floats, forest: Ints, happened: list[LinkEvent]) -> None:
        """Go on from a state with the links and the spanning forest that it had."""
        self.state = state
        self.restore(record, happened)
        try:
            self.topology = Topology.restored(*self.system.node_ends, forest)
        except ValueError as error:
            raise GranumError(f"the recorded topology of the links does not match the scene: {error}.") from None
        gamma = state.gamma.copy()
        self._link(0.0)
        state.gamma[:], self.inner.state.gamma[:] = gamma, gamma[self.linked]


def _between(kept: _Kept, now: PointState, s: float) -> tuple[Floats, Floats]:
    """Positions and velocities after a part s of a step, by cubics through both ends."""
    h = now.t - kept.t
    x = ((1.0 + 2.0 * s) * (1.0 - s) ** 2 * kept.x + s**2 * (3.0 - 2.0 * s) * now.x
         + h * s * (1.0 - s) * ((1.0 - s) * kept.v - s * now.v))
    v = (6.0 * s * (1.0 - s) * (now.x - kept.x) / h + (1.0 - s) * (1.0 - 3.0 * s) * kept.v
         + s * (3.0 * s - 2.0) * now.v)
    return x, v
