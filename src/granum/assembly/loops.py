"""Closing loops: orientations and positions that are not given, so that all joints fit, and which of two ways.

The search is Newton's method damped as by Levenberg and Marquardt, from the start as it is given or guessed. A loop of
two bodies closes in two ways, mirror images of each other; `assembly` of the hinge between them chooses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.assembly.nearest import NO_DAMPING, nearest, shift
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import rotate_quaternion
from granum.rows import tables
from granum.rows.joint import Joint
from granum.rows.system import RowSystem

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the size of the scene, and to the largest speed."""
_STEPS = 300
_ATTEMPTS = 12
"""How often the search begins again beside where it stopped; bars in a straight line show no way to bend."""
_MANY = 500
"""Bodies from which on it does not begin again."""


def closing_rows(system: RowSystem) -> Floats:
    """1 for each row that the initial configuration must fit: not drives, which count from it, nor links as long as it
    makes them.
    """
    own = [not (joint.kind == "drive" or joint.by_start) for joint in system.joints]
    rows: Floats = np.repeat(np.array(own, dtype=float), np.diff(system.first))
    return rows


def close_loops(system: RowSystem, y: Floats, free: Floats, used: Floats) -> None:
    """Move what is free until the used rows fit, as near to y as the search finds; else the nearest miss stays in y."""
    small, best, began = ALLOWED * system.size(), np.inf, y.copy()
    rng, trial = np.random.default_rng(0), y.copy()
    for attempt in range(_ATTEMPTS if len(system.bodies) < _MANY else 1):
        if attempt:
            trial[:] = began
            _disturb(system, trial, free, min(np.pi, 0.05 * 2.0**attempt), rng)
        error = _descend(system, trial, free, used)
        if error < best:
            best, y[:] = error, trial
        if error <= small:
            break
    system.configure(y)


def _error(system: RowSystem, used: Floats) -> float:
    return float(np.linalg.norm(system.tables.value * used))


def _descend(system: RowSystem, y: Floats, free: Floats, used: Floats) -> float:
    """Damped Newton steps until rounding; returns the largest violation that is left."""
    system.configure(y)
    value, size = system.tables.value, system.size()
    damping, error = 1e-2, _error(system, used)
    for _ in range(_STEPS):
        if error <= 1e-15 * size or damping > 1e8:
            break
        before = y.copy()
        shift(system, y, nearest(system, value, free, used, damping))
        after = _error(system, used)
        if after < error * (1.0 - 1e-6):
            error, damping = after, max(NO_DAMPING, 0.1 * damping if damping > 1e-8 else 0.0)
        else:
            y[:] = before
            system.configure(y)
            if error <= 1e-13 * size:
                break
            damping = max(1e-6, 10.0 * damping)
    return float(np.abs(value * used).max(initial=0.0))


def _disturb(system: RowSystem, y: Floats, free: Floats, width: float, rng: np.random.Generator) -> None:
    """Turn what is free to turn by random angles up to `width`; move what is free to move by as much of the size."""
    d, length = system.dimension, 0.1 * width * system.size()
    change = rng.uniform(-1.0, 1.0, (len(system.bodies), 3 * (d - 1)))
    change[:, :d] *= length
    change[:, d:] *= width
    shift(system, y, change.ravel() * free)


class _Dyad(NamedTuple):
    """Two bodies that a hinge B joins: the first hangs on A, the second on D, or on a slider along an axis."""

    hinge: Joint
    first: Joint
    second: Joint
    flipped: bool
    """Is the first body the second one of the hinge?"""


def choose_assembly(system: RowSystem, hinge: Joint, y: Floats, free: Floats, used: Floats) -> None:
    """Turn a loop over if its hinge asks for the other way to close it; raises GranumError where that cannot be."""
    dyad = _dyad(system, hinge)
    if _fits(system, dyad):
        return
    _mirror(system, y, dyad, free)
    close_loops(system, y, free, used)
    if not _fits(system, dyad) or _error(system, used) > ALLOWED * system.size():
        raise GranumError(f'assembly = "{hinge.assembly}" contradicts the start: with the given values the loop closes '
                          "only the other way. Give fewer values, or the other assembly.")


