"""`python -m benchmarks`: speed as ratios against the peers that are installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.main import main
from granum.cli.options import AsJson

app = typer.Typer(
    name="benchmarks", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="Measure speed, as ratios within one run.",
)

Scaling = Annotated[bool, typer.Option(help="Also measure the cost per body up to the largest sizes.")]
Interpreter = Annotated[str, typer.Option(help="Interpreter that has the peers from PyPI.",
                                          show_default="the one that runs")]
FigureFile = Annotated[Path | None, typer.Option(metavar="FILE", show_default="nothing is drawn",
                                                 help="Draw time against size: .png, .svg or .pdf.")]


def _bodies(default: str) -> Any:
    return typer.Option("--bodies", help="Size to compare; may be repeated.", show_default=default)


@app.command()
def chain(sizes: Annotated[list[int] | None, _bodies("100, 400")] = None, scaling: Scaling = True,
          figure: FigureFile = None, as_json: AsJson = False) -> None:
    """A pendulum of N masses against MuJoCo, Pinocchio, Exudyn and Drake where installed."""
    from benchmarks import chain

    _report(chain.measure(tuple(sizes or (100, 400)), scaling), as_json, figure)


@app.command()
def shell(as_json: AsJson = False) -> None:
    """A rolling shell against the same integrator on NumPy."""
    from benchmarks import shell

    _report(shell.measure(), as_json)


@app.command()
def stiff(tolerances: Annotated[list[float] | None, typer.Option(
        "--tolerance", help="Relative tolerance; may be repeated.", show_default="1e-4, 1e-6, 1e-8")] = None,
          quick: Annotated[bool, typer.Option("--quick", help="One small problem.")] = False,
          as_json: AsJson = False) -> None:
    """Stiff smooth systems by radau and dop853 against SciPy's Radau and BDF."""
    from benchmarks import stiff

    _report(stiff.measure(tuple(tolerances or (1e-4, 1e-6, 1e-8)), quick), as_json)


@app.command()
def derive(sizes: Annotated[list[int] | None, _bodies("10, 40, 100")] = None, figure: FigureFile = None,
           as_json: AsJson = False) -> None:
    """Equations of motion of pendulums against SymPy's mechanics."""
    from benchmarks import derivation

    _report(derivation.measure(tuple(sizes or (10, 40, 100))), as_json, figure)


@app.command()
def contact(
    samples: Annotated[Path | None, typer.Option(
        metavar="FOLDER", envvar="GRANUM_CONTACT_PROBLEMS", show_default="none",
        help="Folder of problems of the FCLIB collection (.hdf5, .dat).")] = None,
    sizes: Annotated[list[int] | None, typer.Option(
        "--contacts", help="Contacts of a lattice of disks; may be repeated.", show_default="1000, 10000")] = None,
    spheres: Annotated[list[int] | None, typer.Option(
        "--spheres", help="Spheres of a settled bed; may be repeated.", show_default="300")] = None,
    seconds: Annotated[float, typer.Option(help="CPU seconds for each solver and problem.")] = 4.0,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", show_default="nothing is drawn",
                                                help="Draw residual against time: .png, .svg or .pdf.")] = None,
    as_json: AsJson = False,
) -> None:
    """Residual against CPU seconds of every solver of contact problems, on public problems and our own beds."""
    from benchmarks import contact

    result = contact.measure(samples, tuple(sizes or (1000, 10000)), tuple(spheres or (300,)), seconds)
    if figure is not None:
        from granum.view import style

        with style.house():
            style.save(result.draw(), figure)
    print(json.dumps(result.as_json()) if as_json else "\n".join(result.summary_lines()))


@app.command()
def robots(models: Annotated[list[str] | None, typer.Option(
        "--model", help="A URDF or MJCF file, or a path inside an installed package; may be repeated.",
        show_default="public models")] = None, as_json: AsJson = False) -> None:
    """Accelerations of imported robots beside MuJoCo's: models of dm_control, gymnasium and pybullet."""
    from benchmarks import robots

    _report(robots.measure(tuple(models or ())), as_json)


@app.command()
def grains(
    sizes: Annotated[list[int] | None, _bodies("10000, 100000")] = None,
    scaling: Scaling = True,
    python: Interpreter = sys.executable,
    budget: Annotated[float, typer.Option(help="CPU seconds a peer may take for one bed.")] = 30.0,
    quick: Annotated[bool, typer.Option("--quick", help="1000 grains, without the cost up to a million.")] = False,
    figure: FigureFile = None,
    as_json: AsJson = False,
) -> None:
    """Settling grains against LAMMPS, LIGGGHTS, YADE, MuJoCo, PyBullet and Pymunk."""
    from benchmarks import grains

    counts = tuple(sizes or ((1000,) if quick else (10_000, 100_000)))
    _report(grains.measure(counts, python, budget, scaling and not quick, tell=_tell), as_json, figure)


