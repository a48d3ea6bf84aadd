"""The house style: colours everyone can tell apart, units on every axis, no clutter."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # pictures are written to files; no display is needed

from cycler import cycler
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from granum.base.errors import GranumError

# Okabe and Ito's palette, told apart with any colour vision
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
TIME_COLOURS = "viridis_r"
"""Colour map of time: early is light, late is dark."""
FORMATS = (".png", ".svg", ".pdf")

_SETTINGS: Any = {
    "axes.prop_cycle": cycler(color=COLOURS), "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.titlesize": "medium", "legend.frameon": False,
    "figure.dpi": 110, "savefig.dpi": 150, "lines.linewidth": 1.4, "figure.constrained_layout.use": True,
    "svg.hashsalt": "granum",
}


def house() -> AbstractContextManager[None]:
    """Draw in the house style inside this context, without touching the user's own settings."""
    return plt.rc_context(_SETTINGS)


def figure(
    rows: int = 1, columns: int = 1, width: float = 7.0, height: float = 3.2, **options: Any
) -> tuple[Figure, Any]:
    """A figure of rows by columns panels; width in all and height of a row in inches."""
    made = plt.subplots(rows, columns, figsize=(width, height * rows), squeeze=False, **options)
    return made[0], made[1]


def save(drawn: Figure, file: Path) -> Path:
    """Write a figure and forget it."""
    if file.suffix not in FORMATS:
        raise GranumError(f"{file}: pictures are written as {', '.join(FORMATS)}. Choose one of these endings.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        drawn.savefig(file)
    except OSError as error:
        raise GranumError(f"{file} cannot be written: {error.strerror}. Name another file with -o.") from None
    finally:
        plt.close(drawn)
    return file
