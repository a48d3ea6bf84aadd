"""GRANUM_COMPILER=stock compiles kernels with Numba as it is: same results, a cache of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import h5py
import numba
import pytest

import granum as gr
from granum.base import compilers
from granum.base.errors import GranumError
from granum.io.runfile import provenance
from messages import refused, says

ROOT = Path(__file__).parents[2]
BASE = ROOT / "src" / "granum" / "base"
COMPILERS = ("granum", "stock")

KERNELS = """
import sys

import numpy as np
from numba.core import event

from granum.base.compilers import chosen
from granum.base.kernels import inlined, kernel, parallel_kernel, small_kernel
from granum.base.pointers import call_rates, carray, right_hand_side


@inlined
def product(x, k):
    return x[k] * x[k + 1]


@small_kernel
def sum_of_products(x, factor):
    total = 0.0
    for k in range(len(x) - 1):
        total += factor * product(x, k) + x[-1] / (k + 1)
    return total


@right_hand_side
def falling(t, y_, dy_, data_):
    y, dy, data = carray(y_, 2), carray(dy_, 2), carray(data_, 1)
    dy[0], dy[1] = y[1], -data[0] * t
    return 12


@kernel
def call(address, y, dy, data):
    return call_rates(address, 0.5, y, dy, data)


with event.install_recorder("numba:compile") as compiled:
    x, dy = np.linspace(0.1, 1.7, 1001), np.zeros(2)
    status = call(falling.address, x[:2].copy(), dy, np.array([9.81]))
    print(chosen(), sum_of_products(x, 1.0 / 3.0).hex(), status, *(value.hex() for value in dy.tolist()))
print(len([record for _, record in compiled.buffer if record.is_start]))
"""


def run(code: str, compiler: str, folder: Path, cache: Path | None = None) -> list[str]:
    """Lines that a script prints in a process of its own."""
    (folder / "script.py").write_text(code, "utf-8")
    more = {} if cache is None else {"GRANUM_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "GRANUM_COMPILER": compiler, **more})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_kernels_have_the_same_bits_and_each_compiler_its_cache(tmp_path: Path) -> None:
    """Each compiles once, whatever the other has compiled; a change of the source compiles again."""
    cache, printed = tmp_path / "kept", {}
    for again in (False, True):
        for name in COMPILERS:
            (_, *values), (count,) = (line.split() for line in run(KERNELS, name, tmp_path, cache))
            assert (int(count) == 0) == again, name
            assert printed.setdefault("values", values) == values, name
    assert len(list(cache.iterdir())) == 2
    changed = KERNELS.replace("return x[k] * x[k + 1]", "return x[k] + x[k + 1]")
    other = {name: run(changed, name, tmp_path, cache)[0].split()[1:] for name in COMPILERS}
    assert other["granum"] == other["stock"] != printed["values"]


def test_kernels_work_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    run(KERNELS, "stock", tmp_path, tmp_path / "file" / "below")
    left = {file.name for file in {*tmp_path.rglob("*")} - {*before}}
    assert left == {"script.py"}  # Numba's own choice would be a folder beside it


RUN = """
import granum as gr

scene = gr.example("{name}")
interval = scene.run.frame_interval
gr.simulate(scene, until=3.0 * interval, interval=interval, output="{compiler}.h5", progress=False)
"""


@pytest.mark.parametrize("name", ["rolling-shell", "pendulum", "slider-crank", "hopper", "clumps", "gate", "silo"])
def test_runs_are_bit_identical(name: str, tmp_path: Path) -> None:
    """Formulas, links, rigid bodies, grains, bodies among grains and joints among them."""
    for compiler in COMPILERS:
        run(RUN.format(name=name, compiler=compiler), compiler, tmp_path)
    one, other = (gr.open_run(tmp_path / f"{compiler}.h5") for compiler in COMPILERS)
    assert [each.metadata["provenance"]["compiler"] for each in (one, other)] == list(COMPILERS)
    arrays = {compiler: _numbers(tmp_path / f"{compiler}.h5") for compiler in COMPILERS}
    assert len(one.t) == 4 and len(arrays["granum"]) > 3
    assert arrays["granum"] == arrays["stock"]


def _numbers(file: Path) -> dict[str, bytes]:
    """All arrays of numbers of a run file, bit by bit; which frames have a checkpoint depends on the clock."""
    with h5py.File(file) as content:
        arrays = [item for item in content.values() if isinstance(item, h5py.Dataset) and item.dtype.kind == "f"]
        return {array.name: array[()].tobytes() for array in arrays}


def test_another_compiler_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compilers.VARIABLE, "fast")
    with refused(GranumError, "GRANUM_COMPILER", '"fast"', '"granum"', '"stock"'):
        compilers.chosen()


def test_the_command_line_refuses_it_too() -> None:
    done = subprocess.run([sys.executable, "-m", "granum.cli", "check", str(ROOT / "examples/pendulum.toml")],
                          capture_output=True, text=True, check=False, env={**os.environ, "GRANUM_COMPILER": "fast"})
    assert done.returncode == 2 and "Traceback" not in done.stderr
    says(done.stderr, "GRANUM_COMPILER", '"fast"', '"stock"')


def test_another_version_of_numba_is_refused_unless_stock_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", "0.70.1")
    monkeypatch.setenv(compilers.VARIABLE, "")
    with refused(GranumError, "0.70.1", compilers.NUMBA, "GRANUM_COMPILER=stock"):
        compilers.chosen()
    monkeypatch.setenv(compilers.VARIABLE, "stock")
    assert compilers.chosen() == "stock"


def test_the_version_is_the_one_that_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (pin,) = (each for each in project["dependencies"] if each.startswith("numba"))
    major, minor = map(int, compilers.NUMBA.split("."))
    assert pin == f"numba>={major}.{minor},<{major}.{minor + 1}"


def test_resuming_with_another_compiler_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {"provenance": provenance.provenance(), "versions": provenance.versions()}
    assert not provenance.difference(before)
    monkeypatch.setenv(compilers.VARIABLE, "stock" if compilers.chosen() == "granum" else "granum")
    (change,) = provenance.difference(before)
    says(change, "compiler", "granum", "stock")


def test_only_two_files_know_the_insides_of_numba() -> None:
    """What docs/dev/decisions.md says breaks when Numba moves is in `compiler` and `lowering`; the rest is documented
    (`numba.core.event`, `numba.extending`) or so old that it is safe to rely on.
    """
    allowed = {"numba", "numba.core.event", "numba.core.config", "numba.core.cgutils", "numba.core.errors.TypingError",
               "numba.extending.intrinsic", "numba.np.numpy_support.from_dtype",
               "numba.np.unsafe.ndarray.to_fixed_tuple", "numba.types"}
    used: dict[str, set[str]] = {}
    for file in sorted((ROOT / "src" / "granum").rglob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text if "numba" in text else "")):
            if isinstance(node, ast.Import):
                names = {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {f"{node.module}.{each.name}" for each in node.names}
            else:
                continue
            used.setdefault(file.name, set()).update(name for name in names if name.partition(".")[0] == "numba")
    inside = {name for name, names in used.items() if names - allowed}
    assert inside == {"compiler.py", "lowering.py"}
