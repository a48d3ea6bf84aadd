"""Input for LAMMPS, and runs from what it wrote, for `granum convert`."""

from __future__ import annotations

from typing import Any

from granum.base.errors import GranumError
from granum.base.text import count
from granum.io.conversion import Conversion, quoted, write
from granum.io.scenefile import load_scene_and_text
from granum.lammps.running import read_back, write_input


def convert(asked: Conversion) -> tuple[dict[str, Any], str]:
    """Input from a scene, or a run from dumps."""
    return _to_run(asked) if asked.new.suffix == ".h5" else _to_input(asked)


def _to_input(asked: Conversion) -> tuple[dict[str, Any], str]:
    """Input for LAMMPS on another machine, with its data file."""
    old, new = asked.old[0], asked.new
    loaded, _ = load_scene_and_text(old)
    script = write_input(loaded, new, lambda file, content: write(file, content, asked.overwrite))
    grains, steps = script.world.grains.count, script.frame_steps()[-1]
    return ({"data": f"{new}.data", "grains": grains, "steps": steps, "dumps": script.dumped},
            f"Written: {new} and {new}.data ({count(grains, 'grain')}, {count(steps, 'step')}). Run it where LAMMPS is "
            f"installed, for example: mpiexec -n 64 lmp -in {quoted(new)}\n"
            f"Then convert the result: granum convert dump.* RUN.h5 --scene {quoted(old)}")


def _to_run(asked: Conversion) -> tuple[dict[str, Any], str]:
    """A run from the dumps of LAMMPS."""
    if asked.scene is None:
        raise GranumError("LAMMPS dumps contain grains and forces, but neither materials nor boundaries. Give the "
                          "scene that the input was written from: --scene SCENE.toml")
    loaded, text = load_scene_and_text(asked.scene)
    run = read_back(loaded, asked.old, asked.new, asked.overwrite, text)
    return ({"frames": len(run.t), "t": float(run.t[-1]), "finished": run.finished},
            f"Written: {asked.new} ({count(len(run.t), 'frame')} up to t = {run.t[-1]:g} s). "
            f"View it: granum view {quoted(asked.new)}")
