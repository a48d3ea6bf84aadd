"""Dumps of LAMMPS: text files, one for each frame and subject, named `dump.SUBJECT.STEP`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats


class Dump(NamedTuple):
    """One file."""

    step: int
    time: float
    """[s]; NaN where the file does not say."""
    columns: list[str]
    rows: Floats
    """(rows, columns)"""


def read_dump(path: Path) -> Dump:
    """Read a dump of style custom or local with one frame; refuses anything else with what was found."""
    step, time, count = None, float("nan"), None
    try:
        with path.open() as file:
            while line := file.readline():
                item = line.removeprefix("ITEM:").strip()
                if item == line.strip():
                    raise ValueError(f'found "{line.strip()[:60]}" where an item such as "ITEM: TIMESTEP" is expected')
                if item == "TIMESTEP":
                    step = int(file.readline())
                elif item == "TIME":
                    time = float(file.readline())
                elif item.startswith("NUMBER OF"):
                    count = int(file.readline())
                elif item == "UNITS":
                    file.readline()
                elif item.startswith("BOX BOUNDS"):
                    for _ in range(3):
                        file.readline()
                elif step is None or count is None:
                    raise ValueError("rows come before the step and their number")
                else:
                    columns = item.split()[1:]
                    return Dump(step, time, columns, _rows(file.read(), count, len(columns)))
    except (OSError, ValueError) as error:
        raise GranumError(f"{path} is not a LAMMPS dump that Granum can read: {error}.") from None
    raise GranumError(f"{path} is not a LAMMPS dump that Granum can read: it ends before its rows.")


def _rows(text: str, count: int, columns: int) -> Floats:
    """Rows of numbers; as many as the file announced."""
    values = np.array(text.split(), dtype=float)
    if len(values) != count * columns:
        raise ValueError(f"it declares {count} rows of {columns} numbers but has {len(values)} numbers")
    return values.reshape(count, columns)


def by_step(paths: Iterable[Path]) -> dict[str, dict[int, Path]]:
    """Files by subject and step, from their names."""
    found: dict[str, dict[int, Path]] = {}
    for path in paths:
        parts = path.name.split(".")
        if len(parts) != 3 or parts[0] != "dump" or not parts[2].isdigit():
            raise GranumError(f"{path} has an unknown name: dumps of an input file by Granum are named "
                              "dump.SUBJECT.STEP, such as dump.grains.1000.")
        found.setdefault(parts[1], {})[int(parts[2])] = path
    return found
