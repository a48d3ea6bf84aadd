"""Rows of joints: value, rate, row blocks of both bodies, and the right-hand side of J a = b.

A row φ(q, t) = 0 has φ̇ = J v + φ_t and φ̈ = J a - b; b is minus all of φ̈ that is not in the accelerations. With d from
the first point to the second, r its arms, ω angular velocities, and c = ω₂×(ω₂×r₂) - ω₁×(ω₁×r₁):

    along e, at rest        e·d                  J₂ = (e, r₂×e), J₁ = -(e, r₁×e)             -b = e·c
    along e, carried by 1   e·d                  J₁ = -(e, (r₁ + d)×e)                        -b = e·c + 2 ė·ḋ + ë·d
    square                  u₁·w₂                J₂ = (0, w×u) = -J₁                          -b = (ω₂ - ω₁)·(w×u)˙
    angle about e           φ                    J₂ = (0, e) = -J₁                            -b = (ω₂ - ω₁)·ė
    distance                |d|, n = d/|d|       J₂ = (n, r₂×n), J₁ = -(n, r₁×n)            -b = n·c + |ḋ - n n·ḋ|²/|d|
    rolling (002 eq 3.64)   t·(ḋ + ρ×n) = 0      J₂ = (t, (r₂ + ρ₂ n)×t), J₁ likewise         -b = t·(c + ρ×ṅ)

with ρ = ρ₂ω₂ - ρ₁ω₁, the contact lying at ρ₁ n from the first centre and at ρ₂ n from the second.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.mechanisms.tables import (
    ANGLE,
    ANGLE_Z,
    APART,
    ARM,
    CARRIED,
    CENTRE,
    DISTANCE,
    DRIVE,
    FIXED,
    JOINT,
    KIND,
    OFFSET,
    PLANAR,
    RATE,
    REACH,
    ROLL_FLAT,
    SPIN,
    SPIN_FLAT,
    SQUARE,
    J,
    P,
    R,
    S,
    Tables,
    U,
    V,
    W,
    X,
)
from granum.mechanisms.vectors import Vector, across, at, cross, dot, length, minus, plus, put, times, turned


@small_kernel
def geometry(bodies: Floats, joints: Floats, ends: Ints) -> None:
    """Arms, distance of the points, its rate and c, for each joint."""
    for j in range(len(ends)):
        i, k = ends[j, 0], ends[j, 1]
        w1, w2 = at(bodies, i, W), at(bodies, k, W)
        r1, r2 = turned(bodies, i, R, at(joints, j, ARM)), turned(bodies, k, R, at(joints, j, ARM + 3))
        s1, s2 = cross(w1, r1), cross(w2, r2)
        put(joints, j, REACH, r1)
        put(joints, j, REACH + 3, r2)
        put(joints, j, APART, minus(plus(at(bodies, k, X), r2), plus(at(bodies, i, X), r1)))
        put(joints, j, RATE, minus(plus(at(bodies, k, V), s2), plus(at(bodies, i, V), s1)))
        put(joints, j, CENTRE, minus(cross(w2, s2), cross(w1, s1)))


@small_kernel
def _block(rows: Floats, planar: int, r: int, side: int, force: Vector, torque: Vector) -> None:
    """One row block: what a unit multiplier does to a body."""
    if planar:
        o = J + 3 * side
        rows[r, o], rows[r, o + 1], rows[r, o + 2] = force[0], force[1], torque[2]
    else:
        put(rows, r, J + 6 * side, force)
        put(rows, r, J + 6 * side + 3, torque)


@small_kernel
def _opposed(rows: Floats, planar: int, r: int, e: Vector, arm1: Vector, arm2: Vector) -> None:
    """A unit force along e on the second body, its opposite on the first."""
    _block(rows, planar, r, 0, times(-1.0, e), cross(e, arm1))
    _block(rows, planar, r, 1, e, cross(arm2, e))


@small_kernel
def _couple(rows: Floats, planar: int, r: int, e: Vector) -> None:
    """A unit torque about e on the second body, its opposite on the first."""
    _block(rows, planar, r, 0, (0.0, 0.0, 0.0), times(-1.0, e))
    _block(rows, planar, r, 1, (0.0, 0.0, 0.0), e)


@small_kernel
def evaluate_rows(tables: Tables) -> None:
    """Every row of bodies that are unpacked; drives are known."""
    bodies, joints, ends, rows = tables.bodies, tables.joints, tables.ends, tables.rows
    planar = tables.shape[PLANAR]
    for r in range(len(tables.which)):
        j, kind, drive = tables.which[r, JOINT], tables.which[r, KIND], tables.which[r, DRIVE]
        i, k = ends[j, 0], ends[j, 1]
        if kind == FIXED:
            found = _fixed(joints, rows, planar, r, j)
        elif kind == CARRIED:
            found = _carried(bodies, joints, rows, planar, r, j, i)
        elif kind == SQUARE:
            found = _square(bodies, rows, planar, r, i, k)
        elif kind == ANGLE:
            found = _angle(bodies, rows, planar, r, i, k)
        elif kind == DISTANCE:
            found = _distance(joints, rows, planar, r, j)
        else:
            found = _contact(bodies, joints, rows, planar, r, j, i, k, kind)
        value = found[0] - rows[r, OFFSET]
        if drive >= 0:
            value -= tables.drive[3 * drive]
            if kind == ANGLE and not planar:  # an arc tangent knows no full turns, a drive does
                value -= 2.0 * math.pi * math.floor(value / (2.0 * math.pi) + 0.5)
            tables.rate[r], tables.b[r] = found[1] - tables.drive[3 * drive + 1], found[2] + tables.drive[3 * drive + 2]
        else:
            tables.rate[r], tables.b[r] = found[1], found[2]
        tables.value[r] = value


@small_kernel
def _fixed(joints: Floats, rows: Floats, planar: int, r: int, j: int) -> Vector:
    """Value, rate and b of a row along a direction at rest."""
    e = at(rows, r, U)
    _opposed(rows, planar, r, e, at(joints, j, REACH), at(joints, j, REACH + 3))
    return dot(e, at(joints, j, APART)), dot(e, at(joints, j, RATE)), -dot(e, at(joints, j, CENTRE))


@small_kernel
def _carried(bodies: Floats, joints: Floats, rows: Floats, planar: int, r: int, j: int, i: int) -> Vector:
    w1, e = at(bodies, i, W), turned(bodies, i, R, at(rows, r, U))
    d, rate, moving = at(joints, j, APART), at(joints, j, RATE), cross(w1, e)
    _opposed(rows, planar, r, e, plus(at(joints, j, REACH), d), at(joints, j, REACH + 3))
    return (dot(e, d), dot(e, rate) + dot(moving, d),
            -dot(e, at(joints, j, CENTRE)) - 2.0 * dot(moving, rate) - dot(cross(w1, moving), d))


@small_kernel
def _square(bodies: Floats, rows: Floats, planar: int, r: int, i: int, k: int) -> Vector:
    w1, w2 = at(bodies, i, W), at(bodies, k, W)
    u, w = turned(bodies, i, R, at(rows, r, U)), turned(bodies, k, R, at(rows, r, S))
    c, turning = cross(w, u), minus(w2, w1)
    _couple(rows, planar, r, c)
    return dot(u, w), dot(turning, c), -dot(turning, plus(cross(cross(w2, w), u), cross(w, cross(w1, u))))


@small_kernel
def angle_between(bodies: Floats, numbers: Floats, r: int, i: int, k: int) -> float:
    """Angle about an axis of body i from a direction of body i to one of body k, in space, from -π to π."""
    e, p = turned(bodies, i, R, at(numbers, r, U)), turned(bodies, i, R, at(numbers, r, P))
    s = turned(bodies, k, R, at(numbers, r, S))
    return math.atan2(dot(e, cross(p, s)), dot(p, s))


@small_kernel
def _angle(bodies: Floats, rows: Floats, planar: int, r: int, i: int, k: int) -> Vector:
    w1, e = at(bodies, i, W), turned(bodies, i, R, at(rows, r, U))
    turning = minus(at(bodies, k, W), w1)
    _couple(rows, planar, r, e)
    value = bodies[k, ANGLE_Z] - bodies[i, ANGLE_Z] if planar else angle_between(bodies, rows, r, i, k)
    return value, dot(turning, e), -dot(turning, cross(w1, e))


@small_kernel
def _distance(joints: Floats, rows: Floats, planar: int, r: int, j: int) -> Vector:
    d, rate = at(joints, j, APART), at(joints, j, RATE)
    size = length(d)
    n = times(1.0 / size, d)
    stretching = dot(n, rate)
    _opposed(rows, planar, r, n, at(joints, j, REACH), at(joints, j, REACH + 3))
    return (size, stretching,
            -dot(n, at(joints, j, CENTRE)) - (dot(rate, rate) - stretching * stretching) / size)


@small_kernel
def normal_of(joints: Floats, rows: Floats, r: int, j: int, flat: bool) -> tuple[Vector, Vector]:
    """Unit normal of a contact, from the first body to the second, and its rate."""
    if flat:
        return at(rows, r, U), (0.0, 0.0, 0.0)
    d, rate = at(joints, j, APART), at(joints, j, RATE)
    size = 1.0 / length(d)
    n = times(size, d)
    return n, times(size, minus(rate, times(dot(n, rate), n)))


@small_kernel
def _contact(
    bodies: Floats, joints: Floats, rows: Floats, planar: int, r: int, j: int, i: int, k: int, kind: int,
) -> Vector:
    """Rolling along one tangent, or no turning about the normal; neither has a value of its own."""
    w1, w2 = at(bodies, i, W), at(bodies, k, W)
    n, turning = normal_of(joints, rows, r, j, kind in (ROLL_FLAT, SPIN_FLAT))
    if kind in (SPIN, SPIN_FLAT):
        _couple(rows, planar, r, n)
        return 0.0, dot(minus(w2, w1), n), -dot(minus(w2, w1), turning)
    reach1, reach2 = rows[r, P], rows[r, P + 1]
    t = across(n, int(rows[r, P + 2]))
    rolling = minus(times(reach2, w2), times(reach1, w1))
    _opposed(rows, planar, r, t, plus(at(joints, j, REACH), times(reach1, n)),
             plus(at(joints, j, REACH + 3), times(reach2, n)))
    return (0.0, dot(t, plus(at(joints, j, RATE), cross(rolling, n))),
            -dot(t, plus(at(joints, j, CENTRE), cross(rolling, turning))))
