"""Coordinates in which a body that rotates steadily moves at constant rates, so that its motion can be linearised.

A quaternion does not change at a constant rate. About a state with the angular velocity ω = Ω k it is written as

    u = p(θ) ∘ a(φ) ∘ u₀,    p = (1, θ/2)/√(1 + θ²/4),    a = (cos φ/2, k sin φ/2),    k·θ = 0,

with φ = Ω t and θ = 0 on a steady motion. The products are those of quaternions; θ is a small rotation in inertial
axes, and the last equation takes the place of the unit length. With q = Q(z) the equations M q̈ = f + Aᵀλ become

    Qᵀ' M Q' z̈ = Qᵀ' (f - M Q'' ż ż) + (A Q')ᵀ λ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from granum.algebra import Expression, jacobian, number, symbol
from granum.algebra.expression import ONE, function, rebuild
from granum.algebra.vectors import Vector, cross, dot, plus, times, total, vector
from granum.analytic.expressed import System
from granum.base.kernels import Floats
from granum.base.rotations import angular_velocity_of
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name

SLOW = 1e-9
"""Angular velocity [rad/s] below which a body does not rotate."""
Quaternion = tuple[Expression, Vector]
Chart = tuple[tuple[object, ...], ...]
"""What the coordinates of all bodies that rotate depend on."""


@dataclass(frozen=True)
class Rotating:
    """A body that rotates, and the coordinates that replace its quaternion."""

    body: str
    replaced: tuple[str, ...]
    start: tuple[float, ...]
    axis: tuple[float, ...]
    rate: float

    @property
    def chart(self) -> tuple[object, ...]:
        """What the coordinates depend on: all but the rate."""
        return self.body, self.start, self.axis

    @property
    def names(self) -> tuple[str, ...]:
        """θ and φ."""
        own = symbol_name(self.body)
        return (*(f"{own}.rotation.{axis}" for axis in "xyz"), f"{own}.angle")

    def quaternion(self) -> list[Expression]:
        """u of θ and φ."""
        *theta, phi = map(symbol, self.names)
        half = times(0.5, vector(theta))
        size = function("sqrt", ONE + dot(half, half))
        tilt = ONE / size, times(ONE / size, half)
        turn = function("cos", 0.5 * phi), times(function("sin", 0.5 * phi), vector(self.axis))
        first = number(self.start[0]), vector(self.start[1:])
        scalar, rest = _product(tilt, _product(turn, first))
        return [scalar, *rest]

    def gauge(self) -> Expression:
        """k·θ."""
        return dot(vector(self.axis), vector([symbol(name) for name in self.names[:3]]))


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """a ∘ b."""
    return a[0] * b[0] - dot(a[1], b[1]), plus(plus(times(a[0], b[1]), times(b[0], a[1])), cross(a[1], b[1]))


def rotating_bodies(system: System, q: Floats, v: Floats) -> list[Rotating]:
    """Bodies whose orientation is a quaternion that changes."""
    place = {name: k for k, name in enumerate(system.coordinates)}
    rotating = []
    for body in system.bodies:
        names = tuple(f"{symbol_name(body.name)}.u{k}" for k in range(4))
        if not all(name in place for name in names):
            continue
        u, rate = (np.array([state[place[name]] for name in names]) for state in (q, v))
        w = angular_velocity_of(u, rate)
        size = float(np.linalg.norm(w))
        if size > SLOW:
            axis = (w / size).round(14) + 0.0  # the same at any speed
            rotating.append(Rotating(body.name, names, tuple((u / np.linalg.norm(u)).tolist()), tuple(
                (axis / np.linalg.norm(axis)).tolist()), size))
    return rotating


def steady_system(
    system: System, mass: Sequence[Sequence[Expression]], force: Sequence[Expression], rotating: Sequence[Rotating],
) -> tuple[System, list[list[Expression]], list[Expression]]:
    """A system in coordinates in which bodies that rotate about fixed axes have constant rates, with its M and f.

    Its formulas may still use the names of the coordinates that are replaced.
    """
    gone = {name for body in rotating for name in body.replaced}
    kept = [name for name in system.coordinates if name not in gone]
    names = [*kept, *(name for body in rotating for name in body.names)]
    moves = {name: symbol(name) for name in kept} | {
        name: u for body in rotating for name, u in zip(body.replaced, body.quaternion(), strict=True)}
    bare = System(names, kinetic=0.0, parameters=system.parameters)
    Q = [moves[name] for name in system.coordinates]
    rates = bare.rates(Q)
    old: dict[Expression, Expression | float | int] = dict(zip((*system.q, *system.v), (*Q, *rates), strict=True))
    units = {f"{body.body}.unit": body for body in rotating}
    constraints = [replace(c, rows=(units[c.name].gauge(),)) if c.name in units else replace(
        c, rows=tuple(rebuild(c.rows, old)), reactions=()) for c in system.constraints]
    quantities = {name: u for name, u in (*zip(system.coordinates, Q, strict=True), *zip(
        map(rate_name, system.coordinates), rates, strict=True)) if name not in {*kept, *map(rate_name, kept)}}
    steady = System(names, kinetic=0.0, parameters=system.parameters, constraints=constraints, quantities=quantities)
    M, f = [rebuild(row, old) for row in mass], rebuild(force, old)
    return steady, *_transformed(M, f, jacobian(Q, bare.q), bare.rates(rates))


def steady_state(
    system: System, steady: System, rotating: Sequence[Rotating], q: Floats, v: Floats,
) -> tuple[Floats, Floats]:
    """Coordinates and rates of a state in the coordinates of `steady_system`."""
    values = dict(zip(system.coordinates, zip(q, v, strict=True), strict=True))
    values |= {body.names[3]: (0.0, body.rate) for body in rotating}
    states = np.array([values.get(name, (0.0, 0.0)) for name in steady.coordinates])
    return states[:, 0].copy(), states[:, 1].copy()


def _transformed(
    M: Sequence[Sequence[Expression]], f: Sequence[Expression], slope: Sequence[Sequence[Expression]],
    bias: Sequence[Expression],
) -> tuple[list[list[Expression]], list[Expression]]:
    """Qᵀ' M Q' and Qᵀ' (f - M Q'' ż ż), without the many zeros of both."""
    n, size = len(f), len(slope[0])
    own = [[i for i in range(n) if not slope[i][j].is_zero] for j in range(size)]
    moved = [[total(M[i][k] * slope[k][j] for k in own[j] if not M[i][k].is_zero) for j in range(size)]
             for i in range(n)]
    pushed = [f[i] - total(M[i][k] * bias[k] for k in range(n) if not (M[i][k].is_zero or bias[k].is_zero))
              for i in range(n)]
    mass = [[total(slope[i][a] * moved[i][b] for i in own[a] if not moved[i][b].is_zero) for b in range(size)]
            for a in range(size)]
    return mass, [total(slope[i][a] * pushed[i] for i in own[a]) for a in range(size)]
