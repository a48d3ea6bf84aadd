"""Corrections at the end of a step: overlaps and gaps of links, impacts, velocities of links; all of them one-sided."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Record, inlined, kernel
from granum.contact.impulses import add_linear
from granum.contact.problem import impulse_of, normal, slip
from granum.contact.residual import natural_residual
from granum.contact.totals import BOUNDARY, CONTACTS, FRICTION, IMPACT, OVERLAP, PLASTIC, PUSHING, RELATIVE, WORST
from granum.grains.cones import limit_friction
from granum.grains.geometry.elements import Boundaries
from granum.grains.search.history import clear
from granum.grains.search.neighbour_list import Neighbours
from granum.historic.unilateral.data import NEAR, Coefficients, Limits, State, Workspace
from granum.historic.unilateral.friction import COULOMB, sliding_of
from granum.historic.unilateral.near import find_contacts, slot_of
from granum.historic.unilateral.relaxation import OVER, PLAIN, SWEEPS, relaxed
from granum.state.table import IM, VX, VY, VZ, X, Y, Z

CLOSE = 0.01
"""Gap in smaller radii below which the correction of positions looks after a pair."""
MOST_SWEEPS = 1000
"""Sweeps of a correction of positions; what they leave is left to the next step."""
SETTLED = 0.02
"""Part of NEAR that a correction of positions may leave."""


@kernel
def gather_contacts(state: State, near: Neighbours, bounds: Boundaries, coefficients: Coefficients, slow: float,
                    h: float, work: Workspace) -> int:
    """Contacts at the end of the step, linked or new: what each must reach, and how much it may take back; returns how
    many. Those that are open forget their impulse.
    """
    for place in range(len(work.link_of)):
        if work.link_of[place] < 0:
            clear(slot_of(near, place))
    count = find_contacts(state, near, bounds, coefficients, CLOSE, work)
    for c in range(count):
        contact = work.contact[c]
        l, un, an, free = work.link_of[contact.slot], contact.approach, 0.0, contact.i < len(state.x)
        contact.link, n = l, normal(contact)
        for axis in range(3):
            # loads only: forces of other links of these grains would make an approach of their own, and pump energy
            own = work.load[contact.i, axis] if free else 0.0
            an += n[axis] * (work.load[contact.j, axis] - own)
        contact.p = contact.qx = contact.qy = contact.qz = contact.target = 0.0
        contact.shift = contact.least_impulse = contact.least_shift = 0.0
        contact.pull, contact.impact_friction = 0.0, contact.friction
        holding = l >= 0 and holds(work.link[l])
        if holding:
            least = work.link[l].least_force
            first, last = work.link[l].first_normal_force - least, work.link[l].normal_force - least
            contact.pull = -h * least
            if work.link[l].law != COULOMB:  # all friction of a link is that of its force
                contact.impact_friction = 0.0
            contact.least_impulse = -0.5 * h * (first + last)
            contact.least_shift = -h * h / 6.0 * (2.0 * first + last)
        elif un < -slow:
            contact.approach = -math.sqrt(max(0.0, un * un - 2.0 * an * contact.gap))
            contact.target = -contact.restitution * contact.approach
        contact.touches = 1 if holding or contact.gap <= NEAR * contact.radius else 0
    return count


@inlined
def holds(link: Record) -> bool:
    """Does a link push, or pull with less than its cohesion?"""
    return link.normal_force > link.least_force


@kernel
def correct_positions(count: int, x: Floats, v: Floats, work: Workspace) -> bool:
    """Take back overlaps, and gaps of links as far as these have pushed (5.17)-(5.18); False if sweeps ran out."""
    move, settled = work.base, False
    for i in range(len(move)):
        move[i, X] = move[i, Y] = move[i, Z] = 0.0
    for k in range(MOST_SWEEPS):
        settled, over = True, 1.0 if k < SWEEPS * PLAIN else OVER
        for c in range(count):
            contact = work.contact[c]
            i, j, gap, n = contact.i, contact.j, contact.gap, normal(contact)
            for axis in range(3):
                gap += n[axis] * (move[j, axis] - move[i, axis])
            shift = max(contact.least_shift, contact.shift - over * contact.mass_n * gap)
            change = shift - contact.shift
            if change == 0.0:
                continue
            if abs(change) > SETTLED * NEAR * contact.radius * contact.mass_n:
                settled = False
            contact.shift = shift
            for axis in range(3):
                move[i, axis] -= v[i, IM] * change * n[axis]
                move[j, axis] += v[j, IM] * change * n[axis]
        if settled:
            break
    for i in range(len(x)):
        for axis in range(3):
            x[i, axis] += move[i, axis]
    for c in range(count):
        contact = work.contact[c]
        n = normal(contact)
        for axis in range(3):
            contact.gap += n[axis] * (move[contact.j, axis] - move[contact.i, axis])
        # what a correction has brought together touches too: else a dense bed would fall and be lifted for ever
        if contact.gap <= NEAR * contact.radius:
            contact.touches = 1
    return settled


@kernel
def correct_velocities(count: int, v: Floats, slow: float, limits: Limits, work: Workspace, totals: Floats) -> bool:
    """Impacts, and errors of the velocities of links (4.25)-(4.26); False if sweeps ran out.

    Newton's law may ask for the impossible: grains that are wedged between walls cannot all rebound from each other.
    Where sweeps do not settle, the impacts beside such contacts become plastic, or else all of them: grains at rest
    always solve that.
    """
    allowed = slow
    for c in range(count):
        if work.contact[c].touches:
            allowed = max(allowed, -work.contact[c].approach)
    allowed *= limits.tolerance
    while not _sweep_velocities(count, v, allowed, limits.sweeps, work):
        plastic = _make_plastic(count, v, allowed, work)
        totals[PLASTIC] += plastic
        if plastic == 0:
            return False
    return True


@kernel
def _sweep_velocities(count: int, v: Floats, allowed: float, sweeps: int, work: Workspace) -> bool:
    """Sweeps over the contacts that touch until none changes a velocity by more than is allowed; False without end."""
    over, aim, since = 1.0, math.inf, 0
    for k in range(1, sweeps + 1):
        worst = 0.0
        for c in range(count):
            contact = work.contact[c]
            if not contact.touches:
                continue
            i, j, mass, nx, ny, nz = contact.i, contact.j, contact.mass_n, contact.nx, contact.ny, contact.nz
            ux, uy, uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
            un = nx * ux + ny * uy + nz * uz
            push = max(contact.least_impulse, contact.p + over * mass * (contact.target - un))
            change = push - contact.p
            contact.p = push
            qx, qy, qz, _ = limit_friction(
                contact.qx - mass * (ux - un * nx), contact.qy - mass * (uy - un * ny),
                contact.qz - mass * (uz - un * nz), contact.impact_friction * max(push, 0.0))
            px, py, pz = (qx - contact.qx + change * nx, qy - contact.qy + change * ny, qz - contact.qz + change * nz)
            contact.qx, contact.qy, contact.qz = qx, qy, qz
            contact.change = math.sqrt(px * px + py * py + pz * pz) / mass
            worst = max(worst, contact.change)
            add_linear(v, i, -v[i, IM], (px, py, pz))
            add_linear(v, j, v[j, IM], (px, py, pz))
        if worst <= allowed:
            return True
        if k % SWEEPS == 0:
            over, aim, since = relaxed(k // SWEEPS, worst, over, aim, since)
    return False


@kernel
def _make_plastic(count: int, v: Floats, allowed: float, work: Workspace) -> int:
    """Make impacts plastic beside contacts that did not settle, or else all of them, and undo the impulses of the
    sweeps; returns how many impacts there were. Without any, nothing is undone.
    """
    beside, plastic = work.base, 0
    for i in range(len(beside)):
        beside[i, X] = 0.0
    for c in range(count):
        contact = work.contact[c]
        if contact.touches and contact.change > allowed:
            beside[contact.i, X] = beside[contact.j, X] = 1.0
    for everywhere in (False, True):
        if plastic > 0:
            break
        for c in range(count):
            contact = work.contact[c]
            near = beside[contact.i, X] + beside[contact.j, X] > 0.0
            if contact.touches and contact.target > 0.0 and (everywhere or near):
                contact.target = 0.0
                plastic += 1
    if plastic > 0:
        for c in range(count):
            contact = work.contact[c]
            impulse = impulse_of(contact)
            add_linear(v, contact.i, v[contact.i, IM], impulse)
            add_linear(v, contact.j, -v[contact.j, IM], impulse)
            contact.p = contact.qx = contact.qy = contact.qz = 0.0
    return plastic


@kernel
def account_contacts(count: int, x: Floats, v: Floats, near: Neighbours, slow: float, work: Workspace,
                     totals: Floats) -> None:
    """Work of impacts, residuals and overlaps; impulses of corrections are remembered as well."""
    grains, total, scale = len(x), 0.0, 0.0
    for c in range(count):
        contact = work.contact[c]
        if not contact.touches:
            continue
        i, j, l, slot = contact.i, contact.j, contact.link, slot_of(near, contact.slot)
        impulse, u, q = impulse_of(contact), slip(contact), (contact.qx, contact.qy, contact.qz)
        for axis in range(3):
            totals[FRICTION] += 0.5 * q[axis] * (v[j, axis] - v[i, axis] + u[axis])
            if i >= grains:
                totals[BOUNDARY] += impulse[axis] * v[i, axis]
        slot.fx, slot.fy, slot.fz = slot.fx + impulse[X], slot.fy + impulse[Y], slot.fz + impulse[Z]
        if l < 0 or not holds(work.link[l]):  # what the velocity misses of its target is an error, no work
            totals[IMPACT] += 0.5 * contact.p * (contact.approach + contact.target)
        p, square = _residual(contact, slot, v, _lag(work.link[l]) if l >= 0 else 0.0)
        total += contact.mass_n * square
        scale += contact.mass_n * max(abs(contact.approach), slow) ** 2
        totals[WORST] = max(totals[WORST], math.sqrt(square))
        totals[CONTACTS] += 1.0
        if p > 0.0:
            totals[PUSHING] += 1.0
            totals[OVERLAP] += max(-contact.gap, 0.0) / contact.radius
    if scale > 0.0:
        totals[RELATIVE] = max(totals[RELATIVE], math.sqrt(total / scale))


@kernel
def _lag(link: Record) -> float:
    """Sliding over friction force that a smoothed law allows a link, at the end of the step [m/(s N)]."""
    f, limit = link.friction_force, link.friction * max(link.normal_force, 0.0)
    size = math.sqrt(f[X] * f[X] + f[Y] * f[Y] + f[Z] * f[Z])
    return sliding_of(link.law, link.epsilon, size / limit) / size if size > 0.0 and limit > 0.0 else 0.0


@kernel
def _residual(contact: Record, slot: Record, v: Floats, lag: float) -> tuple[float, float]:
    """Normal impulse of a step [N s] and squared residual [m²/s²] of a contact.

    Smoothed friction is Coulomb's law for what the sliding exceeds that which goes with the friction force.
    """
    i, j, w, nx, ny, nz = contact.i, contact.j, 1.0 / contact.mass_n, contact.nx, contact.ny, contact.nz
    ux, uy, uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
    p, un = nx * slot.fx + ny * slot.fy + nz * slot.fz, nx * ux + ny * uy + nz * uz
    held = p + contact.pull  # cohesion moves the least impulse; friction is that of what is pressed
    friction = contact.friction * max(p, 0.0) / held if contact.pull > 0.0 and held > 0.0 else contact.friction
    tn = nx * slot.tx + ny * slot.ty + nz * slot.tz
    tx, ty, tz = slot.tx - tn * nx, slot.ty - tn * ny, slot.tz - tn * nz
    return p, natural_residual(held, friction, w, w, un - contact.target, slot.fx - p * nx, slot.fy - p * ny,
                               slot.fz - p * nz, ux - un * nx + lag * tx, uy - un * ny + lag * ty,
                               uz - un * nz + lag * tz)
