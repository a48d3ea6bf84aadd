"""Initial shapes of a chain between two pins: families of polygons of equal links, by their span.

The figure with the shape of the falling chain (Sun 1996, figure 6.8) is missing from the document. The links have one
length, so that a shape of a family has one free measure: its span gives its sag. Trapezoids have the number of their
level links besides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from granum.base.kernels import Floats
from granum.validation.scenes import CHAIN_LINKS

TRAPEZOIDS = {"v": 1, "trapezoid-3": 3, "trapezoid-5": 5, "trapezoid-7": 7, "trapezoid-9": 9}
"""Level links in the middle; a V of an odd number of links has one."""
FAMILIES = ("catenary", "parabola", "arc", *TRAPEZOIDS)
STEEPEST = 1e4
"""Largest slope of the outer links that is searched for a span."""


def chain_shape(family: str, span: float, bays: int = 1, hanging: bool = True) -> list[float]:
    """Angles of the left half of a chain [rad], as `chain_angles` takes them; ValueError where there is no such shape.

    Args:
        family: one of FAMILIES: links in equilibrium; chords of a parabola or of a circle; trapezoids.
        span: distance between the pins, in lengths of a link.
        bays: equal parts, one beside the other, with all of their ends at the height of the pins.
        hanging: below the pins, or above.
    """
    count, rest = divmod(CHAIN_LINKS, bays)
    if rest or count % 2 == 0:
        raise ValueError(f"{CHAIN_LINKS} links make 1, 3 or 5 bays, not {bays}.")
    one = _bay(family, count, span / bays)
    angles = np.tile(one if hanging else -one, bays)
    return [float(angle) for angle in angles[: CHAIN_LINKS // 2]]


def sag(left: list[float]) -> float:
    """Depth of the deepest joint below the pins, in lengths of a link; for a shape above them, its negative height."""
    heights = np.cumsum(np.sin(left))
    return float(-heights[np.abs(heights).argmax()])


def _bay(family: str, count: int, span: float) -> Floats:
    """Angles of links that hang between two pins [rad]."""
    if family in TRAPEZOIDS:
        level = TRAPEZOIDS[family]
        sides = count - level
        if sides <= 0 or abs(span - level) > sides:
            raise ValueError(f"A {family} of {count} links has no span of {span:g} links.")
        slope = math.acos((span - level) / sides)
        return np.array([*[-slope] * (sides // 2), *[0.0] * level, *[slope] * (sides // 2)])
    shape, largest = {
        "catenary": (_catenary, STEEPEST), "parabola": (_parabola, STEEPEST), "arc": (_arc, 2.0 * math.pi / count),
    }[family]
    return _with_span(partial(shape, count), span, largest, f"A {family} of {count} links has no span of {span:g}.")


def _with_span(shape: Callable[[float], Floats], span: float, largest: float, refusal: str) -> Floats:
    """The shape whose links add up to a span, by bisection over its one parameter."""
    from scipy.optimize import brentq

    def error(parameter: float) -> float:
        return float(np.cos(shape(parameter)).sum()) - span

    if error(0.0) < 0.0 or error(largest) > 0.0:
        raise ValueError(refusal)
    return shape(brentq(error, 0.0, largest, xtol=1e-14))


def _places(count: int) -> Floats:
    """Numbers of links from the middle one."""
    return np.arange(count, dtype=np.float64) - 0.5 * (count - 1)


def _catenary(count: int, load: float) -> Floats:
    """Links in equilibrium: each adds its weight to the vertical part of the tension, whose level part is one."""
    angles: Floats = np.arctan(load * _places(count))
    return angles


def _arc(count: int, turn: float) -> Floats:
    """Chords of a circle."""
    return turn * _places(count)


def _parabola(count: int, curvature: float) -> Floats:
    """Chords of y = c x² of length one: d² + c² d² (2 x + d)² = 1 for the next one, which begins at x."""
    x, right = 0.5, list[float]()
    for _ in range(count // 2):
        low, high = 0.0, 1.0
        for _ in range(60):
            d = 0.5 * (low + high)
            low, high = (d, high) if d * d * (1.0 + (curvature * (2.0 * x + d)) ** 2) < 1.0 else (low, d)
        right.append(math.atan(curvature * (2.0 * x + d)))
        x += d
    return np.array([*(-angle for angle in reversed(right)), 0.0, *right])
