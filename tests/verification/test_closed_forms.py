"""Motions whose formula is known.

dop853 at a relative tolerance of 1e-12 makes some hundred steps here, so that 1e-10 is kept in all.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

import granum as gr
from scenes import DOWN, DOWN_3D, PIVOT, G, components, pendulum, spinning_ring

TIGHT = {"tolerance": 1e-12}
ACCURACY = 1e-10
BOTH = pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])


@BOTH
@pytest.mark.parametrize("amplitude", [0.5, 1.5, 3.0])
def test_a_large_pendulum_swings_with_the_period_of_the_elliptic_integral(
    amplitude: float, formulation: str
) -> None:
    """T = 4 √(l/g) K(sin²(θ₀/2)): a quarter down, a half on the other side, a whole back at rest.

    An error of the energy changes the period by dT/dE ~ 1/cos²(θ₀/2), which is large near the unstable top.
    """
    accuracy = ACCURACY / np.cos(amplitude / 2.0) ** 2
    period = 4.0 * np.sqrt(3.0 / G) * ellipk(np.sin(amplitude / 2.0) ** 2)
    run = gr.simulate(pendulum(1, angle=amplitude), until=period, interval=period / 4.0,
                      formulation=formulation, **TIGHT)
    x, y = 3.0 * np.sin(amplitude), -3.0 * np.cos(amplitude)
    places = [[x, y], [0, -3], [-x, y], [0, -3], [x, y]]
    assert_allclose(run.position("bob-1"), places, rtol=0, atol=accuracy)
    speed = np.sqrt(2.0 * G * 3.0 * (1.0 - np.cos(amplitude)))
    speeds = [[0, 0], [-speed, 0], [0, 0], [speed, 0], [0, 0]]
    assert_allclose(run.velocity("bob-1"), speeds, rtol=0, atol=accuracy)
    # tension: weight along the rod and centripetal force
    expected = G * np.array([np.cos(amplitude), 1.0, np.cos(amplitude)]) + [0.0, speed**2 / 3.0, 0.0]
    assert_allclose(run.reaction("rod-1").tension[:3], expected, rtol=0, atol=10 * accuracy)


@BOTH
def test_a_small_pendulum_swings_harmonically(formulation: str) -> None:
    """Here x = l θ₀ cos ωt. The period is longer by θ₀²/16 and sin θ differs by θ³/6: l θ₀³ bounds both."""
    small = 1e-3
    omega = np.sqrt(G / 3.0)
    run = gr.simulate(pendulum(1, angle=small), until=2.0 * np.pi / omega, formulation=formulation, **TIGHT)
    expected = 3.0 * small * np.cos(omega * run.t)
    assert_allclose(run.position("bob-1")[:, 0], expected, rtol=0, atol=3.0 * small**3)


@pytest.mark.parametrize("count", [3, 6, 50])
def test_a_spinning_ring_is_under_tension(count: int) -> None:
    """Two links at the angle π/N to the chord carry m ω² r: T = m ω² r / (2 sin(π/N)); it turns for ever."""
    run = gr.simulate(spinning_ring(count, spin=2.0), until=1.0, interval=0.25, **TIGHT)
    expected = 0.2 * 2.0**2 * 0.5 / (2.0 * np.sin(np.pi / count))
    assert_allclose(run.tensions, expected, rtol=ACCURACY)
    angle = 2.0 * np.pi / count * np.arange(count) + 2.0 * run.t[:, None]
    circle = np.stack([1.0 + 0.5 * np.cos(angle), 2.0 + 0.5 * np.sin(angle)], axis=-1)
    assert_allclose(run.positions, circle, rtol=0, atol=ACCURACY)


@pytest.mark.parametrize(
    ("solver", "accuracy"),
    [("dop853", 1e-12), ("adams", 1e-9), ("rk4", 1e-12), ("rattle", 1e-12), ("mixed", 1e-12)],
)
def test_free_components_fall(solver: str, accuracy: float) -> None:
    """A single mass and the centre of a ring: s = s₀ + v t + g t²/2.

    Methods of order two and more are exact here; adams starts with order one at every frame.
    """
    run = gr.simulate(components(), until=1.0, interval=0.1, solver=solver, step=0.01, tolerance=1e-11)
    fall = np.array([0.0, -G]) * run.t[:, None] ** 2 / 2.0
    stone = np.array([-1.0, 1.0]) + np.array([1.0, 2.0]) * run.t[:, None] + fall
    assert_allclose(run.position("stone"), stone, rtol=0, atol=accuracy)
    centre = np.mean([run.position(f"ring-{k}") for k in range(1, 5)], axis=0)
    assert_allclose(centre, np.array([1.0, 2.0]) + fall, rtol=0, atol=accuracy)


def test_links_that_fall_freely_carry_nothing() -> None:
    chain = gr.Chain(position=(0.0, 0.0), count=5, length=0.4, angles=(0.1, 0.7, -0.4, 2.0), mass=0.7,
                     velocity=(1.0, 1.0))
    run = gr.simulate(gr.Scene(pattern={"chain": chain}, load=DOWN), until=1.0, interval=0.5, **TIGHT)
    assert_allclose(run.tensions, 0.0, rtol=0, atol=1e-12)


def two_masses(damping: float = 0.0) -> gr.Scene:
    """1 kg and 3 kg on a spring of 12 N/m, stretched by 0.2 m and let go: ω² = k (1/m₁ + 1/m₂) = 16/s²."""
    return gr.Scene(
        body={"a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=3.0)},
        start={"a": gr.Start(position=(0.0, 0.0)), "b": gr.Start(position=(1.2, 0.0))},
        load={"spring": gr.Spring(between=("a", "b"), stiffness=12.0, rest_length=1.0, damping=damping)},
    )


@BOTH
def test_two_masses_on_a_spring_oscillate(formulation: str) -> None:
    run = gr.simulate(two_masses(), until=2.0, interval=0.1, formulation=formulation, **TIGHT)
    length = (run.position("b") - run.position("a"))[:, 0]
    assert_allclose(length, 1.0 + 0.2 * np.cos(4.0 * run.t), rtol=0, atol=ACCURACY)
    assert_allclose(run.energy.kinetic, 0.5 * 0.75 * (0.8 * np.sin(4.0 * run.t)) ** 2, rtol=0, atol=ACCURACY)


@BOTH
def test_a_damper_takes_what_is_lost(formulation: str) -> None:
    """u̎ + 2δ u̇ + ω² u = 0 with δ = c (1/m₁ + 1/m₂)/2: u = 0.2 e^(-δt) (cos νt + δ/ν sin νt), ν² = ω² - δ².

    The spring does the work that its potential energy gives up; that of its damper is -∫ c u̇² dt, what is lost.
    """
    damping = 0.6
    delta = damping * (1.0 + 1.0 / 3.0) / 2.0
    nu = np.sqrt(16.0 - delta**2)
    run = gr.simulate(two_masses(damping), until=3.0, interval=0.1, formulation=formulation, **TIGHT)
    t, energy = run.t, run.energy
    u = 0.2 * np.exp(-delta * t) * (np.cos(nu * t) + delta / nu * np.sin(nu * t))
    rate = -0.2 * np.exp(-delta * t) * 16.0 / nu * np.sin(nu * t)
    assert_allclose((run.position("b") - run.position("a"))[:, 0], 1.0 + u, rtol=0, atol=ACCURACY)
    expected = 0.5 * 0.75 * rate**2 + 0.5 * 12.0 * u**2
    assert_allclose(energy.total, expected, rtol=0, atol=ACCURACY)
    assert_allclose(energy.work["spring"], 0.5 * 12.0 * (u[0] ** 2 - u**2), rtol=0, atol=ACCURACY)
    assert_allclose(energy.work["spring damper"], expected - expected[0], rtol=0, atol=ACCURACY)
    assert_allclose(energy.error, 0.0, rtol=0, atol=ACCURACY)


def test_a_conical_pendulum_circles_at_one_height() -> None:
    """ω² = g/(l cos α), tension m g/cos α, height constant."""
    length, alpha, mass = 2.0, 0.6, 1.5
    radius, height = length * np.sin(alpha), -length * np.cos(alpha)
    omega = np.sqrt(G / (length * np.cos(alpha)))
    scene = gr.Scene(
        body={"top": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "bob": gr.PointMass(mass=mass)},
        start={"bob": gr.Start(position=(radius, 0.0, height), velocity=(0.0, radius * omega, 0.0))},
        link={"string": gr.Link(between=("top", "bob"))}, load=DOWN_3D,
    )
    run = gr.simulate(scene, until=2.0 * np.pi / omega, **TIGHT)
    angle = omega * run.t
    circle = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full_like(angle, height)], axis=-1)
    assert_allclose(run.position("bob"), circle, rtol=0, atol=ACCURACY)
    assert_allclose(run.reaction("string").tension, mass * G / np.cos(alpha), rtol=ACCURACY)


def test_a_chain_in_equilibrium_stays() -> None:
    """Polygon of forces: with horizontal pull F, link k has tan θ = (k m g - V)/F and carries F/cos θ."""
    count, mass, length, pull = 9, 0.4, 0.25, 6.0
    weight = mass * G
    angles = np.arctan((weight * np.arange(count + 1) - count * weight / 2.0) / pull)
    far = length * np.array([np.cos(angles).sum(), np.sin(angles).sum()])
    chain = gr.Chain(from_="pivot", to="far", count=count, length=length, mass=mass,
                     angles=tuple(angles[:-1]))
    ends = PIVOT | {"far": gr.FixedPoint(position=tuple(far))}
    scene = gr.Scene(body=ends, pattern={"chain": chain}, load=DOWN)
    for formulation in ("newton-euler", "lagrange"):
        equations = gr.derive(scene, formulation)
        q, v = equations.start
        assert_allclose(equations.accelerations(q, v), 0.0, rtol=0, atol=1e-11 * G)
        assert_allclose(equations.link_forces(q, v), pull / np.cos(angles), rtol=1e-12)
    run = gr.simulate(scene, until=1.0, interval=0.5, **TIGHT)
    assert_allclose(run.positions[-1], run.positions[0], rtol=0, atol=ACCURACY)
