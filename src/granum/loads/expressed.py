"""Loads without a kernel of their own: machine code of their formulas, which reads the table of bodies.

A small move δx and rotation δθ of a body changes a potential energy V of its position x and its axes r_k, the columns
of its rotation, by ∂V/∂x·δx + Σ_k (r_k × ∂V/∂r_k)·δθ. So the force is -∂V/∂x, and the torque about the mass centre is
-Σ_k r_k × ∂V/∂r_k. What a damper measures changes at the rate that its slopes and the velocities say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, gradient, number, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ONE, ZERO, free_symbols, rebuild
from granum.algebra.switches import switched
from granum.algebra.vectors import Vector, cross, dot, plus, times, total
from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.loads.load import BodyLoad, LoadFormula
from granum.loads.measured import joint_rate
from granum.loads.registry import formula_of
from granum.loads.switched import SwitchedLoads, switched_loads
from granum.model.loads import damper
from granum.rows.body import Body
from granum.rows.elements import angle
from granum.rows.joint import Joint
from granum.rows.symbolic import NOTHING, Pair, Pose
from granum.state.table import ANGLE_Z, LOAD, ROTATION, VX, WX, A, BodyTable, X

Column = tuple[str, int]
"""A group of the table of bodies, and a column of it."""
POSITION, VELOCITY, ANGULAR_VELOCITY, ORIENTATION, ACCELERATION, ANGULAR_ACCELERATION = (
    tuple((group, first + k) for k in range(count)) for group, first, count in (
        ("pose", X, 3), ("motion", VX, 3), ("motion", WX, 3), ("derived", ROTATION, 9), ("derived", A, 3),
        ("derived", A + 3, 3)))
ANGLE: Column = ("derived", ANGLE_Z)
READ: tuple[Column, ...] = (*POSITION, *VELOCITY, *ANGULAR_VELOCITY, *(("derived", k) for k in range(LOAD)))
"""What machine code reads of each body, in this order (`loads.tables.read_arguments`)."""
Wrench = tuple[Vector, Vector]
"""Force, and torque about the mass centre; or slopes along both."""


class ExpressedLoads(NamedTuple):
    """Machine code of loads. It writes potential energies, powers, and the force and torque on each of `bodies`."""

    stores: list[str]
    """Names of loads with a potential energy."""
    works: list[tuple[str, str]]
    """Section and name of loads and dampers whose work is integrated."""
    twisted: list[tuple[str, Body]]
    """Loads that are torques, and the bodies they act on."""
    counted: list[Joint]
    """Hinges in 3-D whose angles it reads, which have to be counted along the motion."""
    inputs: dict[str, int]
    """Places in `data` of inputs, parameters and, behind them, the counted angles, by name."""
    data: Floats
    """Their numbers; those of inputs may change between steps."""
    program: Compiled | None
    """It must live as long as its address is used."""
    head: Ints
    """Address of the program, numbers of potential energies and of powers."""
    bodies: Ints
    agents: list[int]
    """Number in `works` that each force and torque belongs to, -1 for those with a potential energy."""
    owners: list[int]
    """Number of the load that each force and torque belongs to."""
    values: Floats
    formulas: list[Expression]
    """Forces and torques without a potential energy."""
    switched: SwitchedLoads | None
    """The same formulas in modes, where forces jump or have kinks; `data` has room for the modes."""
    varies: bool
    """Do forces and torques depend on time, on inputs or on the motion?"""


class TablePoses:
    """Poses of bodies as symbols of the table of bodies."""

    def __init__(self, bodies: Sequence[Body], planar: bool) -> None:
        self.bodies, self.planar = bodies, planar
        self.counted: dict[str, Joint] = {}
        """Hinges in 3-D whose angle is asked for, by the symbol it has."""

    def symbols(self) -> list[str]:
        """Names of what machine code reads, in order."""
        return [_name(body.index, column) for body in self.bodies for column in READ]

    def pose(self, body: Body) -> Pose:
        """Position, orientation and velocities of a body."""
        if body.kind == "ground":
            return Pose()
        i, flat = body.index, self.planar
        position, velocity = ((x, y, ZERO if flat else z) for x, y, z in (
            entries(i, POSITION), entries(i, VELOCITY)))
        if not body.rotates:
            return Pose(position, velocity)
        nine, spin = entries(i, ORIENTATION), vector_of(i, ANGULAR_VELOCITY)
        rotation = tuple(tuple(nine[3 * row : 3 * row + 3]) for row in range(3))
        if not flat:
            return Pose(position, velocity, rotation, spin)
        rotation = (*((*row[:2], ZERO) for row in rotation[:2]), (ZERO, ZERO, ONE))
        return Pose(position, velocity, rotation, (ZERO, ZERO, spin[2]), entry(i, ANGLE))

    def masses(self) -> Iterable[tuple[Expression, Vector]]:
        """Masses and positions of all bodies."""
        return ((number(body.mass), self.pose(body).position) for body in self.bodies)

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge since the start; in 3-D a symbol of what is counted along the motion."""
        assert joint.measure is not None
        if not self.planar:
            name = f"angle of {joint.name}"
            self.counted[name] = joint
            return symbol(name)
        return angle.formula(Pair(joint.measure, self.pose(joint.one.body), self.pose(joint.two.body),
                                  (joint.one.arm, joint.two.arm), True)).value

    def rates(self) -> dict[Expression, Expression]:
        """Rates of all that formulas read along a motion: of the table, of counted angles and of time."""
        rates = {symbol("t"): ONE}
        for i in (body.index for body in self.bodies):
            spin, nine = vector_of(i, ANGULAR_VELOCITY), entries(i, ORIENTATION)
            for value, rate in ((POSITION, VELOCITY), (VELOCITY, ACCELERATION),
                                (ANGULAR_VELOCITY, ANGULAR_ACCELERATION)):
                rates |= dict(zip(entries(i, value), entries(i, rate), strict=True))
            for k in range(3):
                axis = nine[k], nine[3 + k], nine[6 + k]
                rates |= dict(zip(axis, cross(spin, axis), strict=True))
            rates[entry(i, ANGLE)] = spin[2]
        return rates | {symbol(name): joint_rate(joint, self) for name, joint in self.counted.items()}

    def slopes(self, value: Expression, body: Body) -> Wrench:
        """Slopes of an expression along small moves and rotations of a body, in inertial axes."""
        pose = self.pose(body)
        turning: Vector = (ZERO, ZERO, _slope(value, pose.angle))
        for axis in zip(*pose.rotation or (), strict=True):
            turning = plus(turning, cross(axis, _slopes(value, axis)))
        return _slopes(value, pose.position), turning


