"""What an upper floor offers to objects of a lower one, found by name when it is first asked for.

A run can be drawn, though `run` lies below `view` and does not know of it: the package itself, which knows all floors,
says where drawing is, and nothing is loaded before somebody asks.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_OFFERS: dict[str, str] = {}


def offer(what: str, where: str) -> None:
    """Say where something is: `module:name`."""
    _OFFERS[what] = where


def offered(what: str) -> Any:
    """What was offered under a name, loaded now."""
    module, _, name = _OFFERS[what].partition(":")
    return getattr(import_module(module), name)
