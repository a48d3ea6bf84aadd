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
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.grains.geometry.filling import packing_fraction
from granum.grains.measuring.arch import Arch, Opening, find_arch, wall_forces
from granum.grains.search.neighbour_list import Contacts
from granum.grains.state import Int32s
from granum.model.regions import BoxRegion

VERDICTS = ("flowing", "overloaded", "drained", "closed", "jammed")
RESTING = 0.1
"""Part of the time that nothing must pass for which grains must be slow before they are at rest."""
CLEAR = 0.25
"""Mean radii between the axis of an opening and the nearest boundary below which that closes the opening."""
SAMPLES = 50
"""Samples in the time that nothing must pass."""


class Evidence(NamedTuple):
    """What a verdict rests on, at one time."""

    verdict: str
    """One of VERDICTS."""
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
    backed_up: float
    """When a grain was first found backed up to where grains enter [s]; not a number if none was."""
    arch: int
    """Grains of the arch; 0 if there is none."""
    position: Floats
    """(3,): where the arch is [m]; not a number if there is none."""
    density: float
    """Part of the area (volume) upstream of the arch that grains fill; not a number if there is none."""
    wall_forces: Floats
    """(2, 3): force of the boundary on the grains upstream on either side of the opening's axis [N], where all are at
    rest; else not a number."""


NUMBERS = 21
"""Numbers of an Evidence in a row."""


def as_row(found: Evidence) -> Floats:
    """An Evidence as numbers."""
    *plain, position, density, forces = found[1:]
    return np.array([VERDICTS.index(found.verdict), *plain, *position, density, *forces.ravel()], dtype=float)


def from_row(row: Floats) -> Evidence:
    """The Evidence that `as_row` made numbers of."""
    kind, begin, t, quiet, upstream, fastest, driving, inflow, discharge, backed, arch = row[:11].tolist()
    return Evidence(VERDICTS[int(kind)], begin, t, quiet, int(upstream), fastest, driving, inflow, discharge, backed,
                    int(arch), row[11:14], float(row[14]), row[15:21].reshape(2, 3))


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


class Jam:
    """Watches the flow through an opening and gives a verdict at every sample.

    Args:
        opening: the section that grains pass.
        time: how long nothing passes before the flow counts as stopped; rates are means over it [s].
        rest: part of the driving speed below which grains are at rest.
        driving_speed: of the flow that carries the grains [m/s]; or, below gravity, the speed √(g d) of a grain that
            falls through half its mean diameter d, from `gravity`.
        gravity: its component downstream [m/s²].
        batch: most grains that enter at once.
    """

    def __init__(self, opening: Opening, time: float, rest: float, driving_speed: float, gravity: float = 0.0,
                 batch: int = 0) -> None:
        self.opening, self.time, self.rest = opening, time, rest
        self.driving_speed, self.gravity, self.batch = driving_speed, gravity, batch
        self.history: list[Evidence] = []
        """Verdicts in the order in which they began to hold, each with its latest evidence."""
        self.state = np.array([-np.inf, 0.0, -np.inf, np.nan, np.inf, *[np.nan] * (3 * (SAMPLES + 2))])
        """Time of the last passage (or the start), most grains that have passed, next sample, when grains were first
        backed up, since when all are at rest; then times, passed and entered of the last samples. Kept for a resumed
        run."""

    @property
    def _window(self) -> Floats:
        """(samples, 3): time, passed and entered, the oldest first; not a number where there was none yet."""
        return self.state[5:].reshape(-1, 3)

    def due(self, t: float) -> bool:
        """Is it time for a sample?"""
        return t >= float(self.state[2])

    def sample(self, seen: Sample, backed_up: bool = False) -> Evidence:
        """Judge the flow by what is seen; returns the verdict with its evidence.

        backed_up: does a grain stand where, when the next batch enters, none should be (002 §6.5.2)?
        """
        self.state[2] = seen.t + self.time / SAMPLES
        if self.state[0] == -np.inf or seen.passed > self.state[1]:
            self.state[0] = seen.t
        self.state[1] = max(self.state[1], seen.passed)
        if backed_up and np.isnan(self.state[3]):
            self.state[3] = seen.t
        window = self._window
        if not seen.t < window[-1, 0] + 0.5 * self.time / SAMPLES:
            window[:-1] = window[1:]
            window[-1] = seen.t, seen.passed, seen.entered
        found = self._judge(seen, backed_up)
        if self.history and self.history[-1].verdict == found.verdict:
            self.history[-1] = found._replace(begin=self.history[-1].begin)
        else:
            self.history.append(found)
        return self.history[-1]

    def _judge(self, seen: Sample, backed_up: bool) -> Evidence:
        """The verdict at this time."""
        upstream = self.opening.upstream(seen.bodies) > 0.0
        fastest = float(seen.speeds[upstream].max(initial=0.0))
        diameter = 2.0 * float(seen.radii.mean()) if len(seen.radii) else 0.0
        driving = max(self.driving_speed, math.sqrt(self.gravity * diameter))
        self.state[4] = min(self.state[4], seen.t) if fastest <= self.rest * driving else np.inf
        quiet, rest = seen.t - float(self.state[0]), seen.t - float(self.state[4])
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
        return Evidence(verdict, seen.t, seen.t, quiet, int(np.count_nonzero(upstream)), fastest, driving, inflow,
                        discharge, float(self.state[3]), 0 if arch is None else len(arch.bodies),
                        np.full(3, np.nan) if arch is None else arch.position, density, forces)

    def _rates(self, seen: Sample) -> tuple[float, float, bool]:
        """Inflow and discharge over the last `window` [1/s], and whether the grains upstream become more.

        As long as none had passed when this time began, the first ones are still on their way: nothing is said then.
        """
        window = self._window
        whole = np.flatnonzero(window[:, 0] <= seen.t - self.time * (1.0 - 1e-9))
        first = int(whole[-1]) if len(whole) else int(np.argmax(np.isfinite(window[:, 0])))
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
