"""Friction models of `unilateral` (Sun 1996, fig. 4.4): a block that slides, creeps and stops, in closed form."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import granum as gr
from grain_beds import FLOOR, G, advance, disks, make
from grain_scenes import grain, gravity
from granum.base.errors import SceneError
from messages import refused

MU, EPSILON = 0.5, 0.2
MODELS = ("linear", "exponential")


def part(model: str, sliding: float) -> float:
    """Friction over μ γ, as the figure shows it: (4.16), or Threlfall's law, which is full at ε as well."""
    if sliding >= EPSILON:
        return 1.0
    return sliding / EPSILON if model == "linear" else math.expm1(-3.0 * sliding / EPSILON) / math.expm1(-3.0)


def creep(model: str, wanted: float) -> float:
    """The sliding at which friction is this part of its limit."""
    return EPSILON * wanted if model == "linear" else -EPSILON / 3.0 * math.log(1.0 - (1.0 - math.exp(-3.0)) * wanted)


def block(model: str, angle: float, speed: float = 0.0, epsilon: float = EPSILON) -> Any:
    """A disk that does not turn on a plane inclined by `angle`; x points down the slope."""
    smoothed = {} if model == "coulomb" else {"friction_velocity": epsilon}
    return make("unilateral", disks((0.0, 0.1), (speed, 0.0), 0.1), FLOOR, (G * math.sin(angle), -G * math.cos(angle)),
                friction=MU, tolerance=1e-10, friction_model=model, **smoothed)


@pytest.mark.parametrize("model", MODELS)
def test_below_the_angle_of_friction_a_block_creeps(model: str) -> None:
    """tan α = μ part(v): where Coulomb's block rests, a smoothed one slides with this velocity, at any step. (4.18)
    keeps it from shaking where a step is longer than m ε/μ γ = 0.4 ms, which is the shortest here.
    """
    for angle in (0.05, 0.3, 0.42):
        wanted = creep(model, math.tan(angle) / MU)
        for h, epsilon in ((1e-3, 1.0), (1e-2, 1.0), (1e-3, 1e-2)):
            solver = block(model, angle, epsilon=EPSILON * epsilon)
            grains = advance(solver, 4.0, h)
            assert grains.v[0, 0] == pytest.approx(wanted * epsilon, rel=1e-7)
            assert grains.x[0, 1] == pytest.approx(0.1, abs=1e-11)
            assert solver.statistics()["residual"] < 1e-6


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("angle", [0.3, 0.7])
def test_a_block_that_starts_to_slide(model: str, angle: float) -> None:
    """v' = g sin α - μ g cos α part(v), against SciPy, with second order; v = v∞ (1 - exp(-t/τ)) by the linear law."""
    until, drive, brake = 0.12, G * math.sin(angle), MU * G * math.cos(angle)

    def slope(t: float, v: Any) -> list[float]:
        return [drive - brake * part(model, float(v[0]))]

    corner = _crossing(slope)  # a corner of the law within the time costs an order
    wanted = float(solve_ivp(slope, (0.0, until), [0.0], rtol=1e-11, atol=1e-14, max_step=1e-3).y[0, -1])
    if model == "linear" and math.tan(angle) < MU:
        tau = EPSILON / brake
        assert wanted == pytest.approx(drive * tau * -math.expm1(-until / tau), rel=1e-9)
    errors = [abs(float(advance(block(model, angle), until, until / count).v[0, 0]) - wanted)
              for count in (30, 60, 120)]
    if corner > until:
        assert [math.log2(a / b) for a, b in pairwise(errors)] == pytest.approx([2.0, 2.0], abs=0.1)
    assert errors[-1] < 2e-4 * wanted


def _crossing(slope: Any) -> float:
    """When friction is fully developed."""
    def full(t: float, v: Any) -> float:
        return float(v[0]) - EPSILON

    full.terminal = True  # type: ignore[attr-defined]
    ends = solve_ivp(slope, (0.0, 1.0), [0.0], events=full, rtol=1e-9, max_step=1e-3).t_events[0]
    return float(ends[0]) if len(ends) else math.inf


