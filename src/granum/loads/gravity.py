"""Uniform gravity on every mass: force m g, potential energy -m g·x."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.rotations import three
from granum.base.vectors import at, dot, put, times
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import Gravity
from granum.state.table import IM, LOAD, BodyTable, X


def build(name: str, entry: Gravity, scene: object) -> BodyLoad:
    """Its acceleration."""
    return BodyLoad(name, entry, numbers=three(entry.acceleration).tolist())


@small_kernel
def act(bodies: BodyTable, i: int, gravity: Floats) -> float:
    """The weight of a body is its first load; returns its potential energy [J]."""
    weight = times(1.0 / bodies.motion[i, IM], (gravity[0], gravity[1], gravity[2]))
    put(bodies.derived, i, LOAD, weight)
    put(bodies.derived, i, LOAD + 3, (0.0, 0.0, 0.0))
    return -dot(weight, at(bodies.pose, i, X))


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The potential energy of all masses."""
    g = formulas.vector(tuple(load.numbers))
    return LoadFormula(-formulas.total(mass * formulas.dot(g, position) for mass, position in scene.masses()))
