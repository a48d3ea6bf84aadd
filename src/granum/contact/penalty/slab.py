"""Soft contact: springs, dashpots and sliders between grains, by leapfrog steps.

One step of length h from x, v at t to t + h (drift, kick, drift):

    drift    x½ = x + h/2 v
    push     forces of all contacts at x½, with the velocities of the beginning of the step
    kick     v⁺ = v + h (g + F/m) + loads
    drift    x⁺ = x½ + h/2 v⁺

Grains are turned as they are moved: by h/2 ω, after the kick by h/2 ω⁺. From one middle to the next that is one turn.

Forces are no part of the state: grains, and what contacts remember, are enough to go on with the same bits.

A contact with overlap δ, unit normal n and relative velocity u = u_n n + u_t (approach: u_n < 0):

    linear   F_e = k δ,             k_t = 2/7 k                       (normal and tangential periods of spheres agree)
    Hertz    F_e = 4/3 E* √R* δ^1.5,  k_t = 8 G* √(R* δ)              (Mindlin without slip)
    normal   F_n = max(F_e - c u_n, 0), c = d √(S m_n), S = dF_e/dδ   (no tension; d from restitution, see laws.py)
    across   F_t = -k_t ξ - c_t u_t, |F_t| ≤ μ F_n, ξ̇ = u_t           (c_t m_n = c m_t: both dashpots slow at one rate)
    rolling  T = -k_r θ - c_r ω_t, |T| ≤ μ_r R* F_n, θ̇ = ω_t          (ω = ω_j - ω_i, k_r = k_t R*²)

with 1/m_n = 1/m_i + 1/m_j, 1/m_t = 1/m_n + κ_i/m_i + κ_j/m_j and 1/R* = 1/r_i + 1/r_j. Springs ξ and θ are turned into
the tangent plane in each step; where the slider slides they are shortened to what it carries.

Dashpots see velocities that are h/2 older than positions; that acts like a mass less by c h/2 (F = c u(t - h/2)), and c
is chosen such that restitution holds in spite of it: c² = c₀² (1 - c h/2 m_n).

Work is counted where it is lost: by dashpots with the mean velocity of the step as far as the contact itself changes
it, by sliders as mean force of the spring times slip. Nothing is lost at rest. What springs hold is `held_energy`.
"""

from __future__ import annotations

import math

import numba

from granum.base.kernels import Flags, Floats, Ints, Record, Records, inlined, kernel, parallel_kernel
from granum.contact.nonsmooth import stepping
from granum.contact.nonsmooth.moreau import relative
from granum.grains.geometry.elements import PLANE, Boundaries
from granum.grains.geometry.motion import move_elements, moved_distance
from granum.grains.geometry.surfaces import NX, NY, NZ, UX, UY, UZ, touch
from granum.grains.orientation import first_block, pack_blocks, request_rotation, rotate_slab, unpack_blocks
from granum.grains.search.history import clear, copy_slot
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s, X, Y, Z

prange = numba.prange

IMPACT, FRICTION, ROLLING, BOUNDARY, CONTACTS, PUSHING, OVERLAP, DEEPEST = range(8)
"""Sums of a slab: work of dashpots, of friction, of rolling friction and of boundaries [J]; contacts, those that push;
sum and largest of overlaps relative to the smaller radius."""
SUMS = 16
"""Their number, and room to the next cache line."""

K, K_T, D, MU, MU_R = range(5)
"""Columns of `laws` (materials, materials, 5): k or E*, k_t or G*, d of the dashpots, friction, rolling friction."""
STRAIGHT = 1e-14
"""Squared angle of a turn below which the length of a spring need not be mended."""


@inlined
def turn(ax: float, ay: float, az: float, nx: float, ny: float, nz: float) -> tuple[float, float, float]:
    """What a contact remembers, turned into the plane across n."""
    an = ax * nx + ay * ny + az * nz
    ax, ay, az = ax - an * nx, ay - an * ny, az - an * nz
    square = ax * ax + ay * ay + az * az
    if an * an > STRAIGHT * square and square > 0.0:
        scale = math.sqrt(1.0 + an * an / square)
        ax, ay, az = scale * ax, scale * ay, scale * az
    return ax, ay, az


