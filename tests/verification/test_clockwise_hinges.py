"""The axis of a 2-D hinge: about -z all counts clockwise, as if the hinge joined its bodies in the other order."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from numpy.testing import assert_allclose

import granum as gr
from messages import refused

UPWARD, DOWNWARD = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell", "scalar")
COMMANDS: dict[str, dict[str, Any]] = {
    "torsion": {"load": {"coil": {"kind": "torsion-spring", "hinge": "knee", "stiffness": 6.0, "rest_angle": 0.7,
                                  "damping": 0.1}}},
    "torque": {"actuator": {"motor": {"kind": "torque", "joint": "knee", "torque": 2.0}}},
    "formula": {"load": {"motor": {"kind": "formula", "joint": "knee",
                                   "torque": "2 - 3*angle - 0.2*rate + shoulder.angle"}}},
    "servo": {"actuator": {"motor": {"kind": "position", "joint": "knee", "position": 0.6, "stiffness": 9.0,
                                     "damping": 0.5}}},
    "stop": {"load": {"stop": {"kind": "stop", "joint": "knee", "upper": 0.1, "stiffness": 200.0, "damping": 1.0}}},
    "drive": {"constraint": {"motor": {"kind": "drive", "joint": "knee", "motion": "0.5*t**2"}}}}
"""What acts on the angle of a hinge."""


def arm(axis: tuple[float, float, float] | None, command: dict[str, Any], swapped: bool = False) -> gr.Scene:
    """Two rods on a post, their second hinge about an axis or with its ends swapped."""
    ends = ("upper.head", "lower.tail")
    return gr.Scene(
        body={"post": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "upper": {"kind": "rod", "length": 1.0, "mass": 1.0},
              "lower": {"kind": "rod", "length": 0.7, "mass": 0.5}},
        constraint={"shoulder": {"kind": "hinge", "between": ("post", "upper.tail")},
                    "knee": {"kind": "hinge", "between": ends[::-1] if swapped else ends, "axis": axis},
                    **command.get("constraint", {})},
        start={"upper": {"angle": 0.3, "angular_velocity": 0.4}, "lower": {"angle": -0.2, "angular_velocity": 0.4}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}, **command.get("load", {})},
        actuator=command.get("actuator", {}))


def compare(one: gr.Run, two: gr.Run, tolerance: float) -> None:
    """Both bodies move alike."""
    for name in ("upper", "lower"):
        assert_allclose(one.position(name), two.position(name), atol=tolerance)
        assert_allclose(one.angle(name), two.angle(name), atol=tolerance)


@pytest.mark.parametrize(("formulation", "command"), [
    case for case in itertools.product(FORMULATIONS, COMMANDS) if case != ("scalar", "drive")])  # scalar has no drives
def test_the_other_order_of_bodies(formulation: str, command: str) -> None:
    """φ of the second body relative to the first about -z is that of the first relative to the second about z."""
    settings = {"formulation": formulation, "until": 0.3, "interval": 0.1, "tolerance": 1e-10}
    given = COMMANDS[command]
    one = gr.simulate(arm(DOWNWARD, given), **settings)
    two = gr.simulate(arm(None, given, swapped=True), **settings)
    other = gr.simulate(arm(UPWARD, given), **settings)
    compare(one, two, 1e-8)
    assert abs(other.angle("lower")[-1] - one.angle("lower")[-1]) > 1e-3  # the axis counts
    if command == "torsion":
        for quantity in ("angle", "rate", "torque", "work"):
            assert_allclose(getattr(one.spring("coil"), quantity), getattr(two.spring("coil"), quantity), atol=1e-8)
    if command == "drive":
        assert_allclose(one.reaction("motor").effort, two.reaction("motor").effort, atol=1e-7)
        assert_allclose(one.reaction("motor").moment, -one.reaction("motor").effort, atol=1e-12)  # about z
        turned = one.angle("lower") - one.angle("upper")
        assert_allclose(turned - turned[0], -0.5 * one.t**2, atol=1e-9)


@pytest.mark.parametrize("command", COMMANDS)
def test_among_grains(command: str) -> None:
    """The contact solver reads the same tables; both runs take the same steps."""
    given = COMMANDS[command]
    one, two = (gr.simulate(scene, solver="moreau", step=1e-3, until=0.1, interval=0.05)
                for scene in (arm(DOWNWARD, given), arm(None, given, swapped=True)))
    compare(one, two, 1e-9)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_read_between_steps(formulation: str) -> None:
    """Angle, rate and value by name count clockwise."""
    sim = gr.Simulation(arm(DOWNWARD, COMMANDS["drive"]), formulation=formulation)
    sim.step(0.2)
    assert sim.joint("knee").angle == pytest.approx(0.02, abs=1e-9)
    assert sim.joint("knee").rate == pytest.approx(0.2, abs=1e-9)
    assert sim.value("knee.angle") == pytest.approx(0.02, abs=1e-9)


def test_chosen_as_a_coordinate() -> None:
    """The angle of the hinge as a coordinate of Lagrange's equations."""
    scene = arm(DOWNWARD, {})
    chosen = gr.simulate(scene, formulation="lagrange", coordinates=["shoulder.angle", "knee.angle"], until=0.3,
                         interval=0.1, tolerance=1e-10)
    compare(chosen, gr.simulate(scene, until=0.3, interval=0.1, tolerance=1e-10), 1e-8)
    assert_allclose(chosen.coordinate("knee.angle"), -(chosen.angle("lower") - chosen.angle("upper") + 0.5), atol=1e-9)


def test_as_in_3d() -> None:
    """A rod driven by 0.5 t about -z turns by -0.5 rad in a second, as its 3-D twin does."""
    flat = gr.Scene(body={"post": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.Rod(length=1.0, mass=1.0)},
                    constraint={"pin": gr.Hinge(between=("post", "rod.tail"), axis=DOWNWARD),
                                "motor": gr.Drive(joint="pin", motion="0.5*t")},
                    start={"rod": gr.Start(angle=0.0)}, run={"until": 1.0, "interval": 1.0})
    deep = gr.Scene(body={"post": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
                          "rod": gr.Rod(length=1.0, mass=1.0, radius=0.1)},
                    constraint=flat.constraint, start={"rod": gr.Start(orientation=(1.0, 0.0, 0.0, 0.0))}, run=flat.run)
    x, y, _ = gr.simulate(deep).position("rod")[-1]
    assert gr.simulate(flat).angle("rod")[-1] == pytest.approx(-0.5, abs=1e-12)
    assert math.atan2(y, x) == pytest.approx(-0.5, abs=1e-9)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 0.1, 1.0), (1.0, 0.0)], ids=str)
def test_an_axis_in_the_plane(axis: tuple[float, ...]) -> None:
    """Refused by name, whatever solves the scene."""
    with refused(gr.SceneError, "constraint.knee", "axis", "[0, 0, -1]"):
        gr.simulate(arm(axis, {}), until=0.1)  # type: ignore[arg-type]
