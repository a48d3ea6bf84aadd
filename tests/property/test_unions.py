"""Unions of disks and balls: solids of revolution, slices, random points, and identities that hold to round-off."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.unions import union_of_balls, union_of_disks
from messages import refused


def lens_area(d: float, R: float, r: float) -> float:
    """Area common to two disks."""
    half, other = math.acos((d * d + R * R - r * r) / (2 * d * R)), math.acos((d * d + r * r - R * R) / (2 * d * r))
    return R * R * (half - math.sin(2 * half) / 2) + r * r * (other - math.sin(2 * other) / 2)


def lens_volume(d: float, R: float, r: float) -> float:
    """Volume common to two balls."""
    return math.pi * (R + r - d) ** 2 * (d * d + 2 * d * (r + R) - 3 * (r - R) ** 2) / (12 * d)


def revolved(x: list[float], r: list[float]) -> tuple[float, float, float, float]:
    """Volume, centre, inertia along and across of balls on a line: on each piece the profile ρ² is a polynomial."""
    profiles = [Polynomial([R * R - a * a, 2 * a, -1.0]) for a, R in zip(x, r, strict=True)]
    ends = [a + s * R for a, R in zip(x, r, strict=True) for s in (-1, 1)]
    ends += [float(root.real) for p, q in itertools.combinations(profiles, 2) for root in (p - q).roots()]
    sums = np.zeros(4)
    for a, b in itertools.pairwise(sorted(set(ends))):
        profile = max(profiles, key=lambda p: float(p((a + b) / 2)))
        if profile((a + b) / 2) > 0:
            X = Polynomial([0.0, 1.0])
            for m, f in enumerate((profile, profile * X, profile * X * X, profile * profile / 2)):
                sums[m] += math.pi * (f.integ()(b) - f.integ()(a))
    V, first, second, along = sums
    return V, first / V, along, along / 2 + second - first**2 / V


def segments(centres: Floats, radii: Floats, x: float) -> Floats:
    """Length, ∫ y dy and ∫ (x² + y²) dy of the union of disks on a line of constant x."""
    half = np.sqrt(np.maximum(radii**2 - (x - centres[:, 0]) ** 2, 0.0))
    sums, reach = np.zeros(3), -np.inf
    for low, high in sorted(zip(centres[:, 1] - half, centres[:, 1] + half, strict=True)):
        a, reach = max(low, reach), max(high, reach)
        if reach > a and high > low:
            sums += [reach - a, (reach**2 - a**2) / 2, x * x * (reach - a) + (reach**3 - a**3) / 3]
    return sums


def between(heights: list[float], nodes: int) -> tuple[Floats, Floats]:
    """A rule between any two neighbours of heights; x = sin takes square roots off both ends."""
    s, w = np.polynomial.legendre.leggauss(nodes)
    s, w = np.sin(np.pi * s / 2), w * np.pi / 2 * np.cos(np.pi * s / 2)
    z = np.array(sorted(heights))
    mid, half = (z[1:] + z[:-1]) / 2, (z[1:] - z[:-1]) / 2
    return (mid[:, None] + half[:, None] * s).ravel(), (half[:, None] * w).ravel()


def crossings(c: Floats, r: Floats) -> Floats:
    """Points where two circles cross or three spheres meet, from the linear equations of their differences."""
    found = []
    for group in itertools.combinations(range(len(r)), c.shape[1]):
        p, R = c[list(group)], r[list(group)]
        A, b = 2 * (p[1:] - p[0]), np.sum(p[1:] ** 2, axis=1) - p[0] @ p[0] - R[1:] ** 2 + R[0] ** 2
        y = np.linalg.lstsq(A, b - A @ p[0], rcond=None)[0]
        if (rest := R[0] ** 2 - y @ y) > 0:
            normal = np.linalg.svd(A)[2][-1]
            found += [p[0] + y + s * math.sqrt(rest) * normal for s in (-1, 1)]
    return np.array(found).reshape(-1, c.shape[1])


def sliced_disks(c: Floats, r: Floats) -> tuple[float, Floats, float]:
    """Area, centre and polar moment from lines of constant x."""
    x, w = between([*(c[:, 0] - r), *(c[:, 0] + r), *crossings(c, r)[:, 0]], 40)
    values = np.array([segments(c, r, a) for a in x])
    area, first_y, squares = w @ values
    centre = np.array([(w * x) @ values[:, 0], first_y]) / area
    return area, centre, squares - area * centre @ centre


def sliced_balls(c: Floats, r: Floats, nodes: int) -> tuple[float, Floats, float]:
    """Volume, centre and I_zz from planes of constant z, whose unions of disks are checked by themselves."""
    heights = [*(c[:, 2] - r), *(c[:, 2] + r), *crossings(c, r)[:, 2]]
    for i, j in itertools.combinations(range(len(r)), 2):
        d = np.linalg.norm(c[j] - c[i])
        a = (d * d + r[i] ** 2 - r[j] ** 2) / (2 * d)
        if abs(a) < r[i]:
            u = (c[j] - c[i]) / d
            heights += [c[i, 2] + a * u[2] + s * math.sqrt((r[i] ** 2 - a * a) * (1 - u[2] ** 2)) for s in (-1, 1)]
    sums = np.zeros(5)
    for z, w in zip(*between(heights, nodes), strict=True):
        cut = np.abs(z - c[:, 2]) < r
        if cut.any():
            area, centre, polar = union_of_disks(c[cut, :2], np.sqrt(r[cut] ** 2 - (z - c[cut, 2]) ** 2))
            sums += w * np.array([area, *(area * centre), area * z, polar + area * centre @ centre])
    V, centre = sums[0], sums[1:4] / sums[0]
    return V, centre, sums[4] - V * (centre[0] ** 2 + centre[1] ** 2)


def clump(seed: int, count: int, dimension: int) -> tuple[Floats, Floats]:
    """Disks or balls at random, most of which overlap others."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (count, dimension)) * (count / 5) ** (1 / dimension), rng.uniform(0.3, 0.9, count)


