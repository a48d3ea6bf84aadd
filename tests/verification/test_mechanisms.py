"""Rigid bodies with joints against closed forms and minimal coordinates integrated by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import granum as gr
import mechanisms

G = mechanisms.GRAVITY


def test_compound_pendulum_has_its_period() -> None:
    """T = 4 √(2 l / 3 g) K(sin²(θ₀/2)) of a rod hung at its end, from rest at θ₀."""
    amplitude, length = 2.0, 1.3
    scene = mechanisms.pendulum_of_rods([length], [0.7], [amplitude - np.pi / 2], tolerance=1e-12)
    k2 = np.sin(amplitude / 2) ** 2
    period = 4 * np.sqrt(2 * length / (3 * G)) * quad(lambda x: 1 / np.sqrt(1 - k2 * np.sin(x) ** 2), 0, np.pi / 2)[0]
    run = gr.simulate(scene, until=10 * period, interval=period / 4)
    assert run.angle("rod-1")[::4] == pytest.approx(amplitude - np.pi / 2, abs=1e-8)
    assert run.energy_error < 1e-10


def double_pendulum(l1: float, l2: float, m1: float, m2: float, start: list[float], until: float) -> np.ndarray:
    """Angles and rates of two rods, by Lagrange's equations in the angles from the x axis."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        a, b, p, q = y
        c, s = np.cos(a - b), np.sin(a - b)
        M = np.array([[(m1 / 3 + m2) * l1**2, m2 * l1 * l2 * c / 2], [m2 * l1 * l2 * c / 2, m2 * l2**2 / 3]])
        f = [-m2 * l1 * l2 * s / 2 * q * q - (m1 / 2 + m2) * G * l1 * np.cos(a),
             m2 * l1 * l2 * s / 2 * p * p - m2 * G * l2 / 2 * np.cos(b)]
        return [p, q, *np.linalg.solve(M, f)]

    return solve_ivp(rates, (0, until), [*start, 0.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]


def test_double_pendulum_of_rods_moves_as_in_minimal_coordinates() -> None:
    """Two rods of different length and mass, from a start that is not chaotic yet at 3 s."""
    scene = mechanisms.pendulum_of_rods([1.0, 0.7], [1.0, 2.0], [0.3, -0.4], tolerance=1e-12)
    run = gr.simulate(scene, until=3.0)
    expected = double_pendulum(1.0, 0.7, 1.0, 2.0, [0.3, -0.4], 3.0)
    found = [run.angle("rod-1")[-1], run.angle("rod-2")[-1], run.angular_velocity("rod-1")[-1],
             run.angular_velocity("rod-2")[-1]]
    assert found == pytest.approx(expected, abs=2e-9)


def crank_motion(crank: float, rod: float, angle: float, until: float) -> np.ndarray:
    """Angle and rate of a free slider-crank by T(θ) θ̇²/2 + V(θ): one equation, its coefficients in closed form of the
    geometry.
    """
    m1, m2, m3 = 1.5, 1.0, 2.0

    def geometry(a: float) -> tuple[float, float, float, float]:
        """Inertia J(θ), its slope, potential slope."""
        s, c = np.sin(a), np.cos(a)
        root = np.sqrt(rod**2 - crank**2 * s**2)
        beta_rate = -crank * c / root  # of the rod's angle β = -asin(crank sin θ / rod), per θ̇
        beta_second = crank * s / root - crank * c * crank**2 * s * c / root**3
        b_s, b_c = -crank * s / rod, root / rod
        gx, gy = -crank * s - rod / 2 * b_s * beta_rate, crank * c + rod / 2 * b_c * beta_rate
        gx2 = -crank * c - rod / 2 * (b_c * beta_rate**2 + b_s * beta_second)
        gy2 = -crank * s + rod / 2 * (-b_s * beta_rate**2 + b_c * beta_second)
        px = -crank * s - rod * b_s * beta_rate
        px2 = -crank * c - rod * (b_c * beta_rate**2 + b_s * beta_second)
        inertia = m1 * crank**2 / 3 + m2 * (gx**2 + gy**2) + m2 * rod**2 / 12 * beta_rate**2 + m3 * px**2
        slope = 2 * (m2 * (gx * gx2 + gy * gy2) + m2 * rod**2 / 12 * beta_rate * beta_second + m3 * px * px2)
        return inertia, slope, G * (m1 * crank * c / 2 + m2 * gy), px

    def rates(_: float, y: np.ndarray) -> list[float]:
        inertia, slope, lift, _ = geometry(y[0])
        return [y[1], -(slope / 2 * y[1] ** 2 + lift) / inertia]

    return solve_ivp(rates, (0, until), [angle, 0.0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]


def test_slider_crank_moves_as_in_one_coordinate() -> None:
    """A closed loop: crank, rod and piston, falling from rest."""
    run = gr.simulate(mechanisms.slider_crank(0.3, 1.0, 0.9, tolerance=1e-12), until=2.0)
    expected = crank_motion(0.3, 1.0, 0.9, 2.0)
    found = [run.angle("crank")[-1], run.angular_velocity("crank")[-1]]
    assert found == pytest.approx(expected, abs=1e-9)
    # the last step of Newton's method leaves the rounding of rows: some ten terms of size 1 m, 1e-15 m; 100 for margin
    assert np.abs(run.position("piston")[:, 1]).max() < 1e-13
    assert run.constraint_errors.relative.max() < 1e-13


def test_driven_crank_needs_the_power_that_the_energy_shows() -> None:
    """∫ τ φ̇ dt of a drive is what kinetic and potential energy gain; the angle is as prescribed through full turns."""
    scene = mechanisms.slider_crank(0.3, 1.0, 0.9, tolerance=1e-11)
    drive = gr.Drive(joint="main", motion="3*t + 2*t**2")
    driven = scene.model_copy(update={"constraint": {**scene.constraint, "motor": drive}})
    run = gr.simulate(driven, until=4.0, interval=0.002)
    assert run.angle("crank") == pytest.approx(0.9 + 3 * run.t + 2 * run.t**2, abs=1e-12)
    assert run.angle("crank")[-1] > 6 * np.pi
    power = run.reaction("motor").effort * (3 + 4 * run.t)
    h = run.t[1]
    work = h / 3 * (power[0] + power[-1] + 4 * power[1::2].sum() + 2 * power[2:-1:2].sum())  # Simpson's rule
    gained = run.energy.total[-1] - run.energy.total[0]
    assert work == pytest.approx(gained, rel=1e-5)
    assert run.energy.work["motor"][-1] == pytest.approx(gained, rel=1e-9)


def test_free_asymmetric_body_keeps_energy_and_momentum() -> None:
    """1000 turns about the unstable axis: energy to 1e-9, momenta to the bit."""
    scene = gr.Scene(
        body={"b": {"kind": "rigid-body", "mass": 2.0, "inertia": (1.0, 2.0, 2.5)}},
        start={"b": {"position": (0.0, 0.0, 0.0), "velocity": (1.0, 2.0, 3.0),
                     "angular_velocity": (1e-3, 2 * np.pi, 1e-3)}}, run={"tolerance": 1e-12})
    run = gr.simulate(scene, until=1000.0, interval=1.0)
    kinetic = run.energy.kinetic
    assert np.abs(kinetic / kinetic[0] - 1).max() < 1e-9
    assert (run.velocity("b") == run.velocity("b")[0]).all()
    up = [1 - 2 * (u[1] ** 2 + u[3] ** 2) for u in run.orientation("b")]
    assert min(up) < -0.99 and max(up) > 0.99  # its axis turns over and back


def test_heavy_top_precesses_steadily() -> None:
    """A symmetric top at angle θ with spin s and precession p: (I₃(s + p cos θ) - I₁ p cos θ) p = m g l."""
    theta, p, m, l, I1, I3 = 0.6, 1.5, 1.2, 0.4, 0.3, 0.15
    about = I1 + m * l * l
    s = (m * G * l / p + about * p * np.cos(theta)) / I3 - p * np.cos(theta)
    axis = np.array([np.sin(theta), 0.0, np.cos(theta)])
    spin = s * axis + p * np.array([0.0, 0.0, 1.0])
    scene = gr.Scene(
        body={"o": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
              "top": {"kind": "rigid-body", "mass": m, "inertia": (I1, I1, I3), "points": {"foot": (0.0, 0.0, -l)}}},
        constraint={"foot": {"kind": "ball-joint", "between": ("o", "top.foot")}},
        start={"top": {"orientation": (np.cos(theta / 2), 0.0, np.sin(theta / 2), 0.0),
                       "angular_velocity": spin.tolist()}},
        load={"g": {"kind": "gravity", "acceleration": (0.0, 0.0, -G)}}, run={"tolerance": 1e-11})
    run = gr.simulate(scene, until=10.0)
    x = run.position("top")
    assert x[:, 2] == pytest.approx(l * np.cos(theta), abs=1e-9)
    assert np.unwrap(np.arctan2(x[:, 1], x[:, 0])) == pytest.approx(p * run.t, abs=1e-7)


def test_parallel_hinges_in_space_move_as_in_the_plane() -> None:
    """Three rows too many: the same motion, the same reactions in the plane, the rest marked as open and named."""
    flat = gr.simulate(mechanisms.four_bar(False, tolerance=1e-11), until=2.0)
    scene = mechanisms.four_bar(True, tolerance=1e-11)
    spatial = gr.simulate(scene, until=2.0)
    assert spatial.position("coupler")[:, :2] == pytest.approx(flat.position("coupler"), abs=1e-8)
    for name in ("hinge-1", "hinge-2", "hinge-3", "hinge-4"):
        expected = flat.reaction(name).force
        found = spatial.reaction(name).force[:, :2]
        assert found == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
        determined = spatial.reaction(name).determined
        assert determined["force.x"].all() and not determined["force.z"].any()
    said = gr.check(scene)
    assert (said.degrees_of_freedom, said.gruebler) == (1, -2)
    assert said.redundant == ((("hinge-1", "hinge-2", "hinge-3", "hinge-4"), 3),)


def test_parallelogram_passes_the_position_where_all_bars_are_in_line() -> None:
    """It stays a parallelogram, keeps its energy, and the change of rank is noted."""
    scene = mechanisms.four_bar(False, (1.0, 2.0, 1.0), 2.0, np.pi / 2, tolerance=1e-9)
    start = {**scene.start, "crank": scene.start["crank"].model_copy(update={"angular_velocity": (0.0, 0.0, 1.0)})}
    run = gr.simulate(scene.model_copy(update={"start": start}), until=2.0)
    assert run.angle("crank")[-1] > 2 * np.pi
    assert run.angle("rocker") == pytest.approx(run.angle("crank"), abs=1e-6)
    assert run.energy_error < 1e-5


@pytest.mark.parametrize("count", [2, 40])
def test_parallelograms_in_a_row_keep_their_energy(count: int) -> None:
    """Ten seconds through many positions where all bars are in line: energy to 1e-6, bars stay level."""
    run = gr.simulate(mechanisms.parallelograms(count, tolerance=1e-8), until=10.0)
    assert run.energy_error < 1e-6
    assert run.angle("bar-0") == pytest.approx(0.0, abs=1e-6)
    assert run.statistics["rank_changes"].sum() > 0  # noted, not hidden


def test_bricard_mechanism_moves_although_gruebler_counts_none() -> None:
    """One freedom, a row too many, energy to 1e-6 over ten seconds."""
    scene = mechanisms.bricard()
    said = gr.check(scene)
    assert (said.degrees_of_freedom, said.gruebler) == (1, 0) and said.redundant[0][1] == 1
    run = gr.simulate(scene, until=10.0)
    assert run.energy_error < 1e-6
    assert np.ptp(run.position("bar-2"), axis=0).max() > 1.9


@pytest.mark.parametrize("count", [5, 40])
def test_a_smaller_tolerance_does_not_harm_parallelograms(count: int) -> None:
    """Against one angle: ((n+1)/3 + n) θ̈ = -g ((n+1)/2 + n) cos θ, at tolerances where singular positions decide.

    A row goes out of the elimination within d = 1e-4 rad of the singular position (d² = DEPENDENT). There the bars
    accelerate across it, with some a = 10 rad/s² for 2d/ω at ω = 4 rad/s: 5e-4 rad/s, of which the correction of the
    velocities leaves a part d, 5e-8 rad/s. Ten passages in 10 s that all add up make 1e-6 rad, whatever the tolerance.
    """
    k = G * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    exact = solve_ivp(lambda _, y: [y[1], -k * np.cos(y[0])], (0.0, 10.0), [np.pi / 2, -1.0], method="DOP853",
                      rtol=1e-13, atol=1e-14).y[0, -1]
    for tolerance in (1e-9, 1e-11):
        run = gr.simulate(mechanisms.parallelograms(count, tolerance=tolerance), until=10.0, interval=0.5)
        assert run.angle("crank-0")[-1] == pytest.approx(exact, abs=1e-6)
        assert run.statistics["steps"].sum() < 3000
