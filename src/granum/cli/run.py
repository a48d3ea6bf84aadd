"""`granum run`: simulate a scene and write a run file."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from granum.base.choices import ENGINES, GRAIN_SOLVERS, SOLVERS, one_of
from granum.base.errors import GranumError, did_you_mean
from granum.cli.interrupts import exit_code, obey_sigterm
from granum.cli.options import AsJson, CoordinateNames, FormulationName, QuasiVelocities, SceneFile

if TYPE_CHECKING:
    from granum.run import Run


def command(
    scene: SceneFile,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="SCENE.h5",
                                                help="Run file to write.")] = None,
    until: Annotated[float | None, typer.Option(help="End time [s].", show_default="from the scene")] = None,
    solver: Annotated[str | None, typer.Option(
        help=f"Solver: {one_of(SOLVERS)}; for grains {one_of(GRAIN_SOLVERS)}.",
        show_default="from the scene")] = None,
    formulation: FormulationName = None,
    coordinates: CoordinateNames = None,
    quasi: QuasiVelocities = None,
    tolerance: Annotated[float | None, typer.Option(help="Tolerance of the solver and of corrections.")] = None,
    step: Annotated[float | None, typer.Option(help="Time step [s], for rk4, rattle, mixed and grains.")] = None,
    max_step: Annotated[float | None, typer.Option(help="Largest step [s], for dop853, radau and adams.",
                                                   show_default="none")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random numbers of the scene.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads, for scenes with many grains.",
                                                show_default="one per processor")] = None,
    changes: Annotated[list[str] | None, typer.Option(
        "--set", metavar="PATH=VALUE", show_default=False,
        help='Replace a value of the scene, as in --set material.glass.friction=0.4 or --set run.until="2 s"; '
             "repeatable.")] = None,
    engine: Annotated[str | None, typer.Option(show_default="none",
                                               help=f"External engine: {one_of(ENGINES)}.")] = None,
    ranks: Annotated[int | None, typer.Option(help="MPI processes of the external engine.", show_default="1")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run; bit-identical.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an unfinished run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a scene and write a run file. After Ctrl-C or SIGTERM, continue with --resume."""
    from granum.base.compiling import waiting
    from granum.cli.summary import print_summary
    from granum.io.scenefile import load_scene_and_text, naming

    obey_sigterm()
    warnings.showwarning = show_warning
    simulate = _simulator(engine, ranks, resume, threads)
    loaded, text = load_scene_and_text(scene)
    settings: dict[str, Any] = {"until": until, "solver": solver, "formulation": formulation, "tolerance": tolerance,
                                "step": step, "max_step": max_step, "seed": seed, "coordinates": coordinates,
                                "quasi": quasi or None}
    if changes:
        from granum.io.changes import changed

        loaded = changed(loaded, changes)
    if changes or any(value is not None for value in settings.values()):
        text = ""  # it is not the text of what is run: the run keeps the scene as it was run
    file = output or Path(scene.stem + ".h5")
    began, compiled = time.perf_counter(), waiting.seconds
    with naming(scene):
        run = simulate(
            loaded, output=file, overwrite=overwrite, scene_text=text, progress=not as_json, **settings,
        )
    compiling = waiting.seconds - compiled
    summary = {**run.summary, "file": str(file), "seconds": round(time.perf_counter() - began - compiling, 3),
               "compile_seconds": round(waiting.seconds, 3), "versions": run.metadata["versions"],
               "provenance": run.metadata["provenance"]}
    if as_json:
        print(json.dumps(summary))
    else:
        print_summary(summary)
    if not run.finished:
        raise typer.Exit(exit_code())


def _simulator(engine: str | None, ranks: int | None, resume: bool, threads: int | None) -> Callable[..., Run]:
    """What runs a scene: Granum, or another engine; refuses options that it does not have."""
    if engine is None:
        if ranks is not None:
            raise GranumError(f"--ranks {ranks} is for an external engine, such as --engine lammps. Without one, "
                              "use --threads.")
        from granum.run import simulate

        return partial(simulate, resume=resume, threads=threads)
    if engine not in ENGINES:
        raise GranumError(f'There is no engine "{engine}". {did_you_mean(engine, list(ENGINES), "engine")}')
    if resume or threads is not None:
        raise GranumError(f"{'--resume' if resume else '--threads'} is not supported with --engine {engine}, "
                          + ("which writes no checkpoints. Start again with --overwrite." if resume else
                             "which runs on processes. Use --ranks."))
    from granum.engines.lammps.running import simulate_by_lammps

    return partial(simulate_by_lammps, ranks=1 if ranks is None else ranks)


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as the command line shows it, without the line of code that gave it."""
    print(f"granum: {message}", file=sys.stderr)


command.__name__ = "run"
