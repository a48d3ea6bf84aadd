"""Flow and jam probes: what passes sections, and verdicts on the flow through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.grains.aggregates.parts import Parts
from granum.grains.geometry.regions import geometry_of
from granum.grains.measuring.arch import Opening, axis_name
from granum.grains.measuring.jam import NUMBERS, Jam, Sample, as_row, from_row
from granum.grains.measuring.measure import COUNT, crossings
from granum.grains.search.neighbour_list import Contacts
from granum.grains.state import Grains
from granum.model.loads import Drag, Gravity
from granum.model.probes import FlowProbe, JamProbe
from granum.model.scene import Scene
from granum.state.table import VX, VZ, R, X, Z

HISTORY = 1 + NUMBERS
"""Numbers of a verdict in the history: the probe it is of, and the verdict itself."""
VERDICTS = 1000
"""Verdicts of a run that are kept, the latest ones."""


class Ended(NamedTuple):
    """Why a probe ends a run."""

    probe: str
    t: float
    """[s]"""
    backed_up: bool
    """Because grains are backed up to where they enter; else because the flow has jammed."""


class Sections(NamedTuple):
    """Sections of flow probes."""

    point: Floats
    """(sections, 3) [m]."""
    direction: Floats
    """(sections, 3): unit normals."""
    half_width: Floats


class FlowProbes:
    """Flow and jam probes of a scene; `passed`, `entered` and each watch's state are what a resumed run needs."""

    def __init__(self, scene: Scene) -> None:
        self.flows = {name: probe for name, probe in scene.probe.items() if isinstance(probe, FlowProbe)}
        self.jams = {name: probe for name, probe in scene.probe.items() if isinstance(probe, JamProbe)}
        self.names = list(self.flows)
        self.passed = np.zeros((len(self.flows), 2))
        """Grains and mass [kg] that have passed each section since the start."""
        self.entered = np.zeros(len(self.flows))
        """Grains that sources brought upstream of each section since the start."""
        self.ended: Ended | None = None
        self.watches = {name: make_watch(scene, name) for name in self.jams}
        openings = [opening(probe) for probe in self.flows.values()]
        self.sections = Sections(np.array([each.point for each in openings]).reshape(-1, 3),
                                 np.array([each.direction for each in openings]).reshape(-1, 3),
                                 np.array([probe.half_width or np.inf for probe in self.flows.values()]))
        self._number: Ints = np.zeros(0, np.int64)
        self._position: Floats = np.zeros((0, 3))

    def sample(
        self, grains: Grains, contacts: Callable[[], Contacts], distance: Callable[[Floats], Floats],
        surface: Callable[[Ints, Floats], Floats], settled: Flags | None,
    ) -> None:
        """Count what has passed since the last sample, and judge the flows.

        Args:
            distance: of points (n, 3) from the nearest boundary [m].
            surface: velocities of boundary elements at points (n, 3) [m/s].
            settled: grains that ought to have left the region where batches enter, or none: whether grains are backed
                up is only asked when a batch is about to enter (Sun 1996, Appendix E): a batch itself begins there.
        """
        self._count(grains)
        for name, probe in self.jams.items():
            watch, row = self.watches[name], self.names.index(probe.flow)
            if settled is None and grains.t < watch.next_sample:
                continue
            back = settled is not None and probe.backed_up is not None and bool(np.any(
                geometry_of(probe.backed_up).inside(grains.x[settled])))
            velocity, owner = ((grains.bodies.motion, grains.body) if isinstance(grains, Parts) else
                               (grains.v, np.arange(grains.count, dtype=np.int32)))
            evidence = watch.sample(Sample(
                grains.t, float(self.passed[row, COUNT]), float(self.entered[row]), grains.counted()[1],
                velocity[:, VX:VZ + 1], grains.x[:, X:Z + 1], grains.x[:, R], owner, contacts, distance, surface), back)
            if probe.stop and self.ended is None and (back or evidence.verdict == "jammed"):
                self.ended = Ended(name, grains.t, evidence.verdict != "jammed")

    def enter(self, positions: Floats) -> None:
        """Note grains that sources brought to these positions (n, 3)."""
        for row, probe in enumerate(self.flows.values()):
            self.entered[row] += np.count_nonzero(opening(probe).upstream(positions) > 0.0)

    def follow(self, grains: Grains) -> tuple[Ints, Floats, Floats]:
        """Rows, masses and last positions (n, 3) of what is counted, in the order of their numbers.

        What has entered since the last sample has no position yet, but not a number, which passes nothing.
        """
        number, _, mass = grains.counted()
        order = np.argsort(number, kind="stable")
        number = number[order]
        if not np.array_equal(number, self._number):
            position = np.full((len(number), 3), np.nan)
            position[np.isin(number, self._number, assume_unique=True)] = \
                self._position[np.isin(self._number, number, assume_unique=True)]
            self._number, self._position = number, position
        return order, mass[order], self._position

    def _count(self, grains: Grains) -> None:
        """Grains that were there at the last sample have moved from there."""
        if not self.flows:
            return
        order, mass, before = self.follow(grains)
        now = grains.counted()[1][order]
        for row, (point, direction, half_width) in enumerate(zip(*self.sections, strict=True)):
            crossings(before, now, mass, point, direction, half_width, self.passed[row])
        before[:] = now

    @property
    def next_sample(self) -> float:
        """When the next sample of a jam probe is due [s]; infinity for never."""
        return min((watch.next_sample for watch in self.watches.values()), default=np.inf)

    def checkpoint(self) -> Floats:
        """Numbers that a resumed run needs, besides the history of verdicts."""
        return np.concatenate([self.passed.ravel(), self.entered, *(watch.state for watch in self.watches.values())])

    def restore(self, checkpoint: Floats) -> None:
        """Go on with them."""
        for array in (self.passed, self.entered, *(watch.state for watch in self.watches.values())):
            array[:] = checkpoint[: array.size].reshape(array.shape)
            checkpoint = checkpoint[array.size :]

    def history(self) -> Floats:
        """(verdicts, HISTORY): the latest verdicts of all probes, in the order in which they began to hold."""
        verdicts = sorted(((one.begin, k, one) for k, watch in enumerate(self.watches.values())
                           for one in watch.history), key=lambda entry: entry[:2])
        return np.array([np.append(float(k), as_row(one)) for _, k, one in verdicts[-VERDICTS:]]).reshape(-1, HISTORY)

    def restore_history(self, rows: Floats, t: float) -> None:
        """Go on with such a history at a time [s]."""
        for k, watch in enumerate(self.watches.values()):
            verdicts = (from_row(row[1:], watch.probe, watch.opening) for row in rows if row[0] == k)
            watch.history = [verdict for verdict in verdicts if verdict.begin <= t]

    def settle(self, grains: Grains) -> None:
        """Note where the grains are, at a frame: a resumed run counts from there too."""
        self._count(grains)


