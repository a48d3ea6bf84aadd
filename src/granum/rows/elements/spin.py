"""No rotation of one body against another about the normal of their contact, n·(ω₂ - ω₁) = 0.

Source: Udwadia and Mogharabin (2022), eq. 39.
"""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, dot, minus
from granum.rows.elements.blocks import couple
from granum.rows.elements.roll import normal_formula, normal_of
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.state.table import WX, BodyTable


@small_kernel
def evaluate(bodies: BodyTable, joints: Floats, rows: Floats, planar: int, r: int, j: int, i: int, k: int,
             flat: bool) -> Vector:
    """No value, rate and b; the row blocks are written."""
    n, n_rate = normal_of(joints, rows, r, j, flat)
    relative = minus(at(bodies.motion, k, WX), at(bodies.motion, i, WX))
    couple(rows, planar, r, n)
    return 0.0, dot(relative, n), -dot(relative, n_rate)


def formula(pair: Pair) -> RowFormula:
    """The same as expressions."""
    n = normal_formula(pair)
    relative = formulas.minus(pair.two.angular_velocity, pair.one.angular_velocity)
    return RowFormula(formulas.dot(n, relative), NOTHING, n)
