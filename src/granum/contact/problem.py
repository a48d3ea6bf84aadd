"""The contact problem of a step: one record for each contact, whatever touches.

Round grains, parts of bodies and boundaries fill the same record; `nonsmooth` solves it. Records of other solvers
extend it with what is their own (`events`, `unilateral`). An impulse P = p n + q at a
contact acts on its second body j, and -P on the first one i. Boundaries that belong to no body have rows of their own
behind the grains or bodies: the velocity of the surface, without mass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Record, Records, inlined
from granum.base.vectors import Vector
from granum.grains.geometry.elements import OUT
from granum.grains.search.history import clear
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Indices, Int32s

LINE = 64
"""Bytes of a cache line."""
CONTACT = np.dtype([(name, np.float64) for name in (
    "nx", "ny", "nz",  # unit normal, from i to j
    "gap",  # [m]
    "mass_n", "mass_t",  # 1/W_n and 1/W_t, effective masses along and across the normal [kg]
    "friction",  # coefficient
    "target",  # least normal velocity after the step [m/s]
    "p", "qx", "qy", "qz",  # normal impulse and friction impulse [N s]
    "ux", "uy", "uz",  # relative velocity where the gap closes: along the normal with what gravity adds until then,
    # across it that of the beginning of the step [m/s]
    "arm",  # of rolling friction [m]
)], align=True)
"""A contact, two cache lines; the sweeps read and write the first one and a half."""

SLAB = np.dtype([
    ("begin", np.int64),  # where the contacts of the slab begin in all lists
    ("listed", np.int64), ("closed", np.int64), ("single", np.int64), ("chosen", np.int64),  # where lists end
    ("missed", np.int64),  # contacts that missed their law in the last sweep
    *((name, np.float64) for name in (
        "impact", "friction", "rolling", "boundary",  # work of normal impulses, (rolling) friction and boundaries [J]
        "turn", "size",  # of a symmetric sweep, see `nonsmooth.acceleration`
        "residual", "worst", "scale",  # Σ μ r² of residuals r with μ = 1/W_n [J], largest r² [m²/s²], Σ μ u² [J]
        "contacts", "pushing",  # closed contacts, and those with an impulse
        "lost",  # Σ r·û [J], see `contact.residual`
        "squares", "most", "bodies", "lifted",  # Σ and largest of imbalances, their number, Σ m (g h)² [J]
        "pushed",  # Σ p [N s]
        "overlap", "deepest",  # in smaller radii: sum over those with an impulse, after correction; largest before it
        "fastest",  # approach of contacts that close [m/s]
        "uncertain",  # work that is not known, because gravity acts in the step [J]
        "moved", "step",  # largest squared move since the neighbour list [m²], and of this step, in radii
        "single_impact", "single_friction", "single_boundary",  # work of impacts at their own instant [J]
    ))], align=True)
"""Lists and sums of one slab in one step. `closed` contacts are those the sweeps after the move look at, `single` ones
impacts of grains that touch nothing else, `chosen` ones are swept again."""


class Problem(NamedTuple):
    """All contacts of a step."""

    i: Indices
    j: Indices
    slot: Int32s
    """Slot of a pair in the neighbour list, or -1 - slot of a boundary."""
    contact: Records
    """CONTACT of each, or what extends it."""
    closed: Indices
    chosen: Indices
    """Contacts to be swept again; before the move, single impacts."""
    slab: Records
    """SLAB of each slab."""
    out: Floats
    """(slabs, OUT): what `touch` writes to."""
    last: Floats
    """(contacts, columns): impulses before a symmetric sweep, and their last change, see `nonsmooth.acceleration`."""


class Coefficients(NamedTuple):
    """(materials, materials) each."""

    friction: Floats
    restitution: Floats
    rolling: Floats


class Step(NamedTuple):
    """One step, the same for all contacts."""

    h: float
    """[s]"""
    ratio: float
    """Step over the last one, for the impulses that are remembered."""
    gx: float
    gy: float
    gz: float
    slow: float
    """What gravity gives to a velocity in a step: slower approaches end in rest [m/s]."""


class Limits(NamedTuple):
    """When sweeps end, and when the neighbour list is outdated."""

    sweeps: int
    tolerance: float
    """Relative residual at which sweeps end."""
    rest: float
    """What contacts at rest may miss of their law before they are swept again, in what gravity and loads give within a
    step."""
    least_rest: float
    """The least of that [m/s]."""
    rolling: bool
    """Does any contact have rolling friction?"""
    allowed: float
    """Distance a grain may move before the neighbour list is outdated [m]."""
    extent: float
    """Largest distance of a grain from the origin [m], where boundaries move."""
    built_t: float
    """When the neighbour list was built [s]."""


def new_problem(near: Neighbours, contact_type: np.dtype[np.void], columns: int) -> Problem:
    """Room for all contacts that a neighbour list may give; `columns` are those of `last`."""
    most, slabs = len(near.other) + len(near.wall_element), len(near.slabs) - 1
    i, j, closed, chosen = (np.zeros(most, np.uint32) for _ in range(4))
    return Problem(i, j, np.zeros(most, np.int32), aligned(most, contact_type), closed, chosen, np.zeros(slabs, SLAB),
                   np.zeros((slabs, OUT)), np.zeros((most, columns)))


def aligned(count: int, record: np.dtype[np.void]) -> Records:
    """Zeros that begin with a cache line, so that records of whole lines do not reach into one more."""
    room = np.zeros(count * record.itemsize + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + count * record.itemsize].view(record)


CORRECTED = 0.3
"""Part of an overlap that a step corrects."""
SLOP = 1e-5
"""Overlap, in smaller radii, that is left alone: contacts at rest stay closed."""
GENTLE = 0.01
"""Overlap without friction, in smaller radii, of which a step corrects half of that part; of less it corrects less."""
LARGEST_CORRECTION = 0.05
"""Largest overlap, in smaller radii, that a step corrects."""
TOUCHING = 1e-9
"""Gap, in smaller radii, that is rounding of positions: bodies that touch do not fall through it first."""
NEAR = 0.005
"""Pairs closer than this part of the smaller radius are in the contact problem, touching or not."""


@inlined
def correction(gap: float, radius: float, friction: float) -> float:
    """How far a step moves two bodies apart [m]: a fixed part of the overlap.

    Without friction nothing ends the sliding that corrections set off, and a bed would never come to rest: there the
    part falls with the overlap.
    """
    overlap = max(-gap - SLOP * radius, 0.0)
    part = CORRECTED if friction > 0.0 else CORRECTED * overlap / (overlap + GENTLE * radius)
    return min(part * overlap, LARGEST_CORRECTION * radius)


@inlined
def forget(slot: Record) -> None:
    """What is not near any more remembers nothing; most remember nothing anyway, and reading is cheaper."""
    if slot.fx != 0.0 or slot.fy != 0.0 or slot.fz != 0.0:
        clear(slot)


@inlined
def sudden_part(p: float, mass: float, change: float, slow: float) -> float:
    """Part of a normal impulse that an impact gave, which changes the normal velocity by so much."""
    return min(1.0, mass * change / p) if change > slow and p > 0.0 else 0.0


@inlined
def normal(contact: Record) -> Vector:
    """Its unit normal."""
    return contact.nx, contact.ny, contact.nz


@inlined
def slip(contact: Record) -> Vector:
    """Its relative velocity [m/s]."""
    return contact.ux, contact.uy, contact.uz


@inlined
def impulse_of(contact: Record) -> Vector:
    """P = p n + q [N s]."""
    return (contact.p * contact.nx + contact.qx, contact.p * contact.ny + contact.qy,
            contact.p * contact.nz + contact.qz)


@inlined
def approach_of(contact: Record) -> float:
    """Normal velocity where the gap of a contact closes [m/s]; approach is negative."""
    return contact.ux * contact.nx + contact.uy * contact.ny + contact.uz * contact.nz


@inlined
def remembered_impulse(contact: Record, slot: Record, ratio: float) -> tuple[float, float, float, float]:
    """Begin with the impulse that the slot remembers, without what an impact gave; returns p and P = p n + q."""
    nx, ny, nz = contact.nx, contact.ny, contact.nz
    ratio *= 1.0 - slot.sudden
    px, py, pz = ratio * slot.fx, ratio * slot.fy, ratio * slot.fz
    p = px * nx + py * ny + pz * nz
    if p > 0.0:
        contact.p, contact.qx, contact.qy, contact.qz = p, px - p * nx, py - p * ny, pz - p * nz
    else:
        contact.p = contact.qx = contact.qy = contact.qz = 0.0
    return p, px, py, pz


@inlined
def remembered_torque(slot: Record, ratio: float, p: float) -> tuple[float, float, float]:
    """The angular impulse of rolling friction that a contact begins with, also kept in its slot."""
    held = ratio * (1.0 - slot.sudden) if p > 0.0 else 0.0
    slot.tx, slot.ty, slot.tz = held * slot.tx, held * slot.ty, held * slot.tz
    return slot.tx, slot.ty, slot.tz
