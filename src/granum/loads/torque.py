"""A constant torque on a rigid body, in inertial axes: power T·ω."""

from __future__ import annotations

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.pointers import carray, right_hand_side
from granum.base.vectors import add, at, dot, times
from granum.loads.load import LOAD_WIDTH, ONE, POWER, VISCOUS, BodyLoad, Expressing, LoadFormula
from granum.model.loads import Torque
from granum.rows.joint import Connecting
from granum.state.table import LOAD, WX, read_bodies


def build(name: str, entry: Torque, scene: Connecting) -> BodyLoad:
    """Its body and vector."""
    end = scene.end(entry.on)
    if end.body.kind != "rigid":
        raise GranumError(f'"{entry.on}" is a point and cannot rotate. Apply the torque to a rigid body.')
    if scene.dimension == 2 and any(entry.torque[:2]):
        raise GranumError(f"found {list(entry.torque)}, but in 2-D a torque is one number, about z.")
    return BodyLoad(name, entry, (end,), list(entry.torque), stores=False, twists=True)


@right_hand_side
def act(t, bodies_, load_, numbers_):  # type: ignore[no-untyped-def]
    """Twist the body."""
    bodies, load = read_bodies(bodies_), carray(load_, LOAD_WIDTH)
    i, torque = int(load[ONE]), at(carray(numbers_, (1, 3)), 0, 0)
    add(bodies.derived, i, LOAD + 3, times(load[VISCOUS], torque))
    load[POWER] = dot(torque, at(bodies.motion, i, WX))
    return 0


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The torque."""
    return LoadFormula(torques=(formulas.vector(tuple(load.numbers)),))
