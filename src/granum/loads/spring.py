"""A spring with damper between two points: tension k (l - l₀) + c dl/dt, potential energy ½ k (l - l₀)²."""

from __future__ import annotations

import numpy as np

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.pointers import carray, right_hand_side
from granum.base.vectors import at, cross, dot, length, minus, plus, rotated, times
from granum.loads.force import push
from granum.loads.load import (
    ELASTIC,
    LOAD_WIDTH,
    ONE,
    POWER,
    STORED,
    TWO,
    VISCOUS,
    BodyLoad,
    Expressing,
    LoadFormula,
)
from granum.model.loads import Spring
from granum.rows.joint import Connecting, refuse_one_body
from granum.state.table import ROTATION, VX, WX, X, read_bodies

POINT_1, POINT_2, STIFFNESS, REST, DAMPING, WIDTH = 0, 3, 6, 7, 8, 9
"""Numbers: both points in body axes, k, l₀ and c."""


def build(name: str, entry: Spring, scene: Connecting) -> BodyLoad:
    """Its points and numbers."""
    one, two = scene.end(entry.between[0]), scene.end(entry.between[1])
    refuse_one_body(one.body, two.body)
    apart = float(np.linalg.norm(two.start - one.start))
    rest = entry.rest_length if entry.rest_length is not None else apart
    if apart == 0.0 and rest > 0.0 and "massless" not in (one.body.kind, two.body.kind):
        raise GranumError("its ends start at the same point, so it has no direction. Start them apart, or give "
                          "rest_length = 0.")
    return BodyLoad(name, entry, (one, two), [*one.arm, *two.arm, entry.stiffness, rest, entry.damping], rest,
                    damping=entry.damping)


@right_hand_side
def act(t, bodies_, load_, numbers_):  # type: ignore[no-untyped-def]
    """Pull both bodies, by the elastic and the viscous part each times its factor."""
    bodies, load, own = read_bodies(bodies_), carray(load_, LOAD_WIDTH), carray(numbers_, (1, WIDTH))
    i, j, pose, motion, derived = int(load[ONE]), int(load[TWO]), bodies.pose, bodies.motion, bodies.derived
    r1, r2 = rotated(derived, i, ROTATION, at(own, 0, POINT_1)), rotated(derived, j, ROTATION, at(own, 0, POINT_2))
    d = minus(plus(at(pose, j, X), r2), plus(at(pose, i, X), r1))
    size = length(d)
    n, away = times(1.0 / size if size > 0.0 else 0.0, d), size - own[0, REST]
    rate = dot(n, minus(plus(at(motion, j, VX), cross(at(motion, j, WX), r2)),
                        plus(at(motion, i, VX), cross(at(motion, i, WX), r1))))
    pull = times(load[ELASTIC] * own[0, STIFFNESS] * away + load[VISCOUS] * own[0, DAMPING] * rate, n)
    push(derived, i, r1, pull)
    push(derived, j, r2, times(-1.0, pull))
    load[STORED], load[POWER] = 0.5 * own[0, STIFFNESS] * away**2, -(own[0, DAMPING] * rate * rate)
    return 0


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """Potential energy, and the length that its damper works against."""
    (a, _), (b, _) = (scene.pose(end.body).point(end.arm) for end in load.ends)
    distance = formulas.length(formulas.minus(b, a))
    return LoadFormula(0.5 * load.entry.stiffness * (distance - load.rest) ** 2, measure=distance,
                       damping=load.entry.damping)
