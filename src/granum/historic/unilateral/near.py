"""What is near enough for a link or a correction, from the neighbour list."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Record, Records, inlined, kernel
from granum.grains.geometry.elements import NX, UX
from granum.grains.geometry.surfaces import touch
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import IM, R, X, Y, Z
from granum.historic.unilateral.data import Coefficients, Workspace


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
    contact.mass, contact.friction = 1.0 / (v[i, IM] + v[j, IM]), coefficients.friction[own, material]
    contact.restitution, contact.approach = coefficients.restitution[own, material], 0.0
    contact.cohesion = coefficients.cohesion[own, material]
    for axis in range(3):
        contact.velocity[axis] = v[j, axis] - v[i, axis]
        contact.approach += contact.normal[axis] * contact.velocity[axis]


@kernel
def find_contacts(x: Floats, v: Floats, near: Neighbours, elements: Records, coefficients: Coefficients, reach: float,
                  work: Workspace) -> int:
    """Contacts with gaps up to `reach` smaller radii; returns how many. Rows of boundaries get their velocities."""
    grains, pairs, count, out = len(x), len(near.other), 0, work.out
    for i in range(grains):
        material = coefficients.material[i]
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            element, r, row = elements[near.wall_element[k]], x[i, R], grains + k
            gap = touch(element, x[i, X], x[i, Y], x[i, Z], out) - r
            if gap > reach * r:
                continue
            for axis in range(3):
                work.contact[count].normal[axis], v[row, axis] = out[NX + axis], out[UX + axis]
            _add_contact(count, row, i, pairs + k, gap, r, element.material if element.material >= 0 else material,
                         coefficients, v, work)
            count += 1
        for k in range(near.first[i], near.first[i + 1]):
            j = near.other[k]
            dx, dy, dz = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z]
            r = min(x[i, R], x[j, R])
            limit = x[i, R] + x[j, R] + reach * r
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > limit * limit:
                continue
            d, normal = math.sqrt(d2), work.contact[count].normal
            normal[X], normal[Y], normal[Z] = dx / d, dy / d, dz / d
            _add_contact(count, i, j, k, d - x[i, R] - x[j, R], r, material, coefficients, v, work)
            count += 1
    return count
