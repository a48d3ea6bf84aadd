"""Tables of two columns, from text files or arrays: a quantity over time."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np

MOST_ROWS = 2000
"""Rows of a table: each becomes code of its own."""

Table = tuple[tuple[float, float], ...]


def read_table(file: str | Path) -> Table:
    """Rows of a text file with two columns, separated by commas, semicolons or blanks.

    Lines that begin with # and a first line of names are passed over. Raises ValueError with the line that is wrong.
    """
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise ValueError(f"{file} cannot be read: {reason}") from None
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(lines, 1):
        words = re.split(r"[,;\s]+", line.strip().strip(",;"))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            time, value = map(float, words)
        except ValueError:
            if not rows and number == 1:
                continue  # names of the columns
            raise ValueError(f'{file}, line {number}: found "{line[:40]}", but two numbers are needed') from None
        rows.append((time, value))
    return checked_table(rows)


def checked_table(rows: Any) -> Table:
    """Two columns of finite numbers, the first increasing from 0. Raises ValueError with what is wrong."""
    try:
        points = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("a table needs rows of two numbers, [[0, 0], [0.1, 0.2], ...]") from None
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise ValueError(f"a table needs at least two rows of two numbers each, found the shape {points.shape}")
    if len(points) > MOST_ROWS:
        raise ValueError(f"a table has at most {MOST_ROWS} rows, found {len(points)}; leave out rows, the spline fills "
                         "in between")
    for k, (time, value) in enumerate(points.tolist()):
        if not (math.isfinite(time) and math.isfinite(value)):
            raise ValueError(f"row {k + 1} of the table has a number that is not finite")
        if time <= (points[k - 1, 0] if k else -math.inf):
            raise ValueError(f"times must increase, but row {k + 1} has {time:g} s after {points[k - 1, 0]:g} s")
    if points[0, 0] != 0.0:
        raise ValueError(f"a table begins at 0 s, found {points[0, 0]:g} s; begin with the row of t = 0")
    return tuple((float(time), float(value)) for time, value in points)
