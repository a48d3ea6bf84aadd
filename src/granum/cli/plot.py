"""`granum plot`: pictures of a run or a study."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson, RunOrStudyFile
from granum.cli.run import show_warning


def command(
    run: RunOrStudyFile,
    what: Annotated[str | None, typer.Argument(
        metavar="[WHAT]", show_default=False, help="Plot to draw, such as energy; if omitted, list all.")
    ] = None,
    names: Annotated[list[str] | None, typer.Argument(
        metavar="[NAME]...", show_default=False,
        help="Bodies, links, joints, coordinates or probes to show; for a study, a measure.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the available plots.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", show_default="RUN-WHAT.png",
                                                help="Output file: .png, .svg or .pdf.")] = None,
    frame: Annotated[int | None, typer.Option(help="Frame to draw; -1 is the last.",
                                              show_default="-1")] = None,
    colour: Annotated[str | None, typer.Option(help="Colour grains by speed, size, force or none.",
                                               show_default="speed")] = None,
    volume: Annotated[float | None, typer.Option(help="Averaging volume of the stress [m³; 2-D: m²].",
                                                 show_default="the box around the grains")] = None,
    window: Annotated[float | None, typer.Option(help="Averaging time of flow rates [s].",
                                                 show_default="1/20 of the run")] = None,
    over: Annotated[str | None, typer.Option(metavar="PATH", help="Studies: parameter on the x axis.",
                                             show_default="the first that varies")] = None,
    by: Annotated[str | None, typer.Option(metavar="PATH", help="Studies: parameter with one curve per value.",
                                           show_default="the next with few values")] = None,
    grain: Annotated[float | None, typer.Option(help="Studies, power: grain diameter [m], for Beverloo's law.",
                                                show_default=False)] = None,
    exponent: Annotated[float | None, typer.Option(help="Studies, growth: exponent m in y = A exp(b x^m).",
                                                   show_default="1")] = None,
    as_json: AsJson = False,
) -> None:
    """Plot a run or a study.

    Plots of a run show energy, constraint errors, reactions, paths, contacts, forces, stress and flow; those of a study
    curves, probabilities, heat maps, jam diagrams, fitted laws and sensitivities. `granum plot FILE.h5` lists the
    available plots.
    """
    from granum.view import draw
    from granum.view.plots.catalogue import listed, opened_file, plots_of

    warnings.showwarning = show_warning
    opened = opened_file(run)
    if what is None or list_:
        print(json.dumps({name: plot.description for name, plot in plots_of(opened).items()}) if as_json
              else "\n".join(listed(opened)))
        return
    file = output or run.with_name(f"{run.stem}-{what}.png")
    given: dict[str, Any] = {"frame": frame, "colour": colour, "volume": volume, "window": window,
                             "over": over, "by": by, "grain": grain, "exponent": exponent}
    draw(opened, what, file, names or (), **{name: value for name, value in given.items() if value is not None})
    print(json.dumps({"what": what, "file": str(file)}) if as_json else f"Drawn: {file}")
