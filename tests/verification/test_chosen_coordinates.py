"""Chosen coordinates: the motion, the reactions and the printed equations are those of the other formulations."""

from __future__ import annotations

import json
import math
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from commands import granum
from granum.base.kernels import Floats
from mechanisms import GRAVITY, four_bar, slider_crank
from messages import refused
from printed import accelerations_of, consistent_states, in_state

EXAMPLES = Path(__file__).parents[2] / "examples"
FILE = EXAMPLES / "cart-double-pendulum.toml"
FORMULAS = ("lagrange", "fundamental", "gibbs-appell", "virtual-work")
DOWN = {"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}}
BELOW = {"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -GRAVITY)}}


def cart() -> gr.Scene:
    return gr.load(FILE)


def with_entries(**entries: Any) -> gr.Scene:
    """The cart with other entries."""
    return gr.Scene(**{**cart().model_dump(exclude_unset=True), **entries})


def hinged_rod() -> gr.Scene:
    """A rod about an inclined axis, the rod being the first body of its hinge."""
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.1, 0.2, 0.3)},
              "rod": {"kind": "rod", "length": 1.2, "mass": 2.0, "radius": 0.05}},
        constraint={"pin": {"kind": "hinge", "between": ("rod.tail", "pivot"), "axis": (0.2, 1.0, 0.5)}},
        start={"rod": {"angular_velocity": (0.1, 0.5, 0.25)}}, load=BELOW)


def arm() -> gr.Scene:
    """All kinds of joints in 3-D, each with the outer body first, and springs that measure them."""
    block = {"kind": "block", "size": (0.3, 0.2, 0.1), "mass": 1.5}
    return gr.Scene(
        body={"post": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
              "a": {**block, "points": {"p": (-0.15, 0.0, 0.0), "q": (0.15, 0.1, 0.0)}},
              "b": {**block, "points": {"p": (-0.15, 0.0, 0.0), "q": (0.15, 0.0, 0.05)}},
              "c": {**block, "points": {"p": (-0.15, 0.0, 0.02), "q": (0.1, 0.0, 0.0)}},
              "d": {**block, "points": {"p": (0.0, 0.1, 0.0)}}, "e": {**block, "points": {"p": (0.0, 0.1, 0.0)}}},
        constraint={"h1": {"kind": "hinge", "between": ("a.p", "post"), "axis": (0.2, 1.0, 0.3)},
                    "h2": {"kind": "hinge", "between": ("b.p", "a.q"), "axis": (1.0, 0.2, 0.1)},
                    "s": {"kind": "slider", "between": ("c.p", "b.q"), "axis": (1.0, 0.3, 0.0), "rotation": True},
                    "g": {"kind": "glue", "between": ("d.p", "c.q")},
                    "ball": {"kind": "ball-joint", "between": ("e.p", "d")}},
        load={**BELOW, "coil": {"kind": "torsion-spring", "hinge": "h2", "stiffness": 3.0, "damping": 0.1},
              "spring": {"kind": "spring", "between": ("e", "post"), "stiffness": 20.0, "damping": 0.5}},
        start={"a": {"position": (0.15, 0.0, 0.0), "angular_velocity": (0.4, 2.0, 0.6)}})


def bead() -> gr.Scene:
    """A bead on a rotating arm, a weight glued to it, and a point mass that hangs on it by a link."""
    return gr.Scene(
        body={"post": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "arm": {"kind": "rod", "length": 1.0, "mass": 1.0},
              "bead": {"kind": "block", "size": (0.1, 0.1), "mass": 0.4}, "bob": {"kind": "point-mass", "mass": 0.2},
              "weight": {"kind": "block", "size": (0.3, 0.1), "mass": 0.4}},
        constraint={"pin": {"kind": "hinge", "between": ("arm.tail", "post")},
                    "guide": {"kind": "slider", "between": ("arm", "bead"), "axis": (1.0, 0.0)},
                    "glue": {"kind": "glue", "between": ("weight", "bead")}},
        link={"string": {"between": ("bead", "bob")}},
        load={**DOWN, "spring": {"kind": "spring", "between": ("arm.tail", "bead"), "stiffness": 40.0}},
        start={"arm": {"angle": 0.0}, "bead": {"position": (0.6, 0.0)}, "bob": {"position": (0.8, -0.2)}})


def thrown() -> gr.Scene:
    """Two rods on a hinge, thrown."""
    return gr.Scene(
        body={"u": {"kind": "rod", "length": 1.0, "mass": 2.0}, "v": {"kind": "rod", "length": 0.7, "mass": 1.0}},
        constraint={"pin": {"kind": "hinge", "between": ("u.head", "v.tail")}},
        start={"u": {"position": (0.0, 0.0), "angle": 0.2, "angular_velocity": 1.0}, "v": {"angle": 1.0}}, load=DOWN)


