"""How much of a grain is in a region: Monte Carlo, and identities that hold to round-off."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.geometry.filling import inside_volumes, packing_fraction
from granum.grains.geometry.regions import geometry_of
from granum.model.body_entries import ball_volume
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion
from messages import refused

REGIONS: dict[str, tuple[Region, int]] = {
    "rectangle": (BoxRegion(lower=(0.0, 0.0), upper=(1.0, 0.6)), 2),
    "disk": (RoundRegion(centre=(0.4, 0.3), radius=0.5), 2),
    "half-plane": (HalfSpace(position=(0.4, 0.3), normal=(1.0, -2.0)), 2),
    "cuboid": (BoxRegion(lower=(0.0, 0.0, 0.0), upper=(1.0, 0.6, 0.4)), 3),
    "ball": (RoundRegion(centre=(0.4, 0.3, 0.5), radius=0.5), 3),
    "half-space": (HalfSpace(position=(0.4, 0.3, 0.2), normal=(1.0, -2.0, 3.0)), 3),
    "cylinder": (CylinderRegion(ends=((0.0, 0.0, 0.0), (0.5, 0.6, 0.4)), radius=0.3), 3),
}


def in_ball(count: int, dimension: int, rng: np.random.Generator) -> Floats:
    """Points at random in the unit disk or ball."""
    direction = np.zeros((count, 3))
    direction[:, :dimension] = rng.normal(size=(count, dimension))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    return direction * rng.uniform(size=(count, 1)) ** (1.0 / dimension)


@pytest.mark.parametrize("name", REGIONS)
def test_part_of_a_grain_in_a_region_as_random_points_find_it(name: str) -> None:
    region, dimension = REGIONS[name]
    rng = np.random.default_rng(7)
    count, samples = 30, 100_000
    x = np.zeros((count, 3))
    x[:, :dimension] = rng.uniform(-0.3, 1.2, (count, dimension))
    r = rng.uniform(0.1, 0.8, count)
    points = in_ball(samples, dimension, rng)
    part = inside_volumes(x, r, region, dimension) / ball_volume(r, dimension)
    found = np.array([geometry_of(region).inside(x[i] + r[i] * points).mean() for i in range(count)])
    assert np.count_nonzero((part > 0.01) & (part < 0.99)) > 8  # the interesting ones are there
    # a proportion p of n points has deviation √(p (1 - p)/n); five of them, and 1e-4 where p is 0 or 1
    assert np.all(np.abs(part - found) < 5.0 * np.sqrt(np.abs(part * (1.0 - part)) / samples) + 1e-4)


@pytest.mark.parametrize("name", [name for name in REGIONS if "half" not in name])
def test_volume_of_a_region_as_random_points_find_it(name: str) -> None:
    region, dimension = REGIONS[name]
    points = np.random.default_rng(1).uniform(-1.0, 2.0, (400_000, 3))
    if dimension == 2:
        points[:, 2] = 0.0
    part = geometry_of(region).volume / 3.0**dimension
    assert geometry_of(region).inside(points).mean() == pytest.approx(part, abs=5.0 * math.sqrt(part / 400_000))


coordinate = st.floats(-1.6, 1.6)


@settings(deadline=None, max_examples=200)
@given(st.tuples(coordinate, coordinate, coordinate), st.floats(0.05, 3.0), st.sampled_from([2, 3]))
def test_boxes_that_tile_a_grain_hold_all_of_it(cut: tuple[float, ...], r: float, dimension: int) -> None:
    """Any point cuts everything into four or eight boxes."""
    x, radii = np.array([[0.3, -0.2, 0.1 * (dimension - 2)]]), np.array([r])
    total = 0.0
    for corner in np.ndindex(*(2,) * dimension):
        lower = [cut[k] if side else -9.0 for k, side in enumerate(corner)]
        upper = [9.0 if side else cut[k] for k, side in enumerate(corner)]
        total += inside_volumes(x, radii, BoxRegion(lower=tuple(lower), upper=tuple(upper)), dimension)[0]
    assert total == pytest.approx(ball_volume(radii, dimension)[0], rel=3e-11)


@settings(deadline=None, max_examples=200)
@given(st.tuples(coordinate, coordinate, coordinate), st.tuples(*(st.floats(0.05, 2.0),) * 3), st.floats(0.3, 1.5))
def test_slices_along_any_axis_give_the_same_volume(x: tuple[float, ...], size: tuple[float, ...], r: float) -> None:
    """Integration goes along z; with other axes there it takes other slices, and nothing but its error differs."""
    found = []
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        region = BoxRegion(lower=(0.0, 0.0, 0.0), upper=tuple(size[k] for k in order))
        found.append(inside_volumes(np.array([[x[k] for k in order]]), np.array([r]), region, 3)[0])
    assert found == pytest.approx([found[0]] * 3, rel=0.0, abs=3e-11 * r**3)


@settings(deadline=None, max_examples=50)
@given(st.floats(0.0, 1.8), st.floats(0.2, 0.9), st.floats(-1.0, 1.0))
def test_ball_in_a_cylinder_by_another_integration(d: float, R: float, along: float) -> None:
    """In polar coordinates about the axis of the cylinder instead of slices across it."""
    top = 0.7
    region = CylinderRegion(ends=((0.0, 0.0, 0.0), (0.0, 0.0, top)), radius=R)
    found = inside_volumes(np.array([[d, 0.0, along]]), np.array([1.0]), region, 3)[0]

    node, weight = np.polynomial.legendre.leggauss(100)
    a, s = 0.5 * math.pi * (node + 1.0), 0.5 * R * (node + 1.0)
    left = 1.0 - (s[:, None] * np.cos(a) - d) ** 2 - (s[:, None] * np.sin(a)) ** 2
    half = np.sqrt(np.maximum(left, 0.0))
    height = np.maximum(0.0, np.minimum(top, along + half) - np.maximum(0.0, along - half)) * (left > 0.0)
    want = 2.0 * float((0.5 * R * weight * s) @ height @ (0.5 * math.pi * weight))
    # a border with the slope of a root across a grid of this spacing costs about its power 3/2
    assert found == pytest.approx(want, abs=(2.0 / 100.0) ** 1.5)


def test_closed_forms() -> None:
    r = np.array([1.0])
    quarter = BoxRegion(lower=(0.0, 0.0), upper=(5.0, 5.0))
    assert inside_volumes(np.zeros((1, 3)), r, quarter, 2)[0] == pytest.approx(math.pi / 4.0, rel=1e-15)
    octant = BoxRegion(lower=(0.0, 0.0, 0.0), upper=(5.0, 5.0, 5.0))
    assert inside_volumes(np.zeros((1, 3)), r, octant, 3)[0] == pytest.approx(math.pi / 6.0, rel=1e-14)
    inscribed = BoxRegion(lower=(-0.5, -0.5, -0.5), upper=(0.5, 0.5, 0.5))
    assert inside_volumes(np.zeros((1, 3)), r, inscribed, 3)[0] == pytest.approx(1.0, rel=1e-13)
    # a ball of radius √2/2 about a unit cube: the ball without its six caps
    root = math.sqrt(0.5)
    cap = math.pi * (root - 0.5) ** 2 * (3.0 * root - (root - 0.5)) / 3.0
    assert inside_volumes(np.zeros((1, 3)), np.array([root]), inscribed, 3)[0] == pytest.approx(
        4.0 / 3.0 * math.pi * root**3 - 6.0 * cap, rel=1e-13)
    # two unit disks through each other's centres: 2π/3 - √3/2; two balls: 5π/12
    lens = inside_volumes(np.zeros((1, 3)), r, RoundRegion(centre=(1.0, 0.0), radius=1.0), 2)[0]
    assert lens == pytest.approx(2.0 * math.pi / 3.0 - math.sqrt(0.75), rel=1e-14)
    lens = inside_volumes(np.zeros((1, 3)), r, RoundRegion(centre=(1.0, 0.0, 0.0), radius=1.0), 3)[0]
    assert lens == pytest.approx(5.0 * math.pi / 12.0, rel=1e-14)
    # a ball drilled along its axis (the napkin ring: what is left has the volume of a ball of the hole's height)
    bore = CylinderRegion(ends=((0.0, 0.0, -2.0), (0.0, 0.0, 2.0)), radius=0.6)
    assert 4.0 / 3.0 * math.pi - inside_volumes(np.zeros((1, 3)), r, bore, 3)[0] == pytest.approx(
        4.0 / 3.0 * math.pi * 0.8**3, rel=1e-13)
    # Viviani: a ball and a cylinder of half its radius through its centre, 2π/3 - 8/9
    bore = CylinderRegion(ends=((0.5, 0.0, -2.0), (0.5, 0.0, 2.0)), radius=0.5)
    assert inside_volumes(np.zeros((1, 3)), r, bore, 3)[0] == pytest.approx(
        2.0 * math.pi / 3.0 - 8.0 / 9.0, rel=3e-11)


def test_corner_of_a_rectangle_against_adaptive_quadrature() -> None:
    region = BoxRegion(lower=(0.0, 0.0), upper=(0.9, 0.5))
    x, r = (0.7, 0.35), 0.4

    def slice_length(s: float) -> float:
        half = math.sqrt(max(0.0, r * r - (s - x[0]) ** 2))
        return max(0.0, min(0.5, x[1] + half) - max(0.0, x[1] - half))

    want = integrate.quad(slice_length, 0.3, 0.9, limit=500, epsabs=1e-12)[0]
    assert inside_volumes(np.array([[*x, 0.0]]), np.array([r]), region, 2)[0] == pytest.approx(want, abs=1e-9)


def test_lattices_fill_what_they_fill() -> None:
    """Triangular lattice of disks π/√12; face-centred cubic lattice of balls π/√18, over whole cells."""
    i, j = np.meshgrid(np.arange(-9, 10), np.arange(-9, 10))
    x = np.stack([2.0 * i + j, math.sqrt(3.0) * j, 0.0 * i], axis=-1).reshape(-1, 3).astype(float)
    cell = BoxRegion(lower=(0.3, 0.1), upper=(4.3, 0.1 + 4.0 * math.sqrt(3.0)))
    assert packing_fraction(x, np.ones(len(x)), cell, 2) == pytest.approx(math.pi / math.sqrt(12.0), rel=1e-12)
    cube = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=float) * math.sqrt(2.0)
    side = 2.0 * math.sqrt(2.0)
    shift = np.array([*np.ndindex(5, 5, 5)], dtype=float) * side
    x = (shift[:, None] + cube).reshape(-1, 3)
    box = BoxRegion(lower=(4.1, 4.3, 4.5), upper=(4.1 + 2 * side, 4.3 + side, 4.5 + side))
    assert packing_fraction(x, np.ones(len(x)), box, 3) == pytest.approx(math.pi / math.sqrt(18.0), rel=1e-12)


def test_what_cannot_be_measured_is_refused() -> None:
    half = HalfSpace(position=(0.0, 0.0), normal=(0.0, 1.0))
    with refused(GranumError, "half-space"):
        packing_fraction(np.zeros((1, 3)), np.ones(1), half, 2)
    with refused(GranumError, "2 components", "3-D"):
        inside_volumes(np.zeros((1, 3)), np.ones(1), half, 3)