class Measure(NamedTuple):
    """A length or an angle that a load measures, and what the load does against it."""

    load: str
    number: int
    """Of the load."""
    value: Expression
    rate: Expression
    """Zero where no damper works."""
    effort: Expression
    """Tension [N] or torque [N m]."""


class Acting(NamedTuple):
    """What loads do to bodies, as expressions of the table of bodies."""

    stores: list[tuple[str, Expression]]
    """Names of loads with a potential energy, and that energy [J]."""
    works: list[tuple[str, str, Expression]]
    """Section, name and power [W] of loads and dampers whose work is integrated."""
    wrenches: list[tuple[Body, int, Wrench]]
    """Force and torque on a movable body, and the number in `works` that they belong to, -1 for none."""
    twisted: list[tuple[str, Body]]
    """Loads that are torques, and the bodies they act on."""
    measures: list[Measure]
    owners: list[int]
    """Number of the load that each of `wrenches` belongs to."""


def acting_loads(loads: Sequence[BodyLoad], poses: TablePoses) -> Acting:
    """Energies, powers, forces and torques of loads on the bodies of a table."""
    found = Acting([], [], [], [], [], [])
    for number_of_load, load in enumerate(loads):
        formula = formula_of(load, poses)
        if formula.forces or formula.torques:
            acting = _acting(load, formula.forces, formula.torques, poses)
            found.works.append((load.section, load.name, total(
                _power(wrench, poses.pose(body)) for body, wrench in acting)))
            agent = len(found.works) - 1
            found.twisted.extend((load.name, end.body) for end in load.ends if formula.torques)
        else:
            _refuse_counted(formula.potential, poses)
            agent = -1
            found.stores.append((load.name, formula.potential))
            acting = _conservative(load, number_of_load, formula, poses, found)
        found.wrenches.extend((body, agent, wrench) for body, wrench in acting
                              if body.index >= 0 and not all(c.is_zero for part in wrench for c in part))
        found.owners.extend([number_of_load] * (len(found.wrenches) - len(found.owners)))
    return found


def _conservative(load: BodyLoad, number_of_load: int, formula: LoadFormula, poses: TablePoses,
                  found: Acting) -> list[tuple[Body, Wrench]]:
    """Forces of a potential energy V and of a damper: those of a spring are (dV/dz + c dz/dt) along the slopes of z."""
    effort, rate = _slope_by(formula.potential, formula.measure), ZERO
    along = [] if formula.measure.is_zero else [(body, poses.slopes(formula.measure, body)) for body in poses.bodies]
    if formula.damping:
        rate = total(_power(slope, poses.pose(body)) for body, slope in along)
        found.works.append((load.section, damper(load.name), -formula.damping * rate * rate))
    if effort is None:  # the potential energy depends on more than what the damper measures
        acting = [(body, _scaled(-1.0, poses.slopes(formula.potential, body))) for body in poses.bodies]
        effort = ZERO
    else:
        acting = []
    effort = effort + formula.damping * rate
    if not effort.is_zero:
        found.measures.append(Measure(load.name, number_of_load, formula.measure, rate, effort))
        acting += [(body, _scaled(-effort, slope)) for body, slope in along]
    return acting


