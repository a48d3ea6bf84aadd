"""Small motions: closed forms at all sizes, other formulations, nonholonomic and massless systems, refusals.

Derivatives are exact, so what is left is the rounding of an eigenvalue problem of a few unknowns: 1e-12 is 5000 times
the unit of rounding.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import granum as gr
from commands import granum
from granum.analytic import System, derive
from mechanisms import four_bar, pendulum_of_rods
from messages import naming, refused, says

G = 9.81
EXACT = 1e-12
LENGTHS = (1e-6, 1e-3, 1.0, 1e3)


def pendulum(*lengths: float, masses: tuple[float, ...] | None = None) -> gr.Scene:
    """Point masses on links that hang in a row, in the plane."""
    names = [f"bob-{k}" for k in range(len(lengths))]
    return gr.Scene(
        body={"pivot": gr.FixedPoint(position=(0.0, 0.0)),
              **{name: gr.PointMass(mass=m) for name, m in zip(names, masses or (1.5,) * len(names), strict=True)}},
        link={f"rod-{k}": gr.Link(between=pair) for k, pair in enumerate(zip(["pivot", *names], names, strict=False))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G))},
        start={name: gr.Start(position=(0.0, -float(y))) for name, y in zip(names, np.cumsum(lengths), strict=True)})


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell",
                                         "virtual-work"])
def test_pendulum_of_any_size(formulation: str, length: float) -> None:
    """ω = √(g/l), from a micrometre to a kilometre."""
    assert_allclose(gr.linearize(pendulum(length), formulation=formulation).frequencies, [np.sqrt(G / length)],
                    rtol=EXACT)


@pytest.mark.parametrize("length", LENGTHS)
def test_angle_of_any_size(length: float) -> None:
    """The same in an angle."""
    system = System("theta", parameters={"m": 2.0, "l": length, "g": G}, kinetic="m*l**2*theta_dot**2/2",
                    potential="-m*g*l*cos(theta)")
    assert_allclose(derive(system).linearize([0.0]).frequencies, [np.sqrt(G / length)], rtol=EXACT)
    assert_allclose(np.sort(derive(system).linearize([np.pi]).modes.real), np.sqrt(G / length) * np.array([-1.0, 1.0]),
                    rtol=EXACT)


@pytest.mark.parametrize("size", LENGTHS)
@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar", "fundamental"])
def test_double_pendulum(formulation: str, size: float) -> None:
    """Links l, 2l and masses m, 3m: (m₁ l₁ l₂) ω⁴ - g (m₁+m₂)(l₁+l₂) ω² + g² (m₁+m₂) = 0."""
    first, second, m1, m2 = size, 2.0 * size, 0.7, 2.1
    squares = np.roots([m1 * first * second, -G * (m1 + m2) * (first + second), G**2 * (m1 + m2)])
    scene = pendulum(first, second, masses=(m1, m2))
    linear = gr.linearize(scene, formulation=formulation)
    # the formula itself loses a digit by cancellation
    assert_allclose(linear.frequencies, np.sqrt(np.sort(squares)), rtol=10 * EXACT)
    assert len(linear.modes) == 4
    eigenvalues = np.linalg.eigvals(linear.matrix)
    for s in linear.modes:  # they are among those of the whole matrix, which has motions that the links forbid too
        assert np.abs(eigenvalues - s).min() < 1e-7 * abs(s)


def test_matrix_is_the_jacobian_of_the_accelerations() -> None:
    """Against differences of the compiled kernels of lagrange, of fourth order: h⁴ + ε/h at h = 1e-3."""
    equations = gr.derive(pendulum(0.3, 0.5, 0.4), "lagrange")
    q, _ = equations.start
    linear, h = equations.linearize(), 1e-3
    for k, unit in enumerate(np.eye(3)):
        a = [equations.accelerations(q + c * h * unit, np.zeros(3)) for c in (-2, -1, 1, 2)]
        assert_allclose(linear.matrix[3:, k], (a[0] - 8 * a[1] + 8 * a[2] - a[3]) / (12 * h), atol=1e-8)


@pytest.mark.parametrize("spatial", [False, True])
def test_four_bar_about_its_equilibrium(spatial: bool) -> None:
    """Against V'' / m* of one angle, by the geometry of the loop alone; in 3-D the hinges are redundant.

    The equilibrium is the minimum of the potential energy V over the angle of the crank. There ω² = V''/m*, where
    m* θ̇²/2 is the kinetic energy. The derivatives are differences of closed forms, of fourth order at h = 1e-3: 1e-8.
    """
    bars, masses, base, h = (1.0, 2.0, 1.5), (1.0, 2.0, 1.5), 2.2, 1e-3

    def places(crank: float) -> np.ndarray:
        """Centre and angle of every rod."""
        knee = bars[0] * np.array([np.cos(crank), np.sin(crank)])
        to = np.array([base, 0.0]) - knee
        d = np.linalg.norm(to)
        coupler = np.arctan2(to[1], to[0]) + np.arccos((bars[1] ** 2 + d * d - bars[2] ** 2) / (2 * bars[1] * d))
        elbow = knee + bars[1] * np.array([np.cos(coupler), np.sin(coupler)])
        rocker = np.arctan2(elbow[1], elbow[0] - base)
        return np.array([[*(0.5 * knee), crank], [*(0.5 * (knee + elbow)), coupler],
                         [*(0.5 * (elbow + np.array([base, 0.0]))), rocker]])

    def slope(f: Any, x: float) -> Any:
        return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h)

    def potential(crank: float) -> float:
        return float(G * np.dot(masses, places(crank)[:, 1]))

    crank = float(brentq(lambda x: slope(potential, x), -2.6, -1.4, xtol=1e-14))
    scene = four_bar(spatial, bars, base, crank)
    rates = slope(places, crank)
    moments = [m * (l * l + 3 * 0.05**2) / 12 for m, l in zip(masses, bars, strict=True)]
    inertia = float(np.dot(masses, (rates[:, :2] ** 2).sum(axis=1)) + np.dot(moments, rates[:, 2] ** 2))
    expected = np.sqrt(slope(lambda x: slope(potential, x), crank) / inertia)
    for formulation in ("newton-euler", "fundamental"):
        linear = gr.linearize(scene, formulation=formulation)
        assert_allclose(linear.frequencies, [expected], rtol=1e-6)
        assert len(linear.modes) == 2


@pytest.mark.parametrize("length", LENGTHS)
def test_rods_as_arrays(length: float) -> None:
    """A hinged rod of newton-euler of joints: ω² = 3g/(2l)."""
    scene = pendulum_of_rods([length], [2.0], [-np.pi / 2])
    assert_allclose(gr.linearize(scene).frequencies, [np.sqrt(1.5 * G / length)], rtol=EXACT)


def test_massless_coordinate() -> None:
    """A mass on two springs in series, the point between them massless and held by a constraint: k₁k₂/(k₁+k₂)."""
    system = System("x p", kinetic="x_dot**2", potential="6*p**2/2 + 3*(x - p)**2/2",
                    constraints={"balance": "6*p = 3*(x - p)"})
    assert_allclose(derive(system).linearize([0.0, 0.0]).frequencies, [np.sqrt(2.0 / 2.0)], rtol=EXACT)
    with refused(gr.GranumError, "accelerations of p"):
        derive(System("x p", kinetic="x_dot**2", potential="6*p**2/2 + 3*(x - p)**2/2")).linearize([0.0, 0.0])


def disk(rate: float) -> tuple[System, list[float], list[float]]:
    """A thin disk that rolls upright along x: two nonholonomic rows."""
    system = System(
        "x y psi theta phi", parameters={"m": 0.5, "r": 0.1, "g": G},
        kinetic="m/2*(x_dot**2 + y_dot**2 + (r*theta_dot*sin(theta))**2)"
                " + m*r**2/8*(theta_dot**2 + (psi_dot*cos(theta))**2) + m*r**2/4*(phi_dot + psi_dot*sin(theta))**2",
        potential="m*g*r*cos(theta)",
        constraints={"roll": [
            "x_dot - r*phi_dot*cos(psi) - r*(psi_dot*sin(theta)*cos(psi) + theta_dot*cos(theta)*sin(psi)) = 0",
            "y_dot - r*phi_dot*sin(psi) - r*(psi_dot*sin(theta)*sin(psi) - theta_dot*cos(theta)*cos(psi)) = 0"]})
    return system, [0.0] * 5, [0.1 * rate, 0.0, 0.0, 0.0, rate]


@pytest.mark.parametrize("part", [0.5, 0.9, 1.1, 2.0])
def test_rolling_disk(part: float) -> None:
    """A steady nonholonomic motion: s² = 4/5 (g/r - 3Ω²), and all other modes are free: 5 positions and 3 rates."""
    rate = part * np.sqrt(G / 0.3)
    system, q, v = disk(rate)
    linear = derive(system).linearize(q, v)
    assert len(linear.modes) == 8
    assert_allclose(linear.modes[-2:].astype(complex) ** 2, [0.8 * (G / 0.1 - 3 * rate**2)] * 2, rtol=1e-9)
    assert np.abs(linear.modes[:6]).max() < 1e-6 * abs(linear.modes[-1])


def test_free_motions_are_no_frequencies() -> None:
    """Two masses on a spring in free space: one frequency √(k(1/m₁ + 1/m₂)), and a double zero."""
    system = System("x y", kinetic="x_dot**2/2 + y_dot**2", potential="1e4*(y - x - 0.3)**2/2")
    linear = derive(system).linearize([7.1, 7.4])
    assert_allclose(linear.frequencies, [np.sqrt(1e4 * 1.5)], rtol=EXACT)


@pytest.mark.parametrize(("system", "q", "v", "names"), [
    (System("theta", kinetic="theta_dot**2/2", potential="-cos(theta)"), [0.1], None,
     ("theta = 0.1", "-0.09983 per s²", "theta = -0.000334672")),
    (System("x", kinetic="x_dot**2/2", potential="x**2 - 0.1*x"), [0.0], None, ("x = 0.05",)),
    (System("x", kinetic="x_dot**2/2", potential="x"), [0.0], None, ("x = 0", "-1 per s²")),
    (System("x", kinetic="x_dot**2/2", potential="x**4"), [0.0], [1.0], ("steady",)),
    (System("x", kinetic="x_dot**2/2", potential="(2 + cos(3*t))*x**2"), [0.0], None, ("steady",)),
    (System("r phi", kinetic="(r_dot**2 + (r*phi_dot)**2)/2", potential="-1/r"), [1.0, 0.0], [0.0, 1.1],
     ("r = 1", "0.21 per s²", "steady")),
    (System("x y", kinetic="(x_dot**2 + y_dot**2)/2", constraints={"a": "x**2 + y**2 = 1", "b": "(x-2)**2 + y**2 = 1"}),
     [1.0, 0.0], None, ("singular", "a, b")),
    (System("x y", kinetic="(x_dot**2 + y_dot**2)/2", constraints={"a": "x + y = 0"}), [0.0, 0.0], [1.0, 0.0],
     ("constraint a",)),
    (System("x", kinetic="x_dot**2/2", potential="sqrt(x)"), [0.0], None, ("finite",)),
])
def test_what_has_no_modes_is_refused(
    system: System, q: list[float], v: list[float] | None, names: tuple[str, ...],
) -> None:
    with refused(gr.GranumError, *names):
        derive(system).linearize(q, v)


def test_circular_orbit_is_steady() -> None:
    """Kepler's circle: epicycles of the frequency of the orbit."""
    system = System("r phi", parameters={"k": 3.0}, kinetic="(r_dot**2 + (r*phi_dot)**2)/2", potential="-k/r")
    rate = np.sqrt(3.0 / 2.0**3)
    assert_allclose(derive(system).linearize([2.0, 0.4], [0.0, rate]).frequencies, [rate], rtol=EXACT)


