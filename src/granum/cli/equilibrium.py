"""`granum equilibrium`: where a scene can be at rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.cli.options import AsJson, FormulationName, SceneFile


def command(
    scene: SceneFile,
    formulation: FormulationName = None,
    nearest: Annotated[bool, typer.Option("--nearest", help="Take the nearest equilibrium, stable or not.")] = False,
    ramp: Annotated[list[str] | None, typer.Option(
        metavar="LOAD", show_default=False, help="Load that grows from zero during the search; repeatable.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="none",
                                                help="Run file with the equilibrium as its last frame.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find a static equilibrium of a scene.

    The search goes downhill from the initial state of the scene. A scene starts from the equilibrium with
    [start] from = "RUN.h5".
    """
    from granum.analytic.equilibrium import equilibrium
    from granum.io.scenefile import load_scene, naming

    loaded = load_scene(scene)
    with naming(scene):
        found = equilibrium(loaded, stable=not nearest, ramp=ramp or (), formulation=formulation)
        if output is not None:
            found.run(output)
    coordinates = dict(zip(found.coordinates, found.q.tolist(), strict=True))
    if as_json:
        print(json.dumps({"stable": found.stable, "coordinates": coordinates, "reactions": dict(found.reactions),
                          "frequencies": found.linear.frequencies.tolist(), "file": output and str(output)}))
        return
    print(f"{'Stable' if found.stable else 'Unstable'} equilibrium: {repr(found.linear).partition(': ')[2][:-1]}")
    for title, values in (("coordinate", coordinates), ("reaction", found.reactions)):
        wide = max([len(title), *map(len, values)])
        print(f"\n{title:{wide}} {'value':>16}")
        for name, value in values.items():
            print(f"{name:{wide}} {value:>16.9g}")
    if output is not None:
        print(f"\nWritten: {output}")
