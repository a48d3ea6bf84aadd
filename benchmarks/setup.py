"""`python -m benchmarks setup`: what it takes to set up a scene, per body named one by one and per grain of a pattern.

Processor time from the text or the entries of a scene to the moment before its first step: the least of three
set-ups, because other programs and fresh memory only add to it. The time of Python's TOML parser alone is listed
separately. Grains of the pattern are on a lattice, where placing costs least.

The bars: 30 µs for a named body without the parser, its link included, and 1 µs for a grain of a pattern, for any
number of them. 10 000 grains are too few for theirs: some 5 ms are spent whatever a scene has. Rods with hinges have no
bar.
"""

from __future__ import annotations

import gc
import math
import time
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import granum as gr
from granum.contact.world import World
from granum.io.scenefile import parse_scene
from granum.model.regions import BoxRegion
from granum.run.subject import subject_of

RADIUS = 0.01
SPACING = 2.1 * RADIUS
REPEATS = 3
NAMED_BAR, GRAIN_BAR = 30.0, 1.0
"""[µs]"""


@dataclass(frozen=True)
class Cost:
    """What one scene took, per body or grain."""

    what: str
    count: int
    reading: float
    """TOML's parser [µs]; 0 where there is no text."""
    checking: float
    """Entries of the scene and what is wrong between them, without the parser [µs]."""
    starting: float
    """State, boundaries, loads, lists and solver [µs]."""
    bar: float | None
    """The most that checking and starting may take together [µs]."""

    @property
    def line(self) -> str:
        """For people."""
        own = self.checking + self.starting
        bar = "" if self.bar is None else f" ({'within' if own <= self.bar else 'beyond'} the bar of {self.bar:g} µs)"
        return (f"{self.count:7d} {self.what}: {self.reading:5.1f} µs for the TOML parser, {self.checking:5.2f} µs for "
                f"the scene, {self.starting:5.2f} µs until its first step; without the parser {own:5.2f} µs{bar}")


@dataclass(frozen=True)
class Result:
    """All of them."""

    costs: list[Cost]

    def summary_lines(self) -> list[str]:
        """A line for each scene."""
        return [cost.line for cost in self.costs]

    def as_json(self) -> list[dict[str, Any]]:
        """For scripts."""
        return [asdict(cost) for cost in self.costs]


def measure(named: tuple[int, ...] = (1000, 5000, 100_000),
            grains: tuple[int, ...] = (10_000, 100_000, 1_000_000)) -> Result:
    """Disks named in a file and in Python, point masses with links, rods with hinges, and a pattern."""
    kinds = ((_disks_in_text, named), (_disks_in_python, named), (_points, named), (_rods, named[:2]),
             (_pattern, grains))
    for kind, _ in kinds:
        kind(50)  # what loads and compiles once
    return Result([kind(count) for kind, counts in kinds for count in counts])


def _timed(what: str, count: int, scene: Callable[[], gr.Scene], start: Callable[[gr.Scene], object],
           text: str = "", bar: float | None = NAMED_BAR) -> Cost:
    """The least time of some set-ups, part by part."""
    parts = []
    for _ in range(REPEATS):
        gc.collect()
        begin = time.process_time()
        made = scene()
        middle = time.process_time()
        start(made)
        parts.append((middle - begin, time.process_time() - middle))
    reading = 1e6 * min(map(_reading, [text] * REPEATS)) / count if text else 0.0
    checking, starting = (1e6 * min(part) / count for part in zip(*parts, strict=True))
    return Cost(what, count, reading, checking - reading, starting, bar)


def _reading(text: str) -> float:
    """Time of the parser alone [s], without the garbage collector, which waits while a scene is read."""
    gc.collect()
    gc.disable()
    begin = time.process_time()
    tomllib.loads(text)
    end = time.process_time()
    gc.enable()
    return end - begin


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


def _disks_in_text(count: int) -> Cost:
    entries = "".join(f'[body.d{k}]\nkind = "disk"\nradius = {RADIUS}\n[start.d{k}]\nposition = [{x}, {y}]\n'
                      for k, (x, y) in enumerate(_positions(count)))
    edge = _edge(count)
    text = (f'[material.glass]\nfriction = 0.3\ndensity = 2500.0\n[boundary.box]\nkind = "box"\nlower = [0, 0]\n'
            f'upper = [{edge}, {edge}]\n[load.gravity]\nkind = "gravity"\nacceleration = [0, -9.81]\n'
            f'[run]\nsolver = "moreau"\n{entries}')
    return _timed("disks named in a file", count, lambda: parse_scene(text), World, text)


def _disks_in_python(count: int) -> Cost:
    return _timed("disks named in Python", count, lambda: gr.Scene(
        body={f"d{k}": gr.Disk(radius=RADIUS) for k in range(count)},
        start={f"d{k}": gr.Start(position=at) for k, at in enumerate(_positions(count))}, **_rest(count)), World)


_HANGING = ('[body.ceiling]\nkind = "fixed-point"\nposition = [0, 0]\n[load.gravity]\nkind = "gravity"\n'
            'acceleration = [0, -9.81]\n')


def _points(count: int) -> Cost:
    """A hanging chain of point masses, each with its link."""
    text = _HANGING + "".join(
        f'[body.p{k}]\nkind = "point-mass"\nmass = 0.1\n[start.p{k}]\nposition = [{SPACING * (k + 1)}, 0.0]\n'
        f'[link.l{k}]\nbetween = ["{f"p{k - 1}" if k else "ceiling"}", "p{k}"]\n' for k in range(count))
    return _timed("point masses and links named in a file", count, lambda: parse_scene(text), subject_of, text)


def _rods(count: int) -> Cost:
    """A hanging chain of rods, each with its hinge."""
    text = _HANGING + "".join(
        f'[body.r{k}]\nkind = "rod"\nmass = 0.1\nlength = {SPACING}\n'
        f'[start.r{k}]\nposition = [{SPACING * (k + 0.5)}, 0.0]\nangle = 0.0\n[constraint.h{k}]\nkind = "hinge"\n'
        f'between = ["{f"r{k - 1}.head" if k else "ceiling"}", "r{k}.tail"]\n' for k in range(count))
    return _timed("rods and hinges named in a file", count, lambda: parse_scene(text), subject_of, text, bar=None)


def _pattern(count: int) -> Cost:
    edge = _edge(count)
    bed = gr.Grains(radius=RADIUS, count=count, arrangement="lattice",
                    region=BoxRegion(lower=(0.0, 0.0), upper=(edge, edge)))
    return _timed("grains of a pattern", count, lambda: gr.Scene(pattern={"bed": bed}, **_rest(count)), World,
                  bar=GRAIN_BAR)
