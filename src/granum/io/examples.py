"""The examples that Granum ships: scenes, studies of them, an input file of the thesis' program, a script."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from granum.base.arguments import checked
from granum.base.errors import GranumError, pick

if TYPE_CHECKING:
    from granum.model.scene import Scene

_PACKAGE = Path(__file__).resolve().parents[1]
LARGE = ("collapse", "segregation", "silo-forces")
"""Scenes of 10 000 grains and more, which run for minutes."""
_KINDS = (".toml", ".inp", ".py")
"""Other files there are what running them in place has left."""


def example_files() -> dict[str, Path]:
    """The files by name; `.toml` is left out of it."""
    folder = _PACKAGE / "examples"  # of an installed package; in a checkout they are at its root
    if not folder.is_dir():
        folder = _PACKAGE.parents[1] / "examples"
    files = {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.suffix in _KINDS}
    return dict(sorted(files.items()))


def example_file(name: str) -> Path:
    """The file of an example; raises GranumError with the nearest name if there is none."""
    files = example_files()
    return files[pick(name.removesuffix(".toml"), files, "example")]


def is_study(file: Path) -> bool:
    """Is an example a study of a scene, rather than a scene?"""
    return file.name.endswith("-study.toml")


def example_scenes(large: bool = True) -> list[str]:
    """Names of the examples that are scenes; without the large ones, none runs for more than some seconds."""
    return [name for name, file in example_files().items() if file.suffix == ".toml" and not is_study(file)
            and (large or name not in LARGE)]


def files_beside(file: Path) -> list[Path]:
    """Other examples that one needs beside it: the scene of a study."""
    return [file.with_name(tomllib.loads(file.read_text("utf-8"))["scene"])] if is_study(file) else []


def example_title(name: str) -> str:
    """What an example shows: the title of a scene, the first line of a script."""
    file = example_file(name)
    if file.suffix == ".inp":
        return "Input file of the program of Sun (1996); granum convert turns it into a scene"
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0].rstrip(".")
    return str(tomllib.loads(text)["title"])


@checked
def example(name: str) -> Scene:
    """The scene of a bundled example, such as "hopper"; `granum example` lists them.

    >>> gr.example("four-bar").title
    'Four-bar linkage'
    """
    from granum.io.scenefile import load_scene_and_text  # takes half a second, and titles need none of it

    file = example_file(name)
    if file.suffix == ".py":
        raise GranumError(f"{file.name} is a script that builds its scene. Write it with `granum example {file.name}` "
                          "and run it with Python.")
    if is_study(file):
        raise GranumError(f"{file.name} is a study of a scene. Write both with `granum example {name}` and run it with "
                          f"`granum study {file.name}`, or load it with gr.load_study.")
    return load_scene_and_text(file)[0]