def turned(rng: np.random.Generator, dimension: int) -> Floats:
    """A rotation or reflection at random."""
    return np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]


def grid(n: int) -> Floats:
    """Points of a cubic lattice."""
    return np.array(list(itertools.product(range(n), repeat=3)), dtype=float)


TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, math.sqrt(0.75), 0]])
LINE = np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [-0.5, 0, 0]])
SPECIAL: dict[str, tuple[Floats, Floats]] = {
    "tangent": (TRIANGLE, np.full(3, 0.5)),
    "three through one point": (TRIANGLE, np.full(3, math.sqrt(1 / 3))),
    "tangent inside": (np.array([[0, 0, 0], [0.5, 0, 0], [0, 0.25, 0]]), np.array([1, 0.5, 0.75])),
    "one circle": (LINE, np.sqrt(1 + LINE[:, 0] ** 2)),
    "one circle and others": (np.vstack([LINE, [[0, 1, 0], [0, 0, 1]]]), np.sqrt([2, 1, 2, 5, 1.25, 1, 1])),
    "rod": (np.arange(12)[:, None] * np.array([0.3, 0, 0]), np.ones(12)),
    "two points": (np.array([[math.cos(t), math.sin(t), 0] for t in range(9)]), np.full(9, math.sqrt(1.25))),
    "one point": (clump(3, 12, 3)[0], np.linalg.norm(clump(3, 12, 3)[0], axis=1)),
    "edges of a lattice": (grid(3), np.full(27, math.sqrt(0.5))),
    "cells of a lattice": (grid(3), np.full(27, math.sqrt(0.75))),
    "lattice through centres": (grid(3), np.ones(27)),
    "body-centred": (np.vstack([grid(3), grid(2) + 0.5]), np.full(35, math.sqrt(5) / 4)),
}


def test_one_disk_and_one_ball() -> None:
    area, centre, polar = union_of_disks([[1, 2], [1, 2], [1.5, 2]], [3, 3, 1])  # again, and one inside
    assert np.allclose([area, *centre, polar], [9 * math.pi, 1, 2, 81 * math.pi / 2], rtol=1e-15)
    V, middle, inertia = union_of_balls([[1, 2, 3], [1, 2, 3], [1.5, 2, 3]], [2, 2, 1])
    assert math.isclose(V, 32 * math.pi / 3, rel_tol=1e-15)
    assert np.allclose(middle, [1, 2, 3], rtol=1e-15)
    assert np.allclose(inertia, np.eye(3) * V * 1.6, rtol=1e-15, atol=1e-14)


