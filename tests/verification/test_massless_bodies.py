"""Massless bodies: joints determine their motion, and they carry no inertia."""

import math

import numpy as np
import pytest

import granum as gr
from granum.analytic.derive import derive
from messages import refused

TILT = math.radians(35.0)


def hooke(cross: gr.Body) -> gr.Scene:
    """Two shafts at an angle, each in a bearing, with a cross between them; the first is driven at 2 rad/s."""
    along = (math.cos(TILT), math.sin(TILT), 0.0)
    half = 0.5 * TILT
    return gr.Scene(
        body={"left": gr.FixedPoint(position=(-1.0, 0.0, 0.0)), "right": gr.FixedPoint(position=along),
              "input": gr.RigidBody(mass=1.0, inertia=(0.1, 0.2, 0.2),
                                    points={"bearing": (-0.5, 0, 0), "fork": (0.5, 0, 0)}),
              "cross": cross,
              "output": gr.RigidBody(mass=1.0, inertia=(0.1, 0.2, 0.2),
                                     points={"bearing": (0.5, 0, 0), "fork": (-0.5, 0, 0)})},
        constraint={"first": gr.Hinge(between=("left", "input.bearing"), axis=(1, 0, 0)),
                    "motor": gr.Drive(joint="first", motion="2*t"),
                    "one": gr.Hinge(between=("input.fork", "cross"), axis=(0, 0, 1)),
                    "two": gr.Hinge(between=("cross", "output.fork"), axis=(-math.sin(TILT), math.cos(TILT), 0.0)),
                    "last": gr.Hinge(between=("right", "output.bearing"), axis=along)},
        start={"input": {"position": (-0.5, 0.0, 0.0)}, "cross": {"position": (0.0, 0.0, 0.0)},
               "output": {"position": tuple(0.5 * c for c in along),
                          "orientation": (math.cos(half), 0.0, 0.0, math.sin(half))}})


def test_a_universal_joint_turns_unevenly() -> None:
    """Hooke's joint: ω₂ = ω₁ cos β/(1 - sin² β cos² θ₁), θ₁ counted from where the input's pin lies in the plane of
    both shafts. It follows from the derivative of tan θ₂ = tan θ₁/cos β.
    """
    run = gr.simulate(hooke(gr.MasslessBody()), until=2.0)
    angle = 2.0 * run.t + 0.5 * math.pi  # the pin of the input is square to the plane of the shafts at the start
    expected = 2.0 * math.cos(TILT) / (1.0 - (math.sin(TILT) * np.cos(angle)) ** 2)
    speed = np.linalg.norm(run.angular_velocity("output"), axis=1)
    assert np.abs(speed - expected).max() < 1e-7


def test_it_is_the_limit_of_a_light_body() -> None:
    """A hanging body on two crossed hinges: with a light cross accelerations differ by a part of its inertia."""
    def scene(cross: gr.Body) -> gr.Scene:
        return gr.Scene(
            body={"nail": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "cross": cross,
                  "block": gr.Block(mass=2.0, size=(0.1, 0.2, 0.5), points={"top": (0.02, 0.01, 0.25)})},
            constraint={"one": gr.Hinge(between=("nail", "cross"), axis=(1, 0, 0)),
                        "two": gr.Hinge(between=("cross", "block.top"), axis=(0, 1, 0))},
            load={"gravity": gr.Gravity(acceleration=(0.0, 3.0, -9.81)),
                  "coil": gr.TorsionSpring(hinge="one", stiffness=5.0, rest_angle=0.2),
                  "damper": gr.TorsionSpring(hinge="two", stiffness=0.0, damping=0.3)},
            start={"block": {"angular_velocity": (0.7, -0.4, 0.0)}, "cross": {"position": (0.0, 0.0, 0.0)}},
            run=gr.RunSettings(formulation="fundamental"))

    exact, light = (derive(scene(cross)) for cross in (
        gr.MasslessBody(), gr.RigidBody(mass=1e-5, inertia=(1e-6, 1e-6, 1e-6))))
    one, other = (dict(zip(e.coordinates, e.accelerations(*e.start), strict=True)) for e in (exact, light))
    assert exact.coordinates == light.coordinates
    assert max(abs(one[name] - other[name]) for name in one) < 1e-3  # 1e-6 of about 0.15 kg m² times 20 rad/s²
    assert abs(one["block.y"]) > 0.1


@pytest.mark.parametrize("formulation", ["lagrange", "virtual-work", "gibbs-appell"])
def test_formulations_agree(formulation: str) -> None:
    """Accelerations of the driven universal joint, whose cross moves: a sum of some hundred terms of order 1."""
    one, other = (derive(hooke(gr.MasslessBody()), way) for way in ("fundamental", formulation))
    found = [dict(zip(e.coordinates, e.accelerations(*one.start), strict=True)) for e in (one, other)]
    assert max(abs(found[0][name] - found[1][name]) for name in one.coordinates) < 1e-11
    assert abs(found[0]["cross.u1"]) + abs(found[0]["cross.u0"]) > 0.1


def test_what_cannot_be_is_refused() -> None:
    """newton-euler divides by masses; a free massless body is not determined; grains need masses."""
    with refused(gr.SceneError, "body.cross", "mass", "newton-euler"):
        gr.simulate(hooke(gr.MasslessBody()), until=0.1, formulation="newton-euler")
    loose = gr.Scene(body={"ghost": gr.MasslessBody(), "block": gr.Block(mass=1.0, size=(1.0, 1.0, 1.0))},
                     start={"ghost": {"position": (0.0, 0.0, 1.0)}, "block": {"position": (0.0, 0.0, 0.0)}})
    with refused(gr.GranumError, "ghost"):
        gr.simulate(loose, until=0.1)
    among = gr.Scene(body={"ghost": gr.MasslessBody(), "ball": gr.Sphere(radius=0.1, mass=1.0)},
                     material={"steel": gr.Material(density=7800.0)},
                     start={"ghost": {"position": (0.0, 0.0, 1.0)}, "ball": {"position": (0.0, 0.0, 0.0)}})
    with refused(gr.GranumError, "ghost"):
        gr.simulate(among, until=0.1)
