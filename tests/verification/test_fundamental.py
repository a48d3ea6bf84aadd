"""The fundamental equations: singular masses, dependent rows, starts, moving constraints, known motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipj

import granum as gr
from granum.analytic import System, consistent, derive
from granum.analytic.constrained import moore_penrose
from granum.base.kernels import Floats
from messages import naming, refused, says

FORMULATIONS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work")
G = 9.81
POINT = "0.5*m*(x_dot**2 + y_dot**2)"
CIRCLE = "x**2 + y**2 = l**2"


def pendulum(**more: Any) -> System:
    """A point on a circle, in its rectangular coordinates."""
    constraints = {"rod": CIRCLE, **more.pop("constraints", {})}
    return System("x y", parameters={"m": 2.0, "l": 1.3, "g": G, **more.pop("parameters", {})}, kinetic=POINT,
                  potential="m*g*y", constraints=constraints, **more)


def on_circle(angle: float, rate: float, l: float = 1.3) -> tuple[Floats, Floats]:
    """State of the pendulum at an angle from the vertical."""
    return (l * np.array([np.sin(angle), -np.cos(angle)]), l * rate * np.array([np.cos(angle), np.sin(angle)]))


def random_rows(rng: np.random.Generator, n: int, rank: int, singular: int, dependent: int) -> tuple[Floats, ...]:
    """M positive semidefinite with a null space, A that makes up for it, and rows that repeat others."""
    root = rng.normal(size=(n, n - singular))
    M = root @ root.T
    A = rng.normal(size=(rank, n))
    A = np.vstack([A, rng.normal(size=(dependent, rank)) @ A])
    return M, rng.normal(size=n), A, A @ rng.normal(size=n)


@pytest.mark.parametrize("singular", [0, 2])
@pytest.mark.parametrize("dependent", [0, 3])
@pytest.mark.parametrize("scale", [1.0, 1e5])
def test_elimination_is_the_moore_penrose_form(singular: int, dependent: int, scale: float) -> None:
    """Equation (43), for singular M, dependent rows, and rows in other units."""
    rng = np.random.default_rng(singular + 10 * dependent)
    n, rank = 6, 3
    M, Q, A, b = random_rows(rng, n, rank, singular, dependent)
    factor = scale ** rng.uniform(-1, 1, len(b))
    A, b = A * factor[:, None], b * factor
    names = [f"q{k}" for k in range(n)]
    rows = [" + ".join(f"({float(a)!r})*{name}_dot" for a, name in zip(row, names, strict=True))
            + f" - ({float(c)!r})*t" for row, c in zip(A, b, strict=True)]
    system = System(names, mass=M.tolist(), forces=Q.tolist(), constraints={f"c{k}": row for k, row in enumerate(rows)})
    expected = moore_penrose(M, Q, A, b)
    for formulation in FORMULATIONS:
        found = derive(system, formulation).accelerations(np.zeros(n), np.zeros(n))
        assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max(), err_msg=formulation)


def test_moore_penrose_where_mass_is_indefinite() -> None:
    """Elimination cannot do it; single accelerations come from (43), and a run says what is wrong."""
    system = System("x y z", mass=[[1, 0, 0], [0, -1, 0], [0, 0, 2]], potential="x**2 + y**2 + z",
                    constraints={"c": "x + 2*y + z"})
    q = np.array([0.1, 0.2, -0.5])
    M, Q, A, b = np.diag([1.0, -1.0, 2.0]), np.array([-0.2, -0.4, -1.0]), np.array([[1.0, 2.0, 1.0]]), np.zeros(1)
    expected = np.linalg.solve(np.block([[M, -A.T], [A, np.zeros((1, 1))]]), np.concatenate([Q, b]))[:3]
    assert_allclose(moore_penrose(M, Q, A, b), expected, rtol=1e-13)
    assert_allclose(derive(system).accelerations(q, np.zeros(3)), expected, rtol=1e-13)
    with refused(gr.NotConvergedError, "semidefinite"):
        gr.simulate(system, start={"x": 0.1, "y": 0.2}, until=0.1)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_is_not_determined_is_named(formulation: str) -> None:
    system = System("x y z", kinetic="x_dot**2", constraints={"tie": "y - 2*x"})
    names = ("of z", "rank 2", "3 coordinates") if formulation in ("fundamental", "lagrange") else ("z",)
    with refused(gr.GranumError, *names):
        derive(system, formulation).accelerations(np.zeros(3), np.zeros(3))


def test_massless_point_tied_to_nothing_is_refused() -> None:
    scene = gr.Scene(body={"stone": gr.PointMass(mass=1.0), "ghost": gr.MasslessPoint()},
                     start={"stone": gr.Start(position=(0.0, 0.0))}, run={"formulation": "fundamental"})
    with refused(gr.GranumError, "ghost.x, ghost.y"):
        gr.simulate(scene, until=0.1)


def test_massless_points_carry_what_is_tied_to_them() -> None:
    """A mass hangs on a point without mass that slides on a wire: the mass falls freely."""
    system = System("x y u v", parameters={"m": 2.0, "g": G}, kinetic=POINT, potential="m*g*y",
                    constraints={"wire": "v = 0", "rod": "(x - u)**2 + (y - v)**2 = 1"})
    for formulation in FORMULATIONS:
        equations = derive(system, formulation)
        q, v = np.array([0.6, -0.8, 0.0, 0.0]), np.zeros(4)
        # without mass the point carries no force along the wire, so the rod carries none at all
        assert_allclose(equations.accelerations(q, v)[:2], [0.0, -G], atol=1e-12, err_msg=formulation)
        assert equations.reactions(q, v)["rod"] == pytest.approx(0.0, abs=1e-12)


EXTRA: dict[str, Any] = {
    "the same": {"again": CIRCLE},
    "scaled": {"again": "1e6*(x**2 + y**2) = 1e6*l**2"},
    "written otherwise": {"again": "sqrt(x**2 + y**2) = l", "and": "atan2(y, x)*0 + (x**2 + y**2)**2 = l**4"},
    "its rate": {"again": "x*x_dot + y*y_dot = 0"},
    "many": {"again": [CIRCLE] * 5},
}


@pytest.mark.parametrize("extra", EXTRA)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_dependent_rows_do_not_change_the_motion(formulation: str, extra: str) -> None:
    q, v = on_circle(0.8, 1.7)
    along = np.array([np.cos(0.8), np.sin(0.8)])
    found = derive(pendulum(constraints=EXTRA[extra]), formulation).accelerations(q, v)
    assert found @ along == pytest.approx(-G * np.sin(0.8), rel=1e-11)
    assert found @ q / 1.3 == pytest.approx(-1.3 * 1.7**2, rel=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rows_that_carry_nothing_do_not_contradict(formulation: str) -> None:
    """Dependent rows whose reactions are nothing but rounding errors are no contradiction."""
    system = System("x y", kinetic="0.5*(x_dot**2 + y_dot**2)", forces={"x": "0.7", "y": "-0.3"},
                    constraints={"a": "x*0.3 + y*0.7 - 1", "b": "0.6*x + 1.4*y - 2", "c": "0.9*x + 2.1*y - 3"})
    equations = derive(system, formulation)
    assert_allclose(equations.accelerations(np.ones(2), np.array([0.7, -0.3])), [0.7, -0.3], atol=1e-13)
    run = gr.simulate(system, start={"x": 1.0, "x_dot": 0.7}, until=1.0, formulation=formulation)
    assert_allclose(run.coordinates[-1], [1.0 + 0.7 + 0.35, 1.0 - 0.3 - 0.15], atol=1e-12)


@pytest.mark.parametrize("ratio", [1e-12, 1e-4, 1e4, 1e12])
def test_elimination_bears_any_ratio_of_masses(ratio: float) -> None:
    """A double pendulum in rectangular coordinates against its two angles."""
    values = {"m": ratio**0.5, "M": ratio**-0.5, "g": G}
    flat = System("x y u v", parameters=values, potential="g*(m*y + M*v)",
                  kinetic="0.5*m*(x_dot**2 + y_dot**2) + 0.5*M*(u_dot**2 + v_dot**2)",
                  constraints={"one": "x**2 + y**2 = 1", "two": "(u - x)**2 + (v - y)**2 = 1"})
    angles = System("a b", parameters=values, potential="-g*(m*cos(a) + M*(cos(a) + cos(b)))",
                    kinetic="0.5*m*a_dot**2 + 0.5*M*(a_dot**2 + b_dot**2 + 2*a_dot*b_dot*cos(a - b))")
    a, w = np.array([0.7, -0.4]), np.array([1.3, 0.8])
    alpha = derive(angles).accelerations(a, w)
    s, c = np.sin(a), np.cos(a)
    each = np.array([c * alpha - s * w**2, s * alpha + c * w**2]).T
    q, v = np.cumsum(np.array([s, -c]).T, axis=0).ravel(), np.cumsum(np.array([c * w, s * w]).T, axis=0).ravel()
    expected = np.cumsum(each, axis=0).ravel()
    assert_allclose(derive(flat).accelerations(q, v), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


CONTRADICTIONS = {
    "two values": ({"one": "x = 1", "two": "x = 2"}, "coordinates"),
    "moves and stands": ({"one": "x_dot = 1", "two": "x = 0"}, "rates"),
    "two speeds": ({"one": "x_dot = 1", "two": "x_dot = 2"}, "rates"),
    "by a sum": ({"one": "x + y = 1", "two": "x - y = 1", "three": "x = 3"}, "coordinates"),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_at_the_start_are_named(case: str) -> None:
    constraints, what = CONTRADICTIONS[case]
    with pytest.raises(gr.GranumError) as told:
        consistent(System("x y z", kinetic="x_dot**2 + y_dot**2 + z_dot**2",
                          constraints={**constraints, "fine": "z = 1"}), {})
    words = str(told.value)
    naming(words, what, "one (error", "two (error")
    assert "fine" not in words
    says(words.rpartition("). ")[2])  # equal errors are in any order


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_contradictory_accelerations_are_named(formulation: str) -> None:
    """x is to stand still and to accelerate; positions and rates at the start do not show it."""
    rows = {"stands": "x = 0", "speeds-up": "x_dot = t", "fine": "z = y"}
    system = System("x y z", kinetic="x_dot**2 + y_dot**2 + z_dot**2", constraints=rows)
    consistent(system, {"y": 0.0})
    with refused(gr.GranumError, "stands, speeds-up", "t = 0 s") as told:
        derive(system, formulation).accelerations(np.zeros(3), np.zeros(3))
    assert "fine" not in str(told.value)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_contradictions_that_come_later_end_the_run(formulation: str) -> None:
    """x = 0 and x = t³ agree at the start in value, rate and acceleration."""
    system = System("x y", kinetic="x_dot**2 + y_dot**2", constraints={"stands": "x = 0", "leaves": "x = t**3"})
    with refused(gr.GranumError, "stands, leaves", "t = "):
        gr.simulate(system, until=1.0, formulation=formulation)


def test_starts_from_parts() -> None:
    """What is given is held, the rest follows, also where a zero guess shows no way."""
    system = pendulum()
    q, v = consistent(system, {"x": 0.5, "x_dot": 0.3})
    assert q[0] == 0.5 and v[0] == 0.3
    # Newton's method ends at the rounding of its rows, 1e-15; 100 for another order
    assert q @ q == pytest.approx(1.69, rel=1e-13) and q @ v == pytest.approx(0.0, abs=1e-13)
    assert consistent(system, {"x": 0.5}, guess={"y": -1.0})[0][1] == pytest.approx(-1.2, rel=1e-13)
    assert consistent(system, {"x": 0.5}, guess={"y": 1.0})[0][1] == pytest.approx(1.2, rel=1e-13)
    q, v = consistent(system, {"x": 0.5}, [("start", "x_dot**2 + y_dot**2 = 4")], guess={"y": -1.0})
    assert v @ v == pytest.approx(4.0, rel=1e-13) and q @ v == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("size", [1e-9, 1e-4, 1e6])
def test_starts_of_any_size(size: float) -> None:
    """A start off the circle is not taken for one on it because it is small."""
    system = System("x y", parameters={"l": size}, kinetic="x_dot**2 + y_dot**2", constraints={"rod": CIRCLE})
    q, _ = consistent(system, {"x": 0.6 * size})
    assert abs(q[1]) == pytest.approx(0.8 * size, rel=1e-12)
    with refused(gr.GranumError, "coordinates", "rod", "x, y"):
        consistent(system, {"x": 0.6 * size, "y": 0.81 * size})


@pytest.mark.parametrize(("given", "names"), [
    ({"x": 2.0}, ["rod", ": x."]),
    ({"x": 0.5, "y": 1.0}, ["rod (error", ": x, y"]),
    ({"x": 0.5, "x_dot": 1.0, "y_dot": 1.0}, ["rates", "rod", ": x_dot, y_dot"]),
    ({"xdot": 1.0}, ['"xdot"', '"x_dot"']),
    ({"x": float("nan")}, ["x = nan"]),
])
def test_starts_that_cannot_be(given: dict[str, float], names: list[str]) -> None:
    with refused(gr.GranumError, *names):
        consistent(pendulum(), given)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_bead_on_a_turning_wire(formulation: str) -> None:
    """r = cosh ωt; the wire does work, and the ledger has it."""
    system = System("x y", parameters={"m": 2.0, "w": 1.3}, kinetic=POINT,
                    constraints={"wire": "x*sin(w*t) = y*cos(w*t)"})
    run = gr.simulate(system, start={"x": 1.0, "x_dot": 0.0}, until=2.0, tolerance=1e-12, formulation=formulation)
    assert_allclose(np.hypot(*run.coordinates.T), np.cosh(1.3 * run.t), rtol=1e-11)
    gained = run.energy.kinetic[-1] - run.energy.kinetic[0]
    assert gained == pytest.approx(1.3**2 * (np.cosh(2.6) ** 2 + np.sinh(2.6) ** 2 - 1.0), rel=1e-11)
    assert np.abs(run.energy.error).max() < 1e-9 * gained


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_work_of_constraints_of_velocity(formulation: str) -> None:
    """A belt that speeds up pulls a mass against a spring, and one with a speed of its own is driven around."""
    belt = System("x y", kinetic="0.5*(x_dot**2 + y_dot**2)", potential="0.5*x**2",
                  constraints={"belt": "x_dot = 1 + t"})
    run = gr.simulate(belt, start={"x": 0.0}, until=2.0, tolerance=1e-12, formulation=formulation)
    assert run.energy.total[-1] == pytest.approx(4.5 + 8.0, rel=1e-12)
    assert np.abs(run.energy.error).max() < 1e-9
    if formulation == "gibbs-appell":  # which has no constraints that are not linear
        return
    kept = System("x y", kinetic="0.5*(x_dot**2 + y_dot**2)", potential="y",
                  constraints={"speed": "x_dot**2 + y_dot**2 = 4"})
    start = {"x": 0.0, "y": 0.0, "x_dot": 1.2}
    run = gr.simulate(kept, start=start, until=2.0, tolerance=1e-12, formulation=formulation)
    assert_allclose(run.energy.kinetic, 2.0, rtol=1e-11)
    assert np.abs(run.energy.error).max() < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_driven_pendulum(formulation: str) -> None:
    """Its support shakes: rectangular coordinates with a moving constraint against the equation of the angle."""
    values = {"m": 2.0, "g": G, "A": 0.2, "w": 7.0}
    driven = System("x y", parameters=values, kinetic=POINT, potential="m*g*y",
                    constraints={"rod": "x**2 + (y - A*cos(w*t))**2 = 1"})
    # in the frame of the support gravity is g + z̈
    angle = System("a", parameters=values, kinetic="0.5*m*a_dot**2", potential="-m*(g - A*w**2*cos(w*t))*cos(a)")
    q0 = {"x": np.sin(0.5), "y": 0.2 - np.cos(0.5), "x_dot": 0.0}
    found = gr.simulate(driven, start=q0, until=3.0, tolerance=1e-13, formulation=formulation)
    expected = gr.simulate(angle, start={"a": 0.5}, until=3.0, tolerance=1e-13)
    assert_allclose(found.coordinate("x"), np.sin(expected.coordinate("a")), atol=2e-10)
    for run in (found, expected):
        assert np.abs(run.energy.error).max() < 1e-9
    assert np.ptp(found.energy.total) > 0.1


def test_invariants_do_not_change_the_motion() -> None:
    plain = pendulum()
    held = pendulum(invariants={"energy": f"{POINT} + m*g*y"})
    q, v = on_circle(0.8, 8.0)  # all around: at a turning point the row of the energy vanishes
    assert_allclose(derive(held).accelerations(q, v), derive(plain).accelerations(q, v), rtol=1e-12)
    given = {"x": q[0], "y": q[1], "x_dot": v[0], "y_dot": v[1]}
    runs = [gr.simulate(system, start=given, until=2.0, tolerance=1e-12) for system in (plain, held)]
    assert_allclose(runs[1].coordinates, runs[0].coordinates, atol=1e-9)
    assert_allclose(runs[1].reaction("rod").multiplier, runs[0].reaction("rod").multiplier, rtol=1e-8, atol=1e-8)
    assert list(derive(held).reactions(q, v)) == ["rod"]


@pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell"])
def test_time_in_the_energies(formulation: str) -> None:
    """A pendulum whose rod is drawn in, r = 2 - t: r² θ̇ is kept without gravity."""
    system = System("a", parameters={"m": 2.0}, kinetic="0.5*m*(1 + (2 - t)**2*a_dot**2)")
    run = gr.simulate(system, start={"a": 0.0, "a_dot": 1.0}, until=1.0, tolerance=1e-12, formulation=formulation)
    assert_allclose(run.rate("a"), 4.0 / (2.0 - run.t) ** 2, rtol=1e-11)
    assert np.abs(run.energy.error).max() < 1e-9


def test_damping_is_paid_for() -> None:
    """A damped oscillator in closed form, and the work of the damper in the ledger."""
    system = System("x", parameters={"k": 9.0, "c": 0.4}, kinetic="0.5*x_dot**2", potential="0.5*k*x**2",
                    forces={"x": "-c*x_dot"})
    run = gr.simulate(system, start={"x": 1.0}, until=5.0, tolerance=1e-12)
    w = np.sqrt(9.0 - 0.04)
    expected = np.exp(-0.2 * run.t) * (np.cos(w * run.t) + 0.2 / w * np.sin(w * run.t))
    assert_allclose(run.coordinate("x"), expected, atol=1e-11)
    assert run.energy.total[-1] < 0.2 * run.energy.total[0]
    assert np.abs(run.energy.error).max() < 1e-10


def test_heavy_top_precesses() -> None:
    """Steady precession of a symmetric top on a pin: C ω₃ Ω - A' Ω² cos β = m g l, on quaternions."""
    A, C, m, l, tilt = 0.4, 0.1, 2.0, 0.3, 0.5
    spin = 60.0  # about its own axis, all of it: ω₃
    about_pin = A + m * l**2
    # (A' cos β) Ω² - C ω₃ Ω + m g l = 0, the slow root
    p = np.roots([about_pin * np.cos(tilt), -C * spin, m * G * l])
    slow = float(np.abs(p).min())
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    relative = spin - slow * np.cos(tilt)
    omega = np.array([0.0, 0.0, slow]) + relative * axis
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
              "top": gr.RigidBody(mass=m, inertia=(A, A, C), points={"tip": (0.0, 0.0, -l)})},
        constraint={"joint": gr.BallJoint(between=("pin", "top.tip"))},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))},
        start={"top": gr.Start(position=tuple(l * axis), velocity=tuple(np.cross(omega, l * axis)),
                               orientation=(np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0),
                               angular_velocity=tuple(omega))})
    for formulation in FORMULATIONS:
        run = gr.simulate(scene, until=2.0, interval=0.05, tolerance=1e-11, formulation=formulation)
        x, y, z = run.position("top").T
        assert_allclose(z, l * np.cos(tilt), atol=1e-8, err_msg=formulation)
        assert_allclose(x, l * np.sin(tilt) * np.cos(slow * run.t), atol=1e-7, err_msg=formulation)
        assert_allclose(y, l * np.sin(tilt) * np.sin(slow * run.t), atol=1e-7, err_msg=formulation)
        assert run.summary["energy"]["relative_error"] < 1e-9


