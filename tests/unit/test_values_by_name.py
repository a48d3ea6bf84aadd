"""Numbers of a running simulation by the names that formulas use."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
from messages import refused


def test_bodies_in_3d_have_a_quaternion_and_an_angular_velocity() -> None:
    sim = gr.Simulation(gr.example("spherical-pendulum"))
    sim.step(0.2)
    (name,) = [name for name in sim.bodies if sim.body(name).orientation is not None]
    state = sim.body(name)
    assert [sim.value(f"{name}.u{k}") for k in range(4)] == state.orientation.tolist()
    assert [sim.value(f"{name}.w{axis}") for axis in "xyz"] == np.asarray(state.angular_velocity).tolist()
    assert [sim.value(f"{name}.v{axis}") for axis in "xyz"] == state.velocity.tolist()


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_points_of_bodies(formulation: str) -> None:
    """As formulas know them: x = cos φ of the end of a rod of 1 m on a hinge, its velocity across the rod."""
    sim = gr.Simulation(gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)),
              "rod": gr.Rod(length=1.0, mass=1.0, points={"eye-1": (0.1, 0.2)})},
        constraint={"pin": gr.Hinge(between=("post", "rod.tail"))}, start={"rod": gr.Start(angle=0.3)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81))}), formulation=formulation)
    sim.step(0.2)
    phi, rate = sim.value("rod.angle"), sim.value("rod.wz")
    assert abs(rate) > 1.0
    assert sim.value("rod.head.x") == pytest.approx(np.cos(phi), abs=1e-9)
    assert sim.value("rod.head.vy") == pytest.approx(rate * np.cos(phi), abs=1e-9)
    assert sim.value("rod.eye_1.x") == pytest.approx(0.6 * np.cos(phi) - 0.2 * np.sin(phi), abs=1e-9)
    with refused(gr.GranumError, '"rod.head.q"', '"rod.head"', "x, y, vx, vy, angle, wz"):
        sim.value("rod.head.q")
    with refused(gr.GranumError, '"rod.haed.x"', '"rod.head.x"'):
        sim.value("rod.haed.x")


def test_points_in_3d() -> None:
    """Their velocity is the derivative of their position."""
    sim = gr.Simulation(gr.Scene(
        body={"top": gr.RigidBody(mass=1.0, inertia=(0.1, 0.2, 0.3), points={"tip": (0.1, -0.2, 0.3)})},
        start={"top": gr.Start(position=(0.0, 0.0, 0.0), velocity=(0.1, 0.2, 0.3), angular_velocity=(1.0, 2.0, 3.0))}))
    sim.step(0.3)
    h, before = 1e-4, [sim.value(f"top.tip.{axis}") for axis in "xyz"]
    sim.step(h)
    middle = [sim.value(f"top.tip.v{axis}") for axis in "xyz"]
    sim.step(h)
    after = [sim.value(f"top.tip.{axis}") for axis in "xyz"]
    np.testing.assert_allclose((np.array(after) - before) / (2.0 * h), middle, atol=1e-6)  # h² times a third derivative


def test_coordinates_and_rates() -> None:
    sim = gr.Simulation(gr.example("wheel"))
    sim.step(0.1)
    assert (sim.value("theta"), sim.value("theta_dot")) == sim.coordinate("theta")


def test_flow_probes_and_grains() -> None:
    """A name with - is also known as formulas write it."""
    sim = gr.Simulation(gr.example("hopper"), until=0.3)
    sim.step(0.3)
    probe = next(iter(sim.scene.probe))
    assert (sim.value(f"{probe}.count"), sim.value(f"{probe}.mass")) == sim.passed(probe)
    grain = sim.bodies[-1]
    assert "-" in grain and sim.value(f"{grain}.vy") == sim.value(f"{grain.replace('-', '_')}.vy")


@pytest.mark.parametrize(("name", "names"), [
    ("pivot.angel", ('hinge "pivot"', "angle and rate")),
    ("track.angle", ('slider "track"', "displacement and rate")),
    ("cart.q", ('"cart"', "x, y, vx, vy, angle, wz")),
    ("crat.x", ('"cart.x"',)),
    ("angle", ()),
])
def test_what_is_not_there_is_named(name: str, names: tuple[str, ...]) -> None:
    with refused(gr.GranumError, f'"{name}"', *names):
        gr.Simulation(gr.example("cart-pole")).value(name)


@pytest.mark.parametrize(("actuator", "limit"), [
    (lambda: gr.ForceActuator(joint="track", limit="2 kN"), 2000.0),
    (lambda: gr.TorqueActuator(joint="pivot", limit="3 N*m"), 3.0),
])
def test_limits_take_units(actuator: object, limit: float) -> None:
    assert actuator().limit == limit
    with refused(gr.SceneError, "limit", "'2 N*m'"):
        gr.ForceActuator(joint="track", limit="2 N*m")
