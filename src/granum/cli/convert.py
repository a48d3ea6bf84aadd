"""`granum convert`: a scene from an old input file, input for LAMMPS from a scene, a run from its dumps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.base.errors import GranumError
from granum.cli.files import quoted, write
from granum.cli.options import AsJson, Overwrite


def command(
    old: Annotated[list[Path], typer.Argument(
        metavar="OLD...", help="OLD.inp of the program in Sun (1996), Appendix E; SCENE.toml; or the files dump.* of LAMMPS.",
        show_default=False)],
    new: Annotated[Path, typer.Argument(
        metavar="NEW", help="Scene NEW.toml; input NEW.lammps; or run NEW.h5.", show_default=False)],
    scene: Annotated[Path | None, typer.Option(
        "--scene", metavar="SCENE.toml", show_default=False, help="Scene that the dumps are of.")] = None,
    as_published: Annotated[bool, typer.Option(
        "--as-published", help="OLD.inp: leave the rows of a batch as they are, and let batches overlap.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Convert by the ending of NEW: .toml, a scene from an input file of the thesis' program; .lammps, input for LAMMPS
    from a scene; .h5, a run from the dumps that LAMMPS wrote by such input.
    """
    if new.suffix == ".h5":
        report, told = _to_run(old, new, scene, overwrite)
    else:
        if len(old) != 1:
            raise GranumError(f"found {len(old)} files to convert to {new}, but only dumps, which become a run NEW.h5, "
                              "are more than one.")
        if new.resolve() == old[0].resolve():
            raise GranumError(f"{new} is the input itself. Name another file to write.")
        report, told = _to_lammps(old[0], new, overwrite) if new.suffix == ".lammps" else \
            _to_scene(old[0], new, as_published, overwrite)
    print(json.dumps({"file": str(new), **report}) if as_json else told)


def _to_scene(old: Path, new: Path, as_published: bool, overwrite: bool) -> tuple[dict[str, Any], str]:
    """A scene; what has no counterpart becomes a comment."""
    from granum.io.legacy import read_legacy

    scene, text = read_legacy(old, as_published)
    write(new, text.encode(), overwrite)
    batch = sum(len(source.positions or ()) for source in scene.source.values())
    every = min(source.interval for source in scene.source.values())
    return ({"grains_of_a_batch": batch, "interval": every, "boundaries": len(scene.boundary),
             "as_published": as_published},
            f"Written: {new} ({batch} grains every {every:g} s, {len(scene.boundary)} boundaries). "
            f"Run it: granum run {quoted(new)}")


def _to_lammps(old: Path, new: Path, overwrite: bool) -> tuple[dict[str, Any], str]:
    """Input for LAMMPS on another machine, with its data file."""
    from granum.engines.lammps.running import write_input
    from granum.io.legacy import load_scene_and_text

    loaded, _ = load_scene_and_text(old)
    script = write_input(loaded, new, lambda file, content: write(file, content, overwrite))
    grains, steps = script.world.grains.count, script.frame_steps()[-1]
    return ({"data": f"{new}.data", "grains": grains, "steps": steps, "dumps": script.dumped},
            f"Written: {new} and {new}.data ({grains} grains, {steps} steps). Run it where LAMMPS is, for example: "
            f"mpiexec -n 64 lmp -in {quoted(new)}\nThen bring it home: granum convert dump.* RUN.h5 --scene "
            f"{quoted(old)}")


def _to_run(dumps: list[Path], new: Path, scene: Path | None, overwrite: bool) -> tuple[dict[str, Any], str]:
    """A run from the dumps of LAMMPS."""
    from granum.engines.lammps.running import read_back
    from granum.io.legacy import load_scene_and_text

    if scene is None:
        raise GranumError("Dumps hold grains and forces, but neither materials nor boundaries. Name the scene that the "
                          "input was made from: --scene SCENE.toml")
    loaded, text = load_scene_and_text(scene)
    run = read_back(loaded, dumps, new, overwrite, text)
    return ({"frames": len(run.t), "t": float(run.t[-1]), "finished": run.finished},
            f"Written: {new} ({len(run.t)} frames up to t = {run.t[-1]:g} s). See it: granum view {quoted(new)}")
