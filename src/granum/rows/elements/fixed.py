"""The distance of two points along a direction at rest, e·d = offset."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, dot
from granum.rows.elements.blocks import opposed_forces
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.rows.tables import APART, CENTRE, RATE, REACH, U


@small_kernel
def evaluate(joints: Floats, rows: Floats, planar: int, r: int, j: int) -> Vector:
    """Value, rate and b; the row blocks are written."""
    e = at(rows, r, U)
    opposed_forces(rows, planar, r, e, at(joints, j, REACH), at(joints, j, REACH + 3))
    return dot(e, at(joints, j, APART)), dot(e, at(joints, j, RATE)), -dot(e, at(joints, j, CENTRE))


def formula(pair: Pair) -> RowFormula:
    """The same as expressions."""
    e = formulas.vector(tuple(pair.row.u))
    return RowFormula(formulas.dot(e, pair.apart) - pair.row.offset - pair.motion, e, NOTHING)
