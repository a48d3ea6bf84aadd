"""`python -m benchmarks stepping`: what a step of a simulation costs beyond its solver, for small scenes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import granum as gr

BAR = 30.0
"""Microseconds that a step may take beyond its solver."""
STEP, STEPS, ROUNDS = 1e-3, 300, 5

@dataclass(frozen=True)
class Row:
    """Least times of one scene [µs]."""

    scene: str
    step: float
    """A step of the simulation, ..."""
    solver: float
    """... and of its solver alone."""

    @property
    def overhead(self) -> float:
        """What the simulation adds [µs]."""
        return self.step - self.solver


@dataclass(frozen=True)
class Result:
    """All scenes, and what is done between steps."""

    rows: list[Row]
    joint: float
    command: float

    def summary_lines(self) -> list[str]:
        """A row for each scene."""
        return [f"A step of {STEP:g} s, µs (least of {ROUNDS} rounds of {STEPS}); bar of the difference {BAR:g}:",
                f"  {'scene':24}{'step':>9}{'solver':>9}{'difference':>12}",
                *(f"  {row.scene:24}{row.step:9.1f}{row.solver:9.1f}{row.overhead:12.1f}"
                  f"{'' if row.overhead <= BAR else '   above the bar'}" for row in self.rows),
                f"  read a joint {self.joint:.1f} µs, command an actuator {self.command:.1f} µs"]

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {"bar": BAR, "rows": [{**asdict(row), "overhead": row.overhead} for row in self.rows],
                "joint": self.joint, "command": self.command}


def measure() -> Result:
    """Time all scenes."""
    cart = gr.example("cart-pole").vary({"actuator.motor.force": 0}).with_run(until=10.0, interval=5.0)
    pendulum = gr.example("pendulum").with_run(until=10.0, interval=5.0)
    scenes = {"cart and pole": cart, "the same as formulas": cart.with_run(formulation="fundamental"),
              "50 links": pendulum, "50 links, rattle": pendulum.with_run(solver="rattle"),
              "400 grains": gr.example("hopper").with_run(until=10.0, interval=5.0)}
    rows = [_row(name, gr.Simulation(scene)) for name, scene in scenes.items()]
    sim = gr.Simulation(cart)
    return Result(rows, least(lambda: sim.joint("pivot")), least(lambda: sim.actuate("motor", force=0.1)))


def _row(name: str, sim: gr.Simulation) -> Row:
    subject = sim._subject
    sim.step(STEP)
    stepped, alone = [], []
    for _ in range(ROUNDS):
        times = [0.0, 0.0]
        for _ in range(STEPS):  # in turn, so that both see the same machine and nearly the same states
            began = time.perf_counter()
            sim.step(STEP)
            between = time.perf_counter()
            subject.advance(subject.time + STEP, _nothing)
            times[0] += between - began
            times[1] += time.perf_counter() - between
        stepped.append(times[0] / STEPS * 1e6)
        alone.append(times[1] / STEPS * 1e6)
    return Row(name, min(stepped), min(alone))


def _nothing(t: float) -> None:
    """Watch nothing."""


def least(call: Callable[[], Any]) -> float:
    """The least time of a call over several rounds [µs]."""
    return min(_each(call) for _ in range(ROUNDS))


def _each(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    for _ in range(STEPS):
        call()
    return (time.perf_counter() - began) / STEPS * 1e6
