"""Progress of runs: a bar with figures on a terminal, nothing anywhere else."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import granum as gr
from granum.cli.summary import print_summary
from granum.run.progress import Moment, NotebookBar, bar_line, fitting, watching
from scenes import pendulum

SCENE = """
title = "A chain"
[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]
[pattern.chain]
kind = "chain"
from = "pivot"
count = 200
length = 0.02
angles = "30 deg"
mass = 1.0
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 2.0
interval = 0.04
"""
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(command: list[str], folder: Path, columns: int, **more: str) -> str:
    """All that a command writes to a terminal so wide."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**kept, "TERM": "xterm-256color", **more}) as process:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 65536):
                written += part
        except OSError:  # Linux says so when the other end has closed
            pass
        finally:
            os.close(ours)
        assert process.wait(timeout=120) == 0, written.decode()
    return written.decode()


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "chain.toml"
    file.write_text(SCENE)
    return file


RUN = [sys.executable, "-m", "granum.cli", "run", "chain.toml"]


@pytest.mark.parametrize("columns", [60, 120])
def test_a_bar_with_figures_that_fits_the_terminal(scene: Path, columns: int) -> None:
    written = on_a_terminal(RUN, scene.parent, columns)
    bar = CODES.sub("", written.split("A chain:")[0])
    assert re.search(r"t = 0\.\d+ of 2 s", bar) and "left" in bar
    assert re.search(r"step \d", bar) and re.search(r"energy error \de-\d\d", bar)
    assert max(len(line) for line in re.split(r"[\r\n]+", bar)) <= columns
    assert "granum view chain.h5" in written and "granum plot chain.h5 path" in written


def test_no_colours_where_none_are_wanted(scene: Path) -> None:
    """NO_COLOR leaves cursor movements of the bar, and no colour."""
    assert "\x1b[33m" not in on_a_terminal(RUN, scene.parent, 80, NO_COLOR="1")


def test_python_shows_the_bar_too_and_can_be_silenced(scene: Path) -> None:
    code = 'import granum as gr; gr.simulate(gr.load("chain.toml"){})'
    shown = on_a_terminal([sys.executable, "-c", code.format("")], scene.parent, 80)
    assert "left" in shown
    assert on_a_terminal([sys.executable, "-c", code.format(", progress=False")], scene.parent, 80) == ""


def test_nothing_is_written_where_nobody_looks(capfd: pytest.CaptureFixture[str]) -> None:
    gr.simulate(pendulum(3), until=0.5)
    assert capfd.readouterr() == ("", "")


def test_a_callback_sees_the_run_as_far_as_it_is() -> None:
    seen: list[tuple[float, float, int]] = []
    run = gr.simulate(pendulum(3), until=0.5, interval=0.1,
                      progress=lambda moment: seen.append((moment.t, moment.until, len(moment.run.t))))
    assert seen[-1][0] == 0.5 == seen[-1][1]
    assert [frames for _, _, frames in seen] == sorted(frames for _, _, frames in seen)
    assert all(run.t[frames - 1] <= t for t, _, frames in seen)


def test_figures_that_do_not_fit_are_left_out_whole() -> None:
    figures = ["12 grains", "30 contacts", "step 0.1 s"]
    assert fitting(figures, 100) == "12 grains  30 contacts  step 0.1 s"
    assert fitting(figures, 30) == "12 grains  30 contacts"
    assert fitting(figures, 5) == ""


@pytest.mark.parametrize("width", [10, 30, 60, 120])
def test_a_bar_fills_with_the_part_that_is_done(width: int) -> None:
    lines = [bar_line("t = 1 of 2 s", done, "0:10 left", width, fine=False) for done in (0.0, 0.5, 1.0)]
    assert max(map(len, lines)) <= width
    room = lines[0].count(".")
    assert [line.count("=") - 1 for line in lines] == ([0, round(0.5 * room), room] if room else [0, 0, 0])


def test_a_notebook_has_a_bar_below_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython is not installed with Granum: what it would be told is looked at instead."""
    told: list[dict[str, str]] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            told.append(data)

    bar = NotebookBar()
    bar._handle = Handle()
    run = gr.simulate(pendulum(3), until=0.5, progress=False)
    bar(Moment(0.25, 0.5, run))
    bar(Moment(0.26, 0.5, run))  # too soon to be shown
    assert len(told) == 1
    assert bar.left(Moment(0.5, 0.5, run), 1e9) == "0:00 left" and bar.left(Moment(0.25, 0.5, run), 1e9) == ""
    assert "value='0.5000'" in told[0]["text/html"] and "energy error" in told[0]["text/plain"]


def test_who_watches() -> None:
    """A callback is taken as it is; without a terminal there is no bar."""
    with watching(print) as watcher:  # type: ignore[arg-type]
        assert watcher is print
    for quiet in (True, False):
        with watching(quiet) as watcher:
            assert watcher is None


def test_a_title_gives_the_terminal_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    summary = gr.simulate(pendulum(3), until=0.1).summary
    print_summary({**summary, "title": "\x1b]0;owned\x07[red]x", "file": "a b.h5", "seconds": 0.1})
    out = capsys.readouterr().out
    assert "\x1b" not in out and "?]0;owned?[red]x: 3 bodies" in out
    assert "granum view 'a b.h5'" in out
