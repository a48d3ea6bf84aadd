"""The arch that bridges an opening, and the forces of the boundary on either side of it.

The axis of an opening is the line through its middle along the flow. A boundary contact lies on one side or the other
of the axis. An arch is a chain of bodies, each pressed against the next, whose two ends press on the boundary on
opposite sides: together with the boundary it closes the opening. Of all such chains it is the one with the least
Σ (1 + s/d) over its bodies, where s is how far a body is upstream of the foremost one that carries force and d the mean
diameter: few bodies, near the opening. It is found as a shortest path (Dijkstra).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from granum.base.kernels import Floats, Ints
from granum.grains.search.lists import Contacts
from granum.grains.state import Int32s

Rows = Ints | Int32s
CARRIES = 1e-3
"""Part of the mean contact force above which a contact carries force: far above what solvers leave unresolved."""
_END = 1e-9
"""Cost of the step from the last body to the boundary: a sparse graph takes zero for no edge."""


class Opening(NamedTuple):
    """Where grains leave: the middle of a section, and the direction of the flow through it."""

    point: Floats
    """(3,) [m]"""
    direction: Floats
    """(3,) unit vector downstream, along an axis."""
    dimension: int

    def upstream(self, positions: Floats) -> Floats:
        """(n,): how far positions (n, 3) are upstream of the section [m]; negative downstream."""
        found: Floats = (self.point - positions) @ self.direction
        return found

    @property
    def across(self) -> list[int]:
        """Axes across the flow."""
        along = int(np.argmax(np.abs(self.direction)))
        return [k for k in range(self.dimension) if k != along]


def axis_name(direction: Sequence[float]) -> str:
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
    feet = positions[i[wall]] - radii[i[wall], None] * normal[wall] - opening.point
    best, found = np.inf, None
    for axis in opening.across:
        ends = [np.unique(bodies[i[wall][side]]) for side in (feet[:, axis] < 0.0, feet[:, axis] > 0.0)]
        total, path = _shortest(cost, bodies[i[~wall]], bodies[j[~wall]], *ends)
        if total < best:
            best, found = total, Arch(path, positions[np.isin(bodies, path)].mean(axis=0), axis)
    return found


def _costs(distance: Floats, radii: Floats, bodies: Rows, count: int) -> Floats:
    """(count,): 1 + s/d of each body, by its foremost grain that carries force."""
    foremost = np.full(count, np.inf)
    np.minimum.at(foremost, bodies, distance)
    found: Floats = 1.0 + (foremost - distance.min()) / (2.0 * radii.mean())
    return found


def _shortest(cost: Floats, one: Rows, other: Rows, first: Rows, last: Rows) -> tuple[float, Ints]:
    """Least sum of costs of a chain of bodies from one of `first` to one of `last`, and its bodies in order."""
    if not len(first) or not len(last):
        return np.inf, np.empty(0, np.int64)
    count = len(cost)
    start, end = count, count + 1
    edges = np.concatenate([np.column_stack([one, other]), np.column_stack([other, one]),
                            np.column_stack([np.full(len(first), start), first]),
                            np.column_stack([last, np.full(len(last), end)])])
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)
    weight = np.append(cost, [0.0, _END])[edges[:, 1]]
    graph = sparse.csr_array((weight, edges.T), shape=(count + 2, count + 2))
    total, before = dijkstra(graph, indices=start, return_predecessors=True)
    chain = [] if np.isinf(total[end]) else [int(before[end])]
    while chain and chain[-1] != start:
        chain.append(int(before[chain[-1]]))
    return float(total[end]), np.array(chain[-2::-1], dtype=np.int64)


def wall_forces(opening: Opening, axis: int, positions: Floats, radii: Floats, contacts: Contacts) -> Floats:
    """(2, 3): force of the boundary on the grains upstream, on either side of the opening's axis [N].

    The sides are those along the coordinate `axis`: first the one of lower, then that of higher values. With the grains
    at rest the sum of both balances the loads on all grains upstream.
    """
    wall = np.flatnonzero(contacts.pair[:, 1] < 0)
    grain = contacts.pair[wall, 0]
    here = opening.upstream(positions[grain]) > 0.0
    wall, grain = wall[here], grain[here]
    foot = positions[grain, axis] - radii[grain] * contacts.normal[wall, axis]
    low = foot < opening.point[axis]
    return np.stack([contacts.force[wall[low]].sum(axis=0), contacts.force[wall[~low]].sum(axis=0)])
