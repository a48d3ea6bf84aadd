"""Measures over one parameter: means with bands, probabilities with the fitted boundary."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from granum.studies.result import StudyResult
from granum.studies.statistics import Crossing, Group
from granum.studies.statistics.grouping import pooled
from granum.view import style
from granum.view.plots.registry import study_plot
from granum.view.studies.choosing import (
    axis_scale,
    crossing_of,
    curves_of,
    heading,
    label,
    measured,
    one_measure,
    one_parameter,
    probabilities,
    quantities,
    rows_at,
    second_parameter,
    varied,
)

_BAND = 0.18
"""Opacity of a band."""
POOLED = 4
"""Runs of a search that each mark stands for, at least."""
SCATTERED = ("latin-hypercube", "sobol", "boundary")
"""Designs of which points share no value, or few: they are not joined."""


@study_plot(lambda result: bool(measured(result) and varied(result)),
            "a varied parameter and a numeric measure")
def curve(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None) -> Figure:
    """A measure over a parameter with 95 % confidence intervals, one curve per value of a second parameter."""
    measure = one_measure(result, measures, quantities)
    over = one_parameter(result, over, () if by is None else (by,))
    by = second_parameter(result, by, over)
    drawn, panels = style.figure(height=3.8)
    panel = panels[0, 0]
    joined = result.study.design.kind not in SCATTERED
    curves = curves_of(result, measure, over, by)
    for (name, groups), (colour, dashes) in zip(curves.items(), style.curves(), strict=False):
        x, y, low, high = _limits(groups, over)
        panel.plot(x, y, marker="o", color=colour, linestyle=dashes if joined else "none", label=name if by else "mean")
        if joined:
            panel.fill_between(x, low, high, where=np.isfinite(low), color=colour, alpha=_BAND, linewidth=0.0)
    panel.set(xlabel=label(result, over), ylabel=label(result, measure), xscale=axis_scale(result, over))
    repeated = any(group.runs > 1 for groups in curves.values() for group in groups)
    note = "bands: 95 % confidence intervals of the mean" if joined and repeated else ""
    panel.set(title=heading(result, measure, [over, *([by] if by else [])], note))
    style.legend(panel)
    return drawn


@study_plot(lambda result: bool(probabilities(result) and varied(result)),
            "a varied parameter and a true/false measure")
def probability(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None) -> Figure:
    """Probability of a true/false measure over a parameter, with Wilson intervals and the fitted crossing of 1/2."""
    measure = one_measure(result, measures, probabilities)
    over = one_parameter(result, over, () if by is None else (by,))
    by = second_parameter(result, by, over)
    drawn, panels = style.figure(height=3.8)
    panel = panels[0, 0]
    draw_probability(panel, result, measure, over, by)
    together = "; neighbouring values together" if is_search(result) else ""
    panel.set(title=heading(result, f"probability of {measure}", [over, *([by] if by else [])],
                            f"95 % Wilson intervals, logistic fit{together}"))
    style.legend(panel)
    return drawn


def draw_probability(panel: Any, result: StudyResult, measure: str, over: str, by: str | None) -> None:
    """Fractions of runs with Wilson's intervals and the fitted curve, for each value of a second parameter."""
    panel.axhline(0.5, **style.GUIDE)
    curves, unit = curves_of(result, measure, over, by), result.units.get(over, "")
    aside = 0.06 * float(np.diff(np.unique(np.asarray(result.column(over), dtype=float))).min(initial=np.inf))
    for k, ((name, groups), (colour, _)) in enumerate(zip(curves.items(), style.curves(), strict=False)):
        chosen = rows_at(result, by, groups[0].values[by]) if by else slice(None)
        found = crossing_of(result, measure, over, chosen)
        x, y, low, high = _limits(pooled(groups, over, POOLED) if is_search(result) else groups, over)
        # intervals of different curves side by side, where they would hide each other
        shift = 0.0 if is_search(result) else aside * (k - 0.5 * (len(curves) - 1))
        panel.errorbar(x + shift, y, (np.maximum(y - low, 0.0), np.maximum(high - y, 0.0)), fmt="o", color=colour,
                       alpha=0.75, linewidth=0.9, capsize=2, label=f"{name}:\n{_crossing_text(found, unit)}")
        _draw_crossing(panel, found, [float(group.values[over]) for group in groups], colour)
    panel.set(xlabel=label(result, over), ylabel=f"probability of {measure} [-]", ylim=(-0.04, 1.04))


def is_search(result: StudyResult) -> bool:
    """Was a boundary searched, with few runs at each of many values?"""
    return result.study.design.kind == "boundary"


def _limits(groups: list[Group], over: str) -> tuple[Any, Any, Any, Any]:
    """Values of the parameter, and estimates with the ends of their intervals; none where a single run has none."""
    x = np.array([float(group.values[over]) for group in groups])
    y, low, high = np.array([group.estimate[:3] for group in groups if group.estimate]).T
    finite = np.isfinite(low)
    return x, y, np.where(finite, low, np.nan), np.where(finite, high, np.nan)


def _is_known(found: Crossing) -> bool:
    return found.state in ("fitted", "separated") and bool(np.isfinite([found.low, found.high]).all())


def _crossing_text(found: Crossing, unit: str) -> str:
    """Where a probability crosses 1/2, in words."""
    if not _is_known(found):
        return "no boundary: all runs equal" if found.state == "constant" else "boundary not determined"
    return (f"1/2 at {interval_text(found.x50, found.low, found.high)} {unit}".rstrip()
            + (" (separated)" if found.state == "separated" else ""))


def _draw_crossing(panel: Any, found: Crossing, x: list[float], colour: str) -> None:
    """The fitted curve, and where it crosses 1/2 with its interval."""
    if _is_known(found):
        at = np.linspace(min(x), max(x), 400)
        panel.plot(at, found.probability(at), color=colour, linewidth=1.2,
                   linestyle="-" if found.state == "fitted" else "--")
        panel.plot([found.low, found.high], [0.5, 0.5], color=colour, linewidth=4.0, alpha=0.45, solid_capstyle="butt")


def interval_text(value: float, low: float, high: float) -> str:
    """A value and its interval, with as many digits as the interval deserves."""
    if not np.isfinite([low, high]).all() or high <= low:
        return f"{value:.4g}"
    digits = max(0, 1 - int(np.floor(np.log10(0.5 * (high - low)))))
    if digits > 6 or abs(value) >= 1e6:
        return f"{value:.4g} [{low:.4g}, {high:.4g}]"
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


