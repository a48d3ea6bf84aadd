"""dop853 in compiled code: against SciPy step for step, against closed forms, and where it must refuse."""

from __future__ import annotations

import numpy as np
import pytest
from numba import carray
from numpy.testing import assert_allclose
from scipy.integrate import DOP853

from granum.base.kernels import Floats
from granum.base.pointers import right_hand_side
from granum.integrate import dop853

NONE = np.zeros(1)


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


class Run:
    """A state with what `advance` needs beside it."""

    def __init__(self, rates, y, data=NONE, tolerance: float = 1e-10) -> None:
        self.rates, self.y, self.data = rates.address, np.array(y, dtype=float), data
        self.relative, self.absolute = tolerance, np.full(len(self.y), tolerance)
        self.work, self.figures = dop853.workspace(len(self.y)), dop853.new_figures()

    def advance(self, until: float, h: float = 0.0, most_steps: int = 10**9, largest: float = np.inf) -> int:
        """On from the time reached."""
        return dop853.advance(
            self.rates, self.data, self.figures[dop853.TIME], until, self.y, h, self.relative, self.absolute, largest,
            self.work, self.figures, most_steps,
        )


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
    assert run.advance(until) == dop853.DONE
    assert run.figures[dop853.TIME] == until
    assert run.figures[dop853.STEPS] == pytest.approx(len(steps), rel=0.01)
    assert run.figures[dop853.EVALUATIONS] == pytest.approx(solver.nfev, rel=0.01)
    assert_allclose(run.figures[[dop853.SMALLEST, dop853.LARGEST]], [min(steps), max(steps)], rtol=1e-6)
    assert_allclose(run.y, solver.y, rtol=0, atol=spread)
