"""`python -m benchmarks clumps`: what a contact of clumps costs beside one of spheres, in beds that have settled."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from granum import Box, BoxRegion, Grains, Gravity, Material, Part, RunSettings, Scene, Shape

SETTLE, PERIOD, PERIODS = 1.5, 0.03, 16
"""Time to settle, of one measurement, and how many are made (the best counts) [s]."""


@dataclass(frozen=True)
class Bed:
    """A bed of one kind of grains at rest."""

    shape: str
    grains: int
    contacts: float
    """In a step."""
    nanoseconds: float
    """CPU time per contact and step."""
    overlap: float
    """Mean, in radii."""


@dataclass(frozen=True)
class Result:
    """Beds of spheres and of clumps."""

    beds: list[Bed]

    @property
    def ratio(self) -> float:
        """Cost of a contact of clumps over that of spheres."""
        return self.beds[1].nanoseconds / self.beds[0].nanoseconds

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {"beds": [asdict(bed) for bed in self.beds], "ratio": self.ratio}

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = [f"{bed.grains:>7} {bed.shape:8} {bed.contacts:9.0f} contacts, {bed.nanoseconds:6.0f} ns a contact and "
                 f"step, overlap {bed.overlap:.1e} r" for bed in self.beds]
        return ["Beds at rest, steps of moreau on one thread:", *lines,
                f"A contact of clumps of three balls costs {self.ratio:.2f} times one of spheres."]


def bed_scene(shape: str, count: int) -> Scene:
    """Grains above a box in which they come to rest."""
    width = 0.028 * count ** (1.0 / 3.0)
    clover = Shape(spheres=(Part(centre=(0.0, 0.0, 0.0), radius=1.0), Part(centre=(1.2, 0.0, 0.0), radius=1.0),
                            Part(centre=(0.6, 1.0, 0.0), radius=1.0)))
    return Scene(
        material={"glass": Material(friction=0.3, restitution=0.3, density=2500.0)}, shape={"clover": clover},
        pattern={"grains": Grains(shape=shape, radius=0.01, count=count, region=BoxRegion(
            lower=(0.0, 0.0, 0.0), upper=(width, width, 7.0 * width)))},
        boundary={"box": Box(lower=(0.0, 0.0, 0.0), upper=(width, width, 9.0 * width), open=("+z",))},
        load={"gravity": Gravity(acceleration=(0.0, 0.0, -9.81))},
        run=RunSettings(until=SETTLE, solver="moreau", step=3e-4))


def settled(shape: str, count: int) -> Bed:
    """Let grains come to rest, and time steps then."""
    from granum.contact.world import World

    world = World(bed_scene(shape, count))
    world.begin()
    world.advance(SETTLE, lambda _: None)
    world.solver.statistics()
    best, contacts, overlap = float("inf"), 0.0, 0.0
    for _ in range(PERIODS):
        began = time.process_time()
        steps = world.advance(world.grains.t + PERIOD, lambda _: None)
        taken = time.process_time() - began
        figures = world.solver.statistics()
        contacts, overlap = figures["contacts"], figures["mean_overlap"]
        best = min(best, taken / steps / contacts * 1e9)
    return Bed("spheres" if shape == "sphere" else "clumps", count, contacts, best, overlap)


def measure(count: int = 3000) -> Result:
    """Spheres, then clumps of as much volume each."""
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return Result([settled("sphere", count), settled("clover", count)])
    finally:
        numba.set_num_threads(threads)
