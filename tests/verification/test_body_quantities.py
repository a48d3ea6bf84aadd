"""Velocities, angular velocities and points of bodies in the formulas of a scene."""

from __future__ import annotations

import math

import numpy as np
import pytest

import granum as gr
from messages import refused

DOWN = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))}
TOP = gr.RigidBody(mass=1.0, inertia=(0.02, 0.03, 0.04), points={"tip": (0.1, 0.2, 0.3)})


def spinning(formula: str) -> gr.Scene:
    """A body in the air with one constraint."""
    return gr.Scene(body={"top": TOP}, constraint={"rule": gr.FormulaConstraint(formula=formula)}, load=DOWN,
                    start={"top": gr.Start(position=(0.0, 0.0, 0.0), angular_velocity=(0.5, 0.2, 3.0))})


def test_an_angular_velocity_is_held() -> None:
    """ω_z stays 3 rad/s by a torque about z, while ω of a free body of three moments would change."""
    run = gr.simulate(spinning("top.wz = 3"), until=2.0, interval=0.1, tolerance=1e-11)
    assert np.abs(run.angular_velocity("top")[:, 2] - 3.0).max() < 1e-9
    assert np.ptp(run.angular_velocity("top")[:, 0]) > 0.1


def test_a_point_of_a_body_is_held_at_its_height() -> None:
    """The same as a formula of its own coordinates would do it, but by name."""
    run = gr.simulate(spinning("top.tip.z - 0.3"), until=1.0, interval=0.1, tolerance=1e-11)
    x, u = run.position("top"), np.column_stack([run.coordinate(f"top.u{k}") for k in range(4)])
    a, b = u[:, :1], u[:, 1:]
    arm = np.array([0.1, 0.2, 0.3])
    tip = x + arm + 2.0 * np.cross(b, np.cross(b, arm) + a * arm)
    assert np.abs(tip[:, 2] - 0.3).max() < 1e-10
    assert run.energy_error < 1e-10


@pytest.mark.parametrize("formula", ["top.tip.vx", "top.tip.x_dot"])
def test_a_velocity_of_a_point_is_prescribed(formula: str) -> None:
    scene = spinning(f"{formula} = 0.1*sin(t)")
    scene = scene.model_copy(update={"start": {"top": gr.Start(position=(0.0, 0.0, 0.0))}})
    equations = gr.derive(scene, "fundamental")
    q, v = equations.start  # type: ignore[attr-defined]
    a = equations.accelerations(q, v, 0.0)
    assert a[0] + np.cross(2.0 * a[4:7], [0.1, 0.2, 0.3])[0] == pytest.approx(0.1, abs=1e-12)  # ω̇ = 2 ü at rest


def test_a_pendulum_swings_as_with_a_hinge() -> None:
    """In 2-D: the point of a rod on a nail by two formulas of names, and its angular velocity in a third."""
    rod = {"nail": gr.FixedPoint(position=(0.2, 0.1)), "rod": gr.Rod(length=1.0, mass=2.0)}
    load = {"gravity": gr.Gravity(acceleration=(0.0, -9.81))}
    start = {"rod": gr.Start(position=(0.7, 0.1), angle=0.0)}
    joints: list[dict[str, gr.Constraint]] = [
        {"pin": gr.Hinge(between=("nail", "rod.tail"))},
        {"pin": gr.FormulaConstraint(formulas=("rod.tail.x = nail.x", "rod.tail.y = nail.y"))}]
    ends = [gr.simulate(gr.Scene(body=rod, constraint=joint, load=load, start=start), until=1.0, tolerance=1e-12,
                        formulation="fundamental").position("rod")[-1] for joint in joints]
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10)
    held = gr.Scene(body=rod, constraint={**joints[0], "motor": gr.FormulaConstraint(formula="rod.wz = 2*t")},
                    load=load, start=start)
    run = gr.simulate(held, until=1.0, tolerance=1e-11)
    assert run.coordinate("rod.angle")[-1] == pytest.approx(1.0, abs=1e-9)


def test_names_that_are_not_there_are_refused() -> None:
    for formula, near in (("top.tpi.x", "top.tip.x"), ("top.wq", "top.w"), ("tap.wz", "top.wz")):
        with refused(gr.SceneError, "constraint.rule.formula", near):
            gr.simulate(spinning(formula), until=0.1)


def test_angular_velocities_out_of_the_plane_are_refused_in_2_d() -> None:
    scene = gr.Scene(body={"rod": gr.Rod(length=1.0, mass=2.0)}, start={"rod": gr.Start(position=(0.0, 0.0))},
                     constraint={"rule": gr.FormulaConstraint(formula="rod.wx")})
    with refused(gr.SceneError, "rod.wx"):
        gr.simulate(scene, until=0.1)


def test_points_of_bodies_are_recorded() -> None:
    """`[system.points]` takes their names too."""
    scene = spinning("top.wz = 3").model_copy(update={"system": gr.FormulaSystem(
        points={"mark": ("top.tip.x", "top.tip.y", "top.tip.z")})})
    run = gr.simulate(scene, until=0.5, interval=0.1)
    apart = np.linalg.norm(run.position("mark") - run.position("top"), axis=1)
    np.testing.assert_allclose(apart, math.sqrt(0.14), rtol=1e-9)
