"""Scenes of formulas, surfaces, rigid bodies and constraints: mistakes are told with file, line, place and remedy."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from commands import granum
from granum.io.scenefile import parse_scene
from messages import says

FORMULAS = """title = "Formulas"
[system]
coordinates = ["x", "y"]
kinetic = "0.5*m*(x_dot**2 + y_dot**2)"
potential = "m*g*y"
[system.parameters]
m = 2.0
g = 9.81
[system.start]
x = 0.6
y = -0.8
[constraint.rod]
kind = "formula"
formula = "x**2 + y**2 = 1"
[run]
until = 0.1
formulation = "fundamental"
"""
ROLLING = """title = "Rolling"
[body.ball]
kind = "sphere"
radius = 0.1
mass = 1.0
[surface.floor]
equation = "Z"
[constraint.rolls]
kind = "rolling"
body = "ball"
on = "floor"
[load.gravity]
kind = "gravity"
acceleration = [0.0, 0.0, -9.81]
[start.ball]
contact = [0.0, 0.0]
velocity = [1.0, 0.5]
[run]
until = 0.1
formulation = "fundamental"
"""
GLUED = """title = "Glued"
[body.a]
kind = "rigid-body"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
points = {tip = [1.0, 0.0, 0.0]}
[body.b-2]
kind = "rigid-body"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
points = {tip = [-1.0, 0.0, 0.0]}
[start.a]
position = [0.0, 0.0, 0.0]
[start.b-2]
position = [2.0, 0.0, 0.0]
[constraint.bond]
kind = "glue"
between = ["a.tip", "b-2.tip"]
[run]
until = 0.1
formulation = "fundamental"
"""
ROD = "x**2 + y**2 = 1"
HOSTILE = {
    "import": "__import__('os').system('touch broken')",
    "attribute": "x.__class__",
    "bases": "().__class__.__bases__[0]",
    "tower": "x - 9**9**9",
    "tower-of-x": "x**9**9**9 - y",
    "huge-number": "x - 1e999",
    "parentheses": "(" * 1_000_000 + "x" + ")" * 1_000_000,
    "deep": "(" * 5000 + "x" + ")" * 5000,
    "signs": "-" * 100_000 + "x",
    "long-sum": "+".join(["x"] * 200_000),
    "nested-functions": "sin(" * 3000 + "x" + ")" * 3000,
    "lambda": "(lambda: x)()",
    "comprehension": "[x for x in (1,)]",
    "string": "x - 'a'",
    "names": "x - " + "a" * 100_000,
    "braces": "{x}",
    "walrus": "(x := 1)",
    "nothing": "",
    "blank": "   ",
    "two-equations": "x = y = 1",
}

# scene, what is replaced, by what, names in the answer, place (empty where it is told for the whole scene)
BAD: dict[str, tuple[str, str, str, list[str], str]] = {
    "unknown-surface": (ROLLING, 'on = "floor"', 'on = "flor"', ['"flor"', '"floor"'], "constraint.rolls"),
    "not-round": (ROLLING, 'kind = "sphere"\nradius = 0.1', 'kind = "rigid-body"\ninertia = [1.0, 1.0, 1.0]',
                  ["round", "sphere, disk"], "constraint.rolls"),
    "rolls-nobody": (ROLLING, 'body = "ball"', 'body = "bal"', ['"bal"', '"ball"'], "constraint.rolls"),
    "flat-surface-name": (ROLLING, '"Z"', '"z"', [">>z<<", "X, Y, Z"], "surface.floor.equation"),
    "no-surface": (ROLLING, '"Z"', '"1"', ["X, Y and Z"], "surface.floor.equation"),
    "below-the-surface": (ROLLING, '"Z"', '"-Z"', ["surface"], "start"),
    "unknown-coordinate": (FORMULAS, ROD, "xx**2 + y**2 = 1", [">>xx<<", '"x"'], "constraint.rod.formula"),
    "unknown-rate": (FORMULAS, "(x_dot", "(xdot", [">>xdot<<", '"x_dot"'], "system"),
    "wrong-kind": (FORMULAS, 'kind = "formula"', 'kind = "formular"', ["'formular'", "formula"], "constraint.rod.kind"),
    "no-kind": (FORMULAS, 'kind = "formula"\n', "", ["kind", "rolling, sliding, no-spin"], "constraint.rod"),
    "glue-apart": (GLUED, "[2.0, 0.0, 0.0]", "[2.5, 0.0, 0.0]", ["0.5 m"], "constraint.bond"),
    "glue-point": (GLUED, '"a.tip"', '"a.tp"', ['"tp"', '"tip"'], "constraint.bond"),
    "glue-body": (GLUED, '"a.tip"', '"aa.tip"', ['"aa"', '"a"'], "constraint.bond"),
    "no-expression": (FORMULAS, ROD, "x**2 + = 1", ["x**2 + >>=<< 1"], "constraint.rod.formula"),
    "contact-without-rolling": (GLUED, "[start.b-2]", "[start.b-2]\ncontact = [0.0, 0.0]", ["contact"], "start.b-2"),
    "same-name-in-formulas": (GLUED, "[start.a]", '[body.b_2]\nkind = "point-mass"\nmass = 1.0\n[start.a]',
                              ['"b_2"', '"b-2"'], "body.b_2"),
    "axis-without-direction": (GLUED, 'kind = "glue"', 'kind = "hinge"\naxis = [0.0, 0.0, 0.0]', ["direction"],
                               "constraint.bond.axis"),
    "axis-in-the-plane": (GLUED, 'kind = "glue"', 'kind = "hinge"\naxis = [0.0, 1.0]', ["2 components", "3-D"],
                          "constraint.bond.axis"),
    "inertia-of-no-body": (GLUED, "inertia = [1.0, 1.0, 1.0]",
                           "inertia = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]", ["positive"],
                           "body.a.inertia"),
    "inertia-too-large": (GLUED, "inertia = [1.0, 1.0, 1.0]",
                          "inertia = [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]", ["sum"], "body.a.inertia"),
    "not-a-unit-quaternion": (GLUED, "[start.a]", "[start.a]\norientation = [2.0, 0.0, 0.0, 0.0]", ["unit quaternion"],
                              "start.a.orientation"),
    "unknown-key": (FORMULAS, "potential =", "potentail =", ["potentail", '"potential"'], "system.potentail"),
    "parameter-t": (FORMULAS, "m = 2.0", "m = 2.0\nt = 1.0", ['"t"'], "system"),
    "parameter-sin": (FORMULAS, "m = 2.0", "m = 2.0\nsin = 1.0", ["'sin'", "function"], "system.parameters.sin"),
    "parameter-nan": (FORMULAS, "m = 2.0", "m = nan", ["finite"], "system.parameters.m"),
    "coordinate-twice": (FORMULAS, '["x", "y"]', '["x", "x"]', ['"x"'], "system"),
    "start-unknown": (FORMULAS, "y = -0.8", "z = -0.8", ['"z"', "x, y, x_dot, y_dot"], "system.start"),
    "start-beside": (FORMULAS, "y = -0.8", "y = -0.9", ["rod (error 0.17)", "x, y"], "system.start"),
    "force-unknown": (FORMULAS, "[system.parameters]", '[system.forces]\nz = "1"\n[system.parameters]', ['"z"', "x, y"],
                      "system"),
    "energy-and-mass": (FORMULAS, "potential =", 'mass = [["1", "0"], ["0", "1"]]\npotential =', ["mass", "kinetic"],
                        "system"),
    "mass-of-two-rows": (FORMULAS, 'kinetic = "0.5*m*(x_dot**2 + y_dot**2)"', 'mass = [["1", "0"]]',
                         ["2 rows and columns"], "system"),
    "mass-not-symmetric": (FORMULAS, 'kinetic = "0.5*m*(x_dot**2 + y_dot**2)"', 'mass = [["1", "x"], ["0", "1"]]',
                           ["symmetric"], "system"),
    "divided-by-zero": (FORMULAS, ROD, "1/0 + x", ["zero"], "constraint.rod.formula"),
    "spins-nobody": (ROLLING, "[load.gravity]", '[constraint.still]\nkind = "no-spin"\nbody = "bal"\n[load.gravity]',
                     ['"bal"'], "constraint.still"),
    "rolls-twice": (ROLLING, "[load.gravity]", '[constraint.again]\nkind = "rolling"\nbody = "ball"\non = "floor"\n'
                    "[load.gravity]", ['"ball"'], "constraint.again"),
    "solver": (FORMULAS, "until = 0.1", 'until = 0.1\nsolver = "rk4"', ['"rk4"', "dop853"], "run.solver"),
    "corrections": (FORMULAS, "until = 0.1", 'until = 0.1\ncorrections = ["energy"]', ['kind = "energy"'],
                    "run.corrections"),
    "formulation": (FORMULAS, '"fundamental"', '"newton-euler"', ["newton-euler", "lagrange, fundamental"],
                    "run.formulation"),
    "formulation-of-clusters": (FORMULAS, '"fundamental"', '"scalar"', ["scalar", "fundamental"], "run.formulation"),
    "formulation-of-linear-rows": (FORMULAS.replace('"fundamental"', '"gibbs-appell"'), ROD, "x_dot**2 + y_dot**2 = 1",
                                   ["linear", "fundamental"], "run.formulation"),
    "massless-and-free": (FORMULAS, "[run]", '[body.p]\nkind = "massless-point"\n[run]', ["p.x"], ""),
    "contradiction": (FORMULAS, "[run]", '[constraint.other]\nkind = "formula"\nformula = "x_dot = t*t + t"\n'
                      '[constraint.third]\nkind = "formula"\nformula = "x = 0.6"\n[run]', ["other, third"], ""),
}


def told(text: str, file: Path) -> gr.SceneError:
    """The error that a run of the scene ends with, as the command line words it."""
    from granum.io.scenefile import load_scene, naming

    file.write_text(text)
    with pytest.raises(gr.SceneError) as caught, naming(file):
        gr.simulate(load_scene(file))
    return caught.value


@pytest.mark.parametrize("mistake", BAD)
def test_mistakes_are_told_with_their_line(mistake: str, tmp_path: Path) -> None:
    scene, old, new, names, place = BAD[mistake]
    assert old in scene
    text = scene.replace(old, new, 1)
    error = told(text, tmp_path / "scene.toml")
    says(str(error), "scene.toml", *names)
    assert "Traceback" not in str(error)
    problem = error.problems[0]
    assert problem.place == place
    if place:
        assert problem.line is not None
        near = "\n".join(text.split("\n")[problem.line - 1 : problem.line + 1])
        assert place.split(".")[-1] in near or place.split(".")[0] in near


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_formulas_are_refused_at_once(name: str, tmp_path: Path) -> None:
    """In a constraint, an energy and a surface: in under a second each, with their line, and nothing is run."""
    formula = json.dumps(HOSTILE[name])
    places = ((FORMULAS, f'"{ROD}"', "constraint.rod.formula"), (FORMULAS, '"m*g*y"', "system.potential"),
              (ROLLING, '"Z"', "surface.floor.equation"))
    for scene, old, place in places:
        began = time.process_time()
        with pytest.raises(gr.SceneError) as caught:
            parse_scene(scene.replace(old, formula, 1), "scene.toml")
        assert time.process_time() - began < 1.0
        assert len(str(caught.value)) < 1000
        problem = caught.value.problems[0]
        assert problem.line == scene[: scene.index(old)].count("\n") + 1
        assert problem.place == place
    assert not (tmp_path / "broken").exists()


@pytest.mark.parametrize("name", ["import", "attribute", "tower", "parentheses"])
def test_hostile_formulas_on_the_command_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(FORMULAS.replace(f'"{ROD}"', json.dumps(HOSTILE[name])))
    done = granum("run", "scene.toml", "--json", folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    says(done.stderr, "scene.toml:14 constraint.rod.formula")
    assert json.loads(done.stdout)["problems"][0]["line"] == 14
    assert sorted(file.name for file in tmp_path.iterdir()) == ["scene.toml"]


def test_hyphens_are_signs_in_formulas(tmp_path: Path) -> None:
    """b-2 is written b_2; with the hyphen it is refused, not read as b minus 2."""
    row = '[constraint.row]\nkind = "formula"\nformula = "{} = a.x + 2"\n'
    error = told(GLUED + row.format("b-2.x"), tmp_path / "scene.toml")
    says(str(error), "scene.toml")
    assert error.problems[0].place == "constraint.row.formula"
    run = gr.simulate(parse_scene(GLUED + row.format("b_2.x")))
    assert_allclose(run.position("b-2")[-1], [2.0, 0.0, 0.0], atol=1e-12)


def test_formulas_and_bodies_in_one_scene() -> None:
    """A block on a formula's coordinate pulls a pendulum: a cart and pendulum, against its two equations."""
    text = """
[system]
coordinates = ["s"]
kinetic = "0.5*3.0*s_dot**2"
[system.start]
s = 0.2
s_dot = 0.5
[body.bob]
kind = "point-mass"
mass = 1.5
[start.bob]
position = [0.8, -0.8]
velocity = [0.5, 0.0]
[constraint.rod]
kind = "formula"
formula = "(bob.x - s)**2 + bob.y**2 = 1"
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 1.0
formulation = "fundamental"
tolerance = 1e-11
"""
    cart = gr.analytic.System(
        "s a", kinetic="1.5*s_dot**2 + 0.75*(s_dot**2 + 2*s_dot*a_dot*cos(a) + a_dot**2)", potential="-1.5*9.81*cos(a)")
    expected = gr.simulate(cart, start={"s": 0.2, "s_dot": 0.5, "a": np.arcsin(0.6), "a_dot": 0.0}, until=1.0,
                           tolerance=1e-12)
    scene = parse_scene(text)
    for formulation in ("fundamental", "gibbs-appell", "lagrange"):
        run = gr.simulate(scene, formulation=formulation)
        assert_allclose(run.coordinate("s"), expected.coordinate("s"), atol=1e-8)
        assert_allclose(run.position("bob")[:, 1], -np.cos(expected.coordinate("a")), atol=1e-8)
        assert run.summary["energy"]["relative_error"] < 1e-9