@inlined
def dashpot(damping: float, stiff: float, w_n: float, h: float) -> float:
    """Rate c/m_n of the dashpots of a contact with the slope `stiff` of its elastic force."""
    rate = damping * math.sqrt(stiff * w_n)
    late = 0.25 * h * rate
    return rate * (1.0 - late + 0.5 * late * late)  # √(1 + late²) - late


@inlined
def hertz_springs(k: float, shear: float, radius: float, overlap: float) -> tuple[float, float, float]:
    """Elastic force, its slope and the tangential stiffness by Hertz and Mindlin."""
    root = math.sqrt(radius * overlap)
    return 4.0 / 3.0 * k * root * overlap, 2.0 * k * root, 8.0 * shear * root


@inlined
def slide(k_t: float, c_t: float, limit: float, ux: float, uy: float, uz: float, ax: float, ay: float, az: float,
          w_t: float, h: float) -> tuple[float, float, float, float, float, float, float]:
    """Force of a spring, stretched by a, a dashpot and a slider; what the stretch becomes, and work (no gain) [J]."""
    bx, by, bz = ax + h * ux, ay + h * uy, az + h * uz
    dx, dy, dz = -c_t * ux, -c_t * uy, -c_t * uz
    fx, fy, fz = dx - k_t * bx, dy - k_t * by, dz - k_t * bz
    size, work = fx * fx + fy * fy + fz * fz, 0.0
    if size > limit * limit:
        scale = limit / math.sqrt(size)
        fx, fy, fz = scale * fx, scale * fy, scale * fz
        stretch = k_t * math.sqrt(bx * bx + by * by + bz * bz)
        scale = limit / stretch if stretch > limit else 1.0
        work = -0.5 * k_t * (1.0 - scale) * ((ax + scale * bx) * bx + (ay + scale * by) * by + (az + scale * bz) * bz)
        bx, by, bz = scale * bx, scale * by, scale * bz
        dx, dy, dz = fx + k_t * bx, fy + k_t * by, fz + k_t * bz
    half = 0.5 * h * w_t
    work += h * (dx * (ux + half * fx) + dy * (uy + half * fy) + dz * (uz + half * fz))
    return fx, fy, fz, bx, by, bz, work


@inlined
def stiffen(k_t: float, overlap: float, u_n: float, h: float, ax: float, ay: float,
            az: float) -> tuple[float, float, float, float]:
    """Mindlin's spring after its stiffness has changed, and what that costs [J].

    Loading leaves the force alone, unloading the stretch: no energy is gained in either.
    """
    part = 1.0 + h * u_n / overlap
    part = math.sqrt(part) if part > 0.0 else 0.0
    held = 0.5 * k_t * (ax * ax + ay * ay + az * az)
    if part < 1.0:
        return part * ax, part * ay, part * az, -held * part * (1.0 - part)
    return ax, ay, az, -held * (part - 1.0)


@kernel
def roll(limit: float, k_r: float, rate: float, nx: float, ny: float, nz: float, ox: float, oy: float, oz: float,
         w_r: float, hertz: bool, overlap: float, u_n: float, h: float, slot: Record,
         sums: Floats) -> tuple[float, float, float]:
    """Torque on j against rolling with the relative angular velocity ω; w_r = 1/I_i + 1/I_j."""
    o_n = ox * nx + oy * ny + oz * nz
    ax, ay, az = turn(slot.tx, slot.ty, slot.tz, nx, ny, nz)
    if hertz:
        ax, ay, az, work = stiffen(k_r, overlap, u_n, h, ax, ay, az)
        sums[ROLLING] += work
    tx, ty, tz, ax, ay, az, work = slide(k_r, rate / w_r, limit, ox - o_n * nx, oy - o_n * ny, oz - o_n * nz, ax, ay,
                                         az, w_r, h)
    slot.tx, slot.ty, slot.tz = ax, ay, az
    sums[ROLLING] += work
    return tx, ty, tz


@kernel
def forget(slot: Record, k_t: float, radius: float, sums: Floats) -> None:
    """A contact has opened: what its springs still hold is lost."""
    sums[FRICTION] -= 0.5 * k_t * (slot.fx * slot.fx + slot.fy * slot.fy + slot.fz * slot.fz)
    sums[ROLLING] -= 0.5 * k_t * radius * radius * (slot.tx * slot.tx + slot.ty * slot.ty + slot.tz * slot.tz)
    clear(slot)


