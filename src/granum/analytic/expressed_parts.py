"""What a system of formulas consists of: bodies, frictions, loads, agents of work and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from granum.algebra import Expression, as_expression
from granum.algebra.expression import ONE, ZERO
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import Matrix, Vector, vector
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.body_entries import inertia_matrix

Formula: TypeAlias = "Expression | str | float | int | Any"
"""A formula as a user writes it: text, a number, a SymPy object, or an expression."""


@dataclass(frozen=True, init=False)
class Body:
    """A rigid body or point of the system: position of its mass centre and orientation, as formulas.

    `rotation` takes body axes to inertial axes; left out, the body is a point. It may be any matrix of the coordinates,
    if constraints keep it a rotation. `inertia` is about the mass centre in body axes: a matrix, three principal
    moments or, in 2-D, one number. `spin` is the angular velocity in body axes; left out, it follows from the rotation.
    In 2-D, positions have two components and rotations are 2 by 2.
    """

    name: str
    mass: Expression
    position: Vector
    rotation: Matrix | None
    inertia: Floats | Matrix
    spin: Vector | None

    def __init__(
        self, name: str, mass: Formula, position: Sequence[Formula],
        rotation: Sequence[Sequence[Formula]] | None = None, inertia: Formula | Sequence[Any] = 0.0,
        spin: Sequence[Formula] | None = None,
    ) -> None:
        given: dict[str, Any] = {"name": name, "mass": as_formula(mass), "spin": None, "rotation": None}
        given["position"] = _spatial(position, f"position of {name}")
        if rotation is not None:
            rows = [list(map(as_formula, row)) for row in rotation]
            if {len(rows), *map(len, rows)} not in ({2}, {3}):
                raise GranumError(f"the rotation of {name} must be a matrix of 2 by 2 or 3 by 3 formulas.")
            if len(rows) == 2:
                rows = [[*rows[0], ZERO], [*rows[1], ZERO], [ZERO, ZERO, ONE]]
            given["rotation"] = tuple(map(tuple, rows))
        if spin is not None:
            given["spin"] = _spatial(spin, f"spin of {name}")
        given["inertia"] = _moments(inertia)
        for key, value in given.items():
            object.__setattr__(self, key, value)

    @property
    def moments(self) -> list[list[Expression | float]]:
        """Entries of the inertia: numbers, or formulas where the constants of the system have names."""
        return [[entry if isinstance(entry, Expression) else float(entry) for entry in row] for row in self.inertia]


@dataclass(frozen=True, init=False)
class Friction:
    """Coulomb friction where two bodies touch: a row whose multiplier is the normal force, and the slip velocity."""

    name: str
    normal: tuple[str, int]
    """Constraint and row of the contact; its multiplier is the normal force, positive where the bodies press."""
    slip: tuple[Expression, ...]
    """Components of the slip velocity, one or two, along tangents at right angles."""
    coefficient: float
    bilateral: bool
    """Does the contact hold in both directions? If not, the bodies leave each other where it would have to pull."""

    def __init__(self, name: str, normal: tuple[str, int], slip: Sequence[Formula], coefficient: float,
                 bilateral: bool = False) -> None:
        given = {"name": name, "normal": normal, "slip": tuple(map(as_formula, slip)), "coefficient": coefficient,
                 "bilateral": bilateral}
        for key, value in given.items():
            object.__setattr__(self, key, value)


@dataclass(frozen=True)
class Applied:
    """A load: the potential energy of its forces, or the generalised forces themselves by coordinate."""

    name: str
    potential: Expression = ZERO
    forces: Mapping[str, Expression] = field(default_factory=dict)
    section: str = "load"
    """Of the scene: load or actuator."""


@dataclass(frozen=True)
class Agent:
    """What does work on a system: -dV/dt of its potential energy, its power, and that of the forces of a constraint."""

    name: str
    potential: Expression = ZERO
    power: Expression = ZERO
    constraint: str = ""
    """The moving constraint, or the friction, whose multipliers do work."""

    @property
    def integrated(self) -> bool:
        """Is its work, or part of it, an integral along the motion?"""
        return bool(self.constraint) or not self.power.is_zero


@dataclass(frozen=True)
class Row:
    """One row of A q̈ = b and where it comes from."""

    name: str
    constraint: str
    number: int
    """Number of the row in its constraint."""
    value: Expression
    """What is zero: φ or ψ."""
    rate: Expression
    """A q̇ - c: the rate of φ, or ψ itself."""
    A: tuple[Expression, ...]
    b: Expression
    drift: Expression
    """-A q̇ of a motion that the row allows: ∂φ/∂t, or ψ at rest. Not zero, the constraint does work."""
    holonomic: bool
    invariant: bool
    slips: bool = False
    """Is it the slip velocity of a friction, zero only while that sticks?"""


def as_formula(value: Formula) -> Expression:
    """An expression from a formula as a user writes it, whatever its names."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        return parse_equation(value)
    return as_expression(value) if isinstance(value, int | float) else _from_sympy(value)


def _moments(inertia: Any) -> Floats | Matrix:
    """A matrix of numbers, or of formulas where some entries are."""
    listed = np.array(inertia, dtype=object)
    if listed.shape not in ((), (3,), (3, 3)):
        raise GranumError("inertia must be one moment (2-D), three principal moments or a 3 by 3 matrix.")
    if all(isinstance(entry, int | float) for entry in listed.ravel()):
        return inertia_matrix(inertia)
    entries = list(map(as_formula, listed.ravel()))
    if len(entries) == 9:
        return tuple(tuple(entries[k : k + 3]) for k in (0, 3, 6))
    x, y, z = entries if len(entries) == 3 else (0.5 * entries[0], 0.5 * entries[0], entries[0])
    return (x, ZERO, ZERO), (ZERO, y, ZERO), (ZERO, ZERO, z)


def _spatial(formulas: Sequence[Formula], place: str) -> Vector:
    """Three components of two or three formulas."""
    if not 2 <= len(formulas) <= 3:
        raise GranumError(f"the {place} needs two or three components; found {len(formulas)}.")
    return vector(list(map(as_formula, formulas)))


def _from_sympy(value: Any) -> Expression:
    from granum.algebra.sympy_bridge import from_sympy

    if getattr(value, "is_Equality", False):
        value = value.lhs - value.rhs
    return from_sympy(value)