@pytest.mark.parametrize(("d", "r"), [(1.0, 0.8), (0.35, 0.7), (1.6, 0.7), (0.31, 0.7), (1.69999, 0.7)])
def test_two_disks(d: float, r: float) -> None:
    area = union_of_disks([[0, 0], [0.6 * d, 0.8 * d]], [1, r])[0]
    assert math.isclose(area, math.pi * (1 + r * r) - lens_area(d, 1, r), rel_tol=1e-14)


@pytest.mark.parametrize(("x", "r"), [
    ([0.0, 1.1], [1.0, 0.7]), ([0.0, 0.31], [1.0, 0.7]), ([0.0, 1.69999], [1.0, 0.7]), ([0.0, 2.0], [1.0, 1.0]),
    ([0.0, 1.5, 3.2], [1.0, 0.8, 1.1]), ([-1.0, 0.1, 1.0, 4.0], [1.0, 1.3, 0.9, 0.5]),
    ([-1.0, 0.0, 1.0, 2.0, -0.5], [math.sqrt(1 + a * a) for a in (-1.0, 0.0, 1.0, 2.0, -0.5)])])
def test_balls_on_a_line_are_a_solid_of_revolution(x: list[float], r: list[float]) -> None:
    u = np.array([0.48, 0.6, 0.64])
    V, centre, inertia = union_of_balls(np.outer(x, u), r)
    volume, middle, along, across = revolved(x, r)
    assert math.isclose(V, volume, rel_tol=1e-13)
    assert np.allclose(centre, middle * u, rtol=0, atol=1e-13)
    expected = across * (np.eye(3) - np.outer(u, u)) + along * np.outer(u, u)
    assert np.allclose(inertia, expected, rtol=0, atol=1e-13 * across)


def test_no_more_than_points_in_common_to_three() -> None:
    r = math.sqrt(1 / 3)  # circles or spheres of a triangle that meet where they are tangent to the third
    area = union_of_disks(TRIANGLE[:, :2], [r] * 3)[0]
    assert math.isclose(area, 3 * math.pi * r * r - 3 * lens_area(1, r, r), rel_tol=1e-14)
    V = union_of_balls(TRIANGLE, [r] * 3)[0]
    assert math.isclose(V, 4 * math.pi * r**3 - 3 * lens_volume(1, r, r), rel_tol=1e-14)
    for n in (2, 3, 4):  # four at each edge midpoint of a cubic lattice, on its diagonals
        V = union_of_balls(grid(n), np.full(n**3, math.sqrt(0.5)))[0]
        balls, pairs = n**3 * 4 * math.pi / 3 * 0.5**1.5, 3 * n * n * (n - 1)
        assert math.isclose(V, balls - pairs * lens_volume(1, math.sqrt(0.5), math.sqrt(0.5)), rel_tol=1e-13)


def test_hole_within_a_ring_is_not_filled() -> None:
    t = np.arange(12) * np.pi / 6
    ring = 3 * np.stack([np.cos(t), np.sin(t)], axis=1)
    d = 6 * math.sin(math.pi / 12)
    area, centre, polar = union_of_disks(ring, np.ones(12))
    assert math.isclose(area, 12 * (math.pi - lens_area(d, 1, 1)), rel_tol=1e-14)
    assert np.allclose(centre, 0, atol=1e-14)
    assert math.isclose(polar, sliced_disks(ring, np.ones(12))[2], rel_tol=1e-12)


@pytest.mark.parametrize(("seed", "count"), [(1, 3), (2, 4), (3, 6), (4, 8), (5, 12)])
def test_disks_as_lines_find_them(seed: int, count: int) -> None:
    c, r = clump(seed, count, 2)
    area, centre, polar = union_of_disks(c, r)
    found, middle, moment = sliced_disks(c, r)
    assert math.isclose(area, found, rel_tol=1e-12)
    assert np.allclose(centre, middle, rtol=0, atol=1e-12)
    assert math.isclose(polar, moment, rel_tol=1e-12)


