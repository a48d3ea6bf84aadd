"""What a loop of steps calls by address besides contact: loads, and a look at probes, sources and sinks.

So nothing of a step passes through Python, and the loop is compiled once whatever loads a scene has. Python goes on
where grains enter or leave, where a jam is judged, where the neighbour list is outdated, and at frames.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.loads import acting
from granum.grains.loads.acting import LoadsInLoop
from granum.grains.probes import watching
from granum.grains.probes.watching import ProbesInLoop
from granum.grains.search.neighbour_list import NeighbourList

CHECK = 8
"""Steps between checks of sources, sinks and probes."""
REACHED, SINCE = 0, 1
"""Time up to which steps are added up [s], and how many were made since then."""


class Agents(NamedTuple):
    """Addresses of functions, 0 for none, and the numbers they take."""

    apply_loads: int
    account_loads: int
    look: int
    loads: Floats
    """Block of the loads."""
    watched: Floats
    """Block of what is looked at."""
    step: Floats
    """Numbers of a step, as `grains.loads.acting` names them."""
    times: Floats
    """When something is due, as `grains.probes.watching` names it."""
    left: Ints
    """(1,): steps until the next look."""
    clock: Floats
    """REACHED and SINCE, when the loop ends."""


class Surroundings:
    """Loads, flow probes and sinks of a scene, for a loop of steps; without them a loop is left alone."""

    def __init__(self, loads: LoadsInLoop | None = None, watch: ProbesInLoop | None = None) -> None:
        self.loads, self.watch = loads, watch
        self.left = np.zeros(1, np.int64)
        self._step = np.zeros(acting.NUMBERS) if loads is None else loads.step
        self._times = np.zeros(watching.TIMES) if watch is None else watch.times

    def agents(self, neighbour_list: NeighbourList, v: Floats, before: Floats) -> Agents:
        """For the grains and contacts of a neighbour list, with the velocities of the solver."""
        grains, loads, watch = neighbour_list.grains, self.loads, self.watch
        return Agents(
            0 if loads is None else acting.apply_loads.address, 0 if loads is None else acting.account_loads.address,
            0 if watch is None else watching.look.address,
            np.zeros(1) if loads is None else loads.block(grains, neighbour_list.remembered(), v, before),
            np.zeros(1) if watch is None else watch.block(grains), self._step, self._times, self.left, np.zeros(2))
