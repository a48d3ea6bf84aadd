"""The examples that come with Granum: listed, written to files, loaded by name."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

import commands
import granum as gr
from commands import Told
from granum.io import examples
from messages import refused, says

FOLDER = Path(__file__).parents[2] / "examples"


def granum(*arguments: str, folder: Path) -> Told:
    """Run `granum example` in a folder."""
    return commands.granum("example", *arguments, folder=folder)


def test_all_are_listed_with_their_titles(tmp_path: Path) -> None:
    """One line each, in words and as JSON."""
    lines = granum(folder=tmp_path).stdout.splitlines()
    titles = json.loads(granum("--json", folder=tmp_path).stdout)["examples"]
    assert [line.split(maxsplit=1) for line in lines] == [[name, title] for name, title in titles.items()]
    assert {path.name.removesuffix(".toml") for path in FOLDER.iterdir() if path.suffix in (".toml", ".inp", ".py")} \
        == set(titles)
    assert titles["hopper"] == tomllib.loads((FOLDER / "hopper.toml").read_text("utf-8"))["title"]
    assert titles["bennett.py"].startswith("Bennett's linkage")


@pytest.mark.parametrize("name", ["hopper", "hopper.toml", "pipe-jam.inp", "bennett.py"])
def test_one_is_written_as_it_is(name: str, tmp_path: Path) -> None:
    """Into the current folder, and what to do with it."""
    done = granum(name, folder=tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.name == ("hopper.toml" if name == "hopper" else name)
    assert file.read_bytes() == (FOLDER / file.name).read_bytes()
    assert done.stdout.endswith(f"Run it: {'python' if file.suffix == '.py' else 'granum run'} {file.name}\n")


def test_a_study_comes_with_its_scene(tmp_path: Path) -> None:
    """A scene that is there already is left as it is."""
    (tmp_path / "hopper.toml").write_text("mine")
    done = granum("hopper-study", folder=tmp_path)
    assert done.stdout.endswith("Run it: granum study hopper-study.toml\n")
    assert (tmp_path / "hopper.toml").read_text() == "mine"
    (tmp_path / "hopper.toml").unlink(), (tmp_path / "hopper-study.toml").unlink()
    granum("hopper-study", folder=tmp_path)
    assert gr.load_study(tmp_path / "hopper-study.toml").scene_used == gr.example("hopper")
    with refused(gr.GranumError, "hopper-study.toml", "granum study"):
        gr.example("hopper-study")


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    told = granum("silo", "-o", file.name, folder=tmp_path)
    assert told.returncode == 2 and file.read_text() == "precious"
    says(told.stderr, "mine.toml", "--overwrite")
    done = granum("silo", "-o", file.name, "--overwrite", "--json", folder=tmp_path)
    assert json.loads(done.stdout) == {"file": file.name, "title": "Silo"}
    assert file.read_bytes() == (FOLDER / "silo.toml").read_bytes()


def test_a_name_that_is_not_known(tmp_path: Path) -> None:
    told = granum("hoper", folder=tmp_path)
    assert told.returncode == 2 and not [*tmp_path.iterdir()]
    says(told.stderr, '"hoper"', '"hopper"')


def test_python_has_them_as_scenes() -> None:
    """A script has no scene, and says what to do with it."""
    assert gr.example("hopper") == gr.load(FOLDER / "hopper.toml")
    assert gr.example("pipe-jam.inp").source
    with refused(gr.GranumError, "granum example bennett.py"):
        gr.example("bennett.py")


def test_an_installed_package_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel carries the folder in the package; pyproject.toml says so."""
    built = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert built["targets"]["wheel"]["sources"]["examples"] == "granum/examples"
    shutil.copytree(FOLDER, tmp_path / "examples")
    monkeypatch.setattr(examples, "_PACKAGE", tmp_path)
    assert examples.example_file("hopper") == tmp_path / "examples" / "hopper.toml"
