"""`python -m benchmarks rods`: a chain of hinged uniform rods against MuJoCo at equal accuracy, and its cost by length.

Rods of 1 kg, 3 m in all, hang from a pivot 30 degrees from the vertical, at rest; 0.1 s of motion. Every setting is
judged by the end: energy within 1e-6, tip within 1e-6 m of a reference three digits tighter. What counts is CPU time on
one thread, because it says something on a busy machine too, and ratios within one run.
"""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.costs import curves_of
from benchmarks.peers import rods as peer
from granum.base.kernels import Floats
from granum.model.scene import Scene

if TYPE_CHECKING:
    from granum.view.plots.several import Chart

LENGTH, ANGLE, GRAVITY, DURATION = 3.0, math.radians(30.0), 9.81, 0.1
ENERGY, TIP = 1e-6, 1e-6
"""Relative error of the energy and distance of the tip [m] that count as accurate."""
SCALING = (100, 1_000, 10_000)
_TOLERANCES = tuple(10.0**-k for k in range(3, 11))
_STEPS_PER_BODY, _GROWTH, _RUNGS = 1.2, 1.25, 8
"""MuJoCo's ladder: steps in 1 s per body for the first rung, about what RK4 bears at the fastest mode of 3.6 N
rad/s, and from rung to rung."""


@dataclass(frozen=True)
class Outcome:
    """One run of a program."""

    program: str
    version: str
    setting: str
    cpu: float
    """CPU seconds of the stepping alone."""
    energy: float
    """Relative error at the end."""
    tip: float
    """Distance of the tip from the reference [m]."""

    def __str__(self) -> str:
        """As a line of the result."""
        return (f"{self.program + ' ' + self.version:16} {self.cpu:10.4f} s   {self.setting} (energy {self.energy:.0e}"
                f", tip {self.tip:.0e} m)")

    @property
    def accurate(self) -> bool:
        """Does it count?"""
        return self.energy <= ENERGY and self.tip <= TIP


@dataclass(frozen=True)
class Cost:
    """What Granum takes at one length."""

    rods: int
    nanoseconds: float
    """CPU time per rod and evaluation of the accelerations, all of a step included."""
    evaluations: int


@dataclass(frozen=True)
class Comparison:
    """Both programs at one length; None where none of the settings is accurate within the budget."""

    rods: int
    granum: Outcome | None
    mujoco: Outcome | None
    reason: str

    @property
    def ratio(self) -> float | None:
        """MuJoCo's time over Granum's."""
        return self.mujoco.cpu / self.granum.cpu if self.granum and self.mujoco else None


@dataclass(frozen=True)
class Result:
    """What the benchmark found."""

    comparisons: list[Comparison]
    costs: list[Cost]

    @property
    def growth(self) -> float | None:
        """Cost per rod of the longest chain over that of the shortest."""
        return self.costs[-1].nanoseconds / self.costs[0].nanoseconds if self.costs else None

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {"comparisons": [{**asdict(c), "ratio": c.ratio} for c in self.comparisons],
                "scaling": [asdict(cost) for cost in self.costs], "growth": self.growth}

    def charts(self) -> list[Chart]:
        """CPU seconds against N by program, and the cost per rod and evaluation."""
        from granum.view.plots.several import Chart

        runs = curves_of((found.program, comparison.rods, found.cpu) for comparison in self.comparisons
                         for found in (comparison.granum, comparison.mujoco) if found is not None)
        steps = ([cost.rods for cost in self.costs], [cost.nanoseconds for cost in self.costs])
        return [Chart(runs, "number of rods N [-]", f"CPU time of {DURATION} s simulated [s]",
                      "Chain of hinged rods at equal accuracy", (1.0, 2.0)),
                Chart({"Granum": steps} if self.costs else {}, "number of rods N [-]",
                      "CPU time per rod and evaluation [ns]", "newton-euler, dop853", (0.0,))]

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = [f"Chain of N hinged rods, {DURATION} s, at equal accuracy (energy {ENERGY:g}, tip {TIP:g} m), CPU "
                 "time:"]
        for c in self.comparisons:
            lines.append(f"  N = {c.rods}")
            lines += [f"    {found}" for found in (c.granum, c.mujoco) if found is not None]
            if c.ratio is not None:
                lines.append(f"    Granum is {c.ratio:.1f} times as fast.")
            elif c.reason:
                lines.append(f"    {c.reason}")
        lines += [f"  N = {cost.rods:>6}  {cost.nanoseconds:7.0f} ns per rod and evaluation" for cost in self.costs]
        if self.growth is not None:
            lines.append(f"  The cost per rod grows by {self.growth:.2f} from the shortest to the longest.")
        return lines


def rods_scene(count: int) -> Scene:
    """The chain of rods."""
    rod, angle = LENGTH / count, ANGLE - math.pi / 2.0
    body: dict[str, Any] = {"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}}
    hinges, start, before = {}, {}, "pivot"
    for k in range(1, count + 1):
        body[f"rod-{k}"] = {"kind": "rod", "length": rod, "mass": 1.0}
        along = (k - 0.5) * rod
        start[f"rod-{k}"] = {"angle": angle, "position": (along * math.cos(angle), along * math.sin(angle))}
        hinges[f"hinge-{k}"] = {"kind": "hinge", "between": (before, f"rod-{k}.tail")}
        before = f"rod-{k}.head"
    return Scene(body=body, constraint=hinges, start=start,
                 load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}})