def test_friction_is_refused() -> None:
    wheel = gr.load(Path(__file__).parents[2] / "examples" / "wheel.toml")
    with refused(gr.GranumError, "rub", "friction"):
        gr.linearize(wheel)


KINKED = (
    "-10*x - 250*(x + abs(x))", "-10*x - 3*sign(x_dot)", "-10*x - abs(x_dot)*x_dot", "-10*x - sign(x)*abs(x)",
    "-10*x - 2*abs(x_dot) - x_dot", "-10*x - abs(x)*sign(x)*x", "1 - 10*x - abs(abs(x) - 1)", "-10*(abs(x) - x)*0.5",
    "-(x + abs(x - 2*x_dot))", "-10*x - abs(x)*abs(x_dot)", "-10*x - (1 + sign(x))*(5*x + x_dot)", "-10*x - abs(x)**3",
)


@pytest.mark.parametrize("formula", KINKED)
def test_formulas_have_modes_if_they_have_derivatives(formula: str) -> None:
    """Against one-sided differences of the compiled accelerations: where those of all sides agree, they are the matrix.

    With x and ẋ of 1e-6, quadratic terms are below 1e-5; the sides of the kinks above differ by 2 and more, or jump.
    """
    equations, h = derive(System("x", kinetic="x_dot**2/2", forces={"x": formula})), 1e-6
    rest = equations.accelerations([0.0], [0.0])[0]
    sides = np.array([[(equations.accelerations([a * h], [b * h])[0] - rest) / h for a, b in (
        (s, 1e-3 * r), (1e-3 * s, r))] for s in (1.0, -1.0) for r in (1.0, -1.0)])
    signs = np.array([[(s, 1e-3 * r), (1e-3 * s, r)] for s in (1.0, -1.0) for r in (1.0, -1.0)])
    slopes = [np.linalg.solve(own, side) for own, side in zip(signs, sides, strict=True)]
    if np.ptp(slopes, axis=0).max() < 1e-3:
        assert_allclose(equations.linearize([0.0]).matrix[1], slopes[0], atol=1e-4)
    else:
        with pytest.raises(gr.GranumError) as caught:
            equations.linearize([0.0])
        naming(str(caught.value), "the force on x", "kink")


