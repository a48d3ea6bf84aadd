"""The gallery of systems: each against closed forms, its conserved quantities, and all formulations for formulas."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import granum as gr
from granum.analytic.build import build

EXAMPLES = Path(__file__).parents[2] / "examples"
FORMULAS = ("chaplygin-sleigh", "rolling-disk", "rattleback", "spherical-pendulum", "andrews-squeezer", "four-bar",
            "overclosed")
G = 9.81


@cache
def bennett() -> dict[str, Any]:
    """The names of the Python example."""
    return runpy.run_path(str(EXAMPLES / "bennett.py"))


def scene(name: str, **start: float) -> gr.Scene:
    """A scene of the gallery, started as it says except for what is given here."""
    if name == "bennett":
        found: gr.Scene = bennett()["scene"]()
        return found
    loaded = gr.load(EXAMPLES / f"{name}.toml")
    system = loaded.system.model_copy(update={"start": {**loaded.system.start, **start}})
    return loaded.model_copy(update={"system": system})


@cache
def run(name: str, formulation: str = "fundamental") -> gr.Run:
    """A run of the gallery as it stands."""
    return gr.simulate(scene(name), formulation=formulation)


def states(name: str, count: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random states that meet all constraints: near the start, or on the way at other speeds.

    Between redundant rows there is no nearest state to go to, so linkages that have them are caught on their way.
    """
    random = np.random.default_rng(5)
    if name in ("overclosed", "bennett"):
        made = run(name)
        return [(made.coordinates[k], made.rates[k] * random.normal())
                for k in random.integers(len(made.t), size=count)]
    system = build(scene(name)).system
    q, v = gr.derive(scene(name)).start
    names = [*system.coordinates, *(s.name for s in system.v)]
    found = []
    for _ in range(count):
        aside = np.concatenate([0.03 * np.abs(q).max() * random.normal(size=len(q)), random.normal(size=len(v))])
        guess = np.concatenate([q, v]) + aside
        found.append(gr.analytic.consistent(system, {}, guess=dict(zip(names, guess.tolist(), strict=True))))
    return found


@pytest.mark.parametrize("name", [*FORMULAS, "bennett"])
def test_formulations_agree(name: str) -> None:
    """Three roads to q̈ in random states that meet the constraints: elimination, multipliers, quasi-velocities."""
    subject = scene(name)
    roads = [gr.derive(subject, formulation=f) for f in ("fundamental", "lagrange", "gibbs-appell")]
    for q, v in states(name):
        expected, *others = (equations.accelerations(q, v) for equations in roads)
        for found in others:
            assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell"])
@pytest.mark.parametrize("name", [*FORMULAS, "bennett"])
def test_energy_and_constraints_are_kept(name: str, formulation: str) -> None:
    """Energy to 1e-10 of its scale over the whole run; constraints to rounding, or to what quasi-velocities leave."""
    made = run(name, formulation)
    assert made.finished
    assert made.energy_error < 1e-10
    speed = max(1.0, float(np.abs(made.rates).max()))
    assert made.constraint_errors.relative.max() < 1e-9
    assert made.constraint_errors.rate.max() < 1e-11 * speed


# ---- rattleback


def test_rattleback_turns_back_one_way_only() -> None:
    """Spun clockwise it reverses within 4 s; the other way it goes on for more than 10 s (Kane and Levinson 1982)."""
    wrong = run("rattleback").rate("psi")
    right = gr.simulate(scene("rattleback", psi_dot=5.0), until=10.0).rate("psi")
    t = run("rattleback").t
    assert wrong[0] == -5.0 and wrong[t > 4.0][0] > 1.0 and wrong.max() > 4.5
    assert right[0] == 5.0 and right.min() > 1.0


def test_rattleback_contact_stands_still() -> None:
    """No slip, v + ω × p = 0, with ω from the rotation matrices of two states and p from the ellipsoid's normal."""
    subject = scene("rattleback").system.parameters
    half, h = np.array([subject[k] for k in "abc"]), subject["h"]
    for q, v in states("rattleback"):
        R, height = _pose(q, half, h)
        step = 1e-5
        (R1, z1), (R2, z2) = (_pose(q + c * step * v, half, h) for c in (-1, 1))
        rate = (R2 - R1) / (2 * step)
        k = R[2]
        contact = -half**2 * k / np.linalg.norm(half * k) + np.array([0.0, 0.0, h])
        velocity = np.array([v[0], v[1], (z2 - z1) / (2 * step)])
        # lengths of 0.1 m in some ten operations: 1e-16, and 100 for another sine and another order
        assert height + R[2] @ contact == pytest.approx(0.0, abs=1e-14)
        assert np.abs(velocity + rate @ contact).max() < 1e-7 * np.abs(v).max()


