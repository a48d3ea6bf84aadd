"""Measurements on grains: lattices whose numbers are known, columns at rest, and flows made by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.measuring import measure, network
from granum.grains.state import Int32s
from messages import refused


def touching_pairs(x: Floats, distance: float = 2.0) -> Int32s:
    """All pairs of unit grains that touch."""
    return cKDTree(x).query_pairs(distance * (1.0 + 1e-9), output_type="ndarray").astype(np.int32)


def normals(x: Floats, pair: Int32s) -> Floats:
    between = x[pair[:, 1]] - x[pair[:, 0]]
    return between / np.linalg.norm(between, axis=1)[:, None]


def triangular(rows: int) -> Floats:
    i, j = np.meshgrid(np.arange(rows), np.arange(rows))
    return np.stack([2.0 * i + j, math.sqrt(3.0) * j, 0.0 * i], axis=-1).reshape(-1, 3).astype(float)


def face_centred(cells: int) -> Floats:
    cube = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=float)
    shift = 2.0 * np.array([*np.ndindex(cells, cells, cells)], dtype=float)
    return math.sqrt(2.0) * (shift[:, None] + cube).reshape(-1, 3)


@pytest.mark.parametrize(("x", "full", "dimension"), [(triangular(9), 6, 2), (face_centred(4), 12, 3)])
def test_lattices_have_their_neighbours_and_no_direction(x: Floats, full: int, dimension: int) -> None:
    pair = touching_pairs(x)
    counts = network.contact_counts(pair, len(x))
    middle = np.linalg.norm(x - x.mean(axis=0), axis=1) < 3.0
    assert np.count_nonzero(middle) > 5
    assert np.all(counts[middle] == full)
    assert counts.max() == full
    found = network.coordination(pair, len(x), dimension)
    assert found.mean == pytest.approx(2.0 * len(pair) / len(x))
    # contacts of one grain of the middle point into all directions alike
    centre = int(np.argmin(np.linalg.norm(x - x.mean(axis=0), axis=1)))
    around = pair[(pair == centre).any(axis=1)]
    fabric = measure.fabric(normals(x, around), dimension)
    assert fabric.tensor == pytest.approx(np.eye(dimension) / dimension, abs=1e-14)
    assert fabric.anisotropy < 1e-7  # the root of a sum of squares of 1e-16


def test_fabric_of_one_direction_and_of_a_known_distribution() -> None:
    n = np.array([[0.6, -0.8, 0.0]] * 3)
    found = measure.fabric(n, 2)
    assert found.anisotropy == pytest.approx(1.0)
    assert found.direction == pytest.approx([-0.6, 0.8])
    assert np.trace(found.tensor) == pytest.approx(1.0)
    assert measure.fabric(np.array([[0.0, 0.0, -1.0]]), 3).anisotropy == pytest.approx(1.0)
    # normals with density (1 + a cos 2(θ - θ_c))/2π have F_1 - F_2 = a/2: place them by the inverse distribution
    a, centre = 0.4, 0.5
    theta = np.linspace(0.0, 2.0 * np.pi, 20001)
    below = (theta + 0.5 * a * np.sin(2.0 * theta)) / (2.0 * np.pi)
    placed = np.interp((np.arange(200000) + 0.5) / 200000, below, theta)
    placed += centre
    found = measure.fabric(np.stack([np.cos(placed), np.sin(placed), 0.0 * placed], axis=1), 2)
    assert found.anisotropy == pytest.approx(0.5 * a, abs=1e-6)
    assert found.direction == pytest.approx([math.cos(centre), math.sin(centre)], abs=1e-6)


def test_rattlers_fall_one_after_the_other() -> None:
    """A tail of grains hangs on a triangle: without friction all of it is loose, the triangle holds by the floor."""
    pair = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5],
                     [0, -1], [1, -1], [0, -2], [1, -3], [2, -2], [2, -3]], dtype=np.int32)
    found = network.coordination(pair, 7, 2)
    assert found.rattlers.tolist() == [False, False, False, True, True, True, True]
    assert (found.pairs, found.walls) == (6, 6)
    assert found.mean == pytest.approx((2 * 6 + 6) / 7)
    assert found.backbone == pytest.approx((2 * 3 + 6) / 3)
    assert found.isostatic == pytest.approx(2 * 9 / 3)
    # with friction two contacts are enough: the tail falls from its end, as its last one has one
    assert network.coordination(pair, 7, 2, friction=True).rattlers.tolist() == [False] * 3 + [True] * 4
    closed = np.concatenate([pair, [[5, -1]]]).astype(np.int32)
    assert network.coordination(closed, 7, 2, friction=True).rattlers.tolist() == [False] * 6 + [True]


def test_a_grain_that_rests_on_one_support_is_no_rattler_under_gravity() -> None:
    """One on the floor, one on top of it, one in a groove of two; two that touch as they fall, one that hangs below."""
    pair = np.array([[0, -1], [0, 1], [2, -1], [2, -2], [3, 4], [1, 5]], dtype=np.int32)
    force = np.array([[0.0, 2, 0], [0, 1, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0], [0, 1, 0], [0, -1, 0]], dtype=float)
    found = network.coordination(pair, 6, 2, True, force, np.array([0.0, -9.81, 0.0]))
    assert found.rattlers.tolist() == [False, False, False, True, True, True]
    # the same contacts without gravity hold only what two of them hold
    assert network.coordination(pair, 6, 2, True, force, np.zeros(3)).rattlers.tolist() == [True] * 2 + [False] + [
        True] * 3
    with refused(GranumError, "`force`"):
        network.coordination(pair, 6, 2, gravity=np.array([0.0, -9.81, 0.0]))


def test_rattlers_as_repeated_removal_finds_them() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        pair = rng.integers(0, 60, (110, 2)).astype(np.int32)
        pair = pair[pair[:, 0] != pair[:, 1]]
        pair[rng.uniform(size=len(pair)) < 0.1, 1] = -1
        there = np.ones(60, dtype=bool)
        while True:
            held = there[pair[:, 0]] & ((pair[:, 1] < 0) | there[np.maximum(pair[:, 1], 0)])
            ends = pair[held].ravel()
            fewer = np.bincount(ends[ends >= 0], minlength=60) < 3
            if not np.any(fewer & there):
                break
            there &= ~fewer
        assert np.array_equal(network.rattlers(pair, 60, 3), ~there)


def test_clusters_and_percolation() -> None:
    pair = np.array([[0, 1], [2, 3], [3, 4], [0, -1], [2, -1], [4, -4], [5, -4]], dtype=np.int32)
    cluster = network.clusters(pair, 6)
    assert cluster.tolist() == [1, 1, 0, 0, 0, 2]
    floor, lid = network.touching(pair, 6, [0]), network.touching(pair, 6, [3])
    assert floor.tolist() == [True, False, True, False, False, False]
    assert network.percolating(cluster, floor, lid).tolist() == [0]
    assert network.percolating(cluster, floor, network.touching(pair, 6, [1])).tolist() == []
    graph = network.graph(pair, 6, np.arange(7.0))
    assert (graph.toarray() == graph.toarray().T).all()
    assert graph[3, 4] == 2.0


def test_force_chains() -> None:
    pair = np.array([[0, 1], [1, 2], [2, 3], [3, -1]], dtype=np.int32)
    force = np.array([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    found = network.force_chains(pair, force, 4)
    assert found.mean == 2.0
    assert found.strong.tolist() == [True, True, False, False]
    assert found.carried == pytest.approx(6 / 8)
    assert found.participation == pytest.approx(8.0**2 / (4 * 20.0))
    assert found.chain.tolist() == [0, 0, 0, 1]
    with refused(GranumError, "2 contacts"):
        network.force_chains(pair[:2], 0.0 * force[:2], 4)


def test_distribution_of_forces() -> None:
    """Exponential forces have density exp(-f/⟨f⟩)."""
    size = -np.log((np.arange(20000) + 0.5) / 20000)
    density, edges = network.force_distribution(5.0 * size[:, None] * [0.0, 0.6, 0.8], 20, 4.0)
    want = (np.exp(-edges[:-1]) - np.exp(-edges[1:])) / np.diff(edges)
    assert density == pytest.approx(want, abs=2e-3)


def column(count: int, dimension: int, weight: float = 3.0) -> tuple[Floats, Floats, Int32s, Floats, Floats]:
    """Grains of different radii on top of each other on a floor, with the forces of gravity along the last axis."""
    radii = np.linspace(0.5, 1.5, count)
    height = np.concatenate([[0.0], np.cumsum(2.0 * radii)[:-1]]) + radii
    up = np.eye(3)[dimension - 1]
    pair = np.array([[0, -1], *([k, k + 1] for k in range(count - 1))], dtype=np.int32)
    above = weight * np.arange(count, 0, -1.0)
    return height[:, None] * up, radii, pair, np.tile(up, (count, 1)), above[:, None] * up


@pytest.mark.parametrize("dimension", [2, 3])
def test_stress_in_a_column_is_the_weight_above(dimension: int) -> None:
    """In each grain the mean vertical force is the mean of those below and above it; nothing pushes sideways."""
    x, radii, pair, normal, force = column(6, dimension)
    moment = measure.grain_moments(x, radii, pair, normal, force, dimension)
    carried = np.append(force[:, dimension - 1], 0.0)
    want = radii * (carried[:-1] + carried[1:])  # force times length: r of the lower half and r of the upper
    assert moment[:, -1, -1] == pytest.approx(want)
    moment[:, -1, -1] = 0.0
    assert not moment.any()
    top = measure.stress(x, radii, pair, normal, force, dimension, 2.0, part=np.array([0, 0, 0, 0, 0.5, 1.0]))
    assert top.tensor[-1, -1] == pytest.approx((0.5 * want[4] + want[5]) / 2.0)


def test_hydrostatic_pressure_in_a_pile_of_disks() -> None:
    """Square lattice in a box, filled with fluid-like forces: each layer pushes ρ g z down and to the sides.

    Vertical contacts at depth z carry ρ g z times the width of a column, horizontal ones as much as the side of their
    layer asks for; pressure in the middle of a layer is then ρ g z, to the left and right as well as down.
    """
    n, weight = 8, 2.0
    x = np.array([[2.0 * i + 1.0, 2.0 * j + 1.0, 0.0] for j in range(n) for i in range(n)])
    pair, normal, force = [], [], []
    for j in range(n):
        above, layer = weight * (n - j), weight * (n - j - 0.5)
        for i in range(n):
            me = j * n + i
            pair.append([me - n, me] if j else [me, -1])
            normal.append([0.0, 1.0, 0.0])
            force.append([0.0, above, 0.0])
            pair.append([me - 1, me] if i else [me, -2])
            normal.append([1.0, 0.0, 0.0])
            force.append([layer, 0.0, 0.0])
        pair.append([j * n + n - 1, -3])
        normal.append([-1.0, 0.0, 0.0])
        force.append([-layer, 0.0, 0.0])
    contacts = np.array(pair, dtype=np.int32), np.array(normal), np.array(force)
    for j in range(n):
        part = (np.arange(n * n) // n == j).astype(float)
        found = measure.stress(x, np.ones(n * n), *contacts, 2, 2.0 * n * 2.0, part)
        depth = 2.0 * n - x[j * n, 1]
        # ρ g of the cells: weight over its area 2 by 2
        assert found.tensor == pytest.approx(weight / 4.0 * depth * np.eye(2), abs=1e-12)
        assert found.pressure == pytest.approx(weight / 4.0 * depth)
        assert found.deviator < 1e-12
        assert found.asymmetry == 0.0
    whole = measure.stress(x, np.ones(n * n), *contacts, 2, (2.0 * n) ** 2)
    assert whole.pressure == pytest.approx(weight / 4.0 * n)


def test_stress_of_forces_that_turn_is_not_symmetric() -> None:
    x = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    contact = np.array([[0, 1]], dtype=np.int32), np.array([[1.0, 0.0, 0.0]])
    found = measure.stress(x, np.ones(2), *contact, np.array([[0.0, 3.0, 0.0]]), 2, 1.0)
    assert found.tensor == pytest.approx(np.array([[0.0, 0.0], [6.0, 0.0]]))  # σ_yx = f_y l_x
    assert found.asymmetry == pytest.approx(math.sqrt(2.0))
    pressed = measure.stress(x, np.ones(2), *contact, np.array([[5.0, 0.0, 0.0]]), 2, 1.0)
    assert pressed.tensor[0, 0] > 0.0
    assert pressed.deviator == pytest.approx(5.0)  # principal stresses 10 and 0


def test_moving_grains() -> None:
    """A gas of given temperature that drifts: the drift is not heat, and pressure is density times temperature."""
    drift = np.array([7.0, 8.0, 0.0])
    v = drift + np.array([[1.0, 2.0, 0.0], [-1.0, 2.0, 0.0], [1.0, -2.0, 0.0], [-1.0, -2.0, 0.0]])
    m = np.full(4, 3.0)
    assert measure.granular_temperature(v, m, 2) == pytest.approx((1.0 + 4.0) / 2.0)
    found = measure.kinetic_stress(v, m, 2, 6.0)
    assert found.tensor == pytest.approx(np.diag([1.0, 4.0]) * 12.0 / 6.0)
    assert found.pressure == pytest.approx(12.0 / 6.0 * 2.5)
    # with unequal masses the mean is that of momentum
    two = np.array([[3.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    assert measure.kinetic_stress(two, np.array([1.0, 3.0]), 3, 1.0).tensor[0, 0] == 12.0


def test_numbers_of_the_flow() -> None:
    assert measure.froude_number(0.1, 9.81, 0.4) == pytest.approx(0.05048, rel=1e-4)  # Sun (1996), eq. 6.2
    assert measure.inertial_number(-2.0, 0.01, 400.0, 2500.0) == pytest.approx(0.05)
    with refused(GranumError, "inertial number", "0 Pa"):
        measure.inertial_number(1.0, 0.01, 0.0, 2500.0)


def crossed(before: Floats, after: Floats, half_width: float = math.inf) -> Floats:
    passed = np.zeros(2)
    normal = np.array([0.6, 0.8, 0.0])
    measure.crossings(before, after, np.arange(1.0, 1.0 + len(before)), np.array([1.0, 1.0, 0.0]), normal, half_width,
                      passed)
    return passed


def test_passages_through_a_section() -> None:
    point, n, t = np.array([1.0, 1.0, 0.0]), np.array([0.6, 0.8, 0.0]), np.array([-0.8, 0.6, 0.0])
    before = np.array([point - n + 3.0 * t, point + n, point - n, point - 2.0 * n, point + 5.0 * t])
    after = np.array([point + n + t, point - 2.0 * n, point - 0.5 * n, point, point + n])
    # through at 2 t; back (mass 2); not yet; arrives on it (mass 4); was on it before, so it is through already
    assert crossed(before, after).tolist() == [1.0, 1.0 - 2.0 + 4.0]
    assert crossed(before, after, 1.9).tolist() == [0.0, -2.0 + 4.0]
    assert crossed(before, after, 2.1).tolist() == [1.0, 3.0]


def test_passages_of_steps_add_up() -> None:
    """A walk in many steps passes as often as its ends say, wherever a step happens to end."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 3))
    start, passed = x.copy(), np.zeros(2)
    for _ in range(50):
        ahead = x + 0.3 * rng.normal(size=x.shape)
        passed += crossed(x, ahead)
        x = ahead
    assert passed.tolist() == pytest.approx(crossed(start, x).tolist())


