"""Corrections at loose tolerances of the mixed iteration (Sun 1996, §5.4, figures 6.2-6.7 use TOL = 0.001-0.005)."""

import pytest

import granum as gr
import scenes
from granum.integrate.corrections import LARGEST_LEFT


@pytest.mark.parametrize("correct", ["end", "inside"])
@pytest.mark.parametrize("tolerance", [1e-3, 5e-3])
def test_corrections_hold_the_links_however_loose_the_iteration(tolerance: float, correct: str) -> None:
    """The tolerance of the iteration is not that of the links: corrected in some rounds only, it never ends."""
    run = gr.simulate(scenes.pendulum(100), until=1.3, solver="mixed", inner_solver="gauss-seidel", tolerance=tolerance,
                      corrections=("position", "velocity"), correct=correct)
    assert run.constraint_errors.relative[1:].max() <= LARGEST_LEFT
