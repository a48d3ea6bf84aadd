"""Simulation: a scene that runs step by step, read and changed in between."""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from granum.algebra import gradient, symbol
from granum.algebra.expression import evaluate
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats
from granum.base.text import count
from granum.integrate import StepStatistics
from granum.io.runfile import Arrays, RecordingInMemory, RunFileWriter
from granum.io.scenefile import load_scene, naming
from granum.model.actuators import AppliedForces
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.rows.drive import scene_motion, steered
from granum.run.control.handle import APPLIED, Contact, JointState, find, named, number, numbers, three
from granum.run.control.live_system import BodyState
from granum.run.control.quantity import Reading, reading
from granum.run.progress import Moment, Progress
from granum.run.recorder import Recorder, ended_early, frame_times, layout, resume_recording, start_recording
from granum.run.result import Run
from granum.run.subject import Subject, refuse_start, subject_of, subject_of_system
from granum.run.threads import use_threads
from granum.run.warnings import Guard

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.run.control.compiled import CompiledController

SAME = 1e-9
"""Times nearer than this part of the interval between frames are one."""
MOST_CALLS = 1e9
"""Calls of a controller in a run; more take days, and far more never end."""
MOST_ADDED = 100_000_000
"""Grains that may be added to a simulation."""
Method = TypeVar("Method", bound=Callable[..., Any])


def _exclusive(method: Method) -> Method:
    """Let threads that share a simulation take turns: compiled code changes its state without Python's lock."""
    @wraps(method)
    def exclusive(self: Simulation, /, *arguments: Any, **keys: Any) -> Any:
        with self._lock:
            return method(self, *arguments, **keys)

    return cast(Method, exclusive)


@dataclass(frozen=True)
class Snapshot:
    """The whole state of a simulation at one time; `Simulation.restore` goes on from it bit by bit.

    >>> sim = gr.Simulation(gr.example("pendulum"))
    >>> sim.step(0.01); snapshot = sim.snapshot(); snapshot.t
    0.01
    """

    scene: str
    """Digest of the scene it belongs to."""
    t: float
    """[s]"""
    frames: int
    """Frames that were recorded until then."""
    arrays: Arrays
    next_step: float
    inputs: Mapping[str, float]
    applied: Sequence[Floats]
    """Forces that are not among the inputs."""
    statistics: StepStatistics
    """Of the steps since the last frame."""


