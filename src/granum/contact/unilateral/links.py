"""Kernels of `unilateral`: links that hold grains in contact and open instead of pulling (002 §4.3.2, 4.4, 5).

Grains in contact are linked for a step h. With w = 1/m_i + 1/m_j, n from i to j and u the velocity of j against i,

    start    γ₁, f₁ and accelerations a₁ from the state at the beginning
    rounds   x = x₁ + h v₁ + h²/6 (2 a₁ + a),  v = v₁ + h/2 (a₁ + a)                        (5.12), (5.24)
             n·(a_j - a_i) + |u_t|²/d ≥ 0  ⟂  γ ≥ 0                       H γ = b where a link pushes
             f = -μ γ SGN(u_t), at most what stops the sliding           (4.14)-(4.18)
             ten Gauss-Seidel sweeps per round, until γ and f change by less than the tolerance
    position δl ≥ -h²/6 (2 γ₁ + γ)  ⟂  gap ≥ 0                             (5.16)-(5.18), one-sided
    velocity δv ≥ -h/2 (γ₁ + γ)  ⟂  u_n ≥ 0, or -e u_n of a new contact    (4.24)-(4.26), (5.28)-(5.30), one-sided

A correction may take back what its link has pushed in the step and no more: over a step no contact pulls.

Friction: the limit (4.18) is the smoothed sign (4.16) with its slope given. Let c be the sliding velocity at the end of
the step without the friction of this contact: what stops it within the step is m c/s with s = h for a₁ and h/2 for a,
so that f = -μ γ SGN(c) with ε = μ γ s/m. Contacts stick exactly, no ε is left to choose, and both grains feel it, in
opposite directions (the published (4.15) takes signs of x and y one by one).

An impact is found a moment late. Its approach speed is taken back to the touch, u₀² = u_n² - 2 a_n gap with a_n of the
loads, else taking back the overlap would lift grains against gravity for nothing. Coulomb's law holds for the impulse
of an impact too.

Nothing is given back to the velocities for energy (5.4.3): what friction and impacts take is booked, and what is left
over in the ledger is the error of the scheme.

As in the document no contact turns a grain: spins stay what they are, and take part in nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from granum.base.kernels import Floats, Ints, Record, Records, kernel
from granum.contact.nonsmooth.stepping import (
    BOUNDARY,
    CONTACTS,
    DEEPEST,
    FRICTION,
    IMPACT,
    MOVE,
    OVERLAP,
    PUSHING,
    RELATIVE,
    STEPS,
    TOTALS,
    WORST,
)
from granum.grains.geometry.elements import PLANE, REST, Boundaries
from granum.grains.geometry.motion import move_elements, moved_distance
from granum.grains.geometry.surfaces import NX, NY, NZ, UX, UY, UZ, touch
from granum.grains.orientation import rotate_grains
from granum.grains.search.history import clear
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s

ROUNDS, MOST, UNSETTLED, DIVIDED = range(TOTALS, TOTALS + 4)
"""Totals beyond those of all rigid steps: rounds and the most in a step; steps whose corrections were left unfinished;
steps that were divided."""
OWN_TOTALS = TOTALS + 4
NEAR = 1e-4
"""Gap in smaller radii below which grains touch (published: about 3e-5)."""
CLOSE = 0.01
"""Gap in smaller radii below which the correction of positions looks after a pair."""
SWEEPS = 10
"""Gauss-Seidel sweeps in one round, as published (10 to 20)."""
OVER, PLAIN = 1.7, 3
"""Over-relaxation of sweeps (published: 1.5) after so many plain rounds, which end few contacts at once."""
MOST_ROUNDS = 500
"""Rounds after which a step has not converged, as published."""
MOST_SWEEPS = 1000
"""Sweeps of a correction; what they leave is left to the next step."""
SETTLED = 0.02
"""Part of NEAR that a correction of positions may leave."""
SLOW = 2.0
"""Approach speed, in what the largest load gives in a step, up to which a touch is no impact: η_m of (4.23)."""
PEEK = 0.02
"""Part of a step by which derivatives of boundaries look ahead and back: less would lose digits, and central
differences keep the order of the scheme."""

LINK = 26
"""Numbers of a link: normal 0-2, rest of the relative acceleration 3, 1/w 4, μ 5, γ 6, f 7-9; at the beginning of the
step normal 10-12, γ 13, f 14-16, velocity of the boundary 17-19, u 20-22; force of the round before 23-25."""
CONTACT = 21
"""Numbers of a contact in corrections: normal 0-2, gap 3, 1/w 4, μ 5, u_n wanted 6, least δv 7, δv 8, friction of δv
9-11, u before 12-14, approach at the touch 15, least δl 16, δl 17, smaller radius 18, number of its link or -1 19,
touches 20."""

DONE, OUTDATED, STUCK_AT_START, STUCK = range(4)
"""How steps end."""


class Bounds(NamedTuple):
    """Boundaries now, a moment earlier and later, and when the neighbour list is outdated."""

    now: Boundaries
    earlier: Records
    later: Records
    built_t: float
    allowed: float
    extent: float


class Law(NamedTuple):
    """What acts: gravity, and coefficients by materials of grains."""

    gravity: Floats
    friction: Floats
    restitution: Floats
    material: Int32s


class Room(NamedTuple):
    """Arrays of a step. Rows behind the grains stand for near boundaries, as rows of v do: without mass."""

    x1: Floats
    v1: Floats
    a1: Floats
    a: Floats
    a_before: Floats
    base: Floats
    load: Floats
    li: Int32s
    lj: Int32s
    lplace: Int32s
    link: Floats
    link_of: Int32s
    """Link of each place of the lists (pairs, then boundaries), or -1."""
    ci: Int32s
    cj: Int32s
    cplace: Int32s
    contact: Floats
    out: Floats
    out_ahead: Floats
    store: Floats
    """(3,): an impulse."""
    worst: Ints
    """Rows i and j of the link that changed most in the last round."""


@kernel
def _add_link(c: int, i: int, j: int, at: int, mu: float, slot: Record, v: Floats, room: Room) -> None:
    """A link of this step, with the force that its contact had at the end of the last."""
    link = room.link
    room.li[c], room.lj[c], room.lplace[c], room.link_of[at] = i, j, at, c
    link[c, 4], link[c, 5] = 1.0 / (v[i, 3] + v[j, 3]), mu
    link[c, 7], link[c, 8], link[c, 9] = slot.tx, slot.ty, slot.tz


@kernel
def gather(x: Floats, v: Floats, near: Neighbours, bounds: Bounds, law: Law, slow: float, room: Room,
           totals: Floats) -> int:
    """Links for the contacts that neither separate nor collide; returns how many. Notes the largest overlap of all."""
    grains, pairs, count = len(x), len(near.other), 0
    out = room.out
    for i in range(grains):
        material = law.material[i]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            room.link_of[pairs + k] = -1
            element = bounds.now.element[near.wall_element[k]]
            gap = touch(element, x[i, 0], x[i, 1], x[i, 2], out) - x[i, 3]
            if gap > NEAR * x[i, 3]:
                continue
            totals[DEEPEST] = max(totals[DEEPEST], -gap / x[i, 3])
            u = (v[i, 0] - out[UX]) * out[NX] + (v[i, 1] - out[UY]) * out[NY] + (v[i, 2] - out[UZ]) * out[NZ]
            if abs(u) <= slow:
                other = element.material if element.material >= 0 else material
                _add_link(count, grains + k, i, pairs + k, law.friction[material, other], near.wall[k], v, room)
                count += 1
        for k in range(near.first[i], near.first[i + 1]):
            room.link_of[k] = -1
            j = near.other[k]
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            limit = x[i, 3] + x[j, 3] + NEAR * min(x[i, 3], x[j, 3])
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > limit * limit:
                continue
            totals[DEEPEST] = max(totals[DEEPEST], (x[i, 3] + x[j, 3] - math.sqrt(d2)) / min(x[i, 3], x[j, 3]))
            u = (v[j, 0] - v[i, 0]) * dx + (v[j, 1] - v[i, 1]) * dy + (v[j, 2] - v[i, 2]) * dz
            if abs(u) <= slow * math.sqrt(d2):
                _add_link(count, i, j, k, law.friction[material, law.material[j]], near.pair[k], v, room)
                count += 1
    return count


@kernel
def _aim_at_wall(c: int, row: int, j: int, e: int, x: Floats, v: Floats, bounds: Bounds, peek: float, back: float,
                 room: Room) -> None:
    """Normal of a boundary, its velocity and acceleration, and the rest of the relative acceleration along the normal.

    The rest is the rate of n·(v - V) as the grain goes on with v, by a central difference: that holds for surfaces of
    any curvature and motion.
    """
    link, out, ahead = room.link, room.out, room.out_ahead
    element = bounds.now.element[e]
    touch(element, x[j, 0], x[j, 1], x[j, 2], out)
    rest = 0.0
    for axis in range(3):
        link[c, axis], v[row, axis], room.a[row, axis] = out[NX + axis], out[UX + axis], 0.0
    if element.kind != PLANE or bounds.now.motion[e].kind != REST:
        for side in range(2):
            sign = 1.0 if side == 0 else -1.0
            then, step = bounds.later if side == 0 else bounds.earlier, sign * peek
            touch(then[e], x[j, 0] + step * v[j, 0], x[j, 1] + step * v[j, 1], x[j, 2] + step * v[j, 2], ahead)
            for axis in range(3):
                rest += sign * ahead[NX + axis] * (v[j, axis] - ahead[UX + axis])
                room.a[row, axis] += sign * ahead[UX + axis] / (2.0 * peek)
        rest /= 2.0 * peek
    for axis in range(3):
        room.base[row, axis] = out[UX + axis] - back * room.a[row, axis]
        rest += out[NX + axis] * room.a[row, axis]
    link[c, 3] = rest


@kernel
def aim(count: int, x: Floats, v: Floats, near: Neighbours, bounds: Bounds, peek: float, back: float,
        room: Room) -> None:
    """Normals and centripetal terms of all links at (x, v)."""
    link, grains, pairs = room.link, len(x), len(near.other)
    for c in range(count):
        i, j = room.li[c], room.lj[c]
        if i >= grains:
            _aim_at_wall(c, i, j, near.wall_element[room.lplace[c] - pairs], x, v, bounds, peek, back, room)
        else:
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            ux, uy, uz = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1], v[j, 2] - v[i, 2]
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            un = (ux * dx + uy * dy + uz * dz) / d
            link[c, 0], link[c, 1], link[c, 2] = dx / d, dy / d, dz / d
            link[c, 3] = (ux * ux + uy * uy + uz * uz - un * un) / d


@kernel
def turn(count: int, whole: bool, room: Room) -> None:
    """Turn friction into the tangent planes of new normals; whole: γ is still part of the vector f."""
    link = room.link
    for c in range(count):
        along = link[c, 0] * link[c, 7] + link[c, 1] * link[c, 8] + link[c, 2] * link[c, 9]
        for axis in range(3):
            link[c, 7 + axis] = link[c, 7 + axis] - along * link[c, axis] if link[c, 5] > 0.0 else 0.0
        if whole:
            link[c, 6] = max(along, 0.0)


@kernel
def accelerate(count: int, v: Floats, room: Room) -> None:
    """a = loads + M⁻¹ (E C γ + f) of the grains."""
    link, a = room.link, room.a
    for i in range(len(room.load)):
        for axis in range(3):
            a[i, axis] = room.load[i, axis]
    for c in range(count):
        i, j = room.li[c], room.lj[c]
        for axis in range(3):
            force = link[c, 6] * link[c, axis] + link[c, 7 + axis]
            a[i, axis] -= v[i, 3] * force
            a[j, axis] += v[j, 3] * force


@kernel
def sweep(count: int, s: float, over: float, v: Floats, room: Room) -> None:
    """One Gauss-Seidel sweep over γ and f, over-relaxed; sliding at the end of the step is base + s a."""
    link, a, base = room.link, room.a, room.base
    for c in range(count):
        i, j = room.li[c], room.lj[c]
        nx, ny, nz, mass = link[c, 0], link[c, 1], link[c, 2], link[c, 4]
        ax, ay, az = a[j, 0] - a[i, 0], a[j, 1] - a[i, 1], a[j, 2] - a[i, 2]
        gamma = max(0.0, link[c, 6] - over * mass * (nx * ax + ny * ay + nz * az + link[c, 3]))
        change = gamma - link[c, 6]
        link[c, 6] = gamma
        px, py, pz = change * nx, change * ny, change * nz
        if link[c, 5] > 0.0:
            ux, uy, uz = base[j, 0] - base[i, 0] + s * ax, base[j, 1] - base[i, 1] + s * ay, \
                base[j, 2] - base[i, 2] + s * az
            un = nx * ux + ny * uy + nz * uz
            fx = link[c, 7] - over * mass / s * (ux - un * nx)
            fy = link[c, 8] - over * mass / s * (uy - un * ny)
            fz = link[c, 9] - over * mass / s * (uz - un * nz)
            limit, size = link[c, 5] * gamma, math.sqrt(fx * fx + fy * fy + fz * fz)
            if size > limit:
                fx, fy, fz = fx * limit / size, fy * limit / size, fz * limit / size
            px, py, pz = px + fx - link[c, 7], py + fy - link[c, 8], pz + fz - link[c, 9]
            link[c, 7], link[c, 8], link[c, 9] = fx, fy, fz
        wi, wj = v[i, 3], v[j, 3]
        a[i, 0] -= wi * px
        a[i, 1] -= wi * py
        a[i, 2] -= wi * pz
        a[j, 0] += wj * px
        a[j, 1] += wj * py
        a[j, 2] += wj * pz


@kernel
def changed(count: int, pull: float, room: Room) -> float:
    """Largest change since this was asked last: of a force, relative to the largest force or load m · pull, or of an
    acceleration, relative to pull; whichever is smaller.

    Where friction has more contacts than it needs, forces may wander for ever without a change of the motion.
    """
    link, largest, change = room.link, 0.0, 0.0
    for c in range(count):
        # where the last link opens, the largest force goes to zero: loads are the measure then
        largest = max(largest, (link[c, 4] * pull) ** 2)
        size, difference = 0.0, 0.0
        for axis in range(3):
            force = link[c, 6] * link[c, axis] + link[c, 7 + axis]
            size += force * force
            difference += (force - link[c, 23 + axis]) ** 2
            link[c, 23 + axis] = force
        largest = max(largest, size)
        if not difference <= change:
            change = difference
            room.worst[0], room.worst[1] = room.li[c], room.lj[c]
    change = math.sqrt(change / largest) if largest > 0.0 else math.sqrt(change)
    jolt = 0.0
    for i in range(len(room.load)):
        for axis in range(3):
            difference = abs(room.a[i, axis] - room.a_before[i, axis])
            jolt = difference if not difference <= jolt else jolt
            room.a_before[i, axis] = room.a[i, axis]
    return min(change, jolt / pull) if pull > 0.0 else change


@kernel
def start_forces(count: int, v: Floats, h: float, pull: float, tolerance: float, room: Room) -> int:
    """γ₁, f₁ and a₁ for the state at the beginning of the step; returns the rounds, or -1 without convergence."""
    for i in range(len(room.load)):
        for axis in range(3):
            room.base[i, axis] = v[i, axis]
    turn(count, True, room)
    accelerate(count, v, room)
    changed(count, pull, room)
    for rounds in range(1, MOST_ROUNDS + 1):
        for _ in range(SWEEPS):
            sweep(count, h, 1.0 if rounds <= PLAIN else OVER, v, room)
        change = changed(count, pull, room)
        if change <= tolerance:
            return rounds
        if not math.isfinite(change):
            break
    return -1


@kernel
def keep_start(count: int, x: Floats, v: Floats, room: Room) -> None:
    """Keep accelerations, and normals, forces and velocities of links at the beginning of the step."""
    link = room.link
    for i in range(len(x)):
        for axis in range(3):
            room.a1[i, axis] = room.a[i, axis]
    for c in range(count):
        i, j = room.li[c], room.lj[c]
        link[c, 13] = link[c, 6]
        for axis in range(3):
            link[c, 10 + axis], link[c, 14 + axis] = link[c, axis], link[c, 7 + axis]
            link[c, 17 + axis] = v[i, axis] if i >= len(x) else 0.0
            link[c, 20 + axis] = v[j, axis] - v[i, axis]


@kernel
def extrapolate(h: float, x: Floats, v: Floats, room: Room) -> None:
    """Position and velocity at the end of the step for the accelerations a (5.12), (5.24)."""
    for i in range(len(x)):
        for axis in range(3):
            a1, a = room.a1[i, axis], room.a[i, axis]
            x[i, axis] = room.x1[i, axis] + h * room.v1[i, axis] + h * h / 6.0 * (2.0 * a1 + a)
            v[i, axis] = room.v1[i, axis] + 0.5 * h * (a1 + a)


@kernel
def iterate(count: int, x: Floats, v: Floats, near: Neighbours, bounds: Bounds, h: float, pull: float,
            tolerance: float, room: Room) -> int:
    """The mixed iteration for the end of the step (002 fig 5.2); returns the rounds, or -1 without convergence."""
    extrapolate(h, x, v, room)
    for i in range(len(x)):
        for axis in range(3):
            room.base[i, axis] = room.v1[i, axis] + 0.5 * h * room.a1[i, axis]
    if count == 0:
        return 1
    for rounds in range(1, MOST_ROUNDS + 1):
        aim(count, x, v, near, bounds, PEEK * h, 0.5 * h, room)
        turn(count, False, room)
        accelerate(count, v, room)
        for _ in range(SWEEPS):
            sweep(count, 0.5 * h, 1.0 if rounds <= PLAIN else OVER, v, room)
        change = changed(count, pull, room)
        extrapolate(h, x, v, room)
        if change <= tolerance:
            return rounds
        if not math.isfinite(change):
            break
    return -1


@kernel
def book_links(count: int, x: Floats, v: Floats, near: Neighbours, h: float, room: Room, totals: Floats) -> None:
    """Work of friction and boundaries over the step, P·(u₁ + u)/2, and what contacts remember."""
    link, grains, pairs = room.link, len(x), len(near.other)
    for c in range(count):
        i, j, at = room.li[c], room.lj[c], room.lplace[c]
        store = room.store
        for axis in range(3):
            friction = 0.5 * h * (link[c, 14 + axis] + link[c, 7 + axis])
            normal = 0.5 * h * (link[c, 13] * link[c, 10 + axis] + link[c, 6] * link[c, axis])
            totals[FRICTION] += 0.5 * friction * (link[c, 20 + axis] + v[j, axis] - v[i, axis])
            if i >= grains:
                totals[BOUNDARY] += 0.5 * (friction + normal) * (link[c, 17 + axis] + v[i, axis])
            store[axis] = friction + normal
        slot = near.pair[at] if at < pairs else near.wall[at - pairs]
        slot.fx, slot.fy, slot.fz = store[0], store[1], store[2]
        slot.tx = link[c, 6] * link[c, 0] + link[c, 7]
        slot.ty = link[c, 6] * link[c, 1] + link[c, 8]
        slot.tz = link[c, 6] * link[c, 2] + link[c, 9]


@kernel
def _add_contact(c: int, i: int, j: int, at: int, gap: float, radius: float, mu: float, e: float, slow: float,
                 h: float, v: Floats, room: Room) -> None:
    """A contact for the corrections: what it must reach, and how much it may take back."""
    contact, link, l = room.contact, room.link, room.link_of[at]
    room.ci[c], room.cj[c], room.cplace[c] = i, j, at
    contact[c, 3], contact[c, 4], contact[c, 5] = gap, 1.0 / (v[i, 3] + v[j, 3]), mu
    un, an, free = 0.0, 0.0, i < len(room.load)
    for axis in range(3):
        contact[c, 9 + axis], contact[c, 12 + axis] = 0.0, v[j, axis] - v[i, axis]
        un += contact[c, axis] * contact[c, 12 + axis]
        # loads only: forces of other links of these grains would make an approach of their own, and pump energy
        an += contact[c, axis] * (room.load[j, axis] - (room.load[i, axis] if free else 0.0))
    pushes = l >= 0 and link[l, 6] > 0.0
    contact[c, 6] = contact[c, 8] = contact[c, 17] = 0.0
    contact[c, 7] = -0.5 * h * (link[l, 13] + link[l, 6]) if pushes else 0.0
    contact[c, 16] = -h * h / 6.0 * (2.0 * link[l, 13] + link[l, 6]) if pushes else 0.0
    contact[c, 15] = un
    if un < -slow and not pushes:
        contact[c, 15] = -math.sqrt(max(0.0, un * un - 2.0 * an * gap))
        contact[c, 6] = -e * contact[c, 15]
    contact[c, 18], contact[c, 19] = radius, float(l)
    contact[c, 20] = 1.0 if pushes or gap <= NEAR * radius else 0.0


@kernel
def collect(x: Floats, v: Floats, near: Neighbours, bounds: Bounds, law: Law, slow: float, h: float, room: Room) -> int:
    """Contacts at the end of the step, linked or new; returns how many. Those that are open forget their impulse."""
    grains, pairs, count = len(x), len(near.other), 0
    out, contact = room.out, room.contact
    for i in range(grains):
        material = law.material[i]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            if room.link_of[pairs + k] < 0:
                clear(near.wall[k])
            element, r, row = bounds.now.element[near.wall_element[k]], x[i, 3], grains + k
            gap = touch(element, x[i, 0], x[i, 1], x[i, 2], out) - r
            if gap > CLOSE * r:
                continue
            for axis in range(3):
                contact[count, axis], v[row, axis] = out[NX + axis], out[UX + axis]
            other = element.material if element.material >= 0 else material
            _add_contact(count, row, i, pairs + k, gap, r, law.friction[material, other],
                         law.restitution[material, other], slow, h, v, room)
            count += 1
        for k in range(near.first[i], near.first[i + 1]):
            if room.link_of[k] < 0:
                clear(near.pair[k])
            j = near.other[k]
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            r = min(x[i, 3], x[j, 3])
            limit = x[i, 3] + x[j, 3] + CLOSE * r
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > limit * limit:
                continue
            d = math.sqrt(d2)
            contact[count, 0], contact[count, 1], contact[count, 2] = dx / d, dy / d, dz / d
            other = law.material[j]
            _add_contact(count, i, j, k, d - x[i, 3] - x[j, 3], r, law.friction[material, other],
                         law.restitution[material, other], slow, h, v, room)
            count += 1
    return count


@kernel
def correct_positions(count: int, x: Floats, v: Floats, room: Room) -> bool:
    """Take back overlaps, and gaps of links as far as these have pushed (5.17)-(5.18); False if sweeps ran out."""
    contact, move = room.contact, room.base
    for i in range(len(move)):
        move[i, 0] = move[i, 1] = move[i, 2] = 0.0
    settled = False
    for k in range(MOST_SWEEPS):
        settled, over = True, 1.0 if k < SWEEPS * PLAIN else OVER
        for c in range(count):
            i, j = room.ci[c], room.cj[c]
            gap = contact[c, 3]
            for axis in range(3):
                gap += contact[c, axis] * (move[j, axis] - move[i, axis])
            push = max(contact[c, 16], contact[c, 17] - over * contact[c, 4] * gap)
            change = push - contact[c, 17]
            if change == 0.0:
                continue
            if abs(change) > SETTLED * NEAR * contact[c, 18] * contact[c, 4]:
                settled = False
            contact[c, 17] = push
            for axis in range(3):
                move[i, axis] -= v[i, 3] * change * contact[c, axis]
                move[j, axis] += v[j, 3] * change * contact[c, axis]
        if settled:
            break
    for i in range(len(x)):
        for axis in range(3):
            x[i, axis] += move[i, axis]
    for c in range(count):
        i, j = room.ci[c], room.cj[c]
        for axis in range(3):
            contact[c, 3] += contact[c, axis] * (move[j, axis] - move[i, axis])
        # what a correction has brought together touches too: else a dense bed would fall and be lifted for ever
        if contact[c, 3] <= NEAR * contact[c, 18]:
            contact[c, 20] = 1.0
    return settled


@kernel
def correct_velocities(count: int, v: Floats, slow: float, tolerance: float, room: Room) -> bool:
    """Impacts, and errors of the velocities of links (4.25)-(4.26); False if sweeps ran out."""
    contact = room.contact
    scale = slow
    for c in range(count):
        if contact[c, 20] > 0.0:
            scale = max(scale, -contact[c, 15])
    for k in range(MOST_SWEEPS):
        worst, over = 0.0, 1.0 if k < SWEEPS * PLAIN else OVER
        for c in range(count):
            if contact[c, 20] == 0.0:
                continue
            i, j, mass = room.ci[c], room.cj[c], contact[c, 4]
            nx, ny, nz = contact[c, 0], contact[c, 1], contact[c, 2]
            ux, uy, uz = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1], v[j, 2] - v[i, 2]
            un = nx * ux + ny * uy + nz * uz
            push = max(contact[c, 7], contact[c, 8] + over * mass * (contact[c, 6] - un))
            change = push - contact[c, 8]
            contact[c, 8] = push
            qx = contact[c, 9] - mass * (ux - un * nx)
            qy = contact[c, 10] - mass * (uy - un * ny)
            qz = contact[c, 11] - mass * (uz - un * nz)
            limit, size = contact[c, 5] * max(push, 0.0), math.sqrt(qx * qx + qy * qy + qz * qz)
            part = limit / size if size > limit else 1.0
            px, py, pz = part * qx - contact[c, 9], part * qy - contact[c, 10], part * qz - contact[c, 11]
            contact[c, 9], contact[c, 10], contact[c, 11] = part * qx, part * qy, part * qz
            px, py, pz = px + change * nx, py + change * ny, pz + change * nz
            worst = max(worst, (px * px + py * py + pz * pz) / (mass * mass))
            v[i, 0] -= v[i, 3] * px
            v[i, 1] -= v[i, 3] * py
            v[i, 2] -= v[i, 3] * pz
            v[j, 0] += v[j, 3] * px
            v[j, 1] += v[j, 3] * py
            v[j, 2] += v[j, 3] * pz
        if math.sqrt(worst) <= tolerance * scale:
            return True
    return False


@kernel
def book_contacts(count: int, x: Floats, v: Floats, near: Neighbours, slow: float, room: Room, totals: Floats) -> None:
    """Work of impacts, residuals and overlaps; impulses of corrections are remembered as well."""
    contact, link, grains, pairs = room.contact, room.link, len(x), len(near.other)
    total, scale = 0.0, 0.0
    for c in range(count):
        if contact[c, 20] == 0.0:
            continue
        i, j, at, l = room.ci[c], room.cj[c], room.cplace[c], int(contact[c, 19])
        slot, store = near.pair[at] if at < pairs else near.wall[at - pairs], room.store
        store[0], store[1], store[2] = slot.fx, slot.fy, slot.fz
        un, p, delta = 0.0, 0.0, contact[c, 8]
        for axis in range(3):
            n, u = contact[c, axis], v[j, axis] - v[i, axis]
            un += n * u
            push = delta * n + contact[c, 9 + axis]
            totals[FRICTION] += 0.5 * contact[c, 9 + axis] * (u + contact[c, 12 + axis])
            if i >= grains:
                totals[BOUNDARY] += push * v[i, axis]
            store[axis] += push
            p += n * store[axis]
        slot.fx, slot.fy, slot.fz = store[0], store[1], store[2]
        if l < 0 or link[l, 6] <= 0.0:  # what the velocity misses of its target is an error, no work of the impact
            totals[IMPACT] += 0.5 * delta * (contact[c, 15] + contact[c, 6])
        mass = contact[c, 4]
        normal, size, residual = min(p / mass, un - contact[c, 6]), 0.0, 0.0
        for axis in range(3):
            q = (store[axis] - p * contact[c, axis]) / mass - (v[j, axis] - v[i, axis] - un * contact[c, axis])
            size += q * q
        limit, size = contact[c, 5] * max(p, 0.0) / mass, math.sqrt(size)
        part = limit / size if size > limit else 1.0
        for axis in range(3):
            own = (store[axis] - p * contact[c, axis]) / mass
            q = own - (v[j, axis] - v[i, axis] - un * contact[c, axis])
            residual += (own - part * q) ** 2
        residual += normal * normal
        total += mass * residual
        scale += mass * max(abs(contact[c, 15]), slow) ** 2
        totals[WORST] = max(totals[WORST], math.sqrt(residual))
        totals[CONTACTS] += 1.0
        if p > 0.0:
            totals[PUSHING] += 1.0
            totals[OVERLAP] += max(-contact[c, 3], 0.0) / contact[c, 18]
    if scale > 0.0:
        totals[RELATIVE] = max(totals[RELATIVE], math.sqrt(total / scale))


@kernel
def _begin(x: Floats, v: Floats, law: Law, extra: Floats, h: float, room: Room) -> float:
    """Keep the state, and write the accelerations by loads; returns the largest of these."""
    largest = 0.0
    for i in range(len(x)):
        size = 0.0
        for axis in range(3):
            room.x1[i, axis], room.v1[i, axis] = x[i, axis], v[i, axis]
            room.load[i, axis] = law.gravity[axis] + (extra[i, axis] / h if len(extra) > 0 else 0.0)
            size += room.load[i, axis] ** 2
        largest = max(largest, size)
    return math.sqrt(largest)


@kernel
def _moves(x: Floats, near: Neighbours, room: Room, totals: Floats) -> float:
    """The largest move since the lists were made [m]; the largest of this step, in radii, is noted."""
    far = 0.0
    for i in range(len(x)):
        move, step = 0.0, 0.0
        for axis in range(3):
            move += (x[i, axis] - near.built_at[i, axis]) ** 2
            step += (x[i, axis] - room.x1[i, axis]) ** 2
        far = move if not move <= far else far
        step = math.sqrt(step) / x[i, 3]
        totals[MOVE] = step if not step <= totals[MOVE] else totals[MOVE]
    return math.sqrt(far)


@kernel
def _place(bounds: Bounds, t: float, peek: float) -> None:
    """Move boundaries to t, and a moment before and after it."""
    home, motion = bounds.now.home, bounds.now.motion
    move_elements(home, motion, t, bounds.now.element)
    move_elements(home, motion, t - peek, bounds.earlier)
    move_elements(home, motion, t + peek, bounds.later)


@kernel
def steps(count: int, t: float, h: float, tolerance: float, extra: Floats, x: Floats, v: Floats, turned: Floats,
          near: Neighbours, bounds: Bounds, law: Law, room: Room, totals: Floats) -> tuple[int, int]:
    """Up to `count` steps; returns how they ended and how many were made. One that does not converge leaves no trace.

    Args:
        extra: (grains, 3) velocities that loads add in a step, or an empty array.
    """
    for done in range(count):
        now = t + done * h
        pull = _begin(x, v, law, extra, h, room)
        slow = SLOW * h * pull
        _place(bounds, now, PEEK * h)
        links = gather(x, v, near, bounds, law, slow, room, totals)
        aim(links, x, v, near, bounds, PEEK * h, 0.0, room)
        at_start = start_forces(links, v, h, pull, tolerance, room)
        if at_start < 0:
            return STUCK_AT_START, done
        keep_start(links, x, v, room)
        _place(bounds, now + h, PEEK * h)
        rounds = iterate(links, x, v, near, bounds, h, pull, tolerance, room)
        if rounds < 0:
            for i in range(len(x)):
                for axis in range(3):
                    x[i, axis], v[i, axis] = room.x1[i, axis], room.v1[i, axis]
            return STUCK, done
        book_links(links, x, v, near, h, room, totals)
        contacts = collect(x, v, near, bounds, law, slow, h, room)
        settled = correct_positions(contacts, x, v, room)
        settled = correct_velocities(contacts, v, slow, tolerance, room) and settled
        book_contacts(contacts, x, v, near, slow, room, totals)
        rotate_grains(x, v, turned, h)
        totals[STEPS] += 1.0
        totals[ROUNDS] += at_start + rounds
        totals[MOST] = max(totals[MOST], at_start + rounds)
        totals[UNSETTLED] += 0.0 if settled else 1.0
        far = _moves(x, near, room, totals)
        shift = moved_distance(bounds.now.motion, bounds.now.reach, bounds.extent, bounds.built_t, now + h,
                               bounds.now.shift)
        # a move that is no number is not within what is allowed either
        if not far + 0.5 * shift <= bounds.allowed:
            return OUTDATED, done + 1
    return DONE, count
