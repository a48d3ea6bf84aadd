"""Populations of grains: sizes, initial positions, inflow and outflow."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from granum.model.patterns import Pattern
from granum.model.quantities import (
    Count,
    Density,
    Entry,
    Length,
    Lengths,
    Name,
    Number,
    Plain,
    Position,
    Scatter,
    ScatterVelocity,
    Time,
    Velocity,
)
from granum.model.regions import Region


class Sizes(Entry):
    """A distribution of radii, by number of grains.

    >>> sizes = gr.Sizes(minimum="4 mm", maximum="6 mm")
    """

    minimum: Length | None = None
    """Uniform distribution: smallest radius [m] (Sun 1996, eq. 4.27)."""
    maximum: Length | None = None
    """Uniform distribution: largest radius [m]."""
    mean: Length | None = None
    """Normal distribution, truncated at three standard deviations: mean [m]."""
    standard_deviation: Length | None = None
    """Normal distribution: standard deviation [m]."""
    values: Lengths | None = None
    """Discrete distribution: radii [m]."""
    weights: tuple[Number, ...] | None = None
    """Discrete distribution: relative frequency of each of `values`; default: equal."""

    @model_validator(mode="after")
    def _one_kind(self) -> Sizes:
        given = [self.minimum is not None or self.maximum is not None,
                 self.mean is not None or self.standard_deviation is not None, self.values is not None]
        if sum(given) != 1:
            raise ValueError("needs one of: minimum and maximum, mean and standard_deviation, values")
        if given[0] and (self.minimum is None or self.maximum is None or self.minimum > self.maximum):
            raise ValueError("needs minimum and maximum, and minimum must not exceed maximum")
        if given[1] and (self.mean is None or self.standard_deviation is None
                         or 3.0 * self.standard_deviation >= self.mean):
            raise ValueError("needs mean and standard_deviation, and standard_deviation must be below a third of mean")
        if self.weights is not None and (self.values is None or len(self.values) != len(self.weights)
                                         or min(self.weights) < 0.0 or sum(self.weights) == 0.0):
            raise ValueError("needs values and one weight for each of them, none negative and not all zero")
        return self


def _sizes(value: object) -> object:
    """A number is one size, two numbers are minimum and maximum."""
    if isinstance(value, list | tuple):
        if len(value) != 2:
            raise ValueError(f"found {value!r}, but a radius is a number, [minimum, maximum], or a table such as "
                             "{ mean = 0.01, standard_deviation = 0.001 }")
        return {"minimum": value[0], "maximum": value[1]}
    if isinstance(value, int | float | str):
        return {"minimum": value, "maximum": value}
    return value


class _Kind(Entry):
    """The kind of grain in a group."""

    shape: Name | None = None
    """`disk` (2-D, of unit thickness), `sphere`, or the name of a shape of the scene; default: disks in 2-D, spheres in
    3-D. Grains of named shapes start with random orientation."""
    radius: Annotated[
        Sizes, BeforeValidator(_sizes, json_schema_input_type=Length | tuple[Length, Length] | Sizes)] | None = None
    """Radius [m]: a number, [minimum, maximum], or a distribution."""
    radii: Lengths | None = None
    """Radius of each grain, one per entry of `positions` [m]."""
    material: Name | None = None
    """Material; optional if the scene has only one."""
    density: Density | None = None
    """Density [kg/m³]; default: that of the material."""
    velocity: Velocity | None = None
    """Initial velocity of each grain [m/s]; default: at rest."""
    scatter_velocity: ScatterVelocity | None = None
    """Half-widths of a uniform random change of each component of the velocity [m/s] (Sun 1996, eq. 4.27)."""
    rotation: bool = True
    """Whether grains rotate; those of Sun (1996), §4.3.2, do not."""
    positions: tuple[Position, ...] | None = None
    """Centres, or the points about which they are scattered (Sun 1996, fig. 4.6) [m]."""
    scatter: Scatter | None = None
    """Uniform random displacement of each centre [m]: half-widths along the axes, or one number, the radius of a circle
    (3-D: of a ball)."""
    scatter_radius: Annotated[Number, Field(ge=0.0)] = 0.0
    """Half-width of a uniform random change of each radius [m]."""

    @model_validator(mode="after")
    def _has_sizes(self) -> _Kind:
        if (self.radius is None) == (self.radii is None):
            raise ValueError("needs either radius or radii")
        if self.radii is not None and (self.positions is None or len(self.positions) != len(self.radii)):
            raise ValueError("radii needs positions, with one radius for each")
        if self.scatter is not None and self.positions is None:
            raise ValueError("scatter needs positions, which it displaces")
        return self


class Grains(_Kind, Pattern):
    """Grains present at the start, named `<name>-1`, `<name>-2`, ...

    >>> sand = gr.Grains(count=400, radius="5 mm", region=gr.BoxRegion(lower=(0, 0), upper=(0.3, 0.3)))
    """

    kind: Literal["grains"] = "grains"
    count: Count | None = None
    """Number of grains; alternatives: `packing_fraction`, `positions`."""
    packing_fraction: Annotated[Plain, Field(gt=0.0, lt=1.0)] | None = None
    """Fraction of the region's area (disks) or volume (spheres) filled by grains."""
    region: Region | None = None
    """Region to fill."""
    arrangement: Literal["random", "lattice", "dense"] = "random"
    """At random without overlap; on a triangular lattice; or random and dense, found by growing the grains."""

    @model_validator(mode="after")
    def _says_how_many(self) -> Grains:
        if self.positions is not None:
            if self.count is not None or self.packing_fraction is not None or self.region is not None:
                raise ValueError("positions gives the centres; remove count, packing_fraction and region")
        elif self.region is None or (self.count is None) == (self.packing_fraction is None):
            raise ValueError("needs positions, or a region and either count or packing_fraction")
        return self


