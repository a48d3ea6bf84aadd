"""Laws with few constants fitted to measured means: powers, Beverloo's law of discharge, exponential growth.

All are fitted by least squares of log y, that is, for errors in proportion to y. Errors of y, where given, become
weights, and χ² then says whether the law holds within them; without, the scatter about the law is the error. Limits of
constants are Student's with the degrees of freedom that are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import curve_fit
from scipy.special import chdtrc, stdtrit

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.studies.statistics.intervals import Estimate, finite, refuse_level

_NEAREST = 1e-6
"""How near to the smallest opening k d may come, in that opening."""


class Law(NamedTuple):
    """A law fitted to data."""

    formula: str
    constants: dict[str, Estimate]
    """By name, with confidence intervals."""
    errors: dict[str, float]
    """Standard errors of the constants."""
    covariance: Floats
    """Of the constants in their order."""
    predict: Callable[[ArrayLike], Floats]
    """y by the law."""
    r_squared: float
    """Part of the variance of log y that the law explains; 1 is all of it."""
    p_value: float
    """Probability of a χ² as large as found if the law holds; NaN where y came without errors."""


def power_law(x: ArrayLike, y: ArrayLike, offset: float = 0.0, error: ArrayLike | None = None,
              level: float = 0.95) -> Law:
    """y = C (x − offset)ⁿ by a straight line in log-log axes: C and n with errors, for a known offset.

    With equal weights this is linear regression of log y on log(x − offset) with its textbook errors (Draper and Smith,
    Applied Regression Analysis, ch. 1).
    """
    def law(at: Floats, height: float, exponent: float) -> Floats:
        return height + exponent * np.log(at - offset)

    data = _Data.of(x, y, error, level, 2, least=offset)
    exponent, height = np.polyfit(np.log(data.x - offset), np.log(data.y), 1)
    formula = "y = C x^n" if offset == 0.0 else f"y = C (x - {offset:g})^n"
    return data.fitted(formula, ("C", "n"), law, [height, exponent])


def beverloo(opening: ArrayLike, rate: ArrayLike, grain: float, exponent: float | None = None,
             error: ArrayLike | None = None, level: float = 0.95) -> Law:
    """W = C (D − k d)ⁿ: the rate of discharge through an opening D of grains of diameter d.

    Beverloo, Leniger and van de Velde (1961), Chem. Eng. Sci. 15:260: n = 5/2 in 3-D and, by the same scaling, 3/2 in
    2-D; k is about 1.4. With `exponent` n is held there and C and k are fitted; without, all three are, which takes
    openings over a wide range: k and n are strongly correlated, and their intervals say so.
    """
    if not grain > 0.0:
        raise GranumError(f"found a grain diameter of {grain} m, but it must be positive.")
    guess = 2.5 if exponent is None else exponent

    def law(at: Floats, height: float, k: float, power: float = guess) -> Floats:
        return height + power * np.log(at - k * grain)

    names = ("C", "k", "n") if exponent is None else ("C", "k")
    data = _Data.of(opening, rate, error, level, len(names), least=0.0)
    largest = (1.0 - _NEAREST) * float(data.x.min()) / grain
    start = [float(np.mean(np.log(data.y) - guess * np.log(data.x))), 0.5 * largest, guess][:len(names)]
    above = [np.inf, largest, np.inf][:len(names)]
    shown = "n" if exponent is None else f"{exponent:g}"
    found = data.fitted(f"W = C (D - k d)^{shown}", names, law, start, (-np.inf, above))
    if found.constants["k"].value > (1.0 - 10.0 * _NEAREST) * largest:
        raise GranumError("Beverloo's law does not fit: k d reaches the smallest opening. Remove openings that clog.")
    return found


def exponential_growth(x: ArrayLike, y: ArrayLike, power: float = 1.0, error: ArrayLike | None = None,
                       level: float = 0.95) -> Law:
    """y = A exp(b x^m) with a given power m: mean size of avalanches between two clogs over the opening.

    Thomas and Durian (2015), Phys. Rev. Lett. 114:178001: the fraction of configurations that precede a clog decays
    exponentially in the width of the outlet to the power of the dimension, so m is 2 in 2-D and 3 in 3-D. Janda et al.
    (2008), EPL 84:44002, find no critical size in 2-D either. `r_squared` and `p_value` say how well the law holds.
    """
    def law(at: Floats, height: float, growth: float) -> Floats:
        return height + growth * at**power

    data = _Data.of(x, y, error, level, 2, least=0.0)
    growth, height = np.polyfit(data.x**power, np.log(data.y), 1)
    shown = "x" if power == 1.0 else f"x^{power:g}"
    return data.fitted(f"y = A exp(b {shown})", ("A", "b"), law, [height, growth])


class _Data(NamedTuple):
    """What a law is fitted to."""

    x: Floats
    y: Floats
    relative: Floats | None
    """Error of y over y, which is that of log y."""
    level: float

    @staticmethod
    def of(x: ArrayLike, y: ArrayLike, error: ArrayLike | None, level: float, constants: int, least: float) -> _Data:
        """Data that have logarithms, and more of them than the law has constants."""
        refuse_level(level)
        at, values = finite(x, "x"), finite(y, "y")
        if len(at) != len(values) or len(np.unique(at)) <= constants:
            raise GranumError(f"{len(values)} values at {len(np.unique(at))} different x: a law with {constants} "
                              f"constants needs a value for each x, and at least {constants + 1} different x.")
        if at.min() <= least or values.min() <= 0.0:
            raise GranumError(f"A law is fitted in logarithms: x must be above {least:g} and y above 0. Found x from "
                              f"{at.min():g} and y from {values.min():g}; remove smaller values.")
        if error is None:
            return _Data(at, values, None, level)
        scatter = finite(error, "errors")
        if len(scatter) != len(at) or scatter.min() <= 0.0:
            raise GranumError("Errors of y: give a positive one for each value.")
        return _Data(at, values, scatter / values, level)

    def fitted(self, formula: str, names: tuple[str, ...], law: Callable[..., Floats], start: list[float],
               bounds: Any = (-np.inf, np.inf)) -> Law:
        """The constants of a law for log y. The first is a factor: its logarithm is fitted, so that its limits are
        positive.
        """
        v = np.log(self.y)
        try:
            best, covariance = curve_fit(law, self.x, v, start, self.relative, bounds=bounds, method="trf",
                                         absolute_sigma=self.relative is not None, ftol=1e-14, xtol=1e-14, gtol=1e-14,
                                         max_nfev=2000)
        except RuntimeError:
            raise GranumError(f"{formula} does not fit these data: no best constants were found. Plot the data on "
                              "log-log axes and remove points that follow another law.") from None
        left, residuals, spread = len(self.x) - len(names), v - law(self.x, *best), v - v.mean()
        half = float(stdtrit(left, 0.5 + 0.5 * self.level)) * np.sqrt(np.diag(covariance))
        values, lows, highs = (np.array([math.exp(row[0]), *row[1:]]) for row in (best, best - half, best + half))
        scale = np.array([values[0], *np.ones(len(names) - 1)])
        scaled = scale[:, None] * covariance * scale
        return Law(formula,
                   {name: Estimate(float(value), float(low), float(high), len(v))
                    for name, value, low, high in zip(names, values, lows, highs, strict=True)},
                   {name: math.sqrt(scaled[k, k]) for k, name in enumerate(names)}, scaled,
                   lambda at: np.exp(law(np.asarray(at, dtype=float), *best)),
                   1.0 - float(residuals @ residuals) / float(spread @ spread) if spread.any() else math.nan,
                   math.nan if self.relative is None else float(chdtrc(left, ((residuals / self.relative) ** 2).sum())))
