"""Studies in tests: a small scene that runs in milliseconds, and tables compared bit by bit."""

from __future__ import annotations

from pathlib import Path

import granum as gr

PENDULUM = """
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
interval = 0.05
"""
STUDY = """
title = "Swings"
scene = "pendulum.toml"
repeats = {repeats}
[vary]
"load.gravity.acceleration.1" = {{ from = -10.0, to = -1.0, points = {points} }}
"body.bob.mass" = ["500 g", 2.0]
[measure]
height = "position bob y"
fast = "abs(velocity bob y) > 0.5"
"""


def write_study(folder: Path, points: int = 3, repeats: int = 2, more: str = "") -> Path:
    """A study file and its scene in a folder."""
    (folder / "pendulum.toml").write_text(PENDULUM)
    file = folder / "swings.toml"
    file.write_text(STUDY.format(points=points, repeats=repeats) + more)
    return file


def pendulum() -> gr.Scene:
    """The same scene, made in Python."""
    from granum.io.scenefile import parse_scene

    return parse_scene(PENDULUM)


def assert_same_table(found: gr.StudyResult, expected: gr.StudyResult) -> None:
    """All but the wall time is equal, to the last bit, and no run is there twice."""
    assert found.columns == expected.columns and found.rows == expected.rows
    keys = [row.key for row in found.table]
    assert len(set(keys)) == len(keys)
    for name in found.columns:
        if name != "wall_time":
            a, b = found.column(name), expected.column(name)
            assert a.dtype == b.dtype
            assert a.tobytes() == b.tobytes() if a.dtype != object else list(a) == list(b), name
