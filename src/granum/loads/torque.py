"""A constant torque on a rigid body, in inertial axes: power T·ω."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import add, at, dot, times
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import Torque
from granum.rows.joint import Connecting
from granum.rows.tables import LOAD, W

TORQUE, WIDTH = 0, 3


def build(name: str, entry: Torque, scene: Connecting) -> BodyLoad:
    """Its body and vector."""
    end = scene.end(entry.on)
    if end.body.kind != "rigid":
        raise GranumError(f'"{entry.on}" is a point and does not turn: a torque acts on a rigid body.')
    if scene.dimension == 2 and any(entry.torque[:2]):
        raise GranumError(f"found {list(entry.torque)}, but in the plane a torque is one number: that about z.")
    return BodyLoad(name, entry, (end,), list(entry.torque))


@small_kernel
def act(bodies: Floats, table: Floats, i: int, k: int, factor: float) -> float:
    """Add torque k, times a factor, to the loads of body i; returns its power [W]."""
    torque = at(table, k, TORQUE)
    add(bodies, i, LOAD + 3, times(factor, torque))
    return dot(torque, at(bodies, i, W))


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The torque."""
    return LoadFormula(torques=(formulas.vector(tuple(load.numbers)),))
