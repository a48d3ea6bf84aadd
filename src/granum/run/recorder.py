"""The recorder: frames of a run into arrays, each complete before it is counted."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.errors import RunFileError
from granum.base.kernels import Floats
from granum.integrate import StepStatistics
from granum.io.runfile import Recording, create_run_file, in_memory, open_run_file
from granum.model.scene import Scene
from granum.run.subject import Layout, Subject


def frame_times(until: float, interval: float) -> Floats:
    """Times of the frames: multiples of the interval, and the end."""
    count = int(np.ceil(until / interval * (1.0 - 1e-12)))
    times = interval * np.arange(count + 1, dtype=float)
    times[-1] = until
    return times


def layout(subject: Subject, frames: int) -> Layout:
    """Shapes of all arrays of a run, in SI units."""
    return {
        "time": ((frames,), "f8"),
        **subject.layout(frames),
        "statistics": ((frames, len(StepStatistics.names())), "f8"),
        # what a resumed run needs beyond the frame itself; two slots in turn, so that one is always whole
        "checkpoint/next_step": ((2,), "f8"),
        "event": ((2,), "f8"),
        "frames_done": ((1,), "i8"),
    }


def metadata(subject: Subject, scene_text: str) -> dict[str, Any]:
    """All that is needed to know what a run is and to do it again."""
    packages = ("granum", "numpy", "scipy", "numba", "h5py")
    return {
        "title": subject.scene.title,
        "scene": json.loads(subject.scene.model_dump_json(by_alias=True)),
        "scene_text": scene_text,
        "seed": subject.scene.run.seed,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "statistics_columns": StepStatistics.names(),
        **subject.description(),
    }


class Recorder:
    """Writes frames of one run and reads the last one back."""

    def __init__(self, recording: Recording, subject: Subject) -> None:
        self.recording, self.subject = recording, subject

    def write(self, frame: int, statistics: StepStatistics) -> None:
        """Write a frame and then count it."""
        arrays, slot = self.recording.arrays, frame % 2
        content = self.subject.frame()
        arrays["time"][frame] = self.subject.time
        for name, value in content.items():
            if len(arrays[name]):  # a network of contacts that is too large has no frames
                arrays[name][frame] = value
        arrays["statistics"][frame] = [getattr(statistics, name) for name in StepStatistics.names()]
        for name, value in self.subject.checkpoint().items():
            arrays[name][slot] = value
        arrays["checkpoint/next_step"][slot] = self.subject.next_step
        for name, value in self.subject.log().items():
            arrays[name][:] = value
        if (ended := self.subject.ended()) is not None:
            arrays["event"][:] = ended[0] + 1.0, ended[1]
        self.recording.frames_done = frame + 1

    def restore(self) -> None:
        """Restore the state of the last complete frame, bit by bit, and the step to try next."""
        frame = self.recording.frames_done - 1
        self.subject.restore(self.recording.arrays, frame, frame % 2)
        self.subject.next_step = float(self.recording.arrays["checkpoint/next_step"][frame % 2])


def start_recording(subject: Subject, scene_text: str, output: Path | None, overwrite: bool) -> Recording:
    """A recording for a new run, in memory or in a file."""
    times = frame_times(subject.scene.run.until, subject.scene.run.frame_interval)
    arrays, description = layout(subject, len(times)), metadata(subject, scene_text)
    if output is None:
        return in_memory(arrays, description)
    if output.exists() and not overwrite:
        _refuse_loss(output)
    return create_run_file(output, arrays, description)


def _refuse_loss(output: Path) -> None:
    """Overwriting a finished run of one's own is fine; anything else would lose something."""
    try:
        earlier = open_run_file(output)
    except RunFileError:
        raise RunFileError(f"{output} exists and is not a run file. Name another file with -o, or --overwrite.") \
            from None
    if not earlier.finished:
        raise RunFileError(f"{output} holds an unfinished run ({earlier.frames_done} of {earlier.frame_count} frames). "
                           "Continue it with --resume, or start again with --overwrite.")


def resume_recording(subject: Subject, scene_text: str, output: Path) -> Recording:
    """The recording of an unfinished run of the same scene, lengthened if the scene now runs longer."""
    earlier = open_run_file(output, write=True)
    before, now = Scene.model_validate(earlier.metadata["scene"]), metadata(subject, scene_text)["scene"]
    settings, before = before.run, json.loads(before.model_dump_json(by_alias=True))  # keys that are new have defaults
    longer = {**before, "run": {**before["run"], "until": now["run"]["until"]}}
    if now["run"]["interval"] in (None, settings.frame_interval):  # a lengthened run has its interval written out
        longer["run"]["interval"] = now["run"]["interval"]
    if longer != now:
        parts = sorted(key for key in now if now[key] != longer.get(key))
        earlier.close()
        raise RunFileError(f"{output} was made from another scene: they differ in {', '.join(parts)}. "
                           "Start again with --overwrite, or name another file with -o.")
    if missing := sorted(set(layout(subject, 1)) - set(earlier.arrays)):
        earlier.close()
        raise RunFileError(f"{output} was begun with an earlier version of Granum, which did not record "
                           f"{', '.join(missing)}. Start again with --overwrite, or name another file with -o.")
    if subject.scene.run.until < settings.until:
        earlier.close()
        raise RunFileError(f"{output} runs to {settings.until:g} s, and a run is not shortened by resuming it. "
                           "Leave out --until, or name another file with -o.")
    if subject.scene.run.until == settings.until:
        return earlier
    return _lengthen(subject, scene_text, earlier, settings.frame_interval)


def _lengthen(subject: Subject, scene_text: str, old: Recording, interval: float) -> Recording:
    """Copy a run into a longer file, without a last frame that is not on the grid of the longer run.

    The frame before has its checkpoint still: there are two slots for it.
    """
    assert old.path is not None
    times = frame_times(subject.scene.run.until, interval)
    description = metadata(subject, scene_text)
    description["scene"]["run"]["interval"] = interval
    kept = {name: np.array(array) for name, array in old.arrays.items()}
    done = old.frames_done
    if done and kept["time"][done - 1] != times[done - 1]:
        done -= 1
    old.close()
    whole = ("checkpoint/", "log/", "transition", "event")
    content = {name: array if name.startswith(whole) else array[:done] for name, array in kept.items()}
    content["frames_done"] = np.array([done])
    return create_run_file(old.path, layout(subject, len(times)), description, content)
