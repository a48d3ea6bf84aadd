"""The energy ledger closes: what loads did and what was corrected is what the bodies have gained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import simpson

import granum as gr
from granum.base.kernels import Floats
from scenes import SCENES, G, pendulum, sprung

ALL = ("position", "velocity", "energy")


@pytest.mark.parametrize("name", SCENES)
def test_work_of_all_loads_is_the_gain_of_kinetic_energy(name: str) -> None:
    """Kinetic energy from the recorded velocities, work from the ledger: equal to the solver's error."""
    run = gr.simulate(SCENES[name](), until=0.5, interval=0.1, tolerance=1e-12)
    mass = np.array([_mass(run.scene, body) for body in run.body_names])
    kinetic = 0.5 * (mass[:, None] * run.velocities**2).sum(axis=(1, 2))
    # both are sums of at most 100 positive terms: 100 units of rounding each, 2e-14, in whatever order they are added
    assert_allclose(run.energy.kinetic, kinetic, rtol=1e-13)
    work = sum(run.energy.work.values(), np.zeros_like(kinetic))
    assert_allclose(kinetic - kinetic[0], work, rtol=0, atol=1e-9 * run.energy.scale)


def _mass(scene: gr.Scene, name: str) -> float:
    """Mass of a body by name; 0 for what does not move."""
    if name in scene.body:
        return getattr(scene.body[name], "mass", 0.0)
    pattern = next(p for key, p in scene.pattern.items() if name.startswith(f"{p.bodies or key}-"))
    fixed = isinstance(pattern, gr.Net) and name.startswith("net-1-")
    return 0.0 if fixed else pattern.mass


@pytest.fixture(scope="module")
def damped() -> gr.Run:
    """Frames dense enough for Simpson's rule: an error of (ωΔt)⁴ ~ 1e-9 with ω ~ 10/s."""
    return gr.simulate(sprung(), until=1.0, interval=5e-4, tolerance=1e-12)


def test_work_of_each_load_is_force_times_way(damped: gr.Run) -> None:
    """Every column of the ledger against ∫ F·v dt over the frames."""
    gravity = -G * sum(damped.velocity(f"bob-{k}")[:, 1] for k in range(1, 5))
    assert_allclose(damped.energy.work["gravity"][-1], simpson(gravity, x=damped.t), rtol=0, atol=1e-8)
    for name in ("to-wall", "across"):
        rate, pull = _spring(damped, name)
        assert_allclose(damped.energy.work[name][-1], simpson(-pull * rate, x=damped.t), rtol=0, atol=1e-8)


def _spring(run: gr.Run, name: str) -> tuple[Floats, Floats]:
    """Rate of the length of a spring and its pull at every frame."""
    spring = run.scene.load[name]
    arm = run.position(spring.between[1]) - run.position(spring.between[0])
    length = np.linalg.norm(arm, axis=1)
    rate = (arm * (run.velocity(spring.between[1]) - run.velocity(spring.between[0]))).sum(axis=1) / length
    rest = length[0] if spring.rest_length is None else spring.rest_length
    return rate, spring.stiffness * (length - rest) + spring.damping * rate


SOLVERS: dict[str, tuple[dict[str, Any], float]] = {  # and the accuracy: (ωh)^p of some 2 J with ω = 10/s
    "dop853": ({"tolerance": 1e-11}, 1e-8),
    "lagrange": ({"tolerance": 1e-11, "formulation": "lagrange"}, 1e-8),
    "adams": ({"solver": "adams", "tolerance": 1e-11}, 1e-8),
    "rk4": ({"solver": "rk4", "step": 2e-3}, 4e-7),
    "rattle": ({"solver": "rattle", "step": 5e-4}, 5e-5),
    "mixed": ({"solver": "mixed", "step": 5e-4, "tolerance": 1e-12}, 5e-5),
}


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_counts_the_work_of_dampers(solver: str, damped: gr.Run) -> None:
    """What springs and dampers did by the end, against the run with dense frames."""
    settings, accuracy = SOLVERS[solver]
    run = gr.simulate(sprung(), until=1.0, interval=0.5, **settings)
    for name in ("to-wall", "across"):
        expected = damped.energy.work[name][-1]
        assert_allclose(run.energy.work[name][-1], expected, rtol=0, atol=accuracy)
    lost = run.energy.total[-1] - run.energy.total[0]
    assert lost < -0.01


@pytest.mark.parametrize("solver", ["rk4", "mixed"])
def test_what_corrections_add_is_what_integration_took(solver: str) -> None:
    """With the energy held, the ledger's error and its corrections cancel at every frame, both visible."""
    run = gr.simulate(pendulum(5, angle=1.0), until=4.0, interval=0.2, solver=solver, step=0.01,
                      corrections=ALL)
    energy = run.energy
    added = sum(energy.corrected.values(), np.zeros_like(run.t))
    assert_allclose(energy.error, -added, rtol=0, atol=1e-12 * energy.scale)
    assert np.abs(energy.error).max() > 1e-7 * energy.scale
    assert set(energy.corrected) == set(ALL)


def test_corrections_that_are_not_made_are_not_in_the_ledger() -> None:
    run = gr.simulate(pendulum(5, angle=1.0), until=1.0, interval=0.2, solver="rk4", step=0.01,
                      corrections=["velocity"])
    assert not np.any(run.energy.corrected["position"])
    assert not np.any(run.energy.corrected["energy"])
    assert np.any(run.energy.corrected["velocity"])
