"""Single contacts against published numbers, closed forms and an integration that shares nothing with `soft`."""

import math
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from granum.validation.cases import Result, Row, find_case
from granum.validation.single_contacts.chung_ooi import (
    ALUMINIUM,
    ALUMINIUM_IN_2,
    GLASS,
    LIMESTONE,
    MAGNESIUM,
    Throw,
    equal_spins,
    head_on,
    oblique,
    on_plane,
    spinning,
    unequal,
)
from granum.validation.single_contacts.closed_forms import INERTIA, Ball, rigid_impact, slip, sticking_slip
from granum.validation.single_contacts.integration import hertz_mindlin
from granum.validation.single_contacts.prescribed import INSTANTS, UNTIL, Motion, respond, still
from granum.validation.single_contacts.running import after, elastic_impact, impact

SAMPLES = os.environ.get("GRANUM_ON_DEM", "")
"""Folder with the network's file of the first interaction test, which is not part of the project."""


@cache
def result() -> Result:
    return find_case("single-contacts").run(quick=True)


def row(quantity: str) -> Row:
    (found,) = (row for row in result().rows if row.quantity == quantity)
    return found


def test_every_row_agrees_or_says_why_it_does_not_apply() -> None:
    assert {found.reference_verdict for found in result().rows} == {"agrees", "does not apply"}
    for found in result().rows:
        if found.reference_verdict == "does not apply":
            assert found.computed is None and found.note.split()[0] in ("moreau", "events", "The")
            assert "not apply" in found.note


# seven digits each, computed independently of Granum: overlap [µm], force [kN], duration [µs]
@pytest.mark.parametrize(("throw", "overlap", "force", "duration"), [
    (head_on(GLASS), "274.1127", "10.69689", "40.3394"), (head_on(LIMESTONE), "368.3040", "7.108241", "54.2010"),
    (on_plane(ALUMINIUM_IN_2), "49.71718", "11.36986", "731.657"),
    (on_plane(MAGNESIUM), "52.12329", "7.232681", "767.066"),
])
def test_hertz_impacts_are_as_known(throw: Throw, overlap: str, force: str, duration: str) -> None:
    """The closed form to the last digit given (one duration is cut off, not rounded), and `soft` to 1e-5."""
    exact = elastic_impact(throw.solid, throw.ball, throw.other)
    for value, given, name in ((1e6 * exact.overlap, overlap, "overlap [µm]"),
                               (1e-3 * exact.force, force, "force [kN]"),
                               (1e6 * exact.duration, duration, "duration [µs]")):
        digit = 10.0 ** -len(given.partition(".")[2])
        assert value == pytest.approx(float(given), abs=digit)
        assert row(f"{throw.name} {name} soft").computed == pytest.approx(float(given), rel=2e-5)


@pytest.mark.parametrize(("angle", "spin"), [(40.0, 544.216), (60.0, 355.212), (10.0, 193.494)])
@pytest.mark.parametrize("solver", ["moreau", "events"])
def test_rigid_spheres_leave_a_plane_with_the_known_spin(angle: float, spin: float, solver: str) -> None:
    found = row(f"4 {angle:g}° ω [rad/s] {solver}").computed
    assert found is not None and -found == pytest.approx(spin, abs=1e-3)


def test_sliding_begins_at_the_known_angle() -> None:
    """tan θ = 7/2 μ (1 + e)."""
    assert [oblique(angle).slides for angle in (32.519, 32.521)] == [False, True]


@pytest.mark.parametrize("throw", [oblique(10.0), oblique(60.0), spinning(1.0), equal_spins(12.0), unequal(1.0),
                                   unequal(22.0)])
def test_rigid_impacts_obey_the_laws_they_come_from(throw: Throw) -> None:
    """Momentum, angular momentum about the contact, Newton's restitution, and Coulomb's law with the slip after it."""
    one, two = throw.rigid()
    before = [ball for ball in (throw.ball, throw.other) if ball is not None]
    bodies = [ball for ball in (one, two) if ball is not None]
    pulls = [(b.mass * (b.vx - a.vx), b.mass * (b.vy - a.vy), INERTIA * b.mass * b.radius**2 * (b.spin - a.spin), side)
             for a, b, side in zip(before, bodies, (1.0, -1.0), strict=False)]
    for _, across, turned, side in pulls:
        assert turned == pytest.approx(side * across * bodies[pulls.index((_, across, turned, side))].radius, rel=1e-12)
    if two is not None:
        assert sum(pull[0] for pull in pulls) == pytest.approx(0.0, abs=1e-12 * abs(pulls[0][0]))
        assert sum(pull[1] for pull in pulls) == pytest.approx(0.0, abs=1e-12 * abs(pulls[0][1]))
    closing = throw.ball.vx - (0.0 if throw.other is None else throw.other.vx)
    assert one.vx - (0.0 if two is None else two.vx) == pytest.approx(-throw.restitution * closing, rel=1e-12)
    left, was = slip(one, two), slip(throw.ball, throw.other)
    if throw.slides:
        assert left * was > 0.0 and abs(pulls[0][1] / pulls[0][0]) == pytest.approx(throw.friction, rel=1e-12)
    else:
        assert left == pytest.approx(0.0, abs=1e-12) and abs(pulls[0][1] / pulls[0][0]) < throw.friction


