"""`granum plot`: pictures of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson, RunFile


def command(
    run: RunFile,
    what: Annotated[str | None, typer.Argument(
        metavar="[WHAT]", show_default=False, help="What to draw, such as energy; without it, say what there is.")
    ] = None,
    names: Annotated[list[str] | None, typer.Argument(
        metavar="[NAME]...", show_default=False,
        help="Bodies, links, joints, coordinates or probes to show, as the plot has them.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Say which plots this run has.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", show_default="RUN-WHAT.png",
                                                help="Picture to write: .png, .svg or .pdf.")] = None,
    frame: Annotated[int | None, typer.Option(help="Frame of a picture of an instant; -1 is the last.",
                                              show_default="-1")] = None,
    colour: Annotated[str | None, typer.Option(help="Colour of grains: speed, size, force or none.",
                                               show_default="speed")] = None,
    volume: Annotated[float | None, typer.Option(help="Volume that stress is a mean over [m³, in the plane m²].",
                                                 show_default="the box around the grains")] = None,
    window: Annotated[float | None, typer.Option(help="Length of the windows of flow rates [s].",
                                                 show_default="a twentieth of the time")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a run: energy, constraint errors, reactions, paths; grains, their contacts, forces, stress and flow.

    `granum plot RUN.h5` says what there is to draw of a run, a line each.
    """
    from granum.run import open_run
    from granum.view import draw
    from granum.view.plots.catalogue import listed, plots_of

    opened = open_run(run)
    if what is None or list_:
        print(json.dumps({name: plot.description for name, plot in plots_of(opened).items()}) if as_json
              else "\n".join(listed(opened)))
        return
    file = output or run.with_name(f"{run.stem}-{what}.png")
    given: dict[str, Any] = {"frame": frame, "colour": colour, "volume": volume, "window": window}
    draw(opened, what, file, names or (), **{name: value for name, value in given.items() if value is not None})
    print(json.dumps({"what": what, "file": str(file)}) if as_json else f"Drawn: {file}")
