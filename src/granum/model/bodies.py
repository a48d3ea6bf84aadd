"""Bodies: what has mass, and the fixed points that things hang on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from granum.model.quantities import Entry, Mass, Position


class PointMass(Entry):
    """A mass without size; its start is given in `start`."""

    kind: Literal["point-mass"] = "point-mass"
    mass: Mass
    """Mass [kg]."""


class FixedPoint(Entry):
    """A point of the ground: zero velocity, infinite mass (002 §2.3)."""

    kind: Literal["fixed-point"] = "fixed-point"
    position: Position
    """Where it stays [m]."""


Body = Annotated[PointMass | FixedPoint, Field(discriminator="kind")]
