"""Laws fitted to the means of a study: powers, Beverloo's law, exponential growth."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.studies.result import StudyResult
from granum.studies.statistics import Law, beverloo, exponential_growth, power_law
from granum.view import style
from granum.view.plots.registry import study_plot
from granum.view.studies.choosing import (
    curves_of,
    heading,
    label,
    measured,
    one_measure,
    one_parameter,
    quantities,
    second_parameter,
    varied,
)

_FEWEST = 4
"""Different values of a parameter over which a law is fitted."""
_WIDE = 32
"""Letters in a line of the legend."""
_MOST_TICKS = 9
"""Values of a parameter up to which each has a tick."""


def _has_law(result: StudyResult) -> bool:
    return bool(measured(result)) and any(
        len(np.unique(np.asarray(result.column(name), dtype=float))) >= _FEWEST for name in varied(result))


@study_plot(_has_law, f"a numeric measure over at least {_FEWEST} values of a parameter")
def power(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None,
          grain: float | None = None) -> Figure:
    """Power-law fit of a measure on log-log axes; with --grain, Beverloo's law."""
    def fitted(x: Floats, y: Floats) -> Law:
        return power_law(x, y) if grain is None else beverloo(x, y, grain)

    return _draw(result, measures, over, by, "power law" if grain is None else "Beverloo's law", fitted, "log")


@study_plot(_has_law, f"a numeric measure over at least {_FEWEST} values of a parameter")
def growth(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None,
           exponent: float = 1.0) -> Figure:
    """Exponential fit y = A exp(b x^exponent) of a measure, such as avalanche size over outlet size."""
    return _draw(result, measures, over, by, "exponential growth",
                 lambda x, y: exponential_growth(x, y, exponent), "linear")


def _draw(result: StudyResult, measures: tuple[str, ...], over: str | None, by: str | None, what: str, fitted: Any,
          scale: str) -> Figure:
    """Means with their intervals on a logarithmic axis, and the law fitted to each curve."""
    measure = one_measure(result, measures, quantities)
    over = one_parameter(result, over, () if by is None else (by,))
    by = second_parameter(result, by, over)
    drawn, panels = style.figure(height=4.0)
    panel = panels[0, 0]
    left_out = 0
    for (name, groups), (colour, _) in zip(curves_of(result, measure, over, by).items(), style.curves(), strict=False):
        x = np.array([float(group.values[over]) for group in groups])
        y, low, high = np.array([group.estimate[:3] for group in groups if group.estimate]).T
        shown = (x > 0.0) & (y > 0.0)
        left_out += int((~shown).sum())
        x, y, low, high = x[shown], y[shown], low[shown], high[shown]
        bars = (np.where(np.isfinite(low), y - np.maximum(low, 1e-3 * y), 0.0),
                np.where(np.isfinite(high), high - y, 0.0))
        shown_law = _draw_law(panel, fitted, x, y, colour)
        panel.errorbar(x, y, bars, fmt="o", color=colour, capsize=2,
                       label=f"{name if by else f'mean {measure}'}\n{shown_law}")
    panel.set(xscale=scale, yscale="log", xlabel=label(result, over), ylabel=label(result, measure))
    values = np.unique(np.asarray(result.column(over), dtype=float))
    if scale == "log" and len(values) <= _MOST_TICKS:
        panel.set_xticks(values, [f"{value:.4g}" for value in values])
        panel.xaxis.minorticks_off()
    note = "standard errors from the scatter about the fit" + (
        f"; {left_out} non-positive means omitted" if left_out else "")
    panel.set(title=heading(result, f"{what} of {measure}", [over, *([by] if by else [])], note))
    style.legend(panel)
    return drawn


def _draw_law(panel: Any, fitted: Any, x: Floats, y: Floats, colour: str) -> str:
    """Draw the law; returns its constants in words, or why there is none."""
    try:
        law = fitted(x, y)
    except GranumError as error:
        return fill(f"no fit: {str(error).partition('.')[0]}", _WIDE)
    at = np.geomspace(x.min(), x.max(), 300)
    panel.plot(at, law.predict(at), color=colour, linewidth=1.1)
    constants = ", ".join(f"{name} = {one.value:.3g} ± {law.errors[name]:.2g}" for name, one in law.constants.items())
    explained = f"\nR² = {law.r_squared:.4f}" if np.isfinite(law.r_squared) else ""
    return f"{law.formula}\n{constants}{explained}"
