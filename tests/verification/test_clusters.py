"""Clusters of clumps, rods and points: formulations in one state, and scalar against fundamental over a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from cluster_scenes import CLUSTERS, moving_state, rods
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


@pytest.mark.parametrize("name", CLUSTERS)
def test_scalar_and_fundamental_agree(name: str) -> None:
    """Torques, forces at points, springs and dampers, 2-D and 3-D, trees and loops: accelerations and reactions."""
    scene = CLUSTERS[name]()
    equations, reference = gr.derive(scene, "scalar"), gr.derive(scene, "fundamental")
    for seed in range(3):
        q, v = moving_state(scene, seed)
        expected = reference.accelerations(q, v)
        assert equations.accelerations(q, v) == pytest.approx(expected, rel=1e-10, abs=1e-10 * np.abs(expected).max())
        assert equations.reactions(q, v) == pytest.approx(reference.reactions(q, v), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("name", "until"), [
    ("cluster", 2.0), ("loaded cluster", 0.5), ("spatial loop", 0.3), ("free pair", 0.5), ("rods", 0.5),
    ("closed rods", 0.5), ("four-bar", 0.5)])
def test_scalar_runs_as_fundamental_does(name: str, until: float) -> None:
    """At 1e-11: errors of up to 400 steps, grown by the motion, stay below 1e-8; charts change on the way."""
    scene = CLUSTERS[name]()
    runs = [gr.simulate(scene, formulation=formulation, until=until, tolerance=1e-11)
            for formulation in ("scalar", "fundamental")]
    assert runs[0].positions == pytest.approx(runs[1].positions, abs=1e-8)
    assert runs[0].energy_error < 1e-10
    for one, other in zip(runs[0].energy.work.values(), runs[1].energy.work.values(), strict=True):
        assert one == pytest.approx(other, abs=1e-8)


def test_a_rod_that_goes_round_keeps_counting() -> None:
    """A rod on a hinge with a torque: its angle passes π, 2π, ... without a jump, φ = τ t²/2(I + m l²/4)."""
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.Rod(length=0.6, mass=0.5)},
        constraint={"hinge": gr.Hinge(between=("pin", "rod.tail"))}, start={"rod": gr.Start(angle=0.0)},
        load={"motor": gr.Torque(on="rod", torque=0.8)})
    run = gr.simulate(scene, formulation="scalar", until=1.5, tolerance=1e-11)
    inertia = 0.5 * 0.6**2 / 3.0
    assert run.coordinate("rod.angle") == pytest.approx(0.5 * 0.8 / inertia * run.t**2, abs=1e-8)
    assert run.coordinate("rod.angle")[-1] > 2.0 * np.pi


def test_commands_of_an_actuator_reach_the_loads() -> None:
    """A motor in the elbow that is commanded between steps: scalar and fundamental follow it alike."""
    scene = rods().model_copy(update={"actuator": {"servo": gr.TorqueActuator(joint="elbow", torque=0.4)}})
    ends = []
    for formulation in ("scalar", "fundamental"):
        equations: Any = gr.derive(scene, formulation)
        (command,) = equations.system.inputs
        for value in (0.0, 1.5):
            equations.system.parameter_values[list(equations.system.parameters).index(command)] = value
            equations.take_parameters()
            ends.append(equations.accelerations(*equations.start))
    assert np.abs(ends[1] - ends[0]).max() > 0.1
    for one, other in zip(ends[:2], ends[2:], strict=True):
        assert one == pytest.approx(other, rel=1e-9)


def test_generalised_masses_are_those_of_the_path_matrix() -> None:
    """Kinetic energy from the masses in angles equals that of the bodies."""
    scene = gr.load(EXAMPLE)
    equations = gr.derive(scene, "scalar")
    q, _ = equations.start
    v = null_space(gr.derive(scene, "fundamental").constraint_rows(q, 0.0 * q)) @ np.ones(12)
    M = equations.angle_mass_matrix(q, v)  # type: ignore[attr-defined]
    _, rates = equations.angles(q, v)  # type: ignore[attr-defined]
    assert 0.5 * rates @ M @ rates == pytest.approx(0.5 * v @ equations.mass_matrix(q) @ v, rel=1e-12)


def test_angles_of_the_document_are_refused_at_their_poles() -> None:
    """θ = 0 of a body that is not rotated: ψ and φ have no values of their own."""
    equations: Any = gr.derive(gr.load(EXAMPLE).vary({"start.triple.orientation": [1.0, 0.0, 0.0, 0.0]}), "scalar")
    with refused(GranumError, "triple", "z axis"):
        equations.angles(*equations.start, of_source=True)


def test_what_is_no_cluster_is_refused() -> None:
    """A rolling body has no scalar equations, and the answer names what is in the way."""
    with refused(GranumError, "roll", "fundamental"):
        gr.derive(gr.load(EXAMPLE.with_name("rolling-shell.toml")), "scalar")


@pytest.mark.parametrize(("body", "named"), [
    (gr.Rod(length=1.0, mass=1.0), ("arm", "inertia", "radius")),
    (gr.PointMass(mass=1.0), ("ball", "arm", "clump"))], ids=["thin rod", "point at a joint"])
def test_what_has_no_angles_is_refused_by_name(body: gr.Body, named: tuple[str, ...]) -> None:
    """A rod without a radius has two Euler angles too few; a point mass at a joint has none."""
    end = "arm" if isinstance(body, gr.PointMass) else "arm.tail"
    scene = gr.Scene(
        body={"nail": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "ring": gr.Sphere(radius=0.1, mass=1.0), "arm": body},
        link={"rope": gr.Link(between=("nail", "ring"))}, constraint={"ball": gr.BallJoint(between=("ring", end))},
        start={"ring": gr.Start(position=(0.5, 0.0, 0.0))})
    with refused(GranumError, *named, "fundamental"):
        gr.derive(scene, "scalar")


def test_formulas_beside_bodies_are_refused() -> None:
    """A potential energy of [system] would be left out without a word."""
    scene = rods().model_copy(update={"system": gr.FormulaSystem(potential="50*bob.x**2")})
    with refused(GranumError, "formulas", "fundamental"):
        gr.derive(scene, "scalar")
