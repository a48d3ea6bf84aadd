"""Drag: exact balance where contact holds a grain, second order where gravity acts, exact where nothing else does."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity

RHO, CD, R, DENSITY = 1.2, 0.5, 1.0, 1.0
MASS = DENSITY * 4.0 / 3.0 * math.pi * R**3
C = 0.5 * RHO * CD * math.pi * R**2 / MASS
"""Drag over mass and the square of the relative velocity [1/m]."""


def stream(step: float, until: float, velocity: list[float], **more: Any) -> gr.Scene:
    fields: dict[str, Any] = {
        "material": {"m": {"density": DENSITY}}, "body": {"ball": {"kind": "sphere", "radius": R, "density": DENSITY}},
        "start": {"ball": {"position": [0.0] * len(velocity)}},
        "load": {"air": {"kind": "drag", "density": RHO, "drag_coefficient": CD, "velocity": velocity}},
        "run": {"until": until, "interval": until / 4, "step": step, "solver": "moreau"}}
    fields["load"] |= more.pop("load", {})
    return gr.Scene(**{**fields, **more})


def contact_forces(run: gr.Run) -> Any:
    """(contacts, 3) in the last frame [N]."""
    arrays = run._recording.arrays
    return arrays["contact_force"][-1, : int(arrays["contact_count"][-1])]


WALL = {"wall": {"kind": "plane", "position": [R, 0.0, 0.0], "normal": [-1.0, 0.0, 0.0]}}


@pytest.mark.parametrize("step", [0.002, 0.02])
@pytest.mark.parametrize("pushed", [False, True], ids=["alone", "pushed"])
def test_the_wall_that_holds_a_grain_bears_its_drag(step: float, pushed: bool) -> None:
    """F = m c u², and a constant force with it, at any step: nothing moves. c h u is up to 0.04, the error that a drag
    has which lets the grain go for a step. Contact forces are recorded in single precision.
    """
    u, force = 9.0, 0.3 * MASS * C * 81.0
    more = {"load": {"thumb": {"kind": "force", "on": "ball", "force": [force, 0.0, 0.0]}}} if pushed else {}
    run = gr.simulate(stream(step, 1.0, [u, 0.0, 0.0], boundary=WALL, **more), progress=False)
    wanted = MASS * C * u * u + (force if pushed else 0.0)
    assert -contact_forces(run)[0, 0] == pytest.approx(wanted, rel=2e-7)
    assert abs(run.position("ball")[-1, 0]) < 1e-9 * R


def test_a_row_of_grains_against_a_wall() -> None:
    """Three balls without shadows: the wall bears the drag of all, the contacts that of those upstream."""
    pattern = {"row": {"kind": "grains", "radius": R, "positions": [[-2.0 * R * k, 0.0, 0.0] for k in range(3)]}}
    run = gr.simulate(stream(0.01, 1.0, [9.0, 0.0, 0.0], boundary=WALL, body={}, start={}, pattern=pattern).with_run(
        tolerance=1e-10), progress=False)
    forces = np.sort(np.abs(contact_forces(run)[:, 0])) / (MASS * C * 81.0)
    np.testing.assert_allclose(forces, [1.0, 2.0, 3.0], rtol=1e-6)


def test_a_free_grain_follows_the_closed_form_at_any_step() -> None:
    """w = u/(1 + c u t) in a uniform stream."""
    for step in (0.01, 0.05):
        run = gr.simulate(stream(step, 1.0, [3.0, -4.0, 0.0]), progress=False)
        wanted = np.array([3.0, -4.0, 0.0]) * (1.0 - 1.0 / (1.0 + C * 5.0))
        np.testing.assert_allclose(run.velocity("ball")[-1], wanted, rtol=1e-12, atol=1e-12)


def test_a_falling_grain_approaches_its_terminal_velocity_with_second_order() -> None:
    """v = v_t tanh(g t/v_t), v_t² = g/c: the error falls by 4 where the step is halved, and the end has none."""
    terminal = math.sqrt(G / C)
    t = 0.5 * terminal / G
    errors = []
    for count in (16, 32, 64):
        run = gr.simulate(stream(t / count, t, [0.0, 0.0, 0.0], load={"g": gravity(0.0, 0.0, -G)}), progress=False)
        errors.append(abs(-run.velocity("ball")[-1, 2] / (terminal * math.tanh(0.5)) - 1.0))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1) and errors[1] / errors[2] == pytest.approx(4.0, rel=0.1)
    run = gr.simulate(stream(0.1 * t, 40.0 * t, [0.0, 0.0, 0.0], load={"g": gravity(0.0, 0.0, -G)}), progress=False)
    assert -run.velocity("ball")[-1, 2] == pytest.approx(terminal, rel=1e-12)


def test_a_grain_that_falls_across_a_stream_is_of_second_order() -> None:
    """The relative velocity turns: no closed form, so differences of halved steps are compared."""
    ends = [gr.simulate(stream(0.4 / count, 0.4, [6.0, 0.0, 0.0], load={"g": gravity(0.0, 0.0, -G)}),
                        progress=False).velocity("ball")[-1] for count in (16, 32, 64, 128)]
    steps = [float(np.linalg.norm(one - two)) for one, two in pairwise(ends)]
    assert steps[0] / steps[1] == pytest.approx(4.0, rel=0.15) and steps[1] / steps[2] == pytest.approx(4.0, rel=0.1)
