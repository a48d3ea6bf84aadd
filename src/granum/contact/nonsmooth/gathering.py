"""Contacts of a step, gathered from the neighbour list: between grains or parts of bodies, and with boundaries.

A template like `stepping`: `mechanics` says how far two rows can come near in a step, what masses a contact meets and
how an overlap is corrected. All else is the same for round grains and for bodies.

Gravity goes on until a gap is closed: a grain meets a boundary at the speed u_i with u_i² = u_n² - 2 a_n gap, a_n being
gravity along the normal.
"""

from __future__ import annotations

import math
from typing import Any

from granum.base.kernels import Record, inlined, instance, small_kernel
from granum.contact.nonsmooth import bodies, spheres
from granum.contact.nonsmooth.mechanics import Mechanics
from granum.contact.problem import (
    Coefficients,
    Problem,
    Step,
    forget,
    remembered_impulse,
    remembered_torque,
)
from granum.grains.geometry.elements import NX, NY, NZ, Boundaries
from granum.grains.geometry.surfaces import touch
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import R, X, Y, Z

mechanics: Mechanics[Any, Any, Any] = spheres
"""The module that a template is compiled for."""


def add_contact(c: int, i: int, state: Any, problem: Problem, slot: Record, step: Step, radius: float,
                restitution: float, fall: float) -> None:
    """All of a contact of row i but its normal, gap and coefficients, which are there; then its warm start.

    Args:
        radius: the smaller one [m].
        fall: 2 a_n gap, what gravity adds to the square of the normal velocity until the gap closes [m²/s²].
    """
    contact, first, second = problem.contact[c], problem.i[c], problem.j[c]
    nx, ny, nz = contact.nx, contact.ny, contact.nz
    mechanics.set_masses(state, problem, c, i, radius)
    ux, uy, uz = mechanics.relative_velocity(state, problem, state.before, c)
    un = ux * nx + uy * ny + uz * nz
    if fall != 0.0 and contact.gap > 0.0 and un < 0.0:
        gain = -math.sqrt(max(un * un - fall, 0.0)) - un
        ux, uy, uz = ux + gain * nx, uy + gain * ny, uz + gain * nz
    approach = ux * nx + uy * ny + uz * nz
    contact.target = -restitution * approach if abs(approach) > step.slow else 0.0
    contact.ux, contact.uy, contact.uz = ux, uy, uz
    mechanics.separate(state, problem, c, radius)
    p, px, py, pz = remembered_impulse(contact, slot, step.ratio)
    if p > 0.0:
        mechanics.push_both(state, first, second, contact, (px, py, pz))
    if contact.arm > 0.0:
        tx, ty, tz = remembered_torque(slot, step.ratio, p)
        mechanics.twist(state, first, second, tx, ty, tz)


def gather_slab(s: int, state: Any, near: Neighbours, boundaries: Boundaries, table: Coefficients, problem: Problem,
                step: Step) -> None:
    """Contacts of the rows of one slab with boundaries and with rows that come later.

    What cannot meet in the step is left out. Overlaps are corrected in part; the largest one before that is noted,
    whether its contact pushes or not.
    """
    x, material, contact_count, movers = state.x, state.material, state.contact_count, state.slabs[len(state.slabs) - 1]
    first, other, pair, wall_first, wall = near.first, near.other, near.pair, near.wall_first, near.wall
    friction, restitution, rolling = table.friction, table.restitution, table.rolling
    contacts, ci, cj, slots, out = problem.contact, problem.i, problem.j, problem.slot, problem.out[s]
    begin, end, deepest = near.slabs[s], near.slabs[s + 1], 0.0
    count = problem.slab[s].begin = first[begin] + wall_first[begin]
    for i in range(begin, end):
        ri, mi, own, begun = x[i, R], material[i], mechanics.mover_of(state, i), count
        for k in range(wall_first[i], wall_first[i + 1]):
            e = near.wall_element[k]
            element, carrier = boundaries.element[e], boundaries.body[e]
            row = movers + k if carrier < 0 else carrier
            gap = touch(element, x[i, X], x[i, Y], x[i, Z], out) - ri
            if gap > mechanics.boundary_reach(state, i, row, out, step.h):
                forget(wall[k])
                continue
            if -gap > deepest * ri:
                deepest = -gap / ri
            m = element.material if element.material >= 0 else mi
            nx, ny, nz, contact, fall = out[NX], out[NY], out[NZ], contacts[count], 0.0
            contact.nx, contact.ny, contact.nz, contact.gap = nx, ny, nz, gap
            contact.friction, contact.arm = friction[mi, m], rolling[mi, m] * ri
            ci[count], cj[count], slots[count] = row, own, -1 - k
            if row < movers:
                contact_count[row] += 1
            else:
                mechanics.set_surface(state, row, contact, element, out)
                fall = 2.0 * (step.gx * nx + step.gy * ny + step.gz * nz) * gap
            add_contact(count, i, state, problem, wall[k], step, ri, restitution[mi, m], fall)
            count += 1
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz, rj = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z], x[j, R]
            d2, reach, smaller = dx * dx + dy * dy + dz * dz, ri + rj, min(ri, rj)
            if mechanics.far_apart(state, i, j, dx, dy, dz, d2, step.h):
                forget(pair[k])
                continue
            d = math.sqrt(d2)
            inverse, gap, m, contact = 1.0 / d, d - reach, material[j], contacts[count]
            if -gap > deepest * smaller:
                deepest = -gap / smaller
            rolls, far = rolling[mi, m], mechanics.mover_of(state, j)
            contact.nx, contact.ny, contact.nz, contact.gap = dx * inverse, dy * inverse, dz * inverse, gap
            contact.friction, contact.arm = friction[mi, m], rolls * ri * rj / reach if rolls > 0.0 else 0.0
            ci[count], cj[count], slots[count] = own, far, k
            contact_count[far] += 1
            add_contact(count, i, state, problem, pair[k], step, smaller, restitution[mi, m], 0.0)
            count += 1
        contact_count[own] += count - begun
    problem.slab[s].deepest, problem.slab[s].listed = deepest, count


def compile_gathering(module: Mechanics[Any, Any, Any], name: str) -> Any:
    """`gather_slab` for one kind of mechanics."""
    scope = {**globals(), "mechanics": module}
    scope["add_contact"] = inlined(instance(add_contact, scope, name))
    return small_kernel(instance(gather_slab, scope, name))


gather_spheres, gather_bodies = compile_gathering(spheres, "spheres"), compile_gathering(bodies, "bodies")
