"""Probes of a running scene: what passes sections, and whether the flow has jammed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.grains.geometry.regions import problems_of_region
from granum.grains.measuring.jam import Jam, JamFound
from granum.grains.measuring.measure import crossings
from granum.grains.search.lists import Contacts
from granum.grains.state import Grains, R
from granum.model.probes import FlowProbe, JamProbe, RigidityProbe
from granum.model.scene import Scene

LOOKS = 200
"""Looks for a jam in the time that nothing must pass."""


class Probes:
    """Flow and jam probes of a scene; `passed` and each jam's state are what a resumed run needs."""

    def __init__(self, scene: Scene, dimension: int) -> None:
        self.dimension = dimension
        self.flows = {name: probe for name, probe in scene.probe.items() if isinstance(probe, FlowProbe)}
        self.jams = {name: probe for name, probe in scene.probe.items() if isinstance(probe, JamProbe)}
        self.names = list(self.flows)
        self.passed = np.zeros((len(self.flows), 2))
        """Grains and mass [kg] that have passed each section since the start."""
        self.jam: JamFound | None = None
        """The jam that ends the run, once there is one."""
        self._check([problem for name, probe in scene.probe.items() if isinstance(probe, RigidityProbe) and probe.region
                     for problem in problems_of_region(probe.region, dimension, f"probe.{name}.region")])
        self._watches = [Jam(probe.time, self.flows[probe.flow].normal, probe.backed_up) for probe in
                         self.jams.values()]
        self._number: Ints = np.zeros(0, np.int64)
        self._place: Floats = np.zeros((0, 3))
        self._next_look = 0.0

    def _check(self, problems: list[Problem]) -> None:
        problems += [Problem(f"probe.{name}.flow", f'there is no flow probe "{probe.flow}".',
                             did_you_mean(probe.flow, self.flows, "flow probe"))
                     for name, probe in self.jams.items() if probe.flow not in self.flows]
        problems += [Problem(f"probe.{name}.{key}", f"has {len(value)} components, but the scene is "
                             f"{self.dimension}-D.", "Give all vectors of a scene the same number of components.")
                     for name, probe in self.flows.items() for key in ("point", "normal")
                     if len(value := getattr(probe, key)) != self.dimension]
        problems += [Problem(f"probe.{probe.flow}.normal", f"found {list(normal)}, but a flow that is watched for jams "
                             f"({name}) runs along an axis.", "Turn the scene, or take the axis that is nearest.")
                     for name, probe in self.jams.items() if probe.flow in self.flows
                     and np.count_nonzero(normal := self.flows[probe.flow].normal) != 1]
        if problems:
            raise SceneError(problems)

    def look(self, grains: Grains, contacts: Callable[[], Contacts], settled: Flags | None) -> None:
        """Count what has passed since the last look, and look for jams.

        settled: grains that ought to have left the place where batches enter, or none: that is only looked at where
        a batch is about to enter (002 Appendix E), because a batch itself begins there.
        """
        self._count(grains)
        for watch, probe in zip(self._watches, self.jams.values(), strict=True):
            if settled is None and grains.t < self._next_look:
                continue
            self._next_look = grains.t + probe.time / LOOKS
            watch.backed_up = None if settled is None else probe.backed_up
            flow = self.names.index(probe.flow)
            touching = contacts()
            found = watch.observe(grains.t, self.passed[flow, 0], grains.x[:, :3], grains.x[:, R], touching.pair,
                                  touching.normal, self.dimension, settled)
            if found and probe.stop:
                self.jam = watch.found

    def _count(self, grains: Grains) -> None:
        """Grains that were there at the last look have moved from there."""
        if not self.flows:
            return
        number, place, mass = grains.counted()
        order = np.argsort(number, kind="stable")
        number, place, mass = number[order], place[order], mass[order]
        stayed = np.isin(number, self._number, assume_unique=True)
        before = self._place[np.isin(self._number, number, assume_unique=True)]
        for row, probe in enumerate(self.flows.values()):
            point, normal = np.zeros(3), np.zeros(3)
            point[: self.dimension], normal[: self.dimension] = probe.point, probe.normal
            crossings(before, place[stayed], mass[stayed], point, normal / np.linalg.norm(normal),
                      probe.half_width or np.inf, self.passed[row])
        self._number, self._place = number, place

    @property
    def found(self) -> dict[str, JamFound]:
        """Jams by the name of their probe."""
        return {name: watch.found for name, watch in zip(self.jams, self._watches, strict=True)
                if watch.found is not None}

    def memory(self) -> Floats:
        """Numbers that a resumed run needs."""
        return np.concatenate([self.passed.ravel(), [self._next_look], *(watch.state for watch in self._watches)])

    def recall(self, memory: Floats) -> None:
        """Take them up again."""
        self.passed[:] = memory[: self.passed.size].reshape(self.passed.shape)
        self._next_look = float(memory[self.passed.size])
        for k, watch in enumerate(self._watches):
            start = self.passed.size + 1 + 3 * k
            watch.state[:] = memory[start : start + 3]

    def settle(self, grains: Grains) -> None:
        """Note where the grains are, at a frame: a resumed run counts from there too."""
        self._count(grains)
