"""Run files: one HDF5 file per run that opens and resumes whatever happened to the process that wrote it.

HDF5 itself is not safe against a process that dies: its bookkeeping is written late. So the bookkeeping is
written once, at creation, with all frames allocated; the file is then closed and given its name. Frames are
written in place through memory maps, and a counter of finished frames is raised last. At no instant is
there a file that HDF5 cannot open or a frame counted that is not complete.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from granum.base.errors import RunFileError

FORMAT = "granum-run-3"

_DATASETS = {"time", "position", "velocity", "energy", "statistics", "checkpoint/next_step", "event", "frames_done"}
"""What every run has."""

TRANSITIONS = ("", "sticks", "slides", "leaves")
"""What a friction does from a transition on, by the code in the array `transition`; 0 is an empty place."""

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""How an HDF5 file begins."""

Shape = tuple[int, ...]
Arrays = dict[str, NDArray[Any]]


@dataclass
class Recording:
    """Arrays of a run, in memory or mapped from a file, and what is known about them."""

    arrays: Arrays
    """By dataset name; the first axis of frame arrays is the frame."""
    metadata: dict[str, Any]
    path: Path | None = None
    _handle: int | None = None

    @property
    def frames_done(self) -> int:
        """Number of complete frames."""
        return int(self.arrays["frames_done"][0])

    @frames_done.setter
    def frames_done(self, count: int) -> None:
        self.arrays["frames_done"][0] = count

    @property
    def frame_count(self) -> int:
        """Number of frames a finished run has."""
        return len(self.arrays["time"])

    @property
    def event(self) -> tuple[int, float] | None:
        """Number and time [s] of the event that ended the run before its time, if any."""
        number, time = self.arrays["event"]
        return (int(number) - 1, float(time)) if number else None

    @property
    def finished(self) -> bool:
        """Are all frames there, or all that an event left?"""
        return self.frames_done == self.frame_count or self.event is not None

    def close(self) -> None:
        """Write everything to disk and let others write."""
        for array in self.arrays.values():
            if isinstance(array, np.memmap):
                array.flush()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def in_memory(layout: Mapping[str, tuple[Shape, str]], metadata: dict[str, Any]) -> Recording:
    """A recording without a file."""
    arrays = {name: np.zeros(shape, dtype) for name, (shape, dtype) in layout.items()}
    return Recording(arrays, metadata)


