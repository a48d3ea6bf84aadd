"""Soft contacts as they are between two steps: who touches, with which force, and what the springs hold."""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, Record, Records, small_kernel
from granum.base.vectors import Vector, minus, put
from granum.contact.penalty.forces import Law, Overlap, Pair, contact_force, pair_of, rolling_torque, springs
from granum.contact.penalty.stepping import State, angular_velocity, boundary_slip, touch_boundary
from granum.contact.round_grains import relative
from granum.grains.geometry.elements import Boundaries
from granum.grains.search.history import copy_slot
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import FIRST, IM, KM, SECOND, Int32s, R, X, Y, Z


class Sample(NamedTuple):
    """Contacts, their number not yet known; then room for the springs of one and for `touch`."""

    pair: Int32s
    normal: Floats
    force: Floats
    energy: Floats
    springs: Records
    room: Floats


@small_kernel
def sample_contact(c: int, law: Law, pair: Pair, at: Overlap, u: Vector, omega: Vector, w_r: float, h: float,
                   slot: Record, out: Sample) -> None:
    """Normal, force and energy of one contact; its springs go on by h in a copy."""
    springs_now = out.springs[0]
    copy_slot(slot, 1.0, springs_now)
    force = contact_force(law, pair, at, u, h, springs_now, out.room)
    if pair.rolling > 0.0:
        rolling_torque(law, pair, at, force, omega, w_r, h, springs_now, out.room)
    put(out.normal, c, X, (at.nx, at.ny, at.nz))
    put(out.force, c, X, (force.px, force.py, force.pz))
    squares = springs_now.fx**2 + springs_now.fy**2 + springs_now.fz**2
    squares += at.radius * at.radius * (springs_now.tx**2 + springs_now.ty**2 + springs_now.tz**2)
    held = springs(law, pair.stiffness, pair.shear, at.radius, at.depth, out.room)[4]
    out.energy[c] = held + 0.5 * force.k_t * squares


@small_kernel
def sample_contacts(state: State, near: Neighbours, bounds: Boundaries, law: Law, h: float, out: Sample) -> int:
    """All contacts: who, normal, force on j (at a boundary on the grain), energy of the springs; returns how many.

    Springs are remembered from the middle of the last step; h, half of it, takes them to its end.
    """
    x, v, material, c = state.x, state.v, state.material, 0
    for i in range(len(x)):
        ri, mi, wi, ki, omega = x[i, R], material[i], v[i, IM], v[i, KM], angular_velocity(v, i, x[i, R])
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            e = near.wall_element[k]
            element = bounds.element[e]
            d, nx, ny, nz, bx, by, bz = touch_boundary(element, x[i, X], x[i, Y], x[i, Z], out.room)
            if not d < ri or wi == 0.0:
                continue
            out.pair[c, FIRST], out.pair[c, SECOND] = i, -1 - e
            pair = pair_of(law, mi, element.material if element.material >= 0 else mi, wi, wi + ki, h)
            at = Overlap(ri, ri - d, nx, ny, nz)
            sample_contact(c, law, pair, at, boundary_slip(v, i, at, bx, by, bz), omega, ki / (ri * ri), h,
                           near.wall[k], out)
            c += 1
        for k in range(near.first[i], near.first[i + 1]):
            j = near.other[k]
            dx, dy, dz, rj = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z], x[j, R]
            d, reach, w_n = math.sqrt(dx * dx + dy * dy + dz * dz), ri + rj, wi + v[j, IM]
            if not d < reach or w_n == 0.0:
                continue
            out.pair[c, FIRST], out.pair[c, SECOND] = i, j
            at = Overlap(ri * rj / reach, reach - d, dx / d, dy / d, dz / d)
            u = relative(v, i, j, at.nx, at.ny, at.nz)
            sample_contact(c, law, pair_of(law, mi, material[j], w_n, w_n + ki + v[j, KM], h), at, u,
                           minus(angular_velocity(v, j, rj), omega), ki / (ri * ri) + v[j, KM] / (rj * rj), h,
                           near.pair[k], out)
            c += 1
    return c
