"""A constant force at a point of a body: potential energy -F·x."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.kernels import Floats, small_kernel
from granum.base.pointers import carray, right_hand_side
from granum.base.rotations import three
from granum.base.vectors import Vector, add, at, cross, dot, plus, rotated, times
from granum.loads.load import LOAD_WIDTH, ONE, STORED, VISCOUS, BodyLoad, Expressing, LoadFormula
from granum.model.loads import Force
from granum.rows.joint import Connecting
from granum.state.table import LOAD, ROTATION, X, read_bodies

POINT, FORCE, WIDTH = 0, 3, 6
"""Numbers: point in body axes, force in inertial axes."""


def build(name: str, entry: Force, scene: Connecting) -> BodyLoad:
    """Its point and force."""
    end = scene.end(entry.on)
    if end.body is scene.ground:
        raise GranumError(f'"{entry.on}" is a fixed point, so a load on it has no effect. Put it on a body with mass.')
    return BodyLoad(name, entry, (end,), [*end.arm, *three(entry.force)])


@small_kernel
def push(derived: Floats, i: int, arm: Vector, force: Vector) -> None:
    """Add a force at an arm in inertial axes to the loads of a body, by its derived columns."""
    add(derived, i, LOAD, force)
    add(derived, i, LOAD + 3, cross(arm, force))


@right_hand_side
def act(t, bodies_, load_, numbers_):  # type: ignore[no-untyped-def]
    """Push the body. Steps of contact take the force as one without potential: it counts with the viscous part."""
    bodies, load, own = read_bodies(bodies_), carray(load_, LOAD_WIDTH), carray(numbers_, (1, WIDTH))
    i = int(load[ONE])
    force, arm = at(own, 0, FORCE), rotated(bodies.derived, i, ROTATION, at(own, 0, POINT))
    push(bodies.derived, i, arm, times(load[VISCOUS], force))
    load[STORED] = -dot(force, plus(at(bodies.pose, i, X), arm))
    return 0


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The potential energy."""
    end = load.ends[0]
    point, _ = scene.pose(end.body).point(end.arm)
    return LoadFormula(-formulas.dot(formulas.vector(tuple(load.numbers[FORCE:])), point))
