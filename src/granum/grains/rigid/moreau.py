"""Rigid contact by time stepping (Moreau): impulses, Coulomb's cone, Newton's restitution, in small steps.

One step of length h from velocities v⁻ to v⁺:

    kick     v = v⁻ + h g + loads
    prepare  gaps and normals of near pairs; overlaps are taken back in part, by moving the two grains apart;
             impulses of the last step are applied again (warm start)
    close    one Gauss-Seidel sweep: u_n ≥ -gap/h where grains are apart, so that they end in contact, else u_n ≥ 0
    drift    x += h v, and grains are turned by h ω
    relax    sweeps with u_n ≥ 0, or u_n ≥ -e u_n⁻ after an impact; more of them where contacts would make energy
    account  work of contacts, residual and overlap of the step

Overlaps are corrected by moving grains, never through velocities: nothing pumps kinetic energy, and the potential
energy of these moves is counted. Spheres
make the local problem diagonal: with W_n = 1/m_i + 1/m_j and W_t = W_n + κ_i/m_i + κ_j/m_j normal impulse and
friction of one contact follow exactly, friction by projection on the disc |P_t| ≤ μ p. Contacts are swept bottom to
top, slab by slab, even slabs first.

Work is counted over the whole step: an impulse P changes the kinetic energy by P·(u⁻ + u⁺)/2, exactly.
"""

from __future__ import annotations

import math

from granum.base.kernels import Flags, Floats, Ints, inlined, small_kernel
from granum.grains.geometry.surfaces import touch
from granum.grains.state import Int32s
from granum.grains.turning import ask_turn, first_block

WIDTH = 16
"""Numbers of a contact: normal 0-2, gap 3, 1/W_n 4, 1/W_t 5, friction 6, restitution 7, normal impulse 8, friction
impulse 9-11, relative velocity at the beginning of the step 12-14, arm of rolling friction 15 [m]."""
BACK = 0.2
"""Part of an overlap that a step takes back."""
SLOP = 1e-5
"""Overlap, in smaller radii, that is left alone: contacts at rest stay closed."""
LARGEST_BACK = 0.05
"""Largest overlap, in smaller radii, that a step takes back."""
ROUND_OFF = 1e-12
"""Part of the work of impacts that is none."""
NEAR = 0.005
"""Pairs closer than this part of the smaller radius are in the contact problem, touching or not."""
SUMS = 11
"""Sums of a slab, see `account`."""


@small_kernel
def kick(v: Floats, before: Floats, begin: int, end: int, gx: float, gy: float, gz: float, h: float) -> None:
    """Keep the velocities of the beginning of the step and add those that gravity gives."""
    for i in range(begin, end):
        for c in range(8):
            before[i, c] = v[i, c]
        v[i, 0] += h * gx
        v[i, 1] += h * gy
        v[i, 2] += h * gz


@inlined
def relative(v: Floats, i: int, j: int, nx: float, ny: float, nz: float) -> tuple[float, float, float]:
    """u = v_j - v_i - (s_i + s_j) × n, the velocity of j against i where they touch."""
    sx, sy, sz = v[i, 4] + v[j, 4], v[i, 5] + v[j, 5], v[i, 6] + v[j, 6]
    return (v[j, 0] - v[i, 0] - (sy * nz - sz * ny), v[j, 1] - v[i, 1] - (sz * nx - sx * nz),
            v[j, 2] - v[i, 2] - (sx * ny - sy * nx))


@inlined
def describe(c: int, nx: float, ny: float, nz: float, gap: float, mn: float, mt: float, mu: float, e: float, arm: float,
             ux: float, uy: float, uz: float, contact: Floats) -> None:
    """Numbers of a contact that do not change in a step; u is the relative velocity at its beginning."""
    contact[c, 0], contact[c, 1], contact[c, 2], contact[c, 3] = nx, ny, nz, gap
    contact[c, 4], contact[c, 5], contact[c, 6], contact[c, 7] = mn, mt, mu, e
    contact[c, 12], contact[c, 13], contact[c, 14], contact[c, 15] = ux, uy, uz, arm


