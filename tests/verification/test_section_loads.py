"""Force and moment across cuts, against closed forms of the part beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
import mechanisms
from messages import refused

G = mechanisms.GRAVITY


def test_swinging_rod_carries_what_its_outer_part_needs() -> None:
    """The part beyond a cut at s from the pivot: F = m'(g - a'), M = -(I' θ̈ + r × m'(a' - g)), θ̈ = -3 g cos θ / 2 l."""
    length, mass, s = 1.2, 0.8, 0.5
    scene = mechanisms.pendulum_of_rods([length], [mass], [0.4], tolerance=1e-11)
    cut = gr.SectionProbe(body="rod-1", position=(s - length / 2, 0.0), normal=(1.0, 0.0))
    run = gr.simulate(scene.model_copy(update={"probe": {"cut": cut}}), until=2.0)
    force, moment = run.section("cut")
    theta, rate = run.angle("rod-1"), run.angular_velocity("rod-1")
    turning = -1.5 * G / length * np.cos(theta)
    outer, beyond = mass * (1 - s / length), length - s
    along, across = np.stack([np.cos(theta), np.sin(theta)], 1), np.stack([-np.sin(theta), np.cos(theta)], 1)
    a = 0.5 * (s + length) * (turning[:, None] * across - (rate**2)[:, None] * along)
    need = outer * (a + np.array([0.0, G]))
    assert force == pytest.approx(-need, abs=1e-10)
    lever = beyond / 2 * (along[:, 0] * need[:, 1] - along[:, 1] * need[:, 0])
    assert moment == pytest.approx(-(outer * beyond**2 / 12 * turning + lever), abs=1e-10)


FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell", "scalar")
LEVEL: dict[str, Any] = {"body": {"post": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.Rod(length=1.0, mass=2.0)},
                         "constraint": {"pin": gr.Hinge(between=("post", "rod.tail"))},
                         "start": {"rod": gr.Start(angle=0.0)},
                         "probe": {"cut": gr.SectionProbe(body="rod", position=(0.1, 0.0), normal=(1.0, 0.0))},
                         "run": {"until": 0.1, "interval": 0.1}}
"""A level rod on a hinge, cut at 0.6 m from it; 0.4 of its weight lies beyond."""


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("held", ["motor", "servo", "coil", "jack", "cable"])
def test_what_holds_a_rod_acts_on_its_side_of_the_cut(held: str, formulation: str) -> None:
    """Statics of a beam: V = 0.4 m g and M = 0.4 m g 0.2 m of what lies beyond, less what acts on it at its end."""
    weight = 2.0 * G
    gravity = {"gravity": gr.Gravity(acceleration=(0.0, -G))}
    load: dict[str, Any] = {
        "coil": {"coil": gr.TorsionSpring(hinge="pin", stiffness=1e3, rest_angle=0.5 * weight / 1e3)},
        "cable": {"cable": gr.FormulaLoad(on="rod.head", force=("0", f"{0.5 * weight} - 0.3*vy"))}}.get(held, {})
    actuator: dict[str, Any] = {
        "motor": {"motor": gr.TorqueActuator(joint="pin", torque=0.5 * weight)},
        "servo": {"servo": gr.PositionServo(joint="pin", position=0.5 * weight / 1e3, stiffness=1e3, damping=1.0)},
        "jack": {"jack": gr.ForceActuator(body="rod.head", force=(0.0, 0.5 * weight))}}.get(held, {})
    run = gr.simulate(gr.Scene(**LEVEL, load={**gravity, **load}, actuator=actuator), formulation=formulation)
    beyond = 0.5 * weight if held in ("jack", "cable") else 0.0
    force, moment = run.section("cut")
    assert force == pytest.approx(np.tile([0.0, beyond - 0.4 * weight], (2, 1)), abs=1e-9)
    assert moment == pytest.approx(0.4 * beyond - 0.4 * weight * 0.2, abs=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS[1:])
def test_section_loads_do_not_depend_on_the_formulation(formulation: str) -> None:
    """Two rods that a motor in their hinge swings."""
    scene = mechanisms.pendulum_of_rods([1.2, 0.7], [0.8, 0.5], [0.4, -0.3], tolerance=1e-11)
    scene = scene.model_copy(update={
        "probe": {"cut": gr.SectionProbe(body="rod-1", position=(0.1, 0.0), normal=(1.0, 0.0))},
        "actuator": {"motor": gr.TorqueActuator(joint="hinge-2", torque="3*sin(5*t)")}})
    one, two = (gr.simulate(scene, formulation=way, until=0.4, interval=0.2).section("cut")
                for way in ("newton-euler", formulation))
    assert two.force == pytest.approx(one.force, abs=1e-8)
    assert two.moment == pytest.approx(one.moment, abs=1e-8)
    if formulation == "lagrange":
        chosen = gr.simulate(scene, formulation=formulation, coordinates=["hinge-1.angle", "hinge-2.angle"], until=0.4,
                             interval=0.2).section("cut")
        assert chosen.force == pytest.approx(one.force, abs=1e-8)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_commands_between_steps_count(formulation: str) -> None:
    """Lifted by twice what holds it: the angular acceleration is ½ m g l/(⅓ m l²) = 1.5 g/l."""
    sim = gr.Simulation(gr.Scene(**LEVEL, load={"gravity": gr.Gravity(acceleration=(0.0, -G))},
                                 actuator={"motor": gr.TorqueActuator(joint="pin", torque=0.0)}),
                        formulation=formulation)
    sim.actuate("motor", torque=2.0 * G * 1.0)
    sim.step(1e-3)
    force = sim.finish().section("cut").force[-1]
    assert force[1] == pytest.approx(-0.4 * 2.0 * (G + 1.5 * G * 0.8), rel=1e-5)


def test_where_newton_euler_has_no_equations() -> None:
    """A gear, a torque on the whole body, and a scene without rigid bodies are refused by name."""
    gear = {**LEVEL, "body": {**LEVEL["body"], "wheel": gr.Disk(radius=0.1, mass=1.0)},
            "constraint": {**LEVEL["constraint"], "axle": gr.Hinge(between=("post", "wheel")),
                           "gear": gr.Gear(joints=("pin", "axle"), ratio=2.0)},
            "start": {**LEVEL["start"], "wheel": gr.Start(position=(0.0, 0.0))}}
    point = {**LEVEL, "body": {"post": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.PointMass(mass=1.0)},
             "constraint": {}, "start": {"rod": gr.Start(position=(1.0, 0.0))}}
    for entries, names in ((gear, ("constraint.gear",)), ({**LEVEL, "load": {"twist": gr.Torque(on="rod", torque=1.0)}},
                                                          ('"twist"', '"rod"')), (point, ("rigid body",))):
        with refused(gr.SceneError, "probe.cut", *names):
            gr.simulate(gr.Scene(**entries))


def test_both_sides_of_a_cut_carry_opposite_loads() -> None:
    """A coupler in a closed loop in space, cut from either side."""
    scene = mechanisms.four_bar(True)
    cuts = {name: gr.SectionProbe(body="coupler", position=(0.3, 0.0, 0.0), normal=(sign, 0.0, 0.0))
            for name, sign in (("there", 1.0), ("back", -1.0))}
    run = gr.simulate(scene.model_copy(update={"probe": cuts}), until=0.5)
    (f, m), (g, n) = run.section("there"), run.section("back")
    assert f == pytest.approx(-g, abs=1e-9 * np.abs(f).max())
    assert m == pytest.approx(-n, abs=1e-9 * np.abs(m).max())
    assert np.abs(f).max() > 1.0 and np.abs(m).max() > 0.1


def test_a_hanging_clump_carries_its_lower_ball() -> None:
    """Two balls one above the other, the upper one pinned: between them the weight of the lower one."""
    clump = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1),
                              gr.Part(centre=(0.0, 0.0, -0.5), radius=0.08)],
                     density=1000.0)
    below = 4.0 / 3.0 * np.pi * 0.08**3 * 1000.0
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "c": clump},
        constraint={"pin": gr.Hinge(between=("pin", "c.1"), axis=(0.0, 1.0, 0.0))},
        load={"g": gr.Gravity(acceleration=(0.0, 0.0, -G))},
        probe={"cut": gr.SectionProbe(body="c", position=(0.0, 0.0, -0.3), normal=(0.0, 0.0, 1.0))})
    force, moment = gr.simulate(scene, until=0.1).section("cut")
    assert force == pytest.approx(np.tile([0.0, 0.0, below * G], (len(force), 1)), abs=1e-9)
    assert np.abs(moment).max() < 1e-9


