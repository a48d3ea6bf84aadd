"""Following the way in which loops close while parameters of a scene change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from granum.assembly.assembly import Assembly, assembly_of
from granum.assembly.axes import start_rotation, with_body_axes
from granum.assembly.connected import start_of
from granum.assembly.ways import angle_of
from granum.base.errors import SceneError
from granum.model.scene import Scene
from granum.model.start import Start

_FIRST, _LEAST = 1.0 / 2.0, 1.0 / 512.0
"""First and shortest step of the parameters, as parts of their way."""
_TURN = 0.2
"""Rotation [rad] of a body in one step that asks for a shorter one; in the shortest step it is a jump."""
_SAME = 1e-6
"""Rotation [rad], or displacement relative to the size of the scene, between two assemblies of one way."""


class Branch(NamedTuple):
    """Where the way of a first scene leads."""

    assembly: Assembly | None
    """Of the last scene; None where the way ends before."""
    jump: tuple[float, str, float] | None
    """Part of the way at which a body jumps, the body, and its rotation [rad]."""
    end: float = 1.0
    """How far the way goes, from 0 to 1."""


def closes_loops(scene: Scene) -> bool:
    """Are there joints, and orientations that follow from them?"""
    if not scene.has_joints:
        return False
    try:
        assembly = assembly_of(scene)
        bodies = assembly.rows.bodies
    except SceneError:
        return True
    turned = (angle_of(start_rotation(assembly.scene.start.get(body.name, Start())).T @ body.rotation)
              for body in bodies if body.rotates and not body.given[1])
    return any(angle > _SAME for angle in turned)


def follow_branch(scene_at: Callable[[float], Scene]) -> Branch:
    """Assemble scenes from part 0 to part 1 of a way, each from the configuration of the one before.

    Raises SceneError where the first one cannot be assembled.
    """
    previous = _assembled(scene_at(0.0), None)
    part, step, jump = 0.0, _FIRST, None
    while part < 1.0:
        there = min(1.0, part + step)
        try:
            following = _assembled(scene_at(there), previous)
        except SceneError:
            following = None
        turn, name = (np.inf, "") if following is None else _turn(following, previous)
        if turn > _TURN and step > _LEAST:
            step *= 0.5
            continue
        if following is None:
            return Branch(None, jump, part)
        if turn > _TURN and jump is None:
            jump = there, name, turn
        previous, part = following, there
        step = min(_FIRST, 2.0 * step) if turn < 0.4 * _TURN else step
    return Branch(previous, jump)


def _assembled(scene: Scene, near: Assembly | None) -> Assembly:
    assembly = Assembly(scene, scene.formulation == "newton-euler", None if near is None else near.bodies)
    _ = assembly.bodies  # raises what is wrong with it
    return assembly


def _turn(one: Assembly, other: Assembly) -> tuple[float, str]:
    """The largest rotation of a body between two assemblies that is not given, and its name."""
    angles = {body.name: angle_of(body.rotation.T @ other.bodies[body.name].rotation) for body in one.rows.bodies
              if body.rotates and not body.given[1] and body.name in other.bodies}
    name = max(angles, key=lambda own: angles[own], default="")
    return (angles[name], name) if name else (0.0, "")


def same_way(one: Assembly, other: Assembly) -> bool:
    """Are all bodies of two assemblies of a scene in the same configuration?"""
    size = one.rows.size()
    return _turn(one, other)[0] <= _SAME and all(
        body.position is not None and (there := other.bodies[body.name].position) is not None
        and float(np.abs(body.position - there).max()) <= _SAME * size for body in one.rows.bodies)


def starting_as(scene: Scene, assembly: Assembly) -> Scene:
    """A scene that starts in the configuration of its assembly: values that it does not give are guessed there."""
    scene = assembly_of(scene).scene
    starts = dict(scene.start)
    for body in assembly.rows.bodies:
        given, found = starts.get(body.name, Start()), start_of(body, assembly.dimension)
        key = "angle" if assembly.dimension == 2 else "orientation"
        keys = [own for own, held in (("position", body.given[0]), (key, body.given[1]))
                if not held and getattr(found, own) is not None]
        starts[body.name] = given.model_copy(update={
            **{own: getattr(found, own) for own in keys}, "guess": tuple(dict.fromkeys([*given.guess, *keys]))})
    return scene.model_copy(update={"start": starts, "constraint": with_body_axes(
        scene, lambda name: assembly.bodies[name].rotation)})
