"""Belts and chains: r₂ φ₂ = r₁ φ₁ of two pulleys, r₂ φ₂ = -r₁ φ₁ where the belt is crossed."""

from __future__ import annotations

from granum.algebra import Expression
from granum.base.errors import GranumError
from granum.model.connections import Belt
from granum.rows.coupling import Coupled


def row(entry: Belt, coupled: Coupled) -> tuple[Expression, str]:
    """The difference of both ways of the belt [m]; its multiplier is the tension on one side less that on the other."""
    for joint in (coupled.first, coupled.second):
        if joint.kind != "hinge":
            raise GranumError(f'"{joint.name}" is a {joint.kind}, but a belt runs over pulleys on hinges. Use a gear, '
                              "whose ratio may be in m/rad.")
    first, second = entry.radii
    return second * coupled.two - (-first if entry.crossed else first) * coupled.one, "force"
