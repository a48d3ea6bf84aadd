"""Regions for filling with grains, removing grains and measuring."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from granum.model.kinds import Kind
from granum.model.quantities import Direction, Length, Position


class Region(Kind, section="region"):
    """A region in 2-D or 3-D.

    >>> isinstance(gr.RoundRegion(centre=(0, 0), radius=1), gr.Region)
    True
    """


class BoxRegion(Region):
    """An axis-aligned box, given by two corners.

    >>> region = gr.BoxRegion(lower=(0, 0), upper=("30 cm", "20 cm"))
    """

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
    """A disk (2-D) or ball (3-D).

    >>> region = gr.RoundRegion(centre=(0, 0), radius="10 cm")
    """

    kind: Literal["round"] = "round"
    centre: Position
    """Centre [m]."""
    radius: Length
    """Radius [m]."""


class CylinderRegion(Region):
    """A circular cylinder (3-D).

    >>> region = gr.CylinderRegion(ends=[(0, 0, 0), (0, 0, 1)], radius=0.2)
    """

    kind: Literal["cylinder"] = "cylinder"
    ends: tuple[Position, Position]
    """Centres of the two ends [m]."""
    radius: Length
    """Radius [m]."""


class HalfSpace(Region):
    """The half-plane (2-D) or half-space (3-D) that the normal points into.

    >>> region = gr.HalfSpace(position=(0, 0), normal=(0, -1))
    """

    kind: Literal["half-space"] = "half-space"
    position: Position
    """A point on the border [m]."""
    normal: Direction
    """Direction into the region."""

