"""Contacts of a step as `problem.CONTACT`: between grains or parts of bodies, and with boundaries.

What `contact.gather` is told, and what it makes of a contact. A template like `stepping`: `mechanics` says how far two
rows can come near in a step, what masses a contact meets and how an overlap is corrected. All else is the same for
round grains and for bodies.

Gravity goes on until a gap is closed: a grain meets a boundary at the speed u_i with u_i² = u_n² - 2 a_n gap, a_n being
gravity along the normal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from granum.base.kernels import Floats, Record, inlined, instance, small_kernel
from granum.base.vectors import Vector, add, cross, dot, minus, plus, put, times
from granum.contact.gather import Decisions, boundary_contacts, compile_gather, pair_contacts
from granum.contact.nonsmooth import rigid_bodies as bodies
from granum.contact.nonsmooth import spheres
from granum.contact.nonsmooth.mechanics import Mechanics
from granum.contact.problem import (
    TOUCHING,
    Coefficients,
    Problem,
    Step,
    forget,
    normal,
    remembered_impulse,
    remembered_torque,
)
from granum.contact.seams import hand_over
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import VX, R, X, Y, Z


class Gathered(NamedTuple):
    """Contacts of a slab so far."""

    listed: int
    deepest: float
    """Largest overlap before correction, in smaller radii."""

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
    if 0.0 < contact.gap < TOUCHING * radius:
        contact.gap = 0.0
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


# ---- decisions about candidates


@inlined
def boundary_row(k: int, state: Any, near: Neighbours, boundaries: Boundaries) -> int:
    """The row that has the velocity of a near boundary: of the body that it belongs to, or behind all that move."""
    carrier = boundaries.body[near.wall_element[k]]
    return state.slabs[len(state.slabs) - 1] + k if carrier < 0 else carrier


def far_from_boundary(s: int, i: int, k: int, gap: float, state: Any, near: Neighbours, boundaries: Boundaries,
                      table: Coefficients, problem: Problem, step: Step, out: Floats) -> bool:
    """Can row i not meet a boundary in the step?"""
    return gap > mechanics.boundary_reach(state, i, boundary_row(k, state, near, boundaries), out, step.h)


@inlined
def leave_boundary(s: int, i: int, k: int, state: Any, near: Neighbours, boundaries: Boundaries, table: Coefficients,
                   problem: Problem, out: Floats) -> None:
    """What cannot meet remembers nothing."""
    forget(near.wall[k])


@inlined
def cover(s: int, i: int, k: int, over: int, state: Any, near: Neighbours, boundaries: Boundaries, table: Coefficients,
          problem: Problem, out: Floats) -> None:
    """The impulse of the last step goes on in the contact that covers an edge."""
    hand_over(near.wall[k], near.wall[over])


def set_boundary(i: int, row: int, state: Any, contact: Record, element: Record, h: float, out: Floats) -> Vector:
    """The velocity of a boundary where it is touched, in its row; returns its acceleration there [m/s²].

    A boundary that accelerates has three velocities: `before` is that of the beginning of the step, v that of its end,
    and v - lead their mean, with which it arrives where it is at the end. Contacts then close and rest to second order.

    Where the boundary turns, n = n⁻ + h/2 Ω × n⁻ of the middle of the step replaces the normal n⁻ of its beginning. By
    n, the law n⁺·(v⁺ - V⁺) ≥ 0 of its end reads n·(v⁺ - V⁺ - k n) ≥ 0 with k = h/2 n·(Ω × (v - V)), and that of its
    beginning has -k. V changes by what the motion gains, and by h Ω × (v - r Ω × n): the place of contact moves with
    the grain.
    """
    v, before, lead = state.v, state.before, state.lead
    if element.accelerates == 0:
        mechanics.set_surface(state, row, contact, element, out)
        put(lead, row, VX, (0.0, 0.0, 0.0))
        return 0.0, 0.0, 0.0
    turning, gain, mean = element.turning, element.gain, element.mean_gain
    O, n, centre = (turning[X], turning[Y], turning[Z]), normal(contact), mechanics.centre_velocity(state, i)
    turned = cross(O, n)
    if dot(turned, turned) > 0.0:
        n = plus(n, times(0.5 * h, turned))
        n = times(1.0 / math.sqrt(dot(n, n)), n)
        contact.nx, contact.ny, contact.nz = n
    mechanics.set_surface(state, row, contact, element, out)
    k = times(0.5 * h * dot(n, cross(O, minus(centre, (out[UX], out[UY], out[UZ])))), n)
    change = times(h, cross(O, minus(centre, times(state.x[i, R], turned))))
    gained = plus((gain[X], gain[Y], gain[Z]), change)
    add(before, row, VX, times(-1.0, k))
    add(v, row, VX, plus(gained, k))
    put(lead, row, VX, minus(plus(gained, k), plus((mean[X], mean[Y], mean[Z]), times(0.5, change))))
    return times(1.0 / h, gained)


def add_boundary(so_far: Gathered, s: int, i: int, k: int, gap: float, state: Any, near: Neighbours,
                 boundaries: Boundaries, table: Coefficients, problem: Problem, step: Step, out: Floats) -> Gathered:
    """A contact of row i with a boundary."""
    movers, row, count = state.slabs[len(state.slabs) - 1], boundary_row(k, state, near, boundaries), so_far.listed
    element, radius, mi = boundaries.element[near.wall_element[k]], state.x[i, R], state.material[i]
    m = element.material if element.material >= 0 else mi
    nx, ny, nz, contact, fall = out[NX], out[NY], out[NZ], problem.contact[count], 0.0
    contact.nx, contact.ny, contact.nz, contact.gap = nx, ny, nz, gap
    contact.friction, contact.arm = table.friction[mi, m], table.rolling[mi, m] * radius
    problem.i[count], problem.j[count], problem.slot[count] = row, mechanics.mover_of(state, i), -1 - k
    if row < movers:
        state.contact_count[row] += 1
    else:
        ax, ay, az = set_boundary(i, row, state, contact, element, step.h, out)
        fall = 2.0 * ((step.gx - ax) * nx + (step.gy - ay) * ny + (step.gz - az) * nz) * gap
    add_contact(count, i, state, problem, near.wall[k], step, radius, table.restitution[mi, m], fall)
    return Gathered(count + 1, -gap / radius if -gap > so_far.deepest * radius else so_far.deepest)


def far_apart(i: int, j: int, dx: float, dy: float, dz: float, d2: float, state: Any, problem: Problem,
              step: Step) -> bool:
    """Can two rows not meet in the step?"""
    return mechanics.far_apart(state, i, j, dx, dy, dz, d2, step.h)


@inlined
def leave_pair(s: int, i: int, j: int, k: int, state: Any, near: Neighbours, table: Coefficients, problem: Problem,
               out: Floats) -> None:
    """What cannot meet remembers nothing."""
    forget(near.pair[k])


def add_pair(so_far: Gathered, s: int, i: int, j: int, k: int, dx: float, dy: float, dz: float, d2: float, state: Any,
             near: Neighbours, table: Coefficients, problem: Problem, step: Step, out: Floats) -> Gathered:
    """A contact of row i with row j."""
    x, count, mi, m, far = state.x, so_far.listed, state.material[i], state.material[j], mechanics.mover_of(state, j)
    ri, rj, d, contact = x[i, R], x[j, R], math.sqrt(d2), problem.contact[so_far.listed]
    reach, smaller, inverse, rolls = ri + rj, min(ri, rj), 1.0 / d, table.rolling[mi, m]
    gap = d - reach
    contact.nx, contact.ny, contact.nz, contact.gap = dx * inverse, dy * inverse, dz * inverse, gap
    contact.friction, contact.arm = table.friction[mi, m], rolls * ri * rj / reach if rolls > 0.0 else 0.0
    problem.i[count], problem.j[count], problem.slot[count] = mechanics.mover_of(state, i), far, k
    state.contact_count[far] += 1
    add_contact(count, i, state, problem, near.pair[k], step, smaller, table.restitution[mi, m], 0.0)
    return Gathered(count + 1, -gap / smaller if -gap > so_far.deepest * smaller else so_far.deepest)


def gather_slab(s: int, state: Any, near: Neighbours, boundaries: Boundaries, table: Coefficients, problem: Problem,
                step: Step) -> None:
    """Contacts of the rows of one slab with boundaries and with rows that come later.

    What cannot meet in the step is left out. Overlaps are corrected in part; the largest one before that is noted,
    whether its contact pushes or not.
    """
    begin, end, out = near.slabs[s], near.slabs[s + 1], problem.out[s]
    so_far = Gathered(near.first[begin] + near.wall_first[begin], 0.0)
    problem.slab[s].begin = so_far.listed
    for i in range(begin, end):
        begun = so_far.listed
        so_far = boundary_contacts(so_far, s, i, state.x, state, near, boundaries, table, problem, step, out)
        so_far = pair_contacts(so_far, s, i, state.x, state, near, table, problem, step, out)
        state.contact_count[mechanics.mover_of(state, i)] += so_far.listed - begun
    problem.slab[s].deepest, problem.slab[s].listed = so_far.deepest, so_far.listed


def compile_gathering(module: Mechanics[Any, Any, Any], name: str) -> Any:
    """`gather_slab` for one kind of mechanics."""
    scope = {**globals(), "mechanics": module}
    for each in (add_contact, far_from_boundary, set_boundary, add_boundary, far_apart, add_pair):
        scope[each.__name__] = inlined(instance(each, scope, name))
    decisions = Decisions(**{field: scope[field] for field in Decisions._fields if field in scope})
    scope["boundary_contacts"], scope["pair_contacts"] = compile_gather(decisions, __file__, name)
    return small_kernel(instance(gather_slab, scope, name))


gather_spheres, gather_bodies = compile_gathering(spheres, "spheres"), compile_gathering(bodies, "bodies")
