"""`make release-check`: is what would be released complete, and does it work on a machine that has nothing of Granum?

Builds the sdist and the wheel for all machines, beside the wheel with kernels that `make wheel` has left in dist/.
Checks their metadata with twine and their contents, installs each in a fresh environment, and takes the first steps of
the tutorial there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
PACKED = ("granum/py.typed", "granum/__init__.pyi", "granum/view/page/client/LICENSES.md", "LICENSE")
"""What must be in every file of a release: the ends of paths in it."""
STEPS = (
    ("granum", "--version"), ("granum", "example", "hopper"), ("granum", "check", "hopper.toml"),
    ("granum", "run", "hopper.toml"), ("granum", "plot", "hopper.h5", "grains", "-o", "hopper.png"),
    ("granum", "export", "hopper.h5", "--to", "html"), ("python", "lines.py"), ("python", "-m", "granum", "--version"))
"""The first five minutes."""
LINES = """
import granum as gr

scene = gr.example("pendulum")
run = gr.simulate(scene, until=0.5, progress=False)
print(run, run.position("bob-50")[-1], run.reaction("rod-3").tension.max())
equations = gr.derive(gr.example("four-bar"))
print(equations)
disk = gr.Disk(radius="5 cm", mass="1 kg")
assert disk.radius == 0.05
try:
    gr.Disk(radius="5 kg")
except gr.SceneError as error:
    print(error)
else:
    raise SystemExit("A radius in kg was accepted.")
"""


class Verdict(NamedTuple):
    """How one file did."""

    file: str
    megabytes: float
    install: float
    """[s]"""
    steps: float
    """The first five minutes, as long as they take a program [s]."""
    compiled: list[str]
    """Kernels that had to be compiled: their files in the cache."""


def main() -> None:
    """Build, check, install, try; the last lines are the verdict."""
    kernels = sorted(DIST.glob(f"granum-{VERSION}-cp*.whl"))
    if not kernels:
        raise SystemExit(f"dist/ has no wheel with kernels of version {VERSION}: run make wheel first.")
    _run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    files = [DIST / f"granum-{VERSION}.tar.gz", DIST / f"granum-{VERSION}-py3-none-any.whl", *kernels]
    _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, files))
    for file in files:
        _refuse_incomplete(file)
    verdicts = [_try(file) for file in files]
    print(f"\nGranum {VERSION}: {len(files)} files, each complete, accepted by twine, installed in a fresh environment "
          f"and through {len(STEPS)} steps.")
    for one in verdicts:
        print(f"  {one.file}: {one.megabytes:.1f} MB, installed in {one.install:.0f} s, steps {one.steps:.0f} s, "
              f"kernels compiled: {len(one.compiled)}")
    if compiled := [name for one in verdicts[2:] for name in one.compiled]:
        raise SystemExit(f"The wheel with kernels should compile nothing, but compiled {', '.join(compiled)}.")


def _run(*command: str, **options: object) -> None:
    print("$", " ".join(Path(part).name if os.sep in part else part for part in command), flush=True)
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]


def _refuse_incomplete(file: Path) -> None:
    """Refuse a file that lacks licences, types or examples."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    else:
        with tarfile.open(file) as packed:
            names = packed.getnames()
    examples = [name for name in names if "/examples/" in name and name.endswith(".toml")]
    missing = [part for part in PACKED if not any(name.endswith(part) for name in names)]
    if missing or len(examples) != len(list((ROOT / "examples").glob("*.toml"))):
        raise SystemExit(f"{file.name} lacks {', '.join(missing) or 'examples'}.")


def _try(file: Path) -> Verdict:
    """Install a file in a fresh environment and take the steps there, in an empty folder with an empty cache."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        scripts, work, cache = folder / "venv" / "bin", folder / "work", folder / "cache"
        work.mkdir()
        (work / "lines.py").write_text(LINES, "utf-8")
        began = time.perf_counter()
        _run(str(scripts / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(file))
        installed = time.perf_counter()
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GRANUM"))}
        environment["GRANUM_CACHE_DIR"] = str(cache)
        for step in STEPS:
            _run(str(scripts / step[0]), *step[1:], cwd=work, env=environment)
        done = time.perf_counter()
        missing = [left for left in ("hopper.h5", "hopper.png", "hopper.html") if not (work / left).is_file()]
        if missing:
            raise SystemExit(f"{file.name}: the steps left no {', '.join(missing)}.")
        kernels = [f"{kept.parent.name}/{kept.name}" for kept in cache.rglob("*") if kept.suffix in (
            ".called", ".address")]
        return Verdict(file.name, file.stat().st_size / 1e6, installed - began, done - installed, kernels)


if __name__ == "__main__":
    main()
