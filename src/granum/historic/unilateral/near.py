"""What is near enough for a link or a correction: what `contact.gather` is told, and the record of a contact."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Record, inlined, kernel
from granum.contact.gather import Decisions, compile_gather
from granum.contact.problem import approach_of
from granum.contact.seams import hand_over
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.search.neighbour_list import Neighbours
from granum.historic.unilateral.data import Coefficients, State, Workspace
from granum.state.table import IM, VX, VY, VZ, R


@inlined
def slot_of(near: Neighbours, place: int) -> Record:
    """What a contact remembers, by its place in the lists (pairs, then boundaries)."""
    pairs = len(near.other)
    return near.pair[place] if place < pairs else near.wall[place - pairs]


@kernel
def _add_contact(c: int, i: int, j: int, place: int, gap: float, radius: float, material: int,
                 coefficients: Coefficients, v: Floats, work: Workspace) -> None:
    """A contact whose normal is known; `material` is that of i."""
    contact, own = work.contact[c], coefficients.material[j]
    contact.i, contact.j, contact.slot, contact.gap, contact.radius = i, j, place, gap, radius
    contact.mass_n, contact.friction = 1.0 / (v[i, IM] + v[j, IM]), coefficients.friction[own, material]
    contact.restitution = coefficients.restitution[own, material]
    contact.cohesion = coefficients.cohesion[own, material]
    contact.ux, contact.uy, contact.uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
    contact.approach = approach_of(contact)


# ---- decisions about candidates; the step is the reach, a gap in smaller radii


@inlined
def far_from_boundary(s: int, i: int, k: int, gap: float, state: State, near: Neighbours, boundaries: Boundaries,
                      coefficients: Coefficients, work: Workspace, reach: float, out: Floats) -> bool:
    """Is the gap beyond the reach?"""
    return gap > reach * state.x[i, R]


@inlined
def leave_boundary(s: int, i: int, k: int, state: State, near: Neighbours, boundaries: Boundaries,
                   coefficients: Coefficients, work: Workspace, out: Floats) -> None:
    """Nothing: contacts that are open forget their impulse when all are known."""


@inlined
def cover(s: int, i: int, k: int, over: int, state: State, near: Neighbours, boundaries: Boundaries,
          coefficients: Coefficients, work: Workspace, out: Floats) -> None:
    """A link, and what the contact remembers, goes on with the element that covers its edge."""
    pairs, link_of = len(near.other), work.link_of
    if link_of[pairs + over] < 0:
        link_of[pairs + over], link_of[pairs + k] = link_of[pairs + k], -1
    hand_over(near.wall[k], near.wall[over])


@inlined
def add_boundary(count: int, s: int, i: int, k: int, gap: float, state: State, near: Neighbours, boundaries: Boundaries,
                 coefficients: Coefficients, work: Workspace, reach: float, out: Floats) -> int:
    """A contact with a boundary, whose row gets its velocity; returns how many there are then."""
    row, own, contact = len(state.x) + k, coefficients.material[i], work.contact[count]
    material = boundaries.element[near.wall_element[k]].material
    contact.nx, contact.ny, contact.nz = out[NX], out[NY], out[NZ]
    state.v[row, VX], state.v[row, VY], state.v[row, VZ] = out[UX], out[UY], out[UZ]
    _add_contact(count, row, i, len(near.other) + k, gap, state.x[i, R], material if material >= 0 else own,
                 coefficients, state.v, work)
    return count + 1


@inlined
def far_apart(i: int, j: int, dx: float, dy: float, dz: float, d2: float, state: State, work: Workspace,
              reach: float) -> bool:
    """Is the gap beyond the reach?"""
    limit = state.x[i, R] + state.x[j, R] + reach * min(state.x[i, R], state.x[j, R])
    return d2 > limit * limit


@inlined
def leave_pair(s: int, i: int, j: int, k: int, state: State, near: Neighbours, coefficients: Coefficients,
               work: Workspace, out: Floats) -> None:
    """Nothing, as with boundaries."""


@inlined
def add_pair(count: int, s: int, i: int, j: int, k: int, dx: float, dy: float, dz: float, d2: float, state: State,
             near: Neighbours, coefficients: Coefficients, work: Workspace, reach: float, out: Floats) -> int:
    """A contact between two grains; returns how many there are then."""
    d, contact, ri, rj = math.sqrt(d2), work.contact[count], state.x[i, R], state.x[j, R]
    contact.nx, contact.ny, contact.nz = dx / d, dy / d, dz / d
    _add_contact(count, i, j, k, d - ri - rj, min(ri, rj), coefficients.material[i], coefficients, state.v, work)
    return count + 1


near_boundaries, near_grains = compile_gather(
    Decisions(far_from_boundary, leave_boundary, cover, add_boundary, far_apart, leave_pair, add_pair),
    __file__, "unilateral")


@kernel
def find_contacts(state: State, near: Neighbours, boundaries: Boundaries, coefficients: Coefficients, reach: float,
                  work: Workspace) -> int:
    """Contacts with gaps up to `reach` smaller radii; returns how many. Rows of boundaries get their velocities."""
    count = 0
    for i in range(len(state.x)):
        count = near_boundaries(count, count, i, state.x, state, near, boundaries, coefficients, work, reach, work.out)
        count = near_grains(count, count, i, state.x, state, near, coefficients, work, reach, work.out)
    return count