def sprung_slider(load: gr.Load, **run: Any) -> gr.Scene:
    """A block of 1 kg on a spring of 10 N/m along x, with another load."""
    return gr.Scene(
        body={"rail": gr.FixedPoint(position=(0.0, 0.0)), "block": gr.Block(size=(0.1, 0.1), mass=1.0)},
        constraint={"slide": gr.Slider(between=("rail", "block"), axis=(1.0, 0.0))},
        start={"block": gr.Start(position=(0.0, 0.0))}, run=run,
        load={"spring": gr.FormulaLoad(joint="slide", force="-10*displacement"), "other": load})


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "fundamental", "gibbs-appell", "virtual-work"])
def test_stop_at_its_limit_is_refused(formulation: str) -> None:
    """A stop of 500 N/m at its limit: √10 rad/s before it and √510 rad/s beyond it, and no mode across it."""
    at = sprung_slider(gr.Stop(joint="slide", upper=0.0, stiffness=500.0))
    with refused(gr.GranumError, 'load "other"', "block.x = 0", "3.16228", "22.5832"):
        gr.linearize(at, formulation=formulation)
    away = sprung_slider(gr.Stop(joint="slide", upper=0.1, stiffness=500.0))
    assert_allclose(gr.linearize(away, formulation=formulation).frequencies, [np.sqrt(10.0)], rtol=EXACT)
    with refused(gr.GranumError, 'load "other"', "block.x_dot = 0"):
        gr.linearize(sprung_slider(gr.FormulaLoad(joint="slide", force="-3*sign(rate)")), formulation=formulation)


