"""Physics of granular matter against what is published: small and fast here, in full size by `make validate`."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import linregress

from granum.validation.cases import Result, find_case
from granum.validation.granular import janssen
from granum.validation.granular.common import connected, line, surface

SHORT = {"rate at twice the filling 2-D"}
"""Rows that fall short of what is published, and say so."""
GRANULAR = ("close-packing", "janssen", "beverloo", "repose", "column-collapse")


@cache
def result(name: str) -> Result:
    return find_case(name).run()


def value(name: str, quantity: str) -> float:
    found = [row.computed for row in result(name).rows if row.quantity == quantity]
    assert len(found) == 1 and found[0] is not None
    return found[0]


def test_line_and_its_error_are_those_of_a_regression() -> None:
    x, y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([1.0, 2.9, 5.2, 8.8])
    truth, found = linregress(x, y), line(x, y)
    assert found == pytest.approx((truth.slope, truth.intercept, truth.stderr), rel=1e-12)


def test_surface_is_the_highest_grain_of_each_interval() -> None:
    positions = np.array([[0.5, 1.0], [0.6, 2.0], [2.5, 0.5], [9.0, 9.0]])
    assert surface(positions, np.array([0.1, 0.2, 0.3, 0.4]), np.arange(4.0)).tolist() == [2.2, 0.0, 0.8]


def test_a_grain_that_rolled_away_is_not_part_of_the_heap() -> None:
    positions = np.array([[0.0, 0.0], [2.05, 0.0], [4.1, 0.0], [7.0, 0.0]])
    assert connected(positions, np.ones(4), 0.1).tolist() == [0, 1, 2]


def test_walls_of_a_small_silo_carry_weight_by_friction() -> None:
    found = janssen.weigh(4.0, 8.0, 1, 0.1)
    assert found.felt < 0.6 * found.filled
    assert 0.0 < found.mobilised <= 1.0  # Coulomb's cone at each wall contact


@pytest.mark.validate
@pytest.mark.parametrize("name", GRANULAR)
def test_no_row_differs_from_what_is_published(name: str) -> None:
    differing = [(row.quantity, row.computed) for row in result(name).rows if "differs" in (
                     row.published_verdict, row.reference_verdict)
                 and row.quantity not in SHORT]
    assert differing == []


@pytest.mark.validate
@pytest.mark.parametrize(("quantity", "published", "allowed"), [
    ("packing fraction spheres", 0.64, 0.01), ("packing fraction disks 1:1.4", 0.84, 0.01),
    ("coordination number spheres", 6.0, 0.02), ("coordination number disks 1:1.4", 4.0, 0.02),
])
def test_random_close_packing(quantity: str, published: float, allowed: float) -> None:
    assert value("close-packing", quantity) == pytest.approx(published, abs=allowed)


@pytest.mark.validate
def test_the_weight_on_the_bottom_of_a_silo_saturates() -> None:
    points = result("janssen").figures[0].panels[0].curves[0]
    filled, felt = points.x, points.y
    tall, half = filled > 0.99 * filled.max(), np.abs(filled / filled.max() - 4.0 / 6.0) < 0.02
    assert felt[tall].mean() < 1.15 * felt[half].mean()  # half as much again is filled in
    assert 0.5 <= value("janssen", "pressure ratio K") <= 1.1


@pytest.mark.validate
@pytest.mark.parametrize(("quantity", "published", "allowed"), [
    ("exponent 2-D", 1.5, 0.15), ("exponent 3-D", 2.5, 0.25), ("k 2-D", 1.5, 0.5), ("k 3-D", 1.5, 0.5),
    ("rate at twice the filling 3-D", 1.0, 0.1),
])
def test_discharge_follows_beverloo(quantity: str, published: float, allowed: float) -> None:
    assert value("beverloo", quantity) == pytest.approx(published, abs=allowed)


@pytest.mark.validate
def test_discharge_in_the_plane_depends_less_on_filling_than_that_of_a_liquid() -> None:
    assert 0.9 < value("beverloo", "rate at twice the filling 2-D") < 1.25


@pytest.mark.validate
def test_the_angle_of_repose_grows_with_friction() -> None:
    angles = [row.computed for row in result("repose").rows if row.quantity.endswith("rolling=0.1")]
    assert len(angles) == 3 and np.all(np.diff(angles) > 0.0)


@pytest.mark.validate
@pytest.mark.parametrize(("quantity", "published", "allowed"), [
    ("exponent low a", 1.0, 0.15), ("exponent high a", 0.7, 0.1),
])
def test_run_out_of_columns(quantity: str, published: float, allowed: float) -> None:
    assert value("column-collapse", quantity) == pytest.approx(published, abs=allowed)
