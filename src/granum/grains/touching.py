"""What grains touch: elements of boundaries, at rest or moving, seen from a grain on its path.

An element gives at any point its distance, its normal and the velocity of its surface; how the last two change along
the path of a grain, which accelerations at a contact need, follows from central differences of order 6.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Flags, Floats, Ints, kernel
from granum.grains.state import Int32s

PLANE, BALL = 0, 1
"""Kinds of elements: point and normal; centre and signed radius (in the plane a disk)."""


class Elements(NamedTuple):
    """Elements of boundaries as kernels take them."""

    kind: Ints
    data: Floats
    """(count, 12): numbers of each kind where it is at t = 0; the velocity of the surface is in columns 6 to 8."""
    address: Ints
    """Of a compiled function, for kinds that have one."""
    material: Int32s
    """Number of the material, -1 where contacts use that of the grain."""
    motion: Floats
    """(count, 8): velocity, amplitude [m], angular frequency [1/s] and phase of a motion."""
    moves: Flags
    rate: Floats
    """(count,): the quickest change of a motion that is not uniform [rad/s]; 0 at rest and in uniform motion."""
    convex: Flags
    """Whether it is a convex set, so that it lies behind the plane that touches it."""
    breaks: Floats
    """Times at which a motion begins or ends [s], sorted."""


def elements(rows: list[tuple[int, list[float]]], motions: dict[int, list[float]] | None = None) -> Elements:
    """Planes (point, normal) and balls (centre, radius) as elements; motions by the number of the element."""
    count, motions = len(rows), motions or {}
    data, motion = np.zeros((count, 12)), np.zeros((count, 8))
    for e, (_, numbers) in enumerate(rows):
        data[e, :len(numbers)] = numbers
    for e, numbers in motions.items():
        motion[e, :len(numbers)] = numbers
    return Elements(
        np.array([kind for kind, _ in rows], np.int64), data, np.zeros(count, np.int64), np.full(count, -1, np.int32),
        motion, np.array([e in motions for e in range(count)], bool), motion[:, 6].copy(),
        np.array([kind == PLANE or data[e, 3] > 0.0 for e, (kind, _) in enumerate(rows)], bool), np.zeros(0))


@kernel
def touch(kind: Ints, data: Floats, address: Ints, e: int, x: float, y: float, z: float, out: Floats) -> float:
    """Distance of a point from an element; out is the normal towards the point and the velocity of the surface."""
    row = data[e]
    dx, dy, dz = x - row[0], y - row[1], z - row[2]
    for k in range(3):
        out[3 + k] = row[6 + k]
    if kind[e] == PLANE:
        for k in range(3):
            out[k] = row[3 + k]
        return dx * row[3] + dy * row[4] + dz * row[5]
    size = math.sqrt(dx * dx + dy * dy + dz * dz)
    sign = 1.0 if row[3] > 0.0 else -1.0
    out[0], out[1], out[2] = sign * dx / size, sign * dy / size, sign * dz / size
    return sign * size - row[3]


@kernel
def place(home: Floats, motion: Floats, kind: Ints, t: float, data: Floats) -> None:
    """Where elements are at a time: the first three numbers are shifted, velocities noted."""
    for e in range(len(kind)):
        phase = motion[e, 6] * t + motion[e, 7]
        for k in range(3, 6):
            data[e, k] = home[e, k]
        for k in range(3):
            data[e, k] = home[e, k] + motion[e, k] * t + motion[e, 3 + k] * math.sin(phase)
            data[e, 6 + k] = motion[e, k] + motion[e, 3 + k] * motion[e, 6] * math.cos(phase)


@kernel
def look(
    elements: Elements, e: int, t: float, x: float, y: float, z: float, out: Floats, scratch: Floats,
) -> float:
    """As `touch`, at any time; scratch (1, columns of the data) takes an element that moves."""
    if not elements.moves[e]:
        return touch(elements.kind, elements.data, elements.address, e, x, y, z, out)
    part = slice(e, e + 1)
    place(elements.data[part], elements.motion[part], elements.kind[part], t, scratch)
    return touch(elements.kind[part], scratch, elements.address[part], 0, x, y, z, out)


_WEIGHTS = np.array([45.0, -9.0, 1.0]) / 60.0
_REACH = 0.02
"""Of differences: as a part of the shortest length (radius of the grain or of curvature) or time (1/rate)."""
_NEAR = 1e-4


@kernel
def _difference(
    elements: Elements, e: int, t: float, x: Floats, v: Floats, step: float, points: int, out: Floats, ahead: Floats,
    scratch: Floats,
) -> None:
    """Change of normal and surface velocity along x + v τ: out[6:12], by 2 or 6 places."""
    for k in range(6):
        out[6 + k] = 0.0
    for p in range(1, points // 2 + 1):
        weight = 0.5 / step if points == 2 else _WEIGHTS[p - 1] / step
        for sign in (1.0, -1.0):
            tau = sign * p * step
            look(elements, e, t + tau, x[0] + v[0] * tau, x[1] + v[1] * tau, x[2] + v[2] * tau, ahead, scratch)
            for k in range(6):
                out[6 + k] += sign * weight * ahead[k]


@kernel
def follow(
    elements: Elements, e: int, t: float, x: Floats, v: Floats, r: float, out: Floats, work: Floats, scratch: Floats,
) -> float:
    """Distance of a grain's centre on its path; out (12,) is n, V, ṅ and V̇. work has 12 numbers."""
    distance = look(elements, e, t, x[0], x[1], x[2], out, scratch)
    speed = math.sqrt((v[0] - out[3]) ** 2 + (v[1] - out[4]) ** 2 + (v[2] - out[5]) ** 2)
    pace = max(speed / r, elements.rate[e])
    for k in range(6, 12):
        out[k] = 0.0
    if pace == 0.0:
        return distance
    _difference(elements, e, t, x, v, _NEAR / pace, 2, out, work, scratch)
    change = math.sqrt(out[6] ** 2 + out[7] ** 2 + out[8] ** 2)
    steady = change == 0.0
    for k in range(3):
        steady = steady and out[9 + k] == 0.0
    if steady:
        return distance
    near = (out[6], out[7], out[8], out[9], out[10], out[11])
    _difference(elements, e, t, x, v, _REACH / max(pace, change), 6, out, work, scratch)
    apart = math.sqrt((out[6] - near[0]) ** 2 + (out[7] - near[1]) ** 2 + (out[8] - near[2]) ** 2)
    if apart > 1e-3 * change:  # an edge within the reach: curvature jumps there, so differences have to stay close
        for k in range(6):
            out[6 + k] = near[k]
    return distance
