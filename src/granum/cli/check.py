"""`granum check`: describe a scene, or verify the file of a run or a study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from granum.base.errors import GranumError
from granum.cli.options import AsJson

if TYPE_CHECKING:
    from granum.io.runfile import Verification
    from granum.model.scene import Scene
    from granum.run.check import Description


def command(
    file: Annotated[Path, typer.Argument(metavar="SCENE.toml|RUN.h5", help="Scene file, run file, or study table.",
                                         show_default=False)],
    picture: Annotated[Path | None, typer.Option("--picture", metavar="FILE.png", show_default=False,
                                                 help="Draw the initial configuration of a scene.")] = None,
    as_json: AsJson = False,
) -> None:
    """Describe a scene, or verify a run file or study table.

    The description covers bodies, links, loops, degrees of freedom, redundant links, the initial state and other ways
    to assemble it. Verification compares all checksums and lists damaged frames or rows; the exit code is 1 if there
    are any.
    """
    recorded = file.suffix in (".h5", ".hdf5")
    if recorded and picture is not None:
        raise GranumError(f"--picture draws the start of a scene. Use `granum export {file} --to png` for a run.")
    found = _verified(file) if recorded else _described(file, picture)
    if as_json:
        print(json.dumps({**found.as_json(), **({"picture": str(picture)} if picture is not None else {})}))
    else:
        print("\n".join(found.summary_lines() + ([f"Drawn: {picture}"] if picture is not None else [])))
    if not getattr(found, "intact", True):
        raise typer.Exit(1)


def _verified(run: Path) -> Verification:
    """Which frames of a run, or rows of a study, are intact."""
    from granum.io.runfile import verify_run_file
    from granum.io.runfile.bookkeeping import holds
    from granum.studies.table import STUDY

    return verify_run_file(run, STUDY) if holds(run, STUDY) else verify_run_file(run)


def _described(scene: Path, picture: Path | None) -> Description:
    """What a scene is; its bodies and joints are drawn as they start where a picture is asked for."""
    from granum.io.scenefile import load_scene, naming
    from granum.run.check import check

    loaded = load_scene(scene)
    with naming(scene):
        description = check(loaded)
        if picture is not None:
            _drawn(loaded, picture)
    return description


def _drawn(scene: Scene, picture: Path) -> None:
    from granum.run.simulation import Simulation
    from granum.run.subject import subject_of
    from granum.view.films.film import still

    still(Simulation.of(subject_of(scene), None).run, picture, frame=0, colour="none")


command.__name__ = "check"
