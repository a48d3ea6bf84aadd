"""Ctrl-C and SIGTERM at any time: no traceback, the exit code that shells expect, and what is done is kept."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

import pytest

import granum as gr
from granum.base.callbacks import Callback
from tests.fuzz.small_runs import falling

PENDULUM = Path(__file__).parents[2] / "examples" / "pendulum.toml"
INTERRUPTED = """
import os, runpy, signal, sys

class Ctrl_C:
    def find_spec(self, name, path=None, target=None):
        if name == WHERE:
            os.kill(os.getpid(), SIGNAL)

sys.meta_path.insert(0, Ctrl_C())
runpy.run_module("granum.cli", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["granum.cli.main", "typer", "granum.base.errors", "numpy", "numba",
                                    "granum.run.simulate", "granum.integrate.smooth"])
def test_ctrl_c_while_modules_load(module: str, tmp_path: Path) -> None:
    program = INTERRUPTED.replace("WHERE", repr(module)).replace("SIGNAL", "signal.SIGINT")
    done = subprocess.run([sys.executable, "-c", program, "run", str(PENDULUM)], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr


def test_sigterm_before_the_first_step(tmp_path: Path) -> None:
    program = INTERRUPTED.replace("WHERE", "'granum.integrate.smooth'").replace("SIGNAL", "signal.SIGTERM")
    done = subprocess.run([sys.executable, "-c", program, "run", str(PENDULUM)], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 143 and "Traceback" not in done.stderr, done.stderr


def test_sigterm_keeps_what_is_done(tmp_path: Path) -> None:
    """Exit code 143, and a file that resumes to its end."""
    scene, file = tmp_path / "long.toml", tmp_path / "run.h5"
    scene.write_text(re.sub(r"until = .*", "until = 200.0\ninterval = 0.01", PENDULUM.read_text()))
    process = subprocess.Popen([sys.executable, "-m", "granum.cli", "run", str(scene), "-o", str(file)],
                               stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    while not (file.exists() and len(gr.open_run(file).t) > 2) and process.poll() is None:
        time.sleep(0.02)
    process.terminate()
    _, said = process.communicate(timeout=120)
    assert process.returncode == 143 and "Traceback" not in said, said
    run = gr.open_run(file)
    assert 2 < len(run.t) < 20001 and not run.finished


def test_an_interrupt_at_the_entry_of_a_call_back_is_not_lost() -> None:
    """A profile function runs before the first instruction of what compiled code calls, where nothing catches."""
    unraisable: list[object] = []
    entries = 0

    def interrupt(frame: FrameType, event: str, argument: object) -> None:
        nonlocal entries
        if event == "call" and frame.f_code is Callback._call.__code__:
            entries += 1
            if entries == 20:
                signal.raise_signal(signal.SIGINT)

    simulation = gr.Simulation(gr.load(PENDULUM))
    hook, sys.unraisablehook = sys.unraisablehook, unraisable.append
    sys.setprofile(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.advance(1.0)
    finally:
        sys.setprofile(None)
        sys.unraisablehook = hook
    assert unraisable == []
    assert 20 <= entries <= 21, "the call back after the interrupt must end the compiled code"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_progress_is_told_between_events() -> None:
    """Whoever watches may end a run: frames may be far apart, and one of located impacts takes as long as it takes."""
    moments = list[float]()
    gr.simulate(falling(until=0.05, interval=0.05, solver="events"), progress=lambda moment: moments.append(moment.t))
    assert len({t for t in moments if 0.0 < t < 0.05}) > 3
