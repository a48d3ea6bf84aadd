"""The command line, run within the process of the tests: a process of its own takes a second to begin."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from granum.cli.main import main


class Told(NamedTuple):
    """What a command said."""

    returncode: int
    stdout: str
    stderr: str


def granum(*arguments: object, folder: Path | None = None) -> Told:
    """Run `granum ARGUMENTS` in a folder."""
    out, errors = io.StringIO(), io.StringIO()
    with _in(folder), _called(["granum", *map(str, arguments)]), contextlib.redirect_stdout(out), \
            contextlib.redirect_stderr(errors), pytest.raises(SystemExit) as ended:
        main()
    return Told(ended.value.code or 0, out.getvalue(), errors.getvalue())


@contextlib.contextmanager
def _called(arguments: list[str]) -> Iterator[None]:
    """Let `sys.argv` be this meanwhile."""
    before, sys.argv = sys.argv, arguments
    try:
        yield
    finally:
        sys.argv = before


@contextlib.contextmanager
def _in(folder: Path | None) -> Iterator[None]:
    """Work in a folder meanwhile."""
    before = Path.cwd()
    os.chdir(folder or before)
    try:
        yield
    finally:
        os.chdir(before)
