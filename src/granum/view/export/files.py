"""Where an export goes: nothing of the user's is lost, and what has its name is complete."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from granum.base.errors import GranumError

ABOUT = "about.json"
"""In a folder of an export: what it is, and which files belong to it."""
_BEGINNINGS: dict[str, tuple[bytes, ...]] = {
    "npz": (b"pk\x03\x04",), "html": (b"<!doctype html", b"<html"), "png": (b"\x89png",), "gif": (b"gif8",),
    "fclib": (b"\x89hdf",)}
"""How files of a kind begin, in small letters."""
_WITHIN = {"mp4": (slice(4, 8), b"ftyp"), "webp": (slice(8, 12), b"webp")}
"""What is near the beginning of those that begin with a size."""


def refuse_loss_of_file(path: Path, to: str, overwrite: bool) -> None:
    """Raise if a file of another kind would be replaced."""
    if path.is_dir():
        raise GranumError(f"{path} is a folder, but {to} is written as one file. Give a file with -o.")
    if not path.exists() or overwrite:
        return
    with _readable(path), path.open("rb") as file:
        begins = file.read(64).lower()
    if not _is(to, begins):
        raise GranumError(f"{path} exists but is not in {to} format. Give another file with -o, or add --overwrite.")


def _is(kind: str, begins: bytes) -> bool:
    """Does a file of a kind begin like this?"""
    if kind in _WITHIN:
        where, what = _WITHIN[kind]
        return begins[where] == what
    return begins.startswith(_BEGINNINGS[kind])


def refuse_loss_of_folder(path: Path, to: str, overwrite: bool) -> None:
    """Raise if a folder has anything in it but an earlier export; --overwrite replaces one to another format."""
    if path.exists() and not path.is_dir():
        raise GranumError(f"{path} is a file, but {to} is written as a folder. Give a folder with -o.")
    with _readable(path):
        there = {file.relative_to(path).as_posix() for file in path.rglob("*") if not file.is_dir()}
    if not there:
        return
    about = _about(path)
    if foreign := sorted(there - {ABOUT, *about.get("files", ())}):
        listed = ", ".join(foreign[:3]) + (", ..." if len(foreign) > 3 else "")
        raise GranumError(f"{path} contains other files ({listed}). Give another folder with -o, or move these away.")
    if about["export"] != to and not overwrite:
        raise GranumError(f"{path} is an export to {about['export']}. Give another folder with -o, or add --overwrite.")


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise GranumError(f"{path} cannot be read: {error.strerror}. Give another output with -o.") from None


def _about(folder: Path) -> dict[str, Any]:
    """What a folder says about itself; empty if it is not of an export."""
    try:
        description = json.loads((folder / ABOUT).read_text("utf-8"))
        return description if isinstance(description, dict) and {"export", "files"} <= set(description) else {}
    except (OSError, ValueError):
        return {}
