"""What the grains of a pattern or source are, and how they are made: as single grains, or as bodies of parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.base.rotations import three
from granum.grains.generation.clumps import Template, many, template_of
from granum.grains.generation.finder import Finder
from granum.grains.orientation import unrotated
from granum.grains.state import Grains
from granum.model.grains import Grains as Pattern
from granum.model.grains import Source
from granum.state.table import IM, KM, R

Number = TypeVar("Number", float, Floats)
KAPPA = {"disk": 2.0, "sphere": 2.5}
"""κ = m r²/I of homogeneous grains."""


def mass_of(radii: Number, density: float, shape: str) -> Number:
    """m = ρ π r² for disks of unit thickness, ρ 4/3 π r³ for spheres [kg]; of a number or of an array."""
    # a product, because a number and an array to the power of 2 may differ in the last bit
    return density * math.pi * (radii * radii if shape == "disk" else 4.0 / 3.0 * radii**3)


def assemble(t: float, centres: Floats, radii: Floats, velocity: Floats, mass: Floats, kappa: float | Floats,
             material: int | Ints, group: int | Ints, first: int, dimension: int) -> Grains:
    """Grains of one group, or of one each, numbered from `first`, not rotated."""
    n = len(radii)
    x, v = np.zeros((n, 4)), np.zeros((n, 8))
    x[:, :3], x[:, R] = centres, radii
    v[:, :3], v[:, IM], v[:, KM] = velocity, 1.0 / mass, kappa / mass
    return Grains(t, x, v, np.full(n, material, dtype=np.int32), np.arange(first, first + n, dtype=np.int64),
                  np.full(n, group, dtype=np.int32), local_orientation=unrotated(n, dimension))


@dataclass
class GrainKind:
    """Material, density [kg/m³] and shape of the grains of a group, and whether they rotate."""

    find: Finder
    material: int
    density: float
    shape: str
    rotation: bool

    @cached_property
    def template(self) -> Template:
        """Parts of a grain of radius 1."""
        return template_of(self.find.scene, self.shape)

    def made(self, t: float, centres: Floats, radii: Floats, velocity: Floats, group: int, first: int,
             quaternions: Callable[[], Floats]) -> Grains:
        """Grains at centres (n, 3), numbered from `first`; quaternions (n, 4) are asked for where grains have parts."""
        dimension = self.find.dimension
        if self.find.bodily:
            return many(t, self.template, centres, radii, quaternions(), velocity, self.density, self.rotation,
                        self.material, group, first, dimension)
        return assemble(t, centres, radii, velocity, mass_of(radii, self.density, self.shape),
                        KAPPA[self.shape] * self.rotation, self.material, group, first, dimension)


def radius_range(kind: Pattern | Source) -> tuple[float, float]:
    """The smallest and the largest radius that sizes and their scatter can give [m]."""
    sizes = kind.radius
    if kind.radii is not None or (sizes is not None and sizes.values is not None):
        given = kind.radii if sizes is None else sizes.values
        assert given is not None
        low, high = min(given), max(given)
    elif sizes is not None and sizes.mean is not None and sizes.standard_deviation is not None:
        low, high = sizes.mean - 3.0 * sizes.standard_deviation, sizes.mean + 3.0 * sizes.standard_deviation
    else:
        assert sizes is not None and sizes.minimum is not None and sizes.maximum is not None
        low, high = sizes.minimum, sizes.maximum
    return low - kind.scatter_radius, high + kind.scatter_radius


def draw_velocities(kind: Pattern | Source, count: int, rng: Callable[[], np.random.Generator]) -> Floats:
    """(count, 3), or (3,) for all where they are not random [m/s] (Sun 1996, eq. 4.27)."""
    velocity = three(kind.velocity or ())
    if kind.scatter_velocity is None:
        return velocity
    scattered: Floats = velocity + three(kind.scatter_velocity) * rng().uniform(-1.0, 1.0, (count, 3))
    return scattered


def fastest_velocity(kind: Pattern | Source) -> Floats:
    """The velocity with the largest components that grains of this kind may have [m/s]."""
    velocity = three(kind.velocity or ())
    return velocity + np.copysign(three(kind.scatter_velocity or ()), velocity)


def check_kind(find: Finder, place: str, kind: Pattern | Source) -> GrainKind:
    """What the grains of a pattern or source are, after a check of everything that can be wrong with it."""
    material = find.material(place, kind.material)
    density = find.density(place, kind.density, material)
    shape = find.shape(f"{place}.shape", kind.shape)
    find.vector(f"{place}.velocity", kind.velocity)
    find.vector(f"{place}.scatter_velocity", kind.scatter_velocity)
    if isinstance(kind.scatter, tuple):
        find.vector(f"{place}.scatter", kind.scatter)
    wrong = [k for k, point in enumerate(kind.positions or ()) if len(point) != find.dimension]
    if wrong:
        find.vector(f"{place}.positions.{wrong[0]}", (kind.positions or ())[wrong[0]])
    if kind.positions == ():
        find.problem(f"{place}.positions", "is empty.", "Give at least one centre, or a region.")
    if kind.region is not None:
        find.room(place, kind.region)
    if radius_range(kind)[0] <= 0.0:
        find.problem(f"{place}.scatter_radius", f"found {kind.scatter_radius:g} m, which would make radii negative or "
                                                "zero.",
                     "Use a value smaller than the smallest radius.")
    return GrainKind(find, material, density, shape, kind.rotation)