@kernel
def push_slab(x: Floats, v: Floats, f: Floats, material: Int32s, begin: int, end: int, first: Ints, other: Int32s,
              pair: Records, held: Flags, wall_first: Ints, wall_element: Int32s, wall: Records, wall_held: Flags,
              elements: Records, hertz: bool, laws: Floats, h: float, out: Floats, sums: Floats) -> None:
    """Forces between the grains of one slab, boundaries and grains that come later, added to `f`.

    Rows of f: force on the grain, and what torques add to m r²/I-weighted momentum, T/r. `held` says whether a place
    remembers anything, so that those of pairs apart need not be looked at.
    """
    impact, rubbed, contacts, pushing, overlaps, deepest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    # what depends on masses and materials alone is kept from pair to pair: most grains are alike
    last_n, last_t, last_i, last_j, last_r, first_r, per_radius = 0.0, 0.0, -1, -1, 0.0, 0.0, 0.0
    m_n, m_t, k_n, k_t, damping, mu, mu_r, rate = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(begin, end):
        xi, yi, zi, ri, mi = x[i, 0], x[i, 1], x[i, 2], x[i, 3], material[i]
        vx, vy, vz, wi = v[i, 0], v[i, 1], v[i, 2], v[i, 3]
        sx, sy, sz, ki = v[i, 4], v[i, 5], v[i, 6], v[i, 7]
        fx, fy, fz, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(wall_first[i], wall_first[i + 1]):
            element = elements[wall_element[k]]
            if element.kind == PLANE:  # most boundaries are, and a call costs as much as the contact
                point, normal, V, W = element.point, element.direction, element.velocity, element.angular_velocity
                nx, ny, nz = normal[0, X], normal[0, Y], normal[0, Z]
                d = (xi - point[0, X]) * nx + (yi - point[0, Y]) * ny + (zi - point[0, Z]) * nz
                ax, ay, az = xi - d * nx, yi - d * ny, zi - d * nz
                bx, by, bz = (V[X] + W[Y] * az - W[Z] * ay, V[Y] + W[Z] * ax - W[X] * az,
                              V[Z] + W[X] * ay - W[Y] * ax)
            else:
                d = touch(element, xi, yi, zi, out)
                nx, ny, nz, bx, by, bz = out[NX], out[NY], out[NZ], out[UX], out[UY], out[UZ]
            overlap = ri - d
            m = element.material if element.material >= 0 else mi
            if not overlap > 0.0 or wi == 0.0:
                if wall_held[k]:
                    forget(wall[k], 0.0 if hertz else laws[mi, m, K_T], ri, sums)
                    wall_held[k] = False
                continue
            ux, uy, uz = (vx - bx - (sy * nz - sz * ny), vy - by - (sz * nx - sx * nz), vz - bz - (sx * ny - sy * nx))
            u_n = ux * nx + uy * ny + uz * nz
            w_t, last_i = wi + ki, -1  # the next pair has other masses
            inverse = 1.0 / (wi * w_t)
            m_n, m_t, mu, mu_r = w_t * inverse, wi * inverse, laws[mi, m, MU], laws[mi, m, MU_R]
            elastic, stiff, k_t = laws[mi, m, K] * overlap, laws[mi, m, K], laws[mi, m, K_T]
            if hertz:
                elastic, stiff, k_t = hertz_springs(stiff, k_t, ri, overlap)
            rate = dashpot(laws[mi, m, D], stiff, wi, h)
            f_n = max(elastic - rate * m_n * u_n, 0.0)
            impact += h * (f_n - elastic) * (u_n + 0.5 * h * wi * f_n)
            px, py, pz = f_n * nx, f_n * ny, f_n * nz
            if mu > 0.0:
                ax, ay, az = turn(wall[k].fx, wall[k].fy, wall[k].fz, nx, ny, nz)
                if hertz:
                    ax, ay, az, work = stiffen(k_t, overlap, u_n, h, ax, ay, az)
                    rubbed += work
                ux, uy, uz, ax, ay, az, work = slide(
                    k_t, rate * m_t, mu * f_n, ux - u_n * nx, uy - u_n * ny, uz - u_n * nz, ax, ay, az, w_t, h)
                wall[k].fx, wall[k].fy, wall[k].fz = ax, ay, az
                wall_held[k] = True
                rubbed += work
                px, py, pz = px + ux, py + uy, pz + uz
                tx -= ny * uz - nz * uy
                ty -= nz * ux - nx * uz
                tz -= nx * uy - ny * ux
            sums[BOUNDARY] += h * (px * bx + py * by + pz * bz)
            fx, fy, fz = fx + px, fy + py, fz + pz
            if mu_r > 0.0:
                px, py, pz = roll(mu_r * ri * f_n, k_t * ri * ri, rate, nx, ny, nz, sx / ri, sy / ri,
                                  sz / ri, ki / (ri * ri), hertz, overlap, u_n, h, wall[k], sums)
                wall_held[k] = True
                tx, ty, tz = tx + px / ri, ty + py / ri, tz + pz / ri
            contacts += 1.0
            pushing += 1.0 if f_n > 0.0 else 0.0
            overlaps += overlap / ri
            deepest = max(deepest, overlap / ri)
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz, rj = x[j, 0] - xi, x[j, 1] - yi, x[j, 2] - zi, x[j, 3]
            d2, reach = dx * dx + dy * dy + dz * dz, ri + rj
            if not d2 < reach * reach:
                if held[k]:
                    forget(pair[k], 0.0 if hertz else laws[mi, material[j], K_T], ri * rj / reach, sums)
                    held[k] = False
                continue
            m, wj, kj = material[j], v[j, 3], v[j, 7]
            w_n = wi + wj
            if w_n == 0.0:
                continue
            inverse = 1.0 / math.sqrt(d2)
            nx, ny, nz, overlap = dx * inverse, dy * inverse, dz * inverse, reach - d2 * inverse
            ax, ay, az = sx + v[j, 4], sy + v[j, 5], sz + v[j, 6]
            ux, uy, uz = (v[j, 0] - vx - (ay * nz - az * ny), v[j, 1] - vy - (az * nx - ax * nz),
                          v[j, 2] - vz - (ax * ny - ay * nx))
            u_n = ux * nx + uy * ny + uz * nz
            w_t = w_n + ki + kj
            if w_n != last_n or w_t != last_t or mi != last_i or m != last_j:
                last_n, last_t, last_i, last_j = w_n, w_t, mi, m
                m_n, m_t = 1.0 / w_n, 1.0 / w_t
                k_n, k_t, damping, mu, mu_r = (laws[mi, m, K], laws[mi, m, K_T], laws[mi, m, D], laws[mi, m, MU],
                                               laws[mi, m, MU_R])
                rate = dashpot(damping, k_n, w_n, h)
            elastic = k_n * overlap
            if hertz:
                elastic, stiff, k_t = hertz_springs(k_n, laws[mi, m, K_T], ri * rj / reach, overlap)
                rate = dashpot(damping, stiff, w_n, h)
            f_n = max(elastic - rate * m_n * u_n, 0.0)
            impact += h * (f_n - elastic) * (u_n + 0.5 * h * w_n * f_n)
            px, py, pz = f_n * nx, f_n * ny, f_n * nz
            if mu > 0.0:
                ax, ay, az = turn(pair[k].fx, pair[k].fy, pair[k].fz, nx, ny, nz)
                if hertz:
                    ax, ay, az, work = stiffen(k_t, overlap, u_n, h, ax, ay, az)
                    rubbed += work
                ux, uy, uz, ax, ay, az, work = slide(
                    k_t, rate * m_t, mu * f_n, ux - u_n * nx, uy - u_n * ny, uz - u_n * nz, ax, ay, az, w_t, h)
                pair[k].fx, pair[k].fy, pair[k].fz = ax, ay, az
                held[k] = True
                rubbed += work
                px, py, pz = px + ux, py + uy, pz + uz
                ax, ay, az = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
                tx, ty, tz = tx - ax, ty - ay, tz - az
                f[j, 4] -= ax
                f[j, 5] -= ay
                f[j, 6] -= az
            fx, fy, fz = fx - px, fy - py, fz - pz
            f[j, 0] += px
            f[j, 1] += py
            f[j, 2] += pz
            if mu_r > 0.0:
                radius = ri * rj / reach
                px, py, pz = roll(mu_r * radius * f_n, k_t * radius * radius, rate, nx, ny, nz,
                                  v[j, 4] / rj - sx / ri, v[j, 5] / rj - sy / ri, v[j, 6] / rj - sz / ri,
                                  ki / (ri * ri) + kj / (rj * rj), hertz, overlap, u_n, h, pair[k], sums)
                held[k] = True
                tx, ty, tz = tx - px / ri, ty - py / ri, tz - pz / ri
                f[j, 4] += px / rj
                f[j, 5] += py / rj
                f[j, 6] += pz / rj
            contacts += 1.0
            pushing += 1.0 if f_n > 0.0 else 0.0
            if rj != last_r or ri != first_r:
                last_r, first_r, per_radius = rj, ri, 1.0 / min(ri, rj)
            overlaps += overlap * per_radius
            deepest = max(deepest, overlap * per_radius)
        f[i, 0] += fx
        f[i, 1] += fy
        f[i, 2] += fz
        f[i, 4] += tx
        f[i, 5] += ty
        f[i, 6] += tz
    sums[IMPACT] += impact
    sums[FRICTION] += rubbed
    sums[CONTACTS] += contacts
    sums[PUSHING] += pushing
    sums[OVERLAP] += overlaps
    sums[DEEPEST] = max(sums[DEEPEST], deepest)