@inlined
def push(v: Floats, j: int, nx: float, ny: float, nz: float, px: float, py: float,
         pz: float) -> tuple[float, float, float]:
    """Impulse (px, py, pz) on grain j at the contact with normal n; returns n × P, which turns both grains."""
    tx, ty, tz = ny * pz - nz * py, nz * px - nx * pz, nx * py - ny * px
    a, b = v[j, 3], v[j, 7]
    v[j, 0] += a * px
    v[j, 1] += a * py
    v[j, 2] += a * pz
    v[j, 4] -= b * tx
    v[j, 5] -= b * ty
    v[j, 6] -= b * tz
    return tx, ty, tz


@inlined
def warm_start(c: int, j: int, ri: float, rj: float, slot: int, ratio: float, memory: Floats, v: Floats,
               contact: Floats, ai: float, bi: float, vx: float, vy: float, vz: float, sx: float, sy: float,
               sz: float) -> tuple[float, float, float, float, float, float]:
    """Apply the impulse of the last step again; what it takes and returns of i is said at `solve_contact`."""
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    px, py, pz = ratio * memory[slot, 0], ratio * memory[slot, 1], ratio * memory[slot, 2]
    p = px * nx + py * ny + pz * nz
    if p > 0.0:
        contact[c, 8] = p
        contact[c, 9], contact[c, 10], contact[c, 11] = px - p * nx, py - p * ny, pz - p * nz
        tx, ty, tz = push(v, j, nx, ny, nz, px, py, pz)
        vx, vy, vz, sx, sy, sz = vx - ai * px, vy - ai * py, vz - ai * pz, sx - bi * tx, sy - bi * ty, sz - bi * tz
    else:
        contact[c, 8] = contact[c, 9] = contact[c, 10] = contact[c, 11] = 0.0
    if contact[c, 15] > 0.0:
        held = ratio if p > 0.0 else 0.0
        tx, ty, tz = held * memory[slot, 3], held * memory[slot, 4], held * memory[slot, 5]
        memory[slot, 3], memory[slot, 4], memory[slot, 5] = tx, ty, tz
        a, b = bi / ri, v[j, 7] / rj
        v[j, 4] += b * tx
        v[j, 5] += b * ty
        v[j, 6] += b * tz
        sx, sy, sz = sx - a * tx, sy - a * ty, sz - a * tz
    return vx, vy, vz, sx, sy, sz


@inlined
def take_back(gap: float, radius: float) -> float:
    """How far a step moves two grains apart [m]."""
    overlap = -gap - SLOP * radius
    return min(BACK * max(overlap, 0.0), LARGEST_BACK * radius)


