"""The distance of two points, (d·d - l²)/2l = 0 (Sun 1996, eq. 2.1): its multiplier is a force; no root is taken."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, dot, times
from granum.rows.elements.blocks import opposed_forces
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.rows.tables import APART, CENTRE, OFFSET, RATE, REACH


@small_kernel
def evaluate(joints: Floats, rows: Floats, planar: int, r: int, j: int) -> Vector:
    """Value beyond l, rate and b; the row blocks are written."""
    d, rate, size = at(joints, j, APART), at(joints, j, RATE), rows[r, OFFSET]
    n = times(1.0 / size, d)
    opposed_forces(rows, planar, r, n, at(joints, j, REACH), at(joints, j, REACH + 3))
    return (0.5 * (dot(n, d) - size) + size, dot(n, rate),
            -dot(n, at(joints, j, CENTRE)) - dot(rate, rate) / size)


def formula(pair: Pair) -> RowFormula:
    """The same as expressions."""
    d, size = pair.apart, pair.row.offset
    value = (formulas.dot(d, d) - size * size) / (2.0 * size) - pair.motion
    return RowFormula(value, formulas.times(1.0 / size, d), NOTHING)
