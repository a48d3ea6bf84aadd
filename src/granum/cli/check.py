"""`granum check`: what a scene is, in words; or whether the file of a run or a study is intact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from granum.cli.options import AsJson

if TYPE_CHECKING:
    from granum.io.runfile import Verification
    from granum.run.check import Description


def command(
    file: Annotated[Path, typer.Argument(metavar="SCENE.toml|RUN.h5", help="Scene file, run file, or table of a study.",
                                         show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Say what a scene is: bodies, links, loops, degrees of freedom, redundant links, a start that does not fit.

    Of the file of a run or a study, verify all checksums and say which frames or rows are damaged; exit code 1 if any
    is.
    """
    found = _verified(file) if file.suffix in (".h5", ".hdf5") else _described(file)
    if as_json:
        print(json.dumps(found.as_json()))
    else:
        print("\n".join(found.summary_lines()))
    if not getattr(found, "intact", True):
        raise typer.Exit(1)


def _verified(run: Path) -> Verification:
    """Which frames of a run, or rows of a study, are intact."""
    from granum.io.runfile import verify_run_file
    from granum.io.runfile.bookkeeping import holds
    from granum.studies.table import STUDY

    return verify_run_file(run, STUDY) if holds(run, STUDY) else verify_run_file(run)


def _described(scene: Path) -> Description:
    """What a scene is."""
    from granum.io.scenefile import load_scene, naming
    from granum.run.check import check

    loaded = load_scene(scene)
    with naming(scene):
        return check(loaded)


command.__name__ = "check"
