"""Largest values over a run, located between its frames: how much friction rolling needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.analytic.build import build
from granum.analytic.fundamental import Fundamental
from granum.analytic.row_equations import events
from granum.base.errors import GranumError, NotConvergedError, did_you_mean
from granum.base.kernels import Floats
from granum.integrate import dop853, driver
from granum.integrate.maximum import maximum
from granum.rows.rolling_on_surface import Touching
from granum.run.reactions import UNLIMITED
from granum.run.result import Run

_SAMPLES = 8
"""Looks between two frames; a maximum narrower than that could be missed."""
_CLOSE = 0.05
"""A sample this much (relative) below the largest one may be beside the true maximum."""


@dataclass(frozen=True)
class Maximum:
    """A largest value and its time [s]."""

    t: float
    value: float


def minimum_friction(run: Run, constraint: str) -> Maximum:
    """The smallest coefficient of friction for which a body rolls as it did, and when that much is needed.

    It is the maximum over time of friction force over normal force (Udwadia and Mogharabin 2022, §3.1.1), infinite
    where the normal force vanishes, as where a body lifts off. The motion between frames is recomputed.
    """
    built = build(run.scene)
    rolling = built.scene.rolling
    contacts = {contact.name: contact for contact in built.contacts if contact.name in rolling}
    if constraint not in contacts:
        raise GranumError(f'there is no rolling constraint "{constraint}". '
                          f'{did_you_mean(constraint, contacts, "rolling constraint")}')
    equations = Fundamental(built.system)
    most = _Search(run, equations, contacts[constraint]).located()
    return most if most.value < UNLIMITED else Maximum(most.t, np.inf)


class _Search:
    def __init__(self, run: Run, equations: Fundamental, contact: Touching) -> None:
        self.equations, self.t, self.coordinates, self.rates = equations, run.t, run.coordinates, run.rates
        system = equations.system
        # the program must live as long as its address is used
        self.program = equations.compile_events([contact.sliding / contact.pressing])
        self.relative = max(run.scene.run.tolerance, 3e-14)
        size = 2 * len(system.q) + len(system.working)
        self.accuracy = driver.Accuracy(self.relative, np.full(size, 1e-3 * self.relative))
        self.problem = driver.Problem(
            equations.rates.address, equations.block, events=events.address)
        self.plain, self.work = self.problem._replace(events=0), dop853.workspace(size, 1)

    def value(self, t: float, y: Floats) -> float:
        q, v, _ = self.equations.unpack(y, t)
        return float(self.equations.event_values(self.program, q, v, t)[0])

    def state(self, frame: int) -> Floats:
        arrays = self.coordinates[frame], self.rates[frame], np.zeros(len(self.equations.system.working))
        return np.concatenate(arrays)

    def samples(self) -> tuple[Floats, Floats, list[int]]:
        """Times and values in and between frames, and the frame before each."""
        times, values, frames = [float(self.t[0])], [self.value(float(self.t[0]), self.state(0))], [0]
        for k in range(len(self.t) - 1):
            t, y, h = float(self.t[k]), self.state(k), 0.0
            for until in np.linspace(t, float(self.t[k + 1]), _SAMPLES + 1)[1:].tolist():
                progress = driver.new_progress(t, h)
                self._check(dop853.advance(self.plain, self.accuracy, until, y, self.work, progress, 1_000_000))
                t, h = until, float(progress.next_step)
                times.append(t)
                values.append(self.value(t, y))
                frames.append(k)
        return np.array(times), np.array(values), frames

    def located(self) -> Maximum:
        """The largest of all maxima that are near the largest sample."""
        times, values, frames = self.samples()
        best = Maximum(float(times[values.argmax()]), float(values.max()))
        padded = np.concatenate([[-np.inf], values, [-np.inf]])
        peaks = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]) & (values > (1 - _CLOSE) * best.value))
        for peak in peaks.tolist():
            low, high = max(0, peak - 1), min(len(times) - 1, peak + 1)
            y, progress = self.state(frames[low]), driver.new_progress(float(self.t[frames[low]]))
            self._check(dop853.advance(
                self.plain, self.accuracy, float(times[low]), y, self.work, progress, 1_000_000))
            status, t, value = maximum(
                self.problem, self.accuracy, (float(times[low]), float(times[high])), y, self.work, progress)
            self._check(status)
            if value > best.value:
                best = Maximum(float(t), float(value))
        return best

    def _check(self, status: int) -> None:
        if status != driver.DONE:
            raise NotConvergedError(f"the motion between frames could not be recomputed (status {status}).")
