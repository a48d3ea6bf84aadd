"""Soft contacts as they are between two steps: who touches, with which force, and what the springs hold."""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, Record, Records, inlined, small_kernel
from granum.base.vectors import Vector, minus, put
from granum.contact.gather import Decisions, compile_gather
from granum.contact.penalty.forces import (
    Law,
    Overlap,
    Pair,
    carry_springs,
    contact_force,
    lean_of,
    level_springs,
    pair_of,
    rolling_torque,
    springs,
)
from granum.contact.penalty.gathering import (
    State,
    angular_velocity,
    at_boundary,
    between_grains,
    boundary_material,
    boundary_slip,
    far_from_boundary,
    mean_spin,
    pair_slip,
)
from granum.grains.geometry.elements import UX, UY, UZ, Boundaries
from granum.grains.search.history import copy_slot
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import FIRST, SECOND, Int32s
from granum.state.table import IM, KM, SX, SY, SZ, VX, VY, VZ, R, X


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
                   springs_now: Record, out: Sample) -> None:
    """Normal, force and energy of one contact; its springs, a copy that is rotated already, go on by h."""
    force = contact_force(law, pair, at, u, h, springs_now, out.room)
    if pair.rolling > 0.0:
        rolling_torque(law, pair, at, force, omega, w_r, h, springs_now, out.room)
    put(out.normal, c, X, (at.nx, at.ny, at.nz))
    put(out.force, c, X, (force.px, force.py, force.pz))
    squares = springs_now.fx**2 + springs_now.fy**2 + springs_now.fz**2
    squares += at.radius * at.radius * (springs_now.tx**2 + springs_now.ty**2 + springs_now.tz**2)
    held = springs(law, pair, at.radius, at.depth, out.room)[4]
    out.energy[c] = held + 0.5 * force.k_t * squares


# ---- decisions about candidates


@inlined
def leave_boundary(s: int, i: int, k: int, state: State, near: Neighbours, boundaries: Boundaries, law: Law,
                   sample: Sample, out: Floats) -> None:
    """Nothing: a sample changes nothing."""


@inlined
def cover(s: int, i: int, k: int, over: int, state: State, near: Neighbours, boundaries: Boundaries, law: Law,
          sample: Sample, out: Floats) -> None:
    """Nothing."""


@inlined
def add_boundary(c: int, s: int, i: int, k: int, gap: float, state: State, near: Neighbours, boundaries: Boundaries,
                 law: Law, sample: Sample, h: float, out: Floats) -> int:
    """A contact with a boundary; returns how many there are then."""
    v, mi, ri, wi, ki = state.v, state.material[i], state.x[i, R], state.v[i, IM], state.v[i, KM]
    sample.pair[c, FIRST], sample.pair[c, SECOND] = i, -1 - near.wall_element[k]
    pair = pair_of(law, mi, boundary_material(k, mi, near, boundaries), wi, wi + ki, h)
    at, springs_now = at_boundary(ri, -gap, wi, ki, out), sample.springs[0]
    copy_slot(near.wall[k], 1.0, springs_now)
    level_springs(springs_now, at, pair.rolling > 0.0)
    sample_contact(c, law, pair, at, boundary_slip(v, i, at, out[UX], out[UY], out[UZ]), angular_velocity(v, i, ri),
                   ki / (ri * ri), h, springs_now, sample)
    return c + 1


@inlined
def far_apart(i: int, j: int, dx: float, dy: float, dz: float, d2: float, state: State, sample: Sample,
              h: float) -> bool:
    """Is there no overlap, or nothing that a force could move?"""
    return not math.sqrt(d2) < state.x[i, R] + state.x[j, R] or state.v[i, IM] + state.v[j, IM] == 0.0


@inlined
def leave_pair(s: int, i: int, j: int, k: int, state: State, near: Neighbours, law: Law, sample: Sample,
               out: Floats) -> None:
    """Nothing."""


@inlined
def add_pair(c: int, s: int, i: int, j: int, k: int, dx: float, dy: float, dz: float, d2: float, state: State,
             near: Neighbours, law: Law, sample: Sample, h: float, out: Floats) -> int:
    """A contact between two grains; returns how many there are then."""
    v, ri, rj, d, w_n = state.v, state.x[i, R], state.x[j, R], math.sqrt(d2), state.v[i, IM] + state.v[j, IM]
    ki, kj, reach, springs_now = v[i, KM], v[j, KM], ri + rj, sample.springs[0]
    sample.pair[c, FIRST], sample.pair[c, SECOND] = i, j
    at = between_grains(1.0 / ri, 1.0 / rj, reach - d, dx / d, dy / d, dz / d, ri * rj / reach, w_n, ki, kj)
    pair = pair_of(law, state.material[i], state.material[j], w_n, w_n + ki + kj, h)
    w = (v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ])
    si, sj = (v[i, SX], v[i, SY], v[i, SZ]), (v[j, SX], v[j, SY], v[j, SZ])
    copy_slot(near.pair[k], 1.0, springs_now)
    q = lean_of(at, 1.0 / d, w, h)
    carry_springs(springs_now, at, q, h * mean_spin(at, si, sj, 1.0 / ri, 1.0 / rj), pair.rolling > 0.0)
    sample_contact(c, law, pair, at, pair_slip(at, q, w, si, sj),
                   minus(angular_velocity(v, j, rj), angular_velocity(v, i, ri)), ki / (ri * ri) + kj / (rj * rj), h,
                   springs_now, sample)
    return c + 1


boundary_samples, pair_samples = compile_gather(
    Decisions(far_from_boundary, leave_boundary, cover, add_boundary, far_apart, leave_pair, add_pair),
    __file__, "sample")


@small_kernel
def sample_contacts(state: State, near: Neighbours, bounds: Boundaries, law: Law, h: float, out: Sample) -> int:
    """All contacts: who, normal, force on j (at a boundary on the grain), energy of the springs; returns how many.

    Springs are remembered from the middle of the last step; h, half of it, takes them to its end.
    """
    c = 0
    for i in range(len(state.x)):
        c = boundary_samples(c, c, i, state.x, state, near, bounds, law, out, h, out.room)
        c = pair_samples(c, c, i, state.x, state, near, law, out, h, out.room)
    return c
