"""Joints as rows: what each kind of connection restrains, in the plane and in space.

Reactions act on the second body. A relative rotation is held by directions that stay square; in the plane by angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.places import AXES, End, three
from granum.model.connections import BallJoint, Glue, Hinge, Slider

_NO = (0.0, 0.0, 0.0)
_UP = np.array([0.0, 0.0, 1.0])
FORCE, MOMENT, FIRST, NORMAL, FRICTION, TENSION = 0, 3, 6, 7, 8, 9
"""Columns of the table of reactions: force and moment on the second body at its point, first multiplier, normal force
that presses, friction, tension."""


class Row(NamedTuple):
    """One row: its kind and numbers, see `tables`."""

    kind: int
    u: Sequence[float] | Floats = _NO
    w: Sequence[float] | Floats = _NO
    p: Sequence[float] | Floats = _NO
    offset: float = 0.0
    drive: int = -1


@dataclass
class Joint:
    """A connection with its rows."""

    name: str
    kind: str
    one: End
    two: End
    rows: list[Row]
    place: str = ""
    """Where the scene says so, such as `constraint.knee`."""
    labels: list[tuple[str, int]] = field(default_factory=list)
    """Names of its reactions, with their columns."""
    axis: Floats | None = None
    """Of a hinge or slider, in inertial axes at the start."""
    measure: Row | None = None
    """What a drive of a hinge or slider prescribes."""
    friction: tuple[float, float, float] | None = None
    """Of a sliding contact: see `tables.Model.friction`."""
    presses: float = 1.0
    """Sign of the multiplier of a contact that presses."""
    limit: float | None = None
    """Coefficient of friction beyond which a rolling contact slips."""
    assembly: str | None = None
    """Of a hinge that closes a loop: "open" or "crossed"."""
    by_start: bool = False
    """Is it a link whose length is the distance at the start?"""

    def without_spin(self, name: str) -> Joint:
        """No turning about the normal of a contact (001 eq 39)."""
        flat = self.rows[0].kind == tables.FIXED
        row = Row(tables.SPIN_FLAT if flat else tables.SPIN, self.rows[0].u)
        return Joint(name, "no-spin", self.one, self.two, [row],
                     labels=[(f"{name}.torque.{AXES[k]}", MOMENT + k) for k in range(3)])

    @property
    def meets(self) -> bool:
        """Do its points coincide?"""
        return self.kind in ("ball-joint", "hinge", "glue")


def frame(axis: Sequence[float] | Floats) -> tuple[Floats, Floats, Floats]:
    """The unit vector of an axis and two across it, right-handed as n, a, b; in the plane a is along -z."""
    n = three(axis)
    n /= np.linalg.norm(n)
    a = -_UP if len(axis) == 2 else np.linalg.svd(n[None, :])[2][1]
    return n, a, np.cross(n, a)


def refuse_points(one: End, two: End, kind: str, dimension: int) -> None:
    """Refuse ends that a joint of axes cannot act on."""
    if one.place is two.place:
        raise GranumError(f'both points belong to "{one.place.name}". Name points of two bodies.')
    for end in (one, two):
        if not end.place.turns and kind != "ball-joint":
            raise GranumError(f'"{end.name}" is a point mass and does not turn: a {kind} needs a rigid body or a fixed '
                              "point there. Take a ball joint or a link.")
        if dimension == 3 and end.place.thin and (kind != "ball-joint" or _off_axis(end)):
            raise GranumError(f'the turning of "{end.place.name}" about its own axis is not determined: it is thin and '
                              f"has no moment of inertia there, which this {kind} acts on. Give it a radius, or take "
                              "ball joints on its axis.")


def _off_axis(end: End) -> bool:
    """Is the point of a thin body beside its axis?"""
    inertia = end.place.inertia
    return bool(np.abs(inertia @ end.arm).max() > 1e-9 * np.trace(inertia) * np.abs(end.arm).max())


def joint_rows(name: str, entry: BallJoint | Hinge | Slider | Glue, one: End, two: End, dimension: int) -> Joint:
    """Rows of a joint of points and axes."""
    if isinstance(entry, Slider):
        return _slider(name, entry, one, two, dimension)
    rows = [Row(tables.FIXED, axis) for axis in np.eye(3)[:dimension]]
    joint = Joint(name, entry.kind, one, two, rows)
    if isinstance(entry, BallJoint):
        joint.labels = [(f"{name}.{AXES[k]}", FORCE + k) for k in range(dimension)]
        return joint
    joint.labels = _forces(name, dimension)
    joint.assembly = entry.assembly if isinstance(entry, Hinge) else None
    if isinstance(entry, Glue):
        rows += _same_rotation(one, two, dimension)
        joint.labels += _moments(name, dimension)
    elif dimension == 2:
        if entry.axis is not None and three(entry.axis)[:2].any():
            raise GranumError("in the plane a hinge turns about its point: leave axis out.")
        joint.axis, joint.measure = _UP, _plane_angle(one, two)
    else:
        if entry.axis is None:
            raise GranumError("needs the direction of its axis in space, such as axis = [0, 0, 1].")
        n, a, b = frame(entry.axis)
        rows += _parallel(one, two, n, a, b)
        joint.labels += _moments(name, dimension)
        joint.axis = n
        joint.measure = Row(tables.ANGLE, one.place.carried(n), two.place.carried(a), one.place.carried(a))
    return joint


def _slider(name: str, entry: Slider, one: End, two: End, dimension: int) -> Joint:
    """(r₂ - r₁)·a₁ = 0 for a across the line, and what holds the relative rotation."""
    n, a, b = frame(entry.axis)
    across = (b,) if dimension == 2 else (a, b)
    rows = [Row(tables.CARRIED, one.place.carried(side)) for side in across]
    joint = Joint(name, "slider", one, two, rows, labels=_forces(name, dimension), axis=n)
    if not entry.rotation:
        rows += _same_rotation(one, two, dimension)
    elif dimension == 3:
        rows += _parallel(one, two, n, a, b)
    if dimension == 3 or not entry.rotation:
        joint.labels += _moments(name, dimension)
    begun = float((two.start - one.start) @ n)
    joint.measure = Row(tables.CARRIED, one.place.carried(n), offset=begun)
    return joint


def _parallel(one: End, two: End, n: Floats, a: Floats, b: Floats) -> list[Row]:
    return [Row(tables.SQUARE, one.place.carried(n), two.place.carried(side)) for side in (a, b)]


def _same_rotation(one: End, two: End, dimension: int) -> list[Row]:
    if dimension == 2:
        return [_plane_angle(one, two)]
    e = np.eye(3)
    return [Row(tables.SQUARE, one.place.carried(e[i]), two.place.carried(e[j])) for i, j in ((0, 1), (1, 2), (2, 0))]


def _plane_angle(one: End, two: End) -> Row:
    return Row(tables.ANGLE, _UP, offset=two.place.angle - one.place.angle)


def _forces(name: str, dimension: int) -> list[tuple[str, int]]:
    return [(f"{name}.force.{AXES[k]}", FORCE + k) for k in range(dimension)]


def _moments(name: str, dimension: int) -> list[tuple[str, int]]:
    return [(f"{name}.moment.{AXES[k]}", MOMENT + k) for k in (range(3) if dimension == 3 else (2,))]


def link(name: str, one: End, two: End, length: float | None) -> Joint:
    """|r₂ - r₁| = l (002 eq 2.1)."""
    if one.place is two.place:
        raise GranumError(f'joins "{one.place.name}" to itself.' if one.place.body is not None
                          else "joins two fixed points. Leave it out.")
    size = length if length is not None else float(np.linalg.norm(two.start - one.start))
    if size <= 0.0 or not (two.start - one.start).any():
        raise GranumError("its ends coincide at the start, so it has no direction. Start them apart.")
    return Joint(name, "link", one, two, [Row(tables.DISTANCE, offset=size)], labels=[(name, TENSION)],
                 by_start=length is None)


def drive(name: str, joint: Joint, number: int) -> Joint:
    """A hinge or slider that is where a formula of time says; its multiplier is the torque or force that this takes."""
    assert joint.measure is not None
    label = "torque" if joint.kind == "hinge" else "force"
    return Joint(name, "drive", joint.one, joint.two, [joint.measure._replace(drive=number)],
                 labels=[(f"{name}.{label}", FIRST)])


def contact(
    name: str, kind: str, one: End, two: End, normal: Floats | None, friction: float | None, dimension: int,
) -> Joint:
    """Touching of round bodies, or of one and a plane with a normal; rolling adds the rows of no slip (002 eq 3.64)."""
    assert two.radius is not None
    if normal is not None:
        near, far, presses = 0.0, -two.radius, 1.0
        rows = [Row(tables.FIXED, normal, offset=two.radius)]
    else:
        assert one.radius is not None
        near, far, presses = _reaches(one, two)
        rows = [Row(tables.DISTANCE, offset=near - far)]
    if kind == "rolling":
        tangents = range(dimension - 1)
        rows += [Row(tables.ROLL if normal is None else tables.ROLL_FLAT, _NO if normal is None else normal,
                     p=(near, far, float(k))) for k in tangents]
    labels = [*_forces(name, dimension), (f"{name}.normal", NORMAL), (f"{name}.friction", FRICTION)]
    joint = Joint(name, kind, one, two, rows, labels=labels, presses=presses)
    if kind == "sliding" and friction:
        joint.friction = presses * friction, near, far
    elif kind == "rolling":
        joint.limit = friction
    return joint


def _reaches(one: End, two: End) -> tuple[float, float, float]:
    """Signed radii along the line of centres, and the sign of pressing: outside each other, or one within the other."""
    assert one.radius is not None and two.radius is not None
    apart, a, b = float(np.linalg.norm(two.start - one.start)), one.radius, two.radius
    if abs(apart - (a + b)) <= abs(apart - abs(a - b)):
        return a, -b, 1.0
    return (a, b, -1.0) if a > b else (-a, -b, -1.0)
