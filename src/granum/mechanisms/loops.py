"""Closing loops: orientations and positions that are not given, so that all joints fit, and which of two ways.

The search is Newton's method damped as by Levenberg and Marquardt, from the start as it is given or guessed. A loop of
two bodies closes in two ways, mirror images of each other; `assembly` of the hinge between them chooses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.joints import Joint
from granum.mechanisms.nearest import NO_DAMPING, configured, nearest, scene_size, shift, turn

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the size of the scene, and to the largest speed."""
_STEPS = 300
_ATTEMPTS = 12
"""How often the search begins again beside where it stopped; bars in a straight line show no way to bend."""
_MANY = 500
"""Bodies from which on it does not begin again."""


def closing_rows(mechanism: Mechanism) -> Floats:
    """1 for each row that the initial configuration must fit: not drives, which count from it, nor links as long as it
    makes them.
    """
    own = [not (joint.kind == "drive" or joint.by_start) for joint in mechanism.joints]
    rows: Floats = np.repeat(np.array(own, dtype=float), np.diff(mechanism.first))
    return rows


def close_loops(mechanism: Mechanism, y: Floats, free: Floats, used: Floats) -> None:
    """Move what is free until the used rows fit, as near to y as the search finds; else the nearest miss stays in y."""
    small, best, began = ALLOWED * scene_size(mechanism), np.inf, y.copy()
    rng, trial = np.random.default_rng(0), y.copy()
    for attempt in range(_ATTEMPTS if len(mechanism.places) < _MANY else 1):
        if attempt:
            trial[:] = began
            _disturb(mechanism, trial, free, min(np.pi, 0.05 * 2.0**attempt), rng)
        error = _descend(mechanism, trial, free, used)
        if error < best:
            best, y[:] = error, trial
        if error <= small:
            break
    configured(mechanism, y)


def _error(mechanism: Mechanism, used: Floats) -> float:
    return float(np.linalg.norm(mechanism.model.tables.value * used))


def _descend(mechanism: Mechanism, y: Floats, free: Floats, used: Floats) -> float:
    """Damped Newton steps until rounding; returns the largest violation that is left."""
    configured(mechanism, y)
    value, size = mechanism.model.tables.value, scene_size(mechanism)
    damping, error = 1e-2, _error(mechanism, used)
    for _ in range(_STEPS):
        if error <= 1e-15 * size or damping > 1e8:
            break
        before = y.copy()
        shift(mechanism, y, nearest(mechanism, value, free, used, damping))
        after = _error(mechanism, used)
        if after < error * (1.0 - 1e-6):
            error, damping = after, max(NO_DAMPING, 0.1 * damping if damping > 1e-8 else 0.0)
        else:
            y[:] = before
            configured(mechanism, y)
            if error <= 1e-13 * size:
                break
            damping = max(1e-6, 10.0 * damping)
    return float(np.abs(value * used).max(initial=0.0))


def _disturb(mechanism: Mechanism, y: Floats, free: Floats, width: float, rng: np.random.Generator) -> None:
    """Turn what is free to turn by random angles up to `width`; move what is free to move by as much of the size."""
    d, length = mechanism.dimension, 0.1 * width * scene_size(mechanism)
    change = rng.uniform(-1.0, 1.0, (len(mechanism.places), 3 * (d - 1)))
    change[:, :d] *= length
    change[:, d:] *= width
    shift(mechanism, y, change.ravel() * free)


class _Dyad(NamedTuple):
    """Two bodies that a hinge B joins: the first hangs on A, the second on D, or on a slider along an axis."""

    hinge: Joint
    first: Joint
    second: Joint
    flipped: bool
    """Is the first body the second one of the hinge?"""


def choose_assembly(mechanism: Mechanism, hinge: Joint, y: Floats, free: Floats, used: Floats) -> None:
    """Turn a loop over if its hinge asks for the other way to close it; raises GranumError where that cannot be."""
    dyad = _dyad(mechanism, hinge)
    if _fits(mechanism, dyad):
        return
    _mirror(mechanism, y, dyad, free)
    close_loops(mechanism, y, free, used)
    if not _fits(mechanism, dyad) or _error(mechanism, used) > ALLOWED * scene_size(mechanism):
        raise GranumError(f'assembly = "{hinge.assembly}" contradicts the start: with the values that are given the '
                          "loop closes only the other way. Give fewer of them, or the other assembly.")