class Simulation:
    """A scene that runs step by step; `gr.simulate` runs one to its end.

    Between steps everything can be read (`body`, `joint`, `contacts`, `reaction`) and changed (`actuate`, `apply`,
    `set_body`, `add`, `remove`). Frames are recorded at the interval of the scene on the way; `finish` returns the Run.

    Args:
        scene: a scene, the name of a scene file, or a `gr.analytic.System`, which needs a start.
        start: initial coordinates and rates of a System.
        output: run file to write; then the simulation ends where the scene does. By default the run stays in memory
            until `finish`, and may go on as long as it is stepped.
        overwrite: replace an unfinished run in `output`.
        threads: threads for scenes with many grains; results do not depend on it.
        room: grains that may be added while it runs.
        settings: run settings that replace those of the scene: until, solver, formulation, tolerance, ...

    >>> sim = gr.Simulation(gr.example("pendulum"))
    >>> while sim.t < 0.05:
    ...     sim.apply("bob-50", force=(0.5, 0.0))
    ...     sim.step(0.01)
    >>> run = sim.finish()
    >>> bool(run.energy.work["applied"][-1] != 0.0)
    True
    """

    def __init__(
        self, scene: Scene | System | str | Path, *, start: Mapping[str, float] | None = None,
        output: str | Path | None = None, overwrite: bool = False, threads: int | None = None, room: int = 0,
        **settings: Any,
    ) -> None:
        if isinstance(scene, str | Path):
            scene = load_scene(scene)
        if not isinstance(room, int) or isinstance(room, bool) or not 0 <= room <= MOST_ADDED:
            raise GranumError(f"found room = {room!r:.80}, but it is a number of grains from 0 to {MOST_ADDED}.")
        if isinstance(scene, Scene):
            refuse_start(start)
            scene = applicable(scene.with_run(**settings))
            with naming(scene._file):
                subject = subject_of(scene, room)
        else:
            subject = subject_of_system(scene, start, settings)
        self._begin(subject, path_of(output), False, overwrite, "", threads)

    @classmethod
    def of(cls, subject: Subject, file: Path | None, resume: bool = False, overwrite: bool = False,
           scene_text: str = "", threads: int | None = None) -> Simulation:
        """A simulation of a system that is made already; for arguments see `gr.simulate`."""
        simulation = cls.__new__(cls)
        simulation._begin(subject, file, resume, overwrite, scene_text, threads)
        return simulation

    def _begin(self, subject: Subject, file: Path | None, resume: bool, overwrite: bool, scene_text: str,
               threads: int | None) -> None:
        self._subject, self._threads, self._lock = subject, threads, threading.RLock()
        text = scene_text or json.dumps(json.loads(subject.scene.model_dump_json(by_alias=True)))
        self._recording: RecordingInMemory | RunFileWriter
        recorded = subject.scene.run
        if resume and file is not None and file.exists():
            self._recording = resume_recording(subject, text, file)
            recorded = self._recording.scene.run
        else:
            self._recording = start_recording(subject, text, file, overwrite)
        self._until, self._interval = recorded.until, recorded.frame_interval
        self._last = len(frame_times(self._until, self._interval)) - 1
        """The frame at the end of the scene."""
        self._since = StepStatistics()
        """Of the steps since the last frame."""
        self._rates: dict[str, float] = {}
        """Rates of drives that the next step is to reach."""
        self._readings: dict[str, Reading] = {}
        self._failed: str | None = None
        self._finished: Run | None = None
        try:
            recorder = Recorder(self._recording, subject)
            if self._recording.frames_done == 0:
                recorder.write(0, subject.no_steps())
            recorder.restore()
            self._recorder, self._run = recorder, Run(self._recording)
            if subject.population is not None and self._recording.frames_done > 1:
                subject.population.recall(self._run)
            self._guard = Guard(self._run)
            self._ended = self._recording.event is not None
        except BaseException:
            self._recording.close(failed=True)
            raise

    # ---- time

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self._subject.time

    @property
    def scene(self) -> Scene:
        """The scene that runs."""
        return self._subject.scene

    @property
    def ended(self) -> str | None:
        """The event that ended the run, if any."""
        return self.run.event if self._ended else None

    @property
    def run(self) -> Run:
        """What is recorded so far."""
        return self._finished or self._run

    @property
    def _frames_done(self) -> int:
        """Frames that are recorded; the file of a finished run is read, as its writer is closed."""
        return self.run._recording.frames_done

    def __repr__(self) -> str:
        return f"<Simulation {self.scene.title!r}: t = {self.t:g} s, {count(self._frames_done, 'frame')}>"

    @_exclusive
    def step(self, duration: float | None = None) -> None:
        """Advance by a duration [s], exactly; by default to the next frame."""
        if duration is None:
            self.advance(self._frame_time(self._frames_done))
            return
        length = number(duration, "the duration of a step [s]")
        if not length > 0.0:
            raise GranumError(f"found a step of {length:g} s, but a simulation steps forwards in time. Give a "
                              "positive duration, or restore a snapshot to go back.")
        self.advance(self.t + length)

    @_exclusive
    def advance(self, until: float, progress: Progress | None = None) -> None:
        """Advance to a time [s], exactly, or to an event that ends the run; frames on the way are recorded."""
        until = number(until, "the time to advance to [s]")
        if progress is not None and not callable(progress):
            raise GranumError(f"found {progress!r:.80} for progress, but it is a function of a Moment, or None.")
        for frame in (self._interval * round(until / self._interval), self._until):  # sums of steps are rounded
            until = frame if abs(until - frame) <= SAME * self._interval else until
        if until - self.t > MOST_CALLS * self._interval:
            raise GranumError(f"found the time {until:g} s, {until / self._interval:.2g} frames at intervals of "
                              f"{self._interval:g} s, but at most {MOST_CALLS:g} are recorded. Give a shorter time, or "
                              "a longer interval to the simulation.")
        self._refuse_over(until)
        if self._rates and self.t < until:
            self._steer(until)
        with self._using_threads():
            while not self._ended and self.t < until:
                self._advance_once(until, progress)
        if self._rates:
            self._hold_rates()

    def _advance_once(self, until: float, progress: Progress | None) -> None:
        """Advance to the next frame, and record it, or to a time before it."""
        frame = self._recording.frames_done
        due = self._frame_time(frame)
        reaches = until >= due

        def watch(t: float) -> None:
            if progress is not None:
                progress(Moment(t, self._until, self._run))

        try:
            statistics = self._subject.advance(due if reaches else until, watch)
            self._since.follow(statistics)
            self._ended = self._subject.ended() is not None
            if reaches or self._ended:
                self._write(frame, statistics)
        except NotConvergedError as error:
            self._failed = f"{error}{self._subject.explain()}{self._kept()}"
            raise NotConvergedError(self._failed) from None

    def _write(self, frame: int, statistics: StepStatistics) -> None:
        """Record a frame."""
        if isinstance(self._recording, RecordingInMemory) and frame >= self._recording.frame_count:
            self._recording.make_room(2 * frame + 16)
        whole = self._since if self._since.steps != statistics.steps else statistics
        self._since = StepStatistics()
        self._guard.check(self._recorder.write(frame, whole))

    def _frame_time(self, frame: int) -> float:
        """Time of a frame: a multiple of the interval; the end of the scene has one too, wherever it lies."""
        if frame < self._last:
            return self._interval * frame
        if frame == self._last or isinstance(self._recording, RunFileWriter):
            return self._until
        return self._interval * (math.floor(self._until / self._interval + SAME) + frame - self._last)

    def _refuse_over(self, until: float) -> None:
        """Refuse to go back, and beyond an end."""
        if self._finished is not None:
            raise GranumError("this simulation is finished. Create another one, or restore a snapshot before finish.")
        if self._failed is not None:
            raise GranumError(f"this simulation stopped: {self._failed}\n  Read the run so far with finish(), or "
                              "restore a snapshot.")
        if self._ended:
            raise GranumError(f"this simulation has ended: {self.ended} Read the run with finish().")
        if until < self.t:
            raise GranumError(f"found the time {until:g} s, but {self.t:g} s is reached. Restore a snapshot to go "
                              "back.")
        if isinstance(self._recording, RunFileWriter) and until > self._until + SAME * self._interval:
            raise GranumError(f"found the time {until:g} s, but the file {self._recording.path} has room for the run "
                              f"up to {self._until:g} s. Give until = ... to the simulation.")

    def _using_threads(self) -> AbstractContextManager[None]:
        return nullcontext() if self._threads is None else use_threads(self._threads)

    def _kept(self) -> str:
        recording = self._recording
        if recording.path is None:
            return ""
        return (f"\n  {recording.frames_done} of {count(recording.frame_count, 'frame')} are kept in "
                f"{recording.path}.")

    # ---- reading

    @property
    @_exclusive
    def bodies(self) -> Sequence[str]:
        """Names of the bodies, grains included."""
        return self._subject.handle.bodies

    @_exclusive
    def body(self, name: str) -> BodyState:
        """Position, velocity, orientation and angular velocity of a body or grain."""
        return self._subject.handle.body(named(name, "body"))

    @_exclusive
    def joint(self, name: str) -> JointState:
        """Angle or displacement of a hinge or slider since the start, and its rate."""
        return self._subject.handle.joint(named(name, "hinge or slider"))

    @_exclusive
    def coordinate(self, name: str) -> tuple[float, float]:
        """A coordinate of [system] or of a formulation with formulas, and its rate."""
        return self._subject.handle.coordinate(named(name, "coordinate"))

    @_exclusive
    def reaction(self, name: str) -> dict[str, float]:
        """Reactions of a link, joint or constraint [N, N m]: of `knee` those named `knee.force.x`, ...

        Those that the joints leave open (`not_unique`) are given with the least norm.
        """
        return self._subject.handle.reaction(named(name, "link, joint or constraint"))

    @property
    @_exclusive
    def not_unique(self) -> tuple[str, ...]:
        """Names of the reactions that the joints leave open now, because some restrain the same motion."""
        return self._subject.handle.not_unique()

    @property
    @_exclusive
    def contacts(self) -> list[Contact]:
        """Contacts between grains, bodies and boundaries with their forces in the last step."""
        return self._subject.handle.population("contacts that open and close").contacts()

    @_exclusive
    def contact_force(self, name: str) -> Floats:
        """Sum of the contact forces on a body, grain or boundary in the last step [N]."""
        grains = self._subject.handle.population("contacts that open and close")
        return grains.contact_force(named(name, "body, grain or boundary"))

    @_exclusive
    def passed(self, probe: str) -> tuple[int, float]:
        """Grains that a flow probe has counted since the start, and their mass [kg]."""
        return self._subject.handle.passed(probe)

    @_exclusive
    def value(self, name: str) -> float:
        """One number by name, as formulas have it: `pivot.angle`, `pivot.rate`, `cart.vx`, `motor.force`, `t`.

        Names are those of hinges and sliders (`angle` or `displacement`, `rate`), of bodies (`x`, `vx`; in 2-D
        `angle` and `wz`; in 3-D the quaternion `u0`, ... and `wx`, `wy`, `wz`), of commands (`motor.force`), of flow
        probes (`outlet.count`, `outlet.mass`) and of coordinates of [system] and their rates (`x`, `x_dot`).
        """
        if named(name, "quantity") not in self._readings:
            self._readings[name] = reading(self, name)
        return self._readings[name]()

    @property
    @_exclusive
    def commands(self) -> dict[str, float]:
        """Commands of actuators as they are now, such as `motor.torque`."""
        return {name: self._subject.system.inputs[name] for name in self._subject.commands}

    @property
    @_exclusive
    def energy(self) -> dict[str, float]:
        """Kinetic and potential energy, and the work of each agent since the start [J]."""
        values = np.asarray(self._subject.sampled()["energy"]).tolist()
        return dict(zip(self._subject.ledger.columns, values, strict=True))

    # ---- changing

    @_exclusive
    def actuate(self, name: str, **command: ArrayLike) -> None:
        """Give an actuator another command, which holds until it is changed: `actuate("motor", torque=2.0)`."""
        find(name, list(self.scene.actuator), "actuator")
        kind, inputs = self.scene.actuator[name].kind, self._subject.system.inputs
        for key, given in command.items():
            values = np.atleast_1d(numbers(given, f"{key} of actuator {name} at t = {self.t:g} s"))
            names = [own for own in (f"{name}.{key}", *(f"{name}.{key}.{axis}" for axis in "xyz")) if own in inputs]
            if not names and key == kind:
                raise GranumError(f'{key} of actuator "{name}" follows a formula in the scene. Give a number there to '
                                  "command it from outside.")
            if not names:
                raise GranumError(f'actuator "{name}" is of kind "{kind}" and takes {kind}, not {key}.')
            if values.shape != (len(names),):
                raise GranumError(f"{key} of actuator {name} has {count(len(names), 'component')}, but found "
                                  f"{' by '.join(map(str, values.shape))}.")
            inputs.set(dict(zip(names, values.tolist(), strict=True)))

    @_exclusive
    def drive(self, name: str, rate: float) -> None:
        """Set the rate of a drive [rad/s, m/s]: the next step reaches it at constant acceleration, and it holds.

        From then on it takes the place of the `motion` or `table` that the scene gives to the drive.
        """
        find(name, list(self.scene.drives), "drive")
        self._refuse_unapplied()
        self._rates[name] = number(rate, f"the rate of {name} at t = {self.t:g} s")

    def _steer(self, until: float) -> None:
        """Begin the changes of rates that were asked for, to end at a time."""
        inputs = self._subject.system.inputs
        for name, rate in self._rates.items():
            value, now = self._steered(name)
            acceleration = (rate - now) / (until - self.t)
            inputs.set(dict(zip(steered(name), (value, now, acceleration, self.t, 1.0), strict=True)))

    def _hold_rates(self) -> None:
        """Go on with the rates that are reached."""
        for name in self._rates:
            value, rate = self._steered(name)
            self._subject.system.inputs.set(dict(zip(steered(name), (value, rate, 0.0, self.t, 1.0), strict=True)))
        self._rates.clear()

    def _steered(self, name: str) -> tuple[float, float]:
        """Where a drive is now by its motion, and its rate."""
        value, rate, acceleration, since, replaced = (self._subject.system.inputs[key] for key in steered(name))
        if replaced:
            later = self.t - since
            return value + rate * later + 0.5 * acceleration * later**2, rate + acceleration * later
        values = self.scene.system.parameters
        motion = scene_motion(self.scene.drives[name], values)
        begun, now = evaluate([motion, *gradient(motion, [symbol("t")])], {**values, "t": self.t})
        return begun, now

    @_exclusive
    def install(self, controller: CompiledController) -> None:
        """Let a controller made by `gr.controller` command actuators from now on."""
        from granum.run.control.compiled import CompiledController  # most simulations need not wait for it

        if not isinstance(controller, CompiledController):
            raise GranumError(f"found {controller!r:.80}, but install takes a controller made by gr.controller. Give a "
                              "function of Python to gr.simulate as control = ...")
        self._subject.handle.install(controller)

    @_exclusive
    def apply(self, body: str, force: ArrayLike | None = None, torque: ArrayLike | None = None,
              at: ArrayLike | None = None) -> None:
        """Let a force and a torque act on a body from now on, instead of what was applied to it before.

        Args:
            body: its name; of grains also `pattern-7`; or a coordinate of [system], on which a force is one number.
            force: in inertial axes [N], at the mass centre or at a point; by default none.
            torque: in inertial axes [N m], one number in 2-D; by default none.
            at: point in space where the force acts now [m]; it is taken to the mass centre.
        """
        self._refuse_unapplied()
        d = self.scene.dimension
        if named(body, "body") in self.scene.system.coordinates:
            only = three(0.0 if force is None else force, 1, f"the force on {body}")
            self._subject.handle.apply(body, np.array([only[0], 0.0, 0.0]), np.zeros(3))
            return
        push = np.zeros(3) if force is None else three(force, d, f"the force on {body}")
        twist = np.zeros(3)
        if torque is not None:
            twist = np.array([0.0, 0.0, *three(torque, 1, f"the torque on {body}")[:1]]) if d == 2 else three(
                torque, 3, f"the torque on {body}")
        if at is not None:
            arm = three(at, d, "the point") - three(self.body(body).position, d, "the position")
            twist = twist + np.cross(arm, push)
        self._subject.handle.apply(body, push, twist)

    @_exclusive
    def set_body(self, name: str, **changes: Any) -> None:
        """Give a body another position, velocity, angle, orientation or angular velocity; what is left out stays.

        The energy this takes is booked as work of `applied`.
        """
        state = self.body(name)
        for key, value in changes.items():
            if key not in BodyState._fields:
                raise GranumError(f'found "{key}", but a body has: {", ".join(BodyState._fields)}.')
            if getattr(state, key) is None:
                raise GranumError(f'"{name}" has no {key}.')
            new = numbers(value, f"{key} of {name} at t = {self.t:g} s")
            before = np.shape(getattr(state, key))
            if new.shape != before:
                raise GranumError(f"found {value!r:.80} for {key} of {name}, which has "
                                  f"{count(max(1, *before, 0), 'component')}.")
            state = state._replace(**{key: new if before else float(new)})  # type: ignore[arg-type]
        with self._booked():
            self._subject.handle.set_body(name, state)

    @_exclusive
    def set_coordinates(self, **values: float) -> None:
        """Give coordinates and rates (`x_dot`) of [system] other values that satisfy the constraints."""
        given = {name: number(value, f"{name} at t = {self.t:g} s") for name, value in values.items()}
        with self._booked():
            self._subject.handle.set_coordinates(given)

    @_exclusive
    def add(self, group: str, positions: ArrayLike, radii: ArrayLike, velocity: ArrayLike | None = None) -> list[str]:
        """Add grains to a pattern or source, of its shape and material; returns their names."""
        d = self.scene.dimension
        centres, sizes = np.atleast_2d(numbers(positions, "positions of grains")), numbers(radii, "radii of grains")
        if centres.ndim != 2 or centres.shape[1] != d:
            raise GranumError(f"found positions of shape {np.shape(positions)}, but {d}-D grains have {d} coordinates "
                              f"each: give an array of shape (grains, {d}).")
        if sizes.shape not in ((), (1,), (len(centres),)):
            raise GranumError(f"found radii of shape {sizes.shape} for {count(len(centres), 'grain')}. Give one "
                              "radius, or one for each grain.")
        if not (sizes > 0.0).all():
            raise GranumError(f"found the radii {sizes.tolist()}, but radii are positive.")
        moving = np.zeros(3) if velocity is None else three(velocity, d, "the velocity")
        sizes = np.broadcast_to(sizes, len(centres)).copy()
        named(group, "pattern or source of grains")
        return self._subject.handle.population("grains").add(group, centres, sizes, moving)

    @_exclusive
    def remove(self, *names: str) -> None:
        """Take grains or bodies out."""
        self._subject.handle.population("grains").remove([named(name, "body or grain") for name in names])

    def _refuse_unapplied(self) -> None:
        """Refuse forces and changes where the energy balance could not tell what they do."""
        if not self.scene.applied:
            raise GranumError("this simulation takes no applied forces, rates or other states. Section probes, bonds "
                              "and merged clusters do not support them; a gr.analytic.System has to be written as a "
                              "scene. Use an actuator instead.")

    def _booked(self) -> _Booked:
        self._refuse_unapplied()
        return _Booked(self._subject)

    # ---- going back

    @_exclusive
    def snapshot(self) -> Snapshot:
        """The whole state now, to go on from later."""
        subject = self._subject
        kept = RecordingInMemory(layout(subject, 1), {})
        kept.store(0, {**subject.frame(), "time": self.t, **subject.checkpoint(), **subject.log()})
        since = StepStatistics(**{name: getattr(self._since, name) for name in StepStatistics.names()})
        return Snapshot(_digest(self.scene), self.t, self._frames_done, kept.at(0), subject.next_step,
                        dict(subject.system.inputs), subject.handle.applied(), since)

    @_exclusive
    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this simulation: what follows is the same to the bit. Later frames are forgotten."""
        if not isinstance(snapshot, Snapshot):
            raise GranumError(f"found {snapshot!r:.80}, but restore takes what snapshot() returned.")
        if snapshot.scene != _digest(self.scene):
            raise GranumError("the snapshot is of another scene. Restore it in a simulation of its own scene.")
        if isinstance(self._recording, RunFileWriter) and self._finished is not None:
            raise GranumError(f"the run in {self._recording.path} is finished, and its file closed. Simulate in "
                              "memory, without output, to go back.")
        if isinstance(self._recording, RunFileWriter) and self._frames_done != snapshot.frames:
            raise GranumError(f"frames after the snapshot are written to {self._recording.path} already. Simulate in "
                              "memory, without output, to go back.")
        if self._frames_done < snapshot.frames:
            raise GranumError(f"the snapshot is of t = {snapshot.t:g} s, after the {self.t:g} s that this simulation "
                              "has reached. Restore it in the simulation it was taken from, or in a branch of it.")
        if isinstance(self._recording, RecordingInMemory):
            self._recording.cut(snapshot.frames)
        self._take(snapshot)
        self._failed, self._finished = None, None
        self._ended = self._recording.event is not None

    def _take(self, snapshot: Snapshot) -> None:
        subject = self._subject
        subject.restore(snapshot.arrays, 0, 0)
        subject.next_step = snapshot.next_step
        subject.system.inputs.set(snapshot.inputs)
        subject.handle.restore_applied(snapshot.applied)
        self._rates.clear()
        self._since = StepStatistics(**{name: getattr(snapshot.statistics, name) for name in StepStatistics.names()})
        self._guard = Guard(self._run)

    @_exclusive
    def branch(self) -> Simulation:
        """An independent simulation in memory that goes on from here."""
        if isinstance(self._recording, RunFileWriter):
            raise GranumError(f"this simulation is recorded in {self._recording.path}. Simulate in memory, without "
                              "output, to branch.")
        snapshot, twin = self.snapshot(), Simulation.__new__(Simulation)
        scene = self.scene.model_copy()
        twin._begin(subject_of(scene, getattr(self._subject, "room", 0)), None, False, False,
                    self._recording.metadata["scene_text"], self._threads)
        twin._recording = self._recording.copy()
        twin._recorder, twin._run = Recorder(twin._recording, twin._subject), Run(twin._recording)
        twin._take(snapshot)
        if twin._subject.population is not None:
            twin._subject.population.recall(twin._run)
        return twin

    # ---- the end

    @_exclusive
    def finish(self, output: str | Path | None = None, overwrite: bool = False) -> Run:
        """End here and return the Run; with `output` it is written to a file."""
        file, own = path_of(output), isinstance(self._recording, RunFileWriter)
        if own and file is not None:
            raise GranumError(f"the run is in {self._recording.path} already. Call finish() without a file.")
        if self._finished is None:
            self._write_last()
        if self._finished is None or file is not None:
            ended = ended_early(self._recording, file, overwrite)
            if isinstance(self._recording, RunFileWriter):
                self._recording.close()
            self._finished = Run(ended)
        return self._finished

    def _write_last(self) -> None:
        """Record where the simulation is, if that is after the last frame."""
        last = float(self._recording.frame("time", self._recording.frames_done - 1))
        if self._failed is None and self.t > last:
            try:
                self._write(self._recording.frames_done, self._since)
            except NotConvergedError as error:
                self._failed = str(error)
                raise

    @_exclusive
    def complete(self, progress: Progress | None) -> Run:
        """Run to the end of the scene; Ctrl-C stops there, and what is recorded is kept."""
        times = frame_times(self._until, self._interval)
        with self._recording:
            try:
                with self._using_threads():
                    while not self._ended and self._recording.frames_done < len(times):
                        self._advance_once(float(times[self._recording.frames_done]), progress)
            except KeyboardInterrupt:
                pass
        return Run(self._recording.result())

    @_exclusive
    def controlled(self, control: Callable[[Simulation], None], every: float | None, progress: Progress | None) -> Run:
        """Run to the end of the scene, calling a controller at t = 0 and at every multiple of a time [s]."""
        period = self._interval if every is None else every
        if not period > 0.0:
            raise GranumError(f"found every = {period:g} s, but the time between two calls must be positive.")
        if self._until > MOST_CALLS * period:
            raise GranumError(f"found every = {period:g} s, {self._until / period:.2g} calls of the controller in "
                              f"{self._until:g} s, but at most {MOST_CALLS:g} are supported. Give a longer time "
                              "between two calls.")
        calls = 0
        with self._recording:
            try:
                while not self._ended and self.t < self._until:
                    control(self)
                    calls += 1
                    self.advance(min(calls * period, self._until), progress)
            except KeyboardInterrupt:
                pass
        return Run(self._recording.result())


class _Booked:
    """Books what a change of the state adds to the energy."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def __enter__(self) -> None:
        self._before = self._energy()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.subject.handle.book(self._energy() - self._before)

    def _energy(self) -> float:
        kinetic, potential = np.asarray(self.subject.sampled()["energy"])[:2].tolist()
        return float(kinetic + potential)


def applicable(scene: Scene) -> Scene:
    """A scene of its own with an actuator by which forces are applied to its bodies: `applied`."""
    cut = any(isinstance(probe, SectionProbe) for probe in scene.probe.values())
    if scene.applied or cut or scene.bond or scene.run.merge_clusters:  # loads across cuts and bonds leave it out
        return scene.model_copy()
    return scene.model_copy(update={"actuator": {**scene.actuator, APPLIED: AppliedForces()}})


def path_of(output: str | Path | None) -> Path | None:
    """Where a run is to be written, if anywhere."""
    if output is None or isinstance(output, str | Path):
        return None if output is None else Path(output)
    raise GranumError(f"found output = {output!r:.80}, but it is the name of a file, such as \"run.h5\".")


def _digest(scene: Scene) -> str:
    return hashlib.sha256(scene.model_dump_json(by_alias=True).encode()).hexdigest()
