"""One run of a study: from a task that travels between processes to its row. What happens inside a run is data."""

from __future__ import annotations

import contextlib
import faulthandler
import math
import os
import pickle
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from granum.base.compiling import waiting
from granum.base.errors import GranumError, NotConvergedError, RunFileError, SceneError
from granum.io.runfile.provenance import kernel_hash
from granum.model.scene import Scene
from granum.run import Run, simulate
from granum.run.progress import Moment
from granum.run.warnings import warnings_of
from granum.studies.answers import Value, residual
from granum.studies.definition import Maker
from granum.studies.interrupting import interrupted_after
from granum.studies.measures import Measure
from granum.studies.points import Point
from granum.studies.table import Row

GRACE, BEYOND = 30.0, 2.0
"""A run that does not even answer ends with its process after so many seconds beyond so many times its limit."""
_LOOK = 0.2
"""Seconds between two looks at the memory."""


class Job(NamedTuple):
    """What all runs of a study have in common."""

    scene: bytes
    """Pickled, so that a worker reads it once."""
    make: Maker | None
    """The function that makes the scene of each point, if there is one."""
    measures: tuple[Measure, ...]
    keep: str
    """none, failed or all."""
    folder: str
    """For the run files that are kept."""
    time_limit: float | None
    """[s]"""
    memory_limit: int | None
    """[bytes]"""
    kernels: str
    """Hash of the code that computes: another one may give other bits."""
    disposable: bool
    """May the process be ended, because another takes its place?"""


class Task(NamedTuple):
    """One run."""

    job: Job
    point: Point


class OtherVersionError(GranumError):
    """A worker whose Granum computes otherwise."""


class _OverTimeError(BaseException):
    """Not an Exception: a function of the user that catches all of them must not catch this one."""


class _OverMemoryError(Exception):
    pass


def packed(scene: Scene) -> bytes:
    """A scene that travels between processes: without what was compiled from it."""
    return pickle.dumps(scene.model_copy())


@lru_cache(4)
def _unpacked(scene: bytes) -> Scene:
    loaded: Scene = pickle.loads(scene)
    return loaded


def _scene_of(job: Job, point: Point) -> Scene:
    """The scene of one run."""
    if job.make is None:
        return _unpacked(job.scene).vary({**point.values, "run.seed": point.seed})
    return job.make(**point.values).vary({"run.seed": point.seed})


def perform(task: Task) -> Row:
    """Do one run. Raises nothing for what happens inside it, apart from Ctrl-C."""
    job, point = task
    if job.kernels != kernel_hash():
        raise OtherVersionError("A worker has another version of Granum than this process.")
    began, compiled = time.perf_counter(), waiting.seconds
    status, reason, answers = "done", "", _Answers()
    try:
        with _hard_limit(job):
            _run(job, point, answers, _Clock())
    except _OverTimeError:
        status, reason = "over time", f"it was not finished after {job.time_limit:g} s"
    except (_OverMemoryError, MemoryError) as error:
        status, reason = "over memory", str(error) or "there was not enough memory"
    except NotConvergedError as error:
        status, reason = "failed", f"did not converge: {error}"
    except SceneError as error:
        status, reason = "failed", f"refused: {'; '.join(problem.text('scene') for problem in error.problems)}"
    except GranumError as error:
        status, reason = "failed", str(error)
    except Exception as error:
        status, reason = "failed", f"{type(error).__name__}: {error}"
    taken = time.perf_counter() - began - (waiting.seconds - compiled)
    if status == "done" and job.keep == "failed":
        with contextlib.suppress(OSError):
            run_file(job, point).unlink(missing_ok=True)
    return Row(point.number, point.repeat, point.seed, point.values, status, " ".join(reason.split()), answers.measures,
               answers.warnings, taken, answers.energy_error, answers.residual)


class _Answers:
    """What is known of a run so far."""

    def __init__(self) -> None:
        self.measures: dict[str, Value] = {}
        self.warnings: tuple[str, ...] = ()
        self.energy_error = self.residual = math.nan


