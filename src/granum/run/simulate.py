"""Simulate: from a scene to a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from granum.base.arguments import checked
from granum.base.compiling import silence
from granum.base.errors import GranumError
from granum.base.units import si
from granum.io.scenefile import naming
from granum.model.scene import Scene
from granum.run.progress import Progress, watching
from granum.run.result import Run
from granum.run.simulation import Simulation, applicable, path_of
from granum.run.subject import refuse_start, subject_of, subject_of_system

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.run.control.compiled import CompiledController


@checked
def simulate(
    scene: Scene | System, *, start: Mapping[str, float] | None = None, output: str | Path | None = None,
    resume: bool = False, overwrite: bool = False, scene_text: str = "", progress: Progress | bool = True,
    threads: int | None = None, control: Callable[[Simulation], None] | CompiledController | None = None,
    every: str | float | None = None, **settings: Any,
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
        control: a controller, called with the Simulation at t = 0 and then at every multiple of `every`; or one made by
            `gr.controller`, which is compiled and acts continuously.
        every: time between two calls of the controller, such as "10 ms"; default: the interval between frames.
        settings: run settings that replace those of the scene: until, solver, formulation, tolerance, ...

    Ctrl-C stops the run; recorded frames are kept and returned. A controller that raises ends the run; frames recorded
    until then are kept in `output`.

    >>> run = gr.simulate(gr.example("pendulum"), until="0.1 s", solver="rattle", progress=False)
    >>> bool(run.energy_error < 1e-3)
    True
    """
    file_of_scene = scene._file if isinstance(scene, Scene) else None
    if control is None and every is not None:
        raise GranumError("every is the time between two calls of a controller. Give control = ... too.")
    if control is not None and resume:
        raise GranumError("a run with a controller cannot be resumed: what the controller remembers is not in the "
                          "file. Run it again with overwrite = True.")
    watched = nullcontext() if progress is False else watching(progress)
    with silence(progress is False), watched as watcher, naming(file_of_scene):
        if isinstance(scene, Scene):
            refuse_start(start)
            scene = scene.with_run(**settings)
            subject = subject_of(scene if control is None else applicable(scene))
        else:
            subject = subject_of_system(scene, start, settings)
        simulation = Simulation.of(subject, path_of(output), resume, overwrite, scene_text,
                                   threads)
        if control is None:
            return simulation.complete(watcher)
        from granum.run.control.compiled import CompiledController  # most runs need not wait for it

        if isinstance(control, CompiledController):
            if every is not None:
                raise GranumError("a compiled controller acts continuously. Remove every, or give a function of "
                                  "Python.")
            simulation.install(control)
            return simulation.complete(watcher)
        return simulation.controlled(control, None if every is None else si(every, "s"), watcher)
