"""A surface Γ(X, Y, Z) = 0 that bodies roll on, at rest or in prescribed motion, at the point where one touches it.

A surface in motion is carried along with its material, x(t) = C + D(t) + R(t)(x₀ - C), as boundaries are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import ZERO, free_symbols, function, rebuild
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import Vector, cross, dot, minus, plus, times, vector
from granum.base.errors import GranumError
from granum.model.boundaries import Motion
from granum.model.connections import Surface
from granum.rows.symbolic import NOTHING

_T = symbol("t")


@dataclass(frozen=True)
class Ground:
    """A surface at the contact α of a body."""

    equation: Expression
    """Γ, of α and t."""
    point: Vector
    """α."""
    velocity: Vector = NOTHING
    """Of the material of the surface at α [m/s]."""
    angular_velocity: Vector = NOTHING
    """Of the surface [rad/s]."""

    @property
    def flat(self) -> bool:
        """Is it a plane?"""
        return not free_symbols(gradient(self.equation, self.point)) & {c.name for c in self.point}


def surface_equation(surface: Surface) -> Expression:
    """Γ in X, Y and Z."""
    equation = parse_equation(surface.equation, ["X", "Y", "Z"])
    if not free_symbols([equation]):
        raise GranumError("depends on none of X, Y and Z, so it is not a surface.")
    return equation


def ground_at(equation: Expression, motion: Motion | None, alpha: Sequence[str]) -> Ground:
    """A surface at the point with the coordinates `alpha`."""
    point = vector([symbol(c) for c in alpha])
    if motion is None:
        return Ground(_placed(equation, point), point)
    return _moving(equation, point, motion)


def _placed(equation: Expression, point: Vector) -> Expression:
    return rebuild([equation], dict(zip(map(symbol, "XYZ"), point, strict=True)))[0]


def _moving(equation: Expression, point: Vector, motion: Motion) -> Ground:
    """Γ at the point of the surface at t = 0 that has come to α, and the velocity of its material."""
    if motion.start_time or motion.until is not None:
        raise GranumError("start_time and until change the velocity of the surface in no time, which rolling without "
                          "slip cannot follow. Remove them.")
    V, amplitude, omega, centre = (_three(given) for given in (
        motion.velocity, motion.amplitude, motion.angular_velocity, motion.centre))
    rate = 2.0 * math.pi * motion.frequency
    swing, sway = (function(name, rate * _T + motion.phase) for name in ("sin", "cos"))
    moved = plus(centre, plus(times(_T, V), times(swing, amplitude)))
    drift = plus(V, times(rate * sway, amplitude))
    arm = minus(point, moved)
    return Ground(_placed(equation, plus(centre, _turned_back(arm, motion.angular_velocity))), point,
                  plus(drift, cross(omega, arm)), omega)


def _turned_back(arm: Vector, angular_velocity: Sequence[float] | None) -> Vector:
    """Rᵀ(t) times an arm, by the formula of Rodrigues."""
    size = math.hypot(*(angular_velocity or (0.0,)))
    if size == 0.0:
        return arm
    k = vector([w / size for w in _numbers(angular_velocity)])
    c, s = function("cos", size * _T), function("sin", size * _T)
    return plus(plus(times(c, arm), times(-s, cross(k, arm))), times((1.0 - c) * dot(k, arm), k))


def _three(given: Sequence[float] | None) -> Vector:
    return vector(_numbers(given)) if given is not None else (ZERO, ZERO, ZERO)


def _numbers(given: Sequence[float] | None) -> list[float]:
    return [float(c) for c in (*(given or ()), 0.0, 0.0, 0.0)[:3]]
