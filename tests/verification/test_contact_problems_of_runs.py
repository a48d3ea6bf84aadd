"""Steps of runs as contact problems: what is solved from W, q and μ is what the run has recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from commands import granum
from grain_scenes import FLOOR, grain, scene
from granum.base.errors import GranumError
from granum.contact import load_problem, solve_problem
from messages import refused

STEP = 1e-3
EXACT: dict[str, Any] = {"solver": "moreau", "step": STEP, "interval": STEP, "until": 20 * STEP, "tolerance": 1e-12}
WALLS = {"floor": FLOOR, "left": {"kind": "plane", "position": [0.0, 0.0], "normal": [1.0, 0.0]},
         "right": {"kind": "plane", "position": [0.5, 0.0], "normal": [-1.0, 0.0]}}


def pyramid(fall: float = 0.0, **material: float) -> gr.Scene:
    """Two disks on a floor between walls and a third one on them: 6 contacts, and 6 velocities without rotation."""
    top = (0.25, 0.1 + 0.0175**0.5)  # 0.2 m from both
    return scene({"a": grain((0.1, 0.1)), "b": grain((0.4, 0.1)), "c": grain(top, (0.0, -fall) if fall else None)},
                 boundary=WALLS, material=material, run=EXACT)


def clump(**more: Any) -> gr.Scene:
    """A body of two spheres that lies on a floor, turns about z, and slides; a sphere rests on the floor beside it."""
    return gr.Scene(**{
        "material": {"stone": {"friction": 0.2, "restitution": 0.0}},
        "body": {"pair": {"kind": "clump", "mass": 1.0, "spheres": [
                     {"centre": [-0.08, 0.0, 0.0], "radius": 0.1}, {"centre": [0.08, 0.0, 0.0], "radius": 0.1}]},
                 "ball": {"kind": "sphere", "radius": 0.1, "mass": 1.0}},
        "boundary": {"floor": {"kind": "plane", "position": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
        "start": {"pair": {"position": [0.0, 0.0, 0.1], "velocity": [1.0, 0.0, 0.0],
                           "angular_velocity": [0.0, 0.0, 5.0]},
                  "ball": {"position": [1.0, 0.0, 0.1]}},
        "run": EXACT, **more})


@pytest.fixture(scope="module")
def frictionless() -> gr.Run:
    return gr.simulate(pyramid(friction=0.0, restitution=0.0), progress=False)


SINGLE = 2e-7
"""Forces of frames are recorded in single precision: roundings of 6e-8, and of their components."""


def impulses(run: gr.Run, frame: int) -> Any:
    """Sizes of the impulses of the last step of a frame [N s], ascending."""
    return np.sort(np.linalg.norm(run.frame(frame).force, axis=1)) * STEP


@pytest.mark.parametrize("frame", [0, 5, 18, 19])
def test_impulses_are_those_of_the_next_frame(frictionless: gr.Run, frame: int) -> None:
    """Without friction an isostatic pile has one solution: both agree to their tolerances, 1e-12 of g h over impulses
    of m g h, times the condition of W (below 100).
    """
    problem = frictionless.contact_problem(frame)
    found = solve_problem(problem, tolerance=1e-12)
    assert found.converged and problem.dimension == 2 and problem.contacts == 6 and problem.rank == 9
    assert_allclose(np.sort(found.r[::2]), impulses(frictionless, frame + 1), rtol=SINGLE)
    # floors bear 3/2 of a weight each, the upper contacts half of one over their slope, walls what these push apart;
    # positions are those of a bed at rest to 1e-10 of a radius
    weight, height = 9.81 * STEP, 0.0175**0.5
    statics = [1.5 * weight, 0.5 * weight * 0.2 / height, 0.5 * weight * 0.15 / height]
    assert_allclose(np.sort(found.r[::2]), np.sort(statics * 2), rtol=1e-8)


def test_restitution_is_in_q() -> None:
    """A disk hits two others at once: u_n = -e u_n⁻ at both of its contacts, which the law of the problem has as 0."""
    e, fall = 0.5, 1.0
    run = gr.simulate(pyramid(fall, friction=0.0, restitution=e), progress=False)
    problem = run.contact_problem(0)
    found = solve_problem(problem, tolerance=1e-12)
    assert_allclose(found.r, problem.r, atol=1e-10)
    assert_allclose(np.sort(found.r[::2][found.r[::2] > 0.0]), impulses(run, 1), rtol=SINGLE)
    # a and b are held by floor and walls, so that c rebounds along y with e v; gravity acts on the approach
    assert run.velocity("c")[1, 1] == pytest.approx(e * fall, rel=0.05)


@pytest.mark.parametrize("frame", [0, 7, 20])
def test_bodies_with_arms(frame: int) -> None:
    """Slip of a turning clump and rest of a ball: three contacts on a floor have one solution (Coulomb's friction does
    not press on it), and W is symmetric of rank 8: both feet cannot move apart along their line.
    """
    run = gr.simulate(clump(), progress=False)
    problem = run.contact_problem(frame)
    assert problem.contacts == 3 and problem.rank == 8
    assert_allclose(problem.W.toarray(), problem.W.toarray().T, atol=1e-12)
    assert problem.residual(problem.r) < 1e-10
    found = solve_problem(problem, tolerance=1e-13)
    assert_allclose(found.u, problem.u, atol=1e-9)
    if frame < 20:
        assert_allclose(np.sort(np.linalg.norm(found.r.reshape(3, 3), axis=1)), impulses(run, frame + 1), rtol=SINGLE)


def test_boundaries_and_loads_go_on_from_the_time_of_the_frame() -> None:
    """A floor that shakes: the disk on it has the velocity of the floor at the end of the step, whatever frame."""
    shaken = scene({"a": grain((0.0, 0.1))}, boundary={"floor": {**FLOOR, "motion": {
        "amplitude": [0.0, 0.01], "frequency": 2.0}}}, material={"friction": 0.0, "restitution": 0.0}, run=EXACT)
    run = gr.simulate(shaken, progress=False)
    problem = run.contact_problem(10)
    assert problem.contacts == 1
    assert_allclose(solve_problem(problem, tolerance=1e-14).r[0], impulses(run, 11)[0], rtol=SINGLE)


def test_a_step_is_exported_read_and_solved(frictionless: gr.Run, tmp_path: Path) -> None:
    gr.export(frictionless, "fclib", tmp_path / "step.hdf5", frame=5)
    problem, own = load_problem(tmp_path / "step.hdf5"), frictionless.contact_problem(5)
    for name in ("q", "mu", "r", "u"):
        assert_allclose(getattr(problem, name), getattr(own, name), rtol=0.0, atol=0.0)
    assert (problem.W != own.W).nnz == 0
    told = granum("contact", tmp_path / "step.hdf5", "--tolerance", "1e-10")
    assert told.returncode == 0 and "contacts     6" in told.stdout


def test_what_is_no_such_problem_is_refused(frictionless: gr.Run, tmp_path: Path) -> None:
    soft = gr.simulate(pyramid(friction=0.0, stiffness=1e5), solver="soft", step=1e-4, until=STEP, progress=False)
    with refused(GranumError, "soft", "moreau"):
        soft.contact_problem()
    rolling = gr.simulate(pyramid(friction=0.5, rolling_friction=0.1), until=STEP, progress=False)
    with refused(GranumError, "rolling_friction"):
        rolling.contact_problem()
    with refused(GranumError, "fclib", "--every"):
        gr.export(frictionless, "fclib", tmp_path / "step.hdf5", every=2)
    with refused(GranumError, ".hdf5"):
        gr.export(frictionless, "fclib", tmp_path / "step.h5")
