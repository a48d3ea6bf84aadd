"""The bookkeeping of a run file: what HDF5 says about it, checked against the format before anything is read.

HDF5 says where each array is; type, shape and kind of storage must be those of the format. Links, arrays in other
files, strings and objects under these names are refused.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np

from granum.base.errors import RunFileError
from granum.io.runfile.checksums import TABLE, digest
from granum.io.runfile.layout import LARGEST_METADATA, Layout, Shape, size_of
from granum.io.runfile.metadata import KINDS, RUN, Format

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""How an HDF5 file begins."""
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32, h5py.h5z.FILTER_LZF,
            h5py.h5z.FILTER_SZIP, h5py.h5z.FILTER_SCALEOFFSET, h5py.h5z.FILTER_NBIT}
_MOST_COMPRESSED = 1100
"""Deflate makes 1032 bytes of one at most: an array that claims more than this is not in the file."""


class Place(NamedTuple):
    """Where an array is."""

    shape: Shape
    dtype: str
    offset: int | None
    """In the file; None for an array that HDF5 has to read."""
    block: int = 1
    """Rows that HDF5 reads at once."""


class RunFile(NamedTuple):
    """What is known about a file once its bookkeeping has been checked."""

    path: Path
    metadata: dict[str, Any]
    layout: Layout
    places: dict[str, Place]
    format: Format = RUN


def inspect(path: Path, kind: Format = RUN) -> RunFile:
    """Check the bookkeeping of a run file, or of a file of another kind."""
    refuse_foreign(path, kind)
    try:
        with h5py.File(path, "r", locking=False) as file:
            _refuse_other_format(path, file.attrs.get("format"), kind)
            metadata, layout = kind.decode(_metadata(file, path.stat().st_size))
            frames = layout["time"][0][0]
            listed = layout | {TABLE: ((frames, len(layout) + 1), "u8"), "frames_done": ((2,), "i8"),
                               "durable": ((3,), "i8")}
            places = {name: _dataset(file, name, shape, dtype, path.stat().st_size)
                      for name, (shape, dtype) in listed.items()}
    except RunFileError:
        raise
    except ValueError as error:
        raise damaged(path, str(error), kind) from None
    # h5py raises all of these for files that are damaged
    except (OSError, KeyError, RuntimeError, TypeError, AttributeError, OverflowError, MemoryError):
        raise damaged(path, "its contents cannot be read", kind) from None
    return RunFile(path, metadata, layout, places, kind)


def damaged(path: Path, finding: str, kind: Format = RUN) -> RunFileError:
    """The refusal of a file that is no run file any more."""
    return RunFileError(f"{path} is not a readable {kind.thing} file: {finding:.300}. It is damaged or truncated. "
                        f"{kind.again}")


def _metadata(file: h5py.File, size: int) -> bytes:
    """The metadata, which must match their checksum."""
    if not isinstance(file.get("metadata", getlink=True), h5py.HardLink) or len(file["metadata"].shape) != 1:
        raise ValueError("its metadata are missing")
    length = file["metadata"].shape[0]
    _dataset(file, "metadata", (length,), "u1", size)
    if length > LARGEST_METADATA:
        raise ValueError("its metadata are too large")
    text: bytes = file["metadata"][()].tobytes()
    stored = file["metadata"].attrs.get("checksum")
    if not isinstance(stored, np.uint64) or digest(text) != int(stored):
        raise ValueError("its metadata do not match their checksum")
    return text


def _dataset(file: h5py.File, name: str, shape: Shape, dtype: str, size: int) -> Place:
    """Where an array is; raises ValueError unless it is a plain dataset of this file with this type and shape."""
    group: Any = file
    for part in name.split("/"):
        if not isinstance(group, h5py.Group) or not isinstance(group.get(part, getlink=True), h5py.HardLink):
            raise ValueError(f"{name} is missing or is a link to somewhere else")
        group = group[part]
    if not isinstance(group, h5py.Dataset):
        raise ValueError(f"{name} is not an array")
    kind = group.id.get_type()
    if kind.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT) or kind.dtype != np.dtype(f"<{dtype}"):
        raise ValueError(f"{name} is not of type {dtype}")
    if group.id.get_space().get_simple_extent_type() != h5py.h5s.SIMPLE or group.shape != shape:
        raise ValueError(f"{name} does not have the shape {list(shape)}")
    return _place(name, group, shape, dtype, size)


