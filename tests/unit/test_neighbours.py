"""Near pairs against brute force, slabs that touch only their neighbours, and memory that survives"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.search.history import WIDTH, History, as_numbers
from granum.grains.search.neighbour_list import NeighbourList
from granum.grains.search.neighbours import SLAB_GRAINS, STEPS, half_list, next_skin, solver_order
from granum.grains.state import Grains
from granum.model.boundaries import Box, Motion, Plane


def cloud(count: int, d: int, radii: tuple[float, float], seed: int = 0, wide: float = 1.0) -> Grains:
    """Grains anywhere, overlapping or not, sizes spread evenly over their logarithm."""
    rng = np.random.default_rng(seed)
    x, v = np.zeros((count, 4)), np.zeros((count, 8))
    x[:, :d] = rng.random((count, d))
    x[:, 0] *= wide
    x[:, 3] = np.exp(rng.uniform(*np.log(radii), count))
    v[:, 3], v[:, 7] = 1.0, 2.5
    return Grains(0.0, x, v, np.zeros(count, np.int32), rng.permutation(count).astype(np.int64),
                  np.zeros(count, np.int32))


def near_pairs(grains: Grains, skin: float) -> set[tuple[int, int]]:
    """All pairs of numbers with a gap below the skin, one by one."""
    x, found = grains.x, set()
    for i in range(grains.count):
        gap = np.linalg.norm(x[i + 1:, :3] - x[i, :3], axis=1) - x[i + 1:, 3] - x[i, 3]
        for j in np.flatnonzero(gap < skin) + i + 1:
            found.add(tuple(sorted((int(grains.number[i]), int(grains.number[j])))))
    return found


def listed(grains: Grains, first: np.ndarray, other: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of a list by numbers."""
    return [tuple(sorted((int(grains.number[i]), int(grains.number[j]))))
            for i in range(grains.count) for j in other[first[i]:first[i + 1]]]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("radii", [(0.02, 0.02), (0.02, 0.03), (0.005, 0.1), (0.001, 0.02)])
@pytest.mark.parametrize("skin", [0.0, 0.003, 0.05])
def test_pairs_are_those_of_brute_force(d, radii, skin):
    """Size ratios up to 1:20; each pair once, under its lower row, partners in order."""
    for seed in range(3):
        grains = cloud(500, d, radii, seed)
        reach = 2.0 * grains.x[:, 3].max() + skin
        order, slabs = solver_order(grains.x[:, :3], float(grains.x[:, 3].max()), d - 1, d, reach)
        assert np.array_equal(np.sort(order), np.arange(500)) and slabs[0] == 0 and slabs[-1] == 500
        grains.permute(order)
        first, other = half_list(grains, skin)
        pairs = listed(grains, first, other)
        assert len(pairs) == len(set(pairs)) and set(pairs) == near_pairs(grains, skin)
        for i in range(500):
            partners = other[first[i]:first[i + 1]]
            assert np.all(partners > i) and np.all(np.diff(partners) > 0)


def test_one_grain_far_away_does_not_matter():
    """A grain that flies off goes to a border cell, and memory does not grow with the distance."""
    for far in (1e3, 1e9):
        grains = cloud(300, 3, (0.02, 0.04))
        grains.x[7, :3] = far, -far, far
        grains.x[8, :3] = grains.x[7, :3] + [0.03, 0.0, 0.0]
        order, _ = solver_order(grains.x[:, :3], float(grains.x[:, 3].max()), 2, 3, 0.1)
        grains.permute(order)
        assert set(listed(grains, *half_list(grains, 0.01))) == near_pairs(grains, 0.01)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_grains(count):
    grains = cloud(count, 2, (0.1, 0.1))
    elements = compile_boundaries(SimpleNamespace(boundary={}), 2, ["m"])
    neighbours = NeighbourList(grains, elements, 2, 1)
    near = neighbours.near
    assert len(near.first) == count + 1 and set(listed(grains, near.first, near.other)) == near_pairs(
        grains, neighbours.skin)


@pytest.mark.parametrize("d", [2, 3])
def test_slabs_touch_only_the_next_one(d):
    """Contacts of slab k are between grains of k and k + 1: even slabs may be worked on at once."""
    count = 8 * SLAB_GRAINS
    grains = cloud(count, d, (0.003, 0.02), wide=4.0)
    near = NeighbourList(grains, compile_boundaries(SimpleNamespace(boundary={}), d, ["m"]), d, d - 1).near
    slabs = near.slabs
    assert len(slabs) - 1 >= 6 and np.all(np.diff(slabs) > 0.5 * SLAB_GRAINS)
    slab = np.searchsorted(slabs, np.arange(count), side="right") - 1
    i = np.repeat(np.arange(count), np.diff(near.first))
    apart = slab[near.other] - slab[i]
    assert apart.min() >= 0 and apart.max() == 1
    assert len(np.unique(grains.number)) == count


