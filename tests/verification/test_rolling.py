"""Rolling against models that share nothing with the engine: Newton and Euler by hand, and closed forms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk

import granum as gr
from granum.analytic import derive
from granum.analytic.events import LEAST_ROOM
from granum.base.errors import GranumError
from granum.validation.rolling_shell import orientation, rolling_shell
from messages import refused, says

Floats = NDArray[np.float64]
G = 9.81
DOWN = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))}


# --------------------------------------------------- the shell of Udwadia and Mogharabin (2022), by Newton and Euler

R_OUT, R_IN, HEAVY, LIGHT = 0.09, 0.08, 10490.0, 7874.0
MASS = 2 / 3 * math.pi * (R_OUT**3 - R_IN**3) * (HEAVY + LIGHT)
OFFSET = math.pi / 4 * (R_OUT**4 - R_IN**4) * (HEAVY - LIGHT) / MASS
ABOUT_O = 4 * math.pi / 15 * (R_OUT**5 - R_IN**5) * (HEAVY + LIGHT)
INERTIA = np.diag([ABOUT_O, ABOUT_O - MASS * OFFSET**2, ABOUT_O - MASS * OFFSET**2])
E3 = np.array([0.0, 0.0, 1.0])


def bump(h: float, k: float, s: float) -> tuple[float, float, float]:
    """Value, slope and curvature of h sin(k s) / (1 + s²) + 0.03 s²: one direction of the bowl (57)."""
    sin, cos, d = h * math.sin(k * s), h * math.cos(k * s), 1 + s * s
    return (sin / d + 0.03 * s * s,
            k * cos / d - 2 * s * sin / d**2 + 0.06 * s,
            -k * k * sin / d - 4 * s * k * cos / d**2 - 2 * sin / d**2 + 8 * s * s * sin / d**3 + 0.06)


@dataclass(frozen=True)
class Place:
    """The surface at a contact: point, normal, and n's change by x and by y."""

    P: Floats
    n: Floats
    change: Floats

    @staticmethod
    def at(x: float, y: float) -> Place:
        """The place above x and y."""
        (zx, sx, cx), (zy, sy, cy) = bump(0.04, 1.2 * math.sqrt(2) * math.pi, x), bump(0.05, 1.6 * math.pi, y)
        k = np.array([-sx, -sy, 1.0])
        size = np.linalg.norm(k)
        n = k / size
        change = np.array([[-cx, 0.0, 0.0], [0.0, -cy, 0.0]]) / size
        return Place(np.array([x, y, zx + zy]), n, change - np.outer(change @ n, n))


def rotation(u: Floats) -> Floats:
    a, b = u[0], u[1:]
    tilde = np.array([[0, -b[2], b[1]], [b[2], 0, -b[0]], [-b[1], b[0], 0]])
    return np.eye(3) + 2 * a * tilde + 2 * tilde @ tilde


def newton_euler(y: Floats, spinless: bool = False) -> tuple[Floats, Floats, Floats]:
    """From (x, y of P; quaternion; ω in inertial axes): its rates, the force on the shell, the torque against spin.

    Angular momentum about the mass centre, with the force F = m (a_C + g) at P eliminated:
    (I + m (d² - d dᵀ)) ω̇ = -ω × Iω - m d × (ω × r ṅ + ω × (ω × c) + g e₃) + τ n,  d = r n + c,  c = S ρ from O to C.
    """
    place, u, w = Place.at(y[0], y[1]), y[2:6] / np.linalg.norm(y[2:6]), y[6:9]
    n, S = place.n, rotation(u)
    c = S @ np.array([-OFFSET, 0.0, 0.0])
    d = R_OUT * n + c
    speed = np.cross(w, R_OUT * n)
    along = np.linalg.solve(np.eye(2) + R_OUT * place.change[:, :2].T, speed[:2])
    n_dot = along @ place.change
    J = S @ INERTIA @ S.T
    free = np.cross(w, R_OUT * n_dot) + np.cross(w, np.cross(w, c))
    left = np.zeros((4, 4))
    left[:3, :3] = J + MASS * (d @ d * np.eye(3) - np.outer(d, d))
    right = np.append(-np.cross(w, J @ w) - MASS * np.cross(d, free + G * E3), 0.0)
    left[3, 3] = 1.0
    if spinless:
        left[:3, 3], left[3, :3], left[3, 3], right[3] = -n, n, 0.0, -n_dot @ w
    *w_dot, torque = np.linalg.solve(left, right)
    force = MASS * (np.cross(w_dot, d) + free + G * E3)
    u_dot = 0.5 * np.append(-w @ u[1:], u[0] * w + np.cross(w, u[1:]))
    return np.concatenate([along, u_dot, w_dot]), force, torque * n


