"""Stiff smooth systems by radau: values of the literature, the same motion in every formulation, steps that stiffness
does not shorten, and all that other error-controlled runs do: events, friction, corrections, resuming.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.analytic.build import build
from granum.analytic.derive import derive
from granum.analytic.row_equations import RowEquations
from granum.analytic.row_slopes import RowSlopes, slopes
from granum.analytic.virtual_work import VirtualWork
from granum.base.kernels import Floats
from granum.base.pointers import call
from granum.integrate.friction import FrictionMotion
from granum.validation.rolling_shell import rolling_shell
from granum.validation.wheel import RADIUS, THROWS, phases, wheel
from messages import refused
from runs import stop_at
from scenes import DOWN, DOWN_3D, PIVOT


def van_der_pol(mu: float = 1000.0) -> gr.Scene:
    """A relaxation oscillator: slow for hundreds of seconds, then thousands of times as fast."""
    return gr.Scene(system={"coordinates": ("x",), "parameters": {"mu": mu}, "kinetic": "x_dot**2/2",
                            "potential": "x**2/2", "forces": {"x": "mu*(1 - x**2)*x_dot"},
                            "start": {"x": 2.0, "x_dot": 0.0}})


def sprung_chain(count: int = 5, stiffness: float = 1e6, damping: float = 1e3) -> gr.Scene:
    """Masses of 0.1 kg joined by springs of 0.1 m that are as stiff as rods, let go at 30 degrees."""
    names = [f"mass-{k + 1}" for k in range(count)]
    at = [0.1 * (k + 1) * np.array([math.cos(0.5), -math.sin(0.5)]) for k in range(count)]
    springs = {f"spring-{k + 1}": {"kind": "spring", "between": (("pivot", *names)[k], names[k]),
                                   "stiffness": stiffness, "damping": damping, "rest_length": 0.1}
               for k in range(count)}
    return gr.Scene(body=PIVOT | {name: gr.PointMass(mass=0.1) for name in names}, load=DOWN | springs,
                    start={name: {"position": tuple(place)} for name, place in zip(names, at, strict=True)})


def sprung_rods() -> gr.Scene:
    """Two rods, one on a hinge, the other on a stiff spring and damper at its head."""
    return gr.Scene(
        body=PIVOT | {name: gr.Rod(length=1.0, radius=0.02, mass=1.0) for name in ("upper", "lower")},
        constraint={"hinge": gr.Hinge(between=("pivot", "upper.tail"))},
        start={"upper": {"angle": 0.0}, "lower": {"position": (1.6, 0.0)}},
        load=DOWN | {"joint": gr.Spring(between=("upper.head", "lower.tail"), stiffness=1e6, damping=1e4,
                                        rest_length=0.1)})


def test_van_der_pol_ends_where_the_test_set_says() -> None:
    """x and its rate at 2000 s for μ = 1000: Test Set for IVP Solvers 2008, problem vdpol, in its scaled time."""
    run = gr.simulate(van_der_pol(), until=2000.0, interval=2000.0, solver="radau", tolerance=1e-9)
    assert run.coordinate("x")[-1] == pytest.approx(1.706167732170469, rel=1e-8)
    assert run.rates[-1, 0] == pytest.approx(-8.928097010248125e-4, rel=1e-8)
    assert run.summary["steps"] < 10_000  # dop853 takes 600 000 at 1e-6


def test_robertson_by_rows_of_velocity() -> None:
    """Velocities that are given by the state: masses play no part. Concentrations at 40 s of Hairer and Wanner II,
    section IV.10, ROBER: (0.7158270688, 9.185534764e-6, 0.2841637458).
    """
    fast = {"r": "0.04*a", "s": "1e4*b*c", "p": "3e7*b**2"}
    rates = {"a": "s - r", "b": "r - s - p", "c": "p"}
    scene = gr.Scene(
        system={"coordinates": tuple(rates), "definitions": fast, "start": {"a": 1.0, "b": 0.0, "c": 0.0},
                "kinetic": "(a_dot**2 + b_dot**2 + c_dot**2)/2"},
        constraint={name: {"kind": "formula", "formula": f"{name}_dot = {rate}"} for name, rate in rates.items()})
    run = gr.simulate(scene, until=40.0, interval=40.0, solver="radau", tolerance=1e-9)
    found = [run.coordinate(name)[-1] for name in rates]
    np.testing.assert_allclose(found, [0.7158270688, 9.185534764e-6, 0.2841637458], rtol=1e-6)


@pytest.mark.parametrize("damping", [1e3, 1e5])
def test_a_chain_of_stiff_springs_moves_as_by_dop853(damping: float) -> None:
    """dop853 must resolve 3 to 6 million oscillations or decays a second; radau only the fall of the chain."""
    scene = sprung_chain(damping=damping)
    settings = {"until": 0.1, "interval": 0.05, "tolerance": 1e-6}
    stiff = gr.simulate(scene, solver="radau", **settings)
    if damping == 1e3:
        explicit = gr.simulate(scene, solver="dop853", **settings)
        assert np.abs(stiff.positions[-1] - explicit.positions[-1]).max() < 1e-7
        assert stiff.summary["steps"] < explicit.summary["steps"] / 3
    assert stiff.summary["energy"]["relative_error"] < 1e-6
    assert stiff.summary["steps"] < 400


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell"])
def test_rigid_bodies_in_every_formulation(formulation: str) -> None:
    settings = {"until": 0.2, "interval": 0.1, "formulation": formulation, "corrections": ["position", "velocity"]}
    stiff = gr.simulate(sprung_rods(), solver="radau", tolerance=1e-8, **settings)
    explicit = gr.simulate(sprung_rods(), solver="dop853", tolerance=1e-10, **settings)
    assert np.abs(stiff.position("lower")[-1] - explicit.position("lower")[-1]).max() < 1e-7
    assert stiff.summary["steps"] < explicit.summary["steps"]
    assert stiff.summary["energy"]["relative_error"] < 1e-7


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar"])
def test_links_and_their_corrections(formulation: str) -> None:
    """Nothing is stiff here: radau keeps what it promises all the same."""
    scene = gr.example("double-pendulum")
    settings = {"until": 0.5, "interval": 0.1, "formulation": formulation, "corrections": ["position", "velocity"]}
    implicit, explicit = (gr.simulate(scene, solver=solver, tolerance=1e-10, **settings)
                          for solver in ("radau", "dop853"))
    assert np.abs(implicit.positions[-1] - explicit.positions[-1]).max() < 1e-7


@pytest.mark.parametrize(("scene", "formulation"), [
    (rolling_shell(1, "B"), "fundamental"), (rolling_shell(3, "D"), "virtual-work"), (sprung_rods(), "lagrange"),
    (sprung_rods(), "fundamental")], ids=["shell", "shell without spin", "rods-lagrange", "rods"])
def test_exact_jacobians_are_those_of_differences(scene: gr.Scene, formulation: str) -> None:
    """Central differences of order 4 with steps of 1e-4: errors of their round-off, 1e-11 of the largest rate."""
    equations = derive(scene, formulation)
    assert isinstance(equations, RowEquations)
    made, (q, v) = RowSlopes(equations), equations.start
    y = equations.pack(q, v, 0.3, np.zeros(len(equations.system.working)))
    exact = np.zeros((len(y), len(y)))
    assert made.address and call(slopes, 0.3, y, exact, equations.block) == 0

    def rates(at: Floats) -> Floats:
        out = np.zeros_like(at)
        assert call(equations.rates, 0.3, at.copy(), out, equations.block) == 0
        return out

    h = 1e-4
    for j in range(len(y)):
        e = h * (np.arange(len(y)) == j)
        column = (rates(y - 2 * e) - 8 * rates(y - e) + 8 * rates(y + e) - rates(y + 2 * e)) / (12 * h)
        assert np.abs(exact[:, j] - column).max() < 1e-7 * max(1.0, np.abs(exact).max())


def test_a_ball_leaves_the_sphere_where_it_should() -> None:
    """From rest at the top a rolling ball leaves a sphere at cos θ = 10/17: an event of the contact force."""
    scene = gr.Scene(
        surface={"dome": {"equation": "X**2 + Y**2 + Z**2 - 1"}},
        body={"ball": gr.Sphere(radius=0.1, mass=1.0)},
        constraint={"roll": {"kind": "rolling", "body": "ball", "on": "dome"}}, load=DOWN_3D,
        start={"ball": {"contact": (0.05, 0.0, math.sqrt(1 - 0.05**2)), "velocity": (0.0, 0.0)}})
    run = gr.simulate(scene, until=5.0, interval=0.05, solver="radau", tolerance=1e-9)
    height = run.coordinate("ball.contact.z")[-1]
    assert run.t[-1] < 5.0 and run.summary["event"] is not None
    assert height == pytest.approx(10.0 / 17.0 * math.sqrt(1 - 0.05**2), abs=1e-7)


def test_friction_changes_where_the_closed_form_says() -> None:
    throw = THROWS[2]
    start = np.array([0.0, RADIUS, 1.0, 0.0]), np.array([throw.speed, 0.0, 0.0, 0.5 * throw.angular_velocity])
    moving = FrictionMotion(VirtualWork(build(wheel(throw)).system, start), tolerance=1e-10, solver="radau")
    moving.advance(1.0)
    expected = phases(throw)
    assert [change.time for change in moving.transitions] == pytest.approx([p.begin for p in expected[1:]], abs=1e-8)


@pytest.mark.parametrize("make", [sprung_chain, sprung_rods, van_der_pol])
def test_a_resumed_run_has_the_same_bits(make, tmp_path: Path) -> None:
    settings = {"until": 0.05, "interval": 0.005, "solver": "radau", "tolerance": 1e-6}
    whole = gr.simulate(make(), **settings)
    file = tmp_path / "run.h5"
    assert not gr.simulate(make(), output=file, progress=stop_at(0.02), **settings).finished
    again = gr.simulate(make(), output=file, resume=True, **settings)
    assert np.array_equal(again.t, whole.t) and np.array_equal(again.energy.total, whole.energy.total)


def test_grains_refuse_it_by_name() -> None:
    with refused(gr.GranumError, "run.solver", '"radau"'):
        gr.simulate(gr.example("hopper"), solver="radau", until=0.01)
