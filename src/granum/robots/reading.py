"""A URDF or MJCF file read as a scene."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from granum.base.errors import SceneError
from granum.model.scene import Scene
from granum.robots.elements import LeftOut, Reading
from granum.robots.mjcf import read_mjcf
from granum.robots.scene import SceneText
from granum.robots.text import comment
from granum.robots.urdf import read_urdf


@dataclass(frozen=True)
class Converted:
    """The scene of a robot."""

    scene: Scene
    text: str
    """As TOML."""
    left_out: tuple[LeftOut, ...]
    """What has no counterpart in a scene."""
    notes: tuple[str, ...]


def read_robot(path: str | Path, free_base: bool = False, keyframe: str = "") -> Converted:
    """The scene of a URDF or MJCF file; raises SceneError with every problem found and its line.

    The outermost element decides which of both it is. `free_base` sets the root link of a URDF free, `keyframe` names
    the keyframe of an MJCF model to start from.
    """
    file = Path(path)
    urdf = Reading(file, "a URDF or MJCF file, such as robot.urdf").root().tag == "robot"
    robot, left_out = read_urdf(file, free_base) if urdf else read_mjcf(file, keyframe)
    tables = SceneText(robot, left_out, str(path))
    text = tables.text(comment(f"Converted from {file.name} ({'URDF' if urdf else 'MJCF'})."))
    try:
        scene = Scene(**tomllib.loads(text))
    except SceneError as error:
        raise SceneError(error.problems, f"{path} (as a scene)") from None
    return Converted(scene, text, tuple(tables.left_out), tuple(tables.notes))
