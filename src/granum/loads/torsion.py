"""A spring with damper in a hinge: torque k (φ - φ₀) + c dφ/dt against its angle, potential energy ½ k (φ - φ₀)²."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.vectors import add, at, dot, minus, rotated, times
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.loads import TorsionSpring
from granum.rows.elements.angle import angle_between
from granum.rows.joint import Connecting
from granum.rows.state import counted
from granum.rows.tables import ANGLE_Z, LOAD, PLANAR, POTENTIAL, POWER, R, W

AXIS, DIRECTION_2, DIRECTION_1, STIFFNESS, REST, DAMPING, WIDTH = 0, 3, 6, 9, 10, 11, 12
"""Columns: axis in the first body, a direction across it in the second (in 2-D the angle to count from), the same in
the first, k, φ₀ and c. The first nine are those of a row of an angle."""


def build(name: str, entry: TorsionSpring, scene: Connecting) -> BodyLoad:
    """Its hinge and numbers."""
    joint = scene.joint(entry.hinge, "hinge")
    row = joint.measure
    assert row is not None
    across = (row.offset, 0.0, 0.0) if scene.dimension == 2 else row.w
    numbers = [*row.u, *across, *row.p, entry.stiffness, entry.rest_angle, entry.damping]
    return BodyLoad(name, entry, (joint.one, joint.two), numbers, joint=joint)


@small_kernel
def angle(shape: Ints, bodies: Floats, table: Floats, ends: Ints, y: Floats, k: int) -> float:
    """Angle since the start; in 3-D the arc tangent, moved to the turn that is counted in the state."""
    i, j = ends[k, 0], ends[k, 1]
    if shape[PLANAR]:
        return float(bodies[j, ANGLE_Z] - bodies[i, ANGLE_Z] - table[k, DIRECTION_2])
    near, principal = float(y[counted(shape, k)]), angle_between(bodies, table, k, i, j)
    return principal + 2.0 * math.pi * float(math.floor((near - principal) / (2.0 * math.pi) + 0.5))


@small_kernel
def angle_rate(bodies: Floats, table: Floats, i: int, j: int, k: int) -> float:
    """Rate of the angle."""
    return dot(rotated(bodies, i, R, at(table, k, AXIS)), minus(at(bodies, j, W), at(bodies, i, W)))


@small_kernel
def act(figures: Floats, bodies: Floats, table: Floats, i: int, j: int, k: int, phi: float, elastic: float,
        viscous: float) -> None:
    """Add torsion spring k to the loads of both bodies, its elastic and its viscous part each times a factor."""
    stiffness, away, damping = elastic * table[k, STIFFNESS], phi - table[k, REST], viscous * table[k, DAMPING]
    rate = angle_rate(bodies, table, i, j, k)
    torque = times(stiffness * away + damping * rate, rotated(bodies, i, R, at(table, k, AXIS)))
    add(bodies, i, LOAD + 3, torque)
    add(bodies, j, LOAD + 3, times(-1.0, torque))
    figures[POTENTIAL] += 0.5 * stiffness * away * away
    figures[POWER] -= damping * rate * rate


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """Potential energy of an angle, and its damper."""
    assert load.joint is not None
    entry, phi = load.entry, scene.hinge_angle(load.joint)
    return LoadFormula(0.5 * entry.stiffness * (phi - entry.rest_angle) ** 2, measure=phi, damping=entry.damping)
