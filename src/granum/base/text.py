"""Words in messages: numbers of things in the singular or the plural, and numbers that are meant to be zero."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, what: str) -> str:
    """A number of things: `1 body`, `2 bodies`, `2 branches`."""
    several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number} {what if number == 1 else several}"


ROUNDING = 1e-14
"""Part of the scale of a quantity below which a value is what rounding left of zero."""


def visible(value: float, scale: float) -> float:
    """A value as it is printed: zero where it is rounding beside the scale of its quantity.

    The scale has the unit of the value: the largest coordinate of the same kind, the energy turned over, the error that
    is allowed. Data (`--json`, run files) keep the value itself.
    """
    return 0.0 if abs(value) <= ROUNDING * abs(scale) else value


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names with commas; of many, the first."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
