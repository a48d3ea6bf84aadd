"""Long and large runs, for `make validate`."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
import scenes

pytestmark = pytest.mark.validate


def test_rattle_energy_does_not_drift() -> None:
    """100 s, 200 000 steps: the energy of a symplectic method oscillates with h² but has no trend."""
    run = gr.simulate(scenes.pendulum(5), until=100.0, interval=0.1, solver="rattle", step=5e-4)
    error = run.energy.relative_error
    assert run.constraint_errors.relative.max() < 1e-13
    first, last = np.abs(error[:200]).max(), np.abs(error[-200:]).max()
    assert last < 3.0 * first


def test_large_net_by_conjugate_gradients() -> None:
    """180 x 180 masses, 64 000 links, too many to factor: lengths and energy hold all the same."""
    scene = gr.Scene(
        pattern={"net": gr.Net(rows=180, columns=180, spacing=0.01, position=(0.0, 0.0, 0.0), across=(1.0, 0.0, 0.0),
                               down=(0.0, 1.0, 0.0), fixed="first-row", mass=1e-3)},
        load=scenes.DOWN_3D,
    )
    assert "conjugate gradients" in gr.check(scene).method
    run = gr.simulate(scene, until=0.01, interval=0.005, solver="rk4", step=5e-4)
    assert run.constraint_errors.relative.max() < 1e-6
    assert run.energy_error < 1e-6


def test_pendulum_of_four_hundred_agrees_in_both_formulations() -> None:
    """N = 400 over 1 s: the dense angles and the eliminated link forces end in the same place."""
    scene = scenes.pendulum(400)
    one, other = (
        gr.simulate(scene, until=1.0, interval=0.5, solver="dop853", tolerance=1e-11, formulation=formulation)
        for formulation in ("newton-euler", "lagrange")
    )
    assert one.positions == pytest.approx(other.positions, abs=1e-8)


def test_a_million_bodies_run_and_are_recorded() -> None:
    """10⁶ masses: compiled, stepped and read back by name."""
    run = gr.simulate(scenes.pendulum(1_000_000), until=2e-7, interval=1e-7, solver="rk4", step=1e-7)
    assert run.position("bob-1000000").shape == (3, 2)
    assert run.constraint_errors.relative.max() < 1e-9
