"""Equations of point masses and links: what their formulations share, and newton-euler."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

import granum.analytic.newton_euler as newton_euler
import granum.analytic.redundancy as redundancy
from granum.analytic.result import Equations, as_vector
from granum.assembly.assembly import Assembly, assembly_of
from granum.assembly.points import PointState, PointSystem
from granum.base.kernels import Floats
from granum.rows.system import symbol_name

if TYPE_CHECKING:  # a run of links needs no formulas
    from granum.analytic.code import Formulas
    from granum.analytic.derivations.derivation import Derivation
    from granum.analytic.expressed import System
    from granum.analytic.linearization import Linearizer
    from granum.analytic.ports import Ports
    from granum.analytic.state_space import Linearization


class LinkEquations(Equations):
    """Equations of point masses and links, whose states are positions and velocities of bodies."""

    system: PointSystem

    @property
    def assembly(self) -> Assembly:
        """The assembled scene."""
        return assembly_of(self.system.scene)

    @abstractmethod
    def to_state(self, q: Floats, v: Floats, t: float = 0.0) -> PointState:
        """Positions and velocities of all bodies."""

    @abstractmethod
    def from_state(self, state: PointState) -> tuple[Floats, Floats]:
        """Coordinates and their rates of a state."""

    def program(self, form: str) -> str:
        """A self-contained program of the accelerations, python or c."""
        return self.formulas.write(form)

    @property
    @abstractmethod
    def formulas(self) -> Formulas:
        """M, f, A and b as formulas."""

    @abstractmethod
    def rates(self, q: Floats, v: Floats, qdd: Floats, gamma: Floats, power: Floats) -> int:
        """q̈, link forces and the power of dampers into arrays, for solvers; returns the redundant links."""

    def choose_charts(self, state: PointState) -> None:
        """Measure coordinates so that the state is far from their poles; most formulations have none."""

    def near_pole(self, q: Floats) -> bool:
        """Is it time to choose charts anew?"""
        return False

    @abstractmethod
    def _link_forces(self, q: Floats, v: Floats) -> Floats:
        """Some link forces that go with the motion, in the order of the arrays."""

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start of the scene."""
        return self.from_state(self.system.initial_state())

    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Force of every link by name, tension positive [N]; of least norm where they are not unique."""
        gamma = self.link_forces(q, v)
        return {self.system.link_name(k): float(gamma[k]) for k in range(len(gamma))}

    def not_unique(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[str, ...]:
        """Names of the links whose forces the links leave open, because some restrain the same motion."""
        _, unique = self.settled_forces(q, v)
        return tuple(self.system.link_name(int(k)) for k in np.flatnonzero(unique == 0.0))

    def link_forces(self, q: Floats, v: Floats) -> Floats:
        """Link forces in the order of the arrays [N], of least norm where they are not unique."""
        return self.settled_forces(q, v)[0]

    def settled_forces(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Link forces in the order of the arrays [N], of least norm where they are not unique, and whether they are."""
        x, gamma = self.to_state(q, v).x, self._link_forces(q, v)
        model, scratch = self.rectangular
        found = redundancy.find_redundancy(self.system, model, scratch, x)
        unique = np.ones(len(gamma))
        if not found.links:
            return gamma, unique
        unique[[link for links, _ in found.parts for link in links]] = 0.0
        return redundancy.least_norm(self.system, scratch.n, gamma), unique

    @property
    def formula_system(self) -> System:
        """The same bodies and links as formulas of positions."""
        from granum.analytic.build import build

        return build(self.system.scene).system

    @cached_property
    def _linearizer(self) -> Linearizer:
        from granum.analytic.linearization import Linearizer

        system = self.formula_system
        return Linearizer(system, system.mass_formulas, system.force_formulas)

    def _linearized(self, q: Floats, v: Floats, t: float, ports: Ports) -> Linearization:
        """That of the positions x, by formulas; with δx = X δq, where ẋ = X q̇ gives X."""
        from granum.analytic.state_space import linearization

        exact = self._linearizer
        names = [(axis, body) for body in np.flatnonzero(~self.system.fixed) for axis in range(self.system.dimension)]
        order = [exact.system.coordinates.index(f"{symbol_name(self.system.body_name(int(body)))}.{'xyz'[axis]}")
                 for axis, body in names]

        def of(table: Floats) -> Floats:
            vector = np.zeros(len(order))
            vector[order] = [table[axis, body] for axis, body in names]
            return vector

        state = self.to_state(q, v, t)
        x, rates = of(state.x), of(state.v)
        X = np.column_stack([of(self.to_state(q, unit, t).v) for unit in np.eye(len(q))])
        motion = exact.linearize(x, rates, t, ports)
        return linearization(motion.mapped(np.asarray(np.linalg.pinv(X)), X), self.coordinates, (q, v, t),
                             (self.system.scene, x, motion.basis[: len(x)]))

    @cached_property
    def rectangular(self) -> tuple[newton_euler.Model, newton_euler.Scratch]:
        """The links in rectangular coordinates: redundancy and corrections are judged there."""
        return newton_euler.prepare(self.system)


