"""Controlled systems of the gallery: a pole by a formula, a gate and a blade among grains by Python."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm, solve_continuous_are

import granum as gr

EXAMPLES = Path(__file__).parents[2] / "examples"
M, m, L, G = 1.0, 0.2, 0.8, 9.81
"""Cart and pole of examples/cart-pole.toml."""


@cache
def script(name: str) -> dict[str, Any]:
    """The names of an example in Python."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def motor(x: float, v: float, phi: float, w: float) -> float:
    """The feedback of the scene, once more: energy into the pole far from upright, a linear regulator near it."""
    near = 0.5 * (1.0 + np.tanh(40.0 * (np.sin(phi) - 0.9)))
    energy = m * L * L / 6.0 * w * w - 0.5 * m * G * L * (1.0 - np.sin(phi))
    regulator = 2.6 * x + 4.4 * v + 41.7 * np.cos(phi) - 9.4 * w
    force = near * regulator + (1.0 - near) * (-4.0 * energy * w * np.sin(phi) - 4.0 * x - 0.5 * v)
    return float(np.clip(force, -15.0, 15.0))


def textbook(t: float, y: np.ndarray) -> list[float]:
    """(M + m) ẍ - m l (φ̈ sin φ + φ̇² cos φ) = F and m L²/3 φ̈ - m l ẍ sin φ = -m g l cos φ, φ from the horizontal."""
    _, v, phi, w = y
    l = 0.5 * L
    a, alpha = np.linalg.solve([[M + m, -m * l * np.sin(phi)], [-m * l * np.sin(phi), m * L * L / 3.0]],
                               [motor(*y) + m * l * np.cos(phi) * w * w, -m * G * l * np.cos(phi)])
    return [v, a, w, alpha]


def test_the_pole_swings_up_as_the_textbook_equations_do() -> None:
    """The compiled feedback beside SciPy at 1e-11; the regulator's unstable way up multiplies errors by about 1e3."""
    run = gr.simulate(gr.example("cart-pole"))
    found = solve_ivp(textbook, (0.0, 6.0), [0.0, 0.0, np.radians(-84.0), 0.0], t_eval=run.t, rtol=1e-11, atol=1e-12,
                      method="DOP853").y
    assert np.abs(run.position("cart")[:, 0] - found[0]).max() < 1e-6
    assert np.abs(run.angle("pole") - found[2]).max() < 1e-6
    upright = np.abs(run.angle("pole") - 0.5 * np.pi) < 0.05
    assert upright[run.t > 2.8].all() and not upright[run.t < 1.0].any()
    # the motor alone lifts the pole: its work is the energy gained
    assert run.work("motor")[-1] == pytest.approx(run.energy.total[-1] - run.energy.total[0], rel=1e-9)


def test_a_regulator_from_the_linear_model_balances_the_pole() -> None:
    """The gain is that of the textbook's linear equations, the modes of the controlled scene are those of A - B K, and
    a small tilt decays as the linear model says, with an error of third order in the tilt.
    """
    example = script("lqr")
    scene = example["upright"]()
    linear, gain = example["regulator"](scene)
    l = 0.5 * L
    mass = np.array([[M + m, -m * l], [-m * l, m * L * L / 3.0]])
    stiffness = np.array([[0.0, 0.0], [0.0, m * G * l]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(mass, stiffness), np.zeros((2, 2))]])
    B = np.concatenate([np.zeros(2), np.linalg.solve(mass, [1.0, 0.0])])[:, None]
    weights = list(example["WEIGHTS"].values())
    P = solve_continuous_are(A, B, np.diag([weights[0], weights[2], weights[1], weights[3]]), [[example["EFFORT"]]])
    expected = (B.T @ P / example["EFFORT"])[0]
    T = np.linalg.inv(linear.C[[0, 2, 1, 3]])  # z by (x, θ, rates)
    np.testing.assert_allclose(gain @ T, expected, rtol=1e-8)
    modes = np.sort_complex(np.linalg.eigvals(A - B @ expected[None, :]))
    closed = gr.linearize(example["controlled"](scene, linear, gain))
    np.testing.assert_allclose(np.sort_complex(closed.modes), modes, rtol=1e-7)
    tilt = 1e-3
    tilted = scene.vary({"start.pole.angle": 0.5 * np.pi - tilt})
    run = gr.simulate(example["controlled"](tilted, linear, gain), until=2.0, progress=False)
    z = np.array([expm(t * (A - B @ expected[None, :])) @ [0.0, -tilt, 0.0, 0.0] for t in run.t[::50]])
    np.testing.assert_allclose(run.angle("pole")[::50] - 0.5 * np.pi, z[:, 1], atol=100.0 * tilt**3)


def test_the_gate_opens_to_the_flow_that_is_asked_for() -> None:
    """Closed until 0.2 s; from 0.4 to 0.7 s some 140 grains pass, whose flow is the set point within their noise."""
    example = script("flow-control")
    run = gr.simulate(example["scene"](0.7), control=example["Controller"](), every="10 ms", progress=False)
    assert run.passed("outlet")[0][run.t < 0.2].max() == 0
    assert example["flow"](run, 0.4, 0.7) == pytest.approx(60.0, rel=0.2)
    assert run.constraint_errors.distance.max() < 1e-4


@pytest.mark.validate
def test_the_gate_holds_the_flow_rate() -> None:
    """What the gallery says: both set points within 5 %, and more than twice as much where the gate is open."""
    example = script("flow-control")
    run = example["simulate"]()
    assert example["flow"](run, 0.6, 1.4) == pytest.approx(60.0, rel=0.05)
    assert example["flow"](run, 1.8, 2.6) == pytest.approx(30.0, rel=0.05)
    assert example["flow"](example["wide_open"](), 0.5, 0.8) > 120.0


def test_the_drive_pushes_with_the_drag_of_the_blade() -> None:
    """Momentum of sledge and blade, 7 kg: force of the drive + contact forces = m v̇, v̇ = 10 m/s² exp(-20 t).

    Forces are means over the last step, so v̇ is that of its middle.
    """
    example, step, found = script("digging-blade"), 2e-4, []
    controller = example["Controller"](0.04)

    def control(sim: gr.Simulation) -> None:
        if sim.t > 0.2:
            found.append((sim.t, sim.reaction("push")["push.force"], sim.contact_force("blade")[0]))
        controller(sim)

    gr.simulate(example["scene"](0.35, 0.5, 0.06), control=control, every="10 ms", progress=False)
    t, push, contact = np.array(found).T
    assert (push > 0.0).all() and push.max() > 50.0
    assert push + contact == pytest.approx(70.0 * np.exp(-20.0 * (t - 0.5 * step)), abs=1e-6 * push.max())


@pytest.mark.validate
def test_the_blade_digs_at_constant_drag() -> None:
    """What the gallery says: within 10 % of the set point, while at constant depth the drag goes on growing."""
    example = script("digging-blade")
    controlled, level = example["simulate"](), example["simulate"](level=0.07)
    drag, set_point = example["drag"], example["DRAG"]
    assert controlled.counts[0] >= 10_000
    for start, end in ((0.6, 0.9), (0.9, 1.2)):
        assert drag(controlled, start, end) == pytest.approx(set_point, rel=0.1)
    assert drag(level, 0.9, 1.2) > drag(level, 0.6, 0.9) > 1.1 * set_point
