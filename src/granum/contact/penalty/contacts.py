"""Soft contacts as they are between two steps: who touches, with which force, and what the springs hold."""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, small_kernel
from granum.contact.penalty.forces import ROLLING, TANGENTIAL, Law, contact_force, pair_of, rolling_torque, springs
from granum.contact.penalty.stepping import Boundaries, Neighbours, State, touch_boundary
from granum.grains.state import IM, KM, SX, SY, SZ, VX, VY, VZ, Int32s, R, X, Y, Z


class Sample(NamedTuple):
    """Contacts, their number not yet known; then room for the springs of one and for `touch`."""

    pair: Int32s
    normal: Floats
    force: Floats
    energy: Floats
    springs: Floats
    room: Floats


@small_kernel
def sample_contact(
    c: int, law: Law, a: int, b: int, w_n: float, w_t: float, w_r: float, radius: float, overlap: float, ux: float,
    uy: float, uz: float, ox: float, oy: float, oz: float, h: float, memory: Floats, k: int, out: Sample,
) -> None:
    """Force and energy of one contact, whose normal is written already; its springs go on by h in a copy."""
    nx, ny, nz = out.normal[c, 0], out.normal[c, 1], out.normal[c, 2]
    for column in range(6):
        out.springs[0, column] = memory[k, column]
    pair = pair_of(law, a, b, w_n, w_t, h)
    pressing, k_t, rate, u_n, px, py, pz, _, _, _, _, _, _ = contact_force(
        law, pair, radius, overlap, nx, ny, nz, ux, uy, uz, h, out.springs, 0, out.room)
    if pair.rolling > 0.0:
        rolling_torque(law, pair, radius, overlap, nx, ny, nz, ox, oy, oz, pressing, k_t, rate, u_n, w_r, h,
                       out.springs, 0, out.room)
    out.force[c, 0], out.force[c, 1], out.force[c, 2] = px, py, pz
    squares = 0.0
    for axis in range(3):
        squares += out.springs[0, TANGENTIAL + axis] ** 2 + radius * radius * out.springs[0, ROLLING + axis] ** 2
    out.energy[c] = springs(law, pair.stiffness, pair.shear, radius, overlap, out.room)[4] + 0.5 * k_t * squares


@small_kernel
def sample_contacts(state: State, near: Neighbours, bounds: Boundaries, law: Law, h: float, out: Sample) -> int:
    """All contacts: who, normal, force on j (at a boundary on the grain), energy of the springs; returns how many.

    Springs are remembered from the middle of the last step; h, half of it, takes them to its end.
    """
    x, v, material, c = state.x, state.v, state.material, 0
    for i in range(len(x)):
        ri, mi, wi, ki = x[i, R], material[i], v[i, IM], v[i, KM]
        sx, sy, sz = v[i, SX], v[i, SY], v[i, SZ]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            e = near.wall_element[k]
            d, nx, ny, nz, bx, by, bz = touch_boundary(bounds, e, x[i, X], x[i, Y], x[i, Z], out.room)
            if not d < ri or wi == 0.0:
                continue
            out.pair[c, 0], out.pair[c, 1] = i, -1 - e
            out.normal[c, 0], out.normal[c, 1], out.normal[c, 2] = nx, ny, nz
            sample_contact(
                c, law, mi, bounds.material[e] if bounds.material[e] >= 0 else mi, wi, wi + ki, ki / (ri * ri), ri,
                ri - d, v[i, VX] - bx - (sy * nz - sz * ny), v[i, VY] - by - (sz * nx - sx * nz),
                v[i, VZ] - bz - (sx * ny - sy * nx), sx / ri, sy / ri, sz / ri, h, near.wall_springs, k, out)
            c += 1
        for k in range(near.first[i], near.first[i + 1]):
            j = near.other[k]
            dx, dy, dz, rj = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z], x[j, R]
            d, reach, w_n = math.sqrt(dx * dx + dy * dy + dz * dz), ri + rj, wi + v[j, IM]
            if not d < reach or w_n == 0.0:
                continue
            nx, ny, nz = dx / d, dy / d, dz / d
            ax, ay, az = sx + v[j, SX], sy + v[j, SY], sz + v[j, SZ]
            out.pair[c, 0], out.pair[c, 1] = i, j
            out.normal[c, 0], out.normal[c, 1], out.normal[c, 2] = nx, ny, nz
            sample_contact(
                c, law, mi, material[j], w_n, w_n + ki + v[j, KM], ki / (ri * ri) + v[j, KM] / (rj * rj),
                ri * rj / reach, reach - d, v[j, VX] - v[i, VX] - (ay * nz - az * ny),
                v[j, VY] - v[i, VY] - (az * nx - ax * nz), v[j, VZ] - v[i, VZ] - (ax * ny - ay * nx),
                v[j, SX] / rj - sx / ri, v[j, SY] / rj - sy / ri, v[j, SZ] / rj - sz / ri, h, near.springs, k, out)
            c += 1
    return c
