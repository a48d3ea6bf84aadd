"""gibbs-appell: equations in quasi-velocities π̇, in which nonholonomic constraints vanish (Nguyen Van Khang).

The incomplete Gibbs-Appell function of rigid bodies (2.16),

    G = Σ ½ m a_C·a_C + ½ αᵀ I α + αᵀ (ω × I ω),       ∂G/∂π̈_i = Π_i                              (1.2)

is a function of the accelerations alone. With a_C = J q̈ + a₀ and α = J_ω q̈ + α₀ its derivative by q̈ is M q̈ + h,

    M = Σ m JᵀJ + J_ωᵀ I J_ω,      h = Σ m Jᵀ a₀ + J_ωᵀ (I α₀ + ω × I ω).

Admissible velocities A q̇ = c and the quasi-velocities π̇ = Y q̇ + y determine q̇ together, so that q̇ = B π̇ + ...,
q̈ = B π̈ + q̈₀, and the chain rule gives

    Bᵀ M B π̈ = Bᵀ (Q - h - M q̈₀).

No energy is differentiated and no multiplier is needed: an independent road to the same motion.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, gradient, jacobian
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, free_symbols, number, rebuild
from granum.algebra.show import text
from granum.algebra.switches import switched
from granum.algebra.vectors import cross, total, vector
from granum.analytic.constrained import backward, cholesky, forward
from granum.analytic.expressed import System
from granum.analytic.expressed_equations import DEPENDENT, ExpressedEquations
from granum.analytic.expressed_parts import Formula
from granum.analytic.inertia import add_inertia
from granum.analytic.quasi import least_norm, least_squares, triangular
from granum.analytic.result import as_vector
from granum.analytic.row_equations import events as row_events
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import (
    FloatGrid,
    block_reader,
    call,
    call_rates,
    carray,
    contiguous,
    floats_pointer,
    pack_block,
    right_hand_side,
)
from granum.rows.symbolic import rate_name

FIRST, SECOND, MOVING, WATCH, GUARD, SWITCHES, HEAD = range(7)
"""Entries of `head`: addresses of what is needed before and after the velocities are known; do constraints do work?
Then the addresses of the events of equations with multipliers and of their block, and that of the arguments of modes
(`switches`), or 0."""
_WORN = 0.3
"""Quasi-velocities this much less independent than when they were chosen are replaced."""
_SINGULAR = 1e-4
"""Independence of the constraints, relative to the start, below which the position counts as singular: it falls with
the distance from there, and quasi-velocities chosen anew and anew would take the motion to any branch."""


def appell_formulas(system: System) -> tuple[list[list[Expression]], list[Expression]]:
    """M and h of ∂G/∂q̈ = M q̈ + h, from the accelerations of the bodies (Nguyen Van Khang, eq. 2.16)."""
    M = jacobian(gradient(system.bodiless, system.v), system.v)
    h = system.inertial(system.bodiless)
    for body in system.bodies:
        add_inertia(M, h, jacobian(body.position, system.q), system.rates(system.rates(body.position)), [[body.mass]])
        if body.rotation is not None:
            omega, inertia = system.spin(body), body.moments
            momentum = vector([total(inertia[i][k] * omega[k] for k in range(3)) for i in range(3)])
            add_inertia(M, h, jacobian(omega, system.v), system.rates(omega), inertia, cross(omega, momentum))
    return M, h


def candidates(system: System) -> list[tuple[str, Expression]]:
    """Quasi-velocities worth proposing: angular velocities and velocities of bodies, then rates of coordinates."""
    rates = []
    for body in system.bodies:
        if body.rotation is not None:
            rates += [(f"ω({body.name}).{axis}", w) for axis, w in zip("xyz", system.spin(body), strict=True)]
    for body in system.bodies:
        rates += [(f"v({body.name}).{axis}", v) for axis, v in zip("xyz", system.rates(body.position), strict=True)]
    rates += [(rate_name(name), v) for name, v in zip(system.coordinates, system.v, strict=True)]
    return [(name, formula) for name, formula in rates if not formula.is_zero]


def pfaffian(system: System) -> None:
    """Refuse constraints that are not linear in the rates: quasi-velocities cannot absorb them."""
    rates = {v.name for v in system.v}
    for row in system.rows:
        if not row.invariant and free_symbols(row.A) & rates:
            raise GranumError(f'constraint "{row.name}" is not linear in the rates; gibbs-appell needs linear ones. '
                              "Use fundamental.")


def at_rest(system: System, formulas: Sequence[Expression]) -> list[Expression]:
    """Formulas with all rates set to zero."""
    return rebuild(list(formulas), dict.fromkeys(system.v, ZERO))


def first_formulas(system: System, quasi: Sequence[Expression]) -> list[Expression]:
    """What is needed before the velocities are known: A and Y, c and y."""
    rows = [row for row in system.rows if not row.invariant]
    return [*(entry for row in rows for entry in row.A),
            *(entry for formula in quasi for entry in gradient(formula, system.v)),
            *(-entry for entry in at_rest(system, [*(row.rate for row in rows), *quasi]))]


def second_formulas(
    system: System, quasi: Sequence[Expression], mass: list[list[Expression]], force: list[Expression],
) -> list[Expression]:
    """What is needed after: M, Q - h, b and -Ẏ q̇, powers, agents of rows."""
    rows = [(row, agent) for row, agent in zip(system.rows, system.row_agents, strict=True) if not row.invariant]
    return [*(entry for row in mass for entry in row), *force, *(row.b for row, _ in rows),
            *(-entry for entry in system.rates(quasi)), *(agent.power for agent in system.working),
            *(number(agent) for _, agent in rows)]


class Formulas(NamedTuple):
    """What compiled formulas write, of n coordinates, m rows, f quasi-velocities and k = m + f."""

    parameters: Floats
    """With the modes of formulas that jump behind them (`algebra.switches`)."""
    rows: FloatGrid
    """(k, n): A and Y."""
    scale: Floats
    """c and y; then what rows are multiplied by to have unit length."""
    M: FloatGrid
    Q: Floats
    bias: Floats
    """b and -Ẏ q̇."""
    power: Floats
    agent: Floats
    """Agent of each row, or -1."""


class Work(NamedTuple):
    """Workspace and results."""

    full: Floats
    """q and q̇; room for q̈."""
    diagonal: Floats
    W: FloatGrid
    right: Floats
    B: FloatGrid
    heavy: Floats
    G: FloatGrid
    push: Floats
    """π̈"""
    v: Floats
    qdd: Floats
    least: Floats
    """The diagonal of the triangular form from which others must be chosen."""


class Quasi(NamedTuple):
    """All that the compiled functions read and write for one choice of quasi-velocities."""

    head: Ints
    formulas: Formulas
    work: Work


read_quasi = block_reader(Quasi)


def make_quasi(system: System, parameters: Floats, first: Compiled, second: Compiled, f: int) -> Quasi:
    """The numbers of a system with f quasi-velocities."""
    n, m, works = len(system.q), sum(not row.invariant for row in system.rows), len(system.working)
    k = m + f
    _, formulas = contiguous(Formulas, {
        "parameters": (0,), "rows": (k, n), "scale": (k,), "M": (n, n), "Q": (n,), "bias": (k,),
        "power": (works,), "agent": (m,)})
    _, work = contiguous(Work, {
        "full": (3 * n,), "diagonal": (n,), "W": (k, n), "right": (k,), "B": (f, n), "heavy": (n,), "G": (f, f),
        "push": (f,), "v": (n,), "qdd": (n,)})
    moving = any(agent.constraint for agent in system.working)
    head = np.array([first.address, second.address, moving, 0, 0, 0], np.int64)
    return Quasi(head, formulas._replace(parameters=parameters), work)


@kernel
def _motion(model: Quasi, t: float, y: Floats) -> int:
    """From (q, π̇): q̇, q̈ and π̈, left in the block. Returns 0, 10 or 11."""
    F, w, scale = model.formulas, model.work, model.formulas.scale
    W, diagonal, right, B, G, heavy, push, v, qdd = w.W, w.diagonal, w.right, w.B, w.G, w.heavy, w.push, w.v, w.qdd
    n, k, f, m = len(v), len(scale), len(push), len(scale) - len(push)
    for j in range(n):
        w.full[j], w.full[n + j] = y[j], 0.0
    call_rates(model.head[FIRST], t, w.full, F.rows, F.parameters)
    least = np.inf
    for r in range(k):
        norm = 0.0
        for j in range(n):
            norm += F.rows[r, j] ** 2
        norm = 1.0 / math.sqrt(norm) if norm > 0.0 else 0.0
        for j in range(n):
            W[r, j] = F.rows[r, j] * norm
        right[r] = (scale[r] + (y[n + r - m] if r >= m else 0.0)) * norm
        scale[r] = norm
    if triangular(W, diagonal) != 0:
        return 10
    for j in range(n):
        least = min(least, abs(diagonal[j]))
    if least < w.least[0]:
        return 10
    least_squares(W, diagonal, right, v)
    for j in range(n):
        w.full[n + j] = v[j]
    call_rates(model.head[SECOND], t, w.full, F.M, F.parameters)
    for r in range(k):
        right[r] = F.bias[r] * scale[r]
    least_squares(W, diagonal, right, qdd)
    for i in range(f):
        for r in range(k):
            right[r] = scale[r] if r == m + i else 0.0
        least_squares(W, diagonal, right, B[i])
    for j in range(n):
        heavy[j] = F.Q[j]
        for c in range(n):
            heavy[j] -= F.M[j, c] * qdd[c]
    for i in range(f):
        push[i] = 0.0
        for j in range(n):
            push[i] += B[i, j] * heavy[j]
    for i in range(f):
        for j in range(n):
            heavy[j] = 0.0
            for c in range(n):
                heavy[j] += F.M[j, c] * B[i, c]
        for l in range(i + 1):
            G[i, l] = 0.0
            for j in range(n):
                G[i, l] += B[l, j] * heavy[j]
    if cholesky(G, f) >= 0:
        return 11
    forward(G, push, f)
    backward(G, push, f)
    for i in range(f):
        for j in range(n):
            qdd[j] += B[i, j] * push[i]
    if model.head[MOVING] != 0:
        _add_powers(F, w, m)
    return 0


@kernel
def _add_powers(F: Formulas, w: Work, m: int) -> None:
    """Power of moving constraints: their forces are what M q̈ - Q is made of."""
    for j in range(len(w.v)):
        w.heavy[j] = -F.Q[j]
        for c in range(len(w.v)):
            w.heavy[j] += F.M[j, c] * w.qdd[c]
    least_norm(w.W, w.diagonal, w.heavy, w.right)
    for r in range(m):
        if F.agent[r] >= 0.0:
            for j in range(len(w.v)):
                F.power[int(F.agent[r])] += w.right[r] * F.scale[r] * F.rows[r, j] * w.v[j]


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """d/dt of (q, π̇, work of each agent)."""
    model = read_quasi(data_)
    v, push, power = model.work.v, model.work.push, model.formulas.power
    n, f, works = len(v), len(push), len(power)
    dy = carray(dy_, n + f + works)
    status = _motion(model, t, carray(y_, n + f))
    for i in range(n):
        dy[i] = v[i]
    for i in range(f):
        dy[n + i] = push[i]
    for i in range(works):
        dy[n + f + i] = power[i]
    return status


@right_hand_side
def events(t, y_, g_, data_):  # type: ignore[no-untyped-def]
    """Values of events that depend on multipliers: of the same state, by equations that have these."""
    model = read_quasi(data_)
    w = model.work
    status = _motion(model, t, carray(y_, len(w.v) + len(w.push)))
    if status != 0:
        return status
    guard = carray(floats_pointer(model.head[GUARD]), 1)
    return call_rates(model.head[WATCH], t, w.full, carray(g_, 1), guard)


class _Program(NamedTuple):
    """Machine code for one choice of quasi-velocities; it must live as long as its addresses are used."""

    first: Compiled
    second: Compiled
    in_modes: Compiled | None
    """The second in modes, where formulas jump."""
    data: Quasi
    block: Floats


class GibbsAppell(ExpressedEquations):
    """Equations in quasi-velocities (Nguyen Van Khang): those given, or independent ones chosen in a state."""

    formulation = "gibbs-appell"
    chooses_again = True
    rates = rates

    def __init__(
        self, system: System, start: tuple[Floats, Floats] | None = None, quasi: Mapping[str, Formula] | None = None,
    ) -> None:
        super().__init__(system, start)
        pfaffian(system)
        self._given = None if quasi is None else [
            (name, system.read(formula, f"quasi-velocity {name}")) for name, formula in quasi.items()]
        for name, formula in self._given or []:
            if free_symbols(gradient(formula, system.v)) & {v.name for v in system.v}:
                raise GranumError(f"the quasi-velocity {name} is not linear in the rates.")
        self._chosen: list[tuple[str, Expression]] = self._given or []
        self._programs: dict[tuple[str, ...], _Program] = {}
        self._guard: ExpressedEquations | None = None
        self._watched = 0, 0
        """Addresses of its events and of its block."""
        self._arguments = 0

    @property
    def quasi_velocities(self) -> dict[str, str]:
        """Names and formulas of the quasi-velocities in use."""
        return {name: text(formula) for name, formula in self._chosen}

    @property
    def given_quasi_velocities(self) -> list[tuple[str, Expression]]:
        """Names and formulas of the quasi-velocities that were given; none where Granum chooses them."""
        return self._given or []

    @cached_property
    def inertia(self) -> tuple[list[list[Expression]], list[Expression]]:
        """M and h of ∂G/∂q̈ = M q̈ + h."""
        return appell_formulas(self.system)

    @cached_property
    def _slopes(self) -> tuple[list[tuple[str, Expression]], Compiled]:
        listed = candidates(self.system)
        return listed, self.system.compile([entry for _, f in listed for entry in gradient(f, self.system.v)])

    def choose(self, q: Floats, v: Floats, t: float = 0.0) -> None:
        """Take quasi-velocities for the state at hand: in turn those most independent of what is taken already."""
        if self._given is None:
            listed, program = self._slopes
            n = len(self.coordinates)
            y = np.concatenate([q, v])
            rows = program(t, y, self.system.parameter_values).reshape(len(listed), n)
            A = self.constraint_rows(q, v, t)
            basis = row_space(A, self._rank_at_start)
            self._chosen = [listed[k] for k in independent(basis, rows)]
        names = tuple(name for name, _ in self._chosen)
        if names not in self._programs:
            system, quasi = self.system, [formula for _, formula in self._chosen]
            first = system.compile(first_formulas(system, quasi))
            formulas = second_formulas(system, quasi, self.mass_formulas, self.force_formulas)
            second = system.compile(formulas)
            jumps = None if self.in_modes is None else switched(formulas, self.force_formulas)
            in_modes = None if jumps is None else system.compile(jumps.outputs, [mode.name for mode in jumps.modes])
            data = make_quasi(system, self._parameters, first, second, len(names))
            data.head[[WATCH, GUARD]] = self._watched
            self._programs[names] = _Program(first, second, in_modes, data, pack_block(data))
            self.follow(self._arguments)

    @cached_property
    def _rank_at_start(self) -> int | None:
        """Rank of the constraints where they hold to the last digit."""
        return len(row_space(self.constraint_rows(*self.start))) if self.has_start else None

    def watch(self, guard: ExpressedEquations) -> int:
        """The address of a function of the events of other equations of this system, which have multipliers."""
        self._guard, self._watched = guard, (row_events.address, guard.block.ctypes.data)
        for program in self._programs.values():
            program.data.head[[WATCH, GUARD]] = self._watched
        return int(events.address)

    @property
    def _program_in_use(self) -> _Program:
        return self._programs[tuple(name for name, _ in self._chosen)]

    @cached_property
    def _parameters(self) -> Floats:
        """Parameters and modes, for all quasi-velocities."""
        modes = 0 if self.in_modes is None else len(self.in_modes.arguments)
        return np.concatenate([self.system.parameter_values, np.ones(modes)])

    @property
    def modes(self) -> Floats:
        """Modes of formulas that jump."""
        return self._parameters[len(self.system.parameters) :]

    def follow(self, arguments: int) -> None:
        """Let all programs follow the modes, whose arguments are at an address; at 0 the formulas are as they are."""
        self._arguments = arguments
        for program in self._programs.values():
            if program.in_modes is not None:
                program.data.head[SECOND] = program.in_modes.address if arguments else program.second.address
                program.data.head[SWITCHES] = arguments

    def take_parameters(self) -> None:
        """Copy the parameters of the system."""
        self._parameters[: len(self.system.parameters)] = self.system.parameter_values
        if self._guard is not None:
            self._guard.take_parameters()

    @property
    def block(self) -> Floats:
        """The data block of the compiled right-hand side, for the quasi-velocities in use."""
        return self._program_in_use.block

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """(q, π̇, works) of a state, for quasi-velocities chosen there."""
        self.choose(q, v, t)
        used, n, f = self._program_in_use, len(q), len(self._chosen)
        k = len(used.data.formulas.scale)
        out = used.first(t, np.concatenate([q, np.zeros(n)]), self.system.parameter_values)
        rows = out[: k * n].reshape(k, n)
        Y = rows[k - f :]
        if self._given is None:
            left = independence(rows)
            if self._start is not None and self.dependence(q, v, t) < _SINGULAR:
                raise NotConvergedError(self.singular_position(q, v, t))
            used.data.work.least[0] = _WORN * left
        return np.concatenate([q, Y @ v - out[k * n :][k - f :], work])

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """q, q̇ and works of (q, π̇, works)."""
        self._evaluate(t, y)
        n = len(self.coordinates)
        return y[:n].copy(), self._program_in_use.data.work.v.copy(), y[n + len(self._chosen) :].copy()

    def _evaluate(self, t: float, y: Floats) -> None:
        if call(rates, t, y, np.zeros_like(y), self.block) != 0:
            names = ", ".join(name for name, _ in self._chosen)
            raise GranumError(f"the quasi-velocities {names} do not determine the motion at t = {t:g} s: together with "
                              "the constraints they must determine every rate, and each must carry inertia.")

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ = B π̈ + q̈₀."""
        n = len(self.coordinates)
        q, v = as_vector(q, n), as_vector(v, n)
        y = self.pack(q, v, t, np.zeros(len(self.system.working)))
        self._evaluate(t, y)
        self.refuse_contradiction(q, v, t)  # quasi-velocities would meet such rows half-way
        return self._program_in_use.data.work.qdd.copy()


def independence(rows: Floats) -> float:
    """Smallest diagonal of the triangular form of rows of unit length: zero where they do not span."""
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return float(np.abs(np.diag(np.linalg.qr(unit, mode="r"))).min())


def row_space(A: Floats, rank: int | None = None) -> Floats:
    """Orthonormal basis of the rows of A, as rows; rows are taken to unit length first, so that units do not decide.

    rank: that of another position of the same system. Positions are not corrected along the motion: rows that depend on
    others differ from it by the constraint error, which would count as independence, and cost a quasi-velocity.
    """
    if not len(A):
        return A
    _, sizes, V = np.linalg.svd(A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300), full_matrices=False)
    if rank is None:
        return V[: np.count_nonzero(sizes > 1e-10 * sizes[0])]
    return V[: max(rank, np.count_nonzero(sizes > DEPENDENT * sizes[0]))]


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
