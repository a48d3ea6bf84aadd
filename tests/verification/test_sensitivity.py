"""Derivatives of frequencies, equilibria, reactions and trajectories by parameters: closed forms and stated errors.

The estimate of Ridders is that of one column of the table, so a derivative may be off by some times as much: 30 here.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.analytic import System
from mechanisms import pendulum_of_rods
from messages import refused

G = 9.81


def oscillator() -> System:
    return System("x", parameters={"m": 2.0, "k": 50.0}, kinetic="m*x_dot**2/2", potential="k*x**2/2")


def holds(found: gr.Sensitivity, name: str, expected: object, least: float) -> None:
    """The derivative is right within its stated error, and that is small."""
    off = np.abs(found.derivative[name] - expected)
    assert (off <= 30.0 * found.error[name] + 1e-13 * np.abs(expected)).all()  # type: ignore[call-overload]
    assert found.error[name].max() < least


def test_frequency_by_stiffness_and_mass() -> None:
    """ω = √(k/m): ∂ω/∂k = ω/2k, ∂ω/∂m = -ω/2m."""
    found = gr.sensitivity(oscillator(), "frequencies", ["k", "m"], at={"x": 0.0})
    holds(found, "k", [5.0 / 100.0], 1e-10)
    holds(found, "m", [-5.0 / 4.0], 1e-9)
    assert_allclose(found.elasticity["k"], [0.5], rtol=1e-8)


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_equal_frequencies(damping: float) -> None:
    """Two equal oscillators, ω² = k - c²/4 with m = 1: one follows a parameter, the other does not."""
    system = System("x y", parameters={"k": 4.0, "c": damping, "both": 0.0}, kinetic="(x_dot**2 + y_dot**2)/2",
                    potential="(k + both)*x**2/2 + (4 + both)*y**2/2",
                    forces={"x": "-c*x_dot", "y": f"-{damping}*y_dot"})
    found = gr.sensitivity(system, "frequencies", ["k", "c", "both"], at={"x": 0.0, "y": 0.0})
    omega = np.sqrt(4.0 - damping**2 / 4.0)
    assert_allclose(found.value, omega, rtol=1e-12)
    holds(found, "k", [0.0, 0.5 / omega], 1e-12)
    holds(found, "c", [-0.25 * damping / omega, 0.0], 1e-12)
    holds(found, "both", [0.5 / omega] * 2, 1e-12)


def test_frequencies_that_cross() -> None:
    """ω₁ = √k crosses ω₂ of another damping, and one that is closer than the step of the differences."""
    system = System("x y z", parameters={"k": 4.0}, kinetic="(x_dot**2 + y_dot**2 + z_dot**2)/2",
                    potential="k*x**2/2 + 4.01*y**2/2 + 4.0001*z**2/2", forces={"y": "-0.2*y_dot"})
    found = gr.sensitivity(system, "frequencies", ["k"], at={"x": 0.0, "y": 0.0, "z": 0.0})
    holds(found, "k", [0.0, 0.25, 0.0], 1e-9)


def test_equal_frequencies_separate_in_a_common_eigenspace() -> None:
    """K = 9 + p B with M = 1: dω/dp are the eigenvalues of B over 2ω, in directions that p = 0 does not show."""
    B = np.array([[1.0, 2.0, -0.5], [2.0, -1.0, 0.7], [-0.5, 0.7, 0.4]])
    q = ("x", "y", "z")
    energy = " + ".join(f"{0.5 * B[i, j]:g}*p*{a}*{b}" for i, a in enumerate(q) for j, b in enumerate(q))
    system = System("x y z", parameters={"p": 0.0}, kinetic="(x_dot**2 + y_dot**2 + z_dot**2)/2",
                    potential=f"4.5*(x**2 + y**2 + z**2) + {energy}")
    found = gr.sensitivity(system, "frequencies", ["p"], at=dict.fromkeys(q, 0.0))
    holds(found, "p", np.linalg.eigvalsh(B) / 6.0, 1e-12)


def test_equal_frequencies_of_a_scene() -> None:
    """A mass between four equal springs, ω² = 2k/m in both directions: ∂ω/∂k of one of them is 1/(2 m ω) and 0."""
    ends = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "low": (0.0, -1.0), "high": (0.0, 1.0)}
    scene = gr.Scene(
        body={**{name: gr.FixedPoint(position=at) for name, at in ends.items()}, "mass": gr.PointMass(mass=2.0)},
        start={"mass": gr.Start(position=(0.0, 0.0))},
        load={f"k-{name}": gr.Spring(between=(name, "mass"), stiffness=100.0, rest_length=1.0) for name in ends})
    found = gr.sensitivity(scene, "frequencies", ["load.k-left.stiffness", "body.mass.mass"])
    holds(found, "load.k-left.stiffness", [0.0, 1.0 / 40.0], 1e-9)
    holds(found, "body.mass.mass", [-2.5, -2.5], 1e-8)


def test_flutter_has_no_derivative() -> None:
    """ẍ = -4x + y, ÿ = -4y - g x: at g = 0 both modes have one shape, and ω = √(4 ± √-g)."""
    system = System("x y", parameters={"g": 0.0}, kinetic="(x_dot**2 + y_dot**2)/2", potential="2*x**2 + 2*y**2",
                    forces={"x": "y", "y": "-g*x"})
    with refused(gr.GranumError, "2 rad/s", "coalesce"):
        gr.sensitivity(system, "frequencies", ["g"], at={"x": 0.0, "y": 0.0})


def test_frequency_of_a_rod_by_its_length() -> None:
    """ω = √(3g/2l) of a scene: ∂ω/∂l = -ω/2l; the start is tilted, so that the equilibrium is found first."""
    scene = pendulum_of_rods([0.8], [2.0], [-1.2])
    found = gr.sensitivity(scene, "frequencies", ["body.rod-1.length", "body.rod-1.mass"])
    omega = np.sqrt(1.5 * G / 0.8)
    assert_allclose(found.value, [omega], rtol=1e-10)
    holds(found, "body.rod-1.length", [-omega / 1.6], 1e-7)
    assert abs(found.derivative["body.rod-1.mass"][0]) < 1e-9


def test_equilibrium_and_reactions() -> None:
    """A mass on a spring: ∂y/∂k = m g/k²; on a rod ∂T/∂m = g."""
    load = {"gravity": gr.Gravity(acceleration=(0.0, -G))}
    body = {"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)}
    start = {"bob": gr.Start(position=(0.0, -0.5))}
    hanging = gr.Scene(body=body, start=start, load={
        **load, "spring": gr.Spring(between=("nail", "bob"), stiffness=80.0, rest_length=0.5)})
    holds(gr.sensitivity(hanging, "equilibrium", ["load.spring.stiffness"]), "load.spring.stiffness",
          [0.0, 2.0 * G / 80.0**2], 1e-10)
    swinging = gr.Scene(body=body, start=start, load=load, link={"rod": gr.Link(between=("nail", "bob"))})
    holds(gr.sensitivity(swinging, "reactions", ["body.bob.mass"]), "body.bob.mass", [G], 1e-8)


def test_trajectory() -> None:
    """x = a cos ωt: ∂x/∂k = -a t sin(ωt)/(2 m ω), the error of the integration amplified by 1/h."""
    found = gr.sensitivity(oscillator(), "x", ["k"], start={"x": 0.3}, until=2.0, interval=0.1, tolerance=1e-12)
    t = np.arange(21) * 0.1
    assert_allclose(found.derivative["k"], -0.3 * t * np.sin(5.0 * t) / 20.0, atol=1e-9)
    assert found.error["k"].max() < 1e-8


def test_reaction_of_a_run() -> None:
    """The tension of a pendulum that swings from 90°, 3 m g cos θ, is proportional to its mass."""
    scene = gr.Scene(body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
                     link={"rod": gr.Link(between=("nail", "bob"))}, start={"bob": gr.Start(position=(0.5, 0.0))},
                     load={"gravity": gr.Gravity(acceleration=(0.0, -G))})
    found = gr.sensitivity(scene, "rod.tension", ["body.bob.mass"], until=0.5, interval=0.1)
    assert_allclose(found.derivative["body.bob.mass"], found.value / 2.0, atol=1e-7)


def test_functions_and_refusals() -> None:
    scene = pendulum_of_rods([0.8], [2.0], [-1.2])
    found = gr.sensitivity(scene, lambda varied: [varied.body["rod-1"].mass ** 3], ["body.rod-1.mass"])
    assert_allclose(found.derivative["body.rod-1.mass"], [12.0], rtol=1e-10)
    for to, name in (("body.rod-1.weight", '"weight"'), ("body.rod-2.mass", '"rod-2"'),
                     ("body.rod-1.kind", "body.rod-1.kind")):
        with refused(gr.GranumError, name):
            gr.sensitivity(scene, "frequencies", [to])
    with refused(gr.GranumError, '"c"'):
        gr.sensitivity(oscillator(), "frequencies", ["c"])
    with refused(gr.GranumError, '"weight"'):
        gr.sensitivity(oscillator(), "weight", ["k"], start={"x": 0.1}, until=0.1)
