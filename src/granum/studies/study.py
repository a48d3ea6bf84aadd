"""Studies: from a scene and what varies to a table, run by run."""

from __future__ import annotations

import contextlib
import json
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.arguments import checked
from granum.base.errors import GranumError, RunFileError, RunFileWarning, pick, shortened
from granum.io.runfile.provenance import difference, kernel_hash, provenance, versions
from granum.io.scenefile import load_scene_and_text
from granum.model.scene import Scene
from granum.model.variation import look_up
from granum.studies.definition import Maker, Study, make_study
from granum.studies.executor import Executor, executor, refuse_place
from granum.studies.points import Point
from granum.studies.progress import Reporter
from granum.studies.result import StudyResult
from granum.studies.runner import Job, Task, make_folder, packed
from granum.studies.sequence import sequence_of
from granum.studies.table import STATUSES, Table, plain, refuse_existing

RETRIES = ("failed",)
"""What may be tried again: all runs that are not done."""
_FREE = {"title", "keep", "limit", "repeats"}
"""Keys of a study that may be others when it is resumed."""


@checked
def study(
    scene: Scene | Maker | str | Path, *, measure: Mapping[str, str | Callable[..., Any]],
    vary: Mapping[str, Any] | None = None, repeats: int = 1, design: Mapping[str, Any] | str = "grid", seed: int = 0,
    title: str = "", keep: str = "none", limit: Mapping[str, Any] | None = None, on: str = "local",
    output: str | Path | None = None, resume: bool = False, retry: str | None = None, overwrite: bool = False,
    progress: bool = True,
) -> StudyResult:
    """Run a scene over parameters and return the table.

    Args:
        scene: what to run, a scene file, or a function of the parameters that returns a scene.
        measure: quantities to measure in each run, by column name: a string such as "flow_rate outlet", or a function
            of a Run that returns a number, a boolean or a string.
        vary: values by path in the scene file, or by argument of the function: a list, or {"from": ..., "to": ...,
            "points": ...}.
        repeats: runs of each point, each with its own seed.
        design: points to run: "grid", or a table such as {"kind": "sobol", "points": 64}.
        seed: the seed from which the seeds of all runs are derived.
        title: title of the study.
        keep: run files to keep: "none", "failed" or "all".
        limit: limits of each run: {"time": "10 min", "memory": "2 GB"}.
        on: "local" (one process per core), "serial" (this process), or the address of a Dask scheduler.
        output: file of the table; default: one in a temporary folder.
        resume: continue the table in `output`; its runs are not repeated.
        retry: "failed": repeat the runs that failed.
        overwrite: replace a table in `output`.
        progress: show progress.

    Ctrl-C stops the study; finished runs are kept and returned.

    >>> scene = gr.example("pendulum").with_run(until=0.1)
    >>> result = gr.study(scene, vary={"run.tolerance": [1e-6, 1e-9]}, on="serial", progress=False,
    ...                   measure={"x": lambda run: run.position("bob-50")[-1, 0]})
    >>> result.column("x").shape
    (2,)
    """
    vary, limit = {} if vary is None else vary, {} if limit is None else limit
    _refuse_other_types(measure, vary, limit, design)
    loaded = load_scene_and_text(Path(scene))[0] if isinstance(scene, str | Path) else scene
    keys = {"title": title, "repeats": repeats, "seed": seed, "keep": keep, "limit": limit,
            "vary": {path: _written(path, values) for path, values in vary.items()},
            "design": {"kind": design} if isinstance(design, str) else dict(design)}
    if output is None:
        output = Path(tempfile.mkdtemp(prefix="granum-study-")) / "study.h5"
    return run_study(make_study(loaded, measure, **keys), Path(output), on=on, resume=resume, retry=retry,
                     overwrite=overwrite, progress=progress)


def _refuse_other_types(measure: Any, vary: Any, limit: Any, design: Any) -> None:
    """Refuse arguments of a study that are no tables, before anything is asked of them."""
    for key, table in (("measure", measure), ("vary", vary), ("limit", limit)):
        if not isinstance(table, Mapping):
            raise GranumError(f"{key}: found {shortened(repr(table))}, but a dictionary is needed.")
    if not isinstance(design, str | Mapping):
        raise GranumError(f"design: found {shortened(repr(design))}, but the name of a kind or a dictionary is needed.")


def _written(path: str, values: Any) -> Any:
    """Values of a parameter as a file has them."""
    if isinstance(values, Mapping):
        return {key: _plain(value) for key, value in values.items()}
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise GranumError(f"vary.{path}: found {shortened(repr(values))}, but a list of values or a range is needed.")
    return [_plain(value) for value in values]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def run_study(study: Study, output: Path, *, on: str = "local", resume: bool = False, retry: str | None = None,
              overwrite: bool = False, progress: bool = True) -> StudyResult:
    """Do all runs of a study that are missing, and return its table."""
    refuse_place(on)
    if retry is not None:
        pick(retry, RETRIES, "choice of runs to retry")
    if on != "serial":
        _refuse_stuck_functions(study)
    batches, metadata = sequence_of(study), _metadata(study)
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack:
        if (resume or retry is not None) and output.exists():
            table = stack.enter_context(_resumed(batches.most, metadata, output, retry))
            if study.design.kind == "boundary" or len(table.rows) < batches.most:
                place = stack.enter_context(executor(on, study.limit.memory))
                _Loop(study, table, place, output, progress).run()
        else:
            if not overwrite:
                refuse_existing(output)
            # what is wrong with the place must not leave an empty table
            place = stack.enter_context(executor(on, study.limit.memory))
            table = stack.enter_context(Table.create(output, batches.most, metadata, overwrite))
            _Loop(study, table, place, output, progress).run()
    if not output.exists():
        raise KeyboardInterrupt  # before there was a table
    result = StudyResult(output)
    result.write_csv()
    return result


