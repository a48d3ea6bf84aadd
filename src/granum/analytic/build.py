"""From an assembly to a system of formulas: coordinates of bodies, energies of loads, rows of connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import ZERO, free_symbols, function
from granum.algebra.vectors import Vector, dot, total, vector
from granum.analytic.body_quantities import body_quantities
from granum.analytic.constants import Constants
from granum.analytic.eliminated import Eliminated
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Applied, Body, Friction
from granum.analytic.formula_bodies import FormulaBodies, refuse_same_names
from granum.analytic.fundamental import Fundamental
from granum.analytic.massless_nodes import BALANCE, balanced_nodes
from granum.analytic.minimal_coordinates import Solved, solve
from granum.analytic.named_measures import Measures
from granum.analytic.starts import consistent
from granum.assembly.assembly import Assembly, assembly_of
from granum.assembly.parametrised import parametrised_bodies
from granum.base.errors import GranumError, Problem, SceneError, at, did_you_mean
from granum.base.kernels import Floats
from granum.base.text import listed
from granum.loads.load import BodyLoad, LoadFormula
from granum.loads.measured import ANGLE, RATE, joint_rate, joint_value
from granum.loads.registry import formula_of
from granum.model.body_entries import Rigid
from granum.model.connections import (
    Coupling,
    EnergyConstraint,
    FormulaConstraint,
    FrictionConstraint,
    NoSpin,
    Rolling,
    Sliding,
)
from granum.model.loads import damper
from granum.model.scene import Scene
from granum.model.solids import Rod
from granum.rows.body import NO_INERTIA
from granum.rows.contact import not_round, refuse_lying
from granum.rows.coupling import Coupled
from granum.rows.elements import angle, roll
from granum.rows.errors import ANGLE_ROW, row_length
from granum.rows.ground import ground_at, surface_equation
from granum.rows.joint import FRICTION, NORMAL, Joint, Row, movable_joint
from granum.rows.registry import BUILDERS, COUPLINGS
from granum.rows.rolling_on_surface import Roller, Touching, no_spin, rolling, rolling_oval
from granum.rows.symbolic import Constraint, Pair, Pose, RowFormula, multiplier, rate_name
from granum.rows.system import symbol_name
from granum.rows.tables import ON_PLANE, ROLL, ROLL_FLAT


@dataclass(frozen=True)
class Built:
    """A system with what its scene says about the start, and what is recorded of it."""

    scene: Scene
    """With its patterns written out."""
    assembly: Assembly
    system: System
    given: dict[str, float]
    guess: dict[str, float]
    conditions: tuple[tuple[str, Expression], ...]
    positions: dict[str, Vector]
    """Of every body, for pictures."""
    contacts: tuple[Touching, ...]
    dimension: int
    poses: dict[str, Pose]
    """Of every body."""
    held: tuple[str, ...] = ()
    """Joints that chosen coordinates satisfy in every position."""


def build(scene: Scene) -> Built:
    """The system of a scene, made once; raises SceneError with what is wrong with it."""
    if scene.formulation == "newton-euler" and scene.surface and scene.dimension == 3:  # planes are no rows here
        scene = scene.with_run(formulation="fundamental")
    key = "formulas", scene.run.project_start, scene.run.coordinates
    if key not in scene._compiled:
        refuse_same_names(scene)
        scene._compiled[key] = _in_chosen_coordinates(scene) if scene.run.coordinates else _Builder(
            assembly_of(scene), Constants()).built()
    built: Built = scene._compiled[key]
    return built


def build_named(assembly: Assembly, constants: Constants, coordinates: Sequence[str] = ()) -> Built:
    """The system of a scene that `build` accepts, with its constants as `constants` gives them."""
    return _Builder(assembly, constants, coordinates).built()


def initial_state(built: Built) -> tuple[Floats, Floats]:
    """Coordinates and rates at the start, from what the scene gives."""
    try:
        return consistent(built.system, built.given, built.conditions, built.guess, rounding=_rounding(built.assembly))
    except GranumError as error:
        place = "start" if built.scene.start or built.assembly.rows.bodies else "system.start"
        raise SceneError([Problem(place, str(error))]) from None


def _rounding(assembly: Assembly) -> float:
    """Rounding of the angular velocities at the start [rad/s]: they follow from angular momenta, and the smallest
    moment of inertia enlarges what rounding leaves of the largest.
    """
    fastest, ratio = 0.0, 1.0
    for body in assembly.rows.bodies:
        moments = np.linalg.eigvalsh(body.inertia)
        moments = moments[moments > NO_INERTIA * moments[-1]]
        fastest = max(fastest, float(np.abs(body.angular_velocity).max()))
        ratio = max(ratio, float(moments[-1] / moments[0]) if len(moments) else 1.0)
    return 4.0 * float(np.finfo(float).eps) * ratio * fastest


def _in_chosen_coordinates(scene: Scene) -> Built:
    """The system in the coordinates that the scene chooses, beside the one in all coordinates of the bodies.

    The latter decides about the start.
    """
    if bodies := sorted(parametrised_bodies(scene)):
        raise SceneError([Problem("run.coordinates", "coordinates cannot be chosen in a scene with bodies that have a "
                                  f"parametrisation: {listed(bodies)}.", "Remove coordinates.")])
    full, builder = build(scene.with_run(coordinates=())), _Builder(assembly_of(scene), Constants(),
                                                                    scene.run.coordinates)
    built, start = builder.built(), initial_state(full)
    if built.system.frictions:
        raise SceneError([Problem("run.coordinates", "coordinates cannot be chosen in a scene with friction that "
                                  f"sticks and slides: {listed([f.name for f in built.system.frictions])}.",
                                  "Remove coordinates.")])
    known = {name: symbol(name) for name in full.system.coordinates}
    measures = Measures(full.assembly, Constants(), lambda body: Pose() if body.kind == "ground" else full.poses[
        body.name], known)
    values = [measures.value(name) for name in built.system.coordinates]
    program = full.system.compile([*values, *full.system.rates(values)])
    names = [*built.system.coordinates, *map(rate_name, built.system.coordinates)]
    guess = program(0.0, np.concatenate(start), full.system.parameter_values).tolist()
    assert builder.solved is not None
    built.system.eliminated = Eliminated(
        full.assembly, Fundamental(full.system, start).of_scene(full.assembly), builder.chosen, built.system,
        builder.solved)
    return replace(built, given={}, conditions=(), guess=dict(zip(names, guess, strict=True)),
                   scene=built.scene.with_run(formulation=scene.formulation, coordinates=scene.run.coordinates))


class _Builder(FormulaBodies):
    def __init__(self, assembly: Assembly, constants: Constants, chosen: Sequence[str] = ()) -> None:
        super().__init__(assembly, constants)
        self.chosen = [symbol_name(name) for name in chosen]
        self.solved: Solved | None = None
        """Poses by the chosen coordinates, if any are chosen."""
        self.touching: list[Touching] = []
        self.frictions: list[Friction] = []
        self.loads: list[Applied] = []
        self.inputs: dict[str, float] = {}
        """Numbers that may change between steps, as parameters of the system."""

    def built(self) -> Built:
        if self.chosen:
            with at("run.coordinates"):
                self._choose()
        else:
            for name in self.scene.body:
                with at(f"body.{name}"):
                    self.add_body(name)
        self.coordinates += self.scene.system.coordinates
        self._connections()
        for joint in self.assembly.joints:
            self.inputs.update(dict.fromkeys(joint.steering, 0.0))
        for load in self.assembly.loads:
            with at(f"{load.section}.{load.name}"):
                self.inputs.update(load.inputs)
                named = self.constants.load(load)
                self._apply(named, formula_of(named, self))
        for body in self.assembly.bodies.values() if self.solved is None else ():
            with at(f"start.{body.name}"):
                self.add_start(body)
        return self._finish()

    def _choose(self) -> None:
        """Bodies by chosen coordinates."""
        own = self.scene.system.coordinates
        self.solved = solved = solve(self.assembly, self.constants, self.chosen, own)
        self.coordinates += [name for name in self.chosen if name not in own]
        self.poses, self.orientation = solved.poses, solved.orientation
        self.constraints += solved.units
        for name in self.poses:
            body = self.assembly.bodies.get(name)
            if body is not None and not body.massless:
                pose = self.poses[name]
                self.bodies.append(Body(name, self.constants.mass(body), pose.position, pose.rotation,
                                        self.constants.inertia(body), solved.spins[name]) if body.kind == "rigid"
                                   else Body(name, self.constants.mass(body), pose.position))

    def _finish(self) -> Built:
        given = self.scene.system
        with at("system"):
            if given.coordinates and given.kinetic is None and not given.mass and not parametrised_bodies(self.scene):
                raise GranumError('needs kinetic = "..." or a mass matrix, because no body has a parametrisation.')
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
        self.constraints += self._balances(system)
        with at("constraint"):
            system = self._system(self.constraints)
        self._refuse_work(system)
        return Built(self.assembly.scene, self.assembly, system, {**self.given, **given.start},
                     {**self.guess, **given.guess}, tuple(self.conditions),
                     {**{name: pose.position for name, pose in self.poses.items()}, **self._points(system)},
                     (*self.contacts.values(), *self.touching), self.dimension, self.poses, tuple(
                         joint.name for joint in self.assembly.joints if self._holds(joint)))

    def _refuse_work(self, system: System) -> None:
        """Refuse to hold an energy that moving constraints, frictions or loads change."""
        loads = {load.name for load in system.loads}
        working = [agent.name for agent in system.working if agent.constraint or agent.name.removeprefix(
            "load ") in loads]
        for name, entry in self.scene.constraint.items():
            if isinstance(entry, EnergyConstraint) and working:
                with at(f"constraint.{name}"):
                    raise GranumError(f"the energy is not conserved, because {listed(working)} can do work. Remove "
                                      "this constraint.")

    def _balances(self, system: System) -> list[Constraint]:
        """Of massless points that only loads hold; where these start is a guess."""
        if not any(body.massless for body in self.assembly.bodies.values()):
            return []
        balances = balanced_nodes(self, system, self.constraints)
        for balance in balances:
            own = symbol_name(balance.name.removesuffix(BALANCE))
            for name in [f"{own}.{axis}" for axis in "xyz"[: self.dimension]]:
                if name in self.given:
                    self.guess[name] = self.given.pop(name)
                self.given.pop(rate_name(name), None)
        return balances

    def _friction(self, name: str, entry: FrictionConstraint, system: System) -> None:
        rows = {constraint.name: len(constraint.rows) for constraint in self.constraints}
        if rows.get(entry.normal) != 1:
            raise GranumError(f'normal names "{entry.normal}", but a constraint with a single formula is needed. '
                              f"{did_you_mean(entry.normal, rows, 'constraint')}")
        slip = tuple(system.read(formula, "slip") for formula in entry.slip)
        self.frictions.append(Friction(name, (entry.normal, 0), slip, entry.friction, entry.bilateral))

    def _points(self, system: System) -> dict[str, Vector]:
        for name, position in system.points.items():
            with at(f"system.points.{name}"):
                if len(position) != self.dimension:
                    raise GranumError(f"has {len(position)} components, but the scene is {self.dimension}-D. Give all "
                                      "vectors of a scene the same number of components.")
                if name in self.poses:
                    raise GranumError("there is already a body of this name.")
        return {name: vector(position) for name, position in system.points.items()}

    def _system(self, constraints: Sequence[Constraint]) -> System:
        given = self.scene.system
        quantities = body_quantities(self.assembly, self, self.coordinates)
        parameters = {**given.parameters, **self.constants.values}
        known = System(self.coordinates or ["nothing"], parameters=parameters, kinetic=0.0,
                       definitions=given.definitions, quantities=quantities)
        forces: dict[str, Expression] = {}
        for name, formula in given.forces.items():
            for coordinate, share in self._force_on(name, known.read(formula, f"force on {name}"), quantities).items():
                forces[coordinate] = forces.get(coordinate, ZERO) + share
        return System(
            self.coordinates, parameters={**parameters, **self.inputs}, inputs=self.inputs, kinetic=given.kinetic,
            mass=given.mass or None,
            potential=known.read(given.potential, "potential"), forces=forces, loads=self.loads,
            constraints=constraints, bodies=self.bodies, frictions=self.frictions, title=self.scene.title,
            definitions=given.definitions, points=given.points, lines=given.lines, quantities=quantities,
            measures=self.measures)

    def _force_on(self, name: str, force: Expression, quantities: Mapping[str, Expression]) -> dict[str, Expression]:
        """A force on a coordinate; on one of a body that is not chosen its parts by the principle of virtual work."""
        if name in self.coordinates:
            return {name: force}
        if self.solved is None or name not in quantities:
            raise GranumError(f'there is no coordinate "{name}" for this force. '
                              f'{did_you_mean(name, self.coordinates, "coordinate")}')
        slopes = gradient(quantities[name], list(map(symbol, self.coordinates)))
        return {own: force * slope for own, slope in zip(self.coordinates, slopes, strict=True) if not slope.is_zero}

    def measures(self) -> dict[str, Expression]:
        """Angle of each hinge, displacement of each slider, and their rates, since the start: for outputs."""
        measures = {}
        for joint in self.assembly.joints:
            own = symbol_name(joint.name)
            if joint.measured is None:
                continue
            value = self._relative_angle(joint) if joint.measured == ANGLE else joint_value(joint, self)
            measures[f"{own}.{joint.measured}"] = value
            measures[f"{own}.{RATE}"] = joint_rate(joint, self)
        return measures

    def _relative_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge since the start, in 3-D within half a turn: outputs add no coordinates."""
        known = self.coordinates if self.solved is None else (*self.coordinates, *(
            f"{symbol_name(name)}.angle" for name in self.solved.angles))
        if self._by_angles(joint) or f"{symbol_name(joint.name)}.angle" in known:
            return self.hinge_angle(joint)
        assert joint.measure is not None
        pair = Pair(joint.measure, self.pose(joint.one.body), self.pose(joint.two.body),
                    (joint.one.arm, joint.two.arm), False)
        sine, cosine = angle.direction(pair)
        c, s = function("cos", joint.measure.offset), function("sin", joint.measure.offset)
        return function("atan2", c * sine - s * cosine, c * cosine + s * sine)

    # ---- loads

    def masses(self) -> Iterable[tuple[Expression, Vector]]:
        """Masses and positions of all bodies."""
        return ((body.mass, body.position) for body in self.bodies)

    def _apply(self, load: BodyLoad, formula: LoadFormula) -> None:
        """A potential energy, forces and torques, and -c dz/dt on what a damper measures: an agent each."""
        if formula.generalised or formula.forces or formula.torques:
            forces = {**self._generalised(load, formula), **formula.generalised}
            self.loads.append(Applied(load.name, forces=forces, section=load.section))
            return
        self.loads.append(Applied(load.name, formula.potential))
        if formula.damping:
            slope = gradient(formula.measure, list(map(symbol, self.coordinates)))
            rate = total(s * symbol(rate_name(c)) for s, c in zip(slope, self.coordinates, strict=True))
            self.loads.append(Applied(damper(load.name), forces={
                c: -formula.damping * rate * s for c, s in zip(self.coordinates, slope, strict=True)}))

    def _generalised(self, load: BodyLoad, formula: LoadFormula) -> dict[str, Expression]:
        """Q = F·∂v/∂q̇ + T·∂ω/∂q̇ of forces at points and torques on bodies, by coordinate."""
        poses = [self.pose(end.body) for end in load.ends]
        velocities = [pose.point(end.arm)[1] for pose, end in zip(poses, load.ends, strict=True)]
        acting = [*zip(formula.forces, velocities, strict=False),
                  *zip(formula.torques, (pose.angular_velocity for pose in poses), strict=False)]
        used = free_symbols([component for _, velocity in acting for component in velocity])
        names = [name for name in self.coordinates if rate_name(name) in used]
        slopes = [[gradient(component, [symbol(rate_name(name)) for name in names]) for component in velocity]
                  for _, velocity in acting]
        return {name: total(dot(force, [slope[k] for slope in own]) for (force, _), own in zip(
            acting, slopes, strict=True)) for k, name in enumerate(names)}

    def _by_angles(self, joint: Joint) -> bool:
        """Have both bodies an angle of full turns? Parametrised bodies have none, in 2-D either."""
        return self.dimension == 2 and not (joint.one.body.parametrised or joint.two.body.parametrised)

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge since the start.

        In 3-D, and of parametrised bodies, it is a coordinate without mass, which goes through full turns.
        """
        joint = self.constants.joint(joint)
        assert joint.measure is not None
        arms = joint.one.arm, joint.two.arm
        one, two = self.pose(joint.one.body), self.pose(joint.two.body)
        if self._by_angles(joint):
            return angle.formula(Pair(joint.measure, one, two, arms, True)).value
        if self.solved is not None and joint.name in self.solved.angles:
            return self.solved.angles[joint.name]
        coordinate = f"{symbol_name(joint.name)}.angle"
        phi = symbol(coordinate)
        if coordinate not in self.coordinates:
            self.coordinates.append(coordinate)
            follows = angle.formula(Pair(joint.measure, one, two, arms, False, phi)).value
            self.constraints.append(Constraint(f"{joint.name}.angle", (follows,), silent=True))
        return phi

    # ---- connections

    def _connections(self) -> None:
        joints = {joint.place: joint for joint in self.assembly.joints}
        for name in self.scene.link:
            self._join(joints[f"link.{name}"])
        for refers in (False, True):
            for name, entry in self.scene.constraint.items():
                place = f"constraint.{name}"
                if isinstance(entry, Coupling) and refers:
                    with at(place):
                        self._couple(name, entry)
                if type(entry) not in BUILDERS or BUILDERS[type(entry)].refers != refers:
                    continue
                with at(place):
                    if place in joints:
                        self._join(joints[place])
                    elif isinstance(entry, Rolling | Sliding):
                        self._surface(name, entry)
                    elif isinstance(entry, NoSpin):
                        self.constraints.append(no_spin(name, self.contacts[entry.body]))

    def _couple(self, name: str, entry: Coupling) -> None:
        """A coupling of two joints as a constraint; its reaction is its multiplier."""
        first, second = (movable_joint(joint, self.assembly, f"a {entry.kind}") for joint in entry.joints)
        row, effort = COUPLINGS[type(entry)](entry, Coupled(
            first, second, joint_value(first, self), joint_value(second, self), self.scene.system.parameters))
        lengths = (ANGLE_ROW if effort == "torque" else self.arm,)
        self.constraints.append(Constraint(name, (row,), ((f"{name}.{effort}", multiplier(name, 0)),), lengths=lengths))

    def _join(self, joint: Joint) -> None:
        """A joint as a constraint: the expressions of its rows, and its reactions in terms of their multipliers."""
        dropped = frozenset[int]() if self.solved is None else self.solved.dropped.get(joint.name, frozenset())
        if self._holds(joint):
            return
        joint = self.constants.joint(joint)
        rows = joint.formulas(self.pose(joint.one.body), self.pose(joint.two.body), self._by_angles(joint))
        if dropped:
            self._keep_rows(joint, rows, [k for k in range(len(rows)) if k not in dropped])
            return
        reaction = joint.reactions(rows, [multiplier(joint.name, k) for k in range(len(rows))])
        labels = joint.labels
        if joint.kind == "sliding":
            labels = [(f"{joint.name}.normal", NORMAL)]
            self._slide(joint, reaction(NORMAL))
        elif joint.kind == "rolling":
            self.touching.append(Touching(joint.name, joint.two.name, joint.one.name, reaction(NORMAL),
                                          reaction(FRICTION), joint.limit))
        self.constraints.append(Constraint(
            joint.name, tuple(row.value for row in rows), tuple((label, reaction(k)) for label, k in labels),
            labels=joint.row_labels, lengths=tuple(
                row_length(joint, row, self.arm) for row in joint.formula_rows or joint.rows)))

    def _holds(self, joint: Joint) -> bool:
        """Is a joint satisfied by chosen coordinates in every position?"""
        return self.solved is not None and len(self.solved.dropped.get(joint.name, ())) == len(joint.rows)

    def _keep_rows(self, joint: Joint, rows: Sequence[RowFormula], kept: Sequence[int]) -> None:
        """Rows of a joint that do not hold by construction; their multipliers are part of its reactions."""
        names = joint.row_labels or [f"{joint.name}.{k + 1}" for k in range(len(rows))]
        self.constraints.append(Constraint(
            joint.name, tuple(rows[k].value for k in kept), labels=tuple(names[k] for k in kept),
            lengths=tuple(row_length(joint, (joint.formula_rows or joint.rows)[k], self.arm) for k in kept)))

    def _slide(self, joint: Joint, normal: Expression) -> None:
        """A sliding contact of round bodies: without friction it may open, with friction it sticks or drags."""
        if joint.friction is None:
            self.touching.append(Touching(joint.name, joint.two.name, joint.one.name, normal, ZERO, None))
            return
        if self.dimension == 3:
            raise GranumError("sliding friction between round bodies is supported in 2-D only. In 3-D use friction = "
                              "0, or rolling.")
        if joint.presses < 0.0:
            raise GranumError("sliding friction inside a round body is not supported by formulations of formulas. Use "
                              'formulation = "newton-euler".')
        coefficient, near, far = joint.friction
        touches = joint.rows[0]
        flat = touches.element in ON_PLANE
        pair = Pair(Row(ROLL_FLAT if flat else ROLL, touches.u, p=(near, far, 0.0)), self.pose(joint.one.body),
                    self.pose(joint.two.body), (joint.one.arm, joint.two.arm), True)
        slip = (roll.flat_formula if flat else roll.formula)(pair).value
        self.frictions.append(Friction(f"{joint.name}.friction", (joint.name, 0), (slip,), coefficient))

    def _surface(self, name: str, entry: Rolling | Sliding) -> None:
        """Rolling on a surface in 3-D."""
        if isinstance(entry, Sliding):
            raise GranumError(f'"{entry.on}" is a surface, but sliding is supported between round bodies only. On a '
                              'surface use rolling, or constraints of kind "formula" and "friction".')
        body = self.scene.body[entry.body.partition(".")[0]]
        shape = body.properties() if isinstance(body, Rigid) else None
        if "." in entry.body:
            raise GranumError(f'"{entry.body}" can roll only on round bodies. On a surface use a sphere, a disk, an '
                              "ellipsoid, a rod with a radius, a half-shell or a two-half-shell.")
        if shape is None or (shape.radius is None and shape.semi_axes is None):
            raise not_round(entry.body, body)
        if self.assembly.bodies[entry.body].parametrised:
            raise GranumError(f'"{entry.body}" has a parametrisation, but a body that rolls on a surface needs '
                              "coordinates of its own. Remove the parametrisation, or state rolling by a constraint of "
                              'kind "formula".')
        if entry.body in self.contacts:
            raise GranumError(f'"{entry.body}" already rolls on a surface. Remove one of the two constraints.')
        own = symbol_name(entry.body)
        alpha, beta = (tuple(f"{own}.{point}.{axis}" for axis in "xyz") for point in ("contact", "centre"))
        self.coordinates += alpha
        surface = self.scene.surface[entry.on]
        with at(f"surface.{entry.on}.equation"):
            equation = surface_equation(surface)
        with at(f"surface.{entry.on}.motion"):
            ground = ground_at(equation, surface.motion, alpha)
        assert shape.radius is not None or shape.semi_axes is not None
        own_radius, centre = self.constants.rolling(self.assembly.bodies[entry.body], shape.radius or 0.0, shape.centre)
        roller = Roller(name, entry.body, self.poses[entry.body], self.orientation[entry.body],
                        shape.centre if shape.semi_axes is not None else centre, entry.friction, self.arm)
        if shape.semi_axes is not None:
            if ground.flat and surface.motion is None:
                slope = np.array([c.value for c in gradient(equation, list(map(symbol, "XYZ")))])
                refuse_lying(self.assembly.bodies[entry.body], shape.semi_axes, slope / np.linalg.norm(slope), entry.on)
            half_length = 0.5 * body.length if isinstance(body, Rod) else None
            contact, constraint = rolling_oval(roller, ground, shape.semi_axes, half_length)
        else:
            self.coordinates += beta
            contact, constraint = rolling(roller, beta, ground, own_radius)
        self.contacts[entry.body] = contact
        self.constraints.append(constraint)
