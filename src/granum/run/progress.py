"""How far a run has come, for those who watch it: bars on a terminal and in a notebook."""

from __future__ import annotations

import html
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, NamedTuple, Self

from granum.run.result import Run

REFRESH = 0.2
"""Seconds between two looks at a run: a bar costs a run less than one part in two hundred of its time."""
LONGEST = 40
"""Columns of a bar, at most."""


class Moment(NamedTuple):
    """Where a run is."""

    t: float
    """Time reached [s]."""
    until: float
    """Time at which it ends [s]."""
    run: Run
    """The run as far as it is recorded; its last frame is at or before t."""


Progress = Callable[[Moment], None]
"""Called now and then while a run goes on; may raise KeyboardInterrupt, which ends it as Ctrl-C does."""


def watching(progress: Progress | bool) -> AbstractContextManager[Progress | None]:
    """The progress display of a run: the given callback, or a bar if someone can see it."""
    if not isinstance(progress, bool):
        return nullcontext(progress)
    notebook, terminal = in_notebook(), sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if not progress or not (notebook or terminal):
        return nullcontext(None)
    return NotebookBar() if notebook else TerminalBar()


def in_notebook() -> bool:
    """Does a kernel of a notebook run this? If so, IPython is loaded already."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class Bar(ABC):
    """Looks at a run a few times per second."""

    _last = 0.0
    _first: tuple[float, float] | None = None
    """Time of the run and of the clock when it was first looked at [s]."""

    def __call__(self, moment: Moment) -> None:
        """Show where a run is, if it is time to."""
        now = time.perf_counter()
        if self._first is None:
            self._first = moment.t, now
        if now - self._last >= REFRESH:
            self._last = now
            self.show(moment, self.left(moment, now))

    def left(self, moment: Moment, now: float) -> str:
        """Time that the rest will take if it goes on as it has until now; nothing before it has begun."""
        t, clock = self._first or (moment.t, now)
        if moment.t <= t:
            return ""
        seconds = round((now - clock) * (moment.until - moment.t) / (moment.t - t))
        hours, minutes = seconds // 3600, seconds // 60 % 60
        return (f"{hours}:{minutes:02}" if hours else f"{minutes}") + f":{seconds % 60:02} left"

    @abstractmethod
    def show(self, moment: Moment, left: str) -> None:
        """Show where a run is."""


class TerminalBar(Bar):
    """A bar with the time left on one line and values of the run below it; both vanish at the end.

    Rich would draw the same, but takes several milliseconds each time: some percent of a run.
    """

    def __enter__(self) -> Self:
        self._write(["preparing"])
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._write([])

    def show(self, moment: Moment, left: str) -> None:
        """Bar, time and figures, as wide as the terminal is."""
        # the last column stays free: some terminals begin a new line there
        width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
        done = min(moment.t / moment.until, 1.0)
        self._write([bar_line(_time(moment), done, left, width, "utf" in (sys.stderr.encoding or "").lower(),
                              "NO_COLOR" not in os.environ), fitting(moment.run.vital_signs, width)])

    def _write(self, lines: Sequence[str]) -> None:
        """Replace what is there, and go back to its beginning."""
        below = "\n".join(lines)
        sys.stderr.write(f"\r\x1b[J{below}" + (f"\x1b[{len(lines) - 1}A" if len(lines) > 1 else "") + "\r")
        sys.stderr.flush()


class NotebookBar(Bar):
    """The same below the cell of a notebook; IPython is what runs it."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __enter__(self) -> Self:
        from IPython.display import display

        self._handle = display({"text/plain": "preparing"}, raw=True, display_id=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._handle.update({"text/plain": ""}, raw=True)

    def show(self, moment: Moment, left: str) -> None:
        """Bar, time and figures."""
        words = ", ".join([_time(moment), *filter(None, [left]), *moment.run.vital_signs])
        bar = f"<progress value='{moment.t / moment.until:.4f}' max='1'></progress>"
        self._handle.update({"text/plain": words, "text/html": f"{bar} {html.escape(words)}"}, raw=True)


def bar_line(words: str, done: float, left: str, width: int, fine: bool = True, colours: bool = False) -> str:
    """Words, a bar, percent and the time left in so many columns; without the bar where there is no room for it."""
    after = f"{done:4.0%} {left}"
    room = min(width - len(words) - len(after) - 2, LONGEST)
    if room < 1:
        return f"{words} {after}"[:width]
    full = round(done * room)
    before, rest = ("━" if fine else "=") * full, ("╌" if fine else ".") * (room - full)
    return f"{words} " + (f"\x1b[36m{before}\x1b[0m{rest}" if colours else before + rest) + f" {after}"


def fitting(figures: Sequence[str], width: int) -> str:
    """The first figures that fit into so many columns, with two blanks between them."""
    line = ""
    for figure in figures:
        longer = f"{line}  {figure}" if line else figure
        if len(longer) > width:
            break
        line = longer
    return line


def _time(moment: Moment) -> str:
    return f"t = {moment.t:.4g} of {moment.until:g} s"
