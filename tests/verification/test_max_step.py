"""`max_step`: no step of a solver that chooses its steps is longer; other solvers refuse it by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import granum as gr
from commands import granum
from granum.base.errors import GranumError
from granum.io.examples import example_file
from messages import refused


def longest(run: gr.Run) -> float:
    return float(run.statistics["largest_step"].max())


@pytest.mark.parametrize(("name", "formulation", "solver"), [
    ("slider-crank", "newton-euler", "dop853"), ("slider-crank", "newton-euler", "radau"),
    ("slider-crank", "fundamental", "dop853"), ("incline", "gibbs-appell", "dop853"),
    ("incline", "gibbs-appell", "radau"), ("wheel", "virtual-work", "dop853"), ("wheel", "virtual-work", "radau"),
    ("hanging-chain", "newton-euler", "dop853"), ("dome", "newton-euler", "dop853")])
def test_no_step_is_longer(name: str, formulation: str, solver: str) -> None:
    scene = gr.example(name).vary({"run.until": 0.1, "run.interval": 0.1, "run.formulation": formulation,
                                   "run.solver": solver, "run.tolerance": 1e-4})
    free, bounded = gr.simulate(scene), gr.simulate(scene, max_step=2e-3)
    assert longest(free) > 2e-3 >= longest(bounded) * (1 - 1e-12)
    np.testing.assert_allclose(bounded.positions[-1], free.positions[-1], atol=1e-3)


def test_adams_keeps_to_it() -> None:
    """It does not report its steps; each takes at least one evaluation."""
    scene = gr.example("hanging-chain").vary({"run.until": 0.05, "run.interval": 0.05, "run.solver": "adams"})
    evaluations = [int(gr.simulate(scene, max_step=step).summary["evaluations"]) for step in (1e-3, 1e-4)]
    assert evaluations[1] >= 500 > evaluations[0]


def test_the_command_line_takes_it(tmp_path: Path) -> None:
    told = granum("run", example_file("slider-crank"), "--until", "0.02", "--max-step", "1e-3", "-o",
                  tmp_path / "run.h5")
    assert told.returncode == 0
    assert longest(gr.open_run(tmp_path / "run.h5")) <= 1e-3 * (1 + 1e-12)


@pytest.mark.parametrize("solver", ["rk4", "rattle", "mixed", "moreau", "soft"])
def test_solvers_that_do_not_choose_their_steps_refuse_it(solver: str) -> None:
    with refused(GranumError, "max_step", f'"{solver}"', "step"):
        gr.simulate(gr.example("hanging-chain"), solver=solver, max_step=1e-3)


def test_scenes_with_grains_refuse_it() -> None:
    scene = gr.example("hopper").vary({"run.max_step": 1e-3})
    for ask in (gr.check, gr.simulate):
        with refused(GranumError, "run.max_step", "step", '"moreau"'):
            ask(scene)


@pytest.mark.parametrize("step", [0.0, -1.0, 1e-30])
def test_what_is_no_step_is_refused(step: float) -> None:
    with refused(GranumError, "max_step" if step <= 0.0 else "steps"):
        gr.simulate(gr.example("slider-crank"), max_step=step)