@pytest.mark.parametrize(("seed", "count"), [(1, 3), (2, 4), (3, 6)])
def test_balls_as_slices_find_them(seed: int, count: int) -> None:
    c, r = clump(seed, count, 3)
    V, centre, inertia = union_of_balls(c, r)
    errors = []
    for nodes in (8, 16, 32):
        volume, middle, moment = sliced_balls(c, r, nodes)
        errors.append(max(abs(volume / V - 1), np.abs(middle - centre).max(), abs(moment / inertia[2, 2] - 1)))
    assert errors[2] < 1e-12
    assert errors[1] < max(1e-2 * errors[0], 1e-12)  # slices converge to the closed form, and fast


def test_all_of_the_inertia_as_slices_across_six_directions_find_it() -> None:
    c, r = clump(7, 4, 3)
    inertia = union_of_balls(c, r)[2]
    rng = np.random.default_rng(0)
    for _ in range(6):
        Q = turned(rng, 3)
        assert math.isclose(sliced_balls(c @ Q.T, r, 20)[2], Q[2] @ inertia @ Q[2], rel_tol=1e-12)


@pytest.mark.parametrize("count", [5, 25, 60])
def test_balls_as_random_points_find_them(count: int) -> None:
    c, r = clump(count, count, 3)
    V, centre, inertia = union_of_balls(c, r)
    low, high = np.min(c - r[:, None], axis=0), np.max(c + r[:, None], axis=0)
    samples = 200_000
    x = np.random.default_rng(8).uniform(low, high, (samples, 3))
    inside = np.zeros(samples, dtype=bool)
    for a, R in zip(c, r, strict=True):
        inside |= np.sum((x - a) ** 2, axis=1) < R * R
    y = (x - centre) * inside[:, None]
    values = np.concatenate([inside[:, None], y, (y[:, :, None] * y[:, None, :]).reshape(-1, 9)], axis=1)
    S = np.trace(inertia) / 2 * np.eye(3) - inertia
    expected = np.concatenate([[V], np.zeros(3), S.ravel()]) / np.prod(high - low)
    # five deviations of the mean
    assert np.all(np.abs(values.mean(axis=0) - expected) < 5 * values.std(axis=0) / math.sqrt(samples))


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_positions_and_what_is_near(name: str, noise: float) -> None:
    rng = np.random.default_rng(2)
    c, r = SPECIAL[name]
    exact = union_of_balls(c, r)[0]
    for _ in range(2):
        c1, r1 = c + noise * rng.normal(size=c.shape), r * (1 + noise * rng.normal(size=r.shape))
        V, centre, inertia = union_of_balls(c1, r1)
        # dV is at most the area of all spheres times the change
        assert abs(V - exact) < 4 * math.pi * np.sum(r * r) * 5 * noise * (1 + r.max()) + 1e-13 * V
        Q, shift, order = turned(rng, 3), rng.normal(size=3), rng.permutation(len(r))
        V2, centre2, inertia2 = union_of_balls((c1 @ Q.T + shift)[order], r1[order])
        assert math.isclose(V, V2, rel_tol=1e-11)
        assert np.allclose(centre2, Q @ centre + shift, rtol=0, atol=1e-11)
        assert np.allclose(inertia2, Q @ inertia @ Q.T, rtol=0, atol=1e-11 * np.trace(inertia))


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6])
@pytest.mark.parametrize("name", [name for name in SPECIAL if not SPECIAL[name][0][:, 2].any()] + ["square lattice"])
def test_special_positions_in_the_plane(name: str, noise: float) -> None:
    rng = np.random.default_rng(3)
    c, r = (grid(4)[::4, 1::-1], np.full(16, math.sqrt(0.5))) if name == "square lattice" else SPECIAL[name]
    c = c[:, :2]
    exact = union_of_disks(c, r)[0]
    for _ in range(2):
        c1, r1 = c + noise * rng.normal(size=c.shape), r * (1 + noise * rng.normal(size=r.shape))
        area, centre, polar = union_of_disks(c1, r1)
        assert abs(area - exact) < 2 * math.pi * np.sum(r) * 5 * noise * (1 + r.max()) + 1e-13 * area
        Q, shift, order = turned(rng, 2), rng.normal(size=2), rng.permutation(len(r))
        area2, centre2, polar2 = union_of_disks((c1 @ Q.T + shift)[order], r1[order])
        assert math.isclose(area, area2, rel_tol=1e-12)
        assert np.allclose(centre2, Q @ centre + shift, rtol=0, atol=1e-12)
        assert math.isclose(polar, polar2, rel_tol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 20), st.floats(1e-6, 1e3))
