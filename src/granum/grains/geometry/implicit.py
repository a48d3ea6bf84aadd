"""The nearest point of an implicit surface Γ(x, y, z) = 0, in the coordinates of its formula.

`nearest` is called by its address, so only scenes with such a surface compile this file.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, small_kernel
from granum.base.pointers import call_rates_within, carray, right_hand_side
from granum.grains.geometry.elements import (
    DISTANCE,
    FORMULA,
    G_X,
    G_Y,
    G_Z,
    GAMMA,
    H_XX,
    H_XY,
    H_XZ,
    H_YY,
    H_YZ,
    H_ZZ,
    NX,
    NY,
    NZ,
    OUT,
    PX,
    PY,
    PZ,
)

_MOST_MARCHES, _MOST_STEPS = 60, 30


@small_kernel
def _evaluate(x: float, y: float, z: float, out: Floats) -> None:
    """out[GAMMA:] = Γ, its gradient and the upper half of its second derivatives, row by row."""
    out[PX], out[PY], out[PZ] = x, y, z
    call_rates_within(int(out[FORMULA]), 0.0, out, PX, GAMMA, FORMULA)


@small_kernel
def _curvature(out: Floats) -> float:
    """Norm of the second derivatives: Γ leaves its linear part by at most half of it times distance squared, here."""
    diagonal = out[H_XX] * out[H_XX] + out[H_YY] * out[H_YY] + out[H_ZZ] * out[H_ZZ]
    return math.sqrt(diagonal + 2.0 * (out[H_XY] * out[H_XY] + out[H_XZ] * out[H_XZ] + out[H_YZ] * out[H_YZ]))


@small_kernel
def _defined(out: Floats) -> bool:
    slope = out[G_X] + out[G_Y] + out[G_Z]
    return math.isfinite(out[GAMMA]) and math.isfinite(slope) and math.isfinite(_curvature(out))


@small_kernel
def _march(out: Floats) -> bool:
    """Go from the point in `out` towards Γ = 0 until Newton's iteration is sure to take over; False if there is none.

    A step along the gradient is so long that Γ would not change its sign, were its second derivatives constant.
    """
    for _ in range(_MOST_MARCHES):
        gamma, g_x, g_y, g_z = out[GAMMA], out[G_X], out[G_Y], out[G_Z]
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
        x, y, z = out[PX], out[PY], out[PZ]
        _evaluate(x + step * g_x, y + step * g_y, z + step * g_z, out)
        while not _defined(out):
            step *= 0.5
            if abs(step) < 1e-12 * (abs(x) + abs(y) + abs(z)) or step == 0.0:
                return False
            _evaluate(x + step * g_x, y + step * g_y, z + step * g_z, out)
    return True


@small_kernel
def _step(x: float, y: float, z: float, out: Floats) -> tuple[float, float, float]:
    """Newton's step for p + λ ∇Γ(p) = x, Γ(p) = 0 from p = out[PX:GAMMA]: along the normal, and in the tangent plane.

    With tangents t_i and B = Tᵀ (1 + λ ∇∇Γ) T the part across the normal is B⁻¹ b; where B is not positive definite
    (p is no nearest point, but a farthest one) the step goes downhill instead.
    """
    gamma, g_x, g_y, g_z = out[GAMMA], out[G_X], out[G_Y], out[G_Z]
    H_xx, H_xy, H_xz, H_yy, H_yz, H_zz = out[H_XX], out[H_XY], out[H_XZ], out[H_YY], out[H_YZ], out[H_ZZ]
    square = g_x * g_x + g_y * g_y + g_z * g_z
    slope = math.sqrt(square)
    n_x, n_y, n_z = g_x / slope, g_y / slope, g_z / slope
    # two tangents without a branch that could come near zero (Duff et al., J. Comp. Graph. Techn. 6 (2017) 1)
    sign = 1.0 if n_z >= 0.0 else -1.0
    f = -1.0 / (sign + n_z)
    t_x, t_y, t_z = 1.0 + sign * n_x * n_x * f, sign * n_x * n_y * f, -sign * n_x
    b_x, b_y, b_z = n_x * n_y * f, sign + n_y * n_y * f, -n_y
    w_x, w_y, w_z = x - out[PX], y - out[PY], z - out[PZ]
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
def _foot(x: float, y: float, z: float, out: Floats) -> bool:
    """Newton's iteration from the point in `out` to that of Γ = 0 nearest to (x, y, z); False if it does not settle."""
    for _ in range(_MOST_STEPS):
        if out[G_X] == 0.0 and out[G_Y] == 0.0 and out[G_Z] == 0.0:
            return False
        d_x, d_y, d_z = _step(x, y, z, out)
        p_x, p_y, p_z = out[PX], out[PY], out[PZ]
        _evaluate(p_x + d_x, p_y + d_y, p_z + d_z, out)
        for _ in range(40):
            if _defined(out):
                break
            d_x, d_y, d_z = 0.5 * d_x, 0.5 * d_y, 0.5 * d_z
            _evaluate(p_x + d_x, p_y + d_y, p_z + d_z, out)
        size = math.sqrt(d_x * d_x + d_y * d_y + d_z * d_z)
        w_x, w_y, w_z = x - out[PX], y - out[PY], z - out[PZ]
        # convergence is quadratic: what is left after a step of 1e-7 is round-off
        if size <= 1e-7 * math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z) + 1e-14 * (abs(p_x) + abs(p_y) + abs(p_z)):
            return _defined(out)
    return False


@right_hand_side
def nearest(t, _point, out_, _data):  # type: ignore[no-untyped-def]
    """Distance of the point out[PX:GAMMA] from Γ = 0, negative where Γ is; out[NX:UX] is the normal to the point."""
    out = carray(out_, OUT)
    out[DISTANCE] = _nearest(out[PX], out[PY], out[PZ], out)
    return 0


@small_kernel
def _nearest(a: float, b: float, c: float, out: Floats) -> float:
    out[NX], out[NY], out[NZ] = 1.0, 0.0, 0.0
    _evaluate(a, b, c, out)
    if not _defined(out):
        return math.inf
    side = 1.0 if out[GAMMA] >= 0.0 else -1.0
    if not _march(out):
        return math.inf
    settled = _foot(a, b, c, out)
    w_x, w_y, w_z = a - out[PX], b - out[PY], c - out[PZ]
    slope = math.sqrt(out[G_X] * out[G_X] + out[G_Y] * out[G_Y] + out[G_Z] * out[G_Z])
    d, n_x, n_y, n_z = 0.0, 1.0, 0.0, 0.0
    if slope > 0.0:
        n_x, n_y, n_z = out[G_X] / slope, out[G_Y] / slope, out[G_Z] / slope
        d = w_x * n_x + w_y * n_y + w_z * n_z
    length = math.sqrt(w_x * w_x + w_y * w_y + w_z * w_z)
    if not settled and side > 0.0 and abs(out[GAMMA]) > 1e-6 * slope * length:
        return math.inf  # downhill from here is no surface, only a valley of Γ: what there is of it is far away
    round_off = 1e-10 * (length + abs(a) + abs(b) + abs(c))
    # far away, or where the gradient vanishes: p is a point of the surface, but maybe not the nearest
    if length > 0.0 and (not settled or slope == 0.0 or (side * d < 0.0 and abs(d) > round_off)):
        d, n_x, n_y, n_z = side * length, side * w_x / length, side * w_y / length, side * w_z / length
    out[NX], out[NY], out[NZ] = n_x, n_y, n_z
    return d
