"""dop853 in compiled code, against SciPy step for step; and the driver of both methods: events, ends, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from numba import carray
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import DOP853

from granum.base.kernels import Floats
from granum.base.pointers import right_hand_side
from granum.integrate import dop853, driver, radau, tableau
from granum.integrate.maximum import maximum

NONE = np.zeros(1)
both_methods = pytest.mark.parametrize("method", [dop853, radau], ids=["dop853", "radau"])


@right_hand_side
def two_bodies(t, y_, dy_, data_):
    y, dy = carray(y_, 4), carray(dy_, 4)
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    dy[0], dy[1], dy[2], dy[3] = y[2], y[3], -y[0] / r3, -y[1] / r3
    return 0


def two_bodies_in_python(t: float, y: Floats) -> Floats:
    return np.concatenate([y[2:], -y[:2] / np.hypot(y[0], y[1]) ** 3])


@right_hand_side
def arenstorf(t, y_, dy_, data_):
    y, dy, mu = carray(y_, 4), carray(dy_, 4), carray(data_, 1)[0]
    d1 = ((y[0] + mu) ** 2 + y[1] ** 2) ** 1.5
    d2 = ((y[0] - (1.0 - mu)) ** 2 + y[1] ** 2) ** 1.5
    dy[0], dy[1] = y[2], y[3]
    dy[2] = y[0] + 2.0 * y[3] - (1.0 - mu) * (y[0] + mu) / d1 - mu * (y[0] - (1.0 - mu)) / d2
    dy[3] = y[1] - 2.0 * y[2] - (1.0 - mu) * y[1] / d1 - mu * y[1] / d2
    return 0


def arenstorf_in_python(t: float, y: Floats) -> Floats:
    mu, (x1, x2, v1, v2) = MU[0], y
    d1, d2 = ((x1 + mu) ** 2 + x2**2) ** 1.5, ((x1 - (1 - mu)) ** 2 + x2**2) ** 1.5
    return np.array([
        v1, v2, x1 + 2 * v2 - (1 - mu) * (x1 + mu) / d1 - mu * (x1 - (1 - mu)) / d2,
        x2 - 2 * v1 - (1 - mu) * x2 / d1 - mu * x2 / d2,
    ])


MU = np.array([0.012277471])
ELLIPSE = np.array([0.4, 0.0, 0.0, 2.0])
"""Eccentricity 0.6 from the pericentre; the period is 2π."""
ORBIT = np.array([0.994, 0.0, 0.0, -2.00158510637908252240537862224])
PERIOD = 17.0652165601579625588917206249
"""Hairer, Nørsett and Wanner, equations (II.0.1) and (II.0.2)."""


@right_hand_side
def wave(t, y_, dy_, data_):
    """Depends on time too: y = (cos t, sin t) exactly for y' = (-sin t, y₀)."""
    y, dy = carray(y_, 2), carray(dy_, 2)
    dy[0], dy[1] = -np.sin(t), y[0]
    return 0


@right_hand_side
def falling(t, y_, dy_, data_):
    y, dy = carray(y_, 2), carray(dy_, 2)
    dy[0], dy[1] = y[1], -carray(data_, 1)[0]
    return 0


@right_hand_side
def root_of_what_is_left(t, y_, dy_, data_):
    """Not a number beyond y = 1."""
    carray(dy_, 1)[0] = 1.0 + np.sqrt(1.0 - carray(y_, 1)[0])
    return 0


@right_hand_side
def status_in_data(t, y_, dy_, data_):
    carray(dy_, 1)[0] = 1.0
    return int(carray(data_, 1)[0]) if t > 0.5 else 0


@right_hand_side
def square(t, y_, dy_, data_):
    carray(dy_, 1)[0] = carray(y_, 1)[0] ** 2
    return 0


@right_hand_side
def height_and_speed(t, y_, g_, data_):
    y, g = carray(y_, 2), carray(g_, 2)
    g[0], g[1] = y[0], y[1]
    return 0


@right_hand_side
def height_only(t, y_, g_, data_):
    carray(g_, 1)[0] = carray(y_, 1)[0]
    return 0


@right_hand_side
def root_of_height(t, y_, g_, data_):
    carray(g_, 1)[0] = 2.0 + np.sqrt(carray(y_, 1)[0])
    return 0