def _slope_by(potential: Expression, measure: Expression) -> Expression | None:
    """The derivative of a potential energy by what a load measures, if it depends on nothing else."""
    own = symbol("what a load measures")
    (replaced,) = rebuild([potential], {measure: own})
    if measure.is_zero or any(name.startswith("bodies.") for name in free_symbols([replaced])):
        return None
    return rebuild(gradient(replaced, [own]), {own: measure})[0]


def input_values(loads: Sequence[BodyLoad]) -> dict[str, float]:
    """Inputs and parameters that the formulas of loads use, by name."""
    return {name: value for load in loads for name, value in (
        *load.inputs.items(), *(load.reader.parameters.items() if load.reader is not None else ()))}


def express(loads: Sequence[BodyLoad], bodies: Sequence[Body], planar: bool) -> ExpressedLoads:
    """Machine code of loads on the bodies of a table."""
    poses = TablePoses(bodies, planar)
    stores, works, wrenches, twisted, _, owners = acting_loads(loads, poses)
    components = [component for _, _, wrench in wrenches for part in wrench for component in part]
    outputs = [*(value for _, value in stores), *(value for _, _, value in works), *components]
    values = input_values(loads)
    values |= dict.fromkeys(poses.counted, 0.0)
    program = Compiled(poses.symbols(), list(values), outputs) if outputs else None
    formulas = [one for _, agent, wrench in wrenches if agent >= 0 for part in wrench for one in part]
    jumps = switched(outputs, components, input_values(loads).keys()) if outputs else None
    in_modes = None if jumps is None else switched_loads(
        jumps, poses.symbols(), list(values), poses.rates(), [(load.name, _all_of(formula_of(load, poses)))
                                                              for load in loads], formulas)
    modes = np.ones(0 if jumps is None else len(jumps.arguments))
    head = np.array([program.address if program else 0, len(stores), len(works)], np.int64)
    working = [(section, name) for section, name, _ in works]
    return ExpressedLoads([name for name, _ in stores], working, twisted, list(poses.counted.values()),
                          {name: k for k, name in enumerate(values)}, np.array([*values.values(), *modes, 0.0]),
                          program, head,
                          np.array([body.index for body, _, _ in wrenches], np.int64),
                          [agent for _, agent, _ in wrenches], owners, np.zeros(max(1, len(outputs))),
                          formulas, in_modes, bool(works or (components and free_symbols(components))))


def _all_of(formula: LoadFormula) -> list[Expression]:
    """All formulas of a load."""
    return [formula.potential, *(c for vector in (*formula.forces, *formula.torques) for c in vector)]


def _refuse_counted(potential: Expression, poses: TablePoses) -> None:
    """Forces of a potential energy follow from its slopes, which a counted angle does not have."""
    if free_symbols([potential]) & set(poses.counted):
        raise GranumError("has a potential energy that depends on the angle of a hinge in 3-D, which newton-euler "
                          'supports for torsion springs only. Use formulation = "fundamental".')


def _acting(load: BodyLoad, forces: Sequence[Vector], torques: Sequence[Vector],
            poses: TablePoses) -> list[tuple[Body, Wrench]]:
    """Forces at the points of a load and its torques, taken to the mass centres."""
    acting: list[tuple[Body, Wrench]] = []
    for end, force in zip(load.ends, forces, strict=False):
        acting.append((end.body, (force, cross(poses.pose(end.body).carried(end.arm), force))))
    return acting + [(end.body, (NOTHING, torque)) for end, torque in zip(load.ends, torques, strict=False)]


def _power(wrench: Wrench, pose: Pose) -> Expression:
    """F·v + T·ω."""
    return dot(wrench[0], pose.velocity) + dot(wrench[1], pose.angular_velocity)


def _scaled(factor: Expression | float, wrench: Wrench) -> Wrench:
    return times(factor, wrench[0]), times(factor, wrench[1])


def _slopes(value: Expression, along: Sequence[Expression]) -> Vector:
    x, y, z = (_slope(value, component) for component in along)
    return x, y, z


def _slope(value: Expression, along: Expression) -> Expression:
    """The derivative along a symbol; along a constant there is none."""
    return gradient(value, [along])[0] if along.kind == "symbol" else ZERO


def _name(body: int, column: Column) -> str:
    return f"bodies.{column[0]}[{body}, {column[1]}]"


def entry(body: int, column: Column) -> Expression:
    """The symbol of an entry of the table of bodies."""
    return symbol(_name(body, column))


def entries(body: int, columns: Iterable[Column]) -> list[Expression]:
    """The symbols of several of them."""
    return [entry(body, column) for column in columns]


def vector_of(body: int, columns: Iterable[Column]) -> Vector:
    """Three of them."""
    x, y, z = entries(body, columns)
    return x, y, z


def arguments_of(bodies: BodyTable, count: int) -> Floats:
    """What machine code reads of the first bodies of a table."""
    read = [getattr(bodies, group)[:count, column] for group, column in READ]
    return np.column_stack(read).ravel()
