"""Elements of boundaries: how far a point is from each, in which direction, and how fast the surface moves there.

A boundary is made of elements; each has a row of `data`:

    columns 0-2   A, columns 3-5 Ω: a point p of the surface moves with A + Ω × p
    columns 6-    points, then directions (of unit length, unless said otherwise), then lengths, by kind

Points and directions move with the boundary, lengths do not: `place` needs to know no more about a kind. Elements of
one side (plane, ball, tube, rod, surface) have a signed distance, negative in the solid. Elements of two sides
(segment, arc, facet, ring) are thin, with a distance from zero up; their edges are round, as seen by a grain.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel, small_kernel
from granum.base.pointers import call_rates_within

PLANE, BALL, SEGMENT, ARC, FACET, TUBE, RING, ROD, SURFACE = range(9)
"""Kinds of elements, and after the columns of motion in their rows of data:

    PLANE    point, normal                                          solid behind the normal
    BALL     centre, R                                              solid inside, or outside for R < 0
    SEGMENT  ends a and b, direction a → b, normal, length
    ARC      centre, ends a and b, direction to the middle, R, cosine of half of its angle
    FACET    four corners, normal, number of corners (3 or 4)
    TUBE     point of the axis, axis, a direction across, R         solid inside, or outside for R < 0; without end
    RING     point of the axis, axis, a direction across, ρ, h of the profile's beginning, its direction, length
    ROD      middle, axis, a direction across, R, half length       solid inside
    SURFACE  origin and axes of the formula's coordinates           solid where Γ < 0