def _refuse_stuck_functions(study: Study) -> None:
    """Refuse functions that cannot travel to other processes, before anything is started."""
    functions: dict[str, Callable[..., Any] | None] = {
        "scene": study.make, **{f"measure.{measure.name}": measure.function for measure in study.measures}}
    for place, function in functions.items():
        if function is None:
            continue
        try:
            from distributed.protocol.pickle import dumps

            dumps(function)
        except Exception as error:  # whatever it holds may refuse in its own way
            raise GranumError(f"{place}: the function cannot be sent to other processes "
                              f"({type(error).__name__}: {error}). It may use only its arguments and what it imports "
                              'itself; otherwise run the study with on="serial".') from None


@contextlib.contextmanager
def _resumed(runs: int, metadata: dict[str, Any], output: Path, retry: str | None) -> Iterator[Table]:
    """An earlier table of the same study, with room for all runs, and without those that are to be done again."""
    with Table.resume(output) as table:
        _refuse_other_study(table.metadata, metadata, output)
        statuses = ("done",) if retry else STATUSES
        if table.room >= runs and all(row.status in statuses for row in table.rows.values()):
            yield table
            return
        rebuilt = table.rebuilt(max(runs, table.room), metadata, statuses)
    with rebuilt:
        yield rebuilt


def _metadata(study: Study) -> dict[str, Any]:
    """All that is needed to know what a study is and to do it again."""
    levels, measures = study.levels, study.measures
    return {
        "title": study.title, "study": study.model_dump(mode="json", by_alias=True),
        "scene": json.loads(study.scene_used.model_dump_json(by_alias=True)),
        "parameters": [level.path for level in levels], "measures": [measure.name for measure in measures],
        "units": {**{level.path: level.unit for level in levels}, **{one.name: one.unit for one in measures}},
        "choices": {level.path: [plain(value) for value in level.values] for level in levels if not level.numeric},
        "versions": versions(), "provenance": provenance(),
    }


def _refuse_other_study(before: Mapping[str, Any], now: Mapping[str, Any], output: Path) -> None:
    """Refuse to go on with the table of another study or scene."""
    keys = [key for key in now["study"] if key not in _FREE and now["study"][key] != before["study"].get(key)]
    parts = keys + (["the scene itself"] if now["scene"] != before["scene"] else [])
    if now["study"]["repeats"] < before["study"]["repeats"]:
        parts.append("repeats, which cannot be reduced")
    if parts:
        raise RunFileError(f"{output} was made from another study: they differ in {', '.join(parts)}. Start again with "
                           "--overwrite, or give another file with -o.")
    if changed := difference(before):
        warnings.warn(f"{output} was started with another version of {', '.join(changed)}: it continues, but results "
                      "may differ in the last bits from those of an uninterrupted study.", RunFileWarning,
                      stacklevel=4)


def _base(study: Study) -> dict[str, Any]:
    """Values of the parameters in the scene that is run; where a function makes one, its first ones."""
    if study.make is not None:
        return {level.path: level.first for level in study.levels}
    return {level.path: look_up(study.scene_used, level.path).value for level in study.levels}


class _Loop:
    """Runs of one study into one table."""

    def __init__(self, study: Study, table: Table, place: Executor, output: Path, progress: bool) -> None:
        self.study, self.table, self.place, self.progress = study, table, place, progress
        folder = output.resolve().with_name(f"{output.stem}-runs")
        if study.keep != "none":
            make_folder(folder)
        self.job = Job(packed(study.scene_used), study.make, _base(study), tuple(study.measures), study.keep,
                       str(folder), study.limit.time, study.limit.memory, kernel_hash(), place.disposable)

    def run(self) -> None:
        """All that is missing, batch by batch."""
        batches = sequence_of(self.study)
        with Reporter(self.progress) as report:
            self._tell(report, batches.most)
            while (batch := batches.next(self.table.rows)) is not None:
                missing = [point for point in batch if (point.number, point.repeat) not in self.table.rows]
                for row in self.place.rows(self._tasks(missing)):
                    self.table.append(row)
                    self._tell(report, batches.most)

    def _tasks(self, points: Iterable[Point]) -> Iterator[Task]:
        for point in points:
            yield Task(self.job, point)

    def _tell(self, report: Reporter, planned: int) -> None:
        report(len(self.table.rows), self.table.failed, planned)
