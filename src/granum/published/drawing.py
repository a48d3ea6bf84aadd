"""Figures of published cases: data in, picture out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # pictures are written to files; no display is needed

from cycler import cycler
from matplotlib import pyplot as plt

from granum.published.case import Figure, Panel

# Okabe and Ito's palette, told apart with any colour vision; line styles follow so that grey prints work too
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

_STYLE: Any = {
    "axes.prop_cycle": cycler(color=COLOURS), "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.titlesize": "medium", "legend.frameon": False,
    "legend.fontsize": "small", "savefig.dpi": 150, "lines.linewidth": 1.4, "lines.markersize": 4.0,
    "figure.constrained_layout.use": True, "svg.hashsalt": "granum",
}
_LOOKS = {"line": "-", "dashed": "--", "points": "o-", "dashed points": "s--"}


def draw(figure: Figure, file: Path) -> Path:
    """Draw a figure, its panels side by side, and write it in the format of the file's suffix."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(_STYLE):
        width = 6.4 if len(figure.panels) == 1 else 4.0 * len(figure.panels)
        drawn, axes = plt.subplots(1, len(figure.panels), figsize=(width, 4.2), squeeze=False)
        drawn.suptitle(figure.title)
        for axis, panel in zip(axes[0], figure.panels, strict=True):
            _draw_panel(axis, panel)
        drawn.savefig(file)
        plt.close(drawn)
    return file


def _draw_panel(axis: Any, panel: Panel) -> None:
    for curve in panel.curves:
        axis.plot(curve.x, curve.y, _LOOKS[curve.look], label=curve.label)
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, title=panel.title)
    if panel.log_x:
        axis.set_xscale("log")
    if panel.log_y:
        axis.set_yscale("log")
    if panel.equal:
        axis.set_aspect("equal", adjustable="datalim")
    axis.legend()
