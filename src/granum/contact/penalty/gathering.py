"""Forces of all soft contacts of a slab: what `contact.gather` is told, and what it makes of a contact.

A contact pushes where grains overlap. Where it has opened, what its springs hold is lost; where an edge of a boundary
is covered by another element of the same material, the springs go on in the contact that covers it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Flags, Floats, Records, inlined, small_kernel
from granum.base.vectors import Vector, minus, plus
from granum.contact.gather import Decisions, compile_gather
from granum.contact.impulses import add_angular, add_linear
from granum.contact.penalty.forces import (
    Law,
    Overlap,
    Pair,
    carry_springs,
    contact_force,
    lean_of,
    level_springs,
    open_contact,
    pair_of,
    rolling_torque,
)
from granum.contact.penalty.laws.law import LINEAR
from granum.contact.seams import hand_over
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s
from granum.state.table import IM, KM, SX, SY, SZ, VX, VY, VZ, R


class State(NamedTuple):
    """The grains."""

    x: Floats
    v: Floats
    material: Int32s
    orientation: Floats
    blocks: Floats
    """Orientations while steps are made, see `grains.orientation`: in the middle of a step, as `Workspace.middle`."""


class Workspace(NamedTuple):
    """Arrays of a step."""

    middle: Floats
    """Positions in the middle of a step; those of the state are at the end of the last one, always."""
    f: Floats
    """(grains, 8): force on each grain in the columns of its velocity, and T/r in those of r ω."""
    stretched: Flags
    """Which slots of pairs hold anything, so that those of pairs apart need not be read; then those of boundaries."""
    wall_stretched: Flags
    sums: Records
    moves: Records
    scratch: Floats


class First(NamedTuple):
    """The first grain of some pairs, and what its contacts have added up: in registers while they are gathered."""

    vx: float
    vy: float
    vz: float
    sx: float
    sy: float
    sz: float
    wi: float
    ki: float
    force: Vector
    torque: Vector


class Recent(NamedTuple):
    """What depends on masses, materials and radii alone, kept from pair to pair: most grains are alike."""

    pair: Pair
    a: Any
    """Number of a material, always of 64 bits."""
    b: Any
    first_r: float
    last_r: float
    per_first: float
    """1/r of the first grain [1/m]."""
    per_last: float


class Sums(NamedTuple):
    """Sums over the pairs of a slab, as in `SLAB_SUMS`."""

    impact: float
    friction: float
    contacts: float
    pushing: float
    overlap: float
    deepest: float


class Carried(NamedTuple):
    """What goes on from pair to pair."""

    first: First
    recent: Recent
    sums: Sums


@inlined
def at_boundary(r: float, depth: float, wi: float, ki: float, out: Floats) -> Overlap:
    """Where a grain touches a boundary: with its own surface, at r from the centre, as a rigid grain rolls."""
    return Overlap(r, depth, out[NX], out[NY], out[NZ], 1.0, 0.0, wi + ki)


@inlined
def between_grains(per_i: float, per_j: float, depth: float, nx: float, ny: float, nz: float,
                   radius: float, w_n: float, ki: float, kj: float) -> Overlap:
    """Where two grains touch: in the middle of the overlap, at r - δ/2 from either centre."""
    first, second = 1.0 - 0.5 * depth * per_i, 1.0 - 0.5 * depth * per_j
    return Overlap(radius, depth, nx, ny, nz, first, second, w_n + first * first * ki + second * second * kj)


@inlined
def pair_slip(at: Overlap, q: Vector, w: Vector, si: Vector, sj: Vector) -> Vector:
    """Velocity of j against i where they touch: w - (arm_i ω_i + arm_j ω_j) × (n - q)/|n - q|, s = r ω.

    Velocities are those of the middle between the last normal m and n, and n - q has the direction of m + n: a pair
    that rotates as one body then has no velocity here, up to the square of the angle of a step.
    """
    part = 1.0 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2])  # 1/|n - q|, q being small
    nx, ny, nz = part * (at.nx - q[0]), part * (at.ny - q[1]), part * (at.nz - q[2])
    ax, ay, az = (at.first * si[0] + at.second * sj[0], at.first * si[1] + at.second * sj[1],
                  at.first * si[2] + at.second * sj[2])
    return w[0] - (ay * nz - az * ny), w[1] - (az * nx - ax * nz), w[2] - (ax * ny - ay * nx)


@inlined
def mean_spin(at: Overlap, si: Vector, sj: Vector, per_i: float, per_j: float) -> float:
    """½ (ω_i + ω_j)·n."""
    return 0.5 * (per_i * (si[0] * at.nx + si[1] * at.ny + si[2] * at.nz)
                  + per_j * (sj[0] * at.nx + sj[1] * at.ny + sj[2] * at.nz))


@inlined
def boundary_slip(v: Floats, i: int, at: Overlap, bx: float, by: float, bz: float) -> Vector:
    """Velocity of grain i against a surface that moves with b, where it touches it: v - s × n - b."""
    sx, sy, sz = v[i, SX], v[i, SY], v[i, SZ]
    return (v[i, VX] - bx - (sy * at.nz - sz * at.ny), v[i, VY] - by - (sz * at.nx - sx * at.nz),
            v[i, VZ] - bz - (sx * at.ny - sy * at.nx))


@inlined
def angular_velocity(v: Floats, i: int, r: float) -> Vector:
    """ω = s/r of a grain."""
    return v[i, SX] / r, v[i, SY] / r, v[i, SZ] / r


@inlined
def boundary_material(k: int, own: int, near: Neighbours, boundaries: Boundaries) -> int:
    """Material of a near boundary, that of the grain where it has none."""
    material = boundaries.element[near.wall_element[k]].material
    return material if material >= 0 else own


# ---- decisions about candidates


@inlined
def far_from_boundary(s: int, i: int, k: int, gap: float, state: State, near: Neighbours, boundaries: Boundaries,
                      law: Law, work: Workspace, h: float, out: Floats) -> bool:
    """Is there no overlap, or nothing that a force could move?"""
    return not gap < 0.0 or state.v[i, IM] == 0.0


@inlined
def leave_boundary(s: int, i: int, k: int, state: State, near: Neighbours, boundaries: Boundaries, law: Law,
                   work: Workspace, out: Floats) -> None:
    """A contact that has opened loses what its springs hold."""
    if work.wall_stretched[k]:
        mi = state.material[i]
        open_contact(law, mi, boundary_material(k, mi, near, boundaries), state.x[i, R], near.wall[k], out,
                     work.sums[s])
        work.wall_stretched[k] = False


@inlined
def cover(s: int, i: int, k: int, over: int, state: State, near: Neighbours, boundaries: Boundaries, law: Law,
          work: Workspace, out: Floats) -> None:
    """Springs go on in the contact that covers an edge, if they are alike."""
    if not work.wall_stretched[k]:
        return
    mi = state.material[i]
    if boundary_material(k, mi, near, boundaries) == boundary_material(over, mi, near, boundaries):
        hand_over(near.wall[k], near.wall[over])
        work.wall_stretched[k], work.wall_stretched[over] = False, True
    else:
        leave_boundary(s, i, k, state, near, boundaries, law, work, out)


@inlined
def add_boundary(nothing: int, s: int, i: int, k: int, gap: float, state: State, near: Neighbours,
                 boundaries: Boundaries, law: Law, work: Workspace, h: float, out: Floats) -> int:
    """Force of a boundary on grain i, added to those in the work space."""
    v, f, sums, slot, overlap = state.v, work.f, work.sums[s], near.wall[k], -gap
    ri, mi, wi, ki = state.x[i, R], state.material[i], v[i, IM], v[i, KM]
    at, bx, by, bz = at_boundary(ri, overlap, wi, ki, out), out[UX], out[UY], out[UZ]
    pair = pair_of(law, mi, boundary_material(k, mi, near, boundaries), wi, wi + ki, h)
    if work.wall_stretched[k]:
        level_springs(slot, at, pair.rolling > 0.0)
    force = contact_force(law, pair, at, boundary_slip(v, i, at, bx, by, bz), h, slot, out)
    rotation = (-force.tx, -force.ty, -force.tz)
    work.wall_stretched[k] = work.wall_stretched[k] or pair.friction > 0.0 or pair.rolling > 0.0
    if pair.rolling > 0.0:
        qx, qy, qz, lost = rolling_torque(law, pair, at, force, angular_velocity(v, i, ri), ki / (ri * ri), h, slot,
                                          out)
        rotation = plus(rotation, (qx / ri, qy / ri, qz / ri))
        sums.rolling += lost
    add_linear(f, i, 1.0, (force.px, force.py, force.pz))
    add_angular(f, i, 1.0, rotation)
    sums.boundary += h * (force.px * bx + force.py * by + force.pz * bz)
    sums.impact += force.impact
    sums.friction += force.friction
    sums.contacts += 1.0
    sums.pushing += force.pushing
    sums.overlap += overlap / ri
    sums.deepest = max(sums.deepest, overlap / ri)
    return nothing


@inlined
def far_apart(i: int, j: int, dx: float, dy: float, dz: float, d2: float, state: State, work: Workspace,
              h: float) -> bool:
    """Is there no overlap?"""
    reach = work.middle[i, R] + work.middle[j, R]
    return not d2 < reach * reach


@inlined
def leave_pair(s: int, i: int, j: int, k: int, state: State, near: Neighbours, law: Law, work: Workspace,
               out: Floats) -> None:
    """A contact that has opened loses what its springs hold."""
    if work.stretched[k]:
        ri, rj = work.middle[i, R], work.middle[j, R]
        open_contact(law, state.material[i], state.material[j], ri * rj / (ri + rj), near.pair[k], out, work.sums[s])
        work.stretched[k] = False


@inlined
def add_pair(carried: Carried, s: int, i: int, j: int, k: int, dx: float, dy: float, dz: float, d2: float, state: State,
             near: Neighbours, law: Law, work: Workspace, h: float, out: Floats) -> Carried:
    """Force between grains i and j, added to those in the work space and to what is carried on of grain i."""
    first, recent, sums, v, f, slot = carried.first, carried.recent, carried.sums, state.v, work.f, near.pair[k]
    mi, m = np.int64(state.material[i]), np.int64(state.material[j])
    ri, rj = work.middle[i, R], work.middle[j, R]
    w_n = first.wi + v[j, IM]
    if w_n == 0.0:
        return carried
    w_t, pair, reach, per_i, per_j = w_n + first.ki + v[j, KM], recent.pair, ri + rj, recent.per_first, recent.per_last
    if w_n != pair.w_n or w_t != pair.w_t or mi != recent.a or m != recent.b:
        pair = pair_of(law, state.material[i], state.material[j], w_n, w_t, h)
    if rj != recent.last_r or ri != recent.first_r:
        per_i, per_j = 1.0 / ri, 1.0 / rj
    inverse, radius = 1.0 / math.sqrt(d2), 0.0
    if law.code != LINEAR or pair.rolling > 0.0:  # a division more
        radius = ri * rj / reach
    overlap = reach - d2 * inverse
    at = between_grains(per_i, per_j, overlap, dx * inverse, dy * inverse, dz * inverse, radius, w_n, first.ki,
                        v[j, KM])
    w = (v[j, VX] - first.vx, v[j, VY] - first.vy, v[j, VZ] - first.vz)
    si, sj = (first.sx, first.sy, first.sz), (v[j, SX], v[j, SY], v[j, SZ])
    q = lean_of(at, inverse, w, h)
    if work.stretched[k]:
        carry_springs(slot, at, q, h * mean_spin(at, si, sj, per_i, per_j), pair.rolling > 0.0)
    own, rotation = first.force, first.torque
    force = contact_force(law, pair, at, pair_slip(at, q, w, si, sj), h, slot, out)
    if pair.friction > 0.0:
        work.stretched[k] = True
        rotation = minus(rotation, (at.first * force.tx, at.first * force.ty, at.first * force.tz))
        add_angular(f, j, -at.second, (force.tx, force.ty, force.tz))
    push = (force.px, force.py, force.pz)
    own = minus(own, push)
    add_linear(f, j, 1.0, push)
    if pair.rolling > 0.0:
        work.stretched[k] = True
        omega = minus(angular_velocity(v, j, rj), angular_velocity(v, i, ri))
        tx, ty, tz, lost = rolling_torque(law, pair, at, force, omega,
                                          first.ki / (ri * ri) + v[j, KM] / (rj * rj), h, slot, out)
        work.sums[s].rolling += lost
        rotation = minus(rotation, (tx / ri, ty / ri, tz / ri))
        add_angular(f, j, 1.0, (tx / rj, ty / rj, tz / rj))
    relative = overlap * max(per_i, per_j)
    return Carried(
        First(first.vx, first.vy, first.vz, first.sx, first.sy, first.sz, first.wi, first.ki, own, rotation),
        Recent(pair, mi, m, ri, rj, per_i, per_j),
        Sums(sums.impact + force.impact, sums.friction + force.friction, sums.contacts + 1.0,
             sums.pushing + force.pushing, sums.overlap + relative, max(sums.deepest, relative)))


boundary_forces, pair_forces = compile_gather(
    Decisions(far_from_boundary, leave_boundary, cover, add_boundary, far_apart, leave_pair, add_pair),
    __file__, "forces")


# ---- the forces of a slab


@small_kernel
def add_boundary_forces(s: int, state: State, near: Neighbours, boundaries: Boundaries, law: Law, h: float,
                        work: Workspace) -> None:
    """Forces of boundaries on the grains of one slab, added to those in the work space."""
    nothing = s
    for i in range(near.slabs[s], near.slabs[s + 1]):
        nothing = boundary_forces(nothing, s, i, work.middle, state, near, boundaries, law, work, h, work.scratch[s])


@small_kernel
def add_pair_forces(s: int, state: State, near: Neighbours, law: Law, h: float, work: Workspace) -> None:
    """Forces between the grains of one slab and grains that come later, added to those in the work space."""
    v, f, out = state.v, work.f, work.scratch[s]
    recent = Recent(pair_of(law, 0, 0, 1.0, 1.0, h), -1, -1, 0.0, 0.0, 0.0, 0.0)
    sums = Sums(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(near.slabs[s], near.slabs[s + 1]):
        first = First(v[i, VX], v[i, VY], v[i, VZ], v[i, SX], v[i, SY], v[i, SZ], v[i, IM], v[i, KM], (0.0, 0.0, 0.0),
                      (0.0, 0.0, 0.0))
        carried = pair_forces(Carried(first, recent, sums), s, i, work.middle, state, near, law, work, h, out)
        recent, sums = carried.recent, carried.sums
        add_linear(f, i, 1.0, carried.first.force)
        add_angular(f, i, 1.0, carried.first.torque)
    total = work.sums[s]
    total.impact += sums.impact
    total.friction += sums.friction
    total.contacts += sums.contacts
    total.pushing += sums.pushing
    total.overlap += sums.overlap
    total.deepest = max(total.deepest, sums.deepest)
