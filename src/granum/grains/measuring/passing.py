"""Flow rates from counts of what has passed a section."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats

WINDOWS = 20
"""Windows of time in which the flow is measured, where none is given."""
BLOCKED = ("jammed", "closed", "waiting")
"""Last verdicts on a flow that has stopped although there are grains upstream."""


class FlowRate(NamedTuple):
    """How many pass per second."""

    t: Floats
    """(windows,): middle of each window [s]."""
    rate: Floats
    """(windows,) [1/s]."""
    mean: float
    """Grains that passed over the time from the first passage, as frames tell it, to the last one; to the end of the
    recording where the flow is blocked at the end, so that a clog counts as no flow [1/s]."""
    error: float
    """Standard error of the mean, as the windows scatter [1/s]; not a number with fewer than two."""
    window: float
    """Length of a window [s]."""
    flowing: float
    """Grains that passed over the time from the first to the last passage [1/s]: the mean while they flow."""
    verdict: str | None
    """The last verdict of a jam probe on this flow; None where no jam probe watches it, and a clog is not known."""


def flow_rate(t: Floats, passed: Floats, window: float | None = None, verdict: str | None = None) -> FlowRate:
    """Rates of a count that grows over frames at times t, in windows of whole frames one after the other.

    Args:
        window: length of a window [s], rounded to whole frames; left out, a twentieth of the time that is averaged
            over, at least a frame.
        verdict: the last one on this flow, where it is known.
    """
    moving = np.flatnonzero(np.diff(passed) != 0.0)
    if not len(moving):
        return FlowRate(np.zeros(0), np.zeros(0), 0.0, math.nan, window or 0.0, 0.0, verdict)
    first, last = int(moving[0]), int(moving[-1]) + 1
    flowing = float(passed[last] - passed[first]) / float(t[last] - t[first])
    if verdict in BLOCKED:
        last = len(t) - 1
    interval = float(t[last] - t[first]) / (last - first)
    if window is None:
        frames = max(1, (last - first) // WINDOWS)
    elif window < 0.5 * interval:
        raise GranumError(f"A window of {window:g} s is shorter than the frame interval ({interval:g} s). Use a longer "
                          "one.")
    else:
        frames = min(max(1, round(window / interval)), last - first)
    ends = np.arange(first, last + 1, frames)
    rate: Floats = np.diff(passed[ends]) / np.diff(t[ends])
    error = float(rate.std(ddof=1)) / math.sqrt(len(rate)) if len(rate) > 1 else math.nan
    mean = float(passed[last] - passed[first]) / float(t[last] - t[first])
    return FlowRate(0.5 * (t[ends[1:]] + t[ends[:-1]]), rate, mean, error, frames * interval,
                    flowing, verdict)
