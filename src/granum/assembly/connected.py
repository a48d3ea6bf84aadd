"""Bodies, joints and loads of a scene connected, in their initial configuration."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from granum.assembly.assembler import Assembler, surface_bodies, touches
from granum.assembly.consistent_start import Given, consistent_start
from granum.assembly.initial_bodies import contact_problems, dimension_problems, scene_bodies
from granum.assembly.loops import axis_now
from granum.assembly.parametrised import parametrised_bodies, place_parametrised
from granum.base.errors import GranumError, Problem, SceneError
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.loads.load import BodyLoad
from granum.model.body_entries import MasslessPoint
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows.body import Body
from granum.rows.contact import refuse_unknown
from granum.rows.joint import Connecting, Joint
from granum.rows.system import RowSystem
from granum.state.table import VX, WX, WZ

UNPLACED = "has no start position"


class Connected(NamedTuple):
    """Bodies, joints and loads of a scene, in their initial configuration; see `Assembly`."""

    bodies: dict[str, Body]
    fixed: dict[str, Floats]
    joints: list[Joint]
    loads: list[BodyLoad]
    rows: RowSystem
    y: Floats
    connecting: Connecting
    searched: bool


def assemble(scene: Scene, surfaces: bool, near: Mapping[str, Body] | None = None) -> Connected:
    """Connect the bodies of a scene without patterns.

    surfaces, near: as for `Assembly`.
    """
    if problems := dimension_problems(scene):
        raise SceneError(problems)
    rolling = set() if surfaces else surface_bodies(scene)
    massless = {name for name, body in scene.body.items() if isinstance(body, MasslessPoint)}
    bodies, problems = scene_bodies(scene, massless | rolling | parametrised_bodies(scene))
    problems += place_parametrised(scene, bodies)
    assembler = Assembler(scene, bodies, surfaces=surfaces)
    assembler.problems += problems
    connected = finish(assembler, near=near)
    if problems := contact_problems(scene, rolling):
        raise SceneError(problems)
    return connected


def finish(assembler: Assembler, load_names: Collection[str] | None = None, fitted: bool = False,
           near: Mapping[str, Body] | None = None) -> Connected:
    """Place, connect and load the bodies of an assembler, and compute the initial configuration.

    Args:
        load_names: loads of the scene that act on these bodies; left out, all.
        fitted: do the bodies stay where they are, because joints of an earlier run have left them there?
        near: bodies in a configuration from which the loops are closed; left out, that of the start.
    """
    place_bodies(assembler)
    assembler.raise_problems()
    assembler.connect()
    loads = assembler.loads(load_names)
    assembler.raise_problems()
    rows, given = assembler.row_system(), Given(assembler.start, assembler.scene.run.project_start)
    y, searched = (rows.start(), False) if fitted else consistent_start(assembler.row_system(one_sided=False), given,
                                                                        near)
    if not np.array_equal(_coordinates(rows, y), _coordinates(rows, rows.start())):
        # axes, lengths and rest lengths that count from the start are those of the initial configuration
        rows.configure(y)
        axes = {joint.name: axis_now(rows, joint) for joint in rows.joints if joint.axis is not None}
        enter_state(rows, y)
        again = Assembler(assembler.scene, assembler.bodies, axes, assembler.surfaces, assembler.known_only,
                          assembler.start, settled=True)
        again.connect()
        loads = again.loads(load_names)
        again.raise_problems()
        assembler, rows = again, again.row_system()
        y, _ = consistent_start(assembler.row_system(one_sided=False), given)
    enter_state(rows, y)
    return Connected(assembler.bodies, assembler.fixed, assembler.joints, loads, rows, y, assembler, searched)


def place_bodies(assembler: Assembler) -> None:
    """Put bodies without a start position where joints of points hold them, from the bodies that have one.

    Joints are gone through in the order of the scene, and again and again as long as they place a body. Of every round
    only those are looked at whose other body has a position by then.
    """
    joints = _point_joints(assembler)
    missing = {body.name for body in assembler.bodies.values() if body.position is None}
    unknown = [[name for end in between if (name := end.partition(".")[0]) in missing] for between in joints]
    of_body: dict[str, list[int]] = {name: [] for name in missing}
    for k, names in enumerate(unknown):
        for name in names:
            of_body[name].append(k)
    ready = [(0, k) for k, names in enumerate(unknown) if len(names) == 1]
    while ready:
        number, k = heappop(ready)
        one, two = (assembler.end(name) for name in joints[k])
        if one.body.name not in missing and two.body.name not in missing:
            continue
        there, new = (one, two) if two.body.name in missing else (two, one)
        new.body.position = there.start - new.reach
        missing.discard(new.body.name)
        for other in of_body[new.body.name]:
            heappush(ready, (number if other > k else number + 1, other))
    if not assembler.problems:  # a joint that is wrong may be why a body has no position
        assembler.problems += [_unplaced(assembler.scene, name) for name in sorted(missing)]


def _unplaced(scene: Scene, name: str) -> Problem:
    """What is missing of a body without a position; one that is placed by its contact has a formulation that cannot."""
    if name in scene.start and scene.start[name].contact is not None and scene.dimension == 2:
        return Problem(f"start.{name}.contact", "contact places bodies on surfaces in 3-D, but the vectors of this "
                       "scene have 2 components.", "Give them 3, or give the position of its mass centre.")
    if name in scene.start and scene.start[name].contact is not None:
        return Problem(f"start.{name}.contact", f"{scene.formulation} does not place bodies by their contact.",
                       "Use fundamental, lagrange, gibbs-appell or virtual-work, or give the position of its mass "
                       "centre.")
    return Problem(f"body.{name}", f"{UNPLACED}, and no joint determines it.",
                   f"Add [start.{name}] with position = [...].")


def _point_joints(assembler: Assembler) -> list[tuple[str, str]]:
    """Ends of constraints whose points coincide or lie on a line; what is wrong with ends is noted."""
    pairs = []
    for name, entry in assembler.scene.constraint.items():
        between = getattr(entry, "between", ())
        if assembler.known_only and not assembler.knows(entry):
            continue
        try:
            ends = [assembler.end(end) for end in between]
            if touches(entry):
                refuse_unknown(entry, assembler)
        except GranumError as error:
            assembler.problems.append(Problem(f"constraint.{name}", str(error)))
            continue
        if between and all(end.body.index >= 0 or end.body.kind == "ground" for end in ends):
            pairs.append(between)
    return pairs


def enter_state(rows: RowSystem, y: Floats) -> None:
    """Write a state into the starts of its bodies, which hold it from then on; angles not given lie within ±π."""
    rows.configure(y)
    d = rows.dimension
    for body in rows.bodies:
        own, motion = rows.own(y, body), rows.tables.bodies.motion[body.index]
        body.position, body.velocity = three(own[:d]), three(motion[VX : VX + d])
        body.angular_velocity = motion[WX : WZ + 1].copy()
        if body.rotates and d == 2:
            body.angle = float(own[2]) if body.held[1] else math.remainder(float(own[2]), 2.0 * math.pi)
        elif body.rotates:
            body.quaternion = tuple(own[3:7].tolist())
        body.held = True, True, True, True


def start_of(body: Body, dimension: int) -> Start:
    """The start of a body as an entry of a scene."""
    assert body.position is not None
    values: dict[str, Any] = {"position": tuple(body.position[:dimension].tolist()),
                              "velocity": tuple(body.velocity[:dimension].tolist())}
    if body.rotates:
        values |= {"angle": body.angle} if dimension == 2 else {"orientation": body.quaternion}
        values["angular_velocity"] = tuple(body.angular_velocity.tolist())
    return Start(**values)


def _coordinates(rows: RowSystem, y: Floats) -> Floats:
    """Positions and orientations of a state."""
    n = len(rows.bodies)
    return y[: n * rows.stride].reshape(n, rows.stride)[:, : 3 if rows.dimension == 2 else 7]
