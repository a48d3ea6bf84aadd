"""Words in messages: numbers of things in the singular or the plural."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, what: str) -> str:
    """A number of things: `1 body`, `2 bodies`, `2 branches`."""
    several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number} {what if number == 1 else several}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names with commas; of many, the first."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
