"""Flow of grains: what passes, how fast, and how densely regions are filled."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure

from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot


@plot(probe="flow")
def flow(run: Run, *probes: str, window: float | None = None) -> Figure:
    """Grains passed, flow rate and number of grains over time, for flow probes."""
    shown, note = chosen(run.probe_names("flow"), probes, "flow probe", 4)
    drawn, (top, middle, bottom) = style.over_time(title(run, "flow", note), "grains passed [-]",
                                                   "flow rate [grains/s]", "grains present [-]", height=2.3)
    for name, colour in zip(shown, style.COLOURS, strict=False):
        top.plot(run.t, run.passed(name)[0], color=colour, label=name)
        rate = run.flow_rate(name, window)
        if not len(rate.t):
            continue
        half = 0.5 * rate.window
        middle.stairs(rate.rate, np.append(rate.t - half, rate.t[-1] + half), color=colour, alpha=0.6,
                      label=f"{name}, averaged over {rate.window:.3g} s")
        scatter = "" if math.isnan(rate.error) else f" ± {rate.error:.2g}"
        middle.axhline(rate.mean, color=colour, linestyle="--", linewidth=1.0,
                       label=f"mean {rate.mean:.3g}{scatter} 1/s")
    bottom.plot(run.t, run.counts, color=style.COLOURS[6])
    if run.jam is not None:
        for panel in (top, middle, bottom):
            panel.axvline(run.jam.begin, color=style.COLOURS[1], linewidth=1.0,
                          label=f"jammed at {run.jam.begin:.3g} s" if panel is top else None)
    style.legends((top, middle))
    return drawn


@plot(probe="packing")
def packing(run: Run, *probes: str) -> Figure:
    """Packing fraction over time, for packing probes."""
    shown, note = chosen(run.probe_names("packing"), probes, "packing probe")
    drawn, (panel,) = style.over_time(title(run, "packing", note), "packing fraction [-]")
    style.draw_curves(panel, run.t, {name: run.packing(name) for name in shown})
    style.legend(panel)
    return drawn
