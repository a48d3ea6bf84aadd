"""Compiled code is used again where its source is the same, and never where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from granum.base import compiler, kernel_cache
from granum.base.kernels import instance

CALLER = '''
from numba.core import event
from granum.base.kernels import kernel

@kernel
def double(x):
    return {factor} * x

@kernel
def quadruple(x):
    return double(double(x))

if __name__ == "__main__":
    with event.install_recorder("numba:compile") as compiled:
        print(quadruple(1.5), len(compiled.buffer) // 2)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of modules that import each other, in the place of Granum."""
    files = {
        "caller.py": "from granum.callee import (\n    a,\n    b,\n)\nfrom granum.room import shared\n",
        "callee.py": "import granum.deep\n", "deep.py": "from granum.callee import a\n", "room/__init__.py": "",
        "room/shared.py": "x = 1\n", "other.py": "", "__init__.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(kernel_cache, "_PACKAGE", tmp_path)
    return tmp_path


def _hash(package: Path) -> str:
    for kept in (kernel_cache.content_hash, kernel_cache._digest, kernel_cache._imported, kernel_cache._source):
        kept.cache_clear()
    return kernel_cache.content_hash(str(package / "caller.py"))


@pytest.mark.parametrize("name", ["caller.py", "callee.py", "deep.py", "room/shared.py", "room/__init__.py"])
def test_a_change_anywhere_below_a_kernel_changes_its_hash(package: Path, name: str) -> None:
    before = _hash(package)
    with (package / name).open("a") as file:
        file.write("# changed\n")
    assert _hash(package) != before


@pytest.mark.parametrize("name", ["other.py", "__init__.py"])
def test_what_a_kernel_does_not_import_does_not_matter(package: Path, name: str) -> None:
    before = _hash(package)
    with (package / name).open("a") as file:
        file.write("# changed\n")
    assert _hash(package) == before


def test_a_module_that_moved_is_compiled_again(package: Path) -> None:
    before = _hash(package)
    (package / "room" / "shared.py").rename(package / "shared.py")
    (package / "caller.py").write_text((package / "caller.py").read_text().replace("granum.room", "granum.shared"))
    moved = _hash(package)
    (package / "shared.py").rename(package / "renamed.py")
    assert len({before, moved, _hash(package)}) == 3


def _run(script: Path, directory: str) -> list[str]:
    done = subprocess.run([sys.executable, script], env={**os.environ, "GRANUM_CACHE_DIR": directory},
                          capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_second_process_and_a_second_clone_compile_nothing(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    for clone, compiled in (("one", "2"), ("one", "0"), ("two", "0")):
        script = tmp_path / clone / "caller.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(CALLER.format(factor=2.0))
        assert _run(script, kept) == ["6.0", compiled]
    script.write_text(CALLER.format(factor=4.0))
    assert _run(script, kept) == ["24.0", "2"]


def test_a_kernel_that_only_kernels_have_called_is_called_by_python(tmp_path: Path) -> None:
    """Its intermediate code is kept, and machine code is made of it."""
    (tmp_path / "caller.py").write_text(CALLER.format(factor=2.0))
    for kernel, value in (("quadruple", "6.0"), ("double", "3.0")):
        done = subprocess.run([sys.executable, "-c", f"import caller; print(caller.{kernel}(1.5))"], cwd=tmp_path,
                              env={**os.environ, "GRANUM_CACHE_DIR": str(tmp_path / "kept")}, capture_output=True,
                              text=True, check=True)
        assert done.stdout.split() == [value]


def test_a_damaged_file_is_compiled_again(tmp_path: Path) -> None:
    script, kept = tmp_path / "caller.py", tmp_path / "kept"
    script.write_text(CALLER.format(factor=2.0))
    assert _run(script, str(kept)) == ["6.0", "2"]
    files = [file for file in kept.rglob("*") if file.is_file()]
    assert {file.suffix for file in files} == {".linked", ".called"}
    for file in files:
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert _run(script, str(kept)) == ["6.0", "2"]


def test_kernels_work_where_nothing_can_be_written(tmp_path: Path) -> None:
    script = tmp_path / "caller.py"
    script.write_text(CALLER.format(factor=2.0))
    (tmp_path / "file").write_text("")
    assert _run(script, str(tmp_path / "file" / "below")) == ["6.0", "2"]


def test_a_copy_of_a_template_is_stale_where_the_module_of_its_scope_changed() -> None:
    """dop853 and radau share the text of their driver: each copy is kept for the file that says what it calls."""
    from granum.integrate import dop853, event_search, radau

    folders = []
    for module in (dop853, radau):
        copy = instance(event_search.try_step, {**vars(event_search), **vars(module)}, "copy")
        folders.append(kernel_cache.KernelCache(copy, str(compiler.__file__)).folder)
        assert kernel_cache.content_hash(str(module.__file__)) in folders[-1]
    assert folders[0] != folders[1]
