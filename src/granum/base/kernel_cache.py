"""Where compiled kernels are kept, and when they are stale.

Numba's own stamp covers the file of a kernel, not the files of the kernels it calls: a caller compiled with an old
callee would silently give old results. Here a kernel is kept under a hash of its module and of every Granum module that
it imports, directly or indirectly. So changed code is always compiled again, and clones and environments of the
same code share one cache in the user's cache directory. Numba adds its version and the processor's features.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import config as _config

_IMPORT = re.compile(r"^from (granum[\w.]*) import (\([^)]*\)|[^\n]*)|^import (granum[\w.]*)", re.MULTILINE)
_PACKAGE = Path(__file__).resolve().parents[1]
LOCATOR = f"{__name__}.KernelLocator"
config = cast(Any, _config)
if config.THREADING_LAYER == "default":
    # GNU OpenMP, Numba's own choice without TBB, ends a process that was forked after a parallel loop, such as a worker
    # of a process pool. TBB or Numba's workqueue survive it; NUMBA_THREADING_LAYER chooses another.
    config.THREADING_LAYER = "forksafe"


def directory() -> Path:
    """The directory of compiled kernels: `GRANUM_CACHE_DIR`, or `granum` in the user's cache directory."""
    if own := os.environ.get("GRANUM_CACHE_DIR"):
        return Path(own)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or "~/.cache").expanduser() / "granum" / "kernels"


@cache
def writable() -> bool:
    """Can kernels be kept? Otherwise they live as long as the process."""
    try:
        directory().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(directory(), os.W_OK | os.X_OK)


@cache
def content_hash(file: str) -> str:
    """Hash of a source file and of all Granum modules it imports, directly or not."""
    first = Path(file).resolve()
    files, waiting = {first}, [first]
    while waiting:
        new = [path for path in _imported(waiting.pop()) if path not in files]
        files.update(new)
        waiting += new
    digest = blake2b(_digest(first), digest_size=12)
    for path in sorted(files - {first}):
        digest.update(_digest(path))
    return digest.hexdigest()


@cache
def _digest(file: Path) -> bytes:
    """Hash of one file and its name: compiled code names the modules it came from, so one that has moved is stale."""
    module = file.relative_to(_PACKAGE).as_posix() if file.is_relative_to(_PACKAGE) else file.name
    return blake2b(module.encode() + b"\n" + file.read_bytes()).digest()


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """Granum modules that a file names in its import statements at module level."""
    modules = []
    for package, names, module in _IMPORT.findall(file.read_text(encoding="utf-8")):
        modules.append(package or module)
        modules += [f"{package}.{name}" for name in re.findall(r"\w+", names)]
    return tuple(path for module in modules for path in [_source(module)] if path is not None)


@cache
def _source(module: str) -> Path | None:
    """The file of a Granum module; None for a name that is no module."""
    path = _PACKAGE.joinpath(*module.split(".")[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return None if file == _PACKAGE / "__init__.py" else file  # the package itself holds no kernels
    return None


class KernelLocator:
    """Tells Numba where the machine code of one kernel is kept; the path itself says which source it came from."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file  # Numba names it in its warnings
        self._line = function.__code__.co_firstlineno
        self._stamp = content_hash(file)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> KernelLocator:
        """The locator of a kernel."""
        return cls(function, file)

    def get_cache_path(self) -> str:
        """Directory of the compiled kernels of one module."""
        return str(directory() / f"{Path(self._py_file).stem}-{self._stamp}")

    def ensure_cache_path(self) -> None:
        """Make that directory."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """What must be the same for compiled code to be used."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """What tells apart functions of one name in a module: the file name of compiled code carries it."""
        return str(self._line)


@contextmanager
def _locating() -> Iterator[None]:
    """Functions that are decorated meanwhile are kept here; those of the user stay where Numba puts them."""
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = LOCATOR
    try:
        yield
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def compiled(function: Callable[..., Any], compile_: Callable[..., Any] = numba.njit, *signature: Any,
             **options: Any) -> Any:
    """Compile a function with the arithmetic of kernels and keep its machine code.

    Contraction to fused multiply-add is the only liberty taken with IEEE arithmetic (it is deterministic),
    and division follows NumPy, so that a zero divisor shows as inf instead of raising inside a loop.
    """
    with _locating():
        return compile_(*signature, cache=writable(), error_model="numpy", fastmath={"contract"}, **options)(function)