@right_hand_side
def times(t, y_, g_, data_):
    g = carray(g_, 3)
    g[0], g[1], g[2] = t - 0.7, t - 0.3, 2.0 * (0.3 - t)
    return 0


@right_hand_side
def distance(t, y_, g_, data_):
    y = carray(y_, 2)
    carray(g_, 1)[0] = np.sqrt(y[0] ** 2 + y[1] ** 2)
    return 0


class Run:
    """A state with what `advance` needs beside it."""

    def __init__(self, rates, y, data=NONE, tolerance: float = 1e-10, method=dop853) -> None:
        self.method = method
        self.rates, self.y, self.data = rates.address, np.array(y, dtype=float), data
        self.tolerance, self.progress = tolerance, driver.new_progress()
        self.work = method.workspace(len(self.y))

    def accuracy(self, largest: float = np.inf) -> driver.Accuracy:
        """The same for all components."""
        return driver.Accuracy(self.tolerance, np.full(len(self.y), self.tolerance), largest)

    def advance(self, until: float, h: float = 0.0, most_steps: int = 10**9, largest: float = np.inf) -> int:
        """On from the time reached."""
        self.progress.next_step = h
        problem = driver.Problem(self.rates, self.data)
        return self.method.advance(problem, self.accuracy(largest), until, self.y, self.work, self.progress, most_steps)

    def to_event(
        self, events, directions: list[int], until: float, h: float = 0.0,
        most_steps: int = 10**9, largest: float = np.inf,
    ) -> int:
        """On from the time reached, to the next event."""
        self.progress.next_step = h
        if len(self.work.happened) != len(directions):
            self.work = self.method.workspace(len(self.y), len(directions))
        problem = driver.Problem(self.rates, self.data, 0, events.address, np.array(directions))
        return self.method.advance(problem, self.accuracy(largest), until, self.y, self.work, self.progress, most_steps)

    def maximum(self, value, until: float) -> tuple[int, float, float]:
        """On from time 0."""
        problem = driver.Problem(self.rates, self.data, events=value.address)
        return maximum(problem, self.accuracy(), (0.0, until), self.y, dop853.workspace(len(self.y), 1), self.progress)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize(("rates", "python", "start", "data", "until", "spread"), [
    (two_bodies, two_bodies_in_python, ELLIPSE, NONE, 20.0, 1e-12),
    (two_bodies, two_bodies_in_python, ELLIPSE, NONE, -20.0, 1e-12),
    # passes the moon so closely that a rounding grows by some 1e5 within half a period
    (arenstorf, arenstorf_in_python, ORBIT, MU, PERIOD / 2, 1e-12),
])
def test_the_steps_are_those_of_scipy(rates, python, start, data, until, spread, tolerance) -> None:
    solver = DOP853(python, 0.0, start, until, rtol=tolerance, atol=tolerance)
    steps = []
    while solver.status == "running":
        solver.step()
        steps.append(solver.step_size)
    run = Run(rates, start, data, tolerance)
    assert run.advance(until) == driver.DONE
    assert run.progress.time == until
    assert run.progress.steps == pytest.approx(len(steps), rel=0.01)
    assert run.progress.evaluations == pytest.approx(solver.nfev, rel=0.01)
    assert_allclose([run.progress.smallest_step, run.progress.largest_step], [min(steps), max(steps)], rtol=1e-6)
    assert_allclose(run.y, solver.y, rtol=0, atol=spread)


def test_the_coefficients_are_those_of_scipy() -> None:
    for name in ("A", "B", "C"):
        assert_array_equal(getattr(tableau, name), getattr(DOP853, name))
    for name in ("E3", "E5"):  # SciPy's last weight is of the rates at the end, and zero
        assert_array_equal([*getattr(tableau, name), 0.0], getattr(DOP853, name))


def test_a_step_is_of_order_eight() -> None:
    """Slope of the error over half a period of the ellipse; below 1e-13 rounding would flatten it."""
    counts, errors = np.array([32, 48, 64, 96]), []
    for count in counts:
        run = Run(two_bodies, ELLIPSE, tolerance=1e100)
        for k in range(count):
            assert run.advance((k + 1) * np.pi / count, h=1.0) == driver.DONE
        assert run.progress.steps == count
        errors.append(np.abs(run.y - [-1.6, 0.0, 0.0, -0.5]).max())
    assert errors[-1] > 1e-13
    assert 7.5 < -np.polyfit(np.log(counts), np.log(errors), 1)[0] < 8.6


