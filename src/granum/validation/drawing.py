"""Figures of published cases: data in, picture out."""

from __future__ import annotations

from functools import cache
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.kernels import Floats
from granum.validation.case import Curve, Figure, Panel
from granum.view import style
from granum.view.plots.surfaces import Ground, draw_contours, draw_surface, heights

_LOOKS = {"line": "-", "dashed": "--", "points": "o-", "dashed points": "s--", "marks": "o", "printed": "D"}
_OPAQUE = {"solid": 1.0, "glass": 0.3}
"""Looks of surfaces, and how much they hide."""
_PRINTED = ", printed"
"""End of the label of a curve that is printed: it has the colour of the one that is computed."""
_BEYOND = 0.1
"""How far a surface is shown beyond the curves, in their size."""


def draw(figure: Figure, file: Path) -> Path:
    """Draw a figure, its panels row by row, and write it in the format of the file's suffix."""
    if figure.picture is not None:
        with style.house():
            return style.save(figure.picture(), file)
    columns = len(figure.panels) // figure.rows
    curves = [curve for panel in figure.panels for curve in panel.curves]
    labels = dict.fromkeys(curve.label.removesuffix(_PRINTED) for curve in curves if curve.look != "printed")
    colours = dict(zip(labels, cycle(style.COLOURS[: style.MOST_CURVES]), strict=False))
    with style.house():
        drawn, axes = style.figure(figure.rows, columns, width=max(6.4, 4.4 * columns),
                                   height=4.4 if figure.rows == 1 else 3.4)
        drawn.suptitle(figure.title)
        drawn.get_layout_engine().set(wspace=0.06)  # type: ignore[union-attr,call-arg]
        shown = [_in_space(drawn, axis) if panel.z_label else axis
                 for axis, panel in zip(axes.ravel(), figure.panels, strict=True)]
        for axis, panel in zip(shown, figure.panels, strict=True):
            (_draw_space if panel.z_label else _draw_panel)(axis, panel, colours)
        _draw_legends(drawn, shown)
        return style.save(drawn, file)


def _draw_legends(drawn: Any, axes: list[Any]) -> None:
    """One legend below all panels where they have the same curves, else one for each."""
    legends = [axis.get_legend_handles_labels() for axis in axes]
    if len(axes) > 1 and all(labels == legends[0][1] for _, labels in legends):
        drawn.legend(*legends[0], loc="outside lower center", ncols=min(len(legends[0][1]), 5))
    else:
        style.legends(axes)


def _look(curve: Curve, colours: dict[str, str]) -> dict[str, Any]:
    """Colour and marks of a curve; a label has the same colour in every panel of a figure."""
    colour = colours.get(curve.label.removesuffix(_PRINTED), style.COLOURS[6])
    if curve.look == "printed":
        return {"color": colour, "fillstyle": "none", "markersize": 7, "linestyle": "", "marker": "D"}
    return {"color": colour, "markersize": 4}


def _draw_panel(axis: Any, panel: Panel, colours: dict[str, str]) -> None:
    """One pair of axes."""
    if panel.surface:
        filled = draw_contours(axis, _ground(panel))
        axis.figure.colorbar(filled, ax=axis, label=panel.z_label or "height of the surface [m]", shrink=0.85)
    for curve in panel.curves:
        axis.plot(curve.x, curve.y, *([] if curve.look == "printed" else [_LOOKS[curve.look]]),
                  label=curve.label, **_look(curve, colours))
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, title=panel.title)
    if panel.ticks:
        axis.set_xticks(range(len(panel.ticks)), panel.ticks)
        axis.margins(0.15)
    if panel.log_x:
        axis.set_xscale("log")
        marks = _apart(sorted({float(x) for curve in panel.curves for x in curve.x}))
        axis.set_xticks(marks, [f"{mark:g}" if len(f"{mark:g}") < 6 else f"{mark:.2g}" for mark in marks])
        axis.minorticks_off()
    if panel.log_y:
        axis.set_yscale("log")
    if panel.equal:
        axis.set_aspect("equal", adjustable="box" if panel.surface else "datalim")


def _ground(panel: Panel) -> Ground:
    """The surface under the curves of a panel, and a little around them."""
    x, y, z = (np.concatenate([getattr(curve, axis) for curve in panel.curves]) for axis in "xyz")
    if far := panel.reach:
        return _heights(panel.surface, (-far, -far), (far, far), float(np.nanmedian(z)))
    margin = _BEYOND * max(float(np.ptp(x)), float(np.ptp(y)))
    return _heights(panel.surface, (float(x.min()) - margin, float(y.min()) - margin),
                    (float(x.max()) + margin, float(y.max()) + margin), float(np.nanmedian(z)))


@cache
def _heights(equation: str, lower: tuple[float, float], upper: tuple[float, float], guess: float) -> Ground:
    low: Floats = np.array(lower)
    return heights(equation, low, np.array(upper), guess)


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
    if panel.surface:
        draw_surface(axis, _ground(panel))
    for curve in panel.curves:
        if curve.look in _OPAQUE:
            axis.plot_surface(curve.x, curve.y, curve.z, label=curve.label, color=colours[curve.label], linewidth=0.0,
                              alpha=_OPAQUE[curve.look], shade=True)
        else:
            axis.plot(curve.x, curve.y, curve.z, _LOOKS[curve.look], label=curve.label,
                      color=colours[curve.label], linewidth=0.9, zorder=5)
    axis.set(xlabel=panel.x_label, ylabel=panel.y_label, zlabel=panel.z_label, title=panel.title)
    axis.locator_params(nbins=3 if panel.equal else 5)
    if panel.equal:
        axis.set_aspect("equal")
    axis.view_init(elev=35.0, azim=-60.0)
