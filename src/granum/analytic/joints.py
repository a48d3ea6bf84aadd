"""Joints as rows of constraints: ball joints, hinges, sliders, glue and drives, in the plane and in space.

Reactions act on the second body, at its point, in inertial axes. A relative rotation is held by products of axes
carried by both bodies, such as n₁·e₂ = 0 for a hinge: regular at every angle. In the plane angles are coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.algebra import Expression
from granum.algebra.expression import ZERO, function
from granum.algebra.vectors import Vector, dot, minus, plus, times
from granum.analytic.expressed import Constraint, multiplier
from granum.analytic.places import End
from granum.base.errors import GranumError
from granum.base.kernels import Floats

MEET = 1e-9
"""Distance of points, relative to the coordinates it is the difference of, that is put down to rounding."""
AXES = "xyz"
GLUED = ((0, 1), (1, 2), (2, 0))
"""Which axis of the first body stays square to which of the second while both keep their relative rotation."""


@dataclass(frozen=True)
class Joint:
    """What a hinge or a slider leaves free, for drives and torsion springs."""

    name: str
    kind: str
    """"hinge" or "slider"."""
    measure: Expression | None = None
    """Distance along a slider or angle of a hinge in the plane, since the start."""
    sine: Expression = ZERO
    """Of the angle of a hinge in space, since the start."""
    cosine: Expression = ZERO

    def following(self, motion: Expression) -> Expression:
        """What is zero while the joint is where `motion` says; its slope along the motion is one there.

        In space it is sin(φ - motion): regular through full turns, unlike an angle from an arc tangent.
        """
        if self.measure is not None:
            return self.measure - motion
        return self.sine * function("cos", motion) - self.cosine * function("sin", motion)


def refuse_apart(one: End, two: End, what: str = "joins points that coincide") -> None:
    """Refuse points that do not meet at the start, where the scene says where they are."""
    if not (one.place.known and two.place.known):
        return
    apart = float(np.linalg.norm(two.start - one.start))
    if apart > _rounding(one, two):
        raise GranumError(
            f'the points are {apart:.3g} m apart at the start: "{one.name}" is at {_shown(one)}, "{two.name}" at '
            f"{_shown(two)}, but it {what}. Correct the start, or move it to the nearest that fits with "
            "project_start = true in [run].")


def _rounding(one: End, two: End) -> float:
    sizes = [np.abs(end).max() for side in (one, two) for end in (side.start, side.place.start)]
    return MEET * max(1e-3, *map(float, sizes))


def _shown(end: End) -> str:
    return f"({', '.join(f'{c:.6g}' for c in end.start)})"


def refuse_unfit(one: End, two: End, kind: str) -> None:
    """Refuse ends that carry no axes: points in the place of rigid bodies."""
    if one.place is two.place:
        raise GranumError(f'both points belong to "{one.place.name}". Name points of two bodies.')
    if two.place.rotation is None:
        raise GranumError(f'"{two.name}" is not a rigid body: name the rigid body last.')
    if one.place.rotation is None and not one.place.fixed:
        raise GranumError(f'"{one.name}" is a point and does not turn: a {kind} needs a rigid body or a fixed point '
                          "there. Points are joined by links and ball joints.")


def ball_joint(name: str, one: End, two: End, dimension: int) -> Constraint:
    """r₂ - r₁ = 0."""
    if one.place.fixed and two.place.fixed:
        raise GranumError("joins two fixed points. Leave it out.")
    rows = minus(two.position, one.position)[:dimension]
    return Constraint(name, rows, tuple((f"{name}.{axis}", multiplier(name, k)) for k, axis in
                                        enumerate(AXES[:dimension])))


def hinge(name: str, one: End, two: End, axis: Sequence[float] | None, dimension: int) -> tuple[Constraint, Joint]:
    """r₂ - r₁ = 0 and, in space, n₁·a₂ = n₁·b₂ = 0 with a, b across the axis n."""
    if dimension == 2:
        if axis is not None:
            raise GranumError("in the plane a hinge turns about its point: leave axis out.")
        flat = minus(two.position, one.position)[:2]
        joint = Joint(name, "hinge", two.place.phi - one.place.phi)
        return Constraint(name, flat, _forces(name, [multiplier(name, k) for k in range(2)])), joint
    if axis is None:
        raise GranumError("needs the direction of its axis in space, such as axis = [0, 0, 1].")
    n, a, b = frame(axis)
    own = one.place.carried(n)
    rows = (*minus(two.position, one.position), *(dot(own, two.place.carried(side)) for side in (a, b)))
    reactions = _forces(name, [multiplier(name, k) for k in range(3)])
    reactions += _moments(name, two.place.moment(rows, range(3, 5), name), 3)
    turning = two.place.carried(a)
    return Constraint(name, rows, reactions), Joint(
        name, "hinge", sine=dot(one.place.carried(b), turning), cosine=dot(one.place.carried(a), turning))


def slider(
    name: str, one: End, two: End, axis: Sequence[float], free: bool, dimension: int,
) -> tuple[Constraint, Joint]:
    """(r₂ - r₁)·a₁ = 0 for a across the line, and what holds the relative rotation; `free`: it may turn."""
    n, a, b = frame(axis)
    _refuse_beside(one, two, n)
    d = minus(two.position, one.position)
    across = [one.place.carried(side) for side in ((b,) if dimension == 2 else (a, b))]
    rows: tuple[Expression, ...] = tuple(dot(d, side) for side in across)
    held = len(rows)
    if dimension == 2:
        rows += () if free else (two.place.phi - one.place.phi,)
    elif free:
        own = one.place.carried(n)
        rows += tuple(dot(own, two.place.carried(side)) for side in (a, b))
    else:
        rows += _same_rotation(one, two)
    force: Vector = (ZERO, ZERO, ZERO)
    for k, side in enumerate(across):
        force = plus(force, times(multiplier(name, k), side))
    reactions = _forces(name, force[:dimension])
    if len(rows) > held:
        reactions += _moments(name, two.place.moment(rows, range(held, len(rows)), name), dimension)
    begun = float((two.start - one.start) @ n) if one.place.known and two.place.known else 0.0
    return Constraint(name, rows, reactions), Joint(name, "slider", dot(d, one.place.carried(n)) - begun)


def _refuse_beside(one: End, two: End, n: Floats) -> None:
    if not (one.place.known and two.place.known):
        return
    d = two.start - one.start
    beside = float(np.linalg.norm(d - (d @ n) * n))
    if beside > _rounding(one, two):
        raise GranumError(f'"{two.name}" is {beside:.3g} m beside the line at the start, which goes through '
                          f'"{one.name}" along axis. Correct the start or the axis, or move the start to the nearest '
                          "that fits with project_start = true in [run].")


def glue(name: str, one: End, two: End, dimension: int) -> Constraint:
    """r₂ - r₁ = 0 and the relative rotation of the start."""
    rows: tuple[Expression, ...] = minus(two.position, one.position)[:dimension]
    rows += (two.place.phi - one.place.phi,) if dimension == 2 else _same_rotation(one, two)
    reactions = _forces(name, [multiplier(name, k) for k in range(dimension)])
    reactions += _moments(name, two.place.moment(rows, range(dimension, len(rows)), name), dimension)
    return Constraint(name, rows, reactions)


def drive(name: str, joint: Joint, motion: Expression) -> Constraint:
    """The joint is where `motion` says; its multiplier is the torque or force on the second body along the axis."""
    label = "torque" if joint.kind == "hinge" else "force"
    return Constraint(name, (joint.following(motion),), ((f"{name}.{label}", multiplier(name, 0)),))


def frame(axis: Sequence[float]) -> tuple[Floats, Floats, Floats]:
    """The unit vector of an axis and two across it, right-handed as n, a, b; in the plane a is along z."""
    n = np.zeros(3)
    n[: len(axis)] = axis
    n /= np.linalg.norm(n)
    a = np.array([0.0, 0.0, -1.0]) if len(axis) == 2 else np.linalg.svd(n[None, :])[2][1]
    return n, a, np.cross(n, a)


def _same_rotation(one: End, two: End) -> tuple[Expression, ...]:
    axes = [(one.place.carried(axis), two.place.carried(axis)) for axis in np.eye(3)]
    return tuple(dot(axes[i][0], axes[j][1]) for i, j in GLUED)


def _forces(name: str, force: Sequence[Expression]) -> tuple[tuple[str, Expression], ...]:
    return tuple((f"{name}.force.{axis}", f) for axis, f in zip(AXES, force, strict=False))


def _moments(name: str, moment: Vector, dimension: int) -> tuple[tuple[str, Expression], ...]:
    """About all axes in space, about z in the plane."""
    return tuple((f"{name}.moment.{axis}", m) for axis, m in zip(AXES, moment, strict=True)
                 if dimension == 3 or axis == "z")
