"""Robots for `granum convert`."""

from __future__ import annotations

from typing import Any

from granum.base.text import count
from granum.io.conversion import Conversion, quoted, write
from granum.robots.elements import summarised
from granum.robots.reading import read_robot


def convert(asked: Conversion) -> tuple[dict[str, Any], str]:
    """A scene of a robot; what has no counterpart is listed here and in the scene."""
    new = asked.new
    robot = read_robot(asked.old[0], asked.free_base, asked.keyframe)
    scene = robot.scene
    write(new, robot.text.encode(), asked.overwrite)
    movable = sum(body.kind != "fixed-point" for body in scene.body.values())
    left_out = [f"  {line}" for line in summarised(robot.left_out)]
    return ({"bodies": movable, "joints": len(scene.constraint), "actuators": len(scene.actuator),
             "notes": list(robot.notes), "not_converted": [entry._asdict() for entry in robot.left_out]},
            "\n".join([f"Written: {new} ({count(movable, 'body')}, {count(len(scene.constraint), 'joint')}, "
                       f"{count(len(scene.actuator), 'actuator')}). Run it: granum run {quoted(new)}", *robot.notes,
                       *(["Not converted:", *left_out] if left_out else [])]))
