"""Initial shapes of the falling chain (Sun 1996, §6.3): polygons against their curves, reflections, and the search."""

from __future__ import annotations

import math

import numpy as np
import pytest

from granum.run import simulate
from granum.validation.case import Sheet
from granum.validation.chain_search import (
    FOOT,
    Nearest,
    Shape,
    first_reflection,
    middle,
    nearest,
    reflections,
    released,
    turns,
)
from granum.validation.chain_shapes import FAMILIES, chain_shape, sag
from granum.validation.scenes import chain_angles, span


def corners(family: str, width: float) -> np.ndarray:
    """Joints of a hanging chain of unit links; the middle of the middle link is at x = 0."""
    angles = np.array(chain_angles(chain_shape(family, width)))
    points = np.vstack([np.zeros(2), np.cumsum(np.column_stack([np.cos(angles), np.sin(angles)]), axis=0)])
    return points - [0.5 * width, points[7, 1]]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("width", [5.0, 9.0, 13.0])
def test_shapes_have_their_span_and_hang(family: str, width: float) -> None:
    """Standing shapes are their mirror images."""
    left = chain_shape(family, width)
    assert span(left, 1.0) == pytest.approx(width, abs=1e-9)
    assert sag(left) > 0.0
    assert chain_shape(family, width, hanging=False) == [-angle for angle in left]
    assert corners(family, width)[:, 1].min() == pytest.approx(0.0, abs=1e-12)


def test_corners_lie_on_their_curves() -> None:
    """y = c x² + y₀ through the level link, a circle, and the slopes of links in equilibrium, 1 : 2 : 3 ..."""
    x, y = corners("parabola", 9.0).T
    assert y[8:] == pytest.approx((x[8:] ** 2 - x[8] ** 2) * y[-1] / (x[-1] ** 2 - x[8] ** 2), abs=1e-9)
    x, y = corners("arc", 9.0).T
    high = (x[-1] ** 2 + y[-1] ** 2 - 0.25) / (2.0 * y[-1])
    assert np.hypot(x, y - high) == pytest.approx(np.full(16, math.hypot(0.5, high)), abs=1e-9)
    slopes = np.tan(chain_shape("catenary", 9.0))
    assert slopes / slopes[-1] == pytest.approx([7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], rel=1e-9)


def test_three_bays() -> None:
    """Five links over three: sin 68.088° ... as in the tests of MBDyn, where they hang in equilibrium."""
    left = np.degrees(chain_shape("catenary", 9.0, bays=3))
    assert left == pytest.approx([-68.08811, -51.18412, 0.0, 51.18412, 68.08811, -68.08811, -51.18412], abs=1e-5)


@pytest.mark.parametrize(("family", "width", "bays"), [
    ("v", 15.5, 1), ("trapezoid-5", 9.0, 3), ("arc", 16.0, 1), ("catenary", 9.0, 2)])
def test_shapes_that_do_not_exist_are_refused(family: str, width: float, bays: int) -> None:
    with pytest.raises(ValueError, match="links"):
        chain_shape(family, width, bays)


@pytest.mark.parametrize("model", ["rods", "points"])
def test_a_hanging_catenary_stays_at_rest(model: str) -> None:
    """It is why the search leaves it out."""
    run = simulate(released("catenary", 1, True, model, 9.0), until=0.1)
    assert np.abs(middle(run)[1]).max() < 1e-9


def test_lengths_set_the_scale_of_time() -> None:
    """t ~ √(l/g): with a quarter of the gravity everything takes twice as long, as with links four times as long."""
    scene = released("trapezoid-5", 1, True, "rods", 10.0).with_run(until=0.6)
    slow = scene.vary({"load.gravity.acceleration": [0.0, -9.81 / 4.0]}).with_run(until=1.2, interval=0.01)
    assert first_reflection(simulate(slow)) == pytest.approx(2.0 * first_reflection(simulate(scene)), rel=1e-7)


def test_reflections_are_turns_that_a_figure_shows() -> None:
    """A swing with a ripple: turns of the ripple are none."""
    t = np.linspace(0.0, 2.0, 2001)
    height = np.cos(math.pi * t / 0.7) + 0.02 * np.cos(60.0 * t)
    velocity = -math.pi / 0.7 * np.sin(math.pi * t / 0.7) - 1.2 * np.sin(60.0 * t)
    assert len(turns(t, height, velocity)) > 2
    found = reflections(t, height, velocity, 0.1)
    # a ripple shifts an extreme by at most its half period, and here by less
    assert found == pytest.approx([0.7, 1.4], abs=math.pi / 60.0)
    assert reflections(t, t, np.ones_like(t), 0.1) == []


def test_nearest_is_nearest_to_both_times() -> None:
    """The larger of both errors counts, and a shape that turns back only once is none."""
    shapes = [Shape("arc", 1, True, "rods", width) for width in (5.0, 6.0, 7.0)]
    times = dict(zip(shapes, [(0.47, math.nan), (0.47, 0.70), (0.48, 0.69)], strict=True))
    assert nearest(times) == [Nearest(shapes[2], (0.48, 0.69), pytest.approx(0.01))]


def test_nearest_shapes_are_told_and_never_agree() -> None:
    """Their span is fitted: a verdict would confirm what was put in."""
    from granum.validation.chain_search import _rows

    sheet = Sheet("falling-chain")
    _rows(sheet, "arc", Nearest(Shape("arc", 1, True, "rods", 6.45), (0.47, 0.68), 0.0), 3)
    _rows(sheet, "v", None, 2)
    assert [row.published_verdict for row in sheet.rows] == ["not reproducible"] * 4
    assert "span 6.45 links" in sheet.rows[0].note
    assert "3 shapes" in sheet.rows[0].note
    assert sheet.rows[2].computed is None


def test_a_fitted_arc_has_both_printed_times() -> None:
    """Rods of one foot on an arc of 236°, 6.45 links wide: 0.471 and 0.680 s, which no text suggests."""
    left = chain_shape("arc", 6.45)
    assert math.degrees(left[6] - left[5]) * 15.0 == pytest.approx(236.0, abs=0.5)
    run = simulate(released("arc", 1, True, "rods", 6.45))
    height, velocity = middle(run)
    assert reflections(run.t, height, velocity, 0.1 * FOOT)[:2] == pytest.approx([0.47, 0.68], abs=0.005)
