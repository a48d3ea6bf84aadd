"""Cost per grain and step and memory against the number of grains, each size in a process of its own.

`python -m benchmarks.grain_scaling N` prints one JSON object. The grains stand on each other in a cubic lattice,
three contacts each, so that all sizes do the same work; lists are made anew every 30 steps, as in a settling bed.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.costs import measured_apart, peak_megabytes

SIZES = (1_000, 10_000, 100_000, 1_000_000)
STEPS = 30
"""Between two lists."""


@dataclass(frozen=True)
class Cost:
    """What a step of `moreau` costs at one size."""

    grains: int
    nanoseconds: float
    """CPU time per grain and step."""
    gigabytes: float
    """Largest memory of the process."""


def measure(sizes: tuple[int, ...] = SIZES) -> list[Cost]:
    """All sizes, one after the other."""
    return [Cost(**found) for found in measured_apart(__name__, sizes, {"NUMBA_NUM_THREADS": "1"})]


def cost(count: int) -> Cost:
    """Time steps of `count` grains in this process."""
    from benchmarks.granum_settling import scene_of
    from benchmarks.peers.settling import Task
    from benchmarks.settling import lattice, task_values
    from granum.contact.world import World

    task = Task(task_values(*lattice(count, spacing=2.0, jitter=0.0), 1.0, 1e9))
    world = World(scene_of(task, "moreau"))
    world.begin()
    repeats = max(2, min(20, 400_000 // count))
    best = np.inf
    for k in range(repeats + 1):  # the first loads compiled code
        began = time.process_time()
        world.advance((k + 1) * STEPS * world.step, lambda _: None)
        best = min(best, time.process_time() - began) if k else best
    return Cost(count, best / STEPS / count * 1e9, peak_megabytes() / 1024)


if __name__ == "__main__":
    print(json.dumps(asdict(cost(int(sys.argv[1])))))
