"""What a region is to grains, and the geometry of each kind by its schema class.

To add a kind, write one file with its schema entry and a subclass of `Geometry`, decorated with `geometry_for(Entry)`.
Points inside, volume and extent are enough for sinks and probes; a region that grains fill says more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from granum.base.errors import GranumError, Problem
from granum.base.kernels import Flags, Floats
from granum.base.rotations import three
from granum.model.regions import Region

OFFSET = 3
"""Column of a flat side, behind its inward normal n: n·x at the side [m]."""
AXIS, RADIUS = 3, 6
"""Columns of a curved side, behind a point of its axis: the direction of the axis (zero for a ball), its radius [m]."""


class Geometry(ABC):
    """A region of the plane or of space, as grains see it."""

    fillable: bool = False
    """Has it an end, and does it say `thinnest`, `sides` and `draw`, so that grains can fill it?"""

    def __init__(self, region: Any) -> None:
        self.region = region

    @abstractmethod
    def vectors(self) -> list[tuple[str, tuple[float, ...]]]:
        """The vectors of the region with their keys; they have as many components as the scene has dimensions."""

    @abstractmethod
    def inside(self, points: Floats) -> Flags:
        """Which of the points (rows; further columns are ignored) are in the region or on its border."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Area of a region of the plane [m²], volume of one of space [m³]; infinite without end."""

    @abstractmethod
    def extent(self) -> tuple[Floats, Floats]:
        """Smallest and largest coordinates, ±∞ where it has no end."""

    @property
    def dimension(self) -> int:
        """2 for a region of the plane, 3 for one of space."""
        return len(self.vectors()[0][1])

    def problems(self, dimension: int, place: str) -> list[Problem]:
        """What does not fit a scene of this dimension, at `place`."""
        where = {2: "2-D", 3: "3-D"}
        return [Problem(f"{place}.{key}", f"found {list(vector)} with {len(vector)} components, but this scene is "
                        f"{where[dimension]}.", f"Give {dimension} components.")
                for key, vector in self.vectors() if len(vector) != dimension]

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Corners of the smallest upright box around it, with three components [m]."""
        lower, upper = self.extent()
        return three(lower), three(upper)

    @property
    def thinnest(self) -> float:
        """Radius of the largest grain that fits in [m]."""
        self._refuse("filled")

    def sides(self) -> tuple[Floats, Floats]:
        """Flat sides (k, 4) and curved sides (k, 7), by the columns above."""
        self._refuse("filled")

    def draw(self, u: Floats, r: Floats) -> Floats:
        """Points (n, 3), evenly spread over the centres a grain of radius r (n,) can have, from u in [0, 1)³."""
        self._refuse("filled")

    def inside_volumes(self, positions: Floats, radii: Floats) -> Floats:
        """(N,): how much of each grain is in the region [m³], in the plane [m²]."""
        self._refuse("measured by the part that grains fill")

    def depth(self, points: Floats) -> Floats:
        """Distance of points (n, 3) to the border, positive inside [m]."""
        flat, curved = self.sides()
        depth = np.full(len(points), np.inf)
        for side in flat:
            np.minimum(depth, points @ side[:OFFSET] - side[OFFSET], out=depth)
        for side in curved:
            d = points - side[:AXIS]
            d = d - np.outer(d @ side[AXIS:RADIUS], side[AXIS:RADIUS])
            np.minimum(depth, side[RADIUS] - np.linalg.norm(d, axis=1), out=depth)
        return depth

    def _refuse(self, what: str) -> NoReturn:
        raise GranumError(f"A region of kind {self.region.kind} cannot be {what}; use a box, round or cylinder region.")


GEOMETRY: dict[type[Region], type[Geometry]] = {}
"""Geometry by the class of the schema entry."""
Kind = TypeVar("Kind", bound=type[Geometry])


def geometry_for(entry: type[Region]) -> Callable[[Kind], Kind]:
    """Register the geometry of a kind of region."""
    def register(kind: Kind) -> Kind:
        GEOMETRY[entry] = kind
        return kind

    return register


def geometry_of(region: Region) -> Geometry:
    """The geometry of a region."""
    if type(region) not in GEOMETRY:
        raise GranumError(f"A region of kind {region.kind} has no geometry; register one with `geometry_for`.")
    return GEOMETRY[type(region)](region)
