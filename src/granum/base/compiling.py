"""Progress messages while kernels are compiled.

The compiler calls `began` for each kernel. Nothing is shown for the first second. After that a line on the terminal is
renewed, or a line is added every few seconds where standard error goes to a file or pipe. How many kernels there will
be is not known before; `expect` takes it from what other scenes of the same engine compiled (`kernel_counts.json`,
written by `python -m benchmarks compile --write`).
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from granum.base.text import count

PATIENCE = 1.0
"""Seconds of compiling before anything is shown."""
TERMINAL, ELSEWHERE = 0.2, 5.0
"""Seconds between two lines on a terminal, and in a file or pipe."""


class Waiting:
    """What this process has compiled until now."""

    def __init__(self) -> None:
        self.count = 0
        """Kernels, and machine code made of them."""
        self.seconds = 0.0
        """Wall time of compiling that is done."""
        self.expected = 0
        """How many there will be; 0 where that is not known."""
        self.silent = False
        self._since: float | None = None
        self._shown = -math.inf

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time that compiling takes; compiling may begin again within."""
        if self._since is not None:
            yield
            return
        self._since = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - self._since
            self._since = None
            if self._shown > -math.inf and sys.stderr.isatty():
                self._write("\r\x1b[K")

    def began(self, kernel: str) -> None:
        """Report that a kernel is being compiled, if it is time to."""
        self.count += 1
        now = time.perf_counter()
        spent = self.seconds + (0.0 if self._since is None else now - self._since)
        terminal = sys.stderr.isatty()
        if self.silent or spent < PATIENCE or now - self._shown < (TERMINAL if terminal else ELSEWHERE):
            return
        self._shown = now
        line = f"Compiling (first time only): {self._progress(spent)}, {kernel}"
        self._write(f"\r\x1b[K{line[:100]}" if terminal else f"granum: {line}\n")

    def _progress(self, spent: float) -> str:
        if self.count > self.expected:
            return count(self.count, "kernel")
        left = max(1, round(spent * (self.expected - self.count) / self.count))
        return f"{self.count} of about {self.expected} kernels, about {left} s left"

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


waiting = Waiting()


def expect(kind: str) -> None:
    """Set the kind of scene being compiled for, such as "grains moreau"."""
    counts: dict[str, int] = json.loads(files("granum.base").joinpath("kernel_counts.json").read_text("utf-8"))
    waiting.expected = max(waiting.expected, counts.get(kind, 0))


@contextmanager
def silence(wanted: bool = True) -> Iterator[None]:
    """Show nothing meanwhile."""
    before, waiting.silent = waiting.silent, waiting.silent or wanted
    try:
        yield
    finally:
        waiting.silent = before
