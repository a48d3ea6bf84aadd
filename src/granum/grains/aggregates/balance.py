"""What acts on the parts of bodies in a step, and the balance of it with the inertia of the parts (D'Alembert).

Forces are means over a step: an impact, which takes no time between rigid bodies, acts for one step.
"""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Floats, Ints, kernel, small_kernel


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
def balance(label: Ints, mass: Floats, own: Floats, place: Floats, row: Ints, force: Floats, moment: Floats,
            omega: Floats, flat: bool, sums: Floats, f: Floats, tau: Floats) -> None:
    """Loads on parts less the inertia of their share in the motion of the bodies that labels say.

        f_k = F_k - m_k (a + α × r_k + ω × (ω × r_k)),   τ_k = M_k - I_k α,

    a and α by Newton and Euler from all F and M of a body: so f and τ balance each other. Gravity gives all parts the
    same acceleration and loads nothing; it is left out of F.

    Args:
        own: (n,) inertia about their own centres, which is that of a ball, or of a disk in the plane [kg m²].
        row: (n,) where force, moment and angular velocity of each are, in the same axes as its place.
        sums: (bodies, 16): mass, centre, a, M then α, inertia (xx, yy, zz, xy, xz, yz).
    """
    sums[:] = 0.0
    for k in range(len(label)):
        b, i = label[k], row[k]
        sums[b, 0] += mass[k]
        for c in range(3):
            sums[b, 1 + c] += mass[k] * place[k, c]
            sums[b, 4 + c] += force[i, c]
    for b in range(len(sums)):
        for c in range(1, 7):
            sums[b, c] /= sums[b, 0]
    for k in range(len(label)):
        b, i = label[k], row[k]
        x, y, z = place[k, 0] - sums[b, 1], place[k, 1] - sums[b, 2], place[k, 2] - sums[b, 3]
        wx, wy, wz, m = omega[i, 0], omega[i, 1], omega[i, 2], mass[k]
        # ω × I ω of a body is the sum of r × m (ω × (ω × r)): ω × (ω × r) = ω (ω·r) - r ω²
        along, square = wx * x + wy * y + wz * z, wx * wx + wy * wy + wz * wz
        fx = force[i, 0] - m * (along * wx - square * x)
        fy = force[i, 1] - m * (along * wy - square * y)
        fz = force[i, 2] - m * (along * wz - square * z)
        sums[b, 7] += moment[i, 0] + y * fz - z * fy
        sums[b, 8] += moment[i, 1] + z * fx - x * fz
        sums[b, 9] += moment[i, 2] + x * fy - y * fx
        sums[b, 10] += own[k] + m * (y * y + z * z)
        sums[b, 11] += own[k] + m * (x * x + z * z)
        sums[b, 12] += own[k] + m * (x * x + y * y)
        sums[b, 13] -= m * x * y
        sums[b, 14] -= m * x * z
        sums[b, 15] -= m * y * z
        f[k, 0], f[k, 1], f[k, 2] = fx, fy, fz
    for b in range(len(sums)):
        solve_symmetric(sums[b], flat)
    for k in range(len(label)):
        b, i = label[k], row[k]
        x, y, z = place[k, 0] - sums[b, 1], place[k, 1] - sums[b, 2], place[k, 2] - sums[b, 3]
        ax, ay, az = sums[b, 7], sums[b, 8], sums[b, 9]
        f[k, 0] -= mass[k] * (sums[b, 4] + ay * z - az * y)
        f[k, 1] -= mass[k] * (sums[b, 5] + az * x - ax * z)
        f[k, 2] -= mass[k] * (sums[b, 6] + ax * y - ay * x)
        for c in range(3):
            tau[k, c] = moment[i, c] - own[k] * sums[b, 7 + c]


@small_kernel
def solve_symmetric(s: Floats, flat: bool) -> None:
    """Put I⁻¹ M into the place of M: s[7:10], with the inertia in s[10:16]; in the plane about z only."""
    if flat:
        s[7], s[8], s[9] = 0.0, 0.0, s[9] / s[12]
        return
    xx, yy, zz, xy, xz, yz = s[10], s[11], s[12], s[13], s[14], s[15]
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * c)
    mx, my, mz = s[7], s[8], s[9]
    s[7] = scale * (a * mx + b * my + c * mz)
    s[8] = scale * (b * mx + (xx * zz - xz * xz) * my + (xy * xz - xx * yz) * mz)
    s[9] = scale * (c * mx + (xy * xz - xx * yz) * my + (xx * yy - xy * xy) * mz)
