"""Rolling on a surface Γ(X, Y, Z) = 0: contact, tangency, centre and no slip, and its reaction.

Source: Udwadia and Mogharabin (2022), §2.2 and §2.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from granum.algebra import Expression, gradient, jacobian, symbol
from granum.algebra.expression import Scalar, free_symbols
from granum.algebra.vectors import (
    Vector,
    cross,
    dot,
    length,
    minus,
    plus,
    quaternion_rotation,
    quaternion_spin,
    quaternion_torque,
    times,
    total,
    turned,
    vector,
)
from granum.rows.errors import UNKNOWN
from granum.rows.symbolic import Constraint, multiplier, rate_name


@dataclass(frozen=True)
class Touching:
    """Two bodies that touch, as formulas: what is needed to see them part or slip."""

    name: str
    """Of the constraint."""
    body: str
    """The body that rolls or slides."""
    on: str
    """What it touches, for people."""
    pressing: Expression
    """Normal force on the body [N]."""
    sliding: Expression
    """Magnitude of the friction force [N]."""
    friction: float | None
    """Coefficient; None where it never slips."""


@dataclass(frozen=True)
class Contact(Touching):
    """Where a body rolls on a surface."""

    normal: Vector
    """Unit normal n at the contact (14)."""
    gradient: Vector
    """k = ∇Γ (13)."""
    spin: Expression
    """Angular velocity about the normal, λ = n · S ω (38) [rad/s]."""
    omega: Vector
    """Angular velocity S ω in inertial axes."""
    room: Expression
    """det J_f (A5): positive while the surface is less curved than the sphere."""
    half_room: Expression
    """tr J_f - 1: the sum of the two tangential factors 1 + r κ, positive with `room`."""
    quaternion: tuple[Expression, ...]


def _generalised_force(
    rows: Sequence[Expression], chosen: Iterable[int], constraint: str, coordinates: Sequence[str],
) -> list[Expression]:
    """Σ λ_r A_r over some rows, on some coordinates: A is ∂/∂q of a position row, ∂/∂q̇ of a velocity row."""
    listed = list(chosen)
    slopes = []
    for r in listed:
        moving = any(name.endswith("_dot") for name in free_symbols([rows[r]]))
        names = [rate_name(c) for c in coordinates] if moving else coordinates
        slopes.append(gradient(rows[r], [symbol(name) for name in names]))
    return [total(multiplier(constraint, r) * slope[k] for r, slope in zip(listed, slopes, strict=True))
            for k in range(len(coordinates))]


def _body_force(
    rows: Sequence[Expression], chosen: Iterable[int], constraint: str, quaternion: Sequence[Expression],
    position: Sequence[Expression] = (),
) -> tuple[list[Expression], Vector]:
    """Force on the mass centre and torque about it, in inertial axes, of some rows of a constraint.

    Source: Udwadia and Mogharabin (2022), eqs. 51-52.
    """
    listed = list(chosen)
    force = _generalised_force(rows, listed, constraint, [s.name for s in position])
    on_quaternion = _generalised_force(rows, listed, constraint, [s.name for s in quaternion])
    return force, turned(quaternion_rotation(quaternion), quaternion_torque(quaternion, on_quaternion))


def rolling(
    name: str, body: str, position: Vector, quaternion: Sequence[Expression], alpha: Sequence[str],
    beta: Sequence[str], surface: Expression, radius: Scalar, centre: Sequence[Scalar], friction: float | None,
    arm_length: float,
) -> tuple[Contact, Constraint]:
    """Contact and rows of a round body: contact α and centre β are massless points.

    Source: Udwadia and Mogharabin (2022), eqs. 9-12 for the points; the numbers below are its equations.

    Errors of all rows but Γ, whose unit is not known, are relative to `arm_length`.

    φ₂ = Γ(α) (17), φ₃ = β - α - r n (19), φ₄ = β + S ρ - w (22), φ₅ = β̇ + r n × S ω (27).
    """
    a, b = vector([symbol(s) for s in alpha]), vector([symbol(s) for s in beta])
    k = vector(gradient(surface, a))
    n = times(1.0 / length(k), k)
    S = quaternion_rotation(quaternion)
    arm = turned(S, vector([-c for c in centre]))  # S ρ, from O to C
    omega = turned(S, quaternion_spin(quaternion, [symbol(rate_name(u.name)) for u in quaternion]))
    speed = vector([symbol(rate_name(s)) for s in beta])
    rows = (surface, *minus(minus(b, a), times(radius, n)), *minus(plus(b, arm), position),
            *plus(speed, times(radius, cross(n, omega))))
    force, torque = _body_force(rows, range(len(rows)), name, quaternion, position)
    F = vector(force)
    about = plus(torque, cross(plus(arm, times(radius, n)), F))  # (53), (55) corrected
    pressing = dot(n, F)
    sliding = length(minus(F, times(pressing, n)))
    J = jacobian([x + radius * y for x, y in zip(a, n, strict=True)], a)
    room = dot(J[0], cross(vector(J[1]), vector(J[2])))
    contact = Contact(name, body, "the surface", pressing, sliding, friction, n, k, dot(n, omega), omega, room,
                      J[0][0] + J[1][1] + J[2][2] - 1.0, tuple(quaternion))
    reactions = (
        *((f"{name}.force.{axis}", F[i]) for i, axis in enumerate("xyz")),
        *((f"{name}.torque.{axis}", about[i]) for i, axis in enumerate("xyz")),
        (f"{name}.normal", pressing), (f"{name}.friction", sliding),
    )
    labels = (f"{name}.surface", *(f"{name}.{part}.{axis}" for part in ("tangency", "centre", "slip")
                                   for axis in "xyz"))
    return contact, Constraint(name, rows, reactions, labels=labels, lengths=(UNKNOWN, *[arm_length] * (len(rows) - 1)))


def no_spin(name: str, contact: Contact) -> Constraint:
    """φ_NS = k · S ω (39); its reaction is the torque that prevents the spin, applied from outside."""
    rows = (dot(contact.gradient, contact.omega),)
    torque = _body_force(rows, [0], name, contact.quaternion)[1]
    return Constraint(name, rows, tuple((f"{name}.torque.{axis}", torque[i]) for i, axis in enumerate("xyz")))
