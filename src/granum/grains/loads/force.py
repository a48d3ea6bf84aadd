"""A constant force on one grain."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.pointers import block_reader, carray, right_hand_side
from granum.grains.loads.load import Compiler, GrainLoad, H, compiles, read_grains
from granum.model.loads import Force
from granum.state.table import IM, VX, VY, VZ, X, Y, Z


class ConstantForce(NamedTuple):
    """The number of the grain (1,), and the force on it (3,) [N]."""

    number: Ints
    force: Floats


read_force = block_reader(ConstantForce)


@right_hand_side
def push_one(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """h F/m for the grain with the number."""
    grains, h, own = read_grains(grains_), carray(step_, 1)[H], read_force(own_)
    for i in range(len(grains.number)):
        if grains.number[i] == own.number[0]:
            scale = h * grains.v[i, IM]
            grains.v[i, VX] += scale * own.force[X]
            grains.v[i, VY] += scale * own.force[Y]
            grains.v[i, VZ] += scale * own.force[Z]
    return -1


class ForceOnGrain(GrainLoad):
    """It acts while the grain is there."""

    function = push_one

    def __init__(self, number: int, force: Floats) -> None:
        self.force = ConstantForce(np.array([number]), force)

    def own(self) -> ConstantForce:
        """Number and force."""
        return self.force


@compiles(Force)
def compile_force(compiler: Compiler, name: str, load: Force, outside: Ints) -> GrainLoad | None:
    """Bodies come first, so the number of the grain that a body is, is that in the scene."""
    bodies, force = list(compiler.scene.body), compiler.vector(f"load.{name}.force", load.force)
    if load.on not in bodies:
        compiler.problem(f"load.{name}.on", f'there is no body "{load.on}".', did_you_mean(
            load.on, bodies, "body", 'The scene has no [body.NAME] that a force could act on. For grains of patterns '
                                     'use kind = "force-field".'))
        return None
    return ForceOnGrain(bodies.index(load.on), force)
