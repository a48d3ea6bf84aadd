"""Where bodies and their points are at the start, as a scene of joints sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError, Problem, did_you_mean
from granum.base.kernels import Floats
from granum.model.bodies import FixedPoint, MasslessPoint, PointMass, Rigid
from granum.model.clumps import Clump
from granum.model.scene import Scene
from granum.model.start import Start

AXES = "xyz"
NO_INERTIA = 1e-12
"""A principal moment of inertia below this part of the largest counts as none."""


@dataclass
class Place:
    """A movable body, or the ground."""

    name: str
    index: int
    body: Rigid | PointMass | None = None
    """None for the ground."""
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    rotation: Floats = field(default_factory=lambda: np.eye(3))
    """At the start."""
    angle: float = 0.0
    """At the start, in the plane [rad]."""
    position: Floats | None = None
    """At the start [m]; None until it is known."""
    mass: float = math.inf
    inertia: Floats = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def turns(self) -> bool:
        """Has it axes that joints can act on?"""
        return not isinstance(self.body, PointMass)

    @property
    def thin(self) -> bool:
        """Has it an axis without inertia, as a rod without radius?"""
        moments = np.linalg.eigvalsh(self.inertia)
        return self.body is not None and self.turns and bool(moments[0] < NO_INERTIA * moments[2])

    def carried(self, direction: Floats) -> Floats:
        """A direction given in inertial axes at the start, in the axes of the body."""
        found: Floats = self.rotation.T @ direction
        return found


class End(NamedTuple):
    """A point of a body that something is attached to."""

    name: str
    """As the scene names it."""
    place: Place
    arm: Floats
    """From the mass centre in body axes; for the ground, its position [m]."""
    radius: float | None = None
    """Of a round body, or part of a clump, about this point [m]."""

    @property
    def reach(self) -> Floats:
        """The arm in inertial axes at the start [m]."""
        found: Floats = self.place.rotation @ self.arm
        return found

    @property
    def start(self) -> Floats:
        """Position at the start [m]."""
        assert self.place.position is not None
        found: Floats = self.place.position + self.reach
        return found


def three(values: Sequence[float] | Floats) -> Floats:
    """Components with zeros for those that are left out."""
    full = np.zeros(3)
    full[: len(values)] = values
    return full


def about_z(angle: Floats) -> Floats:
    """(n, 4): quaternions of angles (n,) in the plane."""
    zero = np.zeros(len(angle))
    return np.column_stack([np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)])


def rotation_of(quaternion: Sequence[float]) -> Floats:
    """The rotation of a unit quaternion (001 eq 23)."""
    a, b, c, d = quaternion
    return np.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                     [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                     [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


class Places:
    """All bodies of a scene; raises SceneError with what is wrong with them."""

    def __init__(self, scene: Scene, dimension: int) -> None:
        self.scene, self.dimension = scene, dimension
        self.problems: list[Problem] = []
        self.movable: list[Place] = []
        self.fixed: dict[str, Floats] = {}
        for name, body in scene.body.items():
            if isinstance(body, FixedPoint):
                self.fixed[name] = three(body.position)
            elif isinstance(body, MasslessPoint):
                self.problems.append(Problem(
                    f"body.{name}", "has no mass, and newton-euler divides by masses.",
                    'Give it a mass, or take [run] formulation = "fundamental".'))
            else:
                assert isinstance(body, Rigid | PointMass)
                self.movable.append(self._place(name, body))
        self.ground = Place("ground", len(self.movable), position=np.zeros(3))
        self.by_name = {place.name: place for place in self.movable}
        for name in scene.start:
            if name not in scene.body:
                self.problems.append(Problem(f"start.{name}", f'there is no body "{name}".',
                                             did_you_mean(name, scene.body, "body")))

    def _place(self, name: str, body: Rigid | PointMass) -> Place:
        start, index = self.scene.start.get(name) or Start(), len(self.movable)
        place = Place(name, index, body)
        if start.position is not None:
            place.position = three(start.position)
        if start.contact is not None or start.spin is not None:
            self.problems.append(Problem(f"start.{name}", "contact and spin are for bodies that roll on a surface of "
                                         "formulas.", "Give position, velocity and angular_velocity."))
        if isinstance(body, PointMass):
            place.mass = body.mass
            return place
        try:
            properties = body.properties()
            place.mass, place.inertia, place.points = properties.mass, properties.inertia, body.fixed_points()
        except GranumError as error:
            self.problems.append(Problem(f"body.{name}", str(error)))
        self._turn(place, start)
        if self.dimension == 2 and any(abs(at[2]) > 0.0 for at in place.points.values()):
            self.problems.append(Problem(f"body.{name}.points", "has a point out of the plane, but the scene is 2-D.",
                                         "Give points two components."))
        return place

    def _turn(self, place: Place, start: Start) -> None:
        if self.dimension == 3:
            if start.angle is not None:
                self.problems.append(Problem(f"start.{place.name}.angle", "an angle turns in the plane, but the scene "
                                             "is 3-D.", "Give orientation, a quaternion."))
            place.rotation = rotation_of(start.orientation or (1.0, 0.0, 0.0, 0.0))
            return
        if start.orientation is not None:
            a, b, c, d = start.orientation
            if b or c:
                self.problems.append(Problem(f"start.{place.name}.orientation", "turns out of the plane.",
                                             "Give angle in the plane."))
            place.angle = 2.0 * math.atan2(d, a)
        if start.angle is not None:
            place.angle = start.angle
        place.rotation = rotation_of((math.cos(place.angle / 2.0), 0.0, 0.0, math.sin(place.angle / 2.0)))

    def end(self, name: str) -> End:
        """A point `body` or `body.point`, or a fixed point; raises GranumError where there is none."""
        body, _, point = name.partition(".")
        if body in self.fixed and not point:
            return End(name, self.ground, self.fixed[body])
        if body not in self.by_name:
            known = [*self.by_name, *self.fixed]
            raise GranumError(f'there is no body "{body}". {did_you_mean(body, known, "body")}')
        place = self.by_name[body]
        if not point:
            return End(name, place, np.zeros(3))
        if point not in place.points:
            raise GranumError(f'"{body}" has no point "{point}". {did_you_mean(point, place.points, "point")}')
        return End(name, place, np.array(place.points[point]))

    def round_end(self, name: str) -> End:
        """The centre of a round body or of a part of a clump, with its radius."""
        end = self.end(name)
        body, _, point = name.partition(".")
        given = end.place.body
        if isinstance(given, Clump) and point.isdigit():
            return end._replace(radius=float(given.radii()[int(point) - 1]))
        if isinstance(given, Rigid) and not point:
            properties = given.properties()
            if properties.radius is not None:
                return End(name, end.place, np.array(properties.centre), properties.radius)
        raise GranumError(f'"{name}" is not round. Spheres, disks and shells roll and slide, and parts of clumps, such '
                          f'as "{body}.1".')
