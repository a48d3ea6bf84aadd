"""Pictures of rigid clusters: each in a colour, over-determined bonds thick, what moves by itself pale."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from granum.assembly.points import compile_points
from granum.assembly.points.rigidity import link_rigidity
from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints
from granum.base.text import count
from granum.run import Run
from granum.topology import Rigidity
from granum.view import style
from granum.view.pictures.grains import Snapshot, draw_snapshot, limits_of, snapshot
from granum.view.pictures.outlines import seen
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot

_PALE = "#D8D8D8"
_LOOSE = "#909090"
_IN_SPACE = 500
"""Grains in 3-D up to which clusters are drawn."""
_THIN, _THICK = 0.8, 2.6
"""Widths of bonds that are needed, and of those that are over-determined [points]."""


def cluster_colours(label: Ints, otherwise: str) -> Floats:
    """(n, 4): a colour for each label; the largest clusters have their own, small ones share, -1 is `otherwise`."""
    colours = np.array([to_rgba(colour) for colour in style.COLOURS[:6]])
    tints = colours[label % len(colours)]
    tints[label < 0] = to_rgba(otherwise)
    return tints


def _worth_a_colour(rigidity: Rigidity) -> Flags:
    """(clusters,): those of several bonds; in a floppy net of points every link is a cluster of its own."""
    flags: Flags = np.bincount(rigidity.label[rigidity.label >= 0], minlength=rigidity.count) > 1
    return flags


def body_labels(rigidity: Rigidity) -> Ints:
    """(bodies,): the largest cluster of several bonds that each is in, or -1."""
    label = np.full(rigidity.bodies + 1, -1)
    for cluster in np.flatnonzero(_worth_a_colour(rigidity))[::-1]:
        label[rigidity.members(int(cluster))] = cluster
    return label[: rigidity.bodies]


def draw_bonds(axis: Any, rigidity: Rigidity, start: Floats, end: Floats) -> None:
    """Draw bonds from `start` to `end` in the colours of their clusters, over-determined ones thick."""
    label = rigidity.label[: len(start)]
    shown = np.append(_worth_a_colour(rigidity), False)[label]
    lines: Any = [*np.stack([start, end], axis=1)]
    options: dict[str, Any] = {
        "linewidths": np.where(rigidity.stressed[: len(start)], _THICK, _THIN),
        "colors": cluster_colours(np.where(shown, label, -1), _LOOSE)}
    if start.shape[1] == 2:
        axis.add_collection(LineCollection(lines, zorder=4, capstyle="round", **options))
        return
    for line, width, colour in zip(lines, options["linewidths"], options["colors"], strict=True):
        axis.plot(*line.T, linewidth=width, color=colour)


def _words(rigidity: Rigidity, what: str) -> str:
    return (f"largest rigid cluster {count(rigidity.largest, what)}, {int(rigidity.redundant.sum())} redundant, "
            f"{count(rigidity.freedoms, 'floppy mode')}")


def _legend(axis: Axes) -> None:
    """What widths and grey mean; colours only tell clusters apart."""
    axis.figure.legend(loc="outside lower center", ncols=3, handles=[
        Line2D([], [], color=style.COLOURS[0], linewidth=_THICK, label="over-determined"),
        Line2D([], [], color=style.COLOURS[0], linewidth=_THIN, label="isostatic"),
        Line2D([], [], color=_LOOSE, linewidth=_THIN, label="floppy")])


@plot(lambda run: _has_clusters(run),
      needs="grains with recorded contacts (few of them in 3-D), or point masses and links")
def rigidity(run: Run, frame: int = -1) -> Figure:
    """Rigid clusters in a frame by colour, over-determined contacts or links as thick lines."""
    number = run.frame_number(frame)
    return _of_grains(run, number) if run.has.grains else _of_links(run, number)


@plot(probe="rigidity")
def rigidity_over_time(run: Run, *probes: str) -> Figure:
    """Largest rigid cluster, redundant contact rows and floppy modes over time, for rigidity probes."""
    shown, note = chosen(run.probe_names("rigidity"), probes, "rigidity probe")
    labels = {"largest": "grains in\nlargest cluster [-]", "redundant": "redundant\nrows [-]",
              "floppy_modes": "floppy modes [-]"}
    drawn, panels = style.over_time(title(run, "rigidity", note), *labels.values(), height=1.9)
    for panel, key in zip(panels, labels, strict=True):
        style.draw_curves(panel, run.t, {name: run.rigidity_probe(name)[key] for name in shown})
    style.legend(panels[0])
    return drawn


def _of_grains(run: Run, frame: int) -> Figure:
    """Grains of a frame in the colours of their rigid clusters, with their contacts."""
    taken, clusters = snapshot(run, frame), run.rigidity(frame)
    assert taken.chains is not None
    shown = Snapshot(taken.positions, taken.radii, run.dimension, taken.t, poses=taken.poses)
    limits = left, right, low, high = limits_of([shown], run.scene)
    height = min(max(5.2 * (high - low) / (right - left), 0.8), 14.0) + 1.2
    drawn, panels = style.figure(1, 1, 7.0, height)
    axis = panels[0, 0]
    axis.set(xlabel="x [m]", ylabel="y [m]" if run.dimension == 2 else "z [m]",
             title=f"t = {shown.t:.4g} s: {_words(clusters, 'grain')}")
    axis.grid(False)
    grains = draw_snapshot(axis, shown, run.scene, limits)
    order = np.argsort(-shown.positions[:, 1], kind="stable") if run.dimension == 3 else np.arange(len(shown.radii))
    colours = style.paler(cluster_colours(body_labels(clusters), _PALE), 0.55)  # paler than the contacts on them
    grains.set_facecolor([*map(tuple, colours[order])])
    draw_bonds(axis, clusters, *(seen(ends, run.dimension) for ends in taken.chains[:2]))
    _legend(axis)
    return drawn


def rigidity_of_links(run: Run, frame: int) -> Rigidity | None:
    """Rigid clusters of point masses and links in a frame; None where a net in 3-D is too large."""
    system, _ = compile_points(run.scene)
    rigidity = link_rigidity(system, np.ascontiguousarray(run.positions[frame][system.body_order].T))
    return None if rigidity is None else rigidity.rigidity


def _of_links(run: Run, frame: int) -> Figure:
    """Links of a frame in the colours of their rigid clusters."""
    clusters = rigidity_of_links(run, frame)
    if clusters is None:
        raise GranumError("This 3-D net is too large to search for rigid clusters.")
    system, _ = compile_points(run.scene)
    position = run.positions[frame]
    options = {"subplot_kw": {"projection": "3d"}} if system.dimension == 3 else {}
    drawn, panels = style.figure(1, 1, 7.0, 6.0, **options)
    axis = panels[0, 0]
    tail, head = (position[system.body_order[end]] for end in (system.links.tail, system.links.head))
    draw_bonds(axis, clusters, tail, head)
    axis.scatter(*position.T, s=12.0, color="#404040", zorder=5)
    axis.set(xlabel="x [m]", ylabel="y [m]", aspect="equal",
             title=f"t = {run.t[frame]:.4g} s: {_words(clusters, 'body')}")
    _legend(axis)
    return drawn


def _has_clusters(run: Run) -> bool:
    """Are there links or contacts whose rigid clusters can be found? In space that takes the cube of their number."""
    few = not run.has.grains or run.dimension == 2 or int(run.counts.max()) <= _IN_SPACE
    return run.has.rigidity and few
