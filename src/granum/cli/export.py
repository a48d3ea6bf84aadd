"""`granum export`: write a run or a study for other programs and other people."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import EXPORTS, explained
from granum.base.errors import GranumError
from granum.base.text import count
from granum.cli.options import AsJson, RunOrStudyFile


def command(
    run: RunOrStudyFile,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", show_default=False,
                                    help=f"Format: {explained(EXPORTS)}.")],
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="OUT", show_default="RUN-vtk, RUN-csv, RUN.npz, RUN.html, ...",
        help="Output folder (vtk, csv) or file.")] = None,
    every: Annotated[int | None, typer.Option(metavar="N", help="Write every N-th frame, from the first.",
                                              show_default="all; html: at most 200; films: 10 s")] = None,
    frames: Annotated[str | None, typer.Option(metavar="A:B:C", show_default="all",
                                               help="Data: write frames A to B (exclusive), in steps of C.")] = None,
    frame: Annotated[int | None, typer.Option(metavar="K", help="Frame to draw, or before the step of "
                                              "fclib; -1 is the last.",
                                              show_default="-1")] = None,
    colour: Annotated[str | None, typer.Option(help="Colour bodies in pages, films and pictures by speed, size, "
                                               "force, coordination, cluster, kind or none.",
                                               show_default="speed")] = None,
    forces: Annotated[bool, typer.Option("--forces", help="Draw forces in films and pictures.")] = False,
    shown: Annotated[str | None, typer.Option("--run", metavar="POINT/REPEAT", show_default="the first one kept",
                                              help="Studies: run to show in the report.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file of another kind.")] = False,
    as_json: AsJson = False,
) -> None:
    """Export a run or a study.

    A run is exported for other programs (VTK, tables, arrays, the contact problem of a step) or for other people (a web
    page, a film, a picture); a study as a table (csv) or a report (html).
    """
    from rich.console import Console
    from rich.progress import Progress

    from granum.studies.result import StudyResult
    from granum.view.export import export
    from granum.view.export.studies import export_study
    from granum.view.plots.catalogue import opened_file

    opened = opened_file(run)
    if isinstance(opened, StudyResult):
        given = {"every": every, "frames": frames, "frame": frame, "colour": colour, "forces": forces or None}
        file = export_study(opened, to, output, shown=shown, overwrite=overwrite, **given)
        print(json.dumps({"to": to, "file": str(file), "runs": opened.rows, "finished": opened.finished}) if as_json
              else f"Written: {file} ({count(opened.rows, 'run')}).")
        return
    if shown is not None:
        raise GranumError("--run selects the run shown in the report of a study, but this is a run file. Remove it.")
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
    print(f"Written: {done.path} ({count(done.frames, 'frame')}).")
    for note in done.notes:
        print(f"  Note: {note}")
