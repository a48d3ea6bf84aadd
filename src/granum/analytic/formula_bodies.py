"""Bodies of an assembly as coordinates: their poses as expressions, and what is known about their start."""

from __future__ import annotations

from functools import cached_property

from granum.algebra import Expression, symbol
from granum.algebra.expression import ONE, ZERO, function
from granum.algebra.vectors import Matrix, Vector, dot, quaternion_rotation, quaternion_spin, turned, vector
from granum.analytic.constants import Constants
from granum.analytic.expressed_parts import Body
from granum.analytic.parametrised import pose_of, rigidity_of
from granum.assembly.assembly import Assembly
from granum.assembly.parametrised import read_parametrisation
from granum.base.errors import Problem, SceneError, at
from granum.base.rotations import quaternion_rates
from granum.model.body_entries import FixedPoint
from granum.model.scene import Scene
from granum.rows import body as rows
from granum.rows.errors import arm_length
from granum.rows.rolling_on_surface import Contact
from granum.rows.symbolic import Constraint, Pose, rate_name
from granum.rows.system import symbol_name

_ALL = (True, True, True, True)


def refuse_same_names(scene: Scene) -> None:
    """Refuse bodies whose names are the same in formulas."""
    known: dict[str, str] = {}
    for name in scene.body:
        other = known.setdefault(symbol_name(name), name)
        if other != name:
            raise SceneError([Problem(f"body.{name}", f'"{name}" and "{other}" both become "{symbol_name(name)}" in '
                                                      "formulas, where - is a minus sign. Rename one.")])


