"""Where the numbers of a run come from: versions, commit, processor and a hash of the source of all kernels."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parents[2]
_NUMERIC = ("base", "algebra", "topology", "linear", "rows", "loads", "assembly", "analytic", "integrate", "grains",
            "contact", "run")
"""Folders whose code decides about the bits of a run."""
PACKAGES = ("granum", "numpy", "scipy", "numba", "llvmlite", "h5py")


def provenance() -> dict[str, Any]:
    """All that may change the bits of a run apart from its scene."""
    return {"kernels": kernel_hash(), "compiler": _compiler(), "commit": commit(), "machine": platform.machine(),
            "system": platform.system(), **processor()}


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that compute."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


@cache
def kernel_hash() -> str:
    """Hash of the source of all modules that compute: another hash may mean other bits."""
    digest = blake2b(digest_size=12)
    for folder in _NUMERIC:
        for file in sorted((_PACKAGE / folder).rglob("*.py")):
            name = file.relative_to(_PACKAGE).as_posix()
            digest.update(blake2b(name.encode() + b"\n" + file.read_bytes()).digest())
    return digest.hexdigest()


def _compiler() -> str:
    """What makes machine code: both give the same bits where they were compared, which is no proof."""
    from granum.base.compilers import chosen

    return chosen()


@cache
def commit() -> str | None:
    """Commit of the repository that the package is run from; None where it is installed without one.

    Read from its files: Git may be missing, and a run should not wait for it.
    """
    try:
        folder = _PACKAGE.parents[1] / ".git"
        if folder.is_file():  # a worktree names its folder
            folder = (folder.parent / folder.read_text("utf-8").removeprefix("gitdir:").strip()).resolve()
        head = (folder / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head[:40]
        name, shared = head.removeprefix("ref: "), folder
        if (folder / "commondir").is_file():
            shared = (folder / (folder / "commondir").read_text("utf-8").strip()).resolve()
        if (shared / name).is_file():
            return (shared / name).read_text("utf-8").strip()[:40]
        packed = (shared / "packed-refs").read_text("utf-8").splitlines()
        return next((line[:40] for line in packed if line.endswith(f" {name}")), None)
    except (OSError, UnicodeDecodeError):
        return None


@cache
def processor() -> dict[str, str]:
    """Name and features of the processor that the code was made for, which decide about bits."""
    from granum.base.processor import target

    return {"processor": target().name, "features": target().features}


def difference(metadata: Mapping[str, Any]) -> list[str]:
    """What is other now than when a run was begun, of all that may change its bits."""
    before, now = metadata["provenance"], provenance()
    found = ["the code of Granum"] if before.get("kernels") != now["kernels"] else []
    if (before.get("processor"), before.get("features")) != (now["processor"], now["features"]):
        found.append("the processor that code is made for")
    if before.get("compiler", now["compiler"]) != now["compiler"]:
        found.append(f"the compiler ({before['compiler']}, now {now['compiler']})")
    was, current = metadata["versions"], versions()
    return found + [f"{name} ({was.get(name)}, now {current[name]})" for name in ("numpy", "scipy", "numba", "llvmlite")
                    if was.get(name) != current[name]]
