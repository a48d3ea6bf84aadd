"""A spring with damper between two points: tension k (l - l₀) + c dl/dt, potential energy ½ k (l - l₀)²."""

from __future__ import annotations

import numpy as np

from granum.algebra import vectors as formulas
from granum.base.errors import GranumError
from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import at, cross, dot, length, minus, plus, rotated, times
from granum.loads.force import push
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import Spring
from granum.rows.joint import Connecting, refuse_one_body
from granum.rows.tables import POTENTIAL, POWER, R, V, W, X

POINT_1, POINT_2, STIFFNESS, REST, DAMPING, WIDTH = 0, 3, 6, 7, 8, 9
"""Columns: both points in body axes, k, l₀ and c."""


def build(name: str, entry: Spring, scene: Connecting) -> BodyLoad:
    """Its points and numbers."""
    one, two = scene.end(entry.between[0]), scene.end(entry.between[1])
    refuse_one_body(one.body, two.body)
    apart = float(np.linalg.norm(two.start - one.start))
    rest = entry.rest_length if entry.rest_length is not None else apart
    if apart == 0.0 and rest > 0.0 and "massless" not in (one.body.kind, two.body.kind):
        raise GranumError("its ends start at the same point, so it has no direction. Start them apart, or give "
                          "rest_length = 0.")
    return BodyLoad(name, entry, (one, two), [*one.arm, *two.arm, entry.stiffness, rest, entry.damping], rest)


@small_kernel
def act(figures: Floats, bodies: Floats, table: Floats, i: int, j: int, k: int, elastic: float,
        viscous: float) -> None:
    """Add spring k to the loads of both bodies, its elastic and its viscous part each times a factor."""
    r1, r2 = rotated(bodies, i, R, at(table, k, POINT_1)), rotated(bodies, j, R, at(table, k, POINT_2))
    d = minus(plus(at(bodies, j, X), r2), plus(at(bodies, i, X), r1))
    stiffness, rest, damping = elastic * table[k, STIFFNESS], table[k, REST], viscous * table[k, DAMPING]
    size = length(d)
    n = times(1.0 / size if size > 0.0 else 0.0, d)
    rate = dot(n, minus(plus(at(bodies, j, V), cross(at(bodies, j, W), r2)),
                        plus(at(bodies, i, V), cross(at(bodies, i, W), r1))))
    pull = times(stiffness * (size - rest) + damping * rate, n)
    push(bodies, i, r1, pull)
    push(bodies, j, r2, times(-1.0, pull))
    figures[POTENTIAL] += 0.5 * stiffness * (size - rest) ** 2
    figures[POWER] -= damping * rate * rate


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """Potential energy, and the length that its damper works against."""
    (a, _), (b, _) = (scene.pose(end.body).point(end.arm) for end in load.ends)
    distance = formulas.length(formulas.minus(b, a))
    return LoadFormula(0.5 * load.entry.stiffness * (distance - load.rest) ** 2, measure=distance,
                       damping=load.entry.damping)
