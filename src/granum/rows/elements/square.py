"""Two directions stay square, R₁u·R₂w = 0; regular at every angle, unlike angles themselves."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, cross, dot, minus, plus, rotated
from granum.rows.elements.blocks import couple
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.rows.tables import S, U
from granum.state.table import ROTATION, WX, BodyTable


@small_kernel
def evaluate(bodies: BodyTable, rows: Floats, planar: int, r: int, i: int, k: int) -> Vector:
    """Value, rate and b; the row blocks are written."""
    w1, w2, derived = at(bodies.motion, i, WX), at(bodies.motion, k, WX), bodies.derived
    u, w = rotated(derived, i, ROTATION, at(rows, r, U)), rotated(derived, k, ROTATION, at(rows, r, S))
    c, relative = cross(w, u), minus(w2, w1)
    couple(rows, planar, r, c)
    return dot(u, w), dot(relative, c), -dot(relative, plus(cross(cross(w2, w), u), cross(w, cross(w1, u))))


def formula(pair: Pair) -> RowFormula:
    """The same as expressions."""
    u, w = pair.one.carried(pair.row.u), pair.two.carried(pair.row.w)
    return RowFormula(formulas.dot(u, w) - pair.row.offset - pair.motion, NOTHING, formulas.cross(w, u))
