"""What formulas of loads and actuators may read of a state: angles and rates of joints, positions of bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from granum.algebra import Expression, symbol
from granum.algebra.expression import free_symbols, rebuild
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import cross, dot, length, minus
from granum.base.errors import GranumError, did_you_mean
from granum.loads.load import Expressing
from granum.rows.body import Body, End
from granum.rows.elements import carried
from granum.rows.joint import Connecting, Joint, movable_joints
from granum.rows.symbolic import Pair, rate_name
from granum.rows.system import symbol_name

ANGLE, DISPLACEMENT, RATE, LENGTH = "angle", "displacement", "rate", "length"
_AXES = "xyz"


def joint_value(joint: Joint, scene: Expressing) -> Expression:
    """Angle of a hinge [rad] or displacement of a slider [m], since the start."""
    if joint.measured == ANGLE:
        return scene.hinge_angle(joint)
    return carried.formula(_pair(joint, scene)).value


def joint_rate(joint: Joint, scene: Expressing) -> Expression:
    """Its rate: e·(ω₂ - ω₁), or d/dt (e·d) = e·ḋ + (ω₁ × e)·d, e the axis that the first body carries."""
    pair = _pair(joint, scene)
    axis = pair.one.carried(pair.row.u)
    if joint.measured == ANGLE:
        return dot(axis, minus(pair.two.angular_velocity, pair.one.angular_velocity))
    return dot(axis, pair.rate) + dot(cross(pair.one.angular_velocity, axis), pair.apart)


def _pair(joint: Joint, scene: Expressing) -> Pair:
    assert joint.measure is not None
    return Pair(joint.measure, scene.pose(joint.one.body), scene.pose(joint.two.body), (joint.one.arm, joint.two.arm),
                scene.planar)


def line(ends: Sequence[End], scene: Expressing) -> tuple[Expression, Expression]:
    """Distance of two points [m], and its rate [m/s]."""
    (a, u), (b, v) = (scene.pose(end.body).point(end.arm) for end in ends)
    apart = minus(b, a)
    size = length(apart)
    return size, dot(apart, minus(v, u)) / size


def point_names(dimension: int, body: Body) -> list[str]:
    """What can be read of a body: positions x, velocities vx, and if it rotates angle and angular velocities wz."""
    axes = _AXES[:dimension]
    turning = ["wx", "wy", "wz"] if dimension == 3 else ["wz"] if body.parametrised else [ANGLE, "wz"]
    return [*axes, *(f"v{axis}" for axis in axes), *(turning if body.kind == "rigid" else [])]


def point_value(end: End, name: str, scene: Expressing) -> Expression:
    """One of `point_names`, of a point of a body; angles and angular velocities are those of the body."""
    pose = scene.pose(end.body)
    if name == ANGLE:
        return pose.angle
    position, velocity = pose.point(end.arm)
    vectors = {"": position, "v": velocity, "w": pose.angular_velocity}
    return vectors[name[:-1]][_AXES.index(name[-1])]


@dataclass
class Reader:
    """Reads formulas of a load; remembers what its names measure."""

    scene: Connecting
    joint: Joint | None = None
    """The joint it acts in: names without a dot are about it, ..."""
    ends: tuple[End, ...] = ()
    """... or about the point it acts on, or the line between two."""
    joints: dict[str, tuple[Joint, str]] = field(default_factory=dict)
    """What names in use measure of joints, ..."""
    points: dict[str, tuple[End, str]] = field(default_factory=dict)
    """... and of points of bodies."""
    parameters: dict[str, float] = field(default_factory=dict)
    """Parameters of the system in use."""

    def read(self, text: str, place: str) -> Expression:
        """A formula with all its names known."""
        expression = parse_equation(text)
        for name in sorted(free_symbols([expression])):
            self._know(name, place)
        return expression

    def _know(self, name: str, place: str) -> None:
        scene, system = self.scene, self.scene.scene.system
        if name == "t" or name in self.joints or name in self.points or name in system.coordinates or any(
                name == rate_name(q) for q in system.coordinates):
            return
        if name in system.parameters:
            self.parameters[name] = float(system.parameters[name])
            return
        owner, _, quantity = name.rpartition(".")
        if not owner:
            self._own(name, place)
            return
        for joint in movable_joints(scene):
            if symbol_name(joint.name) == owner:
                self._joint(name, joint, quantity, place)
                return
        body, _, point = owner.partition(".")
        found = next((own for own in (*scene.scene.body, *scene.bodies) if symbol_name(own) == body), None)
        if found is None:
            known = [*(symbol_name(joint.name) for joint in movable_joints(scene)), *map(symbol_name, scene.bodies)]
            raise GranumError(f'{place}: there is no joint or body "{owner}". '
                              f'{did_you_mean(owner, known, "joint or body")}')
        self._point(name, scene.end(f"{found}.{point}" if point else found), quantity, place)

    def _own(self, name: str, place: str) -> None:
        """A name without a dot: of the joint or the point the load acts on."""
        if self.joint is not None:
            self._joint(name, self.joint, name, place)
        elif len(self.ends) == 1:
            self._point(name, self.ends[0], name, place)
        elif not (len(self.ends) == 2 and name in (LENGTH, RATE)):
            own = ["t", *([LENGTH, RATE] if self.ends else []), *self.scene.scene.system.parameters,
                   *self.scene.scene.system.coordinates]
            raise GranumError(f'{place}: "{name}" is not known here. {did_you_mean(name, own, "name")}')

    def _joint(self, name: str, joint: Joint, quantity: str, place: str) -> None:
        known = [str(joint.measured), RATE]
        if quantity not in known:
            raise GranumError(f'{place}: "{name}" is not known. The {joint.kind} "{joint.name}" has '
                              f'{" and ".join(known)}.')
        self.joints[name] = joint, quantity

    def _point(self, name: str, end: End, quantity: str, place: str) -> None:
        known = point_names(self.scene.dimension, end.body)
        if quantity not in known:
            raise GranumError(f'{place}: "{name}" is not known. "{end.name}" has {", ".join(known)}.')
        self.points[name] = end, quantity

    def measured(self, scene: Expressing) -> Mapping[Expression, Expression]:
        """Expressions for all names in use."""
        found = {symbol(name): joint_rate(joint, scene) if quantity == RATE else joint_value(joint, scene)
                 for name, (joint, quantity) in self.joints.items()}
        found |= {symbol(name): point_value(end, quantity, scene) for name, (end, quantity) in self.points.items()}
        if self.joint is None and len(self.ends) == 2:
            found |= dict(zip((symbol(LENGTH), symbol(RATE)), line(self.ends, scene), strict=True))
        return found

    def express(self, formulas: Sequence[Expression], scene: Expressing) -> list[Expression]:
        """Formulas in terms of the poses of bodies."""
        return rebuild(list(formulas), dict(self.measured(scene)))