def start_of(contact: tuple[float, float], velocity: tuple[float, float], spin: float, u: Floats) -> Floats:
    n = Place.at(*contact).n
    speed = np.array([*velocity, -(n[:2] @ velocity) / n[2]])
    return np.concatenate([contact, u, np.cross(n, speed) / R_OUT + spin * n])


@pytest.mark.parametrize(("example", "case"), [(1, "A"), (1, "D"), (2, "B"), (3, "C")])
def test_shell_rolls_as_newton_and_euler_say(example: int, case: str) -> None:
    """Each is accurate to some 1e-12 in 400 steps, and a shift grows by ten in 5 s: 1e-8 m are left with room."""
    start = start_of((-1.5, -0.75), (1.5, 1.0), 3 * math.pi if example == 2 else 0.0, np.array(orientation(case)))
    by_hand = solve_ivp(lambda t, y: newton_euler(y, example == 3)[0], (0.0, 5.0), start, "DOP853", rtol=1e-12,
                        atol=1e-14).y[:, -1]
    run = gr.simulate(rolling_shell(example, case), until=5.0, interval=5.0, formulation="fundamental", tolerance=1e-12)
    found = np.array([run.coordinate("shell.contact.x")[-1], run.coordinate("shell.contact.y")[-1]])
    np.testing.assert_allclose(found, by_hand[:2], rtol=0, atol=1e-8)


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell"])
@pytest.mark.parametrize("example", [1, 3])
def test_reactions_in_random_states_are_those_of_newton_and_euler(example: int, formulation: str) -> None:
    random = np.random.default_rng(17)
    for _ in range(5):
        contact, velocity = tuple(random.uniform(-2, 2, 2).tolist()), tuple(random.uniform(-2, 2, 2).tolist())
        spin, u = 0.0 if example == 3 else float(random.uniform(-9, 9)), random.normal(size=4)
        u /= np.linalg.norm(u)
        scene = rolling_shell(example, "A").model_copy(update={"start": {"shell": gr.Start(
            contact=contact, velocity=velocity, spin=spin, orientation=tuple(u.tolist()))}})
        equations: Any = derive(scene, formulation)
        q, v = equations.start
        found = equations.reactions(q, v)
        _, force, torque = newton_euler(start_of(contact, velocity, spin, u), example == 3)
        size = np.linalg.norm(force)
        n = Place.at(*contact).n
        for k, axis in enumerate("xyz"):
            assert found[f"roll.force.{axis}"] == pytest.approx(force[k], abs=1e-9 * size)
            assert found[f"roll.torque.{axis}"] == pytest.approx(0.0, abs=1e-9 * size * R_OUT)
            if example == 3:
                assert found[f"spin.torque.{axis}"] == pytest.approx(torque[k], abs=1e-9 * size * R_OUT)
        assert found["roll.normal"] == pytest.approx(n @ force, abs=1e-9 * size)
        assert found["roll.friction"] == pytest.approx(np.linalg.norm(force - n @ force * n), abs=1e-9 * size)


def test_quasi_velocities_are_replaced_between_frames() -> None:
    """Without frames in between spins about body axes wear out: the body turns by some 60 rad in 3 s."""
    ends = [gr.simulate(rolling_shell(3, "A"), until=3.0, interval=3.0, formulation=formulation, tolerance=1e-13)
            .coordinate("shell.contact.x")[-1] for formulation in ("gibbs-appell", "fundamental")]
    assert ends[0] == pytest.approx(ends[1], abs=1e-10)


