"""Measures over two parameters: heat maps, and jam diagrams with the fitted boundary."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.studies.result import StudyResult
from granum.studies.statistics import by_point
from granum.studies.statistics.grouping import is_probability, pooled
from granum.view import style
from granum.view.plots.registry import study_plot
from granum.view.plots.several import Tried, draw_jams
from granum.view.studies.choosing import (
    crossing_of,
    heading,
    label,
    measured,
    one_measure,
    one_parameter,
    probabilities,
    quantities,
    rows_at,
    varied,
)
from granum.view.studies.curves import POOLED, SCATTERED, is_search

_MOST_NUMBERS = 70
"""Cells or marks up to which each has its number beside it."""


def _is_lattice(result: StudyResult) -> bool:
    """Do points share the values of two parameters?"""
    return len(varied(result)) > 1 and result.study.design.kind not in SCATTERED


@study_plot(lambda result: bool(measured(result)) and _is_lattice(result),
            "two numeric parameters varied on a grid")
def heat_map(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None) -> Figure:
    """Heat map of the mean or probability of a measure over two parameters."""
    measure = one_measure(result, measures, quantities)
    over = one_parameter(result, over, () if by is None else (by,))
    by = one_parameter(result, by, (over,))
    groups = by_point(result, measure, parameters=[over, by])
    x, y = (np.unique(np.asarray(result.column(name), dtype=float)) for name in (over, by))
    table = np.full((len(y), len(x)), np.nan)
    for group in groups:
        if group.estimate is not None:
            table[np.searchsorted(y, group.values[by]), np.searchsorted(x, group.values[over])] = group.estimate.value
    if not np.isfinite(table).any():
        raise GranumError(f'No run has a value of "{measure}", so there is nothing to draw.')
    drawn, panels = style.figure(height=4.2)
    panel = panels[0, 0]
    chance = is_probability(result, measure)
    shown = panel.pcolormesh(_edges(x), _edges(y), np.ma.masked_invalid(table), cmap="viridis",
                             **({"vmin": 0.0, "vmax": 1.0} if chance else {}))
    panel.set(facecolor="#dddddd", xlabel=label(result, over), ylabel=label(result, by))
    panel.grid(False)
    drawn.colorbar(shown, label=f"probability of {measure} [-]" if chance else f"mean {label(result, measure)}")
    if table.size <= _MOST_NUMBERS:
        _write_numbers(panel, shown, x, y, table)
    note = "grey: no value" if np.isnan(table).any() else ""
    panel.set(title=heading(result, measure, [over, by], note))
    return drawn


def _edges(values: Any) -> Any:
    """Edges of cells around values: halfway between them."""
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[values[0] - (middle[0] - values[0])], middle, [values[-1] + (values[-1] - middle[-1])]])


def _write_numbers(panel: Any, shown: Any, x: Any, y: Any, table: Any) -> None:
    """The number of each cell, dark on light and light on dark."""
    for j, i in zip(*np.nonzero(np.isfinite(table)), strict=True):
        dark = shown.norm(table[j, i]) < 0.6
        panel.text(x[i], y[j], f"{table[j, i]:.3g}", ha="center", va="center", fontsize="x-small",
                   color="white" if dark else "black")


@study_plot(lambda result: bool(probabilities(result)) and len(varied(result)) > 1
            and (_is_lattice(result) or is_search(result)),
            "a true/false measure, and two numeric parameters varied on a grid or in searches")
def jam_diagram(result: StudyResult, *measures: str, over: str | None = None, by: str | None = None) -> Figure:
    """Fraction of runs in which a measure is true over two parameters, with the boundary of probability 1/2."""
    measure = one_measure(result, measures, probabilities)
    over = one_parameter(result, over, () if by is None else (by,))
    by = one_parameter(result, by, (over,))
    groups = [group for group in by_point(result, measure, parameters=[over, by]) if group.estimate is not None]
    if is_search(result):
        rows = dict.fromkeys(group.values[by] for group in groups)
        groups = [one for row in rows for one in
                  pooled([group for group in groups if group.values[by] == row], over, POOLED)]
    drawn, panels = style.figure(height=4.2)
    panel = panels[0, 0]
    _draw_boundary(panel, result, measure, over, by)
    draw_jams(panel, [Tried(group.values[over], group.values[by], group.successes, group.runs) for group in groups],
              label(result, by), measure, label(result, over), len(groups) <= _MOST_NUMBERS)
    note = "neighbouring values together" if is_search(result) else ""
    panel.set(title=heading(result, f"boundary of {measure}", [over, by], note))
    return drawn


def _draw_boundary(panel: Any, result: StudyResult, measure: str, over: str, by: str) -> None:
    """x50 with its interval at each value of the second parameter where the data show it."""
    rows = np.unique(np.asarray(result.column(by), dtype=float))
    crossings = [(value, crossing_of(result, measure, over, rows_at(result, by, float(value)))) for value in rows]
    known = [(value, one) for value, one in crossings if np.isfinite([one.x50, one.low, one.high]).all()]
    if not known:
        return
    y = [value for value, _ in known]
    x50, low, high = np.array([(one.x50, one.low, one.high) for _, one in known]).T
    panel.errorbar(x50, y, xerr=(x50 - low, high - x50), color=style.COLOURS[2], linewidth=1.2, capsize=3, marker="|",
                   markersize=9, label="probability 1/2,\n95 % interval", zorder=1)
