"""The typed vocabulary of scene entries: quantities with units, vectors, names, and the common base."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Self, get_args

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from granum.algebra.parse import RESERVED, parse_equation
from granum.base.choices import Choices
from granum.base.csvtable import checked_table, read_table
from granum.base.errors import GranumError, SceneError, pick
from granum.base.units import LARGEST_NUMBER, LONGEST, PATTERN, SMALLEST_NUMBER, si


class Entry(BaseModel):
    """Base of everything in a scene: immutable, and unknown keys are errors.

    >>> isinstance(gr.Material(friction=0.5), gr.Entry)
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True, defer_build=True)

    def __init__(self, **keys: Any) -> None:
        try:
            super().__init__(**keys)
        except ValidationError as error:
            from granum.model.scene import problems_of  # knows all entries, and most are right

            raise SceneError(problems_of(error, root=type(self)), self._called()) from None

    # pydantic reads entries inside others without calling this, as it does without a constructor of our own
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def _called(cls) -> str:
        """What messages call an entry made in Python, where those of a file have its name."""
        return cls.__name__

    @classmethod
    def find_keys(cls, keys: Iterable[str]) -> None:
        """Of keys that are not known, let others define those that they add; most entries take none."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self).model_fields:
            raise GranumError(f"{self._called()} {name}: entries of a scene are frozen. Create a new one, or a scene "
                              "with other values by scene.vary.")
        super().__setattr__(name, value)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with fields replaced. Values are not checked; `Scene.vary` checks them."""
        for name in update or {}:
            pick(name, type(self).model_fields, f"field of {type(self).__name__}")
        return super().model_copy(update=update, deep=deep)


@dataclass(frozen=True, eq=False)
class Check(AfterValidator):
    """A check of values, with the keywords that say the same in a JSON schema."""

    keywords: dict[str, Any] = field(default_factory=dict)

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core), **self.keywords}


class OneOf:
    """A name out of choices, which may grow while a program runs."""

    def __init__(self, *choices: Choices) -> None:
        self.choices = choices

    def names(self) -> list[str]:
        """What there is to choose from now."""
        return [name for choices in self.choices for name in choices]

    def meanings(self) -> dict[str, str]:
        """What each name means."""
        return {name: meaning for choices in self.choices for name, meaning in choices.items()}

    def _check(self, value: str) -> str:
        if value in self.names():
            return value
        try:
            if any(choices.find(value) for choices in self.choices):
                return value
        except GranumError as error:
            raise ValueError(str(error)) from error
        known = [name for choices in self.choices for name in choices.every()]
        raise ValueError(f"found {value[:80]!r}, but this key takes one of: {', '.join(known)}")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core), "enum": self.names()}


Quantity = TypeAliasType("Quantity", float | Annotated[str, Field(pattern=PATTERN, max_length=LONGEST)])
"""A quantity as it is written: an SI number, or a string with a unit."""
Vector = Annotated[list[Quantity], Field(min_length=2, max_length=3)]
Vector3 = tuple[Quantity, Quantity, Quantity]


@dataclass(frozen=True)
class InUnit(BeforeValidator):
    """Reads quantities as they are written into SI numbers."""

    unit: str = ""
    """The SI unit, as tables show it."""


def unit_of(entry: type[Entry], key: str) -> str:
    """The unit of a key, as its type has it; empty where it has none."""
    field = next(field for name, field in entry.model_fields.items() if key in (name, field.alias))
    return next((part.unit for part in (*field.metadata, *_parts(field.annotation)) if isinstance(part, InUnit)), "")


def annotated_unit(annotation: Any) -> str:
    """The unit of a quantity's type, such as `Speed`; empty where it has none."""
    return next((part.unit for part in _parts(annotation) if isinstance(part, InUnit)), "")


def _parts(annotation: Any) -> Iterator[Any]:
    """Everything that an annotation is made of."""
    for part in get_args(annotation):
        yield part
        yield from _parts(part)


def _shown(unit: str) -> str:
    """m^2 as m², and products with spaces."""
    return unit.replace("^2", "²").replace("^3", "³").replace("*", " ")


def _quantity(unit: str) -> InUnit:
    return InUnit(lambda value: si(value, unit), Quantity, unit=_shown(unit))