@small_kernel
def prepare_slab(x: Floats, v: Floats, before: Floats, material: Int32s, begin: int, end: int, first: Ints,
                 other: Int32s, memory: Floats, wall_first: Ints, wall_element: Int32s, wall_memory: Floats,
                 kind: Ints, data: Floats, address: Ints, element_material: Ints, friction: Floats,
                 restitution: Floats, rolling: Floats, h: float, ratio: float, ci: Int32s, cj: Int32s, slot: Int32s,
                 contact: Floats, out: Floats, moved: Floats) -> int:
    """Contacts of the grains of one slab with boundaries and with grains that come later; returns how many.

    Overlaps are taken back in part; `moved` adds up mass times displacement [kg m]. A boundary's contact has a
    row of its own in `v` behind the grains: the velocity of the surface, without mass.
    """
    grains = len(x)
    count = first[begin] + wall_first[begin]
    for i in range(begin, end):
        xi, yi, zi, ri, mi = x[i, 0], x[i, 1], x[i, 2], x[i, 3], material[i]
        for k in range(wall_first[i], wall_first[i + 1]):
            e = wall_element[k]
            gap = touch(kind, data, address, e, xi, yi, zi, out) - ri
            row = grains + k
            v[row, 0], v[row, 1], v[row, 2] = out[3], out[4], out[5]
            closing = (v[i, 0] - out[3]) * out[0] + (v[i, 1] - out[4]) * out[1] + (v[i, 2] - out[5]) * out[2]
            if gap > NEAR * ri - h * min(closing, 0.0):
                wall_memory[k, 0] = wall_memory[k, 1] = wall_memory[k, 2] = 0.0
                wall_memory[k, 3] = wall_memory[k, 4] = wall_memory[k, 5] = 0.0
                continue
            back = take_back(gap, ri)
            if back > 0.0:
                x[i, 0] += back * out[0]
                x[i, 1] += back * out[1]
                x[i, 2] += back * out[2]
                for axis in range(3):
                    moved[axis] += back * out[axis] / v[i, 3]
                xi, yi, zi = x[i, 0], x[i, 1], x[i, 2]
                gap += back
            me = element_material[e] if element_material[e] >= 0 else mi
            arm = rolling[mi, me] * ri
            if arm > 0.0:
                # the surface turns with Ω: as a body of radius 1 it has s = Ω, and v such that v + s × n is as before
                wx, wy, wz = data[e, 3], data[e, 4], data[e, 5]
                v[row, 0] -= wy * out[2] - wz * out[1]
                v[row, 1] -= wz * out[0] - wx * out[2]
                v[row, 2] -= wx * out[1] - wy * out[0]
                v[row, 4], v[row, 5], v[row, 6] = wx, wy, wz
            for axis in range(7):
                before[row, axis] = v[row, axis]
            ci[count], cj[count], slot[count] = row, i, -1 - k
            ux, uy, uz = relative(before, row, i, out[0], out[1], out[2])
            describe(count, out[0], out[1], out[2], gap, 1.0 / v[i, 3], 1.0 / (v[i, 3] + v[i, 7]), friction[mi, me],
                     restitution[mi, me], arm, ux, uy, uz, contact)
            warm_start(count, i, 1.0, ri, k, ratio, wall_memory, v, contact, 0.0, 0.0, out[3], out[4], out[5], 0.0,
                       0.0, 0.0)
            count += 1
        vx, vy, vz, a, sx, sy, sz, b = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz = x[j, 0] - xi, x[j, 1] - yi, x[j, 2] - zi
            rj = x[j, 3]
            d2 = dx * dx + dy * dy + dz * dz
            reach = ri + rj
            limit = reach + NEAR * min(ri, rj)
            if d2 > limit * limit:
                closing = (v[j, 0] - vx) * dx + (v[j, 1] - vy) * dy + (v[j, 2] - vz) * dz
                # closing/d is the approach speed; squared distances decide without a root
                if d2 > limit * limit - 2.0 * h * min(closing, 0.0):
                    if memory[k, 0] != 0.0 or memory[k, 1] != 0.0 or memory[k, 2] != 0.0:
                        for c in range(6):
                            memory[k, c] = 0.0
                    continue
            d = math.sqrt(d2)
            inverse = 1.0 / d
            nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
            gap = d - reach
            back = take_back(gap, min(ri, rj))
            wn = a + v[j, 3]
            mn = 1.0 / wn
            # moves of both cancel in mass times displacement: nothing to add up
            share = back * mn
            xi, yi, zi = xi - a * share * nx, yi - a * share * ny, zi - a * share * nz
            share *= v[j, 3]
            x[j, 0] += share * nx
            x[j, 1] += share * ny
            x[j, 2] += share * nz
            gap += back
            mj = material[j]
            ci[count], cj[count], slot[count] = i, j, k
            rolls = rolling[mi, mj]
            arm = rolls * ri * rj / reach if rolls > 0.0 else 0.0
            ux, uy, uz = relative(before, i, j, nx, ny, nz)
            describe(count, nx, ny, nz, gap, mn, 1.0 / (wn + b + v[j, 7]), friction[mi, mj], restitution[mi, mj], arm,
                     ux, uy, uz, contact)
            vx, vy, vz, sx, sy, sz = warm_start(count, j, ri, rj, k, ratio, memory, v, contact, a, b, vx, vy, vz, sx,
                                                sy, sz)
            count += 1
        x[i, 0], x[i, 1], x[i, 2] = xi, yi, zi
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz
    return count


