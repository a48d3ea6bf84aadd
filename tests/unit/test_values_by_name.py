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
