"""`granum convert`: a scene from a robot or an old input file, input for LAMMPS from a scene, a run from its dumps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.base.errors import GranumError
from granum.base.extensions import extension, function_of, picked
from granum.cli.options import AsJson, Overwrite
from granum.io.conversion import Conversion


def command(
    old: Annotated[list[Path], typer.Argument(
        metavar="OLD...", show_default=False,
        help="ROBOT.urdf, MODEL.xml (MJCF), OLD.inp (input file of the program in Sun 1996, Appendix E), SCENE.toml, "
             "or LAMMPS dump files dump.*.")],
    new: Annotated[Path, typer.Argument(
        metavar="NEW", help="Scene NEW.toml, LAMMPS input NEW.lammps, or run NEW.h5.", show_default=False)],
    scene: Annotated[Path | None, typer.Option(
        "--scene", metavar="SCENE.toml", show_default=False, help="Scene that the dumps belong to.")] = None,
    as_published: Annotated[bool, typer.Option(
        "--as-published", help="OLD.inp: keep the published positions, with overlapping batches.")] = False,
    laws: Annotated[str, typer.Option(
        "--laws", metavar="NAME", help="OLD.inp: laws of contact: of the program, which made the published figures and "
        "has three times the friction at walls, or of the text.")] = "program",
    free_base: Annotated[bool, typer.Option(
        "--free-base", help="ROBOT.urdf: the root link is free; default: fixed to the ground.")] = False,
    keyframe: Annotated[str, typer.Option(
        "--keyframe", metavar="NAME", show_default="the reference configuration",
        help="MODEL.xml: keyframe to start from, by name or index.")] = "",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Convert files; the suffixes select the conversion.

    ROBOT.urdf NEW.toml, MODEL.xml NEW.toml: a scene from a robot description (URDF, or MJCF of MuJoCo); what has no
    counterpart is listed by name. OLD.inp NEW.toml: a scene from an input file of the program in Sun (1996). SCENE.toml
    NEW.lammps: LAMMPS input from a scene. dump.* NEW.h5: a run from the dumps that LAMMPS wrote with such input.
    """
    if new.suffix != ".h5" and len(old) != 1:
        raise GranumError(f"found {len(old)} files to convert to {new}, but only LAMMPS dumps, converted to a run "
                          "NEW.h5, may be several. Give one file.")
    if new.suffix != ".h5" and new.resolve() == old[0].resolve():
        raise GranumError(f"{new} is the input file itself. Give another output file.")
    written, given = (file.suffix.lower().removeprefix(".") for file in (new, old[0]))
    own = extension("conversion", written) or picked("conversion", given, "conversion of files with the suffix")
    report, told = function_of(own, "convert")(
        Conversion(old, new, scene, as_published, laws, free_base, keyframe, overwrite))
    print(json.dumps({"file": str(new), **report}) if as_json else told)
