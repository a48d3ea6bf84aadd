"""A constant force at a point of a body: potential energy -F·x."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.kernels import Floats, small_kernel
from granum.base.rotations import three
from granum.base.vectors import Vector, add, at, cross, dot, plus, rotated, times
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import Force
from granum.rows.joint import Connecting
from granum.rows.tables import LOAD, R, X

POINT, FORCE, WIDTH = 0, 3, 6
"""Columns: point in body axes, force in inertial axes."""


def build(name: str, entry: Force, scene: Connecting) -> BodyLoad:
    """Its point and force."""
    end = scene.end(entry.on)
    if end.body is scene.ground:
        raise GranumError(f'"{entry.on}" is a fixed point; a load on it does nothing. Put it on a body with mass.')
    return BodyLoad(name, entry, (end,), [*end.arm, *three(entry.force)])


@small_kernel
def push(bodies: Floats, i: int, arm: Vector, force: Vector) -> None:
    """Add a force at an arm in inertial axes to the loads of a body."""
    add(bodies, i, LOAD, force)
    add(bodies, i, LOAD + 3, cross(arm, force))


@small_kernel
def act(bodies: Floats, table: Floats, i: int, k: int, factor: float) -> float:
    """Add force k, times a factor, to the loads of body i; returns its potential energy [J]."""
    force, arm = at(table, k, FORCE), rotated(bodies, i, R, at(table, k, POINT))
    push(bodies, i, arm, times(factor, force))
    return -dot(force, plus(at(bodies, i, X), arm))


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The potential energy."""
    end = load.ends[0]
    point, _ = scene.pose(end.body).point(end.arm)
    return LoadFormula(-formulas.dot(formulas.vector(tuple(load.numbers[FORCE:])), point))
