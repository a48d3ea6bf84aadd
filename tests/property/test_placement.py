"""Placed grains do not overlap and are where they should be, for all sizes and rooms; overlaps against brute force."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.space import NO_PERIOD
from granum.grains.generation.packing import place_densely
from granum.grains.generation.placement import (
    add_at_random,
    lattice_sites,
    place_at_random,
    place_on_lattice,
    stream,
)
from granum.grains.geometry.regions import Geometry, geometry_of
from granum.grains.search.neighbours import overlapping
from granum.model.body_entries import ball_volume
from granum.model.regions import BoxRegion, CylinderRegion, RoundRegion
from messages import refused

seeds = st.integers(0, 2**32)
dimensions = st.sampled_from([2, 3])


def rooms(dimension: int) -> list[Geometry]:
    found = [geometry_of(BoxRegion(lower=(-1.0, 2.0, 0.5)[:dimension], upper=(1.0, 3.0, 2.0)[:dimension])),
             geometry_of(RoundRegion(centre=(3.0, -1.0, 2.0)[:dimension], radius=0.8))]
    if dimension == 3:
        found.append(geometry_of(CylinderRegion(ends=((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), radius=0.6)))
    return found


def gaps(centres: Floats, radii: Floats) -> Floats:
    """Gap of each pair, relative to the sum of radii, by brute force."""
    i, j = np.triu_indices(len(radii), 1)
    return pdist(centres) / (radii[i] + radii[j]) - 1.0


@given(seeds, dimensions, st.integers(2, 60), st.floats(1.0, 40.0), st.booleans())
def test_overlapping_pairs_against_brute_force(seed, dimension, n, ratio, periodic):
    rng = np.random.default_rng(seed)
    period = np.array([1.0, 1.3, 0.0 if dimension == 2 else 0.9]) if periodic else NO_PERIOD
    x = np.zeros((n, 4))
    x[:, :dimension] = rng.uniform(-2.0, 2.0, (n, dimension)) * 0.5
    x[:, 3] = 0.2 * np.exp(-rng.random(n) * np.log(ratio))
    expected = set()
    for i in range(n):
        for j in range(i):
            d = x[i, :3] - x[j, :3]
            d -= np.where(period > 0.0, period * np.round(d / np.where(period > 0.0, period, 1.0)), 0.0)
            if d @ d < (x[i, 3] + x[j, 3]) ** 2:
                expected.add((j, i))
    found = [tuple(sorted(map(int, pair))) for pair in overlapping(x, period)]
    assert len(found) == len(set(found)) and set(found) == expected


@settings(max_examples=25)
@given(seeds, dimensions, st.integers(0, 2), st.floats(1.0, 20.0))
def test_random_addition_never_overlaps(seed, dimension, which, ratio):
    room = rooms(dimension)[which % len(rooms(dimension))]
    rng = np.random.default_rng(seed)
    radii = 0.15 * np.exp(-rng.random(300) * np.log(ratio))
    others = np.array([[*np.mean(room.bounds, axis=0), 0.2]])
    below = float(room.bounds[0][1]) + 0.3

    def distance(points: Floats) -> Floats:
        return points[:, 1] - below

    centres, placed = add_at_random(room, radii, rng, others=others, distance=distance, most_tries=200, stop=False)
    assert placed.any()
    every, sizes = np.concatenate([others[:, :3], centres[placed]]), np.concatenate([others[:, 3], radii[placed]])
    assert np.all(gaps(every, sizes) >= -1e-15)
    assert np.all(room.depth(centres[placed]) >= radii[placed] * (1.0 - 1e-12))
    assert np.all(distance(centres[placed]) >= radii[placed])


@pytest.mark.parametrize("dimension", [2, 3])
def test_drawn_points_are_spread_evenly(dimension):
    for room in rooms(dimension):
        u = np.random.default_rng(3).random((40_000, 3))
        points = room.draw(u, np.full(len(u), 0.1))
        assert np.all(room.depth(points) >= 0.1 * (1.0 - 1e-12))
        # part of the points that a smaller grain-free core holds, against its part of the volume by rejection
        lower, upper = room.bounds
        trial = lower + (upper - lower) * np.random.default_rng(4).random((400_000, 3))
        depth = room.depth(trial)
        expected = np.sum(depth > 0.25) / np.sum(depth > 0.1)
        assert np.mean(room.depth(points) > 0.25) == pytest.approx(expected, abs=0.015)
        assert room.volume == pytest.approx(
            np.mean(depth > 0.0) * np.prod((upper - lower)[:dimension]), rel=0.01)


@given(dimensions, st.integers(0, 2), st.floats(0.03, 0.2))
@settings(max_examples=30)
def test_lattice_sites_keep_their_distance(dimension, which, radius):
    room = rooms(dimension)[which % len(rooms(dimension))]
    sites = lattice_sites(room, radius)[:1500]
    assert np.all(room.depth(sites) >= radius * (1.0 - 1e-8))
    if len(sites) > 1:
        between = squareform(pdist(sites))
        np.fill_diagonal(between, np.inf)
        assert between.min() >= 2.0 * radius * (1.0 - 1e-8)


@given(seeds, st.floats(1.0, 10.0))
@settings(max_examples=10)
def test_a_lattice_goes_around_what_is_there(seed, ratio):
    rng = np.random.default_rng(seed)
    radii = 0.05 * np.exp(-rng.random(40) * np.log(ratio))
    others = np.array([[0.0, 2.2, 0.0, 0.2]])
    centres = place_on_lattice(rooms(2)[0], radii, others=others)
    assert np.all(gaps(np.concatenate([others[:, :3], centres]), np.concatenate([[0.2], radii])) >= -1e-8)


@pytest.mark.parametrize(("dimension", "fraction"), [(2, 0.8), (3, 0.57)])
@pytest.mark.parametrize("which", [0, 1])
def test_dense_packings_do_not_overlap(dimension, fraction, which):
    room = rooms(dimension)[which]
    spread = np.array([1.0, 1.4] * 200)
    radii = spread * (fraction * room.volume / np.sum(ball_volume(spread, dimension))) ** (1.0 / dimension)
    centres = place_densely(room, radii, stream(0, "pattern", "dense"))
    assert np.all(gaps(centres, radii) >= 0.0)
    assert np.all(room.depth(centres) >= radii)
    again = place_densely(room, radii, stream(0, "pattern", "dense"))
    assert again.tobytes() == centres.tobytes()


def test_growth_around_what_is_there():
    room, others = rooms(2)[0], np.array([[0.0, 2.5, 0.0, 0.3], [0.0, 4.0, 0.0, 0.5]])
    radii = np.array([0.02, 0.028] * 400)

    def distance(points: Floats) -> Floats:
        """Grains are in a round hole that cuts the corners of the box."""
        return 1.05 - np.hypot(points[:, 0], points[:, 1] - 2.5)

    # 0.75 of the box less the disk in it and the corners, some 0.1
    radii = radii[:int(0.75 * (2.0 - np.pi * 0.09 - 0.1) / (np.pi * np.mean(radii**2)))]
    centres = place_densely(room, radii, stream(0, "pattern", "around"), others=others, distance=distance)
    assert np.all(gaps(np.concatenate([centres, others[:, :3]]), np.concatenate([radii, others[:, 3]])) >= 0.0)
    assert np.all(room.depth(centres) >= radii) and np.all(distance(centres) >= radii * (1.0 - 1e-9))


def test_growth_of_very_different_sizes():
    radii = np.concatenate([np.full(6, 1.0), np.full(600, 0.1)])
    room = geometry_of(RoundRegion(centre=(0.0, 0.0), radius=float(np.sqrt(np.sum(radii**2) / 0.82))))
    centres = place_densely(room, radii, stream(0, "pattern", "mixed"))
    assert np.all(gaps(centres, radii) >= 0.0) and np.all(room.depth(centres) >= radii)


def test_time_of_random_addition_grows_linearly():
    times = []
    for n in (4000, 4000, 64_000):
        room = geometry_of(BoxRegion(lower=(0.0, 0.0, 0.0), upper=((n / 0.25 * 4.2) ** (1 / 3),) * 3))
        begin = time.process_time()
        place_at_random(room, np.ones(n), stream(0, "pattern", "time"))
        times.append(time.process_time() - begin)
    # 16 times as many, with room for slower memory; quadratic growth would give 256
    assert times[2] < 64.0 * times[1]


def test_a_packing_that_jams_says_where():
    room = geometry_of(BoxRegion(lower=(0.0, 0.0, 0.0), upper=(1.0, 1.0, 1.0)))
    radii = np.full(60, (0.66 / 60 / (4.0 / 3.0 * np.pi)) ** (1.0 / 3.0))
    with refused(GranumError, "60 grains", "0.6600") as told:
        place_densely(room, radii, stream(0, "pattern", "jam"))
    assert re.search(r" 0\.[45]\d", str(told.value))
