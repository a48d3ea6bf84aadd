"""A constant force on one grain."""

from __future__ import annotations

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats, Ints
from granum.grains.loads.load import Compiler, GrainLoad, Moment, compiles
from granum.grains.state import IM, VX, VZ
from granum.model.loads import Force


class ForceOnGrain(GrainLoad):
    """It acts while the grain is there."""

    def __init__(self, number: int, force: Floats) -> None:
        self.number, self.force = number, force

    def apply(self, moment: Moment) -> int:
        """h F/m."""
        for row in np.flatnonzero(moment.number == self.number):
            moment.v[row, VX:VZ + 1] += moment.h * moment.v[row, IM] * self.force
        return -1


@compiles(Force)
def compile_force(compiler: Compiler, name: str, load: Force, outside: Ints) -> GrainLoad | None:
    """Bodies come first, so the number of the grain that a body is, is that in the scene."""
    bodies, force = list(compiler.scene.body), compiler.vector(f"load.{name}.force", load.force)
    if load.on not in bodies:
        compiler.problem(f"load.{name}.on", f'there is no body "{load.on}".', did_you_mean(load.on, bodies, "body"))
        return None
    return ForceOnGrain(bodies.index(load.on), force)
