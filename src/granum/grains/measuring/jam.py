"""Verdicts on a flow through an opening: flowing, overloaded, waiting, drained, closed or jammed, with their evidence.

| verdict | what holds |
|---|---|
| jammed | nothing has passed for `window`, an arch bridges the opening, and the grains that press on it rest |
| closed | the same, but a boundary closes the opening |
| drained | nothing has passed for `window`, nothing bridges the opening, and no grain is left upstream, or all rest |
| overloaded | inflow exceeds discharge: within `window` the number of grains upstream grew by more than one batch of
  the sources and by more than chance explains, or grains are backed up to where they enter; and for one more `window`
  after that was last so |
| waiting | nothing has passed for `window`, but grains upstream move: they are on their way, or not yet at rest |
| flowing | a grain has passed within `window`, or the run has not lasted so long |

The grains that press on an arch are those that contacts connect with it, so that a flow in the next bin does not
matter. Their speeds are relative to the boundary that they touch. They are at rest if the fastest has been slower than
a stated part of the driving speed for a tenth of `window`: it may stand still for an instant. A flow that has stopped
moves again when a grain passes, or when grains have moved for as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from granum.base.kernels import Flags, Floats, Ints
from granum.base.rotations import three
from granum.grains.measuring.arch import Arch, Opening, axis_name, find_arch, wall_forces
from granum.grains.state import Int32s
from granum.model.regions import BoxRegion

if TYPE_CHECKING:  # every run that is opened loads this module, and no kernels of grains with it
    from granum.grains.search.neighbour_list import Contacts

VERDICTS = ("flowing", "overloaded", "drained", "closed", "jammed", "waiting")
STOPPED = ("drained", "closed", "jammed")
RESTING = 0.1
"""Part of the time that nothing must pass for which grains must be slow before they are at rest, and fast before they
move again."""
LOOKED = 0.5
"""Part of the same time without passage after which an arch is looked for although grains upstream move."""
CLEAR = 0.25
"""Mean radii between the axis of an opening and the nearest boundary below which that closes the opening."""
SAMPLES = 50
"""Samples in the time that nothing must pass."""


class Verdict(NamedTuple):
    """A verdict of a jam probe, with its evidence as it was when the verdict last held.

    What is not known is None, and vectors have the dimension of the scene.
    """

    probe: str
    verdict: str
    """One of VERDICTS."""
    direction: str
    """Of the flow, such as +x."""
    begin: float
    """Since when the verdict holds [s]."""
    t: float
    """When the evidence was taken: the last sample at which the verdict held [s]."""
    without_passage: float
    """Time since the last grain passed, or since the start if none has [s]."""
    upstream: int
    """Grains (bodies) upstream of the section."""
    fastest: float
    """Speed of the fastest of them; where others move, of those that press on an arch, relative to the boundary
    [m/s]."""
    driving_speed: float
    """Speed at which the load drives a free grain [m/s]."""
    inflow: float
    """Grains that entered upstream per second, over the last `window` [1/s]."""
    discharge: float
    """Grains that passed per second, over the same time [1/s]."""
    backed_up: float | None
    """When a grain was first seen backed up to where grains enter [s]."""
    arch: int
    """Grains of the arch; 0 if there is none."""
    position: tuple[float, ...] | None
    """Mean position of the arch [m]."""
    density: float | None
    """Part of the area (volume) upstream of the arch that grains fill."""
    wall_forces: tuple[tuple[float, ...], ...] | None
    """Force of the boundary on the grains upstream, on either side of the opening's axis, where all grains rest [N]."""


BEGIN, ARCH, POSITION, DENSITY, FORCES, NUMBERS = 1, 10, 11, 14, 15, 21
"""Columns of a verdict as numbers: the row of VERDICTS, `begin` to `arch`, then what may be unknown (not a number)."""


def as_row(verdict: Verdict) -> Floats:
    """A verdict as numbers; the probe and its direction are known from the scene."""
    row = np.full(NUMBERS, np.nan)
    row[0] = VERDICTS.index(verdict.verdict)
    row[BEGIN:POSITION] = [np.nan if value is None else value for value in verdict[3:13]]
    row[DENSITY] = np.nan if verdict.density is None else verdict.density
    if verdict.position is not None:
        row[POSITION:DENSITY] = three(verdict.position)
    if verdict.wall_forces is not None:
        row[FORCES:] = np.concatenate([three(force) for force in verdict.wall_forces])
    return row


