"""Matrices, state spaces and mode shapes of small motions: closed forms, and simulations of small amplitude.

Derivatives are exact, so what is left is the rounding of small eigenvalue problems: 1e-11 is 5e4 units of rounding.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import roots_laguerre
from test_linearization import G, disk, pendulum

import granum as gr
from commands import granum
from granum.analytic import System
from mechanisms import pendulum_of_rods, slider_crank
from messages import refused, says

EXACT = 1e-11
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar", "fundamental"])
def test_hanging_chain(formulation: str) -> None:
    """n equal masses and links: ω² = g/l times the zeros of the Laguerre polynomial L_n."""
    n, length = 7, 0.3
    linear = gr.linearize(pendulum(*[length] * n), formulation=formulation)
    assert_allclose(linear.frequencies**2, np.sort(roots_laguerre(n)[0]) * G / length, rtol=EXACT)
    assert len(linear.positions) == n and linear.rates == linear.positions
    assert_allclose(linear.mass, linear.mass.T, atol=1e-13)
    assert_allclose(linear.stiffness, linear.stiffness.T, atol=1e-11)
    assert np.linalg.eigvalsh(linear.mass).min() > 0.0


def test_shapes_are_eigenvectors() -> None:
    """(s² M + s C + K) ξ = 0 for every mode, in the independent coordinates."""
    linear = gr.linearize(pendulum(0.3, 0.5, 0.4), formulation="fundamental")
    chosen = [linear.coordinates.index(name) for name in linear.positions]
    for s, shape in zip(linear.modes, linear.shapes.T, strict=True):
        left = (s**2 * linear.mass + s * linear.damping + linear.stiffness) @ shape[chosen]
        assert np.abs(left).max() < 1e-11 * np.abs(linear.stiffness).max()
        assert np.abs(shape).max() == pytest.approx(1.0, rel=1e-14)


def oscillator() -> System:
    return System("x", parameters={"m": 2.0, "c": 3.0, "k": 50.0, "F": 0.0}, kinetic="m*x_dot**2/2",
                  potential="k*x**2/2", forces={"x": "F - c*x_dot"})


def test_damped_oscillator() -> None:
    """ζ = c/(2√(km)), and the transfer function 1/(m s² + c s + k)."""
    linear = gr.linearize(oscillator(), at={"x": 0.0}, inputs=["F"], outputs={"place": "x", "power": "F*x_dot + x"})
    assert_allclose(linear.damping_ratios, [3.0 / (2.0 * np.sqrt(50.0 * 2.0))] * 2, rtol=EXACT)
    assert_allclose([linear.mass[0, 0], linear.damping[0, 0], linear.stiffness[0, 0]], [2.0, 3.0, 50.0], rtol=EXACT)
    assert linear.states == ("x", "x_dot") and linear.outputs == ("place", "power")
    for s in (0.1j, 4.0j, 1.0 + 30.0j):
        transfer = linear.C @ np.linalg.solve(s * np.eye(2) - linear.A, linear.B) + linear.D
        assert transfer[0, 0] == pytest.approx(1.0 / (2.0 * s**2 + 3.0 * s + 50.0), rel=EXACT)


def test_direct_feedthrough() -> None:
    """D = ∂y/∂u."""
    linear = gr.linearize(oscillator(), at={"x": 0.0}, inputs=["F"], outputs=["3*F + 2*x_dot"])
    assert_allclose(linear.D, [[3.0]]) and assert_allclose(linear.C, [[0.0, 2.0]])


def test_cart_pendulum() -> None:
    """Upright, with the force on the cart as input (any book on control): A and B in closed form."""
    M, m, l = 1.2, 0.3, 0.4
    system = System("x theta", parameters={"M": M, "m": m, "l": l, "g": G, "F": 0.0},
                    kinetic="M*x_dot**2/2 + m/2*((x_dot + l*theta_dot*cos(theta))**2 + (l*theta_dot*sin(theta))**2)",
                    potential="m*g*l*cos(theta)", forces={"x": "F"})
    linear = gr.linearize(system, at={"x": 0.3, "theta": 0.0}, inputs=["F"])
    assert_allclose(linear.A[2:, :2], [[0.0, -m * G / M], [0.0, (M + m) * G / (M * l)]], atol=1e-12)
    assert_allclose(linear.B[:, 0], [0.0, 0.0, 1.0 / M, -1.0 / (M * l)], rtol=EXACT)
    assert linear.unstable == 1


def cart(spatial: bool) -> gr.Scene:
    """A cart on a rail, pushed by an actuator, with an upright rod on it; a motor in the hinge is idle."""
    zero = (0.0,) if spatial else ()
    turned = {"orientation": (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))} if spatial else {"angle": np.pi / 2}
    size = {"radius": 0.01} if spatial else {}
    return gr.Scene(
        body={"rail": gr.FixedPoint(position=(0.0, 0.0, *zero)),
              "cart": gr.Block(size=(0.2, 0.1, 0.1)[: 2 + spatial], mass=1.2),
              "rod-1": gr.Rod(length=0.8, mass=0.3, **size)},
        start={"cart": {"position": (0.0, 0.0, *zero)}, "rod-1": turned},
        constraint={"slide": gr.Slider(between=("rail", "cart"), axis=(1.0, 0.0, *zero)),
                    "pin": gr.Hinge(between=("cart", "rod-1.tail"), **({"axis": (0.0, 0.0, 1.0)} if spatial else {}))},
        actuator={"push": gr.ForceActuator(joint="slide"), "motor": gr.TorqueActuator(joint="pin")},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G, *zero))})


@pytest.mark.parametrize("spatial", [False, True])
def test_actuators_are_inputs(spatial: bool) -> None:
    """Cart and rod in closed form: J θ̈ + m l/2 ... with the force on the cart and the torque in the hinge."""
    M, m, a = 1.2, 0.3, 0.4
    J = m * 0.8**2 / 12 + (m * 0.01**2 / 4 if spatial else 0.0)
    # upright rod at angle π/2 + θ: x_rod = x - a θ; (M+m) ẍ - m a θ̈ = F; (J + m a²) θ̈ - m a ẍ = m g a θ + T
    mass = np.array([[M + m, -m * a], [-m * a, J + m * a**2]])
    linear = gr.linearize(cart(spatial), outputs=["slide.displacement", "pin.angle", "pin.rate", "rod-1.head.x"])
    assert linear.inputs == ("push.force", "motor.torque")
    for s in (0.7, 2.0j):
        closed = np.linalg.inv(s**2 * mass - np.diag([0.0, m * G * a]))
        transfer = linear.C @ np.linalg.solve(s * np.eye(4) - linear.A, linear.B)
        assert_allclose(transfer[:2], closed, rtol=1e-9)
        assert_allclose(transfer[2], s * closed[1], rtol=1e-9)
        assert_allclose(transfer[3], closed[0] - 0.8 * closed[1], rtol=1e-9)
    assert gr.linearize(cart(spatial), inputs=["motor"]).inputs == ("motor.torque",)


def test_sleigh_along_a_steady_motion() -> None:
    """Chaplygin's sleigh at speed u: s = -m a u/(J + m a²), and rates are fewer than coordinates."""
    sleigh, a, J = gr.load(EXAMPLES / "chaplygin-sleigh.toml"), 0.3, 0.05
    for u in (1.0, -0.7):
        linear = gr.linearize(sleigh, at={"x": 0.0, "y": 0.0, "phi": 0.0, "x_dot": u, "phi_dot": 0.0})
        assert len(linear.positions) == 3 and len(linear.rates) == 2
        assert linear.modes[-1] == pytest.approx(-a * u / (J + a**2), rel=EXACT)
        assert np.abs(linear.modes[:-1]).max() < 1e-7
        assert linear.unstable == (u < 0.0)


