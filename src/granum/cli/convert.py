"""`granum convert`: a scene from a robot or an old input file, input for LAMMPS from a scene, a run from its dumps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.base.errors import GranumError
from granum.base.text import count
from granum.cli.files import quoted, write
from granum.cli.options import AsJson, Overwrite

_ROBOTS = (".urdf", ".xml", ".mjcf")


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
    if new.suffix == ".h5":
        report, told = _to_run(old, new, scene, overwrite)
    else:
        if len(old) != 1:
            raise GranumError(f"found {len(old)} files to convert to {new}, but only LAMMPS dumps, converted to a run "
                              "NEW.h5, may be several. Give one file.")
        if new.resolve() == old[0].resolve():
            raise GranumError(f"{new} is the input file itself. Give another output file.")
        if new.suffix == ".lammps":
            report, told = _to_lammps(old[0], new, overwrite)
        elif old[0].suffix.lower() in _ROBOTS:
            report, told = _from_robot(old[0], new, free_base, keyframe, overwrite)
        else:
            report, told = _to_scene(old[0], new, as_published, laws, overwrite)
    print(json.dumps({"file": str(new), **report}) if as_json else told)


def _to_scene(old: Path, new: Path, as_published: bool, laws: str, overwrite: bool) -> tuple[dict[str, Any], str]:
    """A scene; what has no counterpart becomes a comment."""
    from granum.io.legacy import read_legacy

    scene, text = read_legacy(old, as_published, laws)
    write(new, text.encode(), overwrite)
    batch = sum(len(source.positions or ()) for source in scene.source.values())
    every = min(source.interval for source in scene.source.values())
    return ({"grains_of_a_batch": batch, "interval": every, "boundaries": len(scene.boundary),
             "as_published": as_published, "laws": laws},
            f"Written: {new} ({count(batch, 'grain')} every {every:g} s, {count(len(scene.boundary), 'boundary')}, "
            f"contact laws of the {laws}). "
            f"Run it: granum run {quoted(new)}")


def _from_robot(
    old: Path, new: Path, free_base: bool, keyframe: str, overwrite: bool,
) -> tuple[dict[str, Any], str]:
    """A scene of a robot; what has no counterpart is listed here and in the scene."""
    from granum.io.robots.elements import summarised
    from granum.io.robots.reading import read_robot

    robot = read_robot(old, free_base, keyframe)
    scene = robot.scene
    write(new, robot.text.encode(), overwrite)
    movable = sum(body.kind != "fixed-point" for body in scene.body.values())
    left_out = [f"  {line}" for line in summarised(robot.left_out)]
    return ({"bodies": movable, "joints": len(scene.constraint), "actuators": len(scene.actuator),
             "notes": list(robot.notes), "not_converted": [entry._asdict() for entry in robot.left_out]},
            "\n".join([f"Written: {new} ({count(movable, 'body')}, {count(len(scene.constraint), 'joint')}, "
                       f"{count(len(scene.actuator), 'actuator')}). Run it: granum run {quoted(new)}", *robot.notes,
                       *(["Not converted:", *left_out] if left_out else [])]))


def _to_lammps(old: Path, new: Path, overwrite: bool) -> tuple[dict[str, Any], str]:
    """Input for LAMMPS on another machine, with its data file."""
    from granum.engines.lammps.running import write_input
    from granum.io.scenefile import load_scene_and_text

    loaded, _ = load_scene_and_text(old)
    script = write_input(loaded, new, lambda file, content: write(file, content, overwrite))
    grains, steps = script.world.grains.count, script.frame_steps()[-1]
    return ({"data": f"{new}.data", "grains": grains, "steps": steps, "dumps": script.dumped},
            f"Written: {new} and {new}.data ({count(grains, 'grain')}, {count(steps, 'step')}). Run it where LAMMPS is "
            f"installed, for example: mpiexec -n 64 lmp -in {quoted(new)}\n"
            f"Then convert the result: granum convert dump.* RUN.h5 --scene {quoted(old)}")


def _to_run(dumps: list[Path], new: Path, scene: Path | None, overwrite: bool) -> tuple[dict[str, Any], str]:
    """A run from the dumps of LAMMPS."""
    from granum.engines.lammps.running import read_back
    from granum.io.scenefile import load_scene_and_text

    if scene is None:
        raise GranumError("LAMMPS dumps contain grains and forces, but neither materials nor boundaries. Give the "
                          "scene that the input was written from: --scene SCENE.toml")
    loaded, text = load_scene_and_text(scene)
    run = read_back(loaded, dumps, new, overwrite, text)
    return ({"frames": len(run.t), "t": float(run.t[-1]), "finished": run.finished},
            f"Written: {new} ({count(len(run.t), 'frame')} up to t = {run.t[-1]:g} s). "
            f"View it: granum view {quoted(new)}")
