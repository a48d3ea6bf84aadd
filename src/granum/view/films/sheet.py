"""The sheet a picture is on: title, time, colours and what they mean, around a field for the picture itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from granum.view import style
from granum.view.films.scale import Scale

Picture = NDArray[np.uint8]
"""(height, width, 3)"""
_DPI = 100.0
_INK, _FAINT = "#2B3036", "#77808A"


class Sheet:
    """A figure whose surroundings are drawn once, and whose field and time are drawn for every picture.

    `tick` is the time between frames [s]: it says how many digits of the time are shown.
    """

    def __init__(self, size: tuple[int, int], title: str, scale: Scale, tick: float) -> None:
        width, height = size
        self.size = size
        self._digits = min(max(math.ceil(-math.log10(tick) - 1e-9), 0), 9) if tick > 0.0 else 3
        em = max(height / 42.0, 9.0)
        self.points = em * 72.0 / _DPI
        self.figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor="white")
        self.canvas: Any = FigureCanvasAgg(self.figure)
        top, side = int(2.6 * em), int(0.8 * em) if scale.shades is None else int(6.5 * em)
        bottom = int(2.6 * em) if scale.names else int(0.8 * em)
        left = int(0.8 * em)
        self.field = (left, top, width - side - left, height - top - bottom)
        """Left, top, width and height of the field [pixels]."""
        options: dict[str, Any] = {"fontsize": self.points * 1.05, "va": "center"}
        middle = 1.0 - 0.5 * top / height
        self.figure.text(1.2 * em / width, middle, title, color=_INK, **options)
        self._time = self.figure.text(1.0 - 1.2 * em / width, middle, "", color=_INK, ha="right", animated=True,
                                      **options)
        if scale.shades is not None:
            self._bar(scale, scale.shades, em)
        if scale.names:
            self.figure.legend(
                handles=[Patch(color=colour, label=name) for colour, name in scale.legend()], loc="lower left",
                bbox_to_anchor=(0.8 * em / width, 0.2 * em / height), ncols=6, frameon=False,
                fontsize=self.points * 0.95, labelcolor=_INK)

    def _bar(self, scale: Scale, shades: ScalarMappable, em: float) -> None:
        """The bar of colours on the right."""
        width, height = self.size
        _, top, _, field = self.field
        low = height - top - field
        axis = self.figure.add_axes((1.0 - 5.6 * em / width, (low + 0.14 * field) / height, 0.75 * em / width,
                                     0.72 * field / height))
        with style.house():
            drawn = self.figure.colorbar(shades, cax=axis, extend=scale.extend)
        drawn.outline.set_visible(False)
        drawn.ax.tick_params(labelsize=self.points * 0.9, color=_FAINT, labelcolor=_INK, length=3, width=0.8)
        drawn.set_label(scale.label, fontsize=self.points, color=_INK)
        if scale.by == "coordination":
            drawn.set_ticks([float(k) for k in range(9)])

    def begin(self) -> None:
        """Draw all that stays."""
        self.canvas.draw()
        self._around = self.canvas.copy_from_bbox(self.figure.bbox)

    def draw(self, t: float, artists: list[Any]) -> Picture:
        """The sheet at a time, with the artists that change."""
        self.canvas.restore_region(self._around)
        self._time.set_text(f"t = {t:.{self._digits}f} s")
        for artist in [*artists, self._time]:
            self.figure.draw_artist(artist)
        return np.asarray(self.canvas.buffer_rgba())[..., :3].copy()
