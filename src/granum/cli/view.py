"""`granum view`: a run as a page in the browser, on this machine alone."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
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


def command(
    target: Annotated[Path, typer.Argument(metavar="RUN.h5|SCENE", help="Run file to show, or a scene to run and show "
                                                                        "while it runs.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="SCENE.h5",
                                                help="Run file of a scene that is run.")] = None,
    port: Annotated[int | None, typer.Option(help="Port on 127.0.0.1; 0 takes any that is free.",
                                             show_default="8642, or any that is free")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Show a run as a page in the browser: it plays, turns and answers clicks. Ctrl-C ends it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill is an interrupt too
    with _pages(target, output) as pages:
        _serve(pages, port, browser)


command.__name__ = "view"


@contextlib.contextmanager
def _pages(target: Path, output: Path | None) -> Iterator[Pages]:
    """What is served: a run file, or a run that goes on beside it and ends with it."""
    from granum.base.errors import GranumError
    from granum.run import open_run
    from granum.view.page.server import Pages
    from granum.view.stage import Stage

    if target.suffix not in _SCENES:
        if output is not None:
            raise GranumError("-o names the run file of a scene, but a run file was given to look at. Leave it out.")
        yield Pages(lambda: Stage(open_run(target)))
        return
    file = output or Path(target.stem + ".h5")
    with _running(target, file) as process:
        yield Pages(lambda: Stage(open_run(file)), lambda: _problem(process))
    print(f"The run is in {file}.")


@contextlib.contextmanager
def _running(scene: Path, file: Path) -> Iterator[subprocess.Popen[str]]:
    """A scene run by a process of its own, from its first frame on; an interrupt ends it with what is done kept."""
    from granum.base.errors import GranumError, RunFileError
    from granum.run import open_run

    before = file.stat().st_mtime_ns if file.exists() else None
    process = subprocess.Popen(
        [sys.executable, "-m", "granum.cli", "run", str(scene), "-o", str(file)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while True:
            if process.poll() not in (None, 0):
                raise GranumError(_problem(process) or "The run did not start.")
            with contextlib.suppress(RunFileError, FileNotFoundError):
                if file.stat().st_mtime_ns != before and len(open_run(file).t):
                    break
            time.sleep(_PATIENCE)
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait()


def _problem(process: subprocess.Popen[str]) -> str | None:
    """What a run that failed had to say."""
    if process.poll() in (None, 0):
        return None
    if not hasattr(process, "said"):
        assert process.stderr is not None
        process.said = process.stderr.read().strip().removeprefix("granum: ")  # type: ignore[attr-defined]
    return str(process.said) or f"The run ended with code {process.returncode}."


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
    with server:
        print(f"{server.address}  (Ctrl-C ends it; from another machine: ssh -L {server.server_port}:127.0.0.1:"
              f"{server.server_port} HOST)", flush=True)
        if browser:
            webbrowser.open(server.address)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.1)