@inlined
def solve_contact(c: int, j: int, v: Floats, contact: Floats, least: float, ai: float, bi: float, vx: float, vy: float,
                  vz: float, sx: float, sy: float, sz: float) -> tuple[float, float, float, float, float, float]:
    """Normal impulse and friction of one contact such that u_n ≥ least.

    Takes 1/m, κ/m, velocity and r ω of i and returns the last two: they stay in registers while the contacts of i are
    swept, which follow each other.
    """
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    tx, ty, tz = sx + v[j, 4], sy + v[j, 5], sz + v[j, 6]
    ux = v[j, 0] - vx - (ty * nz - tz * ny)
    uy = v[j, 1] - vy - (tz * nx - tx * nz)
    uz = v[j, 2] - vz - (tx * ny - ty * nx)
    un = ux * nx + uy * ny + uz * nz
    p = contact[c, 8]
    new = p + contact[c, 4] * (least - un)
    new = new if new > 0.0 else 0.0
    dp = new - p
    mt = contact[c, 5]
    ox, oy, oz = contact[c, 9], contact[c, 10], contact[c, 11]
    qx, qy, qz = ox - mt * (ux - un * nx), oy - mt * (uy - un * ny), oz - mt * (uz - un * nz)
    limit, size = contact[c, 6] * new, qx * qx + qy * qy + qz * qz
    # most contacts stick, and a branch spares them the wait for root and division
    if size > limit * limit:
        scale = limit / math.sqrt(size)
        qx, qy, qz = scale * qx, scale * qy, scale * qz
    contact[c, 8], contact[c, 9], contact[c, 10], contact[c, 11] = new, qx, qy, qz
    px, py, pz = qx - ox + dp * nx, qy - oy + dp * ny, qz - oz + dp * nz
    tx, ty, tz = push(v, j, nx, ny, nz, px, py, pz)
    return vx - ai * px, vy - ai * py, vz - ai * pz, sx - bi * tx, sy - bi * ty, sz - bi * tz


@small_kernel
def close_slab(begin: int, end: int, ci: Int32s, cj: Int32s, v: Floats, contact: Floats, touched: Flags,
               h: float) -> None:
    """The sweep before the move: no contact closes beyond its gap."""
    inverse = 1.0 / h
    c = begin
    while c < end:
        i = ci[c]
        vx, vy, vz, a, sx, sy, sz, b = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        while c < end and ci[c] == i:
            j, gap = cj[c], contact[c, 3]
            vx, vy, vz, sx, sy, sz = solve_contact(c, j, v, contact, -gap * inverse if gap > 0.0 else 0.0, a, b, vx, vy,
                                                   vz, sx, sy, sz)
            if contact[c, 8] > 0.0:
                touched[i] = touched[j] = True
            c += 1
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz


@small_kernel
def relax_slab(begin: int, end: int, ci: Int32s, cj: Int32s, v: Floats, contact: Floats, slow: float) -> None:
    """The sweep after the move: touching contacts do not approach, impacts rebound (002 eq 4.19)."""
    c = begin
    while c < end:
        i = ci[c]
        vx, vy, vz, a, sx, sy, sz, b = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        while c < end and ci[c] == i:
            if contact[c, 8] > 0.0 or contact[c, 3] <= 0.0:
                u0 = contact[c, 12] * contact[c, 0] + contact[c, 13] * contact[c, 1] + contact[c, 14] * contact[c, 2]
                least = -contact[c, 7] * u0 if abs(u0) > slow else 0.0
                vx, vy, vz, sx, sy, sz = solve_contact(c, cj[c], v, contact, least, a, b, vx, vy, vz, sx, sy, sz)
            c += 1
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz


