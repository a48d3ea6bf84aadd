"""The JSON schema of scene files: it takes every scene that Granum takes, and refuses what is misspelt."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import granum as gr
from commands import granum
from granum.base.units import si
from granum.io.examples import example_file, example_scenes
from granum.io.scenefile import parse_scene
from granum.model.scene import SECTIONS, kinds
from scenes import SCENES

ROOT = Path(__file__).parents[2]
SCHEMA = gr.schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

SCENE = """
[body.pivot]
kind = "fixed-point"
position = [0.0, "1 m"]
[body.bob]
kind = "point-mass"
mass = "500 g"
[start.bob]
position = ["1 m", 1.0]
[link.rod]
between = ["pivot", "bob"]
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = "100 ms"
solver = "rk4"
"""

WRONG = {
    "key": ("mass =", "mas ="),
    "section": ("[link.rod]", "[lnik.rod]"),
    "kind": ('"point-mass"', '"point-mess"'),
    "kind-of-another-section": ('"gravity"\na', '"plane"\na'),
    "no-kind": ('kind = "point-mass"\n', ""),
    "missing": ('mass = "500 g"\n', ""),
    "no-unit": ('"500 g"', '"500"'),
    "unknown-unit": ('"500 g"', '"500 gr"'),
    "no-number": ('"500 g"', '"heavy"'),
    "negative": ('"500 g"', "-0.5"),
    "list": ('"500 g"', "[0.5]"),
    "boolean": ('"500 g"', "true"),
    "components": ("[0.0, -9.81]", "[-9.81]"),
    "ends": ('["pivot", "bob"]', '["pivot"]'),
    "name": ("[link.rod]", '[link."a rod"]'),
    "point": ('"pivot", "bob"', '"pivot", "bob.a b"'),
    "choice": ('"rk4"', '"rk5"'),
    "no-name": ("[link.rod]", "[link]"),
}


def errors(document: dict[str, Any]) -> list[str]:
    """What the schema refuses, with its path."""
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert list(SCHEMA["properties"]) == ["title", *(name for name in gr.Scene.model_fields if name not in (
        "title", "start_frame"))]


@pytest.mark.parametrize("file", [*map(example_file, example_scenes())], ids=lambda file: file.stem)
def test_every_example_is_taken(file: Path) -> None:
    assert not errors(tomllib.loads(file.read_text("utf-8")))


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.stem)
def test_scenes_of_the_documentation_are_taken(page: Path) -> None:
    for block in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        if not page.stem.startswith("studies"):  # which have other files
            assert not errors(tomllib.loads(block))


@pytest.mark.parametrize("name", SCENES)
def test_scenes_of_python_are_taken(name: str) -> None:
    """A scene with all its values written out is a scene file."""
    assert not errors(SCENES[name]().model_dump(mode="json", by_alias=True, exclude_none=True))


@pytest.mark.parametrize("mistake", WRONG)
def test_what_granum_refuses_by_itself_is_refused(mistake: str) -> None:
    """Mistakes within one entry; rules between keys and entries are left to `granum check`."""
    old, new = WRONG[mistake]
    text = SCENE.replace(old, new, 1)
    assert not errors(tomllib.loads(SCENE)) and text != SCENE
    assert errors(tomllib.loads(text))
    with pytest.raises(gr.SceneError):
        parse_scene(text)


@pytest.mark.parametrize("section", [name for name, entry in SECTIONS.items() if "" not in kinds(entry)])
def test_kinds_are_offered_and_needed(section: str) -> None:
    offered = [entry["$ref"].rpartition("/")[2]
               for entry in SCHEMA["properties"][section]["additionalProperties"]["oneOf"]]
    entries = [SCHEMA["$defs"][name] for name in offered]
    assert [entry["properties"]["kind"]["const"] for entry in entries] == list(kinds(SECTIONS[section]))
    assert all("kind" in entry["required"] for entry in entries)


@pytest.mark.parametrize(("text", "unit"), [
    ("5 cm", "m"), ("5cm", "m"), ("-1.5e-3 m", "m"), (" +.5 m ", "m"), ("5. m", "m"), ("30 °", "rad"), ("3 µm", "m"),
    ("2 N/mm", "N/m"), ("2 N / mm", "N/m"), ("1 kg m/s^2", "N"), ("1 kg*m*s^-2", "N"), ("1 kg*m*s**-2", "N"),
    ("1 m/s2", "m/s^2"), ("5", "m"), ("m", "m"), ("5 cm cm cm/", "m"), ("5 kgg", "kg"), ("0x10 m", "m"), ("5 m^0", "m"),
    ("5 N * m", "N*m"), ("5,0 m", "m"), ("", "m"), ("1 " + "m" * 70, "m"),
])
def test_quantities_are_read_as_granum_reads_them(text: str, unit: str) -> None:
    quantity = jsonschema.Draft202012Validator(SCHEMA["$defs"]["Quantity"])
    try:
        si(text, unit)
    except ValueError:
        assert not quantity.is_valid(text)
    else:
        assert quantity.is_valid(text)


def test_keys_are_explained() -> None:
    """Editors show what a key means, also one that an entry inherits, and never suggest null."""
    chain = SCHEMA["$defs"]["Chain"]["properties"]
    assert chain["length"]["description"] == "Length of each link [m]."
    assert chain["mass"]["description"] == "Mass of each body [kg]." and "from" in chain and "from_" not in chain
    assert "null" not in json.dumps(SCHEMA)


def test_the_start_from_an_earlier_run_is_known() -> None:
    assert not errors({"start": {"from": "run.h5", "frame": -2, "bob": {"velocity": [0.0, 1.0]}}})
    assert errors({"start": {"from": 3}}) and errors({"start": {"frame": "last"}}) and errors({"start_frame": {}})


def test_the_command_prints_it() -> None:
    for arguments in ((), ("--json",)):
        done = granum("schema", *arguments)
        assert done.returncode == 0 and json.loads(done.stdout) == SCHEMA
