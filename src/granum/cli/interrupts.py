"""Ctrl-C and SIGTERM: both end a command in order, each with the exit code that shells expect."""

from __future__ import annotations

import signal
from types import FrameType

_received: list[int] = []


def _interrupt(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt


def obey_sigterm() -> None:
    """Let SIGTERM interrupt as Ctrl-C does.

    SIGINT stays ignored where the parent ignores it, as a shell does for jobs in the background: Ctrl-C in the
    terminal is not meant for them, and SIGTERM ends them.
    """
    signal.signal(signal.SIGTERM, _interrupt)


def exit_code() -> int:
    """Of an interrupted command: 128 and the number of the signal."""
    return 128 + (_received[0] if _received else signal.SIGINT)
