"""`python -m benchmarks recording`: what checksums and barriers of run files cost, on settling grains."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.granum_settling import scene_of
from benchmarks.peers.settling import Task
from benchmarks.settling import lattice, task_values
from granum.io.runfile import bookkeeping, checksums, verify_run_file, writing
from granum.model.scene import Scene
from granum.run import simulate

REPEATS = 3
UNTIL, INTERVAL = 0.5, 0.005
HASHED = 1 << 26
"""Bytes over which the speed of the checksum is measured."""


@dataclass(frozen=True)
class Row:
    """A run of so many grains, recorded in three ways; the least of several repeats [s]."""

    grains: int
    frames: int
    megabytes: float
    memory: float
    """CPU time of the run, recorded in memory."""
    plain: float
    """CPU time with a file, without checksums and barriers."""
    file: float
    """CPU time with a file as it is."""
    waited: float
    """Wall time of all barriers."""
    verified: float
    """CPU time of verifying the whole file."""


@dataclass(frozen=True)
class Result:
    """What the benchmark found."""

    rows: list[Row]
    hashed: float
    """Bytes per second."""

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {"rows": [asdict(row) for row in self.rows], "hashed": self.hashed}

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = [f"Checksums: {self.hashed / 1e9:.3g} GB/s. Spheres settling for {UNTIL:g} s, {INTERVAL:g} s a frame:"]
        for row in self.rows:
            lines += [
                f"  N = {row.grains}: {row.frames} frames, {row.megabytes:.3g} MB; CPU time {row.memory:.3g} s in "
                "memory",
                f"    {row.plain / row.memory:.3f} times that with a file without checksums and barriers, "
                f"{row.file / row.memory:.3f} times with both ({row.file / row.plain:.3f} times the plain file)",
                f"    barriers: {row.waited:.2g} s of waiting; granum check: {row.megabytes / row.verified:.3g} MB/s",
            ]
        return lines


def measure(sizes: tuple[int, ...]) -> Result:
    """Run each size in three ways, in turn."""
    data = np.random.default_rng(0).integers(0, 256, HASHED, np.uint8)
    hashed = HASHED / min(_timed(lambda: checksums.digest(data), time.perf_counter) for _ in range(REPEATS))
    return Result([_row(grains) for grains in sizes], hashed)


def _row(grains: int) -> Row:
    centres, width = lattice(grains)
    values = task_values(centres, width, UNTIL, 0.0)
    scene = scene_of(Task({key: np.asarray(value) for key, value in values.items()}), "moreau")
    simulate(scene, until=INTERVAL, interval=INTERVAL, progress=False)  # compiled before the clock runs
    with tempfile.TemporaryDirectory() as folder:
        file, waits = Path(folder) / "run.h5", list[float]()
        times = [(_timed(lambda: _run(scene, None)), _timed(lambda: _run(scene, file, bare=True)),
                  _timed(lambda: _run(scene, file, waits=waits))) for _ in range(REPEATS)]
        verified = min(_timed(lambda: verify_run_file(file)) for _ in range(REPEATS))
        size, frames = file.stat().st_size / 1e6, verify_run_file(file).frames
    memory, plain, whole = (min(column) for column in zip(*times, strict=True))
    return Row(grains, frames, size, memory, plain, whole, sum(waits) / REPEATS, verified)


def _run(scene: Scene, file: Path | None, bare: bool = False, waits: list[float] | None = None) -> None:
    flush = writing.flush

    def timed_flush(handle: int) -> None:
        if waits is not None:
            waits.append(_timed(lambda: flush(handle), time.perf_counter))

    with ExitStack() as stack:
        stack.enter_context(patch.object(writing, "flush", timed_flush))
        for module in (checksums, writing, bookkeeping) if bare else ():
            stack.enter_context(patch.object(module, "digest", lambda data, seed=0: 0))
        simulate(scene, output=file, overwrite=True, interval=INTERVAL, progress=False)


def _timed(work: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    began = clock()
    work()
    return clock() - began
