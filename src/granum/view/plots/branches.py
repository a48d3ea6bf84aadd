"""Bifurcation diagrams: equilibria over a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Flags, Floats
from granum.view import style


def branch_plot(
    parameter: str, coordinate: str, branches: Sequence[tuple[Floats, Floats, Flags]],
    bifurcations: Sequence[tuple[str, float, float]], file: str | Path | None = None,
) -> Figure:
    """One coordinate of all equilibria: stable ones as full lines, unstable ones dashed, bifurcations as points.

    Args:
        parameter, coordinate: labels of the axes.
        branches: values of the parameter and of the coordinate along each branch, and whether they are stable.
        bifurcations: kind and position of each.
        file: write the figure to this file as well.
    """
    with style.house():
        drawn, panels = style.figure(height=3.8)
        panel = panels[0, 0]
        looks = {True: {"color": style.COLOURS[0], "linestyle": "-"},
                 False: {"color": style.COLOURS[1], "linestyle": "--"}}
        for along, values, stable in branches:
            # at a bifurcation, between what is stable and what is not, nothing grows yet
            for kind, first, last in _pieces(stable[1:] & stable[:-1]):
                panel.plot(along[first : last + 1], values[first : last + 1], **looks[kind])
        for what, p, value in bifurcations:
            panel.plot(p, value, "o", color="black")
            panel.annotate(f"{what}, {parameter} = {p:.5g}", (p, value), textcoords="offset points", xytext=(-8, 8),
                           ha="right")
        for kind, words in ((True, "stable"), (False, "unstable")):
            panel.plot([], [], label=words, **looks[kind])
        panel.set(xlabel=parameter, ylabel=coordinate, title="equilibria")
        panel.legend()
        if file is not None:
            style.save(drawn, Path(file))
    return drawn


def _pieces(kinds: Flags) -> list[tuple[bool, int, int]]:
    """Runs of equal values: the value, first and last point."""
    ends = [0, *(np.flatnonzero(np.diff(kinds.astype(int))) + 1).tolist(), len(kinds)]
    return [(bool(kinds[a]), a, b) for a, b in pairwise(ends)]