@small_kernel
def roll_slab(begin: int, end: int, ci: Int32s, cj: Int32s, slot: Int32s, x: Floats, v: Floats, contact: Floats,
              memory: Floats, wall_memory: Floats) -> None:
    """Rolling friction: an impulse of turning against ω_j - ω_i across n, at most arm · p."""
    for c in range(begin, end):
        if contact[c, 15] == 0.0:
            continue
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
        ri, rj = (x[i, 3] if k >= 0 else 1.0), x[j, 3]
        wx, wy, wz = v[j, 4] / rj - v[i, 4] / ri, v[j, 5] / rj - v[i, 5] / ri, v[j, 6] / rj - v[i, 6] / ri
        along = wx * nx + wy * ny + wz * nz
        inverse_inertia = v[i, 7] / (ri * ri) + v[j, 7] / (rj * rj)
        store = memory if k >= 0 else wall_memory
        m = k if k >= 0 else -1 - k
        qx = store[m, 3] - (wx - along * nx) / inverse_inertia
        qy = store[m, 4] - (wy - along * ny) / inverse_inertia
        qz = store[m, 5] - (wz - along * nz) / inverse_inertia
        limit, size = contact[c, 15] * contact[c, 8], math.sqrt(qx * qx + qy * qy + qz * qz)
        scale = limit / size if size > limit else 1.0
        lx, ly, lz = scale * qx - store[m, 3], scale * qy - store[m, 4], scale * qz - store[m, 5]
        store[m, 3], store[m, 4], store[m, 5] = scale * qx, scale * qy, scale * qz
        a, b = v[i, 7] / ri, v[j, 7] / rj
        v[i, 4] -= a * lx
        v[i, 5] -= a * ly
        v[i, 6] -= a * lz
        v[j, 4] += b * lx
        v[j, 5] += b * ly
        v[j, 6] += b * lz


@inlined
def natural_residual(p: float, mu: float, wn: float, wt: float, un: float, least: float, qx: float, qy: float,
                     qz: float, ux: float, uy: float, uz: float) -> float:
    """Squared residual of the natural map of one contact [m²/s²]: u is the slip, q the friction impulse.

    Friction itself, less friction and slip projected on Coulomb's disc, all as velocities.
    """
    normal = min(p * wn, un - least)
    qx, qy, qz = qx * wt, qy * wt, qz * wt
    tx, ty, tz = qx - ux, qy - uy, qz - uz
    limit, size = mu * p * wt, tx * tx + ty * ty + tz * tz
    if size > limit * limit:
        scale = limit / math.sqrt(size)
        tx, ty, tz = scale * tx, scale * ty, scale * tz
    tx, ty, tz = qx - tx, qy - ty, qz - tz
    return normal * normal + tx * tx + ty * ty + tz * tz