def test_free_top_turns_by_elliptic_functions() -> None:
    """Euler's equations of a free asymmetric body: ω = (a cn, -b sn, c dn) of Jacobi."""
    I = np.array([0.2, 0.3, 0.45])
    omega = np.array([0.4, 0.0, 1.5])
    energy, momentum = I @ omega**2, (I * omega) @ (I * omega)
    assert momentum > energy * I[1]  # turns about its last axis
    rate = np.sqrt((I[2] - I[1]) * (momentum - energy * I[0]) / I.prod())
    m = (I[1] - I[0]) * (energy * I[2] - momentum) / ((I[2] - I[1]) * (momentum - energy * I[0]))
    scene = gr.Scene(body={"top": gr.RigidBody(mass=1.0, inertia=tuple(I))},
                     start={"top": gr.Start(position=(0.0, 0.0, 0.0), angular_velocity=tuple(omega))})
    for formulation in ("fundamental", "gibbs-appell"):
        run = gr.simulate(scene, until=8.0, interval=0.1, tolerance=1e-12, formulation=formulation)
        # at the start one coordinate of the quaternion has hardly any inertia; rounding must not show there
        assert run.summary["steps"] < 300
        sn, cn, dn, _ = ellipj(rate * run.t, m)
        b = np.sqrt((energy * I[2] - momentum) / (I[1] * (I[2] - I[1])))
        u = np.array([run.coordinate(f"top.u{k}") for k in range(4)])
        du = np.array([run.rate(f"top.u{k}") for k in range(4)])
        assert_allclose((u**2).sum(axis=0), 1.0, rtol=0, atol=1e-10)
        # ω = 2 conj(u) u̇ in body axes
        found = 2.0 * (u[0] * du[1:] - du[0] * u[1:] - np.cross(u[1:], du[1:], axis=0))
        assert_allclose(found[0], omega[0] * cn, atol=1e-9)
        assert_allclose(np.abs(found[1]), np.abs(b * sn), atol=1e-9)
        assert_allclose(found[2], omega[2] * dn, atol=1e-9)


