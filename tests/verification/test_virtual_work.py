"""The virtual work principle (Souchet): compatibility, agreement with other formulations, divided bodies."""

from functools import cache

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

from granum.algebra import number, symbols
from granum.algebra.expression import ZERO
from granum.analytic.build import Built, build
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Body
from granum.analytic.fundamental import Fundamental
from granum.analytic.gibbs_appell import GibbsAppell
from granum.analytic.sections import Part, divide, part, section_loads
from granum.analytic.starts import consistent
from granum.analytic.virtual_work import VirtualWork
from granum.base.errors import GranumError
from granum.integrate.friction import FrictionMotion
from granum.model.scene import Scene
from granum.validation.wheel import THROWS, wheel
from messages import refused

RANDOM = np.random.default_rng(4)
INERTIA = [[2.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 2.5]]
FREE = {
    "body": {"top": {"kind": "rigid-body", "mass": 1.7, "inertia": INERTIA}}, "start": {"top": {"position": [0.0] * 3}},
    "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
}
JOINED = {
    "body": {"one": {"kind": "rigid-body", "mass": 1.7, "inertia": INERTIA, "points": {"end": [0.4, 0.1, -0.3]}},
             "two": {"kind": "rigid-body", "mass": 0.6, "inertia": [0.2, 0.3, 0.25],
                     "points": {"end": [-0.2, 0.5, 0.1]}},
             "nail": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]}},
    "constraint": {"joint": {"kind": "ball-joint", "between": ["one.end", "two.end"]},
                   "hook": {"kind": "ball-joint", "between": ["nail", "one"]}},
    "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
}
ROLLING = {
    "surface": {"bowl": {"equation": "Z - 0.1*X**2 - 0.07*Y**2 + 0.02*sin(2*X*Y)"}},
    "body": {"ball": {"kind": "two-half-shell", "radius": 0.09, "inner_radius": 0.08,
                      "density": [10490.0, 7874.0]}},
    "constraint": {"roll": {"kind": "rolling", "body": "ball", "on": "bowl"}},
    "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
}


@cache
def built(name: str) -> Built:
    return build(Scene.model_validate({"free": FREE, "joined": JOINED, "rolling": ROLLING}[name]))


def random_state(system: System) -> tuple[np.ndarray, np.ndarray]:
    """A state that meets all constraints, near a random one: rates are projected, coordinates by Newton."""
    guess = {name: float(RANDOM.normal()) for name in system.coordinates}
    guess |= {name: 0.3 * value for name, value in guess.items() if "contact" in name or "centre" in name}
    rates = {f"{name}_dot": float(RANDOM.normal()) for name in system.coordinates}
    return consistent(system, {}, guess={**guess, **rates})


# ---- compatibility

