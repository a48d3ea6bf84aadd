"""A small picture of a run without axes: grains of its last frame, or a system at some instants with a path."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.run import Run
from granum.view import style
from granum.view.pictures.grains import draw_arch, draw_forces, draw_snapshot, limits_of, shading, snapshot
from granum.view.pictures.outlines import Limits, outlines, polyline

_SIZE = 2.6
"""Longer side [inches]."""
_NARROW = 0.35
"""Shorter side as a part of the longer one, at least."""
_OUTLINED = 150
"""Grains up to which each has a rim."""
_INSTANTS = 5
_MOST_LINKS = 5000
_EYE = np.array([[np.cos(0.6), np.sin(0.6), 0.0], [-np.sin(0.6) * np.sin(0.4), np.cos(0.6) * np.sin(0.4), np.cos(0.4)]])
"""(2, 3): right and up of one who looks at a 3-D system from the side and a little from above."""


def thumbnail(run: Run, frame: int = -1, limits: Limits | None = None) -> bytes:
    """A picture of a run as PNG; frame and limits are those of grains."""
    run.refuse_empty()
    drawn = Figure(dpi=110)
    with style.house():
        panel = drawn.add_axes((0.0, 0.0, 1.0, 1.0))
        panel.axis("off")
        if run.has.grains:
            _grains(panel, run, frame, limits)
        elif run.has.bodies:
            _system(panel, run)
        else:
            _coordinates(panel, run)
        written = BytesIO()
        _fit(drawn, panel)
        drawn.savefig(written, format="png", dpi=110, metadata={"Software": None})
    return written.getvalue()


def _grains(panel: Axes, run: Run, frame: int, limits: Limits | None) -> None:
    """Grains and boundaries of a frame, coloured by speed; of a jammed flow, force chains and the arch."""
    shown = snapshot(run, frame)
    speed = shown.values["speed"]
    colours = np.asarray(shading(speed, 0.0).to_rgba(speed)) if shown.arched is None else None
    drawn = draw_snapshot(panel, shown._replace(bonds=shown.bonds[:0]), run.scene,
                          limits or limits_of([shown], run.scene), colours, link_width=0.8)
    if shown.arched is not None:
        draw_forces(panel, shown, widest=3.0)
        draw_arch(panel, shown)
    if len(shown.radii) > _OUTLINED:
        drawn.set_linewidth(0.0)


def _system(panel: Axes, run: Run) -> None:
    """Links and bodies at some instants, early ones light, and the path of the body that gets around most."""
    shades = colormaps[style.TIME_COLOURS]
    farthest = int(np.ptp(run.positions, axis=0).max(axis=1).argmax())
    panel.plot(*_seen(run.positions[:, farthest]).T, color=style.COLOURS[1], linewidth=1.0)
    ends = np.concatenate([run.link_ends, run.line_ends, run.joint_ends])
    ends = ends[:: 1 + len(ends) // _MOST_LINKS]
    for k, frame in enumerate(np.linspace(0, len(run.t) - 1, _INSTANTS).astype(int)):
        colour, place = shades((k + 1) / _INSTANTS), run.positions[frame]
        lines = [place[pair] for pair in ends] + outlines(run, int(frame))
        if lines:
            panel.plot(*_seen(polyline(lines)).T, color=colour, linewidth=1.0)
        panel.plot(*_seen(place).T, "o", color=colour, markersize=2.5 if len(place) <= 100 else 0.7)
    panel.set(aspect="equal")
    panel.margins(0.05)


def _coordinates(panel: Axes, run: Run) -> None:
    """Coordinates over time, where a system of formulas has no points."""
    for name in list(run.coordinate_names)[: len(style.COLOURS)]:
        panel.plot(run.t, run.coordinate(name))


def _seen(points: Floats) -> Floats:
    """(n, 2): points as they are seen."""
    return points if points.shape[1] == 2 else points @ _EYE.T


def _fit(drawn: Figure, panel: Axes) -> None:
    """Give a figure the shape of what it shows."""
    width, height = abs(np.diff(panel.get_xlim())[0]), abs(np.diff(panel.get_ylim())[0])
    if panel.get_aspect() == "auto":
        width, height = 1.5, 1.0
    longer = max(width, height)
    drawn.set_size_inches(_SIZE * max(width / longer, _NARROW), _SIZE * max(height / longer, _NARROW))