def test_opposite_spins_of_equal_spheres_do_not_slip() -> None:
    """Like gears: friction leaves them alone."""
    throw = equal_spins(12.0)
    assert throw.other is not None
    gear = replace(throw.other, spin=-12.0)
    assert slip(throw.ball, gear) == 0.0
    assert sticking_slip(throw.ball, gear, 0.5, 0.4) == pytest.approx(3.5 * 0.4 * 1.5 * 0.4)
    assert rigid_impact(throw.ball, gear, 0.5, 0.4)[0].spin == 12.0


def test_the_reference_of_sticking_spheres_by_another_integrator() -> None:
    """Without a limit of friction and without dashpots: Ḟ = -k_t u in loading, F/k_t' = const - ∫u in unloading."""
    throw = replace(spinning(1.0), restitution=1.0, friction=1e6)
    radius, modulus, shear = throw.ball.radius, ALUMINIUM.modulus, ALUMINIUM.shear_modulus
    k_n, m = 4.0 / 3.0 * modulus * math.sqrt(radius), throw.ball.mass

    def rates(_: float, y: np.ndarray) -> list[float]:
        deep, rate, v, s, force = y  # overlap, closing speed, speed across, r ω, friction
        root = math.sqrt(max(deep, 1e-30))
        k = 8.0 * shear * math.sqrt(radius) * root
        pushed = -k * (v + s) + (force * 0.5 * rate / deep if rate < 0.0 else 0.0)
        return [rate, -k_n * max(deep, 0.0) ** 1.5 / m, force / m, force / (INERTIA * m), pushed]

    duration = elastic_impact(throw.solid, throw.ball, None).duration
    start = [1e-9 * throw.ball.radius, throw.ball.vx, 0.0, throw.ball.radius * throw.ball.spin, 0.0]
    end = solve_ivp(rates, (0.0, (1.0 - 1e-6) * duration), start, "LSODA", rtol=1e-10, atol=1e-14).y[:, -1]
    found = hertz_mindlin(throw.solid, throw.ball, None, 1.0, 1e6)[0]
    assert found.vy == pytest.approx(end[2], abs=1e-5)
    assert found.radius * found.spin == pytest.approx(end[3], abs=1e-5)


def test_soft_sticks_with_more_than_first_order() -> None:
    """Against the integration of the same law: four times the steps, less than a third of the error."""
    throw = spinning(1.0)
    reference, errors = throw.elastic()[0], []
    for steps in (50, 200):
        run = impact("soft", throw.solid, throw.ball, None, throw.restitution, throw.friction, steps)
        errors.append(abs(after(run, "ball", throw.ball).spin - reference.spin))
    assert errors[1] < errors[0] / 3.0 < 0.01 * throw.ball.spin


def test_velocities_across_do_not_depend_on_which_ball_comes_first() -> None:
    """The same impact seen from the other side."""
    one = Ball(0.1, 2.0, 0.3, 0.1, 5.0)
    two = Ball(0.2, 5.0, -0.1, 0.0, -3.0)
    seen = [Ball(b.radius, b.mass, -b.vx, -b.vy, b.spin) for b in (two, one)]
    first, second = rigid_impact(one, two, 0.5, 0.1)
    other, again = rigid_impact(seen[0], seen[1], 0.5, 0.1)
    assert second is not None and again is not None
    for here, there in ((first, again), (second, other)):
        assert [here.vx, here.vy, here.spin] == pytest.approx([-there.vx, -there.vy, there.spin], rel=1e-12)


@pytest.mark.skipif(not SAMPLES, reason="data of ON-DEM: name its folder in GRANUM_ON_DEM")
def test_the_network_s_own_file_of_the_first_interaction_test() -> None:
    """Forces and torques of all instants, with the slip velocity of the file.

    The file has both spheres spin with ω and a slip velocity v_s = ω R, half of that of the surfaces, which pass each
    other with 2 ω (R - δ/2). So spins are taken from v_s here. The file sums v_s of the end of each step. Its force on
    the first one has the tangential part and the torque of a push by the second, but a normal part that would pull.
    """
    data = np.loadtxt(Path(SAMPLES) / "ondem-interaction-01.csv")
    assert len(data) == INSTANTS
    slips, force, torque = data[:, 41], data[:, [50, 52]], data[:, [57, 60]]
    h = UNTIL / (INSTANTS - 1)

    def omega(t: float) -> np.ndarray:
        return np.array([0.0, 0.5 * slips[round(t / h + 0.5)] / 0.975, 0.0])

    found = respond(Motion((still(0, 0, 0), still(0, 0, 1.95)), (omega, omega)), 1)
    assert -found.force[:, 0] == pytest.approx(force[:-1, 0], abs=1e-6 * 2e5)
    assert found.force[:, 2] == pytest.approx(force[:-1, 1], rel=1e-9)
    assert found.torque[:, :, 1] == pytest.approx(torque[:-1], abs=1e-6 * 2e5)