A RING is the surface a straight profile in distance ρ from and height h along the axis makes when it turns about the
axis: an open cylinder, a cone, a disc.
"""
POINTS = (1, 1, 2, 3, 4, 1, 1, 1, 1)
"""Points of each kind."""
DIRECTIONS = (1, 0, 2, 1, 1, 2, 2, 2, 3)
"""Directions of each kind."""
GEOMETRY = 6
"""Column of the first point."""
COLUMNS = 22
"""Columns of `data` and `home`."""
MOTION_COLUMNS = 17
"""Columns of `motion`: velocity 0-2, amplitude 3-5, 2π frequency 6, phase 7, angular velocity 8-10, centre 11-13,
begin 14, end 15, and 16: 0 at rest, 1 moves without turning (or turns into itself), 2 turns."""
REST, SLIDES, TURNS = 0.0, 1.0, 2.0
OUT = 20
"""Length of the array `touch` writes to: normal 0-2, velocity of the surface 3-5, and scratch."""
_MOST_MARCHES, _MOST_STEPS = 60, 30
_TINY = 1e-150
"""Lengths below have no direction: their squares leave the range of numbers."""


@small_kernel
def touch(kind: Ints, data: Floats, address: Ints, e: int, x: float, y: float, z: float, out: Floats) -> float:
    """Distance of a point from element `e`; out[0:3] is the normal to the point, out[3:6] the surface's velocity.

    The distance is infinite where the formula of a surface has no value, and where none of its points is found.
    """
    if kind[e] != PLANE:
        return _touch_round(kind, data, address, e, x, y, z, out)
    n_x, n_y, n_z = data[e, 9], data[e, 10], data[e, 11]
    out[0], out[1], out[2] = n_x, n_y, n_z
    d = (x - data[e, 6]) * n_x + (y - data[e, 7]) * n_y + (z - data[e, 8]) * n_z
    _velocity(data, e, x, y, z, d, out)
    return d


@small_kernel
def _velocity(data: Floats, e: int, x: float, y: float, z: float, d: float, out: Floats) -> None:
    """out[3:6] = A + Ω × p at the nearest point p = x - d n."""
    p_x, p_y, p_z = x - d * out[0], y - d * out[1], z - d * out[2]
    out[3] = data[e, 0] + data[e, 4] * p_z - data[e, 5] * p_y
    out[4] = data[e, 1] + data[e, 5] * p_x - data[e, 3] * p_z
    out[5] = data[e, 2] + data[e, 3] * p_y - data[e, 4] * p_x


@small_kernel
def _touch_round(kind: Ints, data: Floats, address: Ints, e: int, x: float, y: float, z: float, out: Floats) -> float:
    """`touch` for all that is no plane; apart, because planes are touched most."""
    k = kind[e]
    if k == BALL:
        d = _ball(data, e, x, y, z, out)
    elif k == SEGMENT:
        d = _segment(data, e, x, y, z, out)
    elif k == RING:
        d = _ring(data, e, x, y, z, out)
    elif k == TUBE:
        d = _tube(data, e, x, y, z, out)
    elif k == FACET:
        d = _facet(data, e, x, y, z, out)
    elif k == ARC:
        d = _arc(data, e, x, y, z, out)
    elif k == ROD:
        d = _rod(data, e, x, y, z, out)
    else:
        d = _surface(data, address[e], e, x, y, z, out)
    _velocity(data, e, x, y, z, d if d < math.inf else 0.0, out)
    return d


@small_kernel
def _ball(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y, w_z, R = x - data[e, 6], y - data[e, 7], z - data[e, 8], data[e, 9]
    rho = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    side = 1.0 if R > 0.0 else -1.0
    if rho > _TINY:
        scale = side / rho
        out[0], out[1], out[2] = w_x * scale, w_y * scale, w_z * scale
    else:  # at the centre all directions are as good
        out[0], out[1], out[2] = side, 0.0, 0.0
    return side * rho - R


@small_kernel
def _from_point(
    w_x: float, w_y: float, w_z: float, n_x: float, n_y: float, n_z: float, out: Floats
) -> float:
    """Length of w, and its direction; that of n where w is zero."""
    d = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    if d > _TINY:
        inverse = 1.0 / d
        out[0], out[1], out[2] = w_x * inverse, w_y * inverse, w_z * inverse
    else:
        out[0], out[1], out[2] = n_x, n_y, n_z
    return d


@small_kernel
def _segment(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y = x - data[e, 6], y - data[e, 7]
    n_x, n_y = data[e, 15], data[e, 16]
    s = w_x * data[e, 12] + w_y * data[e, 13]
    if s < 0.0:
        return _from_point(w_x, w_y, 0.0, n_x, n_y, 0.0, out)
    if s > data[e, 18]:
        return _from_point(x - data[e, 9], y - data[e, 10], 0.0, n_x, n_y, 0.0, out)
    h = w_x * n_x + w_y * n_y
    side = 1.0 if h >= 0.0 else -1.0
    out[0], out[1], out[2] = side * n_x, side * n_y, 0.0
    return side * h


@small_kernel
def _arc(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y, R = x - data[e, 6], y - data[e, 7], data[e, 18]
    m_x, m_y = data[e, 15], data[e, 16]
    rho = math.sqrt(w_x * w_x + w_y * w_y)
    if w_x * m_x + w_y * m_y >= data[e, 19] * rho:
        side = 1.0 if rho >= R else -1.0
        if rho > _TINY:
            out[0], out[1], out[2] = side * w_x / rho, side * w_y / rho, 0.0
        else:  # the centre is as far from all points, the middle is one of them
            out[0], out[1], out[2] = -m_x, -m_y, 0.0
        return side * (rho - R)
    a_x, a_y, b_x, b_y = x - data[e, 9], y - data[e, 10], x - data[e, 12], y - data[e, 13]
    if a_x * a_x + a_y * a_y <= b_x * b_x + b_y * b_y:
        return _from_point(a_x, a_y, 0.0, m_x, m_y, 0.0, out)
    return _from_point(b_x, b_y, 0.0, m_x, m_y, 0.0, out)


@small_kernel
def _facet(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    n_x, n_y, n_z = data[e, 18], data[e, 19], data[e, 20]
    count = int(data[e, 21])
    nearest, v_x, v_y, v_z = math.inf, 0.0, 0.0, 0.0
    for k in range(count):
        a, b = 6 + 3 * k, 6 + 3 * ((k + 1) % count)
        w_x, w_y, w_z = x - data[e, a], y - data[e, a + 1], z - data[e, a + 2]
        l_x, l_y, l_z = data[e, b] - data[e, a], data[e, b + 1] - data[e, a + 1], data[e, b + 2] - data[e, a + 2]
        # left of all edges is above the facet; else one of the edges it is right of is nearest, at one of its points
        if (n_y * l_z - n_z * l_y) * w_x + (n_z * l_x - n_x * l_z) * w_y + (n_x * l_y - n_y * l_x) * w_z < 0.0:
            s = (w_x * l_x + w_y * l_y + w_z * l_z) / (l_x * l_x + l_y * l_y + l_z * l_z)
            s = min(max(s, 0.0), 1.0)
            w_x, w_y, w_z = w_x - s * l_x, w_y - s * l_y, w_z - s * l_z
            square = w_x * w_x + w_y * w_y + w_z * w_z
            if square < nearest:
                nearest, v_x, v_y, v_z = square, w_x, w_y, w_z
    if nearest < math.inf:
        return _from_point(v_x, v_y, v_z, n_x, n_y, n_z, out)
    h = (x - data[e, 6]) * n_x + (y - data[e, 7]) * n_y + (z - data[e, 8]) * n_z
    side = 1.0 if h >= 0.0 else -1.0
    out[0], out[1], out[2] = side * n_x, side * n_y, side * n_z
    return side * h


@small_kernel
def _about_axis(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> tuple[float, float]:
    """Distance ρ from the axis and height h along it; out[0:3] is the direction away from the axis."""
    w_x, w_y, w_z = x - data[e, 6], y - data[e, 7], z - data[e, 8]
    u_x, u_y, u_z = data[e, 9], data[e, 10], data[e, 11]
    h = w_x * u_x + w_y * u_y + w_z * u_z
    rho = _from_point(w_x - h * u_x, w_y - h * u_y, w_z - h * u_z, data[e, 12], data[e, 13], data[e, 14], out)
    return rho, h


@small_kernel
def _tube(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    rho, _ = _about_axis(data, e, x, y, z, out)
    R = data[e, 15]
    if R > 0.0:
        return rho - R
    out[0], out[1], out[2] = -out[0], -out[1], -out[2]
    return -R - rho


@small_kernel
def _across(data: Floats, e: int, n_rho: float, n_h: float, out: Floats) -> None:
    """The normal n_ρ e_ρ + n_h u from e_ρ in its place."""
    out[0] = n_rho * out[0] + n_h * data[e, 9]
    out[1] = n_rho * out[1] + n_h * data[e, 10]
    out[2] = n_rho * out[2] + n_h * data[e, 11]


@small_kernel
def _ring(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    rho, h = _about_axis(data, e, x, y, z, out)
    q_rho, q_h = rho - data[e, 15], h - data[e, 16]
    t_rho, t_h, length = data[e, 17], data[e, 18], data[e, 19]
    s = q_rho * t_rho + q_h * t_h
    if 0.0 <= s <= length:
        d = q_h * t_rho - q_rho * t_h
        side = 1.0 if d >= 0.0 else -1.0
        _across(data, e, -side * t_h, side * t_rho, out)
        return side * d
    if s > length:
        q_rho, q_h = q_rho - length * t_rho, q_h - length * t_h
    d = math.sqrt(q_rho * q_rho + q_h * q_h)
    if d > _TINY:
        _across(data, e, q_rho / d, q_h / d, out)
    else:
        _across(data, e, -t_h, t_rho, out)
    return d


@small_kernel
def _rod(data: Floats, e: int, x: float, y: float, z: float, out: Floats) -> float:
    rho, h = _about_axis(data, e, x, y, z, out)
    end = 1.0 if h >= 0.0 else -1.0
    q_rho, q_h = rho - data[e, 15], end * h - data[e, 16]
    if q_rho > _TINY and q_h > _TINY:
        d = math.sqrt(q_rho * q_rho + q_h * q_h)
        _across(data, e, q_rho / d, end * q_h / d, out)
        return d
    if q_rho >= q_h:
        return q_rho
    _across(data, e, 0.0, end, out)
    return q_h


# ---- implicit surfaces


@small_kernel
def _evaluate(address: int, x: float, y: float, z: float, out: Floats) -> None:
    """out[9:19] = Γ, its gradient and the upper half of its second derivatives, row by row."""
    out[6], out[7], out[8] = x, y, z
    call_rates_within(address, 0.0, out, 6, 9, 19)


@small_kernel
def _curvature(out: Floats) -> float:
    """Norm of the second derivatives: Γ leaves its linear part by at most half of it times distance squared, here."""
    diagonal = out[13] * out[13] + out[16] * out[16] + out[18] * out[18]
    return math.sqrt(diagonal + 2.0 * (out[14] * out[14] + out[15] * out[15] + out[17] * out[17]))


@small_kernel
def _defined(out: Floats) -> bool:
    return math.isfinite(out[9]) and math.isfinite(out[10] + out[11] + out[12]) and math.isfinite(_curvature(out))


@small_kernel
def _march(address: int, out: Floats) -> bool:
    """Go from out[6:9] towards Γ = 0 until Newton's iteration is sure to take over; False where there is no surface.

    A step along the gradient is so long that Γ would not change its sign, were its second derivatives constant.
    """
    for _ in range(_MOST_MARCHES):
        gamma, g_x, g_y, g_z = out[9], out[10], out[11], out[12]
        slope, bend = math.sqrt(g_x * g_x + g_y * g_y + g_z * g_z), 2.0 * _curvature(out) * abs(gamma)
        if bend <= 0.5 * slope * slope:
            return slope > 0.0 or gamma == 0.0
        step = 2.0 * abs(gamma) / (slope + math.sqrt(slope * slope + bend))
        if gamma > 0.0:
            step = -step
        if slope > 0.0:
            g_x, g_y, g_z = g_x / slope, g_y / slope, g_z / slope
        else:
            g_x, g_y, g_z = 1.0, 0.0, 0.0
        x, y, z = out[6], out[7], out[8]
        _evaluate(address, x + step * g_x, y + step * g_y, z + step * g_z, out)
        while not _defined(out):
            step *= 0.5
            if abs(step) < 1e-12 * (abs(x) + abs(y) + abs(z)) or step == 0.0:
                return False
            _evaluate(address, x + step * g_x, y + step * g_y, z + step * g_z, out)
    return True


@small_kernel
def _step(x: float, y: float, z: float, out: Floats) -> tuple[float, float, float]:
    """Newton's step for p + λ ∇Γ(p) = x, Γ(p) = 0 from p = out[6:9]: along the normal, and in the tangent plane.

    With tangents t_i and B = Tᵀ (1 + λ ∇∇Γ) T the part across the normal is B⁻¹ b; where B is not positive definite
    (p is no nearest point, but a farthest one) the step goes downhill instead.
    """
    gamma, g_x, g_y, g_z = out[9], out[10], out[11], out[12]
    H_xx, H_xy, H_xz, H_yy, H_yz, H_zz = out[13], out[14], out[15], out[16], out[17], out[18]
    square = g_x * g_x + g_y * g_y + g_z * g_z
    slope = math.sqrt(square)
    n_x, n_y, n_z = g_x / slope, g_y / slope, g_z / slope
    # two tangents without a branch that could come near zero (Duff et al., J. Comp. Graph. Techn. 6 (2017) 1)
    sign = 1.0 if n_z >= 0.0 else -1.0
    f = -1.0 / (sign + n_z)
    t_x, t_y, t_z = 1.0 + sign * n_x * n_x * f, sign * n_x * n_y * f, -sign * n_x
    b_x, b_y, b_z = n_x * n_y * f, sign + n_y * n_y * f, -n_y
    w_x, w_y, w_z = x - out[6], y - out[7], z - out[8]
    lam = (w_x * g_x + w_y * g_y + w_z * g_z) / square
    h_x, h_y, h_z = H_xx * t_x + H_xy * t_y + H_xz * t_z, H_xy * t_x + H_yy * t_y + H_yz * t_z, \
        H_xz * t_x + H_yz * t_y + H_zz * t_z
    k_x, k_y, k_z = H_xx * b_x + H_xy * b_y + H_xz * b_z, H_xy * b_x + H_yy * b_y + H_yz * b_z, \
        H_xz * b_x + H_yz * b_y + H_zz * b_z
    B_11 = 1.0 + lam * (t_x * h_x + t_y * h_y + t_z * h_z)
    B_12 = lam * (b_x * h_x + b_y * h_y + b_z * h_z)
    B_22 = 1.0 + lam * (b_x * k_x + b_y * k_y + b_z * k_z)
    along = gamma / square
    r_1 = t_x * w_x + t_y * w_y + t_z * w_z + along * lam * (h_x * g_x + h_y * g_y + h_z * g_z)
    r_2 = b_x * w_x + b_y * w_y + b_z * w_z + along * lam * (k_x * g_x + k_y * g_y + k_z * g_z)
    determinant = B_11 * B_22 - B_12 * B_12
    if B_11 + B_22 > 0.0 and determinant > 1e-6:
        r_1, r_2 = (B_22 * r_1 - B_12 * r_2) / determinant, (B_11 * r_2 - B_12 * r_1) / determinant
    # a foot is no farther from p than twice p from the point
    longest = 2.0 * math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    length = math.sqrt(r_1 * r_1 + r_2 * r_2)
    if length > longest:
        r_1, r_2 = r_1 * longest / length, r_2 * longest / length
    return (r_1 * t_x + r_2 * b_x - along * g_x, r_1 * t_y + r_2 * b_y - along * g_y,
            r_1 * t_z + r_2 * b_z - along * g_z)


@small_kernel
def _foot(address: int, x: float, y: float, z: float, out: Floats) -> bool:
    """Newton's iteration from out[6:9] for the point of Γ = 0 nearest to (x, y, z); False if it does not settle."""
    for _ in range(_MOST_STEPS):
        if out[10] == 0.0 and out[11] == 0.0 and out[12] == 0.0:
            return False
        d_x, d_y, d_z = _step(x, y, z, out)
        p_x, p_y, p_z = out[6], out[7], out[8]
        _evaluate(address, p_x + d_x, p_y + d_y, p_z + d_z, out)
        for _ in range(40):
            if _defined(out):
                break
            d_x, d_y, d_z = 0.5 * d_x, 0.5 * d_y, 0.5 * d_z
            _evaluate(address, p_x + d_x, p_y + d_y, p_z + d_z, out)
        size = math.sqrt(d_x * d_x + d_y * d_y + d_z * d_z)
        w_x, w_y, w_z = x - out[6], y - out[7], z - out[8]
        # convergence is quadratic: what is left after a step of 1e-7 is round-off
        if size <= 1e-7 * math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z) + 1e-14 * (abs(p_x) + abs(p_y) + abs(p_z)):
            return _defined(out)
    return False


