"""Free systems: momentum and angular momentum stay what they were, whatever happens inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.kernels import Floats

SOLVERS = {
    "dop853": {"solver": "dop853", "tolerance": 1e-11},
    "adams": {"solver": "adams", "tolerance": 1e-11},
    "lagrange": {"solver": "dop853", "tolerance": 1e-11, "formulation": "lagrange"},
    "rk4": {"solver": "rk4"},
    "rattle": {"solver": "rattle"},
    "mixed": {"solver": "mixed", "tolerance": 1e-12},
}


def free_system(dimension: int) -> gr.Scene:
    """A ring and a tree that fly, joined by springs with dampers: links, loops and loads, nothing outside."""
    more = (0.0,) * (dimension - 2)
    springs = {
        "one": gr.Spring(between=("ring-1", "tree-3"), stiffness=30.0, damping=0.2),
        "two": gr.Spring(between=("ring-4", "ring-1"), stiffness=10.0, rest_length=0.5, damping=0.1),
    }
    return gr.Scene(
        pattern={
            "ring": gr.Ring(count=6, radius=0.5, centre=(0.0, 0.0, *more), angular_velocity=3.0, mass=0.5),
            "tree": gr.Tree(position=(1.0, 0.5, *more), depth=3, length=0.4, direction=(1.0, 0.2, *more),
                            spread=1.0, mass=0.3),
        },
        load=springs, run=gr.RunSettings(until=1.0, interval=0.25, step=0.002),
    )


def momenta(run: gr.Run) -> tuple[Floats, Floats]:
    """Momentum and angular momentum about the origin at every frame."""
    mass = np.array([0.5] * 6 + [0.3] * (len(run.body_names) - 6))[:, None]
    x, v = (np.zeros((len(run.t), len(mass), 3)) for _ in range(2))
    x[..., : run.positions.shape[-1]], v[..., : run.positions.shape[-1]] = run.positions, run.velocities
    return (mass * v).sum(axis=1), np.cross(x, mass * v).sum(axis=1)


@pytest.mark.parametrize(
    ("name", "dimension"), [(name, d) for name in SOLVERS for d in (2, 3) if (name, d) != ("lagrange", 3)]
)
def test_momentum_is_kept(name: str, dimension: int) -> None:
    """Forces come in pairs, so every solver keeps momentum to rounding (lagrange: to its tolerance).

    Angular momentum is a quadratic invariant: rattle keeps it to rounding, the others to their error.
    """
    settings: dict[str, Any] = SOLVERS[name]
    run = gr.simulate(free_system(dimension), **settings)
    p, L = momenta(run)
    assert np.abs(run.positions[-1] - run.positions[0]).max() > 0.1
    assert_allclose(p, p[:1].repeat(len(p), axis=0), rtol=0, atol=1e-9 if name == "lagrange" else 1e-12)
    accuracy = {"rattle": 1e-12, "rk4": 1e-8, "mixed": 1e-3}.get(name, 1e-9)
    assert_allclose(L, L[:1].repeat(len(L), axis=0), rtol=0, atol=accuracy)
