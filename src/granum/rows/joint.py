"""A joint: two ends, the rows that restrain them, and what its reactions are called.

Reactions act on the second body, at its point. A relative rotation is held by directions that stay square; in 2-D by
angles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Vector, dot, length, minus, plus, times
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.model.connections import Drive
from granum.rows.body import Body, End
from granum.rows.elements import angle, carried, distance, fixed, oval, roll, spin, square
from granum.rows.symbolic import NOTHING, Pair, Pose, RowFormula
from granum.rows.tables import ANGLE, CARRIED, DISTANCE, FIXED, OVAL, ROLL, ROLL_FLAT, ROLL_OVAL, SPIN, SQUARE

AXES = "xyz"
_NO = (0.0, 0.0, 0.0)
_OPPOSITE = -1.0 + 1e-9
"""Cosine of the angle between two directions that counts as opposite."""
_ALONG, _UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
FORCE, MOMENT, FIRST, NORMAL, FRICTION, TENSION, REACTIONS = 0, 3, 6, 7, 8, 9, 10
"""Columns of the table of reactions: force and moment on the second body at its point, first multiplier, normal force
that presses, friction, tension."""
FORMULAS: dict[int, Callable[[Pair], RowFormula]] = {
    FIXED: fixed.formula, CARRIED: carried.formula, SQUARE: square.formula, ANGLE: angle.formula,
    DISTANCE: distance.formula, ROLL: roll.formula, SPIN: spin.formula,
    OVAL: oval.distance_formula, ROLL_OVAL: oval.slip_formula, ROLL_FLAT: roll.flat_formula}
"""Expressions of the elements. No spin on a plane has none: formulas take surfaces in 3-D with massless contact
points."""


class Row(NamedTuple):
    """One row: its element and numbers, see `tables`."""

    element: int
    u: Sequence[float] | Floats = _NO
    w: Sequence[float] | Floats = _NO
    p: Sequence[float] | Floats = _NO
    offset: float = 0.0
    drive: int = -1


@dataclass(eq=False)
class Joint:
    """A connection of two bodies with its rows."""

    name: str
    kind: str
    one: End
    two: End
    rows: list[Row]
    place: str = ""
    """Its path in the scene, such as `constraint.knee`."""
    labels: list[tuple[str, int]] = field(default_factory=list)
    """Names of its reactions, with their columns."""
    axis: Floats | None = None
    """Of a hinge or slider, in inertial axes at the start."""
    measure: Row | None = None
    """What a drive of a hinge or slider prescribes."""
    motion: Expression = ZERO
    """Of a drive: what it prescribes, an expression of t."""
    steering: tuple[str, ...] = ()
    """Of a drive: symbols of its motion that a user may change between steps."""
    friction: tuple[float, float, float] | None = None
    """Of a sliding contact: coefficient signed like the normal force that presses, signed radii of both bodies."""
    presses: float = 1.0
    """Sign of the multiplier of a contact that presses."""
    limit: float | None = None
    """Coefficient of friction beyond which a rolling contact slips."""
    half_length: float | None = None
    """Of a cylinder that touches a plane along a line: half the length of that line [m]."""
    assembly: str | None = None
    """Of a hinge that closes a loop: "open" or "crossed"."""
    by_start: bool = False
    """Is it a link whose length is the distance at the start?"""
    sense: int = 0
    """Of a one-sided link: +1 if it only pushes, -1 if it only pulls; 0 for all else."""
    restitution: float = 0.0
    """Of a one-sided link."""
    formula_rows: list[Row] | None = None
    """Rows of the expressions, where they are others than those of the kernels."""
    row_labels: tuple[str, ...] = ()
    """Names of the rows of the expressions; left out, they are numbered."""
    contact: bool = False
    """Is it a contact, whose first row is the distance?"""
    same: tuple[tuple[Floats, Floats], ...] = ()
    """Directions of the first and of the second body that are one: rows of squares hold for opposite ones too."""

    @property
    def measured(self) -> str | None:
        """What a drive of it prescribes and a servo follows: "angle", "displacement", or nothing."""
        if self.measure is None:
            return None
        return "angle" if self.measure.element == ANGLE else "displacement"

    @property
    def driven(self) -> bool:
        """Does it prescribe a motion, as a drive does?"""
        return any(row.drive >= 0 for row in self.rows)

    @property
    def length(self) -> float | None:
        """Of a link: the distance that it keeps [m]."""
        return self.rows[0].offset if self.kind == "link" else None

    @property
    def meets(self) -> bool:
        """Do the points of both bodies coincide?"""
        return not self.contact and sum(row.element == FIXED for row in self.rows) > 1

    def formulas(self, one: Pose, two: Pose, planar: bool) -> list[RowFormula]:
        """All rows as expressions of the poses of both bodies."""
        arms = self.one.arm, self.two.arm
        return [FORMULAS[row.element](Pair(row, one, two, arms, planar, self.motion))
                for row in self.formula_rows or self.rows]

    def reactions(self, rows: Sequence[RowFormula], multipliers: Sequence[Expression]) -> Callable[[int], Expression]:
        """Expressions of the reactions by their columns."""
        force: Vector = NOTHING
        moment: Vector = NOTHING
        for row, multiplier in zip(rows, multipliers, strict=True):
            force, moment = plus(force, times(multiplier, row.force)), plus(moment, times(multiplier, row.couple))
        normal = rows[0].force
        # slip rows along axes at rest share in the normal force; along tangents they have no part of it
        pressing = dot(normal, force) if self.formula_rows else multipliers[0]

        def column(k: int) -> Expression:
            if k < FIRST:
                return (*force, *moment)[k]
            if k == FRICTION:
                return length(minus(force, times(pressing, normal)))
            return {FIRST: multipliers[0], NORMAL: self.presses * pressing, TENSION: -multipliers[0]}[k]

        return column


class Jointed(Protocol):
    """A scene with its joints."""

    @property
    def scene(self) -> Any:
        """The scene, without patterns of links."""

    @property
    def joints(self) -> list[Joint]:
        """Of all its connections."""


class Connecting(Jointed, Protocol):
    """What the builder of a joint may ask of the scene that is being assembled."""

    dimension: int
    ground: Body
    bodies: dict[str, Body]

    def end(self, name: str) -> End:
        """A point `body` or `body.point`, or a fixed point."""

    def round_end(self, name: str) -> End:
        """The centre of a round body or part, with its radius."""

    def oval_end(self, name: str) -> tuple[End, tuple[float, float, float]] | None:
        """The centre and the semi-axes of a body that rolls in 3-D and is not a sphere."""

    def axis(self, name: str, entry: Any) -> Floats:
        """The axis of a hinge or slider in inertial axes, as its first body has it, with as many components as it
        is given with.
        """

    def second_axis(self, name: str, entry: Any) -> Floats | None:
        """The axis of a hinge or slider in 3-D in inertial axes, as its second body has it; None where it is `axis`."""

    def relative(self, entry: Any) -> Floats | None:
        """The rotation from the axes of the second body of a slider or glue to those of the first, where it is given;
        None where it is as the bodies are at the start.
        """

    def plane(self, name: str) -> tuple[Floats, Floats]:
        """Unit normal and a point of a plane surface."""

    def joint(self, name: str, kind: str) -> Joint:
        """A joint of some kind by its name."""

    def add_motion(self, name: str, entry: Drive, steering: Sequence[str]) -> tuple[int, Expression]:
        """Number and expression of the motion of a drive, with the symbols of what a user may set in its place."""


def frame(axis: Sequence[float] | Floats) -> tuple[Floats, Floats, Floats]:
    """The unit vector of an axis and two across it, right-handed as n, a, b; in 2-D a is along -z."""
    n = three(axis)
    n /= np.linalg.norm(n)
    a = -_UP if len(axis) == 2 else np.linalg.svd(n[None, :])[2][1]
    return n, a, np.cross(n, a)


def two_ends(name: str, kind: str, between: Sequence[str], scene: Connecting) -> tuple[End, End]:
    """The ends of a joint between two bodies; refuses those that it cannot act on."""
    one, two = scene.end(between[0]), scene.end(between[1])
    refuse_one_body(one.body, two.body)
    for end in (one, two):
        if not end.body.rotates and kind != "ball-joint":
            what = "a point mass" if end.body.kind == "point" else "a point"
            raise GranumError(f'"{end.name}" is {what} and cannot rotate, but a {kind} needs a rigid body or a fixed '
                              "point there. Use a ball joint or a link.")
    return one, two


def movable_joints(scene: Jointed) -> list[Joint]:
    """Hinges and sliders, which have a motion to be measured and driven."""
    return [joint for joint in scene.joints if joint.measure is not None]


def movable_joint(name: str, scene: Jointed, what: str) -> Joint:
    """A hinge or slider by its name; `what` needs it."""
    movable = {joint.name: joint for joint in movable_joints(scene)}
    if name not in movable:
        other = scene.scene.constraint.get(name)
        found = f'"{name}" is of kind "{other.kind}"' if other is not None else f'there is no "{name}"'
        raise GranumError(f"{found}, but {what} needs a hinge or a slider. "
                          f'{did_you_mean(name, movable, "hinge or slider")}')
    return movable[name]


def refuse_one_body(one: Body, two: Body) -> None:
    """Refuse two points of one body."""
    if one is two and one.kind == "ground":
        raise GranumError("joins two fixed points. Remove it.")
    if one is two:
        raise GranumError(f'both points belong to "{one.name}". Give points of two different bodies.')


def refuse_thin(joint: Joint) -> None:
    """Refuse joints that act on the rotation of a thin body about its own axis, for want of a moment of inertia."""
    for end in (joint.one, joint.two):
        if end.body.thin and _acts_on_axis(joint, end):
            raise GranumError(f'the rotation of "{end.body.name}" about its own axis is not determined: it is thin and '
                              f"has no moment of inertia about that axis, but this {joint.kind} acts on it. Give it a "
                              "radius, or use ball joints on its axis.")


def acts_on_thin(joint: Joint) -> bool:
    """Does a joint act on the rotation of a thin body about its own axis?"""
    return any(end.body.thin and _acts_on_axis(joint, end) for end in (joint.one, joint.two))


def _acts_on_axis(joint: Joint, end: End) -> bool:
    return joint.kind in ("hinge", "slider", "glue", "rolling", "sliding") or (
        joint.kind == "ball-joint" and _off_axis(end))


def _off_axis(end: End) -> bool:
    """Is the point of a thin body beside its axis?"""
    inertia = end.body.inertia
    return bool(np.abs(inertia @ end.arm).max() > 1e-9 * np.trace(inertia) * np.abs(end.arm).max())


def meeting_points(dimension: int) -> list[Row]:
    """Two points coincide."""
    return [Row(FIXED, axis) for axis in np.eye(3)[:dimension]]


def hold_parallel(joint: Joint, n: Floats, own: Floats | None, across: Sequence[Floats]) -> list[Floats]:
    """Rows that hold an axis n of the first body parallel to one of the second, both in inertial axes.

    Args:
        own: the axis of the second body; None where it is n.
        across: directions square to n; they are turned with n to `own` by the least rotation.

    Returns: these directions in the axes of the second body.
    """
    one, two = joint.one.body, joint.two.body
    own = n if own is None else own / np.linalg.norm(own)
    sides = [two.carried(side) for side in (across if own is n else _turned_with(n, own, across))]
    joint.rows += [Row(SQUARE, one.carried(n), side) for side in sides]
    joint.same = ((one.carried(n), two.carried(own)),)
    return sides


def _turned_with(n: Floats, own: Floats, across: Sequence[Floats]) -> Sequence[Floats]:
    """Directions across n after the least rotation from n to another axis; opposite axes have no least one."""
    cosine, normal = float(n @ own), np.cross(n, own)
    if cosine < _OPPOSITE:
        return frame(own)[1:]
    return [side + np.cross(normal, side) + np.cross(normal, np.cross(normal, side)) / (1.0 + cosine)
            for side in across]


def hold_rotation(joint: Joint, relative: Floats | None, dimension: int) -> None:
    """Rows that hold the rotation from the axes of the second body to those of the first; None: as at the start."""
    one, two = joint.one.body, joint.two.body
    if dimension == 2:
        row = plane_angle(joint.one, joint.two)
        if relative is not None:
            off = math.atan2(relative[1, 0], relative[0, 0]) - row.offset
            row = row._replace(offset=row.offset + math.remainder(off, math.tau))  # full turns are those of the start
        joint.rows.append(row)
        return
    first = [one.carried(axis) for axis in np.eye(3)]
    second = [two.carried(axis) for axis in np.eye(3)] if relative is None else [relative.T @ own for own in first]
    joint.rows += [Row(SQUARE, first[i], second[j]) for i, j in ((0, 1), (1, 2), (2, 0))]
    joint.same = tuple(zip(first, second, strict=True))


def plane_angle(one: End, two: End, sense: float = 1.0) -> Row:
    """The relative angle in 2-D, since the start: between the x axes of both bodies, about z or, with -1, about -z."""
    return Row(ANGLE, sense * _UP, _ALONG, _ALONG, offset=sense * (two.body.angle - one.body.angle))


def forces(name: str, dimension: int) -> list[tuple[str, int]]:
    """Labels of the force on the second body."""
    return [(f"{name}.force.{AXES[k]}", FORCE + k) for k in range(dimension)]


def moments(name: str, dimension: int) -> list[tuple[str, int]]:
    """Labels of the moment on the second body: about all axes in 3-D, about z in 2-D."""
    return [(f"{name}.moment.{AXES[k]}", MOMENT + k) for k in (range(3) if dimension == 3 else (2,))]
