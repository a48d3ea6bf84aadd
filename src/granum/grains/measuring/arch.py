"""The arch that bridges an opening, and the forces of the boundary on either side of it.

The axis of an opening is the line through its middle along the flow. A boundary contact lies on one side or the other
of the axis; in space the sides are the directions within 60° of an axis of coordinates and of its opposite. An arch is
a chain of bodies, each pressed against the next, whose two ends press on the boundary on opposite sides, and which
passes the axis within a mean diameter (or a grain's own radius): a ring of grains around a hole bridges nothing. In the
plane every chain from side to side passes the axis so.

The arch is the chain with the least Σ (1 + s/d) over its bodies, where s is how far a body is upstream of the
foremost one that carries force and d the mean diameter: few bodies, near the opening. It is found as a shortest path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from granum.base.kernels import Floats, Ints
from granum.grains.state import FIRST, SECOND, Int32s

if TYPE_CHECKING:  # every run that is opened loads this module, and no kernels of grains with it
    from granum.grains.search.neighbour_list import Contacts

Rows = Ints | Int32s
CARRIES = 1e-3
"""Part of the mean contact force above which a contact carries force: far above what solvers leave unresolved."""
OPPOSITE = 0.5
"""Least part of a foot's distance from the axis that is along a direction across the flow, to be on that side."""
_FREE = 1e-9
"""Cost of a step to no other body: a sparse graph takes zero for no edge."""


class Opening(NamedTuple):
    """Where grains leave: the middle of a section, and the direction of the flow through it."""

    point: Floats
    """(3,) [m]"""
    direction: Floats
    """(3,) unit vector downstream, along an axis."""
    dimension: int

    def upstream(self, positions: Floats) -> Floats:
        """(n,): how far positions (n, 3) are upstream of the section [m]; negative downstream."""
        distance: Floats = (self.point - positions) @ self.direction
        return distance

    @property
    def across(self) -> list[int]:
        """Axes across the flow."""
        along = int(np.argmax(np.abs(self.direction)))
        return [k for k in range(self.dimension) if k != along]


def axis_name(direction: Sequence[float] | Floats) -> str:
    """A direction along an axis in words, such as +x."""
    along = int(np.argmax(np.abs(direction)))
    return f"{'+' if direction[along] > 0.0 else '-'}{'xyz'[along]}"


class Arch(NamedTuple):
    """The smallest set of bodies near the opening that bridges it."""

    bodies: Ints
    """Rows of its bodies (grains, where each is one), from one end to the other."""
    position: Floats
    """(3,): mean of the centres of its grains [m]."""
    axis: int
    """Coordinate along which its two ends are on opposite sides of the opening's axis."""


def find_arch(
    opening: Opening, positions: Floats, radii: Floats, contacts: Contacts, bodies: Rows,
) -> Arch | None:
    """The arch upstream of an opening; None if nothing bridges it.

    Args:
        positions, radii: (N, 3) and (N,) of the grains [m].
        contacts: all contacts among them and with the boundary, see `network`.
        bodies: (N,): row of the body that each grain is, or is part of.
    """
    size = np.linalg.norm(contacts.force, axis=1)
    distance = opening.upstream(positions)
    i, j = contacts.pair.T
    carries = (distance[i] > 0.0) & ((j < 0) | (distance[np.maximum(j, 0)] > 0.0)) & (size > 0.0)
    if not np.any(carries):
        return None
    carries &= size > CARRIES * size[carries].mean()
    i, j, normal = i[carries], j[carries], contacts.normal[carries]
    wall = j < 0
    carrying = np.unique(np.concatenate([i, j[~wall]]))
    cost = _costs(distance[carrying], radii[carrying], bodies[carrying], int(bodies.max()) + 1)
    across = (positions - opening.point)[:, opening.across]
    over = np.linalg.norm(across, axis=1) <= np.maximum(radii, 2.0 * radii[carrying].mean())
    feet = across[i[wall]] - radii[i[wall], None] * normal[wall][:, opening.across]
    far = OPPOSITE * np.linalg.norm(feet, axis=1)
    best, arch = np.inf, None
    for k, axis in enumerate(opening.across):
        sides = ((sign * feet[:, k] >= far) & (far > 0.0) for sign in (-1.0, 1.0))
        low, high = (np.unique(bodies[i[wall][side]]) for side in sides)
        total, path = _shortest(cost, bodies[i[~wall]], bodies[j[~wall]], low, high, np.unique(bodies[over]))
        if total < best:
            best, arch = total, Arch(path, positions[np.isin(bodies, path)].mean(axis=0), axis)
    return arch


def _costs(distance: Floats, radii: Floats, bodies: Rows, count: int) -> Floats:
    """(count,): 1 + s/d of each body, by its foremost grain that carries force."""
    foremost = np.full(count, np.inf)
    np.minimum.at(foremost, bodies, distance)
    costs: Floats = 1.0 + (foremost - distance.min()) / (2.0 * radii.mean())
    return costs


def _shortest(
    cost: Floats, one: Rows, other: Rows, first: Rows, last: Rows, over: Rows,
) -> tuple[float, Ints]:
    """Least sum of costs of a chain from one of `first` past one of `over` to one of `last`, and its bodies in order.

    Each body stands in the graph twice: before the chain has passed one of `over`, and after that.
    """
    count = len(cost)
    start, end = 2 * count, 2 * count + 1
    touching = np.concatenate([np.column_stack([one, other]), np.column_stack([other, one])]).astype(np.int64)
    edges = np.concatenate([touching, touching + count, np.column_stack([over, over + count]),
                            np.column_stack([np.full(len(first), start), first]),
                            np.column_stack([last + count, np.full(len(last), end)])])
    edges = np.unique(edges[edges[:, FIRST] != edges[:, SECOND]], axis=0)
    weight = np.concatenate([cost, cost, [_FREE, _FREE]])[edges[:, SECOND]]
    weight[edges[:, SECOND] == edges[:, FIRST] + count] = _FREE
    reached = np.isfinite(weight)  # a body that carries nothing is no part of a chain
    graph = scipy.sparse.csr_array((weight[reached], edges[reached].T), shape=(2 * count + 2, 2 * count + 2))
    total, before = scipy.sparse.csgraph.dijkstra(graph, indices=start, return_predecessors=True)
    chain = [] if np.isinf(total[end]) else [int(before[end])]
    while chain and before[chain[-1]] != start:
        chain.append(int(before[chain[-1]]))
    return float(total[end]), np.array([*dict.fromkeys(body % count for body in reversed(chain))], dtype=np.int64)


def wall_forces(opening: Opening, axis: int, positions: Floats, radii: Floats, contacts: Contacts) -> Floats:
    """(2, 3): force of the boundary on the grains upstream, on either side of the opening's axis [N].

    The sides are those along the coordinate `axis`: first the one of lower, then that of higher values. With the grains
    at rest the sum of both balances the loads on all grains upstream.
    """
    wall = np.flatnonzero(contacts.pair[:, SECOND] < 0)
    grain = contacts.pair[wall, FIRST]
    here = opening.upstream(positions[grain]) > 0.0
    wall, grain = wall[here], grain[here]
    foot = positions[grain, axis] - radii[grain] * contacts.normal[wall, axis]
    low = foot < opening.point[axis]
    return np.stack([contacts.force[wall[low]].sum(axis=0), contacts.force[wall[~low]].sum(axis=0)])
