"""The result of a study, read by name from its table while it runs and afterwards."""

from __future__ import annotations

import csv
import os
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from granum.base.arguments import checked
from granum.base.errors import GranumError, RunFileError, pick
from granum.base.extras import extra
from granum.base.notebook import lines, table
from granum.base.offers import offered
from granum.base.text import count
from granum.io.runfile.bookkeeping import damaged
from granum.model.scene import Scene
from granum.studies.definition import RESERVED, Study, prepare
from granum.studies.table import STUDY, Row, read_table, rows_of

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from granum.studies.boundary import Boundary

_SHOWN = 10
"""Rows that a notebook shows."""
OWN_UNITS = {"wall_time": "s"}
"""Units of columns that every study has."""


class StudyResult:
    """The table of a study: one row per finished run, sorted by point and repeat.

    >>> scene = gr.example("pendulum").with_run(until=0.1)
    >>> gr.study(scene, measure={"frames": lambda run: len(run.t)}, on="serial", progress=False)
    <StudyResult '': 1 of 1 run>
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        recording = read_table(self.path)
        self.metadata = recording.metadata
        self.title: str = self.metadata["title"]
        self.parameters: list[str] = list(self.metadata["parameters"])
        self.measures: list[str] = list(self.metadata["measures"])
        self.units: dict[str, str] = {**OWN_UNITS, **self.metadata["units"]}
        self.planned: int = recording.frame_count
        self.table: list[Row] = sorted(rows_of(recording), key=lambda row: row.key)
        """The rows."""

    @cached_property
    def study(self) -> Study:
        """The definition of the study."""
        try:
            return Study.model_validate(self.metadata["study"])
        except ValidationError:
            raise damaged(self.path, "the study in it is not valid", STUDY) from None

    @cached_property
    def scene(self) -> Scene:
        """The scene without variations."""
        try:
            return Scene.model_validate(self.metadata["scene"])
        except (GranumError, ValidationError):
            raise damaged(self.path, "the scene in it is not valid", STUDY) from None

    @property
    def plot(self) -> Any:
        """Plots, such as `result.plot.curve("rate")`; `dir(result.plot)` lists them."""
        return offered("plots")(self)

    @property
    def rows(self) -> int:
        """Number of finished runs."""
        return len(self.table)

    @property
    def finished(self) -> bool:
        """Whether all runs are finished."""
        if self.study.design.kind == "boundary":
            return self.boundary.finished(self.table)
        return self.rows == self.planned

    @cached_property
    def boundary(self) -> Boundary:
        """The search of a study with design.kind = "boundary", to which the table gives the rows."""
        from granum.studies.boundary import Boundary

        study = self.study.model_copy()
        prepare(study, self.scene, {}, self.path.parent)  # reads what varies; all of it was checked when it was run
        return Boundary(study)

    def refuse_empty(self) -> None:
        """Raise if no run is finished yet."""
        if not self.rows:
            raise RunFileError(f"{self.path}: no run of this study has finished yet. Wait for the first.")

    def column(self, name: str) -> NDArray[Any]:
        """A parameter, a measure, or one of the columns that every study has.

        Measures are numbers (booleans as 1 and 0), or NaN where a run has no value; string measures give strings.
        """
        pick(name, [*self.parameters, *self.measures, *RESERVED], "column")
        if name in self.parameters:
            values = [row.values[name] for row in self.table]
            numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
            return np.array(values, float) if numbers else _objects(values)
        if name in self.measures:
            given = [row.measures.get(name) for row in self.table]
            if any(isinstance(value, str) for value in given):
                return _objects(["" if value is None else value for value in given])
            return np.array([np.nan if value is None else value for value in given], float)
        if name == "warnings":
            return _objects(["\n".join(row.warnings) for row in self.table])
        values = [getattr(row, name) for row in self.table]
        return np.array(values, {"status": np.str_, "reason": np.str_}.get(name))

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return ["point", "repeat", "seed", *self.parameters, *self.measures,
                *(name for name in RESERVED if name not in ("point", "repeat", "seed"))]

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas data frame."""
        pd = extra("pandas", "study")
        return pd.DataFrame({name: self.column(name) for name in self.columns})

    def frame(self) -> pd.DataFrame:
        """The table as a pandas data frame, like `to_pandas`."""
        return self.to_pandas()

    def dataset(self) -> xr.Dataset:
        """The measures of a grid as an xarray dataset, like `to_xarray`."""
        return self.to_xarray()

    def to_xarray(self) -> xr.Dataset:
        """The measures of a grid as an xarray dataset: a dimension for each parameter, and one for repeats."""
        if self.study.design.kind != "grid":
            raise GranumError(f'This study is not a grid but of kind "{self.study.design.kind}", so it has no '
                              "dimensions. Use to_pandas() for its table.")

        kept = [*self.measures, "status", "wall_time", "energy_error", "residual"]
        extra("xarray", "study")
        frame = self.to_pandas()[[*self.parameters, "repeat", *kept]].set_index([*self.parameters, "repeat"])
        dataset: xr.Dataset = frame.to_xarray()
        for name in (*self.parameters, *kept):
            if unit := self.units.get(name):
                dataset[name].attrs["units"] = unit
        return dataset.assign_attrs(title=self.title)

    def write_csv(self, path: str | Path | None = None) -> Path:
        """Write the table as CSV, by default beside the table, with all digits."""
        file = self.path.with_suffix(".csv") if path is None else Path(path)
        part = file.with_name(file.name + ".part")
        try:
            with part.open("w", newline="", encoding="utf-8") as opened:
                writer = csv.writer(opened)
                writer.writerow(self.columns)
                writer.writerows(map(self._cells, self.table))
            os.replace(part, file)  # noqa: PTH105
        except OSError as error:
            part.unlink(missing_ok=True)
            raise RunFileError(f"{file} cannot be written: {error.strerror}. The table itself is in {self.path}."
                               ) from None
        return file

    def _cells(self, row: Row) -> list[Any]:
        """A row as CSV has it; empty where nothing was measured."""
        values = [row.values[name] for name in self.parameters] + [row.measures.get(name) for name in self.measures]
        named = {name: getattr(row, name) for name in RESERVED} | {"warnings": " ".join(row.warnings)}
        cells = [named["point"], named["repeat"], named["seed"], *values,
                 *(named[name] for name in self.columns[3 + len(values):])]
        return [_cell(value) for value in cells]

    def summary(self) -> dict[str, Any]:
        """The study in a few numbers."""
        statuses = Counter(row.status for row in self.table)
        reasons = Counter((row.status, row.reason) for row in self.table if row.status != "done")
        return {"title": self.title, "file": str(self.path), "runs": self.rows, "planned": self.planned,
                "finished": self.finished, "points": len({row.point for row in self.table}),
                "statuses": dict(statuses), "failed": self.rows - statuses["done"],
                "reasons": [{"status": status, "reason": reason, "runs": count}
                            for (status, reason), count in reasons.most_common()],
                "warned": sum(bool(row.warnings) for row in self.table), "parameters": self.parameters,
                "measures": self.measures}

    def __str__(self) -> str:
        return "\n".join(summary_lines(self.summary()))

    def __repr__(self) -> str:
        return f"<StudyResult {self.title!r}: {self.rows} of {count(self.planned, 'run')}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the summary, and the first rows."""
        named = ["point", "repeat", *self.parameters, *self.measures, "status"]
        heads = [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in named]
        columns = [self.column(name)[:_SHOWN] for name in named]
        rows = [[_short(value) for value in row] for row in zip(*columns, strict=True)]
        more = f"<p>and {self.rows - _SHOWN} more rows</p>" if self.rows > _SHOWN else ""
        return f"<div>{lines(summary_lines(self.summary()))}{table(heads, rows)}{more}</div>"


