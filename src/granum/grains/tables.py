"""Parameters of contact between every two materials, by the keys of materials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.model.materials import Material, rule_of
from granum.model.scene import Scene


@dataclass(frozen=True)
class Tables:
    """What materials and pairs say, by key; a boundary without material counts as made of the grain's."""

    names: list[str]
    between: Mapping[str, Floats]
    """(materials, materials) each: keys of which a contact has one value."""
    own: Mapping[str, Floats] = field(default_factory=dict)
    """(materials,) each: all keys that are numbers."""

    def __getitem__(self, key: str) -> Floats:
        """The values of a key between every two materials."""
        return self.between[key]


def compile_tables(scene: Scene) -> Tables:
    """Tables from materials and pairs: what a pair gives, else what the rule of the key makes of both materials."""
    names = list(scene.material)
    problems = [
        Problem(f"pair.{key}.between", f'there is no material "{name}".', did_you_mean(name, names, "material"))
        for key, pair in scene.pair.items() for name in pair.between if name not in names
    ]
    if problems:
        raise SceneError(problems)
    between, own = {}, {}
    for key, declared in Material.model_fields.items():
        if declared.default is None:
            continue
        own[key] = values = np.array([getattr(material, key) for material in scene.material.values()], dtype=float)
        if (rule := rule_of(declared)) is not None:
            between[key] = table = np.ascontiguousarray(rule(values[:, None], values[None, :]), dtype=float)
            np.fill_diagonal(table, values)  # the root of a square is not always the number
            for pair in scene.pair.values():
                if (value := getattr(pair, key)) is not None:
                    i, j = (names.index(name) for name in pair.between)
                    table[i, j] = table[j, i] = value
    return Tables(names, between, own)
