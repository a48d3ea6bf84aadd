"""Campbell diagrams: frequencies of a rotor over its spin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.view import style

_LOOKS = {"forward": (style.COLOURS[0], "-", "forward whirl"), "backward": (style.COLOURS[1], "--", "backward whirl"),
          "": (style.COLOURS[2], "-.", "along a line")}
_CLOSE = 0.08
"""Part of the range of speeds within which labels of critical speeds are written below and above in turn."""


def campbell_plot(
    rotor: str, speeds: Floats, frequencies: Floats, directions: Sequence[str], orders: Sequence[float],
    critical: Sequence[tuple[float, float]], file: str | Path | None = None,
) -> Figure:
    """Frequencies over the spin, the lines ω = n Ω, and their crossings.

    Args:
        rotor: the body that spins.
        speeds: (speeds,), Ω [rad/s].
        frequencies: (speeds, modes), ω in the inertial frame [rad/s].
        directions: of each mode, "forward", "backward" or "".
        orders: n.
        critical: critical speeds and their frequencies.
        file: write the figure to this file as well.
    """
    with style.house():
        drawn, panels = style.figure(height=4.2)
        panel = panels[0, 0]
        top = 1.05 * max(float(frequencies.max(initial=0.0)), 1e-300)
        for order in orders:
            panel.plot(speeds, order * np.abs(speeds), **style.GUIDE)
            last = min(float(speeds[-1]), top / order)
            panel.annotate(f"{order:g} Ω", (last, order * last), ha="right", va="bottom", color=style.GUIDE["color"])
        for line, direction in zip(frequencies.T, directions, strict=True):
            colour, dashes, label = _LOOKS[direction]
            panel.plot(speeds, np.where(line > 0.0, line, np.nan), color=colour, linestyle=dashes,
                       label=label if label not in panel.get_legend_handles_labels()[1] else None)
        below, last = True, -np.inf
        for speed, frequency in critical:
            below = not below or speed - last > _CLOSE * float(np.ptp(speeds))
            panel.plot(speed, frequency, "o", color="black")
            panel.annotate(f"{speed:.4g}", (speed, frequency), textcoords="offset points",
                           xytext=(6, -13) if below else (-4, 5), ha="left" if below else "right")
            last = speed
        panel.set(xlabel=f"spin Ω of {rotor} [rad/s]", ylabel="angular frequency ω [rad/s]", ylim=(0.0, top),
                  title="Campbell diagram")
        panel.legend()
        if file is not None:
            style.save(drawn, Path(file))
    return drawn
