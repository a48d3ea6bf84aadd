"""Uniform gravity on every mass: force m g, potential energy -m g·x."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.kernels import Floats, small_kernel
from granum.base.rotations import three
from granum.base.vectors import at, dot, put, times
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import Gravity
from granum.rows.tables import LOAD, MASS, X


def build(name: str, entry: Gravity, scene: object) -> BodyLoad:
    """Its acceleration."""
    return BodyLoad(name, entry, numbers=three(entry.acceleration).tolist())


@small_kernel
def act(bodies: Floats, i: int, gravity: Floats) -> float:
    """The weight of a body is its first load; returns its potential energy [J]."""
    weight = times(1.0 / bodies[i, MASS], (gravity[0], gravity[1], gravity[2]))
    put(bodies, i, LOAD, weight)
    put(bodies, i, LOAD + 3, (0.0, 0.0, 0.0))
    return -dot(weight, at(bodies, i, X))


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The potential energy of all masses."""
    g = formulas.vector(tuple(load.numbers))
    return LoadFormula(-formulas.total(mass * formulas.dot(g, position) for mass, position in scene.masses()))
