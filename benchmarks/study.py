"""`python -m benchmarks study`: what it takes to hand runs to processes, for many short runs.

The same study is done in this process (`serial`) and on one process for each of two cores (`local`), after a few runs
that compile. Wall time is from the call to the table. What it takes to start and end the processes is measured by a
study of two runs. Other programs on the machine disturb wall time, so what handing out a run costs is processor time:
that of all processes on two cores, without their start, against that of one process. It is measured on runs of some
milliseconds, because cores that share memory slow each other down, and longer runs by more than handing out takes.

The bars: 0.9 of linear speed-up by wall time, 20 ms of overhead per run.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import granum as gr

WORKERS = 2
SPEED_BAR, OVERHEAD_BAR = 0.9, 20.0
"""Part of linear speed-up, and [ms]."""


@dataclass(frozen=True)
class Result:
    """What one study took in one process and in several."""

    runs: int
    workers: int
    serial: float
    """Wall time [s]."""
    local: float
    """Wall time, with the start of the processes [s]."""
    started: float
    """Wall time of a study of two runs: to start and end the processes, part of `local` [s]."""
    overhead: float
    """Processor time that handing out takes, per run [ms]."""
    same: bool
    """Are both tables the same?"""

    @property
    def efficiency(self) -> float:
        """Part of linear speed-up."""
        return self.serial / (self.local * self.workers)

    @property
    def steady(self) -> float:
        """Part of linear speed-up once the processes have started."""
        return self.serial / ((self.local - self.started) * self.workers)

    def summary_lines(self) -> list[str]:
        """In words."""
        return [
            f"{self.runs} runs of {1e3 * self.serial / self.runs:.0f} ms: {self.serial:.1f} s in one process, "
            f"{self.local:.1f} s on {self.workers} ({self.started:.1f} s of it to start them); tables "
            f"{'are the same' if self.same else 'DIFFER'}.",
            f"Speed-up {self.efficiency * self.workers:.2f}, {self.efficiency:.2f} of linear "
            f"({_bar(self.efficiency >= SPEED_BAR)} the bar of {SPEED_BAR:g}); {self.steady:.2f} once started.",
            f"Overhead {self.overhead:.1f} ms of processor time per run "
            f"({_bar(self.overhead <= OVERHEAD_BAR)} the bar of {OVERHEAD_BAR:g} ms).",
        ]

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {**asdict(self), "efficiency": self.efficiency, "steady": self.steady}


def _bar(met: bool) -> str:
    return "within" if met else "beyond"


def measure(runs: int = 1000) -> Result:
    """A ball that bounces for two seconds, from many heights."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:WORKERS])
    scene = gr.example("bouncing-ball").with_run(until=2.0)
    with tempfile.TemporaryDirectory() as folder:
        _study(scene, 4, "serial", Path(folder) / "first.h5")
        serial, _, one = _study(scene, runs, "serial", Path(folder) / "serial.h5")
        local, _, several = _study(scene, runs, "local", Path(folder) / "local.h5")
        started, _, _ = _study(scene, WORKERS, "local", Path(folder) / "start.h5")
        kept = [name for name in one.columns if name not in ("wall_time", "warnings")]
        same = all((one.column(name) == several.column(name)).all() for name in kept)
    return Result(runs, WORKERS, serial, local, started, _overhead(scene, max(runs // 3, 10)), bool(same))


def _overhead(scene: gr.Scene, runs: int) -> float:
    """Processor time that handing out takes, per run [ms], from runs of a few steps."""
    brief = scene.with_run(until=0.02, interval=0.02)
    with tempfile.TemporaryDirectory() as folder:
        names = (("serial", WORKERS), ("serial", WORKERS + runs), ("local", WORKERS), ("local", WORKERS + runs))
        used = [_study(brief, count, on, Path(folder) / f"{k}.h5")[1] for k, (on, count) in enumerate(names)]
    return 1e3 * ((used[3] - used[2]) - (used[1] - used[0])) / runs


def _study(scene: gr.Scene, runs: int, on: str, output: Path) -> tuple[float, float, gr.StudyResult]:
    """Wall time, processor time of this process and of those it started, and the table."""
    began, used = time.perf_counter(), _processor_time()
    result = gr.study(scene, vary={"start.ball.position.1": {"from": 0.3, "to": 0.6, "points": runs}},
                      measure={"height": "position ball y"}, on=on, output=output, progress=False)
    return time.perf_counter() - began, _processor_time() - used, result


def _processor_time() -> float:
    return sum(float(getattr(resource.getrusage(who), name)) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
               for name in ("ru_utime", "ru_stime"))
