"""Gears: one joint turns or moves in proportion to another, z₂ = ratio z₁, each counted since the start."""

from __future__ import annotations

from granum.algebra import Expression
from granum.model.connections import Gear
from granum.rows.coupling import Coupled, effort_of


def row(entry: Gear, coupled: Coupled) -> tuple[Expression, str]:
    """z₂ - ratio z₁; its multiplier is the torque or force on the second joint."""
    return coupled.two - entry.ratio * coupled.one, effort_of(coupled.second)
