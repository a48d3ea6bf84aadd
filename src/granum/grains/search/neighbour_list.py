"""The neighbour list of a step: near pairs of grains, grains near boundaries, and what their contacts remember."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, Ints, Records, kernel
from granum.base.pointers import FloatGrid
from granum.base.space import displacement, displacements
from granum.grains.aggregates.parts import Parts
from granum.grains.geometry.boundaries import Elements
from granum.grains.geometry.elements import NX, NY, NZ, OUT
from granum.grains.geometry.surfaces import touch
from granum.grains.search.history import FX, FY, FZ, SUDDEN, History, as_numbers
from granum.grains.search.neighbours import SKIN, STEPS, half_list, next_skin, solver_order
from granum.grains.state import FIRST, SECOND, Grains, Int32s
from granum.state.table import IM, R, X, Y, Z


@kernel
def near_elements(x: Floats, elements: Records, lower: Floats, upper: Floats, skin: float, first: Ints,
                  element: Int32s, fill: bool) -> int:
    """Boundary elements whose surface is closer to a grain than the skin, row by row, counted or listed."""
    out = np.zeros(OUT)
    count = 0
    for i in range(len(x)):
        first[i] = count
        reach = x[i, R] + skin
        for e in range(len(elements)):
            if (x[i, X] < lower[e, X] - reach or x[i, X] > upper[e, X] + reach or x[i, Y] < lower[e, Y] - reach
                    or x[i, Y] > upper[e, Y] + reach or x[i, Z] < lower[e, Z] - reach
                    or x[i, Z] > upper[e, Z] + reach):
                continue
            if touch(elements[e], x[i, X], x[i, Y], x[i, Z], out) < reach:
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


class Neighbours(NamedTuple):
    """A neighbour list as kernels take it: half lists of near pairs and of near boundaries, row by row."""

    slabs: Ints
    """(slabs + 1,): the rows at which slabs begin."""
    first: Ints
    """(grains + 1,): other[first[i]:first[i + 1]] are partners of row i, all after i."""
    other: Int32s
    pair: Records
    """SLOT of each of them: what the contact remembers."""
    wall_first: Ints
    """(grains + 1,): wall_element[wall_first[i]:wall_first[i + 1]] are elements near row i."""
    wall_element: Int32s
    wall: Records
    """SLOT of each of them."""
    built_at: Floats
    """(grains, 3): positions when the list was built [m]."""


class Remembered(NamedTuple):
    """What contacts of a neighbour list remember, as plain numbers."""

    first: Ints
    other: Int32s
    pair: FloatGrid
    wall_first: Ints
    wall: FloatGrid


class NeighbourList:
    """Near pairs and near boundaries, which follow the grains.

    Rows of the grains are sorted whenever the list is rebuilt; `version` counts that. `near` is what kernels work on.
    """

    near: Neighbours

    def __init__(self, grains: Grains, elements: Elements, dimension: int, up: int) -> None:
        self.grains, self.elements, self.dimension, self.up = grains, elements, dimension, up
        self.skin = SKIN[1] * self._mean_radius()
        self.steps = 0
        """Steps that the list has held."""
        self.version = 0
        self.built_pose = np.zeros((0, 8))
        """Poses of the bodies when the list was built, where boundaries belong to some."""
        self.pair_history, self.wall_history = History.empty(), History.empty()
        self.rebuild()

    def _mean_radius(self) -> float:
        return float(self.grains.x[:, R].mean()) if self.grains.count else 1.0

    def rebuild(self) -> None:
        """Sort the grains and build the list anew; slots are filled from `pair_history` and `wall_history`."""
        grains, elements = self.grains, self.elements
        if not np.isfinite(grains.x).all():
            raise NotConvergedError(f"at t = {grains.t:g} s grain positions are not finite. Use a smaller step, or "
                                    "check the start, the loads and the motion of boundaries.")
        slabs = self._arrange()
        if elements.moving:
            elements.follow(grains.t, *self._carriers())
            self.built_pose = self._carriers()[1].copy()
        first, other = half_list(grains, self.skin)
        wall_first, wall_element = self._near_boundaries()
        self.near = Neighbours(
            slabs, first, other, self.pair_history.put_back(first, other, grains.number, -1.0, grains.number),
            wall_first, wall_element,
            self.wall_history.put_back(wall_first, wall_element, self._element_numbers(), 1.0, grains.number),
            grains.x[:, :R].copy())
        self.built_t, self.steps = grains.t, 0
        self.version += 1

    def _carriers(self) -> tuple[Ints, Floats]:
        """Numbers and poses of the bodies, which boundaries may belong to."""
        if isinstance(self.grains, Parts):
            return self.grains.bodies.number, self.grains.bodies.pose
        return np.zeros(0, np.int64), np.zeros((0, 8))

    def _near_boundaries(self) -> tuple[Ints, Int32s]:
        """Elements near each grain; none of the body of a part, nor of one that it is joined to."""
        grains, elements = self.grains, self.elements
        first, element = np.zeros(grains.count + 1, np.int64), np.zeros(0, np.int32)
        for fill in (False, True):
            count = near_elements(grains.x, elements.now, elements.lower, elements.upper, self.skin, first, element,
                                  fill)
            if not fill:
                element = np.zeros(count, np.int32)
        if not (isinstance(grains, Parts) and elements.attached):
            return first, element
        row = np.repeat(np.arange(grains.count), np.diff(first))
        owner, number = elements.owner[element], grains.bodies.number[grains.body[row]]
        kept = (owner != number) & ~grains.held_apart(owner, number)
        return np.searchsorted(row[kept], np.arange(grains.count + 1)).astype(np.int64), element[kept]

    def _arrange(self) -> Ints:
        """Put the grains into an order that suits the solver; returns the rows at which slabs begin."""
        grains = self.grains
        if isinstance(grains, Parts):
            return grains.arrange(self.up, self.dimension, self.skin)
        if not grains.count:
            return np.zeros(2, np.int64)
        largest = float(grains.x[:, R].max())
        order, slabs = solver_order(grains.x[:, :R], largest, self.up, self.dimension, 2.0 * largest + self.skin)
        grains.permute(order)
        return slabs

    def _element_numbers(self) -> Ints:
        return np.arange(self.elements.count, dtype=np.int64)

    def save_history(self) -> None:
        """Take what contacts remember out of the slots: before grains are sorted, added, removed or saved."""
        number, near = self.grains.number, self.near
        self.pair_history = History.of(near.first, near.other, number, -1.0, number, near.pair)
        self.wall_history = History.of(near.wall_first, near.wall_element, self._element_numbers(), 1.0, number,
                                       near.wall)

    def renew(self, wanted: tuple[int, int] = STEPS) -> None:
        """Rebuild with a skin that suits how many steps the list has held, and is wanted to hold."""
        self.save_history()
        self.skin = next_skin(self.skin, self.steps, wanted, self._mean_radius())
        self.rebuild()

    def shrink_skin(self) -> None:
        """A smaller skin for the next list where this one has held for long: at the end of a frame, which keeps it."""
        if self.steps > STEPS[1]:
            self.skin = next_skin(self.skin, self.steps, STEPS, self._mean_radius())

    def remembered_forces(self, h: float) -> Contacts:
        """Contacts that remember an impulse, with the mean force over a step h."""
        x, near = self.grains.x, self.near
        impulse, wall_impulse = as_numbers(near.pair)[:, :3], as_numbers(near.wall)[:, :3]
        held, walls = (np.flatnonzero(np.any(vector != 0.0, axis=1)) for vector in (impulse, wall_impulse))
        i, j = np.searchsorted(near.first, held, side="right") - 1, near.other[held]
        normal = displacements(x[i, :R], x[j, :R])
        grain, element = np.searchsorted(near.wall_first, walls, side="right") - 1, near.wall_element[walls]
        away = np.empty((len(walls), 3))
        normals(self.elements.now, x, grain, element, np.zeros(OUT), away)
        pair = np.concatenate([np.column_stack([i, j]), np.column_stack([grain, -1 - element])]).astype(np.int32)
        force = np.concatenate([impulse[held], wall_impulse[walls]]) / h
        unit = normal / np.linalg.norm(normal, axis=1)[:, None]
        return Contacts(pair, np.concatenate([unit, away]), force)

    def remembered(self) -> Remembered:
        """Slots as plain numbers."""
        near = self.near
        return Remembered(near.first, near.other, as_numbers(near.pair), near.wall_first, as_numbers(near.wall))

    def lasting_changes(self, ratio: float) -> Floats:
        """(grains, 3): velocity that remembered impulses, except impacts, give in a step `ratio` times as long."""
        change = np.zeros((self.grains.count, 3))
        add_lasting(self.remembered(), self.grains.v, ratio, change)
        return change

    @property
    def extent(self) -> float:
        """Largest distance of a grain from the origin [m], where boundaries move."""
        if not (self.elements.moving and self.grains.count):
            return 0.0
        return float(np.sqrt(np.max(np.sum(self.grains.x[:, :R] ** 2, axis=1))))


@kernel
def add_lasting(near: Remembered, v: Floats, ratio: float, change: Floats) -> None:
    """Add what remembered impulses change velocities by when they are applied again."""
    for i in range(len(change)):
        for k in range(near.wall_first[i], near.wall_first[i + 1]):
            slot = near.wall[k]
            part = ratio * (1.0 - slot[SUDDEN]) * v[i, IM]
            change[i, X] += part * slot[FX]
            change[i, Y] += part * slot[FY]
            change[i, Z] += part * slot[FZ]
        for k in range(near.first[i], near.first[i + 1]):
            j, slot = near.other[k], near.pair[k]
            part = ratio * (1.0 - slot[SUDDEN])
            a, b = part * v[i, IM], part * v[j, IM]
            change[i, X] -= a * slot[FX]
            change[i, Y] -= a * slot[FY]
            change[i, Z] -= a * slot[FZ]
            change[j, X] += b * slot[FX]
            change[j, Y] += b * slot[FY]
            change[j, Z] += b * slot[FZ]


@kernel
def normals(elements: Records, x: Floats, grain: Ints, element: Int32s, out: Floats, away: Floats) -> None:
    """Normals of boundaries to grains near them."""
    for c in range(len(grain)):
        i = grain[c]
        touch(elements[element[c]], x[i, X], x[i, Y], x[i, Z], out)
        away[c, X], away[c, Y], away[c, Z] = out[NX], out[NY], out[NZ]


@kernel
def nearest(elements: Records, points: Floats, out: Floats, distance: Floats) -> None:
    """Signed distance of each point from the nearest boundary; infinite without one."""
    for i in range(len(points)):
        distance[i] = np.inf
        for e in range(len(elements)):
            distance[i] = min(distance[i], touch(elements[e], points[i, X], points[i, Y], points[i, Z], out))


@kernel
def touching_pairs(x: Floats, first: Ints, other: Int32s, near: float, pairs: Ints) -> int:
    """Write the rows of grains that touch, or have a gap below `near` of the smaller radius; returns how many."""
    count = 0
    for i in range(len(x)):
        for k in range(first[i], first[i + 1]):
            j = other[k]
            dx, dy, dz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
            reach = x[i, R] + x[j, R] + near * min(x[i, R], x[j, R])
            if dx * dx + dy * dy + dz * dz < reach * reach:
                pairs[count, FIRST], pairs[count, SECOND] = i, j
                count += 1
    return count
