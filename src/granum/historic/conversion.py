"""Input files of the pipe program of Sun (1996) for `granum run`, studies and `granum convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from granum.base.text import count
from granum.historic.pipe_input import read_legacy
from granum.io.conversion import Conversion, quoted, write
from granum.model.scene import Scene


def read(path: Path) -> tuple[Scene, str]:
    """The scene that an input file means, and its TOML text."""
    return read_legacy(path)


def convert(asked: Conversion) -> tuple[dict[str, Any], str]:
    """A scene; what has no counterpart becomes a comment."""
    new, laws = asked.new, asked.laws
    scene, text = read_legacy(asked.old[0], asked.as_published, laws)
    write(new, text.encode(), asked.overwrite)
    batch = sum(len(source.positions or ()) for source in scene.source.values())
    every = min(source.interval for source in scene.source.values())
    return ({"grains_of_a_batch": batch, "interval": every, "boundaries": len(scene.boundary),
             "as_published": asked.as_published, "laws": laws},
            f"Written: {new} ({count(batch, 'grain')} every {every:g} s, {count(len(scene.boundary), 'boundary')}, "
            f"contact laws of the {laws}). "
            f"Run it: granum run {quoted(new)}")
