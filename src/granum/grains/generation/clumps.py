"""Bodies of several parts at the start: clumps by name, grains of a shape by the many, single grains beside them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.aggregates.parts import Parts, make_bodies, make_parts
from granum.grains.generation.finder import PLAIN, Finder
from granum.grains.orientation import as_quaternions
from granum.grains.state import Int32s
from granum.model.body_entries import FixedPoint, MassProperties, PointMass, Rigid, ball_volume
from granum.model.clumps import Clump, Shape
from granum.model.scene import Scene
from granum.model.solids import Disk, Sphere
from granum.model.start import Start


class Template(NamedTuple):
    """A shape that fills as much as a disk or ball of radius 1, in axes that begin in its centre."""

    arms: Floats
    """(parts, 3)"""
    radii: Floats
    """(parts,)"""
    moments: Floats
    """(3, 3) about the centre, per density."""
    reach: float
    """Distance of its farthest point from the centre."""
    flat: bool

    @property
    def shares(self) -> Floats:
        """(parts,): part of the mass that each part stands for in loads."""
        volume = self.radii ** (2 if self.flat else 3)
        shares: Floats = volume / volume.sum()
        return shares


def template_of(scene: Scene, shape: str) -> Template:
    """The template of a shape by its name."""
    if shape in PLAIN:
        flat = shape == "disk"
        moments = math.pi * (np.diag([0.25, 0.25, 0.5]) if flat else 8.0 / 15.0 * np.eye(3))
        return Template(np.zeros((1, 3)), np.ones(1), moments, 1.0, flat)
    return _scaled(scene.shape[shape])


def _scaled(shape: Shape) -> Template:
    """Volume (area) 4π/3 (π), and moments with it."""
    volume, centre, moments = shape.union()
    power = 2 if shape.flat else 3
    scale = ((math.pi if shape.flat else 4.0 / 3.0 * math.pi) / volume) ** (1.0 / power)
    arms, radii = scale * (shape.centres() - centre), scale * shape.radii()
    reach = float((np.linalg.norm(arms, axis=1) + radii).max())
    return Template(arms, radii, moments * scale ** (power + 2), reach, shape.flat)


def counted_once(scene: Scene, dimension: int) -> Floats:
    """(groups,): volume of a body over that of all its parts, of bodies, patterns and sources: 1 where none overlap."""
    plain = "disk" if dimension == 2 else "sphere"
    shares = []
    for body in scene.body.values():
        all_parts = 1.0
        if isinstance(body, Clump):
            all_parts = float(np.sum(ball_volume(body.radii(), 2 if body.flat else 3)))
        shares.append(body.union()[0] / all_parts if isinstance(body, Clump) else 1.0)
    for kind in (*scene.pattern.values(), *scene.source.values()):
        template = template_of(scene, getattr(kind, "shape", None) or plain)
        shares.append(1.0 / float(np.sum(template.radii ** (2 if template.flat else 3))))
    return np.array(shares)


def random_orientations(count: int, dimension: int, rng: np.random.Generator) -> Floats:
    """(count, 4): quaternions of orientations that are all as likely (Shoemake 1992; about z in the plane)."""
    if dimension == 2:
        half = math.pi * rng.random(count)
        return np.column_stack([np.cos(half), np.zeros(count), np.zeros(count), np.sin(half)])
    normal = rng.normal(size=(count, 4))
    unit: Floats = normal / np.linalg.norm(normal, axis=1)[:, None]
    return unit


def many(t: float, template: Template, centres: Floats, radii: Floats, quaternions: Floats, velocity: Floats,
         density: float, rotation: bool, material: int, group: int, first: int, dimension: int) -> Parts:
    """Bodies of one shape; radii are those of disks or balls that fill as much. A body has the number of its first
    part.
    """
    count, each = len(radii), len(template.radii)
    power = 2 if template.flat else 3
    volume = (math.pi if template.flat else 4.0 / 3.0 * math.pi) * radii**power
    inertia = density * template.moments[None] * (radii ** (power + 2))[:, None, None] * rotation
    numbers = first + each * np.arange(count, dtype=np.int64)
    bodies = make_bodies(centres, quaternions, density * volume, inertia, template.reach * radii,
                         np.broadcast_to(velocity, (count, 3)), np.zeros((count, 3)), numbers,
                         np.full(count, group, np.int32), dimension)
    body = np.repeat(np.arange(count, dtype=np.int32), each)
    arms = (template.arms[None] * radii[:, None, None]).reshape(-1, 3)
    return make_parts(t, bodies, body, arms, (template.radii[None] * radii[:, None]).ravel(),
                      np.tile(template.shares, count), np.full(count * each, material, np.int32), first, template.flat,
                      dimension)


def single(body: Rigid | PointMass, properties: MassProperties, centre: Floats, quaternion: Floats, material: int,
           group: int, first: int, dimension: int) -> Parts:
    """One body of a scene: its parts are those of a clump, the disk or ball itself, or none."""
    arms, radii = np.zeros((0, 3)), np.zeros(0)
    flat = dimension == 2
    if isinstance(body, Clump):
        arms, radii, flat = body.centres() - np.array(body.origin()), body.radii(), body.flat
    elif isinstance(body, Disk | Sphere):
        arms, radii, flat = np.zeros((1, 3)), np.array([body.radius]), isinstance(body, Disk)
    points = np.array(list(body.fixed_points().values())) if isinstance(body, Rigid) else np.zeros((0, 3))
    reach = np.concatenate([np.linalg.norm(arms, axis=1) + radii, np.linalg.norm(points.reshape(-1, 3), axis=1), [0.0]])
    bodies = make_bodies(centre[None], quaternion[None], np.array([properties.mass]), properties.inertia[None],
                         np.array([reach.max()]), np.zeros((1, 3)), np.zeros((1, 3)), np.array([first], np.int64),
                         np.array([group], np.int32), dimension)
    shares = radii ** (2 if flat else 3)
    return make_parts(0.0, bodies, np.zeros(len(radii), np.int32), arms, radii, shares / max(shares.sum(), 1e-300),
                      np.full(len(radii), material, np.int32), first, flat, dimension)


def no_parts(dimension: int) -> Parts:
    """Nothing yet."""
    bodies = make_bodies(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros(0), np.zeros((0, 3, 3)), np.zeros(0),
                         np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int32), dimension)
    none: Int32s = np.zeros(0, np.int32)
    return make_parts(0.0, bodies, none, np.zeros((0, 3)), np.zeros(0), np.zeros(0), none, 0, False, dimension)


def body_of_scene(find: Finder, name: str, start: Start | None, group: int, first: int) -> Parts | None:
    """A body of the scene with its parts, at a start; none for a fixed point, which only joints know.

    A body that joints connect may have no position: it is at the origin until they have placed it.
    """
    body, place = find.scene.body[name], f"body.{name}"
    if isinstance(body, FixedPoint):
        find.vector(f"{place}.position", body.position)
        return None
    if not isinstance(body, Rigid | PointMass):
        find.problem(f"{place}.kind", f"is a {body.kind}, which is not supported in scenes with grains.", "Remove it.")
        return None
    if not isinstance(body, Disk | Sphere | Clump) and name not in find.held:
        find.problem(f"{place}.kind", f"is a {body.kind}, which has no shape that grains could touch and is not joined "
                                      "to anything.",
                     "Use kind disk, sphere or clump, give it a boundary, or join it to something.")
        return None
    start = start or Start()
    if start.position is None and name not in find.jointed:
        find.problem(f"start.{name}.position", f'body "{name}" has no start position.',
                     f"Give [start.{name}] with a position of {find.dimension} components.")
    material = 0
    if isinstance(body, Disk | Sphere | Clump):
        material = find.material(place, body.material)
        if isinstance(body, Disk) or (isinstance(body, Clump) and body.flat):
            find.shape(f"{place}.kind", "disk")
        body = _filled(find, place, body, material)
    centre = find.vector(f"start.{name}.position", start.position)
    try:
        properties = MassProperties(body.mass, np.zeros((3, 3)), (0.0, 0.0, 0.0)) if isinstance(body, PointMass) else (
            body.properties())
    except GranumError as error:
        find.problem(place, str(error), "Give mass or density.")
        return None
    return single(body, properties, centre, quaternion_at_start(find, name, start), material, group, first,
                  find.dimension)


def _filled(find: Finder, place: str, body: Disk | Sphere | Clump, material: int) -> Disk | Sphere | Clump:
    """The body with the density of its material where it has no mass of its own."""
    heavy = body.mass is not None or body.density is not None
    if heavy or (isinstance(body, Clump) and any(part.mass or part.density for part in body.parts)):
        return body
    return body.model_copy(update={"density": find.density(place, None, material)})


def start_orientation(find: Finder, name: str, start: Start) -> Floats:
    """(1,) angle or (4,) quaternion of a body or grain at the start."""
    if find.dimension == 2:
        if start.orientation is not None:
            find.problem(f"start.{name}.orientation", "is a quaternion, but the scene is 2-D.", "Give an angle.")
        return np.array([start.angle or 0.0])
    if start.angle is not None:
        find.problem(f"start.{name}.angle", "is for 2-D, but the scene is 3-D.", "Give an orientation.")
    return np.array(start.orientation or (1.0, 0.0, 0.0, 0.0))


def quaternion_at_start(find: Finder, name: str, start: Start) -> Floats:
    """(4,) quaternion of a body at the start."""
    return as_quaternions(start_orientation(find, name, start)[None])[0]
