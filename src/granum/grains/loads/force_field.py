"""A force by formulas of position, velocity, time, mass and radius, on every grain."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse
from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.base.pointers import block_reader, call_rates, carray, right_hand_side
from granum.grains.loads.load import Compiler, GrainLoad, H, compiles, read_grains
from granum.model.loads import ForceField
from granum.state.table import IM, VX, VY, VZ, R, X, Y, Z

_ARGUMENTS = ("x", "y", "z", "vx", "vy", "vz", "m", "r")
"""What a formula is computed from, besides t."""
AT_X, AT_Y, AT_Z, RATE_X, RATE_Y, RATE_Z, MASS, RADIUS = range(8)
"""Their places in the arguments of the compiled formulas."""


class Formulas(NamedTuple):
    """Where compiled formulas are (1,), and room for their arguments and for the force."""

    address: Ints
    arguments: Floats
    force: Floats


read_formulas = block_reader(Formulas)


@right_hand_side
def push_by_formulas(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """h F/m for every grain; returns -1, or the row of a grain for which the formulas have no finite value."""
    grains, h, own = read_grains(grains_), carray(step_, 1)[H], read_formulas(own_)
    x, v, arguments, force = grains.x, grains.v, own.arguments, own.force
    for i in range(len(x)):
        if v[i, IM] == 0.0:
            continue
        arguments[AT_X], arguments[AT_Y], arguments[AT_Z], arguments[RADIUS] = x[i, X], x[i, Y], x[i, Z], x[i, R]
        arguments[RATE_X], arguments[RATE_Y], arguments[RATE_Z] = v[i, VX], v[i, VY], v[i, VZ]
        arguments[MASS] = 1.0 / v[i, IM]
        call_rates(own.address[0], t, arguments, force, arguments)
        # a sum of finite numbers may overflow, but then the velocity would too
        if not math.isfinite(force[X] + force[Y] + force[Z]):
            return i
        scale = h * v[i, IM]
        v[i, VX] += scale * force[X]
        v[i, VY] += scale * force[Y]
        v[i, VZ] += scale * force[Z]
    return -1


class FieldOnGrains(GrainLoad):
    """The formulas as machine code."""

    function = push_by_formulas

    def __init__(self, formulas: Compiled) -> None:
        self.formulas = formulas  # kept, so that its address stays good
        self._own = Formulas(np.array([formulas.address]), np.zeros(len(_ARGUMENTS)), np.zeros(3))

    def copy(self, outside: Ints) -> GrainLoad:
        """With room of its own for arguments and force."""
        return FieldOnGrains(self.formulas)

    def own(self) -> Formulas:
        """Address and room."""
        return self._own


@compiles(ForceField)
def compile_field(compiler: Compiler, name: str, load: ForceField, outside: Ints) -> GrainLoad | None:
    """One formula for each component."""
    key, dimension = f"load.{name}.force", compiler.dimension
    if len(load.force) != dimension:
        compiler.problem(key, f"has {len(load.force)} components, but the scene is {dimension}-D.",
                         "Give a formula for each component.")
        return None
    known = (*_ARGUMENTS[:dimension], *_ARGUMENTS[3 : 3 + dimension], "t", "m", "r")
    components = []
    for k, formula in enumerate(load.force):
        try:
            components.append(parse(formula, known))
        except GranumError as error:
            compiler.problem(f"{key}.{k}", str(error))
    return FieldOnGrains(Compiled(_ARGUMENTS, (), components)) if len(components) == dimension else None
