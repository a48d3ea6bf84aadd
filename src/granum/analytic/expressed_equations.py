"""Equations of systems written as formulas: what their formulations share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from granum.algebra import Expression, gradient
from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols
from granum.algebra.show import text
from granum.analytic import fundamental, gibbs_appell
from granum.analytic.code import Formulas, Law
from granum.analytic.constrained import equilibrated, moore_penrose, refuse_undetermined
from granum.analytic.expressed import Formula, System, multiplier
from granum.analytic.linearization import Linearization, Linearizer
from granum.analytic.result import Equations, as_vector
from granum.analytic.singular_positions import singular_position
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats

INCONSISTENT = 1e-6
"""Mismatch of dependent rows, relative to the largest, from which they contradict one another."""
ROUNDING = 1e-12
"""Mismatch of rows relative to the squares of rates that is put down to rounding."""
_WORN = 0.3
"""Quasi-velocities this much less independent than when they were chosen are replaced."""
_FALLS = 0.01
"""Independence of the constraints, relative to the start, below which a vanishing pivot is of a singular position."""
_SINGULAR = 1e-4
"""Independence of the constraints, relative to the start, below which the position counts as singular: it falls with
the distance from there, and quasi-velocities chosen anew and anew would take the motion to any branch."""


class ExpressedEquations(Equations):
    """Equations of a `System` of formulas."""

    rates: Any
    """The compiled right-hand side, d/dt of what `pack` gives."""
    takes_friction = False
    """Does it decide between sticking and sliding? One that does not would hold slip rows for ever."""

    @property
    @abstractmethod
    def block(self) -> Floats:
        """The data block of the compiled right-hand side."""

    def __init__(self, system: System, start: tuple[Floats, Floats] | None = None) -> None:
        self.system, self._start = system, start
        self.coordinates = system.coordinates
        if system.frictions and not self.takes_friction:
            names = ", ".join(f'"{friction.name}"' for friction in system.frictions)
            raise GranumError(f"{self.formulation} does not support friction that sticks and slides, and this scene "
                              f'has it: {names}. Use formulation = "virtual-work".')

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""
        if self._start is None:
            raise GranumError("this system has no start; compute one with gr.analytic.consistent(system, given).")
        return self._start

    @cached_property
    def mass_formulas(self) -> list[list[Expression]]:
        """M as this formulation has it."""
        return self.system.mass_formulas

    @cached_property
    def force_formulas(self) -> list[Expression]:
        """f as this formulation has it."""
        return self.system.force_formulas

    @cached_property
    def formulas(self) -> Formulas:
        """M, f, A and b written out."""
        system = self.system
        return Formulas(system.title, system.coordinates, system.parameters, self.mass_formulas, self.force_formulas,
                        tuple(row.name for row in system.rows), [row.A for row in system.rows],
                        [row.b for row in system.rows], self._laws())

    def _laws(self) -> tuple[Law, ...]:
        """Coulomb's law of each friction, by numbers of rows."""
        rows = [(row.constraint, row.number) for row in self.system.rows]
        return tuple(Law(f.name, f.coefficient, rows.index(f.normal), tuple(
            rows.index((f.name, k)) for k in range(len(f.slip))), f.slip) for f in self.system.frictions)

    def latex(self) -> str:
        """The equations in LaTeX."""
        return self.formulas.latex()

    def code(self, form: str) -> str:
        """The equations as text, latex, python or c."""
        return self.formulas.write(form)

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """The vector that is integrated: (q, q̇, work of each agent of `System.working`)."""
        return np.concatenate([q, v, work])

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """q, q̇ and works of that vector."""
        n = len(self.coordinates)
        return y[:n].copy(), y[n : 2 * n].copy(), y[2 * n :].copy()

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Address of what corrects a state after every step, 0 for nothing."""
        return 0

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M(q), as the formulation has it."""
        return self.matrices(q, np.zeros(len(self.coordinates)), t)[0]

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """A of A q̈ = b, without the rows of invariants."""
        A = self.matrices(q, v, t)[2]
        return A[[not row.invariant for row in self.system.rows]]

    @cached_property
    def _program(self) -> Compiled:
        return self.system.compile(fundamental.formulas(self.system, self.mass_formulas, self.force_formulas))

    def matrices(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats, Floats, Floats]:
        """M, Q, A and b in a state."""
        n, m = len(self.coordinates), len(self.system.rows)
        y = np.concatenate([as_vector(q, n), as_vector(v, n)])
        out = self._program(t, y, self.system.parameter_values)
        M, Q, A, b = np.split(out[: n * n + n + m * n + m], np.cumsum([n * n, n, m * n]))
        return M.reshape(n, n), Q, A.reshape(m, n), b

    @cached_property
    def _linearizer(self) -> Linearizer:
        return Linearizer(self.system, self.mass_formulas, self.force_formulas)

    def _linearized(self, q: Floats, v: Floats, t: float) -> Linearization:
        return self._linearizer.linearize(q, v, t)

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions."""
        return tuple(label for constraint in self.system.constraints for label, _ in constraint.meaning)

    @cached_property
    def _reactions(self) -> Compiled:
        system = self.system
        return system.compile([f for c in system.constraints for _, f in c.meaning], self.multiplier_names)

    @cached_property
    def multiplier_names(self) -> list[str]:
        """Symbols of the multipliers of all rows, in order."""
        return [multiplier(row.constraint, row.number).name for row in self.system.rows]

    def multipliers(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """λ of M q̈ = Q + Aᵀ λ, of least norm where rows depend on each other."""
        M, Q, A, _ = self.matrices(q, v, t)
        if not len(A):
            return np.zeros(0)
        return least_norm(A, M @ self.accelerations(q, v, t) - Q)

    def refuse_contradiction(self, q: Floats, v: Floats, t: float) -> None:
        """Raise if no acceleration meets all rows, naming those that contradict one another."""
        _, _, A, b = self.matrices(q, v, t)
        if not len(b):
            return
        scale = np.maximum(np.linalg.norm(A, axis=1), 1e-300)
        A, b = A / scale[:, None], b / scale
        U, sizes, _ = np.linalg.svd(A)
        null = U[:, np.count_nonzero(sizes > 1e-9 * sizes[0]) :]
        clash = np.abs(null @ (null.T @ b))
        # b is made of products of rates: where these cancel it is rounding, and says nothing
        if clash.max(initial=0.0) <= INCONSISTENT * np.abs(b).max(initial=0.0) + ROUNDING * float(v @ v):
            return
        names = [row.name for row, part in zip(self.system.rows, clash, strict=True) if part > 1e-3 * clash.max()]
        raise GranumError(f"the constraints {', '.join(names)} contradict one another at t = {t:g} s: no acceleration "
                          "meets them all. Leave one of them out, or correct it.")

    @cached_property
    def _row_sizes(self) -> Floats:
        """Lengths of the constraint rows at the start: one that vanishes along the motion is singular too."""
        sizes: Floats = np.maximum(np.linalg.norm(self.constraint_rows(*self.start), axis=1), 1e-300)
        return sizes

    def dependence(self, q: Floats, v: Floats, t: float) -> float:
        """Smallest singular value of the independent constraint rows, in the lengths that they have at the start, over
        that at the start: zero in a singular position.
        """
        if not len(self._row_sizes):
            return 1.0
        (q0, v0), size = self.start, self._row_sizes[:, None]
        before, now = (np.linalg.svd(self.constraint_rows(*state) / size, compute_uv=False)
                       for state in ((q0, v0, 0.0), (q, v, t)))
        rank = int(np.count_nonzero(before > 1e-9 * before[0]))
        return float(now[rank - 1] / before[rank - 1])

    def is_singular(self, q: Floats, v: Floats, t: float) -> bool:
        """Is the rank of the constraints about to fall?"""
        return self.dependence(q, v, t) < _FALLS

    def singular_position(self, q: Floats, v: Floats, t: float) -> str:
        """What is wrong where constraints lose their independence, naming those that do."""
        A = self.constraint_rows(q, v, t)
        silent = {constraint.name for constraint in self.system.constraints if constraint.silent}
        names = [row.constraint for row in self.system.rows if not row.invariant]
        U, sizes, _ = np.linalg.svd(A / self._row_sizes[:, None])
        weakest = U[:, int(np.count_nonzero(sizes > 1e-7 * sizes[0])) - 1]  # rows that always depend on others are last
        listed = dict.fromkeys(name for name, part in zip(names, np.abs(weakest), strict=True)
                               if part > 0.1 and name not in silent)
        moving = {constraint.name for constraint in self.system.constraints if free_symbols(constraint.rows) & {"t"}}
        return singular_position(t, listed, [name for name in listed if name in moving])

    def reaction_values(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Reactions in the order of `reaction_names`."""
        data = np.concatenate([self.system.parameter_values, self.multipliers(q, v, t)])
        return self._reactions(t, np.concatenate([q, v]), data)

    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces of constraints by name."""
        return dict(zip(self.reaction_names, self.reaction_values(q, v, t).tolist(), strict=True))


def least_norm(A: Floats, force: Floats) -> Floats:
    """λ of least norm with Aᵀ λ = force; rows are taken to unit length first, so that units do not decide."""
    size = np.linalg.norm(A, axis=1)
    size[size == 0.0] = 1.0
    multipliers: Floats = np.linalg.lstsq((A / size[:, None]).T, force, rcond=1e-10)[0] / size
    return multipliers


class GibbsAppell(ExpressedEquations):
    """Equations in quasi-velocities (003): those given, or independent ones chosen in the state at hand."""

    formulation = "gibbs-appell"
    rates = gibbs_appell.rates

    def __init__(
        self, system: System, start: tuple[Floats, Floats] | None = None, quasi: Mapping[str, Formula] | None = None,
    ) -> None:
        super().__init__(system, start)
        gibbs_appell.pfaffian(system)
        self._given = None if quasi is None else [
            (name, system.read(formula, f"quasi-velocity {name}")) for name, formula in quasi.items()]
        for name, formula in self._given or []:
            if free_symbols(gradient(formula, system.v)) & {v.name for v in system.v}:
                raise GranumError(f"the quasi-velocity {name} is not linear in the rates.")
        self._chosen: list[tuple[str, Expression]] = self._given or []
        self._programs: dict[tuple[str, ...], tuple[Compiled, Compiled, Floats]] = {}

    @property
    def quasi_velocities(self) -> dict[str, str]:
        """Names and formulas of the quasi-velocities in use."""
        return {name: text(formula) for name, formula in self._chosen}

    @cached_property
    def _appell(self) -> tuple[list[list[Expression]], list[Expression]]:
        return gibbs_appell.appell_formulas(self.system)

    @cached_property
    def mass_formulas(self) -> list[list[Expression]]:
        """M of ∂G/∂q̈ = M q̈ + h."""
        return self._appell[0]

    @cached_property
    def force_formulas(self) -> list[Expression]:
        """Q - h."""
        return [Q - h for Q, h in zip(self.system.applied, self._appell[1], strict=True)]

    @cached_property
    def _slopes(self) -> tuple[list[tuple[str, Expression]], Compiled]:
        listed = gibbs_appell.candidates(self.system)
        return listed, self.system.compile([entry for _, f in listed for entry in gradient(f, self.system.v)])

    def choose(self, q: Floats, v: Floats, t: float = 0.0) -> None:
        """Take quasi-velocities for the state at hand: in turn those most independent of what is taken already."""
        if self._given is None:
            listed, program = self._slopes
            n = len(self.coordinates)
            y = np.concatenate([q, v])
            rows = program(t, y, self.system.parameter_values).reshape(len(listed), n)
            A = self.constraint_rows(q, v, t)
            basis = row_space(A)
            self._chosen = [listed[k] for k in independent(basis, rows)]
        names = tuple(name for name, _ in self._chosen)
        if names not in self._programs:
            first, second = (self.system.compile(part) for part in
                             gibbs_appell.programs(self.system, [f for _, f in self._chosen], self.mass_formulas,
                                                   self.force_formulas))
            self._programs[names] = first, second, gibbs_appell.block(
                self.system, first.address, second.address, len(names))

    @property
    def block(self) -> Floats:
        """The data block of the compiled right-hand side, for the quasi-velocities in use."""
        return self._programs[tuple(name for name, _ in self._chosen)][2]

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """(q, π̇, works) of a state, for quasi-velocities chosen there."""
        self.choose(q, v, t)
        program = self._programs[tuple(name for name, _ in self._chosen)][0]
        n, f = len(q), len(self._chosen)
        k = (len(self.block_rows) + f)
        out = program(t, np.concatenate([q, np.zeros(n)]), self.system.parameter_values)
        rows = out[: k * n].reshape(k, n)
        Y = rows[k - f :]
        if self._given is None:
            left = independence(rows)
            if self._start is not None and self.dependence(q, v, t) < _SINGULAR:
                raise NotConvergedError(self.singular_position(q, v, t))
            self.block[gibbs_appell.LEAST] = _WORN * left
        return np.concatenate([q, Y @ v - out[k * n :][k - f :], work])

    @cached_property
    def block_rows(self) -> list[str]:
        """Rows that the quasi-velocities absorb."""
        return [row.name for row in self.system.rows if not row.invariant]

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """q, q̇ and works of (q, π̇, works)."""
        self._evaluate(t, y)
        n = len(self.coordinates)
        return y[:n].copy(), gibbs_appell.results(self.block)[0].copy(), y[n + len(self._chosen) :].copy()

    def _evaluate(self, t: float, y: Floats) -> None:
        status = gibbs_appell.motion(t, y, self.block)
        if status != 0:
            names = ", ".join(name for name, _ in self._chosen)
            raise GranumError(f"the quasi-velocities {names} do not determine the motion at t = {t:g} s: with the "
                              "constraints they must give every rate, and every one of them must carry inertia.")

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ = B π̈ + q̈₀."""
        n = len(self.coordinates)
        y = self.pack(as_vector(q, n), as_vector(v, n), t, np.zeros(len(self.system.working)))
        self._evaluate(t, y)
        self.refuse_contradiction(q, v, t)  # quasi-velocities would meet such rows half-way
        return gibbs_appell.results(self.block)[1].copy()