def _pose(q: np.ndarray, half: np.ndarray, h: float) -> tuple[np.ndarray, float]:
    """Rotation Rz(ψ) Rx(α) Ry(β), and the height at which the lowest point of the ellipsoid touches."""
    (cz, cx, cy), (sz, sx, sy) = np.cos(q[2:]), np.sin(q[2:])
    Rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    Rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    Ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    R = Rz @ Rx @ Ry
    return R, float(np.linalg.norm(half * R[2]) - h * R[2, 2])


# ---- Chaplygin sleigh


def test_sleigh_follows_its_closed_form() -> None:
    """With u = U tanh(k U t + c), ω = √(m/I) U sech(k U t + c), k = m a / I, I = J + m a²."""
    made = run("chaplygin-sleigh")
    m, a, J = (made.scene.system.parameters[k] for k in "maJ")
    moment = J + m * a**2
    phi, turning = made.coordinate("phi"), made.rate("phi")
    speed = made.rate("x") * np.cos(phi) + made.rate("y") * np.sin(phi)
    U = np.sqrt(speed[0] ** 2 + moment / m * turning[0] ** 2)
    argument = m * a / moment * U * made.t + np.arctanh(speed[0] / U)
    assert np.abs(speed - U * np.tanh(argument)).max() < 1e-9
    assert np.abs(turning - np.sqrt(m / moment) * U / np.cosh(argument)).max() < 1e-9
    # it ends straight ahead at the speed of its energy, turned by π √(I/m) / a in all
    assert speed[-1] == pytest.approx(U, rel=1e-3)
    rest = 2 * np.sqrt(moment / m) / a * np.arctan(np.exp(-argument[-1]))
    before = 2 * np.sqrt(moment / m) / a * np.arctan(np.exp(argument[0]))
    assert before + phi[-1] - phi[0] + rest == pytest.approx(np.pi * np.sqrt(moment / m) / a, rel=1e-9)


# ---- rolling disk


def test_disk_rolls_in_circles() -> None:
    """Steady: ¼ p² sin θ cos θ - 3/2 p Ω cos θ = g/r sin θ, and the centre goes round a circle of radius r Ω / p."""
    r, lean, p = 0.1, 0.4, 3.0
    spin = (p**2 * np.sin(lean) * np.cos(lean) / 4 - G / r * np.sin(lean)) / (1.5 * p * np.cos(lean))
    steady = scene("rolling-disk", theta=lean, psi_dot=p, phi_dot=spin - p * np.sin(lean))
    made = gr.simulate(steady, until=2 * np.pi / p)
    assert np.abs(made.coordinate("theta") - lean).max() < 1e-9
    radius = r * spin / p
    path = np.column_stack([made.coordinate("x"), made.coordinate("y") - radius])
    assert np.abs(np.linalg.norm(path, axis=1) - abs(radius)).max() < 1e-9


@pytest.mark.parametrize("part", [0.5, 0.9, 1.1, 2.0])
def test_disk_stays_upright_above_the_critical_speed(part: float) -> None:
    """Small leans grow as e^{st}, s² = (g/r - 3 Ω²) · 4/5: stable from Ω² = g/(3r) on."""
    r, critical = 0.1, np.sqrt(G / 0.3)
    equations = gr.derive(scene("rolling-disk"))
    system = build(scene("rolling-disk")).system
    q, v = gr.analytic.consistent(system, {
        "x": 0.0, "y": 0.0, "psi": 0.0, "theta": 0.0, "phi": 0.0, "psi_dot": 0.0, "theta_dot": 0.0,
        "phi_dot": part * critical})
    modes = np.linalg.eigvals(equations.linearize(q, v).matrix)
    expected = 0.8 * (G / r - 3 * (part * critical) ** 2)
    found = modes[np.abs(modes).argmax()]
    assert found**2 == pytest.approx(expected, rel=1e-5)
    assert (modes.real.max() > 0.1) == (part < 1.0)


# ---- spherical pendulum


def pendulum(lean: float, turning: float) -> gr.Scene:
    """The spherical pendulum at an angle from the vertical, turning about it, without spin about its own axis."""
    loaded = scene("spherical-pendulum")
    axis = np.array([-np.sin(lean), 0.0, np.cos(lean)])
    along = turning * (np.array([0.0, 0.0, 1.0]) - axis[2] * axis)
    start = gr.Start(position=tuple(-0.5 * axis), orientation=(np.cos(lean / 2), 0.0, -np.sin(lean / 2), 0.0),
                     angular_velocity=tuple(along))
    return loaded.model_copy(update={"start": {"rod": start}})


def two_angles() -> gr.analytic.System:
    """The same pendulum in two angles: about the pivot it has the moment I + m l² across."""
    return gr.analytic.System(
        "theta phi", parameters={"I": 0.06 + 2.0 * 0.25, "m": 2.0, "l": 0.5, "g": G},
        kinetic="I/2*(theta_dot**2 + (phi_dot*sin(theta))**2)", potential="-m*g*l*cos(theta)")


