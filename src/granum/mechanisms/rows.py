"""Rows of joints: value, rate, row blocks of both bodies, and the right-hand side of J a = b.

A row φ(q, t) = 0 has φ̇ = J v + φ_t and φ̈ = J a - b; b is minus all of φ̈ that is not in the accelerations. With d from
the first point to the second, r its arms, ω angular velocities, and c = ω₂×(ω₂×r₂) - ω₁×(ω₁×r₁):

    along e, at rest        e·d                  J₂ = (e, r₂×e), J₁ = -(e, r₁×e)             -b = e·c
    along e, carried by 1   e·d                  J₁ = -(e, (r₁ + d)×e)                        -b = e·c + 2 ė·ḋ + ë·d
    square                  u₁·w₂                J₂ = (0, w×u) = -J₁                          -b = (ω₂ - ω₁)·(w×u)˙
    angle about e           φ                    J₂ = (0, e) = -J₁                            -b = (ω₂ - ω₁)·ė
    distance                |d|, n = d/|d|       J₂ = (n, r₂×n), J₁ = -(n, r₁×n)              -b = n·c + |ḋ - n n·ḋ|²/|d|
    rolling (002 eq 3.64)   t·(ḋ + ρ×n) = 0      J₂ = (t, (r₂ + ρ₂ n)×t), J₁ likewise         -b = t·(c + ρ×ṅ)

with ρ = ρ₂ω₂ - ρ₁ω₁, the contact lying at ρ₁ n from the first centre and at ρ₂ n from the second.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, kernel
from granum.mechanisms.tables import (
    ANGLE,
    CARRIED,
    DISTANCE,
    FIXED,
    OFFSET,
    PLANAR,
    ROLL,
    ROLL_FLAT,
    SPIN,
    SPIN_FLAT,
    SQUARE,
    U,
    V,
    P,
    Model,
    Work,
)
from granum.mechanisms.vectors import Vector, across, at, cross, dot, length, minus, plus, put, times, turned


@kernel
def geometry(model: Model, work: Work) -> None:
    """Arms, distance of the points, its rate and c, for each joint."""
    for j in range(len(model.body)):
        i, k = model.body[j, 0], model.body[j, 1]
        w1, w2 = at(work.w, i, 0), at(work.w, k, 0)
        r1, r2 = turned(work.R, i, at(model.arm, j, 0)), turned(work.R, k, at(model.arm, j, 3))
        s1, s2 = cross(w1, r1), cross(w2, r2)
        put(work.geometry, j, 0, r1)
        put(work.geometry, j, 3, r2)
        put(work.geometry, j, 6, minus(plus(at(work.x, k, 0), r2), plus(at(work.x, i, 0), r1)))
        put(work.geometry, j, 9, minus(plus(at(work.v, k, 0), s2), plus(at(work.v, i, 0), s1)))
        put(work.geometry, j, 12, minus(cross(w2, s2), cross(w1, s1)))


@kernel
def _block(work: Work, planar: int, r: int, side: int, force: Vector, torque: Vector) -> None:
    """One row block: what a unit multiplier does to a body."""
    if planar:
        work.J[r, 3 * side], work.J[r, 3 * side + 1], work.J[r, 3 * side + 2] = force[0], force[1], torque[2]
    else:
        put(work.J, r, 6 * side, force)
        put(work.J, r, 6 * side + 3, torque)


@kernel
def _opposed(work: Work, planar: int, r: int, e: Vector, arm1: Vector, arm2: Vector) -> None:
    """A unit force along e on the second body, its opposite on the first."""
    _block(work, planar, r, 0, times(-1.0, e), cross(e, arm1))
    _block(work, planar, r, 1, e, cross(arm2, e))


@kernel
def _couple(work: Work, planar: int, r: int, e: Vector) -> None:
    """A unit torque about e on the second body, its opposite on the first."""
    _block(work, planar, r, 0, (0.0, 0.0, 0.0), times(-1.0, e))
    _block(work, planar, r, 1, (0.0, 0.0, 0.0), e)


@kernel
def rows(model: Model, work: Work) -> None:
    """Every row at the state that is unpacked; drives are known."""
    planar = model.shape[PLANAR]
    for r in range(len(model.row_joint)):
        kind = model.row_kind[r]
        if kind == FIXED:
            j, e = model.row_joint[r], at(model.numbers, r, U)
            _opposed(work, planar, r, e, at(work.geometry, j, 0), at(work.geometry, j, 3))
            work.value[r] = dot(e, at(work.geometry, j, 6))
            work.rate[r] = dot(e, at(work.geometry, j, 9))
            work.b[r] = -dot(e, at(work.geometry, j, 12))
        elif kind == CARRIED:
            _carried(model, work, r)
        elif kind == SQUARE:
            _square(model, work, r)
        elif kind == ANGLE:
            _angle(model, work, r)
        elif kind == DISTANCE:
            _distance(model, work, r)
        else:
            _contact(model, work, r, kind)
        work.value[r] -= model.numbers[r, OFFSET]
        drive = model.row_drive[r]
        if drive >= 0:
            work.value[r] -= work.drive[3 * drive]
            work.rate[r] -= work.drive[3 * drive + 1]
            work.b[r] += work.drive[3 * drive + 2]
            if kind == ANGLE and not planar:  # an arc tangent knows no full turns, a drive does
                work.value[r] -= 2.0 * math.pi * math.floor(work.value[r] / (2.0 * math.pi) + 0.5)


@kernel
def _carried(model: Model, work: Work, r: int) -> None:
    j = model.row_joint[r]
    i = model.body[j, 0]
    w1 = at(work.w, i, 0)
    e = turned(work.R, i, at(model.numbers, r, U))
    d, rate = at(work.geometry, j, 6), at(work.geometry, j, 9)
    moving = cross(w1, e)
    _opposed(work, model.shape[PLANAR], r, e, plus(at(work.geometry, j, 0), d), at(work.geometry, j, 3))
    work.value[r] = dot(e, d)
    work.rate[r] = dot(e, rate) + dot(moving, d)
    work.b[r] = -dot(e, at(work.geometry, j, 12)) - 2.0 * dot(moving, rate) - dot(cross(w1, moving), d)


@kernel
def _square(model: Model, work: Work, r: int) -> None:
    j = model.row_joint[r]
    i, k = model.body[j, 0], model.body[j, 1]
    w1, w2 = at(work.w, i, 0), at(work.w, k, 0)
    u, w = turned(work.R, i, at(model.numbers, r, U)), turned(work.R, k, at(model.numbers, r, V))
    c, turning = cross(w, u), minus(w2, w1)
    _couple(work, model.shape[PLANAR], r, c)
    work.value[r] = dot(u, w)
    work.rate[r] = dot(turning, c)
    work.b[r] = -dot(turning, plus(cross(cross(w2, w), u), cross(w, cross(w1, u))))


@kernel
def angle_between(work: Work, numbers: Floats, r: int, i: int, k: int) -> float:
    """Angle about an axis of body i from a direction of body i to one of body k, in space, from -π to π."""
    e, p = turned(work.R, i, at(numbers, r, U)), turned(work.R, i, at(numbers, r, P))
    s = turned(work.R, k, at(numbers, r, V))
    return math.atan2(dot(e, cross(p, s)), dot(p, s))


@kernel
def _angle(model: Model, work: Work, r: int) -> None:
    j = model.row_joint[r]
    i, k = model.body[j, 0], model.body[j, 1]
    w1 = at(work.w, i, 0)
    e, turning = turned(work.R, i, at(model.numbers, r, U)), minus(at(work.w, k, 0), w1)
    _couple(work, model.shape[PLANAR], r, e)
    if model.shape[PLANAR]:
        work.value[r] = work.angle[k] - work.angle[i]
    else:
        work.value[r] = angle_between(work, model.numbers, r, i, k)
    work.rate[r] = dot(turning, e)
    work.b[r] = -dot(turning, cross(w1, e))


@kernel
def _distance(model: Model, work: Work, r: int) -> None:
    j = model.row_joint[r]
    d, rate = at(work.geometry, j, 6), at(work.geometry, j, 9)
    size = length(d)
    n = times(1.0 / size, d)
    stretching = dot(n, rate)
    _opposed(work, model.shape[PLANAR], r, n, at(work.geometry, j, 0), at(work.geometry, j, 3))
    work.value[r], work.rate[r] = size, stretching
    work.b[r] = -dot(n, at(work.geometry, j, 12)) - (dot(rate, rate) - stretching * stretching) / size


@kernel
def normal_of(model: Model, work: Work, r: int, j: int, flat: bool) -> tuple[Vector, Vector]:
    """Unit normal of a contact, from the first body to the second, and its rate."""
    if flat:
        return at(model.numbers, r, U), (0.0, 0.0, 0.0)
    d, rate = at(work.geometry, j, 6), at(work.geometry, j, 9)
    size = 1.0 / length(d)
    n = times(size, d)
    return n, times(size, minus(rate, times(dot(n, rate), n)))


@kernel
def _contact(model: Model, work: Work, r: int, kind: int) -> None:
    """Rolling along one tangent, or no turning about the normal; neither has a value of its own."""
    j = model.row_joint[r]
    i, k = model.body[j, 0], model.body[j, 1]
    w1, w2 = at(work.w, i, 0), at(work.w, k, 0)
    n, turning = normal_of(model, work, r, j, kind == ROLL_FLAT or kind == SPIN_FLAT)
    work.value[r] = 0.0
    if kind == SPIN or kind == SPIN_FLAT:
        _couple(work, model.shape[PLANAR], r, n)
        work.rate[r] = dot(minus(w2, w1), n)
        work.b[r] = -dot(minus(w2, w1), turning)
        return
    reach1, reach2 = model.numbers[r, P], model.numbers[r, P + 1]
    t = across(n, int(model.numbers[r, P + 2]))
    rolling = minus(times(reach2, w2), times(reach1, w1))
    _opposed(work, model.shape[PLANAR], r, t, plus(at(work.geometry, j, 0), times(reach1, n)),
             plus(at(work.geometry, j, 3), times(reach2, n)))
    work.rate[r] = dot(t, plus(at(work.geometry, j, 9), cross(rolling, n)))
    work.b[r] = -dot(t, plus(at(work.geometry, j, 12), cross(rolling, turning)))
