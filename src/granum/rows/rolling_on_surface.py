"""Rolling on a surface Γ(X, Y, Z) = 0: contact, tangency, centre and no slip, and its reaction.

Source: Udwadia and Mogharabin (2022), §2.2 and §2.5, for round bodies; docs/theory/fundamental.md for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from granum.algebra import Expression, gradient, jacobian, symbol
from granum.algebra.expression import Scalar, free_symbols
from granum.algebra.vectors import (
    Matrix,
    Vector,
    cross,
    dot,
    length,
    minus,
    plus,
    quaternion_rotation,
    quaternion_torque,
    times,
    total,
    turned,
    vector,
)
from granum.rows.elements import oval
from granum.rows.errors import ANGLE_ROW, UNKNOWN
from granum.rows.ground import Ground
from granum.rows.symbolic import Constraint, Pose, multiplier, rate_name

SURFACE, PARALLEL = "surface", "parallel"
"""Rows whose errors are no lengths: Γ itself, and the angle between a surface and the axis of a cylinder."""


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
    """Angular velocity S ω in inertial axes, relative to the surface."""
    room: tuple[Expression, ...]
    """det J_f (A5), positive while the surface is less curved than the body, and tr J_f - 1, the sum of the two
    tangential factors 1 + r κ, positive with it; none for a line of contact."""
    quaternion: tuple[Expression, ...]
    crowded: str = "the surface becomes too curved for {body}, which would touch it at a second point."
    """What has happened where there is no room."""
    spare: Expression | None = None
    """Positive while a cylinder touches between its ends."""


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


@dataclass(frozen=True)
class Roller:
    """A body that rolls on a surface, as formulas."""

    constraint: str
    body: str
    pose: Pose
    quaternion: tuple[Expression, ...]
    centre: Sequence[Scalar]
    """The geometric centre, from the mass centre in body axes [m]."""
    friction: float | None
    arm_length: float
    """Errors of all rows but Γ, whose unit is not known, are relative to it [m]."""

    @property
    def rotation(self) -> Matrix:
        """S."""
        assert self.pose.rotation is not None
        return self.pose.rotation


def rolling(roller: Roller, beta: Sequence[str], ground: Ground, radius: Scalar) -> tuple[Contact, Constraint]:
    """Contact and rows of a round body: contact α and centre β are massless points.

    Source: Udwadia and Mogharabin (2022), eqs. 9-12 for the points; the numbers below are its equations.

    φ₂ = Γ(α) (17), φ₃ = β - α - r n (19), φ₄ = β + S ρ - w (22), φ₅ = β̇ + r n × S ω (27), less the velocity of the
    surface.
    """
    a, b = ground.point, vector([symbol(s) for s in beta])
    n = unit_normal(ground)
    arm = turned(roller.rotation, vector([-c for c in roller.centre]))  # S ρ, from O to C
    speed = vector([symbol(rate_name(s)) for s in beta])
    slip = minus(plus(speed, times(radius, cross(n, roller.pose.angular_velocity))), ground.velocity)
    rows = (ground.equation, *minus(minus(b, a), times(radius, n)), *minus(plus(b, arm), roller.pose.position), *slip)
    labels = (SURFACE, *_xyz("tangency"), *_xyz("centre"), *_xyz("slip"))
    J = jacobian([x + radius * y for x, y in zip(a, n, strict=True)], a)
    return touch(roller, ground, rows, labels, _room(J))


def touch(
    roller: Roller, ground: Ground, rows: tuple[Expression, ...], labels: Sequence[str],
    room: tuple[Expression, ...], half_length: float | None = None,
) -> tuple[Contact, Constraint]:
    """The contact of a body whose rows are known, and these with their reactions."""
    name, n, pose = roller.constraint, unit_normal(ground), roller.pose
    force, torque = _body_force(rows, range(len(rows)), name, roller.quaternion, pose.position)
    F = vector(force)
    about = plus(torque, cross(minus(pose.position, ground.point), F))  # (53), (55) corrected
    pressing = dot(n, F)
    sliding = length(minus(F, times(pressing, n)))
    # the torque along the line of contact presses one end of it more than the other
    spare = None if half_length is None else half_length * pressing - length(minus(about, times(dot(n, about), n)))
    contact = Contact(
        name, roller.body, "the surface", pressing, sliding, roller.friction, n, vector(gradient(
            ground.equation, ground.point)), dot(n, pose.angular_velocity), minus(
            pose.angular_velocity, ground.angular_velocity), room, roller.quaternion, spare=spare)
    reactions = (
        *((f"{name}.force.{axis}", F[i]) for i, axis in enumerate("xyz")),
        *((f"{name}.torque.{axis}", about[i]) for i, axis in enumerate("xyz")),
        (f"{name}.normal", pressing), (f"{name}.friction", sliding),
    )
    lengths = tuple({SURFACE: UNKNOWN, PARALLEL: ANGLE_ROW}.get(label, roller.arm_length) for label in labels)
    return contact, Constraint(name, rows, reactions, labels=tuple(f"{name}.{label}" for label in labels),
                               lengths=lengths)


def unit_normal(ground: Ground) -> Vector:
    """n = ∇Γ/|∇Γ| at the contact (14)."""
    k = vector(gradient(ground.equation, ground.point))
    return times(1.0 / length(k), k)


def _room(J: Sequence[Sequence[Expression]]) -> tuple[Expression, Expression]:
    """Determinant of J, whose normal factor is 1, and the sum of its two tangential factors."""
    return dot(J[0], cross(vector(J[1]), vector(J[2]))), J[0][0] + J[1][1] + J[2][2] - 1.0


def _xyz(part: str) -> tuple[str, ...]:
    return tuple(f"{part}.{axis}" for axis in "xyz")


# ---- ellipsoids, thin disks and cylinders


def rolling_oval(
    roller: Roller, ground: Ground, semi_axes: tuple[float, float, float], half_length: float | None,
) -> tuple[Contact, Constraint]:
    """Contact and rows of a body with the outline of an ellipsoid; its contact α is a massless point.

    Normals oppose at the contact: it is the point p of the body farthest along -n(α), which lies on the surface,
    Γ(α) = 0 and w + S c + p - α = 0. The material point there has the velocity of the surface, ẇ + ω × (α - w) = u.
    """
    if math.inf in semi_axes:
        return _rolling_cylinder(roller, ground, semi_axes, half_length)
    n, a = unit_normal(ground), ground.point
    p = oval.support(roller.rotation, semi_axes, times(-1.0, n))
    there = plus(roller.pose.point(roller.centre)[0], p)
    rows = (ground.equation, *minus(there, a), *_slip(roller, ground))
    J = jacobian([x - y for x, y in zip(a, p, strict=True)], a)
    return touch(roller, ground, rows, (SURFACE, *_xyz("tangency"), *_xyz("slip")), _room(J))


def _slip(roller: Roller, ground: Ground) -> Vector:
    """Velocity of the material point of the body at the contact, less that of the surface."""
    pose = roller.pose
    material = plus(pose.velocity, cross(pose.angular_velocity, minus(ground.point, pose.position)))
    return minus(material, ground.velocity)


def _rolling_cylinder(
    roller: Roller, ground: Ground, semi_axes: tuple[float, float, float], half_length: float | None,
) -> tuple[Contact, Constraint]:
    """A cylinder: its axis e is tangent to the surface, n·e = 0, and the contact a radius from it along -n.

    On a plane it touches along a line. α is then the point below its centre, and it does not turn about n.
    """
    n, a, radius = unit_normal(ground), ground.point, min(semi_axes)
    k = semi_axes.index(math.inf)
    e = roller.pose.carried([float(i == k) for i in range(3)])
    foot = minus(minus(a, roller.pose.point(roller.centre)[0]), times(-radius, n))  # from the axis, for n·e = 0
    if ground.flat:
        spin = dot(n, minus(roller.pose.angular_velocity, ground.angular_velocity))
        return touch(roller, ground, (ground.equation, dot(n, e), *foot, *_slip(roller, ground), spin), (
            SURFACE, PARALLEL, *_xyz("tangency"), *_xyz("slip"), "spin"), (), half_length)
    sides = [roller.pose.carried([float(i == j) for i in range(3)]) for j in range(3) if j != k]
    rows = (ground.equation, dot(n, e), *(dot(side, foot) for side in sides), *_slip(roller, ground))
    N, across = jacobian(n, a), cross(n, e)

    def bend(s: Vector, t: Vector) -> Expression:
        return radius * dot(s, [dot(line, t) for line in N])

    along, twist, round_ = bend(e, e), bend(e, across), 1.0 + bend(across, across)
    beside = dot(e, minus(a, roller.pose.position))
    inside = None if half_length is None else half_length * half_length - beside * beside
    room = (along * round_ - twist * bend(across, e), along + round_)
    contact, constraint = touch(roller, ground, rows, (
        SURFACE, PARALLEL, "tangency.1", "tangency.2", *_xyz("slip")), room)
    return replace(contact, spare=inside, crowded=(
        "the surface is not convex enough along the axis of {body}, which would touch it along a line or at both ends."
    )), constraint


def no_spin(name: str, contact: Contact) -> Constraint:
    """φ_NS = k · S ω (39); its reaction is the torque that prevents the spin, applied from outside."""
    rows = (dot(contact.gradient, contact.omega),)
    torque = _body_force(rows, [0], name, contact.quaternion)[1]
    return Constraint(name, rows, tuple((f"{name}.torque.{axis}", torque[i]) for i, axis in enumerate("xyz")))
