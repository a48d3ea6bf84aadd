"""The recorder: frames of a run into arrays, each complete before it is counted."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from granum.analytic import Equations
from granum.analytic.newton_euler import constraint_errors
from granum.base.errors import NotConvergedError, RunFileError
from granum.base.kernels import Floats
from granum.integrate import StepStatistics
from granum.io.runfile import Recording, Shape, create_run_file, in_memory, open_run_file
from granum.model.scene import Scene
from granum.run.ledger import Ledger, columns
from granum.system import State, System


def frame_times(until: float, interval: float) -> Floats:
    """Times of the frames: multiples of the interval, and the end."""
    count = int(np.ceil(until / interval * (1.0 - 1e-12)))
    times = interval * np.arange(count + 1, dtype=float)
    times[-1] = until
    return times


def layout(system: System, frames: int) -> dict[str, tuple[Shape, str]]:
    """Shapes of all arrays of a run, in SI units."""
    bodies, links, dimension = len(system.body_names), system.link_count, system.dimension
    return {
        "time": ((frames,), "f8"),
        "position": ((frames, bodies, dimension), "f8"),
        "velocity": ((frames, bodies, dimension), "f8"),
        "link_force": ((frames, links), "f8"),
        "energy": ((frames, len(columns(system))), "f8"),
        "constraint_error": ((frames, 2), "f8"),
        "statistics": ((frames, len(StepStatistics.names())), "f8"),
        # what a resumed run needs beyond the frame itself; two places in turn, so that one is always whole
        "checkpoint/gamma": ((2, links), "f8"),
        "checkpoint/work": ((2, len(system.loads.stiffness)), "f8"),
        "checkpoint/next_step": ((2,), "f8"),
        "frames_done": ((1,), "i8"),
    }


def metadata(system: System, scene_text: str) -> dict[str, Any]:
    """All that is needed to know what a run is and to do it again."""
    packages = ("granum", "numpy", "scipy", "numba", "h5py")
    return {
        "title": system.scene.title,
        "scene": json.loads(system.scene.model_dump_json(by_alias=True)),
        "scene_text": scene_text,
        "seed": system.scene.run.seed,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "energy_columns": columns(system),
        "statistics_columns": StepStatistics.names(),
        "link_order": "as in the scene: patterns first, then single links",
    }


class Recorder:
    """Writes frames of one run and reads the last one back."""

    def __init__(self, recording: Recording, equations: Equations, start: State) -> None:
        self.recording, self.equations, self.system = recording, equations, equations.system
        self.ledger = Ledger(self.system, start)
        self._errors = np.zeros(2)

    def write(self, frame: int, state: State, statistics: StepStatistics, next_step: float) -> None:
        """Write a frame and then count it; refuses numbers that are not finite."""
        system, arrays = self.system, self.recording.arrays
        self._refuse_nonsense(state)
        constraint_errors(system.links, state.x, state.v, self._errors)
        forces = self.equations.link_forces(*self.equations.from_state(state))
        energy = self.ledger.entry(state)
        if not (np.isfinite(forces).all() and np.isfinite(energy).all()):
            raise NotConvergedError(f"at t = {state.t:g} s link forces or energies are not finite: loads or speeds are "
                                    "too large for a number. Check the masses, stiffnesses and loads of the scene.")
        arrays["time"][frame] = state.t
        arrays["position"][frame] = state.x.T[system.body_rank]
        arrays["velocity"][frame] = state.v.T[system.body_rank]
        arrays["link_force"][frame] = forces[system.link_rank]
        arrays["energy"][frame] = energy
        arrays["constraint_error"][frame] = self._errors
        arrays["statistics"][frame] = [getattr(statistics, name) for name in StepStatistics.names()]
        slot = frame % 2
        arrays["checkpoint/gamma"][slot] = state.gamma
        arrays["checkpoint/work"][slot] = state.work
        arrays["checkpoint/next_step"][slot] = next_step
        self.recording.frames_done = frame + 1

    def read_last(self) -> tuple[State, float]:
        """The state of the last complete frame, to the bit, and the step to try next."""
        system, arrays = self.system, self.recording.arrays
        frame = self.recording.frames_done - 1
        slot = frame % 2
        corrected = arrays["energy"][frame, -3:]
        state = State(
            float(arrays["time"][frame]),
            np.ascontiguousarray(arrays["position"][frame][system.body_order].T),
            np.ascontiguousarray(arrays["velocity"][frame][system.body_order].T),
            np.array(arrays["checkpoint/gamma"][slot]), np.array(arrays["checkpoint/work"][slot]),
            np.array(corrected),
        )
        return state, float(arrays["checkpoint/next_step"][slot])

    def _refuse_nonsense(self, state: State) -> None:
        finite = np.isfinite(state.x).all(axis=0) & np.isfinite(state.v).all(axis=0)
        bad = np.flatnonzero(~finite & ~self.system.fixed)
        if len(bad):
            others = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            raise NotConvergedError(
                f'at t = {state.t:g} s body "{self.system.body_name(int(bad[0]))}"{others} has no finite position or '
                "velocity. The step is too large: try half of it, or dop853."
            )


def start_recording(system: System, scene_text: str, output: Path | None, overwrite: bool) -> Recording:
    """A recording for a new run, in memory or in a file."""
    times = frame_times(system.scene.run.until, system.scene.run.frame_interval)
    plan, about = layout(system, len(times)), metadata(system, scene_text)
    if output is None:
        return in_memory(plan, about)
    if output.exists() and not overwrite:
        _refuse_loss(output)
    return create_run_file(output, plan, about)


def _refuse_loss(output: Path) -> None:
    """Overwriting a finished run of one's own is fine; anything else would lose something."""
    try:
        found = open_run_file(output)
    except RunFileError:
        raise RunFileError(f"{output} exists and is not a run file. Name another file with -o, or --overwrite.") \
            from None
    if not found.finished:
        raise RunFileError(f"{output} holds an unfinished run ({found.frames_done} of {found.frame_count} frames). "
                           "Continue it with --resume, or start again with --overwrite.")