@small_kernel
def account_slab(begin: int, end: int, ci: Int32s, cj: Int32s, slot: Int32s, x: Floats, v: Floats, before: Floats,
                 contact: Floats, memory: Floats, wall_memory: Floats, slow: float, sums: Floats) -> None:
    """Keep the impulses of a step and add up its work, its residual and its overlaps.

    sums: work of normal impulses, of friction, of rolling friction, of boundaries [J]; squared residuals [m²/s²] and
    the largest residual [m/s], contacts, those that push; sum and largest of overlaps relative to the smaller radius;
    work that is not known better, because gravity acts during the step: p g h [J].
    """
    impact = friction = rolling = boundary = small = 0.0
    residuals = largest = contacts = pushing = overlaps = deepest = 0.0
    for c in range(begin, end):
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz, p = contact[c, 0], contact[c, 1], contact[c, 2], contact[c, 8]
        qx, qy, qz = contact[c, 9], contact[c, 10], contact[c, 11]
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        if k >= 0:
            memory[k, 0], memory[k, 1], memory[k, 2] = fx, fy, fz
        else:
            wall_memory[-1 - k, 0], wall_memory[-1 - k, 1], wall_memory[-1 - k, 2] = fx, fy, fz
        gap = contact[c, 3]
        if p == 0.0 and gap > 0.0:
            continue
        ux, uy, uz = relative(v, i, j, nx, ny, nz)
        ox, oy, oz = contact[c, 12], contact[c, 13], contact[c, 14]
        un, on = ux * nx + uy * ny + uz * nz, ox * nx + oy * ny + oz * nz
        impact += 0.5 * p * (un + on)
        small += p * (slow + ROUND_OFF * abs(on))
        friction += 0.5 * (qx * (ux + ox) + qy * (uy + oy) + qz * (uz + oz))
        if k < 0:
            wx, wy, wz = v[i, 4], v[i, 5], v[i, 6]
            boundary += (fx * (v[i, 0] + wy * nz - wz * ny) + fy * (v[i, 1] + wz * nx - wx * nz)
                         + fz * (v[i, 2] + wx * ny - wy * nx))
        if contact[c, 15] > 0.0:
            ri, rj = (x[i, 3] if k >= 0 else 1.0), x[j, 3]
            for axis in range(3):
                torque = memory[k, 3 + axis] if k >= 0 else wall_memory[-1 - k, 3 + axis]
                rolling += 0.5 * torque * ((v[j, 4 + axis] + before[j, 4 + axis]) / rj
                                         - (v[i, 4 + axis] + before[i, 4 + axis]) / ri)
                if k < 0:
                    boundary += torque * v[i, 4 + axis]
        wn = v[i, 3] + v[j, 3]
        wt = wn + v[i, 7] + v[j, 7]
        least = -contact[c, 7] * on if abs(on) > slow else 0.0
        residual = natural_residual(p, contact[c, 6], wn, wt, un, least, qx, qy, qz, ux - un * nx, uy - un * ny,
                                    uz - un * nz)
        residuals += residual
        largest = max(largest, residual)
        contacts += 1.0
        if p > 0.0:
            pushing += 1.0
            if gap < 0.0:
                overlap = -gap / min(x[i, 3] if k >= 0 else x[j, 3], x[j, 3])
                overlaps += overlap
                deepest = max(deepest, overlap)
    sums[0], sums[1], sums[2], sums[3], sums[4] = impact, friction, rolling, boundary, residuals
    sums[5], sums[6], sums[7], sums[8], sums[9] = largest, contacts, pushing, overlaps, deepest
    sums[10] = small


@small_kernel
def drift_slab(begin: int, end: int, slab: int, x: Floats, v: Floats, turned: Floats, blocks: Floats, built_at: Floats,
               touched: Flags, gx: float, gy: float, gz: float, h: float, sums: Floats) -> None:
    """Move the grains and ask for their turns; free flight is an exact parabola.

    sums: m g·Δx [J], the largest squared move since the lists were made [m²], the largest squared move of this step
    relative to the radius, and the number of its row.
    """
    first = first_block(begin, slab)
    for i in range(begin, end):
        half = 0.0 if touched[i] else 0.5 * h
        dx, dy, dz = h * (v[i, 0] - half * gx), h * (v[i, 1] - half * gy), h * (v[i, 2] - half * gz)
        x[i, 0] += dx
        x[i, 1] += dy
        x[i, 2] += dz
        sums[0] += (gx * dx + gy * dy + gz * dz) / v[i, 3]
        mx, my, mz = x[i, 0] - built_at[i, 0], x[i, 1] - built_at[i, 1], x[i, 2] - built_at[i, 2]
        move = mx * mx + my * my + mz * mz
        sums[1] = move if not move <= sums[1] else sums[1]
        step = (dx * dx + dy * dy + dz * dz) / (x[i, 3] * x[i, 3])
        if not step <= sums[2]:
            sums[2], sums[3] = step, float(i)
        ask_turn(x, turned, blocks, i, begin, first, v[i, 4], v[i, 5], v[i, 6], h)


@small_kernel
def gravity_work(begin: int, end: int, v: Floats, before: Floats, gx: float, gy: float, gz: float, h: float) -> float:
    """m g·h (v⁻ + v⁺)/2 of the grains of a slab [J]."""
    work = 0.0
    for i in range(begin, end):
        work += 0.5 * h / v[i, 3] * (gx * (v[i, 0] + before[i, 0]) + gy * (v[i, 1] + before[i, 1])
                                     + gz * (v[i, 2] + before[i, 2]))
    return work
