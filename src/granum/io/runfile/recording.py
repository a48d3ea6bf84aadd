"""Recordings: the frames of a run, in memory or in a file, and what is known about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from granum.base.errors import GranumError, RunFileError
from granum.io.runfile.layout import Layout, in_slots, is_log
from granum.model.scene import Scene

Arrays = Mapping[str, NDArray[Any]]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view for users: whoever scales a result in place must not change the run."""
    view = array.view()
    view.flags.writeable = False
    return view


class Storage(Protocol):
    """Where the rows of a recording are."""

    layout: Layout

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """A whole array, of which at least these rows are there to be read and are what was written."""

    def frames_done(self) -> int:
        """Number of complete frames."""

    def has_checkpoint(self, frame: int) -> bool:
        """Is the checkpoint of a frame there?"""


class Recording:
    """Arrays of a run and what is known about them; what is read from a file is verified first."""

    def __init__(self, storage: Storage, metadata: dict[str, Any], path: Path | None = None) -> None:
        self.storage, self.metadata, self.path = storage, metadata, path
        self.arrays: Arrays = _Arrays(self)

    @property
    def layout(self) -> Layout:
        """Shape and type of each array."""
        return self.storage.layout

    @property
    def frames_done(self) -> int:
        """Number of complete frames."""
        return self.storage.frames_done()

    @property
    def frame_count(self) -> int:
        """Number of frames a finished run has."""
        return self.layout["time"][0][0]

    def frames(self, name: str, rows: slice = slice(None)) -> NDArray[Any]:
        """An array of all complete frames, or of successive ones; no others are read."""
        first, after, _ = rows.indices(min(self.frames_done, self.layout[name][0][0]))
        return self.storage.rows(name, first, after)[first:after]

    def frame(self, name: str, index: int) -> NDArray[Any]:
        """An array of one frame; no other frame is read."""
        row: NDArray[Any] = self.storage.rows(name, index, index + 1)[index]
        return row

    @cached_property
    def scene(self) -> Scene:
        """The scene that was run, with the settings that were used."""
        try:
            return Scene.model_validate(self.metadata["scene"])
        except (GranumError, ValidationError):
            raise RunFileError(f"{self.path} is not a readable run file: the scene in it is not valid, so it is "
                               "damaged. Copy it again, or run its scene again.") from None

    @property
    def event(self) -> tuple[int, float] | None:
        """Number and time [s] of the event that ended the run before its time, if any."""
        if not (done := self.frames_done):
            return None
        number, time = self.frame("event", done - 1)
        return (int(number) - 1, float(time)) if number else None

    @property
    def finished(self) -> bool:
        """Are all frames there, or all that an event left?"""
        return self.frames_done == self.frame_count or self.event is not None

    def has_checkpoint(self, frame: int) -> bool:
        """Is there all that is needed to go on from a frame exactly? The last two have it, as a rule."""
        return self.storage.has_checkpoint(frame)

    def at(self, frame: int) -> Arrays:
        """All arrays with the checkpoint and logs of a frame, which is one of the last two."""
        return _Arrays(self, frame)

    def result(self) -> Recording:
        """The recording as it is read once nothing is written to it any more."""
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close(kind is not None)

    def close(self, failed: bool = False) -> None:
        """Write everything to disk and let others write; after a failure, as far as that goes."""


class _Arrays(Mapping[str, NDArray[Any]]):
    """Arrays by name, as they stand at a frame.

    Of frames the first axis is the frame, and all complete ones are there; of checkpoints it is the slot, and that of
    the frame is there; logs have no such axis.
    """

    def __init__(self, recording: Recording, frame: int | None = None) -> None:
        self._recording, self._frame = recording, frame

    def __getitem__(self, name: str) -> NDArray[Any]:
        recording = self._recording
        length, done = recording.layout[name][0][0], recording.frames_done
        if not in_slots(name):
            return recording.storage.rows(name, 0, min(done, length))
        slot = (done - 1 if self._frame is None else self._frame) % 2
        array = recording.storage.rows(name, slot, slot + bool(done))
        return array[slot] if is_log(name) else array[:2]  # the others are for power cuts

    def __iter__(self) -> Iterator[str]:
        return iter(self._recording.layout)

    def __len__(self) -> int:
        return len(self._recording.layout)


class RecordingInMemory(Recording):
    """A recording without a file."""

    def __init__(self, layout: Layout, metadata: dict[str, Any]) -> None:
        self._memory = _Memory(layout)
        super().__init__(self._memory, metadata)

    def store(self, frame: int, content: Mapping[str, Any]) -> None:
        """Write a frame with what a resumed run needs, and count it."""
        for name, value in content.items():
            array = self._memory.arrays[name]
            if len(array):  # a network of contacts that is too large has no frames
                array[frame % 2 if in_slots(name) else frame] = value
        self._memory.done = frame + 1

    def make_room(self, frames: int) -> None:
        """Lengthen the arrays of frames to so many."""
        memory, now = self._memory, self.frame_count
        for name, (shape, kind) in memory.layout.items():
            if not in_slots(name) and shape[0] == now:
                longer = np.zeros((frames, *shape[1:]), kind)
                longer[:now] = memory.arrays[name]
                memory.arrays[name] = longer
        memory.layout = {name: (array.shape, kind) for (name, array), (_, kind) in zip(
            memory.arrays.items(), memory.layout.values(), strict=True)}

    def cut_room(self, layout: Layout, metadata: dict[str, Any]) -> None:
        """Keep only the frames of a shorter layout, and say what is known about it."""
        memory = self._memory
        memory.arrays = {name: memory.arrays[name][: shape[0]] for name, (shape, _) in layout.items()}
        memory.layout = layout
        self.metadata.clear()
        self.metadata.update(metadata)
        self.__dict__.pop("scene", None)

    def cut(self, frames: int) -> None:
        """Forget the frames after so many."""
        self._memory.done = min(self._memory.done, frames)

    def copy(self) -> RecordingInMemory:
        """An independent copy."""
        twin = RecordingInMemory(self.layout, json.loads(json.dumps(self.metadata)))
        twin._memory.arrays = {name: array.copy() for name, array in self._memory.arrays.items()}
        twin._memory.done = self._memory.done
        return twin


class _Memory:
    def __init__(self, layout: Layout) -> None:
        self.layout, self.done = layout, 0
        self.arrays = {name: np.zeros(shape, dtype) for name, (shape, dtype) in layout.items()}

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        return read_only(self.arrays[name])

    def frames_done(self) -> int:
        return self.done

    def has_checkpoint(self, frame: int) -> bool:
        return self.done - 2 <= frame < self.done
