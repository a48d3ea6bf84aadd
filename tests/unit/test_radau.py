"""radau in compiled code: its coefficients, its order, stiff behaviour, and SciPy's Radau step for step."""

from __future__ import annotations

import numpy as np
import pytest
from numba import carray
from numpy.testing import assert_allclose
from scipy.integrate import Radau

from granum.base.kernels import Floats
from granum.base.pointers import right_hand_side
from granum.integrate import driver, radau
from granum.linear import lu

NONE = np.zeros(1)
ORBIT, PERIOD = np.array([0.4, 0.0, 0.0, 2.0]), 2.0 * np.pi
"""Eccentricity 0.6 from the pericentre."""


@right_hand_side
def two_bodies(t, y_, dy_, data_):
    y, dy = carray(y_, 4), carray(dy_, 4)
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    dy[0], dy[1], dy[2], dy[3] = y[2], y[3], -y[0] / r3, -y[1] / r3
    return 0


@right_hand_side
def robertson(t, y_, dy_, data_):
    """Robertson's reaction, rates from 0.04 to 3e7."""
    y, dy = carray(y_, 3), carray(dy_, 3)
    a, b, c = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    dy[0], dy[1], dy[2] = b - a, a - b - c, c
    return 0


@right_hand_side
def robertson_slopes(t, y_, J_, data_):
    y, J = carray(y_, 3), carray(J_, (3, 3))
    b, c = (1e4 * y[2], 1e4 * y[1]), 6e7 * y[1]
    J[0, 0], J[0, 1], J[0, 2] = -0.04, b[0], b[1]
    J[1, 0], J[1, 1], J[1, 2] = 0.04, -b[0] - c, -b[1]
    J[2, 0], J[2, 1], J[2, 2] = 0.0, c, 0.0
    return 0


def robertson_in_python(t: float, y: Floats) -> list[float]:
    a, b, c = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [b - a, a - b - c, c]


@right_hand_side
def spiral(t, y_, dy_, data_):
    """y' = λ y for the complex y = (real, imaginary)."""
    y, dy, rate = carray(y_, 2), carray(dy_, 2), carray(data_, 2)
    dy[0], dy[1] = rate[0] * y[0] - rate[1] * y[1], rate[1] * y[0] + rate[0] * y[1]
    return 0


@right_hand_side
def prothero_robinson(t, y_, dy_, data_):
    """y' = λ (y - cos t) - sin t: y = cos t, whatever λ."""
    carray(dy_, 1)[0] = carray(data_, 1)[0] * (carray(y_, 1)[0] - np.cos(t)) - np.sin(t)
    return 0


def run(rates, y, until: float, tolerance: float, absolute: float | None = None, data: Floats = NONE,
        jacobian: int = 0, h: float = 0.0):
    """The state at the end and the progress."""
    y, progress = np.array(y, dtype=float), driver.new_progress(0.0, h)
    accuracy = driver.Accuracy(tolerance, np.full(len(y), tolerance if absolute is None else absolute))
    problem = driver.Problem(rates.address, data, jacobian=jacobian)
    assert radau.advance(problem, accuracy, until, y, radau.workspace(len(y)), progress, 10**9) == driver.DONE
    assert progress.time == until
    return y, progress


def test_the_stages_are_those_of_collocation() -> None:
    """Radau IIA integrates the polynomials through its nodes exactly: A cᵏ⁻¹ = cᵏ/k; T makes A⁻¹ block diagonal."""
    powers = radau.C[:, None] ** np.arange(3)
    A = (radau.C[:, None] ** np.arange(1, 4) / np.arange(1, 4)) @ np.linalg.inv(powers)
    assert_allclose(radau.T @ radau.INVERSE, np.eye(3), atol=1e-14)
    a, b = radau.COMPLEX.real, -radau.COMPLEX.imag
    blocks = np.array([[radau.REAL, 0.0, 0.0], [0.0, a, b], [0.0, -b, a]])
    assert_allclose(radau.T @ blocks @ radau.INVERSE @ A, np.eye(3), atol=1e-13)
    assert_allclose(np.polynomial.legendre.legval(2 * radau.C - 1, [0, 0, -1, 1]), 0.0, atol=1e-14)  # P₃ - P₂


