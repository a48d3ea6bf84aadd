"""Tables of a run as text (csv) and as arrays (npz)."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import numpy as np

from granum.base.kernels import Floats
from granum.view.export.columns import Column, Table, Tell
from granum.view.export.content import Content


def write_csv(content: Content, folder: Path, t: Floats, frames: Sequence[int], tell: Tell) -> None:
    """One file for each table, with a row of heads; rows of frames begin with their time."""
    folder.mkdir()
    with ExitStack() as opened:
        files: dict[str, IO[bytes]] = {}

        def file_of(name: str, table: Table, timed: bool) -> IO[bytes]:
            if name not in files:
                files[name] = opened.enter_context((folder / f"{name}.csv").open("wb"))
                files[name].write(_heads(table, timed))
            return files[name]

        for done, index in enumerate(frames):
            for name, table in content.frame(index).items():
                file_of(name, table, True).write(_rows(table, np.full(len(table), t[index])))
            tell(done + 1)
        for name, table in content.series().items():
            file_of(name, table, True).write(_rows(_of_frames(table, frames), t[frames]))
        for name, table in content.log().items():
            file_of(name, table, False).write(_rows(table))


def _of_frames(table: Table, frames: Sequence[int]) -> Table:
    """The rows of some frames, of a table that has a row for each."""
    return Table(tuple(column._replace(values=column.values[frames]) for column in table.columns))


def _heads(table: Table, timed: bool) -> bytes:
    """The first row: `x [m]`."""
    heads = [f"{head} [{column.unit}]" if column.unit else head for column in table.columns for head in column.heads]
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(
        [*(["t [s]"] if timed else []), *(["name"] if table.names is not None else []), *heads])
    return written.getvalue().encode()


def _rows(table: Table, t: Floats | None = None) -> bytes:
    """Rows of a table, each number with the fewest digits that give it back exactly."""
    from pydantic_core import to_json

    columns: list[Sequence[Any]] = [] if t is None else [t.tolist()]
    if table.names is not None:
        columns.append(table.names)
    for column in table.columns:
        columns += names_or_values(column)
    rows = list(zip(*columns, strict=True))
    if not rows:
        return b""
    # JSON of rows of numbers and names is CSV but for the brackets, and its encoder five times faster than csv's
    return to_json(rows)[2:-2].replace(b"],[", b"\n").replace(b'"', b"") + b"\n"


def names_or_values(column: Column) -> list[Sequence[Any]]:
    """The components of a column, one by one; names for numbers that stand for names."""
    if len(column.labels):
        names = np.array([*column.labels, ""], dtype=object)  # -1 is the last: no name
        return [names[column.values].tolist()]
    if column.values.ndim == 1:
        return [column.values.tolist()]
    components: list[list[Any]] = column.values.T.tolist()
    return [*components]


def write_npz(
    content: Content, file: Path, t: Floats, frames: Sequence[int], about: dict[str, str], tell: Tell
) -> None:
    """All tables as arrays `table/column`.

    Tables whose rows have names have arrays (frames, rows, ...). Where grains enter and leave, rows of all frames stand
    one after the other, and those of frame k are `table/offsets[k]` to `table/offsets[k + 1]`.
    """
    with ExitStack() as opened, zipfile.ZipFile(file, "w", allowZip64=True) as archive:
        growing: dict[str, list[_Growing]] = {}
        counts: dict[str, list[int]] = {}
        for done, index in enumerate(frames):
            last = content.frame(index)
            for name, table in last.items():
                if name not in growing:
                    growing[name] = [_Growing(opened, file.parent) for _ in table.columns]
                for grown, column in zip(growing[name], table.columns, strict=True):
                    grown.add(column)
                counts.setdefault(name, []).append(len(table))
            tell(done + 1)
        for name, value in {"t": t[frames], "frames": frames, **about}.items():
            _put(archive, name, value)
        for name, table in last.items():
            named = table.names is not None
            shape = (len(frames), len(table)) if named else (sum(counts[name]),)
            for grown, column in zip(growing[name], table.columns, strict=True):
                grown.put(archive, name, column, shape)
                _put_labels(archive, name, column)
            if named:
                _put(archive, f"{name}/name", table.names)
            else:
                _put(archive, f"{name}/offsets", np.concatenate([[0], np.cumsum(counts[name])]))
        measured = {name: _of_frames(table, frames) for name, table in content.series().items()}
        for name, table in {**measured, **content.log()}.items():
            for column in table.columns:
                _put(archive, f"{name}/{column.name}", column.values)
                _put_labels(archive, name, column)


class _Growing:
    """A column of a table whose frames are added one by one, to a file that has no name: a run may exceed memory."""

    def __init__(self, opened: ExitStack, folder: Path) -> None:
        self.file = opened.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115 closed by `opened`

    def add(self, column: Column) -> None:
        """Rows of one frame."""
        self.file.write(np.ascontiguousarray(column.values).data)

    def put(self, archive: zipfile.ZipFile, table: str, like: Column, shape: tuple[int, ...]) -> None:
        """Copy all rows into an archive, as an array of a shape."""
        header = {"descr": np.lib.format.dtype_to_descr(like.values.dtype), "fortran_order": False,
                  "shape": (*shape, *like.values.shape[1:])}
        self.file.seek(0)
        with archive.open(f"{table}/{like.name}.npy", "w", force_zip64=True) as entry:
            np.lib.format.write_array_header_1_0(entry, header)
            shutil.copyfileobj(self.file, entry, 1 << 22)


def _put(archive: zipfile.ZipFile, name: str, array: Any) -> None:
    with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
        np.lib.format.write_array(entry, np.asarray(array, order="C"), allow_pickle=False)


def _put_labels(archive: zipfile.ZipFile, table: str, column: Column) -> None:
    """The names that a column has places of."""
    if len(column.labels):
        _put(archive, f"{table}/{column.name}_names", list(column.labels))