class Source(_Kind):
    """Grains that enter during a run, in batches or one by one, named `<name>-1`, `<name>-2`, ...

    >>> rain = gr.Source(radius="5 mm", region=gr.BoxRegion(lower=(0, 0.5), upper=(0.3, 0.6)), interval="0.1 s")
    """

    region: Region | None = None
    """Region in which they appear at random without overlap; alternative: `positions`."""
    interval: Time
    """Time between batches [s]; the first enters at `start_time`."""
    scatter_interval: Annotated[Number, Field(ge=0.0)] = 0.0
    """Half-width of a uniform random change of each interval [s]."""
    count: Count = 1
    """Grains per batch; ignored with `positions`, each of which gets one."""
    start_time: Number = 0.0
    """Time of the first batch [s]."""
    until: Number | None = None
    """Time after which no more grains enter [s]; default: none."""
    max_count: Count | None = None
    """Total number of grains that enter; default: unlimited."""
    overlap: Literal["wait", "allow", "skip"] = "wait"
    """What to do if a new grain would overlap another: wait until there is room, insert it anyway (as in the program of
    Sun 1996), or skip it."""

    @model_validator(mode="after")
    def _has_place(self) -> Source:
        if (self.positions is None) == (self.region is None):
            raise ValueError("needs either region or positions")
        if self.overlap == "allow" and self.scatter is None and len(set(self.positions or ())) < len(
                self.positions or ()):
            raise ValueError("two of its positions coincide, so these grains would have no contact direction; move one")
        if self.start_time < 0.0:
            raise ValueError(f"found start_time = {self.start_time:g} s, but it must not be negative")
        if self.scatter_interval >= self.interval:
            raise ValueError(f"found scatter_interval = {self.scatter_interval:g} s, but it must be smaller than "
                             f"interval = {self.interval:g} s")
        return self


class Sink(Entry):
    """Removes grains whose centre is in the region.

    >>> drain = gr.Sink(region=gr.HalfSpace(position=(0, -1), normal=(0, -1)))
    """

    region: Region
    """Region in which grains are removed."""
