"""`granum export`: a run for other programs and other people."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import EXPORTS, explained
from granum.cli.options import AsJson, RunFile


def command(
    run: RunFile,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", show_default=False,
                                    help=f"{explained(EXPORTS)}.")],
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="OUT", show_default="RUN-vtk, RUN-csv, RUN.npz, RUN.html, ...",
        help="Folder to write (vtk, csv), or file.")] = None,
    every: Annotated[int | None, typer.Option(metavar="N", help="Write the first frame and every N-th after it.",
                                              show_default="all; html: 200 at most; films: 10 s of them")] = None,
    frames: Annotated[str | None, typer.Option(metavar="A:B:C", show_default="all",
                                               help="Data: write frames from A to before B, every C of them.")] = None,
    frame: Annotated[int | None, typer.Option(metavar="K", help="Frame of a picture; -1 is the last.",
                                              show_default="-1")] = None,
    colour: Annotated[str | None, typer.Option(help="Colour of bodies in pages, films and pictures: speed, size, "
                                               "force, coordination, cluster, kind or none.",
                                               show_default="speed")] = None,
    forces: Annotated[bool, typer.Option("--forces", help="Draw forces in films and pictures.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file of another kind.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a run for other programs: files of VTK for ParaView, tables, arrays; or for other people: a page to send, a
    film, a picture.
    """
    from rich.console import Console
    from rich.progress import Progress

    from granum.run import open_run
    from granum.view.export import export

    opened = open_run(run)
    quiet = as_json or not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("exporting", total=None)
        done = export(opened, to, output, every=every, frames=frames, frame=frame, colour=colour, forces=forces,
                      overwrite=overwrite,
                      progress=lambda count, total: bar.update(task, total=total, completed=count))
    if as_json:
        print(json.dumps({"to": to, "file": str(done.path), "frames": done.frames, "finished": opened.finished,
                          "notes": done.notes}))
        return
    print(f"Written: {done.path} ({done.frames} frame{'s' * (done.frames != 1)}).")
    for note in done.notes:
        print(f"  Note: {note}")
