"""The mixed iteration of Sun (1996), §5.3: its two inner solvers, its step, its residual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.historic.mixed import FEW_MANY, SMALLEST_PART
from messages import refused
from scenes import SCENES, pendulum


@pytest.mark.parametrize("name", ["pendulum", "hanging-ring", "tree", "net", "truss", "sprung", "suspended"])
def test_sweeps_and_elimination_end_in_the_same_motion(name: str) -> None:
    """Both solve the same implicit step; at a tolerance of 1e-13 they differ by that times the condition."""
    settings: dict[str, Any] = {"until": 0.2, "interval": 0.1, "solver": "mixed", "step": 0.002,
                                "tolerance": 1e-13}
    swept = gr.simulate(SCENES[name](), inner_solver="gauss-seidel", **settings)
    direct = gr.simulate(SCENES[name](), inner_solver="direct", **settings)
    assert_allclose(swept.positions, direct.positions, rtol=0, atol=1e-10)
    assert_allclose(swept.velocities, direct.velocities, rtol=0, atol=1e-9)
    assert_allclose(swept.tensions, direct.tensions, rtol=0, atol=1e-7)
    assert swept.statistics["iterations"].sum() > direct.statistics["iterations"].sum()


def adapted(inner: str, count: int, **settings: Any) -> gr.Run:
    given: dict[str, Any] = {"until": 0.5, "interval": 0.05, "solver": "mixed", "inner_solver": inner}
    return gr.simulate(pendulum(count), adapt_step=True, **(given | settings))


@pytest.mark.parametrize("inner", ["direct", "gauss-seidel"])
def test_few_rounds_lengthen_the_step(inner: str) -> None:
    """A single mass at a loose tolerance: every step takes few rounds, and the step grows by a fiftieth."""
    run = adapted(inner, 1, step=1e-3, tolerance=1e-6)
    few, _ = FEW_MANY[inner]
    assert run.statistics["most_iterations"].max() < few
    steps = run.statistics["steps"].sum()
    assert steps < 0.5 / 1e-3
    assert run.statistics["largest_step"].max() > 1e-3 * (1.0 + 0.5 * steps / SMALLEST_PART)
    assert run.statistics["rejected"].sum() == 0


@pytest.mark.parametrize(
    ("inner", "count", "step", "tolerance"), [("direct", 10, 0.03, 1e-13), ("gauss-seidel", 15, 0.01, 1e-10)]
)
def test_many_rounds_shorten_the_step(inner: str, count: int, step: float, tolerance: float) -> None:
    """The step shrinks until a step takes no more than many rounds, or to a fiftieth of the first."""
    run = adapted(inner, count, until=2.0, interval=0.2, step=step, tolerance=tolerance)
    _, many = FEW_MANY[inner]
    rounds, largest = run.statistics["most_iterations"][1:], run.statistics["largest_step"][1:]
    assert rounds[0] > many
    assert_allclose(largest[0], step, rtol=1e-12)
    assert largest[-1] < 0.5 * step
    assert rounds[-1] <= many or np.isclose(largest[-1], step / SMALLEST_PART, rtol=1e-9)
    # the last two steps of an interval share what is left, so that one may be half the smallest
    assert run.statistics["smallest_step"][1:].min() > 0.4 * step / SMALLEST_PART


def test_a_step_that_diverges_is_repeated_with_half_its_size() -> None:
    """The first step is far too large; the run goes on and is right all the same."""
    run = adapted("direct", 5, step=0.3, interval=0.5, tolerance=1e-10)
    exact = gr.simulate(pendulum(5), until=0.5, interval=0.5, tolerance=1e-12)
    assert run.statistics["rejected"].sum() > 0
    assert run.finished
    largest = run.statistics["largest_step"].max()
    omega = 2.0 * 5 * np.sqrt(9.81 / 3.0)
    assert_allclose(run.positions[-1], exact.positions[-1], rtol=0, atol=(omega * largest) ** 2)


def test_the_residual_is_that_of_the_link_forces() -> None:
    """Direct: rounding. Sweeps: what the tolerance on the change leaves, and it falls with it."""
    def residual(**settings: Any) -> float:
        run = gr.simulate(pendulum(10), until=0.05, interval=0.05, solver="mixed", **settings)
        return float(run.statistics["residual"].max())

    assert residual(inner_solver="direct") < 1e-13
    loose, tight = (residual(inner_solver="gauss-seidel", tolerance=tolerance) for tolerance in (1e-4, 1e-8))
    assert 1e-3 * loose > tight > 0.0


def test_a_step_that_does_not_converge_is_an_error_with_a_remedy() -> None:
    with refused(gr.NotConvergedError, "1e-11", 'inner_solver = "direct"'):
        gr.simulate(pendulum(60), until=0.1, solver="mixed", inner_solver="gauss-seidel", tolerance=1e-11, step=0.01)


def test_without_links_the_step_does_not_grow() -> None:
    """Rounds count changes of link forces; where there are none they say nothing about a step."""
    pair = gr.Scene(
        body={"a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=1.0)},
        load={"spring": gr.Spring(between=("a", "b"), stiffness=50.0, rest_length=1.0)},
        start={"a": gr.Start(position=(0.0, 0.0)), "b": gr.Start(position=(1.2, 0.0))},
    )
    run = gr.simulate(pair, until=10.0, interval=5.0, solver="mixed", step=1e-3, adapt_step=True)
    assert run.statistics["largest_step"].max() <= 1e-3