def check_flows(scene: Scene, dimension: int) -> None:
    """Raise what is wrong with flow and jam probes."""
    flows = {name: probe for name, probe in scene.probe.items() if isinstance(probe, FlowProbe)}
    jams = {name: probe for name, probe in scene.probe.items() if isinstance(probe, JamProbe)}
    problems = [Problem(f"probe.{name}.flow", f'there is no flow probe "{probe.flow}".',
                        did_you_mean(probe.flow, flows, "flow probe"))
                for name, probe in jams.items() if probe.flow not in flows]
    problems += [Problem(f"probe.{name}.{key}", f"has {len(value)} components, but the scene is {dimension}-D.",
                         "Give all vectors of a scene the same number of components.")
                 for name, probe in flows.items() for key in ("position", "normal")
                 if len(value := getattr(probe, key)) != dimension]
    problems += [Problem(f"probe.{probe.flow}.normal", f"found {list(normal)}, but the jam probe {name} needs a "
                                                       "flow along a coordinate "
                                                       "axis.", "Rotate the scene, or use the nearest axis.")
                 for name, probe in jams.items() if probe.flow in flows
                 and np.count_nonzero(normal := flows[probe.flow].normal) != 1]
    if not problems:
        problems += [Problem(f"probe.{name}.driving_speed", "is missing, but neither gravity nor a drag load with "
                                                            "a velocity drives grains along the normal of "
                                                            f"probe.{probe.flow}, {axis_name(normal)}.",
                             "Give the speed of a free grain [m/s], or make the normal point downstream.")
                     for name, probe in jams.items() if probe.driving_speed is None
                     and not any(driving(scene, normal := flows[probe.flow].normal))]
    if problems:
        raise SceneError(problems)


def opening(probe: FlowProbe) -> Opening:
    """The section of a flow probe; its point is the middle of the opening that a jam probe watches."""
    point, normal, d = np.zeros(3), np.zeros(3), len(probe.position)
    point[:d], normal[:d] = probe.position, probe.normal
    return Opening(point, normal / np.linalg.norm(normal), d)


def driving(scene: Scene, normal: tuple[float, ...]) -> tuple[float, float]:
    """Speed of the fastest drag's flow [m/s] and gravity [m/s²] along a normal; 0 where they point the other way.

    A flow that a drag reads from a file is left out: it has no single speed.
    """
    def along(vector: tuple[float, ...]) -> float:
        # vectors of another dimension are reported elsewhere
        return sum(a * b for a, b in zip(vector, normal, strict=False)) / float(np.linalg.norm(normal))

    speed = max((along(load.velocity) for load in scene.load.values()
                 if isinstance(load, Drag) and load.velocity is not None), default=0.0)
    gravity = sum(along(load.acceleration) for load in scene.load.values() if isinstance(load, Gravity))
    return max(speed, 0.0), max(gravity, 0.0)


def make_watch(scene: Scene, name: str) -> Jam:
    """The watch of a jam probe."""
    probe = scene.probe[name]
    assert isinstance(probe, JamProbe)
    flow = scene.probe[probe.flow]
    assert isinstance(flow, FlowProbe)
    speed, gravity = driving(scene, flow.normal)
    if probe.driving_speed is not None:
        speed, gravity = probe.driving_speed, 0.0
    batch = max((source.count if source.positions is None else len(source.positions)
                 for source in scene.source.values()), default=0)
    return Jam(name, opening(flow), probe.window, probe.rest_fraction, speed, gravity, batch)

