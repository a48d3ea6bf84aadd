"""The house style: colours everyone can tell apart, units on every axis, no clutter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.base.kernels import Floats

# Okabe and Ito's palette, told apart with any colour vision
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
TIME_COLOURS = "viridis_r"
"""Colour map of time: early is light, late is dark."""
_DARKEST, _LIFT = 0.25, 0.25
"""Where VALUE_COLOURS begins in viridis, and how far its lower end is moved to white."""
HEIGHT_COLOURS = "Greys"
"""Colour map of heights of a surface: paths in colour stand out from it."""
MOST_CURVES = 7
"""Curves in one panel that a reader can tell apart; yellow, the last colour, is for areas."""
GUIDE: dict[str, Any] = {"color": "#707070", "linewidth": 1.0, "linestyle": ":"}
"""Lines that guide the eye and are no data."""
_MOST_INSIDE = 3
"""Entries of a legend that stand inside of a panel."""
_NOTHING = 1e-20
"""What counts as zero on a logarithmic axis: far below round-off of anything that is drawn."""
FORMATS = (".png", ".svg", ".pdf")

_SETTINGS: Any = {
    "axes.prop_cycle": cycler(color=COLOURS[:MOST_CURVES]), "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.titlesize": "medium", "legend.frameon": False,
    "font.size": 9.5, "legend.fontsize": "small", "figure.titlesize": "medium", "axes.axisbelow": True,
    "figure.dpi": 110, "savefig.dpi": 150, "lines.linewidth": 1.4, "lines.markersize": 4.5,
    "svg.hashsalt": "granum", "pdf.fonttype": 42,
}


class Drawing(Figure):
    """A figure that shows itself in a notebook, whatever draws the user's own figures there."""

    def _repr_png_(self) -> bytes:
        """The figure as a picture."""
        written = BytesIO()
        with house():
            self.savefig(written, format="png", metadata={"Software": None})
        return written.getvalue()


def house() -> AbstractContextManager[None]:
    """Draw in the house style inside this context, without touching the user's own settings."""
    return matplotlib.rc_context(_SETTINGS)


def figure(
    rows: int = 1, columns: int = 1, width: float = 7.0, height: float = 3.2, **options: Any
) -> tuple[Drawing, Any]:
    """A figure of rows by columns panels; width in all and height of a row in inches.

    It belongs to nobody else: no window is opened, and what the user draws with is left as it is.
    """
    drawn = Drawing(figsize=(width, height * rows), layout="constrained")
    return drawn, drawn.subplots(rows, columns, squeeze=False, **options)


def over_time(heading: str, *labels: str, height: float = 3.2) -> tuple[Drawing, Any]:
    """A figure of panels one above the other over time [s], and the panels: a label with its unit for each."""
    drawn, panels = figure(len(labels), sharex=True, height=height)
    for panel, label in zip(panels[:, 0], labels, strict=True):
        panel.set(ylabel=label)
    panels[0, 0].set(title=heading)
    panels[-1, 0].set(xlabel="time [s]")
    return drawn, panels[:, 0]


def curves() -> Iterator[tuple[str, str]]:
    """Colours and line styles for as many curves as come: all colours solid first, then with dots and dashes."""
    return ((colour, dashes) for dashes in ("-", "-.", ":", "--") for colour in COLOURS[:MOST_CURVES])


def paler(colours: Floats, part: float | Floats) -> Floats:
    """Colours on their way to white; opaque ones stay so."""
    return colours + part * (1.0 - colours)


def _value_colours() -> ListedColormap:
    """viridis with a lighter lower end: a grain at rest must not look black, and its orientation mark must be seen."""
    part, whole = np.linspace(0.0, 1.0, 256), np.asarray(matplotlib.colormaps["viridis"](np.arange(256)))
    colours = np.column_stack([np.interp(_DARKEST + (1.0 - _DARKEST) * part, part, whole[:, k]) for k in range(3)])
    return ListedColormap(paler(colours, _LIFT * (1.0 - part)[:, None]), "granum")


VALUE_COLOURS = _value_colours()
"""Colour map of values of grains and curves, in pictures, films and the page: lightness grows with the value."""


def shades(least: float, most: float) -> ScalarMappable:
    """Colours from the least to the greatest value; around one value where there is but one."""
    if not least < most:
        least, most = (0.9 * most, 1.1 * most) if most > 0.0 else (0.0, 1.0)
    return ScalarMappable(Normalize(least, most), VALUE_COLOURS)


def draw_curves(panel: Any, t: Floats, values: Mapping[str, Any], labelled: bool = True) -> None:
    """Curves over time by name, each with a look of its own."""
    for (name, y), (colour, dashes) in zip(values.items(), curves(), strict=False):
        panel.plot(t, y, color=colour, linestyle=dashes, label=name if labelled else None)


def legend(panel: Any, **options: Any) -> None:
    """A legend of a panel, if it has anything to say: beside it where it could hide curves."""
    handles, labels = panel.get_legend_handles_labels()
    if len(labels) > _MOST_INSIDE:
        options = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, **options}
    if labels:
        panel.legend(handles, labels, **options)


def semilog(panel: Any, t: Any, values: Any, **options: Any) -> None:
    """Magnitudes over time on a logarithmic axis; zeros have no place there and are left out."""
    size = np.abs(values)
    panel.semilogy(np.asarray(t)[size > _NOTHING], size[size > _NOTHING], **options)


def say_zero(panel: Any) -> None:
    """Say so where a logarithmic panel has nothing to show."""
    if not any(len(line.get_xdata()) for line in panel.lines):
        panel.set(yscale="linear", yticks=[])
        panel.text(0.5, 0.5, "zero throughout", transform=panel.transAxes, ha="center", color=GUIDE["color"])


def legends(panels: Iterable[Any]) -> None:
    """A legend for each panel."""
    for panel in panels:
        legend(panel)


def save(drawn: Figure, file: Path) -> Path:
    """Write a figure."""
    file = Path(file)
    if file.suffix not in FORMATS:
        raise GranumError(f"{file}: pictures can be written as {', '.join(FORMATS)}. Use one of these suffixes.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with house():
            drawn.savefig(file, metadata=_DATELESS.get(file.suffix))
    except OSError as error:
        raise GranumError(f"{file} cannot be written: {error.strerror}. Give another file with -o.") from None
    return file


_DATELESS: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""The same figure gives the same file."""