class NewtonEuler(LinkEquations):
    """Equations in rectangular coordinates (Sun 1996, §3.4)."""

    formulation = "newton-euler"

    def __init__(self, system: PointSystem) -> None:
        self.system = system
        self.model, self.scratch = self.rectangular
        self._movable = np.flatnonzero(~system.fixed)
        self._rest = system.initial_state()
        self._state, self._a = self._rest.copy(), np.zeros_like(self._rest.x)
        self._run = newton_euler.evaluator(self.model, self.scratch)
        axes = "xyz"[: system.dimension]
        self.coordinates = tuple(f"{axis}({system.body_name(int(body))})" for axis in axes for body in self._movable)

    def from_state(self, state: PointState) -> tuple[Floats, Floats]:
        """Components of the movable bodies: all x, all y (, all z)."""
        return state.x[:, self._movable].ravel(), state.v[:, self._movable].ravel()

    def to_state(self, q: Floats, v: Floats, t: float = 0.0) -> PointState:
        """Fixed points where they are, masses where q says."""
        state = self._rest.copy()
        state.t = t
        state.x[:, self._movable] = as_vector(q, len(self.coordinates)).reshape(self.system.dimension, -1)
        state.v[:, self._movable] = as_vector(v, len(self.coordinates)).reshape(self.system.dimension, -1)
        return state

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ from H γ = b (3.52) and M q̈ = E C γ + f (3.50)."""
        state = self.to_state(q, v, t)
        a = np.zeros_like(state.x)
        newton_euler.accelerations(self.model, self.scratch, state.x, state.v, a, state.gamma)
        return a[:, self._movable].ravel()

    def rates(self, q: Floats, v: Floats, qdd: Floats, gamma: Floats, power: Floats) -> int:
        """As `accelerations`, into arrays."""
        state, dimension = self._state, self.system.dimension
        state.x[:, self._movable], state.v[:, self._movable] = q.reshape(dimension, -1), v.reshape(dimension, -1)
        redundant = self._run(state.x, state.v, self._a, gamma)
        qdd[:] = self._a[:, self._movable].ravel()
        power[:] = self.scratch.power
        return redundant

    def _link_forces(self, q: Floats, v: Floats) -> Floats:
        state = self.to_state(q, v)
        newton_euler.accelerations(
            self.model, self.scratch, state.x, state.v, np.zeros_like(state.x), state.gamma
        )
        return state.gamma

    @property
    def formulas(self) -> Formulas:
        """Masses and forces of the bodies, a row for each link; coordinates in the order of these equations."""
        from granum.analytic.build import build
        from granum.analytic.fundamental import Fundamental

        given = Fundamental(build(self.system.scene).system).formulas
        names = tuple(f"{symbol_name(self.system.body_name(int(body)))}.{axis}"
                      for axis in "xyz"[: self.system.dimension] for body in self._movable)
        order = [given.coordinates.index(name) for name in names]
        return replace(given, coordinates=names, M=[[given.M[i][j] for j in order] for i in order],
                       f=[given.f[i] for i in order], A=[[row[j] for j in order] for row in given.A])

    def derivation_in_angles(self) -> Derivation:
        """Two equations for each link, by the angles of all links and their forces (Sun 1996, 3.29 to 3.43)."""
        from granum.analytic.derivations.newton_euler_angles import of_links

        return of_links(self)

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """Diagonal of the masses, once per component."""
        return np.diag(np.tile(self.system.bodies.mass[self._movable], self.system.dimension))

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """C Eᵀ, a row for each link: only motions along it are free."""
        newton_euler.directions(self.model.links, self.to_state(q, v, t).x, self.scratch.n, self.scratch.distance)
        by_body = redundancy.jacobian(self.system, self.scratch.n).toarray()
        shape = (len(by_body), len(self._movable), self.system.dimension)
        return by_body.reshape(shape).transpose(0, 2, 1).reshape(len(by_body), -1)