def from_row(row: Floats, probe: str, opening: Opening) -> Verdict:
    """The verdict of a probe that `as_row` made numbers of."""
    begin, t, quiet, upstream, fastest, driving, inflow, discharge, backed, arch = row[BEGIN:POSITION].tolist()
    return Verdict(probe, VERDICTS[int(row[0])], axis_name(opening.direction), begin, t, quiet, int(upstream), fastest,
                   driving, inflow, discharge, _known(backed), int(arch),
                   _vector(row[POSITION:DENSITY], opening.dimension), _known(float(row[DENSITY])),
                   _forces(row[FORCES:].reshape(2, 3), opening.dimension))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _vector(vector: Floats, dimension: int) -> tuple[float, ...] | None:
    return None if np.any(np.isnan(vector)) else tuple(vector[:dimension].tolist())


def _forces(forces: Floats, dimension: int) -> tuple[tuple[float, ...], ...] | None:
    low, high = (_vector(force, dimension) for force in forces)
    return None if low is None or high is None else (low, high)


class Sample(NamedTuple):
    """What a watch sees at one time."""

    t: float
    passed: float
    """Grains that have passed since the start, those that came back taken off."""
    entered: float
    """Grains that sources brought upstream of the section since the start."""
    bodies: Floats
    """(B, 3): mass centres of what is counted [m]."""
    velocities: Floats
    """(B, 3) [m/s]"""
    positions: Floats
    """(N, 3) of the grains [m]."""
    radii: Floats
    """(N,) [m]"""
    owner: Int32s
    """(N,): row of the body that each grain is, or is part of."""
    contacts: Callable[[], Contacts]
    distance: Callable[[Floats], Floats]
    """Distance of points (n, 3) from the nearest boundary [m]."""
    surface: Callable[[Ints, Floats], Floats]
    """Velocities (n, 3) of boundary elements at points (n, 3) [m/s]."""


class Seen(NamedTuple):
    """What a sample says about rest: which grains matter, and what holds them."""

    fastest: float
    """[m/s]"""
    contacts: Contacts | None = None
    """None where they were not looked at."""
    arch: Arch | None = None


LAST_PASSAGE, PASSED, NEXT_SAMPLE, BACKED_UP, AT_REST, LAST_REST, OVERFED, WINDOW = range(8)
"""Columns of what a watch keeps: time of the last passage (or the start), most grains that have passed, next sample,
when grains were first backed up, since when they are at rest, when they last were, when inflow last exceeded discharge;
then times, passed and entered of the last samples."""


