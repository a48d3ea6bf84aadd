"""Starting from a frame of an earlier run: links, formulas, mechanisms and grains go on as if never stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
import mechanisms
from granum.io.scenefile import parse_scene
from messages import refused

TOLERANCE = {"tolerance": 1e-11, "interval": 0.1}


def links() -> gr.Scene:
    """A double pendulum of point masses."""
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "point-mass", "mass": 1.0},
              "b": {"kind": "point-mass", "mass": 2.0}},
        link={"upper": {"between": ("pivot", "a")}, "lower": {"between": ("a", "b")}},
        start={"a": {"position": (1.0, 0.0)}, "b": {"position": (2.0, 0.0)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}})


def formulas() -> gr.Scene:
    """A pendulum in redundant coordinates."""
    return gr.Scene(
        system={"coordinates": ["x", "y"], "kinetic": "(x_dot**2 + y_dot**2)/2", "potential": "9.81*y",
                "start": {"x": 1.0, "y_dot": 0.0}, "guess": {"y": -0.1}, "points": {"bob": ["x", "y"]}},
        constraint={"rod": {"kind": "formula", "formula": "x**2 + y**2 = 1.04"}})


def traced() -> gr.Scene:
    """A four-bar in space with a massless point on its coupler."""
    scene = mechanisms.four_bar(True)
    return gr.Scene(**{**{key: getattr(scene, key) for key in ("start", "load")},
                       "body": {**scene.body, "tracer": {"kind": "massless-point"}},
                       "constraint": {**scene.constraint,
                                      "pen": {"kind": "ball-joint", "between": ("coupler.head", "tracer")}}})


def rolling() -> gr.Scene:
    """A ball with a spin that rolls in a bowl."""
    return gr.Scene(
        body={"ball": {"kind": "sphere", "radius": 0.1, "mass": 1.0}},
        surface={"bowl": {"equation": "Z - (X**2 + 2*Y**2)/4"}},
        constraint={"roll": {"kind": "rolling", "body": "ball", "on": "bowl"}},
        start={"ball": {"contact": (0.5, 0.2), "velocity": (0.1, 0.6), "spin": 2.0}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}})


CASES: dict[str, tuple[gr.Scene, str]] = {
    "links": (links(), "newton-euler"), "links-lagrange": (links(), "lagrange"),
    "formulas": (formulas(), "fundamental"),
    "mechanism": (mechanisms.four_bar(False), "newton-euler"), "space": (mechanisms.four_bar(True), "newton-euler"),
    "bodies-of-formulas": (mechanisms.four_bar(True), "fundamental"), "traced": (traced(), "fundamental"),
    "rolling": (rolling(), "fundamental")}


@pytest.mark.parametrize("case", CASES)
def test_a_run_from_a_frame_goes_on_as_the_run_itself(case: str) -> None:
    """0.5 s of a run from its frame 5 are its second half; at tolerance 1e-11 per step errors of some hundred steps
    stay below 1e-8 m, as the systems here double a disturbance in some tenths of a second.
    """
    scene, way = CASES[case]
    whole = gr.simulate(scene, until=1.0, formulation=way, progress=False, **TOLERANCE)
    later = gr.simulate(scene.start_from(whole, 5), until=0.5, formulation=way, progress=False, **TOLERANCE)
    assert later.t[0] == 0.0
    np.testing.assert_allclose(later.positions[0], whole.positions[5], rtol=0, atol=1e-10)
    np.testing.assert_allclose(later.velocities[0], whole.velocities[5], rtol=0, atol=1e-9)
    np.testing.assert_allclose(later.positions[-1], whole.positions[10], rtol=0, atol=1e-8)


def test_a_mechanism_goes_on_in_another_formulation() -> None:
    scene = mechanisms.four_bar(False)
    first = gr.simulate(scene, until=0.5, progress=False, **TOLERANCE)
    for way in ("fundamental", "virtual-work"):
        later = gr.simulate(scene.start_from(first), until=0.2, formulation=way, progress=False, **TOLERANCE)
        same = gr.simulate(scene.start_from(first), until=0.2, progress=False, **TOLERANCE)
        for name in ("crank", "coupler", "rocker"):
            np.testing.assert_allclose(later.position(name)[-1], same.position(name)[-1], rtol=0, atol=1e-9)


BED = """
[run]
until = 0.6
interval = 0.1
solver = "{solver}"
step = {step}
[material.glass]
density = 2500.0
friction = 0.4
{stiff}
[boundary.box]
kind = "box"
lower = [0.0, 0.0]
upper = [0.1, 0.5]
{start}
[pattern.bed]
kind = "grains"
count = 40
radius = 0.006
region = {{kind = "box", lower = [0.0, 0.0], upper = [0.1, 0.2]}}
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
"""


def bed(solver: str, start: str = "", **changes: str) -> str:
    # so stiff that its weight does not press a grain deeper into the floor than a start may be, 0.05 radii
    step, stiff = ("1e-3", "") if solver == "moreau" else ("2e-5", "stiffness = 2e5")
    text = BED.format(solver=solver, start=start, step=step, stiff=stiff)
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("solver", ["moreau", "soft"])
def test_settled_grains_start_again(solver: str, tmp_path: Path) -> None:
    """A bed that settled stays at rest when a run starts from its last frame, though its grains overlap."""
    file = tmp_path / "bed.h5"
    (tmp_path / "bed.toml").write_text(bed(solver))
    settled = gr.simulate(gr.load(tmp_path / "bed.toml"), output=file, progress=False)
    x = settled.frame(-1).positions
    apart = np.linalg.norm(x[:, None] - x[None], axis=2) + np.eye(len(x))
    assert apart.min() < 2 * 0.006 * (1.0 - 1e-6)  # more than a start that is given may overlap
    (tmp_path / "again.toml").write_text(bed(solver, '[start]\nfrom = "bed.h5"\nframe = -1'))
    for scene in (gr.load(tmp_path / "again.toml"), gr.load(tmp_path / "bed.toml").start_from(settled)):
        later = gr.simulate(scene, until=0.2, progress=False)
        before, after = settled.frame(-1), later.frame(0)
        assert (after.positions == before.positions).all() and (after.velocities == before.velocities).all()
        assert (after.numbers == before.numbers).all() and (after.orientations == before.orientations).all()
        # what is left of the motion cannot carry a grain farther than its speed and fall of the rest of it in 0.2 s
        speed = np.linalg.norm(before.velocities, axis=1).max()
        assert np.linalg.norm(later.frame(-1).positions - before.positions, axis=1).max() < 0.006 * 0.05 + 0.2 * speed


def test_a_run_of_grains_from_its_last_frame_keeps_contact_forces(tmp_path: Path) -> None:
    """With the memory of contacts `soft` goes on as the run itself, to rounding; frame 3 of the longer run has lost it,
    and its tangential springs begin relaxed.
    """
    scene = parse_scene(bed("soft"))
    whole = gr.simulate(scene, until=0.6, progress=False)
    half = gr.simulate(scene, until=0.3, progress=False)
    later = gr.simulate(scene.start_from(half), until=0.1, progress=False)
    lost = gr.simulate(scene.start_from(whole, 3), until=0.1, progress=False)
    error = np.abs(later.frame(-1).positions - whole.frame(4).positions).max()
    without = np.abs(lost.frame(-1).positions - whole.frame(4).positions).max()
    assert error < 1e-12 < 1e-9 < without


def test_what_does_not_match_is_named(tmp_path: Path) -> None:
    run = gr.simulate(links(), until=0.1, interval=0.1, progress=False, output=tmp_path / "run.h5")
    extra = {**links().body, "c": {"kind": "point-mass", "mass": 1.0}}
    with refused(gr.SceneError, "body.c"):
        gr.Scene(body=extra).start_from(run)
    with refused(gr.SceneError, "start.from", '"b"'):
        gr.Scene(body={"a": {"kind": "point-mass", "mass": 1.0}}).start_from(run)
    with refused(gr.GranumError, "frame 7"):
        links().start_from(run, 7)
    spring: dict[str, Any] = {"s": {"kind": "spring", "between": ("a", "b"), "stiffness": 1.0}}
    with refused(gr.SceneError, "load.s", "rest_length"):
        gr.Scene(body=links().body, load=spring).start_from(run)
    with refused(gr.SceneError, '40 grains of "bed"'):
        grains = gr.simulate(parse_scene(bed("moreau")), until=0.01, interval=0.01, progress=False)
        gr.simulate(parse_scene(bed("moreau").replace("pattern.bed", "pattern.heap")).start_from(grains))
    with refused(gr.SceneError, "3 start.from", "no-such.h5"):
        parse_scene('title = "again"\n[start]\nfrom = "no-such.h5"\n[body.a]\nkind = "point-mass"\nmass = 1.0\n')


def test_values_beside_from_replace_those_of_the_frame(tmp_path: Path) -> None:
    gr.simulate(links(), until=0.1, interval=0.1, progress=False, output=tmp_path / "run.h5")
    text = """[start]
