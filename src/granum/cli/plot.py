"""`granum plot`: pictures of a run or a study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson, RunOrStudyFile


def command(
    run: RunOrStudyFile,
    what: Annotated[str | None, typer.Argument(
        metavar="[WHAT]", show_default=False, help="What to draw, such as energy; without it, say what there is.")
    ] = None,
    names: Annotated[list[str] | None, typer.Argument(
        metavar="[NAME]...", show_default=False,
        help="Bodies, links, joints, coordinates or probes to show, as the plot has them; of a study, a measure.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Say which plots there are.")] = False,
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
    over: Annotated[str | None, typer.Option(metavar="PATH", help="Studies: parameter along the axis.",
                                             show_default="the first that varies")] = None,
    by: Annotated[str | None, typer.Option(metavar="PATH", help="Studies: parameter with a curve for each value.",
                                           show_default="the next with few values")] = None,
    grain: Annotated[float | None, typer.Option(help="Studies, power: diameter of a grain [m], for Beverloo's law.",
                                                show_default=False)] = None,
    exponent: Annotated[float | None, typer.Option(help="Studies, growth: m of y = A exp(b x^m).",
                                                   show_default="1")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a run: energy, constraint errors, reactions, paths; grains, their contacts, forces, stress and flow. Draw a
    study: curves, probabilities, heat maps, jam diagrams, laws, sensitivities.

    `granum plot FILE.h5` says what there is to draw, a line each.
    """
    from granum.view import draw
    from granum.view.plots.catalogue import listed, opened_file, plots_of

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
