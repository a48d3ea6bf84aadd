"""Runs of formulas: the same bits twice, resumed after Ctrl-C or a kill, in pieces, and ended by an event."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import granum as gr
from granum.analytic import System
from messages import says
from runs import assert_same_run, stop_at

ARRAYS = ("coordinate", "rate", "constraint_value", "constraint_rate", "transition")
"""What runs of formulas record beyond what all do."""
START = {"x": 0.6, "y": -0.8, "u": 1.4, "v": -1.4, "x_dot": 1.0}


def chain() -> System:
    """Two masses on rods whose support turns: moving constraints, damping, work from outside."""
    return System("x y u v", kinetic="x_dot**2 + y_dot**2 + 0.5*(u_dot**2 + v_dot**2)", potential="9.81*(2*y + v)",
                  forces={"u": "-0.2*u_dot"},
                  constraints={"one": "(x - 0.1*sin(t))**2 + y**2 = 1", "two": "(u - x)**2 + (v - y)**2 = 1"})


def ball(bowl: str = "Z - 0.3*X**2 - 0.2*Y**2", **more: Any) -> gr.Scene:
    """A shell that rolls in a bowl."""
    return gr.Scene(
        title="Shell", body={"shell": gr.TwoHalfShell(radius=0.12, inner_radius=0.1, density=(9000.0, 3000.0))},
        surface={"bowl": gr.Surface(equation=bowl)}, constraint={"rolls": gr.Rolling(body="shell", on="bowl", **more)},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))},
        start={"shell": gr.Start(contact=(0.4, 0.1), velocity=(0.3, 0.8), spin=1.0)})


def simulate(subject: str, formulation: str, **more: Any) -> gr.Run:
    """A run of 12 intervals."""
    settings = {"until": 0.6, "interval": 0.05, "tolerance": 1e-10, "formulation": formulation, **more}
    if subject == "chain":
        return gr.simulate(chain(), start=START, **settings)
    return gr.simulate(ball(), **settings)


def assert_same(found: gr.Run, expected: gr.Run) -> None:
    """To the last bit, in all that is recorded."""
    assert_same_run(found, expected)
    for name in (*ARRAYS, *("needed_friction" for _ in found.metadata.get("rolling", ()))):
        rows = slice(None) if name == "transition" else slice(len(found.t))
        assert_array_equal(found._recording.arrays[name][rows], expected._recording.arrays[name][rows], err_msg=name)


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell", "lagrange", "virtual-work"])
@pytest.mark.parametrize("subject", ["chain", "ball"])
def test_twice_interrupted_and_resumed(subject: str, formulation: str, tmp_path: Path) -> None:
    """Ctrl-C within an interval keeps the frames before; resumed twice, nothing shows it."""
    file = tmp_path / "run.h5"
    whole = simulate(subject, formulation)
    assert_same(simulate(subject, formulation), whole)
    lengths = [len(simulate(subject, formulation, output=file, resume=True, progress=stop_at(t)).t)
               for t in (0.12, 0.12, 0.42)]
    assert 0 < lengths[0] <= lengths[1] < lengths[2] < len(whole.t)
    assert len(gr.open_run(file).t) == lengths[2] and not gr.open_run(file).finished
    assert_same(simulate(subject, formulation, output=file, resume=True), whole)
    assert_same(gr.open_run(file), whole)


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell"])
def test_longer_in_pieces(formulation: str, tmp_path: Path) -> None:
    """A run to 0.3 s that is then asked for 0.6 s has the bits of one to 0.6 s."""
    file = tmp_path / "run.h5"
    whole = simulate("chain", formulation)
    simulate("chain", formulation, output=file, until=0.3)
    assert_same(simulate("chain", formulation, output=file, resume=True), whole)


PROGRAM = """
import sys
from test_formula_runs import simulate
simulate("chain", sys.argv[1], until=0.05)
print("ready", flush=True)
simulate("chain", sys.argv[1], output=sys.argv[2], resume=True, until=20.0, interval=0.02)
"""


@pytest.mark.parametrize("formulation", ["fundamental", pytest.param("gibbs-appell", marks=pytest.mark.validate)])
def test_killed_and_resumed(formulation: str, tmp_path: Path) -> None:
    """Kill -9 in the midst: the file opens, its frames are whole, and resuming ends in the same bits."""
    file = tmp_path / "run.h5"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, formulation, str(file)], stdout=subprocess.PIPE,
                               env=os.environ | {"PYTHONPATH": path})
    assert process.stdout is not None
    process.stdout.readline()
    done, began = 0, time.monotonic()
    while process.poll() is None and done < 20 and time.monotonic() - began < 150.0:
        if file.exists():
            with h5py.File(file) as opened:
                done = int(opened["frames_done"][0])
        time.sleep(0.001)
    process.kill()
    process.wait()
    process.stdout.close()
    found = gr.open_run(file)
    assert len(found.t) >= 20 and np.isfinite(found.coordinates).all()
    assert not found.finished, "was done before it could be killed"
    whole = simulate("chain", formulation, until=20.0, interval=0.02)
    assert_same(simulate("chain", formulation, output=file, resume=True, until=20.0, interval=0.02), whole)


SLIPS: dict[str, Any] = {"until": 3.0, "interval": 0.05, "formulation": "fundamental"}


def test_a_run_ended_by_an_event(tmp_path: Path) -> None:
    """It opens and says what happened; resuming it, also for longer, changes nothing."""
    file = tmp_path / "run.h5"
    scene = ball(friction=0.1)
    run = gr.simulate(scene, output=file, **SLIPS)
    assert run.event is not None
    says(run.event, "shell", "0.1")
    opened = gr.open_run(file)
    assert opened.event == run.event and opened.finished
    end = float(opened.t[-1])
    assert 0.0 < end < 3.0 and f"{end:.9g}" in run.event
    before = file.read_bytes()
    again = gr.simulate(scene, output=file, resume=True, **SLIPS)
    assert again.event == run.event
    assert_same(again, opened)
    assert_same(gr.open_run(file), opened)
    kept = tmp_path / "longer.h5"
    shutil.copy(file, kept)
    longer = gr.simulate(scene, output=kept, resume=True, **{**SLIPS, "until": 4.0})
    assert longer.event == run.event and len(longer.t) <= len(run.t)
    assert_array_equal(longer.coordinates, run.coordinates[: len(longer.t)])
    assert len(before) == len(file.read_bytes())


def test_an_event_is_found_again_after_an_interruption(tmp_path: Path) -> None:
    """Stopped before the event and resumed: the same event at the same time, to the bit."""
    file = tmp_path / "run.h5"
    scene = ball(friction=0.1)
    whole = gr.simulate(scene, **SLIPS)
    assert whole.event is not None
    gr.simulate(scene, output=file, progress=stop_at(0.5 * float(whole.t[-1])), **SLIPS)
    assert gr.open_run(file).event is None
    found = gr.simulate(scene, output=file, resume=True, **SLIPS)
    assert found.event == whole.event
    assert_same(found, whole)


SCENE = """
title = "Double pendulum"
[system]
coordinates = ["a", "b"]
kinetic = "a_dot**2 + 0.5*(b_dot**2 + 2*a_dot*b_dot*cos(a - b))"
potential = "-9.81*(2*cos(a) + cos(b))"
[system.start]
a = 2.0
b = 1.0
[run]
until = 5000.0
interval = 0.5
formulation = "fundamental"
"""


def test_interrupt_on_the_command_line_keeps_frames(tmp_path: Path) -> None:
    """Ctrl-C: exit code 130, and what is done can be read."""
    (tmp_path / "scene.toml").write_text(SCENE)
    process = subprocess.Popen([sys.executable, "-m", "granum.cli", "run", "scene.toml", "--json"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    file, began, done = tmp_path / "scene.h5", time.monotonic(), 0
    while process.poll() is None and done < 5 and time.monotonic() - began < 150.0:
        time.sleep(0.05)
        if file.exists():
            with h5py.File(file) as opened:
                done = int(opened["frames_done"][0])
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    kept = json.loads(out)
    assert not kept["finished"] and 0 < kept["t"] < 5000.0
    run = gr.open_run(file)
    assert len(run.t) == kept["frames"] >= 5
    assert kept["energy"]["relative_error"] < 1e-4
