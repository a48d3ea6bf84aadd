"""Grains, boundaries and a solver without a scene file: what tests of contact solvers begin with."""

from __future__ import annotations

from typing import Any

import numpy as np

from granum.base.kernels import Floats
from granum.contact.contact_solver import Solver, solver_class
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.search.neighbour_list import NeighbourList
from granum.grains.state import Grains
from granum.grains.tables import compile_tables
from granum.model.scene import Scene
from granum.state.table import IM, R

G = 9.81
FLOOR = {"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}}
NOTHING = np.zeros((0, 3))
DENSITY = 1000.0


def disks(x: Any, v: Any, r: Any) -> Grains:
    """Disks of 1000 kg/m² in the given state."""
    x, v = np.atleast_2d(np.asarray(x, dtype=float)), np.atleast_2d(np.asarray(v, dtype=float))
    count = len(x)
    place, motion = np.zeros((count, 4)), np.zeros((count, 8))
    place[:, : x.shape[1]], place[:, R] = x, r
    motion[:, : v.shape[1]], motion[:, IM] = v, 1.0 / (DENSITY * np.pi * place[:, R] ** 2)
    motion[:, 7] = 2.0 * motion[:, IM]
    kind = np.zeros(count, dtype=np.int32)
    return Grains(0.0, place, motion, kind, np.arange(count), kind.copy())


def make(solver: str, grains: Grains, boundary: dict[str, Any], gravity: tuple[float, float] = (0.0, -G), *,
         friction: float = 0.0, restitution: float = 0.0, wall_friction: float | None = None, **run: Any) -> Solver:
    """A solver for grains of one material; boundaries are of the same, unless they have a friction of their own."""
    if solver == "mixed":
        run = {"tolerance": 1e-9, **run}
    stone, pair = {"friction": friction, "restitution": restitution}, {}
    if wall_friction is not None:
        boundary = {name: {**one, "material": "wall"} for name, one in boundary.items()}
        pair = {"wall": {"between": ("stone", "wall"), "friction": wall_friction}}
    scene = Scene(material={"stone": stone, "wall": stone}, pair=pair, boundary=boundary,
                  run={"solver": solver, **run})
    tables = compile_tables(scene)
    neighbours = NeighbourList(grains, compile_boundaries(scene, 2, tables.names), 2, 1)
    return solver_class(scene.run.solver).make(scene, neighbours, tables, np.array([*gravity, 0.0]))


def advance(solver: Solver, until: float, h: float) -> Grains:
    """Equal steps; the grains afterwards, in the order of their numbers."""
    steps = round(until / h)
    while steps:
        steps -= solver.advance(steps, h, NOTHING)
    grains = solver.neighbour_list.grains
    solver.neighbour_list.save_history()
    grains.permute(np.argsort(grains.number))
    solver.neighbour_list.rebuild()
    return grains


def energy(solver: Solver) -> float:
    """Kinetic and potential [J]."""
    grains = solver.neighbour_list.grains
    return grains.kinetic_energy() - float(np.sum(grains.x[:, :3] @ solver_gravity(solver) / grains.v[:, IM]))


def solver_gravity(solver: Solver) -> Floats:
    """[m/s²]"""
    gravity: Floats = getattr(solver, "gravity")  # noqa: B009 (every rigid solver has one, the base class says nothing)
    return gravity


def gap_of_ledger(solver: Solver, before: float) -> float:
    """Energy now, less what it was and the work of all agents since [J]: the error."""
    return energy(solver) - before - sum(solver.work())
