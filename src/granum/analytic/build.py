"""From a scene to a system of formulas: coordinates of bodies, energies of loads, rows of connections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from granum.algebra import Expression, gradient, number, symbol
from granum.algebra.expression import ZERO, free_symbols, rebuild
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import (
    Matrix,
    Vector,
    dot,
    length,
    minus,
    plus,
    quaternion_rotation,
    quaternion_spin,
    total,
    turned,
    vector,
)
from granum.analytic.expressed import Body, Constraint, Friction, System, multiplier, rate_name
from granum.analytic.rolling import Contact, no_spin, rolling
from granum.analytic.wrenches import body_force
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.model.bodies import FixedPoint, MasslessPoint, PointMass, Rigid
from granum.model.connections import (
    BallJoint,
    Drive,
    EnergyConstraint,
    FormulaConstraint,
    FrictionConstraint,
    Glue,
    Hinge,
    Link,
    NoSpin,
    Rolling,
    Slider,
    Sliding,
)
from granum.model.loads import Force, Gravity, Load, Spring
from granum.model.scene import Scene
from granum.model.start import Start
from granum.system import assemble


@dataclass
class Place:
    """A body as the builder sees it."""

    name: str
    position: Vector
    rotation: Matrix | None = None
    quaternion: tuple[Expression, ...] = ()
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    start: Floats = field(default_factory=lambda: np.zeros(3))
    turned: Floats = field(default_factory=lambda: np.eye(3))
    """Rotation at the start."""


@dataclass(frozen=True)
class Built:
    """A system with what its scene says about the start, and what is recorded of it."""

    scene: Scene
    system: System
    given: dict[str, float]
    guess: dict[str, float]
    conditions: tuple[tuple[str, Expression], ...]
    positions: dict[str, Vector]
    """Of every body, for pictures."""
    contacts: tuple[Contact, ...]
    dimension: int


def build(scene: Scene) -> Built:
    """The system of a scene; raises SceneError with the first problem found."""
    return _Builder(explicit(scene) if scene.pattern else scene).built()


def explicit(scene: Scene) -> Scene:
    """The scene with its patterns written out as bodies and links."""
    assembly = assemble(scene)
    if assembly.problems and not scene.has_formulas:
        raise SceneError(assembly.problems)
    fixed, names = assembly.fixed, list(assembly.body_names)
    body = {name: FixedPoint(position=tuple(x)) if still else PointMass(mass=m) for name, x, still, m in zip(
        names, assembly.position.tolist(), fixed, assembly.mass.tolist(), strict=True)}
    start = {name: Start(position=tuple(x), velocity=tuple(v)) for name, x, v, still in zip(
        names, assembly.position.tolist(), assembly.velocity.tolist(), fixed, strict=True) if not still}
    link = {name: Link(between=(names[i], names[j]), length=size) for name, i, j, size in zip(
        assembly.link_names, assembly.tail.tolist(), assembly.head.tolist(), assembly.length.tolist(), strict=True)}
    return scene.model_copy(update={"body": {**body, **scene.body}, "start": {**start, **scene.start}, "link": link,
                                    "pattern": {}})


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


class _Builder:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.dimension = self._dimension()
        self.coordinates: list[str] = []
        self.places: dict[str, Place] = {}
        self.bodies: list[Body] = []
        self.constraints: list[Constraint] = []
        self.contacts: dict[str, Contact] = {}
        self.frictions: list[Friction] = []
        self.potential = ZERO
        self.forces: dict[str, Expression] = {}
        self.given: dict[str, float] = {}
        self.guess: dict[str, float] = {}
        self.conditions: list[tuple[str, Expression]] = []

    def _dimension(self) -> int:
        if self.scene.surface or any(isinstance(body, Rigid) for body in self.scene.body.values()):
            return 3
        for start in self.scene.start.values():
            if start.position is not None:
                return len(start.position)
        return len(next(iter(self.scene.system.points.values()), (0, 0, 0)))

    def built(self) -> Built:
        for name in self.scene.body:
            with at(f"body.{name}"):
                self._body(name)
        for name in self.scene.start:
            if name not in self.scene.body:
                raise SceneError([Problem(f"start.{name}", f'there is no body "{name}".',
                                          did_you_mean(name, self.scene.body, "body"))])
        self.coordinates += self.scene.system.coordinates
        for name, load in self.scene.load.items():
            with at(f"load.{name}"):
                self._load(load)
        for name, link in self.scene.link.items():
            with at(f"link.{name}"):
                self._link(name, link)
        self._connections()
        for name in self.scene.body:
            with at(f"start.{name}"):
                self._start(name)
        return self._finish()

    def _finish(self) -> Built:
        given = self.scene.system
        with at("system"):
            system = self._system(())
        formulas = [(name, c) for name, c in self.scene.constraint.items()
                    if isinstance(c, FormulaConstraint | EnergyConstraint)]
        for name, constraint in formulas:
            if isinstance(constraint, EnergyConstraint):
                energy = system.kinetic + system.potential
                self.constraints.append(Constraint(name, (energy,), invariant=True))
            else:
                with at(f"constraint.{name}.{'formulas' if constraint.formula is None else 'formula'}"):
                    self.constraints.append(Constraint(name, tuple(system.read(f, "formula") for f in constraint.rows)))
        for name, entry in self.scene.constraint.items():
            if isinstance(entry, FrictionConstraint):
                with at(f"constraint.{name}"):
                    self._friction(name, entry, system)
        with at("constraint"):
            system = self._system(self.constraints)
        return Built(self.scene, system, {**self.given, **given.start}, {**self.guess, **given.guess},
                     tuple(self.conditions), {**{name: place.position for name, place in self.places.items()},
                                              **self._points(system)},
                     tuple(self.contacts.values()), self.dimension)

    def _friction(self, name: str, entry: FrictionConstraint, system: System) -> None:
        rows = {constraint.name: len(constraint.rows) for constraint in self.constraints}
        if rows.get(entry.normal) != 1:
            raise GranumError(f'normal names "{entry.normal}", but a constraint of one formula is needed. '
                              f"{did_you_mean(entry.normal, rows, 'constraint')}")
        slip = tuple(system.read(formula, "slip") for formula in entry.slip)
        self.frictions.append(Friction(name, (entry.normal, 0), slip, entry.coefficient, entry.bilateral))

    def _points(self, system: System) -> dict[str, Vector]:
        for name, place in system.points.items():
            with at(f"system.points.{name}"):
                self._same_dimension(place)
                if name in self.places:
                    raise GranumError("there is a body of this name.")
        return {name: vector(place) for name, place in system.points.items()}

    def _system(self, constraints: Sequence[Constraint]) -> System:
        given = self.scene.system
        known = System(self.coordinates or ["nothing"], parameters=given.parameters, kinetic=0.0,
                       definitions=given.definitions)
        for name in given.forces:
            if name not in self.coordinates:
                raise GranumError(f'there is a force on "{name}". '
                                  f'{did_you_mean(name, self.coordinates, "coordinate")}')
        forces = {name: self.forces.get(name, ZERO) + known.read(given.forces.get(name, 0.0), f"force on {name}")
                  for name in self.coordinates}
        return System(
            self.coordinates, parameters=given.parameters, kinetic=given.kinetic, mass=given.mass or None,
            potential=self.potential + known.read(given.potential, "potential"), forces=forces,
            constraints=constraints, bodies=self.bodies, frictions=self.frictions, title=self.scene.title,
            definitions=given.definitions, points=given.points, lines=given.lines)

    def _body(self, name: str) -> None:
        body, own = self.scene.body[name], symbol_name(name)
        for other in self.places:
            if symbol_name(other) == own:
                raise GranumError(f'"{name}" and "{other}" are both "{own}" in formulas, where - is a sign. Rename '
                                  "one.")
        start = self.scene.start.get(name)
        at_start = start.position if start is not None and start.position is not None else None
        if isinstance(body, FixedPoint):
            self._same_dimension(body.position)
            self.places[name] = Place(name, vector(body.position), start=_three(body.position))
            return
        axes = [f"{own}.{axis}" for axis in "xyz"[: self.dimension]]
        self.coordinates += axes
        position = vector([symbol(axis) for axis in axes])
        place = Place(name, position, start=_three(at_start or ()))
        self.places[name] = place
        if isinstance(body, Rigid):
            self._rigid(name, body, place)
        elif isinstance(body, PointMass):
            self.bodies.append(Body(name, number(body.mass), position))
        else:
            assert isinstance(body, MasslessPoint)

    def _rigid(self, name: str, body: Rigid, place: Place) -> None:
        properties, start = body.properties(), self.scene.start.get(name)
        names = [f"{symbol_name(name)}.u{k}" for k in range(4)]
        self.coordinates += names
        u = tuple(map(symbol, names))
        place.quaternion, place.rotation, place.points = u, quaternion_rotation(u), body.fixed_points()
        turned_by = start.orientation if start is not None and start.orientation is not None else (1.0, 0.0, 0.0, 0.0)
        place.turned = rotation_of(turned_by)
        spin = quaternion_spin(u, [symbol(rate_name(k)) for k in names])
        self.bodies.append(
            Body(name, number(properties.mass), place.position, place.rotation, properties.inertia, spin))
        self.constraints.append(Constraint(f"{name}.unit", (0.5 * (dot(u, u) - 1.0),), reactions=(), silent=True))

    def _same_dimension(self, value: Sized) -> None:
        if len(value) != self.dimension:
            raise GranumError(f"has {len(value)} components, but the scene is {self.dimension}-D.")

    def _place(self, name: str) -> Place:
        if name not in self.places:
            raise GranumError(f'there is no body "{name}". {did_you_mean(name, self.places, "body")}')
        return self.places[name]

    def point(self, name: str) -> tuple[Place, Vector, Floats]:
        """Body, position and start position of a point `body` or `body.point`."""
        body, _, point = name.partition(".")
        place = self._place(body)
        if not point:
            return place, place.position, place.start
        if point not in place.points:
            raise GranumError(f'"{body}" has no point "{point}". {did_you_mean(point, place.points, "point")}')
        assert place.rotation is not None
        arm = place.points[point]
        return place, plus(place.position, turned(place.rotation, vector(arm))), place.start + place.turned @ arm

    def _load(self, load: Load) -> None:
        if isinstance(load, Gravity):
            self._same_dimension(load.acceleration)
            for body in self.bodies:
                self.potential = self.potential - body.mass * dot(vector(load.acceleration), body.position)
        elif isinstance(load, Force):
            self._same_dimension(load.force)
            self.potential = self.potential - dot(vector(load.force), self.point(load.on)[1])
        elif isinstance(load, Spring):
            self._spring(load)
        else:
            raise GranumError(f'kind "{load.kind}" acts on grains, and there are none.')

    def _spring(self, spring: Spring) -> None:
        (_, a, start_a), (_, b, start_b) = self.point(spring.between[0]), self.point(spring.between[1])
        distance = length(minus(b, a))
        rest = spring.rest_length if spring.rest_length is not None else float(np.linalg.norm(start_b - start_a))
        self.potential = self.potential + 0.5 * spring.stiffness * (distance - rest) ** 2
        if spring.damping:
            q = list(map(symbol, self.coordinates))
            slope = gradient(distance, q)
            rate = total(s * symbol(rate_name(c)) for s, c in zip(slope, self.coordinates, strict=True))
            for name, s in zip(self.coordinates, slope, strict=True):
                self.forces[name] = self.forces.get(name, ZERO) - spring.damping * rate * s

    def _link(self, name: str, link: Link) -> None:
        """(|d|² - l²) / 2l, whose multiplier is the force of the link, tension negative."""
        (_, a, start_a), (_, b, start_b) = self.point(link.between[0]), self.point(link.between[1])
        size = link.length if link.length is not None else float(np.linalg.norm(start_b - start_a))
        if size <= 0.0:
            raise GranumError("its ends coincide at the start. Give their bodies positions that differ.")
        d = minus(b, a)
        row = (dot(d, d) - size * size) / (2.0 * size)
        if not free_symbols([row]):
            raise GranumError("joins two fixed points. Leave it out.")
        self.constraints.append(Constraint(name, (row,), ((name, -multiplier(name, 0)),)))

    def _connections(self) -> None:
        for name, entry in self.scene.constraint.items():
            with at(f"constraint.{name}"):
                if isinstance(entry, Rolling):
                    self._rolling(name, entry)
                elif isinstance(entry, BallJoint):
                    self._ball_joint(name, entry)
                elif isinstance(entry, Hinge):
                    self._hinge(name, entry)
                elif isinstance(entry, Glue):
                    self._glue(name, entry)
                elif isinstance(entry, Slider | Drive | Sliding):
                    raise GranumError(f'kind "{entry.kind}" is not known to formulas.')
        for name, entry in self.scene.constraint.items():
            with at(f"constraint.{name}"):
                if isinstance(entry, NoSpin):
                    if entry.body not in self.contacts:
                        raise GranumError(f'"{entry.body}" does not roll: no-spin needs a rolling constraint too.')
                    self.constraints.append(no_spin(name, self.contacts[entry.body]))

    def _rolling(self, name: str, entry: Rolling) -> None:
        place, body = self._place(entry.body), self.scene.body[entry.body]
        if not isinstance(body, Rigid) or (round_ := body.properties()).radius is None:
            raise GranumError(f'"{entry.body}" is not round: a sphere or a two-half-shell rolls.')
        if entry.on not in self.scene.surface:
            raise GranumError(f'there is no surface "{entry.on}". '
                              f'{did_you_mean(entry.on, self.scene.surface, "surface")}')
        if entry.body in self.contacts:
            raise GranumError(f'"{entry.body}" rolls on a surface already.')
        own = symbol_name(entry.body)
        alpha, beta = (tuple(f"{own}.{point}.{axis}" for axis in "xyz") for point in ("contact", "centre"))
        self.coordinates += [*alpha, *beta]
        with at(f"surface.{entry.on}.equation"):
            equation = parse_equation(self.scene.surface[entry.on].equation, ["X", "Y", "Z"])
            if not free_symbols([equation]):
                raise GranumError("depends on none of X, Y and Z: it is no surface.")
        surface = rebuild([equation], dict(zip(map(symbol, "XYZ"), map(symbol, alpha), strict=True)))[0]
        contact, constraint = rolling(name, entry.body, place.position, place.quaternion, alpha, beta, surface,
                                      round_.radius, round_.centre, entry.friction)
        self.contacts[entry.body] = contact
        self.constraints.append(constraint)

    def _ball_joint(self, name: str, entry: BallJoint) -> None:
        (_, a, _), (_, b, _) = self.point(entry.between[0]), self.point(entry.between[1])
        rows = minus(b, a)[: self.dimension]
        labels = tuple((f"{name}.{axis}", multiplier(name, k)) for k, axis in enumerate("xyz"[: self.dimension]))
        self.constraints.append(Constraint(name, rows, labels))

    def _hinge(self, name: str, entry: Hinge) -> None:
        (one, a, _), (two, b, _) = self.point(entry.between[0]), self.point(entry.between[1])
        if two.rotation is None:
            raise GranumError(f'"{entry.between[1]}" is not a rigid body: name the rigid body last.')
        if entry.axis is None:
            raise GranumError("needs the direction of its axis in space, such as axis = [0, 0, 1].")
        axis = np.array(entry.axis) / np.linalg.norm(entry.axis)
        across = np.linalg.svd(axis[None, :])[2][1:]
        own = _turned_with(one, axis)
        rows = (*minus(b, a), *(dot(own, _turned_with(two, side)) for side in across))
        labels = tuple((f"{name}.force.{c}", multiplier(name, k)) for k, c in enumerate("xyz"))
        moment = body_force(rows, range(3, 5), name, two.quaternion)[1]
        labels += tuple((f"{name}.moment.{c}", moment[k]) for k, c in enumerate("xyz"))
        self.constraints.append(Constraint(name, rows, labels))

    def _glue(self, name: str, entry: Glue) -> None:
        (one, a, start_a), (two, b, start_b) = self.point(entry.between[0]), self.point(entry.between[1])
        if one.rotation is None or two.rotation is None:
            raise GranumError("glue joins two rigid bodies.")
        if float(np.linalg.norm(start_a - start_b)) > 1e-9 * max(1.0, float(np.abs(start_a).max())):
            raise GranumError(f"the points are {np.linalg.norm(start_a - start_b):.3g} m apart at the start; glue "
                              "joins points that coincide.")
        frame = [(_turned_with(one, axis), _turned_with(two, axis)) for axis in np.eye(3)]
        rows = (*minus(b, a), *(dot(frame[i][0], frame[j][1]) for i, j in ((0, 1), (1, 2), (2, 0))))
        moment = body_force(rows, range(3, 6), name, two.quaternion)[1]
        labels = tuple((f"{name}.force.{c}", multiplier(name, k)) for k, c in enumerate("xyz"))
        labels += tuple((f"{name}.moment.{c}", moment[k]) for k, c in enumerate("xyz"))
        self.constraints.append(Constraint(name, rows, labels))

    def _start(self, name: str) -> None:
        """What is given is held, so that a contradiction is named; what is left out follows or stays at rest."""
        body, start, own = self.scene.body[name], self.scene.start.get(name), symbol_name(name)
        if isinstance(body, FixedPoint):
            return
        keep = self.guess if self.scene.run.project_start else self.given
        axes = "xyz"[: self.dimension]
        if start is not None and start.position is not None:
            self._same_dimension(start.position)
            keep.update({f"{own}.{axis}": value for axis, value in zip(axes, start.position, strict=True)})
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
            keep.update({rate_name(f"{own}.{axis}"): value for axis, value in zip(axes, start.velocity, strict=True)})

    def _start_turned(self, name: str) -> None:
        start, own, place = self.scene.start.get(name), symbol_name(name), self.places[name]
        turned_by = start.orientation if start is not None else None
        (self.guess if turned_by is None and name not in self.contacts else self.given).update(
            {f"{own}.u{k}": value for k, value in enumerate(turned_by or (1.0, 0.0, 0.0, 0.0))})
        if start is not None and start.angular_velocity is not None:
            spin = next(body.spin for body in self.bodies if body.name == name)
            assert spin is not None and place.rotation is not None
            turning = turned(place.rotation, spin)
            self.conditions += [(f"start.{name}.angular_velocity", found - value)
                                for found, value in zip(turning, start.angular_velocity, strict=True)]

    def _start_rolling(self, name: str) -> None:
        start, own, contact = self.scene.start[name], symbol_name(name), self.contacts[name]
        if start.contact is not None:
            self.given.update({f"{own}.contact.{a}": x for a, x in zip("xyz", start.contact, strict=False)})
        if start.velocity is not None:
            self.given.update({rate_name(f"{own}.centre.{a}"): x for a, x in zip("xyz", start.velocity, strict=False)})
        if start.angular_velocity is None:
            self.conditions.append((f"start.{name}.spin", contact.spin - (start.spin or 0.0)))


def rotation_of(quaternion: Sequence[float]) -> Floats:
    """S(u) as numbers (001 eq 23)."""
    rows = quaternion_rotation([number(c) for c in quaternion])
    return np.array([[entry.value for entry in row] for row in rows])


def _turned_with(place: Place, direction: Floats) -> Vector:
    """A direction given in inertial axes at the start, carried along by a body (or standing still)."""
    if place.rotation is None:
        return vector(tuple(direction))
    return turned(place.rotation, vector(tuple(place.turned.T @ direction)))


def _three(values: Sequence[float]) -> Floats:
    full = np.zeros(3)
    full[: len(values)] = values
    return full