def resume_recording(system: System, scene_text: str, output: Path) -> Recording:
    """The recording of an unfinished run of the same scene, lengthened if the scene now runs longer."""
    found = open_run_file(output, write=True)
    before, now = found.metadata["scene"], metadata(system, scene_text)["scene"]
    settings = Scene.model_validate(before).run
    longer = {**before, "run": {**before["run"], "until": now["run"]["until"]}}
    if now["run"]["interval"] in (None, settings.frame_interval):  # a lengthened run has its interval written out
        longer["run"]["interval"] = now["run"]["interval"]
    if longer != now:
        parts = sorted(key for key in now if now[key] != longer.get(key))
        found.close()
        raise RunFileError(f"{output} was made from another scene: they differ in {', '.join(parts)}. "
                           "Start again with --overwrite, or name another file with -o.")
    if system.scene.run.until < settings.until:
        found.close()
        raise RunFileError(f"{output} runs to {settings.until:g} s, and a run is not shortened by resuming it. "
                           "Leave out --until, or name another file with -o.")
    if system.scene.run.until == settings.until:
        return found
    return _lengthen(system, scene_text, found, settings.frame_interval)


def _lengthen(system: System, scene_text: str, old: Recording, interval: float) -> Recording:
    """Copy a run into a longer file, without a last frame that is not on the grid of the longer run.

    The frame before has its checkpoint still: there are two places for it.
    """
    assert old.path is not None
    times = frame_times(system.scene.run.until, interval)
    about = metadata(system, scene_text)
    about["scene"]["run"]["interval"] = interval
    kept = {name: np.array(array) for name, array in old.arrays.items()}
    done = old.frames_done
    if done and kept["time"][done - 1] != times[done - 1]:
        done -= 1
    old.close()
    content = {name: array if name.startswith("checkpoint/") else array[:done] for name, array in kept.items()}
    content["frames_done"] = np.array([done])
    return create_run_file(old.path, layout(system, len(times)), about, content)
