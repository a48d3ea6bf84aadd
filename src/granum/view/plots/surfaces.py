"""Paths of bodies on a surface, seen from above over its contours and in 3-D over the surface itself.

As in Udwadia and Mogharabin (2022), fig. 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from granum.algebra import gradient, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats
from granum.model.connections import Rolling, Sliding
from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot

_MESH = 60
"""Points along each side of the grid of heights."""
_LEVELS = 14
_BEYOND = 0.12
"""How far the surface is shown beyond the paths, in their size."""


class Ground(NamedTuple):
    """Heights of a surface over a grid."""

    x: Floats
    y: Floats
    z: Floats
    """(n, n) [m]; not a number where the surface has no point near the paths."""


def heights(equation: str, lower: Floats, upper: Floats, guess: float) -> Ground:
    """Heights Z of Γ(X, Y, Z) = 0 over the box from lower to upper, by Newton's method from a guess [m]."""
    gamma = parse_equation(equation, "XYZ")
    both, none = Compiled("XYZ", (), [gamma, *gradient(gamma, [symbol("Z")])]), np.zeros(0)
    x, y = np.meshgrid(np.linspace(lower[0], upper[0], _MESH), np.linspace(lower[1], upper[1], _MESH))
    z = np.full(x.shape, np.nan)
    start = guess
    for place in np.ndindex(x.shape):
        at = np.array([x[place], y[place], start])
        for _ in range(50):
            value, slope = map(float, both(0.0, at, none))
            if slope == 0.0:
                break
            at[2] -= value / slope
            if abs(value) <= 1e-10 * max(1.0, abs(slope)):
                z[place] = start = at[2]
                break
        else:
            start = guess
    return Ground(x, y, z)


def ground_under(equation: str, paths: Mapping[str, Floats]) -> Ground:
    """Heights of a surface under paths (frames, 3), and a little around them."""
    points = np.concatenate([path[np.isfinite(path).all(axis=1)] for path in paths.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = _BEYOND * max(float(np.ptp(points[:, :2], axis=0).max()), 1e-9)
    return heights(equation, low - margin, high + margin, float(np.median(points[:, 2])))


def draw_contours(panel: Any, ground: Ground) -> Any:
    """Contours of the heights, grey, so that paths stand out; returns what a bar of colours is made of."""
    options: Any = {"levels": _LEVELS, "cmap": style.HEIGHT_COLOURS, "zorder": 0}
    filled = panel.contourf(ground.x, ground.y, ground.z, alpha=0.45, **options)
    panel.contour(ground.x, ground.y, ground.z, levels=_LEVELS, colors=style.GUIDE["color"], linewidths=0.4, zorder=0.5)
    panel.grid(False)
    return filled


def draw_surface(panel: Any, ground: Ground) -> None:
    """The surface in 3-D, pale and grey."""
    panel.plot_surface(ground.x, ground.y, ground.z, cmap=style.HEIGHT_COLOURS, alpha=0.35, linewidth=0.0, rstride=2,
                       cstride=2, rasterized=True)


def draw_paths(panel: Any, paths: Mapping[str, Floats], axes: int, **look: Any) -> None:
    """Paths (frames, 3) by label, along so many axes."""
    for (label, places), colour, dashes in zip(paths.items(), style.COLOURS, ("-", "--", "-.", ":"), strict=False):
        panel.plot(*places.T[:axes], dashes, color=colour, label=label, **look)
        if axes == 2:
            panel.plot(*places[0, :2], "o", color=colour, markersize=4)  # the start
    panel.set(xlabel="X [m]", ylabel="Y [m]")


def touching(run: Run) -> dict[str, str]:
    """Surfaces by the bodies that roll or slide on them, where contacts are coordinates."""
    return {entry.body: entry.on for entry in run.scene.constraint.values()
            if isinstance(entry, Rolling | Sliding) and entry.on in run.scene.surface
            and run.coordinate_names.find(f"{_symbol(entry.body)}.contact.x") is not None}


def _symbol(body: str) -> str:
    return body.replace("-", "_").partition(".")[0]


def contact_paths(run: Run, body: str) -> dict[str, Floats]:
    """(frames, 3) path of the contact point and of the centre of a body on a surface; of one that is not round, of its
    mass centre.
    """
    own = _symbol(body)
    round_ = run.coordinate_names.find(f"{own}.centre.x") is not None
    centre = ("centre O", f"{own}.centre") if round_ else ("mass centre", own)
    return {label: np.column_stack([run.coordinate(f"{point}.{axis}") for axis in "xyz"])
            for label, point in (("contact P", f"{own}.contact"), centre)}


@plot(lambda run: bool(touching(run)),
      needs="a body that rolls on a [surface.NAME]")
def surface(run: Run, *names: str) -> Figure:
    """Path of a rolling body on its surface: contact point and centre, in 3-D and from above."""
    surfaces = touching(run)
    shown, note = chosen(list(surfaces), names, "body on a surface", 2)
    drawn, panels = style.figure(len(shown), 2, width=9.5, height=4.2)
    for (left, right), name in zip(panels, shown, strict=True):
        paths = contact_paths(run, name)
        ground = ground_under(run.scene.surface[surfaces[name]].equation, {"contact": paths["contact P"]})
        space = drawn.add_subplot(left.get_subplotspec(), projection="3d")
        left.remove()
        draw_surface(space, ground)
        draw_paths(space, paths, 3, linewidth=1.0, zorder=5)
        space.set(zlabel="Z [m]")
        space.locator_params(nbins=5)
        space.view_init(elev=40.0, azim=-60.0)
        filled = draw_contours(right, ground)
        draw_paths(right, paths, 2, linewidth=1.1)
        drawn.colorbar(filled, ax=right, label="height of the surface Z [m]", shrink=0.85)
        right.set(title=f"{name}, from above", aspect="equal")
    drawn.get_layout_engine().set(wspace=0.06)  # type: ignore[union-attr,call-arg]
    drawn.legend(*panels[0, 1].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    drawn.suptitle(title(run, "path on the surface", note))
    return drawn
