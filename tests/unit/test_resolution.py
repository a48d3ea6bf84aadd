"""Enclosures of formulas, and the parts of a line in which formulas change little."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import evaluate
from granum.algebra.intervals import enclosures
from granum.algebra.parse import parse_equation
from granum.algebra.piecewise import spline
from granum.algebra.resolution import STRIDE, Parts, Resolution

T = symbol("t")


def formula(text: str) -> Expression:
    return parse_equation(text, ["t", "x", "y", "w"])


def parts(text: str, length: float, at: float = 0.0) -> Parts:
    return Resolution([formula(text)], T, {"w": 7.0}, length).parts(at)


def about(found: Parts, t: float) -> float:
    """The longest step that touches a point."""
    return float(found.longest[np.searchsorted(found.edges, t) - 1])


@pytest.mark.parametrize("text", [
    "sin(3*t) + t**2", "cos(t)**2 - 1/t", "exp(-((t - 2)/0.1)**2)", "tanh(5*t)/(1 + t**2)", "abs(t - 1)*t",
    "sqrt(t + 0.1)", "t**1.5", "t**-2", "t**3", "atan2(t, 1 - t)", "tan(t)", "acos(t/9)", "asin(t/9)", "log(t)",
    "cosh(t - 3)*sinh(t - 3)", "atan(4*t)", "2**t", "t**t", "sign(t - 1)*t", "t*t", "-t",
])
def test_all_values_and_slopes_are_enclosed(text: str) -> None:
    root, rng = formula(text), np.random.default_rng(1)
    low = rng.uniform(0.01, 5.0, 100)
    high = low + rng.uniform(0.0, 1.0, 100) ** 3
    (found,) = enclosures([root], T, low, high, {})
    for u in (0.0, 0.13, 0.5, 0.9, 1.0):
        at = low + u * (high - low)
        value, slope = np.array([evaluate([root, *gradient(root, [T])], {"t": float(t)}) for t in at]).T
        for exact, (least, most) in ((value, found.value), (slope, found.slope)):
            slack = 1e-9 * np.abs(exact) + 1e-12
            assert (least - slack <= exact).all() and (exact <= most + slack).all()


def test_enclosures_become_exact_as_intervals_shrink() -> None:
    root, low = formula("exp(-t**2)*sin(5*t)/(2 + cos(t))"), np.linspace(0.1, 3.0, 30)
    sizes = [enclosures([root], T, low, low + width, {})[0] for width in (1e-2, 1e-3)]
    wide, narrow = (float((each.slope.high - each.slope.low).max()) for each in sizes)
    assert wide / narrow == pytest.approx(10.0, rel=0.2)


def test_unknown_symbols_may_have_any_value() -> None:
    here = np.array([0.0]), np.array([1.0])
    wave, product = enclosures([formula("sin(x - 3*t)"), formula("x*sin(3*t)")], T, *here, {})
    assert_allclose([*wave.value, *wave.slope], [[-1.0], [1.0], [-3.0], [3.0]])
    assert product.value.high == math.inf and product.slope.low == -math.inf


@pytest.mark.parametrize(("text", "at", "width"), [
    ("1000*exp(-((t - 200.3)/0.002)**2)", 200.3, 0.002), ("1/(1 + ((t - 200.3)/1e-6)**2)", 200.3, 1e-6),
    ("tanh((t - 17)/1e-5)", 17.0, 1e-5), ("x*exp(-((t - 200.3)/0.002)**2) + y*t", 200.3, 0.002),
    ("exp(-((t - 200.3)/0.002)**2)*sin(1e5*t)", 200.3, 1e-5), ("5 + t + 1e-9*exp(-((t - 3)/1e-4)**2)", 3.0, 1e-4),
])
def test_a_narrow_pulse_is_found_in_a_long_time(text: str, at: float, width: float) -> None:
    found = parts(text, 400.0)
    assert 0.1 * width < about(found, at) < 4.0 * width
    assert found.longest.max() > 10.0


def test_a_sine_is_divided_evenly() -> None:
    found = parts("3*sin(w*t)", 50.0)
    assert found.longest.min() > 1.0 / 7.0 and found.longest.max() < 1.1 * math.pi * STRIDE / 7.0
    assert_allclose([found.edges[0], found.edges[-1]], [0.0, 50.0])


@pytest.mark.parametrize("text", ["2*pi*t", "5", "x*y", "x*(3*t - 1)", "exp(-((x - 3*t)/0.01)**2)"])
def test_what_does_not_bend_with_time_says_nothing(text: str) -> None:
    """Nor does a pulse that travels: it may be anywhere at any time."""
    assert not Resolution([formula(text)], T, {}, 10.0)


def test_a_jump_is_a_part_of_its_own() -> None:
    found = parts("sign(t - 1/3) - sign(t - 0.34)", 400.0)
    assert about(found, 1 / 3) < 1e-5 and about(found, 0.34) < 1e-5
    assert about(found, 200.0) > 100.0


def test_a_table_is_resolved_by_its_shape_and_not_by_its_knots() -> None:
    t = np.linspace(0.0, 10.0, 201)
    table = np.stack([t, 0.3 * np.sin(t) + 0.2 * np.exp(-(((t - 5.0) / 0.2) ** 2))], axis=1)
    found = Resolution([spline(T, table)], T, {}, 10.0).parts(0.0)
    assert len(found.longest) < 15
    assert about(found, 5.0) < 0.6 < 1.0 < about(found, 1.0)


def test_windows_follow_one_another() -> None:
    """A fast oscillation over a long time is divided bit by bit, wherever one comes from."""
    one, other = (Resolution([formula("sin(1e4*t)")], T, {}, 1e3) for _ in range(2))
    first = one.parts(0.0)
    second = one.parts(float(first.edges[-1]))
    assert first.edges[-1] == second.edges[0] < 1e3
    other.parts(500.0)
    assert_allclose(other.parts(float(first.edges[-1])).edges, second.edges, rtol=0, atol=0)
