"""Gears, belts and cams: joints whose motion follows from that of others, against closed forms in every formulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from messages import refused

FORMULATIONS = ("fundamental", "lagrange", "virtual-work", "gibbs-appell")
I1, I2, TORQUE = 0.02, 0.004, 0.6


def shafts(coupling: Any, space: bool = False, axis: float = 1.0, rate: float = 0.0) -> gr.Scene:
    """Two wheels on fixed axles, a torque on the first, and what couples them."""
    extra: tuple[float, ...] = (0.0,) if space else ()

    def wheel(inertia: float) -> gr.RigidBody:
        return gr.RigidBody(mass=1.0, inertia=(0.5, 0.5, inertia) if space else inertia)

    def hinge(post: str, body: str, sense: float) -> gr.Hinge:
        return gr.Hinge(between=(post, body), axis=(0.0, 0.0, sense))

    return gr.Scene(
        body={"left": gr.FixedPoint(position=(0.0, 0.0, *extra)), "right": gr.FixedPoint(position=(1.0, 0.0, *extra)),
              "one": wheel(I1), "two": wheel(I2)},
        constraint={"a": hinge("left", "one", 1.0), "b": hinge("right", "two", axis), "coupling": coupling},
        load={"twist": gr.Torque(on="one", torque=(0.0, 0.0, TORQUE) if space else TORQUE)},
        start={"one": gr.Start(position=(0.0, 0.0, *extra), angular_velocity=(0.0, 0.0, rate) if space else rate),
               "two": gr.Start(position=(1.0, 0.0, *extra))}, run={"until": 1.0, "interval": 0.25, "tolerance": 1e-10})


@pytest.mark.parametrize("space", [False, True], ids=["2-D", "3-D"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_pair_of_gears(formulation: str, space: bool) -> None:
    """φ̈₁ = T/(I₁ + i² I₂) with φ₂ = i φ₁, through full turns; the second shaft takes the torque i I₂ φ̈₁."""
    ratio, rate = -2.5, 0.7
    run = gr.simulate(shafts(gr.Gear(joints=("a", "b"), ratio=ratio), space, rate=rate), formulation=formulation)
    expected = TORQUE / (I1 + ratio**2 * I2)
    speed = rate + expected * run.t
    for name, factor in (("one", 1.0), ("two", ratio)):
        found = run.angular_velocity(name)
        assert_allclose(found[:, 2] if space else found.ravel(), factor * speed, rtol=1e-7)
    assert_allclose(run.reaction("coupling").effort, ratio * I2 * expected, rtol=1e-7)
    assert run.energy_error < 1e-8
    if not space:
        assert_allclose(run.angle("two"), ratio * run.angle("one"), atol=1e-12)


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_belt(formulation: str, crossed: bool) -> None:
    """r₂ φ₂ = ± r₁ φ₁; the tensions of both sides differ by I₂ φ̈₂/r₂."""
    r1, r2 = 0.3, 0.1
    belt = gr.Belt(joints=("a", "b"), radii=(r1, r2), crossed=crossed)
    run = gr.simulate(shafts(belt), formulation=formulation)
    ratio = (-r1 if crossed else r1) / r2
    expected = TORQUE / (I1 + ratio**2 * I2)
    assert_allclose(run.angle("two"), ratio * 0.5 * expected * run.t**2, atol=1e-9)
    assert_allclose(run.reaction("coupling").effort, I2 * ratio * expected / r2, rtol=1e-9)


def test_the_axis_of_a_hinge_counts() -> None:
    """About opposite axes a positive ratio turns the wheels in opposite directions."""
    run = gr.simulate(shafts(gr.Gear(joints=("a", "b"), ratio=2.0), axis=-1.0))
    assert_allclose(run.angle("two"), -2.0 * run.angle("one"), atol=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rack_and_pinion(formulation: str) -> None:
    """A pinion of radius r moves a rack of mass m against gravity: (I + m r²) φ̈ = T - m g r."""
    r, m, g = 0.05, 0.8, 9.81
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)), "pinion": gr.RigidBody(mass=1.0, inertia=I1),
              "rack": gr.RigidBody(mass=m, inertia=0.1)},
        constraint={"pin": gr.Hinge(between=("post", "pinion")),
                    "guide": gr.Slider(between=("post", "rack"), axis=(0.0, 1.0)),
                    "teeth": gr.Gear(joints=("pin", "guide"), ratio=r)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -g)), "twist": gr.Torque(on="pinion", torque=TORQUE)},
        start={"pinion": gr.Start(position=(0.0, 0.0)), "rack": gr.Start(position=(0.0, 0.1))},
        run={"until": 1.0, "interval": 0.25})
    run = gr.simulate(scene, formulation=formulation)
    expected = (TORQUE - m * g * r) / (I1 + m * r**2)
    assert_allclose(run.angle("pinion"), 0.5 * expected * run.t**2, atol=1e-9)
    assert_allclose(run.position("rack")[:, 1] - 0.1, r * run.angle("pinion"), atol=1e-12)
    assert_allclose(run.reaction("teeth").effort, m * (g + r * expected), rtol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_planetary_gear(formulation: str) -> None:
    """Willis: the sun turns 1 + z_r/z_s times as fast as the carrier, the planet 1 - z_r/z_p times."""
    scene = gr.example("planetary-gear")
    run = gr.simulate(scene, formulation=formulation, until=0.4, interval=0.2, tolerance=1e-10)
    carrier, sun, planet = (run.angle(name) - run.angle(name)[0] for name in ("carrier", "sun", "planet"))
    assert abs(carrier[-1]) > 0.5
    assert_allclose(sun, 5.0 * carrier, atol=1e-11)
    assert_allclose(planet, (1.0 - 80.0 / 30.0) * carrier, atol=1e-11)
    assert run.energy_error < 1e-8


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_camshaft(formulation: str) -> None:
    """Lift s(φ/2) of the shaft, force m s̈ + k (s + s₀) + m g on the follower, in every frame."""
    run = gr.simulate(gr.example("camshaft"), formulation=formulation, until=0.05, interval=0.01, tolerance=1e-11)
    t, tau = run.t, 0.02
    phi = 20.0 * math.pi * (t - tau * (1.0 - np.exp(-t / tau)))
    rate = 20.0 * math.pi * (1.0 - np.exp(-t / tau))
    second = 20.0 * math.pi * np.exp(-t / tau) / tau
    lift = 0.006 * (1.0 - np.cos(phi))
    acceleration = 0.006 * (np.cos(phi) * rate**2 + np.sin(phi) * second)
    assert_allclose(run.angle("cam"), phi, atol=1e-9)
    assert_allclose(run.position("valve")[:, 1] - 0.2, lift, atol=1e-11)
    force = 0.12 * (acceleration + 9.81) + 2000.0 * (lift + 0.005)
    assert_allclose(run.reaction("lobe").effort, force, rtol=1e-7)
    camshaft = 0.5 * 0.9 * 0.06**2 * second + force * 0.006 * np.sin(phi)  # torque that the belt brings
    assert_allclose(run.reaction("belt").effort, camshaft / 0.06, rtol=1e-6, atol=1e-9)


def test_in_chosen_coordinates_and_between_steps() -> None:
    """A gear stays a constraint of chosen coordinates; a simulation reads both joints."""
    scene = shafts(gr.Gear(joints=("a", "b"), ratio=-2.5))
    one = gr.simulate(scene, formulation="lagrange", coordinates=["a.angle", "b.angle"])
    assert_allclose(one.angle("two"), gr.simulate(scene).angle("two"), atol=1e-9)
    sim = gr.Simulation(scene)
    sim.step(0.2)
    assert sim.joint("b").angle == pytest.approx(-2.5 * sim.joint("a").angle, abs=1e-12)
    assert sim.reaction("coupling")["coupling.torque"] == pytest.approx(one.reaction("coupling").effort[0], rel=1e-9)


@pytest.mark.parametrize(("coupling", "names"), [
    ({"kind": "gear", "joints": ["a", "z"], "ratio": 2}, ('"z"', "a, b")),
    ({"kind": "gear", "joints": ["a", "a"], "ratio": 2}, ('"a"',)),
    ({"kind": "cam", "joints": ["a", "b"], "profile": "cos(angle)"}, ("profile", "angle")),
    ({"kind": "cam", "joints": ["a", "b"], "profile": "displacement"}, ("displacement", "angle"))],
    ids=["unknown", "twice", "offset", "name"])
def test_refusals(coupling: dict[str, Any], names: tuple[str, ...]) -> None:
    """By name."""
    with refused(gr.SceneError, "constraint.coupling", *names):
        gr.simulate(shafts(coupling))


@pytest.mark.parametrize("settings", [{"formulation": "newton-euler"}, {"formulation": "scalar"}, {"solver": "moreau"}],
                         ids=lambda settings: "-".join(settings.values()))
def test_where_there_are_none(settings: dict[str, Any]) -> None:
    """newton-euler, scalar and solvers of grains refuse couplings by name."""
    with refused(gr.SceneError, "coupling"):
        gr.simulate(shafts(gr.Gear(joints=("a", "b"), ratio=2.0)), **settings)
