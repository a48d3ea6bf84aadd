"""One of each: the walk of a run through the code and the kinds of records do not grow, and what falls is recorded.

`tests/one_engine.json` has the numbers, `python -m tools.one_engine --renew` writes them; `--where` lists the places.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_extending import SECTIONS

from tools import one_engine
from tools.one_engine import COUNTS, PYTHON, SCENES, Module, recorded, walk

RENEW = "lower it: python -m tools.one_engine --renew"


@pytest.fixture(scope="module")
def places() -> dict[str, list[str]]:
    return one_engine.places()


def compare(what: str, now: int, before: int, where: str = "") -> None:
    """A number is what the file says: no more, and no less without the file saying so."""
    assert now <= before, f"{what}: {now} instead of {before}; use what is there already, or say why not.{where}"
    assert now == before, f"{what} has fallen from {before} to {now}; {RENEW}"


@pytest.mark.parametrize("what", COUNTS)
def test_there_is_no_further_way_to_do_it(what: str, places: dict[str, list[str]]) -> None:
    compare(what, len(places[what]), recorded()["counts"][what], "\n" + "\n".join(places[what]))


@pytest.mark.parametrize("scene", SCENES)
def test_the_walk_from_scene_to_run_file_does_not_grow(scene: str) -> None:
    if recorded()["python"] != PYTHON:
        pytest.skip(f"recorded on Python {recorded()['python']}: versions differ in what they call")
    now, before = walk(scene), recorded()["walks"][scene]
    for what in ("files", "functions"):
        compare(f"{scene}: {what}", now[what], before[what])


FORMS = {
    "body layouts": ("rows/one.py", "X, V, W = 0, 3, 6", "A, B, C = 0, 3, 6"),
    "body states": ("grains/one.py", "class A:\n    x: Floats\n    v: Floats", "class A:\n    x: Floats"),
    "contact records": ("contact/one.py", 'A = np.dtype([("gap", float), ("friction", float)])',
                        'A = np.dtype([("slip", float), ("friction", float)])'),
    "gathers": ("contact/one.py", "def f(near):\n    return near.other[near.first[0]]",
                "def f(near):\n    return near.first[0]"),
    "functions that subtract positions": ("grains/one.py", "def f(x, i, j):\n    return x[j, X] - x[i, X]",
                                          "def f(x, i, j):\n    return x[j, VX] - x[i, VX]"),
    "tests of a joint's kind": ("run/one.py", 'a = joint.kind in ("hinge", "x")', 'a = joint.kind == body.kind'),
    "Coulomb clips": ("contact/one.py",
                      "def f(a, b):\n    if a > b * b:\n        return b / math.sqrt(a)\n    return 1.0",
                      "def f(a, b):\n    return b / math.sqrt(a)"),
}


@pytest.mark.parametrize("what", COUNTS)
def test_each_form_is_found(what: str) -> None:
    """Each counter finds its form where it looks, not another form, and nothing elsewhere."""
    name, form, other = FORMS[what]
    assert len(COUNTS[what](Module(name, form))) == 1
    assert not COUNTS[what](Module(name, other))
    assert not COUNTS[what](Module("model/one.py", form))


def test_classes_of_joints_are_known() -> None:
    """By class, by type, and by a constant that lists classes."""
    text = "\n".join(["HELD = (Hinge, Glue)", "a = isinstance(e, Hinge)", "b = type(e) is Slider",
                      "c = isinstance(e, HELD)", "d = type(e) is Sphere"])
    assert COUNTS["tests of a joint's kind"](Module("run/one.py", text)) == [f"run/one.py:{k}" for k in (2, 3, 4)]


AMONG_GRAINS = """
def among_grains(**more):
    return gr.simulate(gr.Scene(
        material={"sand": {"density": 2500.0}},
        boundary={"floor": {"kind": "plane", "position": (0.0, 0.0, -5.0), "normal": (0.0, 0.0, 1.0)}},
        pattern={"sand": {"kind": "grains", "radius": 0.1, "positions": ((4.0, 4.0, -4.9),)}},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81)), **more.pop("load", {})},
        run={"until": 0.2, "step": 1e-4, "interval": 0.05}, **more), progress=False)
"""
JOINT = """
run = among_grains(**{
    "body": {"nail": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
             "block": gr.Block(size=(0.1, 0.2, 0.5), mass=2.0, points={"top": (0.0, 0.0, 0.25)})},
    "constraint": {"cross": {"kind": "universal-joint", "between": ["nail", "block.top"], "axis": [1, 0, 0],
                             "second_axis": [0, 1, 0]}},
    "start": {"block": {"position": (0.0, 0.0, -0.25), "angular_velocity": (2.0, 1.0, 0.0)}}})
w, x, y, z = run.orientation("block").T
assert np.abs(2.0 * (x * y - w * z)).max() < 1e-6  # e_x · (R e_y)
"""
LOAD = """
run = among_grains(**{
    "body": {"ball": gr.Sphere(radius=0.1, mass=2.0)},
    "start": {"ball": {"position": (0.0, 0.0, 0.0), "velocity": (3.0, 0.0, 0.0)}},
    "load": {"air": {"kind": "quadratic-drag", "on": "ball", "drag": 0.5},
             "lift": gr.Force(on="ball", force=(0.0, 0.0, 2.0 * 9.81))}})
assert np.abs(run.velocity("ball")[:, 0] - 3.0 / (1.0 + 0.75 * run.t)).max() < 1e-3
"""
REGISTERED = {"joint": ("A joint", JOINT), "load": ("A load with a kernel", LOAD)}


@pytest.mark.parametrize("what", REGISTERED)
def test_what_users_register_works_among_grains(what: str, tmp_path: Path) -> None:
    """The files of docs/dev/extending.md, in a scene with a grain far away: the motion is the one without it."""
    title, scene = REGISTERED[what]
    done = _run(SECTIONS[title] + AMONG_GRAINS + scene, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_scene_of_registered_joints_is_valid(tmp_path: Path) -> None:
    """With a joint that is known the scene runs, and then the axes do not stay perpendicular: the joint is at fault."""
    known = JOINT.replace('"universal-joint"', '"ball-joint"').replace(
        ', "axis": [1, 0, 0],\n                             "second_axis": [0, 1, 0]', "").replace("< 1e-6", "> 1e-3")
    done = _run("import granum as gr\nimport numpy as np\n" + AMONG_GRAINS + known, tmp_path)
    assert done.returncode == 0, done.stderr


def _run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "scene.py").write_text(code, "utf-8")
    return subprocess.run([sys.executable, "scene.py"], cwd=folder, capture_output=True, text=True, timeout=600,
                          check=False)
