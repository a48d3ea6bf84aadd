"""One run of a study: from a task that travels between processes to its row. What happens inside a run is data."""

from __future__ import annotations

import contextlib
import faulthandler
import math
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from granum.assembly.assembly import assembly_of
from granum.assembly.branch import closes_loops, follow_branch, same_way, starting_as
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


_LATER = ("run", "load", "actuator", "title")
"""Sections that no assembly depends on."""


class Job(NamedTuple):
    """What all runs of a study have in common."""

    scene: bytes
    """Pickled, so that a worker reads it once."""
    make: Maker | None
    """The function that makes the scene of each point, if there is one."""
    base: dict[str, Any]
    """Values of the parameters in the scene."""
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


def _scene_of(job: Job, point: Point, values: Mapping[str, Any] | None = None) -> Scene:
    """The scene of one run, or the same with other values of the parameters."""
    values = point.values if values is None else values
    if job.make is None:
        return _unpacked(job.scene).vary({**values, "run.seed": point.seed})
    return job.make(**values).vary({"run.seed": point.seed})


def _on_branch(job: Job, point: Point) -> tuple[Scene, list[str]]:
    """The scene of one run, its loops closed on the branch of the scene of the study, and what there is to say of it.

    The branch is followed from the values of the parameters in that scene, so that a point does not depend on others.
    """
    scene, way = _scene_of(job, point), _Way(job, point)
    if not way.moves or not closes_loops(scene):
        return scene, []
    try:
        branch = follow_branch(way.scene)
    except (SceneError, _NoSceneError):  # the first scene, or one on the way, cannot be made: each point is by itself
        return scene, []
    if branch.assembly is None:
        _ = assembly_of(scene).bodies  # raises what is wrong with it
        return scene, [f"The branch of the study's scene ends at {way.text(branch.end)}; this point was assembled by "
                       "itself."]
    notes = []
    if branch.jump is not None:
        part, body, turn = branch.jump
        notes.append(f"The assembly jumps at {way.text(part)}: {body} turns by {math.degrees(turn):.0f}°.")
    with contextlib.suppress(SceneError):
        if same_way(assembly_of(scene), branch.assembly):
            return scene, notes
    notes.append("Assembled on the branch of the study's scene; by itself this point is assembled in another way, or "
                 "not at all.")
    return starting_as(scene, branch.assembly), notes


class _NoSceneError(Exception):
    """A function makes no scene of values between those of the study."""


class _Way:
    """Straight from the values of the parameters in the scene of the study to those of a point.

    What is no number with a fraction is as at the point from the beginning.
    """

    def __init__(self, job: Job, point: Point) -> None:
        self._job, self._point = job, point
        self._from = {name: float(base) for name, value in point.values.items() if isinstance(
            base := job.base.get(name), float) and isinstance(value, float | int) and not isinstance(value, bool)}

    @property
    def moves(self) -> bool:
        """Does anything change on it that an assembly depends on?"""
        changed = [name for name, base in self._from.items() if base != self._point.values[name]]
        return any(self._job.make is not None or name.partition(".")[0] not in _LATER for name in changed)

    def scene(self, part: float) -> Scene:
        """The scene at a part of the way."""
        try:
            return _scene_of(self._job, self._point, {**self._point.values, **self._values(part)})
        except SceneError:
            raise
        except Exception as error:  # a function of the user may raise anything
            raise _NoSceneError from error

    def text(self, part: float) -> str:
        """The values at a part of the way."""
        return ", ".join(f"{name} = {value:.6g}" for name, value in self._values(part).items())

    def _values(self, part: float) -> dict[str, float]:
        return {name: base + part * (self._point.values[name] - base) if part < 1.0 else self._point.values[name]
                for name, base in self._from.items()}


def perform(task: Task) -> Row:
    """Do one run. Raises nothing for what happens inside it, apart from Ctrl-C."""
    job, point = task
    if job.kernels != kernel_hash():
        raise OtherVersionError("A worker has another version of Granum than this process.")
    status, reason, answers, clock = "done", "", _Answers(), _Clock()
    try:
        with _hard_limit(job):
            _run(job, point, answers, clock)
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
    taken = clock.taken()
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
        varied, notes = _on_branch(job, point)
    output = None if job.keep == "none" else run_file(job, point)
    run = simulate(varied, output=output, overwrite=True, progress=_watch(job, clock), threads=1)
    if not run.finished:
        raise KeyboardInterrupt
    answers.warnings = (*notes, *warnings_of(run))
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
