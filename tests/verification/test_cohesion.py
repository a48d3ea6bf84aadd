"""Cohesion in `unilateral` (FMAX of Sun 1996, Appendix E): a link holds until its tension exceeds it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, grain, gravity
from granum.base.errors import SceneError
from messages import refused

R, MASS = 0.1, 2.0
CEILING = {"ceiling": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, -1.0], "material": "clay"}}


def scene(grains: dict[str, Any], cohesion: float, boundary: dict[str, Any] | None = None, until: float = 0.5,
          **more: Any) -> gr.Scene:
    return gr.Scene(**{
        "material": {"clay": {"cohesion": cohesion, **more.pop("material", {})}, "rock": {}},
        "boundary": boundary or {}, "body": {name: {**one["body"], "material": "clay"} for name, one in grains.items()},
        "start": {name: one["start"] for name, one in grains.items()},
        "run": {"until": until, "interval": until / 10, "step": 1e-3, "solver": "unilateral", "tolerance": 1e-10},
        **more})


def row(count: int) -> dict[str, Any]:
    """Disks below a ceiling, one under the other."""
    return {f"d{k}": grain((0.0, -R * (2 * k + 1)), radius=R, mass=MASS) for k in range(count)}


@pytest.mark.parametrize("part", [1.01, 0.99], ids=["holds", "breaks"])
def test_two_disks_about_each_other(part: float) -> None:
    """The tension is m ω² r: with more cohesion they go round, at a constant distance; with less they fly straight on.

    The scheme is of second order; a link that breaks does so at the start.
    """
    omega, until = 4.0, 0.5
    pair = {"a": grain((-R, 0.0), (0.0, -omega * R), radius=R, mass=MASS),
            "b": grain((R, 0.0), (0.0, omega * R), radius=R, mass=MASS)}
    run = gr.simulate(scene(pair, part * MASS * omega**2 * R, until=until), progress=False)
    turn = omega * until
    round_ = R * np.array([math.cos(turn), math.sin(turn)])
    wanted = round_ if part > 1.0 else np.array([R, omega * R * until])
    np.testing.assert_allclose(run.position("b")[-1, :2], wanted, atol=2e-6)
    np.testing.assert_allclose(run.position("a")[-1, :2], -wanted, atol=2e-6)
    assert run.energy.largest_error < 1e-5


def heights(run: gr.Run, count: int) -> Any:
    """How far each disk has fallen."""
    return [float(run.position(f"d{k}")[0, 1] - run.position(f"d{k}")[-1, 1]) for k in range(count)]


@pytest.mark.parametrize(("cohesion", "ceiling", "falling"), [
    (3.01, None, 0), (2.99, None, 3), (2.01, 3.01, 0), (1.99, 3.01, 2), (0.99, 3.01, 2), (0.0, 3.01, 2)])
def test_a_row_hangs_by_the_link_that_bears_most(cohesion: float, ceiling: float | None, falling: int) -> None:
    """Tensions are 3, 2 and 1 m g. What breaks is the link that bears too much; below it all fall together."""
    pair, wall = {}, CEILING
    if ceiling is not None:
        pair = {"up": {"between": ["clay", "rock"], "cohesion": ceiling * MASS * G}}
        wall = {"ceiling": {**CEILING["ceiling"], "material": "rock"}}
    run = gr.simulate(scene(row(3), cohesion * MASS * G, wall, load={"g": gravity(0.0, -G)}, pair=pair), progress=False)
    fall = 0.5 * G * 0.5**2
    np.testing.assert_allclose(heights(run, 3), [0.0] * (3 - falling) + [fall] * falling, atol=1e-9)


def test_a_growing_force_breaks_a_link_in_time() -> None:
    """F = m j t pulls a disk off a ceiling at t₀ = c/(m j); then x = j ((t³ - t₀³)/6 - t₀² (t - t₀)/2). The link breaks
    in the step in which the force exceeds c: at most h too early or too late.
    """
    jerk, t0, until = 40.0, 0.3037, 0.5
    one = scene(row(1), MASS * jerk * t0, CEILING, until, load={"pull": {"kind": "force-field",
                                                                     "force": ["0", f"-m*{jerk}*t"]}})
    for h in (2e-3, 5e-4):
        fell = heights(gr.simulate(one.with_run(step=h), progress=False), 1)[0]
        wanted = jerk * ((until**3 - t0**3) / 6.0 - 0.5 * t0**2 * (until - t0))
        # dx/dt₀ = -j t₀ (t - t₀), and loads act one step late in `unilateral`
        assert abs(fell - wanted) < 2.5 * h * jerk * t0 * (until - t0)


def test_no_friction_under_tension() -> None:
    """Friction is that of pressed contacts (4.14): a disk that hangs slides as if the ceiling were smooth."""
    run = gr.simulate(scene(row(1), 3.0 * MASS * G, CEILING, material={"friction": 0.8}, load={
        "g": gravity(1.0, -G)}), progress=False)
    np.testing.assert_allclose(run.position("d0")[-1, :2], [0.5 * 0.5**2, -R], atol=1e-9)


def test_contacts_of_a_hanging_disk_pull() -> None:
    """The recorded force of the ceiling is m g upward; it comes from below the ceiling."""
    run = gr.simulate(scene(row(1), 3.0 * MASS * G, CEILING, load={"g": gravity(0.0, -G)}), progress=False)
    arrays = run._recording.arrays
    force = arrays["contact_force"][-1, : int(arrays["contact_count"][-1])]
    np.testing.assert_allclose(np.abs(force[:, 1]), [MASS * G], rtol=1e-6)


def test_interrupted_and_resumed_runs_are_the_same() -> None:
    """Links that hang are in the checkpoint."""
    whole = scene(row(3), 3.01 * MASS * G, CEILING, load={"g": gravity(0.3, -G)})
    run = gr.simulate(whole, progress=False)
    simulation = gr.Simulation(whole)
    simulation.advance(0.2)
    later = simulation.branch()
    later.advance(0.5)
    for name in ("d0", "d2"):
        assert np.array_equal(later.body(name).position, run.position(name)[-1])


@pytest.mark.parametrize("solver", ["moreau", "soft", "events"])
def test_other_solvers_refuse_cohesion(solver: str) -> None:
    wet = scene(row(1), 1.0, CEILING).with_run(solver=solver)
    wet = wet.model_copy(update={"pair": {"up": gr.Pair(between=("clay", "clay"), cohesion=2.0)}})
    with refused(SceneError, "material.clay.cohesion", "pair.up.cohesion", f'"{solver}"', '"unilateral"'):
        gr.simulate(wet, progress=False)