def summary_lines(summary: dict[str, Any], most: int = 5) -> list[str]:
    """A summary in words; the commonest reasons of failed runs first."""
    runs, planned, failed = summary["runs"], summary["planned"], summary["failed"]
    state = "finished" if summary["finished"] else f"not finished, {planned - runs} left"
    lines = [f"{summary['title'] or 'Study'}: {runs} of {count(planned, 'run')} ({state}) at "
             f"{count(summary['points'], 'point')}; {failed or 'none'} failed."]
    lines += [f"  {count(one['runs'], 'run')} {one['status']}: {one['reason']}" for one in summary["reasons"][:most]]
    if len(summary["reasons"]) > most:
        lines.append(f"  ... and {count(len(summary['reasons']) - most, 'other reason')}.")
    if summary["warned"]:
        lines.append(f"  {count(summary['warned'], 'run')} with warnings; see the column `warnings`.")
    return lines


def _objects(values: list[Any]) -> NDArray[Any]:
    """An array of anything, also of lists."""
    array = np.empty(len(values), object)
    for k, value in enumerate(values):
        array[k] = value
    return array


def _short(value: Any) -> str:
    """A value as a notebook shows it."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return repr(value) if isinstance(value, float) else value


@checked
def open_study(path: str | Path) -> StudyResult:
    """Open the table of a study, also of an interrupted study or of one that is still running.

    >>> scene = gr.example("pendulum").with_run(until=0.1)
    >>> _ = gr.study(scene, measure={"frames": lambda run: len(run.t)}, on="serial", output="one.h5", overwrite=True,
    ...              progress=False)
    >>> gr.open_study("one.h5")
    <StudyResult '': 1 of 1 run>
    """
    return StudyResult(path)