def _dyad(mechanism: Mechanism, hinge: Joint) -> _Dyad:
    sides = []
    for place in (hinge.one.place, hinge.two.place):
        others = [joint for joint in mechanism.joints if joint is not hinge and joint.kind in (
            "hinge", "ball-joint", "slider") and place in (joint.one.place, joint.two.place)]
        if place.body is None or len(others) != 1:
            raise GranumError(f'assembly is for a hinge between two bodies with one other hinge or slider each, but '
                              f'"{place.name}" has {len(others)}. Choose by a guess instead: [start.{place.name}] with '
                              'angle = ... and guess = ["angle"].')
        sides.append(others[0])
    on_ground = [None in (joint.one.place.body, joint.two.place.body) for joint in sides]
    flipped = on_ground == [True, False] or (sides[0].kind == "slider" and sides[1].kind != "slider")
    first, second = reversed(sides) if flipped else sides
    if first.kind == "slider":
        raise GranumError("assembly is for loops of hinges with one slider at most. Choose by a guess instead: "
                          '[start.NAME] with angle = ... and guess = ["angle"].')
    return _Dyad(hinge, first, second, flipped)


def _point(mechanism: Mechanism, joint: Joint) -> Floats:
    """Where the points of a joint are in the state of the tables [m]."""
    found, k = mechanism.model.tables, mechanism.joints.index(joint)
    at: Floats = (found.bodies[joint.one.place.index, tables.X : tables.X + 3]
                  + found.joints[k, tables.REACH : tables.REACH + 3])
    return at


def axis_now(mechanism: Mechanism, joint: Joint) -> Floats:
    """The axis of a hinge or slider in inertial axes, in the state of the tables."""
    assert joint.axis is not None
    R = mechanism.model.tables.bodies[joint.one.place.index, tables.R : tables.R + 9].reshape(3, 3)
    axis: Floats = R @ joint.one.place.carried(joint.axis)
    return axis


def _side(mechanism: Mechanism, dyad: _Dyad) -> float:
    """Positive where the loop is open: B left of the line from A to D; with a slider, B ahead of A along its axis."""
    A, B = _point(mechanism, dyad.first), _point(mechanism, dyad.hinge)
    if dyad.second.kind == "slider":
        return float((B - A) @ axis_now(mechanism, dyad.second))
    D = _point(mechanism, dyad.second)
    return float(np.cross(D - A, B - A) @ axis_now(mechanism, dyad.hinge))


def _fits(mechanism: Mechanism, dyad: _Dyad) -> bool:
    side = _side(mechanism, dyad)
    return side >= 0.0 if dyad.hinge.assembly == "open" else side <= 0.0


def _mirror(mechanism: Mechanism, y: Floats, dyad: _Dyad, free: Floats) -> None:
    """Turn both bodies so that B comes to its mirror image in the line from A to D (with a slider: in the line from A
    square to its axis), where they are free to turn.
    """
    A, B, n = _point(mechanism, dyad.first), _point(mechanism, dyad.hinge), axis_now(mechanism, dyad.hinge)
    one, two = dyad.hinge.one.place.index, dyad.hinge.two.place.index
    one, two = (two, one) if dyad.flipped else (one, two)
    if dyad.second.kind == "slider":
        s = axis_now(mechanism, dyad.second)
        image = B - 2.0 * ((B - A) @ s) * s
        _turn_about(mechanism, y, one, A, B, image, n, free)
        _turn_about(mechanism, y, two, B, B, image, n, free)
    else:
        D = _point(mechanism, dyad.second)
        along = (D - A) / np.linalg.norm(D - A)
        across = np.cross(n, along)
        image = B - 2.0 * ((B - A) @ across) * across
        _turn_about(mechanism, y, one, A, B, image, n, free)
        _turn_about(mechanism, y, two, D, B, image, n, free)
    configured(mechanism, y)


def _turn_about(
    mechanism: Mechanism, y: Floats, body: int, pivot: Floats, point: Floats, image: Floats, n: Floats, free: Floats,
) -> None:
    """Turn a body about a pivot so that a point comes to its image; from the point itself, move it there."""
    d, half = mechanism.dimension, 3 * (mechanism.dimension - 1)
    own = y[body * mechanism.stride : (body + 1) * mechanism.stride]
    moves, turns = free[body * half : body * half + d], free[body * half + d : (body + 1) * half]
    a, b = point - pivot, image - pivot
    angle = float(np.arctan2(np.cross(a, b) @ n, a @ b)) if a.any() else 0.0
    if not turns.all():
        return
    x = np.zeros(3)
    x[:d] = own[:d]
    arm, c, s = x - pivot, np.cos(angle), np.sin(angle)
    there = pivot + c * arm + s * np.cross(n, arm) + (1.0 - c) * (n @ arm) * n if a.any() else x + image - point
    own[:d] += (there - x)[:d] * moves
    if d == 2:
        own[2] += angle * n[2]
    else:
        turn(own, angle * n)