# ------------------------------------------------------------------ a homogeneous ball, in closed form

BALL = gr.Sphere(radius=0.1, mass=2.0)


def ball(surface: str, start: gr.Start, friction: float | None = None) -> gr.Scene:
    return gr.Scene(surface={"ground": gr.Surface(equation=surface)}, body={"ball": BALL}, load=DOWN,
                    constraint={"roll": gr.Rolling(body="ball", on="ground", friction=friction)}, start={"ball": start})


def roll(scene: gr.Scene, until: float, **settings: Any) -> gr.Run:
    return gr.simulate(scene, until=until, formulation="fundamental", tolerance=1e-12, **settings)


def test_ball_on_a_plane_keeps_its_velocity_and_spin() -> None:
    run = roll(ball("Z", gr.Start(contact=(0.0, 0.0), velocity=(1.2, -0.7), spin=5.0)), 3.0)
    np.testing.assert_allclose(run.coordinate("ball.contact.x"), 1.2 * run.t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.coordinate("ball.contact.y"), -0.7 * run.t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.reaction("roll").normal, 2.0 * G, rtol=1e-12)
    assert np.abs(run.reaction("roll").friction).max() < 1e-11


@pytest.mark.parametrize("slope", [0.1, 0.5, 1.2])
def test_ball_on_an_incline(slope: float) -> None:
    """Acceleration 5/7 g sin a; friction by normal force 2/7 tan a (Khang). Some 200 steps of 1e-12 are left."""
    run = roll(ball(f"Z + {math.tan(slope)!r}*X", gr.Start(contact=(0.0, 0.0), velocity=(0.0, 0.0))), 2.0, interval=0.1)
    way = run.coordinate("ball.contact.x") / math.cos(slope)
    np.testing.assert_allclose(way, 0.5 * 5 / 7 * G * math.sin(slope) * run.t**2, rtol=2e-10, atol=1e-12)
    assert run.minimum_friction("roll").value == pytest.approx(2 / 7 * math.tan(slope), rel=1e-10)


def trough(top: float) -> gr.Scene:
    """A ball that rolls from the lowest line of a cylinder (R = 1 m) up to an angle: 7/10 v² = g (R - r)(1 - cos)."""
    speed = math.sqrt(10 / 7 * G * 0.9 * (1.0 - math.cos(top)))
    return ball("1 - X**2 - Z**2", gr.Start(contact=(0.0, 0.0, -1.0), velocity=(speed, 0.0)))


RUBBED = {
    "body": {"base": gr.FixedPoint(position=(5, 0, 0)), "block": gr.RigidBody(mass=1.0, inertia=(1.0, 1.0, 1.0))},
    "constraint": {"rail": gr.Slider(between=("base", "block"), axis=(1, 0, 0))},
    "load": {"rub": gr.FormulaLoad(joint="rail", force="-5*displacement - 0.7*sign(rate)")},
    "start": {"block": gr.Start(position=(5, 0, 0), velocity=(1.0, 0.0, 0.0))},
}
"""A block beside it whose dry friction has modes, and events of them."""
STOPPED = {
    "body": {"block": gr.PointMass(mass=1.0)},
    "start": {"block": gr.Start(position=(5, 0, 0), velocity=(1.0, 0.0, 0.0))},
    "constraint": {"floor": gr.FormulaConstraint(formula="block.z"),
                   "rub": gr.FrictionConstraint(normal="floor", slip=("block.vx", "block.vy"), friction=0.2)},
}
"""A block that slides and sticks."""


@pytest.mark.parametrize(("formulation", "solver", "beside"), [
    ("fundamental", "dop853", {}), ("lagrange", "dop853", {}), ("gibbs-appell", "dop853", {}),
    ("virtual-work", "dop853", {}), ("fundamental", "radau", {}), ("fundamental", "dop853", RUBBED),
    ("gibbs-appell", "dop853", RUBBED), ("virtual-work", "dop853", STOPPED)])
