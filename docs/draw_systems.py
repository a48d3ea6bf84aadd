"""Draw the pictures of more systems in the gallery: python docs/draw_systems.py"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes

import granum as gr
from granum.view import style
from granum.view.pictures.outlines import outlines, polyline

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHADES = colormaps[style.TIME_COLOURS]


def run(name: str, **settings: float) -> gr.Run:
    """A run of an example."""
    return gr.simulate(gr.load(ROOT / "examples" / f"{name}.toml"), **settings)


def figures(run: gr.Run, panel: Axes, count: int, first: int = 0, last: int = -1) -> None:
    """The lines of a system at some instants, early ones light."""
    frames = np.linspace(first, last % len(run.t), count).astype(int)
    for k, frame in enumerate(frames):
        for a, b in run.link_ends:
            panel.plot(*run.positions[frame][[a, b]].T, "o-", color=SHADES((k + 1) / count), markersize=3)


def sleigh() -> None:
    """The path of the blade and where the mass is ahead of it."""
    _, panels = style.figure(width=5.5, height=3.4)
    made, panel = run("chaplygin-sleigh"), panels[0, 0]
    panel.plot(*made.position("blade").T, color=style.COLOURS[0], label="blade")
    figures(made, panel, 25)
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Chaplygin sleigh, pushed backwards")
    save("chaplygin-sleigh", panels)


def disk() -> None:
    """Paths of contact and centre."""
    _, panels = style.figure(width=5.0, height=4.2)
    made, panel = run("rolling-disk", interval=0.005), panels[0, 0]
    for name in ("contact", "centre"):
        panel.plot(*made.position(name)[:, :2].T, label=name)
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Rolling disk, from above")
    panel.legend()
    save("rolling-disk", panels)


def pendulum() -> None:
    """Path of the mass centre from above."""
    _, panels = style.figure(width=4.5, height=4.2)
    made, panel = run("spherical-pendulum", interval=0.01), panels[0, 0]
    panel.plot(*made.position("rod")[:, :2].T)
    panel.plot(0.0, 0.0, "k+")
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Spherical pendulum, from above")
    save("spherical-pendulum", panels)


def squeezer() -> None:
    """The mechanism as it closes for the first time, and its angles."""
    _, panels = style.figure(1, 2, width=7.5, height=3.2)
    made = run("andrews-squeezer", interval=0.0001)
    figures(made, panels[0, 0], 6, first=60, last=112)
    panels[0, 0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Andrews' squeezer")
    for name in ("gamma", "Phi", "delta", "Omega", "epsilon"):
        panels[0, 1].plot(1e3 * made.t, made.coordinate(name), label=name)
    panels[0, 1].set(xlabel="time [ms]", ylabel="angle [rad]")
    panels[0, 1].legend(ncols=2, fontsize="x-small")
    save("andrews-squeezer", panels)


def slider_crank() -> None:
    """The mechanism at some instants, and what its motor has to give."""
    _, panels = style.figure(2, width=5.5, height=2.2)
    made, (top, bottom) = run("slider-crank"), panels[:, 0]
    for k, frame in enumerate((100, 108, 116, 124)):
        top.plot(*polyline(outlines(made, frame)).T, color=SHADES((k + 1) / 4))
    top.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Slider-crank")
    bottom.plot(made.t, made.reaction("motor").effort)
    bottom.set(xlabel="time [s]", ylabel="torque of the motor [N m]")
    save("slider-crank", panels)


def overclosed() -> None:
    """The beam at some instants of half a period."""
    _, panels = style.figure(width=5.5, height=3.2)
    made, panel = run("overclosed"), panels[0, 0]
    figures(made, panel, 6, last=31)
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Three cranks where two would do")
    save("overclosed", panels)


def save(name: str, panels: Any) -> None:
    """Write the figure of some panels, small."""
    panels[0, 0].figure.savefig(PICTURES / f"{name}.png", dpi=80)


if __name__ == "__main__":
    with style.house():
        for draw in (sleigh, disk, pendulum, squeezer, slider_crank, overclosed):
            draw()
        bennett = runpy.run_path(str(ROOT / "examples" / "bennett.py"))
        bennett["picture"](gr.simulate(bennett["scene"]()), PICTURES / "bennett.png")
