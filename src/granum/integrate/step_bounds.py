"""Bounds of steps from the formulas of a scene: no step passes over what is narrower than itself.

An error-controlled method sees only what its stages meet. Where nothing moves, or moves uniformly, its steps become as
long as they may, and a pulse of a load or a bump of a surface falls between two stages. Formulas of time, of forces and
of surfaces are therefore divided into parts in which they change little (`granum.algebra.resolution`), and no step is
much longer than a part that it touches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from granum.algebra.expression import Expression, free_symbols, symbol
from granum.algebra.resolution import Parts, Resolution
from granum.base.kernels import Floats
from granum.integrate.driver import TIME, Accuracy

_WINDOW = 64.0
"""Length of a coordinate [m or rad] that is divided at once."""
_FRAMES = 16
"""Frames of the time that is divided at once: not the whole run, which may be lengthened when it is taken up again."""


class StepBounds:
    """Tables of longest steps about a state; empty where formulas say nothing.

    Args:
        timed: formulas that may depend on the time `t`.
        placed: formulas of forces and surfaces, which may depend on coordinates.
        coordinates: names of coordinates in these formulas, with their places in the state.
        values: numbers of symbols that stay as they are.
        interval: time between frames [s].
    """

    def __init__(
        self, timed: Iterable[Expression], placed: Iterable[Expression], coordinates: Mapping[str, int],
        values: Mapping[str, float], interval: float,
    ) -> None:
        sought = [(TIME, "t", [*timed], _FRAMES * interval, False)]
        placed = [*placed]
        used = free_symbols(placed)
        sought += [(place, name, placed, _WINDOW, True) for name, place in coordinates.items() if name in used]
        self._variables: list[tuple[int, Resolution]] = []
        for place, name, formulas, length, centred in sought:
            resolution = Resolution(formulas, symbol(name), values, length, centred)
            if resolution:
                self._variables.append((place, resolution))
        self._parts: list[Parts] = []
        self._table = np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(0), np.zeros(0)

    def within(self, accuracy: Accuracy, t: float, y: Floats) -> Accuracy:
        """An accuracy with the table about a state."""
        if not self._variables:
            return accuracy
        parts = [resolution.parts(t if place == TIME else float(y[place])) for place, resolution in self._variables]
        if any(new is not old for new, old in zip(parts, self._parts, strict=False)) or not self._parts:
            self._parts = parts
            self._table = _table([place for place, _ in self._variables], parts)
        return accuracy._replace(places=self._table[0], first=self._table[1], edges=self._table[2],
                                 longest=self._table[3])


def _table(places: Sequence[int], parts: Sequence[Parts]) -> tuple[np.ndarray, np.ndarray, Floats, Floats]:
    """Parts of several variables one behind the other."""
    first = np.cumsum([0, *(len(each.edges) for each in parts)])
    return (np.array(places, np.int64), first.astype(np.int64), np.concatenate([each.edges for each in parts]),
            np.concatenate([[*each.longest, 0.0] for each in parts]))
