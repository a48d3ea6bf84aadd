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

from granum.base.kernels import Floats, Record, Records, kernel, parallel_kernel, small_kernel
from granum.base.space import displacement
from granum.contact import totals as rigid
from granum.contact.penalty.forces import Law
from granum.contact.penalty.gathering import State, Workspace, add_boundary_forces, add_pair_forces
from granum.contact.validity import Validity, is_outdated
from granum.grains.geometry.elements import Boundaries
from granum.grains.geometry.motion import move_elements
from granum.grains.orientation import first_block, pack_blocks, request_rotation, rotate_slab, unpack_blocks
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import IM, KM, SX, SY, SZ, VX, VY, VZ, R, X, Y, Z

prange = numba.prange

SLAB_MOVES = np.dtype({"names": ["since_lists", "in_step", "loads"], "formats": 3 * [float], "itemsize": 64})
"""Of a slab: the largest squared move since the lists were made, in the middle of the next step [m²]; the largest
squared move of a step relative to the radius; the work of loads [J]."""
LOADS = rigid.TOTALS
"""Total beyond those of `rigid`: the work of loads over the whole step [J]."""
TOTALS = rigid.TOTALS + 1


class Loads(NamedTuple):
    """What acts besides contacts."""

    gravity: Floats
    extra: Floats
    """(grains, 3) velocities that loads add in a step, or an empty array."""


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
        xi, yi, zi = displacement(built_at[i, X], built_at[i, Y], built_at[i, Z], xi, yi, zi)
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
