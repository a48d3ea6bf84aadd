"""Round grains in the contact problem: spheres make the local problem diagonal.

With W_n = 1/m_i + 1/m_j and W_t = W_n + κ_i/m_i + κ_j/m_j normal impulse and friction of one contact follow exactly,
friction by projection on the disc |q| ≤ μ p. `stepping` says what each function of this module is for; `bodies` has the
same functions for bodies with arms and inertia.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, Ints, Record, Records, inlined, kernel, small_kernel
from granum.base.space import displacement
from granum.base.vectors import Vector, at, cross, plus, times
from granum.contact.impulses import add_angular, add_linear
from granum.contact.problem import (
    NEAR,
    Limits,
    Problem,
    Step,
    approach_of,
    correction,
)
from granum.contact.round_grains import relative
from granum.grains.cones import limit_friction
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.geometry.motion import accelerate_elements, move_elements, moved_distance
from granum.grains.geometry.surfaces import touch
from granum.grains.orientation import (
    add_rotation,
    first_block,
    pack_blocks,
    request_rotation,
    rotate_slab,
    unpack_blocks,
)
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s
from granum.state.table import IM, KM, SX, SY, SZ, VX, VY, VZ, R, X, Y, Z


class Spheres(NamedTuple):
    """The state of round grains; in `v` and `before` rows for near boundaries follow."""

    slabs: Ints
    """Rows at which slabs begin."""
    x: Floats
    v: Floats
    before: Floats
    """Velocities at the beginning of a step."""
    lead: Floats
    """What is set aside of the velocities while the grains are moved."""
    contact_count: Int32s
    """Contacts of each grain in a step; -1 where they made energy."""
    changed: Int32s
    """The last sweep in which each row changed."""
    material: Int32s
    orientation: Floats
    blocks: Floats
    """Room for orientations, see `grains.orientation`."""
    built_at: Floats


# ---- the velocity of a contact


@inlined
def relative_velocity(state: Spheres, problem: Problem, v: Floats, c: int) -> tuple[float, float, float]:
    """The velocity of j against i at a contact, with velocities v."""
    contact = problem.contact[c]
    return relative(v, problem.i[c], problem.j[c], contact.nx, contact.ny, contact.nz)


@inlined
def surface(v: Floats, i: int, nx: float, ny: float, nz: float) -> tuple[float, float, float]:
    """Velocity of a boundary where it is touched: v + s × n of its row."""
    return (v[i, VX] + v[i, SY] * nz - v[i, SZ] * ny, v[i, VY] + v[i, SZ] * nx - v[i, SX] * nz,
            v[i, VZ] + v[i, SX] * ny - v[i, SY] * nx)


@inlined
def surface_at(v: Floats, before: Floats, i: int, part: float, nx: float, ny: float,
               nz: float) -> tuple[float, float, float]:
    """Velocity of a boundary where it is touched, at a part of the step."""
    bx, by, bz = surface(before, i, nx, ny, nz)
    ex, ey, ez = surface(v, i, nx, ny, nz)
    return bx + part * (ex - bx), by + part * (ey - by), bz + part * (ez - bz)


@inlined
def boundary_velocity(state: Spheres, problem: Problem, c: int) -> tuple[float, float, float]:
    """Velocity of the boundary of a contact where it is touched: the mean of beginning and end of the step."""
    contact = problem.contact[c]
    return surface_at(state.v, state.before, problem.i[c], 0.5, contact.nx, contact.ny, contact.nz)


# ---- rolling friction


@inlined
def radius_of(state: Spheres, i: int) -> float:
    """Radius of a row [m]: boundaries count as bodies of radius 1."""
    return state.x[i, R] if i < len(state.x) else 1.0


@inlined
def angular_velocity(state: Spheres, v: Floats, i: int) -> tuple[float, float, float]:
    """ω = s/r of a row."""
    r = radius_of(state, i)
    return v[i, SX] / r, v[i, SY] / r, v[i, SZ] / r


@inlined
def contact_radius(state: Spheres, problem: Problem, c: int) -> float:
    """The smaller radius of a contact [m]."""
    i, r = problem.i[c], state.x[problem.j[c], R]
    return min(state.x[i, R], r) if i < len(state.x) else r


@inlined
def rolling_mass(state: Spheres, problem: Problem, c: int) -> float:
    """1/W of rotation across the normal of a contact [kg m²]."""
    i, j = problem.i[c], problem.j[c]
    ri, rj = radius_of(state, i), state.x[j, R]
    return 1.0 / (state.v[i, KM] / (ri * ri) + state.v[j, KM] / (rj * rj))


@inlined
def twist(state: Spheres, i: int, j: int, tx: float, ty: float, tz: float) -> None:
    """Angular impulse T on j and -T on i."""
    v, T = state.v, (tx, ty, tz)
    add_angular(v, i, -(v[i, KM] / radius_of(state, i)), T)
    add_angular(v, j, v[j, KM] / state.x[j, R], T)


# ---- the steps of `stepping`


@small_kernel
def begin_slab(s: int, state: Spheres) -> None:
    """Before the first of many steps: orientations go into blocks."""
    pack_blocks(state.slabs[s], state.slabs[s + 1], s, state.x, state.orientation, state.blocks)


@small_kernel
def end_slab(s: int, state: Spheres) -> None:
    """After the last of them: orientations come back."""
    unpack_blocks(state.slabs[s], state.slabs[s + 1], s, state.blocks, state.orientation)


@kernel
def move_boundaries(state: Spheres, boundaries: Boundaries, t: float, h: float) -> None:
    """Boundaries as they are at time t, where a step of length h begins."""
    move_elements(boundaries.home, boundaries.motion, t, boundaries.element)
    accelerate_elements(boundaries.motion, t, h, boundaries.element)


@kernel
def boundary_move(state: Spheres, boundaries: Boundaries, limits: Limits, t: float) -> float:
    """How far a boundary has moved since the neighbour list was built, at most [m]."""
    return moved_distance(boundaries.motion, boundaries.reach, limits.extent, limits.built_t, t, boundaries.shift)


@small_kernel
def kick_slab(s: int, state: Spheres, near: Neighbours, step: Step, extra: Floats) -> None:
    """Keep the velocities of the beginning of the step and add those that gravity and loads give."""
    v, before, grains, begin, end = state.v, state.before, len(state.x), state.slabs[s], state.slabs[s + 1]
    for i in range(begin, end):
        state.contact_count[i] = state.changed[i] = 0
        for c in range(8):
            before[i, c] = v[i, c]
        add_linear(v, i, step.h, (step.gx, step.gy, step.gz))
        if len(extra) > 0:
            add_linear(v, i, 1.0, at(extra, i, X))
    for row in range(grains + near.wall_first[begin], grains + near.wall_first[end]):
        state.changed[row] = 0


@inlined
def push(v: Floats, j: int, contact: Record, P: Vector) -> Vector:
    """Impulse P on grain j at a contact; returns n × P, which turns both grains."""
    rotation = cross((contact.nx, contact.ny, contact.nz), P)
    add_linear(v, j, v[j, IM], P)
    add_angular(v, j, -v[j, KM], rotation)
    return rotation


@inlined
def push_both(state: Spheres, i: int, j: int, contact: Record, P: Vector) -> None:
    """Impulse P on j and -P on i."""
    v, rotation = state.v, push(state.v, j, contact, P)
    add_linear(v, i, -v[i, IM], P)
    add_angular(v, i, -v[i, KM], rotation)


# ---- what `gathering` asks for


@inlined
def centre_velocity(state: Spheres, i: int) -> Vector:
    """Velocity of grain i at the beginning of the step [m/s]."""
    return at(state.before, i, VX)


@inlined
def mover_of(state: Spheres, i: int) -> int:
    """The row of what moves grain i: its own."""
    return i


@inlined
def boundary_reach(state: Spheres, i: int, row: int, out: Floats, h: float) -> float:
    """Gap up to which a boundary may be met in the step [m]; `out` as `touch` wrote it."""
    v = state.v
    closing = (v[i, VX] - out[UX]) * out[NX] + (v[i, VY] - out[UY]) * out[NY] + (v[i, VZ] - out[UZ]) * out[NZ]
    return NEAR * state.x[i, R] - h * min(closing, 0.0)


@inlined
def far_apart(state: Spheres, i: int, j: int, dx: float, dy: float, dz: float, d2: float, h: float) -> bool:
    """Are grains i and j, apart by d, too far from each other to meet in the step?"""
    x, v = state.x, state.v
    limit = x[i, R] + x[j, R] + NEAR * min(x[i, R], x[j, R])
    if d2 <= limit * limit:
        return False
    closing = (v[j, VX] - v[i, VX]) * dx + (v[j, VY] - v[i, VY]) * dy + (v[j, VZ] - v[i, VZ]) * dz
    # closing/d is the approach speed; squared distances decide without a root
    return d2 > limit * limit - 2.0 * h * min(closing, 0.0)


@inlined
def set_surface(state: Spheres, row: int, contact: Record, element: Record, out: Floats) -> None:
    """The velocity of a boundary where it is touched, in its row.

    With rolling friction the surface turns with Ω: as a body of radius 1 it has s = Ω, and v such that v + s × n is the
    same.
    """
    v, before = state.v, state.before
    v[row, VX], v[row, VY], v[row, VZ] = out[UX], out[UY], out[UZ]
    if contact.arm > 0.0:
        omega, nx, ny, nz = element.angular_velocity, contact.nx, contact.ny, contact.nz
        v[row, VX] -= omega[Y] * nz - omega[Z] * ny
        v[row, VY] -= omega[Z] * nx - omega[X] * nz
        v[row, VZ] -= omega[X] * ny - omega[Y] * nx
        v[row, SX], v[row, SY], v[row, SZ] = omega[X], omega[Y], omega[Z]
    for axis in range(7):
        before[row, axis] = v[row, axis]


@inlined
def set_masses(state: Spheres, problem: Problem, c: int, grain: int, radius: float) -> None:
    """Effective masses of a contact along and across the normal."""
    v, i, j, contact = state.v, problem.i[c], problem.j[c], problem.contact[c]
    wn = v[i, IM] + v[j, IM]
    contact.mass_n, contact.mass_t = 1.0 / wn, 1.0 / (wn + v[i, KM] + v[j, KM])


@inlined
def separate(state: Spheres, problem: Problem, c: int, radius: float) -> None:
    """Correct a part of the overlap of a contact, at once: contacts gathered after it see it."""
    x, v, i, j, contact = state.x, state.v, problem.i[c], problem.j[c], problem.contact[c]
    back = correction(contact.gap, radius, contact.friction)
    if back > 0.0:
        n, share = (contact.nx, contact.ny, contact.nz), back
        contact.gap += back
        if i < len(x):
            share = back * contact.mass_n
            add_linear(x, i, -(v[i, IM] * share), n)
            share *= v[j, IM]
        add_linear(x, j, share, n)


# ---- the sweeps


class First(NamedTuple):
    """The first grain of a contact: 1/m, κ/m, velocity and r ω.

    They stay in registers while its contacts are swept, which follow each other.
    """

    a: float
    b: float
    vx: float
    vy: float
    vz: float
    sx: float
    sy: float
    sz: float


@inlined
def take(state: Spheres, i: int) -> First:
    """Row i as the first of some contacts."""
    v = state.v
    return First(v[i, IM], v[i, KM], v[i, VX], v[i, VY], v[i, VZ], v[i, SX], v[i, SY], v[i, SZ])


@inlined
def give_back(state: Spheres, i: int, first: First) -> None:
    """Write back what its contacts have changed."""
    v = state.v
    v[i, VX], v[i, VY], v[i, VZ] = first.vx, first.vy, first.vz
    v[i, SX], v[i, SY], v[i, SZ] = first.sx, first.sy, first.sz


@inlined
def solve_contact(state: Spheres, contact: Record, first: First, j: int, target: float,
                  small: float) -> tuple[First, bool]:
    """Normal impulse and friction of one contact such that u_n ≥ target.

    Returns the first grain as it is then, and whether the contact has missed its law by more than the velocity whose
    square is `small`.
    """
    v, (a, b, vx, vy, vz, sx, sy, sz) = state.v, first
    nx, ny, nz = contact.nx, contact.ny, contact.nz
    tx, ty, tz = sx + v[j, SX], sy + v[j, SY], sz + v[j, SZ]
    ux = v[j, VX] - vx - (ty * nz - tz * ny)
    uy = v[j, VY] - vy - (tz * nx - tx * nz)
    uz = v[j, VZ] - vz - (tx * ny - ty * nx)
    un = ux * nx + uy * ny + uz * nz
    p, mn, mt = contact.p, contact.mass_n, contact.mass_t
    new = p + mn * (target - un)
    new = new if new > 0.0 else 0.0
    dp = new - p
    ox, oy, oz = contact.qx, contact.qy, contact.qz
    qx, qy, qz = ox - mt * (ux - un * nx), oy - mt * (uy - un * ny), oz - mt * (uz - un * nz)
    qx, qy, qz, _ = limit_friction(qx, qy, qz, contact.friction * new)
    contact.p, contact.qx, contact.qy, contact.qz = new, qx, qy, qz
    qx, qy, qz = qx - ox, qy - oy, qz - oz
    missed = dp * dp > small * mn * mn or qx * qx + qy * qy + qz * qz > small * mt * mt
    px, py, pz = qx + dp * nx, qy + dp * ny, qz + dp * nz
    tx, ty, tz = push(v, j, contact, (px, py, pz))
    return First(a, b, vx - a * px, vy - a * py, vz - a * pz, sx - b * tx, sy - b * ty, sz - b * tz), missed


@small_kernel
def drift_slab(s: int, state: Spheres, problem: Problem, h: float) -> None:
    """Move the grains, ask for their rotations, and add what was set aside to their velocities."""
    x, v, lead, built_at, slab = state.x, state.v, state.lead, state.built_at, problem.slab[s]
    begin, end = state.slabs[s], state.slabs[s + 1]
    first, moved, step = first_block(begin, s), 0.0, 0.0
    for i in range(begin, end):
        dx, dy, dz = h * v[i, VX], h * v[i, VY], h * v[i, VZ]
        x[i, X] += dx
        x[i, Y] += dy
        x[i, Z] += dz
        mx, my, mz = displacement(built_at[i, X], built_at[i, Y], built_at[i, Z], x[i, X], x[i, Y], x[i, Z])
        square = mx * mx + my * my + mz * mz
        moved = square if not square <= moved else moved
        square = (dx * dx + dy * dy + dz * dz) / (x[i, R] * x[i, R])
        step = square if not square <= step else step
        request_rotation(x, state.orientation, state.blocks, i, begin, first, v[i, SX], v[i, SY], v[i, SZ], h)
        for c in range(8):
            v[i, c] += lead[i, c]
    slab.moved, slab.step = moved, step


@inlined
def at_time(v: Floats, before: Floats, i: int, part: float, c: int) -> float:
    """Component c of a velocity at a part of the step: forces do not change in it."""
    return before[i, c] + part * (v[i, c] - before[i, c])


@inlined
def meet(x: Floats, v: Floats, before: Floats, i: int, j: int, h: float) -> tuple[float, float, float, float]:
    """When two grains that have flown freely for a step have met, and with which normal; -1 if they have not.

    |d⁻ + w τ| = r_i + r_j with the mean relative velocity w of the step.
    """
    half = 0.5 * h
    wx = half * (v[j, VX] + before[j, VX] - v[i, VX] - before[i, VX])
    wy = half * (v[j, VY] + before[j, VY] - v[i, VY] - before[i, VY])
    wz = half * (v[j, VZ] + before[j, VZ] - v[i, VZ] - before[i, VZ])
    dx, dy, dz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
    dx, dy, dz = dx - wx, dy - wy, dz - wz
    reach = x[i, R] + x[j, R]
    b, square = dx * wx + dy * wy + dz * wz, dx * dx + dy * dy + dz * dz - reach * reach
    under = b * b - (wx * wx + wy * wy + wz * wz) * square
    part = square / (math.sqrt(under) - b) if b < 0.0 and under > 0.0 and square > 0.0 else 2.0
    if part > 1.0:
        return -1.0, 0.0, 0.0, 0.0
    return part * h, (dx + part * wx) / reach, (dy + part * wy) / reach, (dz + part * wz) / reach


@inlined
def meet_wall(x: Floats, v: Floats, before: Floats, row: int, j: int, contact: Record, h: float, element: Record,
              out: Floats) -> float:
    """When a grain that has flown freely for a step has met a boundary; -1 if it has not. `out` has the normal there.

    gap + u τ + a τ²/2 = 0 along the normal of the beginning, then a step of Newton where the boundary is curved.
    """
    nx, ny, nz, gap = contact.nx, contact.ny, contact.nz, contact.gap
    ux, uy, uz = relative(v, row, j, nx, ny, nz)
    ox, oy, oz = relative(before, row, j, nx, ny, nz)
    un, end = ox * nx + oy * ny + oz * nz, ux * nx + uy * ny + uz * nz
    a = (end - un) / h
    under = un * un - 2.0 * a * gap
    if under <= 0.0 or gap + 0.5 * h * (un + end) >= 0.0:
        return -1.0
    t = 2.0 * gap / (math.sqrt(under) - un)
    rest, part = h - t, 0.5 * (h + t) / h
    # back from the end of the step with the mean velocity of the rest, and less what the boundary moves until then
    sx, sy, sz = surface_at(v, before, row, 0.5 * t / h, nx, ny, nz)
    px = x[j, X] - rest * at_time(v, before, j, part, VX) - t * sx
    py = x[j, Y] - rest * at_time(v, before, j, part, VY) - t * sy
    pz = x[j, Z] - rest * at_time(v, before, j, part, VZ) - t * sz
    left = touch(element, px, py, pz, out) - x[j, R]
    t = min(max(t + left / math.sqrt(under), 0.0), h)
    if element.accelerates:
        n = (out[NX], out[NY], out[NZ])
        turned = cross((element.turning[X], element.turning[Y], element.turning[Z]), n)
        nx, ny, nz = plus(n, times(t, turned))
        scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        out[NX], out[NY], out[NZ] = scale * nx, scale * ny, scale * nz
    return t


@small_kernel
def bounce_slab(s: int, state: Spheres, near: Neighbours, elements: Records, problem: Problem, step: Step) -> None:
    """Impacts of grains that touch nothing else in the step, at their own instant τ; then rotations of the step.

    Both have flown freely through the whole step. An impulse P at τ changes velocities by P/m and positions by
    (h - τ) P/m. Where the rebound would not outlast the step, the grain ends at the boundary with its speed of rebound.
    """
    x, v, before, slab, out, h = state.x, state.v, state.before, problem.slab[s], problem.out[s], step.h
    begin, last_row, impact, friction, boundary = state.slabs[s], state.slabs[s + 1], 0.0, 0.0, 0.0
    for index in range(slab.begin, slab.single):
        c = problem.chosen[index]
        i, j, k, contact = problem.i[c], problem.j[c], problem.slot[c], problem.contact[c]
        if k >= 0:
            t, nx, ny, nz = meet(x, v, before, i, j, h)
        else:
            t = meet_wall(x, v, before, i, j, contact, h, elements[near.wall_element[-1 - k]], out)
            nx, ny, nz = out[NX], out[NY], out[NZ]
        left, part = h - t, t / h
        ex, ey, ez = relative(v, i, j, nx, ny, nz)
        ox, oy, oz = relative(before, i, j, nx, ny, nz)
        ux, uy, uz = ox + part * (ex - ox), oy + part * (ey - oy), oz + part * (ez - oz)
        un = ux * nx + uy * ny + uz * nz
        if t < 0.0 or un >= 0.0:
            continue
        e = -contact.target / approach_of(contact) if un < -step.slow else 0.0
        mn, mt = contact.mass_n, contact.mass_t
        p = -(1.0 + e) * un * mn
        qx, qy, qz = -mt * (ux - un * nx), -mt * (uy - un * ny), -mt * (uz - un * nz)
        qx, qy, qz, _ = limit_friction(qx, qy, qz, contact.friction * p)
        impact += 0.5 * p * (1.0 - e) * un
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        # u_t after the impact is u_t + W_t q
        friction += qx * ux + qy * uy + qz * uz + 0.5 * (qx * qx + qy * qy + qz * qz) / mt
        # what presses on during the rest of the step
        a = ((ex - ox) * nx + (ey - oy) * ny + (ez - oz) * nz) / h
        lag = -e * un * left + 0.5 * a * left * left
        hold = -a * left * mn if lag < 0.0 else 0.0
        shift = -lag * mn if lag < 0.0 else 0.0
        if k < 0:
            sx, sy, sz = surface_at(v, before, i, part, nx, ny, nz)
            boundary += (fx + hold * nx) * sx + (fy + hold * ny) * sy + (fz + hold * nz) * sz
        contact.nx, contact.ny, contact.nz, contact.p = nx, ny, nz, p + hold
        contact.qx, contact.qy, contact.qz = qx, qy, qz
        tx, ty, tz = ny * qz - nz * qy, nz * qx - nx * qz, nx * qy - ny * qx
        for side in range(2):
            b = j if side == 0 else i
            if v[b, IM] == 0.0:
                continue
            sign = 1.0 if side == 0 else -1.0
            im, km = sign * v[b, IM], v[b, KM]
            add_linear(x, b, im, (left * fx + shift * nx, left * fy + shift * ny, left * fz + shift * nz))
            add_linear(v, b, im, (fx + hold * nx, fy + hold * ny, fz + hold * nz))
            add_angular(v, b, -km, (tx, ty, tz))
            own = b < last_row
            row, at = begin if own else last_row, s if own else s + 1
            add_rotation(x, state.orientation, state.blocks, b, row, first_block(row, at), -km * tx, -km * ty,
                         -km * tz, left, h)
    slab.single_impact, slab.single_friction, slab.single_boundary = impact, friction, boundary


@small_kernel
def rotate_bodies(s: int, state: Spheres, h: float) -> None:
    """Rotate the grains of a slab, as was asked for: impacts of two slabs may have added to a rotation."""
    rotate_slab(state.slabs[s], state.slabs[s + 1], s, state.blocks, h)


@small_kernel
def finish_slab(s: int, state: Spheres, extra: Floats) -> None:
    """After the sweeps: nothing."""


# ---- round grains have no joints


@small_kernel
def sweeps_before_move(joints: tuple[()]) -> int:
    """How often contacts are swept before the move."""
    return 1


@small_kernel
def begin_joints(joints: tuple[()], state: Spheres, t: float, h: float) -> None:
    """Nothing."""


@small_kernel
def shift_joints(joints: tuple[()], state: Spheres) -> None:
    """Nothing."""


@small_kernel
def close_joints(joints: tuple[()], state: Spheres) -> None:
    """Nothing."""


@small_kernel
def relax_joints(joints: tuple[()], state: Spheres, sweep: int, small: float) -> int:
    """Nothing."""
    return 0


@small_kernel
def remember_joints(joints: tuple[()]) -> None:
    """Nothing."""


@small_kernel
def extrapolate_joints(joints: tuple[()], beta: float) -> None:
    """Nothing."""


@small_kernel
def account_joints(joints: tuple[()], state: Spheres, h: float) -> None:
    """Nothing."""


@small_kernel
def joined(joints: tuple[()]) -> bool:
    """No joint carries a change on."""
    return False
