"""Vectors of three numbers inside kernels: tuples, put in place where they are used."""

from __future__ import annotations

import math
from typing import TypeAlias

from granum.base.kernels import Floats, inlined

Vector: TypeAlias = tuple[float, float, float]


@inlined
def at(table: Floats, i: int, k: int) -> Vector:
    """Three numbers of row i, from column k on."""
    return table[i, k], table[i, k + 1], table[i, k + 2]


@inlined
def put(table: Floats, i: int, k: int, a: Vector) -> None:
    """Write three numbers into row i, from column k on."""
    table[i, k] = a[0]
    table[i, k + 1] = a[1]
    table[i, k + 2] = a[2]


@inlined
def add(table: Floats, i: int, k: int, a: Vector) -> None:
    """Add three numbers to row i, from column k on."""
    table[i, k] += a[0]
    table[i, k + 1] += a[1]
    table[i, k + 2] += a[2]


@inlined
def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def times(c: float, a: Vector) -> Vector:
    """c a."""
    return c * a[0], c * a[1], c * a[2]


@inlined
def dot(a: Vector, b: Vector) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def rotated(table: Floats, i: int, k: int, a: Vector) -> Vector:
    """The matrix of row i, in nine columns from k on, times a."""
    return (table[i, k] * a[0] + table[i, k + 1] * a[1] + table[i, k + 2] * a[2],
            table[i, k + 3] * a[0] + table[i, k + 4] * a[1] + table[i, k + 5] * a[2],
            table[i, k + 6] * a[0] + table[i, k + 7] * a[1] + table[i, k + 8] * a[2])


@inlined
def length(a: Vector) -> float:
    """|a|."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def across(n: Vector, k: int) -> Vector:
    """The first (k = 0) or second unit vector across a unit vector; of the plane, the first is z × n."""
    if n[2] * n[2] < 0.5:  # z is well apart from n
        size = math.sqrt(n[0] * n[0] + n[1] * n[1])
        t = (-n[1] / size, n[0] / size, 0.0)
    else:
        size = math.sqrt(n[1] * n[1] + n[2] * n[2])
        t = (0.0, -n[2] / size, n[1] / size)
    return t if k == 0 else cross(n, t)
