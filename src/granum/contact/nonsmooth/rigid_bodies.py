"""Bodies with arms and inertia in the contact problem: the local problem is a matrix of 3 × 3.

The scheme is that of `stepping`; the functions are those of `spheres`. With arms r from the mass centres an impulse P
at a contact changes its relative velocity by W P,

    W = (1/m_i + 1/m_j) 1 + [r_i]ᵀ I_i⁻¹ [r_i] + [r_j]ᵀ I_j⁻¹ [r_j],

which couples normal and friction. A contact that sticks is solved exactly by W⁻¹; one that would leave Coulomb's cone
takes its normal impulse first, then friction by projection with the largest eigenvalue of W across the normal, bounded
by its trace there.

Arms and inertia are those of the beginning of the step for all sweeps, so that the work of an impulse over the step is
P·(u⁻ + u⁺)/2 exactly. Overlaps are corrected by moves of bodies that include rotation; they are gathered in `shift` and
made with the drift. A body that joints hold takes part in the impacts of the step as a whole: only free bodies have
impacts at their own instant, with the arms of the beginning of the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, Record, Records, inlined, kernel, small_kernel
from granum.base.pointers import call_rates
from granum.base.space import displacement
from granum.base.vectors import Vector, at, cross, put, times
from granum.contact.bodies.jointed import (
    ACCOUNT,
    BEGIN,
    BETA,
    CLOSE,
    EXTRAPOLATE,
    PHASE,
    RELAX,
    REMEMBER,
    SHIFT,
    SMALL,
    STEP,
    SWEEP,
    JointCalls,
)
from granum.contact.impulses import add_angular, add_linear
from granum.contact.problem import (
    NEAR,
    SLOP,
    Limits,
    Problem,
    Step,
    approach_of,
    correction,
)
from granum.grains.cones import limit_friction
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.geometry.motion import (
    accelerate_elements,
    carried_distance,
    carry_elements,
    move_elements,
    moved_distance,
)
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s
from granum.state.rotation import (
    mean_angular_velocity,
    pose_body,
    rotate_inertia,
    rotate_pose,
    rotated,
    rotation_of,
)
from granum.state.rotation import times as multiply
from granum.state.table import (
    AXES,
    DOUBLE_TURNS,
    IM,
    INVERSE,
    QA,
    QB,
    QC,
    QD,
    STRIDE,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    R,
    X,
    Y,
    Z,
)

BODY_CONTACT = np.dtype([(name, np.float64) for name in (
    "nx", "ny", "nz", "gap", "friction", "target", "mass_n", "mass_t",  # as in CONTACT
    "p", "qx", "qy", "qz",
    "ix", "iy", "iz", "jx", "jy", "jz",  # arms from the mass centres of i and j [m]
    "xx", "yy", "zz", "xy", "xz", "yz",  # W⁻¹ [kg]
    "ux", "uy", "uz", "arm",
    "radius",  # the smaller one [m]
    "rolling_mass",  # 1/W of rotation [kg m²]
    "unused", "last",  # to the end of the fourth cache line
)], align=True)
"""A contact of bodies: CONTACT with arms and the matrix of its problem. The sweeps read and write three cache lines."""
ROUNDS, EXACT = 50, 1e-26
"""Rounds in which the impulse of a single impact is found, and the squared velocity it may miss, relative to that of
the approach."""
CLOSINGS = 4
"""Sweeps before the move where there are joints, which pass impulses on to bodies that were swept before."""


class Bodies(NamedTuple):
    """The state of bodies and of their parts; in `v` and `before` rows for near boundaries follow."""

    slabs: Ints
    """Bodies at which slabs begin."""
    pose: Floats
    v: Floats
    """(bodies and boundaries, 16): what `Bodies.motion` has."""
    before: Floats
    """Velocities and orientation (columns 8-11) at the beginning of a step."""
    lead: Floats
    """What is set aside of the velocities while the bodies are moved."""
    contact_count: Int32s
    """Contacts of each body in a step; -1 where they made energy."""
    changed: Int32s
    """The last sweep in which each row changed."""
    inertia: Floats
    shift: Floats
    """Moves against overlaps, as velocities [m, rad]."""
    part: Ints
    """Rows at which the parts of each body begin."""
    x: Floats
    part_v: Floats
    arm: Floats
    body: Int32s
    material: Int32s
    built_at: Floats
    built_pose: Floats
    after: Floats
    """(parts, 3): velocities at the end of the step of the points where loads push; written if they do."""


# ---- the velocity of a contact


@inlined
def push(v: Floats, i: int, arm: Vector, P: Vector, out: Floats) -> None:
    """What an impulse P on body i at an arm gives to its velocities, added to `out`: velocities or moves."""
    x, y, z = cross(arm, P)
    add_linear(out, i, v[i, IM], P)
    add_angular(out, i, 1.0, multiply(v, i, INVERSE, x, y, z))


@inlined
def push_apart(v: Floats, i: int, j: int, contact: Record, P: Vector, out: Floats) -> None:
    """P on j and -P on i, at their arms, as `push` does."""
    push(v, j, (contact.jx, contact.jy, contact.jz), P, out)
    push(v, i, (contact.ix, contact.iy, contact.iz), times(-1.0, P), out)


@inlined
def push_both(state: Bodies, i: int, j: int, contact: Record, P: Vector) -> None:
    """Impulse P on j and -P on i, at their arms."""
    push_apart(state.v, i, j, contact, P, state.v)


@inlined
def velocity(v: Floats, i: int, rx: float, ry: float, rz: float) -> tuple[float, float, float]:
    """v + ω × r of body i."""
    wx, wy, wz = v[i, WX], v[i, WY], v[i, WZ]
    return v[i, VX] + wy * rz - wz * ry, v[i, VY] + wz * rx - wx * rz, v[i, VZ] + wx * ry - wy * rx


@inlined
def against(v: Floats, i: int, j: int, contact: Record) -> tuple[float, float, float]:
    """u = v_j + ω_j × r_j - v_i - ω_i × r_i, the velocity of j against i where they touch."""
    ax, ay, az = velocity(v, i, contact.ix, contact.iy, contact.iz)
    bx, by, bz = velocity(v, j, contact.jx, contact.jy, contact.jz)
    return bx - ax, by - ay, bz - az


@inlined
def relative_velocity(state: Bodies, problem: Problem, v: Floats, c: int) -> tuple[float, float, float]:
    """The velocity of j against i at a contact, with velocities v."""
    return against(v, problem.i[c], problem.j[c], problem.contact[c])


@inlined
def boundary_velocity(state: Bodies, problem: Problem, c: int) -> tuple[float, float, float]:
    """Velocity of the boundary of a contact where it is touched: the mean of beginning and end of the step."""
    return at_part(state.v, state.before, problem.i[c], 0.5)


@inlined
def at_part(v: Floats, before: Floats, i: int, part: float) -> tuple[float, float, float]:
    """Velocity of a boundary that belongs to no body, at a part of the step."""
    x, y, z = before[i, VX], before[i, VY], before[i, VZ]
    return x + part * (v[i, VX] - x), y + part * (v[i, VY] - y), z + part * (v[i, VZ] - z)


# ---- rolling friction


@inlined
def angular_velocity(state: Bodies, v: Floats, i: int) -> tuple[float, float, float]:
    """ω of a row."""
    return v[i, WX], v[i, WY], v[i, WZ]


@inlined
def contact_radius(state: Bodies, problem: Problem, c: int) -> float:
    """The smaller radius of a contact [m]."""
    return problem.contact[c].radius


@inlined
def rolling_mass(state: Bodies, problem: Problem, c: int) -> float:
    """1/W of rotation [kg m²]."""
    return problem.contact[c].rolling_mass


@inlined
def twist(state: Bodies, i: int, j: int, tx: float, ty: float, tz: float) -> None:
    """Angular impulse T on j and -T on i."""
    v = state.v
    add_angular(v, j, 1.0, multiply(v, j, INVERSE, tx, ty, tz))
    add_angular(v, i, -1.0, multiply(v, i, INVERSE, tx, ty, tz))


# ---- the steps of `stepping`


@small_kernel
def begin_slab(s: int, state: Bodies) -> None:
    """Before the first of many steps: nothing."""


@small_kernel
def end_slab(s: int, state: Bodies) -> None:
    """After the last of them: nothing."""


@kernel
def move_boundaries(state: Bodies, boundaries: Boundaries, t: float, h: float) -> None:
    """Boundaries as they are at time t, where a step of length h begins; those of bodies where these are."""
    move_elements(boundaries.home, boundaries.motion, t, boundaries.element)
    accelerate_elements(boundaries.motion, t, h, boundaries.element)
    carry_elements(boundaries.own, boundaries.body, state.pose, boundaries.element)


@kernel
def boundary_move(state: Bodies, boundaries: Boundaries, limits: Limits, t: float) -> float:
    """How far a boundary has moved since the neighbour list was built, at most [m]."""
    moved = moved_distance(boundaries.motion, boundaries.reach, limits.extent, limits.built_t, t, boundaries.shift)
    return max(moved, carried_distance(boundaries.body, boundaries.span, limits.extent, state.built_pose, state.pose))


@small_kernel
def kick_slab(s: int, state: Bodies, near: Neighbours, step: Step, extra: Floats) -> None:
    """Keep velocities and orientation of the beginning of the step; add the velocities that gravity and loads give.

    Loads push at the centres of parts: `extra` are the velocities they would give to a grain of its share.
    """
    pose, v, before, shift, x, after = state.pose, state.v, state.before, state.shift, state.x, state.after
    begin, end, bodies, h = state.slabs[s], state.slabs[s + 1], len(pose), step.h
    for i in range(begin, end):
        state.contact_count[i] = state.changed[i] = 0
        for c in range(7):
            before[i, c] = v[i, c]
            shift[i, c] = 0.0
        for c in range(4):
            before[i, AXES + c] = pose[i, QA + c]
        add_linear(v, i, h, (step.gx, step.gy, step.gz))
        speed = math.sqrt(v[i, VX] ** 2 + v[i, VY] ** 2 + v[i, VZ] ** 2)
        omega = math.sqrt(v[i, WX] ** 2 + v[i, WY] ** 2 + v[i, WZ] ** 2)
        v[i, STRIDE] = h * (speed + pose[i, R] * omega)
    for row in range(bodies + near.wall_first[near.slabs[s]], bodies + near.wall_first[near.slabs[s + 1]]):
        state.changed[row] = 0
    if len(extra) > 0:
        for i in range(begin, end):
            for k in range(state.part[i], state.part[i + 1]):
                arm = displacement(pose[i, X], pose[i, Y], pose[i, Z], x[k, X], x[k, Y], x[k, Z])
                put(after, k, X, arm)
                push(v, i, arm, times(1.0 / state.part_v[k, IM], at(extra, k, X)), v)


# ---- what `gathering` asks for


@inlined
def admit(v: Floats, i: int, rx: float, ry: float, rz: float, xx: float, yy: float, zz: float, xy: float,
          xz: float, yz: float) -> tuple[float, float, float, float, float, float]:
    """Add 1/m + [r]ᵀ I⁻¹ [r] of body i to a symmetric matrix; column k of [r] is r × e_k."""
    kxx, kyy, kzz = v[i, INVERSE], v[i, INVERSE + 1], v[i, INVERSE + 2]
    kxy, kxz, kyz = v[i, INVERSE + 3], v[i, INVERSE + 4], v[i, INVERSE + 5]
    ay, az = kyy * rz - kyz * ry, kyz * rz - kzz * ry
    bx, by, bz = kxz * rx - kxx * rz, kyz * rx - kxy * rz, kzz * rx - kxz * rz
    cx, cy, cz = kxx * ry - kxy * rx, kxy * ry - kyy * rx, kxz * ry - kyz * rx
    a = v[i, IM]
    return (xx + a + rz * ay - ry * az, yy + a - rz * bx + rx * bz, zz + a + ry * cx - rx * cy,
            xy + rz * by - ry * bz, xz + rz * cy - ry * cz, yz - rz * cx + rx * cz)


@inlined
def centre_velocity(state: Bodies, i: int) -> Vector:
    """Velocity of the centre of part i at the beginning of the step [m/s]."""
    pose, x, body = state.pose, state.x, state.body[i]
    rx, ry, rz = displacement(pose[body, X], pose[body, Y], pose[body, Z], x[i, X], x[i, Y], x[i, Z])
    return velocity(state.before, body, rx, ry, rz)


@inlined
def mover_of(state: Bodies, i: int) -> int:
    """The row of what moves part i: its body."""
    return state.body[i]


@inlined
def boundary_reach(state: Bodies, i: int, row: int, out: Floats, h: float) -> float:
    """Gap up to which a boundary may be met in the step [m]; `out` as `touch` wrote it."""
    v = state.v
    most = NEAR * state.x[i, R] + v[state.body[i], STRIDE]
    if row < len(state.pose):
        return most + v[row, STRIDE]
    return most + -h * min(out[UX] * out[NX] + out[UY] * out[NY] + out[UZ] * out[NZ], 0.0)


@inlined
def far_apart(state: Bodies, i: int, j: int, dx: float, dy: float, dz: float, d2: float, h: float) -> bool:
    """Are parts i and j, apart by d, farther from each other than both can move in the step?"""
    x, v, body = state.x, state.v, state.body
    limit = x[i, R] + x[j, R] + (NEAR * x[i, R] + v[body[i], STRIDE]) + v[body[j], STRIDE]
    return d2 > limit * limit


@inlined
def set_surface(state: Bodies, row: int, contact: Record, element: Record, out: Floats) -> None:
    """The velocity of a boundary where it is touched, in its row; it turns where there is rolling friction."""
    v, before = state.v, state.before
    for axis in range(3):
        v[row, VX + axis] = before[row, VX + axis] = out[UX + axis]
        v[row, WX + axis] = before[row, WX + axis] = element.angular_velocity[axis] if contact.arm > 0.0 else 0.0


@inlined
def set_arms(state: Bodies, problem: Problem, c: int, part: int) -> None:
    """Arms of a contact from the mass centres of its bodies.

    At a boundary the contact is where the part touches it; between parts both arms end in the middle of gap or overlap,
    where normal forces of both act on one line.
    """
    contact, pose, x, at_boundary = problem.contact[c], state.pose, state.x, problem.slot[c] < 0
    own, other = (problem.j[c], problem.i[c]) if at_boundary else (problem.i[c], problem.j[c])
    at = -x[part, R] if at_boundary else x[part, R] + 0.5 * contact.gap
    dx, dy, dz = at * contact.nx, at * contact.ny, at * contact.nz
    ax, ay, az = displacement(pose[own, X], pose[own, Y], pose[own, Z], x[part, X], x[part, Y], x[part, Z])
    ax, ay, az = ax + dx, ay + dy, az + dz
    bx = by = bz = 0.0
    if other < len(pose):
        bx, by, bz = displacement(pose[other, X], pose[other, Y], pose[other, Z], x[part, X] + dx, x[part, Y] + dy,
                                  x[part, Z] + dz)
    if at_boundary:
        ax, ay, az, bx, by, bz = bx, by, bz, ax, ay, az
    contact.ix, contact.iy, contact.iz, contact.jx, contact.jy, contact.jz = ax, ay, az, bx, by, bz


@inlined
def set_masses(state: Bodies, problem: Problem, c: int, part: int, radius: float) -> None:
    """Arms, effective masses and W⁻¹ of a contact of a part; `radius` is the smaller one."""
    set_arms(state, problem, c, part)
    v, i, j, contact = state.v, problem.i[c], problem.j[c], problem.contact[c]
    nx, ny, nz = contact.nx, contact.ny, contact.nz
    xx, yy, zz, xy, xz, yz = admit(v, i, contact.ix, contact.iy, contact.iz, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    xx, yy, zz, xy, xz, yz = admit(v, j, contact.jx, contact.jy, contact.jz, xx, yy, zz, xy, xz, yz)
    wn = nx * (xx * nx + 2.0 * (xy * ny + xz * nz)) + ny * (yy * ny + 2.0 * yz * nz) + zz * nz * nz
    contact.mass_n = 1.0 / wn
    contact.mass_t = 1.0 / (xx + yy + zz - wn - v[i, IM] - v[j, IM])
    contact.radius = radius
    if contact.arm > 0.0:
        contact.rolling_mass = 1.0 / (v[i, INVERSE] + v[i, INVERSE + 1] + v[i, INVERSE + 2]
                                    + v[j, INVERSE] + v[j, INVERSE + 1] + v[j, INVERSE + 2])
    a, b, d = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * d)
    contact.xx, contact.xy, contact.xz = scale * a, scale * b, scale * d
    contact.yy, contact.yz = scale * (xx * zz - xz * xz), scale * (xy * xz - xx * yz)
    contact.zz = scale * (xx * yy - xy * xy)


@inlined
def separate(state: Bodies, problem: Problem, c: int, radius: float) -> None:
    """Correct a part of the overlap of a contact that earlier ones have left, with the drift."""
    contact, v, shift = problem.contact[c], state.v, state.shift
    if contact.gap > -SLOP * radius:
        return
    i, j, nx, ny, nz = problem.i[c], problem.j[c], contact.nx, contact.ny, contact.nz
    ux, uy, uz = against(shift, i, j, contact)
    gap = contact.gap + ux * nx + uy * ny + uz * nz
    back = correction(gap, radius, contact.friction)
    if back > 0.0:
        push_apart(v, i, j, contact, times(back * contact.mass_n, (nx, ny, nz)), shift)
        gap += back
    contact.gap = gap


# ---- the sweeps


@inlined
def take(state: Bodies, i: int) -> int:
    """Row i as the first of some contacts, which `spheres` keeps in registers."""
    return i


@inlined
def give_back(state: Bodies, i: int, first: int) -> None:
    """Nothing: its velocities are where they belong."""


@inlined
def solve_contact(state: Bodies, contact: Record, i: int, j: int, target: float,
                  small: float) -> tuple[int, bool]:
    """Normal impulse and friction of one contact such that u_n ≥ target.

    Returns i, and whether the contact has missed its law by more than the velocity whose square is `small`.
    """
    v, nx, ny, nz = state.v, contact.nx, contact.ny, contact.nz
    ux, uy, uz = against(v, i, j, contact)
    p, mu, mn, mt = contact.p, contact.friction, contact.mass_n, contact.mass_t
    ox, oy, oz = contact.qx, contact.qy, contact.qz
    ex, ey, ez = target * nx - ux, target * ny - uy, target * nz - uz
    dx = contact.xx * ex + contact.xy * ey + contact.xz * ez
    dy = contact.xy * ex + contact.yy * ey + contact.yz * ez
    dz = contact.xz * ex + contact.yz * ey + contact.zz * ez
    px, py, pz = p * nx + ox + dx, p * ny + oy + dy, p * nz + oz + dz
    new = px * nx + py * ny + pz * nz
    qx, qy, qz = px - new * nx, py - new * ny, pz - new * nz
    limit = mu * new
    if new < 0.0 or qx * qx + qy * qy + qz * qz > limit * limit:
        new = p - mn * (ux * nx + uy * ny + uz * nz - target)
        new = new if new > 0.0 else 0.0
        dp = new - p
        qx, qy, qz = 0.0, 0.0, 0.0
        if mu > 0.0 and new > 0.0:
            push_both(state, i, j, contact, (dp * nx, dp * ny, dp * nz))
            ux, uy, uz = against(v, i, j, contact)
            un = ux * nx + uy * ny + uz * nz
            qx, qy, qz = ox - mt * (ux - un * nx), oy - mt * (uy - un * ny), oz - mt * (uz - un * nz)
            qx, qy, qz, _ = limit_friction(qx, qy, qz, mu * new)
            dp = 0.0
        dx, dy, dz = dp * nx + qx - ox, dp * ny + qy - oy, dp * nz + qz - oz
    contact.p, contact.qx, contact.qy, contact.qz = new, qx, qy, qz
    push_both(state, i, j, contact, (dx, dy, dz))
    px, py, pz = (new - p) * nx + qx - ox, (new - p) * ny + qy - oy, (new - p) * nz + qz - oz
    return i, px * px + py * py + pz * pz > small * mn * mn


@small_kernel
def drift_slab(s: int, state: Bodies, problem: Problem, h: float) -> None:
    """Move and rotate the bodies, put their parts in place, and add what was set aside to their velocities."""
    pose, v, lead, shift, x, built_at = state.pose, state.v, state.lead, state.shift, state.x, state.built_at
    inertia, part, slab, moved, largest = state.inertia, state.part, problem.slab[s], 0.0, 0.0
    for i in range(state.slabs[s], state.slabs[s + 1]):
        dx, dy, dz = h * v[i, VX] + shift[i, VX], h * v[i, VY] + shift[i, VY], h * v[i, VZ] + shift[i, VZ]
        add_linear(pose, i, 1.0, (dx, dy, dz))
        a, b, c, d = pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]
        wx, wy, wz = rotated(a, -b, -c, -d, v[i, WX], v[i, WY], v[i, WZ])
        lx, ly, lz = multiply(inertia, i, 0, wx, wy, wz)
        wx, wy, wz = mean_angular_velocity(inertia, i, lx, ly, lz, h)
        wx, wy, wz = rotated(a, b, c, d, wx, wy, wz)
        rotate_body(pose, v, i, h * wx, h * wy, h * wz)
        if shift[i, WX] != 0.0 or shift[i, WY] != 0.0 or shift[i, WZ] != 0.0:
            rotate_body(pose, v, i, shift[i, WX], shift[i, WY], shift[i, WZ])
        pose_body(pose, i, part[i], part[i + 1], state.arm, x)
        for k in range(part[i], part[i + 1]):
            mx, my, mz = displacement(built_at[k, X], built_at[k, Y], built_at[k, Z], x[k, X], x[k, Y], x[k, Z])
            square = mx * mx + my * my + mz * mz
            moved = square if not square <= moved else moved
        square = (dx * dx + dy * dy + dz * dz) / (pose[i, R] * pose[i, R])
        if part[i + 1] > part[i] and not square <= largest:
            largest = square
        for k in range(7):
            v[i, k] += lead[i, k]
    slab.moved, slab.step = moved, largest


@inlined
def rotate_body(pose: Floats, v: Floats, i: int, x: float, y: float, z: float) -> None:
    """Rotate body i by a small vector [rad], and count full turns in 2-D."""
    a, d = pose[i, QA], pose[i, QD]
    rotate_pose(pose, i, x, y, z, pose)
    if a < 0.0 and pose[i, QA] < 0.0:  # in 2-D half the angle may have passed π
        v[i, DOUBLE_TURNS] += (1.0 if pose[i, QD] < 0.0 else 0.0) - (1.0 if d < 0.0 else 0.0)


@small_kernel
def bounce_slab(s: int, state: Bodies, near: Neighbours, elements: Records, problem: Problem, step: Step) -> None:
    """Impacts of free bodies that touch nothing else in the step, at their own instant τ.

    Along the normal gap + u τ + a τ²/2 = 0. The impulse P at τ changes velocities at once, and positions and
    orientations by (h - τ) times that. Where the rebound would not outlast the step, the bodies end in contact, with
    the speed of the rebound.
    """
    v, before, slab, h, bodies = state.v, state.before, problem.slab[s], step.h, len(state.pose)
    impact, friction, boundary = 0.0, 0.0, 0.0
    for index in range(slab.begin, slab.single):
        c = problem.chosen[index]
        i, j, contact = problem.i[c], problem.j[c], problem.contact[c]
        gap, nx, ny, nz = contact.gap, contact.nx, contact.ny, contact.nz
        ex, ey, ez = against(v, i, j, contact)
        ox, oy, oz = against(before, i, j, contact)
        un = ox * nx + oy * ny + oz * nz
        a = (ex * nx + ey * ny + ez * nz - un) / h
        under = un * un - 2.0 * a * gap
        if under <= step.slow * step.slow or gap + h * (un + 0.5 * h * a) >= 0.0:
            continue
        speed = math.sqrt(under)
        t = 2.0 * gap / (speed - un)
        e, left, w = -contact.target / approach_of(contact), h - t, t / h
        lag = e * speed * left + 0.5 * a * left * left
        rests = lag < 0.0
        target = e * speed if rests else e * speed + a * left
        for _ in range(ROUNDS):  # sliding friction couples back to the normal
            if not solve_contact(state, contact, i, j, target, EXACT * under)[1]:
                break
        p, qx, qy, qz = contact.p, contact.qx, contact.qy, contact.qz
        dx, dy, dz = against(v, i, j, contact)
        dx, dy, dz = dx - ex, dy - ey, dz - ez
        impact -= 0.5 * (p + a * left * contact.mass_n if rests else p) * (1.0 - e) * speed
        friction += (qx * (ox + w * (ex - ox) + 0.5 * dx) + qy * (oy + w * (ey - oy) + 0.5 * dy)
                     + qz * (oz + w * (ez - oz) + 0.5 * dz))
        if i >= bodies:
            sx, sy, sz = at_part(v, before, i, w)
            boundary += (p * nx + qx) * sx + (p * ny + qy) * sy + (p * nz + qz) * sz
        # with the contact closed at the end of the step, the normal displacement is what takes the gap back
        along = (-gap / h - un - 0.5 * a * h) * contact.mass_n * h if rests else left * p
        px, py, pz = along * nx + left * qx, along * ny + left * qy, along * nz + left * qz
        displace(state, j, (contact.jx, contact.jy, contact.jz), (px, py, pz))
        if i < bodies:
            displace(state, i, (contact.ix, contact.iy, contact.iz), (-px, -py, -pz))
    slab.single_impact, slab.single_friction, slab.single_boundary = impact, friction, boundary


@small_kernel
def displace(state: Bodies, i: int, arm: Vector, P: Vector) -> None:
    """Move and rotate body i with its parts by what an impulse P at an arm, times a time, gives."""
    pose, v = state.pose, state.v
    add_linear(pose, i, v[i, IM], P)
    x, y, z = cross(arm, P)
    wx, wy, wz = multiply(v, i, INVERSE, x, y, z)
    rotate_body(pose, v, i, wx, wy, wz)
    pose_body(pose, i, state.part[i], state.part[i + 1], state.arm, state.x)


@small_kernel
def rotate_bodies(s: int, state: Bodies, h: float) -> None:
    """Rotations after impacts: they are made."""


@small_kernel
def finish_slab(s: int, state: Bodies, extra: Floats) -> None:
    """Velocities where loads pushed; inertia and angular velocity rotate with the bodies, momentum kept."""
    pose, inertia, v, before, after = state.pose, state.inertia, state.v, state.before, state.after
    for i in range(state.slabs[s], state.slabs[s + 1]):
        if len(extra) > 0:
            for k in range(state.part[i], state.part[i + 1]):
                put(after, k, X, velocity(v, i, after[k, X], after[k, Y], after[k, Z]))
        # momentum by the inertia that the impulses of this step met
        a, b, c, d = before[i, AXES], before[i, AXES + 1], before[i, AXES + 2], before[i, AXES + 3]
        wx, wy, wz = rotated(a, -b, -c, -d, v[i, WX], v[i, WY], v[i, WZ])
        lx, ly, lz = multiply(inertia, i, 0, wx, wy, wz)
        lx, ly, lz = rotated(a, b, c, d, lx, ly, lz)
        rotate_inertia(inertia, v, i, rotation_of(pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]))
        v[i, WX], v[i, WY], v[i, WZ] = multiply(v, i, INVERSE, lx, ly, lz)


# ---- joints


@inlined
def joined(joints: JointCalls) -> bool:
    """Are there joints, which carry a change to bodies whose contacts are not swept?"""
    return joints.program != 0


@inlined
def _call(joints: JointCalls, phase: int, t: float) -> int:
    """One phase of a step, where there are joints."""
    if not joined(joints):
        return 0
    joints.numbers[PHASE] = phase
    return call_rates(joints.program, t, joints.numbers, joints.numbers, joints.moving)


@inlined
def sweeps_before_move(joints: JointCalls) -> int:
    """How often contacts are swept before the move."""
    return CLOSINGS if joined(joints) else 1


@inlined
def begin_joints(joints: JointCalls, state: Bodies, t: float, h: float) -> None:
    """Joints and loads where the step begins."""
    joints.numbers[STEP] = h
    _call(joints, BEGIN, t)


@inlined
def shift_joints(joints: JointCalls, state: Bodies) -> None:
    """Moves that take back the errors of joints, and impulses before the first sweep."""
    _call(joints, SHIFT, 0.0)


@inlined
def close_joints(joints: JointCalls, state: Bodies) -> None:
    """Impulses of joints in the sweeps before the move."""
    _call(joints, CLOSE, 0.0)


@inlined
def relax_joints(joints: JointCalls, state: Bodies, sweep: int, small: float) -> int:
    """Impulses of joints in the sweeps after the move; returns how many bodies they change by more than √small."""
    joints.numbers[SWEEP], joints.numbers[SMALL] = sweep, small
    return _call(joints, RELAX, 0.0)


@inlined
def remember_joints(joints: JointCalls) -> None:
    """Impulses of joints before the first symmetric sweep."""
    _call(joints, REMEMBER, 0.0)


@inlined
def extrapolate_joints(joints: JointCalls, beta: float) -> None:
    """Impulses of joints go on by beta times their last change, as those of contacts."""
    joints.numbers[BETA] = beta
    _call(joints, EXTRAPOLATE, 0.0)


@inlined
def account_joints(joints: JointCalls, state: Bodies, h: float) -> None:
    """Work of drives and loads over a step."""
    _call(joints, ACCOUNT, 0.0)
