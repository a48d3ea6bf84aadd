"""Loads by formulas that jump or have kinks, in modes (`algebra.switches`), as newton-euler follows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from granum.algebra import Expression, along
from granum.algebra.switches import Switched


class SwitchedLoads(NamedTuple):
    """Formulas of loads in modes."""

    table: list[str]
    """Symbols of the table of bodies, ..."""
    data: list[str]
    """... and of the numbers that the formulas are given, the modes last."""
    outputs: list[Expression]
    arguments: list[Expression]
    rates: list[Expression]
    """ġ of each argument, by the accelerations in the table."""
    causes: list[str]
    """The load of each mode."""
    modes_in: dict[str, int]
    """The first mode of each load that has one."""
    first: int
    """Place of the modes among the numbers."""
    bounding: list[Expression]
    """Formulas in modes, and arguments, that steps must resolve."""


def switched_loads(
    found: Switched, table: list[str], data: Sequence[str], rates: Mapping[Expression, Expression],
    loads: Sequence[tuple[str, Sequence[Expression]]], bounding: Sequence[Expression],
) -> SwitchedLoads:
    """Formulas of loads in modes, with what motions need to follow them.

    Args:
        found: the formulas in modes.
        table, data: symbols of the table of bodies, and of the numbers that the formulas are given.
        rates: of all symbols that change along a motion.
        loads: names of loads, and their formulas.
        bounding: formulas that steps must resolve.
    """
    causes = found.causes([(f'"{name}"', own) for name, own in loads], "a load")
    return SwitchedLoads(table, [*data, *(mode.name for mode in found.modes)], found.outputs, found.arguments,
                         along(found.arguments, rates), causes, found.modes_in(loads), len(data),
                         found.smooth(bounding))
