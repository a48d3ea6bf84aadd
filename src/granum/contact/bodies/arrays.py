"""What the kernels of bodies work on: named arrays, made anew with the neighbour list."""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Floats, Ints
from granum.grains.state import Indices, Int32s


class BodyArrays(NamedTuple):
    """Bodies, and behind them rows for boundaries that belong to none."""

    pose: Floats
    motion: Floats
    inertia: Floats
    before: Floats
    """Velocities and orientation at the beginning of a step."""
    lead: Floats
    """What is set aside of the velocities while the bodies are moved."""
    shift: Floats
    degree: Int32s
    """Contacts of each body in a step."""
    changed: Int32s
    """The last sweep in which each body changed."""
    part: Ints
    """Rows at which the parts of each body begin."""
    slabs: Ints
    """Bodies at which slabs begin."""


class PartArrays(NamedTuple):
    """Parts of bodies."""

    x: Floats
    v: Floats
    arm: Floats
    body: Int32s
    material: Int32s


class Coefficients(NamedTuple):
    """Tables of materials."""

    friction: Floats
    restitution: Floats
    rolling: Floats


class Workspace(NamedTuple):
    """Contacts of a step, and sums over slabs."""

    ci: Indices
    cj: Indices
    slot: Int32s
    contact: Floats
    rare: Floats
    closed: Indices
    """Contacts that are closed after the move."""
    chosen: Indices
    """Those that are swept again."""
    ends: Ints
    """(slabs, ...) where these lists end, see `rigid.stepping`."""
    sums: Floats
    moves: Floats
    scratch: Floats
