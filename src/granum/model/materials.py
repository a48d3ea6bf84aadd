"""Materials: friction, restitution, rolling friction, cohesion, stiffness, and keys that contact laws add.

A contact law, or a contact solver, that needs a number of its own for each material declares it as a key:

    class Adhesion(gr.MaterialKeys):
        adhesion: Annotated[Force, Paired(np.minimum)] = 0.0
        '''Force that grains adhere with [N].'''

From then on materials have the key and, because it is `Paired`, so have pairs. Scene files, messages, the JSON schema,
the reference and run files know it, and `grains.tables` compiles it into parameters of every two materials, as it does
with the keys below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import ValidationError, ValidatorFunctionWrapHandler, model_validator
from pydantic.fields import FieldInfo

from granum.base.errors import GranumError
from granum.base.extensions import found
from granum.base.kernels import Floats
from granum.model.kinds import announce_change
from granum.model.quantities import Check, Coefficient, Density, Entry, Name, Plain, Pressure, SpringStiffness
from granum.model.quantities import Force as _Tension  # as Force it would hide the load of that name

MATERIAL_KEY = "material-key"
"""As entry points of other packages call a key."""
Rule = Callable[[Floats, Floats], Floats]


def geometric_mean(one: Floats, two: Floats) -> Floats:
    """√(a b)."""
    mean: Floats = np.sqrt(one * two)
    return mean


def in_series(one: Floats, two: Floats) -> Floats:
    """2/(1/a + 1/b): two springs, each of half the length that the value is for."""
    both: Floats = 2.0 / (1.0 / one + 1.0 / two)
    return both


@dataclass(frozen=True)
class Paired:
    """Marks a key of materials that a contact of two materials has one value of.

    It is what a pair of these materials says; else `rule` of the two materials' own, which takes and gives arrays. Two
    bodies of one material have its own value.
    """

    rule: Rule


def rule_of(field: FieldInfo) -> Rule | None:
    """How the values of two materials combine; none where a contact has both."""
    return next((part.rule for part in field.metadata if isinstance(part, Paired)), None)


def _restitution(value: float) -> float:
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"found {value:g}, but the coefficient of restitution must lie between 0 (no rebound) and 1")
    return value


def _poisson(value: float) -> float:
    if not -1.0 < value <= 0.5:
        raise ValueError(f"found {value:g}, but Poisson's ratio must lie between -1 and 0.5")
    return value


def _ratio(value: float) -> float:
    if not value > 0.0:
        raise ValueError(f"found {value:g}, but the ratio of two stiffnesses is positive")
    return value


Restitution = Annotated[Plain, Check(_restitution, {"minimum": 0, "maximum": 1})]
StiffnessRatio = Annotated[Plain, Check(_ratio, {"exclusiveMinimum": 0})]
_MEAN = Paired(geometric_mean)


class _Extensible(Entry):
    """An entry that contact laws add keys to."""

    def __init__(self, **keys: Any) -> None:
        self.find_keys(keys)
        super().__init__(**keys)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def find_keys(cls, keys: Iterable[str]) -> None:
        """Let installed packages define those keys that they add."""
        for key in keys:
            found(cls.model_fields, MATERIAL_KEY, str(key))

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """Read an entry; keys that are not known, but that an installed package adds, that package defines."""
        try:
            return read(value)
        except ValidationError as error:
            unknown = [str(item["loc"][-1]) for item in error.errors() if item["type"] == "extra_forbidden"]
            try:
                cls.find_keys(unknown)
            except GranumError as broken:
                raise ValueError(str(broken)) from broken
            if not any(key in cls.model_fields for key in unknown):
                raise
        return cls.model_validate(value)  # `read` was made before the key was defined


class Material(_Extensible):
    """Material of grains and boundaries; its coefficients apply to contact between two bodies of this material.

    >>> glass = gr.Material(density=2500.0, friction=0.4, restitution=0.9)
    """

    friction: Annotated[Coefficient, _MEAN] = 0.0
    """Coefficient of Coulomb friction."""
    restitution: Annotated[Restitution, _MEAN] = 0.0
    """Newton's coefficient of restitution, from 0 to 1 (Sun 1996, eq. 4.19)."""
    rolling_friction: Annotated[Coefficient, _MEAN] = 0.0
    """Coefficient of rolling friction: the resisting torque is at most this times reduced radius times normal force."""
    cohesion: Annotated[_Tension, _MEAN] = 0.0
    """Tension that a contact bears before it opens [N]; only with `unilateral` (FMAX of Sun 1996, Appendix E)."""
    density: Density | None = None
    """Density of grains [kg/m³]."""
    stiffness: Annotated[SpringStiffness, Paired(in_series)] = 1e5
    """Contact stiffness between two grains in `soft` with the linear law [N/m]."""
    stiffness_ratio: Annotated[StiffnessRatio, _MEAN] = 2.0 / 7.0
    """Tangential over normal contact stiffness in `soft` with the linear law."""
    young_modulus: Pressure = 1e7
    """Young's modulus in `soft` with the Hertz law [Pa]."""
    poisson_ratio: Annotated[Plain, Check(_poisson, {"exclusiveMinimum": -1, "maximum": 0.5})] = 0.3
    """Poisson's ratio in `soft` with the Hertz law."""


