"""Round bodies that roll or slide on one another (002 §3.5.1, corrected), in the plane and in space.

With centres c, radii r and n from the body touched (1) to the one that moves on it (2), the distance and the slip

    |c₂ - c₁| = r₁ + r₂,      u = ċ₂ - ċ₁ - (r₁ ω₁ + r₂ ω₂) × n                                 (2.1, 3.64)

are zero for rolling; sliding keeps the distance alone and drags with μ N against u (3.61-3.63).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import ZERO, function
from granum.algebra.vectors import Vector, cross, dot, length, minus, plus, times, total, vector
from granum.analytic.expressed import Constraint, Friction, multiplier, rate_name
from granum.analytic.places import End
from granum.analytic.rolling import Touching
from granum.base.errors import GranumError


class Round(NamedTuple):
    """A disk or ball, or one of a clump: its centre and radius."""

    centre: End
    radius: float


def along_motion(formulas: Sequence[Expression], coordinates: Sequence[str]) -> list[Expression]:
    """d/dt of formulas of coordinates."""
    q, v = [symbol(c) for c in coordinates], [symbol(rate_name(c)) for c in coordinates]
    return [total(slope * rate for slope, rate in zip(gradient(f, q), v, strict=True) if not slope.is_zero)
            for f in formulas]


class Pair:
    """Two round bodies that touch: distance, normal and slip as formulas."""

    def __init__(self, one: Round, two: Round, coordinates: Sequence[str], dimension: int) -> None:
        if one.centre.place is two.centre.place:
            raise GranumError(f'"{one.centre.name}" and "{two.centre.name}" are one body. Name two.')
        _refuse_apart(one, two)
        self.dimension, R = dimension, one.radius + two.radius
        self.names = two.centre.name, one.centre.name
        d = minus(two.centre.position, one.centre.position)
        self.distance = (dot(d, d) - R * R) / (2.0 * R)
        """Its multiplier is the normal force, positive where the bodies press."""
        self.normal = times(1.0 / R, d)
        rate = vector(along_motion(d, coordinates))
        rolled = plus(times(one.radius, one.centre.place.turning), times(two.radius, two.centre.place.turning))
        self.slip: Vector = minus(rate, cross(rolled, self.normal))
        self.tangent: Vector = (-self.normal[1], self.normal[0], ZERO)
        """In the plane."""
        if dimension == 2:
            self.slips: tuple[Expression, ...] = (dot(self.tangent, self.slip),)
        else:
            self.slips = self.slip  # that along the normal follows from the distance


def _refuse_apart(one: Round, two: Round) -> None:
    if not (one.centre.place.known and two.centre.place.known):
        return
    gap = float(np.linalg.norm(two.centre.start - one.centre.start)) - one.radius - two.radius
    if abs(gap) > 1e-9 * (one.radius + two.radius):
        how = f"{gap:.3g} m apart" if gap > 0.0 else f"overlap by {-gap:.3g} m"
        raise GranumError(
            f'"{two.centre.name}" and "{one.centre.name}" {"are " if gap > 0.0 else ""}{how} at the start, but they '
            f"touch where their centres are {one.radius + two.radius:.6g} m from each other. Correct the start, or "
            "move it to the nearest that fits with project_start = true in [run].")


def rolling_pair(name: str, pair: Pair, friction: float | None) -> tuple[Touching, Constraint]:
    """Distance and no slip, with the force on the body that rolls."""
    rows = (pair.distance, *pair.slips)
    if pair.dimension == 2:
        normal, drag = multiplier(name, 0), multiplier(name, 1)
        force = plus(times(normal, pair.normal), times(drag, pair.tangent))
        sliding = function("abs", drag)
    else:
        push = vector([multiplier(name, k) for k in range(1, 4)])
        force = plus(times(multiplier(name, 0), pair.normal), push)
        normal = dot(pair.normal, force)
        sliding = length(minus(force, times(normal, pair.normal)))
    axes = "xyz"[: pair.dimension]
    labels = (f"{name}.contact", *([f"{name}.slip"] if pair.dimension == 2 else [f"{name}.slip.{c}" for c in axes]))
    reactions = (*((f"{name}.force.{axis}", force[k]) for k, axis in enumerate(axes)),
                 (f"{name}.normal", normal), (f"{name}.friction", sliding))
    return (Touching(name, pair.names[0], pair.names[1], normal, sliding, friction),
            Constraint(name, rows, reactions, labels=labels))


def sliding_pair(name: str, pair: Pair, coefficient: float) -> tuple[Touching | None, Constraint, Friction | None]:
    """The distance alone; with friction its force, which sticks or drags as it must."""
    normal = multiplier(name, 0)
    constraint = Constraint(name, (pair.distance,), ((f"{name}.normal", normal),))
    if coefficient == 0.0:
        return Touching(name, pair.names[0], pair.names[1], normal, ZERO, None), constraint, None
    if pair.dimension == 3:
        raise GranumError("sliding with friction of round bodies on one another is for the plane. In space take "
                          "friction = 0, or rolling.")
    return None, constraint, Friction(f"{name}.friction", (name, 0), pair.slips, coefficient)
