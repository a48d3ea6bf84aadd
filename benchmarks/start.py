"""`python -m benchmarks start`: what a warm start costs, the processor time of `granum run` on small scenes.

Each scene runs in processes of its own. The first one compiles missing kernels and bytecode and is not counted; of the
others the least processor time is reported, beside that of a process which only loads the same modules.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import ROOT

BAR = 1.2
"""Seconds that a warm run of a small scene may take."""
REPEATS = 3
UNTIL = {"bouncing-ball": 1.0, "pendulum": 0.1, "four-bar": 0.1, "hopper": 0.02, "rolling-shell": 0.1,
         "rattleback": 0.1, "slider-crank": 0.1}
"""Examples, and the end of their runs [s]: long enough for all kernels, short enough that the start is what counts."""


@dataclass(frozen=True)
class Start:
    """What one scene took, warm."""

    scene: str
    cpu_seconds: float
    """Of the whole process."""
    import_seconds: float
    """Of a process that loads the same modules and does nothing else."""
    modules: int
    """How many these are."""


@dataclass(frozen=True)
class Result:
    """All scenes."""

    starts: list[Start]

    def summary_lines(self) -> list[str]:
        """A row for each scene."""
        return [f"Warm `granum run` of small scenes, CPU seconds (least of {REPEATS}); the bar is {BAR} s:",
                f"  {'scene':16}{'CPU s':>8}{'imports s':>11}{'modules':>9}",
                *(f"  {one.scene:16}{one.cpu_seconds:8.2f}{one.import_seconds:11.2f}{one.modules:9d}"
                  f"{'' if one.cpu_seconds <= BAR else '   above the bar'}" for one in self.starts)]

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {"bar": BAR, "starts": [asdict(one) for one in self.starts]}


def measure() -> Result:
    """All scenes, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        return Result([_measured(ROOT / "examples" / f"{name}.toml", until, Path(folder))
                       for name, until in UNTIL.items()])


def _measured(scene: Path, until: float, folder: Path) -> Start:
    run = ["run", str(scene), "--until", str(until), "-o", str(folder / f"{scene.stem}.h5"), "--json"]
    modules = folder / "modules.json"
    _cpu_seconds("benchmarks.start", str(modules), *run)
    return Start(scene.stem, min(_cpu_seconds("granum", *run) for _ in range(REPEATS)),
                 min(_cpu_seconds("benchmarks.start", str(modules)) for _ in range(REPEATS)),
                 len(json.loads(modules.read_text())))


def _cpu_seconds(module: str, *arguments: str) -> float:
    """User and system time of `python -m MODULE ARGUMENTS`, from the start of the process to its end."""
    # a warm start has bytecode, whatever the environment says
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, capture_output=True, cwd=ROOT,
                   env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _list_modules(file: Path, arguments: list[str]) -> None:
    """Run a command and write the names of all modules it has loaded, in the order of loading."""
    from granum.cli.__main__ import main

    sys.argv = ["granum", *arguments]
    try:
        main()
    finally:
        file.write_text(json.dumps([name for name in sys.modules if name != "__main__"]))


def _load_modules(file: Path) -> None:
    """Load these modules and do nothing else, with the garbage collector as the command line sets it."""
    import gc

    from granum.cli.__main__ import ALLOCATIONS

    gc.set_threshold(ALLOCATIONS)
    for name in json.loads(file.read_text()):
        try:
            import_module(name)
        except ImportError:  # made by another module, not loaded from a file
            continue
    gc.freeze()


if __name__ == "__main__":
    if sys.argv[2:]:
        _list_modules(Path(sys.argv[1]), sys.argv[2:])
    else:
        _load_modules(Path(sys.argv[1]))
