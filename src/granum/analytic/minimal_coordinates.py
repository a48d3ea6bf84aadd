"""Coordinates that a user chooses: poses of all bodies by them, so that the joints of a tree hold by construction.

A spanning tree of the joints gives every body a parent. Along the tree each joint leaves some variables z free: the
angle of a body in 2-D, the angle of a hinge or the quaternion of a body in 3-D, the displacement of a slider, the
direction of a link. The pose of a body follows from that of its parent and from z,

    R₂ = R₁ C(z),      r₂ = r₁ + R₁ (a₁ + d(z)) - R₂ a₂,

a₁ and a₂ the points that the joint connects, in body axes, and d what separates them. The quantities c = g(z) that the
user names are solved for z, one z after the other, each where its coefficient is constant. What is left of z follows
from rows of joints outside the tree in the same way. Rows of loops that are not used up remain constraints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from granum.algebra import Expression, along, gradient, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, evaluate, free_symbols, function, rebuild
from granum.algebra.vectors import (
    Matrix,
    Vector,
    cross,
    dot,
    minus,
    plus,
    quaternion_rotation,
    quaternion_spin,
    times,
    total,
    turned,
    vector,
)
from granum.analytic.constants import Constants
from granum.analytic.named_measures import AZIMUTH, ELEVATION, Measures, pole_of, turns_about_line
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import count, listed
from granum.loads.measured import ANGLE, DISPLACEMENT
from granum.model.body_entries import FixedPoint
from granum.rows.body import Body
from granum.rows.errors import arm_length
from granum.rows.joint import AXES, Joint
from granum.rows.symbolic import NOTHING, Constraint, Pose, rate_name
from granum.rows.system import symbol_name
from granum.rows.tables import ANGLE as ANGLE_ROW
from granum.topology import Topology

_TREE = {"glue": 0, "slider": 1, "hinge": 2, "ball-joint": 3, "link": 4}
"""Kinds of joints that a tree may contain, those that leave the fewest variables first."""
_ROUNDING = 1e-14
"""Entries of constant rotations this close to 0, 1 or -1 are these numbers."""
_SMALL = 1e-9
"""Coefficient of a variable below which it counts as zero."""
_UNIT: Matrix = tuple(tuple(ONE if i == j else ZERO for j in range(3)) for i in range(3))


@dataclass(frozen=True)
class Solved:
    """Poses by the chosen coordinates, and what is left of the joints."""

    poses: dict[str, Pose]
    """Of all bodies and fixed points."""
    spins: dict[str, Vector]
    """Angular velocities of rigid bodies in body axes."""
    orientation: dict[str, tuple[Expression, ...]]
    """Coordinates that rotate a body; only those of quaternions."""
    units: list[Constraint]
    """Unit quaternions."""
    dropped: dict[str, frozenset[int]]
    """Joints and those of their rows that hold by construction."""
    angles: dict[str, Expression]
    """Angles of 3-D hinges of the tree since the start."""


@dataclass
class _Place:
    """Pose of a body in the variables of the tree."""

    position: Vector = NOTHING
    rotation: Matrix = _UNIT
    angle: Expression = ZERO
    spin: Vector = NOTHING
    """In body axes."""


@dataclass(frozen=True)
class _Equation:
    """What is zero, in variables of the tree and chosen coordinates: the definition of one, or a row of a joint."""

    residual: Expression
    chosen: str
    row: tuple[str, int] | None = None


@dataclass
class _Variables:
    """Variables z of the tree: symbols that no formula can contain, by the names that a user may choose."""

    symbols: dict[str, Expression] = field(default_factory=dict)

    def new(self, name: str) -> Expression:
        self.symbols[name] = symbol(f"{name} of the tree")
        return self.symbols[name]

    @staticmethod
    def rate(z: Expression) -> Expression:
        return symbol(rate_name(z.name))


def solve(assembly: Assembly, constants: Constants, chosen: Sequence[str], own: Sequence[str]) -> Solved:
    """Poses of all bodies by the chosen coordinates.

    Args:
        chosen: names such as `cart.x`, `arm.angle`, `pin.angle`, `guide.displacement`.
        own: coordinates of [system], which stay as they are.
    """
    refuse_unsupported(assembly)
    tree = _Tree(assembly, constants, [name for name in chosen if name not in own])
    tree.choose()
    return tree.solved()


def refuse_unsupported(assembly: Assembly) -> None:
    """Refuse scenes whose coordinates cannot be chosen."""
    scene = assembly.scene
    if not assembly.bodies:
        raise GranumError("there are no bodies whose coordinates could be chosen; those of [system] stay as they are. "
                          "Remove coordinates.")
    if scene.surface and assembly.dimension == 3:
        raise GranumError("coordinates cannot be chosen for bodies that roll on surfaces, whose contact points are "
                          "coordinates too. Remove coordinates.")
    if scene.system.mass:
        raise GranumError("coordinates cannot be chosen in a scene whose [system] gives a mass matrix, which is that "
                          "of its own coordinates. Give the kinetic energy instead of mass, or remove coordinates.")


class _Tree:
    """The spanning tree, its variables z and their solution."""

    def __init__(self, assembly: Assembly, constants: Constants, chosen: Sequence[str]) -> None:
        self.assembly, self.constants, self.chosen = assembly, constants, list(chosen)
        self.planar = assembly.dimension == 2
        self.z = _Variables()
        self.solution: dict[Expression, Expression] = {}
        self.quaternions: dict[str, list[str]] = {}
        self.angles: dict[str, Expression] = {}
        self.places: dict[str, _Place] = {}
        self.joints = [joint for joint in assembly.joints if joint.kind in _TREE]
        self.used: dict[str, set[int]] = {}
        self._grow()

    # ---- along the tree

    def _grow(self) -> None:
        """Place every body, each after its parent."""
        bodies = list(self.assembly.bodies.values())
        number = {id(body): k for k, body in enumerate(bodies)}
        named = {name.rpartition(".")[0] for name in self.chosen}
        preferred = sorted(self.joints, key=lambda one: (symbol_name(one.name) not in named, _TREE[one.kind]))
        graph = Topology(len(bodies), np.zeros(0, np.int64), np.zeros(0, np.int64))
        for joint in preferred:
            graph.add_link(*(number.get(id(end.body), len(bodies)) for end in (joint.one, joint.two)))
        for node in graph.outward().tolist():
            if node == len(bodies):
                continue
            body, link = bodies[node], int(graph.parent_link[node])
            with_joint = None if link < 0 else preferred[link]
            self.places[body.name] = self._free(body) if with_joint is None else self._hang(body, with_joint)
            if with_joint is not None:
                self.used[with_joint.name] = set(range(len(with_joint.rows)))

    def place(self, body: Body) -> _Place:
        """Where a body is, or the ground."""
        return _Place() if body.kind == "ground" else self.places[body.name]

    def _free(self, body: Body) -> _Place:
        """A body without a parent."""
        own = symbol_name(body.name)
        position = vector([self.z.new(f"{own}.{axis}") for axis in AXES[: self.assembly.dimension]])
        return self._oriented(body, position)

    def _oriented(self, body: Body, position: Vector) -> _Place:
        """A body that rotates freely: by an angle in 2-D, by a quaternion in 3-D."""
        if body.kind != "rigid":
            return _Place(position)
        own = symbol_name(body.name)
        if self.planar:
            return self._turned_to(self.z.new(f"{own}.{ANGLE}"), position)
        names = [f"{own}.u{k}" for k in range(4)]
        u = [self.z.new(name) for name in names]
        self.quaternions[body.name] = names
        return _Place(position, quaternion_rotation(u), ZERO, quaternion_spin(u, [self.z.rate(one) for one in u]))

    def _turned_to(self, angle: Expression, position: Vector = NOTHING) -> _Place:
        """A body in 2-D at an angle."""
        c, s = function("cos", angle), function("sin", angle)
        return _Place(position, ((c, -s, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE)), angle)

    def _hang(self, body: Body, joint: Joint) -> _Place:
        """A body by its parent and the variables that the joint between them leaves."""
        outward = joint.two.body is body
        named = self.constants.joint(joint)
        mine, other = (named.two, named.one) if outward else (named.one, named.two)
        parent = self.place(other.body)
        own = self._rotated(body, joint, named, parent, outward)
        carrier = parent if outward else own  # the first body of the joint carries what separates the points
        apart = self._apart(joint, named, carrier)
        reached = plus(parent.position, turned(parent.rotation, vector(tuple(other.arm))))
        reached = plus(reached, apart) if outward else minus(reached, apart)
        own.position = minus(reached, turned(own.rotation, vector(tuple(mine.arm))))
        return own

    def _rotated(self, body: Body, joint: Joint, named: Joint, parent: _Place, outward: bool) -> _Place:
        """The orientation of a body by that of its parent."""
        held = [row.offset for row in named.rows if row.element == ANGLE_ROW]
        if joint.kind in ("ball-joint", "link") or (self.planar and not held):
            return self._oriented(body, NOTHING)
        if self.planar:
            return self._turned_to(parent.angle + held[0] if outward else parent.angle - held[0])
        return self._about_axis(joint, parent, outward, joint.measured == ANGLE or turns_about_line(joint, False))

    def _about_axis(self, joint: Joint, parent: _Place, outward: bool, turns: bool) -> _Place:
        """R₂ = R₁ C with C = Rot(n₁, θ) R₁ᵀR₂ of the start, and the other way round; ω₂ = Cᵀ ω₁ + n₂ θ̇."""
        start = _constant(joint.one.body.rotation.T @ joint.two.body.rotation)
        if not turns:
            C, first, rate = start, NOTHING, ZERO
        else:
            assert joint.axis is not None
            theta = self.z.new(f"{symbol_name(joint.name)}.{ANGLE}")
            self.angles[joint.name], rate = theta, self.z.rate(theta)
            axis = joint.one.body.carried(joint.axis)
            first, begun = _cleaned(axis), _angle_about(axis, joint.one.body.rotation.T @ joint.two.body.rotation)
            C = _product(_rotation_about(first, theta), start) if begun is None else _rotation_about(
                first, theta + self.constants.start_angle(joint, begun))
        second = turned(_transposed(start), first)
        if outward:
            spin = plus(turned(_transposed(C), parent.spin), times(rate, second))
            return _Place(NOTHING, _product(parent.rotation, C), ZERO, spin)
        spin = turned(C, minus(parent.spin, times(rate, second)))
        return _Place(NOTHING, _product(parent.rotation, _transposed(C)), ZERO, spin)

    def _apart(self, joint: Joint, named: Joint, first: _Place) -> Vector:
        """From the point of the first body to that of the second."""
        own = symbol_name(joint.name)
        if joint.measured == DISPLACEMENT:
            assert named.measure is not None
            along_axis = turned(first.rotation, vector(tuple(named.measure.u)))
            return times(self.z.new(f"{own}.{DISPLACEMENT}") + named.measure.offset, along_axis)
        length = named.length
        if length is None:
            return NOTHING
        if self.planar:
            angle = self.z.new(f"{own}.{ANGLE}")
            return times(length, (function("cos", angle), function("sin", angle), ZERO))
        azimuth, elevation = self.z.new(f"{own}.{AZIMUTH}"), self.z.new(f"{own}.{ELEVATION}")
        flat, pole = function("cos", elevation), pole_of(joint)
        across = {pole: function("sin", elevation), (pole + 1) % 3: flat * function("cos", azimuth),
                  (pole + 2) % 3: flat * function("sin", azimuth)}
        return times(length, (across[0], across[1], across[2]))

    # ---- from the variables to the chosen coordinates

    @cached_property
    def measures(self) -> Measures:
        """What can be named, in the variables of the tree."""
        return Measures(self.assembly, self.constants, self._pose, self.z.symbols)

    def _pose(self, body: Body) -> Pose:
        place = self.place(body)
        return Pose(place.position, NOTHING, place.rotation if body.kind == "rigid" else None, NOTHING, place.angle)

    def choose(self) -> None:
        """Solve for all variables; raises GranumError where that is not possible."""
        for name in sorted({name for name in self.chosen if self.chosen.count(name) > 1}):
            raise GranumError(f'"{name}" is chosen twice. Name each coordinate once.')
        left = self._eliminate([_Equation(self.measures.value(name) - symbol(name), name) for name in self.chosen])
        self._refuse_left([equation.chosen for equation in left])
        if self._open:  # rows of joints outside the tree determine the rest
            self._eliminate([_Equation(row, "", (joint.name, k)) for joint, k, row in self._loop_rows()])
        if self._open:
            raise GranumError(f"{count(len(self.chosen), 'coordinate')} {'is' if len(self.chosen) == 1 else 'are'} not "
                              f"enough: {self._need()}, and nothing determines {listed(self._open)} explicitly. Add "
                              f"coordinates, such as {listed(self._open)}. {self._available()}")

    @property
    def _open(self) -> list[str]:
        """Variables without a solution, by name."""
        return [name for name, z in self.z.symbols.items() if z not in self.solution]

    def _eliminate(self, equations: Sequence[_Equation]) -> list[_Equation]:
        """Solve equations for one variable each as long as that is possible; returns those that are left."""
        waiting = list(equations)
        while waiting and (step := self._pivot(waiting)) is not None:
            k, z, slope = step
            equation = waiting.pop(k)
            value = -rebuild([equation.residual], {z: ZERO})[0] / slope
            self.solution = dict(zip(self.solution, rebuild(list(self.solution.values()), {z: value}), strict=True))
            self.solution[z] = value
            waiting = [replace(other, residual=rebuild([other.residual], {z: value})[0]) for other in waiting]
            if equation.row is not None:
                self.used.setdefault(equation.row[0], set()).add(equation.row[1])
        return waiting

    def _pivot(self, waiting: Sequence[_Equation]) -> tuple[int, Expression, Expression] | None:
        """An equation, a variable and its constant coefficient: variables that are chosen themselves come first."""
        open_ones = {name: self.z.symbols[name] for name in self._open}
        for k, equation in enumerate(waiting):
            if equation.chosen in open_ones:
                return k, open_ones[equation.chosen], ONE
        best: tuple[float, int, Expression, Expression] | None = None
        for k, equation in enumerate(waiting):
            slopes = gradient(equation.residual, list(open_ones.values()))
            for z, slope in zip(open_ones.values(), slopes, strict=True):
                size = self._constant_size(slope)
                if size > _SMALL and (best is None or size > best[0] * (1.0 + 1e-6)):
                    best = size, k, z, slope
        return None if best is None else best[1:]

    def _constant_size(self, slope: Expression) -> float:
        """The magnitude of a constant; -1 for what changes."""
        if free_symbols([slope]) - set(self.constants.values):
            return -1.0
        return abs(evaluate([slope], dict(self.constants.values))[0])

    def _loop_rows(self) -> Iterable[tuple[Joint, int, Expression]]:
        """Rows of joints outside the tree that are not used, in what is solved so far."""
        for joint in self.joints:
            used = self.used.get(joint.name, set())
            if len(used) == len(joint.rows):
                continue
            rows = self.constants.joint(joint).formulas(
                self._pose(joint.one.body), self._pose(joint.two.body), self.planar)
            values = rebuild([row.value for row in rows], dict(self.solution))
            yield from ((joint, k, value) for k, value in enumerate(values) if k not in used)

    # ---- refusals

    def _available(self) -> str:
        return f"Available: {', '.join(self.measures.names)}."

    def _need(self) -> str:
        """How many coordinates there are to choose."""
        loops = [joint.name for joint in self.joints if joint.name not in self.used]
        cut = f"with its loops cut at {listed(loops)}, " if loops else ""
        return (f"{cut}the mechanism has {count(len(self.z.symbols) - len(self.quaternions), 'degree')} of freedom"
                + ("; a quaternion counts as three" if self.quaternions else ""))

    def _refuse_left(self, names: Sequence[str]) -> None:
        """Refuse chosen coordinates that determine no variable."""
        if not names:
            return
        open_ones = [self.z.symbols[name] for name in self._open]
        follow = [name for name in names if all(
            0.0 <= self._constant_size(slope) <= _SMALL for slope in gradient(
                rebuild([self.measures.value(name)], dict(self.solution))[0], open_ones))]
        if follow:
            raise GranumError(f"the coordinates are {'dependent' if open_ones else 'too many'}: {listed(follow)} "
                              f"cannot change while the others do not; {self._need()}. Remove "
                              f"{'it' if len(follow) == 1 else 'them'}"
                              + (f", and choose {listed(self._open)}. " if open_ones else ". ") + self._available())
        raise GranumError(f"{listed(names)} cannot be solved explicitly for {listed(self._open)}: the equation is "
                          "nonlinear, or singular in some positions. Choose "
                          f"{listed(self._open)} instead. {self._available()}")

    # ---- results

    def solved(self) -> Solved:
        """Poses by the chosen coordinates."""
        names = [symbol(name) for name in self.chosen]
        direction: dict[Expression, Scalar] = {c: symbol(rate_name(c.name)) for c in names}
        replaced: dict[Expression, Scalar] = dict(self.solution)
        rates = along(list(self.solution.values()), direction)
        replaced.update({self.z.rate(z): rate for z, rate in zip(self.solution, rates, strict=True)})
        poses, spins, orientation = dict[str, Pose](), dict[str, Vector](), dict[str, tuple[Expression, ...]]()
        for name, body in self.assembly.scene.body.items():
            if isinstance(body, FixedPoint):
                poses[name] = Pose(vector(self.constants.position(name, body.position)))
                continue
            place, rigid = self.places[name], self.assembly.bodies[name].kind == "rigid"
            position, angle = _rebuilt(place.position, replaced), rebuild([place.angle], replaced)[0]
            velocity = vector(along(position, direction))
            orientation[name] = tuple(map(symbol, self.quaternions.get(name, ())))
            if not rigid:
                poses[name] = Pose(position, velocity)
                continue
            rotation: Matrix = tuple(_rebuilt(row, replaced) for row in place.rotation)
            spins[name] = (ZERO, ZERO, along([angle], direction)[0]) if self.planar else _rebuilt(place.spin, replaced)
            poses[name] = Pose(position, velocity, rotation, turned(rotation, spins[name]), angle)
        units = [Constraint(f"{name}.unit", (0.5 * (dot(u, u) - 1.0),), silent=True)
                 for name, u in orientation.items() if u]
        self._drop_constant_rows()
        angles = {name: rebuild([theta], replaced)[0] for name, theta in self.angles.items()}
        return Solved(poses, spins, orientation, units, {name: frozenset(rows) for name, rows in self.used.items()},
                      angles)

    def _drop_constant_rows(self) -> None:
        """Leave out rows of loops that hold in every state, as rows across the plane of a planar mechanism do."""
        names, rng = [symbol(name) for name in self.chosen], np.random.default_rng(0)
        states = [{**self.constants.values, **dict(zip(self.chosen, values, strict=True))}
                  for values in rng.uniform(0.2, 0.9, (3, len(self.chosen))).tolist()]
        small = _SMALL * min(1.0, arm_length(self.assembly.scene))
        for joint, k, row in self._loop_rows():
            slopes = gradient(row, names)
            if max((abs(value) for state in states for value in evaluate(slopes, state)), default=0.0) <= small:
                self.used.setdefault(joint.name, set()).add(k)


def _rebuilt(components: Sequence[Expression], replaced: Mapping[Expression, Scalar]) -> Vector:
    return vector(rebuild(list(components), dict(replaced)))


def _cleaned(components: Iterable[float] | Floats) -> Vector:
    """Constant components without rounding errors near 0, 1 and -1."""
    return vector([float(round(c)) if abs(c - round(c)) < _ROUNDING else float(c) for c in components])


def _constant(matrix: Floats) -> Matrix:
    return tuple(_cleaned(row) for row in matrix)


def _transposed(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = _transposed(b)
    return tuple(tuple(dot(row, column) for column in columns) for row in a)


def _angle_about(n: Floats, rotation: Floats) -> float | None:
    """The angle of a rotation about an axis; none of a rotation about another axis."""
    if np.abs(rotation @ n - n).max() > _ROUNDING:
        return None
    sine = 0.5 * float(n @ [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0],
                            rotation[1, 0] - rotation[0, 1]])
    return float(np.arctan2(sine, 0.5 * (np.trace(rotation) - 1.0)))


def _rotation_about(n: Vector, theta: Expression) -> Matrix:
    """Rodrigues' formula: cos θ 1 + sin θ n× + (1 - cos θ) n nᵀ."""
    c, s = function("cos", theta), function("sin", theta)
    columns = [cross(n, axis) for axis in ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))]
    return tuple(tuple(total([c if i == j else ZERO, s * columns[j][i], (1.0 - c) * n[i] * n[j]]) for j in range(3))
                 for i in range(3))
