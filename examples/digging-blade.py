"""A blade digs through 10 000 grains at constant drag: a controller raises it where the heap before it grows.

The blade hangs on a sledge that is driven forwards. Every 10 ms the controller computes the mean drag since its last
call from the work of the drive, and lowers or raises the blade. At constant depth the drag would grow with the heap.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import granum as gr
from granum.view import style

DENSITY, G, FRICTION = 2500.0, 9.81, 0.5
RADIUS, LENGTH, DEPTH = 0.0025, 1.3, 0.2
"""Of the grains, and of the bed [m]."""
SPEED, DRAG = 0.5, 400.0
"""Of the sledge [m/s], and the set point of the drag [N] for a width of 1 m."""
GAIN, RESET, SMOOTHING, FASTEST = 0.001, 0.3, 0.05, 0.5
"""Speed of the blade for a drag beyond its set point [m/s/N], reset and smoothing time [s], fastest speed [m/s]."""
PERIOD = 0.01


def scene(until: float = 1.2, length: float = LENGTH, depth: float = DEPTH) -> gr.Scene:
    """A bed of disks in a trough, a sledge above it, and a blade on a vertical slider below the sledge."""
    start, top = 0.15, depth + 0.16
    return gr.Scene(
        title="A digging blade at constant drag",
        material={"grain": gr.Material(density=DENSITY, friction=FRICTION, restitution=0.1)},
        boundary={"floor": gr.Plane(position=(0, 0), normal=(0, 1)),
                  "back": gr.Wall(positions=[(0, 0), (0, top)]),
                  "front": gr.Wall(positions=[(length, 0), (length, top)]),
                  "edge": gr.Wall(positions=[(start, depth), (start, depth + 0.14)], body="blade")},
        pattern={"grain": gr.Grains(arrangement="dense", radius=(0.9 * RADIUS, 1.1 * RADIUS), packing_fraction=0.82,
                                    region=gr.BoxRegion(lower=(0.001, 0.001), upper=(length - 0.001, depth)))},
        body={"rail": gr.FixedPoint(position=(start, top + 0.04)),
              "sledge": gr.Block(size=(0.08, 0.02), mass=5.0),
              "blade": gr.Block(size=(0.006, 0.14), mass=2.0)},
        start={"sledge": gr.Start(position=(start, top + 0.04)), "blade": gr.Start(position=(start, depth + 0.07))},
        constraint={"track": gr.Slider(between=("rail", "sledge"), axis=(1, 0)),
                    "lift": gr.Slider(between=("sledge", "blade"), axis=(0, 1)),
                    "push": gr.Drive(joint="track", motion=f"{SPEED}*(t + (exp(-20*t) - 1)/20)"),
                    "jack": gr.Drive(joint="lift", motion="0")},
        load={"gravity": gr.Gravity(acceleration=(0, -G))},
        run=gr.RunSettings(until=until, interval=PERIOD, step=2e-4))


class Controller:
    """Holds the drag by the height of the blade, as a PI controller; with `level` it goes to that depth [m] instead."""

    def __init__(self, level: float | None = None) -> None:
        self.level, self.work, self.x, self.drag, self.integral = level, 0.0, 0.0, 0.0, 0.0

    def __call__(self, sim: gr.Simulation) -> None:
        """Called by `gr.simulate` at every period."""
        work, x, y = sim.energy["work push"], sim.joint("track").displacement, sim.joint("lift").displacement
        if x > self.x:
            self.drag += PERIOD / SMOOTHING * ((work - self.work) / (x - self.x) - self.drag)
        self.work, self.x = work, x
        if self.integral or self.drag > DRAG:  # not before the set point is reached for the first time
            self.integral += PERIOD / RESET * (self.drag - DRAG)
        speed = GAIN * (self.drag - DRAG + self.integral)
        if self.level is not None:
            speed = (-self.level - y) / (5.0 * PERIOD)
        sim.drive("jack", min(max(speed, -FASTEST), FASTEST))


def drag(run: gr.Run, start: float, end: float) -> float:
    """Mean drag between two times [N]: work of the drive by the distance."""
    work, x = (np.interp([start, end], run.t, values) for values in (run.work("push"), run.position("sledge")[:, 0]))
    return float(np.diff(work)[0] / np.diff(x)[0])


def simulate(output: Path | None = None, level: float | None = None) -> gr.Run:
    """The controlled run, or one at constant depth."""
    return gr.simulate(scene(), control=Controller(level), every=PERIOD, output=output, overwrite=True)


def picture(runs: dict[str, gr.Run], file: Path) -> None:
    """Drag and depth of the blade over time."""
    drawn, axes = style.figure(2, 1, 6.0, 2.2, sharex=True)
    upper, lower = axes.ravel()
    for label, run in runs.items():
        middle = np.arange(0.1, run.t[-1], 0.05)
        upper.plot(middle, [drag(run, t - 0.05, t + 0.05) for t in middle], label=label)
        lower.plot(run.t, 1e3 * (DEPTH + 0.07 - run.position("blade")[:, 1]))
    upper.axhline(DRAG, color="k", linestyle="--", label="set point")
    upper.set(ylabel="drag [N]")
    upper.legend()
    lower.set(xlabel="t [s]", ylabel="depth of the edge [mm]")
    drawn.savefig(file, dpi=90)


if __name__ == "__main__":
    runs = {"controlled": simulate(Path("digging-blade.h5")), "constant depth": simulate(level=0.07)}
    for label, run in runs.items():
        print(f"{label}: mean drag {drag(run, 0.6, 0.9):.0f} N, then {drag(run, 0.9, 1.2):.0f} N")
    picture(runs, Path("digging-blade.png"))
