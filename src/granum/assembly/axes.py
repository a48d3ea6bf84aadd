"""Axes of joints, and relative rotations that they hold, in the axes of their bodies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import numpy as np

from granum.assembly.parametrised import parametrised_bodies
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, rotation_of, three
from granum.model.body_entries import FixedPoint
from granum.model.connections import Glue, Hinge, Slider
from granum.model.scene import Scene
from granum.model.start import Start


def _about_z(angle: float) -> tuple[float, ...]:
    return math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)


def start_rotation(start: Start) -> Floats:
    """From body axes to inertial axes, as a start says, guesses included."""
    if start.angle is not None:
        return rotation_of(_about_z(start.angle))
    return np.eye(3) if start.orientation is None else rotation_of(start.orientation)


def first_body(joint: Hinge | Slider) -> str:
    """The name of the body that carries the axis."""
    return joint.between[0].partition(".")[0]


def body_axis(scene: Scene, joint: Hinge | Slider) -> Floats:
    """Unit vector along an axis, in the axes of the first body; that of a hinge in 2-D is z.

    It is fixed in that body by the start as the scene gives it, before the assembly turns anything.
    """
    axis = three(joint.axis or (0.0, 0.0, 1.0))
    if joint.axis_in == "scene":
        axis = start_rotation(scene.start.get(first_body(joint), Start())).T @ axis
    unit: Floats = axis / np.linalg.norm(axis)
    return unit


def first_and_second(joint: Glue | Hinge | Slider) -> tuple[str, str]:
    """The names of the bodies of a joint."""
    one, two = (end.partition(".")[0] for end in joint.between)
    return one, two


def has_second_axis(joint: Any, dimension: int) -> TypeGuard[Hinge | Slider]:
    """Is its axis fixed in the second body too? That of a hinge or a cylindrical joint in 3-D."""
    return dimension == 3 and (isinstance(joint, Hinge) or (isinstance(joint, Slider) and joint.rotation))


def holds_rotation(joint: Any) -> TypeGuard[Glue | Slider]:
    """Does it hold the relative rotation of its bodies?"""
    return isinstance(joint, Glue) or (isinstance(joint, Slider) and not joint.rotation)


def given_relative(joint: Glue | Slider) -> Floats | None:
    """The rotation from the axes of the second body to those of the first that a scene gives, if it does."""
    if joint.relative_angle is not None:
        return rotation_of(_about_z(joint.relative_angle))
    return None if joint.relative_orientation is None else rotation_of(joint.relative_orientation)


def in_body_axes(joint: Any, axis: Floats) -> Any:
    """A joint whose axis is given in the axes of its first body."""
    return joint.model_copy(update={"axis": tuple(axis[: len(joint.axis)].tolist()), "axis_in": "body"})


def fixed_in_bodies(joint: Any, axis: Floats | None, R1: Floats, R2: Floats, dimension: int) -> Any:
    """A joint that says in the axes of both bodies what it holds, so that these may start in any orientation.

    Args:
        axis: in the axes of the first body; None for glue, and where it stays as it is.
        R1, R2: orientations of both bodies in which the joint fits.
    """
    changed: dict[str, Any] = {}
    if axis is not None:
        joint = in_body_axes(joint, axis)
    if has_second_axis(joint, dimension):
        n = R1 @ axis if axis is not None else R1 @ directions(joint, lambda _: R1)[0]
        changed["second_axis"] = tuple((R2.T @ n).tolist())
    elif holds_rotation(joint):
        relative = R1.T @ R2
        changed |= {"relative_angle": math.atan2(relative[1, 0], relative[0, 0])} if dimension == 2 else {
            "relative_orientation": tuple(quaternion_of(relative).tolist())}
    return joint.model_copy(update=changed)


def with_body_axes(scene: Scene, rotation: Callable[[str], Floats]) -> Mapping[str, Any]:
    """Constraints of a scene with all that they hold in the axes of their bodies.

    With them a scene may be given another start: axes stay where they are in the bodies.

    Args:
        rotation: orientation of a movable body in the configuration of the scene.
    """
    posed = parametrised_bodies(scene)  # formulas say where these are, not [start]
    constraint: dict[str, Any] = dict(scene.constraint)
    for name, entry in scene.constraint.items():
        if isinstance(entry, Glue | Hinge | Slider):
            one, two = (np.eye(3) if isinstance(scene.body.get(end), FixedPoint) else rotation(end)
                        for end in first_and_second(entry))
            axis = body_axis(scene, entry) if carries_axis(entry, scene) and first_body(entry) not in posed else None
            constraint[name] = fixed_in_bodies(entry, axis, one, two, scene.dimension)
    return constraint


def carries_axis(entry: Any, scene: Scene) -> TypeGuard[Hinge | Slider]:
    """Has it an axis that a movable body carries along?"""
    return isinstance(entry, Hinge | Slider) and entry.axis is not None and not isinstance(
        scene.body.get(first_body(entry)), FixedPoint)


def directions(joint: Hinge | Slider, orientation: Callable[[str], Floats]) -> tuple[Floats, Floats]:
    """Unit vectors along the axis of a joint in the axes of both bodies, as oriented."""
    R1, R2 = (orientation(name) for name in first_and_second(joint))
    axis = three(joint.axis or (0.0, 0.0, 1.0))
    axis = axis / np.linalg.norm(axis)
    first = axis if joint.axis_in == "body" else R1.T @ axis
    if joint.second_axis is None:
        return first, R2.T @ R1 @ first
    second = three(joint.second_axis)
    return first, second / np.linalg.norm(second)


def shown_axis(values: Floats) -> str:
    """Components as a scene file gives them."""
    return f"[{', '.join(f'{value + 0.0:.12g}' for value in np.round(values, 14))}]"
