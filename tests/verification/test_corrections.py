"""Corrections hold what integration lets go, in position, velocity and energy, and keep momentum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from scenes import hanging_ring, pendulum, spinning_ring

TOLERANCE = 1e-10
COARSE: dict[str, dict[str, Any]] = {
    "rk4": {"solver": "rk4", "step": 0.01},
    "mixed": {"solver": "mixed", "step": 0.005},
    "mixed inside": {"solver": "mixed", "step": 0.005, "correct": "inside"},
    "mixed sweeps": {"solver": "mixed", "step": 0.005, "inner_solver": "gauss-seidel"},
}


def swing(scene: gr.Scene, how: str, *corrections: str, until: float = 10.0) -> gr.Run:
    return gr.simulate(scene, until=until, interval=0.25, tolerance=TOLERANCE, corrections=corrections,
                       **COARSE[how])


@pytest.mark.parametrize("how", COARSE)
def test_lengths_and_rates_are_held_where_they_would_drift(how: str) -> None:
    """At every frame: lengths to the tolerance, rates to the tolerance times the largest speed.

    Without corrections the same run is off by more than 1e-4 of a link.
    """
    scene = pendulum(5, angle=1.0)
    run = swing(scene, how, "position", "velocity")
    speed = np.abs(run.velocities).max()
    assert run.constraint_errors.relative.max() <= TOLERANCE
    assert run.constraint_errors.rate.max() <= TOLERANCE * speed
    if "inside" not in how:
        assert swing(scene, how).constraint_errors.relative[-1] > 1e-4


@pytest.mark.parametrize("how", COARSE)
def test_a_loop_is_held_closed(how: str) -> None:
    run = swing(hanging_ring(), how, "position", "velocity", until=2.0)
    assert run.constraint_errors.relative.max() <= TOLERANCE


@pytest.mark.parametrize("how", COARSE)
def test_total_energy_is_kept(how: str) -> None:
    """Velocities are scaled to the energy that the loads leave: to rounding, where it would drift visibly."""
    scene = pendulum(5, angle=1.0)
    run = swing(scene, how, "position", "velocity", "energy")
    assert run.statistics["energy_uncorrected"].sum() == 0
    assert_allclose(run.energy.total, run.energy.total[0], rtol=1e-13)
    assert run.energy_error < 1e-12
    assert swing(scene, how).energy_error > 1e-5


@pytest.mark.parametrize("how", COARSE)
def test_corrections_leave_momentum_alone(how: str) -> None:
    """Impulses along links come in pairs; the free ring is corrected all the time and its centre stays."""
    run = gr.simulate(spinning_ring(6, spin=6.0), until=2.0, interval=0.5, tolerance=TOLERANCE,
                      corrections=["position", "velocity"], **(COARSE[how] | {"step": 0.02}))
    assert_allclose(run.velocities.sum(axis=1), 0.0, rtol=0, atol=1e-12)
    assert_allclose(run.positions.mean(axis=1), [[1.0, 2.0]] * len(run.t), rtol=0, atol=1e-12)
    assert run.constraint_errors.relative.max() <= TOLERANCE


@pytest.mark.parametrize("solver", ["dop853", "adams"])
def test_smooth_solvers_correct_too(solver: str) -> None:
    """A loose tolerance of 1e-5 for the step, and frames that are within it all the same."""
    settings: dict[str, Any] = {"until": 10.0, "interval": 0.25, "solver": solver, "tolerance": 1e-5}
    loose = gr.simulate(pendulum(5, angle=1.0), **settings)
    held = gr.simulate(pendulum(5, angle=1.0), corrections=["position", "velocity", "energy"], **settings)
    assert held.constraint_errors.relative.max() <= 1e-5 < loose.constraint_errors.relative.max()
    assert_allclose(held.energy.total, held.energy.total[0], rtol=1e-13)


@pytest.mark.parametrize("solver", ["rk4", "dop853"])
def test_angles_are_corrected_too(solver: str) -> None:
    """In Lagrange's coordinates only the cuts of loops can drift; here the ring is closed again."""
    settings: dict[str, Any] = {"until": 4.0, "interval": 0.25, "solver": solver, "step": 0.02,
                                "tolerance": 1e-5, "formulation": "lagrange"}
    loose = gr.simulate(hanging_ring(), **settings)
    held = gr.simulate(hanging_ring(), corrections=["position", "velocity"], **settings)
    assert held.constraint_errors.relative.max() <= 1e-5 < loose.constraint_errors.relative.max()


def test_rattle_keeps_rods_to_rounding() -> None:
    """Lengths to a few units in the last place of the coordinates (3 m against links of 0.6 m), for 10 s."""
    run = gr.simulate(pendulum(5, angle=1.0), until=10.0, interval=0.1, solver="rattle", step=0.01)
    assert run.constraint_errors.relative.max() < 20 * np.finfo(float).eps
    assert run.constraint_errors.rate.max() < 1e-13
    # symplectic: energy oscillates by (ωh)² but does not drift; the second half is no worse than the first
    off = np.abs(run.energy.error)
    assert off[50:].max() < 1.5 * off[:50].max()


def test_rattle_works_far_from_the_origin() -> None:
    """A chain that flies 10 km: its lengths can be held to the rounding of its coordinates, no closer."""
    chain = gr.Chain(position=(0.0, 0.0), count=4, length=0.1, direction=(1.0, 0.0), velocity=(1000.0, 0.0),
                     mass=1.0)
    scene = gr.Scene(pattern={"chain": chain}, start={"chain-2": gr.Start(velocity=(1000.0, 1.0))})
    run = gr.simulate(scene, until=10.0, interval=1.0, solver="rattle", step=0.01)
    assert run.constraint_errors.relative.max() < 1e4 / 0.1 * 4 * np.finfo(float).eps
