"""Events, pulses and bumps are found however far apart the frames are, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import granum as gr

G, MU, RATE = 9.81, 0.3, 6.0
both_methods = pytest.mark.parametrize("solver", ["dop853", "radau"])


def pushed_block(factor: float, **run: object) -> gr.Scene:
    """A block of 1 kg on a rough floor under a force of factor μ m g sin 6 t."""
    return gr.Scene(
        system={"coordinates": ["x", "y"], "kinetic": "(x_dot**2 + y_dot**2)/2", "potential": f"{G}*y",
                "forces": {"x": f"{factor * MU * G}*sin({RATE}*t)"}, "start": {"x": 0.0, "x_dot": 0.0}},
        constraint={"floor": gr.FormulaConstraint(formula="y"),
                    "rub": gr.FrictionConstraint(normal="floor", slip=("x_dot",), friction=MU)},
        run={"formulation": "virtual-work", **run})


def slips(factor: float, until: float) -> list[tuple[float, str]]:
    """Slip begins where sin 6 t = 1/factor and ends where the impulse since then is that of friction."""
    begins = math.asin(1.0 / factor) / RATE

    def impulse(t: float) -> float:
        return factor / RATE * (math.cos(RATE * begins) - math.cos(RATE * t)) - (t - begins)

    ends = brentq(impulse, (math.pi - math.asin(1.0 / factor)) / RATE, begins + math.pi / RATE, xtol=1e-15)
    halves = range(int(until * RATE / math.pi) + 1)
    expected = [(t + k * math.pi / RATE, what) for k in halves for t, what in ((begins, "slides"), (ends, "sticks"))]
    return [(t, what) for t, what in expected if t < until]


@both_methods
@pytest.mark.parametrize("interval", [0.02, 0.2, 2.0, 20.0])
@pytest.mark.parametrize("factor", [1.1, 1.0001])
def test_a_block_sticks_and_slips_as_often_as_it_must(factor: float, interval: float, solver: str) -> None:
    """While it sticks nothing moves: only the force tells how long a step may be. Slips of the second take 5 ms."""
    run = gr.simulate(pushed_block(factor, until=20.0, interval=interval, solver=solver))
    expected = slips(factor, 20.0)
    assert [event.what for event in run.events] == [what for _, what in expected]
    np.testing.assert_allclose([event.t for event in run.events], [t for t, _ in expected], rtol=0, atol=1e-7)


def test_a_block_that_friction_holds_never_slips() -> None:
    assert gr.simulate(pushed_block(0.9999, until=20.0)).events == []


A, K, R, X0 = 0.002, 50.0, 0.02, 0.05


def washboard(speed: float, **run: object) -> gr.Scene:
    """A ball that rolls across z = A cos K x."""
    return gr.Scene(
        surface={"board": gr.Surface(equation=f"Z - {A}*cos({K}*X)")}, body={"ball": gr.Sphere(radius=R, mass=0.1)},
        constraint={"roll": gr.Rolling(body="ball", on="board")}, load={"weight": gr.Gravity(acceleration=(0, 0, -G))},
        start={"ball": gr.Start(contact=(X0, 0.0), velocity=(speed, 0.0))}, run={"until": 1.0, **run})


def leaves_at(speed: float) -> float:
    """The contact where the normal force vanishes: g cos θ = v² κ of the path of the centre, and 7/10 v² + g z is
    kept; the path is parallel to the board, so its radius of curvature is larger by R.
    """
    def centre(x: float) -> float:
        return A * math.cos(K * x) + R / math.sqrt(1.0 + (A * K * math.sin(K * x)) ** 2)

    def pressing(x: float) -> float:
        root = math.sqrt(1.0 + (A * K * math.sin(K * x)) ** 2)
        curvature = A * K**2 * math.cos(K * x) / root**3
        square = (speed / level) ** 2 + 10 / 7 * G * (centre(X0) - centre(x))
        return G / root - square * curvature / (1.0 + R * curvature)

    level = 1.0 / math.sqrt(1.0 + (A * K * math.sin(K * X0)) ** 2)  # the speed given is horizontal
    x = np.linspace(X0, X0 + 1.0, 100_001)
    first = np.flatnonzero(np.array([pressing(each) for each in x]) < 0.0)[0]
    return float(brentq(pressing, x[first - 1], x[first], xtol=1e-14))


@pytest.mark.parametrize("interval", [1e-3, 1e-2, 0.1, 1.0])
@pytest.mark.parametrize("formulation", ["fundamental", "lagrange", "virtual-work", "gibbs-appell"])
def test_a_ball_leaves_a_washboard_where_it_must(formulation: str, interval: float) -> None:
    run = gr.simulate(washboard(2.0, interval=interval, formulation=formulation))
    assert run.event is not None
    assert run.coordinate("ball.contact.x")[-1] == pytest.approx(leaves_at(2.0), abs=1e-7)


def thrown(force: str, speed: float, formulation: str, **run: object) -> gr.Scene:
    """A rod of 1 kg under a force along x."""
    return gr.Scene(
        body={"rod": gr.Rod(length=0.2, radius=0.01, mass=1.0)}, start={"rod": gr.Start(
            position=(0, 0), angle=0, velocity=(speed, 0))},
        load={"pulse": gr.FormulaLoad(on="rod", force=(force, "0"))}, run={"formulation": formulation, **run})


@pytest.mark.parametrize("interval", [0.4, 4.0, 40.0, 400.0])
@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
@pytest.mark.parametrize(("force", "speed"), [
    ("1000*exp(-((t - 200.3)/0.002)**2)", 2.0 * math.sqrt(math.pi)),
    ("1000/(1 + ((t - 200.3)/0.001)**2)", math.pi),
    ("500*(sign(t - 200.3) - sign(t - 200.304))", 4.0),
    ("1000*exp(-((t - 200.3)/0.002)**2)*sin(100*x + 1)/sin(100*x + 1)", 2.0 * math.sqrt(math.pi)),
])
def test_no_pulse_of_a_load_is_passed_over(force: str, speed: float, formulation: str, interval: float) -> None:
    """4 ms of a run of 400 s; the second has tails, of 1000/(π 200 s) of its impulse on either side."""
    run = gr.simulate(thrown(force, 0.0, formulation, until=400.0, interval=interval))
    assert run.velocity("rod")[-1, 0] == pytest.approx(speed, rel=2e-5 if "/(1" in force else 1e-7)


@pytest.mark.parametrize("interval", [0.04, 0.4, 4.0, 40.0])
@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_no_narrow_field_of_force_is_passed_over(formulation: str, interval: float) -> None:
    """Over a width of 1 cm at 10.03 m, which a uniform motion crosses in 10 ms: v² = 1 + 2 ∫ F dx."""
    run = gr.simulate(thrown("5*exp(-((x - 10.03)/0.005)**2)", 1.0, formulation, until=40.0, interval=interval))
    assert run.velocity("rod")[-1, 0] == pytest.approx(math.sqrt(1.0 + 10.0 * 0.005 * math.sqrt(math.pi)), rel=1e-7)
