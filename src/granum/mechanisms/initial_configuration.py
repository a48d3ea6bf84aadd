"""The initial configuration of a scene, computed once for all formulations: every body's start written out."""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import SceneError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism, build, build_geometry
from granum.mechanisms.loops import axis_now
from granum.mechanisms.nearest import configured
from granum.mechanisms.start import consistent_start, fit_positions
from granum.model.connections import Hinge, Slider
from granum.model.scene import Scene
from granum.model.start import Start

ALL = ("position", "angle", "orientation", "velocity", "angular_velocity")
UNPLACED = "has no start position"


def built_at_start(scene: Scene) -> tuple[Mechanism, Floats]:
    """The mechanism of a scene in its initial configuration, and its state there.

    Axes, lengths and rest lengths that count from the start are those of this configuration.
    """
    mechanism = build(scene)
    y = consistent_start(mechanism)
    if (_coordinates(mechanism, y) == _coordinates(mechanism, mechanism.y)).all():
        return mechanism, y
    mechanism = build(_with_start(mechanism.scene, mechanism, y))
    return mechanism, consistent_start(mechanism)


def assembled(scene: Scene) -> Scene:
    """The scene with the start of all its bodies written out; raises SceneError where the start contradicts joints.

    A scene that also has massless points, curved surfaces or formulas has its bodies and joints assembled, and what was
    not given of them is a guess: the other constraints may still move it.
    """
    if not scene.body and not scene.pattern:
        return scene
    try:
        mechanism = build_geometry(scene)
    except SceneError as error:
        if unplaced := [problem for problem in error.problems if problem.finding.startswith(UNPLACED)]:
            raise SceneError(unplaced) from None
        return scene  # what is wrong with bodies and joints is said where the equations are built
    found = _with_start(mechanism.scene, mechanism, consistent_start(mechanism))
    start = {name: found.start.get(name, given) for name, given in {**found.start, **scene.start}.items()}
    if not scene.has_joints and scene.has_formulas:
        start = {name: _as_guess(scene.start.get(name, Start()), entry) for name, entry in start.items()}
    return scene.model_copy(update={
        "start": start, "constraint": {**scene.constraint, **found.constraint}}) if not scene.pattern else (
        found.model_copy(update={"load": scene.load, "start": start,
                                 "constraint": {**scene.constraint, **found.constraint}, "system": scene.system}))


def configuration(scene: Scene) -> dict[str, Start]:
    """Positions and orientations of the bodies of a scene; none where its bodies or joints are wrong in themselves."""
    try:
        mechanism = build_geometry(scene)
    except SceneError:
        return {}  # it is said where the scene is compiled
    y = mechanism.y.copy()
    fit_positions(mechanism, y)
    configured(mechanism, y)
    return {place.name: _start_of(mechanism, y, place.index) for place in mechanism.places}


def _as_guess(given: Start, found: Start) -> Start:
    """What was found, with all that was not given as a guess."""
    keys = tuple(key for key in ALL if getattr(found, key) is not None and not given.holds(key))
    return found.model_copy(update={"guess": keys, "contact": given.contact, "spin": given.spin})


def _coordinates(mechanism: Mechanism, y: Floats) -> Floats:
    """Positions and orientations of a state."""
    n = len(mechanism.places)
    own: Floats = y[: n * mechanism.stride].reshape(n, mechanism.stride)[:, : 3 if mechanism.dimension == 2 else 7]
    return own


def _with_start(scene: Scene, mechanism: Mechanism, y: Floats) -> Scene:
    """The scene with the start of a state written out; angles that were not given lie within ±π."""
    configured(mechanism, y)
    start, constraint = dict(scene.start), dict(scene.constraint)
    for place in mechanism.places:
        start[place.name] = _start_of(mechanism, y, place.index)
    for joint in mechanism.joints:
        entry = constraint.get(joint.name)
        if isinstance(entry, Hinge | Slider) and entry.axis is not None and joint.kind == entry.kind:
            axis = axis_now(mechanism, joint)[: len(entry.axis)]
            if joint.axis is None or not np.array_equal(axis, joint.axis[: len(axis)]):
                constraint[joint.name] = entry.model_copy(update={"axis": tuple(axis.tolist())})
    return scene.model_copy(update={"start": start, "constraint": constraint})


def _start_of(mechanism: Mechanism, y: Floats, index: int) -> Start:
    place, d = mechanism.places[index], mechanism.dimension
    own = y[index * mechanism.stride : (index + 1) * mechanism.stride]
    bodies = mechanism.model.tables.bodies[index]
    motion = {"position": tuple(own[:d].tolist()), "velocity": tuple(bodies[tables.V : tables.V + d].tolist())}
    if not place.turns:
        return Start(**motion)
    held = bool(mechanism.held[index, 1])
    turned = {"angle": float(own[2]) if held else math.remainder(float(own[2]), 2.0 * math.pi)} if d == 2 else {
        "orientation": tuple(own[3:7].tolist())}
    return Start(**motion, **turned, angular_velocity=tuple(bodies[tables.W : tables.W + 3].tolist()))
