"""Killed at any instant: the file opens, what it counts is whole, and resuming ends in the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import granum as gr
from runs import assert_same_bits, assert_same_run
from scenes import SCENES

# a second or two of work each, a thousand frames and more
CASES: dict[str, dict[str, Any]] = {
    "sprung": {"solver": "rattle", "step": 2e-5, "until": 4.0, "interval": 4e-3},
    "net": {"solver": "mixed", "adapt_step": True, "step": 1e-4, "tolerance": 1e-10, "until": 2.0,
            "interval": 1e-3},
    "tree": {"solver": "rk4", "step": 2e-5, "until": 2.0, "interval": 2e-3},
    "pendulum": {"formulation": "lagrange", "tolerance": 1e-12, "until": 2.0, "interval": 1e-3},
    "hanging-ring": {"solver": "rk4", "step": 2e-5, "until": 2.0, "interval": 2e-3,
                     "corrections": ["position", "velocity", "energy"]},
}
PROGRAM = """
import sys, granum as gr
from test_killed import CASES, SCENES
gr.simulate(SCENES[sys.argv[1]](), output=sys.argv[2], resume=True, **CASES[sys.argv[1]])
"""


def start(name: str, file: Path) -> subprocess.Popen[bytes]:
    """The run of a case in a process of its own."""
    path = [str(Path(__file__).parent), *sys.path]
    return subprocess.Popen([sys.executable, "-c", PROGRAM, name, str(file)],
                            env=os.environ | {"PYTHONPATH": os.pathsep.join(path)})


def frames_in(file: Path) -> int:
    """Frames that a file counts; none where there is no file yet."""
    if not file.exists():
        return 0
    with h5py.File(file) as opened:
        return int(opened["frames_done"][0])


ALWAYS = ("sprung",)
"""The others are for `make validate`."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.validate) for name in CASES]
)
def test_killed_runs_open_and_resume_to_the_same_bits(name: str, tmp_path: Path) -> None:
    """Two instants for each case: when a frame drawn at random is there, and at a random time."""
    whole = gr.simulate(SCENES[name](), **CASES[name])
    rng = np.random.default_rng(list(CASES).index(name))
    in_the_midst = (int(rng.integers(1, len(whole.t) // 2)), 60.0)
    by_the_clock = (len(whole.t), rng.uniform(0.0, 3.0))
    for frame, seconds in (in_the_midst, by_the_clock):
        file = tmp_path / f"until-{frame}" / "run.h5"
        file.parent.mkdir()
        process, began = start(name, file), time.monotonic()
        while process.poll() is None and frames_in(file) < frame and time.monotonic() - began < seconds:
            time.sleep(0.002)
        process.kill()
        process.wait()
        if file.exists():
            found = gr.open_run(file)
            assert len(found.t) == frames_in(file)
            assert_same_bits(found, whole)
        assert seconds < 60.0 or len(found.t) >= frame
        assert_same_run(gr.simulate(SCENES[name](), output=file, resume=True, **CASES[name]), whole)
        assert_same_run(gr.open_run(file), whole)
        assert list(file.parent.iterdir()) == [file]
