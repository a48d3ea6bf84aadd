"""Motion: configurations and paths, phase diagrams, coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from granum.base.names import Names
from granum.run import Run
from granum.run.grain_result import in_space
from granum.view import style
from granum.view.pictures.grains import limits_of, picture, snapshot
from granum.view.pictures.outlines import outlines, polyline, seen
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot
from granum.view.stage.actors import Actors

_MOST_LINKS = 5000
"""Links drawn in a picture of a configuration."""


@plot("bodies", needs="bodies, or [system.points] in a system of formulas")
def path(run: Run, *names: str) -> Figure:
    """Configurations at several times and paths of bodies (default: the one with the longest path)."""
    if run.has.grains:
        return _path_of_grains(run, names)
    dimension = run.dimension
    width, high = np.ptp(run.positions[..., :2].reshape(-1, 2), axis=0)
    height = 6.0 if dimension == 3 else min(max(5.2 * high / max(width, 1e-9) + 1.4, 2.6), 7.5)
    drawn, panels = style.figure(height=height, subplot_kw={"projection": "3d"} if dimension == 3 else {})
    panel = panels[0, 0]
    frames = np.unique(np.linspace(0, len(run.t) - 1, 9).astype(int))
    shades = ScalarMappable(Normalize(run.t[0], run.t[-1]), style.TIME_COLOURS)
    for frame in frames:
        _configuration(panel, run, int(frame), shades.to_rgba(run.t[frame]))
    for name, colour in zip(names or [_farthest(run)], style.COLOURS[1:], strict=False):
        panel.plot(*run.position(name).T, label=f"path of {name}", color=colour, linewidth=2.0)
    panel.set(xlabel="x [m]", ylabel="y [m]", title=title(run, "configurations and paths"), aspect="equal")
    if dimension == 3:
        panel.set_zlabel("z [m]")
        panel.locator_params(axis="z", nbins=3)  # a flat path leaves no room for more
    drawn.colorbar(shades, ax=panel, label="time [s]", shrink=0.8, pad=0.12 if dimension == 3 else 0.02)
    drawn.legend(loc="outside lower center", ncols=4)
    return drawn


def _path_of_grains(run: Run, names: Sequence[str]) -> Figure:
    """Paths of grains and bodies over the last picture; those of the scene by name, or some."""
    shown, note = (list(names), "") if names else chosen(_moving(run), (), "grain", 4)
    last = snapshot(run, -1)
    places = {name: seen(in_space(run.position(name)), run.dimension) for name in shown}
    left, right, low, high = limits_of([last], run.scene)
    points = np.concatenate([[[left, low], [right, high]], *places.values()])
    (left, low), (right, high) = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    drawn = picture(last, run.scene, colour="none", title=f"paths ({note})" if note else "paths",
                    limits=(left, right, low, high))
    axis = drawn.axes[0]
    for (name, line), (colour, dashes) in zip(places.items(), style.curves(), strict=False):
        axis.plot(*line.T, color=colour, linestyle=dashes, linewidth=1.6, label=name, zorder=6)
    drawn.legend(loc="outside lower center", ncols=4)
    return drawn


def _farthest(run: Run) -> str:
    """The body that gets around most."""
    return run.body_names[int(np.ptp(run.positions, axis=0).max(axis=1).argmax())]


def _configuration(panel: Any, run: Run, frame: int, colour: Any) -> None:
    """All links (some of very many) and rigid bodies at one instant."""
    position, links = run.positions[frame], Actors(run).links(frame)[..., : run.dimension]
    if lines := [*outlines(run, frame), *links[:: -(-len(links) // _MOST_LINKS) or 1]]:
        panel.plot(*polyline(lines).T, color=colour, linewidth=1.0)
    panel.plot(*position.T, "o", color=colour, markersize=4.0 if len(position) <= 100 else 1.0)


@plot(lambda run: run.has.coordinates or run.has.bodies, needs="bodies or coordinates")
def phase(run: Run, *names: str) -> Figure:
    """Phase diagram: velocity over position of bodies, or rate over coordinate of a system of formulas."""
    if run.has.coordinates and (any(run.coordinate_names.find(name) is not None for name in names)
                            or (not names and (run.scene.system.coordinates or not len(run.body_names)))):
        return _phase_of_coordinates(run, names)
    choice, dimension = _moving(run), run.dimension
    shown = list(names) or [choice[len(choice) - 1]]
    drawn, panels = style.figure(1, dimension, width=3.6 * dimension, height=3.6)
    for k, axis in enumerate("xyz"[:dimension]):
        for name, (colour, dashes) in zip(shown, style.curves(), strict=False):
            panels[0, k].plot(run.position(name)[:, k], run.velocity(name)[:, k], color=colour, linestyle=dashes,
                              label=name)
        panels[0, k].set(xlabel=f"{axis} [m]", ylabel=f"velocity along {axis} [m/s]")
    style.legend(panels[0, 0])
    drawn.suptitle(title(run, "phase diagram"))
    return drawn


def _phase_of_coordinates(run: Run, names: Sequence[str]) -> Figure:
    """q̇ against q, a panel for each coordinate."""
    for name in names:
        run.coordinate(name)  # refuses a name that is not there
    shown, note = (list(names), "") if names else chosen(run.coordinate_names, (), "coordinate", 6)
    columns = min(3, len(shown))
    rows = -(-len(shown) // columns)
    drawn, panels = style.figure(rows, columns, width=max(4.2, 3.2 * columns), height=3.0)
    for panel, name in zip(panels.flat, shown, strict=False):
        q, unit = run.coordinate(name), _unit(name)
        panel.plot(q, run.rate(name), color=style.COLOURS[0])
        panel.plot(q[:1], run.rate(name)[:1], "o", color=style.COLOURS[1], label=f"t = {run.t[0]:g} s")
        panel.set(xlabel=f"{name} [{unit}]", ylabel=f"rate of {name} [{_per_second(unit)}]")
    for panel in panels.flat[len(shown):]:
        panel.remove()
    style.legend(panels[0, 0])
    drawn.suptitle(title(run, "phase diagram", note))
    return drawn


def _unit(coordinate: str) -> str:
    """Unit of a coordinate: of bodies by its name; those of formulas are in the units of their formulas."""
    last = coordinate.rpartition(".")[2]
    if "." not in coordinate:
        return "SI"
    return "rad" if last == "angle" else "-" if last in ("u0", "u1", "u2", "u3") else "m"


def _per_second(unit: str) -> str:
    return "1/s" if unit == "-" else f"{unit}/s"


@plot("coordinates", needs="a system of formulas")
def coordinates(run: Run, *names: str) -> Figure:
    """Coordinates and rates of a system of formulas over time."""
    for name in names:
        run.coordinate(name)  # refuses a name that is not there
    groups: dict[str, list[str]] = {}
    for name in names or run.coordinate_names:
        groups.setdefault(_unit(name), []).append(name)
    drawn, panels = style.figure(len(groups), 2, width=9.0, height=2.9, sharex=True)
    notes = []
    for (left, right), (unit, own) in zip(panels, groups.items(), strict=True):
        shown, note = (own, "") if names else chosen(own, (), "coordinate")
        notes += [note] if note else []
        style.draw_curves(left, run.t, {name: run.coordinate(name) for name in shown})
        style.draw_curves(right, run.t, {name: run.rate(name) for name in shown}, labelled=False)
        left.set(ylabel=f"coordinate [{unit}]")
        right.set(ylabel=f"rate [{_per_second(unit)}]")
        style.legend(left)
    for panel in panels[-1]:
        panel.set(xlabel="time [s]")
    drawn.suptitle(title(run, "coordinates", "; ".join(notes)))
    return drawn


def _moving(run: Run) -> list[str] | Names:
    """Bodies that a plot shows unless others are named: of a run of grains those of the scene, if there are any."""
    if not run.has.grains:
        return run.body_names
    return [name for name in run.scene.body if name in run.numbers] or list(run.numbers)
