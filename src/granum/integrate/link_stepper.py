"""What all solvers of points and links share: state, corrections, singular positions, equal steps in batches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from granum.analytic.equations import LinkEquations
from granum.assembly.points import PointState
from granum.integrate.branches import Branches
from granum.integrate.corrections import correct, corrections_of
from granum.integrate.stepper import Stepper, StepStatistics, Watch
from granum.model.settings import RunSettings

_BATCH_SECONDS = 0.1
"""Batches of steps: long enough to be fast, short enough for progress and Ctrl-C."""


class LinkStepper(Stepper):
    """Advances the state of points and links."""

    def __init__(self, equations: LinkEquations, start: PointState, settings: RunSettings) -> None:
        self.equations, self.settings, self.state = equations, settings, start
        self.model, self.scratch = equations.rectangular
        self.corrections = corrections_of(equations.system, start, settings)
        self.branches = Branches(equations.system, start.x)
        self.statistics = StepStatistics()

    def correct(self) -> None:
        """Make the chosen corrections and count those that could not be made."""
        self.statistics.energy_uncorrected += not correct(
            self.model, self.scratch, self.corrections, self.state.arrays, False)

    def note_redundant(self, count: int) -> None:
        """Note how many links were redundant at once."""
        self.statistics.redundant = max(self.statistics.redundant, int(count))

    def step(self, until: float) -> StepStatistics:
        """One step of the solver's own size, not beyond a time."""
        t = self.state.t
        count = self._count(until - t)
        return self.advance(until if count == 1 else t + (until - t) / count, lambda t: None)

    def _count(self, span: float) -> int:
        """Equal steps not larger than the setting."""
        return max(1, math.ceil(span / self.settings.step * (1.0 - 1e-12)))

    def equal_steps(self, until: float, watch: Watch, run: Callable[[float, int], None]) -> tuple[float, int]:
        """Advance to `until` by equal steps not larger than the setting, calling run(h, count) for each batch.

        Returns the step and the number of steps. How steps are batched does not touch their arithmetic.
        """
        state = self.state
        span = until - state.t
        count = self._count(span)
        h = span / count
        start, done, batch = state.t, 0, 1
        while done < count:
            batch = min(batch, count - done)
            began = time.perf_counter()
            run(h, batch)
            took = time.perf_counter() - began
            done += batch
            state.t = until if done == count else start + done * h
            watch(state.t)
            if took < _BATCH_SECONDS:
                batch = min(4 * batch, max(batch, int(batch * _BATCH_SECONDS / max(took, 1e-9))))
            else:
                batch = max(1, batch // 2)
        return h, count