class _Clock:
    """Wall time of a run without compilation [s]."""

    def __init__(self) -> None:
        self._began, self._compiled = time.perf_counter(), waiting.seconds

    def taken(self) -> float:
        """Since this was made."""
        return time.perf_counter() - self._began - (waiting.seconds - self._compiled)


def _limited(job: Job, clock: _Clock) -> contextlib.AbstractContextManager[None]:
    """Ends functions of the user, which make scenes and measure runs, when the time of the run is over."""
    limit = job.time_limit
    return contextlib.nullcontext() if limit is None else interrupted_after(
        lambda: limit - clock.taken(), _OverTimeError)


def _run(job: Job, point: Point, answers: _Answers, clock: _Clock) -> None:
    with _limited(job, clock):
        varied = _scene_of(job, point)
    output = None if job.keep == "none" else run_file(job, point)
    run = simulate(varied, output=output, overwrite=True, progress=_watch(job, clock), threads=1)
    if not run.finished:
        raise KeyboardInterrupt
    answers.warnings = tuple(warnings_of(run))
    answers.energy_error, answers.residual = run.energy_error, residual(run)
    with _limited(job, clock):
        _measure(job, run, answers)


def _measure(job: Job, run: Run, answers: _Answers) -> None:
    refused = []
    for measure in job.measures:
        try:
            answers.measures[measure.name] = measure.evaluate(run)
        except Exception as error:  # a function of the user may raise anything
            said = str(error) if isinstance(error, GranumError) else f"{type(error).__name__}: {error}"
            refused.append(f"{measure.name} was not measured: {said}")
    if refused:
        raise GranumError("; ".join(refused))


def run_file(job: Job, point: Point) -> Path:
    """Where the run of a point is kept."""
    return Path(job.folder) / _file_name(point.number, point.repeat)


def kept_file(table: Path, point: int, repeat: int) -> Path:
    """Where the run of a point of a table is, if it was kept."""
    return table.with_name(f"{table.stem}-runs") / _file_name(point, repeat)


def _file_name(point: int, repeat: int) -> str:
    return f"point-{point:04}-repeat-{repeat:03}.h5"


def warm(task: Task) -> None:
    """Compile and load what the runs of a study need, by the first frames of one."""
    with contextlib.suppress(Exception):
        scene = _scene_of(task.job, task.point)
        interval = scene.run.frame_interval
        run = simulate(scene.with_run(until=min(2.0 * interval, scene.run.until), interval=interval), progress=False,
                       threads=1)
        warnings_of(run)
        for measure in task.job.measures:
            with contextlib.suppress(Exception):
                measure.evaluate(run)


def _watch(job: Job, clock: _Clock) -> Callable[[Moment], None]:
    """Ends a run that takes more than it may."""
    looked = 0.0

    def watch(moment: Moment) -> None:
        nonlocal looked
        now = time.perf_counter()
        if job.time_limit is not None and clock.taken() > job.time_limit:
            raise _OverTimeError
        if job.memory_limit is not None and now - looked > _LOOK:
            looked = now
            if (used := memory_used()) > job.memory_limit:
                raise _OverMemoryError(f"its process took {used / 1e6:.0f} MB of memory at t = {moment.t:.4g} s; the "
                                       f"limit is {job.memory_limit / 1e6:.0f} MB")

    return watch


def memory_used() -> int:
    """Memory of this process [bytes]."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 (a fifth of the time, several times a second)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss)


@contextlib.contextmanager
def _hard_limit(job: Job) -> Iterator[None]:
    """End the process of a run that does not answer any more, where another process takes its place."""
    if job.time_limit is None or not job.disposable:
        yield
        return
    faulthandler.dump_traceback_later(BEYOND * job.time_limit + GRACE, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def make_folder(folder: Path) -> None:
    """Make the folder for run files; raises RunFileError where that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFileError(f"{folder} cannot be created for run files: {error.strerror}. Give another output with -o, "
                           "or keep no run files.") from None
