"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from granum.base.errors import GranumError

Progress = Callable[[int, int], None]
"""Called with the number of frames or pictures that are done and that of all."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path for a file or folder that takes the name `path` once it is complete, and is gone if it never is."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.touch()  # says at once if it may not be written
            part.unlink()
            yield part
            _take_place(part, path)
        finally:
            _remove(part)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise GranumError(f"{path} cannot be written: {reason}. Give another output with -o, in a folder that you can "
                          "write to.") from None


def _take_place(part: Path, path: Path) -> None:
    """Give `part` the name `path`; a folder cannot replace one that is not empty, so that one steps aside first."""
    if not (part.is_dir() and path.is_dir()):
        part.replace(path)
        return
    old = part.with_name(f"{part.name}.old")
    path.replace(old)
    part.replace(path)
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
