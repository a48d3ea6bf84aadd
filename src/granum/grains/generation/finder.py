"""Reading parts of a scene of grains, with every problem on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.grains.geometry.regions import geometry_of
from granum.grains.loads.load import KINDS
from granum.model.actuators import AppliedForces
from granum.model.body_entries import MasslessBody, parametrisation_of
from granum.model.loads import Drag, Force, ForceField, Gravity
from granum.model.probes import SectionProbe
from granum.model.regions import Region
from granum.model.scene import Scene
from granum.model.solids import Disk, Sphere

PLAIN = ("disk", "sphere")
"""Shapes of one part that every scene knows."""


def bodily_entries(scene: Scene) -> dict[str, str]:
    """What needs bodies beyond single disks and spheres: keys of the scene, and what each of them is."""
    entries = {f"body.{name}.kind": f"is a {body.kind}" for name, body in scene.body.items()
               if not isinstance(body, (Disk, Sphere))}
    for section, kinds in (("pattern", scene.pattern), ("source", scene.source)):
        entries |= {f"{section}.{name}.shape": f"is {shape}" for name, kind in kinds.items()
                    if (shape := getattr(kind, "shape", None) or "disk") not in PLAIN}
    entries |= {f"boundary.{name}.body": "attaches a boundary to a body" for name, boundary in scene.boundary.items()
                if boundary.body is not None}
    entries |= {f"load.{name}": f"is a {load.kind}" for name, load in scene.load.items()
                if type(load) not in KINDS and type(load) not in (Gravity, Drag, ForceField, Force)}
    entries |= {f"load.{name}.on": "refers to a point of a body" for name, load in scene.load.items()
                if "." in (getattr(load, "on", None) or "")}
    entries |= {f"probe.{name}": "is a cut through a body" for name, probe in scene.probe.items()
                if isinstance(probe, SectionProbe)}
    entries |= {f"{section}.{name}": f"is a {kind}" for section, kind, named in (
        ("link", "link between bodies", scene.link), ("constraint", "joint or constraint", scene.constraint),
        ("bond", "bond between grains", scene.bond)) for name in named}
    entries |= {f"actuator.{name}": "is an actuator on a body" for name, entry in scene.actuator.items()
                if not isinstance(entry, AppliedForces)}
    return entries | ({"run.merge_clusters": "merges clusters into bodies"} if scene.run.merge_clusters else {})


def foreign_bodies(scene: Scene) -> dict[str, str]:
    """Bodies that grains know nothing of, with the key that says so."""
    return {name: f"body.{name}" if isinstance(body, MasslessBody) else f"body.{name}.parametrisation"
            for name, body in scene.body.items()
            if isinstance(body, MasslessBody) or parametrisation_of(body) is not None}


def needs_bodies(scene: Scene) -> bool:
    """Are there clumps, joints or walls that move with a body, beyond single grains?"""
    return bool(bodily_entries(scene))


def jointed_bodies(scene: Scene) -> set[str]:
    """Names of the bodies that links or joints connect: the assembly says where those are that have no position."""
    return {end.partition(".")[0] for entry in (*scene.link.values(), *scene.constraint.values())
            for end in getattr(entry, "between", ())}


def held_bodies(scene: Scene) -> set[str]:
    """Names of the bodies that links, joints, loads between points or boundaries belong to."""
    entries = [*scene.link.values(), *scene.constraint.values(), *scene.load.values()]
    ends = [end for entry in entries for key in type(entry).model_fields if key not in ("on", "body")
            for end in texts(getattr(entry, key))]
    return {end.partition(".")[0] for end in ends} | {
        boundary.body for boundary in scene.boundary.values() if boundary.body is not None}


def texts(value: Any) -> list[str]:
    """Texts in the value of a key, among which are the points that an entry is attached to."""
    several = value if isinstance(value, tuple) else (value,)
    return [one for one in several if isinstance(one, str)]


def named_grains(scene: Scene) -> set[str]:
    """Names of grains of patterns that links, joints, loads or actuators are attached to."""
    entries = (*scene.link.values(), *scene.constraint.values(), *scene.load.values(), *scene.actuator.values())
    found = {text.partition(".")[0] for entry in entries for key in type(entry).model_fields
             for text in texts(getattr(entry, key))}
    return {name for name in found - {*scene.body} if name.rpartition("-")[0] in scene.pattern}


def joined_pairs(scene: Scene) -> list[tuple[str, str]]:
    """Names of bodies that a joint holds together: they do not touch each other."""
    return [(one.partition(".")[0], two.partition(".")[0]) for entry in scene.constraint.values()
            if (ends := getattr(entry, "between", None)) is not None for one, two in [ends]]


@dataclass
class Finder:
    """Reads parts of a scene and notes every problem on the way."""

    scene: Scene
    dimension: int
    materials: Sequence[str]
    """Names of the materials in the order of their numbers."""
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def bodily(self) -> bool:
        """Does the scene need bodies beyond single disks and spheres?"""
        return needs_bodies(self.scene)

    @cached_property
    def held(self) -> set[str]:
        """Names of the bodies that links, joints or boundaries belong to."""
        return held_bodies(self.scene)

    @cached_property
    def jointed(self) -> set[str]:
        """Names of the bodies that links or joints connect."""
        return jointed_bodies(self.scene)

    def problem(self, place: str, finding: str, remedy: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(place, finding, remedy))

    def vector(self, place: str, value: tuple[float, ...] | None) -> Floats:
        """Three components of a vector, zero if it is left out; its dimension must be the scene's."""
        return three(self.components(place, value))

    def components(self, place: str, value: tuple[float, ...] | None) -> tuple[float, ...]:
        """As many components of a vector as the scene has dimensions, zero if it is left out or has others."""
        if value is not None and len(value) == self.dimension:
            return value
        if value is not None:
            self.problem(place, f"has {len(value)} components, but the scene is {self.dimension}-D.",
                         f"Give {self.dimension} components.")
        return (0.0,) * self.dimension

    def material(self, place: str, name: str | None) -> int:
        """Number of a material; left out, the only one (or 0 in a scene without materials)."""
        if name is not None:
            if name in self.materials:
                return self.materials.index(name)
            self.problem(f"{place}.material", f'there is no material "{name}".',
                         did_you_mean(name, self.materials, "material"))
        elif len(self.materials) > 1:
            self.problem(f"{place}.material", f"is missing, but the scene has {len(self.materials)} materials.",
                         f"Name one of {', '.join(self.materials)}.")
        return 0

    def density(self, place: str, own: float | None, material: int) -> float:
        """Density [kg/m³]: its own, or that of its material."""
        if own is not None:
            return own
        name = self.materials[material] if material < len(self.materials) else None
        density = self.scene.material[name].density if name in self.scene.material else None
        if density is None:
            self.problem(f"{place}.density", "is missing, also in its material.",
                         "Give a density in kg/m³, here or in the material.")
            return 1.0
        return density

    def shape(self, place: str, shape: str | None) -> str:
        """Disk, sphere or a shape of the scene; disks are of the plane."""
        own = self.scene.shape.get(shape or "")
        if shape not in (None, "disk", "sphere") and own is None:
            self.problem(place, f'there is no shape "{shape}".',
                         did_you_mean(shape or "", ["disk", "sphere", *self.scene.shape], "shape"))
        if (shape == "disk" or (own is not None and own.flat)) and self.dimension == 3:
            self.problem(place, "is made of disks, which are 2-D, but the scene is 3-D.",
                         'Use spheres, or give positions with 2 components.')
        return shape or ("disk" if self.dimension == 2 else "sphere")

    def region(self, place: str, region: Region) -> None:
        """A region must have the dimension of the scene."""
        self.problems += geometry_of(region).problems(self.dimension, f"{place}.region")

    def room(self, place: str, region: Region) -> None:
        """A region to be filled must have the dimension of the scene and an end."""
        self.region(place, region)
        if not geometry_of(region).fillable:
            self.problem(f"{place}.region", f"is a {region.kind}, which is infinite and cannot be filled.",
                         "Give a box, round or cylinder region.")

    def raise_if_any(self) -> None:
        """Raise all problems found so far."""
        if self.problems:
            raise SceneError(self.problems)
