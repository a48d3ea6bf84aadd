"""Loads: forces from outside and between bodies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from granum.model.quantities import (
    Acceleration,
    Damping,
    Ends,
    Entry,
    ForceVector,
    PointName,
    RestLength,
    Stiffness,
)


class Gravity(Entry):
    """Uniform gravity on every mass."""

    kind: Literal["gravity"] = "gravity"
    acceleration: Acceleration
    """Acceleration of free fall [m/s²], such as [0, -9.81]."""


class Force(Entry):
    """A constant force on one body, or on a point of it."""

    kind: Literal["force"] = "force"
    on: PointName
    """A body, or a point of a rigid body."""
    force: ForceVector
    """Force [N]."""


class Spring(Entry):
    """A spring with damper: tension k (l - l₀) + c dl/dt along the line between two bodies."""

    kind: Literal["spring"] = "spring"
    between: Ends
    stiffness: Stiffness
    """k [N/m]."""
    rest_length: RestLength | None = None
    """l₀ [m]; left out, it is the distance at the start."""
    damping: Damping = 0.0
    """c [N s/m]."""


Load = Annotated[Gravity | Force | Spring, Field(discriminator="kind")]
