"""Numbers with units: SI inside, `"30 deg"` or `"5 cm/s"` accepted where a scene gives a quantity."""

from __future__ import annotations

import functools
import math
import re
from typing import Any

_QUANTITY = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-zµ°%][A-Za-zµ°0-9^*/ -]*)?\s*")
_EXPONENT = re.compile(r"\d{2,}|(\*\*|\^).*(\*\*|\^).*(\*\*|\^)")
_LONGEST = 64

EXAMPLES = {
    "m": "0.5 or \"50 cm\"",
    "kg": "0.2 or \"200 g\"",
    "s": "0.01 or \"10 ms\"",
    "m/s": "1.5 or \"5 cm/s\"",
    "m/s^2": "9.81 or \"9.81 m/s^2\"",
    "N": "10.0 or \"10 N\"",
    "N/m": "100.0 or \"1 N/cm\"",
    "N*s/m": "0.1 or \"0.1 N*s/m\"",
    "rad": "0.52 or \"30 deg\"",
    "rad/s": "3.1 or \"30 rpm\"",
}


@functools.cache
def _registry() -> Any:
    import pint  # slow to import, and only scenes that write units need it

    return pint.UnitRegistry(cache_folder=None)


def si(value: object, unit: str) -> float:
    """Return `value` as a float in the SI unit `unit`.

    A bare number is taken as SI. A string must be a number and a unit of the same dimension; a string
    is never evaluated, only split. Raises ValueError with a sentence for the user.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"found {value!r}, but a number in {unit} is needed, such as {_example(unit)}")
    try:
        number = _convert(value, unit) if isinstance(value, str) else float(value)
    except OverflowError:  # a whole number may have any size
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"found {str(value)[:_LONGEST]}, but a finite number in {unit} is needed, such as "
                         f"{_example(unit)}")
    return number


def _convert(text: str, unit: str) -> float:
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or _EXPONENT.search(match[2] or ""):
        raise ValueError(f"found {text[:_LONGEST]!r}, which is not a number with a unit; write {_example(unit)}")
    if match[2] is None:
        raise ValueError(f"found the text {text!r} without a unit; write {_example(unit)}")
    registry = _registry()
    try:
        found = registry.Quantity(float(match[1]), match[2].strip().replace("°", "deg"))
        # an angle is dimensionless to pint, which would take 5 Hz for 5 rad/s: compare the root units
        if found.to_root_units().units == registry.Quantity(1.0, unit).to_root_units().units:
            return float(found.to(unit).magnitude)
        reason = "has the wrong unit"
    except Exception as error:
        reason = "has the wrong unit" if "convert" in str(error) else "has a unit that is not known"
    raise ValueError(f"found {text!r}, which {reason}; a quantity in {unit} is needed, such as {_example(unit)}")


def _example(unit: str) -> str:
    return EXAMPLES.get(unit, f"1.0 or \"1 {unit}\"")
