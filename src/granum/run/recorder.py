"""The recorder: frames of a run into arrays, each complete before it is counted."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.errors import RunFileError, RunFileWarning
from granum.base.kernels import Floats
from granum.base.text import count
from granum.integrate import StepStatistics
from granum.io.runfile import (
    Layout,
    Recording,
    RecordingInMemory,
    RunFileWriter,
    create_run_file,
    open_run_file,
    resume_run_file,
    with_slots,
)
from granum.io.runfile.layout import in_slots
from granum.io.runfile.lock import RunLock
from granum.io.runfile.provenance import difference, provenance, versions
from granum.model.settings import RunSettings
from granum.run.subject import Subject


def frame_times(until: float, interval: float) -> Floats:
    """Times of the frames: multiples of the interval, and the end."""
    count = int(np.ceil(until / interval * (1.0 - 1e-12)))
    times = interval * np.arange(count + 1, dtype=float)
    times[-1] = until
    return times


def layout(subject: Subject, frames: int) -> Layout:
    """Shapes of all arrays of a run, in SI units."""
    return with_slots({
        "time": ((frames,), "f8"),
        **subject.layout(frames),
        "statistics": ((frames, len(StepStatistics.names())), "f8"),
        "checkpoint/next_step": ((2,), "f8"),
        "event": ((frames, 2), "f8"),
    })


def metadata(subject: Subject, scene_text: str) -> dict[str, Any]:
    """All that is needed to know what a run is and to do it again."""
    return {
        "title": subject.scene.title,
        "scene": json.loads(subject.scene.model_dump_json(by_alias=True)),
        "scene_text": scene_text,
        "seed": subject.scene.run.seed,
        "versions": versions(),
        "provenance": provenance(),
        "statistics_columns": StepStatistics.names(),
        **subject.description(),
    }


class Recorder:
    """Writes frames of one run and reads the last one back."""

    def __init__(self, recording: RecordingInMemory | RunFileWriter, subject: Subject) -> None:
        self.recording, self.subject = recording, subject

    def write(self, frame: int, statistics: StepStatistics) -> Floats:
        """Write a frame, with all that follows from it if the run is continued there, and then count it.

        Returns its row of the energy table.
        """
        subject, ended = self.subject, self.subject.ended()
        content = subject.frame()
        self.recording.store(frame, {
            **content, "time": subject.time,
            "statistics": [getattr(statistics, name) for name in StepStatistics.names()],
            "event": [0.0, 0.0] if ended is None else [ended[0] + 1.0, ended[1]],
            **subject.checkpoint(), "checkpoint/next_step": subject.next_step, **subject.log(),
        })
        energies: Floats = np.asarray(content["energy"])
        return energies

    def restore(self) -> None:
        """Restore the state of the last complete frame, bit by bit, and the step to try next."""
        frame = self.recording.frames_done - 1
        arrays = self.recording.at(frame)
        self.subject.restore(arrays, frame, frame % 2)
        self.subject.next_step = float(arrays["checkpoint/next_step"][frame % 2])
        if self.subject.commands:
            self.subject.system.inputs.set(dict(zip(
                self.subject.commands, arrays["command"][frame].tolist(), strict=True)))


def start_recording(subject: Subject, scene_text: str, output: Path | None,
                    overwrite: bool) -> RecordingInMemory | RunFileWriter:
    """A recording for a new run, in memory or in a file."""
    times = frame_times(subject.scene.run.until, subject.scene.run.frame_interval)
    arrays, description = layout(subject, len(times)), metadata(subject, scene_text)
    if output is None:
        return RecordingInMemory(arrays, description)
    return create_run_file(output, arrays, description, _lock_of(output, overwrite))


def _refuse_loss(output: Path) -> None:
    """Overwriting a finished run of one's own is fine; anything else would lose something."""
    try:
        earlier = open_run_file(output)
    except RunFileError:
        raise RunFileError(f"{output} exists and is not a run file. Give another file with -o, or add --overwrite.") \
            from None
    if not earlier.finished:
        raise RunFileError(f"{output} holds an unfinished run ({earlier.frames_done} of "
                           f"{count(earlier.frame_count, 'frame')}). Continue it with --resume, or start again with "
                           "--overwrite.")


