"""Simulate: from a scene to a run, frame by frame."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from granum.base.compiling import expect, silence
from granum.base.errors import NotConvergedError
from granum.base.text import count
from granum.io.runfile import Recording, RecordingInMemory, RunFileWriter
from granum.io.scenefile import naming
from granum.model.scene import Scene
from granum.run.progress import Moment, Progress, watching
from granum.run.recorder import Recorder, frame_times, resume_recording, start_recording
from granum.run.result import Run
from granum.run.subject import Subject, refuse_entries_of_grains
from granum.run.warnings import Guard

if TYPE_CHECKING:
    from granum.analytic.expressed import System


def simulate(
    scene: Scene | System, *, start: Mapping[str, float] | None = None, output: str | Path | None = None,
    resume: bool = False, overwrite: bool = False, scene_text: str = "", progress: Progress | bool = True,
    threads: int | None = None, **settings: Any,
) -> Run:
    """Run a scene and return the Run.

    Args:
        scene: the scene to run, or a `gr.analytic.System`, which needs a start.
        start: initial coordinates and rates (`x_dot`) of a System; the others follow from its constraints.
        output: run file to write; default: the run stays in memory.
        resume: continue the unfinished run in `output`; bit-identical to an uninterrupted run.
        overwrite: replace an unfinished run in `output`.
        scene_text: the text of the scene file, to be kept in the run; default: the run keeps the scene as JSON.
        progress: a callback for a Moment; True shows a progress bar on a terminal or in a notebook, False nothing.
        threads: threads for scenes with many grains; default: one per processor. Results do not depend on it.
        settings: run settings that replace those of the scene: until, solver, formulation, tolerance, ...

    Ctrl-C stops the run; recorded frames are kept and returned.

    >>> run = gr.simulate(gr.example("pendulum"), until="0.1 s", solver="rattle", progress=False)
    >>> bool(run.energy_error < 1e-3)
    True
    """
    file_of_scene = scene._file if isinstance(scene, Scene) else None
    with silence(progress is False), watching(progress) as watcher, naming(file_of_scene):
        subject = (subject_of(scene.with_run(**settings)) if isinstance(scene, Scene)
                   else _system(scene, start or {}, settings))
        file = None if output is None else Path(output)
        return record(subject, file, resume, overwrite, scene_text, watcher, threads)


def record(subject: Subject, file: Path | None, resume: bool, overwrite: bool, scene_text: str,
           watcher: Progress | None, threads: int | None = None) -> Run:
    """Advance a subject to its end and record it, in a file or in memory; for arguments see `simulate`."""
    text = scene_text or json.dumps(json.loads(subject.scene.model_dump_json(by_alias=True)))
    if resume and file is not None and file.exists():
        recording: RecordingInMemory | RunFileWriter = resume_recording(subject, text, file)
    else:
        recording = start_recording(subject, text, file, overwrite)
    with recording:
        try:
            with use_threads(threads):
                _advance(Recorder(recording, subject), subject, watcher)
        except KeyboardInterrupt:
            pass
        except NotConvergedError as error:
            raise NotConvergedError(f"{error}{subject.explain()}{_kept(recording)}") from None
    return Run(recording.result())


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Let kernels use so many threads meanwhile, at most one for each processor; None leaves it as it is."""
    if count is None:
        yield
        return
    import numba

    from granum.base.kernel_cache import config

    before = numba.get_num_threads()
    numba.set_num_threads(max(1, min(count, config.NUMBA_NUM_THREADS)))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def subject_of(scene: Scene) -> Subject:
    """A scene as something that runs; loads only the engine that it needs."""
    expect(scene.engine)
    if scene.has_grains:
        return _grains(scene)
    refuse_entries_of_grains(scene)
    scene = scene.with_run(formulation=scene.formulation)
    from granum.analytic.derive import by_joints, by_links, from_built, of_links

    if by_joints(scene, scene.run.formulation):
        from granum.run.rigid_bodies import BodySubject

        return BodySubject(scene)
    if by_links(scene, scene.run.formulation):
        from granum.run.linked import LinkedSubject

        return LinkedSubject(of_links(scene), scene)
    from granum.analytic.build import build
    from granum.run.formulas import FormulaSubject

    built = build(scene)
    return FormulaSubject(from_built(built, scene.run.formulation), scene, built)


def _grains(scene: Scene) -> Subject:
    """Grains, by moreau unless the scene says otherwise."""
    from granum.run.grains import GrainSubject

    return GrainSubject(scene.with_run(solver=scene.solver))


def _system(system: System, start: Mapping[str, float], settings: dict[str, Any]) -> Subject:
    """A system of formulas with a start computed from what is given."""
    from granum.analytic.derive import derive
    from granum.analytic.expressed_equations import ExpressedEquations
    from granum.analytic.starts import consistent
    from granum.run.formulas import FormulaSubject, scene_of

    settings.setdefault("formulation", "fundamental")
    equations = derive(system, settings["formulation"], start=consistent(system, start))
    assert isinstance(equations, ExpressedEquations)
    return FormulaSubject(equations, scene_of(system, equations).with_run(**settings))


def _kept(recording: Recording) -> str:
    if recording.path is None:
        return ""
    return f"\n  {recording.frames_done} of {count(recording.frame_count, 'frame')} are kept in {recording.path}."


def _advance(recorder: Recorder, subject: Subject, progress: Progress | None) -> None:
    """All frames that are still missing, unless an event ends the run early."""
    recording = recorder.recording
    recorded = recording.scene.run
    times = frame_times(recorded.until, recorded.frame_interval)
    if recording.frames_done == 0:
        recorder.write(0, subject.no_steps())
    recorder.restore()

    until, run = float(times[-1]), Run(recording)
    guard = Guard(run)

    def watch(t: float) -> None:
        if progress is not None:
            progress(Moment(t, until, run))

    ended = recording.event is not None
    for frame in range(recording.frames_done, len(times)):
        if ended:
            return
        statistics = subject.advance(float(times[frame]), watch)
        guard.check(recorder.write(frame, statistics))
        ended = subject.ended() is not None
