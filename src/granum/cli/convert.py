"""`granum convert`: a scene file from an input file of the program in 002 Appendix E."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.cli.options import AsJson


def command(
    old: Annotated[Path, typer.Argument(metavar="OLD.inp", help="Input file of the program in 002 Appendix E.",
                                        show_default=False)],
    new: Annotated[Path, typer.Argument(metavar="NEW.toml", help="Scene file to write.", show_default=False)],
    as_published: Annotated[bool, typer.Option(
        "--as-published", help="Leave the rows of a batch as they are, and let batches overlap.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write an input file of the thesis' program as a scene; what has no counterpart becomes a comment."""
    from granum.base.errors import GranumError
    from granum.io.legacy import read_legacy

    scene, text = read_legacy(old, as_published)
    if new.resolve() == old.resolve():
        raise GranumError(f"{new} is the input itself. Name another file for the scene.")
    try:
        with new.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise GranumError(f"{new} exists. Name another file, or add --overwrite to replace it.") from None
    except OSError as error:
        raise GranumError(f"{new} cannot be written: {error.strerror}.") from None
    batch = sum(len(source.positions or ()) for source in scene.source.values())
    every = min(source.interval for source in scene.source.values())
    if as_json:
        print(json.dumps({"file": str(new), "grains_of_a_batch": batch, "interval": every,
                          "boundaries": len(scene.boundary), "as_published": as_published}))
    else:
        print(f"Written: {new} ({batch} grains every {every:g} s, {len(scene.boundary)} boundaries). "
              f"Run it: granum run {new}")
