"""Quantities that may be coordinates, by name: positions and angles of bodies, angles and displacements of joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from granum.algebra import Expression, function
from granum.algebra.vectors import dot, minus
from granum.analytic.constants import Constants
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError, did_you_mean
from granum.loads.measured import ANGLE, DISPLACEMENT
from granum.rows.body import Body, End
from granum.rows.elements import angle, carried
from granum.rows.joint import AXES, Joint, Row, frame
from granum.rows.symbolic import Pair, Pose
from granum.rows.system import symbol_name
from granum.rows.tables import ANGLE as ANGLE_ROW
from granum.rows.tables import SQUARE

AZIMUTH, ELEVATION = "azimuth", "elevation"
_STEEP = 0.9
"""Part of the direction of a link along the z axis from which on its angles count from another axis."""


def pole_of(joint: Joint) -> int:
    """The axis from whose equator the elevation of a 3-D link is measured: z, or x for a link that starts along z."""
    if joint.one.body.position is None or joint.two.body.position is None:
        return 2
    apart = joint.two.start - joint.one.start
    return 2 if abs(apart[2]) < _STEEP * float(np.linalg.norm(apart)) else 0


def turns_about_line(joint: Joint, planar: bool) -> bool:
    """Is it a 3-D slider whose second body may rotate about the line?"""
    return joint.measured == DISPLACEMENT and not planar and sum(row.element == SQUARE for row in joint.rows) < 3


def _angle_row(joint: Joint) -> Row:
    """The angle of a cylindrical joint about its axis, since the start."""
    assert joint.axis is not None
    n, a, _ = frame(joint.axis)
    return Row(ANGLE_ROW, joint.one.body.carried(n), joint.two.body.carried(a), joint.one.body.carried(a))


class Measures:
    """Expressions of named quantities for given poses.

    Args:
        pose: the pose of a body.
        known: quantities that are variables themselves, by name.
    """

    def __init__(self, assembly: Assembly, constants: Constants, pose: Callable[[Body], Pose],
                 known: Mapping[str, Expression]) -> None:
        self.assembly, self.constants, self._pose, self._known = assembly, constants, pose, known
        self.planar = assembly.dimension == 2
        self._joints = {symbol_name(joint.name): joint for joint in assembly.joints
                        if joint.measured is not None or joint.length is not None}

    @property
    def names(self) -> list[str]:
        """What may be chosen, without named points of bodies."""
        listed = list[str]()
        for body in self.assembly.bodies.values():
            own = symbol_name(body.name)
            listed += [f"{own}.{axis}" for axis in AXES[: self.assembly.dimension]]
            if body.kind == "rigid" and self.planar:
                listed.append(f"{own}.{ANGLE}")
        for own, joint in self._joints.items():
            listed += [f"{own}.{what}" for what in self._of_joint(joint)]
        return list(dict.fromkeys([*listed, *self._known]))

    def _of_joint(self, joint: Joint) -> tuple[str, ...]:
        if joint.length is not None:
            return (ANGLE,) if self.planar else (AZIMUTH, ELEVATION)
        if joint.measured == ANGLE:
            return (ANGLE,)
        return (DISPLACEMENT, ANGLE) if turns_about_line(joint, self.planar) else (DISPLACEMENT,)

    def value(self, name: str) -> Expression:
        """A quantity by its name."""
        if name in self._known:
            return self._known[name]
        owner, _, what = name.rpartition(".")
        end = self._end(owner)
        if end is not None and (what in AXES[: self.assembly.dimension] or (
                what == ANGLE and self.planar and end.body.kind == "rigid")):
            pose = self._pose(end.body)
            return pose.angle if what == ANGLE else pose.point(end.arm)[0][AXES.index(what)]
        joint = self._joints.get(owner)
        if joint is not None and what in self._of_joint(joint):
            return self._joint(self.constants.joint(joint), what, pole_of(joint))
        raise GranumError(f'"{name}" is not a quantity that can be a coordinate. '
                          f'{did_you_mean(name, self.names, "coordinate")}')

    def _end(self, owner: str) -> End | None:
        """A body or one of its points."""
        body, _, point = owner.partition(".")
        found = next((one for one in self.assembly.bodies.values() if symbol_name(one.name) == body), None)
        if found is None:
            return None
        if not point:
            return End(found.name, found, np.zeros(3))
        arms = {symbol_name(own): (own, arm) for own, arm in found.points.items()}
        if point not in arms:
            return None
        return self.constants.end(End(f"{found.name}.{arms[point][0]}", found, np.array(arms[point][1])))

    def _joint(self, joint: Joint, what: str, pole: int) -> Expression:
        one, two = self._pose(joint.one.body), self._pose(joint.two.body)
        arms = joint.one.arm, joint.two.arm
        if joint.length is not None:
            apart = minus(two.point(arms[1])[0], one.point(arms[0])[0])
            if what == ELEVATION:
                return function("asin", apart[pole] / function("sqrt", dot(apart, apart)))
            return function("atan2", apart[(pole + 2) % 3], apart[(pole + 1) % 3])
        assert joint.measure is not None
        if joint.measured == what == DISPLACEMENT:
            return carried.formula(Pair(joint.measure, one, two, arms, self.planar)).value
        pair = Pair(joint.measure if joint.measured == ANGLE else _angle_row(joint), one, two, arms, self.planar)
        return angle.formula(pair).value if self.planar else function("atan2", *angle.direction(pair))

