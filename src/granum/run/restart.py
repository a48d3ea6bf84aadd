"""Starting from a frame of an earlier run: its positions, orientations, velocities and contacts, matched by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from granum.assembly.axes import (
    carries_axis,
    directions,
    first_and_second,
    fixed_in_bodies,
    in_body_axes,
    start_rotation,
)
from granum.assembly.parametrised import parametrised_bodies
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Flags, Floats
from granum.base.rotations import half_angle
from granum.grains.aggregates.bonds import LEFT
from granum.grains.aggregates.regrouping import to_body_axes
from granum.grains.generation.finder import held_bodies, needs_bodies
from granum.grains.generation.restart import EarlierBodies, EarlierGrains, ExactMasses
from granum.grains.orientation import product
from granum.grains.search.history import FX, WIDTH, History
from granum.grains.state import FIRST, SECOND, Grains
from granum.io.runfile import Arrays
from granum.model.body_entries import FixedPoint, Rigid, parametrisation_of
from granum.model.connections import Glue, Hinge, Slider
from granum.model.loads import Spring, TorsionSpring
from granum.model.scene import Scene
from granum.model.start import RunFrame, Start
from granum.run.axes import carried_axis
from granum.run.grain_records import restored_bodies, restored_grains, restored_held, restored_histories
from granum.run.result import Run, open_run
from granum.state.table import DOUBLE_TURNS, IM, KM, PLACEMENT, SX, WX, R


def begun_from(scene: Scene, run: Run | str | Path, frame: int = -1, given_hold: bool = False) -> Scene:
    """The scene with the state of a frame of an earlier run as its start.

    Args:
        run: the run, or its file.
        frame: its number, from the end if negative.
        given_hold: do values of `[start.NAME]` in the scene replace those of the frame?
    """
    before = open_run(run) if isinstance(run, str | Path) else run
    number = before.frame_number(frame)
    if scene.has_grains != before.has.grains:
        raise SceneError([Problem("start.from", f"the run has {'no ' if scene.has_grains else ''}grains, but the scene "
                                                f"has {'some' if scene.has_grains else 'none'}.",
                                  "Start from a run of a scene of the same kind.")])
    scene = _with_lengths(_with_carried_axes(_with_rests(scene, before, number), before, number, given_hold), before)
    if scene.has_grains:
        known = set(before.groups)
        start = {name: own for name, own in scene.start.items()
                 if given_hold or not ({name, name.rpartition("-")[0]} & known)}
        started = scene.model_copy(update={"start": start, "start_frame": RunFrame(
            file=None if before.path is None else str(before.path), frame=number)})
        started._earlier = before
        return started
    starts = _starts(before, number)
    _refuse_unmatched(scene, starts)
    own = {name: _merged(start, scene.start.get(name, Start()) if given_hold else Start())
           for name, start in starts.items()}
    changed: dict[str, Any] = {"start": {**scene.start, **own}, "start_frame": None}
    if before.has.coordinates:
        changed["system"] = scene.system.model_copy(update={
            "guess": _coordinates(before, number), "start": scene.system.start if given_hold else {}})
    return scene.model_copy(update=changed)


def _with_rests(scene: Scene, run: Run, frame: int) -> Scene:
    """Springs that the run has too keep the rest length or angle which they count from its start."""
    load, problems = dict(scene.load), []
    for name, own in scene.load.items():
        before = run.scene.load.get(name)
        if isinstance(own, Spring) and own.rest_length is None:
            if isinstance(before, Spring) and before.between == own.between:
                rest = before.rest_length if before.rest_length is not None else float(run.spring(name).length[0])
                load[name] = own.model_copy(update={"rest_length": rest})
            else:
                problems.append(Problem(f"load.{name}", "its rest length is omitted and would be measured from the "
                                                        "start, which differs from that of the run.",
                                        "Give rest_length [m]."))
        elif isinstance(own, TorsionSpring) and own.stiffness != 0.0:
            if isinstance(before, TorsionSpring) and before.hinge == own.hinge:
                turned = float(run.spring(name).angle[frame])
                load[name] = own.model_copy(update={"rest_angle": own.rest_angle - turned})
            else:
                problems.append(Problem(f"load.{name}", "the angle of a torsion spring is measured from the start, "
                                                        "which differs from that of the run.",
                                        "Start from a run with this spring, or remove it."))
    if problems:
        raise SceneError(problems)
    return scene.model_copy(update={"load": load})


def _with_carried_axes(scene: Scene, run: Run, frame: int, given_hold: bool) -> Scene:
    """Hinges, sliders and glue that the run has too hold what they held, in the axes of their bodies.

    Others count from the frame, as if it gave the orientations. So do second axes and relative rotations among grains,
    where bodies stay as they are in the frame, with the errors of their joints.
    """
    constraint: dict[str, Any] = dict(scene.constraint)

    def rotation(body: str) -> Floats:
        given = scene.start.get(body, Start()) if given_hold else Start()
        if given.holds("angle") or given.holds("orientation"):
            return start_rotation(given)
        return _orientation(run, body, frame)

    for name, entry in scene.constraint.items():
        if not isinstance(entry, Glue | Hinge | Slider):
            continue
        before, (one, two), axis = run.scene.constraint.get(name), first_and_second(entry), None
        if isinstance(before, Glue | Hinge | Slider) and before.between == entry.between:
            R1, R2 = _orientation(run, one, 0), _orientation(run, two, 0)
            if isinstance(before, Hinge | Slider) and carries_axis(entry, scene):
                axis = carried_axis(run, before)
        elif all(run.body_names.find(end) is not None or isinstance(scene.body.get(end), FixedPoint)
                 for end in (one, two)):
            R1, R2 = rotation(one), rotation(two)
            if carries_axis(entry, scene):
                axis = directions(entry, rotation)[0]
        else:
            continue
        if not scene.has_grains:
            constraint[name] = fixed_in_bodies(entry, axis, R1, R2, scene.dimension)
        elif axis is not None:
            constraint[name] = in_body_axes(entry, axis)
    return scene.model_copy(update={"constraint": constraint})


def _orientation(run: Run, body: str, frame: int) -> Floats:
    """Orientation of a body in a frame; points and fixed points have none."""
    tracked = run.body_names.find(body) is not None and run.has_orientation(body)
    return run.rotation(body)[frame] if tracked else np.eye(3)


def _with_lengths(scene: Scene, run: Run) -> Scene:
    """Links whose length is the distance at the start keep that of the run, which they had to its error."""
    known = run.metadata.get("link_lengths", {})
    return scene.model_copy(update={"link": {
        name: link.model_copy(update={"length": known[name]})
        if link.length is None and name in known and run.scene.link[name].between == link.between else link
        for name, link in scene.link.items()}})


def _coordinates(run: Run, frame: int) -> dict[str, float]:
    """Coordinates and rates of a system of formulas, by name; of chosen ones those that belong to no body."""
    names = list(run.metadata["coordinates"])
    if "oriented" in run.metadata:
        return {f"{name}{rate}": float(values[frame]) for name in run.scene.system.coordinates for rate, values in (
            ("", run.coordinate(name)), ("_dot", run.rate(name)))}
    return {**dict(zip(names, run.coordinates[frame].tolist(), strict=True)),
            **{f"{name}_dot": value for name, value in zip(names, run.rates[frame].tolist(), strict=True)}}


def _starts(run: Run, frame: int) -> dict[str, Start]:
    """Where each movable body is in a frame, its orientation and velocities; all as guesses: errors add up in a run."""
    fixed, starts, derived = run._tracks.fixed, {}, {*run.scene.system.points, *parametrised_bodies(run.scene)}
    for k, name in enumerate(run.body_names):
        if fixed[k] or name in derived:
            continue  # these follow from the coordinates of the system
        values: dict[str, Any] = {"position": tuple(run.positions[frame, k].tolist()),
                                  "velocity": tuple(run.velocities[frame, k].tolist())}
        if isinstance(run.scene.body.get(name), Rigid):
            values |= _rotation(run, name, frame)
        if f"{name.replace('-', '_')}.contact.x" in run.metadata.get("coordinates", ()):
            del values["velocity"]  # of a body that rolls it is another one; the rates of the coordinates tell it
        starts[name] = Start(**values | {"guess": tuple(values)})
    return starts


def _rotation(run: Run, name: str, frame: int) -> dict[str, Any]:
    """Orientation and angular velocity of a rigid body in a frame."""
    w = run.value("angular_velocity", name, frame)
    if run.dimension == 2:
        return {"angle": float(run.angle(name)[frame]), "angular_velocity": (0.0, 0.0, float(w[0]))}
    u = run.value("orientation", name, frame)
    return {"orientation": tuple((u / np.linalg.norm(u)).tolist()), "angular_velocity": tuple(w.tolist())}


def _merged(then: Start, given: Start) -> Start:
    """The start of a frame, with values that the scene gives instead of it."""
    own = {key: getattr(given, key) for key in given.model_fields_set if key != "guess"}
    if "angle" in own or "orientation" in own:
        own = {"angle": None, "orientation": None, **own}
    guess = {*then.guess, *given.guess} - {key for key in own if key not in given.guess}
    return then.model_copy(update={**own, "guess": tuple(key for key in then.guess + given.guess if key in guess)})


def _refuse_unmatched(scene: Scene, starts: dict[str, Start]) -> None:
    """Bodies of the run that the scene does not have, and bodies of the scene that are nowhere."""
    if scene.pattern:  # names of pattern bodies are computed; those that are not known are refused with the starts
        return
    problems = [Problem("start.from", f'the run has a body "{name}", which this scene does not have.',
                        f"Add a body of this name; known: {', '.join(scene.body) or 'none'}.")
                for name in starts if name not in scene.body]
    problems += [Problem(f"body.{name}", "is not in the run that the scene starts from, and has no start of its own.",
                         f"Add [start.{name}] with position = [...].")
                 for name, body in scene.body.items()
                 if not isinstance(body, FixedPoint) and parametrisation_of(body) is None and name not in starts
                 and name not in scene.start]
    if problems:
        raise SceneError(problems)


def earlier_grains(scene: Scene) -> EarlierGrains | None:
    """Grains of the frame that a scene starts from, with what contacts remember if the run has kept it."""
    if scene.start_frame is None:
        return None
    run = scene._earlier
    if run is None:
        if scene.start_frame.file is None:
            raise SceneError([Problem("start.from", "the scene starts from a run that was never written to a file.",
                                      "Write it with output = ..., and start from that file.")])
        run = open_run(scene.start_frame.file)
    frame = run.frame_number(scene.start_frame.frame)
    grains = _kept(run, frame, scene) or _recorded(run, frame, scene)
    grains.given = scene.start
    if grains.bodies is not None:
        grains.homes = _homes(run, scene)
        grains.keeps_joints = held_bodies(scene).isdisjoint(scene.start) and _has_joints_of(
            _with_lengths(run.scene, run), scene)
    return grains


MATERIAL = ("body", "pattern", "source", "material", "pair", "shape", "bond")
"""Sections of a scene that say what its grains are."""


def _has_joints_of(before: Scene, now: Scene) -> bool:
    """Has one scene all joints of the other? Axes are carried along by bodies."""
    def bare(entry: Any) -> Any:
        return (entry.model_copy(update={"axis": None, "axis_in": "scene"}) if isinstance(entry, Hinge | Slider)
                else entry)

    return all(name in old and bare(entry) == bare(old[name])
               for old, new in ((before.link, now.link), (before.constraint, now.constraint))
               for name, entry in new.items())


def _homes(run: Run, scene: Scene) -> dict[str, Floats]:
    """Poses of bodies for which boundaries that belong to them are described, where the run has the same ones."""
    arrays, known = run._recording.arrays, run.metadata.get("homes", {})
    homes = {}
    for name, boundary in scene.boundary.items():
        if boundary.body is None or run.scene.boundary.get(name) != boundary:
            continue
        row = int(np.flatnonzero(np.array(arrays["body_group"][0, : int(arrays["body_count"][0])]) ==
                                 run.metadata["grains"].index(boundary.body))[0])
        first = np.zeros(7)
        first[: arrays["body_position"].shape[2]] = arrays["body_position"][0, row]
        first[3:] = arrays["body_orientation"][0, row]
        homes[name] = np.array(known[name]) if name in known else first
    return homes


def _kept(run: Run, frame: int, scene: Scene) -> EarlierGrains | None:
    """The last two frames have a checkpoint: exact, and with contacts, where solver and boundaries are the same."""
    recording = run._recording
    if not recording.has_checkpoint(frame) or "checkpoint/count" not in recording.layout:
        return None
    arrays, slot = recording.at(frame), frame % 2
    last, (pairs, walls) = restored_grains(arrays, run.t[frame], slot), restored_histories(arrays, slot)
    number, x, v = last.number, last.x, last.v
    group: Any = last.group
    parts = run.has.parts
    alike = all(getattr(run.scene, name) == getattr(scene, name) for name in MATERIAL) and (
        run.scene.run.merge_clusters == scene.run.merge_clusters)
    same = run.scene.solver == scene.solver and parts == needs_bodies(scene)
    grains = EarlierGrains(
        list(run.metadata["grains"]), group, number, x, v[:, :IM], v[:, SX:KM] / x[:, R:],
        last.local_orientation, pairs if same else None,
        walls if same and run.scene.boundary == scene.boundary else None,
        bodies=_kept_bodies(arrays, slot, last, alike) if parts else None, order=number.copy(),
        step=float(arrays["checkpoint/next_step"][slot]) if same else 0.0)
    if "checkpoint/held_count" in arrays:
        grains.held = restored_held(arrays, slot)
    if run.scene.bond:
        broke, mean = (np.array(arrays[f"checkpoint/bond_{name}"][slot]) for name in ("broke", "mean"))
        _take_bonds(grains, run, np.isinf(broke), mean)
    before = _with_lengths(run.scene, run)
    if grains.walls is not None and alike and not scene.start and run.scene.load == scene.load and (
            _has_joints_of(before, scene) and _has_joints_of(scene, before)):
        grains.skin = float(arrays["checkpoint/skin"][slot])
        grains.checkpoint = np.array(arrays["checkpoint/totals"][slot])
    return grains


def _kept_bodies(arrays: Arrays, slot: int, parts: Grains, alike: bool) -> EarlierBodies:
    """Bodies of a checkpoint; with their masses to the last digit where both scenes say the same about them."""
    own, n = restored_bodies(arrays, slot), parts.count
    group: Any = own.group
    pose, motion, masses = own.pose, own.motion, parts.v[np.argsort(parts.number, kind="stable")][:, [IM, KM]]
    return EarlierBodies(
        own.number, group, pose[:, PLACEMENT], motion[:, :IM], motion[:, WX:KM], motion[:, DOUBLE_TURNS],
        np.array(arrays["checkpoint/part_body"][slot, :n], np.int64), np.array(arrays["checkpoint/arm"][slot, :n]),
        ExactMasses(motion[:, IM], pose[:, R], own.inertia, masses) if alike else None)


def _take_bonds(grains: EarlierGrains, run: Run, whole: Flags, mean: Floats) -> None:
    """Bonds that hold and whose grains are there."""
    pair = np.array(run._recording.arrays["log/bond_pair"])
    at = np.minimum(np.searchsorted(grains.number, pair), len(grains.number) - 1)
    there = whole & (grains.number[at] == pair).all(axis=1)
    group = grains.group[at[:, FIRST]]
    for bond in run.scene.bond.values():
        own = there & (group == grains.groups.index(bond.among))
        grains.bonds[bond.among] = pair[own], mean[own]


def _recorded(run: Run, frame: int, scene: Scene) -> EarlierGrains:
    """Any other frame, as it is recorded."""
    arrays = run._recording.arrays
    n = int(arrays["grain_count"][frame])
    orientation = np.array(arrays["orientation"][frame, :n], dtype=float)
    if orientation.shape[1] == 4:
        orientation /= np.linalg.norm(orientation, axis=1, keepdims=True)
    x = np.column_stack([_three(arrays, "position", frame, n), np.array(arrays["radius"][frame, :n], dtype=float)])
    bodies = _recorded_bodies(arrays, frame, x) if run.has.parts else None
    if bodies is not None:
        own = bodies.of_part
        orientation = orientation - bodies.angle[own, None] if orientation.shape[1] == 1 else product(
            bodies.pose[own, 3:] * np.array([1.0, -1.0, -1.0, -1.0]), orientation)
    grains = EarlierGrains(
        list(run.metadata["grains"]), np.array(arrays["group"][frame, :n]), np.array(arrays["number"][frame, :n]), x,
        _three(arrays, "velocity", frame, n), _three(arrays, "angular_velocity", frame, n), orientation, bodies=bodies)
    if run.scene.bond:
        broke = np.array(arrays["log/bond_broke"])
        whole = (broke > float(arrays["time"][frame])) | (broke == LEFT)
        _take_bonds(grains, run, whole, np.zeros((len(broke), 6)))
        _refuse_averages(scene, grains)
    # reactions of joints are not remembered, and would not fit
    if run.has.contacts and not run.has.parts and run.scene.solver == scene.solver == "moreau":
        grains.step = float(run.statistics["largest_step"][frame]) or float(run.metadata["step"]["step"])
        grains.pairs, walls = _remembered(run, frame, grains.step)
        grains.walls = walls if run.scene.boundary == scene.boundary else None
    return grains


def _remembered(run: Run, frame: int, step: float) -> tuple[History, History]:
    """What contacts of `moreau` remember, from the forces of a frame: impulses of a step, to the digits of the record.

    How friction shares a load between walls and floor is not decided by equilibrium: a bed that begins without these
    impulses finds others.
    """
    shown = run.frame(frame)
    pair, number = shown.pair.astype(np.int64), np.array(run.recorded("number", frame))
    slots = np.zeros((len(pair), WIDTH))
    slots[:, FX : FX + shown.force.shape[1]] = step * shown.force
    grain = pair[:, SECOND] >= 0
    one, two = number[pair[:, FIRST]], number[pair[:, SECOND]]
    # impulses act on the second, and the one with the lower number is the first
    slots[grain & (one > two)] *= -1.0
    return (History.restored(np.column_stack([np.minimum(one, two), np.maximum(one, two)])[grain], slots[grain]),
            History.restored(np.column_stack([one, -1 - pair[:, SECOND]])[~grain], slots[~grain]))


def _refuse_averages(scene: Scene, grains: EarlierGrains) -> None:
    """Bonds that break by a mean over time need that mean, which is in the last two frames only."""
    problems = [Problem(f"bond.{name}.duration", "this bond averages its load over time, which a run records for its "
                                                 "last two frames "
                                                 "only.", "Start from one of these, or remove duration.")
                for name, bond in scene.bond.items() if bond.duration and bond.among in grains.bonds]
    if problems:
        raise SceneError(problems)


def _three(arrays: Arrays, name: str, frame: int, n: int) -> Floats:
    """Vectors of a frame with three components; what is about z only has one."""
    values = np.array(arrays[name][frame, :n], dtype=float)
    full = np.zeros((n, 3))
    full[:, 3 - values.shape[1] if values.shape[1] == 1 else 0 :][:, : values.shape[1]] = values
    return full


def _recorded_bodies(arrays: Arrays, frame: int, x: Floats) -> EarlierBodies:
    """Bodies of a frame, in the order of their numbers; where parts are in them follows from where both are."""
    m = int(arrays["body_count"][frame])
    number, quaternion = np.array(arrays["body_number"][frame, :m]), np.array(arrays["body_orientation"][frame, :m])
    centre = _three(arrays, "body_position", frame, m)
    half = 0.5 * np.array(arrays["body_angle"][frame, :m]) if "body_angle" in arrays else np.zeros(m)
    turns = np.rint((half - half_angle(quaternion)) / (2.0 * np.pi))
    of_part = np.searchsorted(number, np.array(arrays["part_of"][frame, : len(x)]))
    return EarlierBodies(
        number, np.array(arrays["body_group"][frame, :m]), np.column_stack([centre, quaternion]),
        _three(arrays, "body_velocity", frame, m), _three(arrays, "body_angular_velocity", frame, m),
        turns if "body_angle" in arrays else np.zeros(m), of_part,
        to_body_axes(quaternion[of_part], x[:, :3] - centre[of_part]))
