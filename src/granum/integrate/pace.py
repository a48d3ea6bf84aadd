"""Bounded work: a motion that makes no progress is ended, and what holds it up is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

BATCH = 2000
"""Steps between looks at the clock, at Ctrl-C and at the progress made."""
HOPELESS, ENDLESS = 1e-6, 5
"""Part of the run that a batch of steps must make, and how many batches in a row may make less: at that pace the run
would take over 2e9 steps. A moment where steps must be short (a cusp, an impact on a stiff stop) takes far fewer."""
_NEAR = 1e-2
"""Time to a pole, as a part of the run, below which the motion of a drive is what makes steps short."""
_DIFFERENCE = 1e-3
"""Step of the differences of an acceleration, as a part of the time in which it changes."""


class Pace:
    """Watches the progress of one motion.

    Args:
        t: where it begins [s].
        end: of the run [s].
    """

    def __init__(self, t: float, end: float) -> None:
        self._end, self._t, self._steps, self._slow = end, t, 0, 0

    def stalls(self, t: float, steps: int) -> bool:
        """Has the motion stopped making progress, some steps after it was last asked, at the time t?"""
        self._steps += steps
        if self._steps >= BATCH:
            expected = HOPELESS * self._end * self._steps / BATCH
            self._slow = self._slow + 1 if t - self._t < expected else 0
            self._t, self._steps = t, 0
        return self._slow >= ENDLESS


class Driven(NamedTuple):
    """Rate and acceleration of what a drive, or another constraint that moves with time, prescribes."""

    name: str
    rate: float
    acceleration: float


def pole(t: float, end: float, prescribed: Callable[[float], Sequence[Driven]]) -> str | None:
    """Which prescribed motion grows without bound just after t, and when; None where none does.

    Near a pole x ~ (t* - t)^-p the ratios x'/x'' = (t* - t)/(p + 1) and x''/x''' = (t* - t)/(p + 2) are positive, and
    1/(t* - t) is the difference of their inverses. For exponential growth it is zero; for oscillations signs differ.
    """
    for k, now in enumerate(prescribed(t)):
        if not np.isfinite([now.rate, now.acceleration]).all():
            return _grows(now, t)
        if now.rate * now.acceleration <= 0.0:
            continue
        scale = now.rate / now.acceleration
        step = max(_DIFFERENCE * scale, 4.0 * np.spacing(t))
        before = prescribed(t - step)[k].acceleration
        growth = (now.acceleration - before) / step / now.acceleration - 1.0 / scale
        if growth > 0.0 and 1.0 / growth < _NEAR * end:
            return _grows(now, t + 1.0 / growth)
    return None


def _grows(driven: Driven, t: float) -> str:
    return (f'the motion that "{driven.name}" prescribes grows without bound at t = {t:.6g} s (its rate is '
            f"{driven.rate:.3g} just before). End the run earlier, or give a motion that stays finite.")
