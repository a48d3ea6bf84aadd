"""Simulate: from a scene to a run, frame by frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from granum.analytic import derive
from granum.analytic.equations import Equations
from granum.analytic.redundancy import find_redundancy
from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.integrate import StepStatistics, make_stepper
from granum.integrate.corrections import CorrectionScratch, correct_positions, correct_velocities
from granum.io.runfile import Recording
from granum.model.scene import Scene
from granum.run.check import start_violations
from granum.run.recorder import Recorder, frame_times, resume_recording, start_recording
from granum.run.result import Run
from granum.system import State, compile_scene

Progress = Callable[[float, float], None]
"""Called with the time reached and the end time [s]."""


def simulate(
    scene: Scene, *, output: str | Path | None = None, resume: bool = False, overwrite: bool = False,
    scene_text: str = "", progress: Progress | None = None, **settings: Any,
) -> Run:
    """Run a scene and return the Run.

    Args:
        scene: what to run.
        output: run file; left out, the run stays in memory.
        resume: continue the unfinished run in `output`, to the same bits as if it had never stopped.
        overwrite: replace an unfinished run in `output`.
        scene_text: the text of the scene file, kept in the run.
        progress: called now and then with the time reached and the end time [s].
        settings: run settings that replace those of the scene: until, solver, formulation, tolerance, ...

    Ctrl-C stops the run; what is done is kept and returned.
    """
    scene = scene.with_run(**settings)
    equations = derive(scene, scene.run.formulation)
    start = consistent_start(equations, scene)
    file = None if output is None else Path(output)
    text = scene_text or json.dumps(json.loads(scene.model_dump_json(by_alias=True)))
    if resume and file is not None and file.exists():
        recording = resume_recording(equations.system, text, file)
    else:
        recording = start_recording(equations.system, text, file, overwrite)
    try:
        _advance(Recorder(recording, equations, start), equations, start, scene, progress)
    except KeyboardInterrupt:
        pass
    except NotConvergedError as error:
        raise NotConvergedError(f"{error}{_suspects(equations, start)}{_kept(recording)}") from None
    finally:
        recording.close()
    return Run(recording)


def _suspects(equations: Equations, start: State) -> str:
    """Redundant links at the start often explain a run that fails: a taut row cannot sag."""
    model, scratch = equations.rectangular
    found = find_redundancy(equations.system, model, scratch, start.x).links
    if not found:
        return ""
    names = ", ".join(equations.system.link_name(link) for link in found[:5])
    return (f"\n  At the start {len(found)} links are redundant ({names}{', ...' if len(found) > 5 else ''}). A row of "
            "links stretched straight between fixed points can neither sag nor be solved: give it slack.")


def _kept(recording: Recording) -> str:
    if recording.path is None:
        return ""
    return f"\n  {recording.frames_done} of {recording.frame_count} frames are kept in {recording.path}."


def _advance(
    recorder: Recorder, equations: Equations, start: State, scene: Scene, progress: Progress | None
) -> None:
    """All frames that are still missing."""
    settings, recording = scene.run, recorder.recording
    recorded = Scene.model_validate(recording.metadata["scene"]).run
    times = frame_times(recorded.until, recorded.frame_interval)
    stepper = make_stepper(equations, start, settings)
    if recording.frames_done == 0:
        recorder.write(0, start, StepStatistics(), stepper.next_step)
    state, stepper.next_step = recorder.read_last()

    def watch(t: float) -> None:
        if progress is not None:
            progress(t, float(times[-1]))

    for frame in range(recording.frames_done, len(times)):
        statistics = stepper.advance(state, float(times[frame]), watch)
        recorder.write(frame, state, statistics, stepper.next_step)


def consistent_start(equations: Equations, scene: Scene) -> State:
    """The start of a scene, projected onto its links where that is wanted; refused where it violates them."""
    system, start = equations.system, compile_scene(scene)[1]
    if scene.run.project_start:
        model, scratch = equations.rectangular
        work = CorrectionScratch(np.zeros(system.link_count), np.zeros(system.link_count))
        correct_positions(model, scratch, work, start.x, 1e-15, False)
        correct_velocities(model, scratch, work, start.x, start.v, 1e-15, False)
    violations = start_violations(system, start)
    if violations:
        raise SceneError([
            Problem(f"link.{v.link}", v.text, "Give a start that fits, leave out the length, or let "
                    "[run] project_start = true find the nearest one.") for v in violations
        ])
    return start
