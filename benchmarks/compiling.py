"""What a newcomer waits for: kernels that a scene compiles on a machine that has none, and their seconds.

`python -m benchmarks compile` runs each example in a process of its own with an empty cache of kernels. Numba reports
the beginning and the end of each compilation. Callees are compiled in between; their seconds are not counted again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks import ROOT

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

    @property
    def seconds(self) -> float:
        """Seconds spent in the compiler."""
        return sum(one.seconds for one in self.specialisations)

    @property
    def kernels(self) -> int:
        """Different functions among them."""
        return len({one.kernel for one in self.specialisations})


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
        lines = [f"{'scene':28}{'CPU s':>8}{'compiler s':>12}{'kernels':>9}{'specialisations':>17}"]
        lines += [f"{one.scene:28}{one.cpu_seconds:8.1f}{one.seconds:12.1f}{one.kernels:9d}"
                  f"{len(one.specialisations):17d}" for one in self.scenes]
        kept = {(one.kernel, one.types): one for scene in self.scenes for one in scene.specialisations}
        lines.append(f"{'all, each compiled once':28}{'':8}{sum(one.seconds for one in kept.values()):12.1f}"
                     f"{len({one.kernel for one in kept.values()}):9d}{len(kept):17d}")
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


def measure(scenes: tuple[Path, ...], slowest: int) -> Report:
    """Run each scene with an empty cache, in a process of its own."""
    return Report(tuple(_measured(scene) for scene in scenes), slowest)


def _measured(scene: Path) -> Compiling:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-m", "benchmarks.compiling", str(scene), str(Path(folder) / "run.h5")],
                              capture_output=True, text=True, cwd=ROOT,
                              env={**os.environ, "GRANUM_CACHE_DIR": str(Path(folder) / "kernels")})
    if done.returncode:
        raise RuntimeError(f"{scene.name}: {done.stderr.strip().splitlines()[-1]}")
    result = json.loads(done.stdout.splitlines()[-1])
    return Compiling(scene.stem, result["cpu_seconds"],
                     tuple(Specialisation(**one) for one in result["specialisations"]))


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _run(scene: str, file: str) -> None:
    """Simulate the first frames of a scene and print what was compiled for it, as JSON."""
    from numba.core import event as events

    class Listener(events.Listener):
        """Keeps a stack of what is being compiled: seconds of callees are taken off those of their callers."""

        def __init__(self) -> None:
            self.stack: list[list[float]] = []
            self.compiled: list[dict[str, Any]] = []

        def on_start(self, event: Any) -> None:
            self.stack.append([time.process_time(), 0.0])

        def on_end(self, event: Any) -> None:
            start, callees = self.stack.pop()
            spent = time.process_time() - start
            if self.stack:
                self.stack[-1][1] += spent
            function = event.data["dispatcher"].py_func
            self.compiled.append({"kernel": f"{function.__module__.removeprefix('granum.')}.{function.__qualname__}",
                                  "types": str(event.data["args"]), "seconds": spent - callees})

    listener = Listener()
    cast(Any, events).register("numba:compile", listener)
    import granum as gr

    loaded = gr.load(scene)
    interval = loaded.run.frame_interval
    gr.simulate(loaded, until=min(FRAMES * interval, loaded.run.until), interval=interval, output=file)
    print(json.dumps({"cpu_seconds": time.process_time(), "specialisations": listener.compiled}))


if __name__ == "__main__":
    _run(*sys.argv[1:])
