"""Reading run files: arrays in one piece are mapped into memory, others are read through HDF5 as they are needed.

A reader sees the run as it is when it opens the file. Later frames are not there for it, so that all arrays it reads
have the same number of frames while another process writes the run.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from granum.base.errors import RunFileError
from granum.io.runfile.bookkeeping import Place, RunFile, damaged, inspect
from granum.io.runfile.layout import in_slots, is_log, size_of
from granum.io.runfile.metadata import RUN, Format
from granum.io.runfile.recording import Recording
from granum.io.runfile.verified import Verified, listed_frames


def open_for_reading(path: Path, kind: Format = RUN) -> Recording:
    """The recording in a run file, or in a file of another kind; raises RunFileError for whatever is not one."""
    file = inspect(path, kind)
    return Recording(VerifiedSnapshot(file), file.metadata, path)


class VerifiedSnapshot(Verified):
    """Rows of a file as it is when this is made, however many frames are added to it meanwhile."""

    def __init__(self, file: RunFile) -> None:
        super().__init__(MappedFile(file), file)
        self._logs: dict[str, NDArray[Any]] = {}
        self._done = super().counter()
        while self._done is not None and self._done < file.layout["time"][0][0]:
            self._logs = {name: self._first_slots(name) for name in file.layout if is_log(name)}
            before, self._done = self._done, super().counter()
            if self._done == before:  # then no log of the last frame was written anew while it was copied
                break

    def _first_slots(self, name: str) -> NDArray[Any]:
        """A copy of a log as frames leave it: they write to the first two slots in turn."""
        return np.array(self.raw.rows(name, 0, 2)[:2])

    def counter(self) -> int | None:
        """The number of frames there were."""
        return self._done

    def _slot(self, name: str, slot: int) -> NDArray[Any]:
        return self._logs[name][slot : slot + 1] if name in self._logs and slot < 2 else super()._slot(name, slot)

    @property
    def outdated(self) -> bool:
        """Have frames been added since? Then checkpoints, other than frames and logs, may be gone."""
        return super().counter() != self._done

    def damage(self, done: int) -> dict[int, list[str]]:
        """Arrays that are damaged, by frame; what a run has written over since is not damaged."""
        found = super().damage(done)
        kept = {frame: [name for name in names if not (in_slots(name) and self.outdated)]
                for frame, names in found.items()}
        return {frame: names for frame, names in kept.items() if names}

    def refusal(self, found: dict[int, list[str]]) -> RunFileError:
        """Damaged frames by name, or checkpoints that are gone."""
        names = sorted({name for several in found.values() for name in several})
        if all(map(in_slots, names)) and self.outdated:
            return RunFileError(f"{self.path}: the {self.format.thing} has gone on since the file was opened, and "
                                f"{', '.join(names)} of {listed_frames(sorted(found), self.format.row)} is no longer "
                                "there. Open the file again.")
        return super().refusal(found)


class MappedFile:
    """Arrays of a file that is only read: those in one piece are mapped."""

    def __init__(self, file: RunFile) -> None:
        self.path, self._places, self._kind = file.path, file.places, file.format
        self._size = max((place.offset + size_of(place.shape, place.dtype) for place in file.places.values()
                          if place.offset is not None), default=0)
        with file.path.open("rb") as opened:
            self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped = {name: np.frombuffer(self._map, f"<{place.dtype}", math.prod(place.shape), place.offset)
                        .reshape(place.shape) for name, place in file.places.items() if place.offset is not None}
        self._copies = Copies(file.places, self._through_hdf5)

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """An array with at least these rows."""
        if name not in self._mapped:
            return self._copies.rows(name, first, after)
        if self._map.size() < self._size:  # to touch what is no longer there would end the process
            raise RunFileError(f"{self.path} was truncated while it was being read. {self._kind.again}")
        return self._mapped[name]

    def _through_hdf5(self, name: str, first: int, after: int) -> NDArray[Any]:
        try:
            with h5py.File(self.path, "r", locking=False) as file:
                values: NDArray[Any] = file[name][first:after]
                return values
        except (OSError, KeyError, RuntimeError, ValueError, TypeError):
            raise damaged(self.path, f"{name} cannot be unpacked", self._kind) from None


class Copies:
    """Arrays in memory whose rows are read when they are first asked for."""

    def __init__(self, places: dict[str, Place], read: Callable[[str, int, int], NDArray[Any]]) -> None:
        self._places, self._read = places, read
        self._arrays: dict[str, NDArray[Any]] = {}
        self._there: dict[str, NDArray[np.bool_]] = {}

    def rows(self, name: str, first: int, after: int, changing: bool = False) -> NDArray[Any]:
        """An array with at least these rows; what changes is read again."""
        place = self._places[name]
        if name not in self._arrays:
            try:
                self._arrays[name] = np.zeros(place.shape, f"<{place.dtype}")
            except MemoryError:
                raise RunFileError(f"There is not enough memory for {name}, which takes "
                                   f"{size_of(place.shape, place.dtype) / 1e6:.0f} MB.") from None
            self._there[name] = np.zeros(place.shape[0], np.bool_)
        array, there = self._arrays[name], self._there[name]
        wanted = np.arange(first, after)[~there[first:after] | changing] // place.block
        for block in np.unique(wanted):
            rows = slice(block * place.block, min((block + 1) * place.block, place.shape[0]))
            array[rows] = self._read(name, rows.start, rows.stop)
            there[rows] = True
        return array
