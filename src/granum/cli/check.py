"""`granum check`: describe a scene, or verify the file of a run or a study."""

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
    file: Annotated[Path, typer.Argument(metavar="SCENE.toml|RUN.h5", help="Scene file, run file, or study table.",
                                         show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Describe a scene, or verify a run file or study table.

    The description covers bodies, links, loops, degrees of freedom, redundant links and the initial state. Verification
    compares all checksums and lists damaged frames or rows; the exit code is 1 if there are any.
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
