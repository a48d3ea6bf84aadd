"""Vectors and rotations of expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from granum.algebra.expression import ZERO, Expression, Scalar, as_expression, function

Vector: TypeAlias = tuple[Expression, Expression, Expression]
Matrix: TypeAlias = tuple[tuple[Expression, ...], ...]


def vector(components: Sequence[Scalar]) -> Vector:
    """Three components; a plane vector gets a third one, zero."""
    x, y, z = (as_expression(c) for c in (*components, 0.0)[:3])
    return x, y, z


def total(terms: Iterable[Expression]) -> Expression:
    """Sum of expressions."""
    result = ZERO
    for term in terms:
        result = result + term
    return result


def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(factor: Scalar, a: Vector) -> Vector:
    """factor · a."""
    return factor * a[0], factor * a[1], factor * a[2]


def dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    """a · b."""
    return total(x * y for x, y in zip(a, b, strict=True))


def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> Expression:
    """|a|."""
    return function("sqrt", dot(a, a))


def turned(rotation: Matrix, a: Vector) -> Vector:
    """Rotation times vector."""
    x, y, z = (dot(row, a) for row in rotation)
    return x, y, z


def quaternion_rotation(u: Sequence[Expression]) -> Matrix:
    """S(u) that turns body axes into inertial axes (Udwadia and Mogharabin 2022, eq. 23)."""
    a, b, c, d = u
    return (
        (a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)),
        (2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)),
        (2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d),
    )


def quaternion_spin(u: Sequence[Expression], rate: Sequence[Expression]) -> Vector:
    """ω = 2 E u̇, in body axes (Udwadia and Mogharabin 2022, eq. 1)."""
    a, b, c, d = u
    E = ((-b, a, d, -c), (-c, -d, a, b), (-d, c, -b, a))
    x, y, z = (2 * dot(row, rate) for row in E)
    return x, y, z


def quaternion_torque(u: Sequence[Expression], force: Sequence[Expression]) -> Vector:
    """T = ½ E Q_u: torque in body axes of a generalised force on a quaternion (Udwadia and Mogharabin 2022, eq. 52)."""
    return times(0.25, quaternion_spin(u, force))
