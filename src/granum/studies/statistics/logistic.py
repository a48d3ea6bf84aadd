"""Where a probability crosses 1/2: logistic regression with Firth's penalty, and the uncertainty of the crossing.

The model is p(x) = 1 / (1 + exp(−(x − x50) / w)): x50 is where p = 1/2, and the width w is positive where p rises with
x; p goes from 0.12 to 0.88 over x50 ± 2 w. Written as η = β₀ + β₁ x, x50 = −β₀/β₁ and w = 1/β₁.

The estimate maximises the likelihood times √det I(β), I being Fisher's information (Firth 1993, Biometrika 80:27): this
removes the leading bias, and stays finite for separated data, where plain maximum likelihood makes the width zero
(Heinze and Schemper 2002, Stat. Med. 21:2409). As they recommend, the interval of x50 is that of the penalised profile
likelihood: all x50 at which twice the loss of its logarithm is at most the quantile of χ² with one degree of freedom.

Separated data (all failures on one side of some x, all successes on the other) say nothing about where x50 is within
the gap, but the penalty does, and its interval would be too short. There x50 is the middle of the gap, and the interval
is that of the plain profile likelihood, which contains the whole gap.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import chdtri, expit, logit, xlog1py, xlogy

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.studies.statistics.intervals import finite, refuse_level

_FLATTEST, _STEEPEST = 0.02, 30.0
"""Slopes that are scanned before one is refined: over the span of the data, and from one level of x to the next."""
_SCANNED = 32
"""How many of each sign."""
_CLOSEST = 1e-6
"""Spacing of levels that is still told apart, in their span."""
_FAR = 1e4
"""Spans of the data beyond which a limit of the interval counts as infinite."""


class Crossing(NamedTuple):
    """Where a probability crosses 1/2, with its uncertainty."""

    x50: float
    """NaN where the data do not show a crossing."""
    width: float
    """w of the model; negative where the probability falls with x."""
    low: float
    high: float
    """Confidence interval of x50; infinite where the data do not limit it."""
    covariance: Floats
    """(2, 2) of x50 and the width, by the delta method from Fisher's information."""
    level: float
    runs: int
    """Runs it was estimated from."""
    state: str
    """`fitted`; `separated`: no x has both outcomes on either side, so the width is an upper estimate that the penalty
    sets; `undetermined`: the slope is not significant at the level; `constant`: all runs had the same outcome, or all
    the same x, so there is no crossing."""

    def probability(self, x: ArrayLike) -> Floats:
        """The fitted probability."""
        return np.asarray(expit((np.asarray(x, dtype=float) - self.x50) / self.width))


class Counts(NamedTuple):
    """Outcomes by level of x, in units of the data's own span: x = centre + span z."""

    z: Floats
    trials: Floats
    successes: Floats
    centre: float
    span: float
    penalty: float = 0.5
    """Power of det I(β): Firth's, or 0 for the plain likelihood."""

    def likelihood(self, intercept: Floats | float, slope: Floats | float) -> Floats:
        """Logarithm of the penalised likelihood; intercept and slope may be arrays of one shape."""
        eta = np.asarray(intercept)[..., None] + np.asarray(slope)[..., None] * self.z
        plain = (self.successes * eta - self.trials * np.logaddexp(0.0, eta)).sum(axis=-1)
        return np.asarray(plain + self.penalty * self._log_information(eta) if self.penalty else plain)

    def _log_information(self, eta: Floats) -> Floats:
        """log det I(β); minus infinity where no level informs."""
        weight = self.trials * expit(eta) * expit(-eta)
        total = weight.sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (weight * self.z).sum(axis=-1) / total
            # centred, because the difference of the plain moments loses all digits on steep curves
            determinant = total * (weight * (self.z - mean[..., None]) ** 2).sum(axis=-1)
            return np.where(determinant > 0.0, np.log(determinant), -np.inf)

    def information(self, beta: Floats) -> Floats:
        """Fisher's information of intercept and slope."""
        p = expit(beta[0] + beta[1] * self.z)
        weight = self.trials * p * (1.0 - p)
        return np.array([[weight.sum(), weight @ self.z], [weight @ self.z, weight @ self.z**2]])

    def slopes(self, reach: float = 1.0) -> Floats:
        """Slopes of both signs from nearly flat over a reach to a jump between two levels."""
        rising = np.geomspace(_FLATTEST / reach, _STEEPEST / max(float(np.diff(self.z).min()), _CLOSEST), _SCANNED)
        return np.concatenate([-rising[::-1], rising])

    def profile(self, z50: float) -> float:
        """The largest likelihood with the crossing at z50."""
        slopes = self.slopes(max(1.0, abs(z50)))
        values = self.likelihood(-slopes * z50, slopes)
        best = int(values.argmax())
        low, high = slopes[max(best - 1, 0)], slopes[min(best + 1, len(slopes) - 1)]
        refined = minimize_scalar(lambda slope: -float(self.likelihood(-slope * z50, slope)), bounds=(low, high),
                                  method="bounded", options={"xatol": 1e-5 * (high - low)})
        return max(float(values[best]), -float(refined.fun))

    def ends(self) -> tuple[float, float, float, float]:
        """First and last level that has failures, first and last that has successes."""
        failing, passing = self.z[self.successes < self.trials], self.z[self.successes > 0.0]
        return float(failing[0]), float(failing[-1]), float(passing[0]), float(passing[-1])


