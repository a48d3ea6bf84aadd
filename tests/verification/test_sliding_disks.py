"""A disk that slips on a rotating drum: `newton-euler`, the error follows the tolerance (Sun 1996, eqs. 3.61-3.63)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import granum as gr

G = 9.81
R, r, M, m = 1.0, 0.2, 1.0, 1.0
"""Radii and masses of the drum and of the disk on it."""
MU = 0.3


def run(tolerance: float, until: float, spin: float, formulation: str = "newton-euler") -> gr.Run:
    """A drum on a pin, and a disk that starts at its top; one step may be as long as the run."""
    return gr.simulate(gr.Scene(
        body={"hub": gr.FixedPoint(position=(0.0, 0.0)), "drum": gr.Disk(radius=R, mass=M),
              "disk": gr.Disk(radius=r, mass=m)},
        constraint={"pin": gr.Hinge(between=("hub", "drum")), "slip": gr.Sliding(body="disk", on="drum", friction=MU)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G))},
        start={"drum": gr.Start(position=(0.0, 0.0), angular_velocity=spin),
               "disk": gr.Start(position=(0.0, R + r), velocity=(0.5, 0.0))},
        run=gr.RunSettings(until=until, interval=until, formulation=formulation, tolerance=tolerance)), progress=False)


def truth(until: float, spin: float) -> tuple[np.ndarray, float]:
    """Position of the disk and work of friction from three scalar equations in φ, ω, w, integrated by SciPy.

    With φ from the vertical, clockwise, L = R + r: N = m (g cos φ - L φ̇²), m L φ̈ = m g sin φ + T, and T turns both
    disks the same way: the torque on each is its radius times T, counted anticlockwise. T = -μ N sign(slip), where the
    slip of the disk's lowest point along the motion of φ is L φ̇ + R ω + r w, w and ω anticlockwise.
    """
    L, sign = R + r, math.copysign(1.0, 0.5 + R * spin)

    def rates(t: float, y: np.ndarray) -> list[float]:
        angle, rate, drum, disk, _ = y
        N = m * (G * math.cos(angle) - L * rate**2)
        T = -sign * MU * N
        slip = L * rate + R * drum + r * disk
        return [rate, G * math.sin(angle) / L + T / (m * L), T * R / (M * R * R / 2), T * r / (m * r * r / 2), T * slip]

    found = solve_ivp(rates, (0.0, until), [0.0, 0.5 / L, spin, 0.0, 0.0], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return L * np.array([math.sin(found[0]), math.cos(found[0])]), float(found[4])


@pytest.mark.parametrize("spin", [5.0, -4.0])
@pytest.mark.parametrize("tolerance", [1e-5, 1e-7, 1e-9, 1e-12])
def test_the_error_follows_the_tolerance(tolerance: float, spin: float) -> None:
    """dop853 keeps the error of a step below the tolerance, so ten steps or fewer err by ten of it or less.

    With the direction of slip of the step's start held in place of its sign, 1e-9 gave 1.6e-4 m.
    """
    until = 0.2
    place, work = truth(until, spin)
    found = run(tolerance, until, spin)
    assert found.t[-1] == until and found.statistics["steps"].sum() <= 10
    assert_allclose(found.position("disk")[-1], place, rtol=0, atol=10 * tolerance + 1e-14)
    # friction is all that changes the energy, some ten joules
    assert np.ptp(found.energy.total) == pytest.approx(-work, abs=100 * tolerance + 1e-13)


@pytest.mark.parametrize("spin", [5.0, -4.0])
def test_both_formulations_agree(spin: float) -> None:
    """virtual-work has the tangent as a formula; it is another road to the same slip."""
    one, two = (run(1e-12, 0.2, spin, name).position("disk")[-1] for name in ("newton-euler", "virtual-work"))
    assert_allclose(one, two, rtol=0, atol=1e-11)