@both_methods
def test_pieces_end_on_the_same_bits(method) -> None:
    """With a right-hand side that depends on time: its rates at the seams must belong to the same time."""
    whole, pieces = Run(wave, [1.0, 0.0], method=method), Run(wave, [1.0, 0.0], method=method)
    assert whole.advance(30.0) == driver.DONE
    calls, h = 0, 0.0
    while pieces.advance(30.0, h, most_steps=3) == driver.MORE:
        calls, h = calls + 1, pieces.progress.next_step
    assert calls == (whole.progress.steps - 1) // 3
    assert_array_equal(pieces.y, whole.y)
    for name in ("time", "next_step", "steps", "rejected", "smallest_step", "largest_step"):
        assert pieces.progress[name] == whole.progress[name]
    assert_allclose(whole.y, [np.cos(30.0), np.sin(30.0)], rtol=0, atol=1e-8)


@both_methods
def test_a_step_cut_short_does_not_shrink_the_next(method) -> None:
    run = Run(two_bodies, ELLIPSE, method=method)
    run.advance(5.0)
    wanted = run.progress.next_step
    run.advance(5.0 + 1e-9, wanted)
    assert run.progress.next_step == wanted
    assert run.progress.time == 5.0 + 1e-9


@both_methods
def test_no_step_is_larger_than_allowed(method) -> None:
    run = Run(falling, [0.0, 1.0], np.array([1.0]), method=method)
    assert run.advance(1.0, largest=0.03) == driver.DONE
    assert run.progress.largest_step <= 0.03 * (1 + 1e-15)
    assert_allclose(run.y, [0.5, 0.0], atol=1e-15)


@both_methods
def test_rates_that_are_not_finite_are_kept_out(method) -> None:
    """The root u = √(1 - y) obeys u' = -(1 + u) / (2 u), so t = 2 (1 - u) - 2 ln(2 / (1 + u)) and
    y = 1 is reached at 2 - 2 ln 2.
    """
    end = 2.0 - 2.0 * np.log(2.0)
    before = Run(root_of_what_is_left, [0.0], method=method)
    assert before.advance(0.9 * end) == driver.DONE
    u = np.sqrt(1.0 - before.y[0])
    assert 2.0 * (1.0 - u) - 2.0 * np.log(2.0 / (1.0 + u)) == pytest.approx(0.9 * end, rel=1e-9)
    beyond = Run(root_of_what_is_left, [0.0], method=method)
    assert beyond.advance(2.0 * end) == driver.NOT_FINITE
    assert beyond.progress.rejected > 0
    assert beyond.y[0] <= 1.0
    assert beyond.progress.time == pytest.approx(end, abs=1e-6)
    nowhere = Run(root_of_what_is_left, [1.5], method=method)
    assert nowhere.advance(1.0) == driver.NOT_FINITE
    assert_array_equal(nowhere.y, [1.5])


@both_methods
def test_a_step_too_small_is_told(method) -> None:
    """The solution of y' = y² has its pole at t = 1."""
    run = Run(square, [1.0], method=method)
    assert run.advance(2.0) == driver.TOO_SMALL
    assert run.progress.time == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite(run.y).all()


@both_methods
@pytest.mark.parametrize(("given", "status"), [
    (10, 10), (99, 99), (1, driver.BAD_STATUS), (100, driver.BAD_STATUS), (-1, driver.BAD_STATUS),
])
def test_a_status_of_the_right_hand_side_comes_through(method, given: int, status: int) -> None:
    run = Run(status_in_data, [0.0], np.array([float(given)]), method=method)
    assert run.advance(1.0, largest=0.1) == status
    assert 0.4 <= run.progress.time <= 0.5 + 1e-12
    assert run.y[0] == pytest.approx(run.progress.time, abs=1e-14)


