"""`granum view`: a run as a page in the browser, on this machine alone."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from granum.view.page.server import Pages

_SCENES = (".toml", ".inp")
_PATIENCE = 0.05
"""Seconds between two looks for the first frame of a run."""
_REPEAT = 10.0
"""Seconds after which a run that goes on is asked again to end; closing its file takes far less."""


def command(
    target: Annotated[Path, typer.Argument(metavar="RUN.h5|SCENE", help="Run file to show, or a scene to run and "
                                                                        "watch.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="SCENE.h5",
                                                help="Run file to write, for a scene.")] = None,
    port: Annotated[int | None, typer.Option(help="Port on 127.0.0.1; 0 for any free port.",
                                             show_default="8642, or any free port")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Show a run in the browser, to play, rotate and click. Ctrl-C ends it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill is an interrupt too
    with _pages(target, output) as pages:
        _serve(pages, port, browser)


@contextlib.contextmanager
def _pages(target: Path, output: Path | None) -> Iterator[Pages]:
    """What is served: a run file, or a run that goes on beside it and ends with it."""
    from granum.base.errors import GranumError
    from granum.run import open_run
    from granum.view.page.server import Pages
    from granum.view.stage import Stage

    if target.suffix not in _SCENES:
        if output is not None:
            raise GranumError("-o sets the run file of a scene, but a run file was given. Remove it.")
        yield Pages(lambda: Stage(open_run(target)))
        return
    file = output or Path(target.stem + ".h5")
    running = _Running(target, file)
    try:
        running.wait_for_first_frame()
        yield Pages(lambda: Stage(open_run(file)), running.problem)
        print(f"The run was written to {file}.")
    finally:
        running.stop()


class _Running:
    """A scene that is run by a process of its own while it is looked at."""

    def __init__(self, scene: Path, file: Path) -> None:
        self._file, self._before = file, _changed(file)
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", "granum.cli", "run", str(scene), "-o", str(file)],
            stdout=subprocess.DEVNULL, stderr=self._said, start_new_session=True)

    def wait_for_first_frame(self) -> None:
        """Return as soon as there is something to see."""
        from granum.base.errors import GranumError, RunFileError
        from granum.run import open_run

        while True:
            if (problem := self.problem()) is not None:
                raise GranumError(problem)
            with contextlib.suppress(RunFileError):  # the file is not there yet
                if _changed(self._file) != self._before and len(open_run(self._file).t):
                    return
            time.sleep(_PATIENCE)

    def problem(self) -> str | None:
        """What the run had to say if it failed."""
        if self._process.poll() in (None, 0):
            return None
        self._said.seek(0)
        return self._said.read().strip().removeprefix("granum: ") or "The run failed without a message."

    def stop(self) -> None:
        """End the run; what is done is kept. SIGTERM, because a run of a background job ignores SIGINT.

        It is repeated: an interrupt that arrives while Python collects garbage is lost.
        """
        while self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_REPEAT)
        self._said.close()


def _changed(file: Path) -> int | None:
    return file.stat().st_mtime_ns if file.exists() else None


def _serve(pages: Pages, port: int | None, browser: bool) -> None:
    """Serve until Ctrl-C."""
    import webbrowser

    from granum.base.errors import GranumError
    from granum.view.page.server import PORT, Server

    try:
        server = Server(pages, PORT if port is None else port)
    except GranumError:
        if port is not None:
            raise
        server = Server(pages, 0)
    # from the moment the address can be read, Ctrl-C ends the page as it should
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f"{server.address}  (Ctrl-C to stop; from another machine: ssh -L {server.server_port}:127.0.0.1:"
              f"{server.server_port} HOST)", flush=True)
        if browser:
            webbrowser.open(server.address)
        server.serve_forever(poll_interval=0.1)
