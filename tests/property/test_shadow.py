"""Shadows among grains in a flow, against projections counted by brute force."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from granum.base.kernels import Floats
from granum.grains.loads.compile import compile_loads
from granum.grains.loads.shadows import shaded_area, shaded_width
from granum.grains.loads.shadows import shaded_part as part_of_pair
from granum.grains.state import Grains
from granum.model.scene import Scene

radius = st.floats(0.2, 3.0)
angle = st.floats(0.0, 2.0 * math.pi)


def pair(a: float, b: float, direction: Floats) -> Floats:
    """Two touching grains: the second lies in a direction from the first."""
    x = np.zeros((2, 4))
    x[1, :3] = (a + b) * direction
    x[:, 3] = a, b
    return x


def shaded_part(dimension: int, x: Floats, w: Floats, i: int, j: int) -> float:
    """Part of j that is behind i in the flow w."""
    return part_of_pair(dimension, *(x[j, :3] - x[i, :3]), *w, x[i, 3], x[j, 3])


@given(radius, radius, angle, angle)
def test_width_is_that_of_the_projections(a: float, b: float, where: float, wind: float) -> None:
    """h = min((a + b)(1 - |sin θ|), 2a, 2b) is the length of the common part of two intervals (Sun 1996, eq. 4.11)."""
    x = pair(a, b, np.array([math.cos(where), math.sin(where), 0.0]))
    w = np.array([math.cos(wind), math.sin(wind), 0.0])
    across = np.array([-w[1], w[0], 0.0])
    low, high = x[:, :3] @ across - x[:, 3], x[:, :3] @ across + x[:, 3]
    common = max(0.0, min(high) - max(low))
    upstream = float((x[1, :3] - x[0, :3]) @ w)
    theta = where - wind
    assert shaded_width(a, b, (a + b) * abs(math.sin(theta))) == pytest.approx(common, abs=1e-12)
    assert min((a + b) * (1 - abs(math.sin(theta))), 2 * a, 2 * b) == pytest.approx(common, abs=1e-12)
    if abs(upstream) > 1e-9:
        expected = common / (2 * b) if upstream > 0 else 0.0
        assert shaded_part(2, x, w, 0, 1) == pytest.approx(expected, abs=1e-12)
        expected = common / (2 * a) if upstream < 0 else 0.0
        assert shaded_part(2, x, w, 1, 0) == pytest.approx(expected, abs=1e-12)


@given(radius, radius, st.floats(0.0, 1.2))
def test_area_is_that_of_the_lens(a: float, b: float, part: float) -> None:
    """The area of two circles in common, by Gauss' quadrature of the length of chords between kinks."""
    offset = part * (a + b)
    ends = sorted({max(-a, offset - b), min(a, offset + b), *_kinks(a, b, offset)})
    nodes, weights = np.polynomial.legendre.leggauss(60)
    total = 0.0
    for low, high in itertools.pairwise(ends):
        # s = sin: the root at the end of a chord becomes smooth
        s = (low + high) / 2 + (high - low) / 2 * np.sin(math.pi / 2 * nodes)
        slope = (high - low) / 2 * math.pi / 2 * np.cos(math.pi / 2 * nodes)
        chord = 2 * np.sqrt(np.maximum(0.0, np.minimum(a * a - s * s, b * b - (s - offset) ** 2)))
        total += float(np.sum(weights * slope * chord))
    expected = total if max(-a, offset - b) < min(a, offset + b) else 0.0
    assert shaded_area(a, b, offset) == pytest.approx(expected, abs=1e-9)
    assert shaded_area(a, b, offset) == pytest.approx(shaded_area(b, a, offset), abs=1e-13)


def _kinks(a: float, b: float, offset: float) -> list[float]:
    """Where one circle's chord becomes shorter than the other's."""
    low, high = max(-a, offset - b), min(a, offset + b)
    kink = (offset * offset + a * a - b * b) / (2 * offset) if offset > 0.0 else math.inf
    return [kink] if low < kink < high else []


