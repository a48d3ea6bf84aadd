"""Grains by the many: sizes, where they are at the start, where they enter and leave."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from granum.model.patterns import Pattern
from granum.model.quantities import Count, Density, Entry, Length, Lengths, Name, Number, Position, Time, Velocity
from granum.model.regions import Region


class Sizes(Entry):
    """A distribution of radii, by number of grains."""

    minimum: Length | None = None
    """Uniform between minimum and maximum [m] (002 eq 4.27)."""
    maximum: Length | None = None
    """Largest radius of a uniform distribution [m]."""
    mean: Length | None = None
    """Normal with this mean and standard deviation [m], cut off at three standard deviations."""
    standard_deviation: Length | None = None
    """Standard deviation of a normal distribution [m]."""
    values: Lengths | None = None
    """Some sizes [m], each as often as its weight says."""
    weights: tuple[Number, ...] | None = None
    """How often each of `values` is, relative to the others; left out, equally often."""

    @model_validator(mode="after")
    def _one_kind(self) -> Sizes:
        given = [self.minimum is not None or self.maximum is not None,
                 self.mean is not None or self.standard_deviation is not None, self.values is not None]
        if sum(given) != 1:
            raise ValueError("needs one of minimum and maximum, mean and standard_deviation, values and weights")
        if given[0] and (self.minimum is None or self.maximum is None or self.minimum > self.maximum):
            raise ValueError("needs minimum and maximum, in this order")
        if given[1] and (self.mean is None or self.standard_deviation is None
                         or 3.0 * self.standard_deviation >= self.mean):
            raise ValueError("needs a mean and a standard_deviation below a third of it")
        if self.weights is not None and (self.values is None or len(self.values) != len(self.weights)
                                         or min(self.weights) < 0.0 or sum(self.weights) == 0.0):
            raise ValueError("needs a weight for each of the values, none of them negative and not all zero")
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
    """What single grains of a group are."""

    shape: Name | None = None
    """`disk` (of unit thickness, in the plane), `sphere`, or the name of a shape in the scene; left out, disks in the
    plane and spheres in space. Grains of other shapes start turned at random."""
    radius: Annotated[
        Sizes, BeforeValidator(_sizes, json_schema_input_type=Length | tuple[Length, Length] | Sizes)] | None = None
    """Radius [m]: a number, [minimum, maximum], or a distribution."""
    radii: Lengths | None = None
    """Radius of each single grain, beside `positions` [m]."""
    material: Name | None = None
    """What they are made of; may be left out if the scene has one material."""
    density: Density | None = None
    """Density [kg/m³]; left out, that of the material."""
    velocity: Velocity | None = None
    """Velocity of each [m/s]; left out, at rest."""
    rotation: bool = True
    """Do they rotate? Those of the thesis do not (002 §4.3.2)."""
    positions: tuple[Position, ...] | None = None
    """Centres, or the points around which they are scattered (002 fig 4.6) [m]."""
    scatter: Position | None = None
    """Half widths of a random displacement of each centre [m]."""
    scatter_radius: Annotated[Number, Field(ge=0.0)] = 0.0
    """Half width of a random change of each radius [m]."""

    @model_validator(mode="after")
    def _has_sizes(self) -> _Kind:
        if (self.radius is None) == (self.radii is None):
            raise ValueError("needs exactly one of radius and radii")
        if self.radii is not None and (self.positions is None or len(self.positions) != len(self.radii)):
            raise ValueError("radii are given one by one beside positions: one radius for each centre")
        if self.scatter is not None and self.positions is None:
            raise ValueError("scatter displaces centres that are given by positions")
        return self


class Grains(_Kind, Pattern):
    """Many grains at the start, named `<name>-1`, `<name>-2`, ..."""

    kind: Literal["grains"] = "grains"
    count: Count | None = None
    """How many; or give the packing fraction, or centres."""
    packing_fraction: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    """Part of the region's area (disks) or volume (spheres) that grains fill."""
    region: Region | None = None
    """Where they are."""
    arrangement: Literal["random", "lattice", "dense"] = "random"
    """At random without overlap; on a triangular lattice; or random and as dense as wanted, found by growth."""

    @model_validator(mode="after")
    def _says_how_many(self) -> Grains:
        if self.positions is not None:
            if self.count is not None or self.packing_fraction is not None or self.region is not None:
                raise ValueError("centres are given by positions; leave out count, packing_fraction and region")
        elif self.region is None or (self.count is None) == (self.packing_fraction is None):
            raise ValueError("needs a region and exactly one of count and packing_fraction, or positions")
        return self


class Source(_Kind):
    """Where grains enter during a run, in batches or one by one, named `<name>-1`, `<name>-2`, ..."""

    region: Region | None = None
    """Where they appear at random without overlap; or give positions."""
    interval: Time
    """Time between batches [s]; the first comes at `start_time`."""
    count: Count = 1
    """Grains of a batch; with positions it is their number."""
    start_time: Number = 0.0
    """Time of the first batch [s]."""
    until: Number | None = None
    """Time after which no more come [s]."""
    max_count: Count | None = None
    """How many come in all."""
    overlap: Literal["wait", "allow", "skip"] = "wait"
    """What happens where a grain would overlap another: it waits until there is room, it comes anyway (as in the
    thesis' program), or it is left out."""

    @model_validator(mode="after")
    def _has_place(self) -> Source:
        if (self.positions is None) == (self.region is None):
            raise ValueError("needs exactly one of region and positions")
        if self.overlap == "allow" and self.scatter is None and len(set(self.positions or ())) < len(
                self.positions or ()):
            raise ValueError("two of its positions are the same: grains at one point have no direction of contact")
        if self.start_time < 0.0:
            raise ValueError(f"start_time {self.start_time:g} s must not be before the start of the run")
        return self


class Sink(Entry):
    """Where grains leave: those with their centre in the region are taken away."""

    region: Region
    """Where grains leave."""
