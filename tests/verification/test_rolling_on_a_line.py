"""A disk that rolls or slides on a line in 2-D, against closed forms, in every formulation."""

from __future__ import annotations

import math
from typing import Any

import pytest
from numpy.testing import assert_allclose

import granum as gr
from messages import refused

SLOPE, RADIUS, MASS, G = 0.5, 0.2, 3.0, 9.81
TILT = math.atan(SLOPE)
FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell")


def ramp(constraint: Any, surface: dict[str, Any] | None = None, **start: Any) -> gr.Scene:
    """A disk on a line that falls to the right, at rest."""
    return gr.Scene(
        body={"wheel": gr.Disk(radius=RADIUS, mass=MASS)},
        surface={"ramp": surface or {"equation": f"Y + {SLOPE}*X"}}, constraint={"touch": constraint},
        start={"wheel": {"position": (RADIUS * math.sin(TILT), RADIUS * math.cos(TILT)), **start}},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G))}, run={"until": 1.0, "interval": 0.25})


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_down_a_ramp(formulation: str) -> None:
    """a = ⅔ g sin α along the line, N = m g cos α, friction ⅓ m g sin α: rolling needs μ = ⅓ tan α."""
    run = gr.simulate(ramp(gr.Rolling(body="wheel", on="ramp", friction=0.5)), formulation=formulation)
    way = 0.5 * (2.0 / 3.0 * G * math.sin(TILT)) * run.t**2
    assert_allclose(run.position("wheel") - run.position("wheel")[0],
                    way[:, None] * [[math.cos(TILT), -math.sin(TILT)]], atol=1e-10)
    assert_allclose(run.angle("wheel"), -way / RADIUS, atol=1e-9)
    touch = run.reaction("touch")
    assert_allclose(touch.normal, MASS * G * math.cos(TILT), rtol=1e-12)
    assert_allclose(touch.friction, MASS * G * math.sin(TILT) / 3.0, rtol=1e-10)
    assert_allclose(touch.needed_friction, SLOPE / 3.0, rtol=1e-10)
    assert run.energy_error < 1e-12
    if formulation != "newton-euler":
        assert run.minimum_friction("touch").value == pytest.approx(SLOPE / 3.0, rel=1e-9)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "lagrange", "virtual-work"])
def test_a_pulled_disk_slips(formulation: str) -> None:
    """A force k t at the centre of a disk on a level line: friction k t/3 reaches μ m g at t = 3 μ m g/k."""
    mu, k = 0.2, 20.0
    scene = gr.Scene(
        body={"wheel": gr.Disk(radius=RADIUS, mass=MASS)}, surface={"road": gr.Surface(equation="Y")},
        constraint={"touch": gr.Rolling(body="wheel", on="road", friction=mu)},
        start={"wheel": gr.Start(position=(0.0, RADIUS))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G)),
              "pull": {"kind": "formula", "on": "wheel", "force": [f"{k}*t", "0"]}},
        run={"until": 5.0, "interval": 0.5})
    run = gr.simulate(scene, formulation=formulation)
    assert run.t[-1] == pytest.approx(3.0 * mu * MASS * G / k, rel=1e-7)


@pytest.mark.parametrize("formulation", ["newton-euler", "virtual-work"])
def test_sliding(formulation: str) -> None:
    """With backspin it slides: a = g (sin α - μ cos α), φ̈ = -2 μ g cos α/r."""
    mu = 0.1
    scene = ramp(gr.Sliding(body="wheel", on="ramp", friction=mu), angular_velocity=2.0)
    run = gr.simulate(scene, formulation=formulation)
    way = 0.5 * G * (math.sin(TILT) - mu * math.cos(TILT)) * run.t**2
    assert_allclose(run.position("wheel")[:, 0] - run.position("wheel")[0, 0], way * math.cos(TILT), atol=1e-9)
    assert_allclose(run.angle("wheel"), 2.0 * run.t - mu * G * math.cos(TILT) / RADIUS * run.t**2, atol=1e-8)


def test_a_line_is_straight_and_at_rest() -> None:
    """Other curves, surfaces in motion and starts of contacts are refused by name."""
    roll = gr.Rolling(body="wheel", on="ramp")
    with refused(gr.SceneError, "constraint.touch", '"ramp"', "straight"):
        gr.simulate(ramp(roll, {"equation": "Y - X**2"}))
    with refused(gr.SceneError, "constraint.touch", '"ramp"', "motion"):
        gr.simulate(ramp(roll, {"equation": "Y + 0.5*X", "motion": {"velocity": [1.0, 0.0]}}))
    with refused(gr.SceneError, "start.wheel", "2-D"):
        gr.simulate(ramp(roll, spin=1.0))


def test_the_derivation_has_the_radius() -> None:
    """(m r² + I) φ̈ by Gibbs and Appell."""
    text = str(gr.derive(ramp(gr.Rolling(body="wheel", on="ramp")), "gibbs-appell").derivation())
    assert "r_wheel" in text and "phi_wheel_ddot" in text
