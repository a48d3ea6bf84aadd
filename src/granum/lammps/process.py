"""LAMMPS as a process that takes commands on its standard input and reports the steps it has reached."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from granum.base.errors import NotConvergedError
from granum.lammps.installation import command, environment

PATIENCE = 0.2
"""Seconds between two looks at a process that says nothing."""
SOON = 0.001
"""The same, where something is about to happen."""
GRACE = 5.0
"""Seconds a process gets to end by itself."""
_STEP = re.compile(r"^\s*(\d+)\s+\d+\s*$")
_REACHED = "granum reached"
_KEPT = 200
"""Lines of output that are kept for messages."""


class Process:
    """A running LAMMPS; leaving the `with` block ends it."""

    def __init__(self, ranks: int, folder: Path) -> None:
        self.step = -1
        """The last step that it has reported."""
        self._marks, self._ended = 0, False
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._told: list[str] = []
        # a session of its own: Ctrl-C is meant for Granum, which then ends LAMMPS with all its ranks
        self._child = subprocess.Popen(
            command(ranks), cwd=folder, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=os.name == "posix")
        assert self._child.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line.rstrip())
        self._lines.put(None)

    def send(self, lines: Sequence[str]) -> None:
        """Give commands."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write("\n".join([*lines, ""]))
            self._child.stdin.flush()
        except (BrokenPipeError, ConnectionResetError):  # what it has said tells why
            self._await(lambda: False, lambda: None)

    def mark(self, look: Callable[[], None]) -> None:
        """Wait until all commands given so far are done."""
        mark = self._marks + 1
        self.send([f'print "{_REACHED} {mark}"'])
        self._await(lambda: self._marks >= mark, look)

    def wait(self, step: int, file: Path, look: Callable[[], None]) -> None:
        """Wait until a step is reached and a file is there; calls `look` at least once, and then now and then."""
        look()  # where LAMMPS is ahead, there is nothing to wait for, but its frames can be watched and interrupted
        self._await(lambda: self.step >= step, look)
        self._await(file.exists, look, SOON)  # LAMMPS reports a step shortly before it writes

    def _await(self, reached: Callable[[], bool], look: Callable[[], None], patience: float = PATIENCE) -> None:
        while not reached():
            if self._ended:
                raise NotConvergedError(self._failure())
            look()
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=patience)
                if line is None:
                    self._ended = True
                else:
                    self._note(line)

    def _note(self, line: str) -> None:
        if (match := _STEP.match(line)) is not None:
            self.step = max(self.step, int(match[1]))
        elif line.startswith(_REACHED):
            self._marks = int(line.rsplit(None, 1)[1])
        elif line:
            self._told = [*self._told[1 - _KEPT:], line]

    def _failure(self) -> str:
        """Why the process has ended, with its own words."""
        code = self._child.wait()
        own = [line for line in self._told if line.startswith(("ERROR", "Last input line"))]
        said = "\n  ".join(own or self._told[-5:]) or "It printed no message."
        at = f"after step {self.step}" if self.step >= 0 else "before its first step"
        return f"LAMMPS ended {at} with exit code {code}:\n  {said}\n"

    def close(self) -> None:
        """End the process: by the end of its input where it waits for commands, else by signals."""
        with contextlib.suppress(OSError):
            assert self._child.stdin is not None
            self._child.stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL if os.name == "posix" else signal.SIGTERM):
            if number is not None:
                self._signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(GRACE if number is not None else PATIENCE)
                break
        self._reader.join(GRACE)

    def _signal(self, number: int) -> None:
        """To the launcher and all its ranks."""
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._child.pid, number)
            else:
                self._child.send_signal(number)