def logistic_boundary(x: ArrayLike, success: ArrayLike, level: float = 0.95) -> Crossing:
    """Where the probability of success crosses 1/2 along x, from the outcomes (0 or 1) of runs.

    The method is that of this module's docstring. Where the slope is not significant at the level, x50 may be anywhere,
    and the interval is unbounded.
    """
    refuse_level(level)
    counts = _counted(x, success)
    none = np.full((2, 2), np.nan)
    total = int(counts.trials.sum())
    if len(counts.z) == 1 or counts.successes.sum() in (0.0, counts.trials.sum()):
        return Crossing(math.nan, math.nan, -math.inf, math.inf, none, level, total, "constant")
    beta = _fit(counts)
    covariance = _covariance(counts, beta)
    z50, low, high, state = _confidence(counts, beta, 0.5 * float(chdtri(1, 1.0 - level)), math.sqrt(covariance[0, 0]))
    place, scale = counts.centre, counts.span
    return Crossing(float(place + scale * z50), float(scale / beta[1]), place + scale * low,
                    place + scale * high, scale**2 * covariance, level, total, state)


def _confidence(counts: Counts, beta: Floats, loss: float, deviation: float) -> tuple[float, float, float, str]:
    """z50, the interval in which the logarithm of the likelihood loses no more than given, and the state of the fit."""
    gap, z50 = _gap(counts), float(-beta[0] / beta[1])
    if gap is None:
        low, high = _interval(counts, z50, float(counts.likelihood(*beta)) - loss, deviation)
    else:
        z50 = 0.5 * (gap[0] + gap[1])
        low, high = _interval(counts._replace(penalty=0.0), _jump(counts, gap), _saturated(counts) - loss,
                              abs(gap[1] - gap[0]))
        # a curve of finite slope does not get to the ends of the gap, a jump does
        low, high = min(low, *gap), max(high, *gap)
    if math.isinf(low) and math.isinf(high):
        return z50, low, high, "undetermined"
    return z50, low, high, "fitted" if gap is None else "separated"


def _counted(x: ArrayLike, success: ArrayLike) -> Counts:
    """Trials and successes at each level of x."""
    place, outcome = finite(x, "x"), finite(success, "outcomes")
    if len(place) != len(outcome) or not np.isin(outcome, (0.0, 1.0)).all():
        raise GranumError("A boundary needs one outcome for each x, and outcomes that are 0 or 1 (false or true).")
    levels, number = np.unique(place, return_inverse=True)
    centre, span = 0.5 * float(levels[0] + levels[-1]), float(levels[-1] - levels[0]) or 1.0
    return Counts((levels - centre) / span, np.bincount(number).astype(float),
                  np.bincount(number, outcome).astype(float),
                  centre, span)


