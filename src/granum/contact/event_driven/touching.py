"""Boundaries as a grain meets them on its path.

`surfaces` gives at any point the distance, the normal and the velocity of the surface; how the last two change along
the path of a grain, which accelerations at a contact need, follows from central differences of order 6.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Flags, Floats, Records, kernel
from granum.contact.seams import at_edge, covering
from granum.grains.geometry.boundaries import Elements
from granum.grains.geometry.elements import BALL, ELEMENT, FACET, NX, NY, NZ, OUT, PLANE, REST, ROD, SEGMENT, UX, UY, UZ
from granum.grains.geometry.motion import move_elements
from granum.grains.geometry.surfaces import touch
from granum.grains.state import Int32s
from granum.state.table import X, Y, Z

WIDTH = max(12, OUT)
"""Length of arrays that `touch_along` and `touch_at` write to."""


class Ground(NamedTuple):
    """Elements of boundaries as kernels take them, and what is known of their motion and shape."""

    home: Records
    motion: Records
    moves: Flags
    rate: Floats
    """(count,): the quickest change of a motion that is not uniform [rad/s]; 0 at rest and in uniform motion."""
    convex: Flags
    """Whether it is a convex set, so that it lies behind the plane that touches it."""
    window: Floats
    """(2,): the time within which no motion begins or ends [s]."""
    row: Records
    """(1,): space for an element that moves."""
    now: Records
    """(count,): space for all elements at an instant."""
    every: Int32s
    """(count,): their rows."""


def ground(elements: Elements) -> Ground:
    """What kernels need of the elements of a scene."""
    motion, kind = elements.motion, elements.home["kind"]
    swings = np.any(motion["amplitude"] != 0.0, axis=1)
    rate = np.maximum(np.where(swings, np.abs(motion["frequency"]), 0.0),
                      np.linalg.norm(motion["angular_velocity"], axis=1))
    convex = np.isin(kind, (PLANE, SEGMENT, FACET, ROD)) | ((kind == BALL) & (elements.home["length"][:, 0] > 0.0))
    return Ground(elements.home, motion, motion["kind"] != REST, rate, convex, np.array([-np.inf, np.inf]),
                  np.zeros(1, ELEMENT), elements.home.copy(), np.arange(elements.count, dtype=np.int32))


def breaks(elements: Elements) -> Floats:
    """Times at which motions begin and end [s]."""
    moving = elements.motion[elements.motion["kind"] != REST]
    times = np.concatenate([moving["begin"], moving["end"]])
    return np.unique(times[np.isfinite(times)])


@kernel
def touch_at(g: Ground, e: int, t: float, x: float, y: float, z: float, out: Floats) -> float:
    """As `touch`, at any time."""
    if not g.moves[e]:
        return touch(g.home[e], x, y, z, out)
    g.row[0] = g.home[e]
    one = slice(e, e + 1)
    move_elements(g.home[one], g.motion[one], min(max(t, g.window[0]), g.window[1]), g.row)
    return touch(g.row[0], x, y, z, out)


@kernel
def place(g: Ground, t: float) -> None:
    """Put all elements where they are at an instant, into `now`."""
    move_elements(g.home, g.motion, min(max(t, g.window[0]), g.window[1]), g.now)


@kernel
def touch_joined(g: Ground, e: int, t: float, x: float, y: float, z: float, r: float, out: Floats) -> float:
    """As `touch_at`, of a grain in contact with an element: where its edge is covered, the contact goes on with the
    element that covers it, so that nothing bends at a joint of two walls in line.
    """
    d = touch_at(g, e, t, x, y, z, out)
    if not at_edge(g.home[e], out):
        return d
    place(g, t)
    over = covering(e, 0, len(g.now), g.every, g.now, x, y, z, r, d, out)
    return touch(g.now[over], x, y, z, out) if over >= 0 else d


RATES = 6
"""Where ṅ and V̇ begin in what `touch_along` writes, behind n and V."""
_WEIGHTS = np.array([
    [[0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.75, -0.15, 1.0 / 60.0, 0.0, 0.0, 0.0]],
    [[-1.5, 2.0, -0.5, 0.0, 0.0, 0.0, 0.0], [-2.45, 6.0, -7.5, 20.0 / 3.0, -3.75, 1.2, -1.0 / 6.0]]])
"""Differences of order 2 and 6: central (one half, the other has the opposite sign) and to one side."""
_SAMPLES = np.array([[1, 3], [2, 6]])
_REACH = (1e-4, 0.02)
"""How far these touch_at, as a part of the shortest length (radius of the grain or of curvature) or time (1/rate)."""


@kernel
def touch_along(g: Ground, e: int, t: float, x: Floats, v: Floats, r: float, closed: bool, out: Floats,
                ahead: Floats) -> float:
    """Distance of a grain's centre on its path; out is n, V, ṅ and V̇. Both arrays have WIDTH numbers.

    A contact that is closed goes on over joints (`touch_joined`); one that is not yet, is with the element alone.
    """
    distance = touch_joined(g, e, t, x[X], x[Y], x[Z], r, out) if closed else touch_at(g, e, t, x[X], x[Y], x[Z], out)
    speed = math.sqrt((v[X] - out[UX]) ** 2 + (v[Y] - out[UY]) ** 2 + (v[Z] - out[UZ]) ** 2)
    pace = max(speed / r, g.rate[e])
    here = (out[NX], out[NY], out[NZ], out[UX], out[UY], out[UZ])
    near = here
    for k in range(RATES, 2 * RATES):
        out[k] = 0.0
    if pace == 0.0:
        return distance
    change = 0.0
    for order in range(2):
        step, side = _REACH[order] / pace, 0
        if g.moves[e] and not g.window[0] <= t - 3.0 * step < t + 3.0 * step <= g.window[1]:
            # a motion begins or ends nearby: touch_at to the other side only, as far as there is room
            later, earlier = g.window[1] - t, t - g.window[0]
            side = 1 if later > earlier else -1
            step = side * min(step, max(later, earlier) / 6.0)
        one = 1 if side != 0 else 0
        for k in range(RATES):
            out[RATES + k] = here[k] * _WEIGHTS[one, order, 0] / step
        for p in range(2 * _SAMPLES[one, order]):
            far, sign = 1 + p // 2, 1.0 - 2.0 * (p % 2)
            if sign > 0.0 or one == 0:
                tau = sign * far * step
                px, py, pz = x[X] + v[X] * tau, x[Y] + v[Y] * tau, x[Z] + v[Z] * tau
                if closed:
                    touch_joined(g, e, t + tau, px, py, pz, r, ahead)
                else:
                    touch_at(g, e, t + tau, px, py, pz, ahead)
                for k in range(RATES):
                    out[RATES + k] += sign * _WEIGHTS[one, order, far] / step * ahead[k]
        if order == 0:
            near = (out[RATES + NX], out[RATES + NY], out[RATES + NZ],
                    out[RATES + UX], out[RATES + UY], out[RATES + UZ])
            change = math.sqrt(near[NX] ** 2 + near[NY] ** 2 + near[NZ] ** 2)
            pace = max(pace, change)
            if change == 0.0 and near[UX] == 0.0 and near[UY] == 0.0 and near[UZ] == 0.0:
                return distance
    d_x, d_y, d_z = out[RATES + NX] - near[NX], out[RATES + NY] - near[NY], out[RATES + NZ] - near[NZ]
    apart = math.sqrt(d_x ** 2 + d_y ** 2 + d_z ** 2)
    if apart > 1e-3 * change:  # an edge within the reach: curvature jumps there, so differences have to stay close
        for k in range(RATES):
            out[RATES + k] = near[k]
    return distance
