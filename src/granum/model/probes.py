"""Probes: what is measured while a scene runs, beyond the energy balance and the contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from granum.model.kinds import Kind
from granum.model.quantities import Direction, Length, Name, Position, Speed, Time
from granum.model.regions import Region


class Probe(Kind, section="probe"):
    """What is measured while a scene runs."""


class FlowProbe(Probe):
    """Grains and mass that pass a section in the direction of its normal, since the start."""

    kind: Literal["flow"] = "flow"
    position: Position
    """A point of the section [m]."""
    normal: Direction
    """Direction in which passages count."""
    half_width: Length | None = None
    """Passages farther than this from the position do not count [m]; left out, all do."""


class PackingProbe(Probe):
    """Packing fraction, coordination number, fabric and mean stress in a region."""

    kind: Literal["packing"] = "packing"
    region: Region
    """Where it is measured."""


class JamProbe(Probe):
    """Verdict on the flow through an opening: flowing, overloaded, drained, closed or jammed.

    Jammed means: no grain has passed for `window`, the fastest grain upstream is slower than `rest_fraction` times the
    driving speed, and an arch of grains that carries force bridges the opening from boundary to boundary.
    """

    kind: Literal["jam"] = "jam"
    flow: Name
    """A flow probe; its position is the middle of the outlet, its normal points downstream."""
    window: Time
    """How long nothing passes before the flow counts as stopped; inflow and discharge are means over it [s]."""
    rest_fraction: Annotated[float, Field(gt=0.0, lt=1.0)] = 1e-3
    """Part of the driving speed below which grains are at rest."""
    driving_speed: Speed | None = None
    """Speed at which a free grain is driven [m/s]; left out, that of the flow of a drag, and √(g d) with the mean
    diameter d where gravity drives."""
    backed_up: Region | None = None
    """The flow is overloaded once, when a batch enters, a grain of an earlier one is in this region (002 §6.5.2)."""
    stop: bool = True
    """End the run when the flow has jammed or grains are backed up; otherwise verdicts are recorded only."""


class SectionProbe(Probe):
    """Force and moment across a plane cut through a rigid body or clump while it moves (004)."""

    kind: Literal["section"] = "section"
    body: Name
    """The body."""
    position: Position
    """A point of the cut, in the axes that describe the body [m]; the moment is about it."""
    normal: Direction
    """Normal of the cut, in the same axes: force and moment act on the part behind the cut, from the part where the
    normal points."""


class RigidityProbe(Probe):
    """Grains of the largest rigid cluster, redundant contacts and floppy modes, at every frame."""

    kind: Literal["rigidity"] = "rigidity"
    region: Region | None = None
    """Only grains with their centre in it, and contacts among them and with the boundary; left out, all."""

