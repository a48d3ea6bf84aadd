"""Kinds of files that survive their process: runs, whose rows are frames, and others made by the same machinery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from granum.io.runfile.layout import FORMAT, Layout
from granum.io.runfile.metadata import decoded


class Format(NamedTuple):
    """A kind of file: its name in the file, its words in messages, and how its metadata are read."""

    name: str
    """With a version at its end, such as `granum-run-4`."""
    thing: str
    """What is in a file: a run, a study."""
    row: str
    """What its rows are: frames, rows."""
    makes: str
    """The command that makes such a file, without its output."""
    again: str
    """What to do about a file that is damaged."""
    decode: Callable[[bytes], tuple[dict[str, Any], Layout]]
    """Metadata and the arrays they declare; raises ValueError with what is wrong."""

    @property
    def made(self) -> str:
        """How such a file is made, as a sentence."""
        return f"`{self.makes} -o {self.thing.upper()}.h5` writes a {self.thing} file."


RUN = Format(FORMAT, "run", "frame", "granum run SCENE.toml", "Copy it again, or run its scene again.", decoded)
KINDS = {"run": "granum run", "study": "granum study"}
"""Commands that write files, by what is in them."""