@kernel
def begin_slab(begin: int, end: int, x: Floats, v: Floats, middle: Floats, f: Floats, h: float) -> None:
    """Drift to the middle of the first step."""
    half = 0.5 * h
    for i in range(begin, end):
        middle[i, 0] = x[i, 0] + half * v[i, 0]
        middle[i, 1] = x[i, 1] + half * v[i, 1]
        middle[i, 2] = x[i, 2] + half * v[i, 2]
        middle[i, 3] = x[i, 3]
        for c in range(8):
            f[i, c] = 0.0


@kernel
def turn_half(begin: int, end: int, slab: int, x: Floats, v: Floats, turned: Floats, blocks: Floats, h: float) -> None:
    """Turn grains from the end of a step on to the middle of the next, or back with a negative h."""
    first = first_block(begin, slab)
    for i in range(begin, end):
        request_rotation(x, turned, blocks, i, begin, first, v[i, 4], v[i, 5], v[i, 6], 0.5 * h)
    rotate_slab(begin, end, slab, blocks, 0.5 * h)


@kernel
def kick_slab(begin: int, end: int, slab: int, x: Floats, v: Floats, turned: Floats, blocks: Floats, middle: Floats,
              f: Floats, extra: Floats, built_at: Floats, gx: float, gy: float, gz: float, h: float,
              sums: Floats) -> None:
    """Kick, drift to the end of the step and on to the middle of the next one, and ask for a turn up to there.

    sums: the largest squared move, there, since the lists were made [m²], the largest squared move of a step relative
    to the radius, and the work of loads [J].
    """
    half, first = 0.5 * h, first_block(begin, slab)
    move, step = sums[0], sums[1]
    for i in range(begin, end):
        hw, hk = h * v[i, 3], h * v[i, 7]
        ax, ay, az = hw * f[i, 0], hw * f[i, 1], hw * f[i, 2]
        if hw > 0.0:
            ax, ay, az = ax + h * gx, ay + h * gy, az + h * gz
        if len(extra) > 0:
            ax, ay, az = ax + extra[i, 0], ay + extra[i, 1], az + extra[i, 2]
            if hw > 0.0:
                sums[2] += (extra[i, 0] * (v[i, 0] + 0.5 * ax) + extra[i, 1] * (v[i, 1] + 0.5 * ay)
                            + extra[i, 2] * (v[i, 2] + 0.5 * az)) / v[i, 3]
        vx, vy, vz = v[i, 0] + ax, v[i, 1] + ay, v[i, 2] + az
        v[i, 0], v[i, 1], v[i, 2] = vx, vy, vz
        sx, sy, sz = v[i, 4] + hk * f[i, 4], v[i, 5] + hk * f[i, 5], v[i, 6] + hk * f[i, 6]
        v[i, 4], v[i, 5], v[i, 6] = sx, sy, sz
        for c in range(8):
            f[i, c] = 0.0
        xi, yi, zi = middle[i, 0] + half * vx, middle[i, 1] + half * vy, middle[i, 2] + half * vz
        x[i, 0], x[i, 1], x[i, 2] = xi, yi, zi
        xi, yi, zi = xi + half * vx, yi + half * vy, zi + half * vz
        middle[i, 0], middle[i, 1], middle[i, 2] = xi, yi, zi
        xi, yi, zi = xi - built_at[i, 0], yi - built_at[i, 1], zi - built_at[i, 2]
        square = xi * xi + yi * yi + zi * zi
        move = square if not square <= move else move
        square = (vx * vx + vy * vy + vz * vz) * h * h / (middle[i, 3] * middle[i, 3])
        step = square if not square <= step else step
        request_rotation(middle, turned, blocks, i, begin, first, sx, sy, sz, h)
    sums[0], sums[1] = move, step


