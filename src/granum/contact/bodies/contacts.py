"""Rigid contact of bodies with arms and inertia: the kernels of one slab.

The scheme is that of `contact.nonsmooth.moreau`; what differs is the local problem. With arms r from the mass centres
an impulse P at a contact changes its relative velocity by W P,

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

from granum.base.kernels import Floats, Ints, Record, Records, inlined, small_kernel
from granum.contact.nonsmooth.moreau import (
    BLURRED,
    CLOSED,
    CONTACTS,
    DEEPEST,
    DRIVEN,
    IMPACT,
    NEAR,
    OVERLAP,
    PUSHING,
    RESIDUAL,
    ROLLED,
    RUBBED,
    SCALE,
    SINGLE,
    SLOP,
    WORST,
    correction,
    forget,
    natural_residual,
    sudden,
)
from granum.grains.aggregates.rotation import mean_turning, pose_body, rotated, times, turn, turn_inertia
from granum.grains.geometry.surfaces import NX, NY, NZ, UX, UY, UZ, touch
from granum.grains.state import Indices, Int32s

WIDTH = 24
"""Numbers of a contact, three cache lines: normal 0-2, gap 3, friction 4, least normal velocity after the step 5,
normal impulse 6, friction impulse 7-9, arms of i 10-12 and of j 13-15, W⁻¹ 16-21 (xx, yy, zz, xy, xz, yz), 1/W_nn 22,
1/W_t 23."""
NORMAL, GAP, FRICTION, LEAST, PUSH, RUB, ARM_I, ARM_J, INVERSE_WN, INVERSE_WT = 0, 3, 4, 5, 6, 7, 10, 13, 22, 23
"""The same by name."""
RADIUS, ARM, INVERSE_W_ROLL, BEFORE, APPROACH, RARE = range(6)
"""Numbers that are seldom asked for: smaller radius [m], arm of rolling friction [m], 1/W of rotation, normal velocity
at the beginning of the step and where the gap closes [m/s]."""
ROUNDS, EXACT = 50, 1e-26
"""Rounds in which the impulse of a single impact is found, and the squared velocity it may miss, relative to that of
the approach."""


@small_kernel
def kick(pose: Floats, motion: Floats, before: Floats, shift: Floats, degree: Int32s, changed: Int32s, begin: int,
         end: int, gx: float, gy: float, gz: float, h: float) -> None:
    """Keep velocities and orientation of the beginning of the step and add the velocities that gravity gives."""
    for i in range(begin, end):
        degree[i] = changed[i] = 0
        for c in range(7):
            before[i, c] = motion[i, c]
            shift[i, c] = 0.0
        for c in range(4):
            before[i, 8 + c] = pose[i, 4 + c]
        motion[i, 0] += h * gx
        motion[i, 1] += h * gy
        motion[i, 2] += h * gz
        speed = math.sqrt(motion[i, 0] ** 2 + motion[i, 1] ** 2 + motion[i, 2] ** 2)
        spin = math.sqrt(motion[i, 4] ** 2 + motion[i, 5] ** 2 + motion[i, 6] ** 2)
        motion[i, 7] = h * (speed + pose[i, 3] * spin)


@inlined
def push(motion: Floats, i: int, rx: float, ry: float, rz: float, px: float, py: float, pz: float) -> None:
    """Impulse P on body i at the arm r."""
    a = motion[i, 3]
    motion[i, 0] += a * px
    motion[i, 1] += a * py
    motion[i, 2] += a * pz
    x, y, z = times(motion, i, 8, ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px)
    motion[i, 4] += x
    motion[i, 5] += y
    motion[i, 6] += z


@inlined
def velocity(v: Floats, i: int, rx: float, ry: float, rz: float) -> tuple[float, float, float]:
    """v + ω × r of body i."""
    wx, wy, wz = v[i, 4], v[i, 5], v[i, 6]
    return v[i, 0] + wy * rz - wz * ry, v[i, 1] + wz * rx - wx * rz, v[i, 2] + wx * ry - wy * rx


@inlined
def against(v: Floats, i: int, j: int, contact: Floats, c: int) -> tuple[float, float, float]:
    """u = v_j + ω_j × r_j - v_i - ω_i × r_i, the velocity of j against i where they touch."""
    ax, ay, az = velocity(v, i, contact[c, 10], contact[c, 11], contact[c, 12])
    bx, by, bz = velocity(v, j, contact[c, 13], contact[c, 14], contact[c, 15])
    return bx - ax, by - ay, bz - az


@inlined
def admit(motion: Floats, i: int, rx: float, ry: float, rz: float, xx: float, yy: float, zz: float, xy: float,
          xz: float, yz: float) -> tuple[float, float, float, float, float, float]:
    """Add 1/m + [r]ᵀ I⁻¹ [r] of body i to a symmetric matrix; column k of [r] is r × e_k."""
    kxx, kyy, kzz, kxy, kxz, kyz = (motion[i, 8], motion[i, 9], motion[i, 10], motion[i, 11], motion[i, 12],
                                    motion[i, 13])
    ay, az = kyy * rz - kyz * ry, kyz * rz - kzz * ry
    bx, by, bz = kxz * rx - kxx * rz, kyz * rx - kxy * rz, kzz * rx - kxz * rz
    cx, cy, cz = kxx * ry - kxy * rx, kxy * ry - kyy * rx, kxz * ry - kyz * rx
    a = motion[i, 3]
    return (xx + a + rz * ay - ry * az, yy + a - rz * bx + rx * bz, zz + a + ry * cx - rx * cy,
            xy + rz * by - ry * bz, xz + rz * cy - ry * cz, yz - rz * cx + rx * cz)


@inlined
def describe(c: int, i: int, j: int, motion: Floats, before: Floats, nx: float, ny: float, nz: float, gap: float,
             mu: float, e: float, fall: float, slow: float, contact: Floats, rare: Floats) -> None:
    """Numbers of a contact that do not change in a step, from the normal and the arms, which are there.

    fall = 2 a_n gap is what gravity adds to the square of the normal velocity until the gap closes; slow: as in
    `rigid.moreau.describe`.
    """
    contact[c, 0], contact[c, 1], contact[c, 2], contact[c, GAP], contact[c, FRICTION] = nx, ny, nz, gap, mu
    xx, yy, zz, xy, xz, yz = admit(motion, i, contact[c, 10], contact[c, 11], contact[c, 12], 0.0, 0.0, 0.0, 0.0, 0.0,
                                   0.0)
    xx, yy, zz, xy, xz, yz = admit(motion, j, contact[c, 13], contact[c, 14], contact[c, 15], xx, yy, zz, xy, xz, yz)
    wn = nx * (xx * nx + 2.0 * (xy * ny + xz * nz)) + ny * (yy * ny + 2.0 * yz * nz) + zz * nz * nz
    contact[c, INVERSE_WN] = 1.0 / wn
    contact[c, INVERSE_WT] = 1.0 / (xx + yy + zz - wn - motion[i, 3] - motion[j, 3])
    ux, uy, uz = against(before, i, j, contact, c)
    un = ux * nx + uy * ny + uz * nz
    approach = un if gap <= 0.0 or un >= 0.0 else -math.sqrt(max(un * un - fall, 0.0))
    contact[c, LEAST] = -e * approach if abs(approach) > slow else 0.0
    rare[c, BEFORE], rare[c, APPROACH] = un, approach
    a, b, d = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * d)
    contact[c, 16], contact[c, 19], contact[c, 20] = scale * a, scale * b, scale * d
    contact[c, 17], contact[c, 21] = scale * (xx * zz - xz * xz), scale * (xy * xz - xx * yz)
    contact[c, 18] = scale * (xx * yy - xy * xy)


@inlined
def warm_start(c: int, i: int, j: int, slot: Record, ratio: float, rolls: bool, motion: Floats,
               contact: Floats) -> None:
    """Apply the impulse of the last step again."""
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    ratio *= 1.0 - slot.sudden
    px, py, pz = ratio * slot.fx, ratio * slot.fy, ratio * slot.fz
    p = px * nx + py * ny + pz * nz
    if p > 0.0:
        contact[c, 6] = p
        contact[c, 7], contact[c, 8], contact[c, 9] = px - p * nx, py - p * ny, pz - p * nz
        push(motion, j, contact[c, 13], contact[c, 14], contact[c, 15], px, py, pz)
        push(motion, i, contact[c, 10], contact[c, 11], contact[c, 12], -px, -py, -pz)
    else:
        contact[c, 6] = contact[c, 7] = contact[c, 8] = contact[c, 9] = 0.0
    if rolls:
        held = ratio if p > 0.0 else 0.0
        tx, ty, tz = held * slot.tx, held * slot.ty, held * slot.tz
        slot.tx, slot.ty, slot.tz = tx, ty, tz
        twist(motion, i, j, tx, ty, tz)


@inlined
def twist(motion: Floats, i: int, j: int, tx: float, ty: float, tz: float) -> None:
    """Impulse of turning T on j and -T on i."""
    x, y, z = times(motion, j, 8, tx, ty, tz)
    motion[j, 4] += x
    motion[j, 5] += y
    motion[j, 6] += z
    x, y, z = times(motion, i, 8, tx, ty, tz)
    motion[i, 4] -= x
    motion[i, 5] -= y
    motion[i, 6] -= z


@inlined
def separate(c: int, i: int, j: int, radius: float, motion: Floats, shift: Floats, contact: Floats) -> None:
    """Correct a part of the overlap of a contact that earlier ones have left."""
    if contact[c, 3] > -SLOP * radius:
        return
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    ux, uy, uz = against(shift, i, j, contact, c)
    gap = contact[c, 3] + ux * nx + uy * ny + uz * nz
    back = correction(gap, radius, contact[c, FRICTION])
    if back > 0.0:
        p = back * contact[c, 22]
        for k in range(2):
            b, s = (j, p) if k == 0 else (i, -p)
            rx, ry, rz = contact[c, 13 - 3 * k], contact[c, 14 - 3 * k], contact[c, 15 - 3 * k]
            shift[b, 0] += motion[b, 3] * s * nx
            shift[b, 1] += motion[b, 3] * s * ny
            shift[b, 2] += motion[b, 3] * s * nz
            x, y, z = times(motion, b, 8, s * (ry * nz - rz * ny), s * (rz * nx - rx * nz), s * (rx * ny - ry * nx))
            shift[b, 4] += x
            shift[b, 5] += y
            shift[b, 6] += z
        gap += back
    contact[c, 3] = gap


@inlined
def note(c: int, i: int, j: int, radius: float, arm: float, motion: Floats, rare: Floats) -> None:
    """Radius and rolling friction of a contact."""
    rare[c, RADIUS], rare[c, ARM] = radius, arm
    if arm > 0.0:
        rare[c, INVERSE_W_ROLL] = 1.0 / (motion[i, 8] + motion[i, 9] + motion[i, 10]
                                         + motion[j, 8] + motion[j, 9] + motion[j, 10])


@small_kernel
def prepare_slab(x: Floats, body: Int32s, material: Int32s, pose: Floats, motion: Floats, before: Floats, shift: Floats,
                 begin: int, end: int, first: Ints, other: Int32s, pair: Records, wall_first: Ints,
                 wall_element: Int32s, wall: Records, elements: Records, element_body: Ints, friction: Floats,
                 restitution: Floats, rolling: Floats, h: float, ratio: float, slow: float, gx: float, gy: float,
                 gz: float, degree: Int32s, ci: Indices, cj: Indices, slot: Int32s, contact: Floats, rare: Floats,
                 out: Floats, sums: Floats) -> int:
    """Contacts of the parts of one slab with boundaries and with parts that come later; returns how many.

    A boundary that belongs to no body has a row of its own in `motion` behind the bodies: the velocity of the surface,
    without mass. What is farther apart than both can move in the step (column 7 of `motion`) is left out. `degree`
    counts the contacts of each body. The largest overlap is noted in `sums`, whether its contact pushes or not.
    """
    bodies, deepest = len(pose), 0.0
    count = first[begin] + wall_first[begin]
    for i in range(begin, end):
        xi, yi, zi, ri, mi, bi = x[i, 0], x[i, 1], x[i, 2], x[i, 3], material[i], body[i]
        ax, ay, az = xi - pose[bi, 0], yi - pose[bi, 1], zi - pose[bi, 2]
        most = NEAR * ri + motion[bi, 7]
        for k in range(wall_first[i], wall_first[i + 1]):
            e = wall_element[k]
            element = elements[e]
            gap = touch(element, xi, yi, zi, out) - ri
            nx, ny, nz = out[NX], out[NY], out[NZ]
            row = bodies + k if element_body[e] < 0 else element_body[e]
            if row >= bodies:
                for axis in range(3):
                    motion[row, axis] = before[row, axis] = out[UX + axis]
                    motion[row, 4 + axis] = before[row, 4 + axis] = 0.0
                motion[row, 7] = -h * min(out[UX] * nx + out[UY] * ny + out[UZ] * nz, 0.0)
            if gap > most + motion[row, 7]:
                forget(wall[k])
                continue
            if -gap > deepest * ri:
                deepest = -gap / ri
            me = element.material if element.material >= 0 else mi
            arm = rolling[mi, me] * ri
            if arm > 0.0 and row >= bodies:
                for axis in range(3):
                    motion[row, 4 + axis] = before[row, 4 + axis] = element.angular_velocity[axis]
            # the contact is where the part touches the surface
            contact[count, 13], contact[count, 14], contact[count, 15] = ax - ri * nx, ay - ri * ny, az - ri * nz
            if row >= bodies:
                contact[count, 10] = contact[count, 11] = contact[count, 12] = 0.0
            else:
                contact[count, 10] = xi - ri * nx - pose[row, 0]
                contact[count, 11] = yi - ri * ny - pose[row, 1]
                contact[count, 12] = zi - ri * nz - pose[row, 2]
            ci[count], cj[count], slot[count] = row, bi, -1 - k
            fall = 0.0
            degree[bi] += 1
            if row < bodies:
                degree[row] += 1
            else:
                fall = 2.0 * (gx * nx + gy * ny + gz * nz) * gap
            describe(count, row, bi, motion, before, nx, ny, nz, gap, friction[mi, me], restitution[mi, me], fall, slow,
                     contact, rare)
            note(count, row, bi, ri, arm, motion, rare)
            separate(count, row, bi, ri, motion, shift, contact)
            warm_start(count, row, bi, wall[k], ratio, arm > 0.0, motion, contact)
            count += 1
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz = x[j, 0] - xi, x[j, 1] - yi, x[j, 2] - zi
            rj, bj = x[j, 3], body[j]
            d2 = dx * dx + dy * dy + dz * dz
            limit = ri + rj + most + motion[bj, 7]
            if d2 > limit * limit:
                forget(pair[k])
                continue
            d = math.sqrt(d2)
            inverse = 1.0 / d
            nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
            gap = d - ri - rj
            # both arms end in the middle of gap or overlap, where normal forces of both act on one line
            at = ri + 0.5 * gap
            contact[count, 10], contact[count, 11], contact[count, 12] = ax + at * nx, ay + at * ny, az + at * nz
            contact[count, 13] = xi + at * nx - pose[bj, 0]
            contact[count, 14] = yi + at * ny - pose[bj, 1]
            contact[count, 15] = zi + at * nz - pose[bj, 2]
            mj = material[j]
            ci[count], cj[count], slot[count] = bi, bj, k
            rolls = rolling[mi, mj]
            arm = rolls * ri * rj / (ri + rj) if rolls > 0.0 else 0.0
            degree[bi] += 1
            degree[bj] += 1
            describe(count, bi, bj, motion, before, nx, ny, nz, gap, friction[mi, mj], restitution[mi, mj], 0.0, slow,
                     contact, rare)
            smaller = min(ri, rj)
            if -gap > deepest * smaller:
                deepest = -gap / smaller
            note(count, bi, bj, smaller, arm, motion, rare)
            separate(count, bi, bj, smaller, motion, shift, contact)
            warm_start(count, bi, bj, pair[k], ratio, arm > 0.0, motion, contact)
            count += 1
    sums[DEEPEST] = deepest
    return count


@inlined
def solve_contact(c: int, i: int, j: int, motion: Floats, contact: Floats, least: float, small: float) -> bool:
    """Normal impulse and friction of one contact such that u_n ≥ least.

    Returns whether the contact has missed its law by more than the velocity whose square is `small`.
    """
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    rx, ry, rz = contact[c, 10], contact[c, 11], contact[c, 12]
    sx, sy, sz = contact[c, 13], contact[c, 14], contact[c, 15]
    ax, ay, az = velocity(motion, i, rx, ry, rz)
    bx, by, bz = velocity(motion, j, sx, sy, sz)
    ux, uy, uz = bx - ax, by - ay, bz - az
    p, mu = contact[c, 6], contact[c, 4]
    ox, oy, oz = contact[c, 7], contact[c, 8], contact[c, 9]
    dx, dy, dz = times(contact, c, 16, least * nx - ux, least * ny - uy, least * nz - uz)
    px, py, pz = p * nx + ox + dx, p * ny + oy + dy, p * nz + oz + dz
    new = px * nx + py * ny + pz * nz
    qx, qy, qz = px - new * nx, py - new * ny, pz - new * nz
    limit = mu * new
    if new < 0.0 or qx * qx + qy * qy + qz * qz > limit * limit:
        new = p - contact[c, 22] * (ux * nx + uy * ny + uz * nz - least)
        new = new if new > 0.0 else 0.0
        dp = new - p
        qx, qy, qz = 0.0, 0.0, 0.0
        if mu > 0.0 and new > 0.0:
            push(motion, j, sx, sy, sz, dp * nx, dp * ny, dp * nz)
            push(motion, i, rx, ry, rz, -dp * nx, -dp * ny, -dp * nz)
            ux, uy, uz = against(motion, i, j, contact, c)
            un, mt = ux * nx + uy * ny + uz * nz, contact[c, 23]
            qx, qy, qz = ox - mt * (ux - un * nx), oy - mt * (uy - un * ny), oz - mt * (uz - un * nz)
            limit, size = mu * new, qx * qx + qy * qy + qz * qz
            if size > limit * limit:
                scale = limit / math.sqrt(size)
                qx, qy, qz = scale * qx, scale * qy, scale * qz
            dp = 0.0
        dx, dy, dz = dp * nx + qx - ox, dp * ny + qy - oy, dp * nz + qz - oz
    contact[c, 6], contact[c, 7], contact[c, 8], contact[c, 9] = new, qx, qy, qz
    push(motion, j, sx, sy, sz, dx, dy, dz)
    push(motion, i, rx, ry, rz, -dx, -dy, -dz)
    px, py, pz = (new - p) * nx + qx - ox, (new - p) * ny + qy - oy, (new - p) * nz + qz - oz
    mass = contact[c, INVERSE_WN]
    return px * px + py * py + pz * pz > small * mass * mass


@small_kernel
def close_slab(begin: int, end: int, ci: Indices, cj: Indices, motion: Floats, contact: Floats, rare: Floats,
               degree: Int32s, bodies: int, h: float, last: bool, closed: Indices, single: Indices,
               ends: Ints) -> float:
    """The sweep before the move, as `rigid.moreau.close_slab`; the last of such sweeps lists what is closed."""
    inverse, count, fastest, singles = 1.0 / h, begin, 0.0, begin
    for c in range(begin, end):
        i, j, gap = ci[c], cj[c], contact[c, GAP]
        if gap > 0.0 and contact[c, PUSH] == 0.0 and contact[c, LEAST] > 0.0 and degree[j] == 1 and \
                (i >= bodies or degree[i] == 1):
            single[singles] = c
            singles += 1
            continue
        solve_contact(c, i, j, motion, contact, -gap * inverse if gap > 0.0 else 0.0, 0.0)
        if last:
            if contact[c, PUSH] > 0.0:
                fastest = max(fastest, -rare[c, APPROACH])
                if gap > 0.0:
                    contact[c, GAP] = gap = 0.0
            closed[count] = c
            count += 1 if gap <= 0.0 else 0
    ends[CLOSED], ends[SINGLE] = count, singles
    return fastest


@small_kernel
def relax_slab(begin: int, end: int, chosen: Indices, ci: Indices, cj: Indices, motion: Floats, contact: Floats,
               changed: Int32s, sweep: int, small: float) -> int:
    """A sweep after the move: touching contacts do not approach, impacts rebound (002 eq 4.19).

    Bodies whose contacts missed their law by more than √small are marked with the number of the sweep.
    """
    count = 0
    for k in range(begin, end):
        c = chosen[k]
        i, j = ci[c], cj[c]
        if solve_contact(c, i, j, motion, contact, contact[c, LEAST], small):
            changed[i] = changed[j] = sweep
            count += 1
    return count


@small_kernel
def roll_slab(begin: int, end: int, chosen: Indices, ci: Indices, cj: Indices, slot: Int32s, motion: Floats,
              contact: Floats, rare: Floats, pair: Records, wall: Records, changed: Int32s, sweep: int,
              small: float) -> int:
    """Rolling friction: an angular impulse against ω_j - ω_i across n, at most arm · p; marks as `relax_slab` does."""
    count = 0
    for index in range(begin, end):
        c = chosen[index]
        if rare[c, ARM] == 0.0:
            continue
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
        wx, wy, wz = motion[j, 4] - motion[i, 4], motion[j, 5] - motion[i, 5], motion[j, 6] - motion[i, 6]
        along = wx * nx + wy * ny + wz * nz
        slot_ = pair[k] if k >= 0 else wall[-1 - k]
        mass = rare[c, INVERSE_W_ROLL]
        qx = slot_.tx - mass * (wx - along * nx)
        qy = slot_.ty - mass * (wy - along * ny)
        qz = slot_.tz - mass * (wz - along * nz)
        limit, size = rare[c, ARM] * contact[c, PUSH], math.sqrt(qx * qx + qy * qy + qz * qz)
        scale = limit / size if size > limit else 1.0
        lx, ly, lz = scale * qx - slot_.tx, scale * qy - slot_.ty, scale * qz - slot_.tz
        slot_.tx, slot_.ty, slot_.tz = scale * qx, scale * qy, scale * qz
        twist(motion, i, j, lx, ly, lz)
        turn_ = rare[c, RADIUS] / mass
        if (lx * lx + ly * ly + lz * lz) * turn_ * turn_ > small:
            changed[i] = changed[j] = sweep
            count += 1
    return count


@small_kernel
def account_slab(begin: int, end: int, ci: Indices, cj: Indices, slot: Int32s, bodies: int, motion: Floats,
                 before: Floats, contact: Floats, rare: Floats, pair: Records, wall: Records, degree: Int32s,
                 slow: float, floor: float, sums: Floats) -> None:
    """Keep the impulses of a step and add up its work, residual and overlaps, as `rigid.moreau.account_slab` does."""
    impact = rubbed = rolled = driven = total = worst = scale = contacts = pushing = overlaps = blurred = 0.0
    for c in range(begin, end):
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz, p = contact[c, 0], contact[c, 1], contact[c, 2], contact[c, PUSH]
        qx, qy, qz = contact[c, 7], contact[c, 8], contact[c, 9]
        slot_ = pair[k] if k >= 0 else wall[-1 - k]
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        slot_.fx, slot_.fy, slot_.fz = fx, fy, fz
        slot_.sudden = sudden(p, contact[c, INVERSE_WN], contact[c, LEAST] - rare[c, APPROACH], slow)
        gap = contact[c, GAP]
        if p == 0.0 and gap > 0.0:
            continue
        contacts += 1.0
        if p > 0.0:
            pushing += 1.0
        if rare[c, ARM] > 0.0:
            for axis in range(4, 7):
                torque = slot_.tx if axis == 4 else (slot_.ty if axis == 5 else slot_.tz)
                rolled += 0.5 * torque * (motion[j, axis] + before[j, axis] - motion[i, axis] - before[i, axis])
                if i >= bodies:
                    driven += torque * motion[i, axis]
        if gap > 0.0:  # an impact within the step, which has been accounted for
            continue
        ux, uy, uz = against(motion, i, j, contact, c)
        ox, oy, oz = against(before, i, j, contact, c)
        un, least, approach = ux * nx + uy * ny + uz * nz, contact[c, LEAST], rare[c, APPROACH]
        work, rub = 0.5 * p * (least + approach), 0.5 * (qx * (ux + ox) + qy * (uy + oy) + qz * (uz + oz))
        impact += work
        rubbed += rub
        blurred += p * slow
        if work + rub > p * slow:
            degree[j] = -1
            if i < bodies:
                degree[i] = -1
        if i >= bodies:
            driven += fx * motion[i, 0] + fy * motion[i, 1] + fz * motion[i, 2]
        mass = contact[c, INVERSE_WN]
        residual = natural_residual(p, contact[c, FRICTION], 1.0 / mass, 1.0 / contact[c, INVERSE_WT], un, least, qx,
                                    qy, qz, ux - un * nx, uy - un * ny, uz - un * nz)
        speed = max(abs(approach), floor) if p > 0.0 else floor
        total += mass * residual
        scale += mass * speed * speed
        worst = max(worst, residual)
        if p > 0.0 and gap < 0.0:
            overlaps -= gap / rare[c, RADIUS]
    sums[IMPACT], sums[RUBBED], sums[ROLLED], sums[DRIVEN], sums[RESIDUAL] = impact, rubbed, rolled, driven, total
    sums[WORST], sums[SCALE], sums[CONTACTS], sums[PUSHING] = worst, scale, contacts, pushing
    sums[OVERLAP], sums[BLURRED] = overlaps, blurred


@small_kernel
def lead_slab(begin: int, end: int, motion: Floats, before: Floats, lead: Floats) -> None:
    """Set half of what velocities have changed by aside: they become those of the middle of the step."""
    for i in range(begin, end):
        for c in range(7):
            lead[i, c] = 0.5 * (motion[i, c] - before[i, c]) if c != 3 else 0.0
            motion[i, c] -= lead[i, c]


@small_kernel
def drift_slab(begin: int, end: int, pose: Floats, inertia: Floats, motion: Floats, lead: Floats, shift: Floats,
               part: Ints, arm: Floats, x: Floats, built_at: Floats, h: float, sums: Floats) -> None:
    """Move and rotate the bodies, put their parts in place, and add what was set aside to their velocities.

    sums: the largest squared move of a part since the lists were made [m²], the largest squared move of this step
    relative to a body's size.
    """
    for i in range(begin, end):
        dx, dy, dz = h * motion[i, 0] + shift[i, 0], h * motion[i, 1] + shift[i, 1], h * motion[i, 2] + shift[i, 2]
        pose[i, 0] += dx
        pose[i, 1] += dy
        pose[i, 2] += dz
        a, b, c, d = pose[i, 4], pose[i, 5], pose[i, 6], pose[i, 7]
        wx, wy, wz = rotated(a, -b, -c, -d, motion[i, 4], motion[i, 5], motion[i, 6])
        lx, ly, lz = times(inertia, i, 0, wx, wy, wz)
        wx, wy, wz = mean_turning(inertia, i, lx, ly, lz, h)
        wx, wy, wz = rotated(a, b, c, d, wx, wy, wz)
        rotate_body(pose, motion, i, h * wx, h * wy, h * wz)
        if shift[i, 4] != 0.0 or shift[i, 5] != 0.0 or shift[i, 6] != 0.0:
            rotate_body(pose, motion, i, shift[i, 4], shift[i, 5], shift[i, 6])
        pose_body(pose, i, part[i], part[i + 1], arm, x)
        for k in range(part[i], part[i + 1]):
            mx, my, mz = x[k, 0] - built_at[k, 0], x[k, 1] - built_at[k, 1], x[k, 2] - built_at[k, 2]
            move = mx * mx + my * my + mz * mz
            sums[0] = move if not move <= sums[0] else sums[0]
        step = (dx * dx + dy * dy + dz * dz) / (pose[i, 3] * pose[i, 3])
        if part[i + 1] > part[i] and not step <= sums[1]:
            sums[1] = step
        for k in range(7):
            motion[i, k] += lead[i, k]


@inlined
def rotate_body(pose: Floats, motion: Floats, i: int, x: float, y: float, z: float) -> None:
    """Rotate body i by a small vector [rad], and count full turns of the plane."""
    a, d = pose[i, 4], pose[i, 7]
    turn(pose, i, x, y, z)
    if a < 0.0 and pose[i, 4] < 0.0:  # in the plane half the angle may have passed π
        motion[i, 14] += (1.0 if pose[i, 7] < 0.0 else 0.0) - (1.0 if d < 0.0 else 0.0)


@small_kernel
def bounce_slab(begin: int, end: int, single: Indices, ci: Indices, cj: Indices, pose: Floats, motion: Floats,
                before: Floats, part: Ints, arm: Floats, x: Floats, contact: Floats, rare: Floats, bodies: int,
                slow: float, h: float, sums: Floats) -> None:
    """Impacts of free bodies that touch nothing else in the step, at their own instant τ.

    Along the normal gap + u τ + a τ²/2 = 0. The impulse P at τ changes velocities at once, and places and orientations
    by (h - τ) times that. Where the rebound would not outlast the step, the bodies end in contact, with the speed of
    the rebound. sums[2:5]: work of impacts, friction and boundaries [J].
    """
    for index in range(begin, end):
        c = single[index]
        i, j, gap, un = ci[c], cj[c], contact[c, GAP], rare[c, BEFORE]
        nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
        ex, ey, ez = against(motion, i, j, contact, c)
        ox, oy, oz = against(before, i, j, contact, c)
        a = (ex * nx + ey * ny + ez * nz - un) / h
        under = un * un - 2.0 * a * gap
        if under <= slow * slow or gap + h * (un + 0.5 * h * a) >= 0.0:
            continue
        speed = math.sqrt(under)
        t = 2.0 * gap / (speed - un)
        e, left, w = -contact[c, LEAST] / rare[c, APPROACH], h - t, t / h
        lag = e * speed * left + 0.5 * a * left * left
        rests = lag < 0.0
        least = e * speed if rests else e * speed + a * left
        for _ in range(ROUNDS):  # sliding friction couples back to the normal
            if not solve_contact(c, i, j, motion, contact, least, EXACT * under):
                break
        p = contact[c, PUSH]
        qx, qy, qz = contact[c, 7], contact[c, 8], contact[c, 9]
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        dx, dy, dz = against(motion, i, j, contact, c)
        dx, dy, dz = dx - ex, dy - ey, dz - ez
        sums[2] -= 0.5 * (p + a * left * contact[c, INVERSE_WN] if rests else p) * (1.0 - e) * speed
        sums[3] += (qx * (ox + w * (ex - ox) + 0.5 * dx) + qy * (oy + w * (ey - oy) + 0.5 * dy)
                    + qz * (oz + w * (ez - oz) + 0.5 * dz))
        if i >= bodies:
            sums[4] += fx * motion[i, 0] + fy * motion[i, 1] + fz * motion[i, 2]
        # with the contact closed at the end of the step, the normal displacement is what takes the gap back
        along = (-gap / h - un - 0.5 * a * h) * contact[c, INVERSE_WN] * h if rests else left * p
        for side in range(2):
            b, sign, o = (j, 1.0, ARM_J) if side == 0 else (i, -1.0, ARM_I)
            if b >= bodies:
                continue
            px, py = sign * (along * nx + left * qx), sign * (along * ny + left * qy)
            pz = sign * (along * nz + left * qz)
            rx, ry, rz = contact[c, o], contact[c, o + 1], contact[c, o + 2]
            pose[b, 0] += motion[b, 3] * px
            pose[b, 1] += motion[b, 3] * py
            pose[b, 2] += motion[b, 3] * pz
            wx, wy, wz = times(motion, b, 8, ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px)
            rotate_body(pose, motion, b, wx, wy, wz)
            pose_body(pose, b, part[b], part[b + 1], arm, x)


@small_kernel
def finish_slab(begin: int, end: int, pose: Floats, inertia: Floats, motion: Floats, before: Floats) -> None:
    """Turn inertia and angular velocity of the bodies with them, momentum kept."""
    for i in range(begin, end):
        # momentum by the inertia that the impulses of this step met
        a, b, c, d = before[i, 8], before[i, 9], before[i, 10], before[i, 11]
        wx, wy, wz = rotated(a, -b, -c, -d, motion[i, 4], motion[i, 5], motion[i, 6])
        lx, ly, lz = times(inertia, i, 0, wx, wy, wz)
        lx, ly, lz = rotated(a, b, c, d, lx, ly, lz)
        turn_inertia(pose, inertia, motion, i)
        wx, wy, wz = times(motion, i, 8, lx, ly, lz)
        motion[i, 4], motion[i, 5], motion[i, 6] = wx, wy, wz
