"""fundamental: accelerations from M, Q, A, b at once, M singular or not, rows dependent or not (001 eqs 43-51)."""

from __future__ import annotations

import numba
import numpy as np

from granum.algebra.expression import ZERO, Expression
from granum.analytic.constrained import solve
from granum.analytic.expressed import System
from granum.base.kernels import Floats, kernel
from granum.base.pointers import call_rates, right_hand_side

HEADER = 8
"""Numbers in front of a data block: address of the formulas, n, m, parameters, worst mismatch, undetermined."""
ADDRESS, SIZE, ROWS, PARAMETERS, MISMATCH, UNDETERMINED = range(6)


def formulas(system: System, mass: list[list[Expression]], force: list[Expression]) -> list[Expression]:
    """M, Q, A, b, c and the power of outer forces: what a block holds after its parameters."""
    rows = system.rows
    return [
        *(entry for row in mass for entry in row), *force,
        *(entry for row in rows for entry in row.A), *(row.b for row in rows),
        *(-row.drift if row.drift is not ZERO else ZERO for row in rows), system.energy_formulas[2],
    ]


def block(system: System, address: int) -> Floats:
    """The data block of a system: header, parameters, formulas, workspace."""
    n, m, p = len(system.q), len(system.rows), len(system.parameters)
    data = np.zeros(HEADER + p + _formula_count(n, m) + _workspace(n, m))
    data[[ADDRESS, SIZE, ROWS, PARAMETERS]] = address, n, m, p
    data[HEADER : HEADER + p] = system.parameter_values
    return data


def _formula_count(n: int, m: int) -> int:
    return n * n + n + m * n + 2 * m + 1


def _workspace(n: int, m: int) -> int:
    return n + m + n * n + 2 * m * n + m * m + 2 * m


@kernel
def accelerations(t: float, y: Floats, data: Floats) -> int:
    """Evaluate the formulas and solve; q̈ and the multipliers are left in the block. Returns 0, or 10 + k."""
    n, m, p = int(data[SIZE]), int(data[ROWS]), int(data[PARAMETERS])
    o = HEADER + p
    call_rates(int(data[ADDRESS]), t, y, data[o:], data[HEADER:])
    M = data[o : o + n * n].reshape(n, n)
    o += n * n
    Q = data[o : o + n]
    o += n
    A = data[o : o + m * n].reshape(m, n)
    o += m * n
    b = data[o : o + m]
    o += 2 * m + 1
    qdd = data[o : o + n]
    o += n
    multipliers = data[o : o + m]
    o += m
    S = data[o : o + n * n].reshape(n, n)
    o += n * n
    Y = data[o : o + m * n].reshape(m, n)
    o += m * n
    Z = data[o : o + m * n].reshape(m, n)
    o += m * n
    G = data[o : o + m * m].reshape(m, m)
    o += m * m
    found = solve(M, Q, A, A, b, qdd, multipliers, S, Y, Z, G, data[o : o + m], data[o + m : o + 2 * m])
    if found < 0.0:
        data[UNDETERMINED] = -1.0 - found
        return 10
    data[MISMATCH] = max(data[MISMATCH], found)
    return 0


@kernel
def results(data: Floats) -> tuple[Floats, Floats]:
    """q̈ and multipliers of the last evaluation, as views of the block."""
    n, m, p = int(data[SIZE]), int(data[ROWS]), int(data[PARAMETERS])
    o = HEADER + p + n * n + n + m * n + 2 * m + 1
    return data[o : o + n], data[o + n : o + n + m]


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """d/dt of (q, q̇, work of outer forces and moving constraints)."""
    head = numba.carray(data_, HEADER)
    n, m, p = int(head[SIZE]), int(head[ROWS]), int(head[PARAMETERS])
    size = HEADER + p + 2 * n * n + 3 * m * n + m * m + 5 * m + 2 * n + 1
    y, dy, data = numba.carray(y_, 2 * n + 1), numba.carray(dy_, 2 * n + 1), numba.carray(data_, size)
    status = accelerations(t, y, data)
    qdd, multipliers = results(data)
    o = HEADER + p + n * n + n + m * n + m
    power = data[o + m]
    for k in range(m):
        power += multipliers[k] * data[o + k]
    for i in range(n):
        dy[i] = y[n + i]
        dy[n + i] = qdd[i]
    dy[2 * n] = power
    return status