@given(radius, radius, st.tuples(*[st.floats(-1.0, 1.0)] * 6))
def test_in_space_by_counting_points(a: float, b: float, numbers: tuple[float, ...]) -> None:
    """The shaded part of a sphere, by counting points of its projection that lie behind the other."""
    direction, w = np.array(numbers[:3]), np.array(numbers[3:])
    if np.linalg.norm(direction) < 0.1 or np.linalg.norm(w) < 0.1:
        return
    x = pair(a, b, direction / np.linalg.norm(direction))
    w /= np.linalg.norm(w)
    d = x[0, :3] - x[1, :3]
    offset = np.linalg.norm(d - (d @ w) * w)
    grid = (np.arange(200) + 0.5) / 100.0 - 1.0
    p, q = np.meshgrid(b * grid, b * grid)
    own = p * p + q * q < b * b
    behind = own & ((p - offset) ** 2 + q * q < a * a) & (d @ w < 0.0)
    assert shaded_part(3, x, w, 0, 1) == pytest.approx(behind.sum() / own.sum(), abs=5e-3)


def _touching(rows: int) -> tuple[Floats, np.ndarray]:
    """A disk with others around it, and the pairs that touch."""
    around = [np.array([0.0, 0.0, 0.0, 1.0])]
    around += [np.array([2 * math.cos(p), 2 * math.sin(p), 0.0, 1.0]) for p in np.arange(rows) * math.pi / 3 + 0.2]
    x = np.array(around)
    pairs = [(i, j) for i in range(len(x)) for j in range(i)
             if np.linalg.norm(x[i, :3] - x[j, :3]) < 2.0 + 1e-9]
    return x, np.array(pairs, dtype=np.int32)


@pytest.mark.parametrize("least", [0.0, 0.1])
def test_shadows_are_summed_and_clipped(least: float) -> None:
    """Drag on every disk of a cluster: C_A = max(least, 1 - min(1, Σ h/2r)), each sum done by hand here."""
    x, pairs = _touching(6)
    u = np.array([2.0, 0.5, 0.0])
    v = np.zeros((7, 8))
    v[:, 3], v[:, 7] = 1.0, 2.0
    grains = Grains(0.0, x, v, np.zeros(7, np.int32), np.arange(7), np.zeros(7, np.int32))
    load = {"kind": "drag", "density": 1.0, "drag_coefficient": 1.0, "velocity": [2.0, 0.5], "shadow": True,
            "min_exposure": least}
    loads, h = compile_loads(Scene(load={"wind": load}), 2, None), 1e-9  # type: ignore[arg-type]
    grains.v[:, :3] += loads.changes(grains, pairs, h)[0]
    w = u / np.linalg.norm(u)
    across = np.array([-w[1], w[0], 0.0])
    for j in range(7):
        k = 0.0
        for i in range(7):
            near = np.linalg.norm(x[i, :3] - x[j, :3]) < 2.0 + 1e-9
            if i != j and near and (x[j, :3] - x[i, :3]) @ w > 0.0:
                k += max(0.0, 2.0 - abs((x[j, :3] - x[i, :3]) @ across)) / 2.0
        force = 0.5 * 2.0 * max(least, 1.0 - min(1.0, k)) * np.linalg.norm(u) * u
        np.testing.assert_allclose(grains.v[j, :3] / h, force, rtol=1e-7, atol=1e-7)
    assert min(np.linalg.norm(grains.v[:, :3], axis=1)) / h == pytest.approx(
        least * 0.5 * 2.0 * float(u @ u), abs=1e-6)  # one of them is wholly in the shadow


def test_head_on_is_wholly_shaded() -> None:
    """Straight behind a grain of its size a grain is in full shadow, to round-off."""
    x = pair(0.7, 0.7, np.array([0.6, 0.8, 0.0]))
    assert shaded_part(2, x, np.array([0.6, 0.8, 0.0]), 0, 1) == pytest.approx(1.0, abs=1e-15)
    assert shaded_part(3, x, np.array([0.6, 0.8, 0.0]), 0, 1) == pytest.approx(1.0, abs=1e-15)
