"""An ellipsoid on a plane: it touches at its lowest point, n·(d + p) = 0, and does not slip there, t·(ḋ + ω₂×p) = 0.

d goes from a point of the plane to the centre of the ellipsoid, p from there to its lowest point. With the semi-axes on
the diagonal of D, B = R₂D²R₂ᵀ and m = -n,

    p = B m/s,      s = √(m·B m),      ṗ = (Ḃ m - p (m·Ḃ m)/2s)/s,      Ḃ m = ω₂×B m - B (ω₂×m).

ṗ is across n but for the rotation, so that the distance changes as the material point at p moves. A thin disk is an
ellipsoid with one semi-axis of zero, a sphere one with three that are equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from granum.algebra import vectors as formulas
from granum.algebra.expression import function
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, across, at, cross, dot, minus, plus, rotated, times
from granum.rows.elements.blocks import opposed_forces
from granum.rows.symbolic import Pair, RowFormula
from granum.rows.tables import APART, CENTRE, RATE, REACH, TANGENT, S, U
from granum.state.table import ROTATION, WX, BodyTable


@small_kernel
def _stretched(derived: Floats, k: int, axes: Vector, m: Vector) -> Vector:
    """B m = R D² Rᵀ m."""
    own = (derived[k, ROTATION] * m[0] + derived[k, ROTATION + 3] * m[1] + derived[k, ROTATION + 6] * m[2],
           derived[k, ROTATION + 1] * m[0] + derived[k, ROTATION + 4] * m[1] + derived[k, ROTATION + 7] * m[2],
           derived[k, ROTATION + 2] * m[0] + derived[k, ROTATION + 5] * m[1] + derived[k, ROTATION + 8] * m[2])
    return rotated(derived, k, ROTATION, (axes[0] ** 2 * own[0], axes[1] ** 2 * own[1], axes[2] ** 2 * own[2]))


@small_kernel
def evaluate(bodies: BodyTable, joints: Floats, rows: Floats, planar: int, r: int, j: int, k: int,
             slips: bool) -> Vector:
    """Value, rate and b of the distance, or of the slip along a tangent; the row blocks are written."""
    n, axes, w = at(rows, r, U), at(rows, r, S), at(bodies.motion, k, WX)
    m = times(-1.0, n)
    stretched = _stretched(bodies.derived, k, axes, m)
    s = math.sqrt(dot(m, stretched))
    p = times(1.0 / s, stretched)
    turning = minus(cross(w, stretched), _stretched(bodies.derived, k, axes, cross(w, m)))
    p_rate = times(1.0 / s, minus(turning, times(0.5 * dot(m, turning) / s, p)))
    e = across(n, int(rows[r, TANGENT])) if slips else n
    opposed_forces(rows, planar, r, e, at(joints, j, REACH), plus(at(joints, j, REACH + 3), p))
    value = 0.0 if slips else dot(n, plus(at(joints, j, APART), p))
    return (value, dot(e, plus(at(joints, j, RATE), cross(w, p))),
            -dot(e, plus(at(joints, j, CENTRE), cross(w, p_rate))))


def lowest(pair: Pair) -> formulas.Vector:
    """p as an expression."""
    assert pair.two.rotation is not None
    return support(pair.two.rotation, pair.row.w, formulas.vector([-float(c) for c in pair.row.u]))


def support(rotation: formulas.Matrix, semi_axes: Sequence[float] | Floats, m: formulas.Vector) -> formulas.Vector:
    """The point of an ellipsoid that lies farthest along m, from its centre, in inertial axes."""
    own = [formulas.dot([row[i] for row in rotation], m) for i in range(3)]
    stretched = [float(a) ** 2 * c for a, c in zip(semi_axes, own, strict=True)]
    size = function("sqrt", formulas.dot(own, stretched))
    return formulas.turned(rotation, formulas.vector([c / size for c in stretched]))


def distance_formula(pair: Pair) -> RowFormula:
    """The distance of the lowest point from the plane as an expression."""
    n, p = formulas.vector(tuple(pair.row.u)), lowest(pair)
    return RowFormula(formulas.dot(n, formulas.plus(pair.apart, p)), n, formulas.cross(p, n))


def slip_formula(pair: Pair) -> RowFormula:
    """The slip of the lowest point along a tangent as an expression."""
    normal = tuple(float(c) for c in pair.row.u)
    t, p = formulas.vector(across((normal[0], normal[1], normal[2]), int(pair.row.p[2]))), lowest(pair)
    slip = formulas.plus(pair.rate, formulas.cross(pair.two.angular_velocity, p))
    return RowFormula(formulas.dot(t, slip), t, formulas.cross(p, t))
