"""Forces that a controller applies to single grains."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, block_reader, carray, right_hand_side
from granum.grains.loads.load import Compiler, GrainLoad, H, compiles, read_grains
from granum.model.actuators import AppliedForces
from granum.state.table import IM, VX, VY, VZ, X, Y, Z

MOST = 1000
"""Grains that forces can be applied to at once."""


class AppliedNumbers(NamedTuple):
    """How many grains are pushed (1,), their numbers, and the forces on them (MOST, 3) [N]."""

    used: Ints
    number: Ints
    force: FloatGrid


read_applied = block_reader(AppliedNumbers)


@right_hand_side
def push_applied(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """h F/m for each of the grains that is there."""
    grains, h, own = read_grains(grains_), carray(step_, 1)[H], read_applied(own_)
    if own.used[0] == 0:
        return -1
    for i in range(len(grains.number)):
        for k in range(own.used[0]):
            if grains.number[i] == own.number[k]:
                scale = h * grains.v[i, IM]
                grains.v[i, VX] += scale * own.force[k, X]
                grains.v[i, VY] += scale * own.force[k, Y]
                grains.v[i, VZ] += scale * own.force[k, Z]
    return -1


class AppliedToGrains(GrainLoad):
    """Forces by numbers of grains, until they are changed."""

    function = push_applied

    def __init__(self) -> None:
        self.numbers = AppliedNumbers(np.zeros(1, np.int64), np.zeros(MOST, np.int64), np.zeros((MOST, 3)))

    def copy(self, outside: Ints) -> GrainLoad:
        """No forces at first."""
        return AppliedToGrains()

    def own(self) -> AppliedNumbers:
        """Numbers and forces."""
        return self.numbers

    def push(self, number: int, force: Floats) -> None:
        """Let a force (3,) act on a grain from now on; zero ends it."""
        own, count = self.numbers, int(self.numbers.used[0])
        found = np.flatnonzero(own.number[:count] == number)
        if not force.any():
            for k in found:
                own.number[k], own.force[k] = own.number[count - 1], own.force[count - 1]
                own.used[0] = count - 1
            return
        if not len(found) and count == MOST:
            raise GranumError(f"forces act on {MOST} grains already, which is the most. Use a load of kind "
                              "force-field for forces on many grains.")
        place = int(found[0]) if len(found) else count
        own.number[place], own.force[place] = number, force
        own.used[0] = max(count, place + 1)


@compiles(AppliedForces)
def compile_applied(compiler: Compiler, name: str, entry: AppliedForces, outside: Ints) -> GrainLoad:
    """No forces at first."""
    return AppliedToGrains()
