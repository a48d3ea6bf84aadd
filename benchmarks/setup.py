"""`python -m benchmarks setup`: what it takes to set up a scene, per body named one by one and per grain of a pattern.

Processor time from the text or the entries of a scene to the moment before its first step. The time of Python's TOML
parser alone stands beside it. Grains of the pattern are on a lattice, where placing costs least.
"""

from __future__ import annotations

import math
import time
import tomllib
from dataclasses import asdict, dataclass
from typing import Any

import granum as gr
from granum.contact.world import World
from granum.io.scenefile import parse_scene
from granum.model.regions import BoxRegion

RADIUS = 0.01
SPACING = 2.1 * RADIUS


@dataclass(frozen=True)
class Cost:
    """What one scene took, per body or grain."""

    what: str
    count: int
    reading: float
    """TOML's parser [µs]; 0 where there is no text."""
    checking: float
    """Entries of the scene and what is wrong between them, reading included [µs]."""
    world: float
    """State, boundaries, loads, lists and solver [µs]."""


@dataclass(frozen=True)
class Result:
    """All of them."""

    costs: list[Cost]

    def summary_lines(self) -> list[str]:
        """A line for each scene."""
        return [f"{cost.count:7d} {cost.what}: {cost.reading:6.1f} µs for the text alone, {cost.checking:6.1f} µs for "
                f"the scene, {cost.world:6.1f} µs until its first step, each" for cost in self.costs]

    def as_json(self) -> list[dict[str, Any]]:
        """For scripts."""
        return [asdict(cost) for cost in self.costs]


def measure(named: tuple[int, ...] = (1000, 5000), grains: tuple[int, ...] = (10_000, 100_000)) -> Result:
    """Disks named in a file and in Python, and a pattern."""
    _of_text(50), _of_entries(50), _of_pattern(50)  # what loads and compiles once
    return Result([*map(_of_text, named), *map(_of_entries, named), *map(_of_pattern, grains)])


def _positions(count: int) -> list[tuple[float, float]]:
    side = math.ceil(math.sqrt(count))
    return [(SPACING * (1 + k % side), SPACING * (1 + k // side)) for k in range(count)]


def _edge(count: int) -> float:
    """Of the box around so many disks [m]."""
    return SPACING * (math.ceil(math.sqrt(count)) + 2)


def _rest(count: int) -> dict[str, Any]:
    """All but the disks."""
    edge = _edge(count)
    return {"material": {"glass": gr.Material(friction=0.3, density=2500.0)},
            "boundary": {"box": gr.Box(lower=(0.0, 0.0), upper=(edge, edge))},
            "load": {"gravity": gr.Gravity(acceleration=(0.0, -9.81))}, "run": gr.RunSettings(solver="moreau")}


def _timed(what: str, count: int, scene: Any, reading: float = 0.0) -> Cost:
    begin = time.process_time()
    made = scene()
    middle = time.process_time()
    World(made)
    end = time.process_time()
    return Cost(what, count, *(1e6 * part / count for part in (reading, middle - begin, end - middle)))


def _of_text(count: int) -> Cost:
    entries = "".join(f'[body.d{k}]\nkind = "disk"\nradius = {RADIUS}\n[start.d{k}]\nposition = [{x}, {y}]\n'
                      for k, (x, y) in enumerate(_positions(count)))
    edge = _edge(count)
    text = (f'[material.glass]\nfriction = 0.3\ndensity = 2500.0\n[boundary.box]\nkind = "box"\nlower = [0, 0]\n'
            f'upper = [{edge}, {edge}]\n[load.gravity]\nkind = "gravity"\nacceleration = [0, -9.81]\n'
            f'[run]\nsolver = "moreau"\n{entries}')
    begin = time.process_time()
    tomllib.loads(text)
    return _timed("disks named in a file", count, lambda: parse_scene(text), time.process_time() - begin)


def _of_entries(count: int) -> Cost:
    return _timed("disks named in Python", count, lambda: gr.Scene(
        body={f"d{k}": gr.Disk(radius=RADIUS) for k in range(count)},
        start={f"d{k}": gr.Start(position=at) for k, at in enumerate(_positions(count))}, **_rest(count)))


def _of_pattern(count: int) -> Cost:
    edge = _edge(count)
    bed = gr.Grains(radius=RADIUS, count=count, arrangement="lattice",
                    region=BoxRegion(lower=(0.0, 0.0), upper=(edge, edge)))
    return _timed("grains of a pattern", count, lambda: gr.Scene(pattern={"bed": bed}, **_rest(count)))
