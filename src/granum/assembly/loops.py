"""Closing loops: orientations and positions that are not given, so that all joints fit, and which of two ways.

From guesses a path is followed that closes all gaps at once, C(q) = (1 - s) C(q₀) for s from 0 to 1, in short steps of
Newton's method: the loop closes as it does when its bodies are pulled together, and no guess is turned over. Where that
path ends at a fold, or far from the guesses, the way nearest to them in angle is searched for, and the user is told.
Without guesses the search is Newton's method damped as by Levenberg and Marquardt. A loop of two bodies closes in two
ways, mirror images of each other; `assembly` of the hinge between them chooses.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.assembly.nearest import NO_DAMPING, metric_of_sizes, nearest, shift
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import rotate_quaternion
from granum.rows import tables
from granum.rows.joint import Joint
from granum.rows.system import RowSystem
from granum.state.table import X, Z

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the size of the scene, and to the largest speed."""
_STEPS = 300
_ATTEMPTS = 12
"""How often the search begins again beside where it stopped; bars in a straight line show no way to bend."""
_MANY = 500
"""Bodies from which on it does not begin again."""
_SMALL = 1e-6
"""Gap, relative to the size of the scene, that leaves no choice: Newton's method closes it as it is."""
FAR = math.radians(45.0)
"""Rotation from a guess from which on nearer ways are looked for, and which is reported wherever the scene is used."""
_CLOSER = 1e-6
"""Difference of angles [rad] that makes one way nearer than another."""
_TURN = 0.05
"""Largest rotation of a step along the path [rad]; bodies move by no more than this part of the size of the scene."""
_PATH_STEPS = 2000
_SHORTEST = 2.0**-14
"""Part of a step of Newton's method below which the path is at its end: the gaps cannot be closed further."""
_ALIGNED = 0.5
"""Cosine between two directions that are one where a joint fits: rows of squares make it 1, 0 or -1."""
_SOFT = 1e-9
"""Damping of a step along the path; rows may depend on each other."""


def close_near(system: RowSystem, y: Floats, free: Floats, used: Floats, guessed: Floats,
               search: bool = True) -> bool | None:
    """Close the loops near to what is guessed; returns whether a search was needed, None where they do not close.

    Where the path from the guesses ends at a fold, or leads far from them, the way nearest in angle is searched for,
    from configurations about the guesses that are the same each time; not without `search`.
    """
    began = y.copy()
    if np.abs(system.tables.value * used).max(initial=0.0) <= _SMALL * system.size() and not turned_over(system):
        return False if descend(system, y, free, used) <= ALLOWED * system.size() else None
    followed = _follow_path(system, y, free, used, guessed)
    best = _turned(system, began, y, guessed) if followed else np.inf
    if best <= FAR or not search:
        return False if followed else None
    rng, trial, searched = np.random.default_rng(0), y.copy(), not followed
    for attempt in range(_ATTEMPTS if len(system.bodies) < _MANY else 1):
        trial[:] = began
        disturb(system, trial, free, np.pi * attempt / _ATTEMPTS, rng)
        if descend(system, trial, free, used) <= ALLOWED * system.size():
            turned = _turned(system, began, trial, guessed)
            if turned < best - _CLOSER:
                best, y[:], searched = turned, trial, True
    system.configure(y)
    return searched if np.isfinite(best) else None


def _turned(system: RowSystem, began: Floats, y: Floats, guessed: Floats) -> float:
    """The largest rotation of a guessed orientation between two states [rad]."""
    d, worst = system.dimension, 0.0
    for body, own in zip(system.bodies, guessed.reshape(len(system.bodies), -1), strict=True):
        if own[d] and body.rotates:
            one, two = system.own(began, body), system.own(y, body)
            worst = max(worst, abs(math.remainder(two[2] - one[2], 2.0 * math.pi)) if d == 2 else
                        2.0 * math.acos(min(1.0, abs(float(one[3:7] @ two[3:7])))))
    return worst


def _follow_path(system: RowSystem, y: Floats, free: Floats, used: Floats, guessed: Floats) -> bool:
    """Close all gaps along a continuous path from what is guessed; False, with y as it was, where the path ends.

    What is free and not guessed moves first, to where the gaps are least with the guesses as they are.
    """
    began = y.copy()
    loose = free * (1.0 - guessed)
    if loose.any():
        descend(system, y, loose, used)
    if _pull_together(system, y, free, used) and descend(system, y, free, used) <= ALLOWED * system.size():
        return True
    y[:] = began
    system.configure(y)
    return False


