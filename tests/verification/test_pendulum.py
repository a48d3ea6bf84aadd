"""The pendulum of Sun (1996), §6.2 against numbers computed independently, and against itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from scenes import G, pendulum

END_OF_TEN = (-0.7933772863890878, -2.8922067418233555)
"""Place of the end mass at t = 2 s for N = 10 [m], from quadruple precision, 14 digits."""


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
def test_the_end_of_ten_masses(formulation: str) -> None:
    """1e-12 per step over some hundred steps leaves 1e-10."""
    run = gr.simulate(pendulum(10), until=2.0, interval=0.5, tolerance=1e-12, formulation=formulation)
    assert_allclose(run.position("bob-10")[-1], END_OF_TEN, rtol=0, atol=1e-10)


def test_fifty_masses_in_both_formulations() -> None:
    """Two sets of equations and coordinates, one motion, to 1e-11 m over 2 s; energy is kept as well."""
    runs = [gr.simulate(pendulum(50), until=2.0, interval=0.5, tolerance=1e-12, formulation=formulation)
            for formulation in ("newton-euler", "lagrange")]
    assert_allclose(runs[0].positions, runs[1].positions, rtol=0, atol=1e-11)
    assert_allclose(runs[0].tensions, runs[1].tensions, rtol=0, atol=1e-8)
    for run in runs:
        assert run.energy_error < 1e-11


@pytest.mark.parametrize(("solver", "order"), [("rk4", 4), ("rattle", 2), ("mixed", 2)])
def test_fixed_steps_come_near(solver: str, order: int) -> None:
    """The error is below (ωh)^p, ω = 2 N √(g/L) being the fastest wave of the chain: 4 T/(m l) at its top."""
    omega = 2.0 * 10 * np.sqrt(G / 3.0)
    run = gr.simulate(pendulum(10), until=2.0, interval=1.0, solver=solver, step=1e-3, tolerance=1e-12)
    assert_allclose(run.position("bob-10")[-1], END_OF_TEN, rtol=0, atol=(omega * 1e-3) ** order)
