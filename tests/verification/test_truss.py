"""The overconstrained truss (Sun 1996, fig. 2.2b) moves like the rigid body it is; its forces are of least norm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

import granum as gr
from dense import dense
from granum.base.kernels import Floats
from scenes import G, truss

SOLVERS: dict[str, dict[str, Any]] = {
    "dop853": {"tolerance": 1e-12},
    "lagrange": {"tolerance": 1e-12, "formulation": "lagrange"},
    "rk4": {"solver": "rk4", "step": 1e-3},
    "rattle": {"solver": "rattle", "step": 1e-3},
    "mixed": {"solver": "mixed", "step": 1e-3, "tolerance": 1e-12, "corrections": ["position", "velocity"]},
}
# global errors of a turn at ω = 2/s: (ωh)^p for the fixed steps, the tolerance times the steps for the others
ACCURACY = {"dop853": 1e-10, "lagrange": 1e-10, "rk4": 2e-11, "rattle": 4e-6, "mixed": 4e-6}


def turned(points: Floats, angle: float) -> Floats:
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return points @ rotation.T


@pytest.mark.parametrize("name", SOLVERS)
def test_thrown_it_flies_as_a_rigid_body(name: str) -> None:
    """The centre on its parabola, the rest turned about it by ω t."""
    run = gr.simulate(truss(velocity=(1.0, 3.0), spin=2.0), until=1.0, interval=0.25, **SOLVERS[name])
    start = run.positions[0]
    for t, found in zip(run.t, run.positions, strict=True):
        centre = np.array([1.0, 3.0]) * t + np.array([0.0, -G]) * t**2 / 2.0
        assert_allclose(found, centre + turned(start, 2.0 * t), rtol=0, atol=ACCURACY[name])
    assert set(run.statistics["redundant"][1:]) == {1}


@pytest.mark.parametrize("name", SOLVERS)
def test_pinned_it_swings_as_a_physical_pendulum(name: str) -> None:
    """Hung at a corner with its centre level: T = 4 √(I/(m g d)) K(sin² 45°), I = Σ m r² about the corner."""
    scene = truss(pinned=True)
    points = np.array([start.position for start in scene.start.values()])
    arm = points - np.array(scene.body["corner-1"].position)
    inertia, moment = 0.5 * (arm**2).sum(), 0.5 * np.linalg.norm(arm.sum(axis=0))
    period = 4.0 * np.sqrt(inertia / (G * moment)) * ellipk(0.5)
    run = gr.simulate(scene, until=period, interval=period / 4.0, **SOLVERS[name])
    moving = [run.body_names.find(name) for name in scene.start]
    pin = np.array([1.0, 0.0])
    accuracy = 10 * ACCURACY[name]
    for frame, angle in enumerate([0.0, np.pi / 2, np.pi, np.pi / 2, 0.0]):
        expected = pin + turned(run.positions[0, moving] - pin, angle)
        assert_allclose(run.positions[frame, moving], expected, rtol=0, atol=accuracy)


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
@pytest.mark.parametrize("pinned", [False, True])
def test_its_forces_are_those_of_least_norm(formulation: str, pinned: bool) -> None:
    """γ = pinv(H) b, from the start of the run and from any later frame."""
    scene = truss(pinned=pinned, spin=3.0)
    run = gr.simulate(scene, until=0.5, interval=0.25, tolerance=1e-12, formulation=formulation)
    for frame in range(len(run.t)):
        start = {
            name: gr.Start(position=tuple(run.position(name)[frame]),
                           velocity=tuple(run.velocity(name)[frame])) for name in scene.start
        }
        now = dense(scene.model_copy(update={"start": start}))
        assert now.rank == 11
        expected = now.forces()[now.system.link_rank]
        assert_allclose(run.tensions[frame], expected, rtol=0, atol=1e-9)
        self_stress = np.array([1.0] * 6 + [-1.0] * 6)  # spokes pull, sides push: in balance on every body
        assert_allclose(run.tensions[frame] @ self_stress, 0.0, rtol=0, atol=1e-9)