def test_penetration() -> None:
    x = np.array([[0.0, 0.0, 0.0], [2.9, 0.0, 0.0], [2.9, 4.5, 0.0], [9.0, 0.0, 0.0]])
    radii = np.array([1.0, 2.0, 3.0, 1.0])
    pair = np.array([[0, 1], [1, 2], [1, 3]], dtype=np.int32)
    gap = np.append(measure.gaps(x, radii, pair), -0.03)
    assert gap == pytest.approx([-0.1, -0.5, 3.1, -0.03])
    found = measure.penetration(gap, np.concatenate([pair, [[2, -5]]]).astype(np.int32), radii)
    assert (found.closed, found.largest) == (3, pytest.approx(0.25))
    assert found.mean == pytest.approx((0.1 + 0.25 + 0.01) / 3)
    assert found.rms == pytest.approx(math.sqrt((0.01 + 0.0625 + 0.0001) / 3))
    assert measure.penetration(np.ones(3), pair, radii).closed == 0


@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("dimension", [2, 3])
def test_points_at_random_have_no_correlation(dimension: int, periodic: bool) -> None:
    rng = np.random.default_rng(2)
    lower, upper = np.array([1.0, -1.0, 0.0])[:dimension], np.array([3.0, 1.5, 1.8])[:dimension]
    found = []
    for _ in range(16):
        x = np.zeros((500, 3))
        x[:, :dimension] = rng.uniform(lower, upper, (500, dimension))
        found.append(measure.radial_distribution(x, lower, upper, 0.8, 5, periodic)[0])
    error = np.std(found, axis=0) / math.sqrt(len(found) - 1)
    assert error[1:].max() < 0.02
    assert np.all(np.abs(np.mean(found, axis=0) - 1.0) < 4.0 * error)


def test_lattice_has_its_shells() -> None:
    """Triangular lattice in a periodic box: six neighbours at 2, six at √12, six at 4."""
    x = np.array([[2.0 * i + j % 2, math.sqrt(3.0) * j, 0.0] for j in range(12) for i in range(10)])
    upper = np.array([20.0, 12.0 * math.sqrt(3.0)])
    g, edges = measure.radial_distribution(x, np.zeros(2), upper, 4.15, 10, periodic=True)
    shells = g * np.diff(np.pi * edges**2) * (len(x) - 1) / np.prod(upper)
    found = {round(float(edges[k]), 2): shells[k] for k in np.flatnonzero(g)}
    assert sum(found.values()) == pytest.approx(18.0)
    assert [*found.values()] == pytest.approx([6.0, 6.0, 6.0])
    with refused(GranumError):
        measure.radial_distribution(x, np.zeros(2), upper, 11.0, periodic=True)


def test_contacts_of_grains_that_are_not_there_are_refused() -> None:
    with refused(GranumError, "grains 0 to 3", "grains 0 to 2"):
        network.coordination(np.array([[0, 3]], dtype=np.int32), 3, 2)