def test_mass_matrix_instead_of_energy() -> None:
    """M(q) and forces, also with velocity terms that follow from M."""
    by_mass = System("r a", parameters={"m": 2.0}, mass=[["m", 0], [0, "m*r**2"]], forces={"r": "-3*r"})
    by_energy = System("r a", parameters={"m": 2.0}, kinetic="0.5*m*(r_dot**2 + r**2*a_dot**2)", potential="1.5*r**2")
    q, v = np.array([1.2, 0.4]), np.array([0.3, 1.1])
    expected = [1.2 * 1.1**2 - 1.5 * 1.2, -2 * 0.3 * 1.1 / 1.2]
    for system in (by_mass, by_energy):
        # 1.45 - 1.8 loses a digit, and some twenty operations 2e-15: 2e-14, and 5 for another processor
        assert_allclose(derive(system).accelerations(q, v), expected, rtol=1e-13)


@pytest.mark.parametrize(("arguments", "names"), [
    ({"mass": [[1, 0.5], [0, 1]]}, ("mass", "symmetric")),
    ({"mass": [["1 + x_dot", 0], [0, 1]]}, ("mass", "x_dot")),
    ({"mass": [[1, 0]]}, ("2 rows and columns",)),
    ({"mass": [[1, 0], [0, 1]], "kinetic": "x_dot**2"}, ("mass", "kinetic")),
    ({}, ("kinetic energy",)),
    ({"kinetic": "x_dot**2", "forces": ["1"]}, ("1 force", "2 coordinates")),
    ({"kinetic": "x_dot**2", "forces": {"z": 1}}, ("forces on z",)),
    ({"kinetic": "xdot**2"}, ('"x_dot"',)),
    ({"kinetic": "x_dot**2", "parameters": {"t": 1.0}}, ('"t"',)),
    ({"kinetic": "x_dot**2", "parameters": {"x_dot": 1.0}}, ('"x_dot"',)),
    ({"kinetic": None, "potential": "x < 1"}, ("<",)),
])
def test_systems_that_are_none(arguments: dict[str, Any], names: tuple[str, ...]) -> None:
    with refused(gr.GranumError, *names):
        System("x y", **arguments)