@pytest.mark.parametrize(("probe", "names"), [
    ({"body": "rod-9", "position": (0.0, 0.0), "normal": (1.0, 0.0)}, ("probe.cut", '"rod-9"')),
    ({"body": "rod-1", "position": (0.7, 0.0), "normal": (1.0, 0.0)}, ("probe.cut", "0.7 m")),
    ({"body": "rod-1", "position": (0.0, 0.0), "normal": (0.0, 1.0)}, ("probe.cut", "normal")),
])
def test_cuts_that_cannot_be_made_are_refused(probe: dict, names: tuple[str, ...]) -> None:
    scene = mechanisms.pendulum_of_rods([1.2], [0.8], [0.4])
    with refused(gr.SceneError, *names):
        gr.simulate(scene.model_copy(update={"probe": {"cut": gr.SectionProbe(**probe)}}), until=0.1)


@pytest.mark.parametrize("formulation", [one for one in FORMULATIONS if one != "scalar"])
def test_redundant_joints_share_what_they_carry_beside_a_cut(formulation: str) -> None:
    """A rod between two pins under its weight along itself, mg: which pin carries it is open, and of least norm are
    mg/2 each. Across a cut with 0.4 of the rod beyond it, 0.4 mg - 0.5 mg is left; a pin alone would give 0.4 or -0.6.
    """
    weight = 2.0 * G
    scene = gr.Scene(
        body={**LEVEL["body"], "far": gr.FixedPoint(position=(1.0, 0.0))}, start=LEVEL["start"], run=LEVEL["run"],
        constraint={**LEVEL["constraint"], "other": gr.Hinge(between=("far", "rod.head"))},
        probe=LEVEL["probe"], load={"gravity": gr.Gravity(acceleration=(G, 0.0))})
    run = gr.simulate(scene, formulation=formulation)
    assert run.reaction("pin").force == pytest.approx(np.tile([-0.5 * weight, 0.0], (2, 1)), abs=1e-9)
    force, moment = run.section("cut")
    assert force == pytest.approx(np.tile([-0.1 * weight, 0.0], (2, 1)), abs=1e-9)
    assert moment == pytest.approx(0.0, abs=1e-9)
