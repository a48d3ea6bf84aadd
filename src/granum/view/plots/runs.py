"""Plots of a run: energy, constraint errors, link forces, paths, phase diagrams, coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.run import Run
from granum.run.grain_result import GrainRun
from granum.system import Names
from granum.view import style
from granum.view.pictures.solids import outlines, polyline
from granum.view.plots.grains import draw_grain_plot
from granum.view.plots.rigidity import link_rigidity_plot

_LEAST = 1e-17
"""Floor of logarithmic axes: below round-off there is nothing to see."""
_MOST_LINES = 8
"""Curves in one panel that a reader can tell apart."""
_MOST_LINKS = 5000
"""Links drawn in a picture of a configuration."""


def draw(
    run: Run, what: str, file: Path, bodies: Sequence[str] = (), links: Sequence[str] = (),
    coordinates: Sequence[str] = (), frame: int = -1, colour: str = "speed",
) -> Path:
    """Draw one plot of a run into a file; `frame` is for pictures of one instant, `colour` for those of grains."""
    frame = run.frame_number(frame)
    if isinstance(run, GrainRun):
        with style.house():
            return style.save(draw_grain_plot(run, what, frame, colour), file)
    plots: dict[str, Callable[[Run, Sequence[str], Sequence[str]], Figure]] = {
        "energy": _energy, "constraint-errors": _constraint_errors, "reactions": _reactions, "path": _path,
        "phase": _phase, "coordinates": lambda run, bodies, links: _coordinates(run, coordinates),
        "rigidity": lambda run, bodies, links: link_rigidity_plot(run, frame),
    }
    with style.house():
        return style.save(plots[pick(what, plots, "plot")](run, bodies, links), file)


def _title(run: Run, what: str) -> str:
    return f"{run.scene.title}: {what}" if run.scene.title else what.capitalize()


def _chosen(names: Names, wanted: Sequence[str]) -> list[str]:
    """The names asked for, or some spread evenly over all of them, the last included."""
    if wanted:
        return list(wanted)
    count = len(names)
    return [names[k] for k in sorted(set(np.linspace(0, count - 1, min(count, _MOST_LINES)).astype(int).tolist()))]


def _energy(run: Run, bodies: Sequence[str], links: Sequence[str]) -> Figure:
    """Where the energy is, and what nothing accounts for."""
    energy = run.energy
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    changes = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total}
    for label, values in changes.items():
        top.plot(run.t, values - values[0], label=label)
    for name, values in energy.work.items():
        top.plot(run.t, values, "--", linewidth=1.0, label=f"work of {name}")
    top.set(ylabel="energy gained since the start [J]", title=_title(run, "energy ledger"))
    bottom.semilogy(run.t, np.maximum(np.abs(energy.error) / energy.scale, _LEAST), color=style.COLOURS[6],
                    label="not accounted for")
    for name, values in energy.corrected.items():
        if np.any(values):
            bottom.semilogy(run.t, np.maximum(np.abs(values) / energy.scale, _LEAST), label=f"{name} corrections")
    bottom.set(xlabel="time [s]", ylabel=f"part of {energy.scale:.3g} J [-]")
    for panel in (top, bottom):
        panel.legend(loc="best", ncols=2)
    return drawn


def _constraint_errors(run: Run, bodies: Sequence[str], links: Sequence[str]) -> Figure:
    """How well the links keep their lengths."""
    drawn, panels = style.figure()
    panel = panels[0, 0]
    panel.semilogy(run.t, np.maximum(run.constraint_errors[:, 0], _LEAST), label="length, relative to the link [-]")
    panel.semilogy(run.t, np.maximum(run.constraint_errors[:, 1], _LEAST), label="rate of a length [m/s]")
    panel.set(xlabel="time [s]", ylabel="largest error", title=_title(run, "constraint errors"))
    panel.legend()
    return drawn


def _reactions(run: Run, bodies: Sequence[str], links: Sequence[str]) -> Figure:
    """Link forces over time."""
    drawn, panels = style.figure(height=4.0)
    panel = panels[0, 0]
    for name in _chosen(run.link_names, links):
        panel.plot(run.t, run.reaction(name), label=name)
    panel.set(xlabel="time [s]", ylabel="link force, tension positive [N]", title=_title(run, "link forces"))
    panel.legend(ncols=2)
    return drawn


def _coordinates(run: Run, wanted: Sequence[str]) -> Figure:
    """Coordinates of a system of formulas and their rates over time."""
    if not run.by_formulas:
        raise GranumError("This run has bodies and links, no coordinates. Draw its path or phase.")
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    for name in _chosen(run.coordinate_names, wanted):
        top.plot(run.t, run.coordinate(name), label=name)
        bottom.plot(run.t, run.rate(name))
    top.set(ylabel="coordinate [m or rad]", title=_title(run, "coordinates"))
    bottom.set(xlabel="time [s]", ylabel="rate [1/s]")
    top.legend(ncols=2)
    return drawn


def _somewhere(run: Run) -> None:
    """Refuse pictures of places where there are none."""
    if not len(run.body_names):
        raise GranumError("This run has no bodies to draw, only coordinates: draw these (granum plot RUN coordinates), "
                          "or give the scene [system.points].")


def _path(run: Run, bodies: Sequence[str], links: Sequence[str]) -> Figure:
    """The configuration at some instants, coloured by time, and the paths of some bodies."""
    _somewhere(run)
    dimension = run.positions.shape[2]
    drawn, panels = style.figure(height=6.0, subplot_kw={"projection": "3d"} if dimension == 3 else {})
    panel = panels[0, 0]
    frames = np.unique(np.linspace(0, len(run.t) - 1, 9).astype(int))
    shades = ScalarMappable(Normalize(run.t[0], run.t[-1]), style.TIME_COLOURS)
    for frame in frames:
        _configuration(panel, run, int(frame), shades.to_rgba(run.t[frame]))
    for name in bodies or [_farthest(run)]:
        panel.plot(*run.position(name).T, label=f"path of {name}", color=style.COLOURS[1], linewidth=2.0)
    panel.set(xlabel="x [m]", ylabel="y [m]", title=_title(run, "configurations and paths"), aspect="equal")
    if dimension == 3:
        panel.set_zlabel("z [m]")
        panel.locator_params(axis="z", nbins=3)  # a flat path leaves no room for more
    drawn.colorbar(shades, ax=panel, label="time [s]", shrink=0.7)
    drawn.legend(loc="outside lower center", ncols=4)
    return drawn


def _farthest(run: Run) -> str:
    """The body that gets around most."""
    return run.body_names[int(np.ptp(run.positions, axis=0).max(axis=1).argmax())]


def _configuration(panel: Any, run: Run, frame: int, colour: Any) -> None:
    """All links (some of very many) and rigid bodies at one instant."""
    position, ends = run.positions[frame], run.link_ends
    if len(ends) > _MOST_LINKS:
        ends = ends[:: len(ends) // _MOST_LINKS]
    if len(ends):
        # one polyline with gaps is much faster to draw than thousands of segments
        gaps = np.full((len(ends), 1, position.shape[1]), np.nan)
        line: Floats = np.concatenate([position[ends[:, 0]][:, None], position[ends[:, 1]][:, None], gaps], axis=1)
        panel.plot(*line.reshape(-1, position.shape[1]).T, color=colour, linewidth=1.0)
    if run.by_formulas and (bodies := outlines(run, frame)):
        panel.plot(*polyline(bodies).T, color=colour, linewidth=1.0)
    panel.plot(*position.T, "o", color=colour, markersize=4.0 if len(position) <= 100 else 1.0)


def _phase(run: Run, bodies: Sequence[str], links: Sequence[str]) -> Figure:
    """Velocity against position, component by component."""
    _somewhere(run)
    names = list(bodies) or [run.body_names[len(run.body_names) - 1]]
    dimension = run.positions.shape[2]
    drawn, panels = style.figure(1, dimension, width=4.0 * dimension, height=3.8)
    for k, axis in enumerate("xyz"[:dimension]):
        for name in names:
            panels[0, k].plot(run.position(name)[:, k], run.velocity(name)[:, k], label=name)
        panels[0, k].set(xlabel=f"{axis} [m]", ylabel=f"velocity along {axis} [m/s]")
    panels[0, 0].legend()
    drawn.suptitle(_title(run, "phase diagram"), fontsize="medium")
    return drawn
