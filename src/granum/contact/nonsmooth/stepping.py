"""Rigid contact by time stepping (Moreau): impulses, Coulomb's cone, Newton's restitution, in small steps.

One step of length h from (x⁻, v⁻) to (x⁺, v⁺):

    kick     v = v⁻ + h g + loads
    gather   gaps and normals of near pairs; overlaps are corrected in part, by moving the two bodies apart;
             impulses of the last step are applied again (warm start)
    lead     a = (v - v⁻)/2 is set aside, so that v is that of the middle of the step
    close    one Gauss-Seidel sweep: u_n ≥ -gap/h where bodies are apart, so that they end in contact, else u_n ≥ 0
    drift    x⁺ = x⁻ + h v, and likewise the orientation; then a is added again
    bounce   impacts of bodies that touch nothing else: exact, at their own instant within the step
    relax    sweeps with u_n ≥ 0, or u_n ≥ -e u_n⁻ after an impact, until the residual is below the tolerance: over
             contacts of bodies that still change, and where these are not enough, accelerated ones (`acceleration`)
    account  work of contacts, residual and overlap of the step
    plastic  where contacts would make energy, impacts beside them are plastic, and the sweeps go on

Forces that last, of loads and of contacts, move bodies with the mean of old and new velocity: exactly where they are
constant, and symplectic for springs (position Verlet). What a contact needs beyond that, to close or to stop an
approach, acts on the whole move. Impulses of impacts are not applied again in the next step. Overlaps are corrected by
moving bodies, never through velocities: nothing pumps kinetic energy, and the potential energy of these moves counts as
error. Contacts are swept bottom to top, slab by slab, even slabs first: with the same bits on any number of threads.

A contact that closes within the step does so at the speed u_i with u_i² = u_n⁻² - 2 a_n gap, a_n being gravity along
the normal; restitution is of that speed. A grain at a wall then has the right energy whatever the step.

This module is a template. `mechanics` stands for the module that knows what moves and solves one contact: `spheres` for
round grains, `bodies` for bodies with arms and inertia. Both have the functions of `mechanics.Mechanics`; the loop is
compiled for each of them, for one thread and for several.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba

from granum.base.kernels import Floats, Records, inlined, instance, parallel_kernel, small_kernel
from granum.base.pointers import call_rates
from granum.base.vectors import at
from granum.contact.agents import CHECK, REACHED, SINCE, Agents
from granum.contact.impulses import add_linear
from granum.contact.nonsmooth import rigid_bodies as bodies
from granum.contact.nonsmooth import spheres
from granum.contact.nonsmooth.acceleration import (
    GROWTH,
    LEFT,
    STALLED,
    change_slab,
    extrapolate_slab,
    next_theta,
    remember_slab,
)
from granum.contact.nonsmooth.gathering import gather_bodies, gather_spheres
from granum.contact.nonsmooth.gathering import gather_spheres as gather_slab
from granum.contact.nonsmooth.mechanics import Mechanics
from granum.contact.problem import Coefficients, Limits, Problem, Step, approach_of, sudden_part
from granum.contact.residual import PART, natural_map
from granum.contact.totals import (
    BOUNDARY,
    CONTACTS,
    DEEPEST,
    FRICTION,
    IMBALANCE,
    IMPACT,
    LAST_IMBALANCE,
    LAST_POWER,
    MOST_IMBALANCE,
    MOST_SWEEPS,
    MOVE,
    OVERLAP,
    PLASTIC,
    POWER,
    PUSHING,
    RELATIVE,
    ROLLING,
    STEPS,
    SWEEPS,
    WORST,
)
from granum.grains.cones import limit_friction
from granum.grains.geometry.elements import Boundaries
from granum.grains.loads.acting import RATIO, SIZE
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import IM, SX, SY, SZ, VX, VY, VZ

prange = numba.prange
mechanics: Mechanics[Any, Any, Any] = spheres
"""The module that a template is compiled for."""

MISSES = 4.0
"""By how many times the velocity at which sweeps end a contact that was not swept again may miss its law."""
ROUND, DEEP, PATIENCE = 250, 1000, 1000
"""Sweeps over contacts of bodies that still change, after which all contacts are swept; accelerated sweeps, after which
the residual is computed; and sweeps after which it alone decides: grains that are wedged with friction may change for
ever."""


def lead_slab(s: int, state: Any, near: Neighbours) -> None:
    """Set half of what velocities have changed by aside: they become those of the middle of the step.

    Boundaries have theirs from `gathering.set_boundary`.
    """
    v, before, lead = state.v, state.before, state.lead
    for i in range(state.slabs[s], state.slabs[s + 1]):
        for c in (VX, VY, VZ, SX, SY, SZ):
            lead[i, c] = 0.5 * (v[i, c] - before[i, c])
            v[i, c] -= lead[i, c]
    lead_boundaries(s, state, near, -1.0)


def lead_boundaries(s: int, state: Any, near: Neighbours, sign: float) -> None:
    """Velocities of the boundaries near a slab: from the end of the step to its mean (sign -1), or back (1)."""
    v, lead, movers, slabs = state.v, state.lead, state.slabs[len(state.slabs) - 1], near.slabs
    for row in range(movers + near.wall_first[slabs[s]], movers + near.wall_first[slabs[s + 1]]):
        add_linear(v, row, sign, at(lead, row, VX))


def close_slab(s: int, state: Any, problem: Problem, h: float, last: bool) -> None:
    """The sweep before the move: no contact closes beyond its gap.

    The last of such sweeps lists the contacts that are closed after it, and notes the fastest approach that it stops;
    contacts of bodies that touch nothing else are listed apart.
    """
    ci, cj, contacts, closed, single = problem.i, problem.j, problem.contact, problem.closed, problem.chosen
    contact_count, movers, slab = state.contact_count, state.slabs[len(state.slabs) - 1], problem.slab[s]
    c, end = slab.begin, slab.listed
    inverse, count, fastest, singles = 1.0 / h, c, 0.0, c
    while c < end:
        i = ci[c]
        first = mechanics.take(state, i)
        while c < end and ci[c] == i:
            j, contact = cj[c], contacts[c]
            gap = contact.gap
            if gap > 0.0 and contact.p == 0.0 and contact.target > 0.0 and contact_count[j] == 1 and \
                    (i >= movers or contact_count[i] == 1):
                single[singles] = c
                singles += 1
            else:
                target = -gap * inverse if gap > 0.0 else 0.0
                first, _ = mechanics.solve_contact(state, contact, first, j, target, 0.0)
                if last:
                    if contact.p > 0.0:
                        fastest = max(fastest, -approach_of(contact))
                        if gap > 0.0:
                            contact.gap = gap = 0.0
                    closed[count] = c
                    count += 1 if gap <= 0.0 else 0
            c += 1
        mechanics.give_back(state, i, first)
    slab.closed, slab.single, slab.fastest = count, singles, fastest


def relax_slab(s: int, state: Any, problem: Problem, whole: bool, sweep: int, small: float, forward: bool) -> None:
    """A sweep after the move over all closed contacts or the chosen ones: touching contacts do not approach, impacts
    rebound (Sun 1996, eq. 4.19).

    Bodies whose contacts missed their law by more than √small are marked with the number of the sweep.
    """
    ci, cj, contacts, chosen = problem.i, problem.j, problem.contact, problem.closed if whole else problem.chosen
    changed, slab = state.changed, problem.slab[s]
    begin, end, count = slab.begin, slab.closed if whole else slab.chosen, 0
    k, end, way = (begin, end, 1) if forward else (end - 1, begin - 1, -1)
    while k != end:
        i = ci[chosen[k]]
        latest, first = changed[i], mechanics.take(state, i)
        while k != end and ci[chosen[k]] == i:
            c = chosen[k]
            j, contact = cj[c], contacts[c]
            first, missed = mechanics.solve_contact(state, contact, first, j, contact.target, small)
            # no branch, as in `choose_slab`
            mark = sweep if missed else 0
            latest = max(latest, mark)
            changed[j] = max(changed[j], mark)
            count += 1 if missed else 0
            k += way
        changed[i] = latest
        mechanics.give_back(state, i, first)
    slab.missed = count


def choose_slab(s: int, state: Any, problem: Problem, whole: bool, sweep: int) -> None:
    """List those closed contacts, or those chosen before, whose bodies were marked in a sweep."""
    ci, cj, changed, slab = problem.i, problem.j, state.changed, problem.slab[s]
    source, chosen, count = problem.closed if whole else problem.chosen, problem.chosen, slab.begin
    for k in range(slab.begin, slab.closed if whole else slab.chosen):
        c = source[k]
        chosen[count] = c
        # no branch: which contacts are chosen cannot be foreseen
        count += 1 if max(changed[ci[c]], changed[cj[c]]) >= sweep else 0
    slab.chosen = count


def roll_slab(s: int, state: Any, near: Neighbours, problem: Problem, whole: bool, sweep: int, small: float,
              forward: bool) -> None:
    """Rolling friction: an angular impulse against ω_j - ω_i across n, at most arm · p; marks as `relax_slab` does."""
    slab, chosen, changed, count = problem.slab[s], problem.closed if whole else problem.chosen, state.changed, 0
    begin, end = slab.begin, slab.closed if whole else slab.chosen
    for index in range(begin, end):
        c = chosen[index if forward else begin + end - 1 - index]
        contact = problem.contact[c]
        if contact.arm == 0.0:
            continue
        i, j, k = problem.i[c], problem.j[c], problem.slot[c]
        slot, mass = near.pair[k] if k >= 0 else near.wall[-1 - k], mechanics.rolling_mass(state, problem, c)
        nx, ny, nz = contact.nx, contact.ny, contact.nz
        ax, ay, az = mechanics.angular_velocity(state, state.v, i)
        wx, wy, wz = mechanics.angular_velocity(state, state.v, j)
        wx, wy, wz = wx - ax, wy - ay, wz - az
        along = wx * nx + wy * ny + wz * nz
        qx = slot.tx - mass * (wx - along * nx)
        qy = slot.ty - mass * (wy - along * ny)
        qz = slot.tz - mass * (wz - along * nz)
        qx, qy, qz, _ = limit_friction(qx, qy, qz, contact.arm * contact.p)
        lx, ly, lz = qx - slot.tx, qy - slot.ty, qz - slot.tz
        slot.tx, slot.ty, slot.tz = qx, qy, qz
        mechanics.twist(state, i, j, lx, ly, lz)
        speed = mechanics.contact_radius(state, problem, c) / mass
        if (lx * lx + ly * ly + lz * lz) * speed * speed > small:
            changed[i] = changed[j] = sweep
            count += 1
    slab.missed += count


def clear_slab(s: int, state: Any) -> None:
    """Nothing is missing yet; `lead` has nothing to keep after the move."""
    for i in range(state.slabs[s], state.slabs[s + 1]):
        for c in (VX, VY, VZ, SX):
            state.lead[i, c] = 0.0


def account_slab(s: int, state: Any, near: Neighbours, problem: Problem, slow: float, floor: float) -> None:
    """Keep the impulses of a step and add up its work, its residual and its overlaps.

    An impact from the approach u_i to its target does the work p (u_i + target)/2. What the solution misses of the
    target is no work of the contact: it shows as an error of the energy. Bodies whose contacts made energy are marked
    with a negative count of contacts (two slabs may mark one body, with the same number).

    Args:
        slow: speed of approach up to which a contact rests [m/s].
        floor: speed that residuals are measured by where the approach is slower [m/s].
    """
    movers, slab, contact_count = state.slabs[len(state.slabs) - 1], problem.slab[s], state.contact_count
    missing = state.lead
    impact = friction = rolling = boundary = total = worst = scale = contacts = pushing = overlaps = uncertain = 0.0
    lost = pushed = 0.0
    for c in range(slab.begin, slab.listed):
        i, j, k, contact = problem.i[c], problem.j[c], problem.slot[c], problem.contact[c]
        nx, ny, nz, p, qx, qy, qz = contact.nx, contact.ny, contact.nz, contact.p, contact.qx, contact.qy, contact.qz
        fx, fy, fz = p * nx + qx, p * ny + qy, p * nz + qz
        slot, approach, target, gap = near.pair[k] if k >= 0 else near.wall[-1 - k], approach_of(contact), \
            contact.target, contact.gap
        slot.fx, slot.fy, slot.fz = fx, fy, fz
        slot.sudden = sudden_part(p, contact.mass_n, target - approach, slow)
        if p == 0.0 and gap > 0.0:
            continue
        contacts += 1.0
        pushing += 1.0 if p > 0.0 else 0.0
        if contact.arm > 0.0:
            ax, ay, az = mechanics.angular_velocity(state, state.v, i)
            bx, by, bz = mechanics.angular_velocity(state, state.v, j)
            ox, oy, oz = mechanics.angular_velocity(state, state.before, i)
            wx, wy, wz = mechanics.angular_velocity(state, state.before, j)
            rolling += 0.5 * (slot.tx * (bx + wx - ax - ox) + slot.ty * (by + wy - ay - oy)
                              + slot.tz * (bz + wz - az - oz))
            if i >= movers:
                boundary += slot.tx * ax + slot.ty * ay + slot.tz * az
        if gap > 0.0:  # an impact within the step, which has been accounted for
            continue
        ux, uy, uz = mechanics.relative_velocity(state, problem, state.v, c)
        un = ux * nx + uy * ny + uz * nz
        work = 0.5 * p * (target + approach)
        friction_work = 0.5 * (qx * (ux + contact.ux) + qy * (uy + contact.uy) + qz * (uz + contact.uz))
        impact += work
        friction += friction_work
        uncertain += p * slow
        if work + friction_work > p * slow:
            contact_count[j] = -1
            if i < movers:
                contact_count[i] = -1
        if i >= movers:
            sx, sy, sz = mechanics.boundary_velocity(state, problem, c)
            boundary += fx * sx + fy * sy + fz * sz
        mn, mt, mu = contact.mass_n, contact.mass_t, contact.friction
        ux, uy, uz = ux - un * nx, uy - un * ny, uz - un * nz
        en, ex, ey, ez = natural_map(p, mu, 1.0 / mn, 1.0 / mt, un - target, qx, qy, qz, ux, uy, uz)
        residual = en * en + ex * ex + ey * ey + ez * ez
        speed = max(abs(approach), floor) if p > 0.0 else floor
        total += mn * residual
        scale += mn * speed * speed
        worst = max(worst, residual)
        lost += p * (un - target + mu * math.sqrt(ux * ux + uy * uy + uz * uz)) + qx * ux + qy * uy + qz * uz
        pushed += p
        # what the contact would have to push more, and the impulse of an impact
        ex, ey, ez = mn * en * nx + mt * ex, mn * en * ny + mt * ey, mn * en * nz + mt * ez
        hit = p if approach < -slow else 0.0
        missing[j, VX] -= ex
        missing[j, VY] -= ey
        missing[j, VZ] -= ez
        missing[j, SX] += hit
        if i < movers:
            missing[i, VX] += ex
            missing[i, VY] += ey
            missing[i, VZ] += ez
            missing[i, SX] += hit
        if p > 0.0 and gap < 0.0:
            overlaps -= gap / mechanics.contact_radius(state, problem, c)
    slab.impact, slab.friction, slab.rolling, slab.boundary, slab.residual = impact, friction, rolling, boundary, total
    slab.worst, slab.scale, slab.contacts, slab.pushing = worst, scale, contacts, pushing
    slab.overlap, slab.uncertain, slab.lost, slab.pushed = overlaps, uncertain, lost, pushed


def weigh_slab(s: int, state: Any, problem: Problem, weight: float, usual: float) -> None:
    """Imbalances of the bodies of a slab, see `contact.residual`.

    Args:
        weight: what gravity and loads give to a velocity in a step [m/s].
        usual: the mean impulse of a contact, by which bodies are measured where there is no weight [N s].
    """
    v, missing, slab, contact_count = state.v, state.lead, problem.slab[s], state.contact_count
    squares, most, bodies, lifted = 0.0, 0.0, 0.0, 0.0
    for i in range(state.slabs[s], state.slabs[s + 1]):
        if contact_count[i] == 0 or v[i, IM] <= 0.0:
            continue
        mass = 1.0 / v[i, IM]
        unit = (mass * weight if weight > 0.0 else PART * usual) + PART * missing[i, SX]
        part = math.sqrt(missing[i, VX] ** 2 + missing[i, VY] ** 2 + missing[i, VZ] ** 2) / unit if unit > 0.0 else 0.0
        squares += part * part
        most = max(most, part)
        bodies += 1.0
        lifted += mass * weight * weight
    slab.squares, slab.most, slab.bodies, slab.lifted = squares, most, bodies, lifted


@small_kernel
def relative_residual(slab: Records) -> float:
    """√(Σ μ r² / Σ μ u²) of a step: what contacts miss of their law, measured by the speeds at which they meet."""
    total, scale = 0.0, 0.0
    for s in range(len(slab)):
        total += slab[s].residual
        scale += slab[s].scale
    return math.sqrt(total / scale) if scale > 0.0 else 0.0


@small_kernel
def worst_residual(slab: Records) -> float:
    """The largest residual of a contact in a step [m/s]."""
    worst = 0.0
    for s in range(len(slab)):
        worst = max(worst, slab[s].worst)
    return math.sqrt(worst)


@small_kernel
def usual_impulse(slab: Records) -> float:
    """The mean impulse of the contacts that push [N s]."""
    pushed, pushing = 0.0, 0.0
    for s in range(len(slab)):
        pushed += slab[s].pushed
        pushing += slab[s].pushing
    return pushed / pushing if pushing > 0.0 else 0.0


@small_kernel
def imbalance(slab: Records) -> float:
    """Root of the mean square of the imbalances of a step."""
    squares, bodies = 0.0, 0.0
    for s in range(len(slab)):
        squares += slab[s].squares
        bodies += slab[s].bodies
    return math.sqrt(squares / bodies) if bodies > 0.0 else 0.0


@small_kernel
def lost_power(slab: Records) -> float:
    """|Σ r·û| of a step, relative to the energy that contacts and gravity turn over in it."""
    lost, scale = 0.0, 0.0
    for s in range(len(slab)):
        lost += slab[s].lost
        scale += slab[s].lifted + abs(slab[s].impact) + abs(slab[s].friction)
    return abs(lost) / scale if scale > 0.0 else 0.0


def make_plastic(state: Any, problem: Problem) -> int:
    """If the contacts of a step have made energy, make impacts plastic beside those that did, or else all of them.

    Newton's law with friction can make energy where several contacts share a step: friction may act along the velocity
    that a body had before. With u_n ≥ 0 it cannot: T⁺ - T⁻ = Σ P·u⁺ - ½ Pᵀ W P, and no P·u⁺ is positive then. Returns
    how many impacts there were.
    """
    made, count, slab, contact_count = 0.0, 0, problem.slab, state.contact_count
    movers = state.slabs[len(state.slabs) - 1]
    for s in range(len(slab)):
        made += slab[s].impact + slab[s].friction + slab[s].rolling - slab[s].uncertain
    for everywhere in (False, True):
        if not made > 0.0 or count > 0:
            break
        for s in range(len(slab)):
            for k in range(slab[s].begin, slab[s].closed):
                c = problem.closed[k]
                i, j = problem.i[c], problem.j[c]
                if problem.contact[c].target > 0.0 and (
                        everywhere or contact_count[j] < 0 or (i < movers and contact_count[i] < 0)):
                    problem.contact[c].target = 0.0
                    count += 1
    return count


@small_kernel
def add_up(slab: Records, totals: Floats) -> float:
    """Add the sums of slabs to the totals; returns the largest move since the neighbour list was built [m]."""
    move, step = 0.0, 0.0
    for s in range(len(slab)):
        own = slab[s]
        totals[IMPACT] += own.impact + own.single_impact
        totals[FRICTION] += own.friction + own.single_friction
        totals[ROLLING] += own.rolling
        totals[BOUNDARY] += own.boundary + own.single_boundary
        totals[WORST] = max(totals[WORST], math.sqrt(own.worst))
        totals[CONTACTS] += own.contacts
        totals[PUSHING] += own.pushing
        totals[OVERLAP] += own.overlap
        totals[DEEPEST] = max(totals[DEEPEST], own.deepest)
        move = own.moved if not own.moved <= move else move
        step = own.step if not own.step <= step else step
        totals[MOST_IMBALANCE] = max(totals[MOST_IMBALANCE], own.most)
    totals[LAST_IMBALANCE], totals[LAST_POWER] = imbalance(slab), lost_power(slab)
    totals[IMBALANCE] = max(totals[IMBALANCE], totals[LAST_IMBALANCE])
    totals[POWER] = max(totals[POWER], totals[LAST_POWER])
    totals[RELATIVE] = max(totals[RELATIVE], relative_residual(slab))
    totals[STEPS] += 1.0
    totals[MOVE] = math.sqrt(step) if not math.sqrt(step) <= totals[MOVE] else totals[MOVE]
    return math.sqrt(move)


def steps(count: int, t: float, step: Step, extra: Floats, agents: Agents, state: Any, near: Neighbours,
          boundaries: Boundaries, joints: Any, table: Coefficients, problem: Problem, limits: Limits,
          totals: Floats) -> int:
    """Up to `count` steps; fewer when the neighbour list is outdated, and then the number that is returned is negative,
    or when the agents ask for it.

    Args:
        extra: (grains or parts, 3) velocities that loads add in a step, or an empty array; agents may write them.
        joints: of bodies; apart from the state, because loops of several threads take no groups within groups.
    """
    slabs, slab, elements, h = len(state.slabs) - 1, problem.slab, boundaries.element, step.h
    made, since, tolerance = count, 0, limits.tolerance
    none = count - count  # not 0: a call with a constant is compiled for itself
    for s in prange(slabs):
        mechanics.begin_slab(s, state)
    for done in range(count):
        now = Step(h, step.ratio if done == 0 else 1.0, step.gx, step.gy, step.gz, step.slow)
        if agents.apply_loads != 0:
            agents.step[RATIO] = now.ratio
            if call_rates(agents.apply_loads, t + since * h, agents.loads, agents.step, agents.step) != 0:
                made = done
                break
        rest = max(limits.rest * (step.slow + agents.step[SIZE]), limits.least_rest)
        mechanics.move_boundaries(state, boundaries, t + since * h, h)
        for s in prange(slabs):
            mechanics.kick_slab(s, state, near, now, extra)
        mechanics.begin_joints(joints, state, t + since * h, h)
        for parity in range(2):
            for half in prange((slabs + 1 - parity) // 2):
                gather_slab(2 * half + parity, state, near, boundaries, table, problem, now)
        for s in prange(slabs):
            lead_slab(s, state, near)
        mechanics.shift_joints(joints, state)
        closings = mechanics.sweeps_before_move(joints)
        for closing in range(closings):
            for parity in range(2):
                for half in prange((slabs + 1 - parity) // 2):
                    close_slab(2 * half + parity, state, problem, h, closing == closings - 1)
                    if limits.rolling:
                        roll_slab(2 * half + parity, state, near, problem, limits.rolling, none, 0.0, limits.rolling)
            mechanics.close_joints(joints, state)
        for s in prange(slabs):
            mechanics.drift_slab(s, state, problem, h)
            lead_boundaries(s, state, near, 1.0)
        for s in prange(slabs):
            mechanics.bounce_slab(s, state, near, elements, problem, now)
        for s in prange(slabs):
            mechanics.rotate_bodies(s, state, h)
        fastest, swept = 0.0, 0
        for s in range(slabs):
            fastest = max(fastest, slab[s].fastest)
        small = max(tolerance * fastest, rest)
        # contacts that were in balance with the joints find them as they left them
        mechanics.relax_joints(joints, state, none, small * small)
        deep = True
        while True:
            # one sweep over all closed contacts, then some over those of bodies that have changed
            whole, forward, most, left = True, True, min(limits.sweeps, swept + ROUND), 1
            while swept < most:
                swept += 1
                for parity in range(2):
                    for half in prange((slabs + 1 - parity) // 2):
                        relax_slab(2 * half + parity, state, problem, whole, swept, small * small, forward)
                        if limits.rolling:
                            roll_slab(2 * half + parity, state, near, problem, whole, swept, small * small, forward)
                left = mechanics.relax_joints(joints, state, swept, small * small)
                for s in range(slabs):
                    left += slab[s].missed
                if left == 0:
                    break
                whole = whole or mechanics.joined(joints)
                for s in prange(slabs):
                    choose_slab(s, state, problem, whole, swept)
                whole = False
            most = min(limits.sweeps, swept + DEEP)
            if deep and left > 0 and swept < most:
                # changes that have to go a long way: forwards and backwards over all closed contacts, accelerated
                theta, beta, least, earlier, passed = 1.0, 0.0, math.inf, math.inf, 0
                for s in prange(slabs):
                    remember_slab(s, state, near, problem, limits.rolling)
                mechanics.remember_joints(joints)
                while True:
                    left = 0
                    for phase in range(4):
                        forward = phase < 2
                        parity = phase if forward else 3 - phase
                        swept += phase % 2
                        for half in prange((slabs + 1 - parity) // 2):
                            if limits.rolling and not forward:
                                roll_slab(2 * half + parity, state, near, problem, True, swept, small * small, forward)
                            relax_slab(2 * half + parity, state, problem, True, swept, small * small, forward)
                            if limits.rolling and forward:
                                roll_slab(2 * half + parity, state, near, problem, True, swept, small * small, forward)
                        for s in range(parity, slabs, 2):
                            left += slab[s].missed
                    left += mechanics.relax_joints(joints, state, swept, small * small)
                    if left == 0 or swept >= most:
                        break
                    turn, size = 0.0, 0.0
                    for s in prange(slabs):
                        change_slab(s, state, near, problem, limits.rolling, beta)
                    for s in range(slabs):
                        turn += slab[s].turn
                        size += slab[s].size
                    least, passed = min(least, size), passed + 1
                    if passed % STALLED == 0:
                        # bodies that are wedged between boundaries have no solution, and extrapolation goes on for ever
                        deep, earlier = size < LEFT * earlier, size
                        if not deep:
                            break
                    if turn > 0.0 or size > GROWTH * least:
                        theta, beta = 1.0, 0.0
                    else:
                        beta = (theta - 1.0) / next_theta(theta)
                        theta = next_theta(theta)
                    for s in prange(slabs):
                        extrapolate_slab(s, state, near, problem, limits.rolling, beta)
                    mechanics.extrapolate_joints(joints, beta)
            for s in prange(slabs):
                clear_slab(s, state)
            for parity in range(2):
                for half in prange((slabs + 1 - parity) // 2):
                    account_slab(2 * half + parity, state, near, problem, step.slow, rest / tolerance)
            if swept >= limits.sweeps:
                break
            plastic = make_plastic(state, problem)
            totals[PLASTIC] += plastic
            if plastic == 0:
                if relative_residual(slab) > tolerance:
                    small *= 0.5
                elif swept >= PATIENCE or worst_residual(slab) <= MISSES * small:
                    break
        totals[SWEEPS] += swept
        totals[MOST_SWEEPS] = max(totals[MOST_SWEEPS], swept)
        usual = usual_impulse(slab)
        for s in prange(slabs):
            weigh_slab(s, state, problem, step.slow + agents.step[SIZE], usual)
        for s in prange(slabs):
            mechanics.finish_slab(s, state, extra)
        mechanics.account_joints(joints, state, h)
        if agents.account_loads != 0:
            call_rates(agents.account_loads, t, agents.loads, agents.step, agents.step)
        since += 1
        agents.left[0] -= 1
        move = add_up(slab, totals)
        # a move that is no number is not within what is allowed either
        if not move + 0.5 * mechanics.boundary_move(state, boundaries, limits, t + since * h) <= limits.allowed:
            made = -done - 1
            break
        looks = agents.look != 0 and agents.left[0] == 0
        if looks:
            if call_rates(agents.look, t + since * h, agents.watched, agents.times, agents.times) != 0:
                made = done + 1
                break
            agents.left[0] = CHECK
        # times are added up where a loop may also end, so that they do not depend on where it does
        if looks or agents.apply_loads != 0:
            t, since = t + since * h, 0
    agents.clock[REACHED], agents.clock[SINCE] = t, since
    for s in prange(slabs):
        mechanics.end_slab(s, state)
    return made


def _compile(module: Mechanics[Any, Any, Any], gather: Any, name: str) -> tuple[Any, Any]:
    """The loop for one kind of mechanics, for one thread and for several."""
    scope = {**globals(), "mechanics": module}
    own: list[Callable[..., Any]] = [lead_boundaries, lead_slab, close_slab, roll_slab, clear_slab, account_slab,
                                     weigh_slab, make_plastic]
    in_place: list[Callable[..., Any]] = [relax_slab, choose_slab]
    scope |= {each.__name__: small_kernel(instance(each, scope, name)) for each in own}
    scope |= {each.__name__: inlined(instance(each, scope, name)) for each in in_place}
    scope["gather_slab"] = gather
    loop = instance(steps, scope, name)
    return small_kernel(loop), parallel_kernel(loop)


sphere_steps, parallel_sphere_steps = _compile(spheres, gather_spheres, "spheres")
body_steps, parallel_body_steps = _compile(bodies, gather_bodies, "bodies")
