"""Probes: what is measured while a scene runs, beyond the energy balance and the contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from granum.model.quantities import Direction, Entry, Length, Name, Position, Time
from granum.model.regions import Region


class FlowProbe(Entry):
    """Grains and mass that pass a section in the direction of its normal, since the start."""

    kind: Literal["flow"] = "flow"
    point: Position
    normal: Direction
    half_width: Length | None = None
    """Passages farther than this from the point do not count [m]; left out, all do."""


class PackingProbe(Entry):
    """Packing fraction, coordination number, fabric and mean stress in a region."""

    kind: Literal["packing"] = "packing"
    region: Region


class JamProbe(Entry):
    """Has the flow stopped? No grain passes for `time` although grains are there."""

    kind: Literal["jam"] = "jam"
    flow: Name
    """A flow probe."""
    time: Time
    """How long nothing passes before it counts as a jam [s]."""
    backed_up: Region | None = None
    """A jam is also noted as soon as a grain is pushed back into this region (the buffer is full, 002 §6.5.2)."""
    stop: bool = True
    """End the run there."""


class SectionProbe(Entry):
    """Force and moment across a plane cut through a rigid body or clump while it moves (004)."""

    kind: Literal["section"] = "section"
    body: Name
    """The body."""
    point: Position
    """A point of the cut, in the axes that describe the body [m]; the moment is about it."""
    normal: Direction
    """Normal of the cut, in the same axes: force and moment act on the part behind the cut, from the part where the
    normal points."""


class RigidityProbe(Entry):
    """Grains of the largest rigid cluster, redundant contacts and floppy modes, at every frame."""

    kind: Literal["rigidity"] = "rigidity"
    region: Region | None = None
    """Only grains with their centre in it, and contacts among them and with the boundary; left out, all."""


Probe = Annotated[FlowProbe | PackingProbe | JamProbe | RigidityProbe | SectionProbe, Field(discriminator="kind")]
