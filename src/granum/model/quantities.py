"""The typed vocabulary of scene entries: quantities with units, vectors, names, and the common base."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from granum.base.units import si


class Entry(BaseModel):
    """Base of everything in a scene: frozen, and a word it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


def _quantity(unit: str) -> BeforeValidator:
    return BeforeValidator(lambda value: si(value, unit), json_schema_input_type=float | str)


def _vector(unit: str) -> BeforeValidator:
    def convert(value: Any) -> tuple[float, ...]:
        if not isinstance(value, list | tuple) or len(value) not in (2, 3):
            raise ValueError(f"found {value!r}, but a list of 2 or 3 components in {unit} is needed, "
                             "such as [0.0, 1.0]")
        return tuple(si(component, unit) for component in value)

    return BeforeValidator(convert)


def _angles(value: Any) -> float | tuple[float, ...]:
    if isinstance(value, list | tuple):
        return tuple(si(angle, "rad") for angle in value)
    return si(value, "rad")


def _positive(value: float) -> float:
    if value <= 0.0:
        raise ValueError(f"found {value:g}, but it must be greater than zero")
    return value


def _invertible(value: float) -> float:
    if 1.0 / value == math.inf:
        raise ValueError(f"found {value:g}, but a mass so small has no finite inverse")
    return value


def _not_negative(value: float) -> float:
    if value < 0.0:
        raise ValueError(f"found {value:g}, but it must not be negative")
    return value


def _not_zero(value: tuple[float, ...]) -> tuple[float, ...]:
    if not any(value):
        raise ValueError(f"found {list(value)}, but a direction is needed, such as [1.0, 0.0]")
    return value


def _two_names(value: Any) -> Any:
    if not (isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(name, str) for name in value)):
        raise ValueError(f'found {value!r}, but the names of two bodies are needed, such as ["a", "b"]')
    return value


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]{0,79}")


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(f"found the name {value[:80]!r}; a name starts with a letter and has letters, digits, "
                         "'-' or '_', at most 80")
    return value


def _whole(low: int, high: int) -> BeforeValidator:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"found {value!r}, but a whole number from {low} to {high} is needed")
        if not low <= value <= high:
            raise ValueError(f"found {value}, but it must lie between {low} and {high}")
        return value

    return BeforeValidator(check)


Name = Annotated[str, AfterValidator(_name)]
Ends = Annotated[tuple[Name, Name], BeforeValidator(_two_names)]
Mass = Annotated[float, _quantity("kg"), AfterValidator(_positive), AfterValidator(_invertible)]
Length = Annotated[float, _quantity("m"), AfterValidator(_positive)]
RestLength = Annotated[float, _quantity("m"), AfterValidator(_not_negative)]
Time = Annotated[float, _quantity("s"), AfterValidator(_positive)]
Angle = Annotated[float, _quantity("rad")]
Angles = Annotated[float | tuple[float, ...], BeforeValidator(_angles)]
AngularVelocity = Annotated[float, _quantity("rad/s")]
Stiffness = Annotated[float, _quantity("N/m"), AfterValidator(_not_negative)]
Damping = Annotated[float, _quantity("N*s/m"), AfterValidator(_not_negative)]
Position = Annotated[tuple[float, ...], _vector("m")]
Velocity = Annotated[tuple[float, ...], _vector("m/s")]
Acceleration = Annotated[tuple[float, ...], _vector("m/s^2")]
ForceVector = Annotated[tuple[float, ...], _vector("N")]
Direction = Annotated[tuple[float, ...], _vector("m"), AfterValidator(_not_zero)]
Count = Annotated[int, _whole(1, 20_000_000)]
Seed = Annotated[int, _whole(0, 2**63 - 1)]
