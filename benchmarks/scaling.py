"""Cost per body and step against the number of bodies, each size in a process of its own.

`python -m benchmarks.scaling N` prints one JSON object: nanoseconds per body and step, and peak memory.
"""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict, dataclass

from benchmarks.comparison import CHAIN_LENGTH, GRAVITY
from benchmarks.costs import measured_apart, peak_megabytes

SIZES = (1_000, 10_000, 100_000, 1_000_000)
_SECONDS = 0.5
_REPEATS = 7


@dataclass(frozen=True)
class Cost:
    """What one step costs at one size."""

    bodies: int
    nanoseconds: float
    """Per body and step of rk4 with position correction."""
    megabytes: float
    """Largest memory of the process."""


def measure() -> list[Cost]:
    """All sizes, one after the other."""
    return [Cost(**found) for found in measured_apart(__name__, SIZES)]


def cost(count: int) -> Cost:
    """Time steps of a chain of `count` bodies in this process."""
    from benchmarks.granum_chain import chain_scene
    from granum.analytic import derive
    from granum.analytic.equations import LinkEquations
    from granum.assembly.points import compile_points
    from granum.integrate import make_stepper

    # well inside the stability limit of the fastest wave, 2 √(N g / l)
    step = 0.5 / (2.0 * math.sqrt(count * GRAVITY / (CHAIN_LENGTH / count)))
    scene = chain_scene(count).with_run(solver="rk4", step=step, corrections=("position",), tolerance=1e-6)
    equations, state = derive(scene), compile_points(scene)[1]
    assert isinstance(equations, LinkEquations)
    stepper = make_stepper(equations, state, scene.run)
    stepper.advance(state.t + 2 * step, lambda _: None)
    steps = max(2, int(_SECONDS / (count * 1e-7)))
    best = math.inf
    for _ in range(_REPEATS):
        began = time.perf_counter()
        stepper.advance(state.t + steps * step, lambda _: None)
        best = min(best, time.perf_counter() - began)
    return Cost(count, best / steps / count * 1e9, peak_megabytes())


if __name__ == "__main__":
    print(json.dumps(asdict(cost(int(sys.argv[1])))))
