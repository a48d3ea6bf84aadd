"""Runs as tables of pandas and labelled arrays of xarray: `run.to_pandas()` and `run.to_xarray()`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import pick
from granum.base.extras import extra
from granum.run import Run
from granum.view.export.columns import AXES, Column, Table
from granum.view.export.content import Content
from granum.view.export.tables import names_or_values

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

EXTRA = "study"


def to_pandas(run: Run, table: str | None = None) -> pd.DataFrame:
    """One table of a run as a data frame; see `Run.to_pandas`."""
    pandas = extra("pandas", EXTRA)
    run.refuse_empty()
    content = Content(run)
    of_frames, series, log = content.frame(-1), content.series(), content.log()
    if table is None:
        table = next(iter(of_frames))
    pick(table, [*of_frames, *series, *log], "table of this run")
    if table in of_frames:
        frame = pandas.concat([_rows(pandas, content.frame(k)[table]) for k in range(len(run.t))],
                              keys=run.t, names=["t", "name"])
    elif table in series:
        frame = _rows(pandas, series[table]).set_index(pandas.Index(run.t, name="t"))
    else:
        frame = _rows(pandas, log[table])
    like = {**of_frames, **series, **log}[table]
    frame.attrs["units"] = {head: column.unit for column in like.columns for head in column.heads if column.unit}
    made: pd.DataFrame = frame
    return made


def _rows(pandas: Any, table: Table) -> Any:
    """Rows of a table, by name where they have names."""
    columns = {head: values for column in table.columns
               for head, values in zip(column.heads, names_or_values(column), strict=True)}
    return pandas.DataFrame(columns, index=None if table.names is None else list(table.names))


def to_xarray(run: Run) -> xr.Dataset:
    """A run as labelled arrays; see `Run.to_xarray`."""
    xarray = extra("xarray", EXTRA)
    run.refuse_empty()
    arrays = {**_motion(run), **_tensions(run)}
    for name, table in Content(run).series().items():
        for column in table.columns:
            arrays[column.name if name == "coordinates" else f"{name} {column.name}"] = _over_time(column)
    variables = {name: (dimensions, values, {"units": unit} if unit else {})
                 for name, (dimensions, values, unit) in arrays.items()}
    labels: dict[str, Any] = {"t": ("t", run.t, {"units": "s"})}
    used = {dimension for dimensions, *_ in variables.values() for dimension in dimensions}
    names: dict[str, Iterable[str]] = {
        "body": run.body_names, "link": run.link_names, "axis": AXES[: run.dimension], "quaternion": "wxyz"}
    labels |= {dimension: list(names[dimension]) for dimension in names if dimension in used}
    dataset: xr.Dataset = xarray.Dataset(variables, labels, {"title": run.scene.title})
    return dataset


Labelled = tuple[tuple[str, ...], Any, str]
"""Dimensions, values and unit."""


def _motion(run: Run) -> dict[str, Labelled]:
    """Positions, velocities and, where bodies have them, orientations and angular velocities."""
    if not run.has.bodies:
        return {}
    arrays: dict[str, Labelled] = {"position": (("t", "body", "axis"), run.positions, "m"),
                                   "velocity": (("t", "body", "axis"), run.velocities, "m/s")}
    if run.has.orientation:
        arrays["orientation"] = (("t", "body", "quaternion"), _of_bodies(run, run.orientation, (4,)), "")
        flat = run.dimension == 2
        arrays["angular_velocity"] = (("t", "body") if flat else ("t", "body", "axis"),
                                      _of_bodies(run, run.angular_velocity, () if flat else (3,)), "rad/s")
    return arrays


def _of_bodies(run: Run, quantity: Callable[[str], Any], shape: tuple[int, ...]) -> Any:
    """(frames, bodies, ...): a quantity of all bodies; no number for points, which have no orientation."""
    names = list(run.body_names)
    values = np.full((len(run.t), len(names), *shape), np.nan)
    for k, name in enumerate(names):
        if run.has_orientation(name):
            values[:, k] = quantity(name)
    return values


def _tensions(run: Run) -> dict[str, Labelled]:
    return {"tension": (("t", "link"), run.tensions, "N")} if run.has.links else {}


def _over_time(column: Column) -> Labelled:
    """A quantity that has one value, or one vector, for each frame."""
    return (("t",) if column.values.ndim == 1 else ("t", "axis")), column.values, column.unit
