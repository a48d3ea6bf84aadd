"""Regions: parts of plane or space, for filling, removing and measuring."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from granum.model.kinds import Kind
from granum.model.quantities import Direction, Length, Position


class Region(Kind, section="region"):
    """A part of plane or space."""


class BoxRegion(Region):
    """All points between two corners."""

    kind: Literal["box"] = "box"
    lower: Position
    """Corner with the smallest coordinates [m]."""
    upper: Position
    """Corner with the largest coordinates [m]."""

    @model_validator(mode="after")
    def _has_inside(self) -> BoxRegion:
        if len(self.lower) != len(self.upper):
            raise ValueError("lower and upper have different numbers of components")
        if any(a >= b for a, b in zip(self.lower, self.upper, strict=True)):
            raise ValueError(f"lower {list(self.lower)} must be below upper {list(self.upper)} in every component")
        return self


class RoundRegion(Region):
    """All points of a disk (in the plane) or ball (in space)."""

    kind: Literal["round"] = "round"
    centre: Position
    """Centre [m]."""
    radius: Length
    """Radius [m]."""


class CylinderRegion(Region):
    """All points of a straight cylinder in space."""

    kind: Literal["cylinder"] = "cylinder"
    ends: tuple[Position, Position]
    """Centres of both ends [m]."""
    radius: Length
    """Radius [m]."""


class HalfSpace(Region):
    """All points on the far side of a line (in the plane) or plane (in space)."""

    kind: Literal["half-space"] = "half-space"
    position: Position
    """A point of the border [m]."""
    normal: Direction
    """Direction into the region."""