@small_kernel
def _surface(data: Floats, address: int, e: int, x: float, y: float, z: float, out: Floats) -> float:
    w_x, w_y, w_z = x - data[e, 6], y - data[e, 7], z - data[e, 8]
    X = w_x * data[e, 9] + w_y * data[e, 10] + w_z * data[e, 11]
    Y = w_x * data[e, 12] + w_y * data[e, 13] + w_z * data[e, 14]
    Z = w_x * data[e, 15] + w_y * data[e, 16] + w_z * data[e, 17]
    out[0], out[1], out[2] = 1.0, 0.0, 0.0
    _evaluate(address, X, Y, Z, out)
    if not _defined(out):
        return math.inf
    side = 1.0 if out[9] >= 0.0 else -1.0
    if not _march(address, out):
        return math.inf
    settled = _foot(address, X, Y, Z, out)
    w_x, w_y, w_z = X - out[6], Y - out[7], Z - out[8]
    slope = math.sqrt(out[10] * out[10] + out[11] * out[11] + out[12] * out[12])
    d, n_x, n_y, n_z = 0.0, 1.0, 0.0, 0.0
    if slope > 0.0:
        n_x, n_y, n_z = out[10] / slope, out[11] / slope, out[12] / slope
        d = w_x * n_x + w_y * n_y + w_z * n_z
    length = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    if not settled and side > 0.0 and abs(out[9]) > 1e-6 * slope * length:
        return math.inf  # downhill from here is no surface, only a valley of Γ: what there is of it is far away
    round_off = 1e-10 * (length + abs(X) + abs(Y) + abs(Z))
    # far away, or where the gradient vanishes: p is a point of the surface, but maybe not the nearest
    if length > 0.0 and (not settled or slope == 0.0 or (side * d < 0.0 and abs(d) > round_off)):
        d, n_x, n_y, n_z = side * length, side * w_x / length, side * w_y / length, side * w_z / length
    out[0] = n_x * data[e, 9] + n_y * data[e, 12] + n_z * data[e, 15]
    out[1] = n_x * data[e, 10] + n_y * data[e, 13] + n_z * data[e, 16]
    out[2] = n_x * data[e, 11] + n_y * data[e, 14] + n_z * data[e, 17]
    return d