def _place(name: str, dataset: Any, shape: Shape, dtype: str, size: int) -> Place:
    """How a dataset is stored, which must be in this file, and not claim more than can be in it."""
    stored, needed = dataset.id.get_create_plist(), size_of(shape, dtype)
    layout = stored.get_layout()
    if layout not in (h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED, h5py.h5d.COMPACT) or stored.get_external_count():
        raise ValueError(f"{name} is stored in other files")
    if layout != h5py.h5d.CONTIGUOUS:
        filters = [stored.get_filter(k)[0] for k in range(stored.get_nfilters())]
        if unknown := [code for code in filters if code not in _FILTERS or not h5py.h5z.filter_avail(code)]:
            raise ValueError(f"{name} is compressed with an unknown filter ({unknown[0]}); unpack it with h5repack -f "
                             "NONE")
        if needed > _MOST_COMPRESSED * size:
            raise ValueError(f"{name} claims {needed} bytes, more than the file can hold")
        return Place(shape, dtype, None, dataset.chunks[0] if dataset.chunks else max(shape[0], 1))
    offset = dataset.id.get_offset() if needed else None
    if needed and offset is None:
        raise ValueError(f"{name} was never written")
    if offset is not None and offset + needed > size:
        raise ValueError(f"{name} extends beyond the end of the file, which was truncated")
    if offset is not None and offset % np.dtype(dtype).itemsize:  # compiled code wants aligned numbers
        return Place(shape, dtype, None, max(shape[0], 1))
    return Place(shape, dtype, offset)


def refuse_foreign(path: Path, kind: Format = RUN) -> None:
    """Refuse what is no HDF5 file, and say what to do instead."""
    thing, makes = kind.thing, kind.made
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # to open a pipe waits for whoever writes to it
            raise RunFileError(f"{path} is not a {thing} file: it is a device or a pipe. {makes}")
        with path.open("rb") as file:
            beginning = file.read(len(_SIGNATURE))
    except FileNotFoundError:
        if path.with_name(path.name + ".part").exists():
            raise RunFileError(f"{path}: there is no such file, only {path.name}.part: a {thing} was stopped before "
                               f"its first {kind.row}. {_redo(kind)}.") from None
        raise RunFileError(f"{path}: there is no such file. Create it with `{kind.makes} -o {path}`.") from None
    except IsADirectoryError:
        raise RunFileError(f"{path} is a folder, not a {thing} file. Give the {thing} file in it; {makes}") from None
    except OSError as error:
        raise RunFileError(f"{path} cannot be read: {error.strerror}. Ask its owner for permission to read "
                           "it.") from None
    if not beginning:
        raise RunFileError(f"{path} is not a {thing} file: it is empty. If it is a copy, it was truncated: copy it "
                           f"again. {makes}")
    if _SIGNATURE.startswith(beginning) and beginning != _SIGNATURE:
        raise RunFileError(f"{path} is not a {thing} file: it is truncated. {kind.again}")
    if beginning != _SIGNATURE:
        scene = path.suffix in (".toml", ".inp") and kind is RUN
        raise RunFileError(f"{path} is not a run file but a scene. Run it first: `granum run {path}`." if scene else
                           f"{path} is not a {thing} file: it is not an HDF5 file. {makes}")


def _refuse_other_format(path: Path, version: Any, kind: Format) -> None:
    """Refuse HDF5 files of other programs, of other kinds and of other versions of Granum."""
    if isinstance(version, bytes):
        version = version.decode("ascii", "replace")
    if version == kind.name:
        return
    thing = version.split("-")[1] if isinstance(version, str) and version.startswith("granum-") else ""
    if thing == kind.thing:
        raise RunFileError(f"{path} has the format {version}, but this version of Granum reads {kind.name}. "
                           f"{_redo(kind)}, or open it with the version that wrote it.")
    if thing in KINDS:
        raise RunFileError(f"{path} contains a {thing}, not a {kind.thing}. Give a file that `{KINDS[kind.thing]}` has "
                           "written.")
    raise RunFileError(f"{path} is an HDF5 file, but not a {kind.thing} of any version of Granum. Give a file that "
                       f"`{KINDS[kind.thing]}` has written.")


def holds(path: Path, kind: Format) -> bool:
    """Does a file say that it is of a kind, of whatever version?"""
    try:
        with h5py.File(path, "r", locking=False) as file:
            version = file.attrs.get("format")
            return isinstance(version, bytes) and version.decode("ascii", "replace").startswith(f"granum-{kind.thing}-")
    except (OSError, RuntimeError):
        return False


def _redo(kind: Format) -> str:
    return "Run the scene again" if kind is RUN else f"Do the {kind.thing} again"
