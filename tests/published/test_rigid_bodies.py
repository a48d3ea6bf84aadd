"""Rigid bodies of Sun (1996), §3.5 and the multibody benchmarks: rows against independent numbers."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq

import granum as gr
from granum.validation.bricard import CORNERS, shape, slopes
from granum.validation.cases import Row, find_case
from granum.validation.governor import governor_heights
from granum.validation.library import KEPT, crank_angle, level_pendulum
from granum.validation.rigid_bodies import ALLOWED, AS_PRINTED, contact_equations, left_over, three_bodies
from granum.validation.rigid_bodies import _plane as plane
from granum.validation.squeezer import REFERENCE, squeezer

EQUATIONS = {"3.61", "3.62", "3.63", "3.64", "3.67", "3.68", "3.69", "3.70", "3.71", "3.76", "3.77", "3.80", "3.82",
             "3.83-3.84", "3.85", "3.86", "3.87", "3.94", "3.95", "3.96", "3.97"}


@cache
def rows(case: str, quick: bool = True) -> tuple[Row, ...]:
    return tuple(find_case(case).run(quick).rows)


def value(quantity: str, quick: bool = True) -> float:
    found = [row.computed for row in rows("benchmark-library", quick) if row.quantity == quantity]
    assert len(found) == 1 and found[0] is not None
    return found[0]


def test_all_equations_of_the_figures_hold_to_rounding() -> None:
    found = rows("rigid-bodies")
    assert {row.reference_verdict for row in found} == {"agrees"}
    right = {row.quantity.rsplit("eq=", 1)[1] for row in found if row.published_verdict == "agrees"}
    assert right == set(AS_PRINTED)
    assert {row.published_verdict for row in found if row.quantity.endswith(("3.64", "3.94"))} == {"corrected"}
    assert {row.quantity.rsplit("eq=", 1)[1] for row in found} >= EQUATIONS
    assert all(row.computed is not None and row.computed < 1e-13 for row in found)


def test_printed_form_of_no_slip_would_be_seen() -> None:
    """(3.64) with L_r in place of its transpose, as printed, is off by as much as its terms."""
    p = plane(three_bodies("rolling"))
    assert np.abs(p.theta_dot - p.Lr.T @ p.psi_dot).max() < 1e-14
    assert np.abs(p.theta_dot - p.Lr @ p.psi_dot).max() > 0.1


def test_residuals_see_a_wrong_reaction() -> None:
    """A thousandth more of one force leaves far more than rounding."""
    p = plane(three_bodies("rolling"))
    p.found.reactions["contact-2.force.x"] *= 1.001
    residual, scale = left_over(contact_equations(p, slips=False))["3.61"]
    assert np.abs(residual).max() / scale > 1e5 * ALLOWED


def test_level_pendulum_has_its_period() -> None:
    """T = 4 K(sin 45°) √(l/g), K = Γ(1/4)²/(4 √π)."""
    period = math.gamma(0.25) ** 2 / math.sqrt(math.pi * 9.81)
    assert level_pendulum(np.array([0.0, period / 4, period / 2, period])) == pytest.approx(
        np.array([(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]), abs=1e-12)


def test_cranks_keep_their_energy() -> None:
    t = np.linspace(0.0, 10.0, 20_001)
    angle = crank_angle(2, t)
    rate = np.gradient(angle, t, edge_order=2)
    energy = 0.5 * 3.0 * rate**2 + 3.5 * 9.81 * np.sin(angle)
    assert energy == pytest.approx(np.full_like(energy, 1.5 + 3.5 * 9.81), rel=1e-4)


@pytest.mark.parametrize("a", [-0.5, 0.2, 1.2])
def test_loop_of_bricard_closes_on_its_curve(a: float) -> None:
    b = math.asin(-math.sin(a) / (1.0 + math.sin(a)))
    assert shape(a, b).corners[5] == pytest.approx(CORNERS[5], abs=1e-14)
    f_a, f_b = slopes(a, b)
    step = 1e-6
    far = shape(a + step * f_b, b - step * f_a).corners[5]
    assert far == pytest.approx(CORNERS[5], abs=10.0 * step**2)


def test_governor_rises_as_high_as_one_without_springs() -> None:
    """Springs of 8e5 N/m hardly yield: z = 1 - sin β, and at the highest z all energy of one freedom is potential.

    Arms are thin here, so the moment of inertia is right to 1e-4.
    """

    def moment(beta: float) -> float:
        c = math.cos(beta)
        return 2.0 * (0.3 * (0.05**2 + 0.05 * c + c * c / 3.0) + 5.0 * (0.05 + c) ** 2) + 3.0 * 0.1**2 / 6.0

    def potential(beta: float) -> float:
        spun = (2.0 * math.pi * moment(math.pi / 6.0)) ** 2 / (2.0 * moment(beta))
        return spun + 9.81 * (2.0 * (0.3 * 0.5 + 5.0) + 3.0) * (1.0 - math.sin(beta))

    start = potential(math.pi / 6.0)
    highest = brentq(lambda beta: potential(beta) - start, -0.5, math.pi / 6.0 - 0.01)
    heights = governor_heights(np.linspace(0.0, 1.2, 601))
    assert heights.max() == pytest.approx(1.0 - math.sin(highest), abs=1e-3)
    assert heights.min() > 0.5 - 1e-3


def test_squeezer_of_bodies_starts_where_its_loops_close() -> None:
    equations = gr.derive(squeezer(), "newton-euler")
    q, v = equations.start
    assert not v.any()
    assert q[equations.coordinates.index("K1.angle")] == pytest.approx(-0.0617138900142764496, abs=1e-14)


def test_benchmarks_agree() -> None:
    found = rows("benchmark-library")
    assert [row.quantity for row in found if row.reference_verdict != "agrees"] == []
    assert {row.quantity.split()[0] for row in found} == {"A01", "A02", "A03", "A04", "A05"}
    assert value("A02 N=2 energy-change") < KEPT and value("A04 energy-change") < KEPT
    assert value("A04 freedoms") == 1
    assert value("A03 beta t=0.03") == pytest.approx(REFERENCE["beta"], abs=1e-8)


@pytest.mark.validate
def test_benchmarks_agree_at_full_length() -> None:
    found = rows("benchmark-library", quick=False)
    assert [row.quantity for row in found if row.reference_verdict != "agrees"] == []
    assert value("A02 N=40 energy-change", quick=False) < KEPT