def test_the_three_models_stop_a_block() -> None:
    """∫ v dv/(μ g part(v)): v²/2μg by Coulomb's law, (v² + ε²)/2μg by the linear one."""
    speed, errors = 1.0, {}
    for model in ("coulomb", *MODELS):
        if model == "coulomb":
            wanted = speed**2 / (2.0 * MU * G)
        else:
            slow, _ = quad(lambda v, model=model: v / part(model, v), 1e-12, EPSILON)
            wanted = ((speed**2 - EPSILON**2) / 2.0 + slow) / (MU * G)
        if model == "linear":
            assert wanted == pytest.approx((speed**2 + EPSILON**2) / (2.0 * MU * G), rel=1e-9)
        grains = advance(block(model, 0.0, speed), 2.0, 1e-3)
        assert abs(grains.v[0, 0]) < 1e-10
        errors[model] = abs(float(grains.x[0, 0]) / wanted - 1.0)
    assert max(errors.values()) < 2e-5, errors


def test_a_steep_slope_tends_to_coulombs_law() -> None:
    """With ε → 0 the smoothed block does what Coulomb's does, with an error of the order of ε."""
    ideal = float(advance(block("coulomb", 0.3, 0.5), 0.5, 1e-3).x[0, 0])
    for model in MODELS:
        errors = [abs(float(advance(block(model, 0.3, 0.5, epsilon), 0.5, 1e-3).x[0, 0]) - ideal)
                  for epsilon in (1e-3, 1e-4)]
        assert errors[1] == pytest.approx(0.1 * errors[0], rel=0.2) and errors[1] < 1e-4


@pytest.mark.parametrize("model", MODELS)
def test_two_disks_rub_with_equal_and_opposite_forces(model: str) -> None:
    """A disk lies on another that moves on ice: momentum along x stays; friction is μ m (g - u²/d) part(u) at first."""
    both = {"low": grain((0.0, 0.1), (0.1, 0.0), radius=0.1), "high": grain((0.0, 0.3), radius=0.1)}
    scene = gr.Scene(
        material={"stone": {"friction": MU}, "ice": {}}, pair={"ice": {"between": ["stone", "ice"], "friction": 0.0}},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0], "material": "ice"}},
        body={name: {**one["body"], "material": "stone"} for name, one in both.items()},
        start={name: one["start"] for name, one in both.items()}, load={"g": gravity(0.0, -G)},
        run={"until": 0.1, "interval": 1e-4, "step": 1e-4, "solver": "unilateral", "tolerance": 1e-10,
             "friction_model": model, "friction_velocity": EPSILON})
    run = gr.simulate(scene, progress=False)
    low, high = run.velocity("low")[:, 0], run.velocity("high")[:, 0]
    np.testing.assert_allclose(low + high, 0.1, atol=1e-12)
    assert high[1] == pytest.approx(1e-4 * MU * (G - 0.1**2 / 0.2) * part(model, 0.1), rel=3e-3)
    assert abs(high[-1] - low[-1]) < 0.02  # nearly together


def test_scenes_choose_a_model() -> None:
    """A run of a scene, in 3-D as well: it creeps with the velocity of the law."""
    for down, floor in (((2.0, -G), {"position": [0.0, 0.0], "normal": [0.0, 1.0]}),
                        ((2.0, 0.0, -G), {"position": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]})):
        ball = grain((0.0,) * (len(down) - 1) + (0.1,), radius=0.1)
        scene = gr.Scene(material={"stone": {"friction": MU}}, boundary={"floor": {"kind": "plane", **floor}},
                         body={"ball": ball["body"]}, start={"ball": ball["start"]}, load={"g": gravity(*down)},
                         run={"until": 1.0, "interval": 0.5, "step": 1e-3, "solver": "unilateral",
                              "friction_model": "linear", "friction_velocity": "20 cm/s", "tolerance": 1e-10})
        run = gr.simulate(scene, progress=False)
        np.testing.assert_allclose(run.velocity("ball")[-1, 0], EPSILON * 2.0 / (MU * G), rtol=1e-6)
        assert run.energy.largest_error < 1e-4


@pytest.mark.parametrize(("settings", "names"), [
    ({"solver": "moreau", "friction_model": "linear", "friction_velocity": 0.1},
     ['"linear"', '"moreau"', '"unilateral"']),
    ({"solver": "unilateral", "friction_model": "linear"}, ["friction_velocity"]),
    ({"solver": "unilateral", "friction_velocity": 0.1}, ["friction_model"]),
    ({"solver": "unilateral", "friction_model": "smooth"}, ["run.friction_model", "coulomb, linear, exponential"]),
])
def test_what_does_not_fit_is_refused(settings: dict[str, Any], names: list[str]) -> None:
    with refused(SceneError, "run", *names):
        gr.Scene(material={"stone": {}}, run=settings)
