"""How far a run has come, for those who watch it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from granum.run.result import Run


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
    """What is told about a run: the callback that is given, or a bar where there is someone to see it."""
    if not isinstance(progress, bool):
        return nullcontext(progress)
    notebook, terminal = in_notebook(), sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if not progress or not (notebook or terminal):
        return nullcontext(None)
    from granum.run.bars import NotebookBar, TerminalBar

    return NotebookBar() if notebook else TerminalBar()


def in_notebook() -> bool:
    """Does a kernel of a notebook run this? If so, IPython is loaded already."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
