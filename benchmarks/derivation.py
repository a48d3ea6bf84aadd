"""`python -m benchmarks derive`: pendulums of N links derived, compiled and evaluated beside SymPy's two methods."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import ROOT
from benchmarks.costs import curves_of
from benchmarks.granum_chain import chain_scene
from granum.analytic.derive import derive

if TYPE_CHECKING:
    from granum.view.plots.several import Chart

LIMIT = 120.0
"""Seconds a peer may take for one size."""
METHODS = ("KanesMethod", "LagrangesMethod")


@dataclass(frozen=True)
class Derivation:
    """One program at one size."""

    program: str
    links: int
    seconds: float | None
    """From the description to the first accelerations; None where the limit was reached."""
    microseconds: float | None
    """Of a further evaluation."""


@dataclass(frozen=True)
class Result:
    """What the benchmark found."""

    found: list[Derivation]

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {"limit": LIMIT, "derivations": [asdict(d) for d in self.found]}

    def charts(self) -> list[Chart]:
        """Seconds to derive against N by program, and a further evaluation."""
        from granum.view.plots.several import Chart

        derived = curves_of((d.program, d.links, d.seconds) for d in self.found if d.seconds is not None)
        evaluated = curves_of((d.program, d.links, d.microseconds) for d in self.found if d.microseconds is not None)
        label = "number of links N [-]"
        return [Chart(derived, label, "time to derive [s]", "Planar pendulum", (1.0, 3.0)),
                Chart(evaluated, label, "time of an evaluation [µs]", "Planar pendulum", (1.0, 3.0))]

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = ["Planar pendulum of N links: derived, compiled and evaluated once; and a further evaluation:"]
        for d in self.found:
            told = f"not within {LIMIT:g} s" if d.seconds is None or d.microseconds is None else \
                f"{d.seconds:9.3f} s   {d.microseconds:10.1f} µs"
            lines.append(f"  N = {d.links:>4}  {d.program:24} {told}")
        return lines


def measure(sizes: tuple[int, ...] = (10, 40, 100), peers: bool = True) -> Result:
    """Every formulation of Granum that has joint angles at every size, then SymPy as far as it gets."""
    found = [own(formulation, size) for formulation in ("scalar", "lagrange") for size in sizes]
    for method in METHODS if peers else ():
        for size in sizes:
            found.append(peer(method, size))
            if found[-1].seconds is None:
                break
    return Result(found)


def own(formulation: str, links: int) -> Derivation:
    """A pendulum of Granum, after a first one has loaded the compiled code."""
    _first(formulation, 2)
    began = time.perf_counter()
    equations, q, v = _first(formulation, links)
    seconds = time.perf_counter() - began
    best = np.inf
    for _ in range(20):
        began = time.perf_counter()
        for _ in range(50):
            equations.accelerations(q, v)
        best = min(best, (time.perf_counter() - began) / 50)
    return Derivation(f"Granum {formulation}", links, seconds, best * 1e6)


def _first(formulation: str, links: int) -> tuple[Any, Any, Any]:
    equations = derive(chain_scene(links), formulation)
    q, v = equations.start
    equations.accelerations(q, v)
    return equations, q, v


def peer(method: str, links: int) -> Derivation:
    """One of SymPy's methods in a process of its own, stopped at the limit."""
    command = [sys.executable, "-m", "benchmarks.peers.sympy_pendulum", method, str(links)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return Derivation(f"SymPy {method}", links, None, None)
    figures = json.loads(done.stdout)
    return Derivation(f"SymPy {method}", links, figures["seconds"], figures["microseconds"])
