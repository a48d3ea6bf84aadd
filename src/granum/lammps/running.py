"""From a scene to a run by LAMMPS, here or from dumps of another machine."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from granum.base.compiling import silence
from granum.base.errors import GranumError
from granum.contact.world import World
from granum.grains.geometry.motion import move_elements
from granum.grains.state import Grains
from granum.io.scenefile import naming
from granum.lammps.data import bounds, data_text
from granum.lammps.dumps import by_step, read_dump
from granum.lammps.expressible import refuse_inexpressible
from granum.lammps.installation import command
from granum.lammps.process import Process
from granum.lammps.script import DONE, GRAINS, Script
from granum.lammps.subject import LammpsSubject, Written
from granum.model.scene import Scene
from granum.run.progress import Progress, watching
from granum.run.result import Run
from granum.run.simulation import Simulation

DATA = "grains.data"


def simulate(
    scene: Scene, *, ranks: int = 1, output: str | Path | None = None, overwrite: bool = False, scene_text: str = "",
    progress: Progress | bool = True, **settings: Any,
) -> Run:
    """Run a scene by LAMMPS and return the Run.

    Args:
        scene: grains with solver = "soft".
        ranks: processes of MPI.
        output, overwrite, scene_text, progress, settings: as of `granum.simulate`.

    Ctrl-C stops LAMMPS; what is done is kept and returned.
    """
    if ranks < 1:
        raise GranumError(f"found --ranks {ranks}, but at least one is needed.")
    command(ranks)  # before anything is compiled: it says what to install
    with silence(progress is False), naming(scene._file), watching(progress) as watcher, \
            tempfile.TemporaryDirectory(prefix="granum-") as folder:
        scene = scene.with_run(**settings)
        refuse_inexpressible(scene)
        with _Live(ranks, Path(folder)) as live:
            subject = LammpsSubject(scene, live.of)
            live.subject = subject
            file = None if output is None else Path(output)
            return Simulation.of(subject, file, False, overwrite, scene_text).complete(watcher)


def write_input(scene: Scene, file: Path, write: Callable[[Path, bytes], None]) -> Script:
    """Write an input file of LAMMPS and its data file beside it, for a machine without Granum."""
    with naming(scene._file):
        refuse_inexpressible(scene, alone=True)
        script = Script(World(scene.with_run(solver=scene.solver)))
    data = file.with_name(f"{file.name}.data")
    write(file, "\n".join([*script.whole(data.name), ""]).encode())
    write(data, _data(script).encode())
    return script


def read_back(scene: Scene, dumps: Sequence[Path], output: Path, overwrite: bool, scene_text: str) -> Run:
    """The run whose dumps LAMMPS wrote by an input file of `write_input`; it ends where they end."""
    with naming(scene._file):
        refuse_inexpressible(scene, alone=True)
        subject = LammpsSubject(scene.with_run(solver=scene.solver), lambda script: _Stored(script, dumps))
        return Simulation.of(subject, output, False, overwrite, scene_text).complete(None)


def _data(script: Script) -> str:
    world = script.world
    some = world.grains if world.grains.count else script.kinds
    return data_text(world.grains, len(world.tables.names), bounds(some, world.dimension))


def _read(script: Script, files: dict[str, Path]) -> Written:
    return Written(read_dump(files["grains"]), read_dump(files["contacts"]),
                   [read_dump(files[wall.fix]) for wall in script.walls])


class _Stored:
    """Frames from files of another machine."""

    def __init__(self, script: Script, dumps: Sequence[Path]) -> None:
        self._script, self._files = script, by_step(dumps)
        if missing := set(script.dumped) - set(self._files):
            raise GranumError(f"There is no dump.{min(missing)}.* among the dumps. Give all files that LAMMPS wrote "
                              "for this scene: dump.*")
        if 0 not in self._files["grains"]:
            raise GranumError("There is no dump.grains.0 among the dumps: a run begins with its first frame.")

    def frame(self, k: int, look: Callable[[], None]) -> Written:
        """The files of a frame; a frame that LAMMPS has not reached ends the run."""
        step = self._script.frame_steps()[k]
        if step not in self._files["grains"]:
            raise KeyboardInterrupt
        files = {name: files[step] for name, files in self._files.items() if step in files}
        if missing := set(self._script.dumped) - set(files):
            raise GranumError(f"There is no dump.{min(missing)}.{step}, but there are grains for that step.")
        return _read(self._script, files)


class _Live:
    """Frames from a process that is started when the first one is asked for."""

    subject: LammpsSubject

    def __init__(self, ranks: int, folder: Path) -> None:
        self._ranks, self._folder = ranks, folder
        self._process: Process | None = None
        self._at = 0
        """Step up to which LAMMPS was told to run."""

    def __enter__(self) -> _Live:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.close()

    def of(self, script: Script) -> _Live:
        """Frames of a script."""
        self._script = script
        return self

    def frame(self, k: int, look: Callable[[], None]) -> Written:
        """The next frame; its files are read once it is complete, and deleted."""
        script = self._script
        process = self._process or self._start()
        step = script.frame_steps()[k]
        if script.scene.source:
            self._run_with_sources(process, k, look)
        files = {name: self._folder / f"dump.{name}.{step}" for name in (*script.dumped, DONE)}
        process.wait(step, files[DONE], look)
        written = _read(script, files)
        for file in files.values():
            file.unlink()
        return written

    def _start(self) -> Process:
        script = self._script
        (self._folder / DATA).write_text(_data(script))
        self._process = process = Process(self._ranks, self._folder)
        if script.scene.source:
            process.send([*script.head(DATA), *script.begin(0), "run 0"])
        else:
            process.send(script.whole(DATA))
        return process

    def _run_with_sources(self, process: Process, k: int, look: Callable[[], None]) -> None:
        """Run to a frame, and stop on the way whenever a source has something to do."""
        script, sources = self._script, self.subject.world.sources
        steps = script.frame_steps()
        if k == 0:
            return
        regular = script.segments[0]
        segment = regular if k <= regular.frames else script.segments[-1]
        if k == regular.frames + 1:
            process.send(script.begin(1))
        begin, time = steps[k - 1], (k - 1) * script.scene.run.frame_interval
        while self._at < steps[k]:
            now = time + (self._at - begin) * segment.step
            if sources.next_time <= now + 0.5 * segment.step:
                self._bring(process, now, segment.step, look)
            ahead = (sources.next_time - now) / segment.step
            count = steps[k] - self._at
            if math.isfinite(ahead):
                count = min(count, max(1, math.ceil(ahead - 0.5)))
            self._at += count
            process.send([f"run {count} post no"])

    def _bring(self, process: Process, t: float, h: float, look: Callable[[], None]) -> None:
        """Let sources place their grains among those that are there now."""
        world, state = self.subject.world, self._folder / "state"
        process.send([f"write_dump all custom {state.name} {' '.join(GRAINS)} modify format float %.17g"])
        process.mark(look)
        there = self.subject.grains_of(read_dump(state))
        move_elements(world.elements.home, world.elements.motion, t, world.elements.now)
        new = world.sources.release(t + 0.5 * h, there, world.next_number, world.distance)
        if new is None or not new.count:
            return
        world.next_number += new.count
        self.subject.enter(new)
        self._add(process, new)

    def _add(self, process: Process, new: Grains) -> None:
        script = self._script
        file = self._folder / "batch.data"
        process.mark(lambda: None)  # the one before is read
        file.write_text(data_text(new, len(script.world.tables.names), bounds(new, script.world.dimension)))
        process.send([f"read_data {file.name} add merge", *script.groups()])
