"""Derivatives of frequencies, equilibria, reactions and trajectories by parameters: closed forms and stated errors.

The estimate of Ridders is that of one column of the table, so a derivative may be off by some times as much: 30 here.
"""

from __future__ import annotations

import numpy as np
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
