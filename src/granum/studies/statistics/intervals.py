"""Confidence intervals of means and of probabilities."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit

from granum.base.errors import GranumError


class Estimate(NamedTuple):
    """A number with its confidence interval."""

    value: float
    low: float
    """Minus infinity where the data put no lower limit."""
    high: float
    runs: int
    """Runs it was estimated from."""

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return 0.5 * (self.high - self.low)


def mean_interval(values: ArrayLike, level: float = 0.95) -> Estimate:
    """Mean of values of repeated runs, with Student's interval: mean ± t s / √n, t of n − 1 degrees of freedom.

    Exact for normal values (Student 1908, "The probable error of a mean", Biometrika 6:1), approximate for others once
    n is some tens. One value says nothing about the scatter: its interval is unbounded.
    """
    refuse_level(level)
    y = finite(values, "values")
    n, mean = len(y), float(y.mean())
    half = math.inf if n == 1 else float(stdtrit(n - 1, 0.5 + 0.5 * level) * y.std(ddof=1)) / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half, n)


def wilson(successes: int, trials: int, level: float = 0.95) -> Estimate:
    """Probability of success with Wilson's score interval, which holds its level for few trials and near 0 and 1.

    With q = z²/n, the interval is (p + q/2 ± z √(p(1 − p)/n + q/(4n))) / (1 + q) (Wilson 1927, J. Am. Stat. Assoc.
    22:209; without correction for continuity). The value is the plain fraction p = successes / trials.
    """
    refuse_level(level)
    if not 0 <= successes <= trials or trials < 1:
        raise GranumError(f"found {successes} successes in {trials} trials: give at least one trial, and no more "
                          "successes than trials.")
    z, p = float(ndtri(0.5 + 0.5 * level)), successes / trials
    q = z * z / trials
    centre = (p + 0.5 * q) / (1.0 + q)
    half = z * math.sqrt(p * (1.0 - p) / trials + 0.25 * q / trials) / (1.0 + q)
    # the limits at 0 and 1 are exact; round-off must not put the fraction outside of its interval
    return Estimate(p, 0.0 if successes == 0 else centre - half, 1.0 if successes == trials else centre + half, trials)


def refuse_level(level: float) -> None:
    """Raise for a confidence level that is none."""
    if not 0.0 < level < 1.0:
        raise GranumError(f"The confidence level is {level}. Give a number between 0 and 1, such as 0.95.")


def finite(values: ArrayLike, what: str) -> np.ndarray:
    """Values as a flat array of floats; raises where there are none, or any that is not finite."""
    y = np.asarray(values, dtype=float).ravel()
    if not len(y) or not np.isfinite(y).all():
        raise GranumError(f"{what}: found {len(y)} values, {int((~np.isfinite(y)).sum())} of them not finite. Give at "
                          "least one, without failed runs.")
    return y
