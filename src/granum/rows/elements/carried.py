"""The distance of two points along a direction that the first body carries, R₁u·d = offset."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, cross, dot, plus, rotated
from granum.rows.elements.blocks import opposed_forces
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.rows.tables import APART, CENTRE, RATE, REACH, U
from granum.state.table import ROTATION, WX, BodyTable


@small_kernel
def evaluate(bodies: BodyTable, joints: Floats, rows: Floats, planar: int, r: int, j: int, i: int) -> Vector:
    """Value, rate and b; the row blocks are written."""
    w1, e = at(bodies.motion, i, WX), rotated(bodies.derived, i, ROTATION, at(rows, r, U))
    d, rate, e_rate = at(joints, j, APART), at(joints, j, RATE), cross(w1, e)
    opposed_forces(rows, planar, r, e, plus(at(joints, j, REACH), d), at(joints, j, REACH + 3))
    return (dot(e, d), dot(e, rate) + dot(e_rate, d),
            -dot(e, at(joints, j, CENTRE)) - 2.0 * dot(e_rate, rate) - dot(cross(w1, e_rate), d))


def formula(pair: Pair) -> RowFormula:
    """The same as expressions."""
    e = pair.one.carried(pair.row.u)
    return RowFormula(formulas.dot(e, pair.apart) - pair.row.offset - pair.motion, e, NOTHING)
