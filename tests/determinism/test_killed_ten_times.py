"""One run, killed ten times: every time it is resumed, and in the end it has the bits of an undisturbed run."""

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
from runs import assert_same_run
from scenes import SCENES

OPTIONS: dict[str, Any] = {"until": 4.0, "interval": 0.004, "solver": "rk4", "step": 2e-5}
PROGRAM = """
import sys
from granum import simulate
from test_killed_ten_times import OPTIONS, SCENES
simulate(SCENES["sprung"](), **(OPTIONS | {"until": 0.008}))  # compiled or loaded before the clock starts
print("ready", flush=True)
simulate(SCENES["sprung"](), output=sys.argv[1], resume=True, **OPTIONS)
"""


@pytest.mark.validate
def test_killed_ten_times(tmp_path: Path) -> None:
    """Kill -9 at ten random instants, some before the first frame, some within one: the file always opens."""
    file = tmp_path / "run.h5"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    counts = set()
    for wait in np.random.default_rng(20).uniform(0.0, 0.3, 10):
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(file)], stdout=subprocess.PIPE,
                                   env=os.environ | {"PYTHONPATH": path})
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        process.kill()
        process.wait()
        process.stdout.close()
        if file.exists():  # else it was killed before there was anything to keep
            with h5py.File(file) as opened:
                done = int(opened["frames_done"][0])
                assert np.isfinite(opened["position"][:done]).all()
            assert len(gr.open_run(file).t) == done
            counts.add(done)
    assert len(counts) > 1, "never killed while it was writing"
    resumed = gr.simulate(SCENES["sprung"](), output=file, resume=True, **OPTIONS)
    assert_same_run(resumed, gr.simulate(SCENES["sprung"](), **OPTIONS))