CHAIN = """
[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]
[pattern.chain]
kind = "chain"
from = "pivot"
count = 3
length = 0.5
angles = -0.5
mass = 1.0
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
"""


def test_patterns_together_with_constraints() -> None:
    """A constraint that adds nothing changes nothing; one that holds the end holds it."""
    run = "[run]\nuntil = 0.5\ntolerance = 1e-11\n"
    plain = gr.simulate(parse_scene(CHAIN + run))
    idle = '[constraint.idle]\nkind = "formula"\nformula = "chain_1.x**2 + chain_1.y**2 = 0.25"\n'
    formulation = 'formulation = "fundamental"\n'
    with_row = gr.simulate(parse_scene(CHAIN + idle + run + formulation))
    assert_allclose(with_row.position("chain-3"), plain.position("chain-3"), atol=1e-8)
    held = '[constraint.wall]\nkind = "formula"\nformula = "chain_3.x = 1.5*cos(0.5)"\n'
    wall = gr.simulate(parse_scene(CHAIN + held + run + formulation))
    assert_allclose(wall.position("chain-3")[:, 0], 1.5 * np.cos(0.5), atol=1e-12)
    assert np.abs(wall.position("chain-3")[-1] - plain.position("chain-3")[-1]).max() > 1e-2


def test_springs_are_the_same_in_formulas() -> None:
    """Rest length, damping and all: by links and by formulas."""
    spring = ('[load.spring]\nkind = "spring"\nbetween = ["pivot", "chain-3"]\nstiffness = 30.0\nrest_length = 1.0\n'
              "damping = 0.7\n[run]\nuntil = 0.5\ntolerance = 1e-11\n")
    runs = [gr.simulate(parse_scene(CHAIN + spring), formulation=formulation)
            for formulation in ("newton-euler", "fundamental", "gibbs-appell")]
    for run in runs:
        assert_allclose(run.positions, runs[0].positions, atol=1e-8)
        assert run.summary["energy"]["relative_error"] < 1e-8


@pytest.mark.parametrize("scene", [FORMULAS, ROLLING, GLUED], ids=["formulas", "rolling", "glued"])
def test_run_and_check_on_the_command_line(scene: str, tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(scene)
    checked = granum("check", "scene.toml", "--json", folder=tmp_path)
    assert checked.returncode == 0, checked.stderr
    freedom = {FORMULAS: 1, ROLLING: 3, GLUED: 6}[scene]
    assert json.loads(checked.stdout)["degrees_of_freedom"] == freedom
    done = granum("run", "scene.toml", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["finished"] and summary["energy"]["relative_error"] < 1e-10
    assert granum("plot", "scene.h5", "energy", folder=tmp_path).returncode == 0


def test_a_scene_of_formulas_needs_no_formulation() -> None:
    """Left out, it is fundamental; what is written is kept, by further settings too."""
    left_out = parse_scene(FORMULAS.replace('formulation = "fundamental"', ""))
    assert left_out.formulation == "fundamental" and gr.derive(left_out).formulation == "fundamental"
    assert gr.simulate(left_out, until=0.01).summary["formulation"] == "fundamental"
    written = parse_scene(FORMULAS.replace('"fundamental"', '"lagrange"'))
    assert written.with_run(until=0.5).formulation == "lagrange"
