"""Rigid contact of bodies with arms and inertia: the kernels of one slab.

The scheme is that of `granum.grains.rigid.moreau`; what differs is the local problem. With arms r from the mass centres
an impulse P at a contact changes its relative velocity by W P,

    W = (1/m_i + 1/m_j) 1 + [r_i]ᵀ I_i⁻¹ [r_i] + [r_j]ᵀ I_j⁻¹ [r_j],

which couples normal and friction. A contact that sticks is solved exactly by W⁻¹; one that would leave Coulomb's cone
takes its normal impulse first, then friction by projection with the largest eigenvalue of W across the normal, bounded
by its trace there.

Arms and inertia are those of the beginning of the step for all sweeps, so that the work of an impulse over the step is
P·(u⁻ + u⁺)/2 exactly. Overlaps are taken back by moves of bodies that include turning; they are gathered in `shift` and
made with the drift.
"""

from __future__ import annotations

import math

from granum.base.kernels import Flags, Floats, Ints, inlined, small_kernel
from granum.grains.assembled.turning import mean_turning, pose_body, rotated, times, turn, turn_inertia
from granum.grains.geometry.surfaces import touch
from granum.grains.rigid.moreau import NEAR, ROUND_OFF, SLOP, natural_residual, take_back
from granum.grains.state import Int32s

WIDTH = 24
"""Numbers of a contact, three cache lines: normal 0-2, gap 3, friction 4, least normal velocity after the step 5,
normal impulse 6, friction impulse 7-9, arms of i 10-12 and of j 13-15, W⁻¹ 16-21 (xx, yy, zz, xy, xz, yz), 1/W_nn 22,
1/W_t 23."""
NORMAL, GAP, FRICTION, LEAST, PUSH, RUB, ARM_I, ARM_J = 0, 3, 4, 5, 6, 7, 10, 13
"""The same by name, for what looks at contacts after a step."""
RARE = 4
"""Numbers that are seldom asked for: smaller radius 0 [m], arm of rolling friction 1 [m], 1/W of turning 2, normal
velocity at the beginning of the step 3 [m/s]."""


@small_kernel
def kick(pose: Floats, motion: Floats, before: Floats, shift: Floats, touched: Flags, begin: int, end: int, gx: float,
         gy: float, gz: float, h: float) -> None:
    """Keep velocities and orientation of the beginning of the step and add the velocities that gravity gives."""
    for i in range(begin, end):
        touched[i] = False
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
             mu: float, e: float, slow: float, contact: Floats) -> float:
    """Numbers of a contact that do not change in a step, from the normal and the arms, which are there.

    Returns the normal velocity at the beginning of the step.

    The least normal velocity after the step is e times that of the approach, none where it was slower than rest allows.
    """
    contact[c, 0], contact[c, 1], contact[c, 2], contact[c, 3], contact[c, 4] = nx, ny, nz, gap, mu
    xx, yy, zz, xy, xz, yz = admit(motion, i, contact[c, 10], contact[c, 11], contact[c, 12], 0.0, 0.0, 0.0, 0.0, 0.0,
                                   0.0)
    xx, yy, zz, xy, xz, yz = admit(motion, j, contact[c, 13], contact[c, 14], contact[c, 15], xx, yy, zz, xy, xz, yz)
    wn = nx * (xx * nx + 2.0 * (xy * ny + xz * nz)) + ny * (yy * ny + 2.0 * yz * nz) + zz * nz * nz
    contact[c, 22], contact[c, 23] = 1.0 / wn, 1.0 / (xx + yy + zz - wn - motion[i, 3] - motion[j, 3])
    ux, uy, uz = against(before, i, j, contact, c)
    un = ux * nx + uy * ny + uz * nz
    contact[c, 5] = -e * un if abs(un) > slow else 0.0
    a, b, d = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * d)
    contact[c, 16], contact[c, 19], contact[c, 20] = scale * a, scale * b, scale * d
    contact[c, 17], contact[c, 21] = scale * (xx * zz - xz * xz), scale * (xy * xz - xx * yz)
    contact[c, 18] = scale * (xx * yy - xy * xy)
    return un


@inlined
def warm_start(c: int, i: int, j: int, slot: int, ratio: float, rolls: bool, memory: Floats, motion: Floats,
               contact: Floats) -> None:
    """Apply the impulse of the last step again."""
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    px, py, pz = ratio * memory[slot, 0], ratio * memory[slot, 1], ratio * memory[slot, 2]
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
        tx, ty, tz = held * memory[slot, 3], held * memory[slot, 4], held * memory[slot, 5]
        memory[slot, 3], memory[slot, 4], memory[slot, 5] = tx, ty, tz
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
    """Take back a part of the overlap of a contact that earlier ones have left."""
    if contact[c, 3] > -SLOP * radius:
        return
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    ux, uy, uz = against(shift, i, j, contact, c)
    gap = contact[c, 3] + ux * nx + uy * ny + uz * nz
    back = take_back(gap, radius)
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
def forget(memory: Floats, k: int) -> None:
    """What is not near any more remembers nothing; most remember nothing anyway, and reading is cheaper."""
    if memory[k, 0] != 0.0 or memory[k, 1] != 0.0 or memory[k, 2] != 0.0:
        for c in range(6):
            memory[k, c] = 0.0