def test_the_summary_has_the_friction_needed_between_frames(
    formulation: str, solver: str, beside: dict[str, dict[str, Any]],
) -> None:
    """Friction 2/7 m g sin a, normal force m g cos a + m v²/(R - r): most is needed where the ball turns, 2/7 tan a.

    It turns as a pendulum does, after a quarter of its period: K(sin a/2)/ω with ω² = 5/7 g/(R - r). Steps of 0.04 s,
    interpolated by a cubic, leave some 1e-5 of the friction; of the time, as friction hardly changes there, its root.
    """
    top, scene = 0.6, trough(0.6)
    scene = scene.model_copy(update={section: {**getattr(scene, section), **entries}
                                     for section, entries in beside.items()})
    run = gr.simulate(scene, until=1.0, interval=0.5, formulation=formulation, solver=solver, tolerance=1e-10)
    needed = run.summary["minimum_friction"]["roll"]
    assert needed["coefficient"] == pytest.approx(2 / 7 * math.tan(top), rel=1e-4)
    assert run.reaction("roll").needed_friction.max() < 0.98 * needed["coefficient"]
    assert needed["t"] == pytest.approx(ellipk(math.sin(top / 2) ** 2) / math.sqrt(5 / 7 * G / 0.9), abs=0.02)


def test_ball_on_a_steep_incline_slips_from_the_start() -> None:
    """It rolls iff 2/7 tan a is at most the coefficient of friction."""
    start, slope = gr.Start(contact=(0.0, 0.0), velocity=(0.0, 0.0)), 0.5
    needed = 2 / 7 * slope
    roll(ball(f"Z + {slope}*X", start, friction=1.001 * needed), 0.1)
    with refused(GranumError, "ball", f"{0.999 * needed:g}"):
        roll(ball(f"Z + {slope}*X", start, friction=0.999 * needed), 0.1)


RADIUS = 1.0


@pytest.mark.parametrize("angle", [1e-3, 0.5, 1.2])
def test_ball_in_a_bowl_is_a_pendulum(angle: float) -> None:
    """θ̈ = -5/7 g/(R - r) sin θ: the frequency of small swings, and K(sin² θ₀/2) for the others."""
    rate = math.sqrt(5 / 7 * G / (RADIUS - BALL.radius))
    half = 2.0 * ellipk(math.sin(angle / 2) ** 2) / rate
    x, z = RADIUS * math.sin(angle), RADIUS * (1.0 - math.cos(angle))
    bowl = f"{RADIUS}**2 - X**2 - Y**2 - (Z - {RADIUS})**2"
    run = roll(ball(bowl, gr.Start(contact=(x, 0.0, z), velocity=(0.0, 0.0))), half, interval=half / 2)
    assert run.coordinate("ball.contact.x")[1] == pytest.approx(0.0, abs=1e-10)
    assert run.coordinate("ball.contact.x")[2] == pytest.approx(-x, abs=1e-10)
    assert math.pi / rate == pytest.approx(half, rel=angle**2 / 12)  # K ≈ π/2 (1 + θ₀²/16)


HILL = f"X**2 + Y**2 + Z**2 - {RADIUS}**2"


def on_hill(angle: float) -> gr.Start:
    return gr.Start(contact=(RADIUS * math.sin(angle), 0.0, RADIUS * math.cos(angle)), velocity=(0.0, 0.0))


@pytest.mark.parametrize("angle", [0.02, 0.3])
def test_ball_leaves_a_hill_where_the_normal_force_vanishes(angle: float) -> None:
    """From rest at θ₀: m v²/(R + r) = m g cos θ and v² = 10/7 g (R + r)(cos θ₀ - cos θ), so cos θ = 10/17 cos θ₀."""
    run = roll(ball(HILL, on_hill(angle)), 10.0)
    assert run.event is not None and run.finished
    says(run.event, "ball")
    assert run.coordinate("ball.centre.z")[-1] / (RADIUS + BALL.radius) == pytest.approx(
        10 / 17 * math.cos(angle), abs=1e-8)