# ---- motion


@kernel
def _elapsed(motion: Floats, e: int, t: float) -> float:
    """For how long the uniform part of the motion has been going on."""
    return min(max(t, motion[e, 14]), motion[e, 15]) - motion[e, 14]


@kernel
def _turned(
    k_x: float, k_y: float, k_z: float, c: float, s: float, v_x: float, v_y: float, v_z: float
) -> tuple[float, float, float]:
    """v turned about the unit vector k by the angle of cosine c and sine s (Rodrigues)."""
    along = (1.0 - c) * (k_x * v_x + k_y * v_y + k_z * v_z)
    return (c * v_x + s * (k_y * v_z - k_z * v_y) + along * k_x, c * v_y + s * (k_z * v_x - k_x * v_z) + along * k_y,
            c * v_z + s * (k_x * v_y - k_y * v_x) + along * k_z)


@kernel
def place(home: Floats, motion: Floats, kind: Ints, t: float, data: Floats) -> None:
    """Move all elements to time t: x(t) = C + D(t) + R(t)(x₀ - C), D = V τ + a sin(2π f t + φ), R turns by Ω τ.

    Rows of elements at rest are left alone; `data` begins as a copy of `home`.
    """
    for e in range(len(kind)):
        if motion[e, 16] == REST:
            continue
        tau = _elapsed(motion, e, t)
        going = 1.0 if motion[e, 14] <= t < motion[e, 15] else 0.0
        swing, sway = math.sin(motion[e, 6] * t + motion[e, 7]), math.cos(motion[e, 6] * t + motion[e, 7])
        D_x, D_y, D_z = (motion[e, 0] * tau + motion[e, 3] * swing, motion[e, 1] * tau + motion[e, 4] * swing,
                         motion[e, 2] * tau + motion[e, 5] * swing)
        C_x, C_y, C_z = motion[e, 11], motion[e, 12], motion[e, 13]
        O_x, O_y, O_z = going * motion[e, 8], going * motion[e, 9], going * motion[e, 10]
        sway *= motion[e, 6]
        data[e, 0] = going * motion[e, 0] + sway * motion[e, 3] - (O_y * (C_z + D_z) - O_z * (C_y + D_y))
        data[e, 1] = going * motion[e, 1] + sway * motion[e, 4] - (O_z * (C_x + D_x) - O_x * (C_z + D_z))
        data[e, 2] = going * motion[e, 2] + sway * motion[e, 5] - (O_x * (C_y + D_y) - O_y * (C_x + D_x))
        data[e, 3], data[e, 4], data[e, 5] = O_x, O_y, O_z
        k_x, k_y, k_z, c, s = 1.0, 0.0, 0.0, 1.0, 0.0
        if motion[e, 16] == TURNS:
            O_x, O_y, O_z = motion[e, 8], motion[e, 9], motion[e, 10]
            size = math.sqrt(O_x * O_x + O_y * O_y + O_z * O_z)
            k_x, k_y, k_z, c, s = O_x / size, O_y / size, O_z / size, math.cos(size * tau), math.sin(size * tau)
        column = GEOMETRY
        for _ in range(POINTS[kind[e]]):
            x, y, z = home[e, column], home[e, column + 1], home[e, column + 2]
            if motion[e, 16] == TURNS:
                x, y, z = _turned(k_x, k_y, k_z, c, s, x - C_x, y - C_y, z - C_z)
                x, y, z = x + C_x, y + C_y, z + C_z
            data[e, column], data[e, column + 1], data[e, column + 2] = x + D_x, y + D_y, z + D_z
            column += 3
        if motion[e, 16] == TURNS:
            for _ in range(DIRECTIONS[kind[e]]):
                data[e, column], data[e, column + 1], data[e, column + 2] = _turned(
                    k_x, k_y, k_z, c, s, home[e, column], home[e, column + 1], home[e, column + 2])
                column += 3


