"""Loads inside the loop of steps: compiled functions that the loop calls by address, and the block they work on.

`apply_loads` does at the beginning of a step what `GrainLoads.changes` does in Python, `account_loads` adds up the work
of each load at its end.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.base.pointers import (
    FloatGrid,
    block_reader,
    call_rates,
    carray,
    floats_pointer,
    pack_block,
    right_hand_side,
)
from granum.grains.loads.compile import GrainLoads
from granum.grains.loads.load import PAIRS, H, LoadedGrains
from granum.grains.search.neighbour_list import Remembered, add_lasting, touching_pairs
from granum.grains.state import Grains
from granum.state.table import IM, VX, VY, VZ, X, Y, Z

TOUCHING = 1e-3
"""Gap, in smaller radii, up to which grains touch and shade each other."""
assert (H, PAIRS) == (0, 1)
RATIO, FALL_X, FALL_Y, FALL_Z, SIZE, FAILED, FAILED_ROW, NUMBERS = range(2, 10)
"""Numbers of a step behind H and PAIRS. To be given: the step over the last one, and what gravity adds to velocities in
it [m/s]. Written: the root mean square of what loads add [m/s], and the load and row of a grain for which a force has
no finite value, or -1."""


class Table(NamedTuple):
    """A row for each load, in the order of the scene."""

    function: Ints
    """Address of its function."""
    own: Ints
    """Address of its block."""
    last: Ints
    """Does it come last?"""
    work: Floats
    """Work since the start [J]."""
    needs_contacts: Ints
    """(1,): does any of them depend on which grains touch?"""


class Acting(NamedTuple):
    """All that loads work on; arrays of the solver among them."""

    table: Table
    grains: LoadedGrains
    """The grains; `v` is a copy, which loads change."""
    block: Floats
    """Block of `grains`."""
    near: Remembered
    v: FloatGrid
    """Velocities of the solver."""
    before: FloatGrid
    """Those of the beginning of the step, at its end."""
    change: FloatGrid
    """(loads × grains, 3): what each load adds, load by load."""
    total: FloatGrid
    """(grains, 3): what all loads add."""


_read = block_reader(Acting)


class LoadsInLoop:
    """The loads of a scene as a loop of steps takes them."""

    def __init__(self, loads: GrainLoads, work: Floats) -> None:
        """`work` (loads,) is added to."""
        self.loads = loads
        every = list(loads.loads.values())
        self._blocks = [pack_block(load.own()) for load in every]
        self._table = Table(
            np.array([load.function.address for load in every if load.function is not None], np.int64),
            np.array([block.ctypes.data for block in self._blocks], np.int64),
            np.array([load.last for load in every], np.int64), work, np.array([loads.need_contacts], np.int64))
        self.step = np.zeros(NUMBERS)

    def block(self, grains: Grains, near: Remembered, v: Floats, before: Floats) -> Floats:
        """The block for these arrays, which live as long as it is used."""
        n, d = grains.count, (grains.count, 3)
        pairs = np.zeros((len(near.other) if self.loads.need_contacts else 0, 2), np.int64)
        loaded = LoadedGrains(grains.x, np.zeros((n, v.shape[1])), grains.number, pairs, np.zeros(d), np.zeros((n, 4)))
        self.total = np.zeros(d)
        self._acting = Acting(
            self._table, loaded, pack_block(loaded),
            near, v, before, np.zeros((len(self._blocks) * n, 3)), self.total)
        return pack_block(self._acting)

    def refuse_failure(self, grains: Grains) -> None:
        """Stop where a force has no finite value."""
        if (load := int(self.step[FAILED])) >= 0:
            raise self.loads.failure(self.loads.names[load], int(self.step[FAILED_ROW]), grains)


@right_hand_side
def apply_loads(t: float, acting_: Any, step_: Any, _: Any) -> int:
    """What loads add to the velocities in a step; returns 1 where one has no finite value."""
    acting, step = _read(acting_), carray(step_, NUMBERS)
    grains, table, near, start, count = acting.grains, acting.table, acting.near, acting.v, len(acting.total)
    v, others, change, total = grains.v, grains.others, acting.change, acting.total
    if table.needs_contacts[0] != 0:
        step[PAIRS] = touching_pairs(grains.x, near.first, near.other, TOUCHING, grains.pairs)
    others[:] = 0.0
    add_lasting(near, start, step[RATIO], others)
    for i in range(count):
        for c in range(3):
            others[i, c] += step[FALL_X + c]
            total[i, c] = 0.0
        for c in range(v.shape[1]):
            v[i, c] = start[i, c]
    for last in range(2):
        for row in range(len(table.function)):
            if table.last[row] != last:
                continue
            begin = row * count
            for i in range(count):
                for c in range(3):
                    if last == 1:
                        v[i, VX + c] = start[i, VX + c]
                    change[begin + i, c] = v[i, VX + c]
            failed = call_rates(table.function[row], t, acting.block, step, carray(floats_pointer(table.own[row]), 1))
            if failed >= 0:
                step[FAILED], step[FAILED_ROW] = row, failed
                return 1
            for i in range(count):
                for c in range(3):
                    change[begin + i, c] = v[i, VX + c] - change[begin + i, c]
                    others[i, c] += change[begin + i, c]
    square = 0.0
    for i in range(count):
        for row in range(len(table.function)):
            for c in range(3):
                total[i, c] += change[row * count + i, c]
        square += total[i, X] ** 2 + total[i, Y] ** 2 + total[i, Z] ** 2
    step[SIZE] = math.sqrt(square / count) if count > 0 else 0.0
    return 0


@right_hand_side
def account_loads(t: float, acting_: Any, step_: Any, _: Any) -> int:
    """Work of each load in the step: what it adds times the mean of the momentum before and after."""
    acting = _read(acting_)
    v, before, change, count = acting.v, acting.before, acting.change, len(acting.total)
    for row in range(len(acting.table.work)):
        work = 0.0
        for i in range(count):
            if v[i, IM] > 0.0:
                k = row * count + i
                work += (change[k, X] * (before[i, VX] + v[i, VX]) + change[k, Y] * (before[i, VY] + v[i, VY])
                         + change[k, Z] * (before[i, VZ] + v[i, VZ])) * 0.5 / v[i, IM]
        acting.table.work[row] += work
    return 0