def test_pendulum_agrees_with_two_angles() -> None:
    """A quaternion with a ball joint and two angles: the same path to 1e-9."""
    made = run("spherical-pendulum")
    lean, push = np.pi / 3, float(np.hypot(0.9, 0.5196152422706632))
    other = gr.simulate(two_angles(), until=10.0, tolerance=1e-12, start={
        "theta": lean, "phi": 0.0, "theta_dot": 0.0, "phi_dot": push / np.sin(lean)})
    theta, phi = other.coordinate("theta"), other.coordinate("phi")
    path = 0.5 * np.column_stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), -np.cos(theta)])
    assert np.abs(made.position("rod") - path).max() < 1e-9


def test_pendulum_keeps_its_vertical_momentum() -> None:
    """It is m (r × v)_z + (R I ω)_z; the rod has no spin about its axis, so that R I ω = I n × ṅ."""
    made = run("spherical-pendulum")
    r, v = made.position("rod"), made.velocity("rod")
    momentum = (2.0 + 0.06 / 0.25) * np.cross(r, v)[:, 2]
    assert np.abs(momentum - momentum[0]).max() < 1e-10 * abs(momentum[0])


def test_pendulum_small_and_conical() -> None:
    """ω² = m g l / (I + m l²) for small swings; going round at an angle θ, Ω² cos θ = ω²."""
    square = 2.0 * G * 0.5 / 0.56
    hanging = pendulum(0.0, 0.0)
    equations = gr.derive(hanging)
    assert equations.linearize(*equations.start).frequencies == pytest.approx([np.sqrt(square)] * 2, rel=1e-8)
    lean = 0.7
    around = np.sqrt(square / np.cos(lean))
    made = gr.simulate(pendulum(lean, around), until=2 * np.pi / around)
    assert np.abs(made.position("rod")[:, 2] + 0.5 * np.cos(lean)).max() < 1e-9
    assert np.abs(made.position("rod")[-1] - made.position("rod")[0]).max() < 1e-9


# ---- Andrews' squeezer


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell"])
def test_squeezer_reaches_the_reference(formulation: str) -> None:
    """All seven angles at 0.03 s (Test Set for IVP Solvers), to 1e-9 relative."""
    expected = np.array([15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                         0.5244099658805304, 0.5347301163226948, 1.048080741042263])
    assert run("andrews-squeezer", formulation).coordinates[-1] == pytest.approx(expected, rel=1e-9)


# ---- planar and spatial linkages


def test_four_bar_meets_freudenstein() -> None:
    """Crank and rocker: d/a cos ψ - d/c cos θ + (a² - b² + c² + d²)/(2 a c) = cos(θ - ψ); it goes round."""
    made = run("four-bar")
    a, b, c, d = (made.scene.system.parameters[k] for k in "abcd")
    theta, psi = made.coordinate("theta"), made.coordinate("psi")
    left = -d / c * np.cos(theta) + d / a * np.cos(psi) + (a * a - b * b + c * c + d * d) / (2 * a * c)
    assert np.abs(left - np.cos(theta - psi)).max() < 1e-12
    assert theta[-1] > 6 * np.pi and np.ptp(psi) < np.pi / 2


def test_overclosed_swings_as_a_pendulum() -> None:
    """The beam stays level and swings on a circle, period 4 √(l/g) K(sin 30°), with a redundant row."""
    period = 4 * np.sqrt(0.6 / G) * ellipk(np.sin(np.pi / 6) ** 2)
    made = gr.simulate(scene("overclosed"), until=period)
    assert np.abs(made.coordinates[-1] - made.coordinates[0]).max() < 1e-9
    assert np.abs(made.coordinate("phi")).max() < 1e-12
    equations = gr.derive(scene("overclosed"))
    A = equations.constraint_rows(*equations.start)
    assert A.shape == (3, 3) and np.linalg.matrix_rank(A, 1e-9) == 2
    # what three cranks carry together is known, though not what each does
    assert sum(equations.reactions(*equations.start).values()) == pytest.approx(-3.0 * G * np.cos(np.pi / 3), rel=1e-12)


def test_bennett_moves_though_it_is_counted_out() -> None:
    """tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2) / sin((β-α)/2) all the way; 20 of 23 rows are independent."""
    example, made = bennett(), run("bennett")
    equations = gr.derive(scene("bennett"))
    A = equations.constraint_rows(*equations.start)
    assert A.shape == (23, 21) and np.linalg.matrix_rank(A, 1e-9) == 20
    lengths = [example[k] for k in ("SHORT", "LONG", "SHORT", "LONG")]
    before = example["corners"](made, 0)[1]
    reached = []
    for frame in range(0, len(made.t), 10):
        corners = example["corners"](made, frame)
        assert np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) == pytest.approx(lengths, rel=1e-9)
        arm = corners[1]
        theta = 1.0 + np.arctan2(before[0] * arm[1] - before[1] * arm[0], before @ arm)
        expected = np.array([place[:3, 3] for place in example["hinges"](theta)[:4]])
        assert np.abs(corners - expected).max() < 1e-8
        reached.append(theta % (2 * np.pi))
    assert np.ptp(reached) > 5.0
