"""Where compiled kernels are kept, and when they are stale.

Numba's own stamp covers the file of a kernel, not the files of the kernels it calls: a caller compiled with an old
callee would silently give old results. Here a kernel is kept under a hash of its module and of every Granum module that
it imports, directly or indirectly. So changed code is always compiled again, and clones and environments of the
same code share one cache in the user's cache directory. Numba adds its version and the processor's features.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast

import numba
from llvmlite import binding as llvm
from numba.core import config as _config
from xxhash import xxh3_128_digest

from granum.base.processor import SHIPPED, choose_target, target

_IMPORT = re.compile(r"^from (granum[\w.]*) import (\([^)]*\)|[^\n]*)|^import (granum[\w.]*)", re.MULTILINE)
_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKSUM = 16
config = cast(Any, _config)
if config.THREADING_LAYER == "default":
    # GNU OpenMP, Numba's own choice without TBB, ends a process that was forked after a parallel loop, such as a worker
    # of a process pool. TBB or Numba's workqueue survive it; NUMBA_THREADING_LAYER chooses another.
    config.THREADING_LAYER = "forksafe"
choose_target()


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


@cache
def _target(compiler: str) -> str:
    """The processor that code is made for, and what else machine code depends on, as the name of a directory."""
    details = (llvm.get_process_triple(), *target(), sys.abiflags, config.OPT, config.BOUNDSCHECK,
               config.DEBUGINFO_DEFAULT, config.USING_SVML, content_hash(compiler))
    digest = blake2b(repr(details).encode(), digest_size=6).hexdigest()
    return f"numba-{numba.__version__}-{sys.implementation.cache_tag}-{digest}"


class KernelCache:
    """Names of the files that keep one kernel, made by the compiler whose source file is given."""

    def __init__(self, function: Callable[..., Any], compiler: str) -> None:
        self._function, self._compiler = function, compiler

    @cached_property
    def folder(self) -> str:
        """The folder of its module: one for each compiler, processor, and version of what the kernel may call."""
        code, module = self._function.__code__, self._function.__module__
        if Path(code.co_filename).is_file():
            # a copy of a template (`instance`) calls what the module of its scope imports
            stamp = content_hash(self._function.__globals__.get("__file__", code.co_filename))
        else:  # not from a file, such as one typed at a prompt
            stamp = blake2b(marshal.dumps(code), digest_size=12).hexdigest()
        return f"{_target(self._compiler)}/{module.rpartition('.')[2]}-{stamp}"

    def name(self, form: str, arguments: tuple[Any, ...]) -> str:
        """The name of one form of the kernel for these types of arguments."""
        digest = blake2b(repr(arguments).encode(), digest_size=12).hexdigest()
        return f"{self.folder}/{self._function.__name__}-{self._function.__code__.co_firstlineno}-{digest}.{form}"


def load(name: str) -> bytes | None:
    """What is kept or shipped under a name; None if there is nothing, or if the file is damaged."""
    for folder in (SHIPPED, directory()):
        try:
            data = (folder / name).read_bytes()
        except OSError:
            continue
        content = memoryview(data)[_CHECKSUM:]
        if xxh3_128_digest(content) == data[:_CHECKSUM]:
            return bytes(content)
    return None


def save(name: str, content: bytes) -> bool:
    """Keep something, whole or not at all; False where that is not possible."""
    if not writable():
        return False
    file = directory() / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=file.parent, delete=False) as draft:
            draft.write(xxh3_128_digest(content) + content)
        Path(draft.name).replace(file)
    except OSError:
        return False
    return True
