"""The work of each agent by name, against closed forms: drives, dampers, torques, friction, in all kinds of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr

INERTIA, STIFFNESS, DAMPING, RATE = 0.5, 3.0, 0.7, 2.0
EXACT = 1e-9
"""Runs at a tolerance of 1e-12 over energies of some joules: a thousand steps' errors at most."""
FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "gibbs-appell")


def wheel(**parts: Any) -> dict[str, Any]:
    """A disk of I = 0.5 kg m² about its fixed centre, with further sections."""
    return {"body": {"axle": {"kind": "fixed-point", "position": [0.0, 0.0]},
                     "wheel": {"kind": "disk", "mass": 1.0, "radius": 1.0}},
            "start": {"wheel": {"position": [0.0, 0.0]}},
            "constraint": {"bearing": {"kind": "hinge", "between": ["axle", "wheel"]}, **parts.pop("constraint", {})},
            **parts}


def run_of(scene: dict[str, Any], formulation: str, until: float = 2.0) -> gr.Run:
    return gr.simulate(gr.Scene(**scene), formulation=formulation, until=until, interval=0.1, tolerance=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_motor_and_a_damper_do_their_own_work(formulation: str) -> None:
    """φ = a t²/2: damper -∫ c φ̇² dt = -c a² t³/3, spring -k φ²/2, and the motor supplies the rest and ½ I φ̇²."""
    run = run_of(wheel(
        constraint={"motor": {"kind": "drive", "joint": "bearing", "motion": f"{RATE / 2}*t**2"}},
        load={"spiral": {"kind": "torsion-spring", "hinge": "bearing", "stiffness": STIFFNESS, "damping": DAMPING}}),
        formulation)
    t, work = run.t, run.energy.work
    assert set(work) == {"motor", "spiral", "spiral damper"}
    damper, spring = -DAMPING * RATE**2 * t**3 / 3.0, -0.5 * STIFFNESS * (0.5 * RATE * t**2) ** 2
    assert_allclose(work["spiral damper"], damper, rtol=0, atol=EXACT)
    assert_allclose(work["spiral"], spring, rtol=0, atol=EXACT)
    assert_allclose(work["motor"], 0.5 * INERTIA * (RATE * t) ** 2 - damper - spring, rtol=0, atol=10 * EXACT)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_driven_pendulum(formulation: str) -> None:
    """A disk hung at its rim swings as φ = 0.8 sin 3t: gravity takes m g r (1 - cos φ), the drive gives it and K."""
    scene = wheel(constraint={"motor": {"kind": "drive", "joint": "bearing", "motion": "0.8*sin(3*t)"}},
                  load={"weight": {"kind": "gravity", "acceleration": [0.0, -9.81]}})
    scene["body"]["wheel"]["points"] = {"rim": [0.0, 1.0]}
    scene["constraint"]["bearing"]["between"] = ["axle", "wheel.rim"]
    scene["start"]["wheel"] = {"position": [0.0, -1.0]}
    run = run_of(scene, formulation)
    phi, rate = 0.8 * np.sin(3.0 * run.t), 2.4 * np.cos(3.0 * run.t)
    taken = 9.81 * (1.0 - np.cos(phi))
    kinetic = 0.5 * (INERTIA + 1.0) * rate**2
    assert_allclose(run.energy.work["weight"], -taken, rtol=0, atol=EXACT)
    assert_allclose(run.energy.work["motor"], kinetic - kinetic[0] + taken, rtol=0, atol=10 * EXACT)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_drives_and_a_torque_are_three_agents(formulation: str) -> None:
    """Two driven wheels need ½ I φ̇² each; a third one that a torque M turns has gained M φ = ½ M² t²/I."""
    names = ("slow", "fast", "free")
    scene = {
        "body": {"axle": {"kind": "fixed-point", "position": [0.0, 0.0]},
                 **{name: {"kind": "disk", "mass": 1.0, "radius": 1.0} for name in names}},
        "start": {name: {"position": [0.0, 0.0]} for name in names},
        "constraint": {**{f"hinge-{name}": {"kind": "hinge", "between": ["axle", name]} for name in names},
                       "m1": {"kind": "drive", "joint": "hinge-slow", "motion": "0.5*t**2"},
                       "m2": {"kind": "drive", "joint": "hinge-fast", "motion": "t**3"}},
        "load": {"push": {"kind": "torque", "on": "free", "torque": 0.3}}}
    run = run_of(scene, formulation)
    t = run.t
    assert_allclose(run.energy.work["m1"], 0.5 * INERTIA * t**2, rtol=0, atol=EXACT)
    assert_allclose(run.energy.work["m2"], 0.5 * INERTIA * (3.0 * t**2) ** 2, rtol=0, atol=10 * EXACT)
    assert_allclose(run.energy.work["push"], 0.5 * 0.3**2 * t**2 / INERTIA, rtol=0, atol=EXACT)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell", "virtual-work"])
@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_the_damper_of_an_oscillating_body(formulation: str, unit: float) -> None:
    """m ü + c u̇ + k u = 0: the damper takes what K + V loses; in units of 1 and of 1e-3 (kg, m; then 1e-9 J)."""
    mass, stiffness, damping, away = 2.0 * unit, 18.0 * unit, 1.2 * unit, 0.1 * unit
    delta = damping / (2.0 * mass)
    nu = np.sqrt(stiffness / mass - delta**2)
    scene = {"body": {"wall": {"kind": "fixed-point", "position": [0.0, 0.0]},
                      "block": {"kind": "rigid-body", "mass": mass, "inertia": unit**3}},
             "start": {"block": {"position": [unit + away, 0.0]}},
             "load": {"spring": {"kind": "spring", "between": ["wall", "block"], "stiffness": stiffness,
                                 "rest_length": unit, "damping": damping}}}
    run = run_of(scene, formulation)
    t = run.t
    u = away * np.exp(-delta * t) * (np.cos(nu * t) + delta / nu * np.sin(nu * t))
    rate = -away * np.exp(-delta * t) * (stiffness / mass) / nu * np.sin(nu * t)
    left = 0.5 * mass * rate**2 + 0.5 * stiffness * u**2
    assert_allclose(run.energy.work["spring damper"], left - left[0], rtol=0, atol=EXACT * left[0])
    assert_allclose(run.energy.work["spring"], 0.5 * stiffness * (away**2 - u**2), rtol=0, atol=EXACT * left[0])
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("until", [0.3, 1.0])
def test_friction_is_an_agent(until: float) -> None:
    """A wheel thrown up a slope slips at u = u₀ - b t, b = g (sin a + 3 μ cos a); friction takes μ m g cos a ∫ |u| dt
    until the slip ends, and nothing after.
    """
    a, mu, slip = 0.25 * np.pi, 0.4, 5.0
    scene = {
        "system": {"coordinates": ["x", "y", "theta"], "potential": "g*(x*sin(a) + y*cos(a))", "parameters": {
            "g": 9.81, "a": a}, "kinetic": "(x_dot**2 + y_dot**2)/2 + theta_dot**2/4",
            "start": {"x": 0.0, "theta": 0.0, "x_dot": 2.0, "theta_dot": slip - 2.0}},
        "constraint": {"floor": {"kind": "formula", "formula": "y - 1"},
                       "rub": {"kind": "friction", "normal": "floor", "slip": ["x_dot + theta_dot"],
                               "friction": mu}}}
    run = run_of(scene, "virtual-work", until)
    b = 9.81 * (np.sin(a) + 3.0 * mu * np.cos(a))
    t = np.minimum(run.t, slip / b)
    assert (run.t[-1] > slip / b) == (until == 1.0)
    taken = mu * 9.81 * np.cos(a) * (slip * t - 0.5 * b * t**2)
    assert_allclose(run.energy.work["rub"], -taken, rtol=0, atol=EXACT)
    assert run.energy_error < 1e-9


def test_sliding_friction_of_a_mechanism() -> None:
    """A disk that slides along a plane at u = v, without spin at first: u = v₀ - 3 μ g t, taken μ m g ∫ u dt."""
    scene = {"body": {"disk": {"kind": "disk", "mass": 1.0, "radius": 1.0}},
             "surface": {"floor": {"equation": "Y"}},
             "start": {"disk": {"position": [0.0, 1.0], "velocity": [3.0, 0.0], "angular_velocity": 0.0}},
             "constraint": {"contact": {"kind": "sliding", "body": "disk", "on": "floor", "friction": 0.2}},
             "load": {"weight": {"kind": "gravity", "acceleration": [0.0, -9.81]}}}
    run = run_of(scene, "newton-euler", 0.4)
    t, taken = run.t, 0.2 * 9.81
    assert_allclose(run.energy.work["contact.friction"], -taken * (3.0 * t - 1.5 * taken * t**2), rtol=0, atol=EXACT)
    assert run.energy_error < 1e-9


def test_a_force_and_a_drive_of_the_same_name_are_kept_apart() -> None:
    scene = wheel(constraint={"motor": {"kind": "drive", "joint": "bearing", "motion": "t**2"}},
                  load={"motor": {"kind": "torque", "on": "wheel", "torque": 1.0}})
    for formulation in ("newton-euler", "fundamental"):
        run = run_of(scene, formulation, 1.0)
        assert_allclose(run.energy.work["load motor"], run.t**2, rtol=0, atol=EXACT)
        assert_allclose(run.energy.work["constraint motor"], 0.5 * INERTIA * 4.0 * run.t**2 - run.t**2, atol=EXACT)