@kernel
def look(c: int, i: int, j: int, hertz: bool, law: Floats, radius: float, overlap: float, normal: Floats, ux: float,
         uy: float, uz: float, ox: float, oy: float, oz: float, w_n: float, w_t: float, w_r: float, h: float,
         slot: Record, room: Records, unused: Floats, pair: Int32s, force: Floats, energy: Floats) -> None:
    """Write force and energy of one contact; its springs go on by h in a copy."""
    copy = room[0]
    copy_slot(slot, 1.0, copy)
    nx, ny, nz = normal[c, 0], normal[c, 1], normal[c, 2]
    k, mu_r = law[K], law[MU_R]
    u_n = ux * nx + uy * ny + uz * nz
    elastic, stiff, k_t = hertz_springs(k, law[K_T], radius, overlap) if hertz else (k * overlap, k, law[K_T])
    rate = dashpot(law[D], stiff, w_n, 0.0)
    f_n = max(elastic - rate / w_n * u_n, 0.0)
    ax, ay, az = turn(slot.fx, slot.fy, slot.fz, nx, ny, nz)
    ux, uy, uz, ax, ay, az, _ = slide(k_t, rate / w_t, law[MU] * f_n, ux - u_n * nx, uy - u_n * ny, uz - u_n * nz, ax,
                                      ay, az, w_t, h)
    force[c, 0], force[c, 1], force[c, 2] = f_n * nx + ux, f_n * ny + uy, f_n * nz + uz
    if mu_r > 0.0:
        roll(mu_r * radius * f_n, k_t * radius * radius, rate, nx, ny, nz, ox, oy, oz, w_r, False, overlap, u_n, h,
             copy, unused)
    square = ax * ax + ay * ay + az * az
    square += radius * radius * (copy.tx**2 + copy.ty**2 + copy.tz**2)
    energy[c] = (8.0 / 15.0 * k * math.sqrt(radius * overlap) if hertz else 0.5 * k) * overlap * overlap
    energy[c] += 0.5 * k_t * square
    pair[c, 0], pair[c, 1] = i, j


