"""Links of a step: which contacts are linked, their forces at its beginning and the mixed iteration for its end."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Record, kernel
from granum.contact.cones import limit_friction
from granum.contact.totals import BOUNDARY, DEEPEST, FRICTION
from granum.contact.unilateral.data import NEAR, OVER, PLAIN, SWEEPS, Coefficients, Moments, Workspace
from granum.grains.geometry.elements import PLANE, REST
from granum.grains.geometry.surfaces import NX, NY, NZ, UX, UY, UZ, touch
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import IM, VX, VY, VZ, R, X, Y, Z

MOST_ROUNDS = 500
"""Rounds after which a step has not converged, as published."""
PEEK = 0.02
"""Part of a step by which derivatives of boundaries look ahead and back: less would lose digits, and central
differences keep the order of the scheme."""


@kernel
def _add_link(c: int, i: int, j: int, at: int, mu: float, slot: Record, v: Floats, work: Workspace) -> None:
    """A link of this step, with the force that its contact had at the end of the last."""
    link = work.link[c]
    link.i, link.j, link.slot, work.link_of[at] = i, j, at, c
    link.mass, link.friction = 1.0 / (v[i, IM] + v[j, IM]), mu
    link.friction_force[0], link.friction_force[1], link.friction_force[2] = slot.tx, slot.ty, slot.tz


@kernel
def gather_links(x: Floats, v: Floats, near: Neighbours, bounds: Moments, coefficients: Coefficients, slow: float,
                 work: Workspace, totals: Floats) -> int:
    """Links for the contacts that neither separate nor collide; returns how many. Notes the largest overlap of all."""
    grains, pairs, count, out = len(x), len(near.other), 0, work.out
    for i in range(grains):
        material = coefficients.material[i]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            work.link_of[pairs + k] = -1
            element = bounds.now.element[near.wall_element[k]]
            gap = touch(element, x[i, X], x[i, Y], x[i, Z], out) - x[i, R]
            if gap > NEAR * x[i, R]:
                continue
            totals[DEEPEST] = max(totals[DEEPEST], -gap / x[i, R])
            u = (v[i, VX] - out[UX]) * out[NX] + (v[i, VY] - out[UY]) * out[NY] + (v[i, VZ] - out[UZ]) * out[NZ]
            if abs(u) <= slow:
                other = element.material if element.material >= 0 else material
                _add_link(count, grains + k, i, pairs + k, coefficients.friction[material, other], near.wall[k], v,
                          work)
                count += 1
        for k in range(near.first[i], near.first[i + 1]):
            work.link_of[k] = -1
            j = near.other[k]
            dx, dy, dz = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z]
            limit = x[i, R] + x[j, R] + NEAR * min(x[i, R], x[j, R])
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > limit * limit:
                continue
            totals[DEEPEST] = max(totals[DEEPEST], (x[i, R] + x[j, R] - math.sqrt(d2)) / min(x[i, R], x[j, R]))
            u = (v[j, VX] - v[i, VX]) * dx + (v[j, VY] - v[i, VY]) * dy + (v[j, VZ] - v[i, VZ]) * dz
            if abs(u) <= slow * math.sqrt(d2):
                _add_link(count, i, j, k, coefficients.friction[material, coefficients.material[j]], near.pair[k], v,
                          work)
                count += 1
    return count


@kernel
def _boundary_kinematics(c: int, e: int, x: Floats, v: Floats, bounds: Moments, peek: float, back: float,
                         work: Workspace) -> None:
    """Normal of a boundary, its velocity and acceleration, and the rest of the relative acceleration along the normal.

    The rest is the rate of n·(v - V) as the grain goes on with v, by a central difference: that holds for surfaces of
    any curvature and motion.
    """
    link, out, ahead = work.link[c], work.out, work.out_ahead
    row, j = link.i, link.j
    element = bounds.now.element[e]
    touch(element, x[j, X], x[j, Y], x[j, Z], out)
    rest = 0.0
    for axis in range(3):
        link.normal[axis], v[row, axis], work.a[row, axis] = out[NX + axis], out[UX + axis], 0.0
    if element.kind != PLANE or bounds.now.motion[e].kind != REST:
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
            _boundary_kinematics(c, near.wall_element[link.slot - pairs], x, v, bounds, peek, back, work)
        else:
            dx, dy, dz = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z]
            ux, uy, uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            un = (ux * dx + uy * dy + uz * dz) / d
            link.normal[0], link.normal[1], link.normal[2] = dx / d, dy / d, dz / d
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
            link.normal_force = max(along, 0.0)


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
def sweep(count: int, s: float, over: float, v: Floats, work: Workspace) -> None:
    """One Gauss-Seidel sweep over γ and f, over-relaxed; sliding at the end of the step is base + s a."""
    a, base = work.a, work.base
    for c in range(count):
        link = work.link[c]
        i, j, mass = link.i, link.j, link.mass
        nx, ny, nz = link.normal[0], link.normal[1], link.normal[2]
        ax, ay, az = a[j, X] - a[i, X], a[j, Y] - a[i, Y], a[j, Z] - a[i, Z]
        gamma = max(0.0, link.normal_force - over * mass * (nx * ax + ny * ay + nz * az + link.drift))
        change = gamma - link.normal_force
        link.normal_force = gamma
        px, py, pz = change * nx, change * ny, change * nz
        if link.friction > 0.0:
            ux, uy, uz = base[j, X] - base[i, X] + s * ax, base[j, Y] - base[i, Y] + s * ay, \
                base[j, Z] - base[i, Z] + s * az
            un, part, f = nx * ux + ny * uy + nz * uz, over * mass / s, link.friction_force
            fx, fy, fz = limit_friction(f[0] - part * (ux - un * nx), f[1] - part * (uy - un * ny),
                                        f[2] - part * (uz - un * nz), link.friction * gamma)
            px, py, pz = px + fx - f[0], py + fy - f[1], pz + fz - f[2]
            f[0], f[1], f[2] = fx, fy, fz
        wi, wj = v[i, IM], v[j, IM]
        a[i, X] -= wi * px
        a[i, Y] -= wi * py
        a[i, Z] -= wi * pz
        a[j, X] += wj * px
        a[j, Y] += wj * py
        a[j, Z] += wj * pz


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


@kernel
def start_forces(count: int, v: Floats, h: float, load: float, tolerance: float, work: Workspace) -> int:
    """γ₁, f₁ and a₁ for the state at the beginning of the step; returns the rounds, or -1 without convergence."""
    for i in range(len(work.load)):
        for axis in range(3):
            work.base[i, axis] = v[i, axis]
    rotate_friction(count, True, work)
    accelerate(count, v, work)
    largest_change(count, load, work)
    for rounds in range(1, MOST_ROUNDS + 1):
        for _ in range(SWEEPS):
            sweep(count, h, 1.0 if rounds <= PLAIN else OVER, v, work)
        change = largest_change(count, load, work)
        if change <= tolerance:
            return rounds
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
            tolerance: float, work: Workspace) -> int:
    """The mixed iteration for the end of the step (002 fig 5.2); returns the rounds, or -1 without convergence."""
    extrapolate(h, x, v, work)
    for i in range(len(x)):
        for axis in range(3):
            work.base[i, axis] = work.v1[i, axis] + 0.5 * h * work.a1[i, axis]
    if count == 0:
        return 1
    for rounds in range(1, MOST_ROUNDS + 1):
        update_kinematics(count, x, v, near, bounds, PEEK * h, 0.5 * h, work)
        rotate_friction(count, False, work)
        accelerate(count, v, work)
        for _ in range(SWEEPS):
            sweep(count, 0.5 * h, 1.0 if rounds <= PLAIN else OVER, v, work)
        change = largest_change(count, load, work)
        extrapolate(h, x, v, work)
        if change <= tolerance:
            return rounds
        if not math.isfinite(change):
            break
    return -1


@kernel
def account_links(count: int, x: Floats, v: Floats, near: Neighbours, h: float, work: Workspace,
                  totals: Floats) -> None:
    """Work of friction and boundaries over the step, P·(u₁ + u)/2, and what contacts remember."""
    grains, pairs = len(x), len(near.other)
    for c in range(count):
        link = work.link[c]
        i, j = link.i, link.j
        slot = near.pair[link.slot] if link.slot < pairs else near.wall[link.slot - pairs]
        for axis in range(3):
            friction = 0.5 * h * (link.first_friction_force[axis] + link.friction_force[axis])
            normal = link.first_normal_force * link.first_normal[axis] + link.normal_force * link.normal[axis]
            normal *= 0.5 * h
            totals[FRICTION] += 0.5 * friction * (link.first_velocity[axis] + v[j, axis] - v[i, axis])
            if i >= grains:
                totals[BOUNDARY] += 0.5 * (friction + normal) * (link.wall_velocity[axis] + v[i, axis])
            work.out[axis] = friction + normal
        slot.fx, slot.fy, slot.fz = work.out[0], work.out[1], work.out[2]
        slot.tx = link.normal_force * link.normal[0] + link.friction_force[0]
        slot.ty = link.normal_force * link.normal[1] + link.friction_force[1]
        slot.tz = link.normal_force * link.normal[2] + link.friction_force[2]