@kernel
def moved(motion: Floats, reach: Floats, radius: float, t0: float, t1: float, out: Floats) -> float:
    """Write to `out` how far any point of each element may be at t1 from its place at t0; return the largest.

    An element without end that turns is looked at as far as `radius` from the centre of its turning, where the
    centre is at t1: no distance of a point there from it changes by more.
    """
    largest = 0.0
    for e in range(len(motion)):
        out[e] = 0.0
        if motion[e, 16] == REST:
            continue
        tau = _elapsed(motion, e, t1) - _elapsed(motion, e, t0)
        swing = math.sin(motion[e, 6] * t1 + motion[e, 7]) - math.sin(motion[e, 6] * t0 + motion[e, 7])
        D_x, D_y, D_z = (motion[e, 0] * tau + motion[e, 3] * swing, motion[e, 1] * tau + motion[e, 4] * swing,
                         motion[e, 2] * tau + motion[e, 5] * swing)
        out[e] = math.sqrt(D_x * D_x + D_y * D_y + D_z * D_z)
        if motion[e, 16] == TURNS:
            angle = abs(tau) * math.sqrt(motion[e, 8] ** 2 + motion[e, 9] ** 2 + motion[e, 10] ** 2)
            out[e] += min(angle, 2.0) * (reach[e] if reach[e] < math.inf else radius)
        largest = max(largest, out[e])
    return largest