def test_symmetry_of_a_mass_matrix_is_one_of_values() -> None:
    system = System("x y", mass=[["2 + x", "x*y - 1 + 2*x"], ["x*(y + 2) - 1", "9"]])
    assert derive(system).mass_matrix(np.array([0.3, 0.2]))[0, 1] == pytest.approx(-0.34)


def test_quasi_velocities_must_be_linear() -> None:
    with refused(gr.GranumError, "quasi-velocity a"):
        derive(System("x", kinetic="x_dot**2"), "gibbs-appell", quasi={"a": "x_dot**2"})


def test_sympy_objects() -> None:
    """SymPy symbols, dynamicsymbols with derivatives and equations give the same as text."""
    sympy = pytest.importorskip("sympy")
    from sympy.physics.mechanics import dynamicsymbols

    m, l, g, t = sympy.symbols("m l g t")
    x, y = dynamicsymbols("x y")
    kinetic = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
    values = {m: 2.0, l: 1.3, g: G}
    system = System([x, y], parameters=values, kinetic=kinetic, potential=m * g * y,
                    constraints={"rod": sympy.Eq(x**2 + y**2, l**2)}, forces={x: -x.diff(t) / 3})
    q, v = on_circle(0.8, 1.7)
    expected = derive(pendulum(forces={"x": "-x_dot/3"})).accelerations(q, v)
    assert system.coordinates == ("x", "y")
    # the same equations from other formulas: some fifty operations, 1e-14, and 10 for another order
    assert_allclose(derive(system).accelerations(q, v), expected, rtol=1e-13)
    X, Y = sympy.Function("x")(t), sympy.Function("y")(t)
    functions = System([X, Y], parameters=values, kinetic=kinetic.subs({x: X, y: Y}), potential=m * g * Y,
                       constraints={"rod": X**2 + Y**2 - l**2}, forces={X: -X.diff(t) / 3})
    assert_allclose(derive(functions).accelerations(q, v), expected, rtol=1e-13)


def test_formulas_too_long_for_a_scene_run_and_resume(tmp_path: Any) -> None:
    """The run file names them by a digest: another system of the same shape is not taken for this one."""
    def system(factor: float) -> System:
        terms = " + ".join(f"{factor}*{k}*x_dot**2*(1 + 0.1*x**2)/1000" for k in range(1, 500))
        half = System("x", kinetic=terms)
        return System("x", kinetic=half.kinetic + half.kinetic * (1.0 + 0.01 * half.q[0] ** 2))

    file = tmp_path / "run.h5"
    run = gr.simulate(system(1.0), start={"x": 1.0, "x_dot": 1.0}, until=0.5, output=file, interval=0.1)
    assert run.finished and gr.open_run(file).finished
    with refused(gr.RunFileError, "run.h5"):
        gr.simulate(system(2.0), start={"x": 1.0, "x_dot": 1.0}, until=0.5, output=file, interval=0.1, resume=True)
