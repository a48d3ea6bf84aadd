"""Statistics of studies: published numbers, closed forms, and how often intervals hold what they should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit

from granum.base.errors import GranumError
from granum.studies.boundary import Search
from granum.studies.statistics import (
    beverloo,
    by_point,
    exponential_growth,
    logistic_boundary,
    mean_interval,
    power_law,
    sobol_indices,
    wilson,
)
from messages import refused

Floats = NDArray[np.float64]


def margin(p: float, count: int, deviations: float = 3.0) -> float:
    """How far a frequency of so many trials strays from its probability by chance."""
    return deviations * math.sqrt(p * (1.0 - p) / count)


@pytest.mark.parametrize(("successes", "trials", "low", "high"), [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)])
def test_wilson_gives_the_published_limits(successes: int, trials: int, low: float, high: float) -> None:
    """Newcombe (1998), Statistics in Medicine 17:857, table I, method 3; printed to four digits."""
    found = wilson(successes, trials)
    assert_allclose([found.low, found.high], [low, high], atol=5e-5)
    assert found.low <= found.value <= found.high


def test_wilson_holds_its_level_on_average() -> None:
    """The mean over p of its exact coverage at n = 20 is near 0.95; the normal interval would hold 0.85."""
    n, p = 20, np.linspace(0.01, 0.99, 197)
    limits = [wilson(k, n)[1:3] for k in range(n + 1)]
    held = sum(stats.binom.pmf(k, n, p) * ((low <= p) & (p <= high)) for k, (low, high) in enumerate(limits))
    assert abs(np.mean(held) - 0.95) < 0.01  # Agresti and Coull (1998), fig 4: 0.953


def test_mean_interval_is_that_of_students_t() -> None:
    y = np.random.default_rng(3).normal(2.0, 0.5, 12)
    found = mean_interval(y, 0.9)
    assert_allclose([found.low, found.high], stats.ttest_1samp(y, 0.0).confidence_interval(0.9), rtol=1e-12)
    assert math.isinf(mean_interval([1.0]).high)


def test_mean_interval_holds_its_level() -> None:
    rng, count = np.random.default_rng(5), 2000
    held = sum(one.low <= 1.0 <= one.high for one in map(mean_interval, rng.normal(1.0, 3.0, (count, 4))))
    assert abs(held / count - 0.95) < margin(0.95, count)


@pytest.mark.parametrize("wrong", [lambda: mean_interval([]), lambda: mean_interval([1.0, np.nan]),
                                   lambda: wilson(3, 2), lambda: wilson(0, 0), lambda: wilson(1, 2, 95.0),
                                   lambda: logistic_boundary([1.0, 2.0], [0.0, 0.5]),
                                   lambda: power_law([1.0, 2.0], [1.0, 2.0]),
                                   lambda: power_law([1.0, 2.0, 3.0], [1.0, -2.0, 3.0])])
def test_what_has_no_answer_is_refused(wrong: object) -> None:
    with pytest.raises(GranumError):
        wrong()  # type: ignore[operator]


def outcomes(x: Floats, x50: float, width: float, rng: np.random.Generator) -> Floats:
    return (rng.random(len(x)) < expit((x - x50) / width)).astype(float)


def test_boundary_is_where_many_runs_put_it() -> None:
    """With 20 000 runs x50 and the width are those of the curve within their errors, rising and falling."""
    rng, x = np.random.default_rng(1), np.repeat(np.linspace(0.0, 1.0, 20), 1000)
    for width in (0.07, -0.07):
        found = logistic_boundary(x, outcomes(x, 0.37, width, rng))
        errors = np.sqrt(np.diag(found.covariance))
        assert abs(found.x50 - 0.37) < 4.0 * errors[0]
        assert abs(found.width - width) < 4.0 * errors[1]
        assert found.state == "fitted"
        # information of an even grid of density ρ is ρ / |w|, so that the variance is |w| / ρ
        assert_allclose(errors[0], math.sqrt(0.07 / (20_000 / (20 / 19))), rtol=0.03)
        # a profile of so many runs is a parabola
        assert_allclose(found.high - found.low, 2.0 * 1.96 * errors[0], rtol=0.01)


def test_boundary_does_not_depend_on_units_or_order() -> None:
    rng, x = np.random.default_rng(2), np.repeat(np.linspace(0.0, 1.0, 9), 6)
    y, order = outcomes(x, 0.4, 0.1, rng), rng.permutation(len(x))
    one, other = logistic_boundary(x, y), logistic_boundary(300.0 + 1e-3 * x[order], y[order])
    assert_allclose([other.x50, other.low, other.high], [300.0 + 1e-3 * v for v in (one.x50, one.low, one.high)],
                    atol=1e-7)
    mirrored = logistic_boundary(x, 1.0 - y)
    assert_allclose([mirrored.x50, mirrored.width], [one.x50, -one.width], rtol=1e-4)


def test_separated_data_keep_the_whole_gap() -> None:
    """Outcomes that do not overlap say that x50 is in the gap, and not where."""
    x = np.repeat([0.0, 1.0, 2.0, 3.0], 10)
    found = logistic_boundary(x, (x > 1.5).astype(float))
    assert found.state == "separated"
    assert (found.x50, found.low <= 1.0, found.high >= 2.0) == (1.5, True, True)
    assert found.high - found.low < 1.2
    both = logistic_boundary([*x, 1.0], [*(x > 1.5).astype(float), 1.0])  # one success at the last level with failures
    assert both.state == "separated"
    assert both.low <= 1.0 <= both.high


def test_data_without_a_boundary_say_so() -> None:
    assert logistic_boundary([0.0, 1.0, 2.0], [1.0, 1.0, 1.0]).state == "constant"
    assert math.isnan(logistic_boundary([0.0, 1.0, 2.0], [1.0, 1.0, 1.0]).x50)
    flat = logistic_boundary([0.0, 1.0, 2.0] * 10, [0.0, 1.0, 0.0] * 10)
    assert (flat.state, flat.low, flat.high) == ("undetermined", -math.inf, math.inf)
    assert logistic_boundary([0.0, 1.0], [0.0, 1.0]).state == "undetermined"  # two runs are no evidence


@pytest.mark.validate
@pytest.mark.parametrize(("width", "levels", "repeats"), [(0.1, 10, 40), (0.03, 11, 20), (0.3, 9, 20)])
def test_boundary_intervals_hold_their_level(width: float, levels: int, repeats: int) -> None:
    """In 95 of 100 studies, within what chance allows and half a percent for the χ² that holds for many runs."""
    rng, count = np.random.default_rng(7), 400
    x, held = np.repeat(np.linspace(0.0, 1.0, levels), repeats), 0
    for _ in range(count):
        x50 = rng.uniform(0.3, 0.7)
        found = logistic_boundary(x, outcomes(x, x50, width, rng))
        held += found.low <= x50 <= found.high
    assert abs(held / count - 0.95) < margin(0.95, count) + 0.005


@pytest.mark.validate
def test_separated_intervals_hold_at_least_their_level() -> None:
    rng, count = np.random.default_rng(8), 200
    x, held = np.repeat(np.linspace(0.0, 1.0, 11), 10), 0
    for _ in range(count):
        x50 = rng.uniform(0.3, 0.7)
        found = logistic_boundary(x, outcomes(x, x50, 0.005, rng))
        held += found.low <= x50 <= found.high
    assert held / count > 0.95 - margin(0.95, count)


def test_power_law_is_linear_regression_of_logarithms() -> None:
    rng, x = np.random.default_rng(4), np.geomspace(2.0, 40.0, 9)
    y = 3.0 * (x - 0.5) ** 2.4 * np.exp(0.1 * rng.standard_normal(9))
    found, line = power_law(x, y, offset=0.5), stats.linregress(np.log(x - 0.5), np.log(y))
    assert_allclose([found.constants["n"].value, found.errors["n"]], [line.slope, line.stderr], rtol=1e-6)
    assert_allclose([math.log(found.constants["C"].value), found.errors["C"] / found.constants["C"].value],
                    [line.intercept, line.intercept_stderr], rtol=1e-6)
    assert_allclose(found.r_squared, line.rvalue**2, rtol=1e-9)
    assert_allclose(found.predict(x), np.exp(line.intercept) * (x - 0.5) ** line.slope, rtol=1e-6)


def test_laws_recover_what_they_were_made_of() -> None:
    d, opening = 0.005, np.linspace(0.03, 0.12, 10)
    rate = 580.0 * (opening - 1.4 * d) ** 2.5
    free, held = beverloo(opening, rate, d), beverloo(opening, rate, d, exponent=2.5)
    for law in (free, held):
        assert_allclose([law.constants["C"].value, law.constants["k"].value], [580.0, 1.4], rtol=1e-5)
    assert_allclose(free.constants["n"].value, 2.5, rtol=1e-5)
    grown = exponential_growth(opening / d, 4.0 * np.exp(0.02 * (opening / d) ** 2), power=2.0)
    assert_allclose([grown.constants["A"].value, grown.constants["b"].value], [4.0, 0.02], rtol=1e-6)


def test_a_wrong_law_is_found_out() -> None:
    """χ² rejects a power law of exponential data with known errors, and accepts it where it holds."""
    rng, x = np.random.default_rng(6), np.linspace(3.0, 12.0, 10)
    noise = 1.0 + 0.03 * rng.standard_normal(10)
    wrong, right = np.exp(0.5 * x) * noise, 2.0 * x**1.5 * noise
    assert power_law(x, wrong, error=0.03 * wrong).p_value < 1e-6
    assert power_law(x, right, error=0.03 * right).p_value > 0.01
    assert exponential_growth(x, wrong).r_squared > 0.999 > power_law(x, wrong).r_squared


def test_exponents_hold_their_level() -> None:
    rng, x, count = np.random.default_rng(9), np.geomspace(1.0, 10.0, 6), 400
    held = 0
    for _ in range(count):
        n = power_law(x, 2.0 * x**2.5 * np.exp(0.05 * rng.standard_normal(6))).constants["n"]
        held += n.low <= 2.5 <= n.high
    assert abs(held / count - 0.95) < margin(0.95, count)


def saltelli(samples: int, dimension: int) -> Floats:
    cube = stats.qmc.Sobol(2 * dimension, seed=1).random(samples)
    a, b = cube[:, None, :dimension], cube[:, None, dimension:]
    return np.concatenate([a, np.where(np.eye(dimension, dtype=bool), b, a), b], axis=1).reshape(-1, dimension)


def test_sobol_indices_of_ishigamis_function() -> None:
    """sin x + 7 sin² y + 0.1 z⁴ sin x on (−π, π)³: indices in closed form (Ishigami and Homma 1990)."""
    pytest.importorskip("SALib")
    x, y, z = (points := 2.0 * np.pi * saltelli(2048, 3) - np.pi).T
    found = sobol_indices("xyz", points, np.sin(x) + 7.0 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x))
    a, b = 7.0, 0.1
    first = np.array([0.5 * (1.0 + b * np.pi**4 / 5.0) ** 2, a**2 / 8.0, 0.0])
    both = b**2 * np.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    variance = first.sum() + both
    for name, s1, st in zip("xyz", first / variance, (first + both * np.array([1, 0, 1])) / variance, strict=True):
        assert abs(found.first[name].value - s1) < max(1.5 * found.first[name].half_width, 0.01)
        assert abs(found.total[name].value - st) < max(1.5 * found.total[name].half_width, 0.01)
    assert (found.blocks, found.dropped) == (2048, 0)


def test_other_designs_have_no_sobol_indices() -> None:
    pytest.importorskip("SALib")
    points = saltelli(64, 2)
    values = points.sum(axis=1)
    for other in (np.random.default_rng(0).random(points.shape), points[::-1] + [0.0, 1e-9] * points[:, :1]):
        with refused(GranumError, "Saltelli's design", 'design.kind = "sobol"'):
            sobol_indices("ab", other, values)
    values[5] = np.nan  # one failed run costs its block
    assert sobol_indices("ab", points, values).dropped == 1


class Columns:
    """A table of three points with four repeats."""

    parameters = ["a"]  # noqa: RUF012
    measures = ["rate", "jam"]  # noqa: RUF012

    def column(self, name: str) -> NDArray[np.generic]:
        """One value for each run."""
        return {"point": np.repeat([0, 1, 2], 4), "a": np.repeat([1.0, 2.0, 3.0], 4),
                "rate": np.array([1, 2, 3, 4, 5, 5, 5, np.nan, *[np.nan] * 4], float),
                "jam": np.array([0, 0, 1, 1, 1, 1, 1, np.nan, *[np.nan] * 4], float)}[name]


def test_repeats_are_taken_together_and_failures_counted() -> None:
    first, second, third = by_point(Columns(), "rate")
    assert (first.values, first.runs, first.failed, first.estimate) == ({"a": 1.0}, 4, 0, mean_interval([1, 2, 3, 4]))
    assert (second.runs, second.failed, third.estimate, third.failed) == (3, 1, None, 4)
    chance = by_point(Columns(), "jam")
    assert (chance[0].estimate, chance[1].estimate, chance[0].successes) == (wilson(2, 4), wilson(3, 3), 2)


def searched(search: Search, x50: float, width: float, seed: int) -> tuple[int, float, bool]:
    """Runs of a search on a known curve, error of x50, and whether the interval holds it."""
    rng = np.random.default_rng([11, seed])
    x, y = np.zeros(0), np.zeros(0)
    while len(new := search.propose(x, y)):
        x, y = np.append(x, new), np.append(y, outcomes(new, x50, width, rng))
        assert len(x) < 2000
    found = search.crossing(x, y)
    return len(x), found.x50 - x50, found.low <= x50 <= found.high


def test_a_search_proposes_the_same_from_the_same_rows_in_any_order() -> None:
    search, rng = Search(2.0, 6.0, 0.2), np.random.default_rng(0)
    x = search.propose(np.zeros(0), np.zeros(0))
    assert (x.min(), x.max(), len(x)) == (2.0, 6.0, 8)
    y, order = (x > 4.1).astype(float), rng.permutation(8)
    again = search.propose(x[order], y[order])
    assert_allclose(search.propose(x, y), again, rtol=0.0, atol=0.0)
    assert ((again >= 2.0) & (again <= 6.0)).all()
    assert np.median(np.abs(again - 4.0)) < 0.6  # most are between the last failure and the first success


def test_a_search_that_finds_no_crossing_ends() -> None:
    runs, error, _ = searched(Search(0.0, 1.0, 0.05), 40.0, 0.1, 1)
    assert runs <= 24
    assert math.isnan(error)


def test_a_jump_is_bisected() -> None:
    """A boundary without width takes the bisections to the lattice, and four runs at both ends of the gap."""
    runs, error, held = searched(Search(0.0, 1.0, 0.01), 0.3217, 1e-9, 1)
    assert abs(error) < 0.005
    assert held
    assert runs <= 64


def test_whole_numbers_stay_whole() -> None:
    proposed = Search(3.0, 40.0, 2.0, whole=True).propose(np.zeros(0), np.zeros(0))
    assert (proposed == proposed.round()).all()


@pytest.mark.validate
def test_a_search_needs_a_fifth_of_the_runs_of_a_grid() -> None:
    """Compared by the error of x50 that was really made, on a curve of which 10 to 90 % take 5 % of the range.

    A grid of 41 levels with five times the runs of the search still has the larger error.
    """
    width, count = 1.0 / 80.0, 60
    rng = np.random.default_rng(12)
    places = rng.uniform(0.2, 0.8, count)
    runs, errors, held = map(np.array, zip(*(searched(Search(0.0, 1.0, 2.0 * width), x50, width, k)
                                             for k, x50 in enumerate(places)), strict=True))
    x = np.repeat(np.linspace(0.0, 1.0, 41), math.ceil(5.0 * runs.mean() / 41))
    grid = [logistic_boundary(x, outcomes(x, x50, width, rng)).x50 - x50 for x50 in places]
    assert np.mean(errors**2) < np.mean(np.square(grid))
    assert held.mean() > 0.95 - margin(0.95, count)
