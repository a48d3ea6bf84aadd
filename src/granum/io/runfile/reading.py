"""Reading run files: arrays in one piece are mapped into memory, others are read through HDF5 as they are needed."""

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
from granum.io.runfile.formats import RUN, Format
from granum.io.runfile.layout import size_of
from granum.io.runfile.recording import Recording
from granum.io.runfile.verified import Verified


def open_for_reading(path: Path, kind: Format = RUN) -> Recording:
    """The recording in a run file, or in a file of another kind; raises RunFileError for whatever is not one."""
    file = inspect(path, kind)
    return Recording(Verified(MappedFile(file), file), file.metadata, path)


class MappedFile:
    """Arrays of a file that is only read: those in one piece are mapped, and grow with a run that goes on."""

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
