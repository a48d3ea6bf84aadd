"""How far a study has come: one line on a terminal, a line every few seconds in a file or pipe."""

from __future__ import annotations

import os
import shutil
import sys
import time
from types import TracebackType
from typing import NamedTuple, Self

from granum.base.text import count
from granum.run.progress import bar_line

TERMINAL, ELSEWHERE = 0.2, 5.0
"""Seconds between two lines."""


class Standing(NamedTuple):
    """Where a study is."""

    done: int
    """Runs that have ended, failed ones included."""
    failed: int
    planned: int
    rate: float
    """Runs per second since the study was started or resumed; 0 before the first."""

    @property
    def left(self) -> float | None:
        """Seconds until it ends if it goes on like this."""
        return (self.planned - self.done) / self.rate if self.rate > 0.0 else None

    def words(self) -> str:
        """Without the time left."""
        rate = f"{self.rate:.1f} runs/s" if self.rate >= 1.0 or not self.rate else f"{1.0 / self.rate:.1f} s per run"
        return f"{self.done} of {count(self.planned, 'run')}, {self.failed} failed, {rate}"


class Reporter:
    """Tells where a study is, now and then."""

    def __init__(self, wanted: bool) -> None:
        self._wanted, self._last = wanted, -1e9
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._began, self._first = time.monotonic(), -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._wanted and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __call__(self, done: int, failed: int, planned: int) -> None:
        """Tell it, if it is time to."""
        now = time.monotonic()
        if self._first < 0:
            self._first, self._began = done, now
            self._last = -1e9 if self._terminal else now
        if not self._wanted or now - self._last < (TERMINAL if self._terminal else ELSEWHERE):
            return
        self._last = now
        rate = (done - self._first) / (now - self._began) if now > self._began else 0.0
        standing = Standing(done, failed, planned, rate)
        left = "" if standing.left is None else f"{duration(standing.left)} left"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            line = bar_line(standing.words(), done / max(planned, 1), left, width,
                            "utf" in (sys.stderr.encoding or "").lower())
            sys.stderr.write(f"\r\x1b[K{line}")
        else:
            sys.stderr.write(f"granum: {standing.words()}{', ' if left else ''}{left}\n")
        sys.stderr.flush()


def duration(seconds: float) -> str:
    """A time as h:mm:ss, or m:ss."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return (f"{hours}:{minutes:02}" if hours else f"{minutes}") + f":{whole % 60:02}"