def test_turned_moved_scaled_and_in_another_order(seed: int, count: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(count)
    c, r = clump(seed, count, 3)
    Q, shift = turned(rng, 3), rng.normal(size=3)
    V, centre, inertia = union_of_balls(c, r)
    V2, centre2, inertia2 = union_of_balls(scale * (c @ Q.T + shift)[order], scale * r[order])
    assert math.isclose(V2, V * scale**3, rel_tol=1e-12)
    assert np.allclose(centre2, scale * (Q @ centre + shift), rtol=0, atol=1e-12 * scale)
    assert np.allclose(inertia2, scale**5 * Q @ inertia @ Q.T, rtol=0, atol=1e-12 * scale**5 * np.trace(inertia))
    c, r = clump(seed, count, 2)
    Q, shift = turned(rng, 2), rng.normal(size=2)
    area, middle, polar = union_of_disks(c, r)
    area2, middle2, polar2 = union_of_disks(scale * (c @ Q.T + shift)[order], scale * r[order])
    assert math.isclose(area2, area * scale**2, rel_tol=1e-12)
    assert np.allclose(middle2, scale * (Q @ middle + shift), rtol=0, atol=1e-12 * scale)
    assert math.isclose(polar2, polar * scale**4, rel_tol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 8), st.integers(1, 8))
def test_clumps_apart_add_up_and_hidden_balls_add_nothing(seed: int, count: int, more: int) -> None:
    rng = np.random.default_rng(seed)
    (c1, r1), (c2, r2) = clump(seed, count, 3), clump(seed + 1, more, 3)
    c2 = c2 + np.array([6.0, -5.0, 4.0])
    one, two = union_of_balls(c1, r1), union_of_balls(c2, r2)
    hidden = rng.uniform(0, 1, count)
    away = rng.normal(size=(count, 3))
    away *= ((1 - hidden) * r1 / np.linalg.norm(away, axis=1))[:, None]  # touching from inside
    V, centre, inertia = union_of_balls(np.vstack([c1 + away, c1, c2]), np.concatenate([hidden * r1, r1, r2]))
    middle = (one[0] * one[1] + two[0] * two[1]) / (one[0] + two[0])
    total = np.zeros((3, 3))
    for volume, place, own in (one, two):
        s = place - middle
        total += own + volume * (s @ s * np.eye(3) - np.outer(s, s))
    assert math.isclose(V, one[0] + two[0], rel_tol=1e-12)
    assert np.allclose(centre, middle, rtol=0, atol=1e-12)
    assert np.allclose(inertia, total, rtol=0, atol=1e-12 * np.trace(total))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 10))
def test_larger_balls_about_the_same_centres_gain_less_than_a_larger_clump(seed: int, count: int) -> None:
    c, r = clump(seed, count, 3)
    V = union_of_balls(c, r)[0]
    grown = union_of_balls(c, r * 1.001)[0]
    assert V < grown <= V * 1.001**3 * (1 + 1e-13)  # apart, the balls cover more (Csikós 1998)


@pytest.mark.parametrize(("centres", "radii", "names"), [
    ([[0, 0, 0]], [-1.0], ("radius", "number 0", "-1.0")),
    ([[0, 0, 0], [0, math.nan, 0]], [1, 1], ("centre", "number 1")), ([[0, 0]], [1.0], ("(n, 3)",)),
    (np.empty((0, 3)), [], ("n at least 1",)), ([[0, 0, 0]], [math.inf], ("radius", "inf"))])
def test_what_is_no_clump_is_refused(centres: list[list[float]], radii: list[float], names: tuple[str, ...]) -> None:
    with refused(GranumError, *names):
        union_of_balls(centres, radii)
