"""Pictures of grains: disks in 2-D, spheres in 3-D seen along y, boundaries, force chains."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.view import style
from granum.view.pictures.outlines import NOWHERE, Limits, Poses, draw_boundaries, extent, seen

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
    """Grains at an instant, as arrays."""

    positions: Floats
    """(N, 3) [m]"""
    radii: Floats
    """(N,) [m]"""
    dimension: int = 2
    velocities: Floats | None = None
    """(N, 3) [m/s]"""
    pair: Any = None
    """(C, 2) contacts: grains i and j, or a grain i and a negative number for the boundary."""
    normal: Floats | None = None
    """(C, 3) from i to j; from the boundary to the grain."""
    force: Floats | None = None
    """(C, 3) [N]"""
    t: float = 0.0
    poses: Poses = NOWHERE
    """Of bodies that boundaries belong to, rods and blocks."""
    links: Floats = np.zeros((0, 2, 3))
    """(links, 2, 3): ends of links [m]."""
    bonds: Any = None
    """(B, 2) grains that bonds hold together."""
    bodies: Any = None
    """(N,) body that each grain is part of, where some have several."""
    arched: Any = None
    """(N,) is a grain part of an arch that jams the flow? None where no flow is jammed."""


def draw_grains(
    axis: Axes, positions: Floats, radii: Floats, dimension: int = 2, values: Floats | None = None,
    shades: ScalarMappable | None = None, joined: bool = False, pale: float = 0.0,
) -> EllipseCollection:
    """Draw grains, coloured by values (N,); spheres from the farthest to the nearest, and the farther the paler.

    Colours of values go to white by the part `pale`, so that what is drawn over the grains is seen. Where grains are
    parts of bodies (joined), disks have rims only where the body ends.
    """
    count = len(radii)
    if values is None:
        colours = np.tile(to_rgba(_PLAIN), (count, 1))
    else:
        colours = np.asarray((shades or shading(values)).to_rgba(values))
        colours[:, :3] += pale * (1.0 - colours[:, :3])
    order = np.arange(count)
    if dimension == 3 and count:
        order = np.argsort(-positions[:, 1], kind="stable")
        depth = positions[:, 1] - positions[:, 1].min()
        haze = _HAZE * depth / max(float(depth.max()), float(radii.max()))  # none where all are equally far
        colours[:, :3] += haze[:, None] * (1.0 - colours[:, :3])
    rim = {"edgecolors": "#404040", "linewidths": 0.4} if count <= _OUTLINED else {"linewidths": 0.0}
    size = 2.0 * radii[order]
    drawn = EllipseCollection(
        size, size, np.zeros(count), units="xy", offsets=seen(positions[order], dimension),
        offset_transform=axis.transData, facecolors=colours[order], rasterized=count > _VECTORS, zorder=1, **rim)
    axis.add_collection(drawn)
    if joined and dimension == 2:  # faces once more, over the rims inside bodies
        axis.add_collection(EllipseCollection(
            0.98 * size, 0.98 * size, np.zeros(count), units="xy", offsets=seen(positions[order], dimension),
            offset_transform=axis.transData, facecolors=colours[order], rasterized=count > _VECTORS, zorder=1.1,
            linewidths=0.0))
    return drawn


def draw_forces(axis: Axes, shown: Snapshot, widest: float = 5.0, largest: float | None = None) -> LineCollection:
    """Draw contact forces as lines between centres (to the contact at a boundary), as wide as they are strong.

    Args:
        widest: width of the strongest [points].
        largest: force that is as wide as that [N]; left out, the largest one here.
    """
    if shown.pair is None or shown.normal is None or shown.force is None:
        raise GranumError("Force chains are drawn from contacts with their forces, but this snapshot has none.")
    pair, size = np.asarray(shown.pair), np.linalg.norm(shown.force, axis=1)
    i, j = pair.T
    start = shown.positions[i]
    wall = start - shown.radii[i, None] * shown.normal
    end = np.where(j[:, None] >= 0, shown.positions[np.maximum(j, 0)], wall)
    lines = np.stack([seen(start, shown.dimension), seen(end, shown.dimension)], axis=1)
    most = largest or float(size.max(initial=0.0)) or 1.0
    drawn = LineCollection([*lines], linewidths=widest * size / most, color=_FORCES, zorder=4, capstyle="round")
    axis.add_collection(drawn, autolim=False)
    return drawn


def draw_arch(axis: Axes, shown: Snapshot) -> EllipseCollection:
    """Draw thick rims around the grains of an arch."""
    size = 2.0 * shown.radii[shown.arched]
    drawn = EllipseCollection(
        size, size, np.zeros(len(size)), units="xy", offsets=seen(shown.positions[shown.arched], shown.dimension),
        offset_transform=axis.transData, facecolors="none", edgecolors=_ARCH, linewidths=2.2, zorder=5)
    axis.add_collection(drawn)
    return drawn


def draw_bonds(axis: Axes, shown: Snapshot) -> LineCollection:
    """Draw bonds as lines between the centres of grains."""
    ends = seen(shown.positions, shown.dimension)[np.asarray(shown.bonds)]
    drawn = LineCollection([*ends], linewidths=1.0, color=_BONDS, zorder=3, capstyle="round")
    axis.add_collection(drawn, autolim=False)
    return drawn


def shading(values: Floats, low: float = math.inf) -> ScalarMappable:
    """Colours of values, from the least (or `low`, if that is less) to the greatest."""
    least, most = float(values.min(initial=low)), float(values.max(initial=-math.inf))
    if not least < most:  # one value only, or none
        least, most = (0.9 * most, 1.1 * most) if most > 0.0 else (0.0, 1.0)
    return ScalarMappable(Normalize(least, most), "viridis")


def colour_values(shown: Snapshot, by: str) -> Floats | None:
    """(N,) what grains are coloured by: their speed, radius or the sum of the forces of their contacts."""
    by = pick(by, COLOURS_BY, "colouring")
    if by == "size":
        return shown.radii
    if by == "speed":
        if shown.velocities is None:
            raise GranumError("Grains are coloured by speed, but this snapshot has no velocities. Colour by size.")
        return np.asarray(np.linalg.norm(shown.velocities, axis=1))
    if by == "force":
        if shown.pair is None or shown.force is None:
            raise GranumError("Grains are coloured by force, but this snapshot has no contacts. Colour by speed.")
        size, pair = np.linalg.norm(shown.force, axis=1), np.asarray(shown.pair)
        ends, both = pair.ravel(), np.repeat(size, 2)
        return np.bincount(ends[ends >= 0], both[ends >= 0], minlength=len(shown.radii)).astype(float)
    return None


def limits_of(shown: list[Snapshot], scene: Scene | None) -> Limits:
    """What a picture must show: all grains, and the boundaries that have an end, with some margin.

    Boundaries that reach far beyond the grains are cut: it is the grains that one wants to see.
    """
    dimension = shown[0].dimension
    around = np.concatenate([np.zeros((0, 2)) if scene is None else extent(scene, dimension, one.t, one.poses)
                             for one in shown])
    points = []
    for one in shown:
        places = seen(one.positions, dimension)
        points += [places - one.radii[:, None], places + one.radii[:, None]]
    if scene is not None:
        points += [extent(scene, dimension, one.t, one.poses, moving=True) for one in shown]
    points += [seen(one.links.reshape(-1, 3), dimension) for one in shown]
    corners = np.concatenate(points)
    if len(corners):
        size = float(np.ptp(corners, axis=0).max())
        around = np.clip(around, corners.min(axis=0) - _BEYOND * size, corners.max(axis=0) + _BEYOND * size)
    corners = np.concatenate([corners, around])
    if not len(corners):
        raise GranumError("There are no grains and no boundaries with an end, so there is nothing to draw.")
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
    """Two pictures one above the other with the same limits and colours, as 002 figs 6.16 and 6.17."""
    return _panels([before, after], scene, colour, forces, list(titles or (_title(before), _title(after))), limits,
                   width)


def _title(shown: Snapshot) -> str:
    count = len(shown.radii) if shown.bodies is None else len(np.unique(shown.bodies))
    return f"t = {shown.t:.4g} s, {count} grains"


def _panels(
    shown: list[Snapshot], scene: Scene | None, colour: str, forces: bool, titles: list[str], limits: Limits | None,
    width: float,
) -> Figure:
    """Snapshots one above the other."""
    left, right, low, high = limits or limits_of(shown, scene)
    values = [colour_values(one, colour) for one in shown]
    there = [known for known in values if known is not None]
    shades = shading(np.concatenate(there), math.inf if colour == "size" else 0.0) if there else None
    largest = max((float(np.linalg.norm(one.force, axis=1).max(initial=0.0)) for one in shown
                   if one.force is not None), default=0.0)
    with style.house():
        # room for labels and, beside it, for the bar of colours
        height = min(max((width - 1.8) * (high - low) / (right - left), 0.8), 2.0 * width) + 0.75
        flat = height * len(shown) < _FLAT
        height += 0.7 if flat and shades is not None else 0.0
        drawn, axes = style.figure(len(shown), 1, width, height, sharex=True, sharey=True)
        for axis, one, value, title in zip(axes[:, 0], shown, values, titles, strict=True):
            axis.set(xlim=(left, right), ylim=(low, high), aspect="equal", title=title,
                     ylabel="y [m]" if one.dimension == 2 else "z [m]")
            axis.grid(False)
            draw_grains(axis, one.positions, one.radii, one.dimension, value, shades, one.bodies is not None,
                        _UNDER_FORCES if forces else 0.0)
            if scene is not None:
                depth = float(one.positions[:, 1].mean()) if len(one.positions) else 0.0
                draw_boundaries(axis, scene, one.dimension, one.t, depth, one.poses)
            if len(one.links):
                lines = [seen(link, one.dimension) for link in one.links]
                axis.add_collection(LineCollection(lines, color="#303030", linewidth=1.0, zorder=2), autolim=False)
            if one.bonds is not None:
                draw_bonds(axis, one)
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
