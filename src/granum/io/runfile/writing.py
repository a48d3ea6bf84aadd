"""Writing run files so that they open and resume whatever happens to the process, the disk or the machine.

HDF5 itself is not safe against a process that dies: its bookkeeping is written late. So the bookkeeping is written
once, at creation, with all frames laid out; the file is then closed and given its name. Frames are written in place, by
calls that return an error where a disk is full, in this order: rows of the frame and of its checkpoint, their
checksums, the counter of frames. The event that ends a run is a row of its last frame. At no instant is there a file
that HDF5 cannot open, or a frame counted that is not complete.

That order holds for a process that dies, because the operating system keeps what was written. A disk may write in any
order. So every `BARRIER` seconds, and at the end, the rows are flushed to disk before the frame is counted as durable,
with a checkpoint that is not written again before the next barrier. After a power cut a run is resumed from there.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import shutil
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from granum.base.errors import RunFileError, RunFileWarning
from granum.io.runfile.bookkeeping import RunFile, inspect
from granum.io.runfile.checksums import TABLE, bytes_of, counter, digest
from granum.io.runfile.faults import reached
from granum.io.runfile.layout import Layout, Shape, in_slots, is_log, size_of
from granum.io.runfile.lock import RunLock, guard
from granum.io.runfile.metadata import RUN, Format, encoded
from granum.io.runfile.reading import Copies, open_for_reading
from granum.io.runfile.recording import Recording
from granum.io.runfile.verified import Verified

BARRIER = 5.0
"""Seconds of wall time after which the next frame is flushed to disk: a power cut loses at most so much work, and the
frame that was being computed."""


class RunFileWriter(Recording):
    """A run file to which frames are added; it holds the lock of the file until it is closed."""

    def __init__(self, file: RunFile, lock: RunLock, path: Path) -> None:
        self._lock: RunLock | None = lock
        self._places = file.places
        self._handle = _opened(file.path)
        self._file, self._kind = file, file.format
        self._begin_reading()
        super().__init__(self.verified, file.metadata, path)
        self._buffers = {name: np.zeros((1, *shape[1:]), dtype) for name, (shape, dtype) in file.layout.items()}
        self._size, self._flushed, self._slot = os.fstat(self._handle).st_size, time.monotonic(), 3
        durable = self.verified.durable()
        self._durable = 0
        if durable is not None:
            self._durable, self._slot = durable

    def _begin_reading(self) -> None:
        """Forget what was read of the file."""
        self._copies = Copies(self._places, self._read)
        self.storage = self.verified = Verified(self, self._file)

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """An array with at least these rows, as they are in the file: not mapped, because the file may be cut short."""
        return self._copies.rows(name, first, after, changing=in_slots(name) or name in ("frames_done", "durable"))

    def _read(self, name: str, first: int, after: int) -> NDArray[Any]:
        place = self._places[name]
        shape = (after - first, *place.shape[1:])
        size = size_of(shape, place.dtype)
        if not size:
            return np.zeros(shape, place.dtype)
        assert place.offset is not None
        data = _read_at(self._handle, size, place.offset + first * size_of(place.shape[1:], place.dtype))
        if len(data) < size:
            raise RunFileError(f"{self.path} was truncated while it was being written. {self._kind.again}")
        return np.frombuffer(data, f"<{place.dtype}").reshape(shape)

    def store(self, frame: int, content: Mapping[str, Any]) -> None:
        """Write a frame with what a resumed run needs, and count it."""
        self.refuse_changed_file()
        with self._telling(f"{self._kind.row} {frame} cannot be written"):
            self._write_frame(frame, content)
            last = frame + 1 == self.frame_count or np.any(content.get("event", 0))
            if last or time.monotonic() - self._flushed >= BARRIER:
                self._count_durably(frame)
            else:
                self.count(frame + 1)

    def _write_frame(self, frame: int, content: Mapping[str, Any]) -> None:
        """Write the rows of a frame and then their checksums; a checkpoint that is not given has none."""
        sums = np.zeros((1, len(self.layout) + 1), np.uint64)
        for k, (name, (shape, _)) in enumerate(self.layout.items()):
            kept = in_slots(name)
            if shape[0] and (name in content or not kept):  # a network of contacts that is too large has no frames
                self._buffers[name][0] = content.get(name, 0)
                sums[0, k] = self._put(name, frame % 2 if kept else frame, frame)
        reached("frame")
        sums[0, -1] = digest(bytes_of(sums[:, :-1]), frame)
        self._write(TABLE, frame, bytes_of(sums))
        reached("checksums")

    def _put(self, name: str, row: int, frame: int) -> int:
        """Write the buffer of an array as one of its rows; its checksum."""
        data = bytes_of(self._buffers[name])
        if not data.size:
            return 0
        self._write(name, row, data)
        return digest(data, frame)

    def _write(self, name: str, row: int, data: NDArray[np.uint8]) -> None:
        place = self._places[name]
        assert place.offset is not None
        reached("row")
        write_at(self._handle, data.data.cast("B"), place.offset + row * data.size)

    def count(self, frames: int) -> None:
        """Count frames as complete."""
        self._write("frames_done", 0, bytes_of(counter(frames)[None]))
        reached("counted")

    def _count_durably(self, frame: int) -> None:
        """Flush a frame to disk with a checkpoint that stays until the next one is there, then count it."""
        slot = 5 - self._slot
        for name in filter(in_slots, self.layout):
            self._put(name, slot, frame)
        flush(self._handle)
        reached("barrier")
        self.count(frame + 1)
        self._mark_durable(frame + 1, slot)

    def _mark_durable(self, frames: int, slot: int) -> None:
        self._write("durable", 0, bytes_of(counter(frames, slot)[None]))
        flush(self._handle)
        self._durable, self._slot, self._flushed = frames, slot, time.monotonic()
        reached("durable")

    def recover(self) -> None:
        """Verify all frames, and go back to the last barrier if later ones are not whole.

        Raises RunFileError for damage that no power cut leaves.
        """
        counted, (durable, slot) = self.verified.counter(), self.verified.durable() or (0, 3)
        damage = self.verified.damage(durable if counted is None else counted)
        if counted is not None and not damage:
            return
        lasting = {frame: names for frame, names in damage.items()
                   if frame < durable and not all(in_slots(name) for name in names)}
        kept = all(self.verified.intact(name, durable - 1, slot) for name in self.layout if in_slots(name))
        if lasting or not kept:
            raise self.verified.refusal(lasting or damage)
        if counted != durable:
            thing, row = self._kind.thing, self._kind.row
            warnings.warn(f"{self.path}: the last {row}s had not reached the disk when the machine stopped. The "
                          f"{thing} continues from {f'{row} {durable - 1}' if durable else 'the start'}.",
                          RunFileWarning, stacklevel=4)
        with self._telling("its last frames cannot be removed"):
            for name in filter(in_slots, self.layout) if durable else ():
                self._buffers[name][0] = self._read(name, slot, slot + 1)[0]
                self._put(name, (durable - 1) % 2, durable - 1)
            flush(self._handle)
            self.count(durable)
        self._begin_reading()

    def take(self, earlier: Recording, frames: Sequence[int]) -> None:
        """Take over frames of another recording, whose rows may be shorter: a longer run has more room for grains."""
        for frame, row in enumerate(frames):
            there, content = earlier.at(row), {}
            for name, (shape, _) in self.layout.items():
                if not in_slots(name):
                    if earlier.layout[name][0][0]:
                        content[name] = _padded(earlier.frame(name, row), shape[1:])
                elif earlier.has_checkpoint(row):
                    content[name] = _padded(there[name] if is_log(name) else there[name][row % 2], shape[1:])
            with self._telling(f"{self._kind.row} {row} cannot be copied"):
                self._write_frame(frame, content)
        if frames:
            with self._telling("it cannot be flushed to disk"):
                self._count_durably(len(frames) - 1)

    def publish(self, path: Path) -> None:
        """Give the file its name, at once; closed meanwhile, because Windows does not rename what is open."""
        flush(self._handle)
        os.close(self._handle)
        self._handle, part = -1, self.path
        assert part is not None
        reached("rename")
        try:
            part.replace(path)
        except PermissionError:  # runs that nobody uses any more may map the file still, and Windows keeps it then
            gc.collect()
            part.replace(path)
        _flush_folder(path.parent)
        self._handle = _opened(path)
        self.path = self.verified.path = path
        reached("created")

    def refuse_changed_file(self) -> None:
        """Refuse to write to a file that has lost its name or its end."""
        assert self.path is not None
        try:
            there, own = self.path.stat(), os.fstat(self._handle)
        except OSError as error:
            raise RunFileError(f"{self.path} was deleted or moved while it was being written ({error.strerror}): its "
                               f"{self._kind.row}s are lost unless it was moved."
                               ) from None
        if not os.path.samestat(there, own):
            raise RunFileError(f"{self.path} was replaced by another file while it was being written. That file is "
                               f"kept; the {self._kind.row}s of this {self._kind.thing} are lost. Give another file "
                               "with -o.")
        if own.st_size < self._size:
            raise RunFileError(f"{self.path} was truncated while it was being written, from {self._size} to "
                               f"{own.st_size} bytes. Start again with --overwrite.")

    def close(self, failed: bool = False) -> None:
        """Flush all frames to disk and let others write."""
        try:
            if self._handle >= 0 and self._lock is not None:
                with contextlib.suppress(RunFileError) if failed else contextlib.nullcontext():
                    self._finish()
        finally:
            if self._handle >= 0:
                os.close(self._handle)
            if self._lock is not None:
                self._lock.release()
            self._handle, self._lock = -1, None

    def _finish(self) -> None:
        """Make the last frame durable, if it is not."""
        self.refuse_changed_file()
        with self._telling("it cannot be flushed to disk"):
            reached("close")
            if (done := self.frames_done) != self._durable:
                self._keep(done)

    def _keep(self, done: int) -> None:
        """Make the last frame durable, from its own checkpoint."""
        slot = 5 - self._slot
        for name in filter(in_slots, self.layout) if done else ():
            self._buffers[name][0] = self._read(name, (done - 1) % 2, (done - 1) % 2 + 1)[0]
            self._put(name, slot, done - 1)
        flush(self._handle)
        self._mark_durable(done, slot)

    def hand_over(self) -> RunLock:
        """The lock of the file, for whoever replaces it; from now on this writer can only be read and closed."""
        lock, self._lock = self._lock, None
        assert lock is not None
        return lock

    def result(self) -> Recording:
        """The file as a reader finds it."""
        assert self.path is not None
        return open_for_reading(self.path, self._kind)

    @contextlib.contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """Errors of the operating system in words."""
        try:
            yield
        except OSError as error:
            raise RunFileError(f"{self.path}: {what}: {error.strerror or error}.{self._missing(error)} "
                               f"{self._kept()}") from None

    def _kept(self) -> str:
        with contextlib.suppress(RunFileError, OSError):
            return (f"{self.frames_done} of {self.frame_count} {self._kind.row}s are kept. When it can be written "
                    "again, continue with --resume.")
        return f"Its {self._kind.row}s cannot be read back."

    def _missing(self, error: OSError) -> str:
        """How much room is missing, where that is the trouble."""
        assert self.path is not None
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return ""
        with contextlib.suppress(OSError):
            taken = getattr(os.fstat(self._handle), "st_blocks", 0) * 512
            free = shutil.disk_usage(self.path.parent).free if error.errno == errno.ENOSPC else 0
            return f" About {max(self._size - taken - free, 0) / 1e6:.3g} MB are missing for all {self._kind.row}s."
        return ""


def _opened(path: Path) -> int:
    """A handle of a file to write, which no other writer may have."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    guard(handle)
    return handle