@pytest.mark.parametrize("rate", [-3.0 + 2.0j, 5.0j, -1e6 + 0.0j, -1e3 + 1e5j])
def test_a_step_multiplies_by_its_stability_function(rate: complex) -> None:
    """R(z) = (1 + 2z/5 + z²/20)/(1 - 3z/5 + 3z²/20 - z³/60) (Hairer and Wanner II, table IV.5.6): L-stable."""
    z = 0.1 * rate
    wanted = (1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60)
    y, progress = run(spiral, [1.0, 0.0], 0.1, 1e6, data=np.array([rate.real, rate.imag]), h=0.1)
    assert progress.steps == 1 and abs(wanted) < 1.0
    assert_allclose(y, [wanted.real, wanted.imag], rtol=0, atol=1e-12)


def test_the_global_order_is_five() -> None:
    """Error after one revolution over the number of steps that each tolerance takes."""
    steps, errors = [], []
    for tolerance in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9):
        y, progress = run(two_bodies, ORBIT, PERIOD, tolerance)
        steps.append(int(progress.steps))
        errors.append(np.abs(y - ORBIT).max())
    assert 4.6 < -np.polyfit(np.log(steps), np.log(errors), 1)[0] < 5.4


@pytest.mark.parametrize(("rate", "low", "high"), [(-1.0, 4.7, 5.3), (-1e6, 2.7, 4.3)])
def test_the_order_of_equal_steps(rate: float, low: float, high: float) -> None:
    """Order 5 where nothing is stiff; in the stiff limit that of the stages, 3, or better by one (section IV.15)."""
    counts, errors = np.array([4, 8, 16, 32]), []
    for count in counts:
        y, t = np.array([1.0]), 0.0
        accuracy, work = driver.Accuracy(1e6, np.full(1, 1e6)), radau.workspace(1)
        progress = driver.new_progress()
        for k in range(count):
            progress.next_step, t = 1.0, 2.0 * (k + 1) / count
            assert radau.advance(driver.Problem(prothero_robinson.address, np.array([rate])), accuracy, t, y, work,
                                 progress, 10) == driver.DONE
        assert progress.steps == count
        errors.append(abs(y[0] - np.cos(2.0)))
    assert low < -np.polyfit(np.log(counts), np.log(errors), 1)[0] < high
    assert errors[-1] < 1e-8


def test_stiffness_costs_no_steps() -> None:
    """An explicit method needs some |λ|/3 steps per second: 3e7 at the end."""
    steps = []
    for rate in (-1e2, -1e5, -1e8):
        y, progress = run(prothero_robinson, [1.0], 10.0, 1e-8, data=np.array([rate]))
        assert y[0] == pytest.approx(np.cos(10.0), abs=1e-7)
        steps.append(int(progress.steps))
    assert max(steps) < 1.5 * steps[0]


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7])
def test_the_steps_are_those_of_scipy(tolerance: float) -> None:
    """The same method and control; SciPy makes its first step and differences otherwise. Hairer's value at 1e5 s."""
    solver = Radau(robertson_in_python, 0.0, [1.0, 0.0, 0.0], 1e5, rtol=tolerance, atol=1e-4 * tolerance)
    count = 0
    while solver.status == "running":
        solver.step()
        count += 1
    y, progress = run(robertson, [1.0, 0.0, 0.0], 1e5, tolerance, 1e-4 * tolerance)
    assert progress.steps == pytest.approx(count, rel=0.05, abs=3)
    assert_allclose(y, solver.y, rtol=20 * tolerance)


def test_a_jacobian_that_is_given_saves_evaluations() -> None:
    start = [1.0, 0.0, 0.0]
    differences, some = run(robertson, start, 1e5, 1e-7, 1e-11)
    exact, fewer = run(robertson, start, 1e5, 1e-7, 1e-11, jacobian=robertson_slopes.address)
    assert_allclose(exact, differences, rtol=1e-6)
    assert fewer.steps == pytest.approx(int(some.steps), rel=0.02)
    assert fewer.evaluations < 0.95 * some.evaluations


@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("size", [1, 2, 7, 30])
def test_dense_elimination(size: int, kind: type) -> None:
    """Against NumPy, with a zero in the place of the first pivot; backward error of partial pivoting."""
    rng = np.random.default_rng(size)
    a = rng.normal(size=(size, size)) + (1j * rng.normal(size=(size, size)) if kind is complex else 0.0)
    if size > 1:
        a[0, 0] = 0.0
    b = rng.normal(size=size).astype(kind)
    factors, pivots, x = a.astype(kind), np.zeros(size, np.int64), b.copy()
    assert lu.factor(factors, pivots)
    lu.solve(factors, pivots, x)
    assert np.abs(a @ x - b).max() < 1e-13 * size * max(1.0, np.abs(x).max())
    assert not lu.factor(np.zeros((size, size), kind), pivots)
