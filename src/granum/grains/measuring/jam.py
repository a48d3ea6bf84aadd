"""Has the flow stopped, when and where?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats
from granum.grains.geometry.filling import packing_fraction
from granum.grains.geometry.regions import inside
from granum.grains.measuring.network import clusters, percolating
from granum.grains.state import Int32s
from granum.model.regions import BoxRegion, Region

STRETCH = 6.0
"""Length, in mean diameters, of the stretch that is looked at for the place of a jam without an arch."""
_ASIDE = 0.01
"""Component across the flow from which a normal of the boundary belongs to one side of it."""


class JamFound(NamedTuple):
    """A jam."""

    t: float
    """When: the last passage, or when a grain was found backed up [s]."""
    place: Floats
    """(d,) Where: the centre farthest downstream in the arch [m]."""
    density: float
    """Part of the area (volume) upstream of the place that grains fill."""
    arch: int
    """Grains of the cluster that reaches from one side to the other; 0 if there is none."""
    backed_up: bool
    """Was it noted because a grain was backed up?"""


class Jam:
    """Watches a flow and says when it has jammed.

    It has jammed if nothing passed for `time` while grains were there, and its time is that of the last passage. As
    long as nothing has passed at all, the foremost grain is watched: time counts from when it last came forward by
    its radius. It has also jammed if the centre of a grain is in the region `backed_up` (002 §6.5.2).

    The place is the centre farthest downstream in the arch: the largest cluster of touching grains that touches the
    boundary on both sides of the flow (in space, on two opposite sides). Without such a cluster, where grains are
    backed up but move on, it is the middle of the densest stretch, six grains long.

    Args:
        time: how long nothing passes before it counts as a jam [s].
        direction: of the flow, along an axis of the box.
        backed_up: where no grain should be.
        box: the part of the pipe whose filling upstream of the place is measured; left out, the box around all grains.
    """

    def __init__(
        self, time: float, direction: tuple[float, ...], backed_up: Region | None = None, box: BoxRegion | None = None,
    ) -> None:
        self.time, self.backed_up, self.box = time, backed_up, box
        d = np.array(direction, dtype=float)
        self._axis = int(np.argmax(np.abs(d)))
        self._sign = float(np.sign(d[self._axis]))
        if np.count_nonzero(d) != 1:
            raise GranumError(f"a flow watched for jams runs along an axis, but {list(direction)} does not. "
                              "Turn the scene.")
        self.found: JamFound | None = None
        self.state = np.array([-np.inf, 0.0, -np.inf])
        """Time of the last progress, most grains that have passed, place of the foremost: kept for a resumed run."""

    def observe(
        self, t: float, passed: float, positions: Floats, radii: Floats, pair: Int32s, normal: Floats, dimension: int,
        settled: Flags | None = None,
    ) -> bool:
        """Note what is there at time t; returns whether the flow has jammed by now.

        Args:
            passed: grains that have passed since the start (those that came back taken off).
            positions, radii: (N, 3) and (N,) of the grains present.
            pair, normal: contacts (see `network`), used where a jam is found.
            settled: grains that count where they are backed up; left out, all do.
        """
        if self.found is not None:
            return True
        back = self.backed_up is not None and bool(np.any(inside(
            self.backed_up, positions if settled is None else positions[settled])))
        if self._moves(passed, positions, radii) or self.state[0] == -np.inf:
            self.state[0] = t
        if back or t - self.state[0] >= self.time:
            place, arch = self._place(positions, radii, pair, normal, dimension)
            density = self._density(positions, radii, place, dimension)
            self.found = JamFound(t if back else float(self.state[0]), place, density, arch, back)
        return self.found is not None

    def _moves(self, passed: float, positions: Floats, radii: Floats) -> bool:
        """Does it flow: did a grain pass (further than before), or, while none has, come forward; is it empty?"""
        if not len(positions):
            return True
        if passed > self.state[1]:
            self.state[1] = passed
            return True
        if self.state[1] > 0.0:
            return False
        along = self._sign * positions[:, self._axis]
        foremost = int(np.argmax(along))
        if along[foremost] > self.state[2] + radii[foremost]:
            self.state[2] = along[foremost]
            return True
        return False

    def _place(
        self, positions: Floats, radii: Floats, pair: Int32s, normal: Floats, dimension: int,
    ) -> tuple[Floats, int]:
        """Where it has jammed, and how many grains the arch has."""
        count = len(positions)
        cluster = clusters(pair, count)
        across = [k for k in range(dimension) if k != self._axis]
        arches = [percolating(cluster, *self._sides(pair, normal, count, k)) for k in across]
        arch = min((int(found[0]) for found in arches if len(found)), default=-1)
        if arch < 0:
            return self._densest(positions, radii, dimension), 0
        members = np.flatnonzero(cluster == arch)
        farthest = members[np.argmax(self._sign * positions[members, self._axis])]
        return positions[farthest, :dimension].copy(), len(members)

    def _densest(self, positions: Floats, radii: Floats, dimension: int) -> Floats:
        """Middle of the stretch along the flow that holds most."""
        along = positions[:, self._axis]
        order = np.argsort(along, kind="stable")
        held = np.concatenate([[0.0], np.cumsum(radii[order] ** dimension)])
        ends = np.searchsorted(along[order], along[order] + STRETCH * 2.0 * radii.mean(), side="right")
        first = int(np.argmax(held[ends] - held[:-1]))
        middle: Floats = positions[order[first : ends[first]], :dimension].mean(axis=0)
        return middle

    @staticmethod
    def _sides(pair: Int32s, normal: Floats, count: int, k: int) -> tuple[Flags, Flags]:
        """Grains that the boundary pushes along +k, and those that it pushes along -k."""
        low, high = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        wall = pair[:, 1] < 0
        low[pair[wall & (normal[:, k] > _ASIDE), 0]] = True
        high[pair[wall & (normal[:, k] < -_ASIDE), 0]] = True
        return low, high

    def _density(self, positions: Floats, radii: Floats, place: Floats, dimension: int) -> float:
        """Filling of the box upstream of the place; zero if nothing of the box is there."""
        x, r = positions[:, :dimension], radii[:, None]
        lower = np.min(x - r, axis=0) if self.box is None else np.array(self.box.lower)
        upper = np.max(x + r, axis=0) if self.box is None else np.array(self.box.upper)
        end = upper if self._sign > 0.0 else lower
        end[self._axis] = min(max(place[self._axis], lower[self._axis]), upper[self._axis])
        if not np.all(upper > lower):
            return 0.0
        upstream = BoxRegion(lower=tuple(lower.tolist()), upper=tuple(upper.tolist()))
        return packing_fraction(positions, radii, upstream, dimension)
