"""Run files of the previous layout, in which joints among grains had a table of their own: read as the present one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.base.kernels import Floats
from granum.model.connections import BallJoint, Drive, Hinge, Link, Slider
from granum.model.scene import Scene

JOINT_REACTION = "joint_reaction"
"""(frames, joints, 8): force and moment on the second body, tension of a link or effort of a drive, and whether the
joints determine all of these."""
_FORCE, _MOMENT, _EFFORT, _DETERMINED = 0, 3, 6, 7
_AXES = "xyz"


def reaction_columns(scene: Scene, joints: Sequence[str], dimension: int) -> dict[str, tuple[int, int]]:
    """Joint and column of each reaction, by the name it has in the present layout."""
    found: dict[str, tuple[int, int]] = {}
    for k, name in enumerate(joints):
        entry = scene.link.get(name) or scene.constraint[name]
        if isinstance(entry, Link):
            found[name] = k, _EFFORT
            continue
        if isinstance(entry, Drive):
            along = isinstance(scene.constraint[entry.joint], Slider)
            found[f"{name}.{'force' if along else 'torque'}"] = k, _EFFORT
            continue
        ball = isinstance(entry, BallJoint)
        prefix = name if ball else f"{name}.force"
        found |= {f"{prefix}.{axis}": (k, _FORCE + n) for n, axis in enumerate(_AXES[:dimension])}
        if not ball and not (dimension == 2 and isinstance(entry, Hinge)):
            about = _AXES if dimension == 3 else "z"
            found |= {f"{name}.moment.{axis}": (k, _MOMENT + _AXES.index(axis)) for axis in about}
    return found


def present_arrays(table: Floats, columns: dict[str, tuple[int, int]]) -> dict[str, Floats]:
    """The arrays of the present layout, from frames of `joint_reaction`."""
    joints, places = np.array(list(columns.values()), dtype=np.int64).reshape(-1, 2).T
    return {"link_force": table[:, joints, places], "unique": table[:, joints, _DETERMINED]}
