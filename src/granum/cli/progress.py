"""A progress bar with the time left, on a terminal only."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_REFRESH = 0.1
"""Seconds between two looks at the bar; asking more often would slow short steps down."""


class ProgressBar:
    """Callable with the time reached and the end time [s]."""

    def __init__(self, quiet: bool) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
            console=Console(stderr=True, quiet=quiet), transient=True, disable=quiet,
        )
        self._task = self._bar.add_task("simulating", total=None)
        self._shown = 0.0

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._bar.stop()

    def __call__(self, t: float, until: float) -> None:
        """Show the time reached, if the bar is due."""
        now = time.perf_counter()
        if now - self._shown >= _REFRESH:
            self._shown = now
            self._bar.update(self._task, total=until, completed=t, description=f"t = {t:.4g} of {until:g} s")