@app.command()
def recording(sizes: Annotated[list[int] | None, _bodies("1000, 10000")] = None, as_json: AsJson = False) -> None:
    """What checksums and barriers of run files cost."""
    from benchmarks import recording

    _report(recording.measure(tuple(sizes or (1000, 10_000))), as_json)


@app.command()
def clumps(count: Annotated[int, typer.Option("--bodies", help="Grains of either kind.")] = 3000,
           as_json: AsJson = False) -> None:
    """A contact of clumps against one of spheres."""
    from benchmarks import clumps

    _report(clumps.measure(count), as_json)


@app.command()
def rods(
    sizes: Annotated[list[int] | None, _bodies("1000")] = None,
    scaling: Scaling = True,
    python: Interpreter = sys.executable,
    budget: Annotated[float, typer.Option(help="Seconds one run of MuJoCo may take.")] = 600.0,
    figure: FigureFile = None,
    as_json: AsJson = False,
) -> None:
    """A chain of hinged rods against MuJoCo."""
    from benchmarks import rods

    _report(rods.measure(tuple(sizes or (1000,)), python, budget, scaling), as_json, figure)


@app.command()
def page(sizes: Annotated[list[int] | None, _bodies("5000, 100000")] = None, as_json: AsJson = False) -> None:
    """Moving spheres in a browser, against viser."""
    from benchmarks import page

    _report(page.measure(tuple(sizes or (5000, 100_000))), as_json)


@app.command()
def setup(as_json: AsJson = False) -> None:
    """Setting up scenes: per body named one by one, and per grain of a pattern."""
    from benchmarks import setup

    _report(setup.measure(), as_json)


@app.command()
def start(as_json: AsJson = False) -> None:
    """Warm starts: CPU time of `granum run` on small scenes, and the part of it that imports take."""
    from benchmarks import start

    _report(start.measure(), as_json)


@app.command()
def stepping(as_json: AsJson = False) -> None:
    """Small steps of a simulation, beside the time that its solver takes for them."""
    from benchmarks import stepping

    _report(stepping.measure(), as_json)


@app.command()
def study(runs: Annotated[int, typer.Option(help="Runs of the study.")] = 1000, as_json: AsJson = False) -> None:
    """Many short runs on two processes, against one process."""
    from benchmarks import study

    _report(study.measure(runs), as_json)


@app.command()
def lammps(
    count: Annotated[int, typer.Option("--bodies", help="Spheres of a settled bed.")] = 10_000,
    seeds: Annotated[int, typer.Option(help="Beds that are settled by each engine.")] = 4,
    sizes: Annotated[list[int] | None, typer.Option(
        "--large", help="Spheres of a bed whose memory is measured; may be repeated.",
        show_default="100000, 1000000")] = None,
    steps: Annotated[int, typer.Option(help="Steps of large beds.")] = 300,
    as_json: AsJson = False,
) -> None:
    """Beds by LAMMPS and by soft, and a million spheres on two ranks with their memory."""
    from benchmarks import lammps

    _report(lammps.measure(count, seeds, tuple(sizes or (100_000, 1_000_000)), steps, _tell), as_json)


@app.command("compile")
def compile_(
    scenes: Annotated[list[Path] | None, typer.Argument(metavar="[SCENE.toml]...", show_default="all examples")] = None,
    slowest: Annotated[int, typer.Option(help="Kernels to list, the slowest first.")] = 40,
    write: Annotated[bool, typer.Option("--write", help="Keep the numbers of kernels for those who wait.")] = False,
    as_json: AsJson = False,
) -> None:
    """Kernels that a scene compiles on a machine that has none, with their seconds."""
    from benchmarks import compiling
    from granum.io.examples import example_file, example_scenes

    report = compiling.measure(tuple(scenes or map(example_file, example_scenes(large=False))), slowest, _tell)
    if write:
        compiling.write_counts(report)
    _report(report, as_json)


def _tell(row: str) -> None:
    """Show a row when it is known: the whole takes minutes."""
    print(row, file=sys.stderr, flush=True)


def _report(result: Any, as_json: bool, figure: Path | None = None) -> None:
    """Print what a benchmark found, and draw time against size where that is asked for."""
    if figure is not None:
        from granum.view import style
        from granum.view.plots.several import cost

        with style.house():
            style.save(cost(*result.charts()), figure)
    print(json.dumps(result.as_json()) if as_json else "\n".join(result.summary_lines()))


if __name__ == "__main__":
    main(app)
