"""Convergence: the slope of the error against the step is the order that each solver claims."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.kernels import Floats
from scenes import hanging_ring, pendulum, sprung

SCENES = {"chain": pendulum(3), "ring": hanging_ring(), "dampers": sprung()}
ORDER = {"rk4": 4, "rattle": 2, "mixed": 2}
UNTIL = 0.5
COUNTS = np.array([64, 128, 256, 512])


def end(scene: gr.Scene, **settings: object) -> Floats:
    """Positions and velocities of all bodies at the end."""
    run = gr.simulate(scene, until=UNTIL, interval=UNTIL, **settings)
    return np.concatenate([run.positions[-1], run.velocities[-1]])


def convergence(scene: gr.Scene, exact: Floats, **settings: object) -> tuple[float, float]:
    """Slope of the error against the step, and the error of the smallest step."""
    errors = [np.abs(end(scene, step=UNTIL / count, **settings) - exact).max() for count in COUNTS]
    return float(np.polyfit(np.log(UNTIL / COUNTS), np.log(errors), 1)[0]), float(errors[-1])


@pytest.fixture(scope="module")
def exact() -> dict[str, Floats]:
    return {name: end(scene, tolerance=1e-13) for name, scene in SCENES.items()}


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("solver", ORDER)
def test_the_error_falls_with_the_order(solver: str, name: str, exact: dict[str, Floats]) -> None:
    """The slope over a factor of 8 in the step; the next order is some 3 % of it at the largest step.

    Errors stay above 1e-12, where rounding and the iteration's tolerance of 1e-13 do not show yet.
    """
    slope, finest = convergence(SCENES[name], exact[name], solver=solver, tolerance=1e-13)
    assert_allclose(slope, ORDER[solver], rtol=0, atol=0.1)
    assert finest > 1e-12


@pytest.mark.parametrize("name", SCENES)
def test_rk4_has_its_order_in_angles_too(name: str, exact: dict[str, Floats]) -> None:
    slope, _ = convergence(SCENES[name], exact[name], solver="rk4", formulation="lagrange")
    assert_allclose(slope, 4, rtol=0, atol=0.1)


@pytest.mark.parametrize("solver", ["dop853", "adams"])
@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
def test_the_error_follows_the_tolerance(solver: str, formulation: str, exact: dict[str, Floats]) -> None:
    """A tolerance smaller by 1e-6 gives an error smaller by (1e-6)^(p/(p+1)), and both stay near it.

    With local errors of h^(p+1) held at the tolerance, the global error is of h^p. Order 8 gives 5e-6, order 5 gives
    1e-5, and adams takes various orders. The constant differs between orders, and rounding on another processor changes
    the steps: a factor of 30 is left to that. An error that falls with the root of the tolerance only, to 1e-3, fails.
    """
    coarse, fine = (np.abs(end(SCENES["chain"], solver=solver, formulation=formulation, tolerance=tolerance)
                           - exact["chain"]).max() for tolerance in (1e-5, 1e-11))
    assert fine < 1e-9
    assert coarse < 1e-3
    assert fine < 30 * 1e-6 ** (5 / 6) * coarse or fine < 1e-12
