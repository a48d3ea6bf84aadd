"""Joints, drives and starts that cannot be: told with place, figures and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

import granum as gr
from granum.io.scenefile import parse_scene
from messages import naming, refused

FLAT = """title = "Arm"
[run]
formulation = "fundamental"
[body.pin]
kind = "fixed-point"
position = [0.0, 0.0]
[body.arm]
kind = "rod"
length = 1.0
mass = 2.0
[body.wheel]
kind = "disk"
radius = 0.2
mass = 1.0
[start.arm]
position = [0.5, 0.0]
[start.wheel]
position = [1.0, 0.0]
[constraint.hinge]
kind = "hinge"
between = ["pin", "arm.tail"]
[constraint.axle]
kind = "hinge"
between = ["arm.head", "wheel"]
[constraint.motor]
kind = "drive"
joint = "hinge"
motion = "2*t"
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[load.torsion]
kind = "torsion-spring"
hinge = "axle"
stiffness = 1.0
[load.twist]
kind = "torque"
on = "wheel"
torque = 0.5
"""
SPACE = """title = "Arm"
[run]
formulation = "fundamental"
[body.pin]
kind = "fixed-point"
position = [0.0, 0.0, 0.0]
[body.arm]
kind = "rod"
length = 1.0
radius = 0.1
mass = 2.0
[start.arm]
position = [0.5, 0.0, 0.0]
[constraint.hinge]
kind = "hinge"
between = ["pin", "arm.tail"]
axis = [0.0, 0.0, 1.0]
"""
# text, what is replaced, by what, names in the answer, place
BAD: dict[str, tuple[str, str, str, list[str], str]] = {
    "apart": (FLAT, "[0.5, 0.0]", "[0.53, 0.04]",
              ["0.05 m", "start.arm.position = [0.53, 0.04]", "project_start"], "constraint.hinge"),
    "axis-in-the-plane": (FLAT, '"arm.tail"]', '"arm.tail"]\naxis = [1.0, 0.0, 0.0]',
                          ["2-D", "axis"], "constraint.hinge"),
    "no-axis-in-space": (SPACE, "axis = [0.0, 0.0, 1.0]\n", "", ["3-D", "axis = [0, 0, 1]"],
                         "constraint.hinge"),
    "unknown-joint": (FLAT, 'joint = "hinge"', 'joint = "hing"', ['"hing"', '"hinge"'],
                      "constraint.motor"),
    "not-a-joint": (FLAT, 'kind = "hinge"\nbetween = ["arm.head"', 'kind = "ball-joint"\nbetween = ["arm.head"',
                    ['"axle"'], "load.torsion"),
    "drives-a-ball-joint": (FLAT.replace('joint = "hinge"', 'joint = "axle"').replace("[load.torsion]", "[load.a]"),
                            'kind = "hinge"\nbetween = ["arm.head"', 'kind = "ball-joint"\nbetween = ["arm.head"',
                            ['"axle"', '"ball-joint"', "hinge", "slider"], "constraint.motor"),
    "begins-elsewhere": (FLAT, '"2*t"', '"1 + 2*t"', ["1 at t = 0", "at 0"], "constraint.motor.motion"),
    "motion-of-x": (FLAT, '"2*t"', '"2*x"', [">>x<<"], "constraint.motor.motion"),
    "two-drives": (FLAT, "[load.gravity]", '[constraint.other]\nkind = "drive"\njoint = "hinge"\nmotion = "t"\n'
                   "[load.gravity]", ['"other"', '"hinge"'], "constraint.motor"),
    "mixed-vectors": (FLAT, "[0.0, -9.81]", "[0.0, 0.0, -9.81]", ["3 components", "2-D"],
                      "load.gravity.acceleration"),
    "mixed-positions": (FLAT, "[1.0, 0.0]", "[1.0, 0.0, 0.0]", ["3 components", "2-D"],
                        "start.wheel.position"),
    "mixed-points": (FLAT, "mass = 2.0", "mass = 2.0\npoints = {tip = [0.1, 0.0, 0.0]}", ["tip", "3 components", "2-D"],
                     "body.arm"),
    "orientation-in-the-plane": (FLAT, "[0.5, 0.0]", "[0.5, 0.0]\norientation = [0.6, 0.8, 0.0, 0.0]", ["angle"],
                                 "start.arm.orientation"),
    "angle-in-space": (SPACE, "[0.5, 0.0, 0.0]", "[0.5, 0.0, 0.0]\nangle = 0.1", ["orientation"],
                       "start.arm.angle"),
    "turns-out-of-the-plane": (FLAT, "[0.5, 0.0]", "[0.5, 0.0]\nangular_velocity = [1.0, 0.0, 0.0]", ["z"],
                               "start.arm.angular_velocity"),
    "one-moment-in-space": (SPACE, 'kind = "rod"\nlength = 1.0\nradius = 0.1',
                            'kind = "rigid-body"\ninertia = 0.1\npoints = {tail = [-0.5, 0.0, 0.0]}',
                            ["moments"], "body.arm"),
    "torque-on-a-point": (FLAT, 'on = "wheel"', 'on = "pin"', ['"pin"', "rigid body"], "load.twist"),
    "torque-aside": (FLAT, "torque = 0.5", "torque = [1.0, 0.0, 0.0]", ["z"], "load.twist"),
    "one-body-twice": (FLAT, '["pin", "arm.tail"]', '["arm.head", "arm.tail"]', ['"arm"'],
                       "constraint.hinge"),
    "beside-the-line": (FLAT.replace("[start.arm]", "[start.arm]\nangle = 0.0"),
                        'kind = "hinge"\nbetween = ["pin", "arm.tail"]',
                        'kind = "slider"\nbetween = ["pin", "arm.head"]\naxis = [0.6, 0.8]', ["0.8 m"],
                        "constraint.hinge"),
    "slider-axis": (FLAT, 'kind = "hinge"\nbetween = ["pin", "arm.tail"]',
                    'kind = "slider"\nbetween = ["pin", "arm.tail"]\naxis = [1.0, 0.0, 0.0]', ["3 components", "2-D"],
                    "constraint.hinge.axis"),
    "not-touching": (FLAT, "[load.gravity]", '[body.other]\nkind = "disk"\nradius = 0.3\nmass = 1.0\n[start.other]\n'
                     'position = [1.0, 0.6]\n[constraint.gears]\nkind = "rolling"\nbody = "other"\non = "wheel"\n'
                     "[load.gravity]", ["0.1 m", "start.other.position = [1, 0.6]"],
                     "constraint.gears"),
    "rolls-on-a-rod": (FLAT, "[load.gravity]", '[constraint.gears]\nkind = "sliding"\nbody = "wheel"\non = "arm"\n'
                       "[load.gravity]", ['"arm"'], "constraint.gears"),
    "slides-on-a-surface": (SPACE, "[constraint.hinge]", '[body.ball]\nkind = "sphere"\nradius = 0.1\nmass = 1.0\n'
                            '[surface.floor]\nequation = "Z"\n[constraint.slides]\nkind = "sliding"\nbody = "ball"\n'
                            'on = "floor"\n[constraint.hinge]', ["surface", "rolling"], "constraint.slides"),
}


@pytest.mark.parametrize("mistake", BAD)
def test_told_with_place_figure_and_remedy(mistake: str) -> None:
    text, old, new, names, place = BAD[mistake]
    parse_scene(text if mistake != "drives-a-ball-joint" else FLAT)  # without the mistake it is a scene
    assert old in text
    with refused(gr.SceneError, *names) as caught:
        parse_scene(text.replace(old, new, 1))
    assert caught.value.problems[0].place == place and caught.value.problems[0].line is not None


@pytest.mark.parametrize("text", [FLAT, SPACE], ids=["2-D", "3-D"])
def test_the_ground_may_come_last(text: str) -> None:
    """A hinge named from the other side: the same motion, its force turned round; the drive runs backwards."""
    other = text.replace('["pin", "arm.tail"]', '["arm.tail", "pin"]').replace('motion = "2*t"', 'motion = "-2*t"')
    one, two = (gr.derive(parse_scene(scene)) for scene in (text, other))
    q, v = one.start
    assert two.start[1] == pytest.approx(v, abs=1e-12)
    assert two.accelerations(q, v) == pytest.approx(one.accelerations(q, v), abs=1e-9)
    ours, theirs = one.reactions(q, v), two.reactions(q, v)
    for axis in "xy":
        assert theirs[f"hinge.force.{axis}"] == pytest.approx(-ours[f"hinge.force.{axis}"], abs=1e-9)


def driven(**more: Any) -> gr.Scene:
    """A crank with a drive, and what is to contradict it."""
    scene = parse_scene(FLAT)
    return scene.model_copy(update={"constraint": {**scene.constraint, **more}})


@pytest.mark.parametrize("way", ["fundamental", "lagrange", "gibbs-appell", "virtual-work"])
def test_drive_that_contradicts_a_constraint_is_named(way: str) -> None:
    """An arm that is held and driven: rates at the start cannot be both; one that begins gently clashes later."""
    stuck = gr.FormulaConstraint(formula="arm.angle = 0")
    with pytest.raises(gr.GranumError) as caught:
        gr.derive(driven(stuck=stuck), way)
    naming(str(caught.value), "motor", "stuck")  # rounding decides which of the two comes first
    gentle = gr.derive(driven(stuck=stuck, motor=gr.Drive(joint="hinge", motion="t**2")), way)
    with refused(gr.GranumError, "motor", "stuck"):
        gentle.accelerations(*gentle.start)


def test_points_that_nearly_meet_are_moved_when_asked() -> None:
    """With project_start the nearest start that fits is taken, angles included."""
    free = FLAT.replace('[constraint.motor]\nkind = "drive"\njoint = "hinge"\nmotion = "2*t"\n', "")
    scene = parse_scene(free.replace("[0.5, 0.0]", "[0.5, 0.01]").replace("[run]", "[run]\nproject_start = true"))
    equations = gr.derive(scene)
    q = dict(zip(equations.coordinates, equations.start[0], strict=True))
    assert (q["arm.x"] ** 2 + q["arm.y"] ** 2) ** 0.5 == pytest.approx(0.5, abs=1e-12)
    assert q["arm.y"] != 0.0


def test_a_torque_is_not_for_points_and_links() -> None:
    scene = gr.Scene(
        body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=1.0)},
        link={"rod": gr.Link(between=("nail", "bob"))}, start={"bob": {"position": (1.0, 0.0)}},
        load={"twist": gr.Torque(on="bob", torque=3.0)})
    with refused(gr.SceneError, "load.twist", '"torque"', "newton-euler"):
        gr.simulate(scene, until=0.1)
