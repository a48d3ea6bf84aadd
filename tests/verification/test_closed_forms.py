"""Motion against closed forms: the tolerance is that of the solver, 1e-11 relative per step, times a safety of 1e2."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import granum as gr
import scenes
from scenes import G

TIGHT = {"solver": "dop853", "tolerance": 1e-12}


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
@pytest.mark.parametrize("degrees", [5.0, 60.0, 150.0])
def test_pendulum_period(formulation: str, degrees: float) -> None:
    """θ(t) = 2 asin(k sn(K - ω t, k)) with k = sin(θ₀/2): one whole period, any amplitude."""
    scene = scenes.pendulum(1, total=1.0, angle=np.radians(degrees))
    k, omega = np.sin(np.radians(degrees) / 2), np.sqrt(G)
    period = 4.0 * ellipk(k * k) / omega
    run = gr.simulate(scene, until=period, formulation=formulation, **TIGHT)
    x, y = run.position("bob-1").T
    sn = ellipj(ellipk(k * k) - omega * run.t, k * k)[0]
    assert np.arctan2(x, -y) == pytest.approx(2.0 * np.arcsin(k * sn), abs=1e-10)


def test_pendulum_tension() -> None:
    """Rod force m (g cos θ + v²/l) at every frame."""
    run = gr.simulate(scenes.pendulum(1, total=1.0, angle=1.0), until=2.0, **TIGHT)
    y, v = run.position("bob-1")[:, 1], run.velocity("bob-1")
    assert run.reaction("rod-1") == pytest.approx(G * -y + (v**2).sum(axis=1), rel=1e-10)


def test_spinning_ring_tension() -> None:
    """A ring of N masses turning at ω: every link pulls with m ω² r / (2 sin(π/N)), and it turns uniformly."""
    count, spin = 6, 2.0
    run = gr.simulate(scenes.spinning_ring(count, spin), until=1.0, **TIGHT)
    assert run.reactions == pytest.approx(0.2 * spin**2 * 0.5 / (2.0 * np.sin(np.pi / count)), rel=1e-10)
    turned = np.array([1.0, 2.0]) + 0.5 * np.column_stack([np.cos(spin * run.t), np.sin(spin * run.t)])
    assert run.position("ring-1") == pytest.approx(turned, abs=1e-10)


def test_conical_pendulum() -> None:
    """In space at angle α, a uniform circle with ω² = g / (l cos α), tension m g / cos α."""
    alpha, length = 0.7, 0.8
    radius, omega = length * np.sin(alpha), np.sqrt(G / (length * np.cos(alpha)))
    scene = gr.Scene(
        body={"top": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
        link={"string": gr.Link(between=("top", "bob"))}, load=scenes.DOWN_3D,
        start={"bob": gr.Start(position=(radius, 0.0, -length * np.cos(alpha)), velocity=(0.0, radius * omega, 0.0))},
    )
    run = gr.simulate(scene, until=3.0, **TIGHT)
    x, y, z = run.position("bob").T
    assert x == pytest.approx(radius * np.cos(omega * run.t), abs=1e-10)
    assert y == pytest.approx(radius * np.sin(omega * run.t), abs=1e-10)
    assert z == pytest.approx(-length * np.cos(alpha), abs=1e-10)
    assert run.reaction("string") == pytest.approx(2.0 * G / np.cos(alpha), rel=1e-10)


def spring_pair(damping: float) -> gr.Scene:
    """Two masses on a spring of rest length 1 m, stretched by 0.2 m, in free space."""
    return gr.Scene(
        body={"a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=3.0)},
        load={"spring": gr.Spring(between=("a", "b"), stiffness=30.0, rest_length=1.0, damping=damping)},
        start={"a": gr.Start(position=(0.0, 0.0)), "b": gr.Start(position=(1.2, 0.0))},
    )


def test_two_masses_on_a_spring() -> None:
    """The distance swings with ω² = k / μ, μ the reduced mass."""
    run = gr.simulate(spring_pair(0.0), until=2.0, **TIGHT)
    stretch = run.position("b")[:, 0] - run.position("a")[:, 0] - 1.0
    assert stretch == pytest.approx(0.2 * np.cos(np.sqrt(30.0 / 0.75) * run.t), abs=1e-10)


@pytest.mark.parametrize("solver", ["dop853", "rk4", "rattle", "mixed"])
def test_damped_spring_and_its_ledger(solver: str) -> None:
    """e^(-δt) decay with δ = c/2μ; what the damper took is what the system lost, to the order of the solver."""
    c, mu = 1.5, 0.75
    settings = {"dop853": (1e-12, 1e-10), "rk4": (1e-9, 1e-10), "rattle": (1e-9, 1e-4), "mixed": (1e-12, 1e-4)}
    tolerance, error = settings[solver]
    run = gr.simulate(spring_pair(c), until=2.0, solver=solver, tolerance=tolerance, step=1e-3)
    stretch = run.position("b")[:, 0] - run.position("a")[:, 0] - 1.0
    delta = c / (2 * mu)
    omega = np.sqrt(30.0 / mu - delta**2)
    exact = 0.2 * np.exp(-delta * run.t) * (np.cos(omega * run.t) + delta / omega * np.sin(omega * run.t))
    assert stretch == pytest.approx(exact, abs=error)
    assert run.energy.error / run.energy.scale == pytest.approx(0.0, abs=error)
    assert run.energy.total[-1] < 0.1 * run.energy.total[0]


def test_free_fall_of_a_free_component() -> None:
    """The centre of mass of what hangs on nothing falls as a stone does."""
    scene = scenes.components()
    run = gr.simulate(scene, until=0.5, **TIGHT)
    ring = [k for k, name in enumerate(run.body_names) if name.startswith("ring")]
    fallen = np.outer(0.5 * run.t**2, [0.0, -G])
    centre = run.positions[:, ring].mean(axis=1)
    assert centre == pytest.approx(centre[0] + fallen, abs=1e-11)
    thrown = np.array([-1.0, 1.0]) + np.outer(run.t, [1.0, 2.0]) + fallen
    assert run.position("stone") == pytest.approx(thrown, abs=1e-11)


@pytest.mark.parametrize("solver", ["dop853", "rattle", "mixed"])
def test_momentum_of_a_free_system(solver: str) -> None:
    """Links act in pairs: linear and angular momentum stay to round-off (dop853: to its tolerance)."""
    scene = scenes.spinning_ring(7, 3.0).model_copy(
        update={"load": {"pull": gr.Spring(between=("ring-1", "ring-4"), stiffness=20.0, rest_length=0.1)}}
    )
    run = gr.simulate(scene, until=1.0, solver=solver, tolerance=1e-12, step=1e-3)
    x, v = run.positions, run.velocities
    linear = v.sum(axis=1)
    angular = (x[..., 0] * v[..., 1] - x[..., 1] * v[..., 0]).sum(axis=1)
    assert linear - linear[0] == pytest.approx(0.0, abs=1e-10)
    # mixed is not a symplectic map: its angular momentum drifts with h²
    assert angular / angular[0] == pytest.approx(1.0, rel=1e-4 if solver == "mixed" else 1e-10)


def test_truss_moves_as_the_rigid_body_it_is() -> None:
    """12 links on 7 bodies: the centre flies a parabola, the rest turns about it at a constant rate."""
    velocity, spin = np.array([1.0, 3.0]), 2.0
    run = gr.simulate(scenes.truss(tuple(velocity), spin), until=1.0, **TIGHT)
    centre = np.outer(run.t, velocity) + np.outer(0.5 * run.t**2, [0.0, -G])
    assert run.position("centre") == pytest.approx(centre, abs=1e-10)
    for k in range(6):
        angle = k * np.pi / 3 + spin * run.t
        corner = centre + np.column_stack([np.cos(angle), np.sin(angle)])
        assert run.position(f"corner-{k + 1}") == pytest.approx(corner, abs=1e-10)


def test_truss_forces_are_of_least_norm() -> None:
    """Spinning, the six sides S and six spokes K share 2 S cos 60° + K = m ω² r; S² + K² is least for S = K."""
    run = gr.simulate(scenes.truss(spin=2.0), until=0.1, **TIGHT)
    assert run.reactions == pytest.approx(0.5 * 2.0**2 * 1.0 / 2.0, rel=1e-9)


def test_hanging_chain_at_rest_carries_the_weight_below() -> None:
    """Equilibrium: rod k carries the masses below it, and nothing moves."""
    run = gr.simulate(scenes.pendulum(8, angle=0.0), until=0.5, **TIGHT)
    assert run.reactions[-1] == pytest.approx(G * np.arange(8, 0, -1), rel=1e-12)
    assert np.abs(run.velocities).max() < 1e-12


def test_lagrange_refuses_space() -> None:
    """One angle per link is for the plane; the remedy is named."""
    with pytest.raises(gr.GranumError, match="newton-euler"):
        gr.derive(scenes.net(), "lagrange")
