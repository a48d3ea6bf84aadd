"""`granum bench`: speed as ratios against the peers that are installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson

_ONE_SIZE = ("shell", "clumps", "page")
"""Benchmarks without a time to draw against size."""


def command(
    what: Annotated[str, typer.Argument(metavar="WHAT",
                                        help="chain, shell, derive, grains, clumps, rods or page.")] = "chain",
    sizes: Annotated[list[int] | None, typer.Option("--bodies", help="Sizes to compare; may be repeated.",
                                                    show_default="100 and 400; derive: 10, 40, 100; "
                                                                 "grains: 10000, 100000; rods: 1000; "
                                                                 "page: 5000, 100000")] = None,
    scaling: Annotated[bool, typer.Option(help="Also measure the cost per body up to a million bodies.")] = True,
    python: Annotated[str | None, typer.Option(help="Interpreter that has the peers of grains and rods from PyPI.",
                                               show_default="the one that runs")] = None,
    budget: Annotated[float, typer.Option(help="CPU seconds a peer may take for one bed of grains.")] = 30.0,
    quick: Annotated[bool, typer.Option("--quick", help="Grains: 1000 of them, without the cost up to a "
                                        "million.")] = False,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw time against size: .png, .svg or .pdf.",
                                                show_default="nothing is drawn")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed, as ratios within one run.

    chain: against MuJoCo, Pinocchio, Exudyn and Drake where installed. shell: a rolling shell against the same
    integrator on NumPy. derive: pendulums against SymPy's mechanics. grains: settling against LAMMPS, LIGGGHTS, YADE,
    MuJoCo, PyBullet and Pymunk. clumps: a contact of clumps against one of spheres. rods: a chain of hinged rods
    against MuJoCo. page: moving spheres in a browser, against viser.
    """
    from granum.base.errors import GranumError, pick

    result: Any
    if figure is not None and what in _ONE_SIZE:
        raise GranumError(f"{what} compares at one size: there is nothing to draw against N. Leave --figure out.")
    if pick(what, ("chain", "shell", "derive", "grains", "clumps", "rods", "page"), "benchmark") == "chain":
        from granum.bench import chain

        result = chain.measure(tuple(sizes or (100, 400)), scaling)
    elif what == "shell":
        from granum.bench import shell

        result = shell.measure()
    elif what == "rods":
        import sys

        from granum.bench import rods

        result = rods.measure(tuple(sizes or (1000,)), python or sys.executable, max(budget, 600.0), scaling)
    elif what == "grains":
        import sys

        from granum.bench import grains

        result = grains.measure(tuple(sizes or ((1000,) if quick else (10_000, 100_000))), python or sys.executable,
                                budget, scaling and not quick, tell=lambda row: print(row, file=sys.stderr))
    elif what == "page":
        from granum.bench import page

        result = page.measure(tuple(sizes or (5000, 100_000)))
    elif what == "clumps":
        from granum.bench import clumps

        result = clumps.measure(*(sizes or ()))
    else:
        from granum.bench import derivation

        result = derivation.measure(tuple(sizes or (10, 40, 100)))
    if figure is not None:
        from granum.view import style
        from granum.view.plots.several import cost

        with style.house():
            style.save(cost(*result.charts()), figure)
    print(json.dumps(result.as_json()) if as_json else "\n".join(result.sentences()))


command.__name__ = "bench"
