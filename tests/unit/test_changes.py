"""`granum run --set`: values of a scene replaced from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import commands
import granum as gr
from commands import Told
from granum.io.changes import changed, value_of
from messages import refused, says

SCENE = """
title = "Pendulum"
[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]
[body.bob]
kind = "point-mass"
mass = "500 g"
[start.bob]
position = [1.0, 0.0]
[link.rod]
between = ["pivot", "bob"]
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 0.1
"""


def granum(*arguments: object, folder: Path) -> Told:
    """Run `granum run scene.toml` in a folder."""
    (folder / "scene.toml").write_text(SCENE)
    return commands.granum("run", "scene.toml", *arguments, folder=folder)


@pytest.mark.parametrize(("written", "value"), [
    ("0.4", 0.4), ("3", 3), ("true", True), ("[0, 1]", [0, 1]), ('"4 cm"', "4 cm"), ("4 cm", "4 cm"),
    ("rk4", "rk4"), ("1\nother = 2", "1\nother = 2"), ("[" * 5000, "[" * 5000),
])
def test_values_are_toml_or_strings(written: str, value: object) -> None:
    assert value_of(written) == value


def test_a_run_keeps_the_scene_as_it_was_changed(tmp_path: Path) -> None:
    """Its text must not be that of the file, which says something else."""
    done = granum("--set", "body.bob.mass=250 g", "--set", "run.until=20 ms", "--set", "load.gravity.acceleration.1=-3",
                  "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    run = gr.open_run(tmp_path / "scene.h5")
    kept = json.loads(run.metadata["scene_text"])
    assert (kept["body"]["bob"]["mass"], kept["run"]["until"], kept["load"]["gravity"]["acceleration"]) == (
        0.25, 0.02, [0.0, -3.0])
    assert run.t[-1] == 0.02 and run.position("bob")[-1, 1] == pytest.approx(-1.5 * 0.02**2, rel=1e-3)
    assert granum("--overwrite", folder=tmp_path).returncode == 0
    assert gr.open_run(tmp_path / "scene.h5").metadata["scene_text"] == SCENE


def test_all_mistakes_are_reported_before_anything_runs(tmp_path: Path) -> None:
    done = granum("--set", "body.bob.mas=1", "--set", "body.bib.mass=1", "--set", "run.until=-1 s", "--set", "nonsense",
                  "--set", "title=A", "--set", "title=B", folder=tmp_path)
    assert done.returncode == 2 and not (tmp_path / "scene.h5").exists()
    says(done.stderr, "body.bob.mas:", '"mass"', "body.bib:", "run.until:", "'nonsense'", "title")


def test_what_does_not_fit_other_entries_is_refused() -> None:
    """A link that is too short for the start, as in a file."""
    scene = gr.Scene(body={"a": gr.FixedPoint(position=(0.0, 0.0)), "b": gr.PointMass(mass=1.0)},
                     start={"b": gr.Start(position=(1.0, 0.0))}, link={"rod": gr.Link(between=("a", "b"))})
    with refused(gr.SceneError, "--set ", "missing"):
        changed(scene, ['link.rod.between=["a", "missing"]'])
    assert changed(scene, ["body.b.mass=2"]).body["b"].mass == 2.0
