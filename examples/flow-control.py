"""A slide gate under a silo holds a flow rate: a controller reads the mass that has passed and moves the gate.

Every 10 ms it compares the mass that has passed with the mass that should have, and opens or closes the gate. A flow of
grains needs no exact law for that: Beverloo's law with rough constants gives the opening to begin with, and the
difference of masses corrects it.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

import granum as gr
from granum.view import style

WIDTH, CLOSED = 0.09, 0.01
"""Of the outlet, and how far the closed gate overlaps its edge [m]."""
DIAMETER, DENSITY, G = 0.008, 2500.0, 9.81
SET_POINTS = ((0.2, 0.0), (1.4, 60.0), (2.6, 30.0))
"""Until a time [s] a flow rate [kg/s], for a depth of 1 m."""
GAIN, MOST, FASTEST = 0.003, 3.0, 0.4
"""Opening for a missing mass [m/kg], most mass that is made up for [kg], speed of the gate [m/s]."""


def scene(until: float = SET_POINTS[-1][0]) -> gr.Scene:
    """A silo of disks with a flat bottom, and a gate on a slider below its outlet."""
    left, right = -0.5 * WIDTH - CLOSED, 0.5 * WIDTH + CLOSED
    return gr.Scene(
        title="A gate that holds a flow rate",
        material={"grain": gr.Material(density=DENSITY, friction=0.5, restitution=0.1)},
        boundary={"silo": gr.Hopper(position=(0, 0), opening=WIDTH, width=0.22, height=0.45),
                  "plate": gr.Wall(positions=[(left, -0.004), (right, -0.004)], body="gate")},
        pattern={"grain": gr.Grains(arrangement="dense", radius=(0.45 * DIAMETER, 0.55 * DIAMETER),
                                    packing_fraction=0.8,
                                    region=gr.BoxRegion(lower=(-0.11, 0.001), upper=(0.11, 0.44)))},
        body={"frame": gr.FixedPoint(position=(-0.17, -0.006)), "gate": gr.Block(size=(right - left, 0.004), mass=2.0)},
        start={"gate": gr.Start(position=(0, -0.006))},
        constraint={"guide": gr.Slider(between=("frame", "gate"), axis=(-1, 0)),
                    "motor": gr.Drive(joint="guide", motion="0")},
        load={"gravity": gr.Gravity(acceleration=(0, -G))},
        probe={"outlet": gr.FlowProbe(position=(0, -0.015), normal=(0, -1))},
        sink={"below": gr.Sink(region=gr.HalfSpace(position=(0, -0.15), normal=(0, -1)))},
        run=gr.RunSettings(until=until, interval="10 ms", step=4e-4))


def wanted(t: float) -> float:
    """Flow rate that is asked for [kg/s]."""
    return next((rate for end, rate in SET_POINTS if t < end - 1e-9), SET_POINTS[-1][1])


class Controller:
    """Keeps the mass that has passed at the integral of the flow rate that is asked for."""

    def __init__(self, period: float = 0.01) -> None:
        self.period, self.due = period, 0.0

    def __call__(self, sim: gr.Simulation) -> None:
        """Called by `gr.simulate` at every period."""
        rate, passed = wanted(sim.t), sim.passed("outlet")[1]
        self.due = min(self.due + rate * self.period, passed + MOST)
        opening = 0.0 if rate == 0.0 else law(rate) + GAIN * (self.due - passed)
        target = CLOSED + min(max(opening, 0.0), WIDTH)
        speed = (target - sim.joint("guide").displacement) / (2.0 * self.period)
        sim.drive("motor", min(max(speed, -FASTEST), FASTEST))


def law(rate: float) -> float:
    """The opening for a flow rate [m], by Beverloo's law in 2-D: W = C ρ √g (D - k d)^(3/2), C = 0.8, k = 1.4."""
    return 1.4 * DIAMETER + (rate / (0.8 * DENSITY * np.sqrt(G))) ** (2.0 / 3.0)


def flow(run: gr.Run, start: float, end: float) -> float:
    """Mean mass flow between two times [kg/s]."""
    mass = np.interp([start, end], run.t, run.passed("outlet")[1])
    return float(np.diff(mass)[0] / (end - start))


def simulate(output: Path | None = None) -> gr.Run:
    """The controlled run."""
    return gr.simulate(scene(), control=Controller(), every="10 ms", output=output, overwrite=True)


def wide_open(until: float = 0.8) -> gr.Run:
    """The same silo with the gate pulled open at once."""
    return gr.simulate(scene(until), control=lambda sim: sim.drive("motor", FASTEST if opening(sim) < WIDTH else 0.0),
                       every="10 ms")


def opening(sim: gr.Simulation) -> float:
    """Width of the outlet that the gate leaves free [m]."""
    return sim.joint("guide").displacement - CLOSED


def picture(run: gr.Run, file: Path) -> None:
    """Flow rate beside the set point, and the opening of the gate."""
    window = 0.1
    middle = np.arange(window, run.t[-1], window)
    rates = [flow(run, t - 0.5 * window, t + 0.5 * window) for t in middle]
    drawn, axes = style.figure(2, 1, 6.0, 2.2, sharex=True)
    upper, lower = axes.ravel()
    upper.plot(middle, rates, label="flow through the outlet")
    upper.plot(run.t, [wanted(t) for t in run.t], "k--", label="set point")
    upper.set(ylabel="flow rate [kg/s]")
    upper.legend()
    lower.plot(run.t, 1e3 * np.maximum(-run.position("gate")[:, 0] - CLOSED, 0.0))
    lower.set(xlabel="t [s]", ylabel="opening [mm]")
    drawn.savefig(file, dpi=90)


if __name__ == "__main__":
    run = simulate(Path("flow-control.h5"))
    for (begun, _), (end, rate) in pairwise(SET_POINTS):
        print(f"set point {rate:.0f} kg/s: mean flow {flow(run, begun + 0.4, end):.1f} kg/s")
    print(f"gate open: {flow(wide_open(), 0.5, 0.8):.1f} kg/s")
    picture(run, Path("flow-control.png"))