def test_rolling_disk_as_a_state_space() -> None:
    """s² = 4/5 (g/r - 3Ω²) among the eigenvalues of A, with 5 coordinates and 3 rates as states."""
    system, q, v = disk(20.0)
    linear = gr.derive(system).linearize(q, v)
    assert linear.A.shape == (8, 8)
    square = np.linalg.eigvals(linear.A)[np.abs(np.linalg.eigvals(linear.A)).argsort()[-2:]] ** 2
    assert_allclose(square, [0.8 * (G / 0.1 - 3.0 * 20.0**2)] * 2, rtol=1e-8)


def test_outputs_of_joints() -> None:
    """The angle of a hinge and the displacement of a slider by name: δx = -r δφ where the crank is upright."""
    crank = slider_crank(0.2, 0.7, np.pi / 2)
    linear = gr.linearize(gr.equilibrium(crank).scene, outputs=["main.angle", "bore.displacement", "crank.angle"])
    angle, displacement, own = linear.C[:, : len(linear.positions)]
    assert_allclose(angle, own, rtol=1e-9)
    assert np.abs(displacement).max() > 0.0
    linear = gr.linearize(pendulum_of_rods([1.0], [2.0], [-np.pi / 2]), outputs=["hinge-1.angle"])
    assert_allclose(linear.shapes[linear.coordinates.index("rod_1.angle"), 0]
                    / linear.shapes[linear.coordinates.index("rod_1.x"), 0], 2.0, rtol=EXACT)


