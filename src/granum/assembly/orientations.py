"""Orientations from which axes of joints and relative rotations count: those that are given, not guesses.

A joint whose axis or rotation would be another one with another guess is refused, with the keys that say what it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from granum.assembly.axes import (
    directions,
    first_and_second,
    first_body,
    given_relative,
    has_second_axis,
    holds_rotation,
    shown_axis,
)
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, three
from granum.model.connections import Glue, Hinge, Slider
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows.body import Body

_SAME = 1e-9
"""Difference of two unit vectors, or rotations, that is rounding."""


class Orientations:
    """Orientations of bodies from which axes and relative rotations count: those that a scene gives, not its guesses.

    Bodies without an orientation follow those to which a slider or glue joins them without rotation, so that a guess
    turns both.
    """

    def __init__(self, scene: Scene, given: Mapping[str, Start], bodies: Mapping[str, Body], settled: bool) -> None:
        """Orient bodies that follow others.

        Args:
            given: starts by body.
            settled: are the bodies where their joints have left them? Then all counts from there.
        """
        self._bodies, self._dimension, self._settled = bodies, scene.dimension, settled
        starts = {} if settled else {name: given.get(name, Start()) for name in bodies}
        self._guessed = {name for name, start in starts.items() if {"angle", "orientation"} & {*start.guess}}
        self._following = set[str]()
        if not settled:
            self._follow(scene, {name for name, start in starts.items() if start.angle is not None
                                 or start.orientation is not None or _placed(bodies[name])})

    def _follow(self, scene: Scene, oriented: set[str]) -> None:
        near: dict[str, list[tuple[str, Floats | None]]] = {}
        for entry in scene.constraint.values():
            if holds_rotation(entry):
                one, two = first_and_second(entry)
                relative = given_relative(entry)
                near.setdefault(one, []).append((two, relative))
                near.setdefault(two, []).append((one, None if relative is None else relative.T))
        leaders = [name for name in near if name in oriented]
        for leader in leaders:  # the list grows by those that follow
            for name, relative in near.get(leader, ()):
                leads = relative is not None or leader in self._guessed | self._following
                if leads and name in self._bodies and name not in oriented | self._following:
                    _orient(self._bodies[name], self._bodies[leader], relative, self._dimension)
                    self._following.add(name)
                    leaders.append(name)

    def _counted(self, name: str) -> Floats:
        """The orientation of a body without guesses; that of a fixed point, the ground, is none."""
        free = name in self._guessed | self._following or name not in self._bodies
        return np.eye(3) if free else self._bodies[name].rotation

    def _at_guess(self, name: str) -> Floats:
        free = name in self._following or name not in self._bodies
        return np.eye(3) if free else self._bodies[name].rotation

    def _at_start(self, name: str) -> Floats:
        return self._bodies[name].rotation if name in self._bodies else np.eye(3)

    def axis(self, joint: Hinge | Slider) -> Floats:
        """The axis in inertial axes as the first body has it at the start; raises GranumError where a guess decides."""
        first = first_body(joint)
        if {*first_and_second(joint)} & self._guessed:
            self._refuse_guessed_axis(joint)
        axis = three(joint.axis or (0.0, 0.0, 1.0))
        if first in self._bodies and (joint.axis_in == "body" or first in self._following):
            axis = self._bodies[first].rotation @ axis
        return axis

    def second_axis(self, joint: Hinge | Slider) -> Floats | None:
        """The axis in inertial axes as the second body has it at the start; None where it is that of the first."""
        if self._settled or (joint.second_axis is None and not {*first_and_second(joint)} & self._following):
            return None
        axis: Floats = self._at_start(first_and_second(joint)[1]) @ directions(joint, self._counted)[1]
        return axis

    def relative(self, joint: Glue | Slider) -> Floats | None:
        """The relative rotation that a scene gives; None where it is that of the start.

        Raises GranumError where a guess decides it.
        """
        relative = None if self._settled else given_relative(joint)
        if relative is None and {*first_and_second(joint)} & self._guessed:
            self._refuse_guessed_rotation(joint)
        return relative

    def _refuse_guessed_axis(self, joint: Hinge | Slider) -> None:
        """Refuse an axis whose direction in one of its bodies would depend on a guess."""
        own, guess = directions(joint, self._counted), directions(joint, self._at_guess)
        wanted = 2 if has_second_axis(joint, self._dimension) else 1
        differ = [np.abs(a - b).max() > _SAME for a, b in zip(own[:wanted], guess[:wanted], strict=True)]
        if not any(differ):
            return
        names = [name for name in first_and_second(joint)[:wanted] if name in self._guessed]
        if differ[0]:
            where = f'axis_in = "body" with axis = {shown_axis(guess[0][: len(joint.axis or (0, 0, 0))])}'
            where += f" and second_axis = {shown_axis(guess[1])}" if wanted == 2 and joint.second_axis is None else ""
        else:
            where = f"second_axis = {shown_axis(guess[1])}"
        ends = " and ".join(f'"{name}"' for name in names)
        bodies = " and ".join(f'"{name}"' for name in first_and_second(joint)[:wanted])
        short = f"[{', '.join(f'{value:.6g}' for value in joint.axis or ())}]"
        frame = "inertial axes" if joint.axis_in == "scene" else "the axes of the first body"
        raise GranumError(
            f"the axis is fixed in {bodies}, but the orientation of {ends} at the start is a guess, so axis = "
            f"{short} in {frame} does not say which direction of {'it' if wanted == 1 else 'each'} that is. "
            f"Give it in body axes: {where} as at the guess, or others.")

    def _refuse_guessed_rotation(self, joint: Glue | Slider) -> None:
        """Refuse a relative rotation that would depend on a guess."""
        one, two = first_and_second(joint)
        own, guess = (orient(one).T @ orient(two) for orient in (self._counted, self._at_start))
        if np.abs(own - guess).max() <= _SAME:
            return
        names = " and ".join(f'"{name}"' for name in (one, two) if name in self._guessed)
        given = f"relative_angle = {math.atan2(guess[1, 0], guess[0, 0]):.12g}" if self._dimension == 2 else \
            f"relative_orientation = {shown_axis(quaternion_of(guess))}"
        raise GranumError(
            f'it holds the rotation of "{two}" relative to "{one}", but the orientation of {names} at the start is a '
            f"guess, which does not say what that rotation is. Give {given} for the rotation at the guess, or another "
            "one; or omit the orientation of one of the bodies, which then has the axes of the other.")


def refuse_other_dimension(entry: Any, dimension: int) -> None:
    """Refuse keys that say how a joint lies in its second body, where they are for the other dimension."""
    for key, own in (("second_axis", 3), ("relative_orientation", 3), ("relative_angle", 2)):
        if getattr(entry, key, None) is not None and dimension != own:
            other = {"relative_orientation": "Give relative_angle.", "relative_angle": "Give relative_orientation."}
            raise GranumError(f"{key} is for {own}-D, but the scene is {dimension}-D. {other.get(key, 'Remove it.')}")
    if len(getattr(entry, "second_axis", None) or range(3)) != 3:
        raise GranumError(f"second_axis has {len(entry.second_axis)} components, but the scene is 3-D: give 3.")


def _placed(body: Body) -> bool:
    """Is it oriented by a packing of grains, or by formulas?"""
    return body.entry is None or body.parametrised


def _orient(body: Body, leader: Body, relative: Floats | None, dimension: int) -> None:
    """Orient a body as another one, from which it is rotated by a relative rotation, if any."""
    body.angle, body.quaternion = leader.angle, leader.quaternion
    if relative is None:
        return
    if dimension == 2:
        body.angle += math.atan2(relative[1, 0], relative[0, 0])
    else:
        body.quaternion = tuple(quaternion_of(leader.rotation @ relative).tolist())