@pytest.mark.parametrize("friction", [0.2, 0.6])
def test_ball_slips_on_a_hill_where_friction_no_longer_holds_it(friction: float) -> None:
    """Friction 2/7 m g sin θ, normal force m g (17 cos θ - 10 cos θ₀)/7."""
    angle = 0.1
    expected = brentq(lambda a: 2 * math.sin(a) - friction * (17 * math.cos(a) - 10 * math.cos(angle)), angle, 1.5,
                      xtol=1e-14)
    run = roll(ball(HILL, on_hill(angle), friction=friction), 10.0)
    assert run.event is not None
    says(run.event, "ball", f"{friction:g}")
    found = math.atan2(run.coordinate("ball.contact.x")[-1], run.coordinate("ball.contact.z")[-1])
    assert found == pytest.approx(expected, abs=1e-8)


def test_ball_stops_where_a_trough_is_too_narrow_for_it() -> None:
    """Curvature κ = 2a/(1 + 4a²x²)^(3/2) of z = a x² leaves the room 1 - rκ at x = √((2ar/(1 - room))^(2/3) - 1)/2a."""
    a = 10.0
    narrow = math.sqrt((2 * a * BALL.radius / (1 - LEAST_ROOM)) ** (2 / 3) - 1) / (2 * a)
    run = roll(ball(f"Z - {a}*X**2", gr.Start(contact=(0.3, 0.0), velocity=(0.0, 0.0))), 5.0)
    assert run.event is not None
    says(run.event, "ball")
    assert run.coordinate("ball.contact.x")[-1] == pytest.approx(narrow, abs=1e-8)


@pytest.mark.parametrize("pit", ["Z - 10*X**2", "Z - 10*(X**2 + Y**2)"])
def test_ball_in_a_pit_that_is_too_narrow_from_the_start_is_refused(pit: str) -> None:
    """Too curved one way, or both ways: then the two factors 1 - r κ are negative and their product is not."""
    with refused(GranumError, "ball"):
        roll(ball(pit, gr.Start(contact=(0.0, 0.0), velocity=(0.0, 0.0))), 0.1)


def test_ball_stops_where_a_cup_is_too_narrow_for_it() -> None:
    """Curvatures of z = a ρ²: 2a/√(1 + 4a²ρ²) around the axis, 2a/√(1 + 4a²ρ²)³ along."""
    a = 6.0

    def room(x: float) -> float:
        slope = math.sqrt(1 + (2 * a * x) ** 2)
        return (1 - BALL.radius * 2 * a / slope) * (1 - BALL.radius * 2 * a / slope**3) - LEAST_ROOM

    narrow = brentq(room, math.sqrt((2 * a * BALL.radius) ** 2 - 1) / (2 * a), 0.3, xtol=1e-14)
    run = roll(ball(f"Z - {a}*(X**2 + Y**2)", gr.Start(contact=(0.3, 0.0), velocity=(0.0, 0.0))), 5.0)
    assert run.event is not None
    says(run.event, "ball")
    assert run.coordinate("ball.contact.x")[-1] == pytest.approx(narrow, abs=1e-8)


@pytest.mark.parametrize("formulation", ["lagrange", "virtual-work", "gibbs-appell"])
def test_every_formulation_ends_where_the_ball_leaves_the_hill(formulation: str) -> None:
    """gibbs-appell has no multipliers of its own to watch on the way."""
    run = gr.simulate(ball(HILL, on_hill(0.3)), until=2.0, formulation=formulation, tolerance=1e-12)
    assert run.coordinate("ball.centre.z")[-1] / (RADIUS + BALL.radius) == pytest.approx(
        10 / 17 * math.cos(0.3), abs=1e-8)
    slips = gr.simulate(ball(HILL, on_hill(0.3), friction=0.2), until=2.0, interval=0.05, formulation=formulation)
    assert slips.event is not None
    says(slips.event, "ball", "0.2")
