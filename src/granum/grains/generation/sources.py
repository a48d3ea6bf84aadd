"""Sources and sinks: grains that enter in batches and leave during a run.

What a batch brings is drawn from a random stream of its own, named by source, batch and try; random intervals of a
source have a stream, too. A run that is resumed needs only the counters of `Sources.counts` and the list of waiting
grains to go on with the same bits.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Flags, Floats, Ints
from granum.base.rotations import three
from granum.grains.generation.clumps import random_orientations
from granum.grains.generation.finder import Finder
from granum.grains.generation.generate import Groups, scattered
from granum.grains.generation.kinds import draw_velocities, fastest_velocity, radius_range
from granum.grains.generation.placement import Distance, add_at_random, crowd, draw_radii, stream
from granum.grains.geometry.regions import geometry_of
from granum.grains.state import Grains
from granum.model.grains import Source
from granum.model.scene import Scene
from granum.state.table import R

BATCH, RETRY, ENTERED, SKIPPED = 0, 1, 2, 3
"""Counters of a source: batches begun, next try of waiting grains (in parts of `interval`), entered and left out."""
SOURCE, OF_BATCH, ITEM = 0, 1, 2
"""Columns of grains that wait: their source, the batch and the number in it."""
RETRIES = 20
"""Waiting grains are tried this many times between batches."""
TRIES = 100
"""Positions tried for each grain of a region at a time."""


class BatchTimes:
    """When the batches of a source are due, in equal or random intervals."""

    def __init__(self, seed: int, name: str, source: Source) -> None:
        self._source, self._rng = source, stream(seed, "interval", name)
        self._times = [source.start_time]

    def time(self, batch: int) -> float:
        """Time of a batch [s], counted from 0."""
        source = self._source
        if not source.scatter_interval:
            return source.start_time + float(batch) * source.interval
        while len(self._times) <= batch:
            change = source.scatter_interval * float(self._rng.uniform(-1.0, 1.0))
            self._times.append(self._times[-1] + source.interval + change)
        return self._times[batch]

    def count(self, until: float) -> int:
        """How many batches come up to a time [s]."""
        span = until - self._source.start_time
        if span < 0.0:
            return 0
        batch = 0
        if not self._source.scatter_interval:
            return int(span / self._source.interval * (1.0 + 1e-9)) + 1
        while self.time(batch) <= until + 1e-9 * span:
            batch += 1
        return batch


class Sources:
    """All sources of a scene."""

    def __init__(self, groups: Groups, seed: int) -> None:
        scene = groups.scene
        self.names = list(scene.source)
        self.sources = list(scene.source.values())
        self.kinds = list(groups.sources.values())
        self.seed, self.dimension = seed, groups.dimension
        self._times = [BatchTimes(self.seed, name, source) for name, source in scene.source.items()]
        self.first_group = len(scene.body) + len(scene.pattern)
        self.counts: Ints = np.zeros((len(self.names), 4), dtype=np.int64)
        """(sources, 4): BATCH, RETRY, ENTERED, SKIPPED; part of a checkpoint."""
        self.waiting: Ints = np.zeros((0, 3), dtype=np.int64)
        """(n, 3): SOURCE, OF_BATCH and ITEM of each grain that waits, oldest first; part of a checkpoint."""

    @property
    def next_time(self) -> float:
        """When something is to be done next [s]; infinity for never."""
        return min((min(self._next_batch(k), self._next_retry(k)) for k in range(len(self.sources))), default=np.inf)

    @property
    def next_batch(self) -> float:
        """When the next batch is due [s]; infinity for never."""
        return min((self._next_batch(k) for k in range(len(self.sources))), default=np.inf)

    def _next_batch(self, k: int) -> float:
        source, counts = self.sources[k], self.counts[k]
        time = self._times[k].time(int(counts[BATCH]))
        return np.inf if self._left(k) == 0 or (source.until is not None and time > source.until) else time

    def _next_retry(self, k: int) -> float:
        source = self.sources[k]
        time = source.start_time + float(self.counts[k, RETRY]) * source.interval / RETRIES
        over = source.until is not None and time > source.until
        return np.inf if over or not np.any(self.waiting[:, SOURCE] == k) else time

    def _left(self, k: int) -> int:
        """How many more a source may bring, besides those that wait."""
        most = self.sources[k].max_count
        return 2**62 if most is None else int(most - self.counts[k, ENTERED] - np.sum(self.waiting[:, SOURCE] == k))

    def _batch(self, k: int, batch: int) -> tuple[Floats, Floats]:
        """Radii and, of sources with centres, positions of a batch: always the same."""
        source, rng = self.sources[k], stream(self.seed, "source", self.names[k], batch)
        if source.positions is not None:
            centres, radii = scattered(source, rng)
            return centres, radii
        assert source.radius is not None
        radii = draw_radii(source.radius, source.count, rng)
        if source.scatter_radius:
            radii = radii + source.scatter_radius * rng.uniform(-1.0, 1.0, len(radii))
        return np.zeros((len(radii), 3)), radii

    def release(self, t: float, grains: Grains, number: int, distance: Distance | None = None) -> Grains | None:
        """Grains that enter now, numbered from `number`, or None.

        Args:
            t: time [s]; all batches up to it come.
            grains: all grains that are there.
            distance: signed distance of points to the nearest boundary now [m].
        """
        entered: Grains | None = None
        for k, source in enumerate(self.sources):
            # a step that ends within round-off before a batch brings it
            now = t + 1e-9 * source.interval
            while (batch_time := self._next_batch(k)) <= now or self._next_retry(k) <= now:
                there = grains.x if entered is None else np.concatenate([grains.x, entered.x])
                retry = int(np.floor((now - source.start_time) / source.interval * RETRIES)) + 1
                if batch_time <= now:
                    batch = int(self.counts[k, BATCH])
                    count = min(source.count if source.positions is None else len(source.positions), self._left(k))
                    self.counts[k, BATCH] += 1
                    todo = np.array([(k, batch, i) for i in range(count)], dtype=np.int64)
                else:
                    mine = self.waiting[self.waiting[:, SOURCE] == k]
                    todo = mine[:source.count if source.positions is None else len(source.positions)]
                    retry = max(retry, int(self.counts[k, RETRY]) + 1)
                self.counts[k, RETRY] = max(retry, int(self.counts[k, RETRY]))
                new = self._enter(k, todo, t, there, number, distance)
                number += new.count
                if new.count and entered is None:
                    entered = new
                elif entered is not None:
                    entered.append(new)
        return entered

    def _enter(self, k: int, todo: Ints, t: float, there: Floats, number: int, distance: Distance | None) -> Grains:
        """Place what finds room of the given grains; the rest waits or is left out."""
        source = self.sources[k]
        centres, radii = np.zeros((len(todo), 3)), np.zeros(len(todo))
        for batch in np.unique(todo[:, OF_BATCH]):
            rows = todo[:, OF_BATCH] == batch
            positions, sizes = self._batch(k, int(batch))
            centres[rows], radii[rows] = positions[todo[rows, ITEM]], sizes[todo[rows, ITEM]]
        reach, batch = self.kinds[k].template.reach * radii, int(todo[0, OF_BATCH])
        centres, placed = self._place(k, batch, centres, reach, there, distance)
        if source.overlap == "allow":
            self._refuse_coincident(k, t, np.concatenate([there[:, :3], centres]))
        if source.overlap == "wait":
            old = (self.waiting[:, None, :] == todo[None, :, :]).all(axis=2).any(axis=1)
            still = np.concatenate([self.waiting[~old], todo[~placed]])
            self.waiting = still[np.lexsort((still[:, ITEM], still[:, OF_BATCH], still[:, SOURCE]))]
        else:
            self.counts[k, SKIPPED] += int(np.sum(~placed))
        self.counts[k, ENTERED] += int(np.sum(placed))
        return self._made(k, t, centres[placed], radii[placed], todo[placed], number)

    def _refuse_coincident(self, k: int, t: float, centres: Floats) -> None:
        """Refuse grains that enter exactly where others are: their contact has no direction."""
        _, first, count = np.unique(centres, axis=0, return_index=True, return_counts=True)
        if len(first) < len(centres):
            x = ", ".join(f"{c:g}" for c in centres[first[np.argmax(count)], : self.dimension])
            raise SceneError([Problem(f"source.{self.names[k]}", f"at t = {t:g} s a grain would enter at ({x}) m, "
                                                                 "exactly where another is, so their contact has no "
                                                                 "direction.",
                                      'Move or scatter the positions, or use overlap = "wait" or "skip".')])

    def _made(self, k: int, t: float, centres: Floats, radii: Floats, todo: Ints, number: int) -> Grains:
        """Grains of a source at given positions; those of a shape get orientations from a stream of their own."""
        source, name = self.sources[k], self.names[k]

        def quaternions() -> Floats:
            streams = (stream(self.seed, "turned", name, *row[1:]) for row in todo.tolist())
            return np.array([random_orientations(1, self.dimension, rng)[0] for rng in streams]).reshape(-1, 4)

        velocity = np.zeros((len(todo), 3))
        for batch in np.unique(todo[:, OF_BATCH]).tolist():
            rows = todo[:, OF_BATCH] == batch
            size = source.count if source.positions is None else len(source.positions)
            drawn = draw_velocities(source, size, partial(stream, self.seed, "velocity of source", name, batch))
            velocity[rows] = drawn[todo[rows, ITEM]] if drawn.ndim == 2 else drawn
        return self.kinds[k].made(t, centres, radii, velocity, self.first_group + k, number, quaternions)

    def _place(self, k: int, batch: int, centres: Floats, radii: Floats, there: Floats,
               distance: Distance | None) -> tuple[Floats, Flags]:
        """Where grains come, and which of them find room."""
        source = self.sources[k]
        rng = stream(self.seed, "source", self.names[k], batch, int(self.counts[k, RETRY]))
        room = geometry_of(source.region) if source.region is not None else None
        if source.overlap == "allow":
            return (centres if room is None else room.draw(rng.random((len(radii), 3)), radii),
                    np.ones(len(radii), dtype=bool))
        lower, upper = room.bounds if room is not None else (centres.min(axis=0), centres.max(axis=0))
        reach = there[:, R:] + radii.max()
        near = np.all((there[:, :3] > lower - reach) & (there[:, :3] < upper + reach), axis=1)
        if room is not None:
            return add_at_random(room, radii, rng, others=there[near], distance=distance, most_tries=TRIES,
                                 stop=False)
        free = np.ones(len(radii), dtype=bool) if distance is None else distance(centres) >= radii * (1.0 - 1e-9)
        row_of = np.full(len(radii), -1, dtype=np.int64)
        crowd(there[near], radii, self.dimension).add(np.arange(len(radii)), radii, centres[:, None, :],
                                                      free[:, None], row_of)
        return centres, row_of >= 0

    def smallest(self) -> list[Grains]:
        """The smallest grain of each source, for what depends on it before any has come."""
        smallest = []
        for k, source in enumerate(self.sources):
            smallest.append(self._made(k, 0.0, np.zeros((1, 3)), np.array([radius_range(source)[0]]),
                                       np.zeros((1, 3), np.int64), 0))
        return smallest

    def entries(self) -> list[tuple[Floats, Floats]]:
        """Where grains of each source enter and how fast: centres with the smallest radius, and velocities."""
        entries = []
        for source in self.sources:
            radius = radius_range(source)[0]
            if source.region is not None:
                corners = np.array(list(product((0.0, 0.5, 1.0), repeat=3)))
                centres = geometry_of(source.region).draw(corners, np.full(len(corners), radius))
            else:
                centres = np.array([three(centre) for centre in source.positions or ()])
            entries.append((np.column_stack([centres, np.full(len(centres), radius)]),
                            np.tile(fastest_velocity(source), (len(centres), 1))))
        return entries

    def report(self) -> dict[str, dict[str, int]]:
        """How many grains of each source have entered, were left out, and wait."""
        return {name: {"entered": int(self.counts[k, ENTERED]), "skipped": int(self.counts[k, SKIPPED]),
                       "waiting": int(np.sum(self.waiting[:, SOURCE] == k))} for k, name in enumerate(self.names)}


class Sinks:
    """All regions where grains leave."""

    def __init__(self, scene: Scene, dimension: int) -> None:
        find = Finder(scene, dimension, ())
        for name, sink in scene.sink.items():
            find.region(f"sink.{name}", sink.region)
        find.raise_if_any()
        self.regions = [geometry_of(sink.region) for sink in scene.sink.values()]

    def leaving(self, x: Floats) -> Ints:
        """Rows of the grains with their centre in a sink."""
        gone = np.zeros(len(x), dtype=bool)
        for region in self.regions:
            gone |= region.inside(x)
        return np.flatnonzero(gone)
