"""When grains first touch on their paths: parabolas in flight, polynomials of degree 5 over a step with contact.

From any place on its path the gap is bounded below by a parabola: |d| and the distance from a convex set are never
smaller than their linear part, so gap + u τ + ½ n·a τ² is such a bound (on a parabola, exact against a plane). To
go again and again to where the bound vanishes never passes the first touch, and comes to it as fast as Newton does.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Flags, Floats, kernel
from granum.base.space import displacement
from granum.base.vectors import dot, length
from granum.contact.event_driven.touching import RATES, Ground, touch_along, touch_at
from granum.grains.geometry.elements import NX, UX
from granum.grains.state import FIRST, SECOND
from granum.state.table import X, Y, Z

ELEMENT = 2
"""Column of a touch behind the two grains: the boundary element; -1 for what there is not."""
_MOST = 100_000
_ROUNDING = 4e-16
_CLEAR = 1e-6
"""Gap as a part of the radius from which a contact that opens slowly has opened."""


class Flight(NamedTuple):
    """How grains move over a step."""

    paths: Floats
    """(count, 6, 3): coefficients of the polynomials of their positions in τ."""
    r: Floats
    """(count,): radii [m]."""
    fastest: Floats
    """(count,): the largest acceleration of each [m/s²]."""
    free: Flags
    """(count,): is the path a parabola?"""


@kernel
def parabolas(y: Floats, free: Floats, paths: Floats, fastest: Floats) -> None:
    """Paths x + v τ + ½ a τ²: coefficients (count, 6, 3), and the acceleration of each."""
    count = len(free)
    for k in range(count):
        size = 0.0
        for a in range(3):
            paths[k, 0, a], paths[k, 1, a] = y[3 * k + a], y[3 * (count + k) + a]
            paths[k, 2, a] = 0.5 * free[k, a]
            paths[k, 3, a], paths[k, 4, a], paths[k, 5, a] = 0.0, 0.0, 0.0
            size += free[k, a] ** 2
        fastest[k] = math.sqrt(size)


@kernel
def quintics(y: Floats, f: Floats, y_new: Floats, f_new: Floats, h: float, paths: Floats, fastest: Floats) -> None:
    """Paths that meet position, velocity and acceleration at both ends of a step."""
    count = len(paths)
    for k in range(count):
        start, end, middle = 0.0, 0.0, 0.0
        for a in range(3):
            x, v = 3 * k + a, 3 * (count + k) + a
            x0, v0, a0, x1, v1, a1 = y[x], h * y[v], h * h * f[v], y_new[x], h * y_new[v], h * h * f_new[v]
            d, e, c = x1 - x0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
            c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * c, -15.0 * d + 7.0 * e - c, 6.0 * d - 3.0 * e + 0.5 * c
            paths[k, 0, a], paths[k, 1, a], paths[k, 2, a] = x0, y[v], 0.5 * f[v]
            paths[k, 3, a], paths[k, 4, a], paths[k, 5, a] = c3 / h**3, c4 / h**4, c5 / h**5
            start, end = start + f[v] ** 2, end + f_new[v] ** 2
            middle += ((a0 + 3.0 * c3 + 3.0 * c4 + 2.5 * c5) / (h * h)) ** 2
        fastest[k] = 1.5 * math.sqrt(max(start, end, middle))


@kernel
def _at(path: Floats, tau: float, x: Floats, v: Floats) -> None:
    """Position and velocity on a path."""
    for a in range(3):
        x[a] = path[0, a] + tau * (path[1, a] + tau * (path[2, a] + tau * (
            path[3, a] + tau * (path[4, a] + tau * path[5, a]))))
        v[a] = path[1, a] + tau * (2.0 * path[2, a] + tau * (
            3.0 * path[3, a] + tau * (4.0 * path[4, a] + tau * 5.0 * path[5, a])))


@kernel
def downward(gap: float, u: float, c: float) -> float:
    """The first τ ≥ 0 at which gap + u τ + ½ c τ² falls to zero, inf if it does not."""
    gap = max(gap, 0.0)
    root = u * u - 2.0 * c * gap
    if root < 0.0 or (c >= 0.0 and u >= 0.0):
        return np.inf
    if u > 0.0:
        return (u + math.sqrt(root)) / -c
    below = math.sqrt(root) - u
    return 2.0 * gap / below if below > 0.0 else np.inf


@kernel
def _bound(
    grain: int, other: int, e: int, t: float, tau: float, flight: Flight, g: Ground, work: Floats,
) -> tuple[float, float, float, float]:
    """Gap, its rate, and a lower bound of its second derivative with the time for which this holds.

    Of two grains, or of a grain and the element e ≥ 0; work has four rows of WIDTH numbers.
    """
    paths, r, fastest, free = flight
    x, v, out = work[0], work[1], work[2]
    _at(paths[grain], tau, x, v)
    u, c, reach = 0.0, 0.0, np.inf
    smooth = free[grain] and (e >= 0 or free[other])
    if e < 0:
        _at(paths[other], tau, work[2], work[3])
        d = displacement(x[X], x[Y], x[Z], work[2, X], work[2, Y], work[2, Z])
        distance = length(d)
        for a in range(3):
            u += d[a] * (work[3, a] - v[a])
            c += d[a] * 2.0 * (paths[other, 2, a] - paths[grain, 2, a])
        return distance - r[grain] - r[other], u / distance, c / distance if smooth else -(
            fastest[grain] + fastest[other]), reach
    if g.convex[e] and g.rate[e] == 0.0:
        gap = touch_at(g, e, t + tau, x[X], x[Y], x[Z], out) - r[grain]
        for a in range(3):
            u += out[a] * (v[a] - out[UX + a])
            c += out[a] * 2.0 * paths[grain, 2, a]
        return gap, u, c if smooth else -fastest[grain], reach
    gap = touch_along(g, e, t + tau, x, v, r[grain], False, out, work[3]) - r[grain]
    speed, bend, shake = 0.0, 0.0, 0.0
    for a in range(3):
        u += out[a] * (v[a] - out[UX + a])
        speed += (v[a] - out[UX + a]) ** 2
        bend += out[RATES + NX + a] ** 2
        shake += out[RATES + UX + a] ** 2
    speed, bend, shake = math.sqrt(speed), math.sqrt(bend), math.sqrt(shake)
    pace = max(bend, g.rate[e], speed / r[grain])
    c = -(fastest[grain] + 2.0 * (shake + bend * speed) + g.rate[e] * speed)
    reach = 0.3 / pace if pace > 0.0 else np.inf
    if g.rate[e] == 0.0 and gap > r[grain]:  # far away: no faster than on the straight way
        direct = downward(gap, -speed, -fastest[grain])
        if direct > min(reach, downward(gap, u, c)):
            return gap, -speed, -fastest[grain], np.inf
    return gap, u, c, reach


@kernel
def _first(
    grain: int, other: int, e: int, t: float, h: float, flight: Flight, g: Ground, close: float, rest: float,
    work: Floats,
) -> float:
    """The time from t to the first touch within h, inf if there is none."""
    paths, r = flight.paths, flight.r
    gap, u, c, reach = _bound(grain, other, e, t, 0.0, flight, g, work)
    tau, ahead = 0.0, 1e-6 * h
    if gap <= close and abs(u) <= rest:  # opens slowly, if at all: the bound has nothing to start from
        while gap <= _CLEAR * r[grain]:
            last, tau = tau, min(ahead, h)
            gap, u, c, reach = _bound(grain, other, e, t, tau, flight, g, work)
            if gap < -close:
                high = tau
                while high - last > 1e-15 * h:
                    tau = 0.5 * (last + high)
                    if tau in (last, high):
                        break
                    gap, u, c, reach = _bound(grain, other, e, t, tau, flight, g, work)
                    if gap < -close:
                        high = tau
                    else:
                        last = tau
                return last
            if tau == h:
                return np.inf
            ahead *= 1.3
    size = r[grain] + abs(paths[grain, 0, X]) + abs(paths[grain, 0, Y]) + abs(paths[grain, 0, Z])
    for _ in range(_MOST):
        if gap <= _ROUNDING * size and u < 0.0:
            return tau
        ahead = min(downward(gap, u, c), reach)
        if ahead <= 2e-16 * tau:
            if u < 0.0:
                return tau
            ahead = 1e-9 * h
        tau += ahead
        if not tau < h:
            return np.inf
        gap, u, c, reach = _bound(grain, other, e, t, tau, flight, g, work)
    return tau


@kernel
def first_touch(
    t: float, h: float, flight: Flight, closed: Flags, closed_wall: Flags, g: Ground, close: float, rest: float,
    work: Floats, touch: Floats,
) -> float:
    """The first touch of contacts not closed within h: its time from t, inf if none; touch = (grain, other, e)."""
    paths, r, fastest, free = flight
    best, count = np.inf, len(r)
    none = count - count - 1  # not -1: a constant is compiled for itself
    for i in range(count):
        for j in range(i + 1, count):
            if not closed[i, j]:
                d, speed = displacement(paths[i, 0, X], paths[i, 0, Y], paths[i, 0, Z], paths[j, 0, X], paths[j, 0, Y],
                                        paths[j, 0, Z]), 0.0
                distance = dot(d, d)
                for a in range(3):
                    speed += (paths[j, 1, a] - paths[i, 1, a]) ** 2
                most = min(h, best)
                bent = 0.0
                if free[i] and free[j]:
                    for a in range(3):
                        bent += (2.0 * (paths[j, 2, a] - paths[i, 2, a])) ** 2
                    bent = math.sqrt(bent)
                else:
                    bent = fastest[i] + fastest[j]
                way = r[i] + r[j] + most * (math.sqrt(speed) + 0.5 * bent * most)
                if not distance > way * way * (1.0 + 1e-12):
                    tau = _first(i, j, none, t, most, flight, g, close, rest, work)
                    if tau < best:
                        best, touch[FIRST], touch[SECOND], touch[ELEMENT] = tau, i, j, -1
        for e in range(len(g.home)):
            if not closed_wall[i, e]:
                tau = _first(i, none, e, t, min(h, best), flight, g, close, rest, work)
                if tau < best:
                    best, touch[FIRST], touch[SECOND], touch[ELEMENT] = tau, i, -1, e
    return best