@inlined
def note(c: int, i: int, j: int, radius: float, arm: float, un: float, motion: Floats, rare: Floats) -> None:
    """Numbers of a contact that are seldom asked for."""
    rare[c, 0], rare[c, 1], rare[c, 3] = radius, arm, un
    if arm > 0.0:
        rare[c, 2] = 1.0 / (motion[i, 8] + motion[i, 9] + motion[i, 10] + motion[j, 8] + motion[j, 9] + motion[j, 10])


@small_kernel
def prepare_slab(x: Floats, body: Int32s, material: Int32s, pose: Floats, motion: Floats, before: Floats, shift: Floats,
                 begin: int, end: int, first: Ints, other: Int32s, memory: Floats, wall_first: Ints,
                 wall_element: Int32s, wall_memory: Floats, kind: Ints, data: Floats, address: Ints,
                 element_material: Ints, element_body: Ints, friction: Floats, restitution: Floats, rolling: Floats,
                 h: float, ratio: float, slow: float, ci: Int32s, cj: Int32s, slot: Int32s, contact: Floats,
                 rare: Floats, out: Floats) -> int:
    """Contacts of the parts of one slab with boundaries and with parts that come later; returns how many.

    A boundary that belongs to no body has a row of its own in `motion` behind the bodies: the velocity of the surface,
    without mass. What is farther apart than both can move in the step (column 7 of `motion`) is left out.
    """
    bodies = len(pose)
    count = first[begin] + wall_first[begin]
    for i in range(begin, end):
        xi, yi, zi, ri, mi, bi = x[i, 0], x[i, 1], x[i, 2], x[i, 3], material[i], body[i]
        ax, ay, az = xi - pose[bi, 0], yi - pose[bi, 1], zi - pose[bi, 2]
        most = NEAR * ri + motion[bi, 7]
        for k in range(wall_first[i], wall_first[i + 1]):
            e = wall_element[k]
            gap = touch(kind, data, address, e, xi, yi, zi, out) - ri
            nx, ny, nz = out[0], out[1], out[2]
            row = bodies + k if element_body[e] < 0 else element_body[e]
            if row >= bodies:
                for axis in range(3):
                    motion[row, axis] = before[row, axis] = out[3 + axis]
                    motion[row, 4 + axis] = before[row, 4 + axis] = 0.0
                motion[row, 7] = -h * min(out[3] * nx + out[4] * ny + out[5] * nz, 0.0)
            if gap > most + motion[row, 7]:
                forget(wall_memory, k)
                continue
            me = element_material[e] if element_material[e] >= 0 else mi
            arm = rolling[mi, me] * ri
            if arm > 0.0 and row >= bodies:
                for axis in range(3):
                    motion[row, 4 + axis] = before[row, 4 + axis] = data[e, 3 + axis]
            # the contact is where the part touches the surface
            contact[count, 13], contact[count, 14], contact[count, 15] = ax - ri * nx, ay - ri * ny, az - ri * nz
            if row >= bodies:
                contact[count, 10] = contact[count, 11] = contact[count, 12] = 0.0
            else:
                contact[count, 10] = xi - ri * nx - pose[row, 0]
                contact[count, 11] = yi - ri * ny - pose[row, 1]
                contact[count, 12] = zi - ri * nz - pose[row, 2]
            ci[count], cj[count], slot[count] = row, bi, -1 - k
            un = describe(count, row, bi, motion, before, nx, ny, nz, gap, friction[mi, me], restitution[mi, me], slow,
                          contact)
            note(count, row, bi, ri, arm, un, motion, rare)
            separate(count, row, bi, ri, motion, shift, contact)
            warm_start(count, row, bi, k, ratio, arm > 0.0, wall_memory, motion, contact)
            count += 1
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz = x[j, 0] - xi, x[j, 1] - yi, x[j, 2] - zi
            rj, bj = x[j, 3], body[j]
            d2 = dx * dx + dy * dy + dz * dz
            limit = ri + rj + most + motion[bj, 7]
            if d2 > limit * limit:
                forget(memory, k)
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
            un = describe(count, bi, bj, motion, before, nx, ny, nz, gap, friction[mi, mj], restitution[mi, mj], slow,
                          contact)
            note(count, bi, bj, min(ri, rj), arm, un, motion, rare)
            separate(count, bi, bj, min(ri, rj), motion, shift, contact)
            warm_start(count, bi, bj, k, ratio, arm > 0.0, memory, motion, contact)
            count += 1
    return count


