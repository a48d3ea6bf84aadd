"""Figures of published cases: data in, picture out."""

from __future__ import annotations

from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

from granum.published.case import Figure, Panel
from granum.view import style

_LOOKS = {"line": "-", "dashed": "--", "points": "o-", "dashed points": "s--", "marks": "o"}


def draw(figure: Figure, file: Path) -> Path:
    """Draw a figure, its panels row by row, and write it in the format of the file's suffix."""
    columns = len(figure.panels) // figure.rows
    labels = dict.fromkeys(curve.label for panel in figure.panels for curve in panel.curves)
    colours = dict(zip(labels, cycle(style.COLOURS), strict=False))
    with style.house():
        drawn, axes = style.figure(figure.rows, columns, width=max(6.4, 4.4 * columns),
                                   height=4.4 if figure.rows == 1 else 3.2)
        drawn.suptitle(figure.title)
        for axis, panel in zip(axes.ravel(), figure.panels, strict=True):
            if panel.z_label:
                _draw_space(_in_space(drawn, axis), panel, colours)
            else:
                _draw_panel(axis, panel, colours)
        return style.save(drawn, file)


def _draw_panel(axis: Any, panel: Panel, colours: dict[str, str]) -> None:
    """One pair of axes; a label has the same colour in every panel of a figure."""
    for curve in panel.curves:
        axis.plot(curve.x, curve.y, _LOOKS[curve.look], label=curve.label, color=colours[curve.label], markersize=4)
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, title=panel.title)
    if panel.log_x:
        axis.set_xscale("log")
        marks = _apart(sorted({float(x) for curve in panel.curves for x in curve.x}))
        axis.set_xticks(marks, [f"{mark:g}" if len(f"{mark:g}") < 6 else f"{mark:.2g}" for mark in marks])
        axis.minorticks_off()
    if panel.log_y:
        axis.set_yscale("log")
    if panel.equal:
        axis.set_aspect("equal", adjustable="datalim")
    axis.legend(fontsize="small")


def _apart(marks: list[float]) -> list[float]:
    """Those that have room for a label in a logarithmic axis."""
    kept = marks[:1]
    kept += [mark for before, mark in pairwise(marks) if mark > 1.05 * before]
    return kept


def _in_space(drawn: Any, axis: Any) -> Any:
    """Axes in space where flat ones were."""
    place = axis.get_subplotspec()
    axis.remove()
    return drawn.add_subplot(place, projection="3d")


def _draw_space(axis: Any, panel: Panel, colours: dict[str, str]) -> None:
    """One set of axes in space, seen from above and from the side."""
    for curve in panel.curves:
        axis.plot(curve.x, curve.y, curve.z, _LOOKS[curve.look], label=curve.label, color=colours[curve.label],
                  linewidth=0.9)
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, zlabel=panel.z_label, title=panel.title)
    axis.view_init(elev=35.0, azim=-60.0)
    axis.legend(fontsize="small")
