"""The start: where a body is and how it moves at t = 0."""

from __future__ import annotations

from granum.model.quantities import Entry, Position, Velocity


class Start(Entry):
    """State of one body at t = 0; bodies of a pattern have a position already."""

    position: Position | None = None
    """Position [m]."""
    velocity: Velocity | None = None
    """Velocity [m/s]; left out, at rest (or as the pattern says)."""


UNREAD = Start()
"""Stands for a start that is given but could not be read."""
