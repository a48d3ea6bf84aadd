"""A spring with damper in a hinge: torque k (φ - φ₀) + c dφ/dt against its angle, potential energy ½ k (φ - φ₀)²."""

from __future__ import annotations

import math

from granum.base.pointers import carray, right_hand_side
from granum.base.vectors import add, at, dot, minus, rotated, times
from granum.loads.load import (
    ELASTIC,
    LOAD_WIDTH,
    ONE,
    POWER,
    RATE,
    STORED,
    TURNED,
    TWO,
    VISCOUS,
    BodyLoad,
    Expressing,
    LoadFormula,
)
from granum.model.loads import TorsionSpring
from granum.rows.elements.angle import angle_between
from granum.rows.joint import Connecting, Joint
from granum.state.table import ANGLE_Z, LOAD, ROTATION, WX, read_bodies

AXIS, DIRECTION_2, DIRECTION_1, STIFFNESS, REST, DAMPING, PLANAR, WIDTH = 0, 3, 6, 9, 10, 11, 12, 13
"""Numbers: axis in the first body, a direction across it in the second (in 2-D the angle to count from), the same in
the first, k, φ₀, c, and whether it is 2-D. The first nine are those of a row of an angle."""


def build(name: str, entry: TorsionSpring, scene: Connecting) -> BodyLoad:
    """Its hinge and numbers."""
    joint = scene.joint(entry.hinge, "hinge")
    numbers = _numbers(joint, entry.stiffness, entry.rest_angle, entry.damping, scene.dimension == 2)
    return BodyLoad(name, entry, (joint.one, joint.two), numbers, joint=joint, damping=entry.damping, twists=True)


def counter(joint: Joint, planar: bool) -> BodyLoad:
    """A load that counts the angle of a hinge and does nothing else."""
    return BodyLoad(f"angle of {joint.name}", AngleCounter(), (joint.one, joint.two),
                    _numbers(joint, 0.0, 0.0, 0.0, planar), joint=joint, stores=False, counts=True)


def _numbers(joint: Joint, stiffness: float, rest: float, damping: float, planar: bool) -> list[float]:
    row = joint.measure
    assert row is not None
    across = (row.offset, 0.0, 0.0) if planar else row.w
    return [*row.u, *across, *row.p, stiffness, rest, damping, float(planar)]


class AngleCounter:
    """Stands for the schema entry of a counter, which no scene has."""


@right_hand_side
def act(t, bodies_, load_, numbers_):  # type: ignore[no-untyped-def]
    """Twist both bodies, by the elastic and the viscous part each times its factor.

    The angle counts from the start; in 3-D the arc tangent is moved to the turn of the angle that is asked with.
    """
    bodies, load, own = read_bodies(bodies_), carray(load_, LOAD_WIDTH), carray(numbers_, (1, WIDTH))
    i, j, motion, derived = int(load[ONE]), int(load[TWO]), bodies.motion, bodies.derived
    if own[0, PLANAR] != 0.0:
        phi = own[0, AXIS + 2] * (derived[j, ANGLE_Z] - derived[i, ANGLE_Z]) - own[0, DIRECTION_2]
    else:
        principal = angle_between(derived, own, 0, i, j)
        phi = principal + 2.0 * math.pi * math.floor((load[TURNED] - principal) / (2.0 * math.pi) + 0.5)
    axis, away = rotated(derived, i, ROTATION, at(own, 0, AXIS)), phi - own[0, REST]
    rate = dot(axis, minus(at(motion, j, WX), at(motion, i, WX)))
    torque = times(load[ELASTIC] * own[0, STIFFNESS] * away + load[VISCOUS] * own[0, DAMPING] * rate, axis)
    add(derived, i, LOAD + 3, torque)
    add(derived, j, LOAD + 3, times(-1.0, torque))
    load[TURNED], load[RATE] = phi, rate
    load[STORED], load[POWER] = 0.5 * own[0, STIFFNESS] * away * away, -(own[0, DAMPING] * rate * rate)
    return 0


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """Potential energy of an angle, and its damper."""
    assert load.joint is not None
    entry, phi = load.entry, scene.hinge_angle(load.joint)
    return LoadFormula(0.5 * entry.stiffness * (phi - entry.rest_angle) ** 2, measure=phi, damping=entry.damping)