def test_strain_rates_of_the_wheel_are_those_of_sympy() -> None:
    """S_i w_i = 4q (p² w_q + pq w_p + 2q² w_q - w_q)/Δ on the diagonal, zero beside it (Souchet, corrected)."""
    p, q, w_p, w_q = sp.symbols("p q w_p w_q")
    R = sp.Matrix([[1 - 2 * q**2, -2 * p * q], [2 * p * q, 1 - 2 * q**2]])
    G = (R.diff(p) * w_p + R.diff(q) * w_q) * R.inv()
    S = sp.simplify((G + G.T) / 2)
    expected = 4 * q * (p**2 * w_q + p * q * w_p + 2 * q**2 * w_q - w_q) / (1 + 4 * q**2 * (p**2 + q**2 - 1))
    assert sp.simplify(S[0, 0] - expected) == 0 and sp.simplify(S[1, 1] - expected) == 0 and S[0, 1] == 0
    equations = VirtualWork(build(wheel(THROWS[0])).system)
    for _ in range(5):
        values = RANDOM.normal(size=4)
        found = equations.strain_rates(np.array([0.3, 1.0, values[0], values[1]]))["wheel"][:, 2:] @ values[2:]
        truth = float(expected.subs(dict(zip((p, q, w_p, w_q), values.tolist(), strict=True))))
        assert_allclose(found, [truth, truth, 0.0, 0.0, 0.0, 0.0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("angle", [0.3, 2.0, -1.1])
def test_the_wheel_is_rigid_for_p_wp_plus_q_wq_on_the_circle(angle: float) -> None:
    equations = VirtualWork(build(wheel(THROWS[0])).system)
    p, q = np.cos(angle), np.sin(angle)
    rank, basis = equations.admissible(np.array([0.0, 1.0, p, q]))
    assert rank == 1
    assert np.abs(basis[2:].T @ [p, q]).max() < 1e-13  # n ε of the singular value decomposition, whose library varies
    # off the circle the condition is another one ...
    rank, basis = equations.admissible(np.array([0.0, 1.0, 1.2 * p, q]))
    assert rank == 1
    assert np.abs(basis[2:].T @ [1.2 * p, q]).max() > 0.01


def test_at_q_zero_nothing_is_asked_of_the_wheel() -> None:
    """... and at q = 0 there is none, so that p² + q² = 1 has to be a constraint."""
    equations = VirtualWork(build(wheel(THROWS[0])).system)
    assert equations.admissible(np.array([0.0, 1.0, 1.0, 0.0]))[0] == 0


def test_virtual_work_of_the_wheel_is_that_of_the_document() -> None:
    """M and h against a₁₁ p̈ + a₂₂ q̈ + 2 a₁₂ ṗq̇ + 2 b q̇² (a₂₂ corrected), with m = r = 1."""
    equations = VirtualWork(build(wheel(THROWS[0])).system)
    state = RANDOM.normal(size=4)
    p, q = state[2:]
    v, a, w = RANDOM.normal(size=(3, 4))
    M, Q, _, _ = equations.matrices(state, v)
    gravity = -equations.matrices(state, np.zeros(4))[1]
    found = w @ (M @ a - Q - gravity)
    expected = a[0] * w[0] + a[1] * w[1] + a[2] * 2 * (q * q * w[2] + p * q * w[3]) \
        + a[3] * 2 * (p * q * w[2] + (p * p + 4 * q * q) * w[3]) \
        + 2 * v[2] * v[3] * 2 * (q * w[2] + p * w[3]) + 2 * v[3] ** 2 * 4 * q * w[3]
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("size", [1.0, 0.7, 1.9])
def test_quaternions_are_rigid_along_their_sphere_whatever_its_size(size: float) -> None:
    equations = VirtualWork(built("free").system)
    u = RANDOM.normal(size=4)
    u *= size / np.linalg.norm(u)
    rank, basis = equations.admissible(np.array([0.1, 0.2, 0.3, *u]))
    assert rank == 1
    assert np.abs(basis[3:].T @ u).max() < 1e-13


def test_a_missing_rigidity_constraint_is_named() -> None:
    whole = build(wheel(THROWS[0])).system
    (contact,) = (one for one in whole.constraints if one.name == "contact")
    loose = System(whole.coordinates, parameters=whole.parameters, bodies=whole.bodies, constraints=[contact])
    with refused(GranumError, "wheel"):
        VirtualWork(loose, (np.array([0.0, 1.0, 0.8, 0.6]), np.zeros(4)))
    with refused(GranumError, "accelerations of p"):
        VirtualWork(loose).accelerations(np.array([0.0, 1.0, 1.0, 0.0]), np.zeros(4))


def test_conditions_are_written_out() -> None:
    equations = VirtualWork(build(wheel(THROWS[0])).system)
    assert equations.compatibility_text().count(" = 0") == 3
    assert "w_p" in equations.compatibility_text() and "w_{p}" in equations.compatibility_latex()


def test_coordinates_without_mass_are_named() -> None:
    x, y = symbols("x y")
    system = System("x y", bodies=[Body("dot", number(1.0), (x, ZERO, ZERO))], potential=y * y)
    with refused(GranumError, "accelerations of y"):
        VirtualWork(system).accelerations(np.zeros(2), np.zeros(2))


# ---- agreement

@pytest.mark.parametrize("name", ["free", "joined", "rolling"])
def test_three_formulations_agree_in_random_states(name: str) -> None:
    """Three roads with rounding of some 1e-13 times the condition of quaternion and contact rows."""
    system = built(name).system
    others = Fundamental(system), GibbsAppell(system)
    work = VirtualWork(system)
    for _ in range(5):
        q, v = random_state(system)
        found = work.accelerations(q, v)
        for other in others:
            assert_allclose(found, other.accelerations(q, v), rtol=1e-10, atol=1e-10 * np.abs(found).max())
        compiled = _compiled(work, q, v)
        assert_allclose(found, compiled, rtol=1e-10, atol=1e-10 * np.abs(found).max())


def _compiled(equations: VirtualWork, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q̈ as a run gets it."""
    assert equations.evaluate(q, v, 0.0) == 0
    return equations.data.formulas.qdd.copy()


def test_moving_coordinates_agree() -> None:
    """T and R that depend on time themselves: a bead on a turning rod."""
    r, t = symbols("r t")
    from granum.algebra import function

    place = r * function("cos", 2.0 * t), r * function("sin", 2.0 * t), 0.1 * t * t
    system = System("r", bodies=[Body("bead", number(1.3), place)])
    # r̈ = ω² r
    assert VirtualWork(system).accelerations(np.array([0.7]), np.array([0.4]), 0.9) == pytest.approx([4.0 * 0.7])


# ---- divided bodies

WHOLE = part(3.0, [0.0, 0.0, 0.0], np.array([[0.9, 0.05, -0.02], [0.05, 1.1, 0.04], [-0.02, 0.04, 1.3]]))
FIRST = part(1.2, [0.3, -0.1, 0.05], [0.12, 0.2, 0.25])
CUT, TIP = np.array([0.05, 0.02, -0.04]), np.array([0.5, -0.3, 0.2])
TURN, SPEED = np.array([0.7, -1.1, 0.4]), np.array([0.3, 0.2, -0.5])
ORIENTATION = np.array([0.8, 0.2, -0.4, 0.4])
GRAVITY = np.array([0.0, 0.0, -9.81])


def rotation(u: np.ndarray) -> np.ndarray:
    """1 + 2 a [b]× + 2 [b]×² of a unit quaternion (a, b)."""
    B = np.cross(np.eye(3), u[1:])
    return np.eye(3) + 2.0 * u[0] * B + 2.0 * B @ B


def nail() -> np.ndarray:
    """Where a rod to the tip may hang from: across the velocity of the tip."""
    tip = rotation(ORIENTATION) @ TIP
    across = np.cross(SPEED + np.cross(TURN, tip), [1.0, 0.5, 0.2])
    return tip + across / np.linalg.norm(across)


def scene(parts: dict[str, Part]) -> Scene:
    """Parts of the turning body, the first hanging on a rod at its tip, glued if there are two."""
    R = rotation(ORIENTATION)
    body = {name: {"kind": "rigid-body", "mass": p.mass, "inertia": p.inertia.tolist(),
                   "points": {"cut": (CUT - p.centre).tolist(), "tip": (TIP - p.centre).tolist()}}
            for name, p in parts.items()}
    start = {name: {"position": (R @ p.centre).tolist(), "orientation": ORIENTATION.tolist(),
                    "velocity": (SPEED + np.cross(TURN, R @ p.centre)).tolist(), "angular_velocity": TURN.tolist()}
             for name, p in parts.items()}
    glue = {"glue": {"kind": "glue", "between": [f"{name}.cut" for name in parts]}} if len(parts) == 2 else {}
    body["nail"] = {"kind": "fixed-point", "position": nail().tolist()}
    return Scene.model_validate({
        "body": body, "start": start, "constraint": glue,
        "link": {"rod": {"between": ["nail", "one.tip"], "length": 1.0}},
        "load": {"gravity": {"kind": "gravity", "acceleration": GRAVITY.tolist()}}})


def equations_of(scene: Scene, kind: type) -> tuple:
    made = build(scene)
    start = consistent(made.system, made.given, made.conditions, made.guess)
    return kind(made.system, start), *start


def newton_euler(
    x: np.ndarray, v: np.ndarray, u: np.ndarray, omega: np.ndarray, second: Part,
) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment about the cut on the second part, from the motion of the whole on its rod.

    Unknown are a, α and the force s of the rod along d: m a - s d = m g, I α - s tip × d = -ω × I ω, and
    d·a_tip = -|v_tip|².
    """
    R = rotation(u)
    inertia, tip = R @ WHOLE.inertia @ R.T, R @ TIP
    d = x + tip - nail()
    K = np.zeros((7, 7))
    K[:3, :3], K[3:6, 3:6] = WHOLE.mass * np.eye(3), inertia
    K[6, :6] = [*d, *np.cross(tip, d)]
    K[:6, 6] = -K[6, :6]
    v_tip = v + np.cross(omega, tip)
    right = [*(WHOLE.mass * GRAVITY), *-np.cross(omega, inertia @ omega),
             -v_tip @ v_tip - d @ np.cross(omega, np.cross(omega, tip))]
    a, alpha, _ = np.split(np.linalg.solve(K, right), [3, 6])
    arm, I2 = R @ second.centre, R @ second.inertia @ R.T
    force = second.mass * (a + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm)) - GRAVITY)
    about_centre = I2 @ alpha + np.cross(omega, I2 @ omega)
    return force, about_centre - np.cross(R @ (CUT - second.centre), force)


@pytest.mark.parametrize("kind", [VirtualWork, Fundamental])
def test_loads_across_the_cut_are_those_of_newton_and_euler(kind: type) -> None:
    second = divide(WHOLE, FIRST)
    equations, q, v = equations_of(scene({"one": FIRST, "two": second}), kind)
    force, moment = section_loads(equations, "glue", q, v)
    expected = newton_euler(np.zeros(3), SPEED, ORIENTATION, TURN, second)
    assert_allclose(force, expected[0], rtol=0, atol=1e-10)
    assert_allclose(moment, expected[1], rtol=0, atol=1e-10)


def test_a_divided_body_moves_as_before() -> None:
    """The first part's quaternion is that of the whole; 2 s at 1e-12 a step, and the cut's loads there."""
    second = divide(WHOLE, FIRST)
    whole, q, v = equations_of(scene({"one": WHOLE}), VirtualWork)
    two, q2, v2 = equations_of(scene({"one": FIRST, "two": second}), VirtualWork)
    before, after = FrictionMotion(whole, q, v), FrictionMotion(two, q2, v2)
    before.advance(2.0)
    after.advance(2.0)
    (x, x_dot), (y, y_dot) = before.state, after.state
    assert_allclose(y[3:7], x[3:7], rtol=0, atol=1e-10)
    assert_allclose(y[10:14], x[3:7], rtol=0, atol=1e-10)
    R = rotation(x[3:7])
    assert_allclose(y[:3], x[:3] + R @ FIRST.centre, rtol=0, atol=1e-10)
    assert_allclose(y[7:10], x[:3] + R @ second.centre, rtol=0, atol=1e-10)
    u, rate = x[3:7], x_dot[3:7]
    omega = 2.0 * (u[0] * rate[1:] - rate[0] * u[1:] + np.cross(u[1:], rate[1:]))
    force, moment = section_loads(two, "glue", y, y_dot, 2.0)
    expected = newton_euler(x[:3], x_dot[:3], u, omega, second)
    assert_allclose(force, expected[0], rtol=0, atol=1e-9)
    assert_allclose(moment, expected[1], rtol=0, atol=1e-9)


def test_parts_make_up_the_whole() -> None:
    """Against masses summed one by one."""
    points, weights = RANDOM.normal(size=(20, 3)), RANDOM.uniform(0.5, 1.5, size=20)

    def lumped(rows: slice) -> Part:
        m, x = weights[rows], points[rows]
        centre = m @ x / m.sum()
        d = x - centre
        return Part(float(m.sum()), centre, np.einsum("k,kij->ij", m, (d**2).sum(1)[:, None, None] * np.eye(3)
                                                      - d[:, :, None] * d[:, None, :]))

    found, truth = divide(lumped(slice(0, 20)), lumped(slice(0, 8))), lumped(slice(8, 20))
    assert found.mass == pytest.approx(truth.mass)
    assert_allclose(found.centre, truth.centre, atol=1e-13)
    assert_allclose(found.inertia, truth.inertia, atol=1e-12)


def test_impossible_parts_are_refused() -> None:
    with refused(GranumError):
        divide(WHOLE, part(3.0, [0.0, 0.0, 0.0], [0.1, 0.1, 0.1]))
    with refused(GranumError):
        divide(WHOLE, part(1.0, [2.0, 0.0, 0.0], [0.1, 0.1, 0.1]))
    equations, q, v = equations_of(scene({"one": FIRST, "two": divide(WHOLE, FIRST)}), VirtualWork)
    with refused(GranumError, '"glu"', '"glue"'):
        section_loads(equations, "glu", q, v)