@inlined
def solve_contact(c: int, i: int, j: int, motion: Floats, contact: Floats, least: float) -> None:
    """Normal impulse and friction of one contact such that u_n ≥ least."""
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


@small_kernel
def close_slab(begin: int, end: int, ci: Int32s, cj: Int32s, motion: Floats, contact: Floats, touched: Flags,
               h: float) -> None:
    """The sweep before the move: no contact closes beyond its gap."""
    inverse = 1.0 / h
    for c in range(begin, end):
        i, j, gap = ci[c], cj[c], contact[c, 3]
        solve_contact(c, i, j, motion, contact, -gap * inverse if gap > 0.0 else 0.0)
        if contact[c, 6] > 0.0:
            touched[i] = touched[j] = True


@small_kernel
def relax_slab(begin: int, end: int, ci: Int32s, cj: Int32s, motion: Floats, contact: Floats) -> None:
    """The sweep after the move: touching contacts do not approach, impacts rebound (002 eq 4.19)."""
    for c in range(begin, end):
        if contact[c, 6] > 0.0 or contact[c, 3] <= 0.0:
            solve_contact(c, ci[c], cj[c], motion, contact, contact[c, 5])


@small_kernel
def roll_slab(begin: int, end: int, ci: Int32s, cj: Int32s, slot: Int32s, motion: Floats, contact: Floats,
              rare: Floats, memory: Floats, wall_memory: Floats) -> None:
    """Rolling friction: an impulse of turning against ω_j - ω_i across n, at most arm · p."""
    for c in range(begin, end):
        if rare[c, 1] == 0.0:
            continue
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
        wx, wy, wz = (motion[j, 4] - motion[i, 4], motion[j, 5] - motion[i, 5], motion[j, 6] - motion[i, 6])
        along = wx * nx + wy * ny + wz * nz
        store = memory if k >= 0 else wall_memory
        m = k if k >= 0 else -1 - k
        scale = rare[c, 2]
        qx = store[m, 3] - scale * (wx - along * nx)
        qy = store[m, 4] - scale * (wy - along * ny)
        qz = store[m, 5] - scale * (wz - along * nz)
        limit, size = rare[c, 1] * contact[c, 6], math.sqrt(qx * qx + qy * qy + qz * qz)
        scale = limit / size if size > limit else 1.0
        lx, ly, lz = scale * qx - store[m, 3], scale * qy - store[m, 4], scale * qz - store[m, 5]
        store[m, 3], store[m, 4], store[m, 5] = scale * qx, scale * qy, scale * qz
        twist(motion, i, j, lx, ly, lz)


@small_kernel
def account_slab(begin: int, end: int, ci: Int32s, cj: Int32s, slot: Int32s, bodies: int, motion: Floats,
                 before: Floats, contact: Floats, rare: Floats, memory: Floats, wall_memory: Floats, slow: float,
                 sums: Floats) -> None:
    """Keep the impulses of a step and add up its work, residual and overlaps, as `rigid.moreau.account_slab` does."""
    impact = friction = rolling = boundary = small = 0.0
    residuals = largest = contacts = pushing = overlaps = deepest = 0.0
    for c in range(begin, end):
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz, p = contact[c, 0], contact[c, 1], contact[c, 2], contact[c, 6]
        qx, qy, qz = contact[c, 7], contact[c, 8], contact[c, 9]
        store, m = (memory, k) if k >= 0 else (wall_memory, -1 - k)
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        store[m, 0], store[m, 1], store[m, 2] = fx, fy, fz
        gap = contact[c, 3]
        if p == 0.0 and gap > 0.0:
            continue
        ux, uy, uz = against(motion, i, j, contact, c)
        ox, oy, oz = against(before, i, j, contact, c)
        un, on = ux * nx + uy * ny + uz * nz, ox * nx + oy * ny + oz * nz
        impact += 0.5 * p * (un + on)
        small += p * (slow + ROUND_OFF * abs(on))
        friction += 0.5 * (qx * (ux + ox) + qy * (uy + oy) + qz * (uz + oz))
        if i >= bodies:
            boundary += fx * motion[i, 0] + fy * motion[i, 1] + fz * motion[i, 2]
        if rare[c, 1] > 0.0:
            for axis in range(4, 7):
                turned = store[m, axis - 1]
                rolling += 0.5 * turned * (motion[j, axis] + before[j, axis] - motion[i, axis] - before[i, axis])
                if i >= bodies:
                    boundary += turned * motion[i, axis]
        residual = natural_residual(p, contact[c, 4], 1.0 / contact[c, 22], 1.0 / contact[c, 23], un, contact[c, 5], qx,
                                    qy, qz, ux - un * nx, uy - un * ny, uz - un * nz)
        residuals += residual
        largest = max(largest, residual)
        contacts += 1.0
        if p > 0.0:
            pushing += 1.0
            if gap < 0.0:
                overlap = -gap / rare[c, 0]
                overlaps += overlap
                deepest = max(deepest, overlap)
    sums[0], sums[1], sums[2], sums[3], sums[4] = impact, friction, rolling, boundary, residuals
    sums[5], sums[6], sums[7], sums[8], sums[9] = largest, contacts, pushing, overlaps, deepest
    sums[10] = small


