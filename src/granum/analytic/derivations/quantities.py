"""Names of quantities: short ones, as a textbook has them, each with its meaning, its unit and its value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from granum.algebra.parse import RESERVED
from granum.rows.system import symbol_name


@dataclass(frozen=True)
class Quantity:
    """A symbol and what it means."""

    name: str
    meaning: str
    unit: str = ""
    value: float | None = None
    """Of a constant."""
    latex: str = ""
    """How LaTeX writes it, if not by its name."""
    part_of: str = ""
    """The vector or matrix that shows it as its entry: the table has only that."""


RATES = "`x_dot` is the rate of `x`, `x_ddot` its second derivative."
"""What a table of symbols says instead of a row for each rate."""


class Names:
    """Names in use; a new one is the first of several that is free."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*RESERVED, "t", *taken}

    def fresh(self, *wanted: str) -> str:
        """The first name that is free; the last one is numbered if none is. Rates of a name are taken with it."""
        numbered = (f"{wanted[-1]}_{k}" for k in range(2, 10_000))
        name = next(name for name in (*wanted, *numbered) if not self._taken & _forms(name))
        self._taken |= _forms(name)
        return name


def rows_of_table(quantities: Iterable[Quantity]) -> list[tuple[list[Quantity], str]]:
    """Rows of a table of symbols with their meanings: coordinates and components of one vector share a row."""
    rows = list[tuple[list[Quantity], str]]()
    for quantity in quantities:
        found = re.fullmatch(r"[xyz] (component )?of (.+)", quantity.meaning) if quantity.value is None else None
        meaning = quantity.meaning if found is None else (
            found[2].removeprefix("the ") if found[1] else f"position of {found[2]}")
        if found is not None and rows and rows[-1][1] == meaning:
            rows[-1][0].append(quantity)
        else:
            rows.append(([quantity], meaning))
    return [(listed, meaning if len(listed) > 1 else listed[0].meaning) for listed, meaning in rows]


def with_rates(quantities: Iterable[Quantity]) -> set[str]:
    """Names of quantities, of their rates and second derivatives."""
    return {form for quantity in quantities for form in _forms(quantity.name)}


def _forms(name: str) -> set[str]:
    return {name, f"{name}_dot", f"{name}_ddot"}


def subscripts(names: Iterable[str]) -> dict[str, str]:
    """What stands for each name below a letter: its number where all differ, as of rod-1 and rod-2, or the name."""
    listed = list(names)
    numbers = {name: found[1] for name in listed if (found := re.search(r"[^0-9.]0*([0-9]+)$", name))}
    unique = len(set(numbers.values())) == len(numbers)
    return {name: numbers[name] if unique and name in numbers else symbol_name(name).replace(".", "_")
            for name in listed}
