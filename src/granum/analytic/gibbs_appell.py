"""gibbs-appell: equations in quasi-velocities π̇, in which nonholonomic constraints vanish (003).

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
from collections.abc import Sequence

import numpy as np

from granum.algebra import Expression, gradient, jacobian
from granum.algebra.expression import ZERO, free_symbols, number, rebuild
from granum.algebra.vectors import cross, dot, total, vector
from granum.analytic.constrained import _backward, _factor, _forward
from granum.analytic.expressed import System, rate_name
from granum.analytic.quasi import least_norm, least_squares, triangular
from granum.base.errors import GranumError
from granum.base.kernels import Floats, kernel
from granum.base.pointers import call_rates, carray, right_hand_side

HEADER = 9
FIRST, SECOND, SIZE, ROWS, FREEDOMS, PARAMETERS, LEAST, MOVING, WORKS = range(9)
"""Places in the header; LEAST is the diagonal of the triangular form from which others must be chosen, MOVING says
whether constraints do work, WORKS how many agents have their work integrated."""


def appell_formulas(system: System) -> tuple[list[list[Expression]], list[Expression]]:
    """M and h of ∂G/∂q̈ = M q̈ + h, from the accelerations of the bodies (003 eq 2.16)."""
    n = len(system.q)
    M = jacobian(gradient(system.bodiless, system.v), system.v)
    h = system.inertial(system.bodiless)
    for body in system.bodies:
        J = jacobian(body.position, system.q)
        bias = system.rates(system.rates(body.position))
        parts: list[tuple[Sequence[Sequence[Expression]], Sequence[Expression]]] = [
            (J, [body.mass * a for a in bias])]
        weighted = [[[body.mass * entry for entry in row] for row in J]]
        if body.rotation is not None:
            omega = system.spin(body)
            partial, change = jacobian(omega, system.v), system.rates(omega)
            inertia = [[float(entry) for entry in row] for row in body.inertia]
            momentum = vector([total(inertia[i][k] * omega[k] for k in range(3)) for i in range(3)])
            twist = cross(omega, momentum)
            parts.append((partial, [total(inertia[i][k] * change[k] for k in range(3)) + twist[i] for i in range(3)]))
            weighted.append([[total(inertia[i][k] * partial[k][j] for k in range(3)) for j in range(n)]
                             for i in range(3)])
        for (slope, force), heavy in zip(parts, weighted, strict=True):
            for i in range(n):
                column = [row[i] for row in slope]
                if any(not entry.is_zero for entry in column):
                    h[i] = h[i] + dot(column, force)
                    for j in range(n):
                        M[i][j] = M[i][j] + dot(column, [row[j] for row in heavy])
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


def programs(
    system: System, quasi: Sequence[Expression], mass: list[list[Expression]], force: list[Expression],
) -> tuple[list[Expression], list[Expression]]:
    """What is needed before the velocities are known, A, Y, c, y; after: M, Q - h, b, Ẏ q̇, powers, agents of rows."""
    rows = [row for row in system.rows if not row.invariant]
    working = {agent.constraint: k for k, agent in enumerate(system.working) if agent.constraint}
    slopes = [gradient(formula, system.v) for formula in quasi]
    first = [*(entry for row in rows for entry in row.A), *(entry for slope in slopes for entry in slope),
             *(-entry for entry in at_rest(system, [row.rate for row in rows])),
             *(-entry for entry in at_rest(system, quasi))]
    second = [*(entry for row in mass for entry in row), *force,
              *(row.b for row in rows), *(-entry for entry in system.rates(quasi)),
              *(agent.power for agent in system.working),
              *(number(float(working.get(row.constraint, -1))) for row in rows)]
    return first, second


def block(system: System, first: int, second: int, freedoms: int) -> Floats:
    """The data block: header, parameters, both sets of formulas, workspace."""
    n, p = len(system.q), len(system.parameters)
    m, works = sum(not row.invariant for row in system.rows), len(system.working)
    data = np.zeros(HEADER + p + sizes(n, m, freedoms, works))
    moving = any(agent.constraint for agent in system.working)
    data[[FIRST, SECOND, SIZE, ROWS, FREEDOMS, PARAMETERS, MOVING, WORKS]] = (
        first, second, n, m, freedoms, p, moving, works)
    data[HEADER : HEADER + p] = system.parameter_values
    return data


@kernel
def sizes(n: int, m: int, f: int, works: int) -> int:
    """Numbers in a block after the parameters."""
    k = m + f
    return (k * n + k) + (n * n + n + k + works + m) + 2 * n + n + k * n + k + f * n + n + f * f + f + 2 * n


@kernel
def motion(t: float, y: Floats, data: Floats) -> int:
    """From (q, π̇): q̇, q̈ and π̈ are left at the end of the block. Returns 0 or 10."""
    n, m, f, p = int(data[SIZE]), int(data[ROWS]), int(data[FREEDOMS]), int(data[PARAMETERS])
    k, works = m + f, int(data[WORKS])
    a = HEADER + p
    b = a + k * n + k
    o = b + n * n + n + k + works + m
    full = data[o : o + 2 * n]
    full[:n] = y[:n]
    full[n:] = 0.0
    call_rates(int(data[FIRST]), t, full, data[a:], data[HEADER:])
    o += 2 * n
    diagonal = data[o : o + n]
    o += n
    W = data[o : o + k * n].reshape(k, n)
    o += k * n
    right = data[o : o + k]
    o += k
    B = data[o : o + f * n].reshape(f, n)
    o += f * n
    heavy = data[o : o + n]
    o += n
    G = data[o : o + f * f].reshape(f, f)
    o += f * f
    push = data[o : o + f]
    o += f
    v, qdd = data[o : o + n], data[o + n : o + 2 * n]
    scale = data[a + k * n : a + k * n + k]  # c and y; lengths of rows are divided out of them as of the rows
    for r in range(k):
        norm = 0.0
        for j in range(n):
            norm += data[a + r * n + j] ** 2
        norm = 1.0 / math.sqrt(norm) if norm > 0.0 else 0.0
        for j in range(n):
            W[r, j] = data[a + r * n + j] * norm
        right[r] = (scale[r] + (y[n + r - m] if r >= m else 0.0)) * norm
        scale[r] = norm
    if triangular(W, diagonal) != 0 or np.abs(diagonal).min() < data[LEAST]:
        return 10
    least_squares(W, diagonal, right, v)
    full[n:] = v
    call_rates(int(data[SECOND]), t, full, data[b:], data[HEADER:])
    M = data[b : b + n * n].reshape(n, n)
    Q = data[b + n * n : b + n * n + n]
    bias = data[b + n * n + n : b + n * n + n + k]
    for r in range(k):
        right[r] = bias[r] * scale[r]
    least_squares(W, diagonal, right, qdd)
    for i in range(f):
        for r in range(k):
            right[r] = scale[r] if r == m + i else 0.0
        least_squares(W, diagonal, right, B[i])
    for j in range(n):
        heavy[j] = Q[j]
        for c in range(n):
            heavy[j] -= M[j, c] * qdd[c]
    for i in range(f):
        push[i] = 0.0
        for j in range(n):
            push[i] += B[i, j] * heavy[j]
    for i in range(f):
        for j in range(n):
            heavy[j] = 0.0
            for c in range(n):
                heavy[j] += M[j, c] * B[i, c]
        for l in range(i + 1):
            G[i, l] = 0.0
            for j in range(n):
                G[i, l] += B[l, j] * heavy[j]
    if _factor(G, f) >= 0:
        return 11
    _forward(G, push, f)
    _backward(G, push, f)
    for i in range(f):
        for j in range(n):
            qdd[j] += B[i, j] * push[i]
    if data[MOVING] != 0.0:
        for j in range(n):
            heavy[j] = -Q[j]
            for c in range(n):
                heavy[j] += M[j, c] * qdd[c]
        least_norm(W, diagonal, heavy, right)
        powers, agents = data[b + n * n + n + k :], data[b + n * n + n + k + works :]
        for r in range(m):
            if agents[r] >= 0.0:
                for j in range(n):
                    powers[int(agents[r])] += right[r] * scale[r] * data[a + r * n + j] * v[j]
    return 0


@kernel
def results(data: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """q̇, q̈, π̈ and the power of each agent, of the last evaluation."""
    n, m, f, p = int(data[SIZE]), int(data[ROWS]), int(data[FREEDOMS]), int(data[PARAMETERS])
    k, works = m + f, int(data[WORKS])
    b = HEADER + p + k * n + k + n * n + n + k
    end = HEADER + p + sizes(n, m, f, works)
    return data[end - 2 * n : end - n], data[end - n : end], data[end - 2 * n - f : end - 2 * n], data[b : b + works]


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """d/dt of (q, π̇, work of each agent)."""
    head = carray(data_, HEADER)
    n, m, f, p = int(head[SIZE]), int(head[ROWS]), int(head[FREEDOMS]), int(head[PARAMETERS])
    works = int(head[WORKS])
    y, dy = carray(y_, n + f + works), carray(dy_, n + f + works)
    data = carray(data_, HEADER + p + sizes(n, m, f, works))
    status = motion(t, y, data)
    v, _, push, power = results(data)
    for i in range(n):
        dy[i] = v[i]
    for i in range(f):
        dy[n + i] = push[i]
    for i in range(works):
        dy[n + f + i] = power[i]
    return status
