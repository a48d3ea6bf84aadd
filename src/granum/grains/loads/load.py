"""What a load on grains is, and the kinds of loads by their schema classes.

Every load changes velocities by itself, one after the other in the order of the scene. To add a kind, write one file
with a subclass of `GrainLoad` and a function that compiles an entry of the scene to it, decorated with
`compiles(SchemaClass)`. A load has an `apply` in Python, or a compiled `function`, which the loop of steps calls by its
address:

    int64_t function(double t, double *grains, double *step, double *own)

`grains` is a block of `LoadedGrains`, `step` has the numbers H and PAIRS, `own` is a block of what `GrainLoad.own`
returns. The function adds h F/m to the velocities of the grains. It returns -1, or the row of a grain for which the
force has no finite value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import Problem
from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, IntGrid, block_reader, call, pack_block, right_hand_side
from granum.model.scene import Scene


class Moment(NamedTuple):
    """The grains at the beginning of a step, and what is known of the step."""

    x: Floats
    v: Floats
    """Velocities as loads before this one have changed them; a load adds its own change."""
    number: Ints
    pairs: Ints
    """(contacts, 2): rows of grains that touch."""
    t: float
    h: float
    others: Floats
    """(grains, 3): velocity that all else adds in the step; empty where that is not known."""


class LoadedGrains(NamedTuple):
    """The same for compiled functions: a block of arrays."""

    x: FloatGrid
    v: FloatGrid
    number: Ints
    pairs: IntGrid
    """There is room for more than the PAIRS that the step has."""
    others: FloatGrid
    room: FloatGrid
    """(grains, 4): numbers of a load while it acts."""


H, PAIRS = 0, 1
"""Numbers of a step for compiled functions: its length [s], and how many pairs touch."""
read_grains = block_reader(LoadedGrains)


class GrainLoad:
    """A load of a scene on its grains."""

    needs_contacts: bool = False
    """Does it depend on which grains touch?"""
    last: bool = False
    """Does it come last, where it is known what all else adds to the velocities?"""

    function: right_hand_side | None = None
    """Adds h F/m to the velocities in compiled code; a load without it is called from Python at every step."""

    def copy(self, outside: Ints) -> GrainLoad:
        """The load of another run; one whose arrays change in a run gives the copy arrays of its own.

        outside: (1,) counter of grains outside a grid.
        """
        return copy(self)

    def own(self) -> tuple[Any, ...]:
        """A named tuple of the arrays that `function` reads; they live as long as the load."""
        raise NotImplementedError

    def apply(self, moment: Moment) -> int:
        """Add h F/m to the velocities; returns -1, or the row of a grain for which the force has no finite value."""
        assert self.function is not None, "a load needs a compiled function or its own apply method"
        grains = LoadedGrains(moment.x, moment.v, moment.number, moment.pairs, moment.others,
                              np.empty((len(moment.x), 4)))
        return call(self.function, moment.t, pack_block(grains), np.array([moment.h, float(len(moment.pairs))]),
                    pack_block(self.own()))


@dataclass
class Compiler:
    """What compiling a load needs, and where it notes what is wrong."""

    scene: Scene
    dimension: int
    folder: Path
    """Where files are looked for."""
    problems: list[Problem] = field(default_factory=list)

    def problem(self, key: str, finding: str, remedy: str = "") -> None:
        """Note a mistake."""
        self.problems.append(Problem(key, finding, remedy))

    def vector(self, key: str, value: Sequence[float]) -> Floats:
        """Three components; a problem if there are not as many as the scene has."""
        if len(value) != self.dimension:
            self.problem(key, f"has {len(value)} components, but the scene is {self.dimension}-D.",
                         "Give all vectors of a scene the same number of components.")
        return np.array([*value, 0.0][:3])


Compile = Callable[[Compiler, str, Any, Ints], GrainLoad | None]
"""(compiler, name, entry of the scene, counter (1,) of grains outside a grid) → the load, or None after a problem."""
KINDS: dict[type, Compile] = {}


def compiles(schema: type) -> Callable[[Compile], Compile]:
    """Register the function that compiles entries of a schema class."""
    def register(function: Compile) -> Compile:
        KINDS[schema] = function
        return function

    return register