def links_in_space() -> gr.Scene:
    """Two masses on links in 3-D, the second hanging straight down at the start."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)}, "a": {"kind": "point-mass", "mass": 1.0},
              "b": {"kind": "point-mass", "mass": 0.5}},
        link={"r": {"between": ("nail", "a")}, "s": {"between": ("b", "a")}}, load=BELOW,
        start={"a": {"position": (0.3, 0.1, -0.4), "velocity": (0.0, 0.3, 0.075)},
               "b": {"position": (0.3, 0.1, -0.9), "velocity": (0.3, 0.3, 0.075)}})


CASES: dict[str, tuple[Any, list[str], int]] = {
    "cart": (cart, ["cart.x", "upper.angle", "lower.angle"], 0),
    "cart by joints": (cart, ["track.displacement", "shoulder.angle", "elbow.angle"], 0),
    "cart from outside": (cart, ["cart.x", "lower.angle", "elbow.angle"], 0),
    "slider-crank": (lambda: slider_crank(0.3, 0.8, 0.7), ["crank.angle", "rod.angle"], 1),
    "slider-crank with its piston": (lambda: slider_crank(0.3, 0.8, 0.7), ["crank.angle", "rod.angle", "piston.x"], 2),
    "four-bar": (lambda: four_bar(False), ["crank.angle", "coupler.angle", "rocker.angle"], 2),
    "four-bar in 3-D": (lambda: four_bar(True), ["hinge-1.angle", "hinge-2.angle", "hinge-4.angle"], 2),
    "rod in 3-D": (hinged_rod, ["pin.angle"], 0),
    "arm": (arm, ["h1.angle", "h2.angle", "s.displacement", "s.angle", "e.u0", "e.u1", "e.u2", "e.u3"], 1),
    "bead": (bead, ["arm.angle", "guide.displacement", "string.angle"], 0),
    "bead by its weight": (bead, ["weight.angle", "guide.displacement", "string.angle"], 0),
    "thrown": (thrown, ["v.x", "v.y", "v.angle", "pin.angle"], 0),
    "thrown by its tip": (thrown, ["v.head.x", "v.head.y", "u.angle", "v.angle"], 0),
    "links": (lambda: gr.load(EXAMPLES / "double-pendulum.toml"), ["rod-1.angle", "rod-2.angle"], 0),
    "links in 3-D": (links_in_space, ["r.azimuth", "r.elevation", "s.azimuth", "s.elevation"], 0),
}


def case(name: str) -> tuple[gr.Scene, list[str], int]:
    make, coordinates, rows = CASES[name]
    return make(), coordinates, rows


@pytest.mark.parametrize("name", CASES)
def test_motion_and_reactions_are_those_of_newton_euler(name: str) -> None:
    """Positions, orientations and reactions to 1e-9, with tolerances of 1e-12 per step."""
    scene, coordinates, rows = case(name)
    settings: dict[str, Any] = {"until": 0.4, "interval": 0.02, "tolerance": 1e-12}
    run = gr.simulate(scene, coordinates=coordinates, **settings)
    other = gr.simulate(scene, coordinates=(), formulation="newton-euler", **settings)
    assert run.summary["formulation"] == "lagrange"
    assert run.summary["coordinates"] == len(coordinates) and run.summary["constraints"] == rows
    assert list(run.body_names) == list(other.body_names)
    assert_allclose(run.positions, other.positions, rtol=0.0, atol=1e-9)
    assert_allclose(run.velocities, other.velocities, rtol=0.0, atol=1e-9)
    for body in run.metadata.get("oriented", []):
        assert_allclose(run.rotation(body), other.rotation(body), rtol=0.0, atol=1e-9)
        assert_allclose(run.angular_velocity(body), other.angular_velocity(body), rtol=0.0, atol=1e-9)
    for joint in scene.constraint:
        assert_allclose(run.reaction(joint).force, other.reaction(joint).force, rtol=0.0, atol=1e-9)
    for link in scene.link:
        assert_allclose(run.reaction(link).tension, other.reaction(link).tension, rtol=0.0, atol=1e-9)
    assert abs(run.energy.error).max() < 1e-9


@pytest.mark.parametrize("formulation", FORMULAS)
@pytest.mark.parametrize("name", ["cart", "cart by joints", "slider-crank", "bead", "rod in 3-D", "links in 3-D",
                                  "four-bar in 3-D"])
def test_printed_equations_give_the_accelerations_of_the_engine(name: str, formulation: str) -> None:
    """Read back from the text, and by the generated program, to round-off of solves of condition up to 1e3."""
    scene, coordinates, _ = case(name)
    equations = gr.derive(scene, formulation, coordinates=coordinates)
    shown, program = equations.derivation(), dict[str, Any]()
    exec(equations.code("python"), program)
    full = gr.derive(scene, "fundamental", coordinates=())
    for q, v in consistent_states(equations.system, equations.start[0], 3):  # type: ignore[attr-defined]
        wanted = equations.accelerations(q, v)
        found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
        assert_allclose(found, wanted, rtol=0.0, atol=2e-10 * np.abs(wanted).max())
        assert_allclose(program["accelerations"](q, v)[0], wanted, rtol=0.0, atol=2e-10 * np.abs(wanted).max())
        state = equations.system.eliminated.state(q, v, 0.0)  # type: ignore[attr-defined]
        assert_allclose(list(equations.reactions(q, v).values()), list(full.reactions(*state).values()), atol=1e-9)


def textbook(scene: gr.Scene, q: Floats, v: Floats) -> Floats:
    """Accelerations of cart and rods by hand: M q̈ = f with moments of inertia m l²/12 about the centres of the rods."""
    m0, m1, m2 = (scene.body[name].mass for name in ("cart", "upper", "lower"))
    l1, l2, g = scene.body["upper"].length, scene.body["lower"].length, GRAVITY
    s1, c1, s2, c2 = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
    s12, c12 = math.sin(q[1] - q[2]), math.cos(q[1] - q[2])
    a, b, d = (m1 / 2 + m2) * l1, m2 * l2 / 2, m2 * l1 * l2 / 2
    M = np.array([[m0 + m1 + m2, -a * s1, -b * s2],
                  [-a * s1, (m1 / 3 + m2) * l1**2, d * c12],
                  [-b * s2, d * c12, m2 * l2**2 / 3]])
    f = np.array([a * c1 * v[1] ** 2 + b * c2 * v[2] ** 2, -d * s12 * v[2] ** 2 - a * g * c1,
                  d * s12 * v[1] ** 2 - b * g * c2])
    return np.linalg.solve(M, f)


def test_the_cart_is_that_of_the_textbook() -> None:
    scene = cart()
    random = np.random.default_rng(0)
    for formulation in FORMULAS:
        equations = gr.derive(scene, formulation)
        assert equations.coordinates == ("cart.x", "upper.angle", "lower.angle")
        for _ in range(3):
            q, v = random.normal(0.0, 1.0, 3), random.normal(0.0, 2.0, 3)
            assert_allclose(equations.accelerations(q, v), textbook(scene, q, v), rtol=1e-11, atol=1e-11)


def test_the_derivation_of_the_cart_is_three_equations_on_one_page() -> None:
    shown = gr.derive(cart()).derivation()
    assert len(shown.equations) == 3 and "lambda" not in shown.text()
    lines = [part for line in shown.text().splitlines() for part in wrap(line, 100) or [""]]
    assert len(lines) <= 60  # a page of plain text
    assert len(gr.derive(cart(), coordinates=()).coordinates) == 9
    steps = shown.text(steps=True)
    assert "x_lower = x_cart + l_upper*cos(phi_upper) + 1/2*l_lower*cos(phi_lower)" in steps
    assert "track, shoulder, elbow" in " ".join(steps.split())


def test_loops_keep_their_multipliers_and_say_so() -> None:
    scene, coordinates, _ = case("slider-crank")
    shown = gr.derive(scene, coordinates=coordinates).derivation()
    prose = shown.steps[0].prose
    assert "main, pin, bore" in prose and "wrist" in prose.partition("bore")[2]
    assert "lambda_wrist_2" in shown.text()


def test_the_state_space_has_two_states_for_each_coordinate() -> None:
    scene = cart()
    linear = gr.linearize(scene, at="equilibrium")
    assert linear.states == ("cart.x", "upper.angle", "lower.angle", "cart.x_dot", "upper.angle_dot", "lower.angle_dot")
    assert linear.A.shape == (6, 6)
    other = gr.linearize(scene.with_run(coordinates=(), formulation="fundamental"), at="equilibrium")
    assert_allclose(linear.frequencies, other.frequencies, rtol=1e-9)
    shown = linear.mode_run(int(np.flatnonzero(linear.modes.imag > 0.1)[0]))
    assert shown.has.orientation and np.ptp(shown.angle("upper")) > 0.01


def test_runs_start_from_one_another_and_resume(tmp_path: Path) -> None:
    """A run in chosen coordinates gives a start to one in all coordinates, and the other way round."""
    scene = cart().with_run(interval=0.05)
    everything = scene.with_run(coordinates=(), formulation="newton-euler")
    whole = gr.simulate(scene, until=0.4, output=tmp_path / "run.h5")
    first, other = gr.simulate(scene, until=0.2), gr.simulate(everything, until=0.2)
    for start, begun in ((first, everything), (other, scene), (first, scene)):
        after = gr.simulate(begun.start_from(start), until=0.2)
        assert_allclose(after.position("lower")[-1], whole.position("lower")[-1], atol=1e-9)
    gr.simulate(scene, until=0.2, output=tmp_path / "half.h5")
    resumed = gr.simulate(scene, until=0.4, output=tmp_path / "half.h5", resume=True)
    assert np.array_equal(resumed.coordinates, whole.coordinates)
    assert np.array_equal(resumed.reaction("elbow").force, whole.reaction("elbow").force)
    assert np.array_equal(resumed.angle("lower"), whole.angle("lower"))
    read = gr.open_run(tmp_path / "run.h5")
    assert_allclose(read.angle("lower"), read.coordinate("lower.angle"), rtol=0.0, atol=0.0)


def test_a_simulation_shows_all_bodies_and_joints() -> None:
    """And sets coordinates, not bodies."""
    scene = cart()
    one, other = gr.Simulation(scene), gr.Simulation(scene.with_run(coordinates=(), formulation="newton-euler"))
    for simulation in (one, other):
        simulation.advance(0.1)
    for name in ("cart", "upper", "lower"):
        assert_allclose(one.body(name).position, other.body(name).position, atol=1e-9)
        assert one.body(name).angle == pytest.approx(other.body(name).angle, abs=1e-9)
    assert one.joint("elbow").value == pytest.approx(other.joint("elbow").value, abs=1e-9)
    assert one.reaction("elbow") == pytest.approx(other.reaction("elbow"), abs=1e-8)
    one.set_coordinates(**{"upper.angle": 0.3})
    assert one.body("upper").angle == pytest.approx(0.3)
    with refused(gr.GranumError, "upper", "cart.x, upper.angle, lower.angle", "set_coordinates"):
        one.set_body("upper", position=(0.0, 0.0))


def test_forces_and_formulas_on_bodies_that_are_not_coordinates() -> None:
    """A force on a position that follows from the coordinates, and a constraint on one: as in all coordinates."""
    line = {"kind": "formula", "formula": "lower.head.y + 0.9 = lower.head.x/5"}
    pushed = with_entries(system={"forces": {"lower.x": "1.5", "upper.angle": "t"}})
    held = with_entries(constraint={**cart().constraint, "line": line}, start={
        "cart": {"position": (0.0, 0.0)}, "upper": {"angle": -0.6}, "lower": {"angle": -1.0, "guess": ("angle",)}})
    for subject in (pushed, held):
        run = gr.simulate(subject, until=0.4)
        other = gr.simulate(subject, coordinates=(), formulation="fundamental", until=0.4)
        assert_allclose(run.positions, other.positions, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize(("chosen", "told"), [
    (["cart.x", "upper.angle"], ("not enough", "3 degrees", "lower.angle")),
    (["cart.x", "upper.angle", "lower.angle", "elbow.angle"], ("too many", "elbow.angle", "3 degrees")),
    (["cart.y", "upper.angle", "lower.angle"], ("dependent", "cart.y", "track.displacement")),
    (["cart.x", "upper.angle", "shoulder.angle"], ("dependent", "shoulder.angle", "lower.angle")),
    (["cart.x", "upper.x", "lower.angle"], ("explicitly", "upper.x", "upper.angle")),
    (["cart.x", "upper.angel", "lower.angle"], ("upper.angel", "upper.angle")),
    (["cart.x", "upper.angle", "lower.angle", "cart.x"], ("cart.x", "twice")),
])
def test_choices_that_do_not_fit_are_refused_with_what_would(chosen: list[str], told: tuple[str, ...]) -> None:
    with refused(gr.SceneError, "run.coordinates", *told):
        gr.derive(cart(), coordinates=chosen)


def test_what_cannot_take_coordinates_is_refused() -> None:
    for formulation in ("newton-euler", "scalar"):
        with refused(gr.SceneError, "run", formulation, "coordinates", "lagrange"):
            gr.derive(cart(), formulation)
    with refused(gr.SceneError, "run.coordinates", "surfaces"):
        gr.simulate(gr.load(EXAMPLES / "rolling-shell.toml"), coordinates=["shell.x"])
    with refused(gr.SceneError, "run.coordinates", "grains"):
        gr.simulate(gr.load(EXAMPLES / "bouncing-ball.toml"), coordinates=["ball.x"])
    rubbing = thrown().model_copy(update={"constraint": {
        **thrown().constraint, "floor": gr.FormulaConstraint(formula="u.y"),
        "rub": gr.FrictionConstraint(normal="floor", slip=("u.vx",), friction=0.3, bilateral=True)}})
    with refused(gr.SceneError, "run.coordinates", "friction", "rub"):
        gr.simulate(rubbing, coordinates=["u.x", "u.y", "u.angle", "v.angle"])
    with refused(gr.SceneError, "run.coordinates", "no bodies", "[system]"):
        gr.simulate(gr.load(EXAMPLES / "wheel.toml"), coordinates=["x"])
    with refused(gr.GranumError, "coordinates", "scenes"):
        gr.derive(gr.analytic.System("x", kinetic="x_dot**2/2"), coordinates=["x"])


def test_quasi_velocities_of_a_scene() -> None:
    """In the scene, in Python and on the command line, by a table or a list; other formulations have none."""
    relative = {"u": "cart.x_dot", "w": "upper.angle_dot", "d": "lower.wz - upper.wz"}
    listed = [f"{name} = {formula}" for name, formula in relative.items()]
    scene = with_entries(run={"coordinates": cart().run.coordinates, "quasi": listed})
    assert scene.run.quasi == relative and scene.formulation == "gibbs-appell"
    q, v = np.array([0.1, -0.4, 0.6]), np.array([0.2, 1.0, -0.7])
    texts = []
    for equations in (gr.derive(scene), gr.derive(cart(), "gibbs-appell", quasi=relative),
                      gr.derive(cart(), "gibbs-appell", quasi=listed)):
        assert list(equations.quasi_velocities) == list(relative)  # type: ignore[attr-defined]
        assert_allclose(equations.accelerations(q, v), textbook(cart(), q, v), rtol=1e-10)
        texts.append(equations.code("text"))
    assert texts[0] == texts[1] == texts[2] and "d_dot" in texts[0]
    run, other = gr.simulate(scene, until=0.3, tolerance=1e-12), gr.simulate(cart(), until=0.3, tolerance=1e-12)
    assert_allclose(run.coordinates, other.coordinates, rtol=0.0, atol=1e-9)
    assert gr.derive(scene, "lagrange").code("text") == gr.derive(cart(), "lagrange").code("text")
    with refused(gr.GranumError, "quasi", "lagrange", "gibbs-appell"):
        gr.derive(cart(), "lagrange", quasi=relative)
    with refused(gr.SceneError, "quasi", "u ="):
        gr.RunSettings(quasi=["u ="])


def test_on_the_command_line(tmp_path: Path) -> None:
    told = granum("derive", str(FILE), "--coordinates", "cart.x,shoulder.angle,elbow.angle", "--json", folder=tmp_path)
    assert json.loads(told.stdout)["coordinates"] == ["cart.x", "shoulder.angle", "elbow.angle"]
    told = granum("derive", str(FILE), "--formulation", "gibbs-appell", "--quasi", "u=cart.x_dot", "--quasi",
                  "upper.wz", "--quasi", "lower.wz", folder=tmp_path)
    assert "u_dot" in told.stdout and "lower_wz_dot" in told.stdout
    told = granum("linearize", str(FILE), "--coordinates", "cart.x,shoulder.angle,elbow.angle", "--at", "equilibrium",
                  "--json", folder=tmp_path)
    assert len(json.loads(told.stdout)["A"]) == 6
    told = granum("run", str(FILE), "--coordinates", "cart.x,upper.angle,elbow.angle", "--until", "0.1", "--json",
                  folder=tmp_path)
    assert json.loads(told.stdout)["coordinates"] == 3


def test_coordinates_are_those_of_the_formulation_that_is_asked_for() -> None:
    """The scene says scalar, which has coordinates of its own; lagrange takes others."""
    scene = gr.load(FILE.parent / "three-spheres.toml")
    named = [f"contact-{k}.{angle}" for k in (1, 2, 3) for angle in ("azimuth", "elevation")]
    assert len(gr.derive(scene, "lagrange", coordinates=named).coordinates) == 6
    chosen = gr.simulate(scene, formulation="lagrange", coordinates=named, until=0.05)
    own = gr.simulate(scene, until=0.05)
    assert_allclose(chosen.position("sphere-2")[-1], own.position("sphere-2")[-1], atol=1e-8)  # both at 1e-9 or better
