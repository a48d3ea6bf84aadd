"""The same scene and seed give the same bits: twice, after Ctrl-C, and however steps are batched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import granum as gr
from granum.integrate import link_stepper
from granum.linear import method
from runs import assert_same_run, stop_at
from scenes import PLANAR, SCENES

ALL = ["position", "velocity", "energy"]
HOW: dict[str, dict[str, Any]] = {
    "dop853": {"solver": "dop853", "tolerance": 1e-8},
    "dop853 corrected": {"solver": "dop853", "tolerance": 1e-6, "corrections": ALL},
    "adams": {"solver": "adams", "tolerance": 1e-8},
    "rk4": {"solver": "rk4"},
    "rk4 corrected": {"solver": "rk4", "corrections": ALL},
    "rattle": {"solver": "rattle"},
    "mixed": {"solver": "mixed"},
    "mixed inside": {"solver": "mixed", "correct": "inside", "corrections": ALL},
    "mixed sweeps": {"solver": "mixed", "inner_solver": "gauss-seidel", "tolerance": 1e-6},
    "mixed adapting": {"solver": "mixed", "adapt_step": True, "tolerance": 1e-10},
    "lagrange dop853": {"solver": "dop853", "formulation": "lagrange", "tolerance": 1e-8},
    "lagrange adams": {"solver": "adams", "formulation": "lagrange", "tolerance": 1e-8},
    "lagrange rk4": {"solver": "rk4", "formulation": "lagrange", "corrections": ["position", "velocity"]},
}
NAMES = ["pendulum", "net", "tree", "sprung", "truss", "hanging-ring"]
CASES = [(name, how) for name in NAMES for how in HOW if name in PLANAR or "lagrange" not in how]


def scene(name: str, how: str) -> gr.Scene:
    """A scene with the settings of a run of 12 intervals, some steps in each."""
    return SCENES[name]().with_run(until=0.24, interval=0.02, step=0.003, **HOW[how])


@pytest.mark.parametrize(("name", "how"), CASES)
def test_twice_and_interrupted_end_in_the_same_bits(name: str, how: str, tmp_path: Path) -> None:
    """Ctrl-C within an interval, resumed, again, and resumed: nothing shows it, not even the statistics."""
    given, file = scene(name, how), tmp_path / "run.h5"
    whole = gr.simulate(given)
    assert_same_run(gr.simulate(given), whole)
    lengths = [len(gr.simulate(given, output=file, resume=True, progress=stop_at(t)).t)
               for t in (0.05, 0.05, 0.17)]
    assert lengths[0] == lengths[1] < lengths[2] < len(whole.t)
    assert_same_run(gr.simulate(given, output=file, resume=True), whole)


@pytest.mark.parametrize("how", ["rk4 corrected", "rattle", "mixed", "lagrange rk4"])
@pytest.mark.parametrize("name", ["pendulum", "sprung", "hanging-ring"])
def test_bits_do_not_depend_on_the_clock(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many steps are done between two looks at the clock: one by one, or ever more."""
    given = scene(name, how).with_run(interval=0.24)
    monkeypatch.setattr(link_stepper, "_BATCH_SECONDS", 0.0)
    single = gr.simulate(given)
    monkeypatch.setattr(link_stepper, "_BATCH_SECONDS", 1e9)
    assert_same_run(gr.simulate(given), single)


@pytest.mark.parametrize("how", ["dop853", "rk4", "rattle", "mixed"])
def test_conjugate_gradients_resume_to_the_same_bits(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They start from the last link forces, which a resumed run must have to the last bit."""
    monkeypatch.setattr(method, "LARGEST_NET", 0)
    monkeypatch.setattr(method, "MANY_LOOPS", 0)
    given, file = scene("net", how), tmp_path / "run.h5"
    assert gr.derive(given).rectangular[0].elimination.kind == method.ITERATIVE
    whole = gr.simulate(given)
    gr.simulate(given, output=file, progress=stop_at(0.09))
    assert_same_run(gr.simulate(given, output=file, resume=True), whole)


def test_the_seed_decides_what_is_random() -> None:
    stack = gr.Stack(from_="pivot", count=10, height=1.0, scatter=0.1, mass=0.1)
    given = gr.Scene(body={"pivot": gr.FixedPoint(position=(0.0, 0.0))}, pattern={"stack": stack},
                     load={"gravity": gr.Gravity(acceleration=(0.0, -9.81))})
    one, again, other = (gr.simulate(given, until=0.1, interval=0.05, seed=s).positions for s in (7, 7, 8))
    assert_array_equal(one, again)
    assert not np.array_equal(one, other)
