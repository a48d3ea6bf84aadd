"""Bodies: what has mass and shape, points without mass, and the fixed points that things hang on."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from granum.base.kernels import Floats
from granum.model.quantities import Densities, Density, Entry, Inertia, Length, Mass, Name, Position, Vector3


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


class MasslessPoint(Entry):
    """A point without mass: constraints tell it where to be, and it lets them speak of that place (001 §2.1)."""

    kind: Literal["massless-point"] = "massless-point"


class Rigid(Entry):
    """What all rigid bodies are to the equations: mass, centre, inertia, and points fixed in the body."""

    @abstractmethod
    def properties(self) -> MassProperties:
        """Mass, inertia and offset."""

    @abstractmethod
    def fixed_points(self) -> dict[str, tuple[float, ...]]:
        """Named points, in body axes from the mass centre [m]."""


class MassProperties(NamedTuple):
    """Mass properties in body axes, which have their origin in the mass centre."""

    mass: float
    """[kg]"""
    inertia: Floats
    """(3, 3) about the mass centre [kg m²]."""
    centre: tuple[float, float, float]
    """The geometric centre of a round body, from the mass centre [m]."""
    radius: float | None = None
    """Radius of a round body [m]."""


class RigidBody(Rigid):
    """A rigid body of any shape."""

    kind: Literal["rigid-body"] = "rigid-body"
    mass: Mass
    """Mass [kg]."""
    inertia: Inertia
    """Moments of inertia about the mass centre [kg m²]: three principal ones, or a matrix."""
    points: dict[Name, Vector3] = {}
    """Points of the body by name, from the mass centre [m]."""

    def properties(self) -> MassProperties:
        """As given."""
        given = np.array(self.inertia, dtype=float)
        return MassProperties(self.mass, np.diag(given) if given.ndim == 1 else given, (0.0, 0.0, 0.0))

    def fixed_points(self) -> dict[str, tuple[float, ...]]:
        """As given."""
        return dict(self.points)


class Sphere(Rigid):
    """A homogeneous ball, or a shell where it has an inner radius."""

    kind: Literal["sphere"] = "sphere"
    radius: Length
    """Outer radius [m]."""
    inner_radius: Length | None = None
    """Inner radius [m]; left out, the ball is solid."""
    mass: Mass | None = None
    """Mass [kg]; or give the density."""
    density: Density | None = None
    """Density [kg/m³]."""
    points: dict[Name, Vector3] = {}
    """Points of the body by name, from the centre [m]."""
    material: Name | None = None
    """Among grains: what it is made of; may be left out if the scene has one material."""

    @model_validator(mode="after")
    def _fits_together(self) -> Sphere:
        if (self.mass is None) == (self.density is None):
            raise ValueError("needs exactly one of mass and density")
        if self.inner_radius is not None and self.inner_radius >= self.radius:
            raise ValueError(f"inner_radius {self.inner_radius:g} m must be smaller than radius {self.radius:g} m")
        return self

    def properties(self) -> MassProperties:
        """m = ρ 4/3 π (a³ - b³), I = 2/5 m (a⁵ - b⁵)/(a³ - b³)."""
        a, b = self.radius, self.inner_radius or 0.0
        mass = self.mass if self.mass is not None else 4.0 / 3.0 * math.pi * (a**3 - b**3) * (self.density or 0.0)
        return MassProperties(mass, np.eye(3) * 0.4 * mass * (a**5 - b**5) / (a**3 - b**3), (0.0, 0.0, 0.0), a)

    def fixed_points(self) -> dict[str, tuple[float, ...]]:
        """As given."""
        return dict(self.points)


class Disk(Entry):
    """A homogeneous disk that moves in the plane."""

    kind: Literal["disk"] = "disk"
    radius: Length
    """[m]"""
    mass: Mass | None = None
    """Mass [kg]; or give the density, or that of the material counts."""
    density: Density | None = None
    """Density [kg/m³], for a thickness of 1 m."""
    material: Name | None = None
    """What it is made of; may be left out if the scene has one material."""

    @model_validator(mode="after")
    def _fits_together(self) -> Disk:
        if self.mass is not None and self.density is not None:
            raise ValueError("needs at most one of mass and density")
        return self


class TwoHalfShell(Rigid):
    """A spherical shell of two halves of different density (001 §3); the body's x axis points to the second."""

    kind: Literal["two-half-shell"] = "two-half-shell"
    outer_radius: Length
    """[m]"""
    inner_radius: Length
    """[m]"""
    density: Densities
    """Densities of the half at negative x and of that at positive x [kg/m³]."""

    @model_validator(mode="after")
    def _fits_together(self) -> TwoHalfShell:
        if self.inner_radius >= self.outer_radius:
            raise ValueError(f"inner_radius {self.inner_radius:g} m must be smaller than outer_radius "
                             f"{self.outer_radius:g} m")
        return self

    def properties(self) -> MassProperties:
        """Closed forms of half shells: first moment π/4 ρ (a⁴ - b⁴), each moment about O 4π/15 ρ (a⁵ - b⁵)."""
        a, b = self.outer_radius, self.inner_radius
        heavy, light = self.density
        mass = 2.0 / 3.0 * math.pi * (a**3 - b**3) * (heavy + light)
        offset = math.pi / 4.0 * (a**4 - b**4) * (light - heavy) / mass
        about_centre = 4.0 * math.pi / 15.0 * (a**5 - b**5) * (heavy + light)
        across = about_centre - mass * offset**2
        return MassProperties(mass, np.diag([about_centre, across, across]), (-offset, 0.0, 0.0), a)

    def fixed_points(self) -> dict[str, tuple[float, ...]]:
        """The centre of the shell."""
        return {"centre": self.properties().centre}


