"""Where bodies among grains begin that have no position: where their joints hold them."""

from __future__ import annotations

from typing import Any

from granum.assembly.assembler import Assembler
from granum.assembly.assembly import configuration
from granum.assembly.axes import refuse_guessed_axis, with_body_axes
from granum.assembly.bodies import make_body
from granum.base.errors import GranumError, Problem, SceneError
from granum.model.bodies import FixedPoint, PointMass, Rigid
from granum.model.clumps import Clump
from granum.model.connections import Slider
from granum.model.scene import Scene
from granum.model.start import Start


def with_configuration(scene: Scene, dimension: int) -> Scene:
    """The scene with positions and orientations of bodies that have none, where joints hold them and loops close."""
    known = {name: body for name, body in scene.body.items() if isinstance(body, Rigid | PointMass | FixedPoint)}
    key = "angle" if dimension == 2 else "orientation"
    missing = [name for name, body in known.items() if not isinstance(body, FixedPoint) and not (
        scene.start.get(name, Start()).holds("position") and scene.start.get(name, Start()).holds(key))]
    if not missing:
        return scene
    _refuse_guessed_axes(scene)
    assembled = configuration(_joined_bodies(scene, known, dimension))
    start = dict(scene.start)
    for name in missing:
        if name in assembled:
            given = start.get(name, Start())
            start[name] = given.model_copy(update={
                "guess": tuple(other for other in given.guess if other not in ("position", key)),
                **{own: getattr(assembled[name], own) for own in ("position", key) if not given.holds(own)}})
    return scene.model_copy(update={"start": start, "constraint": with_body_axes(scene)})


def _refuse_guessed_axes(scene: Scene) -> None:
    """Refuse sliders whose axes would depend on guesses, before bodies are placed by them."""
    problems = []
    for name, entry in scene.constraint.items():
        if isinstance(entry, Slider):
            try:
                refuse_guessed_axis(scene, entry)
            except GranumError as error:
                problems.append(Problem(f"constraint.{name}", str(error)))
    if problems:
        raise SceneError(problems)


def _joined_bodies(scene: Scene, known: dict[str, Any], dimension: int) -> Assembler:
    """The bodies of a scene that joints hold, without grains; masses that follow from materials are one."""
    held = {end.partition(".")[0] for entry in (*scene.constraint.values(), *scene.link.values())
            for end in getattr(entry, "between", ())}
    bodies = {}
    for name, entry in known.items():
        if name in held and not isinstance(entry, FixedPoint):
            weighed = entry.model_copy(update={"mass": 1.0}) if _unweighed(entry) else entry
            bodies[name], _ = make_body(name, weighed, scene.start.get(name) or Start(), dimension)
            bodies[name].index = len(bodies) - 1
    return Assembler(scene, bodies, known_only=True)


def _unweighed(body: Any) -> bool:
    """Does its mass follow from its material?"""
    parts = isinstance(body, Clump) and any(part.mass or part.density for part in body.parts)
    return getattr(body, "mass", 0.0) is None and getattr(body, "density", 0.0) is None and not parts
