"""One writer at a time: a lock file beside the run file, which names the process that writes.

The operating system holds the lock (flock or LockFileEx, through filelock) for as long as the process lives, so the
lock of a dead process is taken over at once. Unlike a POSIX lock on the run file itself, it does not vanish when the
same process opens and closes the run file elsewhere, and HDF5, which locks the files that it reads, does not meet it.

A user may delete the lock file. Where the system has locks of open files on ranges of bytes (Linux), the writer holds
one on a byte of the run file beyond all content too, so that nobody else gets in then either.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import struct
from pathlib import Path

from filelock import BaseFileLock, FileLock, SoftFileLock, Timeout

from granum.base.errors import RunFileError
from granum.io.runfile.faults import reached

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class RunLock:
    """The right to write one run file."""

    def __init__(self, path: Path) -> None:
        """Claim it, or raise RunFileError with the process that has it."""
        reached("lock")
        self._file = path.with_name(path.name + ".lock")
        self._lock: BaseFileLock = FileLock(self._file, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            if not self._file.exists():  # to filelock, a folder that makes no files looks like somebody else's lock
                raise _not_made(path, self._file, "no file can be created there") from None
            raise RunFileError(f"{path} is being written by another process ({_owner(self._file)}). Wait for it or "
                               "stop it, or give another file with -o.") from None
        except OSError as error:
            raise _not_made(path, self._file, error.strerror or str(error)) from None
        if is_guarded(path):
            self.release()
            raise RunFileError(f"{path} is being written by another process, although its lock file "
                               f"{self._file.name} was deleted. Wait for it or stop it, or give another file with -o.")
        if not self._soft():
            self._sign()

    def _soft(self) -> bool:
        """Has the file system no locks? Then filelock writes the file, and needs what is in it."""
        return isinstance(self._lock, SoftFileLock)

    def _sign(self) -> None:
        """Say who holds the lock."""
        signature = json.dumps({"pid": os.getpid(), "host": platform.node()}).encode()
        # the name is a courtesy: on a full disk the lock holds without it
        with contextlib.suppress(OSError), self._file.open("r+b", buffering=0) as opened:
            opened.seek(1)  # Windows lets nobody read or write the first byte, which is the locked one
            opened.write(signature)
            opened.truncate()

    def release(self) -> None:
        """Let others write; the lock file goes while the lock is held, and whoever had opened it looks again."""
        if self._lock.is_locked:
            if not self._soft():
                with contextlib.suppress(OSError):
                    self._file.unlink()
            self._lock.release()


def guard(handle: int) -> bool:
    """Claim an open run file, as long as it is open; False if another open file has it.

    File systems and systems without such locks let everybody in.
    """
    if (command := getattr(fcntl, "F_OFD_SETLK", None)) is None:
        return True
    try:
        fcntl.fcntl(handle, command, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _GUARDED_BYTE, 1, 0))
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def is_guarded(path: Path) -> bool:
    """Has another open file a claim to a run file?"""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError:  # there is none, or none that can be written: others say so
        return False
    try:
        return not guard(handle)
    finally:
        os.close(handle)


_GUARDED_BYTE = 1 << 62
"""Beyond the end of any file."""


def _not_made(path: Path, file: Path, reason: str) -> RunFileError:
    return RunFileError(f"{path} cannot be written: its lock {file.name} cannot be created ({reason}). Give another "
                        "file with -o, in a folder that you can write to.")


def _owner(file: Path) -> str:
    """Who holds a lock."""
    try:
        with file.open("rb", buffering=0) as opened:
            opened.seek(1)
            known = json.loads(opened.read(4096))
        return f"process {int(known['pid'])} on {known['host']!s:.80}"
    except (OSError, ValueError, KeyError, TypeError):
        return "unknown owner"
