"""Draw the twelve scenes of the gallery and their thumbnails: python docs/draw_gallery.py [NAME...]"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from PIL import Image

import granum as gr
from granum.mechanisms.places import rotation_of
from granum.run.grain_result import GrainRun
from granum.view import style
from granum.view.pictures.grains import draw_grains, limits_of
from granum.view.pictures.outlines import Limits, draw_boundaries, seen
from granum.view.pictures.thumbnail import thumbnail
from granum.view.plots.grains import snapshot

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHADES = colormaps[style.TIME_COLOURS]
THUMBNAIL = (200, 150)
"""Size of thumbnails [pixels]."""


DRUM: Limits = (-0.105, 0.105, -0.105, 0.105)
SMALL: dict[str, tuple[float, Limits | None]] = {
    "hopper": (0.35, None), "drum": (3.0, DRUM), "column": (0.4, None), "gate": (0.25, None),
    "crumbling": (0.05, None), "cradle": (0.4, None),
}
"""Time [s] and limits of thumbnails that do not show the end."""


def run(name: str) -> gr.Run:
    """A run of an example."""
    finer = {"interval": 0.01} if name == "rattleback" else {}
    return gr.simulate(gr.load(ROOT / "examples" / f"{name}.toml"), **finer)


def panels(
    made: gr.Run, times: Sequence[float], by: Callable[[GrainRun, int], np.ndarray], label: str,
    columns: int, width: float = 7.0, limits: Limits | None = None,
) -> Figure:
    """Grains at some times [s], in so many columns, all with the same limits and colours."""
    assert isinstance(made, GrainRun)
    frames = [int(np.abs(made.t - t).argmin()) for t in times]
    shown, values = [snapshot(made, k) for k in frames], [by(made, k) for k in frames]
    left, right, low, high = limits or limits_of(shown, made.scene)
    shades = ScalarMappable(Normalize(min(v.min() for v in values), max(v.max() for v in values)), "viridis")
    rows = -(-len(frames) // columns)
    height = (width - 1.6) / columns * (high - low) / (right - left) + 0.5
    drawn, axes = style.figure(rows, columns, width, height, sharex=True, sharey=True)
    for axis, one, value in zip(axes.ravel(), shown, values, strict=True):
        axis.set(xlim=(left, right), ylim=(low, high), aspect="equal", title=f"t = {one.t:.3g} s")
        axis.grid(False)
        draw_grains(axis, one.positions, one.radii, one.dimension, value, shades)
        draw_boundaries(axis, made.scene, one.dimension, one.t, 0.0, one.poses)
        axis.add_collection(LineCollection([seen(link, one.dimension) for link in one.links], color="#303030",
                                           linewidth=0.8))
    for axis in axes[-1]:
        axis.set(xlabel="x [m]")
    for axis in axes[:, 0]:
        axis.set(ylabel="y [m]" if made.dimension == 2 else "z [m]")
    drawn.colorbar(shades, ax=axes.ravel().tolist(), label=label, shrink=0.8, aspect=25)
    return drawn


def speed(made: GrainRun, frame: int) -> np.ndarray:
    """Speed of grains."""
    return np.asarray(np.linalg.norm(made.frame(frame).velocities, axis=1))


def size(made: GrainRun, frame: int) -> np.ndarray:
    """Radius of grains [mm]."""
    return 1e3 * made.frame(frame).radii


def layer(made: GrainRun, frame: int) -> np.ndarray:
    """Height of grains at the start."""
    return made.frame(0).positions[:, 1]


def pipe(made: gr.Run) -> Figure:
    """The first batch, and the pipe backed up."""
    return panels(made, (1.0, float(made.t[-1])), speed, "speed [m/s]", 1)


def hopper(made: gr.Run) -> Figure:
    """Full, half empty, nearly empty."""
    return panels(made, (0.0, 0.35, 0.7), layer, "height at the start [m]", 3)


def drum(made: gr.Run) -> Figure:
    """Large and small, apart at the start and mixed later."""
    return panels(made, (0.0, 0.6, 3.0), size, "radius [mm]", 3, 8.0, DRUM)


def column(made: gr.Run) -> Figure:
    """Layers before, during and after the collapse."""
    return panels(made, (0.1, 0.3, float(made.t[-1])), layer, "height at the start [m]", 1)


def gate(made: gr.Run) -> Figure:
    """Closed, opening, open."""
    return panels(made, (0.0, 0.2, 0.8), speed, "speed [m/s]", 1, 6.0)


def crumbling(made: gr.Run) -> Figure:
    """Before, at and after the impact."""
    return panels(made, (0.0, 0.03, 0.15), speed, "speed [m/s]", 1, 6.0)


def cradle(made: gr.Run) -> Figure:
    """From the side: let go, just after the impact, and half a period later."""
    return panels(made, (0.0, 0.25, 0.4), speed, "speed [m/s]", 3, 8.0)


def bricard(made: gr.Run) -> Figure:
    """Its six hinges at some instants."""
    drawn, axes = style.figure(width=5.5, height=4.2, subplot_kw={"projection": "3d"})
    panel, count = axes[0, 0], 7
    for k, frame in enumerate(np.linspace(0, 45, count).astype(int)):
        loop = corners(made, frame)
        panel.plot(*np.vstack([loop, loop[:1]]).T, "o-", color=SHADES((k + 1) / count), markersize=3)
    panel.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal")
    panel.locator_params(nbins=4)
    return drawn


def corners(made: gr.Run, frame: int) -> np.ndarray:
    """(6, 3): where the hinges are."""
    found = [made.position("A")[frame]]
    for k in range(1, 6):
        rod = f"rod-{k}"
        head = np.array(made.scene.body[rod].fixed_points()["head"])
        found.append(made.position(rod)[frame] + rotation_of(made.orientation(rod)[frame].tolist()) @ head)
    return np.array(found)


def shell(made: gr.Run) -> Figure:
    """The path of the contact on the bowl."""
    return made.plot.surface()


def rattleback(made: gr.Run) -> Figure:
    """The stone from above, and its spin."""
    drawn, axes = style.figure(1, 2, 7.5, 3.2, width_ratios=(1.0, 1.3))
    a, b = (made.scene.system.parameters[name] for name in "ab")
    turn = np.linspace(0.0, 2.0 * np.pi, 80)
    outline = np.column_stack([a * np.cos(turn), b * np.sin(turn)])
    for frame in np.flatnonzero(made.t <= 2.0)[::40]:
        c, s = np.cos(made.coordinate("psi")[frame]), np.sin(made.coordinate("psi")[frame])
        place = np.array([made.coordinate("x")[frame], made.coordinate("y")[frame]])
        axes[0, 0].plot(*(place + outline @ np.array([[c, s], [-s, c]])).T, color=SHADES(made.t[frame] / 2.0),
                        linewidth=1.2)
    axes[0, 0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="From above, 0 to 2 s (early is light)")
    axes[0, 1].plot(made.t, made.rate("psi"), label="spin")
    axes[0, 1].plot(made.t, made.rate("beta"), linewidth=0.7, label="pitching")
    axes[0, 1].axhline(0.0, color="black", linewidth=0.8)
    axes[0, 1].set(xlabel="time [s]", ylabel="rate [rad/s]", title="It stops and turns back")
    axes[0, 1].legend()
    return drawn


def configurations(made: gr.Run, panel: Axes, count: int, last: int = -1) -> None:
    """Links at some instants, early ones light."""
    for k, frame in enumerate(np.linspace(0, last % len(made.t), count).astype(int)):
        lines = [made.positions[frame][pair] for pair in made.link_ends]
        panel.add_collection(LineCollection(lines, color=SHADES((k + 1) / count), linewidth=1.2))
        panel.plot(*made.positions[frame].T, "o", color=SHADES((k + 1) / count), markersize=2.5)
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")


def chain(made: gr.Run) -> Figure:
    """The chain as it falls, and the pull at its left pin."""
    drawn, axes = style.figure(1, 2, 7.5, 3.4, width_ratios=(1.0, 1.2))
    configurations(made, axes[0, 0], 9)
    axes[0, 0].set(title="0 to 1 s (early is light)")
    axes[0, 1].plot(made.t, made.reaction("link-1"))
    axes[0, 1].set(xlabel="time [s]", ylabel="pull of the left pin [N]", title="It is stretched, and tugs")
    return drawn


def four_bar(made: gr.Run) -> Figure:
    """The linkage at some instants and the curve of its coupler point."""
    drawn, axes = style.figure(width=5.5, height=3.6)
    panel = axes[0, 0]
    configurations(made, panel, 7, last=55)
    panel.plot(*made.position("P").T, color=style.COLOURS[1], linewidth=2.0, label="coupler point")
    panel.legend()
    return drawn


SCENES: dict[str, Callable[[gr.Run], Figure]] = {
    "pipe-jam": pipe, "hopper": hopper, "drum": drum, "rattleback": rattleback, "falling-chain": chain,
    "four-bar": four_bar, "column": column, "gate": gate, "crumbling": crumbling, "cradle": cradle,
    "bricard": bricard, "rolling-shell": shell,
}


def save(drawn: Figure, file: Path) -> None:
    """Write a figure with few colours: a quarter of the size, and no eye sees it."""
    written = BytesIO()
    drawn.savefig(written, format="png", dpi=110)
    Image.open(written).convert("RGB").quantize(160, dither=Image.Dither.NONE).save(file, optimize=True)


def save_thumbnail(picture: bytes, file: Path) -> None:
    """Write a picture as a thumbnail, all of one size."""
    shown = Image.open(BytesIO(picture)).convert("RGB")
    shown.thumbnail((THUMBNAIL[0] - 8, THUMBNAIL[1] - 8), Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", THUMBNAIL, "white")
    sheet.paste(shown, ((THUMBNAIL[0] - shown.width) // 2, (THUMBNAIL[1] - shown.height) // 2))
    sheet.quantize(96, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or SCENES:
        made = run(name)
        with style.house():
            save(SCENES[name](made), PICTURES / f"{name}.png")
        t, limits = SMALL.get(name, (float(made.t[-1]), None))
        save_thumbnail(thumbnail(made, int(np.abs(made.t - t).argmin()), limits), PICTURES / f"small-{name}.png")
