"""Links of a step: which contacts are linked, their forces at its beginning and the mixed iteration for its end."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, inlined, kernel
from granum.base.space import displacement
from granum.contact.impulses import add_linear
from granum.contact.seams import at_edge, covering
from granum.contact.totals import BOUNDARY, DEEPEST, FRICTION
from granum.grains.cones import limit_friction
from granum.grains.geometry.elements import NX, PLANE, REST, UX
from granum.grains.geometry.surfaces import touch
from granum.grains.search.neighbour_list import Neighbours
from granum.historic.unilateral.data import NEAR, Coefficients, Limits, Moments, State, Workspace
from granum.historic.unilateral.friction import COULOMB, relaxed_friction
from granum.historic.unilateral.near import find_contacts, slot_of
from granum.historic.unilateral.relaxation import SWEEPS, relaxed
from granum.state.table import IM, VX, VY, VZ, R, X, Y, Z

PEEK = 0.02
"""Part of a step by which derivatives of boundaries look ahead and back: less would lose digits, and central
differences keep the order of the scheme."""


@kernel
def gather_links(state: State, near: Neighbours, bounds: Moments, coefficients: Coefficients, slow: float, span: float,
                 work: Workspace, totals: Floats) -> int:
    """Links for the contacts that neither separate nor collide, with the forces that they had at the end of the last
    step; returns how many. Notes the largest overlap of all. Cohesion holds what it can stop within the time `span`.
    """
    count = 0
    for place in range(len(work.link_of)):
        work.link_of[place] = -1
    for c in range(find_contacts(state, near, bounds.now, coefficients, NEAR, work)):
        contact, link = work.contact[c], work.link[count]
        totals[DEEPEST] = max(totals[DEEPEST], -contact.gap / contact.radius)
        if abs(contact.approach) <= slow + span * contact.cohesion / contact.mass_n:
            slot, f = slot_of(near, contact.slot), link.friction_force
            link.i, link.j, link.slot, work.link_of[contact.slot] = contact.i, contact.j, contact.slot, count
            link.mass, link.friction, link.least_force = contact.mass_n, contact.friction, 0.0 - contact.cohesion
            link.law, link.epsilon = coefficients.law, coefficients.epsilon
            f[X], f[Y], f[Z] = slot.tx, slot.ty, slot.tz
            count += 1
    return count


@kernel
def _boundary_kinematics(c: int, k: int, x: Floats, v: Floats, near: Neighbours, bounds: Moments, peek: float,
                         back: float, work: Workspace) -> None:
    """Normal of the boundary in slot k, its velocity and acceleration, and the rest of the relative acceleration along
    the normal. Where its edge is covered, they are those of the element that covers it: a link goes on over seams.

    The rest is the rate of n·(v - V) as the grain goes on with v, by a central difference: that holds for surfaces of
    any curvature and motion.
    """
    link, out, ahead = work.link[c], work.out, work.out_ahead
    row, j, e, elements, rest = link.i, link.j, near.wall_element[k], bounds.now.element, 0.0
    distance = touch(elements[e], x[j, X], x[j, Y], x[j, Z], out)
    if at_edge(elements[e], out):
        over = covering(k, near.wall_first[j], near.wall_first[j + 1], near.wall_element, elements, x[j, X], x[j, Y],
                        x[j, Z], x[j, R], distance, out)
        if over >= 0:
            e = near.wall_element[over]
            touch(elements[e], x[j, X], x[j, Y], x[j, Z], out)
    for axis in range(3):
        link.normal[axis], v[row, axis], work.a[row, axis] = out[NX + axis], out[UX + axis], 0.0
    if elements[e].kind != PLANE or bounds.now.motion[e].kind != REST:
        for side in range(2):
            sign = 1.0 if side == 0 else -1.0
            then, step = bounds.later if side == 0 else bounds.earlier, sign * peek
            touch(then[e], x[j, X] + step * v[j, VX], x[j, Y] + step * v[j, VY], x[j, Z] + step * v[j, VZ], ahead)
            for axis in range(3):
                rest += sign * ahead[NX + axis] * (v[j, axis] - ahead[UX + axis])
                work.a[row, axis] += sign * ahead[UX + axis] / (2.0 * peek)
        rest /= 2.0 * peek
    for axis in range(3):
        work.base[row, axis] = out[UX + axis] - back * work.a[row, axis]
        rest += out[NX + axis] * work.a[row, axis]
    link.drift = rest


@kernel
def update_kinematics(count: int, x: Floats, v: Floats, near: Neighbours, bounds: Moments, peek: float, back: float,
                      work: Workspace) -> None:
    """Normals and centripetal terms of all links at (x, v)."""
    grains, pairs = len(x), len(near.other)
    for c in range(count):
        link = work.link[c]
        i, j = link.i, link.j
        if i >= grains:
            _boundary_kinematics(c, link.slot - pairs, x, v, near, bounds, peek, back, work)
        else:
            dx, dy, dz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
            ux, uy, uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            un = (ux * dx + uy * dy + uz * dz) / d
            link.normal[X], link.normal[Y], link.normal[Z] = dx / d, dy / d, dz / d
            link.drift = (ux * ux + uy * uy + uz * uz - un * un) / d


@kernel
def rotate_friction(count: int, whole: bool, work: Workspace) -> None:
    """Friction in the tangent planes of new normals; whole: γ is still part of the vector f."""
    for c in range(count):
        link, along = work.link[c], 0.0
        for axis in range(3):
            along += link.normal[axis] * link.friction_force[axis]
        for axis in range(3):
            across = link.friction_force[axis] - along * link.normal[axis]
            link.friction_force[axis] = across if link.friction > 0.0 else 0.0
        if whole:
            link.normal_force = max(along, link.least_force)


@kernel
def accelerate(count: int, v: Floats, work: Workspace) -> None:
    """a = loads + M⁻¹ (E C γ + f) of the grains."""
    a = work.a
    for i in range(len(work.load)):
        for axis in range(3):
            a[i, axis] = work.load[i, axis]
    for c in range(count):
        link = work.link[c]
        for axis in range(3):
            force = link.normal_force * link.normal[axis] + link.friction_force[axis]
            a[link.i, axis] -= v[link.i, IM] * force
            a[link.j, axis] += v[link.j, IM] * force


@kernel
def sweep(count: int, s: float, over: float, first: bool, v: Floats, work: Workspace) -> None:
    """One Gauss-Seidel sweep over γ and f, over-relaxed; sliding at the end of the step is base + s a. First: at its
    beginning, where base is the velocity.
    """
    a, base = work.a, work.base
    for c in range(count):
        link = work.link[c]
        i, j, mass = link.i, link.j, link.mass
        nx, ny, nz = link.normal[X], link.normal[Y], link.normal[Z]
        ax, ay, az = a[j, X] - a[i, X], a[j, Y] - a[i, Y], a[j, Z] - a[i, Z]
        gamma = max(link.least_force, link.normal_force - over * mass * (nx * ax + ny * ay + nz * az + link.drift))
        change = gamma - link.normal_force
        link.normal_force = gamma
        px, py, pz = change * nx, change * ny, change * nz
        if link.friction > 0.0:
            ux, uy, uz = base[j, X] - base[i, X] + s * ax, base[j, Y] - base[i, Y] + s * ay, \
                base[j, Z] - base[i, Z] + s * az
            un, part, f = nx * ux + ny * uy + nz * uz, over * mass / s, link.friction_force
            if link.law == COULOMB:
                fx, fy, fz = f[X] - part * (ux - un * nx), f[Y] - part * (uy - un * ny), f[Z] - part * (uz - un * nz)
            else:
                fx, fy, fz = relaxed_friction(link, first, s / mass, over, (ux - un * nx, uy - un * ny, uz - un * nz),
                                              (ux - s * ax, uy - s * ay, uz - s * az))
            fx, fy, fz, _ = limit_friction(fx, fy, fz, link.friction * max(gamma, 0.0))
            px, py, pz = px + fx - f[X], py + fy - f[Y], pz + fz - f[Z]
            f[X], f[Y], f[Z] = fx, fy, fz
        add_linear(a, i, -v[i, IM], (px, py, pz))
        add_linear(a, j, v[j, IM], (px, py, pz))


@kernel
def largest_change(count: int, load: float, work: Workspace) -> float:
    """Largest change since the last call: of a force, relative to the largest force or m · load, or of an
    acceleration, relative to the largest load; whichever is smaller.

    Where friction has more contacts than it needs, forces may wander for ever without a change of the motion.
    """
    largest, change = 0.0, 0.0
    for c in range(count):
        link = work.link[c]
        # where the last link opens, the largest force goes to zero: loads are the measure then
        largest = max(largest, (link.mass * load) ** 2)
        size, difference = 0.0, 0.0
        for axis in range(3):
            force = link.normal_force * link.normal[axis] + link.friction_force[axis]
            size += force * force
            difference += (force - link.last_force[axis]) ** 2
            link.last_force[axis] = force
        largest = max(largest, size)
        if not difference <= change:
            change = difference
            work.worst[0], work.worst[1] = link.i, link.j
    change = math.sqrt(change / largest) if largest > 0.0 else math.sqrt(change)
    jolt = 0.0
    for i in range(len(work.load)):
        for axis in range(3):
            difference = abs(work.a[i, axis] - work.a_before[i, axis])
            jolt = difference if not difference <= jolt else jolt
            work.a_before[i, axis] = work.a[i, axis]
    return min(change, jolt / load) if load > 0.0 else change


@inlined
def most_rounds(limits: Limits) -> int:
    """Rounds after which a step has not converged; published: 500."""
    return (limits.sweeps + SWEEPS - 1) // SWEEPS


@kernel
def break_links(count: int, work: Workspace) -> bool:
    """Links with all the tension that their cohesion bears break: they bear none in this step. Are there any?"""
    broken = False
    for c in range(count):
        link = work.link[c]
        if link.least_force < 0.0 and link.normal_force <= link.least_force:
            link.least_force = link.normal_force = 0.0
            broken = True
    return broken


@kernel
def _round(count: int, over: float, s: float, first: bool, load: float, v: Floats, work: Workspace) -> float:
    """The sweeps of one round, for sliding after a time s; returns what they change, see `largest_change`."""
    for _ in range(SWEEPS):
        sweep(count, s, over, first, v, work)
    return largest_change(count, load, work)


@kernel
def start_forces(count: int, v: Floats, h: float, load: float, limits: Limits, work: Workspace) -> int:
    """γ₁, f₁ and a₁ for the state at the beginning of the step; returns the rounds, or -1 without convergence."""
    for i in range(len(work.load)):
        for axis in range(3):
            work.base[i, axis] = v[i, axis]
    rotate_friction(count, True, work)
    accelerate(count, v, work)
    largest_change(count, load, work)
    over, aim, since = 1.0, math.inf, 0
    for rounds in range(1, most_rounds(limits) + 1):
        change = _round(count, over, h, True, load, v, work)
        over, aim, since = relaxed(rounds, change, over, aim, since)
        if change <= limits.tolerance:
            if not break_links(count, work):
                return rounds
            accelerate(count, v, work)
        if not math.isfinite(change):
            break
    return -1


@kernel
def keep_start(count: int, x: Floats, v: Floats, work: Workspace) -> None:
    """Keep accelerations, and normals, forces and velocities of links at the beginning of the step."""
    for i in range(len(x)):
        for axis in range(3):
            work.a1[i, axis] = work.a[i, axis]
    for c in range(count):
        link = work.link[c]
        link.first_normal_force = link.normal_force
        for axis in range(3):
            link.first_normal[axis], link.first_friction_force[axis] = link.normal[axis], link.friction_force[axis]
            link.wall_velocity[axis] = v[link.i, axis] if link.i >= len(x) else 0.0
            link.first_velocity[axis] = v[link.j, axis] - v[link.i, axis]


@kernel
def extrapolate(h: float, x: Floats, v: Floats, work: Workspace) -> None:
    """Position and velocity at the end of the step for the accelerations a (5.12), (5.24)."""
    for i in range(len(x)):
        for axis in range(3):
            a1, a = work.a1[i, axis], work.a[i, axis]
            x[i, axis] = work.x1[i, axis] + h * work.v1[i, axis] + h * h / 6.0 * (2.0 * a1 + a)
            v[i, axis] = work.v1[i, axis] + 0.5 * h * (a1 + a)


@kernel
def iterate(count: int, x: Floats, v: Floats, near: Neighbours, bounds: Moments, h: float, load: float,
            limits: Limits, work: Workspace) -> int:
    """The mixed iteration for the end of the step (Sun 1996, fig. 5.2); returns the rounds, or -1 if it did not end."""
    extrapolate(h, x, v, work)
    for i in range(len(x)):
        for axis in range(3):
            work.base[i, axis] = work.v1[i, axis] + 0.5 * h * work.a1[i, axis]
    if count == 0:
        return 1
    over, aim, since = 1.0, math.inf, 0
    for rounds in range(1, most_rounds(limits) + 1):
        update_kinematics(count, x, v, near, bounds, PEEK * h, 0.5 * h, work)
        rotate_friction(count, False, work)
        accelerate(count, v, work)
        change = _round(count, over, 0.5 * h, False, load, v, work)
        over, aim, since = relaxed(rounds, change, over, aim, since)
        extrapolate(h, x, v, work)
        if change <= limits.tolerance and not break_links(count, work):
            return rounds
        if not math.isfinite(change):
            break
    return -1


@kernel
def account_links(count: int, x: Floats, v: Floats, near: Neighbours, h: float, work: Workspace,
                  totals: Floats) -> None:
    """Work of friction and boundaries over the step, P·(u₁ + u)/2, and what contacts remember."""
    grains = len(x)
    for c in range(count):
        link = work.link[c]
        i, j, slot = link.i, link.j, slot_of(near, link.slot)
        for axis in range(3):
            friction = 0.5 * h * (link.first_friction_force[axis] + link.friction_force[axis])
            normal = link.first_normal_force * link.first_normal[axis] + link.normal_force * link.normal[axis]
            normal *= 0.5 * h
            totals[FRICTION] += 0.5 * friction * (link.first_velocity[axis] + v[j, axis] - v[i, axis])
            if i >= grains:
                totals[BOUNDARY] += 0.5 * (friction + normal) * (link.wall_velocity[axis] + v[i, axis])
            work.out[axis] = friction + normal
        slot.fx, slot.fy, slot.fz = work.out[X], work.out[Y], work.out[Z]
        slot.tx = link.normal_force * link.normal[X] + link.friction_force[X]
        slot.ty = link.normal_force * link.normal[Y] + link.friction_force[Y]
        slot.tz = link.normal_force * link.normal[Z] + link.friction_force[Z]
