"""A look at the grains inside the loop of steps: count what passes sections, and see whether Python is needed.

The loop calls `look` by its address. It counts passages as `FlowProbes` does between its samples. It stops the loop
where a batch of a source or the sample of a jam probe is due, or where a grain may be in a sink: boxes around the sinks
are looked at here, and `Sinks.leaving` decides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.arrays import copy_rows
from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, block_reader, carray, pack_block, right_hand_side
from granum.grains.generation.sources import Sinks
from granum.grains.measuring.measure import crossings
from granum.grains.probes.flows import FlowProbes
from granum.grains.state import Grains
from granum.state.table import X, Y, Z

SLACK = 1e-9
"""Part of its coordinates by which a box is larger than its sink: rounding must not hide a grain from it."""
BATCH_DUE, SAMPLE_DUE, HALF_STEP, TIMES = range(4)
"""Times of a look [s]: when the next batch and the next sample are due, and half a step, by which a batch may be
early."""


class Watched(NamedTuple):
    """What a look reads and counts."""

    x: FloatGrid
    order: Ints
    """Rows of the grains in the order of their numbers; all below are in that order."""
    mass: Floats
    before: FloatGrid
    """(grains, 3): positions at the last look [m]."""
    now: FloatGrid
    point: FloatGrid
    """(sections, 3) [m]."""
    direction: FloatGrid
    half_width: Floats
    passed: FloatGrid
    lower: FloatGrid
    """(sinks, 3): corners of the boxes [m]."""
    upper: FloatGrid


_read = block_reader(Watched)


class ProbesInLoop:
    """Flow probes and sinks of a scene as a loop of steps takes them."""

    def __init__(self, probes: FlowProbes, sinks: Sinks) -> None:
        self.probes = probes
        corners = np.array([region.bounds for region in sinks.regions]).reshape(-1, 2, 3)
        slack = SLACK * np.abs(np.where(np.isfinite(corners), corners, 0.0)).sum(axis=(1, 2))[:, None]
        self._lower = np.ascontiguousarray(corners[:, 0] - slack)
        self._upper = np.ascontiguousarray(corners[:, 1] + slack)
        self.times = np.zeros(TIMES)

    def block(self, grains: Grains) -> Floats:
        """The block for these grains, whose arrays live as long as it is used."""
        order, mass, before = self.probes.follow(grains)
        sections = self.probes.sections
        self._watched = Watched(grains.x, order, mass, before, np.zeros_like(before), sections.point,
                                sections.direction, sections.half_width, self.probes.passed, self._lower, self._upper)
        return pack_block(self._watched)


@right_hand_side
def look(t: float, watched_: Any, times_: Any, _: Any) -> int:
    """Count what has passed since the last look; returns 1 where Python is needed."""
    watched, times = _read(watched_), carray(times_, TIMES)
    x, order, before, now = watched.x, watched.order, watched.before, watched.now
    if len(watched.half_width) > 0:
        for k in range(len(order)):
            i = order[k]
            now[k, X], now[k, Y], now[k, Z] = x[i, X], x[i, Y], x[i, Z]
        for s in range(len(watched.half_width)):
            crossings(before, now, watched.mass, watched.point[s], watched.direction[s], watched.half_width[s],
                      watched.passed[s])
        copy_rows(now, before)
    if times[BATCH_DUE] <= t + times[HALF_STEP] or times[SAMPLE_DUE] <= t:
        return 1
    for s in range(len(watched.lower)):
        lower, upper = watched.lower[s], watched.upper[s]
        for i in range(len(x)):
            if (lower[X] <= x[i, X] <= upper[X] and lower[Y] <= x[i, Y] <= upper[Y]
                    and lower[Z] <= x[i, Z] <= upper[Z]):
                return 1
    return 0
