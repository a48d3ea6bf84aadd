"""Couplings: the motion of one joint follows from that of another, whatever bodies they join.

A coupling acts on up to four bodies, so it is no row of the tables, whose rows join two: formulas take it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from granum.algebra import Expression
from granum.rows.joint import Joint


class Coupled(NamedTuple):
    """The two joints of a coupling."""

    first: Joint
    second: Joint
    one: Expression
    """Angle [rad] or displacement [m] of the first since the start, ..."""
    two: Expression
    """... and of the second."""
    parameters: Mapping[str, float]
    """Of [system], which formulas may name."""


def effort_of(joint: Joint) -> str:
    """What acts along a joint."""
    return "torque" if joint.kind == "hinge" else "force"
