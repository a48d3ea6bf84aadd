"""The Whipple bicycle as a scene of bodies, against the benchmark of Meijaard et al. (2007)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import granum as gr

SCENE = gr.load(Path(__file__).parents[2] / "examples" / "bicycle.toml")
# Meijaard, Papadopoulos, Ruina, Schwab, Proc. R. Soc. A 463 (2007) 1955, Table 2: speed [m/s], eigenvalues [1/s]
TABLE_2 = {
    0.0: (-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
    5.0: (-14.07838969279822, -0.77534188219585 - 4.46486771378823j, -0.77534188219585 + 4.46486771378823j,
          -0.32286642900409),
}
WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837
"""Speeds between which it balances itself [m/s]: section 5(b) of the same."""


@cache
def equations() -> Any:
    return gr.derive(SCENE, "fundamental")


def eigenvalues(speed: float) -> np.ndarray:
    """The four of lean and steer: all others are motions along the road, which do not grow."""
    q, v = equations().start  # at 5 m/s
    modes = equations().linearize(q, v * speed / 5.0).modes
    return modes[np.argsort(-np.abs(modes))][:4]


@pytest.mark.parametrize("speed", TABLE_2)
def test_eigenvalues_are_those_of_the_benchmark(speed: float) -> None:
    """To rounding of 1e-13; for the capsize mode, which is next to the triple zero of motions along the road, 1e-10."""
    found, expected = (np.sort_complex(values) for values in (eigenvalues(speed), TABLE_2[speed]))
    np.testing.assert_allclose(found[:3], expected[:3], rtol=0, atol=1e-11)
    assert found[3] == pytest.approx(expected[3], abs=1e-9)


def test_weave_and_capsize_speed_are_those_of_the_benchmark() -> None:
    """Where the real part of the weave, and the capsize eigenvalue, vanish: the latter meets the triple zero there."""
    def weave(speed: float) -> float:
        modes = eigenvalues(speed)
        return float(modes[np.abs(modes.imag) > 1.0].real[0])

    def capsize(speed: float) -> float:
        modes = eigenvalues(speed)
        return float(modes[np.abs(modes).argmin()].real)

    assert brentq(weave, 4.2, 4.4, xtol=1e-13) == pytest.approx(WEAVE, abs=1e-11)
    assert brentq(capsize, 6.0, 6.1, xtol=1e-13) == pytest.approx(CAPSIZE, abs=1e-7)


def test_a_push_dies_out_at_five_metres_per_second() -> None:
    """Leaning at first at 0.01 rad/s: the lean is a sum of the four modes, but for the square of the lean."""
    push = 0.01
    start = {name: own.model_copy(update={
        "velocity": (5.0, -push * own.position[2], 0.0),
        "angular_velocity": (push, (own.angular_velocity or (0.0, 0.0, 0.0))[1], 0.0)})
        for name, own in SCENE.start.items() if own.position is not None}
    run = gr.simulate(SCENE.model_copy(update={"start": start}), until=3.0, interval=0.05, tolerance=1e-11)
    u = np.column_stack([run.coordinate(f"frame.u{k}") for k in range(4)])
    lean = np.arcsin(2.0 * (u[:, 2] * u[:, 3] + u[:, 0] * u[:, 1]))
    shapes = np.exp(np.outer(run.t, TABLE_2[5.0]))
    fit = shapes @ np.linalg.lstsq(shapes, lean.astype(complex), rcond=None)[0]
    assert np.abs(lean - fit).max() < push * np.abs(lean).max()
    assert abs(lean[-1]) < 0.5 * np.abs(lean).max()
    assert run.energy_error < 1e-9
    weight = run.reaction("rear-contact").normal + run.reaction("front-contact").normal
    np.testing.assert_allclose(weight, 94.0 * 9.81, rtol=push)