def test_walls_near_grains_are_those_of_brute_force():
    box = Box(lower=(0.0, 0.0), upper=(1.0, 1.0))
    tilted = Plane(position=(0.0, 0.1), normal=(-0.3, 1.0))
    elements = compile_boundaries(SimpleNamespace(boundary={"box": box, "tilted": tilted}), 2, ["m"])
    grains = cloud(400, 2, (0.01, 0.05))
    neighbours = NeighbourList(grains, elements, 2, 1)
    x, r = grains.x[:, :2], grains.x[:, 3]
    n = np.array([-0.3, 1.0]) / np.hypot(0.3, 1.0)
    expected = np.column_stack([x[:, 0], 1.0 - x[:, 0], x[:, 1], 1.0 - x[:, 1], (x - [0.0, 0.1]) @ n]) - r[:, None]
    near = neighbours.near
    listed_at = [np.sort(near.wall_element[near.wall_first[i]:near.wall_first[i + 1]]) for i in range(400)]
    # in which order the sides of a box come does not matter
    rows = {tuple(np.flatnonzero([e in own for own in listed_at])) for e in range(elements.count)}
    assert rows == {tuple(np.flatnonzero(expected[:, k] < neighbours.skin)) for k in range(5)}


@pytest.mark.parametrize("d", [2, 3])
def test_history_survives_new_lists(d):
    """What a pair remembers follows it through sorting, coming and going; it turns where i and j change places."""
    rng = np.random.default_rng(3)
    box = Box(lower=(0.0,) * d, upper=(1.0,) * d, motion=Motion(velocity=(0.0,) * d))
    elements = compile_boundaries(SimpleNamespace(boundary={"box": box}), d, ["m"])
    grains = cloud(300, d, (0.01, 0.08), seed=4)
    neighbours = NeighbourList(grains, elements, d, d - 1)

    def vector(a: int, b: int) -> np.ndarray:
        """A vector that acts on b: the opposite acts on a."""
        own = np.random.default_rng([min(a, b), max(a, b)]).normal(size=WIDTH)
        own[: WIDTH - 1] *= 1.0 if a < b else -1.0
        return own

    def fill() -> None:
        near = neighbours.near
        for i in range(grains.count):
            for k in range(near.first[i], near.first[i + 1]):
                as_numbers(near.pair)[k] = vector(int(grains.number[i]), int(grains.number[near.other[k]]))
            for k in range(near.wall_first[i], near.wall_first[i + 1]):
                as_numbers(near.wall)[k] = grains.number[i], near.wall_element[k], 1.0, 2.0, 3.0, 4.0, 5.0

    def check(known: set[int]) -> int:
        near, swapped = neighbours.near, 0
        for i in range(grains.count):
            for k in range(near.first[i], near.first[i + 1]):
                a, b = int(grains.number[i]), int(grains.number[near.other[k]])
                kept = as_numbers(near.pair)[k]
                new = not np.any(kept)
                assert new or np.array_equal(kept, vector(a, b))
                assert not new or a not in known or b not in known or (min(a, b), max(a, b)) not in before
                swapped += a > b
            for k in range(near.wall_first[i], near.wall_first[i + 1]):
                kept = as_numbers(near.wall)[k]
                assert not np.any(kept) or kept.tolist() == [grains.number[i], near.wall_element[k], 1, 2, 3, 4, 5]
        return swapped

    fill()
    before = set(listed(grains, neighbours.near.first, neighbours.near.other))
    known = set(grains.number.tolist())
    grains.x[:, :d] += 0.004 * rng.normal(size=(300, d))
    neighbours.renew()
    assert check(known) > 20
    still = before & set(listed(grains, neighbours.near.first, neighbours.near.other))
    assert len(still) > 50
    # a third goes, as many come with higher numbers
    fill()
    before = set(listed(grains, neighbours.near.first, neighbours.near.other))
    neighbours.save_history()
    grains.permute(np.flatnonzero(rng.random(300) > 0.3))
    known = set(grains.number.tolist())
    new = cloud(100, d, (0.01, 0.08), seed=9)
    new.number += 5000
    grains.append(new)
    neighbours.rebuild()
    check(known)
    assert len(before & set(listed(grains, neighbours.near.first, neighbours.near.other))) > 20


def test_history_of_nothing():
    none = History.empty()
    assert none.put_back(np.array([0, 1]), np.array([1], np.int32), np.array([5, 6]), -1.0, np.array([5, 6])).shape == (
        1,)


def test_the_skin_follows_how_long_lists_hold():
    """Larger where neighbours hold few steps, smaller where many, within its limits; by steps alone."""
    assert next_skin(0.1, 5, STEPS, 1.0) > 0.1 > next_skin(0.1, 200, STEPS, 1.0)
    assert next_skin(0.1, 30, STEPS, 1.0) == 0.1
    assert next_skin(0.79, 1, STEPS, 1.0) == 0.8 and next_skin(0.021, 1000, STEPS, 1.0) == 0.02
