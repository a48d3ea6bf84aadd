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
from granum.view.films import film
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


def coin() -> None:
    """The path of the centre from above, and the coin as it nods."""
    _, panels = style.figure(1, 2, width=7.5, height=3.2)
    made = run("coin", interval=0.005)
    panels[0, 0].plot(*made.position("coin")[:, :2].T)
    panels[0, 0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Centre of the coin, from above")
    panels[0, 1].plot(made.t, np.degrees(np.arccos(made.position("coin")[:, 2] / 0.1)))
    panels[0, 1].set(xlabel="time [s]", ylabel="lean [deg]", title="It nods")
    save("coin", panels)


def incline() -> None:
    """Paths of a ball thrown across the slope, in the plane, with y down the slope."""
    _, panels = style.figure(width=4.5, height=4.2)
    scene, panel = gr.load(ROOT / "examples" / "incline.toml"), panels[0, 0]
    for v in (0.0, 0.5, 1.0):
        start = scene.start["ball"].model_copy(update={"velocity": (v, 0.0)})
        made = gr.simulate(scene.model_copy(update={"start": {"ball": start}}), interval=0.02)
        panel.plot(*made.position("ball")[:, :2].T, label=f"thrown at {v:g} m/s")
    panel.invert_yaxis()
    panel.set(xlabel="x [m]", ylabel="y, down the slope [m]", aspect="equal", title="Sphere on an inclined plane")
    panel.legend()
    save("incline", panels)


def turntable() -> None:
    """Paths of balls that start alike at three places, from above."""
    _, panels = style.figure(width=4.5, height=4.2)
    scene, panel = gr.load(ROOT / "examples" / "turntable.toml"), panels[0, 0]
    for x in (0.0, 0.2, 0.4):
        start = scene.start["ball"].model_copy(update={"contact": (x, 0.0)})
        made = gr.simulate(scene.model_copy(update={"start": {"ball": start}}), interval=0.02)
        panel.plot(*made.position("ball")[:, :2].T, label=f"from x = {x:g} m")
    panel.plot(0.0, 0.0, "k+")
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Ball on a turntable, from above")
    panel.legend()
    save("turntable", panels)


def stone() -> None:
    """The angular velocity of the rattleback."""
    _, panels = style.figure(width=5.5, height=3.0)
    made, panel = run("rattleback-body", interval=0.01), panels[0, 0]
    w = made.angular_velocity("stone")
    panel.plot(made.t, w[:, 2], label="about the vertical", zorder=3)
    panel.plot(made.t, w[:, 1], linewidth=0.5, alpha=0.5, label="about y")
    panel.axhline(0.0, color="black", linewidth=0.8)
    panel.set(xlabel="time [s]", ylabel="angular velocity [rad/s]", title="Rattleback as a body")
    panel.legend()
    save("rattleback-body", panels)


def bicycle() -> None:
    """Eigenvalues of lean and steer over the speed."""
    _, panels = style.figure(width=5.5, height=3.6)
    panel, speeds = panels[0, 0], np.linspace(0.05, 10.0, 200)
    equations: Any = gr.derive(gr.load(ROOT / "examples" / "bicycle.toml"), "fundamental")
    q, v = equations.start
    for speed in speeds:
        modes = equations.linearize(q, v * speed / 5.0).modes
        modes = modes[np.argsort(-np.abs(modes))][:4]
        panel.plot(np.full(4, speed), modes.real, ".", color=style.COLOURS[0], markersize=2.5)
        swings = modes[modes.imag > 1e-3]
        panel.plot(np.full(len(swings), speed), swings.imag, ".", color=style.COLOURS[1], markersize=1.5)
    panel.axvspan(4.29238, 6.02426, color=style.COLOURS[2], alpha=0.15, linewidth=0.0)
    panel.axhline(0.0, color="black", linewidth=0.8)
    panel.plot([], [], ".", color=style.COLOURS[0], label="Re s [1/s]")
    panel.plot([], [], ".", color=style.COLOURS[1], label="Im s [rad/s]")
    panel.set(xlabel="speed [m/s]", ylabel="eigenvalues of lean and steer", ylim=(-10.0, 10.0),
              title="It balances itself in the shaded range")
    panel.legend(loc="lower left")
    save("bicycle", panels)


def chain() -> None:
    """The catenary with four of its modes, and a film of one."""
    rest = gr.equilibrium(gr.load(ROOT / "examples" / "hanging-chain.toml"))
    _, panels = style.figure(2, 2, width=6.0, height=2.2, sharex=True, sharey=True)
    for number, panel in enumerate(panels.flat):
        k = rest.linear.oscillation(number)
        run = rest.linear.mode_run(k, frames=12)
        for frame, shade in zip(range(-3, 4), np.linspace(0.15, 1.0, 7), strict=True):
            panel.plot(*_line(run, frame % 12).T, color=style.COLOURS[0], alpha=float(shade), linewidth=1.2)
        panel.set(title=f"{rest.linear.modes[k].imag / (2 * np.pi):.3g} Hz", aspect="equal", xlabel="x [m]",
                  ylabel="y [m]")
        panel.label_outer()
    save("hanging-chain", panels)
    third = rest.linear.mode_run(rest.linear.oscillation(2))
    film(third, PICTURES / "film-hanging-chain.webp", colour="none", seconds=2.0, rate=24, size=(420, 300))


def _line(run: gr.Run, frame: int) -> np.ndarray:
    """Points of the chain from left to right."""
    return np.array([run.position(name)[frame] for name in ("left", *(f"bead-{k}" for k in range(1, 12)), "right")])


def cart() -> None:
    """Cart and rods during the first swing, and the path of the end."""
    _, panels = style.figure(width=5.5, height=3.6)
    made, panel = run("cart-double-pendulum", interval=0.02), panels[0, 0]
    for k, frame in enumerate(range(0, 61, 6)):
        panel.plot(*polyline(outlines(made, frame)).T, color=SHADES((k + 1) / 11))
    panel.plot(*made.position("lower")[:61].T, color=style.COLOURS[1], linewidth=2.0, label="centre of the lower rod")
    panel.legend(fontsize="x-small")
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Cart with a double pendulum")
    save("cart-double-pendulum", panels)


def hoop() -> None:
    """The bifurcation diagram."""
    scene = gr.load(ROOT / "examples" / "rotating-hoop.toml")
    gr.equilibria(scene, "omega", (1.0, 10.0), at={"theta": 0.0}).plot("theta").savefig(
        PICTURES / "rotating-hoop.png", dpi=80)


def rotor() -> None:
    """The Campbell diagram."""
    scene = gr.load(ROOT / "examples" / "jeffcott-rotor.toml")
    gr.campbell(scene, (0.0, 600.0)).plot().savefig(PICTURES / "jeffcott-rotor.png", dpi=80)


def save(name: str, panels: Any) -> None:
    """Write the figure of some panels, small."""
    panels[0, 0].figure.savefig(PICTURES / f"{name}.png", dpi=80)


if __name__ == "__main__":
    with style.house():
        for draw in (sleigh, disk, pendulum, squeezer, slider_crank, overclosed, coin, incline, turntable, stone,
                     bicycle, chain, hoop, rotor, cart):
            draw()
        bennett = runpy.run_path(str(ROOT / "examples" / "bennett.py"))
        bennett["picture"](gr.simulate(bennett["scene"]()), PICTURES / "bennett.png")
