"""All loads of a scene on its grains; gravity is left to the solver.

Every load changes velocities by itself, one after the other in the order of the scene, and its work is what it adds
to the kinetic energy: m (v⁺ - v)·(v⁺ + v)/2. So the energy balance closes to round-off at any step.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.errors import NotConvergedError, SceneError
from granum.base.kernels import Floats, Ints
from granum.grains.generation.finder import needs_bodies
from granum.grains.loads import applied, drag, force, force_field  # noqa: F401 (each registers its kind)
from granum.grains.loads.load import KINDS, Compiler, GrainLoad, Moment
from granum.grains.state import Grains
from granum.model.loads import Force, Gravity
from granum.model.scene import Scene
from granum.state.table import VX, VZ, R


@dataclass
class GrainLoads:
    """All loads of a scene on grains."""

    loads: dict[str, GrainLoad]
    """In the order of the scene; gravity is not among them."""
    gravities: dict[str, Floats]
    """(3,) each: gravity by the name of its load [m/s²]; the solver applies their sum."""
    outside: Ints
    """(loads,): the most grains that were outside a grid at one time."""
    dimension: int

    def copy(self) -> GrainLoads:
        """The same with counters of its own, to run with."""
        outside = np.zeros_like(self.outside)
        loads = {name: load.copy(outside[row : row + 1]) for row, (name, load) in enumerate(self.loads.items())}
        return GrainLoads(loads, self.gravities, outside, self.dimension)

    @property
    def names(self) -> tuple[str, ...]:
        """Loads other than gravity."""
        return tuple(self.loads)

    @property
    def gravity(self) -> Floats:
        """(3,): sum of all gravity [m/s²]."""
        return sum(self.gravities.values(), np.zeros(3))

    @property
    def need_contacts(self) -> bool:
        """Does a load depend on which grains touch?"""
        return any(load.needs_contacts for load in self.loads.values())

    @property
    def compiled(self) -> bool:
        """Can the loop of steps apply all of them by itself?"""
        return all(load.function is not None for load in self.loads.values())

    def changes(self, grains: Grains, pairs: Ints, h: float, others: Floats | None = None) -> Floats:
        """(loads, grains, 3): the velocity each load adds in a step h; the grains are left as they are.

        Args:
            pairs: (contacts, 2) rows of grains that touch.
            others: (grains, 3) velocity that gravity and contacts are expected to add in the step, where that is known;
                loads are added to it. Then drag comes last, and sees the velocities of the beginning of the step.
        """
        v, change = grains.v.copy(), np.empty((len(self.loads), grains.count, 3))
        own = v[:, VX:VZ + 1]
        moment = Moment(grains.x, v, grains.number, pairs.astype(np.int64), grains.t, h,
                        np.zeros((0, 3)) if others is None else others)
        for last in (False, True):
            for row, (name, load) in enumerate(self.loads.items()):
                late = others is not None and load.last
                if late != last:
                    continue
                if late:
                    own[:] = grains.v[:, VX:VZ + 1]
                before = own.copy()
                if (failed := load.apply(moment)) >= 0:
                    raise self.failure(name, failed, grains)
                change[row] = own - before
                if others is not None:
                    others += change[row]
        return change

    def failure(self, name: str, row: int, grains: Grains) -> NotConvergedError:
        """The force on the grain in a row has no finite value."""
        x, v = grains.x[row], grains.v[row]
        at, moving = (", ".join(f"{c:g}" for c in vector[: self.dimension]) for vector in (x, v))
        return NotConvergedError(
            f"load.{name}.force has no finite value at t = {grains.t:g} s for grain {grains.number[row]} at ({at}) m "
            f"with velocity ({moving}) m/s, r = {x[R]:g} m.\n  Change the formula so that it is finite wherever grains "
            "go.")


def compile_loads(scene: Scene, dimension: int, folder: Path) -> GrainLoads:
    """Loads of a scene on its grains; files with velocities are looked for in `folder`. Raises SceneError."""
    compiler = Compiler(scene, dimension, folder)
    # loads on single bodies act with the joints where there are bodies of several parts
    others = (Gravity, Force) if needs_bodies(scene) else (Gravity,)
    entries: dict[str, Any] = {name: load for name, load in scene.load.items()
                               if type(load) in KINDS and type(load) not in others}
    if not needs_bodies(scene):
        entries |= scene.actuator
    gravities = {name: compiler.vector(f"load.{name}.acceleration", load.acceleration)
                 for name, load in scene.load.items() if isinstance(load, Gravity)}
    loads, outside = {}, np.zeros(len(entries), np.int64)
    for row, (name, load) in enumerate(entries.items()):
        if (own := KINDS[type(load)](compiler, name, load, outside[row : row + 1])) is not None:
            loads[name] = own
    if compiler.problems:
        raise SceneError(compiler.problems)
    return GrainLoads(loads, gravities, outside, dimension)