def _dyad(system: RowSystem, hinge: Joint) -> _Dyad:
    sides = []
    for body in (hinge.one.body, hinge.two.body):
        others = [joint for joint in system.joints if joint is not hinge and joint.kind in (
            "hinge", "ball-joint", "slider") and body in (joint.one.body, joint.two.body)]
        if body.kind == "ground":
            raise GranumError("assembly needs a hinge between two bodies, but one end of this hinge is a fixed point. "
                              "Give it to the hinge that closes the loop.")
        if len(others) != 1:
            raise GranumError("assembly needs a hinge between two bodies with one other hinge or slider each, but "
                              f'"{body.name}" has {len(others)}. Use a guess instead: [start.{body.name}] with angle = '
                              '... and guess = ["angle"].')
        sides.append(others[0])
    on_ground = ["ground" in (joint.one.body.kind, joint.two.body.kind) for joint in sides]
    flipped = on_ground == [True, False] or (sides[0].kind == "slider" and sides[1].kind != "slider")
    first, second = reversed(sides) if flipped else sides
    if first.kind == "slider":
        raise GranumError("assembly needs a loop of hinges with at most one slider. Use a guess instead: [start.NAME] "
                          'with angle = ... and guess = ["angle"].')
    return _Dyad(hinge, first, second, flipped)


def _point(system: RowSystem, joint: Joint) -> Floats:
    """Where the points of a joint are in the state of the tables [m]."""
    own, k = system.tables, system.joints.index(joint)
    at: Floats = (own.bodies[joint.one.body.index, tables.X : tables.X + 3]
                  + own.joints[k, tables.REACH : tables.REACH + 3])
    return at


def axis_now(system: RowSystem, joint: Joint) -> Floats:
    """The axis of a hinge or slider in inertial axes, in the state of the tables."""
    assert joint.axis is not None
    R = system.tables.bodies[joint.one.body.index, tables.R : tables.R + 9].reshape(3, 3)
    axis: Floats = R @ joint.one.body.carried(joint.axis)
    return axis


def _side(system: RowSystem, dyad: _Dyad) -> float:
    """Positive where the loop is open: B left of the line from A to D; with a slider, B ahead of A along its axis."""
    A, B = _point(system, dyad.first), _point(system, dyad.hinge)
    if dyad.second.kind == "slider":
        return float((B - A) @ axis_now(system, dyad.second))
    D = _point(system, dyad.second)
    return float(np.cross(D - A, B - A) @ axis_now(system, dyad.hinge))


def _fits(system: RowSystem, dyad: _Dyad) -> bool:
    side = _side(system, dyad)
    return side >= 0.0 if dyad.hinge.assembly == "open" else side <= 0.0


def _mirror(system: RowSystem, y: Floats, dyad: _Dyad, free: Floats) -> None:
    """Turn both bodies so that B comes to its mirror image in the line from A to D (with a slider: in the line from A
    square to its axis), where they are free to turn.
    """
    A, B, n = _point(system, dyad.first), _point(system, dyad.hinge), axis_now(system, dyad.hinge)
    one, two = dyad.hinge.one.body.index, dyad.hinge.two.body.index
    one, two = (two, one) if dyad.flipped else (one, two)
    if dyad.second.kind == "slider":
        s = axis_now(system, dyad.second)
        image = B - 2.0 * ((B - A) @ s) * s
        _rotate_about(system, y, one, A, B, image, n, free)
        _rotate_about(system, y, two, B, B, image, n, free)
    else:
        D = _point(system, dyad.second)
        along = (D - A) / np.linalg.norm(D - A)
        across = np.cross(n, along)
        image = B - 2.0 * ((B - A) @ across) * across
        _rotate_about(system, y, one, A, B, image, n, free)
        _rotate_about(system, y, two, D, B, image, n, free)
    system.configure(y)


def _rotate_about(
    system: RowSystem, y: Floats, body: int, pivot: Floats, point: Floats, image: Floats, n: Floats, free: Floats,
) -> None:
    """Rotate a body about a pivot so that a point comes to its image; from the point itself, move it there."""
    d, half = system.dimension, 3 * (system.dimension - 1)
    own = system.own(y, system.bodies[body])
    moves, rotates = free[body * half : body * half + d], free[body * half + d : (body + 1) * half]
    a, b = point - pivot, image - pivot
    angle = float(np.arctan2(np.cross(a, b) @ n, a @ b)) if a.any() else 0.0
    if not rotates.all():
        return
    x = np.zeros(3)
    x[:d] = own[:d]
    arm, c, s = x - pivot, np.cos(angle), np.sin(angle)
    there = pivot + c * arm + s * np.cross(n, arm) + (1.0 - c) * (n @ arm) * n if a.any() else x + image - point
    own[:d] += (there - x)[:d] * moves
    if d == 2:
        own[2] += angle * n[2]
    else:
        rotate_quaternion(own[3:7], angle * n)