def _pull_together(system: RowSystem, y: Floats, free: Floats, used: Floats) -> bool:
    """Follow dq/ds = -J⁺ C(q₀), along which all gaps shrink in the same ratio, until they are small.

    J⁺ is the inverse of the least displacement and rotation. At a fold, where J loses rank, the gaps cannot shrink any
    further, and the path ends.
    """
    value, size, metric = system.tables.value, system.size(), metric_of_sizes(system)
    d, error = system.dimension, _error(system, used)
    for _ in range(_PATH_STEPS):
        if error <= _SMALL * size:
            return True
        change = nearest(system, value, free, used, _SOFT, metric)
        each = np.abs(change.reshape(len(system.bodies), -1))
        part = min(1.0, _TURN / max(float(each[:, d:].max()), float(each[:, :d].max()) / size, 1e-300))
        before = y.copy()
        while part >= _SHORTEST:
            shift(system, y, part * change)
            after = _error(system, used)
            if after <= (1.0 - 0.5 * part) * error:
                break
            y[:] = before
            part *= 0.5
        else:
            return False
        error = after
    return False


def close_loops(system: RowSystem, y: Floats, free: Floats, used: Floats) -> None:
    """Move what is free until the used rows fit, as near to y as the search finds; else the nearest miss stays in y."""
    small, best, began = ALLOWED * system.size(), np.inf, y.copy()
    rng, trial = np.random.default_rng(0), y.copy()
    for attempt in range(_ATTEMPTS if len(system.bodies) < _MANY else 1):
        if attempt:
            trial[:] = began
            disturb(system, trial, free, min(np.pi, 0.05 * 2.0**attempt), rng)
        error = descend(system, trial, free, used)
        if error < best:
            best, y[:] = error, trial
        if error <= small:
            break
    system.configure(y)


def _error(system: RowSystem, used: Floats) -> float:
    return float(np.linalg.norm(system.tables.value * used))


def descend(system: RowSystem, y: Floats, free: Floats, used: Floats) -> float:
    """Damped Newton steps until rounding; returns the largest violation that is left, infinite with opposite axes."""
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
    return np.inf if turned_over(system) else float(np.abs(value * used).max(initial=0.0))


def turned_over(system: RowSystem) -> list[Joint]:
    """Joints whose rows fit with axes that are opposite, or with a rotation that is none of those they hold."""
    bodies = system.tables.bodies
    return [joint for joint in system.joints if any(
        (bodies.rotation(joint.one.body.index) @ one) @ (bodies.rotation(joint.two.body.index) @ two) < _ALIGNED
        for one, two in joint.same)]


def disturb(system: RowSystem, y: Floats, free: Floats, width: float, rng: np.random.Generator) -> None:
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
    slides = [joint.measured == "displacement" for joint in sides]
    flipped = on_ground == [True, False] or slides == [True, False]
    first, second = reversed(sides) if flipped else sides
    if first.measured == "displacement":
        raise GranumError("assembly needs a loop of hinges with at most one slider. Use a guess instead: [start.NAME] "
                          'with angle = ... and guess = ["angle"].')
    return _Dyad(hinge, first, second, flipped)


def _point(system: RowSystem, joint: Joint) -> Floats:
    """Where the points of a joint are in the state of the tables [m]."""
    own, k = system.tables, system.joints.index(joint)
    at: Floats = (own.bodies.pose[joint.one.body.index, X : Z + 1]
                  + own.joints[k, tables.REACH : tables.REACH + 3])
    return at


def axis_now(system: RowSystem, joint: Joint) -> Floats:
    """The axis of a hinge or slider in inertial axes, in the state of the tables."""
    assert joint.axis is not None
    R = system.tables.bodies.rotation(joint.one.body.index)
    axis: Floats = R @ joint.one.body.carried(joint.axis)
    return axis


def _side(system: RowSystem, dyad: _Dyad) -> float:
    """Positive where the loop is open: B left of the line from A to D; with a slider, B ahead of A along its axis."""
    A, B = _point(system, dyad.first), _point(system, dyad.hinge)
    if dyad.second.measured == "displacement":
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
    if dyad.second.measured == "displacement":
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