from = "run.h5"
[start.b]
velocity = [0.0, 0.0]
[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]
[body.a]
kind = "point-mass"
mass = 1.0
[body.b]
kind = "point-mass"
mass = 2.0
"""
    run = gr.simulate(parse_scene(text, folder=tmp_path), until=0.1, interval=0.1, progress=False)
    assert (run.velocity("b")[0] == 0.0).all() and (run.velocity("a")[0] != 0.0).any()


def test_bodies_may_have_the_names_of_the_keys_of_a_start() -> None:
    """`[start.frame]` is the start of a body, not the frame of a run."""
    body = '[body.{0}]\nkind = "point-mass"\nmass = 1.0\n[start.{0}]\nposition = [1.0, {1}]\n'
    scene = parse_scene(body.format("from", 2.0) + body.format("frame", 3.0))
    assert [scene.start[name].position for name in ("from", "frame")] == [(1.0, 2.0), (1.0, 3.0)]


def test_a_grain_may_be_given_a_velocity_where_the_frame_has_it(tmp_path: Path) -> None:
    """Its position is that of the frame, which is read when the run begins."""
    rest = """[material.sand]
density = 2500
[body.big]
kind = "disk"
radius = 0.1
[run]
until = 0.01
interval = 0.01
solver = "soft"
[start.big]
"""
    gr.simulate(parse_scene(rest + "position = [0, 1]"), output=tmp_path / "run.h5", progress=False)
    later = parse_scene(rest + 'velocity = [1, 0]\n[start]\nfrom = "run.h5"', folder=tmp_path)
    run = gr.simulate(later, progress=False)
    assert run.position("big")[0].tolist() == [0.0, 1.0] and run.velocity("big")[0].tolist() == [1.0, 0.0]
