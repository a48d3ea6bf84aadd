"""All parameters and measures of a study at once, as parallel coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.studies.result import StudyResult
from granum.studies.statistics import by_point
from granum.view import style
from granum.view.plots.registry import study_plot
from granum.view.studies.choosing import heading, label, measured, one_measure, quantities, varied

_MOST_LINES = 2000
_TICKS = 5


@study_plot(lambda result: bool(measured(result) and varied(result, numeric=False)),
            "a varied parameter and a numeric measure")
def parallel_coordinates(result: StudyResult, *measures: str) -> Figure:
    """Parallel coordinates: one line per point through parameters and mean measures, coloured by a measure."""
    by = one_measure(result, measures, quantities)
    others = [name for name in measured(result) if name != by]
    axes = [*varied(result, numeric=False), *others, by]
    grouped = {name: by_point(result, name) for name in (*others, by)}
    kept = [k for k, group in enumerate(grouped[by]) if group.estimate is not None][:_MOST_LINES]
    columns = {name: [grouped[by][k].values[name] if name not in grouped else
                      getattr(grouped[name][k].estimate, "value", np.nan) for k in kept] for name in axes}
    drawn, panels = style.figure(height=4.4, width=max(7.0, 1.5 * len(axes)))
    panel = panels[0, 0]
    heights = np.array([_draw_axis(panel, place, columns[name]) for place, name in enumerate(axes)])
    colours = style.shades(float(np.min(columns[by])), float(np.max(columns[by])))
    for line, value in zip(heights.T, columns[by], strict=True):
        panel.plot(range(len(axes)), line, color=colours.to_rgba(np.asarray(value)), alpha=0.7, linewidth=1.0)
    panel.set_xticks(range(len(axes)), [label(result, name).replace(" [", "\n[").replace(".", ".\n") for name in axes],
                     fontsize="small")
    panel.set(xlim=(-0.35, len(axes) - 0.65), ylim=(-0.05, 1.05), yticks=[])
    panel.spines[["left", "bottom"]].set_visible(False)
    panel.grid(False)
    drawn.colorbar(colours, ax=panel, label=label(result, by), pad=0.02)
    panel.set(title=heading(result, "one line per point", axes, "measures: means over repeats"))
    return drawn


def _draw_axis(panel: Any, place: int, values: list[Any]) -> Floats:
    """A vertical axis with its own ticks; returns where values are on it, from 0 to 1."""
    numeric = all(isinstance(value, int | float | np.number) for value in values)
    choices = None if numeric else sorted({str(value) for value in values})
    numbers = np.array(values if choices is None else [choices.index(str(value)) for value in values], dtype=float)
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    span = high - low or 1.0
    panel.axvline(place, color="black", linewidth=0.8, ymin=0.045, ymax=0.955)
    ticks = np.unique(numbers[np.isfinite(numbers)])
    if choices is None and len(ticks) > _TICKS:
        ticks = np.linspace(low, high, _TICKS)
    for tick in ticks:
        panel.text(place - 0.03, (tick - low) / span, f"{tick:.3g}" if choices is None else choices[int(tick)],
                   ha="right", va="center", fontsize="x-small",
                   bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.6})
    return (numbers - low) / span
