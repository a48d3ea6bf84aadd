"""The lists a step works on: near pairs of grains, grains near boundaries, and what their contacts remember."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.grains.boundaries import Elements
from granum.grains.memory import WIDTH, Memory
from granum.grains.neighbours import SKIN, build, next_skin, solver_order
from granum.grains.state import Grains, Int32s, R
from granum.grains.surfaces import OUT, bound, touch


@kernel
def near_elements(x: Floats, kind: Ints, data: Floats, address: Ints, lower: Floats, upper: Floats, skin: float,
                  first: Ints, element: Int32s, fill: bool) -> int:
    """Boundary elements whose surface is closer to a grain than the skin, row by row, counted or listed."""
    out = np.zeros(OUT)
    count = 0
    for i in range(len(x)):
        first[i] = count
        reach = x[i, 3] + skin
        for e in range(len(kind)):
            if (x[i, 0] < lower[e, 0] - reach or x[i, 0] > upper[e, 0] + reach or x[i, 1] < lower[e, 1] - reach
                    or x[i, 1] > upper[e, 1] + reach or x[i, 2] < lower[e, 2] - reach
                    or x[i, 2] > upper[e, 2] + reach):
                continue
            if touch(kind, data, address, e, x[i, 0], x[i, 1], x[i, 2], out) < reach:
                if fill:
                    element[count] = e
                count += 1
    first[len(x)] = count
    return count


class Lists:
    """Lists of near pairs and near boundaries that follow the grains.

    Rows of the grains are sorted whenever lists are made. `made` counts that.
    """

    def __init__(self, grains: Grains, elements: Elements, dimension: int, up: int) -> None:
        self.grains, self.elements, self.dimension, self.up = grains, elements, dimension, up
        self.skin = SKIN[1] * self._mean_radius()
        self.steps = 0
        self.made = 0
        self.pairs = Memory(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, WIDTH)))
        self.walls = Memory(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, WIDTH)))
        self.make()

    def _mean_radius(self) -> float:
        return float(self.grains.x[:, R].mean()) if self.grains.count else 1.0

    def make(self) -> None:
        """Sort the grains and make all lists anew; what contacts remember is put back from `pairs` and `walls`."""
        grains, elements = self.grains, self.elements
        if grains.count:
            reach = 2.0 * float(grains.x[:, R].max()) + self.skin
            order, slabs = solver_order(grains, self.up, self.dimension, reach)
            grains.permute(order)
        else:
            slabs = np.zeros(2, np.int64)
        if elements.moving:
            bound(elements.kind, elements.data, elements.lower, elements.upper)
        near = build(grains, slabs, self.skin)
        self.first, self.other, self.slabs, self.built_at = near.first, near.other, near.slabs, near.built_at
        self.wall_first = np.zeros(grains.count + 1, np.int64)
        self.wall_element = np.zeros(0, np.int32)
        for fill in (False, True):
            count = near_elements(grains.x, elements.kind, elements.data, elements.address, elements.lower,
                                  elements.upper, self.skin, self.wall_first, self.wall_element, fill)
            if not fill:
                self.wall_element = np.zeros(count, np.int32)
        self.pair_memory = self.pairs.put_back(self.first, self.other, grains.number, -1.0, grains.number)
        self.wall_memory = self.walls.put_back(self.wall_first, self.wall_element, self._element_numbers(), 1.0,
                                               grains.number)
        self.built_t, self.steps = grains.t, 0
        self.made += 1

    def _element_numbers(self) -> Ints:
        return np.arange(len(self.elements.kind), dtype=np.int64)

    def remember(self) -> None:
        """Take what contacts remember out of the lists: before grains are sorted, come or go, or are saved."""
        number = self.grains.number
        self.pairs = Memory.of(self.first, self.other, number, -1.0, number, self.pair_memory)
        self.walls = Memory.of(self.wall_first, self.wall_element, self._element_numbers(), 1.0, number,
                               self.wall_memory)

    def renew(self) -> None:
        """New lists with a skin that suits how long the last ones held."""
        self.remember()
        self.skin = next_skin(self.skin, self.steps, self._mean_radius())
        self.make()

    @property
    def extent(self) -> float:
        """Largest distance of a grain from the origin [m]."""
        return float(np.sqrt(np.max(np.sum(self.grains.x[:, :3] ** 2, axis=1)))) if self.grains.count else 0.0
