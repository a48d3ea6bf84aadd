"""What `granum convert` asks of those who convert; files that commands write, and their names in what they suggest."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from granum.base.errors import GranumError


class Conversion(NamedTuple):
    """What is to be converted; each conversion has some of these options."""

    old: list[Path]
    new: Path
    scene: Path | None
    as_published: bool
    laws: str
    free_base: bool
    keyframe: str
    overwrite: bool


def write(path: Path, content: bytes, overwrite: bool) -> None:
    """Write a file; one that exists is replaced only if that is asked for."""
    try:
        with path.open("wb" if overwrite else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise GranumError(f"{path} exists. Give another output file, or add --overwrite to replace it.") from None
    except OSError as error:
        raise GranumError(f"{path} cannot be written: {error.strerror}. Give another output file.") from None


def quoted(path: str | Path) -> str:
    """A file name as a shell takes it; those of Windows know no single quotes."""
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))