def test_kinks_of_inputs_and_outputs_are_refused() -> None:
    """An output |x| at x = 0 has no slope, and an input at the limit of what it acts on has two; x|x| has slope 0."""
    system = System("x", parameters={"u": 1.0}, kinetic="x_dot**2/2", potential="5*x**2",
                    forces={"x": "(abs(u + 1) - abs(u - 1))/2 - 1"})
    with refused(gr.GranumError, 'output "abs(x)"', "x = 0"):
        gr.linearize(system, at={"x": 0.0}, inputs=(), outputs=["abs(x)"])
    with refused(gr.GranumError, "the force on x", "u - 1 = 0"):
        gr.linearize(system, at={"x": 0.0}, inputs=["u"])
    assert gr.linearize(system, at={"x": 0.0}, inputs=(), outputs=["x*abs(x)", "x"]).C.tolist() == [
        [0.0, 0.0], [1.0, 0.0]]


def test_kinks_that_the_motion_does_not_reach() -> None:
    """|y| where a constraint holds y = 0 changes nothing; and an equilibrium at a kink is refused with its position."""
    held = System("x y", kinetic="(x_dot**2 + y_dot**2)/2", potential="5*x**2 + abs(y)", constraints={"c": "y = 0"})
    assert_allclose(derive(held).linearize([0.0, 0.0]).frequencies, [np.sqrt(10.0)], rtol=EXACT)
    with refused(gr.GranumError, "x = 0.5", "kink"):
        gr.equilibrium(System("x", kinetic="x_dot**2/2", potential="(x - 0.5)**2", forces={"x": "-abs(x - 0.5)"}),
                       at={"x": 0.3})


def test_command(tmp_path: Path) -> None:
    scene = ('[body.pivot]\nkind = "fixed-point"\nposition = [0.0, 0.0]\n[body.bob]\nkind = "point-mass"\nmass = 1.0\n'
             '[link.rod]\nbetween = ["pivot", "bob"]\n[load.gravity]\nkind = "gravity"\nacceleration = [0.0, -9.81]\n'
             "[start.bob]\nposition = [{}, -0.4]\n")
    file = tmp_path / "pendulum.toml"
    file.write_text(scene.format("0.0"))
    answer = json.loads(granum("linearize", file, "--json").stdout)
    assert answer["frequencies"] == pytest.approx([np.sqrt(G / 0.4)], rel=EXACT)
    assert answer["modes"][0]["frequency"] == pytest.approx(np.sqrt(G / 0.4) / (2 * np.pi), rel=EXACT)
    table = granum("linearize", file).stdout.splitlines()
    assert "frequency [Hz]" in table[0] and len(table) == 3
    file.write_text(scene.format("0.1"))
    told = granum("linearize", file)
    assert told.returncode == 2
    says(told.stderr, "equilibrium", "bob.x = 0.1")
