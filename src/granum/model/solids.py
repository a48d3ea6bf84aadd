"""Solid bodies: spheres, disks, ellipsoids, shells, rods and blocks, with mass and inertia in closed form."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from granum.base.errors import GranumError
from granum.model.body_entries import MassProperties, Rigid, inertia_matrix
from granum.model.quantities import Densities, Density, Inertia, Length, Lengths, Mass, Name, Position


def _check_hollow(shell: Any) -> Any:
    """The inner radius of a shell, where it has one, is smaller than the outer."""
    if shell.inner_radius is not None and shell.inner_radius >= shell.radius:
        raise ValueError(f"inner_radius {shell.inner_radius:g} m must be smaller than radius {shell.radius:g} m")
    return shell


class _Solid(Rigid):
    """A body of one density, which the scene gives by mass or by density."""

    mass: Mass | None = None
    """Mass [kg]; alternative: `density`."""
    density: Density | None = None
    """Density [kg/m³]."""

    @model_validator(mode="after")
    def _one_of_both(self) -> _Solid:
        if (self.mass is None) == (self.density is None):
            raise ValueError("needs either mass or density")
        return self

    def _filled(self, volume: float) -> float:
        """Mass of a volume [m³] [kg]."""
        return self.mass if self.mass is not None else volume * (self.density or 0.0)


class _OfMaterial(Rigid):
    """A body of one density, which the scene gives by mass, by density or, among grains, by its material."""

    mass: Mass | None = None
    """Mass [kg]; alternatives: `density`, or the density of the material."""
    density: Density | None = None
    """Density [kg/m³]; of a disk for a thickness of 1 m (2-D)."""
    material: Name | None = None
    """Material, in scenes with grains; optional if the scene has only one."""

    @model_validator(mode="after")
    def _not_both(self) -> _OfMaterial:
        if self.mass is not None and self.density is not None:
            raise ValueError("takes mass or density, not both")
        return self

    def _filled(self, volume: float) -> float:
        """Mass of a volume [m³] [kg]."""
        if self.mass is None and self.density is None:
            raise GranumError("needs mass or density.")
        return self.mass if self.mass is not None else volume * (self.density or 0.0)


class Sphere(_OfMaterial):
    """A homogeneous ball, or a spherical shell if `inner_radius` is given.

    >>> ball = gr.Sphere(radius="11 cm", density=800.0)
    """

    kind: Literal["sphere"] = "sphere"
    radius: Length
    """Outer radius [m]."""
    inner_radius: Length | None = None
    """Inner radius [m]; default: a solid ball."""

    _hollow = model_validator(mode="after")(_check_hollow)

    def properties(self) -> MassProperties:
        """m = ρ 4/3 π (a³ - b³), I = 2/5 m (a⁵ - b⁵)/(a³ - b³)."""
        a, b = self.radius, self.inner_radius or 0.0
        mass = self._filled(4.0 / 3.0 * math.pi * (a**3 - b**3))
        return MassProperties(mass, np.eye(3) * 0.4 * mass * (a**5 - b**5) / (a**3 - b**3), (0.0, 0.0, 0.0), a)


class Disk(_OfMaterial):
    """A homogeneous disk (2-D), or a thin disk such as a coin or a wheel (3-D), about its z axis.

    >>> disk = gr.Disk(radius="5 cm", mass="1 kg")
    """

    kind: Literal["disk"] = "disk"
    radius: Length
    """Radius [m]."""
    inertia: Inertia | None = None
    """Moments of inertia about the mass centre [kg m²], of a wheel that is not homogeneous (3-D); default: m r²/4, m
    r²/4 and m r²/2 about the axis."""

    def properties(self) -> MassProperties:
        """m = ρ π r² 1 m, I = m r²/2 about the axis, or as given."""
        mass = self._filled(math.pi * self.radius**2)
        across = mass * self.radius**2 / 4.0
        inertia = inertia_matrix(self.inertia) if self.inertia is not None else np.diag([across, across, 2.0 * across])
        return MassProperties(mass, inertia, (0.0, 0.0, 0.0), self.radius, (self.radius, self.radius, 0.0))


class Ellipsoid(_Solid):
    """An ellipsoid (3-D): homogeneous, or with its own mass centre and inertia, such as a rattleback.

    >>> egg = gr.Ellipsoid(semi_axes=("3 cm", "2 cm", "2 cm"), density=1000.0)
    """

    kind: Literal["ellipsoid"] = "ellipsoid"
    semi_axes: Lengths = Field(min_length=3, max_length=3)
    """Semi-axes along its axes, which have their origin at the centre of the ellipsoid [m]."""
    mass_centre: Position | None = None
    """Mass centre, from the centre of the ellipsoid [m]; default: the centre. Needs `inertia`."""
    inertia: Inertia | None = None
    """Moments of inertia about the mass centre [kg m²]: three principal moments or a matrix; default: homogeneous."""

    @model_validator(mode="after")
    def _weighted(self) -> Ellipsoid:
        if self.mass_centre is not None and self.inertia is None:
            raise ValueError("mass_centre needs inertia: a body whose mass centre is elsewhere is not homogeneous")
        return self

    def properties(self) -> MassProperties:
        """m = ρ 4/3 π a b c, I = m (b² + c²)/5 and so on, or as given."""
        a, b, c = self.semi_axes
        mass = self._filled(4.0 / 3.0 * math.pi * a * b * c)
        inertia = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 5.0 if self.inertia is None else \
            inertia_matrix(self.inertia)
        x, y, z = self.origin()
        return MassProperties(mass, inertia, (-x, -y, -z), semi_axes=(a, b, c))

    def origin(self) -> tuple[float, float, float]:
        """As given."""
        x, y, z = (*(self.mass_centre or ()), 0.0, 0.0, 0.0)[:3]
        return x, y, z

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """The centre of the ellipsoid."""
        return {"centre": (0.0, 0.0, 0.0)}


class Rod(_Solid):
    """A straight rod along its x axis, thin or a solid cylinder; its ends are the points `tail` and `head`.

    >>> arm = gr.Rod(length="1 m", mass=3.0, points={"middle": (0.0, 0.0)})
    """

    kind: Literal["rod"] = "rod"
    length: Length
    """Length from tail to head [m]."""
    radius: Length | None = None
    """Radius [m]; default: a thin rod without a moment of inertia about its own axis."""

    @model_validator(mode="after")
    def _has_volume(self) -> Rod:
        if self.density is not None and self.radius is None:
            raise ValueError("density needs a radius; for a thin rod give its mass")
        return self

    def properties(self) -> MassProperties:
        """m r²/2 along the axis, m (3 r² + l²)/12 across."""
        r = self.radius or 0.0
        mass = self._filled(math.pi * r * r * self.length)
        across = mass * (3.0 * r * r + self.length**2) / 12.0
        return MassProperties(mass, np.diag([0.5 * mass * r * r, across, across]), (0.0, 0.0, 0.0),
                              semi_axes=(math.inf, r, r) if r else None)

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """Both ends."""
        return {"tail": (-0.5 * self.length, 0.0, 0.0), "head": (0.5 * self.length, 0.0, 0.0)}


class Block(_Solid):
    """A homogeneous rectangular block; in 2-D, a plate of 1 m thickness.

    >>> brick = gr.Block(size=("24 cm", "11 cm", "7 cm"), density=1800.0)
    """

    kind: Literal["block"] = "block"
    size: Lengths = Field(min_length=2, max_length=3)
    """Edge lengths along its axes [m]."""

    def properties(self) -> MassProperties:
        """m (b² + c²)/12 and so on; of a plate m b²/12, m a²/12, m (a² + b²)/12."""
        a, b, c = (*self.size, 0.0)[:3]
        mass = self._filled(a * b * (c or 1.0))
        inertia = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12.0
        return MassProperties(mass, inertia, (0.0, 0.0, 0.0))


class HalfShell(_Solid):
    """Half of a ball or spherical shell, at positive x; its axes have their origin at the centre of the sphere.

    >>> bowl = gr.HalfShell(radius=0.09, inner_radius=0.08, density=7874.0)
    """

    kind: Literal["half-shell"] = "half-shell"
    radius: Length
    """Radius [m]."""
    inner_radius: Length | None = None
    """Inner radius [m]; default: half a solid ball."""

    _hollow = model_validator(mode="after")(_check_hollow)

    def properties(self) -> MassProperties:
        """2/5 m (a⁵ - b⁵)/(a³ - b³) about every axis through the centre, less m x² across the axis."""
        a, b = self.radius, self.inner_radius or 0.0
        mass, x = self._filled(2.0 / 3.0 * math.pi * (a**3 - b**3)), self.origin()[0]
        about_centre = 0.4 * mass * (a**5 - b**5) / (a**3 - b**3)
        across = about_centre - mass * x * x
        return MassProperties(mass, np.diag([about_centre, across, across]), (-x, 0.0, 0.0), a)

    def origin(self) -> tuple[float, float, float]:
        """x = 3/8 (a⁴ - b⁴)/(a³ - b³)."""
        a, b = self.radius, self.inner_radius or 0.0
        return 0.375 * (a**4 - b**4) / (a**3 - b**3), 0.0, 0.0

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """The centre of the sphere."""
        return {"centre": (0.0, 0.0, 0.0)}


class TwoHalfShell(Rigid):
    """A spherical shell of two halves of different density (Udwadia and Mogharabin 2022, §3).

    Its axes have their origin at the centre of the sphere; x points to the second half.

    >>> shell = gr.TwoHalfShell(radius=0.09, inner_radius=0.08, density=(10490.0, 7874.0))
    """

    kind: Literal["two-half-shell"] = "two-half-shell"
    radius: Length
    """Radius [m]."""
    inner_radius: Length
    """Inner radius [m]."""
    density: Densities
    """Densities of the half at negative x and of the half at positive x [kg/m³]."""

    _hollow = model_validator(mode="after")(_check_hollow)

    def properties(self) -> MassProperties:
        """Closed forms of half shells: first moment π/4 ρ (a⁴ - b⁴), each moment about O 4π/15 ρ (a⁵ - b⁵)."""
        a, b, (offset, _, _) = self.radius, self.inner_radius, self.origin()
        mass = 2.0 / 3.0 * math.pi * (a**3 - b**3) * sum(self.density)
        about_centre = 4.0 * math.pi / 15.0 * (a**5 - b**5) * sum(self.density)
        across = about_centre - mass * offset**2
        return MassProperties(mass, np.diag([about_centre, across, across]), (-offset, 0.0, 0.0), a)

    def origin(self) -> tuple[float, float, float]:
        """x = 3/8 (a⁴ - b⁴)/(a³ - b³) (ρ₂ - ρ₁)/(ρ₂ + ρ₁)."""
        a, b, (heavy, light) = self.radius, self.inner_radius, self.density
        mass = 2.0 / 3.0 * math.pi * (a**3 - b**3) * (heavy + light)
        return math.pi / 4.0 * (a**4 - b**4) * (light - heavy) / mass, 0.0, 0.0

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """The centre of the shell."""
        return {"centre": (0.0, 0.0, 0.0)}
