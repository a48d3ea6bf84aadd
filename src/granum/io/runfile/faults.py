"""Named points at which a run file is written, for tests that stop a process or let a write fail there.

A hook that is set with `injected` is called with the name of each point as it is reached. It may end the process, raise
an OSError as a full disk does, or tamper with the file. Without a hook a point costs one comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

STORE_POINTS = {
    "lock": "before the lock of a run file is claimed",
    "layout": "the new file has its datasets and no content",
    "metadata": "the new file has its metadata",
    "rename": "the new file is complete and about to take its name",
    "created": "the new file has its name",
    "row": "before each write of a row of an array",
    "frame": "all rows of a frame are written, its checksums are not",
    "checksums": "the checksums of a frame are written, the frame is not counted",
    "barrier": "the frame is on the disk, not counted",
    "counted": "the frame is counted",
    "durable": "the frame is recorded as being on the disk",
    "close": "before the file is closed",
}
"""What is true at each point."""

Hook = Callable[[str], None]
_hook: Hook | None = None


def reached(point: str) -> None:
    """Tell the hook, if there is one, that a point is reached."""
    if _hook is not None:
        _hook(point)


@contextmanager
def injected(hook: Hook) -> Iterator[None]:
    """Call a hook at every point while the context lasts."""
    global _hook
    before, _hook = _hook, hook
    try:
        yield
    finally:
        _hook = before
