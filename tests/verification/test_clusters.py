"""Clusters of clumps and points: five formulations in one state, and two of them over a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.analytic.linearization import null_space
from granum.base.errors import GranumError
from messages import refused

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster.toml"
FORMULATIONS = ("lagrange", "gibbs-appell", "virtual-work", "scalar")


@pytest.mark.parametrize("seed", range(5))
def test_five_formulations_agree(seed: int) -> None:
    """Accelerations and link forces in random admissible motions, turned at random; solves in double precision."""
    rng = np.random.default_rng(seed)
    turned = rng.normal(size=4)
    scene = gr.load(EXAMPLE)
    start = {**scene.start, "pair": gr.Start(position=tuple(rng.normal(size=3)),
                                             orientation=tuple(turned / np.linalg.norm(turned)))}
    scene = gr.Scene(**{**scene.model_dump(by_alias=True, exclude_none=True), "start": {
        name: entry.model_dump(exclude_none=True) for name, entry in start.items()}})
    reference = gr.derive(scene, "fundamental")
    q, v = reference.start
    A = reference.constraint_rows(q, v)
    basis = null_space(A)
    v = basis @ rng.normal(size=basis.shape[1])
    expected, forces = reference.accelerations(q, v), reference.reactions(q, v)
    for formulation in FORMULATIONS:
        equations = gr.derive(scene, formulation)
        assert equations.accelerations(q, v) == pytest.approx(expected, rel=1e-10, abs=1e-10 * np.abs(expected).max())
        assert equations.reactions(q, v) == pytest.approx(forces, rel=1e-9, abs=1e-9)


def test_scalar_runs_as_fundamental_does() -> None:
    """Two seconds at 1e-11: errors of 400 steps, grown by the motion, stay below 1e-8; charts change on the way."""
    scene = gr.load(EXAMPLE)
    runs = [gr.simulate(scene, formulation=formulation) for formulation in ("scalar", "fundamental")]
    for body in ("pair", "triple", "bead"):
        assert runs[0].position(body)[-1] == pytest.approx(runs[1].position(body)[-1], abs=1e-8)
    assert runs[0].summary["energy"]["relative_error"] < 1e-10


def test_generalised_masses_are_those_of_the_path_matrix() -> None:
    """Kinetic energy from the masses in angles equals that of the bodies."""
    scene = gr.load(EXAMPLE)
    equations = gr.derive(scene, "scalar")
    q, _ = equations.start
    v = null_space(gr.derive(scene, "fundamental").constraint_rows(q, 0.0 * q)) @ np.ones(12)
    M = equations.angle_mass_matrix(q, v)  # type: ignore[attr-defined]
    _, rates = equations.angles(q, v)  # type: ignore[attr-defined]
    assert 0.5 * rates @ M @ rates == pytest.approx(0.5 * v @ equations.mass_matrix(q) @ v, rel=1e-12)


def test_what_is_no_cluster_is_refused() -> None:
    """A rolling body has no scalar equations, and the answer names what is in the way."""
    with refused(GranumError, "roll", "fundamental"):
        gr.derive(gr.load(EXAMPLE.with_name("rolling-shell.toml")), "scalar")