def test_bricard_against_a_simulation() -> None:
    """One degree of freedom: the period of a swing of amplitude a differs by O(a²), here below 1e-4."""
    rest = gr.equilibrium(gr.load(EXAMPLES / "bricard.toml"))
    assert rest.stable and len(rest.linear.modes) == 2
    omega = float(rest.linear.frequencies[0])
    shown = rest.linear.mode_run(1, amplitude=3e-3, frames=4)
    run = gr.simulate(rest.scene.start_from(shown, 1), until=2.0 * np.pi / omega, interval=0.01, progress=False)
    y = run.position("rod-2")[:, 1] - rest["rod_2.y"]
    assert y[0] == pytest.approx(3e-3, rel=1e-2)
    k = np.flatnonzero(np.diff(np.sign(y)))
    crossings = run.t[k] - y[k] * 0.01 / (y[k + 1] - y[k])  # a sine is straight there: the error is (ω h)³
    assert np.pi / (crossings[1] - crossings[0]) == pytest.approx(omega, rel=1e-4)


def test_mode_run_shows_the_mode() -> None:
    """Links keep their length, and to first order in the amplitude bodies move along the shape; the rest is a²."""
    linear = gr.linearize(pendulum(0.3, 0.3), formulation="fundamental")
    k, a = linear.oscillation(0), 1e-4
    run = linear.mode_run(k, amplitude=a, frames=8)
    assert run.t[-1] == pytest.approx(2.0 * np.pi / linear.frequencies[0], rel=1e-12)
    shape = linear.shapes[linear.coordinates.index("bob_0.x"), k].real
    assert_allclose(run.position("bob-0")[:, 0], a * shape * np.sin(2 * np.pi * np.arange(9) / 8), atol=10 * a**2)
    assert run.constraint_errors.relative.max() < 1e-12 and not run.has.energy_balance


@pytest.mark.parametrize(("arguments", "names"), [
    ({"inputs": ["G"]}, ('"G"', "input")),
    ({"inputs": ["a"]}, ('input "a"', "constraint hold")),
    ({"outputs": ["z"]}, ('output "z"',)),
    ({"at": "rest"}, ('at = "rest"',)),
    ({"q": [0.0, 0.0], "at": {"x": 0.0}}, ("q", "at")),
])
def test_refusals(arguments: dict[str, object], names: tuple[str, ...]) -> None:
    system = System("x y", parameters={"a": 0.0}, kinetic="(x_dot**2 + y_dot**2)/2", potential="x**2",
                    constraints={"hold": "y - a*x = 0"})
    with refused(gr.GranumError, *names):
        gr.linearize(system, **{"at": {"x": 0.0, "y": 0.0}, **arguments})  # type: ignore[arg-type]


def test_command(tmp_path: Path) -> None:
    """From any start to the equilibrium, to its modes, to a run that shows one."""
    (tmp_path / "pendulum.toml").write_text(
        '[body.pivot]\nkind = "fixed-point"\nposition = [0.0, 0.0]\n[body.bob-1]\nkind = "point-mass"\nmass = 1.0\n'
        '[link.rod]\nbetween = ["pivot", "bob-1"]\n[load.gravity]\nkind = "gravity"\nacceleration = [0.0, -9.81]\n'
        "[start.bob-1]\nposition = [0.3, -0.4]\n")
    file, mode = str(tmp_path / "pendulum.toml"), str(tmp_path / "mode.h5")
    shown = granum("linearize", file, "--at", "equilibrium", "--matrices", "--mode", "1", "-o", mode, "--output",
                   "bob-1.x")
    assert shown.returncode == 0, shown.stderr
    assert "damping ratio" in shown.stdout and "C (outputs)" in shown.stdout
    says(shown.stdout.splitlines()[-1], mode)
    assert gr.open_run(mode).finished
    answer = json.loads(granum("linearize", file, "--at", "equilibrium", "--json").stdout)
    assert answer["mass"] == [[pytest.approx(1.0)]] and answer["stiffness"] == [[pytest.approx(G / 0.5)]]
    assert answer["states"] == ["bob_1.x", "bob_1.x_dot"]
    assert granum("linearize", file, "--at", "nowhere").returncode == 2
