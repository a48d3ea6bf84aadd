"""No slip of two round bodies, or of one on a plane, along one tangent: t·(ḋ + ρ×n) = 0 (Sun 1996, eq. 3.64).

n = d/l with l the distance of the centres, or the normal of a plane. The slip is zero, so the rate of t does not count.
Kernels take one or two tangents of the moment. Expressions take the tangent in 2-D; in 3-D they take axes at rest,
three rows of which one depends on the distance, because no pair of tangents is smooth all around a ball.
"""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.algebra.expression import ONE, ZERO
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, across, at, cross, dot, minus, plus, times
from granum.rows.elements.blocks import opposed_forces
from granum.rows.symbolic import Pair, RowFormula
from granum.rows.tables import APART, CENTRE, RATE, REACH, REACH_1, REACH_2, TANGENT, U
from granum.state.table import WX, BodyTable


@small_kernel
def normal_of(joints: Floats, rows: Floats, r: int, j: int, flat: bool) -> tuple[Vector, Vector]:
    """Normal of a contact, from the first body to the second, and its rate."""
    if flat:
        return at(rows, r, U), (0.0, 0.0, 0.0)
    size = 1.0 / (rows[r, REACH_1] - rows[r, REACH_2])
    return times(size, at(joints, j, APART)), times(size, at(joints, j, RATE))


@small_kernel
def evaluate(bodies: BodyTable, joints: Floats, rows: Floats, planar: int, r: int, j: int, i: int, k: int,
             flat: bool) -> Vector:
    """No value, rate and b; the row blocks are written."""
    reach1, reach2 = rows[r, REACH_1], rows[r, REACH_2]
    n, n_rate = normal_of(joints, rows, r, j, flat)
    t = across(n, int(rows[r, TANGENT]))
    rolling = minus(times(reach2, at(bodies.motion, k, WX)), times(reach1, at(bodies.motion, i, WX)))
    opposed_forces(rows, planar, r, t, plus(at(joints, j, REACH), times(reach1, n)),
                   plus(at(joints, j, REACH + 3), times(reach2, n)))
    return (0.0, dot(t, plus(at(joints, j, RATE), cross(rolling, n))),
            -dot(t, plus(at(joints, j, CENTRE), cross(rolling, n_rate))))


def normal_formula(pair: Pair) -> formulas.Vector:
    """Normal of a contact of two round bodies."""
    return formulas.times(1.0 / (pair.row.p[0] - pair.row.p[1]), pair.apart)


def formula(pair: Pair, tangent: formulas.Vector | None = None) -> RowFormula:
    """The same as expressions, along a given tangent or the one of the row."""
    n = normal_formula(pair)
    if tangent is not None or pair.planar:
        return _slip(pair, n, tangent or (-n[1], n[0], ZERO))
    axes = [ZERO, ZERO, ZERO]
    axes[int(pair.row.p[2])] = ONE
    return _slip(pair, n, (axes[0], axes[1], axes[2]))


def flat_formula(pair: Pair) -> RowFormula:
    """The same on a plane, or on a line in 2-D, whose normal the row has."""
    n, t = tuple(float(c) for c in pair.row.u), int(pair.row.p[2])
    return _slip(pair, formulas.vector(n), formulas.vector(across((n[0], n[1], n[2]), t)))


def _slip(pair: Pair, n: formulas.Vector, t: formulas.Vector) -> RowFormula:
    """The slip along a tangent."""
    reach1, reach2, _ = pair.row.p
    rolling = formulas.minus(formulas.times(reach2, pair.two.angular_velocity),
                             formulas.times(reach1, pair.one.angular_velocity))
    slip = formulas.plus(pair.rate, formulas.cross(rolling, n))
    return RowFormula(formulas.dot(t, slip), t, formulas.cross(formulas.times(reach2, n), t))