def _counted(value: Any) -> str:
    """What was found; of a list how many entries it has, too."""
    shown = repr(list(value) if isinstance(value, tuple) else value)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    if not isinstance(value, list | tuple):
        return shown
    return f"{len(value)} {'entry' if len(value) == 1 else 'entries'}, {shown}" if value else "an empty list"


def _listed(value: Any) -> Any:
    """An array of NumPy as a list; anything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def _vector(unit: str, shown: str | None = None) -> InUnit:
    def convert(value: Any) -> tuple[float, ...]:
        value = _listed(value)
        if not isinstance(value, (list, tuple)) or len(value) not in (2, 3):
            raise ValueError(f"found {_counted(value)}, but a vector has 2 components in 2-D and 3 in 3-D, in {unit}, "
                             "such as [0.0, 1.0]")
        return tuple([si(component, unit) for component in value])

    return InUnit(convert, Vector, unit=_shown(unit) if shown is None else shown)


def _angles(value: Any) -> float | tuple[float, ...]:
    value = _listed(value)
    if isinstance(value, list | tuple):
        return tuple(si(angle, "rad") for angle in value)
    return si(value, "rad")


def _scatter(value: Any) -> float | tuple[float, ...]:
    if isinstance(listed := _listed(value), list | tuple):
        if len(listed) not in (2, 3):
            raise ValueError(f"found {_counted(listed)}, but a radius or 2 half-widths in 2-D and 3 in 3-D are needed, "
                             "in m, such as 0.01 or [0.01, 0.02]")
        return _half_widths(tuple(si(width, "m") for width in listed))
    return _positive(si(listed, "m"))


def _half_widths(widths: tuple[float, ...]) -> tuple[float, ...]:
    if min(widths) < 0.0:
        found = ", ".join(f"{width:g}" for width in widths)
        raise ValueError(f"found [{found}], but half-widths must not be negative: each component changes by up to its "
                         "half-width to both sides")
    return widths


def _positive(value: float) -> float:
    if value <= 0.0:
        raise ValueError(f"found {value:g}, but it must be positive")
    if value < SMALLEST_NUMBER:
        raise ValueError(f"found {value:g}, but numbers below {SMALLEST_NUMBER:g} are not supported")
    return value


def _bounded(value: float) -> float:
    if abs(value) > LARGEST_NUMBER:
        raise ValueError(f"found {value:g}, but numbers beyond {LARGEST_NUMBER:g} are not supported")
    return value


def _massive(value: float) -> float:
    if value == 0.0:
        raise ValueError('found 0, but a mass must be positive. For a massless point use kind = "massless-point"')
    return _positive(value)


def _not_negative(value: float) -> float:
    if value < 0.0:
        raise ValueError(f"found {value:g}, but it must not be negative")
    return value


def _nonzero(value: float) -> float:
    if value == 0.0:
        raise ValueError("found 0, but a non-zero radius is needed: positive if grains are outside, negative if inside")
    return value


def _lengths(value: Any) -> tuple[float, ...]:
    value = _listed(value)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"found {_counted(value)}, but a list of lengths in m is needed, such as [0.01, 0.012]")
    return tuple(_positive(si(length, "m")) for length in value)


def _not_zero(value: tuple[float, ...]) -> tuple[float, ...]:
    if not any(value):
        raise ValueError(f"found {list(value)}, but a direction is needed, such as [1.0, 0.0]")
    return value


def _two_names(value: Any) -> Any:
    if not (isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(name, str) for name in value)):
        raise ValueError(f'found {_counted(value)}, but the names of two bodies are needed, such as ["a", "b"]')
    return value


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]{0,79}")
_POINT = re.compile(r"[A-Za-z0-9_\-]{1,80}")


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(f"found the name {value[:80]!r}; a name must start with a letter and consist of at most 80 "
                         "letters, digits, '-' or '_'")
    return value


def _identifier(value: str) -> str:
    if not re.fullmatch(r"[^\W\d]\w{0,79}(?:\.[^\W\d]\w{0,79})*", value) or value in RESERVED:
        raise ValueError(f"found the name {value[:80]!r}; a name in formulas must start with a letter, consist of "
                         "letters, digits and '_', and not be a function")
    return value


def _point_name(value: str) -> str:
    body, _, point = value.partition(".")
    _name(body)
    if point and not _POINT.fullmatch(point):
        raise ValueError(f"found the name {value[:80]!r}; write a point of a body as body.point")
    return value


def _no_boolean(value: Any) -> Any:
    """Python counts True as 1, and who writes friction = true means something else."""
    if isinstance(value, bool):
        raise ValueError(f"found {str(value).lower()}, but a number is needed")
    return value


def whole(low: int, high: int) -> BeforeValidator:
    """A whole number between two others."""
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"found {_counted(value)}, but an integer from {low} to {high} is needed")
        if not low <= value <= high:
            raise ValueError(f"found {_counted(value)}, but it must lie between {low} and {high}")
        return value

    return BeforeValidator(check, json_schema_input_type=Annotated[int, Field(ge=low, le=high)])


def _three(value: tuple[float, ...]) -> tuple[float, ...]:
    if len(value) != 3:
        raise ValueError(f"found {len(value)} components, but one number (2-D) or three (3-D) are needed")
    return value


def _planar(value: Any) -> Any:
    """One number is the component about z."""
    return (0.0, 0.0, value) if isinstance(value, int | float | str) else value


def _two_densities(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"found {_counted(value)}, but two densities are needed, one for each half, such as [10490.0, "
                         "7874.0]")
    return tuple(_positive(si(density, "kg/m^3")) for density in value)


def _inertia(value: Any) -> float | tuple[Any, ...]:
    if isinstance(value, int | float | str):
        return _positive(si(value, "kg*m^2"))
    rows = value if isinstance(value, list | tuple) else ()
    if len(rows) != 3:
        raise ValueError(f"found {_counted(value)}, but three moments of inertia or a 3 by 3 matrix are needed")
    if all(isinstance(row, list | tuple) and len(row) == 3 for row in rows):
        matrix = [[si(entry, "kg*m^2") for entry in row] for row in rows]
        if any(abs(matrix[i][j] - matrix[j][i]) > 1e-12 * abs(matrix[i][i]) for i in range(3) for j in range(i)):
            raise ValueError(f"found {value!r}, but an inertia matrix must be symmetric")
        _moments(np.linalg.eigvalsh(matrix).tolist())
        return tuple(map(tuple, matrix))
    return _moments([si(moment, "kg*m^2") for moment in rows])


def _moments(principal: list[float]) -> tuple[float, ...]:
    for moment in principal:
        if moment <= 0.0:
            raise ValueError(f"found the moment of inertia {moment:g}, but it must be positive")
    if max(principal) > sum(principal) / 2.0 * (1.0 + 1e-12):
        raise ValueError(f"found {principal}, but no principal moment of inertia may exceed the sum of the other two")
    return tuple(principal)


def _quaternion(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list | tuple) or len(value) != 4 or not all(isinstance(c, int | float) for c in value):
        raise ValueError(f"found {_counted(value)}, but a quaternion has 4 numbers, such as [1.0, 0.0, 0.0, 0.0]")
    size = float(np.linalg.norm([si(c, "1") for c in value]))
    if not 0.99 < size < 1.01:
        raise ValueError(f"found {list(value)} of length {size:g}, but a unit quaternion is needed")
    return tuple(float(c) / size for c in value)


def _formula(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f'found {_counted(value)}, but a formula must be a string, such as "x**2 + y**2 - 1"')
    text = str(value)
    try:
        parse_equation(text)
    except GranumError as error:
        raise ValueError(str(error)) from None
    return text


def _number_or_formula(value: Any, unit: str) -> str:
    """A quantity in a unit as a number, or a formula."""
    if isinstance(value, str) and re.fullmatch(PATTERN, value):
        return repr(si(value, unit))
    return _formula(value)


class HingeFormula(str):
    """A number as text, whose unit says that it is of a hinge."""


class SliderFormula(str):
    """A number as text, whose unit says that it is of a slider."""


def _commanded(turning: str, sliding: str) -> PlainValidator:
    """A target of a hinge, of a slider or of a point: numbers, with a unit of either, or formulas."""
    def convert(value: Any) -> tuple[str, ...]:
        value = _listed(value)
        if isinstance(value, list | tuple) and len(value) != 1:
            if len(value) not in (2, 3):
                raise ValueError(f"found {_counted(value)}, but a point has 2 components in 2-D and 3 in 3-D")
            return tuple(_number_or_formula(component, sliding) for component in value)
        one = value[0] if isinstance(value, list | tuple) else value
        if isinstance(one, str) and re.fullmatch(PATTERN, one):
            found = _of_joint(one, turning, sliding)
            return ((HingeFormula if isinstance(found, OfHinge) else SliderFormula)(repr(float(found))),)
        return (one if isinstance(one, HingeFormula | SliderFormula) else _formula(one),)

    return PlainValidator(convert, json_schema_input_type=Quantity | str | list[Quantity | str])


def refuse_other_joint(entry: Entry, kind: str) -> None:
    """Refuse quantities of an entry whose units are not those of the kind of joint it acts on."""
    other = (OfSlider, SliderFormula) if kind == "hinge" else (OfHinge, HingeFormula)
    for key in type(entry).model_fields:
        value = getattr(entry, key)
        if isinstance(value[0] if isinstance(value, tuple) and len(value) == 1 else value, other):
            raise GranumError(f"{key} has a unit of a {'slider' if kind == 'hinge' else 'hinge'}, but it acts on a "
                              f"{kind}. Give a unit of a {kind}, or a number in SI units.")


class OfHinge(float):
    """A number whose unit says that it is of a hinge."""


class OfSlider(float):
    """A number whose unit says that it is of a slider."""


def _of_joint(value: str, turning: str, sliding: str) -> float:
    """A quantity with a unit, which remembers whether that is one of a hinge or of a slider."""
    with suppress(ValueError):
        return OfHinge(si(value, turning))
    return OfSlider(si(value, sliding))


def _either(turning: str, sliding: str) -> PlainValidator:
    """A quantity of a hinge or of a slider: a number, or with a unit of either."""
    return PlainValidator(lambda value: _of_joint(value, turning, sliding) if isinstance(value, str) else
                          si(value, sliding), json_schema_input_type=Quantity)


def _components(unit: str) -> BeforeValidator:
    def convert(value: Any) -> tuple[str, ...]:
        value = _listed(value)
        listed = value if isinstance(value, list | tuple) else [value]
        if not 1 <= len(listed) <= 3:
            raise ValueError(f"found {_counted(value)}, but a number, a formula, or a list of 2 or 3 of them is needed")
        return tuple(_number_or_formula(component, unit) for component in listed)

    return BeforeValidator(convert, json_schema_input_type=Quantity | str | list[Quantity | str])


_POSITIVE = Check(_positive, {"exclusiveMinimum": 0})
_MASSIVE = Check(_massive, {"exclusiveMinimum": 0})
_NOT_NEGATIVE = Check(_not_negative, {"minimum": 0})
_ONE_OR_THREE = BeforeValidator(_planar, json_schema_input_type=Quantity | Vector3)

Name = Annotated[str, Check(_name, {"pattern": f"^{_NAME.pattern}$"})]
Identifier = Annotated[str, AfterValidator(_identifier)]
PointName = Annotated[str, Check(_point_name, {"pattern": rf"^{_NAME.pattern}(\.{_POINT.pattern})?$"})]
"""A body, or a point of a body: `arm` or `arm.tip`."""
Ends = Annotated[tuple[PointName, PointName], BeforeValidator(_two_names)]
Mass = Annotated[float, _quantity("kg"), _MASSIVE]
Length = Annotated[float, _quantity("m"), _POSITIVE]
SignedLength = Annotated[float, _quantity("m"), AfterValidator(_nonzero)]
Lengths = Annotated[
    tuple[float, ...], InUnit(_lengths, Annotated[list[Quantity], Field(min_length=1)], unit="m")]
RestLength = Annotated[float, _quantity("m"), _NOT_NEGATIVE]
Time = Annotated[float, _quantity("s"), _POSITIVE]
Speed = Annotated[float, _quantity("m/s"), _POSITIVE]
Angle = Annotated[float, _quantity("rad")]
AngleWidth = Annotated[float, _quantity("rad"), _NOT_NEGATIVE]
"""Half-width of a range of angles."""
Angles = Annotated[
    float | tuple[float, ...], InUnit(_angles, Quantity | list[Quantity], unit="rad")]
AngularVelocity = Annotated[float, _quantity("rad/s")]
Stiffness = Annotated[float, _quantity("N/m"), _NOT_NEGATIVE]
SpringStiffness = Annotated[float, _quantity("N/m"), _POSITIVE]
Pressure = Annotated[float, _quantity("Pa"), _POSITIVE]
KinematicViscosity = Annotated[float, _quantity("m^2/s"), _POSITIVE]
Frequency = Annotated[float, _quantity("Hz"), _NOT_NEGATIVE]
TorsionStiffness = Annotated[float, _quantity("N*m/rad"), _NOT_NEGATIVE]
TorsionDamping = Annotated[float, _quantity("N*m*s/rad"), _NOT_NEGATIVE]
Damping = Annotated[float, _quantity("N*s/m"), _NOT_NEGATIVE]
Position = Annotated[tuple[float, ...], _vector("m")]
Scatter = Annotated[
    float | tuple[float, ...], InUnit(_scatter, Quantity | Vector, unit="m")]
"""A radius, or half-widths along the axes."""
Velocity = Annotated[tuple[float, ...], _vector("m/s")]
ScatterVelocity = Annotated[tuple[float, ...], _vector("m/s"), AfterValidator(_half_widths)]
"""Half-widths along the axes."""
Acceleration = Annotated[tuple[float, ...], _vector("m/s^2")]
Force = Annotated[float, _quantity("N"), _NOT_NEGATIVE]
Torque = Annotated[float, _quantity("N*m"), _NOT_NEGATIVE]
ForceVector = Annotated[tuple[float, ...], _vector("N")]
Direction = Annotated[tuple[float, ...], _vector("m", ""), AfterValidator(_not_zero)]
Density = Annotated[float, _quantity("kg/m^3"), _POSITIVE]
Densities = Annotated[
    tuple[float, float], InUnit(_two_densities, tuple[Quantity, Quantity], unit="kg/m³")]
Inertia = Annotated[
    float | tuple[Any, Any, Any],
    InUnit(_inertia, Quantity | Vector3 | tuple[Vector3, Vector3, Vector3], unit="kg m²")]
AngularVelocityVector = Annotated[tuple[float, ...], _vector("rad/s"), AfterValidator(_three), _ONE_OR_THREE]
"""An angular velocity; 2-D: one number."""
TorqueVector = Annotated[tuple[float, ...], _vector("N*m"), AfterValidator(_three), _ONE_OR_THREE]
"""A torque; 2-D: one number."""
Quaternion = Annotated[tuple[float, ...], BeforeValidator(
    _quaternion, json_schema_input_type=tuple[float, float, float, float])]
Formula = Annotated[str, BeforeValidator(_formula, json_schema_input_type=str | float)]
"""A formula or an equation; its grammar is checked here, its names where they are known."""
AngleOrLength = Annotated[float, _either("rad", "m")]
TorqueOrForce = Annotated[float, _either("N*m", "N"), _NOT_NEGATIVE]
JointStiffness = Annotated[float, _either("N*m/rad", "N/m"), _NOT_NEGATIVE]
JointDamping = Annotated[float, _either("N*m*s/rad", "N*s/m"), _NOT_NEGATIVE]
_TEXTS = PlainSerializer(lambda value: [str(text) for text in value], return_type=list[str])
MotionFormulas = Annotated[tuple[str, ...], _commanded("rad", "m"), _TEXTS]
"""An angle, a length or a position, as numbers, with units, or as formulas."""
RateFormulas = Annotated[tuple[str, ...], _commanded("rad/s", "m/s"), _TEXTS]
"""An angular velocity or a velocity, likewise."""
TensionFormula = Annotated[str, BeforeValidator(lambda value: _number_or_formula(value, "N"),
                                               json_schema_input_type=Quantity | str)]
ForceFormulas = Annotated[tuple[str, ...], _components("N")]
"""Components of a force, each a number, with a unit, or a formula; a single one may stand by itself."""
TorqueFormulas = Annotated[tuple[str, ...], _components("N*m")]
"""Components of a torque, likewise."""
MotionTable = Annotated[tuple[tuple[float, float], ...], BeforeValidator(
    lambda given: read_table(given) if isinstance(given, str) else checked_table(given),
    json_schema_input_type=str | list[tuple[float, float]])]
"""A quantity over time: rows of time [s] and value, or the name of a text file with two such columns."""
Plain = Annotated[float, BeforeValidator(_no_boolean, json_schema_input_type=float)]
"""A number without a unit, with bounds of its own."""
Number = Annotated[Plain, Check(_bounded, {"minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER})]
"""A number without a unit, or in SI units alone."""
Coefficient = Annotated[Number, _NOT_NEGATIVE]
LARGEST = 20_000_000
"""Bodies of one pattern."""
Count = Annotated[int, whole(1, LARGEST)]
Seed = Annotated[int, whole(0, 2**63 - 1)]
Sweeps = Annotated[int, whole(1, 10_000)]
