"""From a scene to a system of formulas: coordinates of bodies, energies of loads, rows of connections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.algebra import Expression, gradient, number, symbol
from granum.algebra.expression import ZERO, free_symbols, rebuild
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import (
    Vector,
    dot,
    length,
    minus,
    plus,
    total,
    turned,
    vector,
)
from granum.analytic import joints
from granum.analytic.expressed import TIME, Applied, Constraint, Friction, System, multiplier, rate_name
from granum.analytic.joints import Joint
from granum.analytic.places import End
from granum.analytic.rolling import Touching, no_spin, rolling
from granum.analytic.staging import Stage, at, symbol_name
from granum.analytic.touching import Pair, Round, rolling_pair, sliding_pair
from granum.assembly.points import assemble_points
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.model.bodies import FixedPoint, PointMass, Rigid
from granum.model.clumps import Clump
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
from granum.model.loads import Force, Gravity, Load, Spring, Torque, TorsionSpring, damper
from granum.model.scene import Scene
from granum.model.solids import Disk
from granum.model.start import Start


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
    contacts: tuple[Touching, ...]
    dimension: int


def build(scene: Scene) -> Built:
    """The system of a scene; raises SceneError with the first problem found."""
    return _Builder(explicit(scene) if scene.pattern else scene).built()


def explicit(scene: Scene) -> Scene:
    """The scene with its patterns written out as bodies and links."""
    assembly = assemble_points(scene)
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


class _Builder(Stage):
    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.touching: list[Touching] = []
        self.joints: dict[str, Joint] = {}
        self.frictions: list[Friction] = []
        self.loads: list[Applied] = []

    def built(self) -> Built:
        for name in self.scene.body:
            with at(f"body.{name}"):
                self._body(name)
        for name in self.scene.start:
            if name not in self.scene.body:
                raise SceneError([Problem(f"start.{name}", f'there is no body "{name}".',
                                          did_you_mean(name, self.scene.body, "body"))])
        self.coordinates += self.scene.system.coordinates
        for name, link in self.scene.link.items():
            with at(f"link.{name}"):
                self._link(name, link)
        self._connections()
        for name, load in self.scene.load.items():
            with at(f"load.{name}"):
                self._load(name, load)
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
                     (*self.contacts.values(), *self.touching), self.dimension)

    def _friction(self, name: str, entry: FrictionConstraint, system: System) -> None:
        rows = {constraint.name: len(constraint.rows) for constraint in self.constraints}
        if rows.get(entry.normal) != 1:
            raise GranumError(f'normal names "{entry.normal}", but a constraint of one formula is needed. '
                              f"{did_you_mean(entry.normal, rows, 'constraint')}")
        slip = tuple(system.read(formula, "slip") for formula in entry.slip)
        self.frictions.append(Friction(name, (entry.normal, 0), slip, entry.friction, entry.bilateral))

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
        forces = {name: known.read(formula, f"force on {name}") for name, formula in given.forces.items()}
        return System(
            self.coordinates, parameters=given.parameters, kinetic=given.kinetic, mass=given.mass or None,
            potential=known.read(given.potential, "potential"), forces=forces, loads=self.loads,
            constraints=constraints, bodies=self.bodies, frictions=self.frictions, title=self.scene.title,
            definitions=given.definitions, points=given.points, lines=given.lines)

    def _load(self, name: str, load: Load) -> None:
        if isinstance(load, Gravity):
            self._same_dimension(load.acceleration)
            g = vector(load.acceleration)
            self.loads.append(Applied(name, -total(body.mass * dot(g, body.position) for body in self.bodies)))
        elif isinstance(load, Force):
            self._same_dimension(load.force)
            self.loads.append(Applied(name, -dot(vector(load.force), self.point(load.on).position)))
        elif isinstance(load, Spring):
            self._spring(name, load)
        elif isinstance(load, Torque):
            self._torque(name, load)
        elif isinstance(load, TorsionSpring):
            self._torsion(name, load)
        else:
            raise GranumError(f'kind "{load.kind}" acts on grains, and there are none.')

    def _spring(self, name: str, spring: Spring) -> None:
        one, two = map(self.point, spring.between)
        distance = length(minus(two.position, one.position))
        rest = spring.rest_length if spring.rest_length is not None else float(np.linalg.norm(two.start - one.start))
        self._elastic(name, distance, spring.stiffness, rest, spring.damping)

    def _elastic(self, name: str, measure: Expression, stiffness: float, rest: float, damping: float) -> None:
        """V = ½ k (z - z₀)² of what a formula z measures, and a force -c dz/dt on it, an agent of its own."""
        self.loads.append(Applied(name, 0.5 * stiffness * (measure - rest) ** 2))
        if damping:
            slope = gradient(measure, list(map(symbol, self.coordinates)))
            rate = total(s * symbol(rate_name(c)) for s, c in zip(slope, self.coordinates, strict=True))
            self.loads.append(Applied(damper(name), forces={
                c: -damping * rate * s for c, s in zip(self.coordinates, slope, strict=True)}))

    def _torque(self, name: str, load: Torque) -> None:
        """Q = ∂(T·ω)/∂q̇ on the coordinates that turn the body."""
        place = self._place(load.on)
        if place.rotation is None:
            raise GranumError(f'"{load.on}" is a point and does not turn: a torque acts on a rigid body.')
        if self.dimension == 2 and (load.torque[0] or load.torque[1]):
            raise GranumError(f"found {list(load.torque)}, but in the plane a torque is one number: that about z.")
        names = [u.name for u in place.orientation]
        power = dot(vector(load.torque), place.turning)
        slopes = gradient(power, [symbol(rate_name(c)) for c in names])
        self.loads.append(Applied(name, forces=dict(zip(names, slopes, strict=True))))

    def _torsion(self, name: str, load: TorsionSpring) -> None:
        """V = ½ k (φ - φ₀)²; in space the angle is a coordinate without mass, which turns on and on."""
        if load.hinge not in self.joints or self.joints[load.hinge].kind != "hinge":
            hinges = [name for name, joint in self.joints.items() if joint.kind == "hinge"]
            raise GranumError(f'there is no hinge "{load.hinge}". {did_you_mean(load.hinge, hinges, "hinge")}')
        angle = self.joints[load.hinge].measure
        if angle is None:
            coordinate = f"{symbol_name(load.hinge)}.angle"
            angle = symbol(coordinate)
            if coordinate not in self.coordinates:
                self.coordinates.append(coordinate)
                self.constraints.append(Constraint(f"{load.hinge}.angle", (self.joints[load.hinge].following(angle),),
                                                   silent=True))
        self._elastic(name, angle, load.stiffness, load.rest_angle, load.damping)

    def _link(self, name: str, link: Link) -> None:
        """(|d|² - l²) / 2l, whose multiplier is the force of the link, tension negative."""
        one, two = map(self.point, link.between)
        size = link.length if link.length is not None else float(np.linalg.norm(two.start - one.start))
        if size <= 0.0:
            raise GranumError("its ends coincide at the start. Give their bodies positions that differ.")
        d = minus(two.position, one.position)
        row = (dot(d, d) - size * size) / (2.0 * size)
        if not free_symbols([row]):
            raise GranumError("joins two fixed points. Leave it out.")
        self.constraints.append(Constraint(name, (row,), ((name, -multiplier(name, 0)),)))

    def _connections(self) -> None:
        for name, entry in self.scene.constraint.items():
            with at(f"constraint.{name}"):
                if isinstance(entry, Rolling | Sliding):
                    self._touches(name, entry)
                elif isinstance(entry, BallJoint | Hinge | Slider | Glue):
                    self._joint(name, entry)
        for name, entry in self.scene.constraint.items():
            with at(f"constraint.{name}"):
                if isinstance(entry, NoSpin):
                    if entry.body not in self.contacts:
                        raise GranumError(f'"{entry.body}" does not roll: no-spin needs a rolling constraint too.')
                    self.constraints.append(no_spin(name, self.contacts[entry.body]))
                elif isinstance(entry, Drive):
                    self._drive(name, entry)

    def _joint(self, name: str, entry: BallJoint | Hinge | Slider | Glue) -> None:
        one, two = map(self.point, entry.between)
        if not isinstance(entry, BallJoint):
            joints.refuse_unfit(one, two, entry.kind)
        if isinstance(entry, Hinge | Slider) and entry.axis is not None and not (
                isinstance(entry, Hinge) and self.dimension == 2):
            with at(f"constraint.{name}.axis"):
                self._same_dimension(entry.axis)
        if isinstance(entry, Slider):
            found, self.joints[name] = joints.slider(name, one, two, entry.axis, entry.rotation, self.dimension)
            self.constraints.append(found)
            return
        joints.refuse_apart(one, two)
        if isinstance(entry, Hinge):
            found, self.joints[name] = joints.hinge(name, one, two, entry.axis, self.dimension)
        elif isinstance(entry, Glue):
            found = joints.glue(name, one, two, self.dimension)
        else:
            found = joints.ball_joint(name, one, two, self.dimension)
        self.constraints.append(found)

    def _drive(self, name: str, entry: Drive) -> None:
        """A joint that moves as a formula of t says, which begins with zero."""
        if entry.joint not in self.joints:
            other = self.scene.constraint.get(entry.joint)
            what = f'"{entry.joint}" is of kind "{other.kind}"' if other is not None else f'there is no "{entry.joint}"'
            raise GranumError(f"{what}, but a drive moves a hinge or a slider. "
                              f'{did_you_mean(entry.joint, self.joints, "hinge or slider")}')
        for other_name, other in self.scene.constraint.items():
            if other_name != name and isinstance(other, Drive) and other.joint == entry.joint:
                raise GranumError(f'"{other_name}" drives "{entry.joint}" too: one drive for a joint. Leave one out.')
        values = self.scene.system.parameters
        with at(f"constraint.{name}.motion"):
            motion = parse_equation(entry.motion, ["t", *values])
            numbers = {symbol(key): number(value) for key, value in values.items()}
            begins = rebuild([motion], {**numbers, TIME: ZERO})[0].value
            if abs(begins) > 1e-12:
                raise GranumError(f"is {begins:.6g} at t = 0, but a motion is counted from the start: subtract that, "
                                  "so that it begins with 0.")
        self.constraints.append(joints.drive(name, self.joints[entry.joint], motion))

    def _round(self, name: str) -> Round:
        """A round body, or a part of a clump."""
        own, _, part = name.partition(".")
        place, body = self._place(own), self.scene.body[own]
        if isinstance(body, Clump) and part in body.own_points():
            return Round(self.point(name), body.parts[int(part) - 1].radius)
        if isinstance(body, Clump) and part:
            self.point(name)  # says which points there are
        if not isinstance(body, Rigid) or part or (round_ := body.properties()).radius is None:
            hint = f' Name one of its parts, such as "{own}.1".' if isinstance(body, Clump) else ""
            raise GranumError(f'"{name}" is not round: a sphere, a disk, a half-shell, a two-half-shell or a part of a '
                              f"clump rolls.{hint}")
        assert place.rotation is not None and round_.radius is not None
        arm = round_.centre
        return Round(End(name, place, plus(place.position, turned(place.rotation, vector(arm))),
                         place.start + place.turned @ arm), round_.radius)

    def _touches(self, name: str, entry: Rolling | Sliding) -> None:
        """A round body on a surface, or on another round body."""
        moving = self._round(entry.body)
        if entry.on not in self.scene.surface and entry.on.partition(".")[0] not in self.scene.body:
            known = {**self.scene.surface, **self.scene.body}
            raise GranumError(f'there is no surface or body "{entry.on}". '
                              f'{did_you_mean(entry.on, known, "surface or body")}')
        if entry.on in self.scene.surface:
            if isinstance(entry, Sliding):
                raise GranumError(f'"{entry.on}" is a surface: sliding is for round bodies on one another. On a '
                                  'surface take rolling, or constraints of kind "formula" and "friction".')
            self._rolling(name, entry)
            return
        pair = Pair(self._round(entry.on), moving, self.coordinates, self.dimension)
        if isinstance(entry, Rolling):
            touching, constraint = rolling_pair(name, pair, entry.friction)
            self.touching.append(touching)
        else:
            loose, constraint, friction = sliding_pair(name, pair, entry.friction)
            self.touching += [] if loose is None else [loose]
            self.frictions += [] if friction is None else [friction]
        self.constraints.append(constraint)

    def _rolling(self, name: str, entry: Rolling) -> None:
        """On a surface."""
        if "." in entry.body or isinstance(self.scene.body[entry.body], Disk):
            raise GranumError(f'"{entry.body}" rolls on round bodies alone: on a surface a sphere, a half-shell or a '
                              "two-half-shell rolls.")
        if entry.body in self.contacts:
            raise GranumError(f'"{entry.body}" rolls on a surface already.')
        place, body = self._place(entry.body), self.scene.body[entry.body]
        assert isinstance(body, Rigid)
        round_ = body.properties()
        assert round_.radius is not None
        own = symbol_name(entry.body)
        alpha, beta = (tuple(f"{own}.{point}.{axis}" for axis in "xyz") for point in ("contact", "centre"))
        self.coordinates += [*alpha, *beta]
        with at(f"surface.{entry.on}.equation"):
            equation = parse_equation(self.scene.surface[entry.on].equation, ["X", "Y", "Z"])
            if not free_symbols([equation]):
                raise GranumError("depends on none of X, Y and Z: it is no surface.")
        surface = rebuild([equation], dict(zip(map(symbol, "XYZ"), map(symbol, alpha), strict=True)))[0]
        contact, constraint = rolling(name, entry.body, place.position, place.orientation, alpha, beta, surface,
                                      round_.radius, round_.centre, entry.friction)
        self.contacts[entry.body] = contact
        self.constraints.append(constraint)
