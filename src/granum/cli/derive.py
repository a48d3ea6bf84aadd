"""`granum derive`: the equations of motion of a scene, as text, LaTeX, a web page or code."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import FORMATS, PROGRAMS, one_of
from granum.cli.options import AsJson, CoordinateNames, FormulationName, QuasiVelocities, SceneFile


def command(
    scene: SceneFile,
    formulation: FormulationName = None,
    coordinates: CoordinateNames = None,
    quasi: QuasiVelocities = None,
    form: Annotated[str, typer.Option("--format", help=f"Output format: {one_of(FORMATS)}.")] = "text",
    steps: Annotated[bool, typer.Option("--steps", help="Write all steps of the derivation.")] = False,
    shared: Annotated[bool, typer.Option("--shared", help="Define common subexpressions once.")] = False,
    angles: Annotated[bool, typer.Option("--angles", help="Write newton-euler of links in 2-D by angles of the "
                                                          "links.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", show_default="standard output",
                                                help="Output file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the equations of motion of a scene, as its formulation derives them.

    Text, LaTeX documents and web pages keep masses, lengths and other constants as symbols, with a table of their
    values. Generated Python and C code is self-contained.
    """
    from granum.analytic.derive import derive
    from granum.base.errors import GranumError, pick
    from granum.io.scenefile import load_scene, naming

    pick(form, FORMATS, "format")
    loaded = load_scene(scene)
    with naming(scene):
        other = formulation if coordinates or quasi else None  # whose coordinates and quasi-velocities these are
        own = loaded.with_run(formulation=other, coordinates=coordinates, quasi=quasi or None)
        equations = derive(own, formulation)
        written = equations.code(form, steps=steps, shared=shared, angles=angles)
        shown = equations.derivation_in_angles if angles else equations.derivation
        symbols = shown().used(steps) if as_json and form not in PROGRAMS else []
    if output is not None:
        try:
            output.write_text(written, "utf-8")
        except OSError as error:
            raise GranumError(f"{output} cannot be written: {error.strerror}. Give another file with -o.") from None
    if as_json:
        print(json.dumps({"formulation": equations.formulation, "format": form, "file": output and str(output),
                          "coordinates": list(equations.coordinates), "equations": written,
                          "symbols": [asdict(symbol) for symbol in symbols]}))
    else:
        print(written.rstrip() if output is None else f"Written: {output}")
