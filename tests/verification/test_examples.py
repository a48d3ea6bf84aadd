"""Every example runs to its end, can be trusted, and ends in a picture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.io.examples import LARGE, example_file, example_scenes
from granum.view.plots.catalogue import draw

EXAMPLES = Path(__file__).parents[2] / "examples"


SECOND_ORDER = {"mixed": 1e-3**2 * 20 * 9.81 / 0.15}
"""Examples of an order-2 solver without corrections: errors are below (h ω)², with ω² = N g/l of the fastest wave."""


@pytest.mark.parametrize("example", [*map(example_file, example_scenes(large=False))], ids=lambda path: path.stem)
def test_examples_run_and_are_trustworthy(example: Path, tmp_path: Path) -> None:
    """Every example runs to its end, keeps lengths and energy, and ends in a picture."""
    run = gr.simulate(gr.load(example), output=tmp_path / "run.h5", progress=False)
    summary = run.summary
    assert summary["finished"]
    what = "grains" if "grains" in summary else "path"
    # contact problems are solved to a tolerance; from 1 % on a run warns
    assert summary["energy"]["relative_error"] < (0.01 if what == "grains" else SECOND_ORDER.get(example.stem, 1e-7))
    if what == "path" and run.has.constraints:
        assert summary["constraint_errors"]["relative"] < SECOND_ORDER.get(example.stem, 1e-8)
    if what == "grains":
        assert summary["overlap"]["mean"] < 0.01
    draw(gr.open_run(tmp_path / "run.h5"), what, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", LARGE)
def test_large_examples_begin_well(name: str) -> None:
    """10 000 grains and more that start apart; the first 20 ms are free fall, so that energy and overlaps are exact."""
    scene = gr.example(name)
    run = gr.simulate(scene, until=0.02, interval=0.01, progress=False)
    assert len(np.unique(run.owners(0))) >= 10_000
    summary = run.summary
    assert summary["finished"]
    assert summary["energy"]["relative_error"] < 0.01
    assert summary["overlap"]["mean"] < 0.01


LONG = ("digging-blade", "flow-control")
"""Scripts that run for a minute and more; shorter tests of them are in test_controlled.py."""


@pytest.mark.parametrize("example", [
    pytest.param(path, marks=[pytest.mark.validate] if path.stem in LONG else [], id=path.stem)
    for path in sorted(EXAMPLES.glob("*.py"))])
def test_python_examples_run(example: Path, tmp_path: Path) -> None:
    """Every example in Python runs as a script and leaves a picture of its name."""
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, cwd=tmp_path, timeout=900,
                          env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{example.stem}.png").stat().st_size > 10_000
