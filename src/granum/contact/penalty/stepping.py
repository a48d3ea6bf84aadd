"""Soft contact by leapfrog steps.

One step of length h from x, v at t to t + h (drift, kick, drift):

    drift    x½ = x + h/2 v
    forces   of all contacts at x½, with the velocities of the beginning of the step
    kick     v⁺ = v + h (g + F/m) + loads
    drift    x⁺ = x½ + h/2 v⁺

Grains are rotated as they are moved: by h/2 ω, after the kick by h/2 ω⁺. From middle to middle that is one rotation.

Forces are no part of the state: grains, and the springs that contacts remember, are enough to go on bit-identically.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np

from granum.base.kernels import Flags, Floats, Record, Records, inlined, kernel, parallel_kernel, small_kernel
from granum.base.vectors import Vector, minus, plus
from granum.contact import totals as rigid
from granum.contact.impulses import add_angular, add_linear
from granum.contact.penalty.forces import Law, Overlap, contact_force, open_contact, pair_of, rolling_torque
from granum.contact.penalty.laws.law import LINEAR
from granum.contact.validity import Validity, is_outdated
from granum.grains.geometry.elements import NX, NY, NZ, PLANE, UX, UY, UZ, Boundaries
from granum.grains.geometry.motion import move_elements
from granum.grains.geometry.surfaces import touch
from granum.grains.orientation import first_block, pack_blocks, request_rotation, rotate_slab, unpack_blocks
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import IM, KM, SX, SY, SZ, VX, VY, VZ, Int32s, R, X, Y, Z

prange = numba.prange

SLAB_MOVES = np.dtype({"names": ["since_lists", "in_step", "loads"], "formats": 3 * [float], "itemsize": 64})
"""Of a slab: the largest squared move since the lists were made, in the middle of the next step [m²]; the largest
squared move of a step relative to the radius; the work of loads [J]."""
LOADS = rigid.TOTALS
"""Total beyond those of `rigid`: the work of loads over the whole step [J]."""
TOTALS = rigid.TOTALS + 1


class State(NamedTuple):
    """The grains."""

    x: Floats
    v: Floats
    material: Int32s
    orientation: Floats
    blocks: Floats
    """Orientations while steps are made, see `grains.orientation`: in the middle of a step, as `Workspace.middle`."""


class Loads(NamedTuple):
    """What acts besides contacts."""

    gravity: Floats
    extra: Floats
    """(grains, 3) velocities that loads add in a step, or an empty array."""


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


@inlined
def touch_boundary(element: Record, x: float, y: float, z: float,
                   out: Floats) -> tuple[float, float, float, float, float, float, float]:
    """Distance, normal and velocity of a surface; planes in place: most are, and a call costs as much as a contact."""
    if element.kind != PLANE:
        d = touch(element, x, y, z, out)
        return d, out[NX], out[NY], out[NZ], out[UX], out[UY], out[UZ]
    point, normal, V, W = element.point, element.direction, element.velocity, element.angular_velocity
    nx, ny, nz = normal[0, X], normal[0, Y], normal[0, Z]
    d = (x - point[0, X]) * nx + (y - point[0, Y]) * ny + (z - point[0, Z]) * nz
    ax, ay, az = x - d * nx, y - d * ny, z - d * nz
    return (d, nx, ny, nz, V[X] + W[Y] * az - W[Z] * ay, V[Y] + W[Z] * ax - W[X] * az, V[Z] + W[X] * ay - W[Y] * ax)


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


@small_kernel
def add_boundary_forces(s: int, state: State, near: Neighbours, b: Boundaries, law: Law, h: float,
                        work: Workspace) -> None:
    """Forces of boundaries on the grains of one slab, added to those in the work space."""
    x, v, f, material, room, sums = work.middle, state.v, work.f, state.material, work.scratch[s], work.sums[s]
    for i in range(near.slabs[s], near.slabs[s + 1]):
        ri, mi, wi, ki = x[i, R], material[i], v[i, IM], v[i, KM]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            element = b.element[near.wall_element[k]]
            d, nx, ny, nz, bx, by, bz = touch_boundary(element, x[i, X], x[i, Y], x[i, Z], room)
            overlap = ri - d
            m = element.material if element.material >= 0 else mi
            if not overlap > 0.0 or wi == 0.0:
                if work.wall_stretched[k]:
                    open_contact(law, mi, m, ri, near.wall[k], room, sums)
                    work.wall_stretched[k] = False
                continue
            pair, at = pair_of(law, mi, m, wi, wi + ki, h), Overlap(ri, overlap, nx, ny, nz)
            force = contact_force(law, pair, at, boundary_slip(v, i, at, bx, by, bz), h, near.wall[k], room)
            rotation = (-force.tx, -force.ty, -force.tz)
            work.wall_stretched[k] = work.wall_stretched[k] or pair.friction > 0.0 or pair.rolling > 0.0
            if pair.rolling > 0.0:
                qx, qy, qz, lost = rolling_torque(law, pair, at, force, angular_velocity(v, i, ri), ki / (ri * ri), h,
                                                  near.wall[k], room)
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


@small_kernel
def add_pair_forces(s: int, state: State, near: Neighbours, law: Law, h: float, work: Workspace) -> None:
    """Forces between the grains of one slab and grains that come later, added to those in the work space."""
    x, v, f, material, room, sums = work.middle, state.v, work.f, state.material, work.scratch[s], work.sums[s]
    impacts, friction, contacts, pushes, overlaps, deepest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    # what depends on masses and materials alone is kept from pair to pair: most grains are alike
    pair, a, c = pair_of(law, 0, 0, 1.0, 1.0, h), -1, -1
    last_r, first_r, per_radius = 0.0, 0.0, 0.0
    for i in range(near.slabs[s], near.slabs[s + 1]):
        xi, yi, zi, ri, mi = x[i, X], x[i, Y], x[i, Z], x[i, R], material[i]
        vx, vy, vz, wi = v[i, VX], v[i, VY], v[i, VZ], v[i, IM]
        sx, sy, sz, ki = v[i, SX], v[i, SY], v[i, SZ], v[i, KM]
        own, rotation = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(near.first[i], near.first[i + 1]):
            j = near.other[k]
            dx, dy, dz, rj = x[j, X] - xi, x[j, Y] - yi, x[j, Z] - zi, x[j, R]
            d2, reach = dx * dx + dy * dy + dz * dz, ri + rj
            if not d2 < reach * reach:
                if work.stretched[k]:
                    open_contact(law, mi, material[j], ri * rj / reach, near.pair[k], room, sums)
                    work.stretched[k] = False
                continue
            w_n = wi + v[j, IM]
            if w_n == 0.0:
                continue
            w_t, m = w_n + ki + v[j, KM], material[j]
            if w_n != pair.w_n or w_t != pair.w_t or mi != a or m != c:
                pair, a, c = pair_of(law, mi, m, w_n, w_t, h), mi, m
            inverse, radius = 1.0 / math.sqrt(d2), 0.0
            if law.code != LINEAR or pair.rolling > 0.0:  # a division more
                radius = ri * rj / reach
            nx, ny, nz, overlap = dx * inverse, dy * inverse, dz * inverse, reach - d2 * inverse
            ax, ay, az = sx + v[j, SX], sy + v[j, SY], sz + v[j, SZ]
            u = (v[j, VX] - vx - (ay * nz - az * ny), v[j, VY] - vy - (az * nx - ax * nz),
                 v[j, VZ] - vz - (ax * ny - ay * nx))
            at = Overlap(radius, overlap, nx, ny, nz)
            force = contact_force(law, pair, at, u, h, near.pair[k], room)
            if pair.friction > 0.0:
                work.stretched[k] = True
                turn = (force.tx, force.ty, force.tz)
                rotation = minus(rotation, turn)
                add_angular(f, j, -1.0, turn)
            push = (force.px, force.py, force.pz)
            own = minus(own, push)
            add_linear(f, j, 1.0, push)
            if pair.rolling > 0.0:
                work.stretched[k] = True
                omega = minus(angular_velocity(v, j, rj), angular_velocity(v, i, ri))
                tx, ty, tz, lost = rolling_torque(law, pair, at, force, omega, ki / (ri * ri) + v[j, KM] / (rj * rj), h,
                                                  near.pair[k], room)
                sums.rolling += lost
                rotation = minus(rotation, (tx / ri, ty / ri, tz / ri))
                add_angular(f, j, 1.0, (tx / rj, ty / rj, tz / rj))
            if rj != last_r or ri != first_r:
                last_r, first_r, per_radius = rj, ri, 1.0 / min(ri, rj)
            impacts, friction, contacts = impacts + force.impact, friction + force.friction, contacts + 1.0
            pushes += force.pushing
            overlaps, deepest = overlaps + overlap * per_radius, max(deepest, overlap * per_radius)
        add_linear(f, i, 1.0, own)
        add_angular(f, i, 1.0, rotation)
    sums.impact += impacts
    sums.friction += friction
    sums.contacts += contacts
    sums.pushing += pushes
    sums.overlap += overlaps
    sums.deepest = max(sums.deepest, deepest)


@small_kernel
def begin_slab(begin: int, end: int, slab: int, state: State, work: Workspace, h: float) -> None:
    """Drift to the middle of the first step."""
    half, x, v, middle = 0.5 * h, state.x, state.v, work.middle
    for i in range(begin, end):
        middle[i, X] = x[i, X] + half * v[i, VX]
        middle[i, Y] = x[i, Y] + half * v[i, VY]
        middle[i, Z] = x[i, Z] + half * v[i, VZ]
        middle[i, R] = x[i, R]
        for c in range(8):
            work.f[i, c] = 0.0
    pack_blocks(begin, end, slab, x, state.orientation, state.blocks)
    rotate_half(begin, end, slab, state, h)


@small_kernel
def rotate_half(begin: int, end: int, slab: int, state: State, h: float) -> None:
    """Rotate grains from the end of a step on to the middle of the next, or back with a negative h."""
    first, v = first_block(begin, slab), state.v
    for i in range(begin, end):
        request_rotation(state.x, state.orientation, state.blocks, i, begin, first, v[i, SX], v[i, SY], v[i, SZ],
                         0.5 * h)
    rotate_slab(begin, end, slab, state.blocks, 0.5 * h)


@small_kernel
def kick_slab(begin: int, end: int, slab: int, state: State, work: Workspace, loads: Loads, built_at: Floats, h: float,
              moves: Record) -> None:
    """Kick, drift to the end of the step and on to the middle of the next one, and rotate up to there."""
    x, v, middle, f, extra = state.x, state.v, work.middle, work.f, loads.extra
    half, first, (gx, gy, gz) = 0.5 * h, first_block(begin, slab), loads.gravity
    farthest, step, load_work = 0.0, 0.0, 0.0
    for i in range(begin, end):
        hw, hk = h * v[i, IM], h * v[i, KM]
        ax, ay, az = hw * f[i, VX], hw * f[i, VY], hw * f[i, VZ]
        if hw > 0.0:
            ax, ay, az = ax + h * gx, ay + h * gy, az + h * gz
        if len(extra) > 0:
            ax, ay, az = ax + extra[i, 0], ay + extra[i, 1], az + extra[i, 2]
            if hw > 0.0:
                load_work += (extra[i, 0] * (v[i, VX] + 0.5 * ax) + extra[i, 1] * (v[i, VY] + 0.5 * ay)
                              + extra[i, 2] * (v[i, VZ] + 0.5 * az)) / v[i, IM]
        vx, vy, vz = v[i, VX] + ax, v[i, VY] + ay, v[i, VZ] + az
        v[i, VX], v[i, VY], v[i, VZ] = vx, vy, vz
        sx, sy, sz = v[i, SX] + hk * f[i, SX], v[i, SY] + hk * f[i, SY], v[i, SZ] + hk * f[i, SZ]
        v[i, SX], v[i, SY], v[i, SZ] = sx, sy, sz
        for c in range(8):
            f[i, c] = 0.0
        xi, yi, zi = middle[i, X] + half * vx, middle[i, Y] + half * vy, middle[i, Z] + half * vz
        x[i, X], x[i, Y], x[i, Z] = xi, yi, zi
        xi, yi, zi = xi + half * vx, yi + half * vy, zi + half * vz
        middle[i, X], middle[i, Y], middle[i, Z] = xi, yi, zi
        xi, yi, zi = xi - built_at[i, X], yi - built_at[i, Y], zi - built_at[i, Z]
        square = xi * xi + yi * yi + zi * zi
        farthest = square if not square <= farthest else farthest
        square = (vx * vx + vy * vy + vz * vz) * h * h / (middle[i, R] * middle[i, R])
        step = square if not square <= step else step
        request_rotation(middle, state.orientation, state.blocks, i, begin, first, sx, sy, sz, h)
    moves.since_lists, moves.in_step, moves.loads = farthest, step, load_work
    rotate_slab(begin, end, slab, state.blocks, h)


@small_kernel
def clear_sums(sums: Record) -> None:
    """Sums of a slab before a step."""
    sums.impact, sums.friction, sums.rolling, sums.boundary = 0.0, 0.0, 0.0, 0.0
    sums.contacts, sums.pushing, sums.overlap, sums.deepest = 0.0, 0.0, 0.0, 0.0


@small_kernel
def add_up(sums: Records, moves: Records, totals: Floats) -> float:
    """Add what slabs have summed up in a step to the totals; returns the largest move since the lists were made [m]."""
    farthest, step = 0.0, 0.0
    for s in range(len(sums)):
        totals[rigid.IMPACT] += sums[s].impact
        totals[rigid.FRICTION] += sums[s].friction
        totals[rigid.ROLLING] += sums[s].rolling
        totals[rigid.BOUNDARY] += sums[s].boundary
        totals[rigid.CONTACTS] += sums[s].contacts
        totals[rigid.PUSHING] += sums[s].pushing
        totals[rigid.OVERLAP] += sums[s].overlap
        totals[rigid.DEEPEST] = max(totals[rigid.DEEPEST], sums[s].deepest)
        totals[LOADS] += moves[s].loads
        farthest = moves[s].since_lists if not moves[s].since_lists <= farthest else farthest
        step = moves[s].in_step if not moves[s].in_step <= step else step
    totals[rigid.STEPS] += 1.0
    relative = math.sqrt(step)
    totals[rigid.MOVE] = relative if not relative <= totals[rigid.MOVE] else totals[rigid.MOVE]
    return math.sqrt(farthest)


def _steps(count: int, t: float, h: float, state: State, near: Neighbours, validity: Validity, bounds: Boundaries,
           law: Law, loads: Loads, work: Workspace, totals: Floats) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative."""
    slabs, made = near.slabs, count
    slab_count = len(slabs) - 1
    for s in prange(slab_count):
        begin_slab(slabs[s], slabs[s + 1], s, state, work, h)
    for done in range(count):
        move_elements(bounds.home, bounds.motion, t + (done + 0.5) * h, bounds.element)
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                clear_sums(work.sums[s])
                add_boundary_forces(s, state, near, bounds, law, h, work)
                add_pair_forces(s, state, near, law, h, work)
        for s in prange(slab_count):
            kick_slab(slabs[s], slabs[s + 1], s, state, work, loads, near.built_at, h, work.moves[s])
        if is_outdated(validity, add_up(work.sums, work.moves, totals), bounds, t + (done + 1.5) * h):
            made = -done - 1
            break
    for s in prange(slab_count):
        rotate_half(slabs[s], slabs[s + 1], s, state, -h)
        unpack_blocks(slabs[s], slabs[s + 1], s, state.blocks, state.orientation)
    return made


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