@both_methods
def test_an_impact_is_met_to_rounding(method) -> None:
    """From height 1 with speed 2 upwards under g = 9.81: y = 1 + 2 t - g t² / 2."""
    impact = (2.0 + np.sqrt(4.0 + 2.0 * 9.81)) / 9.81
    run = Run(falling, [1.0, 2.0], np.array([9.81]), method=method)
    assert run.to_event(height_and_speed, [-1, 0], 5.0) == 101
    assert run.progress.time == pytest.approx(2.0 / 9.81, abs=1e-13)
    assert run.y[1] <= 0.0
    assert run.to_event(height_and_speed, [-1, 0], 5.0, run.progress.next_step) == 100
    assert run.progress.time == pytest.approx(impact, abs=1e-13)
    assert -1e-12 < run.y[0] <= 0.0
    assert_array_equal(run.work.events_before, run.y)
    assert_array_equal(run.work.happened, [1.0, 0.0])
    # thrown up again: an event at or just beyond zero at the start is no new one
    run.y[1] = -run.y[1]
    assert run.to_event(height_and_speed, [-1, 1], 5.0) == 100
    assert run.progress.time == pytest.approx(impact + 2.0 * np.sqrt(4.0 + 2.0 * 9.81) / 9.81, abs=1e-12)


@both_methods
def test_an_event_that_starts_at_zero_has_to_leave_it(method) -> None:
    run = Run(falling, [0.0, 1.0], np.array([1.0]), method=method)
    assert run.to_event(height_and_speed, [0, -1], 5.0) == 101
    assert run.to_event(height_and_speed, [0, -1], 5.0) == 100
    assert run.progress.time == pytest.approx(2.0, abs=1e-13)


@both_methods
def test_both_crossings_inside_one_step_are_seen(method) -> None:
    """Up through 0 at t = 1 - √0.2 and down at 1 + √0.2, in one step from 0 to 2."""
    either, falls = (Run(falling, [-0.4, 1.0], np.array([1.0]), method=method) for _ in range(2))
    assert either.to_event(height_only, [0], 2.0, h=2.0) == 100
    assert either.progress.time == pytest.approx(1.0 - np.sqrt(0.2), abs=4e-13)
    assert either.y[0] >= 0.0
    assert falls.to_event(height_only, [-1], 2.0, h=2.0) == 100
    assert falls.progress.time == pytest.approx(1.0 + np.sqrt(0.2), abs=4e-13)
    assert falls.y[0] <= 0.0


@both_methods
@pytest.mark.parametrize("until", [2.0, -2.0])
@pytest.mark.parametrize("middle", [0.07, 0.5, 0.93])
@pytest.mark.parametrize("beyond", [1e-2, 1e-4, 1e-8])
def test_a_short_excursion_within_one_step_is_an_event(method, until: float, middle: float, beyond: float) -> None:
    """The parabola of a throw passes zero for a part √beyond of the step, or stays as far on its side of zero."""
    top = until * middle
    for excess, status in ((beyond, 100), (-beyond, driver.DONE)):
        run = Run(falling, [0.5 * (excess - top**2), top], np.array([1.0]), method=method)
        assert run.to_event(height_only, [1], until, h=2.0) == status
        if status == 100:
            assert run.progress.steps == 1
            assert abs(run.progress.time) == pytest.approx(abs(top) - np.sqrt(excess), abs=1e-11 / np.sqrt(beyond))
            assert run.y[0] >= 0.0


@both_methods
def test_the_earliest_event_of_a_step_wins_backwards_too(method) -> None:
    """The numbers are the distances of t from 0.7, 0.3 and 0.3 again: both of these happen, the lower is named."""
    run = Run(falling, [0.0, 0.0], np.array([0.0]), method=method)
    assert run.to_event(times, [0, 0, 0], 1.0, h=1.0) == 101
    assert run.progress.time == pytest.approx(0.3, abs=1e-13)
    assert_array_equal(run.work.happened, [0.0, 1.0, 1.0])
    back = Run(falling, [0.0, 0.0], np.array([0.0]), method=method)
    back.progress.time = 1.0
    assert back.to_event(times, [0, 0, 0], 0.0, h=1.0) == 100
    assert back.progress.time == pytest.approx(0.7, abs=1e-13)
    assert back.progress.time <= 0.7


@both_methods
def test_an_event_that_is_not_finite_is_told(method) -> None:
    run = Run(falling, [1.0, 0.0], np.array([2.0]), method=method)
    assert run.to_event(root_of_height, [0], 2.0, largest=0.1) == driver.BAD_EVENT
    assert run.y[0] >= 0.0


@both_methods
def test_events_in_pieces_end_on_the_same_bits(method) -> None:
    whole, pieces = Run(two_bodies, ELLIPSE, method=method), Run(two_bodies, ELLIPSE, method=method)
    assert whole.to_event(height_and_speed, [1, -1], 9.0) == 101
    status, h = driver.MORE, 0.0
    while status == driver.MORE:
        status = pieces.to_event(height_and_speed, [1, -1], 9.0, h=h, most_steps=2)
        h = pieces.progress.next_step
    assert status == 101
    assert_array_equal(pieces.y, whole.y)
    assert whole.progress.time == pytest.approx(np.pi, abs=1e-8)