@small_kernel
def drift_slab(begin: int, end: int, pose: Floats, inertia: Floats, motion: Floats, shift: Floats, part: Ints,
               arm: Floats, x: Floats, built_at: Floats, touched: Flags, gx: float, gy: float, gz: float, h: float,
               sums: Floats) -> None:
    """Move and turn the bodies, and put their parts in place; free flight is an exact parabola.

    sums: m g·Δx [J], the largest squared move of a part since the lists were made [m²], the largest squared move of
    this step relative to a body's size, and the number of its row.
    """
    for i in range(begin, end):
        half = 0.0 if touched[i] else 0.5 * h
        dx = h * (motion[i, 0] - half * gx) + shift[i, 0]
        dy = h * (motion[i, 1] - half * gy) + shift[i, 1]
        dz = h * (motion[i, 2] - half * gz) + shift[i, 2]
        pose[i, 0] += dx
        pose[i, 1] += dy
        pose[i, 2] += dz
        a, b, c, d = pose[i, 4], pose[i, 5], pose[i, 6], pose[i, 7]
        wx, wy, wz = rotated(a, -b, -c, -d, motion[i, 4], motion[i, 5], motion[i, 6])
        lx, ly, lz = times(inertia, i, 0, wx, wy, wz)
        wx, wy, wz = mean_turning(inertia, i, lx, ly, lz, h)
        wx, wy, wz = rotated(a, b, c, d, wx, wy, wz)
        turn(pose, i, h * wx, h * wy, h * wz)
        if shift[i, 4] != 0.0 or shift[i, 5] != 0.0 or shift[i, 6] != 0.0:
            turn(pose, i, shift[i, 4], shift[i, 5], shift[i, 6])
        if a < 0.0 and pose[i, 4] < 0.0:  # in the plane half the angle may have passed π
            motion[i, 14] += (1.0 if pose[i, 7] < 0.0 else 0.0) - (1.0 if d < 0.0 else 0.0)
        pose_body(pose, i, part[i], part[i + 1], arm, x)
        sums[0] += (gx * dx + gy * dy + gz * dz) / motion[i, 3]
        for k in range(part[i], part[i + 1]):
            mx, my, mz = x[k, 0] - built_at[k, 0], x[k, 1] - built_at[k, 1], x[k, 2] - built_at[k, 2]
            move = mx * mx + my * my + mz * mz
            sums[1] = move if not move <= sums[1] else sums[1]
        step = (dx * dx + dy * dy + dz * dz) / (pose[i, 3] * pose[i, 3])
        if part[i + 1] > part[i] and not step <= sums[2]:
            sums[2], sums[3] = step, float(i)


@small_kernel
def finish_slab(begin: int, end: int, pose: Floats, inertia: Floats, motion: Floats, before: Floats, gx: float,
                gy: float, gz: float, h: float, sums: Floats) -> None:
    """Turn inertia and angular velocity of the bodies with them, momentum kept.

    sums[0], which holds m g·Δx, becomes the energy that the step itself made: the work of gravity on velocities less
    that on places, and what turning with fixed inertia left out [J].
    """
    sums[0] = -sums[0]
    for i in range(begin, end):
        sums[0] += 0.5 * h / motion[i, 3] * (gx * (motion[i, 0] + before[i, 0]) + gy * (motion[i, 1] + before[i, 1])
                                             + gz * (motion[i, 2] + before[i, 2]))
        # momentum by the inertia that the impulses of this step met
        a, b, c, d = before[i, 8], before[i, 9], before[i, 10], before[i, 11]
        wx, wy, wz = rotated(a, -b, -c, -d, motion[i, 4], motion[i, 5], motion[i, 6])
        lx, ly, lz = times(inertia, i, 0, wx, wy, wz)
        old = lx * wx + ly * wy + lz * wz
        lx, ly, lz = rotated(a, b, c, d, lx, ly, lz)
        turn_inertia(pose, inertia, motion, i)
        wx, wy, wz = times(motion, i, 8, lx, ly, lz)
        motion[i, 4], motion[i, 5], motion[i, 6] = wx, wy, wz
        sums[0] += 0.5 * (lx * wx + ly * wy + lz * wz - old)
