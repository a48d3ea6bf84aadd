"""How far a point is from an element of a boundary, in which direction, and how fast the surface moves there.

Elements of one side (plane, ball, tube, rod, surface) have a signed distance, negative in the solid. Elements of two
sides (segment, arc, facet, ring) are thin, with a distance from zero up; their edges are round, as seen by a grain.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Record, inlined, small_kernel
from granum.base.pointers import call_rates_within
from granum.grains.geometry.elements import (
    ARC,
    AT_EDGE,
    BALL,
    BEYOND,
    DISTANCE,
    EDGE,
    FACET,
    FORMULA,
    INSIDE,
    NX,
    NY,
    NZ,
    PLANE,
    PX,
    PY,
    PZ,
    RING,
    ROD,
    SEGMENT,
    TUBE,
    UX,
    UY,
    UZ,
)
from granum.state.table import X, Y, Z

_TINY = 1e-150
"""Lengths below have no direction: their squares leave the range of numbers."""
_RIM = 1e-9
"""Distance from an end of an element, in its own size, that counts as the end: beyond rounding, where two elements meet
in a point, both have their edge there."""


@small_kernel
def touch(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    """Distance of a point from an element; out[NX:UX] is the normal to the point, out[UX:PX] the surface's velocity,
    and out[EDGE] says whether the nearest point is on an edge (planes, which have none, do not write it).

    The distance is infinite where the formula of a surface has no value, and where none of its points is found.
    """
    return touch_in_place(element, x, y, z, out)


@inlined
def touch_in_place(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    """`touch` with planes in place: most elements are planes, and a call costs as much as a contact."""
    if element.kind != PLANE:
        return _touch_round(element, x, y, z, out)
    n_x, n_y, n_z = element.direction[0, X], element.direction[0, Y], element.direction[0, Z]
    out[NX], out[NY], out[NZ] = n_x, n_y, n_z
    d = (x - element.point[0, X]) * n_x + (y - element.point[0, Y]) * n_y + (z - element.point[0, Z]) * n_z
    _velocity(element, x, y, z, d, out)
    return d


@inlined
def _velocity(element: Record, x: float, y: float, z: float, d: float, out: Floats) -> None:
    """out[UX:PX] = A + Ω × p at the nearest point p = x - d n."""
    p_x, p_y, p_z = x - d * out[NX], y - d * out[NY], z - d * out[NZ]
    out[UX] = element.velocity[X] + element.angular_velocity[Y] * p_z - element.angular_velocity[Z] * p_y
    out[UY] = element.velocity[Y] + element.angular_velocity[Z] * p_x - element.angular_velocity[X] * p_z
    out[UZ] = element.velocity[Z] + element.angular_velocity[X] * p_y - element.angular_velocity[Y] * p_x


@small_kernel
def _touch_round(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    """`touch` for all that is no plane; apart, because planes are touched most."""
    k = element.kind
    out[EDGE] = INSIDE
    if k == BALL:
        d = _ball(element, x, y, z, out)
    elif k == SEGMENT:
        d = _segment(element, x, y, z, out)
    elif k == RING:
        d = _ring(element, x, y, z, out)
    elif k == TUBE:
        d = _tube(element, x, y, z, out)
    elif k == FACET:
        d = _facet(element, x, y, z, out)
    elif k == ARC:
        d = _arc(element, x, y, z, out)
    elif k == ROD:
        d = _rod(element, x, y, z, out)
    else:
        d = _surface(element, x, y, z, out)
    _velocity(element, x, y, z, d if d < math.inf else 0.0, out)
    return d


@small_kernel
def _ball(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y, w_z, R = x - element.point[0, X], y - element.point[0, Y], z - element.point[0, Z], element.length[0]
    rho = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    side = 1.0 if R > 0.0 else -1.0
    if rho > _TINY:
        scale = side / rho
        out[NX], out[NY], out[NZ] = w_x * scale, w_y * scale, w_z * scale
    else:  # at the centre all directions are as good
        out[NX], out[NY], out[NZ] = side, 0.0, 0.0
    return side * rho - R


@small_kernel
def _from_point(
    w_x: float, w_y: float, w_z: float, n_x: float, n_y: float, n_z: float, out: Floats
) -> float:
    """Length of w, and its direction; that of n where w is zero."""
    d = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    if d > _TINY:
        inverse = 1.0 / d
        out[NX], out[NY], out[NZ] = w_x * inverse, w_y * inverse, w_z * inverse
    else:
        out[NX], out[NY], out[NZ] = n_x, n_y, n_z
    return d


@inlined
def _along(s: float, length: float) -> float:
    """Where a point is that is nearest to s on a line from 0 to a length: what `touch` says in out[EDGE]."""
    if s < 0.0 or s > length:
        return BEYOND
    return INSIDE if _RIM * length < s < (1.0 - _RIM) * length else AT_EDGE


@small_kernel
def _segment(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y = x - element.point[0, X], y - element.point[0, Y]
    n_x, n_y = element.direction[1, X], element.direction[1, Y]
    s, length = w_x * element.direction[0, X] + w_y * element.direction[0, Y], element.length[0]
    out[EDGE] = _along(s, length)
    if s < 0.0:
        return _from_point(w_x, w_y, 0.0, n_x, n_y, 0.0, out)
    if s > length:
        return _from_point(x - element.point[1, X], y - element.point[1, Y], 0.0, n_x, n_y, 0.0, out)
    h = w_x * n_x + w_y * n_y
    side = 1.0 if h >= 0.0 else -1.0
    out[NX], out[NY], out[NZ] = side * n_x, side * n_y, 0.0
    return side * h


@small_kernel
def _arc(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y, R = x - element.point[0, X], y - element.point[0, Y], element.length[0]
    m_x, m_y = element.direction[0, X], element.direction[0, Y]
    rho = math.sqrt(w_x * w_x + w_y * w_y)
    out[EDGE] = BEYOND
    if w_x * m_x + w_y * m_y >= element.length[1] * rho:
        out[EDGE] = INSIDE if w_x * m_x + w_y * m_y > (element.length[1] + _RIM) * rho else AT_EDGE
        side = 1.0 if rho >= R else -1.0
        if rho > _TINY:
            out[NX], out[NY], out[NZ] = side * w_x / rho, side * w_y / rho, 0.0
        else:  # the centre is as far from all points, the middle is one of them
            out[NX], out[NY], out[NZ] = -m_x, -m_y, 0.0
        return side * (rho - R)
    a_x, a_y = x - element.point[1, X], y - element.point[1, Y]
    b_x, b_y = x - element.point[2, X], y - element.point[2, Y]
    if a_x * a_x + a_y * a_y <= b_x * b_x + b_y * b_y:
        return _from_point(a_x, a_y, 0.0, m_x, m_y, 0.0, out)
    return _from_point(b_x, b_y, 0.0, m_x, m_y, 0.0, out)


@small_kernel
def _facet(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    n_x, n_y, n_z = element.direction[0, X], element.direction[0, Y], element.direction[0, Z]
    count = int(element.length[0])
    nearest, v_x, v_y, v_z = math.inf, 0.0, 0.0, 0.0
    for k in range(count):
        a_x, a_y, a_z = element.point[k, X], element.point[k, Y], element.point[k, Z]
        after = (k + 1) % count
        w_x, w_y, w_z = x - a_x, y - a_y, z - a_z
        l_x, l_y, l_z = element.point[after, X] - a_x, element.point[after, Y] - a_y, element.point[after, Z] - a_z
        # left of all edges is above the facet; else one of the edges it is right of is nearest, at one of its points
        left = (n_y * l_z - n_z * l_y) * w_x + (n_z * l_x - n_x * l_z) * w_y + (n_x * l_y - n_y * l_x) * w_z
        squared = l_x * l_x + l_y * l_y + l_z * l_z
        out[EDGE] = out[EDGE] if left > _RIM * squared else max(out[EDGE], AT_EDGE if left >= 0.0 else BEYOND)
        if left < 0.0:
            s = (w_x * l_x + w_y * l_y + w_z * l_z) / squared
            s = min(max(s, 0.0), 1.0)
            w_x, w_y, w_z = w_x - s * l_x, w_y - s * l_y, w_z - s * l_z
            square = w_x * w_x + w_y * w_y + w_z * w_z
            if square < nearest:
                nearest, v_x, v_y, v_z = square, w_x, w_y, w_z
    if nearest < math.inf:
        return _from_point(v_x, v_y, v_z, n_x, n_y, n_z, out)
    h = (x - element.point[0, X]) * n_x + (y - element.point[0, Y]) * n_y + (z - element.point[0, Z]) * n_z
    side = 1.0 if h >= 0.0 else -1.0
    out[NX], out[NY], out[NZ] = side * n_x, side * n_y, side * n_z
    return side * h


@small_kernel
def _about_axis(element: Record, x: float, y: float, z: float, out: Floats) -> tuple[float, float]:
    """Distance ρ from the axis and height h along it; out[NX:UX] is the direction away from the axis."""
    w_x, w_y, w_z = x - element.point[0, X], y - element.point[0, Y], z - element.point[0, Z]
    u_x, u_y, u_z = element.direction[0, X], element.direction[0, Y], element.direction[0, Z]
    h = w_x * u_x + w_y * u_y + w_z * u_z
    across = element.direction
    rho = _from_point(w_x - h * u_x, w_y - h * u_y, w_z - h * u_z, across[1, X], across[1, Y], across[1, Z], out)
    return rho, h


@small_kernel
def _tube(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    rho, _ = _about_axis(element, x, y, z, out)
    R = element.length[0]
    if R > 0.0:
        return rho - R
    out[NX], out[NY], out[NZ] = -out[NX], -out[NY], -out[NZ]
    return -R - rho


@small_kernel
def _across(element: Record, n_rho: float, n_h: float, out: Floats) -> None:
    """The normal n_ρ e_ρ + n_h u from e_ρ in its place."""
    out[NX] = n_rho * out[NX] + n_h * element.direction[0, X]
    out[NY] = n_rho * out[NY] + n_h * element.direction[0, Y]
    out[NZ] = n_rho * out[NZ] + n_h * element.direction[0, Z]


@small_kernel
def _ring(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    rho, h = _about_axis(element, x, y, z, out)
    q_rho, q_h = rho - element.length[0], h - element.length[1]
    t_rho, t_h, length = element.length[2], element.length[3], element.length[4]
    s = q_rho * t_rho + q_h * t_h
    out[EDGE] = _along(s, length)
    if 0.0 <= s <= length:
        d = q_h * t_rho - q_rho * t_h
        side = 1.0 if d >= 0.0 else -1.0
        _across(element, -side * t_h, side * t_rho, out)
        return side * d
    if s > length:
        q_rho, q_h = q_rho - length * t_rho, q_h - length * t_h
    d = math.sqrt(q_rho * q_rho + q_h * q_h)
    if d > _TINY:
        _across(element, q_rho / d, q_h / d, out)
    else:
        _across(element, -t_h, t_rho, out)
    return d


@small_kernel
def _rod(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    rho, h = _about_axis(element, x, y, z, out)
    end = 1.0 if h >= 0.0 else -1.0
    q_rho, q_h = rho - element.length[0], end * h - element.length[1]
    out[EDGE] = AT_EDGE if q_rho > -_RIM * element.length[0] and q_h > -_RIM * element.length[1] else INSIDE
    if q_rho > _TINY and q_h > _TINY:
        out[EDGE] = BEYOND
        d = math.sqrt(q_rho * q_rho + q_h * q_h)
        _across(element, q_rho / d, end * q_h / d, out)
        return d
    if q_rho >= q_h:
        return q_rho
    _across(element, 0.0, end, out)
    return q_h


@small_kernel
def _surface(element: Record, x: float, y: float, z: float, out: Floats) -> float:
    """In the axes of the formula, by the address of `implicit.nearest`: only scenes with such a surface compile it."""
    axis = element.direction
    w_x, w_y, w_z = x - element.point[0, X], y - element.point[0, Y], z - element.point[0, Z]
    out[PX] = w_x * axis[0, X] + w_y * axis[0, Y] + w_z * axis[0, Z]
    out[PY] = w_x * axis[1, X] + w_y * axis[1, Y] + w_z * axis[1, Z]
    out[PZ] = w_x * axis[2, X] + w_y * axis[2, Y] + w_z * axis[2, Z]
    out[FORMULA] = element.formula
    call_rates_within(element.nearest, 0.0, out, NX, NX, NX)
    n_x, n_y, n_z = out[NX], out[NY], out[NZ]
    out[NX] = n_x * axis[0, X] + n_y * axis[1, X] + n_z * axis[2, X]
    out[NY] = n_x * axis[0, Y] + n_y * axis[1, Y] + n_z * axis[2, Y]
    out[NZ] = n_x * axis[0, Z] + n_y * axis[1, Z] + n_z * axis[2, Z]
    return out[DISTANCE]
