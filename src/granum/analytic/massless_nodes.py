"""Massless points that only loads hold: their forces balance at every instant, f(q, q̇) = 0 (quasi-static).

The balance is a constraint like any other, holonomic where springs alone act and of first order where dampers do. It
needs no force: the multipliers obey 0 = f + Aᵀλ on the coordinates of the point, so λ = 0 wherever the balance
determines the point.

Between two springs or dampers the forces are along one line. There the balance across it is replaced by the line
itself, c = n₁ + n₂ = 0 with the directions n of both ends, which determines the point also when it carries no force:

    n₁ (n₁·f)/k + a c = 0,      with dampers      n₁ (n₁·f)/c + a ċ = 0 and c = 0 at the start,

with any length a. Each is as many rows as there are coordinates, and regular.
"""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression
from granum.algebra.expression import free_symbols
from granum.algebra.vectors import Vector, dot, length, minus, plus, times, vector
from granum.analytic.expressed import System
from granum.analytic.formula_bodies import FormulaBodies
from granum.loads.load import BodyLoad
from granum.model.loads import Spring
from granum.rows import body as rows
from granum.rows.symbolic import Constraint, rate_name
from granum.rows.system import symbol_name

BALANCE = ".balance"
"""What the name of a balance ends with, behind that of its point."""


def balanced_nodes(bodies: FormulaBodies, system: System, constraints: Sequence[Constraint]) -> list[Constraint]:
    """The balance of each massless point that loads act on and no constraint holds."""
    held = free_symbols([row for constraint in constraints if not constraint.invariant for row in constraint.rows])
    held |= free_symbols([system.kinetic])
    balances = []
    for body in bodies.assembly.bodies.values():
        if body.kind != "massless":
            continue
        names = [f"{symbol_name(body.name)}.{axis}" for axis in "xyz"[: bodies.dimension]]
        if not set(names) <= set(system.coordinates):
            continue  # chosen coordinates: it follows from other bodies
        force = [system.applied[system.coordinates.index(name)] for name in names]
        if held & {*names, *map(rate_name, names)} or all(component.is_zero for component in force):
            continue
        acting = [load for load in bodies.assembly.loads if any(end.body is body for end in load.ends)]
        others = [load for load in bodies.scene.system.forces if load in names]
        alone = not others and not free_symbols([system.own_potential]) & set(names)
        balances.append(_balance(body, force, acting, bodies, system, alone))
    return balances


def _balance(
    body: rows.Body, force: list[Expression], acting: Sequence[BodyLoad], bodies: FormulaBodies, system: System,
    alone: bool,
) -> Constraint:
    """All forces on a point, or those along the line of two springs and the line itself."""
    stiffness, damping = (sum(getattr(load.entry, key, 0.0) for load in acting) for key in ("stiffness", "damping"))
    f = times(1.0 / (damping or stiffness or 1.0), vector(force))  # in m/s, or in m
    name, size = f"{body.name}{BALANCE}", bodies.dimension
    if not (alone and len(acting) == 2 and all(isinstance(load.entry, Spring) for load in acting)):
        return Constraint(name, tuple(f[:size]), silent=True)
    one, two = (times(1.0 / length(arm), arm) for arm in (_arm(body, load, bodies) for load in acting))
    line = times(bodies.arm, plus(one, two))
    if damping:
        bodies.conditions += [(f"start.{body.name}", component) for component in line[:size]]
        line = vector(system.rates(line))
    return Constraint(name, tuple(plus(times(dot(one, f), one), line)[:size]), silent=True)


def _arm(body: rows.Body, load: BodyLoad, bodies: FormulaBodies) -> Vector:
    """From a massless point to the other end of a spring."""
    other = next(end for end in load.ends if end.body is not body)
    return minus(bodies.pose(other.body).point(other.arm)[0], bodies.pose(body).position)