def create_run_file(
    path: Path, layout: Mapping[str, tuple[Shape, str]], metadata: dict[str, Any], content: Arrays | None = None,
) -> Recording:
    """Create a run file; it replaces a file of that name at once or not at all.

    content: the beginnings of arrays that are known already; all other frames are still empty.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with h5py.File(part, "w") as file:
            file.attrs["format"] = FORMAT
            file.attrs["metadata"] = json.dumps(metadata)
            for name, (shape, dtype) in layout.items():
                _allocate(file, name, shape, dtype)
            for name, array in (content or {}).items():
                # where grains enter, a longer run has more room for them too
                place = tuple(slice(min(own, room)) for own, room in zip(array.shape, file[name].shape, strict=True))
                if array[place].size:
                    file[name][place] = array[place]
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise RunFileError(f"{path} cannot be written: {reason}. "
                           "Name another file with -o, in a folder you may write to.") from None
    return open_run_file(path, write=True)


def _allocate(file: h5py.File, name: str, shape: Shape, dtype: str) -> None:
    """A contiguous dataset whose place in the file is decided now and never changes."""
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.CONTIGUOUS)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    properties.set_obj_track_times(False)
    kind = h5py.h5t.py_create(np.dtype(dtype), logical=True)
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple(shape), dcpl=properties, lcpl=links)


def open_run_file(path: Path, write: bool = False) -> Recording:
    """Map the arrays of a run file; raises RunFileError for whatever is not one."""
    _refuse_foreign(path)
    places: dict[str, tuple[int | None, Shape, np.dtype[Any]]] = {}
    try:
        with h5py.File(path, "r") as file:
            _refuse_other_format(path, file.attrs.get("format"))
            metadata = json.loads(file.attrs["metadata"])

            def note(name: str, item: Any) -> None:
                if isinstance(item, h5py.Dataset):
                    places[name] = (item.id.get_offset(), item.shape, item.dtype)

            file.visititems(note)
    except (OSError, KeyError, RuntimeError, ValueError, TypeError):  # h5py raises all of them for damaged files
        raise RunFileError(f"{path} is not a run file that can be read: it is damaged or was cut short. Copy it again, "
                           "or run its scene again.") from None
    _check_whole(path, places, metadata)
    arrays: Arrays = {
        name: np.memmap(path, dtype, "r+" if write else "r", offset, shape)
        if offset is not None and np.prod(shape) else np.zeros(shape, dtype)
        for name, (offset, shape, dtype) in places.items()
    }
    if not 0 <= int(arrays["frames_done"].sum()) <= len(arrays["time"]):
        raise RunFileError(f"{path} is not a run file that can be read: it counts more frames than it has, so it is "
                           "damaged. Copy it again, or run its scene again.")
    return Recording(arrays, metadata, path, _lock(path) if write else None)


def _refuse_foreign(path: Path) -> None:
    """Refuse what is no HDF5 file, and say what to do instead."""
    makes = "`granum run SCENE.toml -o RUN.h5` makes a run file."
    try:
        with path.open("rb") as file:
            beginning = file.read(len(_SIGNATURE))
    except FileNotFoundError:
        if path.with_name(path.name + ".part").exists():
            raise RunFileError(f"{path}: there is no such file, only {path.name}.part: a run was stopped while its "
                               "file was being made, before its first frame. Run the scene again.") from None
        raise RunFileError(f"{path}: there is no such file. `granum run SCENE.toml -o {path}` makes one.") from None
    except IsADirectoryError:
        raise RunFileError(f"{path} is not a run file but a folder. Name the run file in it; {makes}") from None
    except OSError as error:
        raise RunFileError(f"{path} cannot be read: {error.strerror}. Ask its owner for permission to read it, or copy "
                           "it to where you may.") from None
    if not beginning:
        raise RunFileError(f"{path} is not a run file: it is empty. If it is a copy, it was cut short: copy it again. "
                           f"{makes}")
    if _SIGNATURE.startswith(beginning) and beginning != _SIGNATURE:
        raise RunFileError(f"{path} is not a run file: it was cut short. Copy it again, or run its scene again.")
    if beginning != _SIGNATURE:
        scene = path.suffix in (".toml", ".inp")
        raise RunFileError(f"{path} is not a run file but a scene. Run it first: `granum run {path}`." if scene else
                           f"{path} is not a run file: it is no HDF5 file. {makes}")


def _refuse_other_format(path: Path, version: Any) -> None:
    """Refuse HDF5 files of other programs and of other versions of Granum."""
    if version == FORMAT:
        return
    if isinstance(version, str) and version.startswith("granum-run-"):
        raise RunFileError(f"{path} is not a run of this version of Granum: it is in the format {version}, and this "
                           f"version reads {FORMAT}. Run its scene again, or open it with the version that wrote it.")
    raise RunFileError(f"{path} is an HDF5 file, but not a run of this version of Granum or any other. Name a file "
                       "that `granum run` has written.")


def _check_whole(path: Path, places: dict[str, tuple[int | None, Shape, np.dtype[Any]]], metadata: Any) -> None:
    """Refuse a file that ends before its data do (a copy that was cut short), or lacks some of them."""
    ends = [offset + int(np.prod(shape)) * dtype.itemsize for offset, shape, dtype in places.values() if offset]
    if (not set(places) >= _DATASETS or path.stat().st_size < max(ends) or not isinstance(metadata, dict)
            or not {"scene", "scene_text"} <= set(metadata)):
        raise RunFileError(f"{path} is not a complete run file: it was cut short or changed. Copy it again, or run its "
                           "scene again.")


def _lock(path: Path) -> int:
    """Claim a file for writing, so that two processes do not write one run."""
    handle = os.open(path, os.O_RDWR)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise RunFileError(f"{path} is being written by another process. Wait for it, or use -o.") from None
    return handle
