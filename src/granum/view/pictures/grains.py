"""Pictures of grains: disks in 2-D, spheres in 3-D seen along y, boundaries, force chains."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from granum.base.errors import GranumError, pick
from granum.base.kernels import Flags, Floats, Ints
from granum.base.text import count
from granum.model.scene import Scene
from granum.run import Run
from granum.view import style
from granum.view.pictures.outlines import LINE, NOWHERE, Limits, Poses, draw_boundaries, extent, poses_of, seen
from granum.view.stage.actors import Actors
from granum.view.stage.items import Chains

COLOURS_BY = {"speed": "speed [m/s]", "size": "radius [m]", "force": "contact forces [N]", "none": ""}
"""What grains are coloured by, and the label of it."""
_PLAIN = "#9EC9E2"
_FORCES = "#B2182B"
_BONDS = "#202020"
_ARCH = "#101010"
_OUTLINED = 4000
"""Grains up to which each has a rim: more would be drawn black."""
_VECTORS = 20_000
"""Grains up to which a picture in vectors keeps them as such."""
_BEYOND = 0.05
"""How far boundaries are shown beyond the grains, in the size of the heap of grains."""
_FLAT = 2.4
"""Height of a picture below which the bar of colours lies under it [inches]."""
_UNDER_FORCES = 0.55
"""How far colours of grains go to white under force chains."""
_HAZE = 0.65
"""How far the colour of the farthest sphere goes to white."""


class Snapshot(NamedTuple):
    """Grains at an instant, and what is around them."""

    positions: Floats
    """(N, 3) [m]"""
    radii: Floats
    """(N,) [m]"""
    dimension: int = 2
    t: float = 0.0
    values: Mapping[str, Floats] = {}
    """(N,) each: speed [m/s] and contact forces [N], where they are known."""
    chains: Chains | None = None
    """Contact forces, where they are known."""
    poses: Poses = NOWHERE
    """Of boundaries that move, rods and blocks."""
    links: Floats = np.zeros((0, 2, 3))
    """(links, 2, 3): ends of links [m]."""
    bonds: Floats = np.zeros((0, 2, 3))
    """(bonds, 2, 3): centres of grains that bonds hold together [m]."""
    bodies: Ints | None = None
    """(N,) body that each grain is part of, where some have several and no bonds show it."""
    arched: Flags | None = None
    """(N,) is a grain part of an arch that jams the flow? None where no flow is jammed."""


def snapshot(run: Run, frame: int = -1) -> Snapshot:
    """Grains of a frame for a picture."""
    actors, frame = Actors(run), run.frame_number(frame)
    balls, links, named = actors.balls(frame), actors.links(frame), len(run.scene.link)
    several, arched = len(np.unique(balls.bodies)) < len(balls.bodies), run.arched(frame)
    return Snapshot(
        balls.positions, balls.radii, run.dimension, float(run.t[frame]),
        {by: actors.values(frame, by) for by in ("speed", "force") if by in actors.quantities},
        actors.chains(frame) if run.has.contacts else None, poses_of(actors, frame), links[:named], links[named:],
        balls.bodies if several and not run.scene.bond else None, arched if arched.any() else None)


def draw_snapshot(
    axis: Axes, shown: Snapshot, scene: Scene | None, limits: Limits, colours: Floats | None = None, pale: float = 0.0,
    link_width: float = 1.0,
) -> EllipseCollection:
    """Grains, boundaries, links and bonds within limits; the grains are returned."""
    left, right, low, high = limits
    axis.set(xlim=(left, right), ylim=(low, high), aspect="equal")
    drawn = draw_grains(axis, shown, colours, pale)
    if scene is not None:
        depth = float(shown.positions[:, 1].mean()) if len(shown.positions) else 0.0
        draw_boundaries(axis, scene, shown.dimension, shown.poses, shown.t, depth)
    looks: Any = {"color": LINE, "linewidth": link_width}, {"color": _BONDS, "linewidth": 1.0, "capstyle": "round"}
    for ends, look, zorder in zip((shown.links, shown.bonds), looks, (2, 3), strict=True):
        if len(ends):
            axis.add_collection(LineCollection([*seen(ends, shown.dimension)], zorder=zorder, **look), autolim=False)
    return drawn


def draw_grains(axis: Axes, shown: Snapshot, colours: Floats | None = None, pale: float = 0.0) -> EllipseCollection:
    """Draw grains in colours (N, 4); spheres from the farthest to the nearest, and the farther the paler.

    Colours go to white by the part `pale`, so that what is drawn over the grains is seen. Where grains are parts of
    bodies, disks have rims only where the body ends.
    """
    count, dimension, depth = len(shown.radii), shown.dimension, shown.positions[:, 1]
    colours = np.tile(to_rgba(_PLAIN), (count, 1)) if colours is None else style.paler(colours, pale)
    order = np.arange(count)
    if dimension == 3 and count:
        order = np.argsort(-depth, kind="stable")
        depth = depth - depth.min()
        haze = _HAZE * depth / max(float(depth.max()), float(shown.radii.max()))  # none where all are equally far
        colours = style.paler(colours, haze[:, None])
    rim = {"edgecolors": "#404040", "linewidths": 0.4} if count <= _OUTLINED else {"linewidths": 0.0}
    look: Any = {"facecolors": colours[order], "rasterized": count > _VECTORS}
    drawn = _disks(axis, shown, order, zorder=1, **look, **rim)
    if shown.bodies is not None and dimension == 2:  # faces once more, over the rims inside bodies
        _disks(axis, shown, order, 0.98, zorder=1.1, linewidths=0.0, **look)
    return drawn


def _disks(axis: Axes, shown: Snapshot, chosen: Any, part: float = 1.0, **look: Any) -> EllipseCollection:
    """Some grains as disks of a part of their size."""
    size = part * (2.0 * shown.radii[chosen])
    drawn = EllipseCollection(size, size, np.zeros(len(size)), units="xy", offset_transform=axis.transData,
                              offsets=seen(shown.positions[chosen], shown.dimension), **look)
    axis.add_collection(drawn)
    return drawn


def draw_forces(axis: Axes, shown: Snapshot, widest: float = 5.0, largest: float | None = None) -> LineCollection:
    """Draw contact forces as lines between centres (to the contact at a boundary), as wide as they are strong.

    Args:
        widest: width of the strongest [points].
        largest: force that is as wide as that [N]; left out, the largest one here.
    """
    if shown.chains is None:
        raise GranumError("Force chains need contact forces, but this snapshot has none.")
    starts, ends, forces, _ = shown.chains
    most, lines = largest or float(forces.max(initial=0.0)) or 1.0, seen(np.stack([starts, ends], 1), shown.dimension)
    drawn = LineCollection([*lines], linewidths=widest * forces / most, color=_FORCES, zorder=4, capstyle="round")
    axis.add_collection(drawn, autolim=False)
    return drawn


def draw_arch(axis: Axes, shown: Snapshot) -> EllipseCollection:
    """Draw thick rims around the grains of an arch."""
    return _disks(axis, shown, shown.arched, facecolors="none", edgecolors=_ARCH, linewidths=2.2, zorder=5)


def shading(values: Floats, low: float = math.inf) -> ScalarMappable:
    """Colours of values, from the least (or `low`, if that is less) to the greatest."""
    return style.shades(float(values.min(initial=low)), float(values.max(initial=-math.inf)))


def colour_values(shown: Snapshot, by: str) -> Floats | None:
    """(N,) what grains are coloured by: their speed, radius or the sum of the forces of their contacts."""
    known = {**shown.values, "size": shown.radii, "none": None}
    if pick(by, COLOURS_BY, "colouring") not in known:
        lacks, other = {"speed": ("velocities", "size"), "force": ("contacts", "speed")}[by]
        raise GranumError(f"Colouring grains by {by} needs {lacks}, which this snapshot does not have. Colour by "
                          f"{other}.")
    return known[by]


def limits_of(shown: list[Snapshot], scene: Scene | None) -> Limits:
    """What a picture must show: all grains, and the boundaries that have an end, with some margin.

    Boundaries that reach far beyond the grains are cut: it is the grains that one wants to see.
    """
    dimension, around, points = shown[0].dimension, [np.zeros((0, 2))], []
    for one in shown:
        places = seen(one.positions, dimension)
        points += [places - one.radii[:, None], places + one.radii[:, None],
                   seen(one.links.reshape(-1, 3), dimension)]
        if scene is not None:
            around.append(extent(scene, dimension, one.poses))
            points.append(extent(scene, dimension, one.poses, moving=True))
    corners, edges = np.concatenate(points), np.concatenate(around)
    if len(corners):
        size = float(np.ptp(corners, axis=0).max())
        edges = np.clip(edges, corners.min(axis=0) - _BEYOND * size, corners.max(axis=0) + _BEYOND * size)
    corners = np.concatenate([corners, edges])
    if not len(corners):
        raise GranumError("There are no grains and no finite boundaries, so there is nothing to draw.")
    (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
    margin = 0.03 * max(right - left, high - low)
    return left - margin, right + margin, low - margin, high + margin


def picture(
    shown: Snapshot, scene: Scene | None = None, *, colour: str = "speed", forces: bool = False, title: str = "",
    limits: Limits | None = None, width: float = 7.0,
) -> Figure:
    """One picture of grains in the house style."""
    return _panels([shown], scene, colour, forces, [title or _title(shown)], limits, width)


def before_and_after(
    before: Snapshot, after: Snapshot, scene: Scene | None = None, *, colour: str = "speed", forces: bool = False,
    titles: tuple[str, str] | None = None, limits: Limits | None = None, width: float = 7.0,
) -> Figure:
    """Two pictures one above the other with the same limits and colours, as Sun (1996), figs. 6.16 and 6.17."""
    return _panels([before, after], scene, colour, forces, list(titles or (_title(before), _title(after))), limits,
                   width)


def _title(shown: Snapshot) -> str:
    grains = len(shown.radii) if shown.bodies is None else len(np.unique(shown.bodies))
    return f"t = {shown.t:.4g} s, {count(grains, 'grain')}"


def _panels(
    shown: list[Snapshot], scene: Scene | None, colour: str, forces: bool, titles: list[str], limits: Limits | None,
    width: float,
) -> Figure:
    """Snapshots one above the other."""
    left, right, low, high = limits or limits_of(shown, scene)
    values = [colour_values(one, colour) for one in shown]
    there = [known for known in values if known is not None]
    shades = shading(np.concatenate(there), math.inf if colour == "size" else 0.0) if there else None
    largest = max((float(one.chains.forces.max(initial=0.0)) for one in shown if one.chains is not None), default=0.0)
    with style.house():
        # room for labels and, beside it, for the bar of colours
        height = min(max((width - 1.8) * (high - low) / (right - left), 0.8), 2.0 * width) + 0.75
        flat = height * len(shown) < _FLAT
        height += 0.7 if flat and shades is not None else 0.0
        drawn, axes = style.figure(len(shown), 1, width, height, sharex=True, sharey=True)
        for axis, one, value, title in zip(axes[:, 0], shown, values, titles, strict=True):
            axis.set(title=title, ylabel="y [m]" if one.dimension == 2 else "z [m]")
            axis.grid(False)
            colours = None if shades is None or value is None else np.asarray(shades.to_rgba(value))
            draw_snapshot(axis, one, scene, (left, right, low, high), colours, _UNDER_FORCES if forces else 0.0)
            if forces:
                draw_forces(axis, one, largest=largest or None)
            if one.arched is not None:
                draw_arch(axis, one)
        axes[-1, 0].set(xlabel="x [m]")
        if shades is not None:
            bar = drawn.colorbar(shades, ax=axes[:, 0].tolist(), label=COLOURS_BY[colour], shrink=0.6 if flat else 0.8,
                                 aspect=30 if flat else 25, location="bottom" if flat else "right")
            if forces and bar.solids is not None:
                bar.solids.set_alpha(1.0 - _UNDER_FORCES)
        if scene is not None and scene.title:
            drawn.suptitle(scene.title, fontsize="medium")
    return drawn