def independence(rows: Floats) -> float:
    """Smallest diagonal of the triangular form of rows of unit length: zero where they do not span."""
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return float(np.abs(np.diag(np.linalg.qr(unit, mode="r"))).min())


def row_space(A: Floats) -> Floats:
    """Orthonormal basis of the rows of A, as rows; rows are taken to unit length first, so that units do not decide."""
    if not len(A):
        return A
    _, sizes, V = np.linalg.svd(A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300), full_matrices=False)
    return V[: np.count_nonzero(sizes > 1e-10 * sizes[0])]


def independent(basis: Floats, rows: Floats) -> list[int]:
    """Numbers of rows that complete an orthonormal basis, always the one most independent of those taken."""
    left = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    left = left - (left @ basis.T) @ basis
    chosen: list[int] = []
    while len(basis) + len(chosen) < rows.shape[1]:
        sizes = np.linalg.norm(left, axis=1)
        # earlier candidates are better liked; a later one must be clearly more independent
        best = int(np.flatnonzero(sizes > 0.5 * sizes.max())[0])
        if sizes[best] < 1e-8:
            break
        direction = left[best] / sizes[best]
        left = left - np.outer(left @ direction, direction)
        chosen.append(best)
    return chosen


class RowEquations(ExpressedEquations):
    """Equations that are run in all their coordinates, with a multiplier for every row."""

    rates = fundamental.rates
    _examined = False

    @cached_property
    def block(self) -> Floats:
        """The data block of the compiled right-hand side."""
        data = fundamental.block(self.system, self._program.address)
        data[fundamental.VALUES] = self._values.address
        return data

    @cached_property
    def _values(self) -> Compiled:
        return self.system.compile(fundamental.values(self.system))

    def watch_positions(self, watched: bool) -> None:
        """Let corrections look for singular positions, or pass them over."""
        self.block[fundamental.WATCHED] = watched

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Address of what brings a state back to its constraints after every step, 0 for nothing."""
        self.block[[fundamental.POSITIONS, fundamental.VELOCITIES]] = positions, velocities
        if fundamental.accelerations(0.0, np.concatenate(self.start), self.block) == 0:
            fundamental.remember_sizes(self.block)
        rows = [row for row in self.system.rows if not row.invariant]
        return int(fundamental.corrections.address) if rows and (positions or velocities) else 0


class Fundamental(RowEquations):
    """Udwadia and Phohomsiri's equations of constrained motion (001 eqs 43-51)."""

    formulation = "fundamental"

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ by elimination, or by the Moore-Penrose form where M is not positive semidefinite (43)."""
        n = len(self.coordinates)
        y = np.concatenate([as_vector(q, n), as_vector(v, n)])
        if not self._examined:
            # round-off can hide a vanishing pivot from the elimination: the first state is examined by singular values
            M, _, A, _ = self.matrices(q, v, t)
            if np.isfinite(M).all() and np.isfinite(A).all():
                refuse_undetermined(self.coordinates, M, A)
                self._examined = True
        self.block[fundamental.MISMATCH] = 0.0
        if fundamental.accelerations(t, y, self.block) != 0:
            return self._by_pseudo_inverse(q, v, t)
        if self.block[fundamental.MISMATCH] > INCONSISTENT:
            self.refuse_contradiction(q, v, t)
        return fundamental.results(self.block)[0].copy()

    def _by_pseudo_inverse(self, q: Floats, v: Floats, t: float) -> Floats:
        M, Q, A, b = self.matrices(q, v, t)
        if not (np.isfinite(M).all() and np.isfinite(A).all() and np.isfinite(Q).all() and np.isfinite(b).all()):
            raise NotConvergedError(f"the equations have no finite value at t = {t:g} s in this state.")
        refuse_undetermined(self.coordinates, M, A)
        return moore_penrose(M, Q, A, b)


class Multipliers(Fundamental):
    """Lagrange's equations of the first kind: M q̈ - Aᵀ λ = Q and A q̈ = b solved together."""

    formulation = "lagrange"

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ from the whole matrix [M -Aᵀ; A 0], by least squares where rows depend on each other."""
        M, Q, A, b = self.matrices(q, v, t)
        refuse_undetermined(self.coordinates, M, A)
        N, B, light = equilibrated(M, A)
        size = np.linalg.norm(A * light, axis=1)
        whole = np.block([[N, -B.T], [B, np.zeros((len(B), len(B)))]])
        right = np.concatenate([Q * light, b / np.where(size > 0.0, size, 1.0)])
        solution: Floats = np.linalg.lstsq(whole, right, rcond=1e-12)[0][: len(Q)]
        if np.abs(B @ solution - right[len(Q) :]).max(initial=0.0) > INCONSISTENT * np.abs(right).max(initial=0.0):
            self.refuse_contradiction(q, v, t)
        return solution * light
