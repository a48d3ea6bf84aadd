"""Axes of hinges and sliders: which direction of the first body they are, whatever the assembly does to that body."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np

from granum.assembly.parametrised import parametrised_bodies
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import rotation_of, three
from granum.model.body_entries import FixedPoint
from granum.model.connections import Glue, Hinge, Slider
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows.body import Body

_SAME = 1e-9
"""Difference of two unit vectors that is rounding."""


def start_rotation(start: Start) -> Floats:
    """From body axes to inertial axes, as a start says, guesses included."""
    if start.angle is not None:
        return rotation_of((math.cos(0.5 * start.angle), 0.0, 0.0, math.sin(0.5 * start.angle)))
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


def in_body_axes(joint: Any, axis: Floats) -> Any:
    """A joint whose axis is given in the axes of its first body."""
    return joint.model_copy(update={"axis": tuple(axis[: len(joint.axis)].tolist()), "axis_in": "body"})


def with_body_axes(scene: Scene) -> Mapping[str, Any]:
    """Constraints of a scene with all axes that a movable body carries in the axes of that body.

    With them a scene may be given another start: the axes stay where they are in the bodies.
    """
    posed = parametrised_bodies(scene)  # formulas say where these are, not [start]
    return {name: in_body_axes(entry, body_axis(scene, entry))
            if carries_axis(entry, scene) and first_body(entry) not in posed else entry
            for name, entry in scene.constraint.items()}


def carries_axis(entry: Any, scene: Scene) -> TypeGuard[Hinge | Slider]:
    """Has it an axis that a movable body carries along?"""
    return isinstance(entry, Hinge | Slider) and entry.axis is not None and not isinstance(
        scene.body.get(first_body(entry)), FixedPoint)


def follow_guesses(scene: Scene, given: Mapping[str, Start], bodies: Mapping[str, Body]) -> set[str]:
    """Orient bodies without an orientation as the guess of those that a slider or glue joins them to without rotation.

    A guess then turns both, and their relative rotation is as without it. In 3-D bodies of hinges stay as they are:
    the axes of these would turn too. Returns the names of the bodies that follow.
    """
    starts = {name: given.get(name, Start()) for name in bodies}
    oriented = {name for name, start in starts.items() if start.angle is not None or start.orientation is not None}
    stay = oriented | ({end.partition(".")[0] for entry in scene.constraint.values() if isinstance(entry, Hinge)
                        for end in entry.between} if scene.dimension == 3 else set())
    leaders = [name for name, start in starts.items() if name in oriented and not (
        start.holds("angle") or start.holds("orientation"))]
    near: dict[str, list[str]] = {}
    for entry in scene.constraint.values():
        if isinstance(entry, Glue) or (isinstance(entry, Slider) and not entry.rotation):
            one, two = (end.partition(".")[0] for end in entry.between)
            near.setdefault(one, []).append(two)
            near.setdefault(two, []).append(one)
    following: set[str] = set()
    for leader in leaders:  # the list grows by those that follow
        for name in near.get(leader, ()):
            if name in bodies and name not in stay | following:
                bodies[name].angle, bodies[name].quaternion = bodies[leader].angle, bodies[leader].quaternion
                following.add(name)
                leaders.append(name)
    return following


def refuse_guessed_axis(given: Mapping[str, Start], slider: Slider) -> None:
    """Refuse a slider whose axis in its first body would depend on a guess."""
    body = first_body(slider)
    start = given.get(body, Start())
    if slider.axis_in == "body" or not {"angle", "orientation"} & {*start.guess}:
        return
    axis = three(slider.axis) / np.linalg.norm(slider.axis)
    carried = start_rotation(start).T @ axis
    if np.abs(carried - axis).max() <= _SAME:
        return
    shown = ", ".join(f"{value:.6g}" for value in carried[: len(slider.axis)])
    raise GranumError(
        f'the line is fixed in "{body}", whose orientation at the start is a guess, so axis = '
        f"{list(slider.axis)} in inertial axes does not say which direction of it. Give axis in the axes of the body: "
        f'axis_in = "body" with axis = [{shown}] for the direction at the guess, or with another axis.')


def guessed_axes(scene: Scene, hinge: Hinge) -> dict[str, Floats]:
    """Bodies whose guessed orientation decides which of their directions is the axis of a hinge, and that direction.

    In 3-D a hinge fixes its axis in both bodies as they are oriented in [start]. A guess that rotates a body about the
    axis itself decides nothing.
    """
    axis = three(hinge.axis or (0.0, 0.0, 1.0))
    starts = {name: scene.start.get(name, Start()) for name in (end.partition(".")[0] for end in hinge.between)}
    first = first_body(hinge)
    if hinge.axis_in == "body":
        axis = start_rotation(starts[first]) @ axis
    axis = axis / np.linalg.norm(axis)
    carried = {name: start_rotation(start).T @ axis for name, start in starts.items()}
    guessed = {name for name, start in starts.items() if "orientation" in start.guess
               and np.abs(carried[name] - axis).max() > _SAME}
    if hinge.axis_in == "body":  # the first body has it as given, the second from the orientation of the first
        guessed = {*starts} - {first} if guessed else set()
    return {name: carried[name] for name in carried if name in guessed}
