"""Rigidity of nets whose answer is known: lattices, rings, trusses, gears, joints, and what cannot be counted."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
from granum.topology import pebble_game
from granum.topology.rank import LARGEST, Bars, TooLargeError, rank_rigidity
from messages import refused


def ring(n: int) -> list[tuple[int, int]]:
    return [(k, (k + 1) % n) for k in range(n)]


def triangular(rows: int, columns: int) -> np.ndarray:
    """Bonds of a triangular lattice, in the shape of a parallelogram."""
    at = np.arange(rows * columns).reshape(rows, columns)
    ways = ((at[:, :-1], at[:, 1:]), (at[:-1], at[1:]), (at[1:, :-1], at[:-1, 1:]))
    return np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in ways])


def points(n: int) -> np.ndarray:
    return np.full(n, 2)


def links(position: np.ndarray, pair: np.ndarray) -> Bars:
    arm = position[pair[:, 1]] - position[pair[:, 0]]
    return Bars(np.arange(len(pair)), arm / np.linalg.norm(arm, axis=1, keepdims=True), position[pair[:, 0]])


@pytest.mark.parametrize("n", [3, 4, 5, 9])
def test_a_ring(n):
    """A polygon of n links has n - 3 ways to change its shape; only the triangle is rigid."""
    found = pebble_game(points(n), np.array(ring(n)))
    assert found.freedoms == n and not found.redundant.any() and not found.stressed.any()
    assert found.count == (1 if n == 3 else n) and found.largest == (3 if n == 3 else 2)
    assert found.isostatic.all() and not found.overdetermined.any()


def test_a_triangular_lattice():
    """3 n links of n points but for the rim: all of it one over-determined cluster."""
    pair = triangular(30, 20)
    found = pebble_game(points(600), pair)
    assert found.freedoms == 3 and found.redundant.sum() == len(pair) - (2 * 600 - 3)
    # the two sharp corners are held by two links each, so these are needed
    degree = np.bincount(pair.ravel())
    assert np.array_equal(found.stressed, (degree[pair] > 2).all(axis=1))
    assert found.count == 1 and found.largest == 600 and not found.overdetermined[0] and not found.isostatic[0]
    assert not found.holds_ground(0)


def test_a_square_lattice_and_its_braces():
    """m by n squares are rigid with m + n - 1 braces that connect all rows and columns, and not with one less."""
    m, n = 6, 9
    at = np.arange((m + 1) * (n + 1)).reshape(m + 1, n + 1)
    pair = np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in
                           ((at[:, :-1], at[:, 1:]), (at[:-1], at[1:]))])
    free = pebble_game(points(at.size), pair)
    assert free.freedoms == 3 + m + n - 1 and free.count == len(pair)
    braces = [(at[0, k], at[1, k + 1]) for k in range(n)] + [(at[k, 0], at[k + 1, 1]) for k in range(1, m)]
    rigid = pebble_game(points(at.size), np.concatenate([pair, braces]))
    assert rigid.freedoms == 3 and rigid.count == 1 and rigid.isostatic[0]
    assert pebble_game(points(at.size), np.concatenate([pair, braces[1:]])).largest < at.size
    # a brace too many stresses a part only: the row and the columns that it closes a loop with
    over = pebble_game(points(at.size), np.concatenate([pair, braces, [(at[1, 1], at[2, 2])]]))
    assert over.redundant.sum() == 1 and over.stressed[-1] and not over.stressed.all()


def test_a_honeycomb():
    """Each point has three links, so n/2 freedoms are left, and no two links are rigid together."""
    cells = 12
    # brick wall: rows of points with every other link upwards
    at = np.arange(cells * cells).reshape(cells, cells)
    up = (np.add.outer(np.arange(cells - 1), np.arange(cells)) % 2).astype(bool)
    pair = np.concatenate([np.column_stack([at[:, :-1].ravel(), at[:, 1:].ravel()]),
                           np.column_stack([at[:-1][up], at[1:][up]])])
    found = pebble_game(points(at.size), pair)
    assert found.freedoms == 2 * at.size - len(pair) and found.count == len(pair) and found.largest == 2


def test_complete_graphs():
    """K4 has one link too many; K33 has none, is rigid without a triangle, and gains a motion on a conic."""
    k4 = pebble_game(points(4), np.array([(i, j) for i in range(4) for j in range(i)]))
    assert k4.redundant.sum() == 1 and k4.overdetermined[0] and k4.freedoms == 3
    pair = np.array([(i, j) for i in range(3) for j in range(3, 6)])
    k33 = pebble_game(points(6), pair)
    assert k33.count == 1 and k33.isostatic[0] and k33.largest == 6
    angle = np.array([0.1, 0.9, 2.0, 2.9, 4.0, 5.5])
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    on_it = rank_rigidity(circle, points(6), pair, links(circle, pair))
    assert on_it.freedoms == 4 and on_it.stressed.all() and on_it.largest == 2
    circle[0] *= 1.3
    beside = rank_rigidity(circle, points(6), pair, links(circle, pair))
    assert beside.freedoms == 3 and beside.largest == 6


def test_trusses_of_figure_2_2():
    """(a) six bodies and seven links, one to the ground; (b) seven bodies and twelve links: 12 > 2·7 - 3 (eq 2.2)."""
    one = pebble_game(points(6), np.array([*ring(6), (0, 6)]))
    assert one.freedoms == 5 and not one.redundant.any()
    wheel = pebble_game(points(7), np.array([*ring(6), *((6, k) for k in range(6))]))
    assert wheel.freedoms == 3 and wheel.redundant.sum() == 1 and wheel.overdetermined[0] and wheel.largest == 7


def test_two_bodies_hinge_at_a_point():
    """Two triangles that share a corner: it is in both clusters."""
    found = pebble_game(points(5), np.array([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]))
    assert found.count == 2 and found.freedoms == 4
    assert {*map(tuple, (found.members(0), found.members(1)))} == {(0, 1, 2), (2, 3, 4)}


def test_joints_of_bodies_in_the_plane():
    """Glue holds, a hinge leaves one freedom, a four-bar with the ground as its fourth bar one, with a brace none."""
    assert pebble_game(np.full(2, 3), np.array([(0, 1)]), 3).largest == 2
    hinge = pebble_game(np.full(2, 3), np.array([(0, 1)]), 2)
    assert hinge.freedoms == 4 and hinge.count == 0 and hinge.label[0] == -1 and hinge.largest == 0
    bars = np.array([(3, 0), (0, 1), (1, 2), (2, 3)])
    assert pebble_game(np.full(3, 3), bars, 2).freedoms == 1
    braced = pebble_game(np.full(3, 3), np.concatenate([bars, [(0, 2)]]), np.array([2, 2, 2, 2, 1]))
    assert braced.freedoms == 0 and braced.holds_ground(0) and braced.largest == 3 and braced.isostatic[0]


def test_a_shared_fixed_point_is_a_point_of_the_ground():
    """K4 with one corner fixed: at one place it still turns; tied to the ground at three places it does not."""
    k4 = [(i, j) for i in range(4) for j in range(i)]
    pinned = pebble_game(points(4), np.array([*k4, (0, 4)]), np.array([1] * 6 + [2]))
    assert pinned.freedoms == 1 and pinned.redundant.sum() == 1
    apart = pebble_game(points(3), np.array([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]))
    assert apart.freedoms == 0 and not apart.redundant.any() and apart.holds_ground(0)


def disks(centre: np.ndarray, radius: np.ndarray, pair: np.ndarray) -> Bars:
    """Contacts that stick: normal and tangent at the contact."""
    normal = centre[pair[:, 1]] - centre[pair[:, 0]]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    place = centre[pair[:, 0]] + radius[pair[:, 0], None] * normal
    both = np.stack([normal, np.column_stack([-normal[:, 1], normal[:, 0]])], axis=1)
    return Bars(np.repeat(np.arange(len(pair)), 2), both.reshape(-1, 2), np.repeat(place, 2, axis=0))


def test_three_disks_lock_and_four_turn_as_gears():
    """Loops of an odd number of disks that stick lock; those of an even number turn, which only places tell.

    Four disks in a square with hubs tied crosswise are one rigid body by count: 12 freedoms and 8 + 1 rows.
    """
    three = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 3.0**0.5]])
    pair = np.array(ring(3))
    locked = rank_rigidity(three, np.full(3, 3), pair, disks(three, np.ones(3), pair))
    assert locked.freedoms == pebble_game(np.full(3, 3), pair, 2).freedoms == 3 and locked.largest == 3
    four = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    pair = np.array(ring(4))
    bars = disks(four, np.ones(4), pair)
    across = Bars(np.append(bars.bond, 4), np.vstack([bars.direction, [[0.5**0.5, 0.5**0.5]]]),
                  np.vstack([bars.point, [[1.0, 1.0]]]))
    pair = np.vstack([pair, [[0, 2]]])
    assert pebble_game(np.full(4, 3), pair, np.array([2, 2, 2, 2, 1])).freedoms == 3
    gears = rank_rigidity(four, np.full(4, 3), pair, across)
    assert gears.freedoms == 4 and gears.redundant.sum() == 1 and gears.largest == 0


def test_the_double_banana():
    """Two bipyramids on one axis: 18 links, as many as 8 points in space need, and yet it turns about the axis."""
    pair = np.array([(a, b) for side in ((2, 3, 4), (5, 6, 7)) for a in (0, 1) for b in side]
                    + [(2, 3), (3, 4), (4, 2), (5, 6), (6, 7), (7, 5)])
    rng = np.random.default_rng(3)
    position = rng.uniform(-1.0, 1.0, (8, 3))
    found = rank_rigidity(position, np.full(8, 3), pair, links(position, pair))
    assert found.freedoms == 7 and found.redundant.sum() == 1 and found.stressed.all()
    assert found.count == 2 and found.sizes.tolist() == [5, 5] and found.overdetermined.all()
    assert {0, 1} <= {*found.members(0)} & {*found.members(1)}


@pytest.mark.parametrize(("pair", "rows", "freedoms", "names"), [
    ([(0, 0)], 1, 2, ("bond 0", "0 and 0")), ([(0, 3)], 1, 2, ("bond 0", "0 and 3", "ground 2")),
    ([(0, 1)], 0, 2, ("bond 0", "0 rows")), ([(0, 1)], 1, 1, ("1 freedoms", "l = 3")),
    ([(0, 1)], 1, 4, ("4 freedoms", "l = 3"))], ids=["itself", "beyond", "no-rows", "one-freedom", "four-freedoms"])
def test_refusals(pair, rows, freedoms, names):
    with refused(gr.GranumError, *names):
        pebble_game(np.full(2, freedoms), np.array(pair), rows)


def test_a_net_too_large_for_rank_is_refused():
    n = LARGEST // 3 + 1
    position, pair = np.random.default_rng(0).uniform(size=(n, 3)), np.array(ring(n))
    with refused(TooLargeError, str(LARGEST)):
        rank_rigidity(position, np.full(n, 3), pair, links(position, pair))


def test_nothing_is_floppy():
    """No bodies, and bodies without bonds."""
    none = np.zeros((0, 2), np.int64)
    assert pebble_game(np.zeros(0, np.int64), none).freedoms == 0
    alone = pebble_game(points(3), none)
    assert alone.freedoms == 6 and alone.count == 0 and alone.largest == 0
    bars = Bars(np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros((0, 2)))
    assert rank_rigidity(np.zeros((3, 2)), points(3), none, bars).freedoms == 6
