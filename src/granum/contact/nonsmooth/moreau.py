"""Rigid contact by time stepping (Moreau): impulses, Coulomb's cone, Newton's restitution, in small steps.

One step of length h from (x⁻, v⁻) to (x⁺, v⁺):

    kick     v = v⁻ + h g + loads
    prepare  gaps and normals of near pairs; overlaps are corrected in part, by moving the two grains apart;
             impulses of the last step are applied again (warm start)
    lead     a = (v - v⁻)/2 is set aside, so that v is that of the middle of the step
    close    one Gauss-Seidel sweep: u_n ≥ -gap/h where grains are apart, so that they end in contact, else u_n ≥ 0
    drift    x⁺ = x⁻ + h v, and likewise the orientation; then a is added again
    bounce   impacts of grains that touch nothing else: exact, at their own instant within the step
    relax    sweeps with u_n ≥ 0, or u_n ≥ -e u_n⁻ after an impact, until the residual is below the tolerance
    account  work of contacts, residual and overlap of the step
    calm     where contacts would make energy, impacts beside them are plastic, and the sweeps go on

Forces that last, of loads and of contacts, move grains with the mean of old and new velocity: exactly where they are
constant, and symplectic for springs (position Verlet). What a contact needs beyond that, to close or to stop an
approach, acts on the whole move. Impulses of impacts are not applied again in the next step. Overlaps are corrected by
moving grains, never through velocities: nothing pumps kinetic energy, and the potential energy of these moves counts as
error. Spheres make the local problem diagonal: with W_n = 1/m_i + 1/m_j and
W_t = W_n + κ_i/m_i + κ_j/m_j normal impulse and friction of one contact follow exactly, friction by projection on the
disc |P_t| ≤ μ p. Contacts are swept bottom to top, slab by slab, even slabs first.

A contact that closes within the step does so at the speed u_i with u_i² = u_n⁻² - 2 a_n gap, a_n being gravity along
the normal; restitution is of that speed. A grain at a wall then has the right energy whatever the step.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, Record, Records, inlined, small_kernel
from granum.grains.geometry.surfaces import NX, NY, NZ, UX, UY, UZ, touch
from granum.grains.orientation import add_rotation, first_block, request_rotation
from granum.grains.search.history import clear
from granum.grains.state import Indices, Int32s

WIDTH = 16
"""Numbers of a contact, by column:"""
NORMAL, GAP, INVERSE_WN, INVERSE_WT, FRICTION, LEAST, PUSH, RUB, BEFORE, ARM = 0, 3, 4, 5, 6, 7, 8, 9, 12, 15
"""Normal (3), gap [m], 1/W_n and 1/W_t [kg], friction, least normal velocity after the step [m/s], normal impulse and
friction impulse (3) [N s], relative velocity (3) where the gap closes: along the normal with what gravity adds until
then, across it that of the beginning of the step [m/s], arm of rolling friction [m]."""
CORRECTED = 0.3
"""Part of an overlap that a step corrects."""
SLOP = 1e-5
"""Overlap, in smaller radii, that is left alone: contacts at rest stay closed."""
GENTLE = 0.01
"""Overlap without friction, in smaller radii, of which a step corrects half of that part; of less it corrects less."""
LARGEST_CORRECTION = 0.05
"""Largest overlap, in smaller radii, that a step corrects."""
NEAR = 0.005
"""Pairs closer than this part of the smaller radius are in the contact problem, touching or not."""
IMPACT, RUBBED, ROLLED, DRIVEN, RESIDUAL, WORST, SCALE, CONTACTS, PUSHING, OVERLAP, DEEPEST, FASTEST, BLURRED, \
    SUMS = range(14)
"""Sums of a slab over a step: work of normal impulses, friction, rolling friction and boundaries [J]; Σ μ r² of the
residuals r with the effective masses μ = 1/W_n [J], the largest r² [m²/s²], and Σ μ u² of the speeds u that residuals
are measured by [J]; contacts and those that push; overlaps relative to the smaller radius: the sum of those that push,
after their correction, and the largest of all before it; the fastest approach of contacts that close [m/s]; what is not
known of the work, because gravity acts in the step [J]."""
LISTED, CLOSED, SINGLE, CHOSEN, MISSED, ENDS = range(6)
"""For each slab: where the lists of all contacts of a step, of closed ones, of those that `bounce_slab` looks at and of
those to be swept again end, and how many missed their law in the last sweep."""


@small_kernel
def kick(v: Floats, before: Floats, degree: Int32s, changed: Int32s, begin: int, end: int, gx: float, gy: float,
         gz: float, h: float) -> None:
    """Keep the velocities of the beginning of the step and add those that gravity gives."""
    for i in range(begin, end):
        degree[i] = changed[i] = 0
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
def surface(v: Floats, i: int, nx: float, ny: float, nz: float) -> tuple[float, float, float]:
    """Velocity of a boundary where it is touched: v + s × n of its row."""
    return (v[i, 0] + v[i, 5] * nz - v[i, 6] * ny, v[i, 1] + v[i, 6] * nx - v[i, 4] * nz,
            v[i, 2] + v[i, 4] * ny - v[i, 5] * nx)


@inlined
def describe(c: int, nx: float, ny: float, nz: float, gap: float, mn: float, mt: float, mu: float, e: float, arm: float,
             ux: float, uy: float, uz: float, slow: float, contact: Floats) -> None:
    """Numbers of a contact that do not change in a step; u is the relative velocity where the gap closes.

    Approaches slower than `slow`, which gravity gives within a step, end in rest.
    """
    approach = ux * nx + uy * ny + uz * nz
    contact[c, 0], contact[c, 1], contact[c, 2], contact[c, GAP] = nx, ny, nz, gap
    contact[c, INVERSE_WN], contact[c, INVERSE_WT], contact[c, FRICTION] = mn, mt, mu
    contact[c, LEAST] = -e * approach if abs(approach) > slow else 0.0
    contact[c, 12], contact[c, 13], contact[c, 14], contact[c, ARM] = ux, uy, uz, arm


@inlined
def approach_of(c: int, contact: Floats) -> float:
    """Normal velocity where the gap of a contact closes."""
    return contact[c, 12] * contact[c, 0] + contact[c, 13] * contact[c, 1] + contact[c, 14] * contact[c, 2]


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
def warm_start(c: int, j: int, ri: float, rj: float, slot: Record, ratio: float, v: Floats,
               contact: Floats, ai: float, bi: float, vx: float, vy: float, vz: float, sx: float, sy: float,
               sz: float) -> tuple[float, float, float, float, float, float]:
    """Apply the impulse of the last step again; what it takes and returns of i is said at `solve_contact`."""
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    ratio *= 1.0 - slot.sudden
    px, py, pz = ratio * slot.fx, ratio * slot.fy, ratio * slot.fz
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
        tx, ty, tz = held * slot.tx, held * slot.ty, held * slot.tz
        slot.tx, slot.ty, slot.tz = tx, ty, tz
        a, b = bi / ri, v[j, 7] / rj
        v[j, 4] += b * tx
        v[j, 5] += b * ty
        v[j, 6] += b * tz
        sx, sy, sz = sx - a * tx, sy - a * ty, sz - a * tz
    return vx, vy, vz, sx, sy, sz


@inlined
def forget(slot: Record) -> None:
    """What is not near any more remembers nothing; most remember nothing anyway, and reading is cheaper."""
    if slot.fx != 0.0 or slot.fy != 0.0 or slot.fz != 0.0:
        clear(slot)


@inlined
def keep(slot: Record, fx: float, fy: float, fz: float, part: float) -> None:
    """Remember the impulse of a contact and the part of it that an impact gave."""
    slot.fx, slot.fy, slot.fz, slot.sudden = fx, fy, fz, part


@inlined
def sudden(p: float, mass: float, change: float, slow: float) -> float:
    """Part of a normal impulse that an impact gave, which changes the normal velocity by so much."""
    return min(1.0, mass * change / p) if change > slow and p > 0.0 else 0.0


@inlined
def correction(gap: float, radius: float, friction: float) -> float:
    """How far a step moves two grains apart [m]: a fixed part of the overlap.

    Without friction nothing ends the sliding that corrections set off, and a bed would never come to rest: there the
    part falls with the overlap.
    """
    overlap = max(-gap - SLOP * radius, 0.0)
    part = CORRECTED if friction > 0.0 else CORRECTED * overlap / (overlap + GENTLE * radius)
    return min(part * overlap, LARGEST_CORRECTION * radius)


@small_kernel
def prepare_slab(x: Floats, v: Floats, before: Floats, material: Int32s, begin: int, end: int, first: Ints,
                 other: Int32s, pair: Records, wall_first: Ints, wall_element: Int32s, wall: Records,
                 elements: Records, friction: Floats, restitution: Floats, rolling: Floats, h: float, ratio: float,
                 ci: Indices, cj: Indices, slot: Int32s, contact: Floats, degree: Int32s, gx: float, gy: float,
                 gz: float, slow: float, out: Floats, sums: Floats) -> int:
    """Contacts of the grains of one slab with boundaries and with grains that come later; returns how many.

    Overlaps are corrected in part; `sums` gets the largest one before that, whether its contact pushes or not. A
    boundary's contact has a row of its own in `v` behind the grains: the velocity of the surface, without mass.
    `degree` counts the contacts of each grain.
    """
    grains, deepest = len(x), 0.0
    count = first[begin] + wall_first[begin]
    for i in range(begin, end):
        xi, yi, zi, ri, mi, begun = x[i, 0], x[i, 1], x[i, 2], x[i, 3], material[i], count
        for k in range(wall_first[i], wall_first[i + 1]):
            element = elements[wall_element[k]]
            gap = touch(element, xi, yi, zi, out) - ri
            row = grains + k
            v[row, 0], v[row, 1], v[row, 2] = out[UX], out[UY], out[UZ]
            closing = (v[i, 0] - out[UX]) * out[NX] + (v[i, 1] - out[UY]) * out[NY] + (v[i, 2] - out[UZ]) * out[NZ]
            if gap > NEAR * ri - h * min(closing, 0.0):
                forget(wall[k])
                continue
            me = element.material if element.material >= 0 else mi
            if -gap > deepest * ri:
                deepest = -gap / ri
            back = correction(gap, ri, friction[mi, me])
            if back > 0.0:
                x[i, 0] += back * out[NX]
                x[i, 1] += back * out[NY]
                x[i, 2] += back * out[NZ]
                xi, yi, zi = x[i, 0], x[i, 1], x[i, 2]
                gap += back
            arm = rolling[mi, me] * ri
            if arm > 0.0:
                # the surface turns with Ω: as a body of radius 1 it has s = Ω, and v such that v + s × n is as before
                omega = element.angular_velocity
                wx, wy, wz = omega[0], omega[1], omega[2]
                v[row, 0] -= wy * out[NZ] - wz * out[NY]
                v[row, 1] -= wz * out[NX] - wx * out[NZ]
                v[row, 2] -= wx * out[NY] - wy * out[NX]
                v[row, 4], v[row, 5], v[row, 6] = wx, wy, wz
            for axis in range(7):
                before[row, axis] = v[row, axis]
            ci[count], cj[count], slot[count] = row, i, -1 - k
            nx, ny, nz = out[NX], out[NY], out[NZ]
            ux, uy, uz = relative(before, row, i, nx, ny, nz)
            un = ux * nx + uy * ny + uz * nz
            if gap > 0.0 and un < 0.0:
                # gravity goes on until the gap is closed
                gain = -math.sqrt(max(un * un - 2.0 * (gx * nx + gy * ny + gz * nz) * gap, 0.0)) - un
                ux, uy, uz = ux + gain * nx, uy + gain * ny, uz + gain * nz
            describe(count, nx, ny, nz, gap, 1.0 / v[i, 3], 1.0 / (v[i, 3] + v[i, 7]), friction[mi, me],
                     restitution[mi, me], arm, ux, uy, uz, slow, contact)
            warm_start(count, i, 1.0, ri, wall[k], ratio, v, contact, 0.0, 0.0, out[UX], out[UY], out[UZ], 0.0, 0.0,
                       0.0)
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
                    forget(pair[k])
                    continue
            d = math.sqrt(d2)
            inverse = 1.0 / d
            nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
            gap = d - reach
            mj = material[j]
            smaller = min(ri, rj)
            if -gap > deepest * smaller:
                deepest = -gap / smaller
            back = correction(gap, smaller, friction[mi, mj])
            wn = a + v[j, 3]
            mn = 1.0 / wn
            share = back * mn
            xi, yi, zi = xi - a * share * nx, yi - a * share * ny, zi - a * share * nz
            share *= v[j, 3]
            x[j, 0] += share * nx
            x[j, 1] += share * ny
            x[j, 2] += share * nz
            gap += back
            ci[count], cj[count], slot[count] = i, j, k
            rolls = rolling[mi, mj]
            arm = rolls * ri * rj / reach if rolls > 0.0 else 0.0
            degree[j] += 1
            ux, uy, uz = relative(before, i, j, nx, ny, nz)
            describe(count, nx, ny, nz, gap, mn, 1.0 / (wn + b + v[j, 7]), friction[mi, mj], restitution[mi, mj], arm,
                     ux, uy, uz, slow, contact)
            vx, vy, vz, sx, sy, sz = warm_start(count, j, ri, rj, pair[k], ratio, v, contact, a, b, vx, vy, vz, sx, sy,
                                                sz)
            count += 1
        degree[i] += count - begun
        x[i, 0], x[i, 1], x[i, 2] = xi, yi, zi
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz
    sums[DEEPEST] = deepest
    return count


@inlined
def solve_contact(c: int, j: int, v: Floats, contact: Floats, least: float, ai: float, bi: float, vx: float, vy: float,
                  vz: float, sx: float, sy: float, sz: float,
                  small: float) -> tuple[float, float, float, float, float, float, bool]:
    """Normal impulse and friction of one contact such that u_n ≥ least.

    Takes 1/m, κ/m, velocity and r ω of i and returns the last two: they stay in registers while the contacts of i are
    swept, which follow each other. Returns too whether the contact has missed its law by more than the velocity whose
    square is `small`.
    """
    nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
    tx, ty, tz = sx + v[j, 4], sy + v[j, 5], sz + v[j, 6]
    ux = v[j, 0] - vx - (ty * nz - tz * ny)
    uy = v[j, 1] - vy - (tz * nx - tx * nz)
    uz = v[j, 2] - vz - (tx * ny - ty * nx)
    un = ux * nx + uy * ny + uz * nz
    p, mn, mt = contact[c, PUSH], contact[c, INVERSE_WN], contact[c, INVERSE_WT]
    new = p + mn * (least - un)
    new = new if new > 0.0 else 0.0
    dp = new - p
    ox, oy, oz = contact[c, 9], contact[c, 10], contact[c, 11]
    qx, qy, qz = ox - mt * (ux - un * nx), oy - mt * (uy - un * ny), oz - mt * (uz - un * nz)
    limit, size = contact[c, FRICTION] * new, qx * qx + qy * qy + qz * qz
    # most contacts stick, and a branch spares them the wait for root and division
    if size > limit * limit:
        scale = limit / math.sqrt(size)
        qx, qy, qz = scale * qx, scale * qy, scale * qz
    contact[c, PUSH], contact[c, 9], contact[c, 10], contact[c, 11] = new, qx, qy, qz
    qx, qy, qz = qx - ox, qy - oy, qz - oz
    missed = dp * dp > small * mn * mn or qx * qx + qy * qy + qz * qz > small * mt * mt
    px, py, pz = qx + dp * nx, qy + dp * ny, qz + dp * nz
    tx, ty, tz = push(v, j, nx, ny, nz, px, py, pz)
    return vx - ai * px, vy - ai * py, vz - ai * pz, sx - bi * tx, sy - bi * ty, sz - bi * tz, missed


@small_kernel
def close_slab(begin: int, end: int, ci: Indices, cj: Indices, v: Floats, contact: Floats, degree: Int32s, grains: int,
               h: float, closed: Indices, single: Indices, ends: Ints) -> float:
    """The sweep before the move: no contact closes beyond its gap. Returns the fastest approach that it stops [m/s].

    Lists the contacts that are closed after it, and those of grains that touch nothing else, from `begin` on; `ends`
    says where the lists end.
    """
    inverse, count, fastest, singles = 1.0 / h, begin, 0.0, begin
    c = begin
    while c < end:
        i = ci[c]
        vx, vy, vz, a, sx, sy, sz, b = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        while c < end and ci[c] == i:
            j, gap = cj[c], contact[c, GAP]
            if gap > 0.0 and contact[c, PUSH] == 0.0 and contact[c, LEAST] > 0.0 and degree[j] == 1 and \
                    (i >= grains or degree[i] == 1):
                single[singles] = c
                singles += 1
            else:
                least = -gap * inverse if gap > 0.0 else 0.0
                vx, vy, vz, sx, sy, sz, _ = solve_contact(c, j, v, contact, least, a, b, vx, vy, vz, sx, sy, sz, 0.0)
                if contact[c, PUSH] > 0.0:
                    fastest = max(fastest, -approach_of(c, contact))
                    if gap > 0.0:
                        contact[c, GAP] = gap = 0.0
                closed[count] = c
                count += 1 if gap <= 0.0 else 0
            c += 1
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz
    ends[CLOSED], ends[SINGLE] = count, singles
    return fastest


@small_kernel
def relax_slab(begin: int, end: int, chosen: Indices, ci: Indices, cj: Indices, v: Floats, contact: Floats,
               changed: Int32s, sweep: int, small: float) -> int:
    """A sweep after the move: touching contacts do not approach, impacts rebound (002 eq 4.19).

    Grains whose contacts missed their law by more than √small are marked with the number of the sweep.
    """
    k, count = begin, 0
    while k < end:
        i = ci[chosen[k]]
        latest = changed[i]
        vx, vy, vz, a, sx, sy, sz, b = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        while k < end and ci[chosen[k]] == i:
            c = chosen[k]
            j = cj[c]
            vx, vy, vz, sx, sy, sz, missed = solve_contact(c, j, v, contact, contact[c, LEAST], a, b, vx, vy, vz, sx,
                                                           sy, sz, small)
            # no branch, as in `choose_slab`
            mark = sweep if missed else 0
            latest = max(latest, mark)
            changed[j] = max(changed[j], mark)
            count += 1 if missed else 0
            k += 1
        changed[i] = latest
        v[i, 0], v[i, 1], v[i, 2], v[i, 4], v[i, 5], v[i, 6] = vx, vy, vz, sx, sy, sz
    return count


@small_kernel
def choose_slab(begin: int, end: int, source: Indices, ci: Indices, cj: Indices, changed: Int32s, sweep: int,
                chosen: Indices) -> int:
    """List those contacts of `source` whose grains were marked in a sweep; returns where the list ends."""
    count = begin
    for k in range(begin, end):
        c = source[k]
        chosen[count] = c
        # no branch: which contacts are chosen cannot be foreseen
        count += 1 if max(changed[ci[c]], changed[cj[c]]) >= sweep else 0
    return count


@small_kernel
def roll_slab(begin: int, end: int, chosen: Indices, ci: Indices, cj: Indices, slot: Int32s, x: Floats, v: Floats,
              contact: Floats, pair: Records, wall: Records, changed: Int32s, sweep: int, small: float) -> int:
    """Rolling friction: an angular impulse against ω_j - ω_i across n, at most arm · p; marks as `relax_slab` does."""
    count = 0
    for index in range(begin, end):
        c = chosen[index]
        if contact[c, ARM] == 0.0:
            continue
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
        ri, rj = (x[i, 3] if k >= 0 else 1.0), x[j, 3]
        wx, wy, wz = v[j, 4] / rj - v[i, 4] / ri, v[j, 5] / rj - v[i, 5] / ri, v[j, 6] / rj - v[i, 6] / ri
        along = wx * nx + wy * ny + wz * nz
        inverse_inertia = v[i, 7] / (ri * ri) + v[j, 7] / (rj * rj)
        slot_ = pair[k] if k >= 0 else wall[-1 - k]
        qx = slot_.tx - (wx - along * nx) / inverse_inertia
        qy = slot_.ty - (wy - along * ny) / inverse_inertia
        qz = slot_.tz - (wz - along * nz) / inverse_inertia
        limit, size = contact[c, ARM] * contact[c, PUSH], math.sqrt(qx * qx + qy * qy + qz * qz)
        scale = limit / size if size > limit else 1.0
        lx, ly, lz = scale * qx - slot_.tx, scale * qy - slot_.ty, scale * qz - slot_.tz
        slot_.tx, slot_.ty, slot_.tz = scale * qx, scale * qy, scale * qz
        turn = inverse_inertia * rj
        if (lx * lx + ly * ly + lz * lz) * turn * turn > small:
            changed[i] = changed[j] = sweep
            count += 1
        a, b = v[i, 7] / ri, v[j, 7] / rj
        v[i, 4] -= a * lx
        v[i, 5] -= a * ly
        v[i, 6] -= a * lz
        v[j, 4] += b * lx
        v[j, 5] += b * ly
        v[j, 6] += b * lz
    return count


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
def calm_slab(begin: int, end: int, closed: Indices, ci: Indices, cj: Indices, degree: Int32s, bodies: int,
              contact: Floats, least: int, everywhere: bool) -> int:
    """Impacts of grains that are marked, or all of them, become plastic; returns how many.

    Newton's law with friction can make energy where several contacts share a step: friction may act along the velocity
    that a grain had before. With u_n ≥ 0 it cannot: T⁺ - T⁻ = Σ P·u⁺ - ½ Pᵀ W P, and no P·u⁺ is positive then.
    """
    count = 0
    for k in range(begin, end):
        c = closed[k]
        i, j = ci[c], cj[c]
        if contact[c, least] > 0.0 and (everywhere or degree[j] < 0 or (i < bodies and degree[i] < 0)):
            contact[c, least] = 0.0
            count += 1
    return count


@small_kernel
def account_slab(begin: int, end: int, ci: Indices, cj: Indices, slot: Int32s, x: Floats, v: Floats, before: Floats,
                 contact: Floats, pair: Records, wall: Records, degree: Int32s, slow: float, floor: float,
                 sums: Floats) -> None:
    """Keep the impulses of a step and add up its work, its residual and its overlaps, see `SUMS`.

    An impact from the approach u_i to its target does the work p (u_i + target)/2. What the solution misses of the
    target is no work of the contact: it shows as an error of the energy. Grains whose contacts made energy are marked
    with a negative degree (two slabs may mark one grain, with the same number).

    Args:
        slow: speed of approach up to which a contact rests [m/s].
        floor: speed that residuals are measured by where the approach is slower [m/s].
    """
    impact = rubbed = rolled = driven = total = worst = scale = contacts = pushing = overlaps = blurred = 0.0
    for c in range(begin, end):
        i, j, k = ci[c], cj[c], slot[c]
        nx, ny, nz, p = contact[c, 0], contact[c, 1], contact[c, 2], contact[c, PUSH]
        qx, qy, qz = contact[c, 9], contact[c, 10], contact[c, 11]
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        ox, oy, oz, least = contact[c, 12], contact[c, 13], contact[c, 14], contact[c, LEAST]
        approach = ox * nx + oy * ny + oz * nz
        part = sudden(p, contact[c, INVERSE_WN], least - approach, slow)
        slot_ = pair[k] if k >= 0 else wall[-1 - k]
        keep(slot_, fx, fy, fz, part)
        gap = contact[c, GAP]
        if p == 0.0 and gap > 0.0:
            continue
        contacts += 1.0
        if p > 0.0:
            pushing += 1.0
        if contact[c, ARM] > 0.0:
            ri, rj = (x[i, 3] if k >= 0 else 1.0), x[j, 3]
            for axis in range(3):
                torque = slot_.tx if axis == 0 else (slot_.ty if axis == 1 else slot_.tz)
                rolled += 0.5 * torque * ((v[j, 4 + axis] + before[j, 4 + axis]) / rj
                                        - (v[i, 4 + axis] + before[i, 4 + axis]) / ri)
                if k < 0:
                    driven += torque * v[i, 4 + axis]
        if gap > 0.0:  # an impact within the step, which has been accounted for
            continue
        ux, uy, uz = relative(v, i, j, nx, ny, nz)
        un = ux * nx + uy * ny + uz * nz
        work, rub = 0.5 * p * (least + approach), 0.5 * (qx * (ux + ox) + qy * (uy + oy) + qz * (uz + oz))
        impact += work
        rubbed += rub
        blurred += p * slow
        if work + rub > p * slow:
            degree[j] = -1
            if k >= 0:
                degree[i] = -1
        if k < 0:
            sx, sy, sz = surface(v, i, nx, ny, nz)
            driven += fx * sx + fy * sy + fz * sz
        wn = v[i, 3] + v[j, 3]
        wt = wn + v[i, 7] + v[j, 7]
        residual = natural_residual(p, contact[c, FRICTION], wn, wt, un, least, qx, qy, qz, ux - un * nx, uy - un * ny,
                                    uz - un * nz)
        speed = max(abs(approach), floor) if p > 0.0 else floor
        total += contact[c, INVERSE_WN] * residual
        scale += contact[c, INVERSE_WN] * speed * speed
        worst = max(worst, residual)
        if p > 0.0:
            overlaps += max(-gap, 0.0) / min(x[i if k >= 0 else j, 3], x[j, 3])
    sums[IMPACT], sums[RUBBED], sums[ROLLED], sums[DRIVEN], sums[RESIDUAL] = impact, rubbed, rolled, driven, total
    sums[WORST], sums[SCALE], sums[CONTACTS], sums[PUSHING] = worst, scale, contacts, pushing
    sums[OVERLAP], sums[BLURRED] = overlaps, blurred


@small_kernel
def lead_slab(begin: int, end: int, v: Floats, before: Floats, lead: Floats) -> None:
    """Set half of what velocities have changed by aside: they become those of the middle of the step."""
    for i in range(begin, end):
        for c in range(8):
            lead[i, c] = 0.5 * (v[i, c] - before[i, c])
            v[i, c] -= lead[i, c]


@small_kernel
def drift_slab(begin: int, end: int, slab: int, x: Floats, v: Floats, lead: Floats, turned: Floats, blocks: Floats,
               built_at: Floats, h: float, sums: Floats) -> None:
    """Move the grains, ask for their turns, and add what was set aside to their velocities.

    sums: the largest squared move since the lists were made [m²], the largest squared move of this step relative to
    the radius.
    """
    first = first_block(begin, slab)
    for i in range(begin, end):
        dx, dy, dz = h * v[i, 0], h * v[i, 1], h * v[i, 2]
        x[i, 0] += dx
        x[i, 1] += dy
        x[i, 2] += dz
        mx, my, mz = x[i, 0] - built_at[i, 0], x[i, 1] - built_at[i, 1], x[i, 2] - built_at[i, 2]
        move = mx * mx + my * my + mz * mz
        sums[0] = move if not move <= sums[0] else sums[0]
        step = (dx * dx + dy * dy + dz * dz) / (x[i, 3] * x[i, 3])
        sums[1] = step if not step <= sums[1] else sums[1]
        request_rotation(x, turned, blocks, i, begin, first, v[i, 4], v[i, 5], v[i, 6], h)
        for c in range(8):
            v[i, c] += lead[i, c]


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
    wx = half * (v[j, 0] + before[j, 0] - v[i, 0] - before[i, 0])
    wy = half * (v[j, 1] + before[j, 1] - v[i, 1] - before[i, 1])
    wz = half * (v[j, 2] + before[j, 2] - v[i, 2] - before[i, 2])
    dx, dy, dz = x[j, 0] - x[i, 0] - wx, x[j, 1] - x[i, 1] - wy, x[j, 2] - x[i, 2] - wz
    reach = x[i, 3] + x[j, 3]
    b, square = dx * wx + dy * wy + dz * wz, dx * dx + dy * dy + dz * dz - reach * reach
    under = b * b - (wx * wx + wy * wy + wz * wz) * square
    part = square / (math.sqrt(under) - b) if b < 0.0 and under > 0.0 and square > 0.0 else 2.0
    if part > 1.0:
        return -1.0, 0.0, 0.0, 0.0
    return part * h, (dx + part * wx) / reach, (dy + part * wy) / reach, (dz + part * wz) / reach


@inlined
def meet_wall(x: Floats, v: Floats, before: Floats, row: int, j: int, nx: float, ny: float, nz: float, gap: float,
              h: float, element: Record, out: Floats) -> float:
    """When a grain that has flown freely for a step has met a boundary; -1 if it has not. `out` has the normal there.

    gap + u τ + a τ²/2 = 0 along the normal of the beginning, then a step of Newton where the boundary is curved.
    """
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
    sx, sy, sz = surface(v, row, nx, ny, nz)
    px = x[j, 0] - rest * at_time(v, before, j, part, 0) - t * sx
    py = x[j, 1] - rest * at_time(v, before, j, part, 1) - t * sy
    pz = x[j, 2] - rest * at_time(v, before, j, part, 2) - t * sz
    left = touch(element, px, py, pz, out) - x[j, 3]
    return min(max(t + left / math.sqrt(under), 0.0), h)


@small_kernel
def bounce_slab(begin: int, end: int, single: Indices, slab: int, first_row: int, last_row: int, ci: Indices,
                cj: Indices, slot: Int32s, x: Floats, v: Floats, before: Floats, turned: Floats, blocks: Floats,
                contact: Floats, wall_element: Int32s, elements: Records, slow: float, h: float,
                out: Floats, sums: Floats) -> None:
    """Impacts of grains that touch nothing else in the step, at their own instant τ.

    Both have flown freely through the whole step. An impulse P at τ changes velocities by P/m and places by
    (h - τ) P/m. Where the rebound would not outlast the step, the grain ends at the boundary with its speed of rebound.
    sums[2:5]: work of impacts, friction and boundaries [J].
    """
    for index in range(begin, end):
        c = single[index]
        i, j, k = ci[c], cj[c], slot[c]
        if k >= 0:
            t, nx, ny, nz = meet(x, v, before, i, j, h)
        else:
            t = meet_wall(x, v, before, i, j, contact[c, 0], contact[c, 1], contact[c, 2], contact[c, GAP], h,
                          elements[wall_element[-1 - k]], out)
            nx, ny, nz = out[NX], out[NY], out[NZ]
        left, part = h - t, t / h
        ex, ey, ez = relative(v, i, j, nx, ny, nz)
        ox, oy, oz = relative(before, i, j, nx, ny, nz)
        ux, uy, uz = ox + part * (ex - ox), oy + part * (ey - oy), oz + part * (ez - oz)
        un = ux * nx + uy * ny + uz * nz
        if t < 0.0 or un >= 0.0:
            continue
        e = -contact[c, LEAST] / approach_of(c, contact) if un < -slow else 0.0
        mn, mt = contact[c, INVERSE_WN], contact[c, INVERSE_WT]
        p = -(1.0 + e) * un * mn
        qx, qy, qz = -mt * (ux - un * nx), -mt * (uy - un * ny), -mt * (uz - un * nz)
        limit, size = contact[c, FRICTION] * p, math.sqrt(qx * qx + qy * qy + qz * qz)
        if size > limit:
            qx, qy, qz = limit / size * qx, limit / size * qy, limit / size * qz
        sums[2] += 0.5 * p * (1.0 - e) * un
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        # u_t after the impact is u_t + W_t q
        sums[3] += qx * ux + qy * uy + qz * uz + 0.5 * (qx * qx + qy * qy + qz * qz) / mt
        if k < 0:
            sx, sy, sz = surface(v, i, nx, ny, nz)
            sums[4] += fx * sx + fy * sy + fz * sz
        # what presses on during the rest of the step
        a = ((ex - ox) * nx + (ey - oy) * ny + (ez - oz) * nz) / h
        lag = -e * un * left + 0.5 * a * left * left
        hold = -a * left * mn if lag < 0.0 else 0.0
        shift = -lag * mn if lag < 0.0 else 0.0
        contact[c, 0], contact[c, 1], contact[c, 2], contact[c, PUSH] = nx, ny, nz, p + hold
        contact[c, 9], contact[c, 10], contact[c, 11] = qx, qy, qz
        tx, ty, tz = ny * qz - nz * qy, nz * qx - nx * qz, nx * qy - ny * qx
        for side in range(2):
            b = j if side == 0 else i
            if v[b, 3] == 0.0:
                continue
            sign = 1.0 if side == 0 else -1.0
            im, km = sign * v[b, 3], v[b, 7]
            x[b, 0] += im * (left * fx + shift * nx)
            x[b, 1] += im * (left * fy + shift * ny)
            x[b, 2] += im * (left * fz + shift * nz)
            v[b, 0] += im * (fx + hold * nx)
            v[b, 1] += im * (fy + hold * ny)
            v[b, 2] += im * (fz + hold * nz)
            v[b, 4] -= km * tx
            v[b, 5] -= km * ty
            v[b, 6] -= km * tz
            if b < last_row:
                add_rotation(x, turned, blocks, b, first_row, first_block(first_row, slab), -km * tx, -km * ty,
                             -km * tz, left, h)
            else:
                add_rotation(x, turned, blocks, b, last_row, first_block(last_row, slab + 1), -km * tx, -km * ty,
                             -km * tz, left, h)