@kernel
def carry(own: Floats, row: Ints, kind: Ints, pose: Floats, data: Floats) -> None:
    """Move elements that belong to a body to where it is: x = c + R s, d = R e with s, e in body axes.

    row: the body of each element in `pose` (centre 0-2, unit quaternion 4-7), -1 for none.
    """
    for e in range(len(kind)):
        i = row[e]
        if i < 0:
            continue
        a, b, c, d = pose[i, 4], pose[i, 5], pose[i, 6], pose[i, 7]
        points = POINTS[kind[e]]
        for k in range(points + DIRECTIONS[kind[e]]):
            column = GEOMETRY + 3 * k
            x, y, z = own[e, column], own[e, column + 1], own[e, column + 2]
            t_x, t_y, t_z = 2.0 * (c * z - d * y), 2.0 * (d * x - b * z), 2.0 * (b * y - c * x)
            x, y, z = x + a * t_x + c * t_z - d * t_y, y + a * t_y + d * t_x - b * t_z, z + a * t_z + b * t_y - c * t_x
            at = 1.0 if k < points else 0.0
            data[e, column] = x + at * pose[i, 0]
            data[e, column + 1] = y + at * pose[i, 1]
            data[e, column + 2] = z + at * pose[i, 2]


@kernel
def carried(row: Ints, span: Floats, radius: float, built: Floats, pose: Floats) -> float:
    """The largest distance that a point of an element of a body may be from where it was with the poses `built`.

    An element without end is looked at as far as `radius` from the origin.
    """
    largest = 0.0
    for e in range(len(row)):
        i = row[e]
        if i < 0:
            continue
        x, y, z = pose[i, 0] - built[i, 0], pose[i, 1] - built[i, 1], pose[i, 2] - built[i, 2]
        cosine = (pose[i, 4] * built[i, 4] + pose[i, 5] * built[i, 5] + pose[i, 6] * built[i, 6]
                  + pose[i, 7] * built[i, 7])
        # a chord is 2 sin(θ/2) times the arm, and the cosine of θ/2 is that of the quaternions
        chord = 2.0 * math.sqrt(max(0.0, 1.0 - cosine * cosine))
        reach = span[e]
        if not reach < math.inf:
            reach = radius + math.sqrt(pose[i, 0] ** 2 + pose[i, 1] ** 2 + pose[i, 2] ** 2)
        gone = math.sqrt(x * x + y * y + z * z) + chord * reach
        largest = gone if not gone <= largest else largest
    return largest


