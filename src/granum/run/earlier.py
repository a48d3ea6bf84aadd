"""Starting from a frame of an earlier run: its positions, orientations, velocities and contacts, matched by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.grains.making.earlier import EarlierGrains
from granum.grains.search.memory import Memory
from granum.mechanisms.equations import turning
from granum.model.bodies import FixedPoint, Rigid
from granum.model.loads import Spring, TorsionSpring
from granum.model.scene import Scene
from granum.model.start import RunFrame, Start
from granum.run.mechanism_result import MechanismRun
from granum.run.result import Run, open_run


def begun_from(scene: Scene, run: Run | str | Path, frame: int = -1, given_hold: bool = False) -> Scene:
    """The scene with the state of a frame of an earlier run as its start.

    Args:
        run: the run, or its file.
        frame: its number, from the end if negative.
        given_hold: do values of `[start.NAME]` in the scene replace those of the frame?
    """
    found = open_run(run) if isinstance(run, str | Path) else run
    number = found.frame_number(frame)
    if scene.has_grains != ("grains" in found.metadata):
        raise SceneError([Problem("start.from", f"the run is {'' if scene.has_grains else 'not '}without grains, and "
                                  f"the scene has {'some' if scene.has_grains else 'none'}.",
                                  "Start from a run of a scene of the same kind.")])
    if scene.has_grains:
        started = scene.model_copy(update={"start_frame": RunFrame(
            file=None if found.path is None else str(found.path), frame=number)})
        started._earlier = found
        return started
    _refuse_counted_from_start(scene)
    starts = _starts(found, number)
    _refuse_unmatched(scene, starts)
    own = {name: _merged(start, scene.start.get(name, Start()) if given_hold else Start())
           for name, start in starts.items()}
    changed: dict[str, Any] = {"start": {**scene.start, **own}, "start_frame": None}
    if found.by_formulas and not isinstance(found, MechanismRun):
        changed["system"] = scene.system.model_copy(update={
            "guess": _coordinates(found, number), "start": scene.system.start if given_hold else {}})
    return scene.model_copy(update=changed)


def _refuse_counted_from_start(scene: Scene) -> None:
    """Springs whose rest counts from the start would forget how far they are stretched."""
    problems = [Problem(f"load.{name}", "its rest length is left out and counts from the start, which is another one "
                        "now.", "Give rest_length [m].")
                for name, load in scene.load.items() if isinstance(load, Spring) and load.rest_length is None]
    problems += [Problem(f"load.{name}", "the angle of a torsion spring counts from the start, which is another one "
                         "now.", "Continue the run itself with resume, or leave the spring out.")
                 for name, load in scene.load.items() if isinstance(load, TorsionSpring)]
    if problems:
        raise SceneError(problems)


def _coordinates(run: Run, frame: int) -> dict[str, float]:
    """Coordinates and rates of a system of formulas, by name."""
    names = list(run.metadata["coordinates"])
    return {**dict(zip(names, run.coordinates[frame].tolist(), strict=True)),
            **{f"{name}_dot": value for name, value in zip(names, run.rates[frame].tolist(), strict=True)}}


def _starts(run: Run, frame: int) -> dict[str, Start]:
    """Where each movable body is in a frame, how it is turned and moves; all as guesses, for errors add up in a run."""
    fixed = {name for name, body in run.scene.body.items() if isinstance(body, FixedPoint)}
    fixed |= set(run.scene.system.points)
    linked = not run.by_formulas and not isinstance(run, MechanismRun)
    starts = {}
    for k, name in enumerate(run.body_names):
        if name in fixed or (linked and run._assembly.fixed[k]):
            continue
        values: dict[str, Any] = {"position": tuple(run.positions[frame, k].tolist()),
                                  "velocity": tuple(run.velocities[frame, k].tolist())}
        if isinstance(run.scene.body.get(name), Rigid):
            values |= _turned(run, name, frame)
        if f"{name.replace('-', '_')}.contact.x" in run.metadata.get("coordinates", ()):
            del values["velocity"]  # of a body that rolls it is another one; the rates of the coordinates tell it
        starts[name] = Start(**values, guess=tuple(values))
    return starts


def _turned(run: Run, name: str, frame: int) -> dict[str, Any]:
    """Orientation and angular velocity of a rigid body in a frame."""
    flat, own = run.positions.shape[2] == 2, name.replace("-", "_")
    if isinstance(run, MechanismRun):
        w = run.angular_velocity(name)[frame]
        return {"angle": float(run.angle(name)[frame]), "angular_velocity": (0.0, 0.0, float(w))} if flat else {
            "orientation": tuple(run.orientation(name)[frame].tolist()), "angular_velocity": tuple(w.tolist())}
    if flat:
        return {"angle": float(run.angle(name)[frame]),
                "angular_velocity": (0.0, 0.0, float(run.rate(f"{own}.angle")[frame]))}
    u = run.orientation(name)[frame]
    w = turning(u, np.array([run.rate(f"{own}.u{k}")[frame] for k in range(4)]))[1]
    return {"orientation": tuple((u / np.linalg.norm(u)).tolist()), "angular_velocity": tuple(w.tolist())}


def _merged(found: Start, given: Start) -> Start:
    """The start of a frame, with values that the scene gives instead of it."""
    own = {key: getattr(given, key) for key in given.model_fields_set if key != "guess"}
    if "angle" in own or "orientation" in own:
        own = {"angle": None, "orientation": None, **own}
    guess = {*found.guess, *given.guess} - {key for key in own if key not in given.guess}
    return found.model_copy(update={**own, "guess": tuple(key for key in found.guess + given.guess if key in guess)})


def _refuse_unmatched(scene: Scene, starts: dict[str, Start]) -> None:
    """Bodies of the run that the scene does not have, and bodies of the scene that are nowhere."""
    if scene.pattern:  # names of pattern bodies are computed; those that are not known are refused with the starts
        return
    problems = [Problem("start.from", f'the run has a body "{name}", which this scene does not have.',
                        f"Give the scene a body of this name; known: {', '.join(scene.body) or 'none'}.")
                for name in starts if name not in scene.body]
    problems += [Problem(f"body.{name}", "is not in the run that the scene starts from, and has no start of its own.",
                         f"Add [start.{name}] with position = [...].")
                 for name, body in scene.body.items()
                 if not isinstance(body, FixedPoint) and name not in starts and name not in scene.start]
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
                                      "Write it with output = ..., and name that file.")])
        run = open_run(scene.start_frame.file)
    frame = run.frame_number(scene.start_frame.frame)
    if "body_count" in run._recording.arrays:
        raise SceneError([Problem("start.from", "the run has clumps, joints or bonds among its grains, and Granum "
                                  "starts only from runs of round grains.", "Continue the run itself with resume.")])
    return _kept(run, frame, scene) or _recorded(run, frame)


def _kept(run: Run, frame: int, scene: Scene) -> EarlierGrains | None:
    """The last two frames have a checkpoint: exact, and with contacts, where solver and boundaries are the same."""
    recording = run._recording
    if frame < recording.frames_done - 2:
        return None
    arrays, slot = recording.arrays, frame % 2
    n, pairs, walls = (int(k) for k in arrays["checkpoint/count"][slot])
    x, v = np.array(arrays["checkpoint/x"][slot, :n]), np.array(arrays["checkpoint/v"][slot, :n])
    owner, kept = arrays["checkpoint/owner"][slot], arrays["checkpoint/kept"][slot]

    def memory(first: int, after: int) -> Memory:
        return Memory(np.array(owner[first:after, 0]), np.array(owner[first:after, 1]), np.array(kept[first:after]))

    same = run.scene.solver == scene.solver
    return EarlierGrains(
        list(run.metadata["grains"]), np.array(arrays["checkpoint/group"][slot, :n]),
        np.array(arrays["checkpoint/number"][slot, :n]), x, v[:, :3], v[:, 4:7] / x[:, 3:],
        np.array(arrays["checkpoint/turned"][slot, :n]), memory(0, pairs) if same else None,
        memory(pairs, pairs + walls) if same and run.scene.boundary == scene.boundary else None)


def _recorded(run: Run, frame: int) -> EarlierGrains:
    """Any other frame, as it is recorded."""
    arrays = run._recording.arrays
    n = int(arrays["grain_count"][frame])

    def three(name: str) -> Floats:
        values = np.array(arrays[name][frame, :n], dtype=float)
        full = np.zeros((n, 3))
        full[:, 3 - values.shape[1] if values.shape[1] == 1 else 0 :][:, : values.shape[1]] = values
        return full

    turned = np.array(arrays["orientation"][frame, :n], dtype=float)
    if turned.shape[1] == 4:
        turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    x = np.column_stack([three("position"), np.array(arrays["radius"][frame, :n], dtype=float)])
    return EarlierGrains(list(run.metadata["grains"]), np.array(arrays["group"][frame, :n]),
                         np.array(arrays["number"][frame, :n]), x, three("velocity"), three("spin"), turned)
