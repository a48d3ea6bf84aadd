"""Clumps: rigid assemblies of disks or balls, as single bodies and as the shape of many grains."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.body_entries import MassProperties, Rigid, ball_volume
from granum.model.quantities import Density, Entry, Length, Mass, Name, Position
from granum.model.unions import union_of_balls, union_of_disks


class Part(Entry):
    """One ball or disk of a clump.

    >>> part = gr.Part(centre=("-1 cm", 0), radius="1 cm")
    """

    centre: Position
    """Centre, in the axes of the clump [m]."""
    radius: Length
    """Radius [m]."""
    mass: Mass | None = None
    """Mass [kg]; parts with their own mass or density count twice where they overlap."""
    density: Density | None = None
    """Density [kg/m³], instead of `mass`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Part:
        if self.mass is not None and self.density is not None:
            raise ValueError("takes mass or density, not both")
        return self


class _Parts(Entry):
    spheres: tuple[Part, ...] = Field(default=(), max_length=1000)
    """Spheres, in 3-D or 2-D; give either `spheres` or `disks`."""
    disks: tuple[Part, ...] = Field(default=(), max_length=1000)
    """Disks of 1 m thickness, in 2-D."""

    @model_validator(mode="after")
    def _of_one_kind(self) -> _Parts:
        if bool(self.spheres) == bool(self.disks):
            raise ValueError("needs at least one sphere or disk, in spheres or disks but not both")
        if self.disks and any(len(part.centre) != 2 for part in self.disks):
            raise ValueError("disks are 2-D: their centres have 2 components")
        return self

    @property
    def flat(self) -> bool:
        """Are its parts disks?"""
        return bool(self.disks)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its balls or disks."""
        return self.disks or self.spheres

    def centres(self) -> Floats:
        """(n, 3) of the parts, in the axes that describe it [m]."""
        return np.array([(*part.centre, 0.0)[:3] for part in self.parts])

    def radii(self) -> Floats:
        """(n,) of the parts [m]."""
        return np.array([part.radius for part in self.parts])

    def union(self) -> tuple[float, Floats, Floats]:
        """Volume (area of disks), its centre and moments about it per density, where every point counts once."""
        if self.flat:
            area, middle, polar = union_of_disks(self.centres()[:, :2], self.radii())
            return area, np.array([*middle, 0.0]), polar * np.diag([0.5, 0.5, 1.0])
        return union_of_balls(self.centres(), self.radii())


class Clump(_Parts, Rigid):
    """A rigid assembly of spheres or disks (Vinogradov, §2); their centres are its points `1`, `2`, ...

    >>> bean = gr.Clump(disks=[gr.Part(centre=(0, 0), radius=0.01), gr.Part(centre=(0.01, 0), radius=0.01)], mass=0.1)
    """

    kind: Literal["clump"] = "clump"
    mass: Mass | None = None
    """Mass of the whole clump, of uniform density [kg]; alternatives: `density`, or a mass or density of each part."""
    density: Density | None = None
    """Density of the whole clump [kg/m³]; overlaps of parts count once."""
    material: Name | None = None
    """Material, in scenes with grains; optional if the scene has only one. Its density is used if none is given."""

    @model_validator(mode="after")
    def _says_its_mass(self) -> Clump:
        own = [part.mass is not None or part.density is not None for part in self.parts]
        if any(own) != all(own):
            raise ValueError("either every part has a mass or density of its own, or none has")
        if any(own) + (self.mass is not None) + (self.density is not None) > 1:
            raise ValueError("takes only one of: mass, density, masses or densities of its parts")
        return self

    def weights(self) -> Floats | None:
        """Masses of parts that have their own [kg]."""
        volume = ball_volume(self.radii(), 2 if self.flat else 3)
        if self.parts[0].mass is None and self.parts[0].density is None:
            return None
        return np.array([part.mass if part.mass is not None else v * (part.density or 0.0)
                         for part, v in zip(self.parts, volume, strict=True)])

    def _moments(self) -> tuple[float, Floats, Floats]:
        """Mass, mass centre and inertia about it: of the union, or sums over the parts by Steiner's theorem."""
        weights = self.weights()
        if weights is None:
            if self.mass is None and self.density is None:
                raise GranumError("needs a mass or density, of the whole clump or of its parts.")
            volume, centre, moments = self.union()
            density = self.mass / volume if self.mass is not None else self.density or 0.0
            return density * volume, centre, density * moments
        mass, centres = float(weights.sum()), self.centres()
        centre = weights @ centres / mass
        inertia = np.zeros((3, 3))
        turning = np.diag([0.25, 0.25, 0.5]) if self.flat else 0.4 * np.eye(3)
        for weight, at, radius in zip(weights, centres, self.radii(), strict=True):
            d = at - centre
            inertia += weight * (radius**2 * turning + d @ d * np.eye(3) - np.outer(d, d))
        return mass, centre, inertia

    def properties(self) -> MassProperties:
        """Of the union of its parts, or summed over them where they have masses of their own."""
        mass, _, inertia = self._moments()
        return MassProperties(mass, inertia, (0.0, 0.0, 0.0))

    def origin(self) -> tuple[float, float, float]:
        """The mass centre; of one density, it is where the volume is, whatever the density."""
        weights = self.weights()
        x, y, z = (self.union()[1] if weights is None else self._moments()[1]).tolist()
        return x, y, z

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """Centres of the parts."""
        return {str(k + 1): part.centre for k, part in enumerate(self.parts)}


class Shape(_Parts):
    """The shape of grains: a clump, scaled to the volume (area) of a sphere (disk) of the grain's radius.

    >>> shape = gr.Shape(spheres=[gr.Part(centre=(0, 0, 0), radius=0.01), gr.Part(centre=(0.01, 0, 0), radius=0.01)])
    """
