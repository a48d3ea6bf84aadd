"""Figures of published cases: data in, picture out."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # pictures are written to files; no display is needed

from matplotlib import pyplot as plt

from granum.base.errors import GranumError
from granum.published.case import Figure, Panel

# Okabe and Ito's palette, told apart with any colour vision
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

_STYLE: Any = {
    "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.titlesize": "medium", "legend.frameon": False,
    "legend.fontsize": "small", "savefig.dpi": 150, "lines.linewidth": 1.4, "lines.markersize": 4.0,
    "figure.constrained_layout.use": True, "svg.hashsalt": "granum",
}
_LOOKS = {"line": "-", "dashed": "--", "points": "o-", "dashed points": "s--"}


def draw(figure: Figure, file: Path) -> Path:
    """Draw a figure, its panels row by row, and write it in the format of the file's suffix."""
    columns = len(figure.panels) // figure.rows
    with plt.rc_context(_STYLE):
        size = (max(6.4, 4.4 * columns), 4.4 if figure.rows == 1 else 3.2 * figure.rows)
        drawn, axes = plt.subplots(figure.rows, columns, figsize=size, squeeze=False)
        drawn.suptitle(figure.title)
        labels = dict.fromkeys(curve.label for panel in figure.panels for curve in panel.curves)
        colours = dict(zip(labels, cycle(COLOURS), strict=False))
        for axis, panel in zip(axes.ravel(), figure.panels, strict=True):
            _draw_panel(axis, panel, colours)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            drawn.savefig(file)
        except OSError as error:
            raise GranumError(f"{file} cannot be written: {error.strerror}. Name another folder.") from None
        finally:
            plt.close(drawn)
    return file


def _draw_panel(axis: Any, panel: Panel, colours: dict[str, str]) -> None:
    """One pair of axes; a label has the same colour in every panel of a figure."""
    for curve in panel.curves:
        axis.plot(curve.x, curve.y, _LOOKS[curve.look], label=curve.label, color=colours[curve.label])
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, title=panel.title)
    if panel.log_x:
        axis.set_xscale("log")
        marks = sorted({float(x) for curve in panel.curves for x in curve.x})
        axis.set_xticks(marks, [f"{mark:g}" for mark in marks])
        axis.minorticks_off()
    if panel.log_y:
        axis.set_yscale("log")
    if panel.equal:
        axis.set_aspect("equal", adjustable="datalim")
    axis.legend()
