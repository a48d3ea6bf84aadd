"""∂ẏ/∂y of equations with a multiplier for every row, by exact derivatives of their formulas: for implicit methods.

The first variation of M q̈ = Q + Aᵀλ, A q̈ = b at a state y = (q, q̇) with its q̈ and λ is

    M δq̈ - Aᵀ δλ = ∂(Q + Aᵀλ - M q̈)/∂y δy,      A δq̈ = ∂(b - A q̈)/∂y δy

with q̈ and λ held on the right: the same system as that of the accelerations, with one right-hand side for each
coordinate and rate. Powers of agents, P + Σ λ c, change with y and with λ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, jacobian
from granum.algebra.compiled import Compiled
from granum.algebra.expression import symbol
from granum.algebra.vectors import total
from granum.analytic.constrained import solve
from granum.analytic.expressed import System
from granum.analytic.row_equations import EVALUATE, SLOPES, RowEquations, read_constrained, symbols
from granum.base.kernels import Floats, Ints
from granum.base.pointers import (
    FloatGrid,
    block_reader,
    call_rates,
    carray,
    floats_pointer,
    pack_block,
    right_hand_side,
)
from granum.rows.symbolic import multiplier


class Slopes(NamedTuple):
    """What the Jacobian is made of; of n coordinates, m rows and w agents that work."""

    program: Ints
    """Address of the formulas that fill the table."""
    table: FloatGrid
    """(n + m + w, 2 n): derivatives of Q + Aᵀλ - M q̈, of b - A q̈ and of the powers."""
    force: Floats
    row: Floats
    change: Floats
    """δq̈ of one coordinate or rate."""
    multipliers: Floats


_read_slopes = block_reader(Slopes)


@right_hand_side
def slopes(t, y_, jacobian_, data_):  # type: ignore[no-untyped-def]
    """∂/∂y of the rates of (q, q̇, work of each agent), row by row."""
    model = read_constrained(data_)
    f, w = model.formulas, model.work
    n, m, works = len(f.qdd), len(f.b), len(f.power)
    s = _read_slopes(floats_pointer(model.head[SLOPES]))
    y, J = carray(y_, 2 * n), carray(jacobian_, (2 * n + works, 2 * n + works))
    status = call_rates(model.head[EVALUATE], t, y, y, carray(data_, 1))
    if status != 0:
        return status
    call_rates(s.program[0], t, y, s.table, f.parameters)
    for i in range(2 * n + works):
        for j in range(2 * n + works):
            J[i, j] = 1.0 if i < n and j == n + i else 0.0
    for j in range(2 * n):
        for i in range(n):
            s.force[i] = s.table[i, j]
        for k in range(m):
            s.row[k] = s.table[n + k, j]
        solve(f.M, s.force, f.A, f.A, s.row, s.change, s.multipliers, w.S, w.Y, w.Z, w.G, w.right, w.kept, w.size,
              w.order, True)
        for i in range(n):
            J[n + i, j] = s.change[i]
        for k in range(works):
            J[2 * n + k, j] = s.table[n + m + k, j]
        for k in range(m):
            if f.agent[k] >= 0.0:
                J[2 * n + int(f.agent[k]), j] += s.multipliers[k] * f.c[k]
    return 0


def slope_formulas(system: System, mass: list[list[Expression]], force: list[Expression]) -> list[Expression]:
    """What fills `Slopes.table`, with q̈ and λ as symbols of the block."""
    rows, n = system.rows, len(system.q)
    qdd = [symbol(f"qdd {k}") for k in range(n)]
    own = [multiplier(row.constraint, row.number) for row in rows]
    left = [force[i] + total(row.A[i] * each for row, each in zip(rows, own, strict=True) if not row.A[i].is_zero)
            - total(mass[i][j] * qdd[j] for j in range(n) if not mass[i][j].is_zero) for i in range(n)]
    right = [row.b - total(row.A[j] * qdd[j] for j in range(n) if not row.A[j].is_zero) for row in rows]
    powers = [agent.power - total(each * row.drift for row, each, by in zip(rows, own, system.row_agents, strict=True)
                                  if by == k) for k, agent in enumerate(system.working)]
    y = (*system.q, *system.v)
    return [entry for line in jacobian([*left, *right, *powers], y) for entry in line]


class RowSlopes:
    """The compiled Jacobian of equations without friction; it must live as long as its address is used."""

    def __init__(self, equations: RowEquations) -> None:
        system, data = equations.system, equations.data
        n, m, works = len(system.q), len(system.rows), len(system.working)
        self._program = Compiled([s.name for s in (*system.q, *system.v)], symbols(system, data.formulas),
                                 slope_formulas(system, equations.mass_formulas, equations.force_formulas))
        self._slopes = Slopes(np.array([self._program.address]), np.zeros((n + m + works, 2 * n)), np.zeros(n),
                              np.zeros(m), np.zeros(n), np.zeros(m))
        self._block = pack_block(self._slopes)
        data.head[SLOPES] = self._block.ctypes.data
        self.address = int(slopes.address)
