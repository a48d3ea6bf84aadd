"""What a newcomer waits for: kernels that a scene compiles on a machine that has none, and their seconds.

`python -m benchmarks compile` runs each example in a process of its own with an empty cache of kernels. Numba reports
the beginning and the end of each compilation. Callees are compiled in between; their seconds are not counted again.
Scenes beyond their bar are marked. On a busy machine processor time is a third longer than on a quiet one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, cast

from benchmarks import ROOT

BARS, ANY, ALL = {"bouncing-ball": 12.0, "hopper": 12.0}, 20.0, 120.0
"""CPU seconds on a quiet machine that a cold run of these scenes, one of any other, and compiling all kernels once may
take."""
FRAMES = 2
"""Frames of each run: all kernels are compiled by then, or at the first event."""


@dataclass(frozen=True)
class Specialisation:
    """One kernel, compiled for one list of argument types."""

    kernel: str
    types: str
    seconds: float


@dataclass(frozen=True)
class Compiling:
    """What one scene compiled."""

    scene: str
    cpu_seconds: float
    """Processor time of the whole run, imports included."""
    specialisations: tuple[Specialisation, ...]
    engine: str
    """What computed its motion."""
    count: int
    """What was counted for those who wait: kernels and machine code."""

    @property
    def seconds(self) -> float:
        """Seconds spent in the compiler."""
        return sum(one.seconds for one in self.specialisations)

    @property
    def kernels(self) -> int:
        """Different functions among them."""
        return len({one.kernel for one in self.specialisations})

    def row(self) -> str:
        """One line of the table."""
        bar = BARS.get(self.scene, ANY)
        return (f"{self.scene:28}{self.cpu_seconds:8.1f}{self.seconds:12.1f}{self.kernels:9d}"
                f"{len(self.specialisations):17d}" + (f"   beyond {bar:g} s" if self.cpu_seconds > bar else ""))


@dataclass(frozen=True)
class Report:
    """All scenes."""

    scenes: tuple[Compiling, ...]
    slowest: int

    def as_json(self) -> Any:
        """Every specialisation of every scene."""
        return [{"scene": one.scene, "cpu_seconds": one.cpu_seconds, "seconds": one.seconds,
                 "specialisations": [vars(each) for each in one.specialisations]} for one in self.scenes]

    def summary_lines(self) -> list[str]:
        """A row for each scene, then the kernels that cost most over all scenes."""
        lines = [f"{'scene':28}{'CPU s':>8}{'compiler s':>12}{'kernels':>9}{'specialisations':>17}",
                 *(one.row() for one in self.scenes)]
        kept = {(one.kernel, one.types): one for scene in self.scenes for one in scene.specialisations}
        total = sum(one.seconds for one in kept.values())
        lines.append(f"{'all, each compiled once':28}{'':8}{total:12.1f}{len({one.kernel for one in kept.values()}):9d}"
                     f"{len(kept):17d}" + (f"   beyond {ALL:g} s" if total > ALL else ""))
        return [*lines, "", *self._kernel_lines(list(kept.values()))]

    def _kernel_lines(self, kept: list[Specialisation]) -> list[str]:
        cost: dict[str, list[float]] = defaultdict(list)
        for one in kept:
            cost[one.kernel].append(one.seconds)
        wanted: dict[str, list[str]] = defaultdict(list)
        for scene in self.scenes:
            for kernel in {one.kernel for one in scene.specialisations}:
                wanted[kernel].append(scene.scene)
        order = sorted(cost, key=lambda kernel: -sum(cost[kernel]))[:self.slowest]
        return [f"{'seconds':>8} {'compiled':>9}  kernel and the scenes that asked for it",
                *(f"{sum(cost[kernel]):8.2f} {len(cost[kernel]):9d}  {kernel} ({_some(wanted[kernel])})"
                  for kernel in order)]


def measure(scenes: tuple[Path, ...], slowest: int, tell: Callable[[str], None]) -> Report:
    """Run each scene with an empty cache, in a process of its own."""
    results = []
    for scene in scenes:
        results.append(_measured(scene))
        tell(results[-1].row())
    return Report(tuple(results), slowest)


def _measured(scene: Path) -> Compiling:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-m", "benchmarks.compiling", str(scene), str(Path(folder) / "run.h5")],
                              capture_output=True, text=True, cwd=ROOT,
                              env={**os.environ, "GRANUM_CACHE_DIR": str(Path(folder) / "kernels")})
    if done.returncode:
        raise RuntimeError(f"{scene.name}: {done.stderr.strip().splitlines()[-1]}")
    result = json.loads(done.stdout.splitlines()[-1])
    return Compiling(scene.stem, result["cpu_seconds"],
                     tuple(Specialisation(**one) for one in result["specialisations"]), result["engine"],
                     result["count"])


def write_counts(report: Report) -> None:
    """Keep how many kernels each engine compiles, for those who wait: the median of its scenes."""
    counts: dict[str, list[int]] = defaultdict(list)
    for one in report.scenes:
        counts[one.engine].append(one.count)
    text = json.dumps({engine: int(median(counts[engine])) for engine in sorted(counts)}, indent=1)
    (ROOT / "src/granum/base/kernel_counts.json").write_text(text + "\n", "utf-8")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _run(scene: str, file: str) -> None:
    """Simulate the first frames of a scene and print what was compiled for it, as JSON."""
    from numba.core import event as events

    from granum.base.compiler import LINKING
    from granum.base.compiling import waiting

    class Listener(events.Listener):  # type: ignore[misc]
        """Keeps a stack of what is being compiled: seconds of callees are taken off those of their callers."""

        def __init__(self) -> None:
            self.stack: list[list[float]] = []
            self.compiled: list[dict[str, Any]] = []

        def what(self, event: Any) -> str:
            return f"{event.data['args']}" + (" machine code" if event.kind == LINKING else "")

        def on_start(self, event: Any) -> None:
            self.stack.append([time.process_time(), 0.0])

        def on_end(self, event: Any) -> None:
            start, callees = self.stack.pop()
            spent = time.process_time() - start
            if self.stack:
                self.stack[-1][1] += spent
            function = event.data["dispatcher"].py_func
            module = (function.__module__ or "numba").removeprefix("granum.")  # Numba writes some functions itself
            self.compiled.append({"kernel": f"{module}.{function.__qualname__}", "types": self.what(event),
                                  "seconds": spent - callees})

    listener = Listener()
    cast(Any, events).register("numba:compile", listener)
    cast(Any, events).register(LINKING, listener)
    import granum as gr

    loaded = gr.load(scene)
    interval = loaded.run.frame_interval
    gr.simulate(loaded, until=min(FRAMES * interval, loaded.run.until), interval=interval, output=file)
    print(json.dumps({"cpu_seconds": time.process_time(), "specialisations": listener.compiled,
                      "engine": loaded.engine, "count": waiting.count}))


if __name__ == "__main__":
    _run(*sys.argv[1:])
