"""Probes: measurements during a run, beyond the energy balance and the contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from granum.model.kinds import Kind
from granum.model.quantities import Direction, Length, Name, Plain, Position, Speed, Time
from granum.model.regions import Region


class Probe(Kind, section="probe"):
    """A measurement during a run.

    >>> isinstance(gr.RigidityProbe(), gr.Probe)
    True
    """


class FlowProbe(Probe):
    """Number and mass of the grains that have passed a section in the direction of its normal since the start.

    >>> outlet = gr.FlowProbe(position=(0, 0), normal=(0, -1), half_width="5 cm")
    """

    kind: Literal["flow"] = "flow"
    position: Position
    """A point on the section [m]."""
    normal: Direction
    """Direction of flow that counts as positive."""
    half_width: Length | None = None
    """Half-width of the section about `position` [m]; default: unlimited."""


class PackingProbe(Probe):
    """Packing fraction, coordination number, fabric and mean stress in a region.

    >>> core = gr.PackingProbe(region=gr.RoundRegion(centre=(0, 0.1), radius="5 cm"))
    """

    kind: Literal["packing"] = "packing"
    region: Region
    """Region to measure in."""


class JamProbe(Probe):
    """Verdict on the flow through an opening: flowing, overloaded, waiting, drained, closed or jammed.

    Jammed means: no grain has passed for `window`, an arch of grains that carries force bridges the opening from
    boundary to boundary, and the grains that press on it are slower than `rest_fraction` times the driving speed,
    relative to the boundary. Waiting means: no grain has passed for `window`, but grains upstream move.

    >>> jam = gr.JamProbe(flow="outlet", window="0.5 s")
    """

    kind: Literal["jam"] = "jam"
    flow: Name
    """A flow probe at the middle of the outlet, with its normal pointing downstream."""
    window: Time
    """Time without passage after which the flow counts as stopped [s]; inflow and discharge are averaged over it."""
    rest_fraction: Annotated[Plain, Field(gt=0.0, lt=1.0)] = 1e-3
    """Fraction of the driving speed below which a grain counts as at rest."""
    driving_speed: Speed | None = None
    """Speed of a free grain [m/s]; default: the flow velocity of a drag load, or √(g d) with the mean diameter d where
    gravity drives the flow."""
    backed_up: Region | None = None
    """The flow counts as overloaded if a grain of an earlier batch is in this region when a new batch enters (Sun 1996,
    §6.5.2)."""
    stop: bool = True
    """End the run when the flow has jammed or backed up; if false, only record the verdicts."""


class SectionProbe(Probe):
    """Force and moment across a plane cut through a rigid body or clump while it moves (Souchet).

    >>> cut = gr.SectionProbe(body="arm", position=(0.1, 0), normal=(1, 0))
    """

    kind: Literal["section"] = "section"
    body: Name
    """The body to cut."""
    position: Position
    """A point on the cut, in body axes [m]; the moment refers to it."""
    normal: Direction
    """Normal of the cut, in the same axes; force and moment are exerted on the part behind the cut by the part that
    the normal points into."""


class RigidityProbe(Probe):
    """Size of the largest rigid cluster, redundant contacts and floppy modes at every frame.

    >>> rigidity = gr.RigidityProbe()
    """

    kind: Literal["rigidity"] = "rigidity"
    region: Region | None = None
    """Consider only grains with their centre in this region; default: all grains."""

