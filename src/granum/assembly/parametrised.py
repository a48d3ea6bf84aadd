"""Bodies whose position and rotation are formulas in the coordinates of the system (Souchet): x = T(q) + R(q) X."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, evaluate, free_symbols, rebuild
from granum.algebra.parse import parse, parse_equation
from granum.algebra.vectors import Matrix, Vector, vector
from granum.base.errors import GranumError, Problem, at
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, three
from granum.model.body_entries import parametrisation_of
from granum.model.scene import Scene
from granum.rows.body import Body

RIGID = 1e-6
"""Entries of RᵀR - 1 up to which a given start counts as one of a rigid body."""
_IDENTITY: Matrix = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))


class Parametrised(NamedTuple):
    """Formulas of a body, with definitions of the system inserted; parameters are symbols."""

    position: Vector
    """T."""
    rotation: Matrix
    """R."""
    rigidity: tuple[Expression, ...]
    """What vanishes where R is a rotation, as the scene states it; empty: RᵀR = 1."""


def parametrised_bodies(scene: Scene) -> set[str]:
    """Bodies that have no coordinates of their own."""
    return {name for name, body in scene.body.items() if parametrisation_of(body) is not None}


def read_parametrisation(scene: Scene, name: str) -> Parametrised:
    """The formulas of a body; raises SceneError at the key that is wrong."""
    given = parametrisation_of(scene.body[name])
    assert given is not None
    known, defined = _names(scene)
    place = f"body.{name}.parametrisation"

    def inserted(expression: Expression) -> Expression:
        return rebuild([expression], defined)[0]

    with at(f"{place}.position"):
        position = vector([inserted(parse(formula, known)) for formula in given.position])
    with at(f"{place}.rotation"):
        rows = [[inserted(parse(formula, known)) for formula in row] for row in given.rotation]
    with at(f"{place}.rigidity"):
        rigidity = tuple(inserted(parse_equation(formula, known)) for formula in given.rigidity)
    if not rows:
        return Parametrised(position, _IDENTITY, ())
    if len(rows) == 2:
        rows = [[*rows[0], ZERO], [*rows[1], ZERO], [ZERO, ZERO, ONE]]
    return Parametrised(position, tuple(map(tuple, rows)), rigidity)


def _names(scene: Scene) -> tuple[list[str], dict[Expression, Scalar]]:
    """Names that the formulas may use, and what definitions stand for; those with rates or bodies are left out."""
    known, defined = [*scene.system.coordinates, *scene.system.parameters, "t"], dict[Expression, Scalar]()
    for name, formula in scene.system.definitions.items():
        try:
            value = parse_equation(formula, known)
        except GranumError:
            continue  # of no use here; what is wrong with it is reported where the system is read
        defined[symbol(name)] = rebuild([value], defined)[0]
        known.append(name)
    return known, defined


def place_parametrised(scene: Scene, bodies: dict[str, Body]) -> list[Problem]:
    """Enter the pose at the start where the scene gives all coordinates it depends on; returns what is wrong.

    Joints and springs count lengths, axes and angles from this pose.
    """
    problems = [Problem(f"start.{name}", "has a parametrisation, so its start follows from the coordinates of the "
                                         "system.", "Give the coordinates and their rates in [system.start].")
                for name in scene.start if name in scene.body and parametrisation_of(scene.body[name]) is not None]
    system = scene.system
    values = {**dict.fromkeys(system.coordinates, 0.0), **system.guess, **system.start, **system.parameters, "t": 0.0}
    for name in sorted(parametrised_bodies(scene)):
        formulas, body = read_parametrisation(scene, name), bodies[name]
        listed = [*formulas.position, *(entry for row in formulas.rotation for entry in row)]
        try:
            numbers = np.array(evaluate(listed, values))
        except (ArithmeticError, ValueError):
            numbers = np.full(12, math.nan)
        R = numbers[3:].reshape(3, 3)
        body.position = three(numbers[:3]) if np.isfinite(numbers).all() else np.zeros(3)
        missing = free_symbols(listed) & set(system.coordinates) - {*system.start, *system.guess}
        body.placed = not missing and bool(np.abs(R.T @ R - np.eye(3)).max() <= RIGID)
        if body.placed:
            _rotate(body, R, scene.dimension)
    return problems


def _rotate(body: Body, R: Floats, dimension: int) -> None:
    if dimension == 2:
        body.angle = math.atan2(R[1, 0], R[0, 0])
    else:
        body.quaternion = tuple(quaternion_of(R).tolist())


def refuse_moved(body: Body, position: Floats, R: Floats) -> None:
    """Refuse a start to which guesses have led away from the pose that joints and springs count from."""
    assert body.position is not None
    off = max(np.abs(position - body.position).max(), np.abs(R - body.rotation).max())
    if off > RIGID:
        raise GranumError(f'"{body.name}" starts {off:.3g} away from the coordinates in [system.guess], from which '
                          "lengths, axes and angles of its joints and springs count. Give them in [system.start].")


def unplaced(body: Body) -> GranumError:
    """What is wrong where something counts from the pose of a body at the start, and that is not known."""
    return GranumError(f'"{body.name}" has a parametrisation whose coordinates at the start are not all given, or do '
                       "not make R a rotation; lengths, axes and angles count from there. Give them in [system.start].")
