"""The energy balance: bodies gain what loads and dampers do, and the error is all else, corrections included."""

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
    """Kinetic energy from the recorded velocities, work from the balance: equal to the solver's error."""
    run = gr.simulate(SCENES[name](), until=0.5, interval=0.1, tolerance=1e-12)
    mass = np.array([_mass(run.scene, body) for body in run.body_names])
    kinetic = 0.5 * (mass[:, None] * run.velocities**2).sum(axis=(1, 2))
    # both are sums of at most 100 positive terms: 100 units of rounding each, 2e-14, in whatever order they are added
    assert_allclose(run.energy.kinetic, kinetic, rtol=1e-13)
    work = sum(run.energy.work.values(), np.zeros_like(kinetic))
    assert_allclose(kinetic - kinetic[0], work, rtol=0, atol=1e-9 * run.energy.scale[-1])
    assert run.energy_error < 1e-9


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
    """Every work of the balance against ∫ F·v dt over the frames, springs and their dampers apart."""
    gravity = -G * sum(damped.velocity(f"bob-{k}")[:, 1] for k in range(1, 5))
    assert_allclose(damped.energy.work["gravity"][-1], simpson(gravity, x=damped.t), rtol=0, atol=1e-8)
    for name in ("to-wall", "across"):
        rate, elastic, viscous = _spring(damped, name)
        for agent, pull in ((name, elastic), (f"{name} damper", viscous)):
            assert_allclose(damped.energy.work[agent][-1], simpson(-pull * rate, x=damped.t), rtol=0, atol=1e-8)


def _spring(run: gr.Run, name: str) -> tuple[Floats, Floats, Floats]:
    """Rate of the length of a spring, and its elastic and viscous pull, at every frame."""
    spring = run.scene.load[name]
    arm = run.position(spring.between[1]) - run.position(spring.between[0])
    length = np.linalg.norm(arm, axis=1)
    rate = (arm * (run.velocity(spring.between[1]) - run.velocity(spring.between[0]))).sum(axis=1) / length
    rest = length[0] if spring.rest_length is None else spring.rest_length
    return rate, spring.stiffness * (length - rest), spring.damping * rate


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
    """What springs and dampers did by the end, each by its name, against the run with dense frames."""
    settings, accuracy = SOLVERS[solver]
    run = gr.simulate(sprung(), until=1.0, interval=0.5, **settings)
    for name in ("to-wall", "across", "to-wall damper", "across damper"):
        expected = damped.energy.work[name][-1]
        assert_allclose(run.energy.work[name][-1], expected, rtol=0, atol=accuracy)
    lost = run.energy.total[-1] - run.energy.total[0]
    assert lost < -0.01


@pytest.mark.parametrize("solver", ["rk4", "mixed"])
def test_corrections_of_the_energy_take_back_what_others_and_the_steps_made(solver: str) -> None:
    """The error is what is left: round-off, though the parts that corrections made are a million times as large."""
    run = gr.simulate(pendulum(5, angle=1.0), until=4.0, interval=0.2, solver=solver, step=0.01,
                      corrections=ALL)
    energy = run.energy
    assert run.energy_error < 1e-12
    assert np.abs(energy.corrected["energy"]).max() > 1e-7 * energy.scale[-1]
    assert set(energy.corrected) == set(ALL)


@pytest.mark.parametrize("corrections", [("position",), ("position", "velocity")])
def test_energy_from_corrections_is_error(corrections: tuple[str, ...]) -> None:
    """Gravity alone does work, so the error is the whole change of K + V, taken here from the recorded motion."""
    run = gr.simulate(pendulum(5, angle=1.0), until=2.0, interval=0.2, solver="rk4", step=0.02, corrections=corrections)
    total = 0.5 * (run.velocities**2).sum(axis=(1, 2)) + G * run.positions[..., 1].sum(axis=1)
    assert_allclose(run.energy.error, total - total[0], rtol=0, atol=1e-12 * np.abs(total).max())
    added = sum(run.energy.corrected.values(), np.zeros_like(run.t))
    assert np.abs(added).max() > 1e-6 * run.energy.scale[-1]


def test_the_error_falls_with_the_order_of_the_method() -> None:
    """rk4 with corrections: half the step, a sixteenth of the error (order 4) or less; measured 2⁴ to 2⁵."""
    coarse, fine = (gr.simulate(pendulum(5, angle=1.0), until=2.0, interval=0.5, solver="rk4", step=step,
                                corrections=["position", "velocity"]).energy_error for step in (0.01, 0.005))
    assert coarse > 1e-8
    assert fine < coarse / 2.0**3.5


def test_corrections_that_are_not_made_are_not_in_the_balance() -> None:
    run = gr.simulate(pendulum(5, angle=1.0), until=1.0, interval=0.2, solver="rk4", step=0.01,
                      corrections=["velocity"])
    assert not np.any(run.energy.corrected["position"])
    assert not np.any(run.energy.corrected["energy"])
    assert np.any(run.energy.corrected["velocity"])
