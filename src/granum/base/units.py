"""Numbers with units: SI inside, `"30 deg"` or `"5 cm/s"` accepted where a scene gives a quantity.

The table is closed and small on purpose: a general library of units takes longer to load than a short run takes in
all, and treats an angle as a pure number, so that it would take 5 Hz for 5 rad/s.
"""

from __future__ import annotations

import math
import re

_Dimensions = tuple[int, int, int, int]
"""Powers of metre, kilogram, second and radian."""

_UNITS: dict[str, tuple[float, _Dimensions]] = {
    "m": (1.0, (1, 0, 0, 0)), "mm": (1e-3, (1, 0, 0, 0)), "cm": (1e-2, (1, 0, 0, 0)), "dm": (1e-1, (1, 0, 0, 0)),
    "um": (1e-6, (1, 0, 0, 0)), "µm": (1e-6, (1, 0, 0, 0)), "km": (1e3, (1, 0, 0, 0)),
    "in": (0.0254, (1, 0, 0, 0)), "ft": (0.3048, (1, 0, 0, 0)),
    "kg": (1.0, (0, 1, 0, 0)), "g": (1e-3, (0, 1, 0, 0)), "mg": (1e-6, (0, 1, 0, 0)), "t": (1e3, (0, 1, 0, 0)),
    "lb": (0.45359237, (0, 1, 0, 0)),
    "s": (1.0, (0, 0, 1, 0)), "ms": (1e-3, (0, 0, 1, 0)), "us": (1e-6, (0, 0, 1, 0)), "µs": (1e-6, (0, 0, 1, 0)),
    "min": (60.0, (0, 0, 1, 0)), "h": (3600.0, (0, 0, 1, 0)),
    "rad": (1.0, (0, 0, 0, 1)), "mrad": (1e-3, (0, 0, 0, 1)), "deg": (math.pi / 180.0, (0, 0, 0, 1)),
    "°": (math.pi / 180.0, (0, 0, 0, 1)), "rpm": (math.pi / 30.0, (0, 0, -1, 1)), "Hz": (1.0, (0, 0, -1, 0)),
    "N": (1.0, (1, 1, -2, 0)), "mN": (1e-3, (1, 1, -2, 0)), "kN": (1e3, (1, 1, -2, 0)), "MN": (1e6, (1, 1, -2, 0)),
    "J": (1.0, (2, 1, -2, 0)), "W": (1.0, (2, 1, -3, 0)), "Pa": (1.0, (-1, 1, -2, 0)),
    "kPa": (1e3, (-1, 1, -2, 0)), "MPa": (1e6, (-1, 1, -2, 0)), "GPa": (1e9, (-1, 1, -2, 0)),
}
_QUANTITY = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-zµ°][A-Za-zµ°0-9^*/ -]*)?")
_FACTOR = re.compile(r"([A-Za-zµ°]+)(?:(?:\^|\*\*)?(-?[1-9]))?")
LONGEST = 64
LARGEST_NUMBER, SMALLEST_NUMBER = 1e50, 1e-50
"""Limits of numbers in scenes: ρ r⁵, the highest power that mechanics forms of what is given, stays finite."""
_POWER = rf"(?:{'|'.join(_UNITS)})(?:(?:\^|\*\*)?-?[1-9])?"
PATTERN = rf"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*{_POWER}(?:(?:\*| +| */ *){_POWER})* *$"
"""A number with a product of known units, for programs that check scenes by a JSON schema."""

EXAMPLES = {
    "m": '0.5 or "50 cm"',
    "kg": '0.2 or "200 g"',
    "s": '0.01 or "10 ms"',
    "m/s": '1.5 or "5 cm/s"',
    "m^2/s": '1e-6 or "1 mm^2/s"',
    "m/s^2": '9.81 or "9.81 m/s^2"',
    "N": '10.0 or "10 N"',
    "N/m": '100.0 or "1 N/cm"',
    "N*s/m": '0.1 or "0.1 N*s/m"',
    "Pa": '2e6 or "2 MPa"',
    "rad": '0.52 or "30 deg"',
    "rad/s": '3.1 or "30 rpm"',
}


def si(value: object, unit: str) -> float:
    """Return `value` as a float in the SI unit `unit`.

    A bare number is taken as SI. A string must be a number and a unit of the same dimension; a string
    is never evaluated, only split. Raises ValueError with a sentence for the user.
    """
    if type(value) is float and -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        return value  # most are, and a scene may have a million
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"found {_shown(repr(value))}, but a number in {unit} is needed, such as {_example(unit)}")
    try:
        number = _convert(value, unit) if isinstance(value, str) else float(value)
    except OverflowError:  # a whole number may have any size
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"found {_shown(value)}, but a finite number in {unit} is needed, such as {_example(unit)}")
    if abs(number) > LARGEST_NUMBER:
        raise ValueError(f"found {_shown(value)}, but numbers beyond {LARGEST_NUMBER:g} are not supported")
    return number


def _convert(text: str, unit: str) -> float:
    match = _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        raise ValueError(f"found {text[:LONGEST]!r}, which is not a number with a unit; write {_example(unit)}")
    if match[2] is None:
        raise ValueError(f"found the string {text!r} without a unit; write {_example(unit)}")
    factor, dimensions = _parse(match[2], text, unit)
    if dimensions != _parse(unit, text, unit)[1]:
        raise ValueError(f"found {text!r}, which has the wrong unit; a quantity in {unit} is needed, such as "
                         f"{_example(unit)}")
    return float(match[1]) * factor


def _parse(written: str, text: str, unit: str) -> tuple[float, _Dimensions]:
    """Factor to SI and dimensions of a product of units, such as `N*s/m` or `kg m/s^2`."""
    factor, dimensions = 1.0, (0, 0, 0, 0)
    for position, part in enumerate(written.split("/")):
        for word in re.split(r"(?<!\*)\*(?!\*)|\s+", part.strip()):
            match = _FACTOR.fullmatch(word)
            if match is None:
                raise ValueError(f"found {text!r}, which is not a number with a unit; write {_example(unit)}")
            if match[1] not in _UNITS:
                raise ValueError(f"found {text!r} with the unit {match[1]!r}, which is unknown; write "
                                 f"{_example(unit)}. Known: {', '.join(_UNITS)}")
            power = int(match[2] or 1) * (-1 if position else 1)
            size, own = _UNITS[match[1]]
            factor *= size**power
            dimensions = tuple(a + power * b for a, b in zip(dimensions, own, strict=True))  # type: ignore[assignment]
    return factor, dimensions


def _shown(value: object) -> str:
    """A value as it was written, in a message of bounded length."""
    try:
        return str(value)[:LONGEST]
    except ValueError:  # a whole number of thousands of digits is not even written out
        return "a whole number of thousands of digits"


def _example(unit: str) -> str:
    return EXAMPLES.get(unit, f'1.0 or "1 {unit}"')
