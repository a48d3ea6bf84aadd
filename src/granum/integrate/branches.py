"""Singular positions of linked points: where links of loops lose their independence, a step may take another branch.

H = L D Lᵀ with D_k/H_kk the squared sine of the angle between row k of J and the rows before it, in the metric of the
masses. Row k of L⁻¹ is u with g = Jᵀu and gᵀM⁻¹g = D_k: in a singular position u is a self-stress and g vanishes. Past
it, g has the opposite direction. So a step is refused that ends too near to the position, or on its other side.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.analytic.newton_euler import directions
from granum.analytic.singular_positions import ERRORS, NEAR, SINGULAR, singular_position
from granum.assembly.points import PointSystem
from granum.assembly.points.point_system import Links
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, kernel
from granum.linear import ldl
from granum.linear.chain import REDUNDANT
from granum.linear.method import LARGEST_NET, sparse_pattern

_CARRIES = 0.1
"""Share of a self-stress from which a link is named."""
_COUNT, _WEAKEST, _FRACTION = range(3)


class Loops(NamedTuple):
    """The links as rows of H, their factors, and what the last position was like. Empty where nothing is examined."""

    links: Links
    weight: Floats
    """Inverse mass of each body [1/kg]."""
    pattern: ldl.Pattern
    shares: ldl.Shares
    n: Floats
    distance: Floats
    values: Floats
    factors: ldl.Factors
    part: Floats
    """D/H of each row, zero where it depends on others."""
    most: Floats
    """The same where the rank was greatest so far, at first at the start; -1 for rows that depended on others."""
    stress: Floats
    """u of the weakest row, in the order of elimination."""
    push: Floats
    """(dimension, bodies): its g, and room for that of the next position."""
    next_push: Floats
    tracking: Floats
    """Rows that depended on others where `most` was taken; the weakest row (-1: none is weak);
    the part of the last step after which g vanished."""


@kernel
def _stress(w: Loops, k: int) -> None:
    """Row k of L⁻¹, from Lᵀu = e_k, and g = Jᵀu."""
    pattern, u = w.pattern, w.stress
    for i in range(len(u) - 1, -1, -1):
        u[i] = 1.0 if i == k else 0.0
        if i < k:
            for p in range(pattern.factor_start[i], pattern.factor_start[i] + w.factors.filled[i]):
                u[i] -= w.factors.lower[p] * u[pattern.factor_row[p]]
    w.next_push[:, :] = 0.0
    for i in range(k + 1):
        link = pattern.order[i]
        for c in range(w.n.shape[0]):
            w.next_push[c, w.links.tail[link]] += u[i] * w.n[c, link]
            w.next_push[c, w.links.head[link]] -= u[i] * w.n[c, link]


@kernel
def _opposite(w: Loops) -> bool:
    """Is g now more against than along what it was? It is kept for the next position."""
    along, before, now = 0.0, 0.0, 0.0
    for c in range(w.push.shape[0]):
        for i in range(w.push.shape[1]):
            weight = w.weight[i]
            along += weight * w.push[c, i] * w.next_push[c, i]
            before += weight * w.push[c, i] ** 2
            now += weight * w.next_push[c, i] ** 2
            w.push[c, i] = w.next_push[c, i]
    w.tracking[_FRACTION] = math.sqrt(before) / (math.sqrt(before) + math.sqrt(now)) if now > 0.0 else 1.0
    return along < 0.0 and along * along > 0.25 * before * now


@kernel
def _factor(w: Loops, x: Floats) -> float:
    """Independence of all rows in a position; returns the largest relative error of a length, infinite if one is."""
    directions(w.links, x, w.n, w.distance)
    for link in range(len(w.distance)):
        if not math.isfinite(w.distance[link]):
            return np.inf
    ldl.fill(w.shares, w.weight, w.n, w.values)
    ldl.factor(w.pattern, w.values, w.factors, REDUNDANT)
    error = 0.0
    pivot = w.factors.pivot
    for k in range(len(pivot)):
        link = w.pattern.order[k]
        diagonal = w.weight[w.links.tail[link]] + w.weight[w.links.head[link]]
        w.part[k] = 1.0 / (pivot[k] * diagonal) if pivot[k] > 0.0 else 0.0
        error = max(error, abs(w.distance[link] - w.links.length[link]) / w.links.length[link])
    return error


@kernel
def _rise(w: Loops) -> None:
    """Take this position for what later ones are compared with, if more rows are clearly independent than so far."""
    count = 0
    for k in range(len(w.part)):
        count += w.part[k] < (NEAR if w.most[k] < 0.0 else SINGULAR * w.most[k])
    if count < w.tracking[_COUNT]:
        w.tracking[_COUNT], w.tracking[_WEAKEST] = count, -1.0
        for k in range(len(w.part)):
            w.most[k] = w.part[k] if w.part[k] > SINGULAR else -1.0


@kernel
def has_loops(w: Loops) -> bool:
    """Are there loops to examine?"""
    return len(w.pattern.order) > 0


@kernel
def is_singular(w: Loops, x: Floats) -> bool:
    """Does a step from the position of the last call to this one end in a singular position, or beyond one?"""
    if not has_loops(w):
        return False
    error = _factor(w, x)
    if error == np.inf:  # a step that failed; near a singular position that is the reason
        return w.tracking[_WEAKEST] >= 0.0
    small = max(SINGULAR, min(ERRORS * error, NEAR))
    _rise(w)
    count, fallen, weakest, least = 0, -1, -1, np.inf
    for k in range(len(w.part)):
        part = w.part[k] / abs(w.most[k])
        count += part < small
        if part < small and w.most[k] > 0.0:
            fallen = k
        elif w.most[k] > 0.0 and part < least:
            weakest, least = k, part
    if fallen >= 0 and count > w.tracking[_COUNT]:
        _stress(w, fallen)
        w.tracking[_WEAKEST], w.tracking[_FRACTION] = fallen, 1.0
        return True
    if least > NEAR:
        w.tracking[_WEAKEST] = -1.0
        return False
    _stress(w, weakest)
    beyond = _opposite(w) and weakest == w.tracking[_WEAKEST]
    w.tracking[_WEAKEST] = weakest
    return beyond


class Branches:
    """Looks for singular positions between the steps of a solver."""

    def __init__(self, system: PointSystem, x: Floats) -> None:
        self.system = system
        self.loops = _loops(system)
        if self:
            _factor(self.loops, x)
            w = self.loops
            w.most[:] = np.where(w.part > SINGULAR, w.part, -1.0)
            w.tracking[_COUNT] = np.count_nonzero(w.most < 0.0)

    def __bool__(self) -> bool:
        """Are there loops to examine?"""
        return len(self.loops.pattern.order) > 0

    def begin(self, x: Floats) -> None:
        """Look from here on: an interval begins, perhaps of a resumed run."""
        is_singular(self.loops, x)

    def follow(self, x: Floats, before: float, t: float) -> None:
        """After a step from the time `before` to t: raise where its end is singular, or beyond a singular position."""
        if is_singular(self.loops, x):
            raise self.error(before, t)

    def refuse_failure(self, t: float) -> None:
        """Raise if a step that failed began near a singular position."""
        if self and self.loops.tracking[_WEAKEST] >= 0.0:
            raise self.error(t, t)

    def error(self, before: float, t: float) -> NotConvergedError:
        """The error of the last step, with the time at which g vanishes between its ends."""
        stress = np.abs(self.loops.stress)
        links = np.sort(self.loops.pattern.order[stress > _CARRIES * stress.max()])
        return NotConvergedError(singular_position(
            before + float(self.loops.tracking[_FRACTION]) * (t - before),
            [self.system.link_name(int(link)) for link in links]))


def _loops(system: PointSystem) -> Loops:
    """Arrays for a system with loops; a net too large to factor is not examined."""
    pattern, shares = ldl.EMPTY, ldl.NO_SHARES
    if len(system.topology.cuts) and system.link_count <= LARGEST_NET:
        pattern, shares = sparse_pattern(system.graph, system.topology)
    m = len(pattern.order)
    distance, part, most, stress = np.zeros((4, m))
    shape = (system.dimension, system.body_count)
    return Loops(
        links=system.links, weight=system.bodies.weight, pattern=pattern, shares=shares,
        n=np.zeros((system.dimension, m)), distance=distance, values=np.zeros(len(pattern.row)),
        factors=ldl.new_factors(pattern), part=part, most=most, stress=stress, push=np.zeros(shape),
        next_push=np.zeros(shape), tracking=np.array([0.0, -1.0, 1.0]))
