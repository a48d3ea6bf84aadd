"""Rows of a run file, compared with their checksums, and with what they may say, when they are first used."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import RunFileError
from granum.io.runfile.bookkeeping import RunFile, damaged
from granum.io.runfile.checksums import TABLE, counted, row_digests
from granum.io.runfile.layout import in_slots
from granum.io.runfile.values import CHECKS


class RawRows(Protocol):
    """A file whose rows are read as they are."""

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """A whole array, of which at least these rows are there."""


class Verified:
    """Rows of a file as they are read: compared with their checksums, and with what they may say."""

    def __init__(self, raw: RawRows, file: RunFile) -> None:
        self.layout, self.metadata, self.path = file.layout, file.metadata, file.path
        self.raw, self.format = raw, file.format
        self.column = {name: k for k, name in enumerate(file.layout)}
        self._seen = {name: np.zeros(shape[0], np.bool_) for name, (shape, _) in file.layout.items()}
        self._table_seen = np.zeros(file.layout["time"][0][0], np.bool_)

    def frames_done(self) -> int:
        """Number of complete frames."""
        if (done := self.counter()) is not None:
            return done
        thing, row = self.format.thing, self.format.row
        raise damaged(self.path, f"its counter of {row}s does not match its checksum (continue the {thing} with "
                                 f"--resume, which finds the last complete {row})", self.format)

    def counter(self) -> int | None:
        """The counter of frames; None if it does not match its checksum."""
        for _ in range(3):  # it may be read while it is written
            if (found := counted(np.array(self.raw.rows("frames_done", 0, 2)))) is not None:
                if not 0 <= found[0] <= self.layout["time"][0][0]:
                    raise damaged(self.path, f"it declares more {self.format.row}s than it contains", self.format)
                return found[0]
        return None

    def durable(self) -> tuple[int, int] | None:
        """How many frames were on the disk when it was last waited for, and the slot of the last; None if unknown."""
        found = counted(np.array(self.raw.rows("durable", 0, 3)))
        known = found is not None and 0 <= found[0] <= self.layout["time"][0][0] and found[1] in (2, 3)
        return (found[0], found[1]) if found is not None and known else None

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """An array whose rows first, ..., after - 1 have been verified."""
        if in_slots(name):
            return self._slots(name, first, after)
        array = self.raw.rows(name, first, after)
        new = first + np.flatnonzero(~self._seen[name][first:after])
        if len(new):
            if wrong := [int(k) for k in new[self._wrong(name, new)]]:
                raise self.refusal({k: [name] for k in wrong})
            self._check_values(name, array[new], new)
            self._seen[name][new] = True
        return array

    def _slots(self, name: str, first: int, after: int) -> NDArray[Any]:
        """The slots of an array, of which some have been verified."""
        slots = np.concatenate([self._slot(name, slot) for slot in range(self.layout[name][0][0])])
        for slot in range(first, after):
            frame = self._frame_of(slot)
            if not self._matches(name, frame, slots[slot : slot + 1]):
                raise self.refusal({frame: [name]})
            self._check_values(name, slots[slot : slot + 1], np.array([frame]))
        return slots

    def _slot(self, name: str, slot: int) -> NDArray[Any]:
        """(1, ...): what is in a slot now."""
        return self.raw.rows(name, slot, slot + 1)[slot : slot + 1]

    def _frame_of(self, slot: int) -> int:
        """The frame that has written one of the first two slots last."""
        done = self.frames_done()
        return done - 1 if (done - 1) % 2 == slot else done - 2

    def _wrong(self, name: str, frames: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows of these frames do not match their checksums?"""
        first, after = int(frames[0]), int(frames[-1]) + 1
        table = self.raw.rows(TABLE, first, after)
        rows = self.raw.rows(name, first, after)
        rows = rows[frames] if len(frames) < after - first else rows[first:after]  # the latter copies nothing
        found = row_digests(rows, [int(k) for k in frames])
        return np.asarray((found != table[frames, self.column[name]]) | ~self._table_intact(frames))

    def _table_intact(self, frames: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Do rows of the table of checksums match their own?"""
        new = frames[~self._table_seen[frames]]
        if len(new):
            rows = np.array(self.raw.rows(TABLE, int(new[0]), int(new[-1]) + 1)[new])
            own = row_digests(np.ascontiguousarray(rows[:, :-1]), [int(k) for k in new])
            self._table_seen[new] = own == rows[:, -1]
        return self._table_seen[frames]

    def intact(self, name: str, frame: int, slot: int | None = None) -> bool:
        """Does a row match its checksum: of a frame, or the one that a frame has written to a slot?"""
        if slot is None:
            return not self._wrong(name, np.array([frame]))[0]
        return self._matches(name, frame, np.array(self._slot(name, slot)))

    def _matches(self, name: str, frame: int, rows: NDArray[Any]) -> bool:
        """Does what a frame has written to a slot match its checksum?"""
        if not self.layout[name][0][0] or frame < 0:
            return True
        stored = self.raw.rows(TABLE, frame, frame + 1)[frame, self.column[name]]
        return bool(row_digests(rows, [frame])[0] == stored and self._table_intact(np.array([frame]))[0])

    def has_checkpoint(self, frame: int) -> bool:
        """Is the checkpoint of a frame there?"""
        done = self.frames_done()
        return done - 2 <= frame < done and self.intact("checkpoint/next_step", frame, frame % 2)

    def damage(self, done: int) -> dict[int, list[str]]:
        """Arrays that are damaged, by frame, among the first frames; checkpoints belong to the last of them."""
        found: dict[int, list[str]] = {}
        for name, (shape, _) in self.layout.items():
            if in_slots(name):
                wrong = [] if not done or self.intact(name, done - 1, (done - 1) % 2) else [done - 1]
            else:
                frames = np.arange(min(done, shape[0]))
                wrong = [int(k) for k in frames[self._wrong(name, frames)]] if len(frames) else []
            for frame in wrong:
                found.setdefault(frame, []).append(name)
        return dict(sorted(found.items()))

    def _check_values(self, name: str, rows: NDArray[Any], frames: NDArray[np.int64]) -> None:
        """Refuse numbers that would lead to rows that are not there."""
        if name in CHECKS and len(bad := frames[~CHECKS[name](rows, frames, self)]):
            raise damaged(self.path, f"{name} of {self.format.row} {int(bad[0])} has impossible values", self.format)

    def refusal(self, found: dict[int, list[str]]) -> RunFileError:
        """Damaged frames by name."""
        names = sorted({name for several in found.values() for name in several})
        row = self.format.row
        return RunFileError(f"{self.path}: {listed_frames(sorted(found), row)} of {', '.join(names)} "
                            f"{'is' if len(found) == 1 else 'are'} damaged: the numbers do not match their checksum. "
                            f"Other {row}s and arrays can still be read; `granum check {self.path}` lists all damage. "
                            f"{self.format.again}")


def listed_frames(frames: list[int], row: str = "frame") -> str:
    """Frames in words: `frame 3`, `frames 3, 5 to 9 and 20 more`."""
    ranges: list[list[int]] = []
    for k in frames:
        if ranges and k == ranges[-1][-1] + 1:
            ranges[-1][1:] = [k]
        else:
            ranges.append([k])
    told = [str(one[0]) if len(one) == 1 else f"{one[0]} to {one[1]}" for one in ranges[:8]]
    more = sum(one[-1] - one[0] + 1 for one in ranges[8:])
    text = ", ".join(told) + (f" and {more} more" if more else "")
    return f"{row}{'s' if len(frames) != 1 else ''} {text}"
