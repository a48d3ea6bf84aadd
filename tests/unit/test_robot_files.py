"""URDF and MJCF files: what is read, what is listed, what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from commands import granum
from granum.robots.reading import Converted, read_robot
from messages import naming, refused, says

ROBOTS = Path(__file__).parents[1] / "robots"
MASS = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def read(folder: Path, text: str, suffix: str = "xml", **options: object) -> Converted:
    file = folder / f"robot.{suffix}"
    file.write_text(text)
    return read_robot(file, **options)  # type: ignore[arg-type]


def mjcf(body: str, more: str = "") -> str:
    return f'<mujoco>\n<worldbody>\n<body name="arm">\n{body}\n</body>\n</worldbody>\n{more}</mujoco>\n'


def urdf(inside: str, kind: str = "revolute", inertia: str = 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"') -> str:
    return (f'<robot name="r">\n<link name="base"/>\n<link name="arm"><inertial><mass value="1"/><inertia {inertia}/>'
            f'</inertial></link>\n<joint name="pin" type="{kind}"><parent link="base"/><child link="arm"/>'
            f"{inside}</joint>\n</robot>\n")


# ---- what is listed


def test_nothing_is_dropped_silently(tmp_path: Path) -> None:
    """Every part without a counterpart is named, with its line, in the result and in the scene."""
    found = read(tmp_path, mjcf(
        f'{MASS}\n<joint name="pin" armature="0.1" frictionloss="0.2" margin="0.01"/>\n'
        '<geom name="cover" type="mesh" mesh="cover" solref="0.01 1"/>\n<camera name="eye"/>\n'
        '<body name="hand" pos="1 0 0" gravcomp="1"><joint name="socket" type="ball" damping="0.3" '
        'frictionloss="0.1" range="0 1"/>'
        f"{MASS}</body>",
        '<asset><mesh name="cover" file="cover.stl"/></asset>\n'
        '<tendon><fixed name="cable"><joint joint="pin" coef="1"/></fixed></tendon>\n'
        '<contact><exclude name="apart" body1="arm" body2="hand"/></contact>\n'
        '<actuator><motor name="winch" tendon="cable"/><muscle name="biceps" joint="pin"/></actuator>\n'
        '<sensor><jointpos name="angle" joint="pin"/></sensor>\n<option density="1.2" integrator="RK4"/>\n'
        '<equality><joint name="gear" joint1="pin"/></equality>\n<custom><numeric name="answer" data="42"/></custom>\n'
        '<keyframe><key name="home" qpos="0 1 0 0 0"/></keyframe>\n'))
    listed = {(entry.what, entry.name) for entry in found.left_out}
    assert listed == {
        ("joint armature", "pin = 0.1"), ("joint margin", "pin"),
        ("geom", "cover"), ("camera", "eye"), ("body gravcomp", "hand"), ("joint damping", "socket"),
        ("joint range", "socket"), ("joint frictionloss", "socket"),
        ("asset mesh", "cover"), ("tendon fixed", "cable"), ("contact exclude", "apart"), ("motor", "winch"),
        ("muscle", "biceps"), ("sensor jointpos", "angle"), ("option density", "1.2"), ("option integrator", "RK4"),
        ("joint", "gear"), ("custom numeric", "answer"), ("key", "home")}
    comments = " ".join(line.lstrip("# ") for line in found.text.splitlines() if line.startswith("#"))
    for entry in found.left_out:
        assert f"{entry.name} (line {entry.line})" in comments


def test_urdf_parts_are_listed(tmp_path: Path) -> None:
    text = urdf('<mimic joint="other"/><dynamics damping="0.1" friction="0.2"/><calibration rising="0"/>'
                '<limit effort="3" velocity="2" lower="-1" upper="1"/>')
    found = read(tmp_path, text.replace("</robot>", '<gazebo reference="arm"/></robot>'), "urdf")
    assert {(entry.what, entry.name) for entry in found.left_out} == {
        ("mimic", "of pin"), ("joint limit velocity", "pin = 2"),
        ("calibration", "of pin"),
        ("gazebo", "")}
    assert found.scene.actuator["pin-motor"].limit == 3.0
    assert found.scene.load["pin-friction"] == gr.JointFriction(joint="pin", torque=0.2)


def test_dry_friction_is_converted(tmp_path: Path) -> None:
    """Of hinges a torque, of sliders a force; a negative one is refused with its line."""
    text = urdf('<dynamics friction="3"/>', "prismatic")
    assert read(tmp_path, text, "urdf").scene.load["pin-friction"] == gr.JointFriction(joint="pin", force=3.0)
    text = mjcf(f'{MASS}\n<joint name="pin" type="slide" frictionloss="0.2"/>')
    assert read(tmp_path, text).scene.load["pin-friction"] == gr.JointFriction(joint="pin", force=0.2)
    for suffix, wrong, where in (("urdf", urdf('<dynamics friction="-3"/>'), 4),
                                 ("xml", mjcf(f'{MASS}\n<joint frictionloss="-3"/>'), 5)):
        with pytest.raises(gr.SceneError) as problem:
            read(tmp_path, wrong, suffix)
        naming(str(problem.value), f"robot.{suffix}:{where}", "friction", "-3", "negative")


# ---- what is read


def test_the_arm() -> None:
    """Bodies, joints and actuators of the test model; a fixed body is part of its parent, its site a point."""
    scene = read_robot(ROBOTS / "arm.xml").scene
    kinds = {name: body.kind for name, body in scene.body.items() if body.kind != "fixed-point"}
    assert kinds == {"turret": "rod", "boom": "rigid-body", "wrist-wrist-roll": "massless-body", "wrist": "rigid-body",
                     "tool": "rigid-body"}
    assert {name: entry.kind for name, entry in scene.constraint.items()} == {
        "yaw": "hinge", "extend": "slider", "wrist-roll": "hinge", "wrist-pitch": "hinge", "socket": "ball-joint"}
    assert {name: entry.kind for name, entry in scene.actuator.items()} == {
        "yaw-motor": "torque", "extend-servo": "position", "roll-servo": "velocity", "pitch-law": "torque"}
    wrist = scene.body["wrist"]
    assert isinstance(wrist, gr.RigidBody) and {"tip", "flange", "socket"} <= wrist.points.keys()
    assert scene.formulation == "fundamental"


def test_commands_behind_gears(tmp_path: Path) -> None:
    """A gear changes unit and sign of commands: the remark says how, and holds for the control of a keyframe."""
    body = """<worldbody><body name="arm"><joint name="pin" axis="0 1 0"/><geom type="capsule" size="0.02"
        fromto="0 0 0 0.5 0 0"/></body></worldbody>"""
    file = tmp_path / "geared.xml"
    file.write_text(f"""<mujoco><compiler angle="radian"/>{body}<actuator>
        <motor name="motor" joint="pin" gear="-50"/><position name="servo" joint="pin" kp="8" gear="4"/>
        <velocity name="rotor" joint="pin" kv="2" gear="-10"/><motor name="direct" joint="pin"/>
        <general name="law" joint="pin" biastype="affine" biasprm="0 3 0"/></actuator>
        <keyframe><key name="set" qpos="0.25" ctrl="0.2 3 7 5 1"/></keyframe></mujoco>""")
    converted = read_robot(file, keyframe="set")
    (note,) = converted.notes
    naming(note, "motor.torque = -50 u", "servo.position = 0.25 u - 0.25", "rotor.velocity = -0.1 u", "law follows")
    assert "direct" not in note  # u itself
    assert "motor.torque = -50 u" in converted.text
    values = {name: float(getattr(entry, entry.kind)[0]) for name, entry in converted.scene.actuator.items()
              if name != "law"}
    assert values == pytest.approx({"motor": -10.0, "servo": 0.5, "rotor": -0.7, "direct": 5.0})


def test_urdf_shapes(tmp_path: Path) -> None:
    """A link with the inertia of its only shape becomes a body of that shape; a fixed camera changes the forearm."""
    text = (ROBOTS / "arm.urdf").read_text()
    body = read(tmp_path, text, "urdf").scene.body
    assert (body["column"].kind, body["carriage"].kind, body["forearm"].kind) == ("rigid-body", "block", "rigid-body")
    assert body["carriage"].size == pytest.approx((0.1, 0.06, 0.195))
    light = text.replace('<mass value="0.15"/>', '<mass value="0"/>').replace("0.0001", "0")
    forearm = read(tmp_path, light, "urdf").scene.body["forearm"]
    assert isinstance(forearm, gr.Rod) and (forearm.length, forearm.radius) == (0.4, 0.05)
    assert forearm.points["elbow"] == pytest.approx((-0.2, 0.0, 0.0))


def test_a_free_base(tmp_path: Path) -> None:
    """The root link falls if it is set free."""
    text = urdf("").replace('<link name="base"/>', '<link name="base"><inertial><mass value="2"/><inertia ixx="1" '
                            'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>')
    assert "base" not in read(tmp_path, text, "urdf").scene.body
    run = gr.simulate(read(tmp_path, text, "urdf", free_base=True).scene, until=0.5)
    assert run.position("base")[-1, 2] == pytest.approx(-0.5 * 9.81 * 0.25, rel=1e-9)


def test_names_fit_a_scene(tmp_path: Path) -> None:
    """Names with other characters, twice the same, or none at all."""
    scene = read(tmp_path, mjcf(
        f'{MASS}<joint name="left/1"/><body name="left 1"><joint name="left 1"/>{MASS}</body>'
        f'<body pos="1 0 0"><joint/>{MASS}</body>')).scene
    assert list(scene.constraint) == ["left_1", "left_1-2", "body-3-joint"]


def test_a_title_of_any_characters(tmp_path: Path) -> None:
    """TOML takes no control characters."""
    text = mjcf(f"{MASS}<joint/>").replace("<mujoco>", '<mujoco model="a&#x7f;&quot;\\">')
    assert read(tmp_path, text).scene.title == 'a?"\\'


def test_a_keyframe(tmp_path: Path) -> None:
    """Chosen by name or index; velocities are those of the file."""
    text = mjcf(f'{MASS}<joint name="pin" axis="0 1 0"/>', '<keyframe><key qpos="0.1"/><key name="up" qpos="0.5" '
                'qvel="2"/></keyframe>')
    start = read(tmp_path, text, keyframe="up").scene.start["arm"]
    assert start.orientation == pytest.approx((np.cos(0.25), 0.0, np.sin(0.25), 0.0))
    assert start.angular_velocity == pytest.approx((0.0, 2.0, 0.0))
    first = read(tmp_path, text, keyframe="0").scene.start["arm"]
    assert first.orientation == pytest.approx((np.cos(0.05), 0.0, np.sin(0.05), 0.0))


def test_an_open_loop_is_closed(tmp_path: Path) -> None:
    """A keyframe that leaves a connection open is a guess, which Granum corrects."""
    text = (ROBOTS / "four-bar.xml").read_text().replace(
        "</mujoco>", '<keyframe><key qpos="0.3 -0.2 0.25 0.5742212 0.05 0.2906737 0.9921977 0 0.1246747 0"/></keyframe>'
                     "</mujoco>")
    found = read(tmp_path, text, keyframe="0")
    assert found.scene.start["crank"].guess == ("position", "orientation")
    run = gr.simulate(found.scene, until=0.01)
    ends = [run.position("coupler.loop"), run.position("rocker.loop")]
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


GEARED = (ROBOTS / "geared.urdf").read_text()


def test_joints_that_follow_others(tmp_path: Path) -> None:
    """<mimic> and <equality><joint> are gears; the joint that follows starts where the other one puts it."""
    found = read(tmp_path, GEARED, "urdf")
    gear = found.scene.constraint["b-mimic"]
    assert isinstance(gear, gr.Gear) and (gear.joints, gear.ratio) == (("a", "b"), -1.5)
    assert found.scene.start["two"].orientation == pytest.approx((np.cos(0.2), 0.0, np.sin(0.2), 0.0))
    bodies = "".join(f'<body name="{name}"><joint name="{joint}" axis="0 1 0" ref="10"/>{MASS}</body>'
                     for name, joint in (("one", "a"), ("two", "b")))
    text = (f"<mujoco><worldbody>{bodies}</worldbody><equality><joint name='pair' joint1='b' joint2='a' "
            "polycoef='0.4 -1.5'/></equality><keyframe><key name='turned' qpos='0.1 0.1'/></keyframe></mujoco>")
    scene = read(tmp_path, text).scene
    gear = scene.constraint["pair"]
    assert isinstance(gear, gr.Gear) and (gear.joints, gear.ratio) == (("a", "b"), -1.5)
    assert scene.start["two"].orientation == pytest.approx((np.cos(0.2), 0.0, np.sin(0.2), 0.0))
    with refused(gr.SceneError, 'coupling "pair"', "line 1"):  # a must be at 10°: -1.5 (0.1 - x₀) + 0.4 + x₀ ≠ 0.1
        read(tmp_path, text, keyframe="turned")
    bent = text.replace("polycoef='0.4 -1.5'", "polycoef='0 1 2'")
    assert ("joint", "pair") in {(entry.what, entry.name) for entry in read(tmp_path, bent).left_out}


# ---- what is refused


MJCF: dict[str, tuple[str, int | None, tuple[str, ...]]] = {  # text, line, what is named
    "unclosed": ("<mujoco>\n<worldbody>\n<body>\n", 4, ("XML",)),
    "doctype": ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<mujoco/>", 1, ("document type declaration",)),
    "root": ("<sdf/>", 1, ("<mujoco>",)),
    "nested": ("<mujoco>" + "<a>" * 300, 1, ("200",)),
    "zero-axis": (mjcf(f"{MASS}<joint axis='0 0 0'/>"), 4, ('axis = "0 0 0"',)),
    "short-axis": (mjcf(f"{MASS}<joint axis='0 1'/>"), 4, ('axis = "0 1"', "3 numbers")),
    "nan-axis": (mjcf(f"{MASS}<joint axis='0 1 nan'/>"), 4, ('axis = "0 1 nan"', "3 numbers")),
    "type": (mjcf(f"{MASS}<joint type='hing'/>"), 4, ('type = "hing"',)),
    "class": (mjcf(f"{MASS}<joint class='thin'/>"), 4, ('class "thin"',)),
    "damping": (mjcf(f"{MASS}<joint damping='-1'/>"), 4, ("damping = -1",)),
    "composite": (mjcf(f"{MASS}<joint/><composite/>"), 4, ("composite",)),
    "two-rotations": (mjcf(f"{MASS}<joint/><geom quat='1 0 0 0' euler='0 0 0'/>"), 4, ("quat and euler",)),
    "massless": (mjcf("<joint/>"), 3, ("mass",)),
    "mesh": (mjcf("<joint/><geom type='mesh' mesh='m'/>"), 4, ("mesh",)),
    "box": (mjcf("<joint/><geom type='box' size='1 2'/>"), 4, ("box", "3 positive numbers")),
    "triangle": (mjcf("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"), 3, ("sum",)),
    "flat": (mjcf("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0'/>"), 3, ("positive",)),
    "nothing-moves": (mjcf(MASS), None, ()),
    "free-joint": (mjcf(f"{MASS}<freejoint/><joint/>"), 3, ("free joint",)),
    "no-body": (mjcf(f"{MASS}<joint/>", '<equality>\n<connect body1="arn" anchor="0 0 0"/></equality>'), 8,
                ('body1 = "arn"',)),
    "no-joint": (mjcf(f"{MASS}<joint/>", '<actuator>\n<motor joint="pin"/></actuator>'), 8, ('joint = "pin"',)),
    "name-twice": (mjcf(f"{MASS}<joint/></body><body name='arm'>"), 4, ("name",)),
    "open-weld": ((ROBOTS / "four-bar.xml").read_text().replace(
        "</mujoco>", '<keyframe><key qpos="0 0 0 .5 .05 .3 1 1 0 0"/></keyframe></mujoco>'), 28,
        ('weld "bracket"', "line 25")),
    "include": (mjcf(f"{MASS}<joint/>", '<include file="missing.xml"/>'), 7, ("missing.xml",)),
    "global": (mjcf(f"{MASS}<joint/>", '<compiler coordinate="global"/>'), 7, ("global",)),
    "keyframe": (mjcf(f"{MASS}<joint/>", '<keyframe><key qpos="1 2"/></keyframe>'), 7, ('qpos = "1 2"', "1 number")),
}
URDF: dict[str, tuple[str, int | None, tuple[str, ...]]] = {
    "type": (urdf("", kind="ball"), 4, ('type = "ball"',)),
    "no-link": (urdf("").replace('parent link="base"', 'parent link="bas"'), 4, ('"base"',)),
    "no-child": (urdf("").replace('<child link="arm"/>', ""), 4, ("<child>",)),
    "loop": (urdf("").replace('<parent link="base"/>', '<parent link="arm"/>'), 3, ('root "base"',)),
    "two-roots": (urdf("").replace("</robot>", '<link name="other"/></robot>'), 1, ("2 root links", "base, other")),
    "name-twice": (urdf("").replace("</robot>", '<joint name="pin" type="fixed"/></robot>'), 5, ("line 4",)),
    "xacro": (urdf("").replace("</robot>", '<xacro:include filename="a"/></robot>'), 5, ("xacro robot.urdf.xacro",)),
    "axis": (urdf("<axis xyz='0,0,1'/>"), 4, ('xyz = "0,0,1"', "3 numbers")),
    "triangle": (urdf("", inertia='ixx="1" iyy="1" izz="5"'), 3, ("sum",)),
    "nothing-moves": (urdf("", kind="fixed"), None, ("--free-base",)),
    "mimic-itself": (GEARED.replace('mimic joint="a"', 'mimic joint="b"'), 7, ('"b"',)),
    "mimic-circle": (GEARED.replace('xyz="0 1 0"/></joint>', 'xyz="0 1 0"/><mimic joint="b"/></joint>'), 5, ('"a"',)),
    "no-mass": (urdf("").replace('<mass value="1"/>', ""), 3, ("<mass>",)),
    "negative-mass": (urdf("").replace('value="1"', 'value="-1"'), 3, ("-1",)),
}


@pytest.mark.parametrize("case", MJCF)
def test_mjcf_is_refused(tmp_path: Path, case: str) -> None:
    text, line, names = MJCF[case]
    with refused(gr.SceneError, "robot.xml", *names) as caught:
        read(tmp_path, text, keyframe="0" if "keyframe" in text else "")
    assert [problem.line for problem in caught.value.problems][:1] == [line]


@pytest.mark.parametrize("case", URDF)
def test_urdf_is_refused(tmp_path: Path, case: str) -> None:
    text, line, names = URDF[case]
    with refused(gr.SceneError, "robot.urdf", *names) as caught:
        read(tmp_path, text, "urdf")
    assert [problem.line for problem in caught.value.problems][:1] == [line]


# ---- the command


def test_the_command(tmp_path: Path) -> None:
    """It writes a scene that runs, and lists what is left out; --json has the same."""
    done = granum("convert", str(ROBOTS / "arm.urdf"), "arm.toml", folder=tmp_path)
    says(done.stdout, "3 bodies, 3 joints, 3 actuators")
    assert "swivel-friction" in gr.load(tmp_path / "arm.toml").load
    assert gr.check(gr.load(tmp_path / "arm.toml"))
    again = granum("convert", str(ROBOTS / "arm.xml"), "arm.toml", "--overwrite", "--keyframe", "bent", "--json",
                   folder=tmp_path)
    report = json.loads(again.stdout)
    assert (report["bodies"], report["joints"], report["actuators"]) == (5, 5, 4)
    assert {"what": "sensor jointpos", "name": "yaw-angle", "line": 54, "why": report["not_converted"][-1]["why"],
            "file": ""} in report["not_converted"]
