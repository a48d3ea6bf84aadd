"""Coefficients of contact between every two materials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.model.scene import Scene


@dataclass(frozen=True)
class Tables:
    """(materials, materials) each; a boundary without material counts as made of the grain's."""

    names: list[str]
    friction: Floats
    restitution: Floats
    rolling: Floats
    cohesion: Floats


def compile_tables(scene: Scene) -> Tables:
    """Tables from materials and pairs; a pair that is not given has the geometric means of both materials."""
    names = list(scene.material)
    problems = [
        Problem(f"pair.{key}.between", f'there is no material "{name}".', did_you_mean(name, names, "material"))
        for key, pair in scene.pair.items() for name in pair.between if name not in names
    ]
    if problems:
        raise SceneError(problems)
    tables = {}
    for column in ("friction", "restitution", "rolling_friction", "cohesion"):
        own = np.array([getattr(material, column) for material in scene.material.values()], dtype=float)
        table = np.sqrt(np.outer(own, own))
        np.fill_diagonal(table, own)  # the root of a square is not always the number
        for pair in scene.pair.values():
            if (value := getattr(pair, column)) is not None:
                i, j = (names.index(name) for name in pair.between)
                table[i, j] = table[j, i] = value
        tables[column] = np.ascontiguousarray(table)
    return Tables(names, tables["friction"], tables["restitution"], tables["rolling_friction"], tables["cohesion"])
