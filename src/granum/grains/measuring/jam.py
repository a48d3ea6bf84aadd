"""Verdicts on a flow through an opening: flowing, overloaded, drained, closed or jammed, each with its evidence.

| verdict | what holds |
|---|---|
| jammed | nothing has passed for `window`, the grains upstream are at rest, and an arch bridges the opening |
| drained | nothing has passed for `window`, and no grain is left upstream, or those left are at rest, unbridged |
| closed | nothing has passed for `window`, the grains upstream are at rest, and a boundary closes the opening |
| overloaded | inflow exceeds discharge: within `window` the number of grains upstream grew by more than one batch of
  the sources, or grains are backed up to where they enter |
| flowing | anything else |

Grains are at rest if the fastest one upstream has been slower than a stated part of the driving speed for a tenth of
`window`: it may stand still for an instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.grains.measuring.arch import Arch, Opening, axis_name, find_arch, wall_forces
from granum.grains.state import Int32s
from granum.model.regions import BoxRegion

if TYPE_CHECKING:  # every run that is opened loads this module, and no kernels of grains with it
    from granum.grains.search.neighbour_list import Contacts

VERDICTS = ("flowing", "overloaded", "drained", "closed", "jammed")
RESTING = 0.1
"""Part of the time that nothing must pass for which grains must be slow before they are at rest."""
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
    """Speed of the fastest of them [m/s]."""
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
    speeds: Floats
    """(B,) [m/s]"""
    positions: Floats
    """(N, 3) of the grains [m]."""
    radii: Floats
    """(N,) [m]"""
    owner: Int32s
    """(N,): row of the body that each grain is, or is part of."""
    contacts: Callable[[], Contacts]
    distance: Callable[[Floats], Floats]
    """Distance of points (n, 3) from the nearest boundary [m]."""


LAST_PASSAGE, PASSED, NEXT_SAMPLE, BACKED_UP, AT_REST, WINDOW = range(6)
"""Columns of what a watch keeps: time of the last passage (or the start), most grains that have passed, next sample,
when grains were first backed up, since when all are at rest; then times, passed and entered of the last samples."""


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
        self.state = np.array([-np.inf, 0.0, -np.inf, np.nan, np.inf, *[np.nan] * (3 * (SAMPLES + 2))])
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
        fastest = float(seen.speeds[upstream].max(initial=0.0))
        diameter = 2.0 * float(seen.radii.mean()) if len(seen.radii) else 0.0
        driving = max(self.driving_speed, math.sqrt(self.gravity * diameter))
        self.state[AT_REST] = min(self.state[AT_REST], seen.t) if fastest <= self.rest * driving else np.inf
        quiet, rest = seen.t - float(self.state[LAST_PASSAGE]), seen.t - float(self.state[AT_REST])
        inflow, discharge, growing = self._rates(seen)
        arch, density, forces = None, np.nan, np.full((2, 3), np.nan)
        if quiet >= self.time * (1.0 - 1e-9) and rest >= RESTING * self.time:
            contacts = seen.contacts()
            arch = find_arch(self.opening, seen.positions, seen.radii, contacts, seen.owner)
            axis = self.opening.across[0] if arch is None else arch.axis
            forces = wall_forces(self.opening, axis, seen.positions, seen.radii, contacts)
            verdict = "drained" if arch is None else "closed" if self._closed(seen, arch) else "jammed"
            arch = arch if verdict == "jammed" else None
            density = np.nan if arch is None else self._density(seen, arch)
        else:
            verdict = "overloaded" if growing or backed_up else "flowing"
        dimension = self.opening.dimension
        return Verdict(self.probe, verdict, axis_name(self.opening.direction), seen.t, seen.t, quiet,
                       int(np.count_nonzero(upstream)), fastest, driving, inflow, discharge,
                       _known(float(self.state[BACKED_UP])), 0 if arch is None else len(arch.bodies),
                       None if arch is None else _vector(arch.position, dimension), _known(density),
                       _forces(forces, dimension))

    def _rates(self, seen: Sample) -> tuple[float, float, bool]:
        """Inflow and discharge over the last `window` [1/s], and whether the grains upstream become more.

        As long as none had passed when this time began, the first ones are still on their way: nothing is said then.
        """
        window, times = self._window, self._window.T[0]
        whole = np.flatnonzero(times <= seen.t - self.time * (1.0 - 1e-9))
        first = int(whole[-1]) if len(whole) else int(np.argmax(np.isfinite(times)))
        t, passed, entered = window[first]
        if not seen.t > t:
            return 0.0, 0.0, False
        inflow, discharge = seen.entered - entered, seen.passed - passed
        growing = bool(len(whole)) and passed > 0.0 and inflow - discharge > self.batch
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