def _padded(row: NDArray[Any], shape: Shape) -> NDArray[Any]:
    """A row in the room of a larger one."""
    larger = np.zeros(shape, row.dtype)
    part = tuple(slice(min(own, room)) for own, room in zip(row.shape, shape, strict=True))
    larger[part] = row[part]
    return larger


def create_run_file(path: Path, layout: Layout, metadata: dict[str, Any], lock: RunLock | None = None,
                    earlier: Recording | None = None, frames: Sequence[int] = (), kind: Format = RUN
                    ) -> RunFileWriter:
    """Create a run file, or a file of another kind; it replaces a file of that name at once or not at all.

    earlier: a recording of which some frames are taken over, in this order, and which is then closed; all other frames
        are still empty.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(path, error) from None
    lock, writer = lock or RunLock(path), None
    try:
        _lay_out(part, layout, metadata, kind)
        _warn_of_little_room(path, part.stat().st_size, kind)
        writer = RunFileWriter(inspect(part, kind), lock, part)
        if earlier is not None:
            writer.take(earlier, frames)
            earlier.close()  # Windows does not replace what is open
        writer.publish(path)
        return writer
    except BaseException as error:
        if writer is not None:
            writer.close(failed=True)
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        lock.release()
        if isinstance(error, OSError | RuntimeError):  # HDF5 raises either for a disk that is full
            raise _refusal(path, error) from None
        raise


def _warn_of_little_room(path: Path, size: int, kind: Format) -> None:
    """Say so if the disk has no room for all frames; room is not reserved, because a run may end early."""
    with contextlib.suppress(OSError):
        free = shutil.disk_usage(path.parent).free
        if free < size:
            row = kind.row
            warnings.warn(f"{path} takes {size / 1e6:.3g} MB if all {row}s are recorded, but {free / 1e6:.3g} MB are "
                          f"free: {(size - free) / 1e6:.3g} MB are missing. The {kind.thing} keeps as many {row}s as "
                          "fit.", RunFileWarning, stacklevel=5)


def resume_run_file(path: Path, kind: Format = RUN) -> RunFileWriter:
    """Open a run file, or a file of another kind, to go on with it.

    All of it is verified, and frames that a power cut has torn are dropped.
    """
    lock = RunLock(path)
    try:
        file = inspect(path, kind)
        if packed := [name for name, place in file.places.items() if place.offset is None and size_of(*place[:2])]:
            raise RunFileError(f"{path} is a compressed copy of a {kind.thing} ({packed[0]} is not in one piece), "
                               "which can be read but not continued. Unpack it first: h5repack -f NONE -l CONTI.")
        writer = RunFileWriter(file, lock, path)
        try:
            writer.recover()
        except BaseException:
            writer.close(failed=True)
            raise
        return writer
    except BaseException as error:
        lock.release()
        if isinstance(error, OSError):
            raise _refusal(path, error) from None
        raise


def _refusal(path: Path, error: OSError | RuntimeError) -> RunFileError:
    code = getattr(error, "errno", None)
    reason = os.strerror(code) if code else str(error)
    remedy = "Give another file with -o, in a folder that you can write to."
    if sys.platform == "win32" and code == errno.EACCES and path.exists():
        remedy = f"Close the program that has it open, such as `granum view` or a run in Python (`del run`). {remedy}"
    return RunFileError(f"{path} cannot be written: {reason}. {remedy}")


def _lay_out(part: Path, layout: Layout, metadata: dict[str, Any], kind: Format) -> None:
    """A file with all datasets, of which only the metadata and the counters have content."""
    frames, text = layout["time"][0][0], encoded({**metadata, "layout": layout})
    own: Layout = {"metadata": ((len(text),), "u1"), TABLE: ((frames, len(layout) + 1), "u8"),
                   "frames_done": ((2,), "i8"), "durable": ((3,), "i8")}
    # this version of the format of HDF5 has checksums in all of its bookkeeping; counters must not cross a sector
    with h5py.File(part, "w", libver=("v108", "v108"), alignment_threshold=1, alignment_interval=64) as file:
        for name, (shape, dtype) in (own | layout).items():
            _allocate(file, name, shape, dtype)
        file.attrs["format"] = np.bytes_(kind.name)
        file["metadata"].attrs["checksum"] = np.uint64(digest(text))
        places = {name: file[name].id.get_offset() for name in own}
    reached("layout")
    handle = os.open(part, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        for name, data in (("metadata", text), ("frames_done", counter(0)), ("durable", counter(0, 3))):
            write_at(handle, data.data.cast("B"), places[name])
        flush(handle)
    finally:
        os.close(handle)
    reached("metadata")


def _allocate(file: h5py.File, name: str, shape: Shape, dtype: str) -> None:
    """A contiguous dataset whose place in the file is decided now and never changes."""
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.CONTIGUOUS)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    properties.set_obj_track_times(False)
    kind = h5py.h5t.py_create(np.dtype(f"<{dtype}"), logical=True)
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple(shape), dcpl=properties, lcpl=links)


def write_at(handle: int, data: memoryview, offset: int) -> None:
    """Write all of some bytes to a position of a file."""
    while data:
        if hasattr(os, "pwrite"):
            written = os.pwrite(handle, data, offset)
        else:
            os.lseek(handle, offset, os.SEEK_SET)
            written = os.write(handle, data)
        if not written:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        data, offset = data[written:], offset + written


def _read_at(handle: int, size: int, offset: int) -> bytes:
    """Bytes of a file; fewer where it ends."""
    parts = []
    while size:
        if hasattr(os, "pread"):
            part = os.pread(handle, min(size, 1 << 30), offset)
        else:
            os.lseek(handle, offset, os.SEEK_SET)
            part = os.read(handle, min(size, 1 << 30))
        if not part:
            break
        parts.append(part)
        size, offset = size - len(part), offset + len(part)
    return b"".join(parts)


def _flush_folder(folder: Path) -> None:
    """Wait until the name of a file is on the disk, where folders can be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def flush(handle: int) -> None:
    """Wait until what was written is on the disk."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):  # file systems of a network have no such call
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)
