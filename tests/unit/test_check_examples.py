"""`granum check` of every shipped example: what the repository shows must at least be described."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import granum as gr
from granum.cli.check import command as check
from granum.cli.convert import command as convert
from granum.io.examples import example_file, example_scenes
from messages import refused, says

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("example", [*map(example_file, example_scenes())], ids=lambda path: path.stem)
def test_every_example_is_described(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words that begin with the title, and as one JSON object that holds the same title."""
    title = gr.load(example).title
    check(example)
    assert capsys.readouterr().out.startswith(title)
    check(example, as_json=True)
    assert json.loads(capsys.readouterr().out)["title"] == title


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.inp")), ids=lambda path: path.stem)
def test_every_published_input_is_described(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An input of the published program is checked as the scene that it converts to."""
    convert([example], tmp_path / "scene.toml")
    capsys.readouterr()
    check(tmp_path / "scene.toml")
    assert "grains" in capsys.readouterr().out


def test_friction_that_slides_holds_nothing() -> None:
    """The wheel has x, y and θ on a floor: 2 freedoms while it slips, 1 while it rolls (Souchet, example 1)."""
    wheel = gr.load(EXAMPLES / "wheel.toml")
    sliding = gr.check(wheel)
    assert (sliding.frictions, sliding.degrees_of_freedom, sliding.constraints) == ({"rub": "slides"}, 2, 1)
    rolling = gr.check(wheel.model_copy(update={
        "system": wheel.system.model_copy(update={"start": {"x": 0.0, "theta": 0.0, "x_dot": 3.0, "theta_dot": -3.0}}),
        "constraint": {**wheel.constraint, "rub": wheel.constraint["rub"].model_copy(update={"friction": 0.5})}}))
    assert (rolling.frictions, rolling.degrees_of_freedom, rolling.constraints) == ({"rub": "sticks"}, 1, 2)
    (contact,) = (line for line in rolling.summary_lines() if "rub" in line)
    says(contact, "rub", "sticks")


@pytest.mark.parametrize("formulation", ["gibbs-appell", "fundamental", "lagrange", "scalar"])
def test_what_a_run_refuses_check_refuses(formulation: str, tmp_path: Path) -> None:
    """With the file and the line of the key."""
    text = (EXAMPLES / "wheel.toml").read_text()
    (tmp_path / "wheel.toml").write_text(text.replace("virtual-work", formulation))
    line = text[:text.index("virtual-work")].count("\n") + 1
    with refused(gr.SceneError, f"wheel.toml:{line} run.formulation", formulation, '"rub"'):
        check(tmp_path / "wheel.toml")
