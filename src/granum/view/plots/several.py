"""Plots of several runs: where flows jam, and what a simulation costs against its size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from granum.base.errors import GranumError
from granum.view import style


class Tried(NamedTuple):
    """Runs of one density and velocity."""

    density: float
    """Part of the area or volume that grains fill where they enter."""
    velocity: float
    """Mean of the flow [m/s], or the Froude number it stands for."""
    jammed: int
    """How many of the runs jammed, or backed up."""
    runs: int
    time: float | None = None
    """Mean time until then [s]."""


_FACES: dict[str, Any] = {
    "all runs": {"fillstyle": "full"}, "some runs": {"fillstyle": "left"}, "no run": {"fillstyle": "none"}}


def jam_diagram(
    rows: Sequence[Tried], y_label: str = "mean velocity [m/s]", heading: str = "", what: str = "jammed",
) -> Figure:
    """How many of the runs jammed (or had another outcome) over density and velocity (Sun 1996, fig. 6.15)."""
    drawn, panels = style.figure(width=6.4, height=3.6)
    draw_jams(panels[0, 0], rows, y_label, what)
    panels[0, 0].set(title=heading)
    return drawn


def draw_jams(panel: Any, rows: Sequence[Tried], y_label: str, what: str, x_label: str = "relative density [-]",
              counts: bool = True) -> None:
    """The marks of a jam diagram: full where all runs jam, half where some do, with counts and mean times."""
    for row in rows:
        fate = "all runs" if row.jammed == row.runs else "some runs" if row.jammed else "no run"
        panel.plot(row.density, row.velocity, "o", markersize=8, color=style.COLOURS[1 if row.jammed else 0],
                   markerfacecoloralt="white", **_FACES[fate])
        time = f"\n({row.time:.3g} s)" if row.time is not None else ""
        if counts:
            panel.annotate(f"{row.jammed}/{row.runs}{time}", (row.density, row.velocity), (0, -8), ha="center",
                           va="top", textcoords="offset points", fontsize="x-small")
    panel.margins(0.08, 0.25)
    panel.set(xlabel=x_label, ylabel=y_label)
    handles = [Line2D([], [], marker="o", linestyle="", markersize=8, markerfacecoloralt="white", label=fate,
                      color=style.COLOURS[0 if fate == "no run" else 1], **face) for fate, face in _FACES.items()]
    timed = "\n(mean time)" if any(row.time is not None for row in rows) else ""
    handles += panel.get_legend_handles_labels()[0]
    panel.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0,
                 title=f"{what}/runs{timed}", title_fontsize="x-small")


class Chart(NamedTuple):
    """Costs against sizes."""

    series: Mapping[str, tuple[Sequence[float], Sequence[float]]]
    """Sizes and costs by label."""
    x_label: str = "number of bodies N [-]"
    y_label: str = "time [s]"
    heading: str = ""
    guides: Sequence[float] = (1.0,)
    """Slopes of lines N^slope that guide the eye."""


def cost(*charts: Chart) -> Figure:
    """What something costs against its size, on logarithmic axes, with slopes to guide the eye; a panel for each."""
    shown = [chart for chart in charts if any(len(n) for n, _ in chart.series.values())]
    if not shown:
        raise GranumError("There are no measured values to draw.")
    drawn, panels = style.figure(1, len(shown), width=6.6 * len(shown), height=4.0)
    for panel, chart in zip(panels[0], shown, strict=True):
        draw_cost(panel, chart)
    return drawn


def draw_cost(panel: Any, chart: Chart) -> None:
    """One panel of costs."""
    for (label, (n, values)), (colour, _), mark in zip(
            chart.series.items(), style.curves(), "os^Dv<>" * 4, strict=False):
        panel.loglog(n, values, mark + "-", color=colour, label=label)
    sizes = np.unique(np.concatenate([np.asarray(n, dtype=float) for n, _ in chart.series.values()]))
    if len(sizes) > 1:
        _draw_guides(panel, chart)
    else:
        panel.margins(0.5, 0.2)
    panel.set_xticks(sizes, [_size(size) for size in sizes])
    panel.minorticks_off()
    panel.set(xlabel=chart.x_label, ylabel=chart.y_label, title=chart.heading)
    style.legend(panel)


def _draw_guides(panel: Any, chart: Chart) -> None:
    """Lines of given slopes below all curves, through the end of the lowest one."""
    curves = [(np.asarray(n, dtype=float), np.asarray(v, dtype=float)) for n, v in chart.series.values() if len(n) > 1]
    n, values = min(curves, key=lambda pair: float(pair[1].min()))
    for slope, dashes in zip(chart.guides, (":", "-.", "--"), strict=False):
        last = 0.5 * float(values[n.argmax()])
        line = last * (np.array([n.min(), n.max()]) / n.max()) ** slope
        shown = "flat" if slope == 0.0 else "∝ N" if slope == 1.0 else f"∝ N^{slope:g}"
        panel.loglog([n.min(), n.max()], line, **{**style.GUIDE, "linestyle": dashes}, label=f"guide: {shown}")


def _size(size: float) -> str:
    """A size as people write it."""
    power = round(math.log10(size))
    return f"$10^{power}$" if power > 3 and size == 10.0**power else f"{size:g}"
