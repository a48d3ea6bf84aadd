"""Pieces of a scene file: numbers, vectors, tables, comments."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping

import numpy as np

from granum.base.kernels import Floats

_WIDTH = 116


def plain(value: float) -> str:
    """A number that reads back to the same bits."""
    return repr(float(value) + 0.0)


def vector(values: Iterable[float] | Floats) -> str:
    """A list of numbers."""
    return "[" + ", ".join(plain(float(value)) for value in values) + "]"


def symmetric(matrix: Floats) -> str:
    """A symmetric matrix, or its diagonal if that is all."""
    even = 0.5 * (matrix + matrix.T)
    if not np.any(even - np.diag(np.diag(even))):
        return vector(np.diag(even))
    return "[" + ", ".join(vector(row) for row in even) + "]"


def table(section: str, name: str, keys: Mapping[str, str | float]) -> list[str]:
    """An entry of a scene; strings are quoted."""
    return [f"[{section}.{name}]", *(f"{key} = {json.dumps(value) if isinstance(value, str) else plain(value)}"
                                     for key, value in keys.items()), ""]


def printable(text: str) -> str:
    """A text of one line that TOML can hold."""
    return "".join(c if c.isprintable() else "?" for c in text)


def comment(text: str, indent: str = "") -> list[str]:
    """A comment of several lines, whatever the text contains."""
    return textwrap.wrap(printable(text), _WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent * 2}",
                         break_on_hyphens=False)
