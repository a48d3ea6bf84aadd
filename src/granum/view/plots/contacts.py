"""Contacts of grains: how well they are solved, how many there are, how forces spread, stress, bonds that break."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot


@plot(lambda run: run.has.grains and len(run.t) > 1, needs="grains")
def contacts(run: Run) -> Figure:
    """Overlaps, contact residuals, imbalances of grains and lost power over time."""
    shown = "imbalance" in run.figures
    drawn, (top, bottom, *more) = style.over_time(
        title(run, "contacts"), "overlap / radius [-]", "relative residual [-]",
        *["imbalance / weight,\nlost power [-]"] * shown, height=2.8)
    t, figures = run.t[1:], {name: values[1:] for name, values in run.figures.items()}
    style.semilog(top, t, figures["mean_overlap"], label="mean")
    style.semilog(top, t, figures["largest_overlap"], label="largest")
    if "residual" in figures:
        style.semilog(bottom, t, figures["residual"], label="largest per step")
        tolerance = run.metadata["contact_tolerance"]
        bottom.axhline(tolerance, color=style.COLOURS[6], linewidth=1.0, label="tolerance")
        bottom.update_datalim([(0.0, 0.1 * tolerance), (0.0, 10.0 * tolerance)], updatex=False)  # it may be alone
    else:
        bottom.set(yticks=[])
        bottom.text(0.5, 0.5, f"no residual: contact forces of {run.scene.run.solver} follow from "
                              "overlaps", ha="center",
                    transform=bottom.transAxes, color=style.GUIDE["color"])
    for panel in more:
        style.semilog(panel, t, figures["imbalance"], label="imbalance, worst step")
        style.semilog(panel, t, figures["last_imbalance"], label="imbalance, last step")
        style.semilog(panel, t, figures["lost_power"], label="lost power, worst step")
    style.say_zero(top)
    style.legends((top, bottom, *more))
    return drawn


@plot("contacts", needs="grains with recorded contacts")
def coordination(run: Run) -> Figure:
    """Coordination number over time, with and without rattlers."""
    drawn, (panel,) = style.over_time(title(run, "coordination number"), "contacts per grain [-]")
    numbers = [run.coordination(index) for index in range(len(run.t))]
    panel.plot(run.t, [one.mean for one in numbers], label="all grains")
    panel.plot(run.t, [one.backbone for one in numbers], label="without rattlers")
    style.legend(panel)
    return drawn


@plot(lambda run: run.has.contacts and _last_push(run) >= 0, needs="grains with recorded contact forces")
def force_distribution(run: Run, frame: int | None = None) -> Figure:
    """Probability density of contact forces relative to their mean, in a frame (default: the last one with forces)."""
    number = _last_push(run) if frame is None else run.frame_number(frame)
    count = len(run.frame(number).force)
    density, edges = run.force_distribution(number, min(max(8, round(1.5 * math.sqrt(count))), 40))
    middle, shown = 0.5 * (edges[1:] + edges[:-1]), density > 0.0
    drawn, panels = style.figure(height=3.8, width=6.0)
    panel = panels[0, 0]
    # bins hold numbers of contacts: their scatter is the root of these
    contacts_of_bin = density * np.diff(edges) * count
    panel.errorbar(middle[shown], density[shown], (density / np.sqrt(np.maximum(contacts_of_bin, 1.0)))[shown], fmt="o",
                   capsize=2, linewidth=0.8, label=f"{count} contacts")
    x: Floats = np.linspace(0.0, float(edges[-1]), 200)
    for label, y, dashes in (("guide: exponential", np.exp(-x), ":"),
                             ("guide: half-Gaussian", 2.0 / math.pi * np.exp(-x**2 / math.pi), "--")):
        panel.plot(x, y, **{**style.GUIDE, "linestyle": dashes}, label=label, zorder=0)
    panel.set(xlabel="contact force / mean, f/⟨f⟩ [-]", ylabel="probability density [-]", yscale="log",
              ylim=(0.3 * float(density[shown].min()), 3.0 * max(1.0, float(density.max()))),
              title=title(run, f"contact forces at t = {run.t[number]:.4g} s"))
    style.legend(panel)
    return drawn


@plot("contacts", needs="grains with recorded contacts")
def stress(run: Run, *probes: str, volume: float | None = None) -> Figure:
    """Mean stress over time in the region of a packing probe, in a given volume, or in the box around all grains."""
    if len(probes) > 1 or (probes and volume is not None):
        raise GranumError("Stress is plotted for one packing probe or one volume. Give only one of them.")
    chosen(run.probe_names("packing"), probes, "packing probe")
    inside = [k for k in range(len(run.t)) if run.counts[k]]
    stresses = [run.stress(volume, k, *probes) for k in inside]
    tensors = np.array([one.tensor for one in stresses])
    unit, t = "N/m" if run.dimension == 2 else "Pa", run.t[inside]
    where = f"in {probes[0]}" if probes else "in the box around the grains" if volume is None else \
        f"in {volume:g} {'m²' if run.dimension == 2 else 'm³'}"
    drawn, (top, bottom) = style.over_time(title(run, f"mean stress {where}"), "stress (compression positive) "
                                                                               f"[{unit}]",
                                           f"stress [{unit}]", height=2.8)
    for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        if max(a, b) >= run.dimension:
            continue
        top.plot(t, 0.5 * (tensors[:, a, b] + tensors[:, b, a]), "-" if a == b else "--",
                 label=f"σ {'xyz'[a]}{'xyz'[b]}")
    bottom.plot(t, [one.pressure for one in stresses], label="pressure p = tr σ/d")
    bottom.plot(t, [one.deviator for one in stresses], label="deviator √(s:s/2)")
    style.legends((top, bottom))
    return drawn


@plot("bonds", needs="bonds: [bond.NAME]")
def bonds(run: Run) -> Figure:
    """Intact bonds and fragments over time."""
    sizes = [run.fragments(index) for index in range(len(run.t))]
    lines = {"intact bonds [-]": run.bonds_left, "fragments [-]": [len(one) for one in sizes],
             "grains in largest [-]": [int(one.max(initial=0)) for one in sizes]}
    drawn, panels = style.over_time(title(run, "bonds and fragments"), *lines, height=1.9)
    for panel, values, colour in zip(panels, lines.values(), style.COLOURS, strict=False):
        panel.plot(run.t, values, color=colour, drawstyle="steps-post")
        panel.set(ylim=(0.0, None))
    return drawn


@plot("merging", needs="merged clusters: merge_clusters = true under [run]")
def merged(run: Run) -> Figure:
    """Merged bodies over time, and the grains in them."""
    drawn, panels = style.over_time(title(run, "merged clusters"), "merged bodies [-]", "grains in them [-]",
                                    height=2.2)
    for panel, values in zip(panels, run.merged.T, strict=True):
        panel.plot(run.t, values, drawstyle="steps-post")
        panel.set(ylim=(0.0, None))
    return drawn


def _last_push(run: Run) -> int:
    """The last frame in which contacts push; -1 if there is none."""
    return next((k for k in range(len(run.t) - 1, -1, -1) if np.any(run.frame(k).force)), -1)