@kernel
def look_at_contacts(
    x: Floats, v: Floats, material: Int32s, near: Neighbours, elements: Records, hertz: bool, laws: Floats, h: float,
    out: Floats, room: Records, unused: Floats, pair: Int32s, normal: Floats, force: Floats, energy: Floats,
) -> int:
    """All contacts as they are: who, normal, force on j (at a boundary on the grain), energy of the springs.

    Springs are remembered from the middle of the last step; h, half of it, takes them to its end.
    """
    c = 0
    for i in range(len(x)):
        ri, mi, wi, ki = x[i, 3], material[i], v[i, 3], v[i, 7]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            e = near.wall_element[k]
            element = elements[e]
            overlap = ri - touch(element, x[i, 0], x[i, 1], x[i, 2], out)
            if not overlap > 0.0 or wi == 0.0:
                continue
            me = element.material if element.material >= 0 else mi
            nx, ny, nz = out[NX], out[NY], out[NZ]
            sx, sy, sz = v[i, 4], v[i, 5], v[i, 6]
            normal[c, 0], normal[c, 1], normal[c, 2] = nx, ny, nz
            look(c, i, -1 - e, hertz, laws[mi, me], ri, overlap, normal, v[i, 0] - out[UX] - (sy * nz - sz * ny),
                 v[i, 1] - out[UY] - (sz * nx - sx * nz), v[i, 2] - out[UZ] - (sx * ny - sy * nx), sx / ri, sy / ri,
                 sz / ri, wi, wi + ki, ki / (ri * ri), h, near.wall[k], room, unused, pair, force, energy)
            c += 1
        for k in range(near.first[i], near.first[i + 1]):
            j = near.other[k]
            dx, dy, dz, rj = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2], x[j, 3]
            d, reach, mj, w_n = math.sqrt(dx * dx + dy * dy + dz * dz), ri + rj, material[j], wi + v[j, 3]
            if not d < reach or w_n == 0.0:
                continue
            normal[c, 0], normal[c, 1], normal[c, 2] = dx / d, dy / d, dz / d
            ux, uy, uz = relative(v, i, j, dx / d, dy / d, dz / d)
            look(c, i, j, hertz, laws[mi, mj], ri * rj / reach, reach - d, normal, ux, uy, uz,
                 v[j, 4] / rj - v[i, 4] / ri, v[j, 5] / rj - v[i, 5] / ri, v[j, 6] / rj - v[i, 6] / ri, w_n,
                 w_n + ki + v[j, 7], ki / (ri * ri) + v[j, 7] / (rj * rj), h, near.pair[k], room, unused, pair, force,
                 energy)
            c += 1
    return c


