"""The table of a study: one HDF5 file with a row for each run, which survives its process as run files do.

Rows are the frames of `io.runfile`: laid out when the file is made, written in place with checksums, counted last. They
are in the order in which runs ended; whoever reads them sorts them by point and repeat.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal, Self

import h5py
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from granum.base.errors import RunFileError
from granum.io.runfile import Format, Layout, Recording, RunFileWriter, create_run_file, open_run_file, resume_run_file
from granum.io.runfile.bookkeeping import damaged
from granum.io.runfile.lock import RunLock
from granum.io.runfile.metadata import wrong_metadata
from granum.studies.answers import Value

STATUSES = ("done", "failed", "over time", "over memory", "lost")
"""How a run ended: as it should; not; beyond its limits; with its process."""
KINDS = ("missing", "number", "boolean", "text")
"""What a measure gave."""
REASON, WARNINGS, TEXT = 600, 1500, 64
"""Bytes of texts in a row; longer ones are cut."""
ARRAYS = {
    "time": "f8", "point": "i8", "repeat": "i8", "seed": "i8", "parameter": "f8 parameters", "measure": "f8 measures",
    "kind": "u1 measures", "text": f"u1 measures {TEXT}", "status": "u1", "reason": f"u1 {REASON}",
    "warnings": f"u1 {WARNINGS}", "wall_time": "f8", "energy_error": "f8", "residual": "f8",
}
"""Types and axes behind that of the rows: a number, or a key of the metadata (as many as it lists). `time` is when a
row was written, counted from the start of the study [s]; that of interruptions is left out."""
_Length = Annotated[int, Field(strict=True, ge=0, le=1 << 48)]


@dataclass(frozen=True)
class Row:
    """What is known of one run."""

    point: int
    repeat: int
    seed: int
    values: dict[str, Any]
    """Of the parameters."""
    status: str
    """One of STATUSES."""
    reason: str = ""
    """Why it is not done."""
    measures: dict[str, Value] = field(default_factory=dict)
    """What was answered."""
    warnings: tuple[str, ...] = ()
    wall_time: float = math.nan
    """[s], without compiling."""
    energy_error: float = math.nan
    """The largest, relative."""
    residual: float = math.nan
    """The largest, relative: of contact, or of constraints."""

    @property
    def key(self) -> tuple[int, int]:
        """Which run it is of."""
        return self.point, self.repeat


class _Metadata(BaseModel):
    """Keys that are read by name."""

    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=True)

    title: str
    study: dict[str, Any]
    scene: dict[str, Any]
    parameters: list[str]
    measures: list[str]
    units: dict[str, str]
    choices: dict[str, list[Any]]
    """Values of parameters that are no numbers; rows have their positions here."""
    versions: dict[str, str]
    provenance: dict[str, Any]
    layout: dict[str, tuple[list[_Length], Literal["f8", "i8", "u1"]]]


def _decoded(data: bytes) -> tuple[dict[str, Any], Layout]:
    """Metadata and the arrays they declare; raises ValueError with what is wrong."""
    try:
        metadata = json.loads(data)
        model = _Metadata.model_validate_json(data)
    except ValidationError as error:
        raise ValueError(wrong_metadata(error)) from None
    except (ValueError, RecursionError):
        raise ValueError("its metadata cannot be read") from None
    layout: Layout = {name: (tuple(shape), dtype) for name, (shape, dtype) in model.layout.items()}
    rows = layout["time"][0][0] if layout.get("time", ((), ""))[0] else 0
    if layout != layout_of(rows, metadata):
        raise ValueError("its arrays are not those of a study")
    return metadata, layout


STUDY = Format("granum-study-1", "study", "row", "granum study STUDY.toml", "Copy it again, or run the study again.",
               _decoded)


def layout_of(rows: int, metadata: Mapping[str, Any]) -> Layout:
    """Shapes of all arrays of a table with room for so many rows."""
    layout: Layout = {}
    for name, form in ARRAYS.items():
        dtype, *axes = form.split()
        layout[name] = ((rows, *(int(axis) if axis.isdigit() else len(metadata[axis]) for axis in axes)), dtype)
    return layout


class Table:
    """A table to which rows are added; it holds the lock of its file until it is closed."""

    def __init__(self, writer: RunFileWriter) -> None:
        self._writer = writer
        self.rows = {row.key: row for row in rows_of(writer)}
        self._failed = sum(row.status != "done" for row in self.rows.values())
        last = float(writer.frame("time", writer.frames_done - 1)) if writer.frames_done else 0.0
        self._began = time.monotonic() - last
        self._last = last

    @classmethod
    def create(cls, path: Path, rows: int, metadata: dict[str, Any], overwrite: bool) -> Self:
        """A new table; a file that exists is replaced only if that is asked for."""
        lock = None
        if path.exists():
            lock = RunLock(path)
            if not overwrite:
                lock.release()
                refuse_existing(path)
        return cls(create_run_file(path, layout_of(rows, metadata), metadata, lock, kind=STUDY))

    @classmethod
    def resume(cls, path: Path) -> Self:
        """An earlier table, all of it verified."""
        return cls(resume_run_file(path, STUDY))

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known about the study."""
        return self._writer.metadata

    @property
    def failed(self) -> int:
        """How many runs are not done though they have ended."""
        return self._failed

    @property
    def room(self) -> int:
        """How many rows there is room for."""
        return self._writer.frame_count

    def rebuilt(self, rows: int, metadata: dict[str, Any], statuses: Iterable[str]) -> Table:
        """The table with room for more rows, and only with rows of these statuses; it replaces this one at once."""
        writer, wanted = self._writer, {STATUSES.index(status) for status in statuses}
        kept = [k for k, status in enumerate(writer.frames("status")) if int(status) in wanted]
        assert writer.path is not None
        return Table(create_run_file(writer.path, layout_of(rows, metadata), metadata, writer.hand_over(), writer, kept,
                                     STUDY))

    def append(self, row: Row) -> bool:
        """Write a row and count it; False if the run has one already."""
        if row.key in self.rows:
            return False
        names = self.metadata["measures"]
        values = [row.measures.get(name) for name in names]
        self._last = max(self._last, time.monotonic() - self._began)
        self._writer.store(self._writer.frames_done, {
            "time": self._last, "point": row.point, "repeat": row.repeat, "seed": row.seed,
            "parameter": [self._number(path, row.values[path]) for path in self.metadata["parameters"]],
            "measure": [float(value) if isinstance(value, bool | float) else math.nan for value in values],
            "kind": [_kind(value) for value in values],
            "text": np.array([_packed(value if isinstance(value, str) else "", TEXT) for value in values],
                             np.uint8).reshape(len(names), TEXT),
            "status": STATUSES.index(row.status), "reason": _packed(row.reason, REASON),
            "warnings": _packed("\n".join(row.warnings), WARNINGS), "wall_time": row.wall_time,
            "energy_error": row.energy_error, "residual": row.residual,
        })
        self.rows[row.key] = row
        self._failed += row.status != "done"
        return True

    def _number(self, path: str, value: Any) -> float:
        choices = self.metadata["choices"].get(path)
        return float(value) if choices is None else float(choices.index(plain(value)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self._writer.close(kind is not None)


def is_table(path: Path) -> bool:
    """Does a file say that it is the table of a study? What cannot be opened does not; its reader says why."""
    try:
        with h5py.File(path, "r", locking=False) as file:
            said = file.attrs.get("format", b"")
            name = said.decode("ascii", "replace") if isinstance(said, bytes) else str(said)
            return name.rpartition("-")[0] == STUDY.name.rpartition("-")[0]
    except (OSError, RuntimeError, ValueError):
        return False


def refuse_existing(path: Path) -> None:
    """Refuse to replace a file unasked."""
    if path.exists():
        raise RunFileError(f"{path} exists. Continue it with --resume, replace it with --overwrite, or give another "
                           "file with -o.")


def read_table(path: Path) -> Recording:
    """The table in a file; raises RunFileError for whatever is not one."""
    return open_run_file(path, STUDY)


def rows_of(recording: Recording) -> list[Row]:
    """All rows of a table, in the order in which runs ended."""
    metadata, done = recording.metadata, recording.frames_done
    arrays = {name: recording.frames(name, slice(done)) for name in ARRAYS}
    try:
        return [_row(metadata, {name: array[k] for name, array in arrays.items()}) for k in range(done)]
    except (IndexError, ValueError):  # codes that match their checksums, and mean nothing
        assert recording.path is not None
        raise damaged(recording.path, "a row has impossible values", STUDY) from None


def _row(metadata: Mapping[str, Any], at: Mapping[str, Any]) -> Row:
    values = {path: metadata["choices"][path][int(number)] if path in metadata["choices"] else float(number)
              for path, number in zip(metadata["parameters"], at["parameter"], strict=True)}
    measures: dict[str, Value] = {}
    for name, kind, number, text in zip(metadata["measures"], at["kind"], at["measure"], at["text"], strict=True):
        match KINDS[int(kind)]:
            case "number":
                measures[name] = float(number)
            case "boolean":
                measures[name] = bool(number)
            case "text":
                measures[name] = _unpacked(text)
    return Row(int(at["point"]), int(at["repeat"]), int(at["seed"]), values, STATUSES[int(at["status"])],
               _unpacked(at["reason"]), measures, tuple(filter(None, _unpacked(at["warnings"]).split("\n"))),
               float(at["wall_time"]), float(at["energy_error"]), float(at["residual"]))


def plain(value: Any) -> Any:
    """A value of a parameter as JSON has it: tuples are lists."""
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def _kind(value: Value | None) -> int:
    names = {type(None): "missing", float: "number", bool: "boolean", str: "text"}
    return KINDS.index(names[type(value)])


def _packed(text: str, room: int) -> NDArray[np.uint8]:
    """A text in so many bytes, cut between characters where it is longer."""
    data = text.encode("utf-8", "replace")
    if len(data) > room:
        data = f"{data[:room - 4].decode('utf-8', 'ignore')} ...".encode()
    packed = np.zeros(room, np.uint8)
    packed[: len(data)] = np.frombuffer(data, np.uint8)
    return packed


def _unpacked(packed: NDArray[np.uint8]) -> str:
    return packed.tobytes().rstrip(b"\0").decode("utf-8", "replace")
