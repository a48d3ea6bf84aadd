"""`granum plot`: pictures of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.cli.options import AsJson, RunFile


def command(
    run: RunFile,
    what: Annotated[str, typer.Argument(metavar="WHAT", show_default=False,
                                        help="energy, constraint-errors, reactions, path, phase, rigidity or "
                                        "coordinates; of grains: grains, forces, before-after, energy, contacts, "
                                        "coordination, rigidity or flow.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", show_default="RUN-WHAT.png",
                                                help="Picture to write: .png, .svg or .pdf.")] = None,
    body: Annotated[list[str] | None, typer.Option(help="Body to show; may be repeated.")] = None,
    link: Annotated[list[str] | None, typer.Option(help="Link to show; may be repeated.")] = None,
    coordinate: Annotated[list[str] | None, typer.Option(help="Coordinate to show; may be repeated.")] = None,
    frame: Annotated[int, typer.Option(help="Frame of a picture of grains or of rigidity; -1 is the last.")] = -1,
    colour: Annotated[str, typer.Option(help="Colour of grains: speed, size, force or none.")] = "speed",
    as_json: AsJson = False,
) -> None:
    """Draw a run: its energy ledger, constraint errors, forces, paths; or grains, their contacts and their flow."""
    from granum.run import open_run
    from granum.view import draw

    file = output or run.with_name(f"{run.stem}-{what}.png")
    draw(open_run(run), what, file, bodies=body or (), links=link or (), coordinates=coordinate or (),
         frame=frame, colour=colour)
    print(json.dumps({"what": what, "file": str(file)}) if as_json else f"Drawn: {file}")


command.__name__ = "plot"
