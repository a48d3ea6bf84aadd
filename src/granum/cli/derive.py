"""`granum derive`: the equations of motion of a scene, as text, LaTeX or code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import FORMATS, one_of
from granum.cli.options import AsJson, FormulationName, SceneFile


def command(
    scene: SceneFile,
    formulation: FormulationName = None,
    form: Annotated[str, typer.Option("--format", help=f"Output format: {one_of(FORMATS)}.")] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", show_default="standard output",
                                                help="Output file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the equations of motion of a scene.

    Generated Python and C code is self-contained.
    """
    from granum.analytic.derive import derive
    from granum.base.errors import GranumError, pick
    from granum.io.scenefile import load_scene, naming

    pick(form, FORMATS, "format")
    loaded = load_scene(scene)
    with naming(scene):
        equations = derive(loaded, formulation)
        written = equations.code(form)
    if output is not None:
        try:
            output.write_text(written, "utf-8")
        except OSError as error:
            raise GranumError(f"{output} cannot be written: {error.strerror}. Give another file with -o.") from None
    if as_json:
        print(json.dumps({"formulation": equations.formulation, "format": form, "file": output and str(output),
                          "coordinates": list(equations.coordinates), "equations": written}))
    else:
        print(written.rstrip() if output is None else f"Written: {output}")