# ---- extent


@kernel
def bound(kind: Ints, data: Floats, lower: Floats, upper: Floats) -> None:
    """Boxes around the elements where they are now, with what is solid behind them; ±∞ where they have no end."""
    for e in range(len(kind)):
        k = kind[e]
        for i in range(3):
            low, high = -math.inf, math.inf
            if k == PLANE:
                if data[e, 9 + i] == 1.0:
                    high = data[e, 6 + i]
                elif data[e, 9 + i] == -1.0:
                    low = data[e, 6 + i]
            elif k == BALL:
                if data[e, 9] > 0.0:
                    low, high = data[e, 6 + i] - data[e, 9], data[e, 6 + i] + data[e, 9]
            elif k == SEGMENT:
                low, high = min(data[e, 6 + i], data[e, 9 + i]), max(data[e, 6 + i], data[e, 9 + i])
            elif k == ARC:
                low, high = min(data[e, 9 + i], data[e, 12 + i]), max(data[e, 9 + i], data[e, 12 + i])
                if i < 2 and data[e, 15 + i] >= data[e, 19]:
                    high = data[e, 6 + i] + data[e, 18]
                if i < 2 and -data[e, 15 + i] >= data[e, 19]:
                    low = data[e, 6 + i] - data[e, 18]
            elif k == FACET:
                low = min(data[e, 6 + i], data[e, 9 + i], data[e, 12 + i], data[e, 15 + i])
                high = max(data[e, 6 + i], data[e, 9 + i], data[e, 12 + i], data[e, 15 + i])
            elif k == RING:
                low, high = _circles(data, e, i, data[e, 15], data[e, 16], data[e, 15] + data[e, 19] * data[e, 17],
                                     data[e, 16] + data[e, 19] * data[e, 18])
            elif k == ROD:
                low, high = _circles(data, e, i, data[e, 15], -data[e, 16], data[e, 15], data[e, 16])
            lower[e, i], upper[e, i] = low, high


@kernel
def _circles(
    data: Floats, e: int, i: int, rho_1: float, h_1: float, rho_2: float, h_2: float
) -> tuple[float, float]:
    """Extent along axis i of two circles about the axis of an element."""
    u = data[e, 9 + i]
    across = math.sqrt(max(0.0, 1.0 - u * u))
    low = data[e, 6 + i] + min(h_1 * u - rho_1 * across, h_2 * u - rho_2 * across)
    high = data[e, 6 + i] + max(h_1 * u + rho_1 * across, h_2 * u + rho_2 * across)
    return low, high
