"""Coulomb friction as a variational inequality (Souchet, corrected): what sticks and slides, and when that changes."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from granum.algebra import number, symbols
from granum.algebra.expression import ZERO
from granum.analytic.build import build
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Body, Friction
from granum.analytic.virtual_work import VirtualWork
from granum.base.errors import GranumError
from granum.integrate.friction import FrictionMotion
from granum.rows.symbolic import Constraint
from granum.validation.wheel import RADIUS, Throw, motion, phases, read, wheel
from messages import refused

RANDOM = np.random.default_rng(404)
G = 9.81


def changes(moving: FrictionMotion) -> list[tuple[str, str]]:
    return [(change.before, change.after) for change in moving.transitions]


def holds(equations: VirtualWork, q: np.ndarray, v: np.ndarray) -> None:
    """T·(w - u) + k|N| (|w| - |u|) ≥ 0 for all w; with no slip yet, the same for the slip that begins."""
    for touch, friction in zip(equations.touches(q, v), equations.system.frictions, strict=True):
        slack = 1e-12 * (1.0 + abs(touch.normal))
        for u in (touch.slip, touch.change) if np.linalg.norm(touch.slip) < 1e-9 else (touch.slip,):
            for w in RANDOM.normal(size=(200, len(u))) * np.exp(RANDOM.normal(size=(200, 1))):
                gap = touch.force @ (w - u) + friction.coefficient * abs(touch.normal) * (
                    np.linalg.norm(w) - np.linalg.norm(u))
                assert gap >= -slack * (np.linalg.norm(w) + np.linalg.norm(u))


# ---- the wheel

def throws() -> list[Throw]:
    """Slopes up and down, spin of either sense, and starts without slip."""
    found = [Throw(float(a), float(k), float(v), float(w)) for a, k, v, w in zip(
        RANDOM.uniform(-60, 60, 12), RANDOM.uniform(0.05, 0.6, 12), RANDOM.normal(0, 2, 12), RANDOM.normal(0, 3, 12),
        strict=True)]
    return [*found, Throw(25, 0.1, 1.5, -1.5), Throw(25, 0.4, 1.5, -1.5), Throw(-30, 0.05, 0, 0)]


@pytest.mark.parametrize("throw", throws(), ids=lambda throw: throw.label)
def test_thrown_wheels_follow_the_closed_form(throw: Throw) -> None:
    """Rolls if tan a ≤ 3 k, else slides; on slopes that fall the other way it slides up its x axis."""
    up = throw if throw.angle >= 0 else Throw(-throw.angle, throw.friction, -throw.speed, -throw.angular_velocity)
    sign = 1.0 if throw.angle >= 0 else -1.0
    expected, moving = phases(up), motion(throw)
    moving.advance(2.0)
    while expected[-1].begin > 2.0:
        expected.pop()
    assert_allclose(read(moving), sign * np.array(expected[-1].at(2.0)), rtol=0, atol=1e-10)
    assert_allclose([change.time for change in moving.transitions], [phase.begin for phase in expected[1:]], atol=1e-10)
    holds(moving.equations, *moving.state)


@pytest.mark.parametrize(("angle", "name"), [(math.degrees(math.atan(0.9)) - 1e-6, "sticks"),
                                             (math.degrees(math.atan(0.9)) + 1e-6, "slides")])
def test_the_limit_of_rolling_is_sharp(angle: float, name: str) -> None:
    assert motion(Throw(angle, 0.3, 0, 0)).modes[0].name == name


def test_a_bilateral_contact_may_pull() -> None:
    """On the under side, a = 130°, N = m g cos a is negative, and friction k|N| still drags against the slip."""
    throw = Throw(130, 0.2, 3, 1)
    moving = motion(throw)
    a, drag = math.radians(130), 0.2 * G * abs(math.cos(math.radians(130)))
    touch = moving.equations.touches(*moving.state)[0]
    assert touch.normal == pytest.approx(G * math.cos(a))
    assert touch.force == pytest.approx([-drag])
    holds(moving.equations, *moving.state)
    moving.advance(0.2)  # v + r ω falls from 4 by g (sin a + 3 k |cos a|) t
    assert read(moving)[1] == pytest.approx(3 - 0.2 * (G * math.sin(a) + drag), abs=1e-11)
    assert read(moving)[2] == pytest.approx(1 - 0.2 * 2 * drag / RADIUS, abs=1e-11)


def test_accelerations_by_both_roads_agree() -> None:
    """Least squares over virtual displacements against the compiled elimination, with slip of either sense."""
    for throw in throws():
        moving = motion(throw)
        other = VirtualWork(build(wheel(throw)).system)
        assert_allclose(other.accelerations(*moving.state), _rates(moving)[4:8], rtol=0, atol=1e-11)


def _rates(moving: FrictionMotion) -> np.ndarray:
    import ctypes

    dy = np.zeros(len(moving.y))
    pointer = ctypes.POINTER(ctypes.c_double)
    moving.equations.modes = moving.modes
    moving.equations.rates.ctypes(0.0, *(array.ctypes.data_as(pointer) for array in (
        moving.y, dy, moving.equations.block)))
    return dy


# ---- a block on a plane

def block(coefficient: float, slope: float = 0.0, forces: dict[str, str] | None = None) -> System:
    """A mass of 2 kg at (x, y) of a plane that falls towards +x, slip in two components."""
    x, y, z, x_dot, y_dot = symbols("x y z x_dot y_dot")
    a = math.radians(slope)
    return System(
        "x y z", bodies=[Body("block", number(2.0), (x, y, z))], forces=forces or {},
        potential=2.0 * G * (z * math.cos(a) - x * math.sin(a)), constraints=[Constraint("floor", (z,))],
        frictions=[Friction("ground", ("floor", 0), (x_dot, y_dot), coefficient)])


def test_a_block_stops_after_v_over_kg() -> None:
    equations = VirtualWork(block(0.3), (np.zeros(3), np.array([3.0, -4.0, 0.0])))
    moving = FrictionMotion(equations)
    holds(equations, *moving.state)
    moving.advance(3.0)
    assert changes(moving) == [("slides", "sticks")]
    # the event is at a slip of 1e-9 m/s, some 3e-10 s before; what is missing is second order in that
    assert moving.transitions[0].time == pytest.approx(5.0 / (0.3 * G), abs=1e-9)
    assert_allclose(moving.y[:2], 25.0 / (2 * 0.3 * G) * np.array([0.6, -0.8]), atol=1e-10)
    assert_allclose(moving.y[3:5], 0.0, atol=1e-13)


@pytest.mark.parametrize("coefficient", [0.45, 0.25])
def test_a_block_thrown_across_a_slope_curves_down(coefficient: float) -> None:
    """Against SciPy; with tan 20° = 0.364 < k it comes to rest, else it goes on sliding down."""
    moving = FrictionMotion(VirtualWork(block(coefficient, 20.0), (np.zeros(3), np.array([-0.5, 2.0, 0.0]))))
    a = math.radians(20.0)

    def rates(t: float, y: np.ndarray) -> list[float]:
        speed = math.hypot(y[2], y[3])
        drag = coefficient * G * math.cos(a) / speed
        return [y[2], y[3], G * math.sin(a) - drag * y[2], -drag * y[3]]

    def slow(t: float, y: np.ndarray) -> float:
        return math.hypot(y[2], y[3]) - 1e-6

    slow.terminal = True  # type: ignore[attr-defined]
    truth = solve_ivp(rates, (0.0, 1.5), [0.0, 0.0, -0.5, 2.0], "DOP853", rtol=1e-12, atol=1e-13, events=slow)
    moving.advance(1.5)
    if coefficient > math.tan(a):
        assert changes(moving) == [("slides", "sticks")]
        assert moving.transitions[0].time == pytest.approx(truth.t[-1], abs=2e-6)
        assert_allclose(moving.y[3:5], 0.0, atol=1e-13)
    else:
        assert not moving.transitions
        assert_allclose(moving.y[3:5], truth.y[2:, -1], atol=1e-10)
    assert_allclose(moving.y[:2], truth.y[:2, -1], atol=1e-10)


def test_a_force_that_grows_breaks_a_block_loose() -> None:
    """F = 6 t along (3, 4)/5 exceeds k m g at t₀, and then m v = 3 (t - t₀)²."""
    system = block(0.4, 0.0, {"x": "6*t*0.6", "y": "6*t*0.8"})
    moving = FrictionMotion(VirtualWork(system, (np.zeros(3), np.zeros(3))))
    moving.advance(2.0)
    begin = 0.4 * 2.0 * G / 6.0
    assert changes(moving) == [("sticks", "slides")]
    assert moving.transitions[0].time == pytest.approx(begin, abs=1e-9)
    assert_allclose(moving.y[3:5], 1.5 * (2.0 - begin) ** 2 * np.array([0.6, 0.8]), atol=1e-10)
    assert_allclose(moving.y[:2], 0.5 * (2.0 - begin) ** 3 * np.array([0.6, 0.8]), atol=1e-10)


def test_slip_begins_where_it_will_go() -> None:
    """A block with a hanging mass on one axis: different inertia along x and y, so u̇ is not along the force needed."""
    x, y, z, x_dot, y_dot = symbols("x y z x_dot y_dot")
    system = System(
        "x y z", bodies=[Body("block", number(1.0), (x, y, z)), Body("rider", number(3.0), (x, ZERO, ZERO))],
        potential=G * z, forces={"x": 9.0, "y": 4.0}, constraints=[Constraint("floor", (z,))],
        frictions=[Friction("ground", ("floor", 0), (x_dot, y_dot), 0.3)])
    equations = VirtualWork(system, (np.zeros(3), np.zeros(3)))
    touch = equations.touches(*equations.start)[0]
    d = np.array(touch.mode.direction)
    assert_allclose(touch.change, np.linalg.norm(touch.change) * d, atol=1e-10)
    assert_allclose(touch.force, -0.3 * G * d, atol=1e-12)
    # m u̇ = F + T, written without the equations of motion
    assert_allclose(np.array([4.0, 1.0]) * touch.change, np.array([9.0, 4.0]) + touch.force, atol=1e-10)
    assert abs(d[0] * 4.0 - d[1] * 9.0) > 0.1
    holds(equations, *equations.start)


# ---- oscillations, several frictions, opening contacts

def test_a_dragged_spring_loses_the_same_at_every_turn() -> None:
    """With m ẍ = -c x ∓ k m g from x = 1: turns at 1 - 2 d n, d = k m g/c, every π/ω, until |x| ≤ d."""
    x, z, x_dot = symbols("x z x_dot")
    c, k = 50.0, 0.35
    system = System(
        "x z", bodies=[Body("block", number(2.0), (x, ZERO, z))], potential=2.0 * G * z + 0.5 * c * x * x,
        constraints=[Constraint("floor", (z,))], frictions=[Friction("ground", ("floor", 0), (x_dot,), k)])
    moving = FrictionMotion(VirtualWork(system, (np.array([1.0, 0.0]), np.zeros(2))))
    moving.advance(10.0)
    d, half = k * 2.0 * G / c, math.pi / math.sqrt(c / 2.0)
    turns = next(n for n in range(100) if abs(1.0 - 2 * d * n) <= d)
    assert changes(moving) == [("slides", "slides")] * (turns - 1) + [("slides", "sticks")]
    assert_allclose([change.time for change in moving.transitions], half * np.arange(1, turns + 1), atol=1e-10)
    assert moving.y[0] == pytest.approx((-1.0) ** turns * (1.0 - 2 * d * turns), abs=1e-10)
    assert abs(moving.y[2]) < 1e-13  # rounding of speeds of 5 m/s is 1e-15 m/s; it sticks, so nothing adds up


@pytest.mark.parametrize(("pull", "modes"), [
    (10.0, ["sticks", "sticks"]),    # below 0.3 · 5 kg · g = 14.7 N nothing moves
    (20.0, ["slides", "sticks"]),    # both slide together: (20 - 14.7)/5 < 0.4 g
    (45.0, ["slides", "slides"]),    # 45 - 14.7 > 5 · 0.4 g: the lower one is pulled from under the upper
])
def test_two_blocks_on_each_other(pull: float, modes: list[str]) -> None:
    x, z, s, h, x_dot, s_dot = symbols("x z s h x_dot s_dot")
    system = System(
        "x z s h", bodies=[Body("lower", number(3.0), (x, ZERO, z)), Body("upper", number(2.0), (s, ZERO, h))],
        potential=G * (3.0 * z + 2.0 * h), forces={"x": pull},
        constraints=[Constraint("floor", (z,)), Constraint("top", (h - z,))],
        frictions=[Friction("ground", ("floor", 0), (x_dot,), 0.3),
                   Friction("between", ("top", 0), (s_dot - x_dot,), 0.4)])
    equations = VirtualWork(system, (np.zeros(4), np.zeros(4)))
    assert [touch.mode.name for touch in equations.touches(*equations.start)] == modes
    a = equations.accelerations(*equations.start)
    ground = 0.3 * 5.0 * G
    expected = {10.0: (0.0, 0.0), 20.0: ((20.0 - ground) / 5.0,) * 2,
                45.0: ((45.0 - ground - 0.4 * 2.0 * G) / 3.0, 0.4 * G)}[pull]
    assert_allclose(a[[0, 2]], expected, atol=1e-11)
    holds(equations, *equations.start)


@pytest.mark.parametrize("coefficient", [0.0, 0.2])
def test_a_mass_leaves_the_ball_it_slides_on(coefficient: float) -> None:
    """Smooth: cos θ = (2 + v²/(g R))/3 by energy; rough: d(v²)/dθ = 2 R g sin θ - 2 k (g R cos θ - v²) in SciPy."""
    x, z, x_dot, z_dot = symbols("x z x_dot z_dot")
    R, speed = 1.5, 2.0
    system = System(
        "x z", bodies=[Body("mass", number(0.7), (x, ZERO, z))], potential=0.7 * G * z,
        constraints=[Constraint("ball", ((x * x + z * z - R * R) / (2 * R),))],
        frictions=[Friction("rub", ("ball", 0), ((z * x_dot - x * z_dot) / R,), coefficient)])
    moving = FrictionMotion(VirtualWork(system, (np.array([0.0, R]), np.array([speed, 0.0]))))
    moving.advance(5.0)
    assert moving.left == "rub" and changes(moving) == [("slides", "leaves")] and moving.t < 5.0

    def rates(angle: float, square: np.ndarray) -> np.ndarray:
        return 2 * R * G * math.sin(angle) - 2 * coefficient * (G * R * math.cos(angle) - square)

    def pressing(angle: float, square: np.ndarray) -> float:
        return float(G * R * math.cos(angle) - square[0])

    pressing.terminal = True  # type: ignore[attr-defined]
    truth = solve_ivp(rates, (0.0, 1.5), [speed**2], "DOP853", rtol=1e-12, atol=1e-12, events=pressing, max_step=0.02)
    if coefficient == 0.0:
        assert math.cos(truth.t[-1]) == pytest.approx((2.0 + speed**2 / (G * R)) / 3.0, abs=1e-11)
    assert math.atan2(moving.y[0], moving.y[1]) == pytest.approx(truth.t[-1], abs=1e-10)
    before = moving.t
    assert moving.advance(6.0) == [] and moving.t == before


def test_contacts_that_would_pull_are_refused() -> None:
    equations = VirtualWork(block(0.3, 120.0), (np.zeros(3), np.zeros(3)))
    with refused(GranumError, '"ground"'):
        FrictionMotion(equations)


def test_frictions_that_make_no_sense_are_refused() -> None:
    x, z, x_dot = symbols("x z x_dot")
    for friction, names in ((Friction("rub", ("roof", 0), (x_dot,), 0.3), ("row 0", '"roof"')),
                            (Friction("rub", ("floor", 0), (x_dot,), -0.3), ("coefficient",)),
                            (Friction("rub", ("floor", 0), (x_dot,) * 3, 0.3), ("one or two",))):
        system = System("x z", bodies=[Body("b", number(1.0), (x, ZERO, z))], potential=G * z,
                        constraints=[Constraint("floor", (z,))], frictions=[friction])
        with refused(GranumError, '"rub"', *names):
            VirtualWork(system).touches(np.zeros(2), np.zeros(2))