class ClumpSphere(Entry):
    """One sphere of a clump."""

    at: Vector3
    """Centre, in axes of the clump [m]."""
    radius: Length
    """[m]"""
    mass: Mass | None = None
    """Mass [kg]; or give the density."""
    density: Density | None = None
    """[kg/m³]"""

    @model_validator(mode="after")
    def _fits_together(self) -> ClumpSphere:
        if (self.mass is None) == (self.density is None):
            raise ValueError("needs exactly one of mass and density")
        return self

    @property
    def weight(self) -> float:
        """Mass [kg]."""
        return self.mass if self.mass is not None else 4.0 / 3.0 * math.pi * self.radius**3 * (self.density or 0.0)


class Clump(Rigid):
    """A rigid assembly of solid spheres (000 §2); its points are their centres, named 1, 2, ..."""

    kind: Literal["clump"] = "clump"
    spheres: tuple[ClumpSphere, ...] = Field(min_length=1, max_length=1000)
    """The spheres; where they overlap, both count."""

    def _centre(self) -> tuple[float, Floats]:
        mass = sum(sphere.weight for sphere in self.spheres)
        centre: Floats = sum((sphere.weight * np.array(sphere.at) for sphere in self.spheres), np.zeros(3)) / mass
        return mass, centre

    def properties(self) -> MassProperties:
        """Sums over the spheres, by Steiner's theorem."""
        mass, centre = self._centre()
        inertia = np.zeros((3, 3))
        for sphere in self.spheres:
            d = np.array(sphere.at) - centre
            inertia += sphere.weight * ((0.4 * sphere.radius**2 + d @ d) * np.eye(3) - np.outer(d, d))
        return MassProperties(mass, inertia, (0.0, 0.0, 0.0))

    def fixed_points(self) -> dict[str, tuple[float, ...]]:
        """Centres of the spheres."""
        _, centre = self._centre()
        return {str(k + 1): tuple(np.array(sphere.at) - centre) for k, sphere in enumerate(self.spheres)}


Body = Annotated[
    PointMass | FixedPoint | MasslessPoint | RigidBody | Sphere | Disk | TwoHalfShell | Clump,
    Field(discriminator="kind")]
