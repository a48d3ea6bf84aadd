"""Modules that are loaded when they are first needed, and what an upper floor offers to objects of a lower one.

A run can be drawn, though `run` lies below `view` and does not know of it: the package itself, which knows all floors,
says where drawing is, and nothing is loaded before somebody asks. It says as well which names the wings add
(`base.extensions`).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_OFFERS: dict[str, str] = {}
WINGS: dict[str, dict[str, tuple[str, str]]] = {}
"""Module and meaning of what wings add, by section and name."""


def load(place: str) -> Any:
    """What is at `module:name`, or the module of a name, loaded now."""
    module, _, name = place.partition(":")
    loaded = import_module(module)
    return getattr(loaded, name) if name else loaded


def offer(what: str, where: str) -> None:
    """Say where something is: `module:name`."""
    _OFFERS[what] = where


def offered(what: str) -> Any:
    """What was offered under a name, loaded now."""
    return load(_OFFERS[what])


def wing(section: str, name: str, module: str, meaning: str = "") -> None:
    """Say which module outside the core registers a name, as the entry points of other packages do."""
    WINGS.setdefault(section, {})[name] = module, meaning
