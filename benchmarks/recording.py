"""`python -m benchmarks recording`: what run files, their checksums and their barriers cost, on settling grains.

Runs with and without them differ by less than two runs of the same kind do on a busy machine, so the parts are timed
within one run.
"""

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
from granum.io.runfile import RunFileWriter, checksums, verify_run_file, writing
from granum.run import simulate

REPEATS = 3
UNTIL, INTERVAL = 0.5, 0.005
HASHED = 1 << 26
"""Bytes over which the speed of the checksum is measured."""


@dataclass(frozen=True)
class Row:
    """A run of so many grains that is recorded in a file; of several repeats the one that took least."""

    seconds: float
    """CPU time of the whole run [s]."""
    stored: float
    """CPU time of storing frames, of which [s]"""
    hashed: float
    """are for checksums, and [s]"""
    waited: float
    """wall time of barriers, creation and end included [s]."""
    grains: int
    frames: int
    megabytes: float
    verified: float
    """CPU time of verifying the whole file [s]."""


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
                f"  N = {row.grains}: {row.frames} frames, {row.megabytes:.3g} MB, CPU time {row.seconds:.3g} s",
                f"    storing frames {row.stored / row.seconds:.2%} of it ({row.megabytes / row.stored:.3g} MB/s), "
                f"checksums {row.hashed / row.seconds:.2%}; waiting for the disk {row.waited:.2g} s",
                f"    granum check: {row.megabytes / row.verified:.3g} MB/s",
            ]
        return lines


def measure(sizes: tuple[int, ...]) -> Result:
    """Run each size several times."""
    data = np.random.default_rng(0).integers(0, 256, HASHED, np.uint8)
    hashed = HASHED / min(_timed(lambda: checksums.digest(data)) for _ in range(REPEATS))
    rows = [min((_row(grains) for _ in range(REPEATS)), key=lambda row: row.seconds) for grains in sizes]
    return Result(rows, hashed)


def _row(grains: int) -> Row:
    centres, width = lattice(grains)
    values = task_values(centres, width, UNTIL, 0.0)
    scene = scene_of(Task({key: np.asarray(value) for key, value in values.items()}), "moreau")
    simulate(scene, until=INTERVAL, interval=INTERVAL, progress=False)  # compiled before the clock runs
    spent = {"store": 0.0, "digest": 0.0, "flush": 0.0}

    def clocked(name: str, work: Callable[..., Any], clock: Callable[[], float]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            began = clock()
            found = work(*arguments)
            spent[name] += clock() - began
            return found

        return timed

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for place, name, clock in ((RunFileWriter, "store", time.process_time), (writing, "digest", time.process_time),
                                   (writing, "flush", time.perf_counter)):
            stack.enter_context(patch.object(place, name, clocked(name, getattr(place, name), clock)))
        file = Path(folder) / "run.h5"
        seconds = _timed(lambda: simulate(scene, output=file, interval=INTERVAL, progress=False))
        verified = min(_timed(lambda: verify_run_file(file)) for _ in range(REPEATS))
        return Row(seconds, spent["store"], spent["digest"], spent["flush"], grains, verify_run_file(file).frames,
                   file.stat().st_size / 1e6, verified)


def _timed(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