LOADS = stepping.TOTALS
"""Total beyond those of `stepping`: the work of loads (`extra`) over the whole step [J]."""
TOTALS = stepping.TOTALS + 1


def _steps(
    count: int, t: float, h: float, gravity: Floats, extra: Floats, x: Floats, v: Floats, turned: Floats,
    blocks: Floats, middle: Floats, f: Floats, material: Int32s, near: Neighbours, held: Flags, wall_held: Flags,
    boundaries: Boundaries, hertz: bool, laws: Floats, allowed: float, extent: float, built_t: float, sums: Floats,
    moves: Floats, scratch: Floats, totals: Floats,
) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative.

    Args:
        extra: (grains, 3) velocities that loads add in a step, or an empty array.
        middle: room for positions in the middle of a step; x itself is at the end of the last one, always.
        turned, blocks: how grains are turned; in the middle of a step, as `middle`, while steps are made.
        allowed: distance a grain may move before the lists are outdated [m].
    """
    gx, gy, gz = gravity
    # loops of several threads see arrays, no tuples of them: numba loses what is written there
    slabs, first, other, pair, wall_first, wall_element, wall, built_at = near
    elements, home, motion = boundaries.element, boundaries.home, boundaries.motion
    slab_count, made = len(slabs) - 1, count
    for s in prange(slab_count):
        begin_slab(slabs[s], slabs[s + 1], x, v, middle, f, h)
        pack_blocks(slabs[s], slabs[s + 1], s, x, turned, blocks)
        turn_half(slabs[s], slabs[s + 1], s, x, v, turned, blocks, h)
    for done in range(count):
        move_elements(home, motion, t + (done + 0.5) * h, elements)
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                sums[s] = 0.0
                push_slab(middle, v, f, material, slabs[s], slabs[s + 1], first, other, pair, held, wall_first,
                          wall_element, wall, wall_held, elements, hertz, laws, h, scratch[s], sums[s])
        for s in prange(slab_count):
            moves[s] = 0.0
            kick_slab(slabs[s], slabs[s + 1], s, x, v, turned, blocks, middle, f, extra, built_at, gx, gy, gz, h,
                      moves[s])
            rotate_slab(slabs[s], slabs[s + 1], s, blocks, h)
        move, step = 0.0, 0.0
        for s in range(slab_count):
            for k in range(4):
                totals[stepping.IMPACT + k] += sums[s, k]
            for k in range(3):
                totals[stepping.CONTACTS + k] += sums[s, CONTACTS + k]
            totals[stepping.DEEPEST] = max(totals[stepping.DEEPEST], sums[s, DEEPEST])
            totals[LOADS] += moves[s, 2]
            move = moves[s, 0] if not moves[s, 0] <= move else move
            step = moves[s, 1] if not moves[s, 1] <= step else step
        totals[stepping.STEPS] += 1.0
        far = math.sqrt(step)
        totals[stepping.MOVE] = far if not far <= totals[stepping.MOVE] else totals[stepping.MOVE]
        gone = moved_distance(motion, boundaries.reach, extent, built_t, t + (done + 1.5) * h, boundaries.shift)
        # a move that is no number is not within what is allowed either
        if not math.sqrt(move) + 0.5 * gone <= allowed:
            made = -done - 1
            break
    for s in prange(slab_count):
        turn_half(slabs[s], slabs[s + 1], s, x, v, turned, blocks, -h)
        unpack_blocks(slabs[s], slabs[s + 1], s, blocks, turned)
    return made


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