def resume_recording(subject: Subject, scene_text: str, output: Path) -> RunFileWriter:
    """The recording of an unfinished run of the same scene, lengthened if the scene now runs longer."""
    earlier = resume_run_file(output)
    try:
        if "engine" in earlier.metadata:
            raise RunFileError(f"{output} was run by {earlier.metadata['engine']}, which writes no checkpoints, so it "
                               "cannot be resumed. Start again with --overwrite, or give another file with -o.")
        settings = _refuse_other_scene(subject, scene_text, earlier)
        if changed := difference(earlier.metadata):
            warnings.warn(f"{output} was started with another version of {', '.join(changed)}: it continues, but the "
                          "result may differ in the last bits from that of an uninterrupted run.", RunFileWarning,
                          stacklevel=3)
        if subject.scene.run.until == settings.until:
            return earlier
        return _lengthen(subject, scene_text, earlier, settings.frame_interval)
    except BaseException:
        earlier.close(failed=True)
        raise


def _refuse_other_scene(subject: Subject, scene_text: str, earlier: RunFileWriter) -> RunSettings:
    """Refuse to continue the run of another scene; the run settings of this one."""
    output, now = earlier.path, metadata(subject, scene_text)["scene"]
    settings = earlier.scene.run
    before = json.loads(earlier.scene.model_dump_json(by_alias=True))  # keys that are new have defaults
    longer = {**before, "run": {**before["run"], "until": now["run"]["until"]}}
    if now["run"]["interval"] in (None, settings.frame_interval):  # a lengthened run has its interval written out
        longer["run"]["interval"] = now["run"]["interval"]
    if longer != now:
        parts = sorted(key for key in now if now[key] != longer.get(key))
        raise RunFileError(f"{output} was made from another scene: they differ in {', '.join(parts)}. Start again with "
                           "--overwrite, or give another file with -o.")
    own = layout(subject, earlier.frame_count)
    if (subject.scene.run.until == settings.until and own != earlier.layout) or set(own) != set(earlier.layout):
        names = sorted(name for name in own | earlier.layout if own.get(name) != earlier.layout.get(name))
        raise RunFileError(f"{output} was started with another version of Granum, which recorded {', '.join(names)} "
                           "differently. Start again with --overwrite, or give another file with -o.")
    if subject.scene.run.until < settings.until:
        raise RunFileError(f"{output} runs to {settings.until:g} s, and resuming cannot shorten a run. Remove --until, "
                           "or give another file with -o.")
    return settings


def _lengthen(subject: Subject, scene_text: str, old: RunFileWriter, interval: float) -> RunFileWriter:
    """Copy a run into a longer file that replaces it, without a last frame that is not on the grid of the longer run.

    The frame before has its checkpoint still: there are two slots for it.
    """
    assert old.path is not None
    times = frame_times(subject.scene.run.until, interval)
    description = metadata(subject, scene_text)
    description["scene"]["run"]["interval"] = interval
    done = old.frames_done
    if done and old.frame("time", done - 1) != times[done - 1]:
        done -= 1
    return create_run_file(old.path, layout(subject, len(times)), description, old.hand_over(), old,
                           range(done))


def ended_early(recording: RecordingInMemory | RunFileWriter, output: Path | None, overwrite: bool) -> Recording:
    """A recording that ends with its last frame, as the finished run of a scene that ends there; in a file if asked.

    One of the first frame alone stays as it is: no scene ends where it begins.
    """
    done, earlier = recording.frames_done, recording.layout
    whole = done == recording.frame_count or recording.event is not None
    in_file = isinstance(recording, RunFileWriter)
    if (whole or done < 2) and (output is None or in_file):
        return recording.result()
    run = recording.scene.run
    description = json.loads(json.dumps(recording.metadata))
    if not whole and done > 1:
        description["scene"]["run"] |= {"until": float(recording.frame("time", done - 1)),
                                        "interval": run.frame_interval}
        description["scene_text"] = json.dumps(description["scene"])
    frames = done if done > 1 and recording.event is None else recording.frame_count
    shorter = {name: ((frames, *shape[1:]), kind) if not in_slots(name) and shape[0] == recording.frame_count
               else (shape, kind) for name, (shape, kind) in earlier.items()}
    lock: RunLock | None
    if isinstance(recording, RunFileWriter):
        assert recording.path is not None
        file, lock = recording.path, recording.hand_over()
    elif output is None:
        recording.cut_room(shorter, description)
        return recording.result()
    else:
        file, lock = output, _lock_of(output, overwrite)
    with create_run_file(file, shorter, description, lock, recording, range(done)) as writer:
        pass
    return writer.result()


def _lock_of(output: Path, overwrite: bool) -> RunLock | None:
    """The lock of a file that is replaced; nothing that would be missed is."""
    if not output.exists():
        return None
    lock = RunLock(output)  # nobody else may finish it, or begin to write it, while it is looked at
    try:
        if not overwrite:
            _refuse_loss(output)
    except BaseException:
        lock.release()
        raise
    return lock