def test_the_maximum_is_found() -> None:
    """The height is largest at t = v / g; beyond the bracket, the end is the largest."""
    run = Run(falling, [1.0, 2.0], np.array([9.81]))
    status, t, value = run.maximum(height_only, 1.0)
    assert status == driver.DONE
    assert t == pytest.approx(2.0 / 9.81, abs=1e-9)
    assert value == pytest.approx(1.0 + 2.0 / 9.81, rel=1e-14)
    assert_allclose(run.y, [value, 0.0], atol=1e-8)
    rising = Run(falling, [1.0, 2.0], np.array([9.81]))
    assert rising.maximum(height_only, 0.1) == (driver.DONE, 0.1, rising.y[0])
    orbit = Run(two_bodies, ELLIPSE, tolerance=1e-13)
    status, t, value = orbit.maximum(distance, 5.0)
    assert (status, t, value) == (driver.DONE, pytest.approx(np.pi, abs=5e-9), pytest.approx(1.6, rel=1e-12))


@both_methods
def test_tables_of_longest_steps_are_kept(method) -> None:
    """Steps that touch times from 0.5 to 0.6 are of at most 0.05, those at positions y = t from 0.8 to 0.83 of 0.02."""
    run = Run(falling, [0.0, 1.0], np.array([0.0]), method=method)
    accuracy = run.accuracy()._replace(
        places=np.array([driver.TIME, 0]), first=np.array([0, 4, 8]),
        edges=np.array([0.0, 0.5, 0.6, 2.0, -1.0, 0.8, 0.83, 2.0]),
        longest=np.array([9.0, 0.05, 9.0, 0.0, 9.0, 0.02, 9.0, 0.0]))
    times, run.progress.next_step = [0.0], 0.45
    while run.progress.time < 1.5:
        run.method.advance(driver.Problem(run.rates, run.data), accuracy, 1.5, run.y, run.work, run.progress, 1)
        times.append(float(run.progress.time))
    steps, ends = np.diff(times), np.array(times)
    assert 0.5 in times
    for begin, end, longest in ((0.5, 0.6, 0.05), (0.8, 0.83, 0.02)):
        touched = (ends[:-1] < end - 1e-12) & (ends[1:] > begin + 1e-12)
        assert steps[touched].max() <= longest * (1 + 1e-9)
        assert touched.sum() >= (end - begin) / longest
    assert steps.max() > 0.2


@both_methods
def test_a_step_that_goes_farther_than_its_first_rate_told_is_repeated(method) -> None:
    """From rest, y = t²/2 tells nothing of its speed at first; between 0.1 and 0.11 steps are of at most 0.01."""
    run = Run(falling, [0.0, 0.0], np.array([-1.0]), method=method)
    accuracy = run.accuracy()._replace(places=np.array([0]), first=np.array([0, 4]),
                                       edges=np.array([-1.0, 0.1, 0.11, 2.0]), longest=np.array([9.0, 0.01, 9.0, 0.0]))
    reached, run.progress.next_step = [0.0], 0.9
    while run.progress.time < 1.0:
        run.method.advance(driver.Problem(run.rates, run.data), accuracy, 1.0, run.y, run.work, run.progress, 1)
        reached.append(float(run.y[0]))
    y = np.array(reached)
    assert np.diff(y)[(y[:-1] < 0.11) & (y[1:] > 0.1)].max() < 0.016
    assert run.progress.rejected > 0
    assert_allclose(run.y, [0.5, 1.0], atol=1e-13)


@both_methods
def test_a_table_that_ends_is_asked_for_anew(method) -> None:
    run = Run(falling, [0.0, 1.0], np.array([0.0]), method=method)
    accuracy = run.accuracy()._replace(places=np.array([driver.TIME]), first=np.array([0, 2]),
                                       edges=np.array([0.0, 0.7]), longest=np.array([9.0, 0.0]))
    assert run.method.advance(driver.Problem(run.rates, run.data), accuracy, 1.0, run.y, run.work, run.progress,
                              10**9) == driver.TABLE_ENDS
    assert run.progress.time == 0.7
