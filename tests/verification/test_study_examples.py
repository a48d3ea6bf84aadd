"""The studies that come with Granum: each loads, and a small version of it agrees with something independent."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.io.examples import example_files, is_study
from granum.studies.points import points_of
from granum.studies.statistics import beverloo, by_point, exponential_growth, power_law
from messages import refused, says

EXAMPLES = Path(__file__).parents[2] / "examples"
STUDIES = sorted(file.name for file in example_files().values() if is_study(file))
G = 9.81


def study(scene: str, folder: Path, **keys: Any) -> gr.StudyResult:
    """A study of an example in this process."""
    return gr.study(EXAMPLES / scene, on="serial", output=folder / "study.h5", progress=False, **keys)


@pytest.mark.parametrize("name", STUDIES)
def test_each_loads_and_its_first_point_is_a_scene(name: str) -> None:
    """All measures, paths and values are checked by loading; the first point of a grid is a scene of its own."""
    loaded = gr.load_study(EXAMPLES / name)
    assert loaded.title and loaded.measures and loaded.levels
    first = {level.path: level.first for level in loaded.levels}
    assert gr.check(loaded.scene_used.vary(first)).summary_lines()
    if loaded.design.kind == "grid":
        assert 2 <= len(points_of(loaded)) <= 200


def stack_modes(count: int, height: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    """Growth rates [1/s] and shapes of an upright stack of equal masses, linearised by hand.

    The link below mass i presses with the weight above it, C_i = (N − i + 1) m g, and pushes aside by C_i/l times the
    difference of the displacements of its ends: x'' = (g/l) K x.
    """
    carried = np.arange(count, 0, -1.0)
    K = np.diag(carried + np.append(carried[1:], 0.0)) - np.diag(carried[1:], 1) - np.diag(carried[1:], -1)
    values, shapes = np.linalg.eigh(K)
    return np.sqrt(G * count / height * values), shapes


def linear_time(count: int, tilt: float, height: float = 3.0) -> float:
    """When the top has sunk by 0.1 % by the linearised motion: Δ = Σ (x_i − x_{i−1})²/(2 l L) [s]."""
    rates, shapes = stack_modes(count, height)
    link = height / count
    start = shapes.T @ (tilt * link * np.arange(1.0, count + 1.0))
    low, high = 0.0, 60.0 / rates[-1]
    for _ in range(100):
        t = 0.5 * (low + high)
        x = shapes @ (start * np.cosh(rates * t))
        sunk = float(np.sum(np.diff(x, prepend=0.0) ** 2)) / (2.0 * link * height)
        low, high = (t, high) if sunk < 1e-3 else (low, t)
    return low


def test_stacks_fall_at_the_rate_of_their_fastest_mode(tmp_path: Path) -> None:
    """Times computed outside of this project, six digits; between two tilts they differ as the linearised motion says.

    The end of the fall is not linear, but the same for all small tilts, so it drops out of differences. What is left
    of the other modes is in the linearised times, too; without them the slope is 1/σ of the fastest mode.
    """
    result = study("stack.toml", tmp_path, vary={
        "pattern.stack.count": [10, 60], "pattern.stack.tilt": [1e-10, 1e-8], "run.until": [0.9],
        "run.interval": ["1 ms"]}, measure={"time": "time_to_instability stack"})
    time = result.column("time").reshape(2, 2)
    assert_allclose(time[:, 1], [0.695589, 0.137059], rtol=0.0, atol=5e-7)
    for count, (first, second) in zip((10, 60), time, strict=True):
        linear = linear_time(count, 1e-10) - linear_time(count, 1e-8)
        assert first - second == pytest.approx(linear, rel=1e-3)
        fastest = stack_modes(count)[0][-1]
        assert math.log(100.0) / (first - second) == pytest.approx(fastest, rel=0.01)


def test_a_stack_that_still_stands_is_a_row_with_a_reason(tmp_path: Path) -> None:
    result = study("stack.toml", tmp_path, vary={"pattern.stack.tilt": [0.0, 1e-8]},
                   measure={"time": "time_to_instability stack"})
    assert result.column("status").tolist() == ["failed", "done"]
    says(result.column("reason")[0], '"stack"', "t = 0.6 s")
    with refused(gr.SceneError, '"base"'):
        study("stack.toml", tmp_path / "other", measure={"time": "time_to_instability base"})


def rounds_per_decade(count: int) -> float:
    """Rounds of ten Gauss-Seidel sweeps that reduce the error of the forces in a straight chain tenfold.

    H of a straight chain that hangs on a fixed point is the second difference with one free end: Jacobi's iteration
    has the spectral radius cos(π/(2N + 1)), and that of Gauss and Seidel is its square, as H is consistently ordered
    (Young 1954, Trans. Am. Math. Soc. 76:92).
    """
    return math.log(10.0) / (-20.0 * math.log(math.cos(math.pi / (2 * count + 1))))


def test_the_mixed_iteration_converges_as_gauss_seidel_does(tmp_path: Path) -> None:
    """Two more digits take twice the rounds of a decade. The chain stays nearly straight for 0.2 s; bent it converges
    a little faster. Where the rounds of the theory exceed the 500 that a step may take, the run fails and says so.
    """
    result = study("mixed.toml", tmp_path, vary={"pattern.bob.count": [10, 20, 80], "run.tolerance": [1e-6, 1e-8],
                                                 "run.until": [0.2]}, measure={"rounds": "iterations / steps"})
    rounds = result.column("rounds").reshape(3, 2)
    for count, (loose, tight) in zip((10, 20), rounds, strict=False):
        assert 0.85 < (tight - loose) / (2.0 * rounds_per_decade(count)) < 1.1
    assert rounds_per_decade(80) > 500.0 and np.isnan(rounds[2, 1])
    says(result.column("reason")[-1], "500 iterations")


def test_the_mixed_pendulum_is_the_pendulum() -> None:
    """The stack that hangs ends where quadruple precision says, to the second order of the method.

    The error of half the step is a quarter: within a tenth, as higher orders are small at 1 ms.
    """
    truth = np.array([-0.7933772863890878, -2.8922067418233555])
    scene = gr.load(EXAMPLES / "mixed.toml").vary({"pattern.bob.count": 10})
    ends = [gr.simulate(scene, until=2.0, step=step, tolerance=1e-12, inner_solver="direct").position("bob-10")[-1]
            for step in (2e-3, 1e-3)]
    errors = [float(np.linalg.norm(end - truth)) for end in ends]
    assert errors[1] < 1e-3 and errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_the_shell_needs_the_friction_that_is_known(tmp_path: Path) -> None:
    """Example 1, case A of 001: 0.20349, computed by two formulations outside of this project."""
    result = study("rolling-shell.toml", tmp_path, vary={"start.shell.velocity.0": [1.5]},
                   measure={"friction": "minimum_friction roll", "lifted_off": "ended_early"})
    assert result.column("friction")[0] == pytest.approx(0.20349, abs=5e-6) and not result.column("lifted_off")[0]


def test_outlets_clog_if_they_must_and_never_if_they_are_wide(tmp_path: Path) -> None:
    """Nothing passes an outlet that is narrower than the smallest grain; one of eight diameters lets all but those out
    that lie on the flat bottom.
    """
    result = study("outlet.toml", tmp_path, vary={
        "boundary.silo.opening": ["8.9 mm", "8 cm"], "pattern.grain.region.upper": [[0.05, 0.12]]},
        measure={"passed": "passed outlet", "clogged": "verdict arch == 'jammed'", "left": "grains"})
    assert result.column("clogged").tolist() == [1.0, 0.0]
    assert result.column("passed")[0] == 0.0 and result.column("passed")[1] > 5.0 * result.column("left")[1]


@pytest.mark.validate
def test_discharge_follows_beverloo(tmp_path: Path) -> None:
    """In 2-D the exponent is 3/2 and k about 1.4 (Beverloo et al. 1961): with either held, the other is found.

    Two seeds alone gave an exponent of 1.67, four gave 1.50: a tenth is what the scatter of four seeds leaves.
    """
    loaded = gr.load_study(EXAMPLES / "beverloo-study.toml")
    result = gr.study(loaded.scene_used, vary=loaded.vary, repeats=loaded.repeats, measure={"rate": "flow_rate outlet"},
                      on="serial", output=tmp_path / "b.h5", progress=False)
    groups = by_point(result, "rate")
    opening = np.array([group.values["boundary.silo.opening"] for group in groups])
    rate = np.array([group.estimate.value for group in groups if group.estimate])
    assert power_law(opening, rate, offset=0.014).constants["n"].value == pytest.approx(1.5, rel=0.1)
    assert 1.0 < beverloo(opening, rate, 0.01, exponent=1.5).constants["k"].value < 2.0


@pytest.mark.validate
def test_avalanches_grow_with_the_outlet(tmp_path: Path) -> None:
    """Mean sizes grow by more than the area of the outlet, and exponentially in its square as far as errors tell."""
    result = study("outlet.toml", tmp_path, repeats=8, vary={"boundary.silo.opening": ["2 cm", "2.8 cm", "3.6 cm"]},
                   measure={"size": "passed outlet"})
    mean = result.column("size").reshape(3, 8).mean(axis=1)
    assert mean[2] / mean[0] > 2.0 * (3.6 / 2.0) ** 2
    assert exponential_growth([2.0, 2.8, 3.6], mean, 2.0, error=mean / math.sqrt(8.0)).p_value > 0.01