def _fit(counts: Counts) -> Floats:
    """β of the largest penalised likelihood, by its modified score (Firth's eq. 3.1)."""
    design = np.column_stack([np.ones_like(counts.z), counts.z])

    def loss(beta: Floats) -> tuple[float, Floats]:
        p = expit(design @ beta)
        weight = counts.trials * p * (1.0 - p)
        leverage = weight * np.einsum("ij,jk,ik->i", design, np.linalg.pinv(counts.information(beta)), design)
        score = counts.successes - counts.trials * p + leverage * (0.5 - p)
        return -float(counts.likelihood(*beta)), -(score @ design)

    start = _scanned(counts)
    return np.asarray(minimize(loss, start, jac=True, method="BFGS", options={
        "gtol": 1e-8, "hess_inv0": _symmetric(np.linalg.pinv(counts.information(start)))}).x)


def _scanned(counts: Counts) -> Floats:
    """β near the maximum: the best of crossings between the outcomes, for curves that rise and that fall."""
    first_failing, last_failing, first_passing, last_passing = counts.ends()
    crossings = np.concatenate([np.linspace(last_failing, first_passing, 15),
                                np.linspace(first_failing, last_passing, 15)])
    slopes = np.broadcast_to(counts.slopes(), (len(crossings), 2 * _SCANNED))
    tried = counts.likelihood(-crossings[:, None] * slopes, slopes)
    row, column = np.unravel_index(int(tried.argmax()), tried.shape)
    return float(slopes[row, column]) * np.array([-crossings[row], 1.0])


def _symmetric(matrix: Any) -> Floats:
    return np.asarray(0.5 * (matrix + matrix.T), dtype=float)


def _interval(counts: Counts, z50: float, threshold: float, guess: float) -> tuple[float, float]:
    """The interval around z50 in which the profile is above a threshold; unbounded where a flat curve is, too."""
    flat = minimize_scalar(lambda intercept: -float(counts.likelihood(intercept, 0.0)), bounds=(-30.0, 30.0),
                           method="bounded")
    if -float(flat.fun) >= threshold:
        return -math.inf, math.inf
    low, high = (_limit(counts, z50, threshold, side, guess) for side in (-1.0, 1.0))
    return low, high


def _limit(counts: Counts, z50: float, threshold: float, side: float, guess: float) -> float:
    """Where the profile falls to a threshold on one side of its maximum, looked for from a guessed distance on."""
    inner, reach = 0.0, max(2.0 * guess, _CLOSEST)
    while counts.profile(z50 + side * reach) > threshold:
        inner, reach = reach, 1.6 * reach
        if reach > _FAR:
            return side * math.inf
    return z50 + side * float(brentq(lambda d: counts.profile(z50 + side * d) - threshold, inner, reach, rtol=1e-5))


def _covariance(counts: Counts, beta: Floats) -> Floats:
    """Covariance of the crossing and the width, by the delta method."""
    gradient = np.array([[-1.0 / beta[1], beta[0] / beta[1] ** 2], [0.0, -1.0 / beta[1] ** 2]])
    return _symmetric(gradient @ np.linalg.pinv(counts.information(beta)) @ gradient.T)


def _gap(counts: Counts) -> tuple[float, float] | None:
    """The last level with failures and the first with successes of separated data; None for others."""
    first_failing, last_failing, first_passing, last_passing = counts.ends()
    if last_failing <= first_passing:
        return last_failing, first_passing
    return (first_failing, last_passing) if last_passing <= first_failing else None


def _jump(counts: Counts, gap: tuple[float, float]) -> float:
    """Where the steepest curve crosses 1/2: in the middle of the gap, or beside the one level that has both
    outcomes.
    """
    if gap[0] != gap[1]:
        return 0.5 * (gap[0] + gap[1])
    level = int(np.flatnonzero(counts.z == gap[0])[0])
    rising = counts.successes[-1] == counts.trials[-1] if level < len(counts.z) - 1 else counts.successes[0] == 0.0
    steepest = float(counts.slopes()[-1 if rising else 0])
    return gap[0] - float(logit(counts.successes[level] / counts.trials[level])) / steepest


def _saturated(counts: Counts) -> float:
    """Logarithm of the plain likelihood with each level at its own fraction, which a jump reaches for separated
    data.
    """
    p = counts.successes / counts.trials
    return float((xlogy(counts.successes, p) + xlog1py(counts.trials - counts.successes, -p)).sum())
