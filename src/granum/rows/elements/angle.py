"""The relative angle of two bodies about an axis that the first carries, φ = offset + motion."""

from __future__ import annotations

import math

from granum.algebra import Expression
from granum.algebra import vectors as formulas
from granum.algebra.expression import function
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, at, cross, dot, minus, rotated
from granum.rows.elements.blocks import couple
from granum.rows.symbolic import NOTHING, Pair, RowFormula
from granum.rows.tables import P, S, U
from granum.state.table import ANGLE_Z, ROTATION, WX, BodyTable


@small_kernel
def angle_between(derived: Floats, numbers: Floats, r: int, i: int, k: int) -> float:
    """Angle about an axis of body i from a direction of body i to one of body k, in 3-D, from -π to π."""
    e, p = rotated(derived, i, ROTATION, at(numbers, r, U)), rotated(derived, i, ROTATION, at(numbers, r, P))
    s = rotated(derived, k, ROTATION, at(numbers, r, S))
    return math.atan2(dot(e, cross(p, s)), dot(p, s))


@small_kernel
def evaluate(bodies: BodyTable, rows: Floats, planar: int, r: int, i: int, k: int) -> Vector:
    """Value, rate and b; the row blocks are written."""
    derived, w1 = bodies.derived, at(bodies.motion, i, WX)
    e, relative = rotated(derived, i, ROTATION, at(rows, r, U)), minus(at(bodies.motion, k, WX), w1)
    couple(rows, planar, r, e)
    if planar:
        value = rows[r, U + 2] * (derived[k, ANGLE_Z] - derived[i, ANGLE_Z])
    else:
        value = angle_between(derived, rows, r, i, k)
    return value, dot(relative, e), -dot(relative, cross(w1, e))


def formula(pair: Pair) -> RowFormula:
    """The same as expressions; in 3-D sin(φ - offset - motion), which is regular through full turns."""
    row, axis = pair.row, pair.one.carried(pair.row.u)
    if pair.planar:
        apart = row.u[2] * (pair.two.angle - pair.one.angle)  # about z or -z
        return RowFormula(apart - row.offset - pair.motion, NOTHING, axis)
    sine, cosine = direction(pair)
    target: Expression = pair.motion + row.offset
    return RowFormula(sine * function("cos", target) - cosine * function("sin", target), NOTHING, axis)


def direction(pair: Pair) -> tuple[Expression, Expression]:
    """Sine and cosine of the angle in 3-D."""
    axis, start = pair.one.carried(pair.row.u), pair.one.carried(pair.row.p)
    now = pair.two.carried(pair.row.w)
    return formulas.dot(formulas.cross(axis, start), now), formulas.dot(start, now)
