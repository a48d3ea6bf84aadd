"""`granum run`: simulate a scene and leave a run file."""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import GRAIN_SOLVERS, SOLVERS, one_of
from granum.cli.interrupts import exit_code, obey_sigterm
from granum.cli.options import AsJson, FormulationName, SceneFile


def command(
    scene: SceneFile,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="SCENE.h5",
                                                help="Run file to write.")] = None,
    until: Annotated[float | None, typer.Option(help="End time [s].", show_default="as the scene says")] = None,
    solver: Annotated[str | None, typer.Option(
        help=f"{one_of(SOLVERS)}; of grains {one_of(GRAIN_SOLVERS)}.",
        show_default="as the scene says")] = None,
    formulation: FormulationName = None,
    tolerance: Annotated[float | None, typer.Option(help="Tolerance of solver and corrections.")] = None,
    step: Annotated[float | None, typer.Option(help="Time step of rk4, rattle and mixed [s].")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random in the scene.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads for large scenes of grains.",
                                                show_default="one for each processor")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run, to the same bits.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an unfinished run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a scene and leave a run file. Ctrl-C or SIGTERM keeps what is done; --resume continues it."""
    from granum.cli.summary import print_summary
    from granum.io.legacy import load_scene_and_text
    from granum.io.scenefile import naming
    from granum.run import simulate

    obey_sigterm()
    warnings.showwarning = _show
    loaded, text = load_scene_and_text(scene)
    file = output or Path(scene.stem + ".h5")
    began = time.perf_counter()
    with naming(scene):
        run = simulate(
            loaded, output=file, resume=resume, overwrite=overwrite, scene_text=text,
            progress=not as_json, until=until, solver=solver, formulation=formulation, tolerance=tolerance, step=step,
            seed=seed, threads=threads,
        )
    summary = {**run.summary, "file": str(file), "seconds": round(time.perf_counter() - began, 3),
               "versions": run.metadata["versions"], "provenance": run.metadata["provenance"]}
    if as_json:
        print(json.dumps(summary))
    else:
        print_summary(summary)
    if not run.finished:
        raise typer.Exit(exit_code())


def _show(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as the command line shows it, without the line of code that gave it."""
    print(f"granum: {message}", file=sys.stderr)


command.__name__ = "run"
