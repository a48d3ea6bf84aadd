"""Figures of published cases: data in, picture out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from granum.published.case import Figure, Panel
from granum.view import style

_LOOKS = {"line": "-", "dashed": "--", "points": "o-", "dashed points": "s--"}


def draw(figure: Figure, file: Path) -> Path:
    """Draw a figure, its panels side by side, and write it in the format of the file's suffix."""
    with style.house():
        panels = len(figure.panels)
        drawn, axes = style.figure(1, panels, width=6.4 if panels == 1 else 4.0 * panels, height=4.2)
        drawn.suptitle(figure.title)
        for axis, panel in zip(axes[0], figure.panels, strict=True):
            _draw_panel(axis, panel)
        return style.save(drawn, file)


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
