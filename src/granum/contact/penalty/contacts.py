"""Soft contacts as they are between two steps: who touches, with which force, and what the springs hold."""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, Record, Records, small_kernel
from granum.contact.penalty.forces import Law, contact_force, pair_of, rolling_torque, springs
from granum.contact.penalty.stepping import State, touch_boundary
from granum.grains.geometry.elements import Boundaries
from granum.grains.search.history import copy_slot
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import IM, KM, SX, SY, SZ, VX, VY, VZ, Int32s, R, X, Y, Z


class Sample(NamedTuple):
    """Contacts, their number not yet known; then room for the springs of one and for `touch`."""

    pair: Int32s
    normal: Floats
    force: Floats
    energy: Floats
    springs: Records
    room: Floats


@small_kernel
def sample_contact(
    c: int, law: Law, a: int, b: int, w_n: float, w_t: float, w_r: float, radius: float, overlap: float, ux: float,
    uy: float, uz: float, ox: float, oy: float, oz: float, h: float, slot: Record, out: Sample,
) -> None:
    """Force and energy of one contact, whose normal is written already; its springs go on by h in a copy."""
    nx, ny, nz = out.normal[c, 0], out.normal[c, 1], out.normal[c, 2]
    springs_now = out.springs[0]
    copy_slot(slot, 1.0, springs_now)
    pair = pair_of(law, a, b, w_n, w_t, h)
    pressing, k_t, rate, u_n, px, py, pz, _, _, _, _, _, _ = contact_force(
        law, pair, radius, overlap, nx, ny, nz, ux, uy, uz, h, springs_now, out.room)
    if pair.rolling > 0.0:
        rolling_torque(law, pair, radius, overlap, nx, ny, nz, ox, oy, oz, pressing, k_t, rate, u_n, w_r, h,
                       springs_now, out.room)
    out.force[c, 0], out.force[c, 1], out.force[c, 2] = px, py, pz
    squares = springs_now.fx**2 + springs_now.fy**2 + springs_now.fz**2
    squares += radius * radius * (springs_now.tx**2 + springs_now.ty**2 + springs_now.tz**2)
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
            element = bounds.element[e]
            d, nx, ny, nz, bx, by, bz = touch_boundary(element, x[i, X], x[i, Y], x[i, Z], out.room)
            if not d < ri or wi == 0.0:
                continue
            out.pair[c, 0], out.pair[c, 1] = i, -1 - e
            out.normal[c, 0], out.normal[c, 1], out.normal[c, 2] = nx, ny, nz
            sample_contact(
                c, law, mi, element.material if element.material >= 0 else mi, wi, wi + ki, ki / (ri * ri), ri,
                ri - d, v[i, VX] - bx - (sy * nz - sz * ny), v[i, VY] - by - (sz * nx - sx * nz),
                v[i, VZ] - bz - (sx * ny - sy * nx), sx / ri, sy / ri, sz / ri, h, near.wall[k], out)
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
                v[j, SX] / rj - sx / ri, v[j, SY] / rj - sy / ri, v[j, SZ] / rj - sz / ri, h, near.pair[k], out)
            c += 1
    return c
