"""What touches at an instant: what `contact.gather` is told, and the record of a contact."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Record, Records, inlined, kernel, small_kernel
from granum.contact.gather import Decisions, compile_gather
from granum.contact.problem import Coefficients
from granum.contact.seams import covering, edge_of
from granum.grains.geometry.elements import NX, NY, NZ, UX, UY, UZ, Boundaries
from granum.grains.geometry.surfaces import touch
from granum.grains.search.history import no_slots
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Int32s
from granum.state.table import VX, VY, VZ, R, X, Y, Z

_AHEAD = 1e-6
"""How far the next moment is, in radii of the grain."""


class Surfaces(NamedTuple):
    """What is asked of grains beside where they are."""

    r: Floats
    """(count,): radii [m]."""
    velocity: Floats
    """(count, 3) [m/s]"""
    material: Int32s


def all_near(grains: int, elements: int) -> Neighbours:
    """A neighbour list of all pairs and all elements of boundaries: each of them may touch at the next event."""
    rows = np.arange(grains + 1)
    first, other = rows * (2 * grains - 1 - rows) // 2, np.triu_indices(grains, 1)[1].astype(np.int32)
    return Neighbours(np.array([0, grains]), first, other, no_slots(0), rows * elements,
                      np.tile(np.arange(elements, dtype=np.int32), grains), no_slots(0), np.zeros((0, 3)))


@inlined
def _add(c: Record, i: int, j: int, e: int, gap: float, a: int, b: int, law: Coefficients) -> None:
    """A contact whose normal is known, between the materials a and b."""
    c.i, c.j, c.e, c.gap = i, j, e, gap
    c.friction, c.restitution = law.friction[a, b], law.restitution[a, b]


# ---- decisions about candidates; the step is the gap up to which they touch


@inlined
def far_from_boundary(s: int, i: int, k: int, gap: float, state: Surfaces, near: Neighbours, boundaries: Boundaries,
                      law: Coefficients, contacts: Records, close: float, out: Floats) -> bool:
    """Does it not touch?"""
    return gap > close


@small_kernel
def covered(i: int, k: int, begin: int, end: int, distance: float, x: Floats, state: Surfaces, near: Neighbours,
            elements: Records, out: Floats) -> int:
    """The element whose face covers an edge, or is about to: a grain that comes to the joint of two walls goes on with
    the one ahead. Where edges meet, the grain touches each of them in the same point.
    """
    v, element, r = state.velocity, elements[near.wall_element[k]], x[i, R]
    ux, uy, uz = v[i, VX] - out[UX], v[i, VY] - out[UY], v[i, VZ] - out[UZ]
    speed = math.sqrt(ux * ux + uy * uy + uz * uz)
    step = _AHEAD * r / speed if speed > 0.0 else 0.0
    ahead_x, ahead_y, ahead_z = x[i, X] + step * ux, x[i, Y] + step * uy, x[i, Z] + step * uz
    ahead = touch(element, ahead_x, ahead_y, ahead_z, out)
    own = edge_of(element, out)
    over = covering(k, begin, end, near.wall_element, elements, ahead_x, ahead_y, ahead_z, r, ahead, out)
    if over >= 0:
        other = elements[near.wall_element[over]]
        touch(other, ahead_x, ahead_y, ahead_z, out)
        over = -1 if edge_of(other, out) == own else over
    touch(element, x[i, X], x[i, Y], x[i, Z], out)
    return over


@inlined
def leave_boundary(s: int, i: int, k: int, state: Surfaces, near: Neighbours, boundaries: Boundaries, law: Coefficients,
                   contacts: Records, out: Floats) -> None:
    """Nothing: contacts remember nothing."""


@inlined
def cover(s: int, i: int, k: int, over: int, state: Surfaces, near: Neighbours, boundaries: Boundaries,
          law: Coefficients, contacts: Records, out: Floats) -> None:
    """Nothing."""


@inlined
def add_boundary(count: int, s: int, i: int, k: int, gap: float, state: Surfaces, near: Neighbours,
                 boundaries: Boundaries, law: Coefficients, contacts: Records, close: float, out: Floats) -> int:
    """A contact with a boundary, if there is room for it; returns how many there are then."""
    if count < len(contacts):
        c, e, own = contacts[count], near.wall_element[k], state.material[i]
        material = boundaries.element[e].material
        c.nx, c.ny, c.nz = out[NX], out[NY], out[NZ]
        _add(c, -1, i, e, gap, material if material >= 0 else own, own, law)
    return count + 1


@inlined
def far_apart(i: int, j: int, dx: float, dy: float, dz: float, d2: float, state: Surfaces, contacts: Records,
              close: float) -> bool:
    """Do they not touch?"""
    ri, rj = state.r[i], state.r[j]
    reach = ri + rj + close
    # squares first: most pairs are far from each other
    return d2 > reach * reach * (1.0 + 1e-12) or math.sqrt(d2) - ri - rj > close


@inlined
def leave_pair(s: int, i: int, j: int, k: int, state: Surfaces, near: Neighbours, law: Coefficients, contacts: Records,
               out: Floats) -> None:
    """Nothing."""


@inlined
def add_pair(count: int, s: int, i: int, j: int, k: int, dx: float, dy: float, dz: float, d2: float, state: Surfaces,
             near: Neighbours, law: Coefficients, contacts: Records, close: float, out: Floats) -> int:
    """A contact between two grains, if there is room for it; returns how many there are then."""
    if count < len(contacts):
        c, d = contacts[count], math.sqrt(d2)
        c.nx, c.ny, c.nz = dx / d, dy / d, dz / d
        _add(c, i, j, -1, d - state.r[i] - state.r[j], state.material[i], state.material[j], law)
    return count + 1


boundary_touches, pair_touches = compile_gather(
    Decisions(far_from_boundary, leave_boundary, cover, add_boundary, far_apart, leave_pair, add_pair, covered),
    __file__, "events")


@kernel
def find_touching(x: Floats, state: Surfaces, near: Neighbours, boundaries: Boundaries, law: Coefficients, close: float,
                  contacts: Records, out: Floats) -> int:
    """Contacts with a gap of at most `close`, as many as there is room for; returns how many there are.

    Args:
        x: (count, 4): positions and radii of the grains [m].
    """
    count = 0
    for i in range(len(x)):
        count = boundary_touches(count, count, i, x, state, near, boundaries, law, contacts, close, out)
        count = pair_touches(count, count, i, x, state, near, law, contacts, close, out)
    return count
