"""The stage of a scene of formulas: coordinates of its bodies, points on them, and what it says about the start."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager

from granum.algebra import Expression, number, symbol
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Vector, dot, plus, quaternion_rotation, quaternion_spin, turned, vector
from granum.analytic.expressed import Body, Constraint, rate_name
from granum.analytic.places import End, Place, plane_rotation, quaternion_rates, rotation_by, rotation_of, three
from granum.analytic.rolling import Contact
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.model.bodies import FixedPoint, MasslessPoint, PointMass, Rigid, RigidBody
from granum.model.clumps import Clump
from granum.model.scene import Scene
from granum.model.solids import Block
from granum.model.start import Start

UNTURNED = (1.0, 0.0, 0.0, 0.0)
"""The quaternion of no rotation."""


def symbol_name(name: str) -> str:
    """A body's name in formulas, where `-` is a sign: `bob-1` is `bob_1`."""
    return name.replace("-", "_")


@contextmanager
def at(place: str) -> Iterator[None]:
    """Name the entry of the scene that a problem belongs to."""
    try:
        yield
    except SceneError:
        raise
    except GranumError as error:
        raise SceneError([Problem(place, str(error))]) from None


class Stage:
    """Bodies of a scene as coordinates and places; what acts on them and joins them comes on top."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.dimension = scene.dimension
        self.coordinates: list[str] = []
        self.places: dict[str, Place] = {}
        self.bodies: list[Body] = []
        self.constraints: list[Constraint] = []
        self.contacts: dict[str, Contact] = {}
        """Bodies that roll on surfaces."""
        self.given: dict[str, float] = {}
        self.guess: dict[str, float] = {}
        self.conditions: list[tuple[str, Expression]] = []

    def _body(self, name: str) -> None:
        body, own = self.scene.body[name], symbol_name(name)
        for other in self.places:
            if symbol_name(other) == own:
                raise GranumError(f'"{name}" and "{other}" are both "{own}" in formulas, where - is a sign. Rename '
                                  "one.")
        start = self.scene.start.get(name)
        if isinstance(body, FixedPoint):
            self._same_dimension(body.position)
            self.places[name] = Place(name, vector(body.position), start=three(body.position), known=True, fixed=True)
            return
        given = start.position if start is not None else None
        axes = [f"{own}.{axis}" for axis in "xyz"[: self.dimension]]
        self.coordinates += axes
        position = vector([symbol(axis) for axis in axes])
        turned = not isinstance(body, Rigid) or (
            start is not None and (start.holds("angle") or start.holds("orientation")))
        place = Place(name, position, start=three(given or ()),
                      known=start is not None and start.holds("position") and turned)
        self.places[name] = place
        if isinstance(body, Rigid):
            self._rigid(name, body, place)
        elif isinstance(body, PointMass):
            self.bodies.append(Body(name, number(body.mass), position))
        else:
            assert isinstance(body, MasslessPoint)

    def _rigid(self, name: str, body: Rigid, place: Place) -> None:
        """A body with its quaternion, or with an angle in the plane."""
        properties = body.properties()
        self._check_shape(body)
        place.points = body.fixed_points()
        if self.dimension == 2:
            spin = self._flat(name, place)
        else:
            spin = self._in_space(name, place)
            self.constraints.append(Constraint(
                f"{name}.unit", (0.5 * (dot(place.orientation, place.orientation) - 1.0),), silent=True))
        assert place.rotation is not None
        place.turning = turned(place.rotation, spin)
        self.bodies.append(
            Body(name, number(properties.mass), place.position, place.rotation, properties.inertia, spin))

    def _check_shape(self, body: Rigid) -> None:
        """Refuse points of another dimension, and what is said for the plane in space."""
        for point, at_ in body.points.items():
            if len(at_) != self.dimension:
                raise GranumError(f'point "{point}" has {len(at_)} components, but the scene is {self.dimension}-D. '
                                  "Give all vectors of a scene the same number of components.")
        if self.dimension == 2:
            for point, (_, _, z) in body.fixed_points().items():
                if z != 0.0:
                    raise GranumError(f'point "{point}" is {z:g} m beside the plane, but the scene is 2-D.')
            return
        if isinstance(body, RigidBody) and isinstance(body.inertia, float):
            raise GranumError("one moment of inertia is for the plane, but the scene is 3-D: give three principal "
                              "moments or a matrix.")
        if isinstance(body, Block) and len(body.size) == 2:
            raise GranumError("two edges are for the plane, but the scene is 3-D: give three.")
        if isinstance(body, Clump) and body.flat:
            raise GranumError("disks are of the plane, but the scene is 3-D: give spheres.")

    def _flat(self, name: str, place: Place) -> Vector:
        """An angle turns it; its angular velocity."""
        start, coordinate = self.scene.start.get(name), f"{symbol_name(name)}.angle"
        self.coordinates.append(coordinate)
        place.angle = start.angle or 0.0 if start is not None else 0.0
        place.orientation, place.rotation = (symbol(coordinate),), plane_rotation(symbol(coordinate))
        place.turned = rotation_by(place.angle)
        return ZERO, ZERO, symbol(rate_name(coordinate))

    def _in_space(self, name: str, place: Place) -> Vector:
        """A quaternion turns it; its angular velocity in body axes."""
        start = self.scene.start.get(name)
        names = [f"{symbol_name(name)}.u{k}" for k in range(4)]
        self.coordinates += names
        u = tuple(map(symbol, names))
        place.orientation, place.rotation = u, quaternion_rotation(u)
        place.turned = rotation_of(start.orientation or UNTURNED if start is not None else UNTURNED)
        return quaternion_spin(u, [symbol(rate_name(k)) for k in names])

    def _same_dimension(self, value: Sized) -> None:
        if len(value) != self.dimension:
            raise GranumError(f"has {len(value)} components, but the scene is {self.dimension}-D. Give all vectors of "
                              "a scene the same number of components.")

    def _place(self, name: str) -> Place:
        if name not in self.places:
            raise GranumError(f'there is no body "{name}". {did_you_mean(name, self.places, "body")}')
        return self.places[name]

    def point(self, name: str) -> End:
        """A point `body` or `body.point`."""
        body, _, point = name.partition(".")
        place = self._place(body)
        if not point:
            return End(name, place, place.position, place.start)
        if point not in place.points:
            raise GranumError(f'"{body}" has no point "{point}". {did_you_mean(point, place.points, "point")}')
        assert place.rotation is not None
        arm = place.points[point]
        return End(name, place, plus(place.position, turned(place.rotation, vector(arm))),
                   place.start + place.turned @ arm)

    def _start(self, name: str) -> None:
        """What is given is held, so that a contradiction is named; what is left out follows or stays at rest."""
        body, start, own = self.scene.body[name], self.scene.start.get(name), symbol_name(name)
        if isinstance(body, FixedPoint):
            return
        axes = "xyz"[: self.dimension]
        if start is not None and start.position is not None:
            self._same_dimension(start.position)
            self._kept(start, "position").update(
                {f"{own}.{axis}": value for axis, value in zip(axes, start.position, strict=True)})
        elif isinstance(body, PointMass):
            raise GranumError(f"has no start position. Add [start.{name}] with position = [...].")
        if isinstance(body, Rigid):
            self._start_turned(name)
        if start is None:
            return
        if name in self.contacts:
            self._start_rolling(name)
        elif start.contact is not None or start.spin is not None:
            raise GranumError("contact and spin are for bodies that roll on a surface.")
        elif start.velocity is not None:
            self._same_dimension(start.velocity)
            self._kept(start, "velocity").update(
                {rate_name(f"{own}.{axis}"): value for axis, value in zip(axes, start.velocity, strict=True)})

    def _kept(self, start: Start | None, key: str) -> dict[str, float]:
        """Where a value of the start belongs: among those that are held, or among the guesses."""
        return self.given if start is not None and start.holds(key) else self.guess

    def _start_turned(self, name: str) -> None:
        """The orientation of a body: as given, or where the search begins with inertial axes."""
        start, own, place = self.scene.start.get(name), symbol_name(name), self.places[name]
        if start is not None and self.dimension == 2 and start.orientation is not None:
            raise GranumError("orientation is for space; in the plane give angle.")
        if start is not None and self.dimension == 3 and start.angle is not None:
            raise GranumError("angle is for the plane; in space give orientation, a quaternion.")
        turned_by = [place.angle] if self.dimension == 2 else list(
            (start.orientation if start is not None else None) or UNTURNED)
        key = "angle" if self.dimension == 2 else "orientation"
        keep = self.given if name in self.contacts else self._kept(start, key)
        keep.update({u.name: value for u, value in zip(place.orientation, turned_by, strict=True)})
        if start is None or start.angular_velocity is None:
            return
        if self.dimension == 2:
            if start.angular_velocity[0] or start.angular_velocity[1]:
                raise GranumError(f"angular_velocity is {list(start.angular_velocity)}, but in the plane it is one "
                                  "number: that about z.")
            self._kept(start, "angular_velocity")[rate_name(f"{own}.angle")] = start.angular_velocity[2]
        elif start.holds("angular_velocity"):
            self.conditions += [(f"start.{name}.angular_velocity", found - value)
                                for found, value in zip(place.turning, start.angular_velocity, strict=True)]
        else:
            self.guess.update(zip((rate_name(u.name) for u in place.orientation),
                                  quaternion_rates(turned_by, start.angular_velocity), strict=True))

    def _start_rolling(self, name: str) -> None:
        start, own, contact = self.scene.start[name], symbol_name(name), self.contacts[name]
        if start.contact is not None:
            self.given.update({f"{own}.contact.{a}": x for a, x in zip("xyz", start.contact, strict=False)})
        if start.velocity is not None:
            self.given.update({rate_name(f"{own}.centre.{a}"): x for a, x in zip("xyz", start.velocity, strict=False)})
        if start.angular_velocity is None:
            self.conditions.append((f"start.{name}.spin", contact.spin - (start.spin or 0.0)))