class Jam:
    """Watches the flow through an opening and gives a verdict at every sample.

    Args:
        probe: its name.
        opening: the section that grains pass.
        time: how long nothing passes before the flow counts as stopped; rates are means over it [s].
        rest: part of the driving speed below which grains are at rest.
        driving_speed: of the flow that carries the grains [m/s]; or, below gravity, the speed √(g d) of a grain that
            falls through half its mean diameter d, from `gravity`.
        gravity: its component downstream [m/s²].
        batch: most grains that enter at once.
    """

    def __init__(self, probe: str, opening: Opening, time: float, rest: float, driving_speed: float,
                 gravity: float = 0.0, batch: int = 0) -> None:
        self.probe, self.opening, self.time, self.rest = probe, opening, time, rest
        self.driving_speed, self.gravity, self.batch = driving_speed, gravity, batch
        self.history: list[Verdict] = []
        """Verdicts in the order in which they began to hold, each with its latest evidence."""
        self.state = np.array([-np.inf, 0.0, -np.inf, np.nan, np.inf, -np.inf, -np.inf,
                               *[np.nan] * (3 * (SAMPLES + 2))])
        """By the columns above; part of a checkpoint."""

    @property
    def _window(self) -> Floats:
        """(samples, 3): time, passed and entered, the oldest first; not a number where there was none yet."""
        return self.state[WINDOW:].reshape(-1, 3)

    @property
    def next_sample(self) -> float:
        """When the next sample is due [s]."""
        return float(self.state[NEXT_SAMPLE])

    def sample(self, seen: Sample, backed_up: bool = False) -> Verdict:
        """Judge the flow by what is seen; returns the verdict with its evidence.

        backed_up: does a grain stand where, when the next batch enters, none should be (Sun 1996, §6.5.2)?
        """
        self.state[NEXT_SAMPLE] = seen.t + self.time / SAMPLES
        if self.state[LAST_PASSAGE] == -np.inf or seen.passed > self.state[PASSED]:
            self.state[LAST_PASSAGE] = seen.t
        self.state[PASSED] = max(self.state[PASSED], seen.passed)
        if backed_up and np.isnan(self.state[BACKED_UP]):
            self.state[BACKED_UP] = seen.t
        window, times = self._window, self._window.T[0]
        if not seen.t < times[-1] + 0.5 * self.time / SAMPLES:
            window[:-1] = window[1:]
            window[-1] = seen.t, seen.passed, seen.entered
        now = self._judge(seen, backed_up)
        if self.history and self.history[-1].verdict == now.verdict:
            self.history[-1] = now._replace(begin=self.history[-1].begin)
        else:
            self.history.append(now)
        return self.history[-1]

    def _judge(self, seen: Sample, backed_up: bool) -> Verdict:
        """The verdict at this time."""
        upstream = self.opening.upstream(seen.bodies) > 0.0
        diameter = 2.0 * float(seen.radii.mean()) if len(seen.radii) else 0.0
        driving = max(self.driving_speed, math.sqrt(self.gravity * diameter))
        quiet = seen.t - float(self.state[LAST_PASSAGE])
        stopped = quiet >= self.time * (1.0 - 1e-9)
        found = self._look(seen, upstream, self.rest * driving, quiet)
        slow = found.fastest <= self.rest * driving
        if stopped and not slow and self._shortly(seen.t):
            return self.history[-1]
        rest = self._resting(seen.t, slow)
        inflow, discharge, growing = self._rates(seen)
        if growing or backed_up:
            self.state[OVERFED] = seen.t
        arch, density, forces = None, np.nan, np.full((2, 3), np.nan)
        if stopped and rest >= RESTING * self.time:
            contacts = seen.contacts() if found.contacts is None else found.contacts
            arch = self._arch(seen, contacts) if found.contacts is None else found.arch
            axis = self.opening.across[0] if arch is None else arch.axis
            forces = wall_forces(self.opening, axis, seen.positions, seen.radii, contacts)
            verdict = "drained" if arch is None else "closed" if self._closed(seen, arch) else "jammed"
            arch = arch if verdict == "jammed" else None
            density = np.nan if arch is None else self._density(seen, arch)
        elif seen.t - self.state[OVERFED] < self.time * (1.0 - 1e-9):
            verdict = "overloaded"
        else:
            verdict = "waiting" if stopped else "flowing"
        dimension = self.opening.dimension
        return Verdict(self.probe, verdict, axis_name(self.opening.direction), seen.t, seen.t, quiet,
                       int(np.count_nonzero(upstream)), found.fastest, driving, inflow, discharge,
                       _known(float(self.state[BACKED_UP])), 0 if arch is None else len(arch.bodies),
                       None if arch is None else _vector(arch.position, dimension), _known(density),
                       _forces(forces, dimension))

    def _look(self, seen: Sample, upstream: Flags, slow: float, quiet: float) -> Seen:
        """How fast the grains are that matter: all upstream, or those that press on an arch where these move.

        Contacts are asked for only where the flow may have stopped.
        """
        fastest = float(np.linalg.norm(seen.velocities[upstream], axis=1).max(initial=0.0))
        if fastest <= slow or quiet < LOOKED * self.time * (1.0 - 1e-9):
            return Seen(fastest)
        contacts = seen.contacts()
        arch = self._arch(seen, contacts)
        relative, group = self._relative(seen, contacts)
        chosen = upstream if arch is None else upstream & (group == group[arch.bodies[0]])
        return Seen(float(np.linalg.norm(relative[chosen], axis=1).max(initial=0.0)), contacts, arch)

    def _arch(self, seen: Sample, contacts: Contacts) -> Arch | None:
        return find_arch(self.opening, seen.positions, seen.radii, contacts, seen.owner)

    def _relative(self, seen: Sample, contacts: Contacts) -> tuple[Floats, Ints]:
        """(B, 3): velocities relative to the boundary, and (B,): the numbers of groups that contacts connect.

        The boundary of a group moves with the mean velocity of its surfaces where grains of the group touch them.
        """
        i, j = contacts.pair.T.astype(np.int64)
        wall, count = j < 0, len(seen.bodies)
        link = np.ones(int(np.count_nonzero(~wall)), np.int8)
        graph = scipy.sparse.coo_array((link, (seen.owner[i[~wall]], seen.owner[j[~wall]])), shape=(count, count))
        groups, group = scipy.sparse.csgraph.connected_components(graph, directed=False)
        feet = seen.positions[i[wall]] - seen.radii[i[wall], None] * contacts.normal[wall]
        touching = group[seen.owner[i[wall]]]
        carried = np.zeros((groups, 3))
        np.add.at(carried, touching, seen.surface(-1 - j[wall], feet))
        carried /= np.maximum(np.bincount(touching, minlength=groups), 1)[:, None]
        return seen.velocities - carried[group], group.astype(np.int64)

    def _shortly(self, t: float) -> bool:
        """Was the flow at rest less than a tenth of `window` ago, stopped?"""
        return bool(self.history) and self.history[-1].verdict in STOPPED \
            and t - float(self.state[LAST_REST]) < RESTING * self.time

    def _resting(self, t: float, slow: bool) -> float:
        """For how long grains have been at rest [s]."""
        if slow:
            self.state[LAST_REST] = t
        self.state[AT_REST] = min(self.state[AT_REST], t) if slow else np.inf
        return t - float(self.state[AT_REST])

    def _rates(self, seen: Sample) -> tuple[float, float, bool]:
        """Inflow and discharge over the last `window` [1/s], and whether the grains upstream become more.

        As long as none had passed when this time began, the first ones are still on their way: nothing is said then. N
        independent passages scatter by √N, so that growth by less than 2 √N says nothing.
        """
        window, times = self._window, self._window.T[0]
        whole = np.flatnonzero(times <= seen.t - self.time * (1.0 - 1e-9))
        first = int(whole[-1]) if len(whole) else int(np.argmax(np.isfinite(times)))
        t, passed, entered = window[first]
        if not seen.t > t:
            return 0.0, 0.0, False
        inflow, discharge = seen.entered - entered, seen.passed - passed
        chance = 2.0 * math.sqrt(max(discharge, 0.0))
        growing = bool(len(whole)) and passed > 0.0 and inflow - discharge > max(self.batch, chance)
        return inflow / (seen.t - t), discharge / (seen.t - t), growing

    def _closed(self, seen: Sample, arch: Arch) -> bool:
        """Is there a boundary on the axis between the arch and the section, such as a gate that the grains lie on?"""
        length, near = float(self.opening.upstream(arch.position[None])[0]), CLEAR * float(seen.radii.mean())
        along = np.linspace(0.0, length, 2 + int(length / near))
        points = self.opening.point - along[:, None] * self.opening.direction
        return bool(np.any(seen.distance(points) < near))

    def _density(self, seen: Sample, arch: Arch) -> float:
        """Part of the upright box around the grains upstream of the arch that they fill."""
        from granum.grains.geometry.filling import packing_fraction

        d, along = self.opening.dimension, int(np.argmax(np.abs(self.opening.direction)))
        chosen = self.opening.upstream(seen.positions) >= self.opening.upstream(arch.position[None])[0]
        x, r = seen.positions[chosen, :d], seen.radii[chosen, None]
        lower, upper = np.min(x - r, axis=0), np.max(x + r, axis=0)
        end = upper if self.opening.direction[along] > 0.0 else lower
        end[along] = arch.position[along]
        if not np.all(upper > lower):
            return math.nan
        box = BoxRegion(lower=tuple(lower.tolist()), upper=tuple(upper.tolist()))
        return packing_fraction(seen.positions, seen.radii, box, d)
