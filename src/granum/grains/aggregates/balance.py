"""What acts on the parts of bodies in a step, and the balance of it with the inertia of the parts (D'Alembert).

Forces are means over a step: an impact, which takes no time between rigid bodies, acts for one step.
"""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Floats, Ints, kernel, small_kernel
from granum.state.table import X, Y, Z

MASS, CENTRE, ACCELERATION, MOMENT, XX, YY, ZZ, XY, XZ, YZ, SUMS = 0, 1, 4, 7, 10, 11, 12, 13, 14, 15, 16
"""Columns of the sums over a body: mass, mass centre, a, M and then α, inertia about the centre."""


class Pushes(NamedTuple):
    """What contacts and loads do to single parts in a step, in inertial axes."""

    row: Ints
    """Rows of the parts."""
    arm: Floats
    """(n, 3): from the mass centre of the body, at the beginning of the step [m]."""
    force: Floats
    """(n, 3) [N]"""
    moment: Floats
    """(n, 3): of rolling friction [N m]."""
    approach: Floats
    """(n,): speed at which the two came together before the step [m/s]."""


@kernel
def balance(label: Ints, mass: Floats, own: Floats, position: Floats, row: Ints, force: Floats, moment: Floats,
            omega: Floats, flat: bool, sums: Floats, f: Floats, tau: Floats) -> None:
    """Loads on parts less the inertia of their share in the motion of the bodies that labels say.

        f_k = F_k - m_k (a + α × r_k + ω × (ω × r_k)),   τ_k = M_k - I_k α,

    a and α by Newton and Euler from all F and M of a body: so f and τ balance each other. Gravity gives all parts the
    same acceleration and loads nothing; it is left out of F.

    Args:
        own: (n,) inertia about their own centres, which is that of a ball, or of a disk in the plane [kg m²].
        row: (n,) where force, moment and angular velocity of each are, in the same axes as its position.
        sums: (bodies, SUMS), by the columns above.
    """
    sums[:] = 0.0
    for k in range(len(label)):
        b, i = label[k], row[k]
        sums[b, MASS] += mass[k]
        for c in range(3):
            sums[b, CENTRE + c] += mass[k] * position[k, c]
            sums[b, ACCELERATION + c] += force[i, c]
    for b in range(len(sums)):
        for c in range(CENTRE, MOMENT):
            sums[b, c] /= sums[b, MASS]
    for k in range(len(label)):
        b, i = label[k], row[k]
        x = position[k, X] - sums[b, CENTRE + X]
        y = position[k, Y] - sums[b, CENTRE + Y]
        z = position[k, Z] - sums[b, CENTRE + Z]
        wx, wy, wz, m = omega[i, X], omega[i, Y], omega[i, Z], mass[k]
        # ω × I ω of a body is the sum of r × m (ω × (ω × r)): ω × (ω × r) = ω (ω·r) - r ω²
        along, square = wx * x + wy * y + wz * z, wx * wx + wy * wy + wz * wz
        fx = force[i, X] - m * (along * wx - square * x)
        fy = force[i, Y] - m * (along * wy - square * y)
        fz = force[i, Z] - m * (along * wz - square * z)
        sums[b, MOMENT + X] += moment[i, X] + y * fz - z * fy
        sums[b, MOMENT + Y] += moment[i, Y] + z * fx - x * fz
        sums[b, MOMENT + Z] += moment[i, Z] + x * fy - y * fx
        sums[b, XX] += own[k] + m * (y * y + z * z)
        sums[b, YY] += own[k] + m * (x * x + z * z)
        sums[b, ZZ] += own[k] + m * (x * x + y * y)
        sums[b, XY] -= m * x * y
        sums[b, XZ] -= m * x * z
        sums[b, YZ] -= m * y * z
        f[k, X], f[k, Y], f[k, Z] = fx, fy, fz
    for b in range(len(sums)):
        solve_symmetric(sums[b], flat)
    for k in range(len(label)):
        b, i = label[k], row[k]
        x = position[k, X] - sums[b, CENTRE + X]
        y = position[k, Y] - sums[b, CENTRE + Y]
        z = position[k, Z] - sums[b, CENTRE + Z]
        ax, ay, az = sums[b, MOMENT + X], sums[b, MOMENT + Y], sums[b, MOMENT + Z]
        f[k, X] -= mass[k] * (sums[b, ACCELERATION + X] + ay * z - az * y)
        f[k, Y] -= mass[k] * (sums[b, ACCELERATION + Y] + az * x - ax * z)
        f[k, Z] -= mass[k] * (sums[b, ACCELERATION + Z] + ax * y - ay * x)
        for c in range(3):
            tau[k, c] = moment[i, c] - own[k] * sums[b, MOMENT + c]


@small_kernel
def solve_symmetric(s: Floats, flat: bool) -> None:
    """Put I⁻¹ M into the columns of M of a row of sums; in the plane about z only."""
    if flat:
        s[MOMENT + X], s[MOMENT + Y], s[MOMENT + Z] = 0.0, 0.0, s[MOMENT + Z] / s[ZZ]
        return
    xx, yy, zz, xy, xz, yz = s[XX], s[YY], s[ZZ], s[XY], s[XZ], s[YZ]
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * c)
    mx, my, mz = s[MOMENT + X], s[MOMENT + Y], s[MOMENT + Z]
    s[MOMENT + X] = scale * (a * mx + b * my + c * mz)
    s[MOMENT + Y] = scale * (b * mx + (xx * zz - xz * xz) * my + (xy * xz - xx * yz) * mz)
    s[MOMENT + Z] = scale * (c * mx + (xy * xz - xx * yz) * my + (xx * yy - xy * xy) * mz)
