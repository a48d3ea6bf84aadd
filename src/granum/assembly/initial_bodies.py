"""Bodies of a scene and what it says about their start, with everything that is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from granum.base.errors import GranumError, Problem, did_you_mean
from granum.base.rotations import three
from granum.model.body_entries import FixedPoint, PointMass, Rigid, parametrisation_of
from granum.model.clumps import Clump
from granum.model.connections import Slider
from granum.model.loads import Force, Gravity
from granum.model.scene import Scene
from granum.model.solids import Block, Disk, Ellipsoid
from granum.model.start import Start, fixed_start_problems
from granum.rows.body import Body


def dimension_problems(scene: Scene) -> list[Problem]:
    """Vectors of another dimension than the scene, and bodies that belong to another dimension."""
    dimension = scene.dimension
    problems = [Problem(place, f"has {size} components, but the scene is {dimension}-D.",
                        "Give all vectors of a scene the same number of components.")
                for place, size in _vectors(scene) if size != dimension]
    if dimension == 3:
        problems += [Problem(f"body.{name}.density", "is for a disk of 1 m thickness (2-D), but the scene is 3-D, "
                                                     "where disks are thin.", "Give its mass.")
                     for name, body in scene.body.items() if isinstance(body, Disk) and body.density is not None]
    else:
        problems += [Problem(f"body.{name}", "is an ellipsoid, but the scene is 2-D.",
                             "Give all vectors three components, or use a disk.")
                     for name, body in scene.body.items() if isinstance(body, Ellipsoid)]
    return problems


def _vectors(scene: Scene) -> Iterator[tuple[str, int]]:
    """All vectors of a scene that have as many components as it has dimensions, with their places."""
    dimension = scene.dimension
    for name, body in scene.body.items():
        if isinstance(body, FixedPoint):
            yield f"body.{name}.position", len(body.position)
        elif (formulas := parametrisation_of(body)) is not None:
            yield f"body.{name}.parametrisation.position", len(formulas.position)
    for name, start in scene.start.items():
        if start.position is not None:
            yield f"start.{name}.position", len(start.position)
        if start.velocity is not None and start.contact is None:  # of a contact it has two components in 3-D too
            yield f"start.{name}.velocity", len(start.velocity)
    for name, load in scene.load.items():
        if isinstance(load, Gravity):
            yield f"load.{name}.acceleration", len(load.acceleration)
        elif isinstance(load, Force):
            yield f"load.{name}.force", len(load.force)
    for name, entry in scene.constraint.items():
        axis = getattr(entry, "axis", None)
        if axis is not None and (isinstance(entry, Slider) or dimension == 3):
            yield f"constraint.{name}.axis", len(axis)


def scene_bodies(scene: Scene, left_out: set[str]) -> tuple[dict[str, Body], list[Problem]]:
    """Movable bodies by name with their start, and what is wrong with them.

    `left_out` names bodies that the tables do not have, because formulas say where they are.
    """
    bodies: dict[str, Body] = {}
    problems: list[Problem] = []
    count, dimension = 0, scene.dimension
    for name, entry in scene.body.items():
        if isinstance(entry, FixedPoint):
            continue
        bodies[name], wrong = make_body(name, entry, scene.start.get(name) or Start(), dimension)
        problems += wrong
        if name not in left_out:
            bodies[name].index = count
            count += 1
        elif bodies[name].position is None:
            bodies[name].position = np.zeros(3)
    problems += [Problem(f"start.{name}", f'there is no body "{name}".', did_you_mean(name, scene.body, "body"))
                 for name in scene.start if name not in scene.body]
    return bodies, problems + fixed_start_problems(scene.start, scene.body)


def contact_problems(scene: Scene, rolling: set[str]) -> list[Problem]:
    """Starts of contacts of bodies that do not roll on a surface of formulas."""
    if scene.dimension == 2:
        why = "contact and spin are for rolling on a surface in 3-D, but the scene is 2-D."
    elif scene.surface and scene.formulation == "newton-euler":
        why = ("newton-euler does not support contact and spin. Use another formulation, such as fundamental, or give "
               "the body itself a start.")
    else:
        why = "contact and spin are for bodies that roll on a surface, which this body does not."
    return [Problem(f"start.{name}", why, "Give position, velocity and angular_velocity.")
            for name, start in scene.start.items()
            if name not in rolling and (start.contact is not None or start.spin is not None)]


def make_body(name: str, entry: Any, start: Start, dimension: int) -> tuple[Body, list[Problem]]:
    """A movable body of a scene with its start, and what is wrong with it."""
    body, problems = Body(name, entry=entry, mass=0.0), []
    if isinstance(entry, Rigid):
        body.kind = "rigid"
        problems += _describe_shape(body, entry, dimension)
    elif isinstance(entry, PointMass):
        body.kind, body.mass = "point", entry.mass
    else:
        body.kind = "massless"
    return body, problems + start_body(body, start, dimension)


def _describe_shape(body: Body, entry: Rigid, dimension: int) -> list[Problem]:
    """Mass, inertia and points of a rigid body; what is meant for another dimension is refused."""
    place = f"body.{body.name}"
    try:
        properties = entry.properties()
        body.mass, body.inertia, body.points = properties.mass, properties.inertia, entry.fixed_points()
    except GranumError as error:
        return [Problem(place, str(error))]
    for point, at in entry.points.items():
        if len(at) != dimension:
            return [Problem(place, f'point "{point}" has {len(at)} components, but the scene is {dimension}-D.',
                            "Give all vectors of a scene the same number of components.")]
    if dimension == 2:
        return [Problem(place, f'point "{point}" has z = {at[2]:g} m, but the scene is 2-D.')
                for point, at in body.points.items() if at[2] != 0.0]
    if isinstance(getattr(entry, "inertia", None), float):
        return [Problem(place, "found one moment of inertia, but the scene is 3-D: give three principal moments or a "
                               "matrix.")]
    if isinstance(entry, Block) and len(entry.size) == 2:
        return [Problem(place, "found two edge lengths, but the scene is 3-D: give three.")]
    if isinstance(entry, Clump) and entry.flat:
        return [Problem(place, "disks are 2-D, but the scene is 3-D: use spheres.")]
    return []


def start_body(body: Body, start: Start, dimension: int) -> list[Problem]:
    """Enter what is given of the start of a body; returns what cannot be."""
    problems = []
    place = f"start.{body.name}"
    if start.position is not None:
        body.position = three(start.position)
    body.velocity, body.angular_velocity = three(start.velocity or ()), three(start.angular_velocity or ())
    body.held = body.given = (start.holds("position"), start.holds("angle") or start.holds("orientation"),
                              start.holds("velocity"), start.holds("angular_velocity"))
    if dimension == 3:
        if start.angle is not None:
            problems.append(Problem(f"{place}.angle", "an angle is for 2-D, but the scene is 3-D: give orientation, a "
                                                      "quaternion."))
        body.quaternion = start.orientation or body.quaternion
        return problems
    if start.orientation is not None:
        a, b, c, d = start.orientation
        if b or c:
            problems.append(Problem(f"{place}.orientation", "rotates the body out of the plane, but the scene is 2-D: "
                                                            "give angle."))
        body.angle = 2.0 * math.atan2(d, a)
    if start.angle is not None:
        body.angle = start.angle
    if body.angular_velocity[:2].any():
        problems.append(Problem(f"{place}.angular_velocity", f"is {body.angular_velocity.tolist()}, but in 2-D the "
                                                             "angular velocity is one number, about z."))
    return problems