def judged(angles: Floats, rates: Floats) -> tuple[float, Floats]:
    """Relative error of the energy, and the tip, from angles against the vertical; the same for all programs."""
    rod = LENGTH / len(angles)
    heads = rod * np.cumsum(np.column_stack([np.sin(angles), -np.cos(angles)]), axis=0)
    speeds = rod * np.cumsum(np.column_stack([np.cos(angles), np.sin(angles)]) * rates[:, None], axis=0)
    centres, middle = (0.5 * (part + np.vstack([np.zeros(2), part[:-1]])) for part in (heads, speeds))
    energy = 0.5 * np.sum(middle**2) + rod**2 / 24.0 * np.sum(rates**2) + GRAVITY * np.sum(centres[:, 1])
    start = -GRAVITY * len(angles) * 0.5 * LENGTH * math.cos(ANGLE)
    return abs(float(energy) - start) / abs(start), heads[-1]


class GranumRods:
    """This engine: newton-euler of rigid bodies and hinges, dop853."""

    def __init__(self, count: int) -> None:
        from granum.analytic.rigid_bodies.equations import BodyEquations

        self.scene = rods_scene(count)
        self.equations = BodyEquations(self.scene)

    def run(self, tolerance: float, duration: float = DURATION) -> tuple[float, Floats, Floats, int]:
        """CPU seconds, angles against the vertical, rates and evaluations at the end."""
        from granum.integrate.rigid_bodies import BodyMotion

        motion = BodyMotion(self.equations, self.scene.with_run(tolerance=tolerance, until=duration).run)
        began = time.process_time()
        statistics = motion.advance(duration, lambda _: None)
        cpu = time.process_time() - began
        n = len(self.equations.rows.bodies)
        state = motion.y[: 6 * n].reshape(n, 6)
        inertia = np.array([body.inertia[2, 2] for body in self.equations.rows.bodies])
        return cpu, state[:, 2] + math.pi / 2.0, state[:, 5] / inertia, int(statistics.evaluations)


def _granum(chain: GranumRods, tip: Floats) -> Iterator[Outcome]:
    from importlib import metadata

    for tolerance in _TOLERANCES:
        cpu, angles, rates, _ = chain.run(tolerance)
        energy, end = judged(angles, rates)
        yield Outcome("Granum", metadata.version("granum"), f"dop853, tolerance {tolerance:g}", cpu, energy,
                      float(np.linalg.norm(end - tip)))


def _mujoco(count: int, tip: Floats, python: str, budget: float) -> Iterator[Outcome]:
    for rung in range(_RUNGS):
        steps = math.ceil(_STEPS_PER_BODY * count * DURATION * _GROWTH**rung)
        with tempfile.TemporaryDirectory() as folder:
            end = Path(folder) / "end.npy"
            done = subprocess.run(
                [python, "-I", peer.__file__, *map(str, (count, LENGTH, ANGLE, GRAVITY, DURATION, steps, end))],
                capture_output=True, text=True, timeout=budget)
            if done.returncode:
                raise RuntimeError(done.stderr.strip().splitlines()[-1])
            found, state = json.loads(done.stdout.splitlines()[-1]), np.load(end)
        with np.errstate(all="ignore"):
            energy, at = judged(np.cumsum(state[0]), np.cumsum(state[1]))
        yield Outcome("MuJoCo", found["version"], f"RK4, step {DURATION / steps:.4g} s", found["cpu"], energy,
                      float(np.linalg.norm(at - tip)))


def _first_accurate(outcomes: Iterator[Outcome]) -> tuple[Outcome | None, str]:
    """The coarsest accurate setting, or why there is none."""
    try:
        for found in outcomes:
            if found.accurate:
                return found, ""
    except subprocess.TimeoutExpired as error:
        return None, f"MuJoCo: no accurate run within {error.timeout:g} s"
    except (RuntimeError, OSError) as error:
        return None, f"MuJoCo: {error}"
    return None, "no setting is accurate enough"


def compare(count: int, python: str, budget: float) -> Comparison:
    """Both programs at one length."""
    chain = GranumRods(count)
    chain.run(1e-3, 1e-4)
    _, angles, rates, _ = chain.run(1e-11)
    _, tip = judged(angles, rates)
    own, _ = _first_accurate(_granum(chain, tip))
    other, reason = _first_accurate(_mujoco(count, tip, python, budget))
    return Comparison(count, own, other, reason)


def cost(count: int) -> Cost:
    """Granum's cost of some hundred evaluations: the best of three."""
    chain = GranumRods(count)
    duration = 40.0 / (3.6 * count) / 4.0
    best, evaluations = math.inf, 0
    for _ in range(4):
        cpu, _, _, evaluations = chain.run(1e-6, duration)
        best = min(best, cpu)
    return Cost(count, best / evaluations / count * 1e9, evaluations)


def measure(sizes: tuple[int, ...], python: str, budget: float, with_scaling: bool) -> Result:
    """The comparison at every length, then the cost by length."""
    return Result([compare(size, python, budget) for size in sizes],
                  [cost(size) for size in SCALING] if with_scaling else [])