class FormulaBodies:
    """Coordinates and poses of all bodies; what acts on them and joins them comes on top."""

    def __init__(self, assembly: Assembly, constants: Constants) -> None:
        self.constants = constants
        self.assembly, self.scene, self.dimension = assembly, assembly.scene, assembly.dimension
        self.coordinates: list[str] = []
        self.poses: dict[str, Pose] = {}
        self.orientation: dict[str, tuple[Expression, ...]] = {}
        """Coordinates that rotate a body: a quaternion, or an angle in 2-D; none for a point."""
        self.bodies: list[Body] = []
        self.constraints: list[Constraint] = []
        self.contacts: dict[str, Contact] = {}
        """Bodies that roll on surfaces."""
        self.given: dict[str, float] = {}
        self.guess: dict[str, float] = {}
        self.conditions: list[tuple[str, Expression]] = []

    @cached_property
    def arm(self) -> float:
        """What errors of rows are relative to [m]."""
        return arm_length(self.scene)

    @property
    def planar(self) -> bool:
        """Is the scene 2-D?"""
        return self.dimension == 2

    def pose(self, body: rows.Body) -> Pose:
        """Pose of a body, or of the ground."""
        return Pose() if body.kind == "ground" else self.poses[body.name]

    def add_body(self, name: str) -> None:
        """Coordinates and pose of a body of the scene."""
        own, entry = symbol_name(name), self.scene.body[name]
        if isinstance(entry, FixedPoint):
            self.poses[name] = Pose(vector(self.constants.position(name, entry.position)))
            return
        if self.assembly.bodies[name].parametrised:
            self._parametrised(self.assembly.bodies[name])
            return
        axes = [f"{own}.{axis}" for axis in "xyz"[: self.dimension]]
        self.coordinates += axes
        position, velocity = (vector([symbol(axis) for axis in names]) for names in (axes, map(rate_name, axes)))
        body = self.assembly.bodies[name]
        if body.kind == "rigid":
            self._rigid(body, position, velocity)
            return
        self.poses[name], self.orientation[name] = Pose(position, velocity), ()
        if body.kind == "point":
            self.bodies.append(Body(name, self.constants.mass(body), position))

    def _rigid(self, body: rows.Body, position: Vector, velocity: Vector) -> None:
        """A body with its quaternion, or with an angle in 2-D."""
        own = symbol_name(body.name)
        names = [f"{own}.angle"] if self.dimension == 2 else [f"{own}.u{k}" for k in range(4)]
        self.coordinates += names
        u, rates = tuple(map(symbol, names)), [symbol(rate_name(name)) for name in names]
        if self.dimension == 2:
            rotation, local = _plane_rotation(u[0]), (ZERO, ZERO, rates[0])
        else:
            rotation, local = quaternion_rotation(u), quaternion_spin(u, rates)
            self.constraints.append(Constraint(f"{body.name}.unit", (0.5 * (dot(u, u) - 1.0),), silent=True))
        self.orientation[body.name] = u
        self.poses[body.name] = Pose(position, velocity, rotation, turned(rotation, local),
                                     u[0] if self.dimension == 2 else ZERO)
        if not body.massless:
            self.bodies.append(Body(body.name, self.constants.mass(body), position, rotation,
                                    self.constants.inertia(body), local))

    def _parametrised(self, body: rows.Body) -> None:
        """A body by the coordinates of the system."""
        formulas, system = read_parametrisation(self.scene, body.name), self.scene.system
        pose = pose_of(formulas, system.coordinates)
        self.orientation[body.name] = ()
        if body.kind == "point":
            self.poses[body.name] = Pose(pose.position, pose.velocity)
            self.bodies.append(Body(body.name, self.constants.mass(body), pose.position))
            return
        self.poses[body.name] = pose
        with at(f"body.{body.name}.parametrisation.rigidity"):
            rigidity = rigidity_of(body.name, formulas, system.coordinates, system.parameters)
        if rigidity is not None:
            self.constraints.append(rigidity)
        if not body.massless:
            self.bodies.append(Body(body.name, self.constants.mass(body), pose.position, formulas.rotation,
                                    self.constants.inertia(body)))

    def add_start(self, body: rows.Body) -> None:
        """What is held at the start, so that a contradiction is named; the rest follows or stays at rest.

        What the assembly has found for a body is held if the joints alone decide about it, and a guess otherwise.
        """
        if body.parametrised:
            return  # the coordinates of the system have theirs
        own, start = symbol_name(body.name), self.scene.start.get(body.name)
        assembled = body.index >= 0
        held = _ALL if assembled and self.assembly.complete else body.given
        axes = "xyz"[: self.dimension]
        if body.position is not None and (assembled or (start is not None and start.position is not None)):
            self._keep(held[0]).update({f"{own}.{axis}": float(x) for axis, x in zip(
                axes, body.position, strict=False)})
        if body.kind == "rigid":
            values = [body.angle] if self.dimension == 2 else list(body.quaternion)
            self._keep(held[1] or body.name in self.contacts).update(
                {u.name: value for u, value in zip(self.orientation[body.name], values, strict=True)})
            if assembled or (start is not None and start.angular_velocity is not None):
                self._start_rotation(body, held[3])
        if body.name in self.contacts:
            self._start_rolling(body.name)
        elif assembled or (start is not None and start.velocity is not None):
            self._keep(held[2]).update({rate_name(f"{own}.{axis}"): float(v) for axis, v in zip(
                axes, body.velocity, strict=False)})

    def _keep(self, held: bool) -> dict[str, float]:
        """Where a value of the start belongs: among those that are held, or among the guesses."""
        return self.given if held else self.guess

    def _start_rotation(self, body: rows.Body, held: bool) -> None:
        names = [rate_name(u.name) for u in self.orientation[body.name]]
        if self.dimension == 2:
            self._keep(held)[names[0]] = float(body.angular_velocity[2])
        elif held:
            self.conditions += [(f"start.{body.name}.angular_velocity", w - float(value)) for w, value in zip(
                self.poses[body.name].angular_velocity, body.angular_velocity, strict=True)]
        else:
            self.guess.update(zip(names, quaternion_rates(body.quaternion, body.angular_velocity), strict=True))

    def _start_rolling(self, name: str) -> None:
        start, own, contact = self.scene.start.get(name), symbol_name(name), self.contacts[name]
        if start is None:
            return
        if start.contact is not None:
            self.given.update({f"{own}.contact.{a}": x for a, x in zip("xyz", start.contact, strict=False)})
        elif start.position is not None:  # the origin may be a point where the surface has no normal
            self.guess.update({f"{own}.contact.{a}": x for a, x in zip("xyz", start.position, strict=True)})
        if start.velocity is not None:  # of the centre of a round body, of the mass centre of others
            point = f"{own}.centre" if f"{own}.centre.x" in self.coordinates else own
            self.given.update({rate_name(f"{point}.{a}"): x for a, x in zip("xyz", start.velocity, strict=False)})
        if start.angular_velocity is None or start.spin is not None:  # with a spin, it is a guess
            self.conditions.append((f"start.{name}.spin", contact.spin - (start.spin or 0.0)))


def _plane_rotation(phi: Expression) -> Matrix:
    """Rotation about z by an angle."""
    c, s = function("cos", phi), function("sin", phi)
    return (c, -s, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE)
