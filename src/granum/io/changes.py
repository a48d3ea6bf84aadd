"""Changes to a scene as a command line gives them: `material.glass.friction=0.4`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

from granum.base.errors import Problem, SceneError
from granum.io.scenefile import problems_between
from granum.model.scene import Scene

OPTION = "--set"


def changed(scene: Scene, settings: Iterable[str]) -> Scene:
    """The scene with values replaced, checked as if its file had them; raises SceneError with every mistake."""
    changes, problems = _changes(settings)
    try:
        varied = scene.vary(changes)
    except SceneError as error:
        raise SceneError([*problems, *error.problems], OPTION) from None
    if problems := problems or problems_between(varied):
        raise SceneError(problems, OPTION)
    varied._file = scene._file
    return varied


def _changes(settings: Iterable[str]) -> tuple[dict[str, Any], list[Problem]]:
    """Values by path, and what is wrong with how they are written."""
    changes: dict[str, Any] = {}
    problems = []
    for setting in settings:
        path, sign, written = (part.strip() for part in setting.partition("="))
        if not sign or not path or not written:
            problems.append(Problem("", f"found {setting!r}, but PATH=VALUE is needed.",
                                    f"Write {OPTION} material.glass.friction=0.4."))
        elif path in changes:
            problems.append(Problem(path, "is set twice.", "Give it once."))
        else:
            changes[path] = value_of(written)
    return changes, problems


def value_of(written: str) -> Any:
    """A value as TOML has it; what is no TOML is a string, so that `4 cm` needs no quotes within those of a shell."""
    try:
        values = tomllib.loads(f"value = {written}")
    except (ValueError, RecursionError):  # RecursionError: brackets by the thousand
        return written
    return values["value"] if len(values) == 1 else written