class Pair(_Extensible):
    """Contact coefficients between two materials; default: geometric means of the two materials' own.

    >>> pair = gr.Pair(between=("glass", "steel"), friction=0.2)
    """

    between: tuple[Name, Name]
    """The two materials."""
    friction: Coefficient | None = None
    """Coefficient of friction between them."""
    restitution: Restitution | None = None
    """Coefficient of restitution between them."""
    rolling_friction: Coefficient | None = None
    """Coefficient of rolling friction between them."""
    cohesion: _Tension | None = None
    """Tension that a contact between them bears before it opens [N]; only with `unilateral`."""
    stiffness: SpringStiffness | None = None
    """Contact stiffness between them in `soft` with the linear law [N/m]; default: that of springs in series."""
    stiffness_ratio: StiffnessRatio | None = None
    """Tangential over normal contact stiffness between them in `soft` with the linear law."""

    @model_validator(mode="after")
    def _says_something(self) -> Pair:
        keys = [key for key in type(self).model_fields if key != "between"]
        if all(getattr(self, key) is None for key in keys):
            raise ValueError(f"gives no coefficient; give {', '.join(keys[:-1])} or {keys[-1]}, or remove it")
        return self


class MaterialKeys(Entry):
    """Keys that a contact law or a contact solver adds to materials; a class that derives from it adds its own.

    Each is a number with a default. One whose default is 0 stands for an effect that is absent unless it is given:
    solvers and laws that do not have the key refuse scenes that give it. One with another default is a property that
    every material has, such as a stiffness, and is not refused. A key that is `Paired` is one of pairs, too.

    >>> issubclass(gr.MaterialKeys, gr.Entry)
    True
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **settings: Any) -> None:
        super().__pydantic_init_subclass__(**settings)
        for key, field in cls.model_fields.items():
            if key in Material.model_fields:
                raise TypeError(f"There is already a material key {key!r}. Give that of {cls.__name__} another name.")
            if not isinstance(field.default, int | float):
                raise TypeError(f"{cls.__name__}.{key} needs a number as its default, as in {key}: Force = 0.0: "
                                "materials that do not give it have that.")
        for key, field in cls.model_fields.items():
            _add(Material, key, copy(field))
            if rule_of(field) is not None:
                optional: Any = Annotated[field.annotation, *field.metadata] | None
                _add(Pair, key, FieldInfo.from_annotated_attribute(optional, None))
        announce_change()


def _add(entry: type[_Extensible], key: str, field: FieldInfo) -> None:
    entry.model_fields[key] = field
    setattr(entry, key, field.default)  # of entries that were made before


def declaring(entry: type[Entry]) -> list[type[MaterialKeys]]:
    """Classes that have added keys to an entry."""
    return MaterialKeys.__subclasses__() if issubclass(entry, _Extensible) else []
