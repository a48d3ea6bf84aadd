"""The lists a step works on: near pairs of grains, grains near boundaries, and what their contacts remember."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.grains.aggregates.parts import Parts
from granum.grains.geometry.boundaries import Elements
from granum.grains.geometry.surfaces import OUT, touch
from granum.grains.search.memory import SUDDEN, WIDTH, Memory
from granum.grains.search.neighbours import SKIN, STEPS, build, next_skin, solver_order
from granum.grains.state import IM, Grains, Int32s, R


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


class Contacts(NamedTuple):
    """Contacts that push, by rows of the grains."""

    pair: Int32s
    """(C, 2): i and j; at a boundary i is the grain and j = -1 - number of the element."""
    normal: Floats
    """(C, 3): from i to j, or from the boundary to the grain."""
    force: Floats
    """(C, 3): on j, or on the grain at a boundary [N]."""


class Lists:
    """Lists of near pairs and near boundaries that follow the grains.

    Rows of the grains are sorted whenever lists are made. `made` counts that.
    """

    def __init__(self, grains: Grains, elements: Elements, dimension: int, up: int) -> None:
        self.grains, self.elements, self.dimension, self.up = grains, elements, dimension, up
        self.skin = SKIN[1] * self._mean_radius()
        self.steps = 0
        self.made = 0
        self.built_pose = np.zeros((0, 8))
        """Poses of the bodies when the lists were made, where boundaries belong to some."""
        self.pairs = Memory(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, WIDTH)))
        self.walls = Memory(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, WIDTH)))
        self.make()

    def _mean_radius(self) -> float:
        return float(self.grains.x[:, R].mean()) if self.grains.count else 1.0

    def make(self) -> None:
        """Sort the grains and make all lists anew; what contacts remember is put back from `pairs` and `walls`."""
        grains, elements = self.grains, self.elements
        slabs = self._arrange()
        if elements.moving:
            elements.follow(grains.t, *self._carriers())
            self.built_pose = self._carriers()[1].copy()
        near = build(grains, slabs, self.skin)
        self.first, self.other, self.slabs, self.built_at = near.first, near.other, near.slabs, near.built_at
        self.wall_first = np.zeros(grains.count + 1, np.int64)
        self.wall_element = np.zeros(0, np.int32)
        for fill in (False, True):
            count = near_elements(grains.x, elements.kind, elements.data, elements.address, elements.lower,
                                  elements.upper, self.skin, self.wall_first, self.wall_element, fill)
            if not fill:
                self.wall_element = np.zeros(count, np.int32)
        if isinstance(grains, Parts) and elements.attached:
            self._leave_out(grains)
        self.pair_memory = self.pairs.put_back(self.first, self.other, grains.number, -1.0, grains.number)
        self.wall_memory = self.walls.put_back(self.wall_first, self.wall_element, self._element_numbers(), 1.0,
                                               grains.number)
        self.built_t, self.steps = grains.t, 0
        self.made += 1

    def _carriers(self) -> tuple[Ints, Floats]:
        """Numbers and poses of the bodies, which boundaries may belong to."""
        if isinstance(self.grains, Parts):
            return self.grains.bodies.number, self.grains.bodies.pose
        return np.zeros(0, np.int64), np.zeros((0, 8))

    def _leave_out(self, parts: Parts) -> None:
        """Take out parts near boundaries of their own body, or of one that it is joined to."""
        row = np.repeat(np.arange(parts.count), np.diff(self.wall_first))
        owner, number = self.elements.owner[self.wall_element], parts.bodies.number[parts.body[row]]
        kept = (owner != number) & ~parts.held_apart(owner, number)
        self.wall_element = self.wall_element[kept]
        self.wall_first = np.searchsorted(row[kept], np.arange(parts.count + 1)).astype(np.int64)

    def _arrange(self) -> Ints:
        """Put the grains into an order that suits the solver; returns the rows at which slabs begin."""
        grains = self.grains
        if isinstance(grains, Parts):
            return grains.arrange(self.up, self.dimension, self.skin)
        if not grains.count:
            return np.zeros(2, np.int64)
        largest = float(grains.x[:, R].max())
        order, slabs = solver_order(grains.x[:, :3], largest, self.up, self.dimension, 2.0 * largest + self.skin)
        grains.permute(order)
        return slabs

    def _element_numbers(self) -> Ints:
        return np.arange(len(self.elements.kind), dtype=np.int64)

    def remember(self) -> None:
        """Take what contacts remember out of the lists: before grains are sorted, come or go, or are saved."""
        number = self.grains.number
        self.pairs = Memory.of(self.first, self.other, number, -1.0, number, self.pair_memory)
        self.walls = Memory.of(self.wall_first, self.wall_element, self._element_numbers(), 1.0, number,
                               self.wall_memory)

    def renew(self, wanted: tuple[int, int] = STEPS) -> None:
        """New lists with a skin that suits how long the last ones held, and are wanted to hold."""
        self.remember()
        self.skin = next_skin(self.skin, self.steps, wanted, self._mean_radius())
        self.make()

    def tighten(self) -> None:
        """A smaller skin for the next lists where these have held for long: at the end of a frame, which keeps it."""
        if self.steps > STEPS[1]:
            self.skin = next_skin(self.skin, self.steps, STEPS, self._mean_radius())

    def remembered_forces(self, h: float) -> Contacts:
        """Contacts that remember an impulse, with the mean force over a step h."""
        x, held = self.grains.x, np.flatnonzero(np.any(self.pair_memory[:, :3] != 0.0, axis=1))
        i, j = np.searchsorted(self.first, held, side="right") - 1, self.other[held]
        normal = x[j, :3] - x[i, :3]
        walls = np.flatnonzero(np.any(self.wall_memory[:, :3] != 0.0, axis=1))
        grain, element = np.searchsorted(self.wall_first, walls, side="right") - 1, self.wall_element[walls]
        away = np.empty((len(walls), 3))
        normals(self.elements.kind, self.elements.data, self.elements.address, x, grain, element, np.zeros(OUT), away)
        pair = np.concatenate([np.column_stack([i, j]), np.column_stack([grain, -1 - element])]).astype(np.int32)
        force = np.concatenate([self.pair_memory[held, :3], self.wall_memory[walls, :3]]) / h
        unit = normal / np.linalg.norm(normal, axis=1)[:, None]
        return Contacts(pair, np.concatenate([unit, away]), force)

    def lasting_changes(self, ratio: float) -> Floats:
        """(grains, 3): velocity that remembered impulses, except impacts, give in a step `ratio` times as long."""
        change = np.zeros((self.grains.count, 3))
        add_lasting(self.first, self.other, self.pair_memory, self.wall_first, self.wall_memory, self.grains.v, ratio,
                    change)
        return change

    @property
    def extent(self) -> float:
        """Largest distance of a grain from the origin [m], where boundaries move."""
        if not (self.elements.moving and self.grains.count):
            return 0.0
        return float(np.sqrt(np.max(np.sum(self.grains.x[:, :3] ** 2, axis=1))))


@kernel
def add_lasting(first: Ints, other: Int32s, memory: Floats, wall_first: Ints, wall_memory: Floats, v: Floats,
                ratio: float, change: Floats) -> None:
    """Add what remembered impulses change velocities by when they are applied again."""
    for i in range(len(change)):
        for k in range(wall_first[i], wall_first[i + 1]):
            part = ratio * (1.0 - wall_memory[k, SUDDEN]) * v[i, IM]
            for axis in range(3):
                change[i, axis] += part * wall_memory[k, axis]
        for k in range(first[i], first[i + 1]):
            j, part = other[k], ratio * (1.0 - memory[k, SUDDEN])
            for axis in range(3):
                change[i, axis] -= part * v[i, IM] * memory[k, axis]
                change[j, axis] += part * v[j, IM] * memory[k, axis]


@kernel
def normals(kind: Ints, data: Floats, address: Ints, x: Floats, grain: Ints, element: Int32s, out: Floats,
            away: Floats) -> None:
    """Normals of boundaries to grains near them."""
    for c in range(len(grain)):
        i = grain[c]
        touch(kind, data, address, element[c], x[i, 0], x[i, 1], x[i, 2], out)
        away[c, 0], away[c, 1], away[c, 2] = out[0], out[1], out[2]


@kernel
def nearest(kind: Ints, data: Floats, address: Ints, points: Floats, out: Floats, distance: Floats) -> None:
    """Signed distance of each point from the nearest boundary; infinite without one."""
    for i in range(len(points)):
        distance[i] = np.inf
        for e in range(len(kind)):
            distance[i] = min(distance[i], touch(kind, data, address, e, points[i, 0], points[i, 1], points[i, 2], out))


@kernel
def touching_pairs(x: Floats, first: Ints, other: Int32s, near: float, pairs: Int32s) -> int:
    """Write the rows of grains that touch, or have a gap below `near` of the smaller radius; returns how many."""
    count = 0
    for i in range(len(x)):
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            reach = x[i, 3] + x[j, 3] + near * min(x[i, 3], x[j, 3])
            if dx * dx + dy * dy + dz * dz < reach * reach:
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return count
