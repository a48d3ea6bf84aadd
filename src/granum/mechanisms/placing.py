"""Start positions: as given, or where joints put a body that has none; one number of components throughout."""

from __future__ import annotations

from collections.abc import Iterator

from granum.base.errors import GranumError, Problem, SceneError
from granum.mechanisms.places import Places
from granum.model.bodies import FixedPoint
from granum.model.connections import BallJoint, Glue, Hinge, Slider
from granum.model.loads import Force, Gravity
from granum.model.scene import Scene
from granum.model.solids import Disk


def _vectors(scene: Scene) -> Iterator[tuple[str, int]]:
    """All vectors of a scene that have as many components as it has dimensions, with their places."""
    for name, body in scene.body.items():
        if isinstance(body, FixedPoint):
            yield f"body.{name}.position", len(body.position)
    for name, start in scene.start.items():
        if start.position is not None:
            yield f"start.{name}.position", len(start.position)
        if start.velocity is not None and start.contact is None:  # of a contact it has two components in 3-D too
            yield f"start.{name}.velocity", len(start.velocity)
    for name, load in scene.load.items():
        if isinstance(load, Gravity):
            yield f"load.{name}.acceleration", len(load.acceleration)
        elif isinstance(load, Force):
            yield f"load.{name}.force", len(load.force)
    for name, entry in scene.constraint.items():
        if isinstance(entry, Slider):
            yield f"constraint.{name}.axis", len(entry.axis)


def dimension_of(scene: Scene) -> int:
    """2 or 3; refuses a scene that mixes both."""
    listed, dimension = list(_vectors(scene)), scene.dimension
    flat = any(isinstance(body, Disk) for body in scene.body.values())
    wrong = [Problem(place, f"has {size} components, but the scene is {dimension}-D.",
                     "Give all vectors of a scene the same number of components.")
             for place, size in listed if size != dimension]
    if flat and dimension == 3:
        wrong += [Problem(f"body.{name}", "is a disk, but the scene is 3-D.",
                          "Give its vectors two components, or take a sphere.")
                  for name, body in scene.body.items() if isinstance(body, Disk)]
    if wrong:
        raise SceneError(wrong)
    return dimension


def place_bodies(scene: Scene, places: Places) -> None:
    """Put bodies without a start position where joints of points hold them, from the bodies that have one."""
    waiting = _sound_joints(scene, places)
    missing = {place.name for place in places.movable if place.position is None}
    while missing:
        left = []
        for entry in waiting:
            known = [end.partition(".")[0] not in missing for end in entry.between]
            if known == [True, True]:
                continue
            if known == [False, False]:
                left.append(entry)
                continue
            one, two = (places.end(name) for name in entry.between)
            there, new = (one, two) if known[0] else (two, one)
            new.place.position = there.start - new.reach
            missing.discard(new.place.name)
        if len(left) == len(waiting):
            break
        waiting = left
    if places.problems:  # a joint that is wrong may be why a body has no place
        return
    places.problems += [Problem(f"body.{name}", "has no start position, and no joint says where it is.",
                                f"Add [start.{name}] with position = [...].") for name in sorted(missing)]


def _sound_joints(scene: Scene, places: Places) -> list[BallJoint | Hinge | Glue | Slider]:
    """Joints of points that are there; what is wrong with others is noted."""
    found = []
    for name, entry in scene.constraint.items():
        if isinstance(entry, BallJoint | Hinge | Glue | Slider):
            try:
                for end in entry.between:
                    places.end(end)
                found.append(entry)
            except GranumError as error:
                places.problems.append(Problem(f"constraint.{name}", str(error)))
    return found
