"""Bodies that become one, or fall apart: parts are gathered into other bodies, momentum and angular momentum kept.

A body made of parts has their mass, their mass centre, and by Steiner's theorem their inertia; its velocity and angular
velocity are those of equal momentum and angular momentum. Parts of one rigid body keep their velocities exactly, so a
split changes no energy; bodies that are merged lose that of their relative motion.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.aggregates.parts import Bodies, Parts, make_bodies
from granum.grains.state import Int32s
from granum.state.table import DOUBLE_TURNS, IM, KM, QA, WX, R, X, Y, Z


def to_inertial_axes(quaternion: Floats, vector: Floats) -> Floats:
    """Vectors (n, 3) of body axes in inertial axes, by unit quaternions (n, 4)."""
    scalar, axis = quaternion[:, :1], quaternion[:, 1:]
    across = 2.0 * np.cross(axis, vector)
    rotated: Floats = vector + scalar * across + np.cross(axis, across)
    return rotated


def to_body_axes(quaternion: Floats, vector: Floats) -> Floats:
    """Vectors (n, 3) of inertial axes in body axes."""
    return to_inertial_axes(quaternion * np.array([1.0, -1.0, -1.0, -1.0]), vector)


def summed(label: Ints, values: Floats, count: int) -> Floats:
    """Sums of values (n, ...) with the same label 0, ..., count - 1."""
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    sums = np.empty((count, flat.shape[1]))
    for k in range(flat.shape[1]):
        sums[:, k] = np.bincount(label, flat[:, k], count)
    return sums.reshape(count, *values.shape[1:])


def own_inertia(parts: Parts, rows: Ints) -> Floats:
    """Moment of inertia of each part about its own centre [kg m²]."""
    inertia: Floats = parts.x[rows, R] ** 2 / parts.v[rows, KM]
    return inertia


def inertia_of(label: Ints, count: int, mass: Floats, own: Floats, arm: Floats, dimension: int) -> Floats:
    """(count, 3, 3): inertia about the mass centre of parts with arms from there; in the plane about z only."""
    if dimension == 2:
        inertia: Floats = np.zeros((count, 3, 3))
        inertia[:, Z, Z] = np.bincount(label, own + mass * (arm[:, X] ** 2 + arm[:, Y] ** 2), count)
        return inertia
    square = np.sum(arm**2, axis=1)
    each = (own + mass * square)[:, None, None] * np.eye(3) - mass[:, None, None] * arm[:, :, None] * arm[:, None, :]
    return summed(label, each, count)


def solve_inertia(inertia: Floats, moment: Floats, dimension: int) -> Floats:
    """I⁻¹ M for each of (count, 3, 3) and (count, 3)."""
    if dimension == 2:
        planar: Floats = np.zeros((len(moment), 3))
        planar[:, Z] = moment[:, Z] / inertia[:, Z, Z]
        return planar
    solved: Floats = np.linalg.solve(inertia, moment[:, :, None])[:, :, 0].astype(np.float64)
    return solved


def gather_bodies(parts: Parts, rows: Ints, label: Ints, arm: Floats, centre: Floats, quaternion: Floats,
                  velocity: Floats, omega: Floats, double_turns: Floats, number: Ints, group: Int32s,
                  dimension: int) -> Bodies:
    """Bodies of the parts of each label 0, 1, ..., with given arms in body axes: mass, inertia and reach follow."""
    count, mass, reach = len(centre), parts.mass[rows], np.zeros(len(centre))
    np.maximum.at(reach, label, np.linalg.norm(arm, axis=1) + parts.x[rows, R])
    inertia = inertia_of(label, count, mass, own_inertia(parts, rows), arm, dimension)
    made = make_bodies(centre, quaternion, np.bincount(label, mass, count).astype(np.float64), inertia, reach, velocity,
                       omega, number, group, dimension)
    made.motion[:, DOUBLE_TURNS] = double_turns
    return made


def regroup(parts: Parts, rows: Ints, label: Ints, dimension: int) -> None:
    """Make one body of the parts of each label 0, 1, ...; `rows` are all parts of the bodies they are taken from.

    A new body has the number and the group of its part of lowest number, and the axes of the old one if there was one;
    else inertial axes, in which its parts keep their orientations.
    """
    old, count = parts.bodies, int(label.max()) + 1
    home, mass, own = parts.body[rows], 1.0 / parts.v[rows, IM], own_inertia(parts, rows)
    x, omega = parts.x[rows, :3], old.motion[home, WX:KM]
    velocity = old.motion[home, :3] + np.cross(omega, x - old.pose[home, :3])
    total: Floats = np.bincount(label, mass, count).astype(np.float64)
    centre = summed(label, mass[:, None] * x, count) / total[:, None]
    mean = summed(label, mass[:, None] * velocity, count) / total[:, None]
    arm = x - centre[label]
    each = mass[:, None] * np.cross(arm, velocity - mean[label]) + own[:, None] * omega
    angular_momentum = summed(label, each, count)
    omega = solve_inertia(inertia_of(label, count, mass, own, arm, dimension), angular_momentum, dimension)
    lowest = np.lexsort((parts.number[rows], label))
    first = lowest[np.searchsorted(label[lowest], np.arange(count))]
    quaternion = old.pose[home[first], QA:]
    mixed = np.bincount(label, home != home[first][label], count) > 0
    quaternion[mixed] = (1.0, 0.0, 0.0, 0.0)
    double_turns = np.where(mixed, 0.0, old.motion[home[first], DOUBLE_TURNS])
    parts.local_orientation[rows] = np.where(mixed[label, None], parts.orientation[rows], parts.local_orientation[rows])
    arm = to_body_axes(quaternion[label], arm)
    made = gather_bodies(parts, rows, label, arm, centre, quaternion, mean, omega, double_turns,
                         parts.number[rows][first], parts.group[rows][first], dimension)
    kept = np.setdiff1d(np.arange(old.count), home)
    place = np.zeros(old.count, np.int32)
    place[kept] = np.arange(len(kept), dtype=np.int32)
    body = place[parts.body]
    body[rows] = len(kept) + label
    old.permute(kept)
    old.append(made)
    parts.body, parts.arm[rows] = body, arm
    parts.permute(np.argsort(body, kind="stable"))
    parts.follow()
