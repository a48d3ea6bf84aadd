"""Draw the thirteen scenes of the gallery and their thumbnails: python docs/draw_gallery.py [NAME...]"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from PIL import Image, ImageChops, ImageOps

import granum as gr
from granum.view import style
from granum.view.films import still
from granum.view.pictures.grains import before_and_after, draw_snapshot, limits_of, snapshot
from granum.view.pictures.outlines import Limits
from granum.view.pictures.thumbnail import thumbnail

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHADES = colormaps[style.TIME_COLOURS]
THUMBNAIL = (200, 150)
"""Size of thumbnails [pixels]."""


DRUM: Limits = (-0.105, 0.105, -0.105, 0.105)
SMALL: dict[str, tuple[float, Limits | None]] = {
    "hopper": (0.35, None), "drum": (3.0, DRUM), "column": (0.4, None), "gate": (0.25, None),
    "crumbling": (0.05, None), "cradle": (0.22, None), "bricard": (0.8, None), "rolling-shell": (12.5, None),
}
"""Time [s] and limits of thumbnails that do not show the end."""
IN_SPACE: dict[str, dict[str, Any]] = {"cradle": {}, "bricard": {}, "rolling-shell": {"traces": ["shell"]}}
"""Scenes with stills, and what is seen in them besides the bodies."""


def run(name: str) -> gr.Run:
    """A run of an example."""
    finer = {"interval": 0.01} if name == "rattleback" else {}
    return gr.simulate(gr.load(ROOT / "examples" / f"{name}.toml"), **finer)


def panels(
    made: gr.Run, times: Sequence[float], by: Callable[[gr.Run, int], np.ndarray], label: str,
    columns: int, width: float = 7.0, limits: Limits | None = None,
) -> Figure:
    """Grains at some times [s], in so many columns, all with the same limits and colours."""
    frames = [int(np.abs(made.t - t).argmin()) for t in times]
    shown, values = [snapshot(made, k) for k in frames], [by(made, k) for k in frames]
    limits = left, right, low, high = limits or limits_of(shown, made.scene)
    shades = ScalarMappable(Normalize(min(v.min() for v in values), max(v.max() for v in values)), style.VALUE_COLOURS)
    rows = -(-len(frames) // columns)
    height = (width - 1.6) / columns * (high - low) / (right - left) + 0.5
    drawn, axes = style.figure(rows, columns, width, height, sharex=True, sharey=True)
    for axis, one, value in zip(axes.ravel(), shown, values, strict=True):
        axis.set(title=f"t = {one.t:.3g} s")
        axis.grid(False)
        draw_snapshot(axis, one._replace(bonds=one.bonds[:0], bodies=None), made.scene, limits,
                      np.asarray(shades.to_rgba(value)), link_width=0.8)
    for axis in axes[-1]:
        axis.set(xlabel="x [m]")
    for axis in axes[:, 0]:
        axis.set(ylabel="y [m]" if made.dimension == 2 else "z [m]")
    drawn.colorbar(shades, ax=axes.ravel().tolist(), label=label, shrink=0.8, aspect=25)
    return drawn


def speed(made: gr.Run, frame: int) -> np.ndarray:
    """Speed of grains."""
    return np.asarray(np.linalg.norm(made.frame(frame).velocities, axis=1))


def size(made: gr.Run, frame: int) -> np.ndarray:
    """Radius of grains [mm]."""
    return 1e3 * made.frame(frame).radii


def layer(made: gr.Run, frame: int) -> np.ndarray:
    """Height of grains at the start."""
    first = made.frame(0)
    return first.positions[np.searchsorted(first.numbers, made.frame(frame).numbers), 1]


def pipe(made: gr.Run) -> Figure:
    """Grains on their way, and at rest behind an arch, with force chains."""
    shown = [snapshot(made, int(np.abs(made.t - t).argmin())) for t in (8.0, made.t[-1])]
    titles = f"t = {shown[0].t:.3g} s: flowing", f"t = {shown[1].t:.3g} s: jammed behind an arch (black rims)"
    return before_and_after(*shown, made.scene.model_copy(update={"title": ""}), forces=True, titles=titles)


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


def stills(
    made: gr.Run, times: Sequence[float], size: tuple[int, int], each: bool = False, **options: Any,
) -> Image.Image:
    """A run in space at some times [s], side by side; framed to what is seen then, together or each by itself."""
    found, frames = [], [int(np.abs(made.t - t).argmin()) for t in times]
    with TemporaryDirectory() as folder:
        for frame in frames:
            file = still(made, Path(folder) / "still.png", frame=frame, size=size,
                         fitting=[frame] if each else frames, **options)
            found.append(np.asarray(Image.open(file).convert("RGB")))
    return Image.fromarray(np.concatenate(found, axis=1))


def cradle(made: gr.Run) -> Image.Image:
    """Let go, just after the impact, and half a period later."""
    return stills(made, (0.0, 0.22, 0.4), (400, 300))


def bricard(made: gr.Run) -> Image.Image:
    """As six edges of a cube, and on its way."""
    return stills(made, (0.0, 0.8, 1.6), (360, 320), each=True)


def shell(made: gr.Run) -> Image.Image:
    """Where it has rolled in a part of the time."""
    return stills(made, (12.5,), (800, 500), traces=["shell"])


def stone(panel: Axes, made: gr.Run, until: float, every: float) -> None:
    """Outlines of the rattleback from above, early ones light."""
    a, b = (made.scene.system.parameters[name] for name in "ab")
    turn = np.linspace(0.0, 2.0 * np.pi, 80)
    outline = np.column_stack([a * np.cos(turn), b * np.sin(turn)])
    for t in np.arange(0.0, until, every):
        frame = int(np.abs(made.t - t).argmin())
        c, s = np.cos(made.coordinate("psi")[frame]), np.sin(made.coordinate("psi")[frame])
        place = np.array([made.coordinate("x")[frame], made.coordinate("y")[frame]])
        panel.plot(*(place + outline @ np.array([[c, s], [-s, c]])).T, color=SHADES((t + every) / until), linewidth=1.2)
    panel.set(aspect="equal")


def rattleback(made: gr.Run) -> Figure:
    """The stone from above, and its spin."""
    drawn, axes = style.figure(1, 2, 7.5, 3.2, width_ratios=(1.0, 1.3))
    stone(axes[0, 0], made, 2.0, 0.4)
    axes[0, 0].set(xlabel="x [m]", ylabel="y [m]", title="From above, 0 to 2 s (early is light)")
    axes[0, 1].plot(made.t, made.rate("psi"), label="spin", zorder=3)
    axes[0, 1].plot(made.t, made.rate("beta"), linewidth=0.5, alpha=0.5, label="pitching")
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
    axes[0, 1].plot(made.t, made.reaction("link-1").tension)
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


def spheres_from_the_side(panel: Axes, made: gr.Run, count: int) -> None:
    """The grounded sphere and the three on it at some instants, early ones light."""
    radii = {"ground": 0.6, "sphere-1": 0.4, "sphere-2": 0.3, "sphere-3": 0.5}
    panel.add_patch(Circle((0.0, 0.0), radii.pop("ground"), color="0.8"))
    for k, frame in enumerate(np.linspace(0, len(made.t) - 1, count).astype(int)):
        for name, radius in radii.items():
            panel.add_patch(Circle(made.position(name)[frame, [0, 2]], radius, fill=False, linewidth=1.4,
                                   color=SHADES((k + 1) / count)))
    panel.set(aspect="equal", xlim=(-0.8, 1.2), ylim=(-0.7, 2.3))


def spheres(made: gr.Run) -> Figure:
    """The three spheres as they slide down, and the forces in their contacts."""
    drawn, axes = style.figure(1, 2, 7.5, 3.6, width_ratios=(1.0, 1.3))
    spheres_from_the_side(axes[0, 0], made, 3)
    axes[0, 0].set(xlabel="x [m]", ylabel="z [m]", title="0, 0.095 and 0.19 s (early is light)")
    for k in (1, 2, 3):
        axes[0, 1].plot(made.t, -made.reaction(f"contact-{k}").tension, label=f"contact {k}")
    axes[0, 1].axhline(0.0, color="black", linewidth=0.8)
    axes[0, 1].set(xlabel="time [s]", ylabel="contact force [N]", title="Contact 3 is about to open",
                   xticks=[0.0, 0.05, 0.1, 0.15])
    axes[0, 1].legend()
    return drawn


SCENES: dict[str, Callable[[gr.Run], Figure | Image.Image]] = {
    "pipe-jam": pipe, "hopper": hopper, "drum": drum, "rattleback": rattleback, "falling-chain": chain,
    "four-bar": four_bar, "column": column, "gate": gate, "crumbling": crumbling, "cradle": cradle,
    "bricard": bricard, "rolling-shell": shell, "three-spheres": spheres,
}


def _image(drawn: Figure) -> Image.Image:
    written = BytesIO()
    drawn.savefig(written, format="png", dpi=110)
    return Image.open(written).convert("RGB")


def save(drawn: Figure | Image.Image, file: Path) -> None:
    """Write a figure with few colours: a quarter of the size, and no eye sees it. Stills need all of theirs."""
    shown = _image(drawn).quantize(200, dither=Image.Dither.NONE) if isinstance(drawn, Figure) else drawn
    shown.save(file, optimize=True)


def save_thumbnail(shown: Image.Image, file: Path) -> None:
    """Write a picture as a thumbnail, without its margins, all of one size."""
    shown = shown.crop(ImageChops.difference(shown, Image.new("RGB", shown.size, "white")).getbbox())
    shown = ImageOps.contain(shown, (THUMBNAIL[0] - 8, THUMBNAIL[1] - 8), Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", THUMBNAIL, "white")
    sheet.paste(shown, ((THUMBNAIL[0] - shown.width) // 2, (THUMBNAIL[1] - shown.height) // 2))
    sheet.quantize(160, dither=Image.Dither.NONE).save(file, optimize=True)


def small(name: str, made: gr.Run) -> Image.Image:
    """What a thumbnail shows: a still without its words and bar in space, a picture without axes in the plane."""
    t, limits = SMALL.get(name, (float(made.t[-1]), None))
    if name in ("rattleback", "three-spheres"):
        drawn = Figure(figsize=(3.0, 3.0), dpi=100)
        panel = drawn.add_axes((0.0, 0.0, 1.0, 1.0))
        panel.axis("off")
        if name == "rattleback":
            stone(panel, made, 2.0, 0.4)
        else:
            spheres_from_the_side(panel, made, 3)
        return _image(drawn)
    if name in IN_SPACE:
        width, height = 640, 480
        return stills(made, (t,), (width, height), **IN_SPACE[name]).crop((0, 40, 540, height))
    return Image.open(BytesIO(thumbnail(made, int(np.abs(made.t - t).argmin()), limits))).convert("RGB")


if __name__ == "__main__":
    for name in sys.argv[1:] or SCENES:
        made = run(name)
        with style.house():
            save(SCENES[name](made), PICTURES / f"{name}.png")
        save_thumbnail(small(name, made), PICTURES / f"small-{name}.png")
