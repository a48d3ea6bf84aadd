"""Bodies by a user's R(q) and position (Souchet): the same motion as ordinary bodies, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from messages import refused
from runs import assert_same_run, stop_at

G = 9.81
FORMULAS = ("lagrange", "fundamental", "gibbs-appell", "virtual-work")
TIGHT: dict[str, Any] = {"until": 0.6, "interval": 0.1, "tolerance": 1e-12}
CLOSE = 1e-10
"""Some tens of steps at 1e-12 each, with a margin for the growth of their errors."""

# ---- 2-D: a plate on a spring, pushed and twisted, in four descriptions

ANGLE, TURNING = 0.4, 1.7
"""At the start [rad], [rad/s]."""
HALF = ANGLE / 2.0
PLANAR: dict[str, dict[str, Any]] = {
    "Euler parameters": {
        "coordinates": ("x", "y", "p", "q"),
        "rotation": (("1 - 2*q**2", "-2*p*q"), ("2*p*q", "1 - 2*q**2")), "rigidity": ("p**2 + q**2 = 1",),
        "start": {"p": math.cos(HALF), "q": math.sin(HALF), "q_dot": 0.5 * TURNING * math.cos(HALF)}},
    "Euler parameters, condition derived": {
        "coordinates": ("x", "y", "p", "q"),
        "rotation": (("p**2 - q**2", "-2*p*q"), ("2*p*q", "p**2 - q**2")),
        "start": {"p": math.cos(HALF), "q": math.sin(HALF), "q_dot": 0.5 * TURNING * math.cos(HALF)}},
    "angle": {
        "coordinates": ("x", "y", "h"), "rotation": (("cos(2*h)", "-sin(2*h)"), ("sin(2*h)", "cos(2*h)")),
        "start": {"h": HALF, "h_dot": 0.5 * TURNING}},
    "entries": {
        "coordinates": ("x", "y", "a", "b", "c", "d"), "rotation": (("a", "b"), ("c", "d")),
        "start": {"a": math.cos(ANGLE), "b": -math.sin(ANGLE), "c": math.sin(ANGLE), "d": math.cos(ANGLE),
                  "c_dot": TURNING * math.cos(ANGLE)}},
}
POINTS = {"corner": (0.4, 0.3), "edge": (-0.5, 0.1)}
PLATE = {"mass": 1.3, "inertia": 0.21, "points": POINTS}


def planar(described: dict[str, Any] | None, **more: Any) -> gr.Scene:
    """A plate by formulas, or with coordinates of its own."""
    scene: dict[str, Any] = {
        "body": {"nail": {"kind": "fixed-point", "position": (1.5, 0.8)}, "plate": {"kind": "rigid-body", **PLATE}},
        "load": {"gravity": {"kind": "gravity", "acceleration": (0.0, -G)},
                 "spring": {"kind": "spring", "between": ("nail", "plate.corner"), "stiffness": 40.0, "damping": 0.7,
                            "rest_length": 0.4},
                 "push": {"kind": "force", "on": "plate.edge", "force": (1.0, -2.0)},
                 "twist": {"kind": "torque", "on": "plate", "torque": 0.3}}}
    if described is None:
        scene["start"] = {"plate": {"position": (0.2, 0.1), "angle": ANGLE, "velocity": (0.3, -0.2),
                                    "angular_velocity": TURNING}}
    else:
        keys = {key: described[key] for key in ("rotation", "rigidity") if key in described}
        scene["body"]["plate"]["parametrisation"] = {"position": ("x", "y"), **keys}
        scene["system"] = {"coordinates": described["coordinates"],
                           "start": {"x": 0.2, "y": 0.1, "x_dot": 0.3, "y_dot": -0.2, **described["start"]}}
    for section, entries in more.items():
        scene.setdefault(section, {}).update(entries)
    return gr.Scene.model_validate(scene)


def assert_same_motion(found: gr.Run, expected: gr.Run, body: str = "plate") -> None:
    """Positions, rotations and both velocities of a body, and the energy."""
    for quantity in ("position", "velocity", "rotation", "angular_velocity"):
        assert_allclose(getattr(found, quantity)(body), getattr(expected, quantity)(body), rtol=0, atol=CLOSE,
                        err_msg=quantity)
    assert found.summary["energy"]["relative_error"] < 1e-10
    if found.has.constraints:
        assert found.summary["constraint_errors"]["relative"] < 1e-11


@pytest.mark.parametrize("formulation", FORMULAS)
@pytest.mark.parametrize("name", PLANAR)
def test_any_description_of_a_plate_moves_as_the_plate(name: str, formulation: str) -> None:
    """With gravity, a spring with damper, a force at a point and a torque."""
    expected = gr.simulate(planar(None), formulation="newton-euler", **TIGHT)
    found = gr.simulate(planar(PLANAR[name]), formulation=formulation, **TIGHT)
    assert_same_motion(found, expected)
    assert_allclose(found.angle("plate"), expected.angle("plate"), rtol=0, atol=CLOSE)


def test_each_description_has_the_conditions_that_it_needs() -> None:
    """One of (p, q), none of an angle, three of four entries: degrees of freedom are those of a plate."""
    rows = [gr.check(planar(described)).constraints for described in PLANAR.values()]
    assert rows == [1, 1, 0, 3]
    assert {gr.check(planar(described)).degrees_of_freedom for described in PLANAR.values()} == {3}


def test_a_condition_that_loses_its_slope_on_the_way_is_named() -> None:
    """RᵀR = 1 of 1 - 2q², 2pq is 4q² (p² + q² - 1) = 0, without a slope where the plate passes q = 0."""
    given = PLANAR["Euler parameters"]
    described = {**given, "rigidity": (), "start": {**given["start"], "q_dot": -given["start"]["q_dot"]}}
    with refused(gr.NotConvergedError, "singular position", "plate.rigidity"):
        gr.simulate(planar(described), formulation="fundamental", **TIGHT)


HINGED = {"pin": {"kind": "hinge", "between": ("post", "plate.edge")}}
JOINTS: dict[str, dict[str, Any]] = {
    "hinge": {"constraint": HINGED},
    "torsion spring": {"constraint": HINGED, "load": {"coil": {
        "kind": "torsion-spring", "hinge": "pin", "stiffness": 5.0, "damping": 0.1, "rest_angle": 0.2}}},
    "drive": {"constraint": {**HINGED, "motor": {"kind": "drive", "joint": "pin", "motion": "1.7*t + 8*t**2"}}},
    "slider": {"constraint": {"rail": {"kind": "slider", "between": ("post", "plate"), "axis": (1.0, 0.4)}}},
    "slot": {"constraint": {"rail": {"kind": "slider", "between": ("post", "plate.edge"), "axis": (1.0, 0.4),
                                     "rotation": True}}},
    "link": {"link": {"rod": {"between": ("post", "plate.edge")}}},
    "glue": {"constraint": {"seam": {"kind": "glue", "between": ("plate.corner", "lump.seam")}}},
}


def jointed(described: dict[str, Any] | None, joint: str) -> gr.Scene:
    """The plate in a joint, at rest unless that drives it through more than half a turn."""
    turn = rotation(np.array([math.cos(HALF), 0.0, 0.0, math.sin(HALF)]))[:2, :2]
    edge, corner = (np.array([0.2, 0.1]) + turn @ POINTS[name] for name in ("edge", "corner"))
    post = {"slider": np.array([0.2, 0.1]) - (0.5, 0.2), "link": edge - (-0.3, -0.4)}.get(joint, edge)
    body: dict[str, Any] = {"post": {"kind": "fixed-point", "position": post.tolist()}}
    start: dict[str, Any] = {}
    if joint == "glue":
        body["lump"] = {"kind": "rigid-body", "mass": 0.6, "inertia": 0.05, "points": {"seam": (0.1, 0.0)}}
        start["lump"] = {"position": (corner - (0.1, 0.0)).tolist(), "angle": 0.0}
    scene = planar(described, **{**JOINTS[joint], "body": body, "start": start})
    if described is not None:
        still = {name: value for name, value in scene.system.start.items() if not name.endswith("_dot")}
        return scene.model_copy(update={"system": scene.system.model_copy(update={"start": still})})
    given = scene.start["plate"].model_copy(update={"velocity": None, "angular_velocity": None})
    return scene.model_copy(update={"start": {**scene.start, "plate": given}})


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("name", ["Euler parameters", "entries"])
def test_joints_hold_it_as_they_hold_the_plate(name: str, joint: str) -> None:
    """Motion and reactions."""
    expected = gr.simulate(jointed(None, joint), formulation="newton-euler", **TIGHT)
    found = gr.simulate(jointed(PLANAR[name], joint), formulation="fundamental", **TIGHT)
    assert_same_motion(found, expected)
    for one in expected.joint_names:
        for part in expected.reaction(one).components:
            assert_allclose(found.reaction(one).component(part), expected.reaction(one).component(part), rtol=0,
                            atol=1e-8, err_msg=f"{one}.{part}")


# ---- 3-D

INERTIA = ((0.3, 0.02, -0.01), (0.02, 0.4, 0.03), (-0.01, 0.03, 0.25))
QUATERNION = (("1 - 2*(c**2 + d**2)", "2*(b*c - a*d)", "2*(b*d + a*c)"),
              ("2*(b*c + a*d)", "1 - 2*(b**2 + d**2)", "2*(c*d - a*b)"),
              ("2*(b*d - a*c)", "2*(c*d + a*b)", "1 - 2*(b**2 + c**2)"))
U = np.array([0.8, 0.2, -0.4, 0.4])
W = np.array([0.7, -1.1, 0.4])
"""Angular velocity in inertial axes [rad/s]."""


def rotation(u: np.ndarray) -> np.ndarray:
    B = np.cross(np.eye(3), u[1:])
    return np.eye(3) + 2.0 * u[0] * B + 2.0 * B @ B


def rates(u: np.ndarray, w: np.ndarray) -> np.ndarray:
    """½ ω u."""
    return 0.5 * np.array([-w @ u[1:], *(u[0] * w + np.cross(w, u[1:]))])


def euler_start() -> dict[str, float]:
    """Angles ψ, θ, φ about z, x', z'' and their rates, from R and ω."""
    R = rotation(U)
    psi, theta, phi = math.atan2(R[0, 2], -R[1, 2]), math.acos(R[2, 2]), math.atan2(R[2, 0], R[2, 1])
    axes = np.array([[0.0, 0.0, 1.0], [math.cos(psi), math.sin(psi), 0.0], R[:, 2]]).T
    return {**dict(zip(("psi", "theta", "phi"), (psi, theta, phi), strict=True)),
            **dict(zip(("psi_dot", "theta_dot", "phi_dot"), np.linalg.solve(axes, W).tolist(), strict=True))}


def entries_start() -> dict[str, float]:
    R = rotation(U)
    names = [f"r{i}{j}" for i in range(3) for j in range(3)]
    return {**dict(zip(names, R.ravel().tolist(), strict=True)),
            **{f"{name}_dot": value for name, value in zip(
                names[:6], (np.cross(np.eye(3), W) @ R).ravel()[:6].tolist(), strict=True)}}


def quaternion_start() -> dict[str, float]:
    return {**dict(zip("abcd", U.tolist(), strict=True)),
            **{f"{name}_dot": value for name, value in zip("bcd", rates(U, W)[1:].tolist(), strict=True)}}


SPATIAL: dict[str, dict[str, Any]] = {
    "quaternion": {"coordinates": tuple("abcd"), "rotation": QUATERNION,
                   "rigidity": ("a**2 + b**2 + c**2 + d**2 = 1",), "start": quaternion_start()},
    "quaternion, condition derived": {"coordinates": tuple("abcd"), "rotation": QUATERNION,
                                      "start": quaternion_start()},
    "nine entries": {"coordinates": tuple(f"r{i}{j}" for i in range(3) for j in range(3)),
                     "rotation": tuple(tuple(f"r{i}{j}" for j in range(3)) for i in range(3)),
                     "start": entries_start()},
    "Euler angles": {
        "coordinates": ("psi", "theta", "phi"), "definitions": {"s": "sin(theta)", "k": "cos(theta)"},
        "rotation": (
            ("cos(psi)*cos(phi) - sin(psi)*k*sin(phi)", "-cos(psi)*sin(phi) - sin(psi)*k*cos(phi)", "sin(psi)*s"),
            ("sin(psi)*cos(phi) + cos(psi)*k*sin(phi)", "-sin(psi)*sin(phi) + cos(psi)*k*cos(phi)", "-cos(psi)*s"),
            ("s*sin(phi)", "s*cos(phi)", "k")),
        "start": euler_start()},
}


def spatial(described: dict[str, Any] | None) -> gr.Scene:
    """A body on a ball joint, with a spring."""
    centre = -rotation(U) @ [0.1, 0.2, 0.5]
    scene: dict[str, Any] = {
        "body": {"pivot": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
                 "nail": {"kind": "fixed-point", "position": (1.0, 0.5, 0.2)},
                 "top": {"kind": "rigid-body", "mass": 1.7, "inertia": INERTIA,
                         "points": {"tip": (0.1, 0.2, 0.5), "eye": (-0.2, 0.3, -0.1)}}},
        "constraint": {"joint": {"kind": "ball-joint", "between": ("pivot", "top.tip")}},
        "load": {"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -G)},
                 "spring": {"kind": "spring", "between": ("nail", "top.eye"), "stiffness": 20.0, "rest_length": 0.4}}}
    if described is None:
        scene["start"] = {"top": {"position": centre.tolist(), "orientation": U.tolist(),
                                  "velocity": np.cross(W, centre).tolist(), "angular_velocity": W.tolist()}}
    else:
        keys = {key: described[key] for key in ("rotation", "rigidity") if key in described}
        scene["body"]["top"]["parametrisation"] = {"position": ("x", "y", "z"), **keys}
        scene["system"] = {"coordinates": ("x", "y", "z", *described["coordinates"]),
                           "definitions": described.get("definitions", {}),
                           "start": {**dict(zip("xyz", centre.tolist(), strict=True)), **described["start"]}}
    return gr.Scene.model_validate(scene)


@pytest.mark.parametrize(("name", "formulation"), [
    *((name, "virtual-work") for name in SPATIAL), *((name, "fundamental") for name in SPATIAL),
    ("quaternion", "lagrange"), ("Euler angles", "lagrange"), ("quaternion", "gibbs-appell"),
    ("nine entries", "gibbs-appell")])
def test_any_description_of_a_top_moves_as_the_top(name: str, formulation: str) -> None:
    """Orientations are recorded as quaternions without jumps."""
    expected = gr.simulate(spatial(None), formulation="newton-euler", **TIGHT)
    found = gr.simulate(spatial(SPATIAL[name]), formulation=formulation, **TIGHT)
    assert_same_motion(found, expected, "top")
    u = found.orientation("top")
    assert (np.einsum("ij,ij->i", u[1:], u[:-1]) > 0.0).all()
    assert_allclose(np.linalg.norm(u, axis=1), 1.0, rtol=0, atol=1e-12)


# ---- the wheel and the divided body of the document

def test_a_thrown_wheel_is_recorded_as_a_body() -> None:
    """The example against its closed form: x, v and ω after sliding up, sliding down (Souchet, example 1)."""
    from granum.validation.wheel import Throw, phases

    run = gr.simulate(gr.example("wheel-euler-parameters"))
    x, v, omega = phases(Throw(45, 0.2, 2, 3))[-1].at(1.0)
    slope = np.array([math.cos(math.pi / 4), math.sin(math.pi / 4)])
    assert_allclose(run.position("wheel")[-1] @ slope, x, rtol=0, atol=CLOSE)
    assert_allclose(run.velocity("wheel")[-1] @ slope, v, rtol=0, atol=CLOSE)
    assert_allclose(run.angular_velocity("wheel")[-1], omega, rtol=0, atol=CLOSE)
    # ω falls by 2 k g cos a / r until the slip ends, and rises by as much after: the mean of ω is that of ω²/2 α
    alpha, end = 2.0 * 0.2 * G * math.cos(math.pi / 4), phases(Throw(45, 0.2, 2, 3))[1].begin
    turned = 3.0 * end - 0.5 * alpha * end**2 + (3.0 - alpha * end) * (1 - end) + 0.5 * alpha * (1 - end) ** 2
    assert_allclose(run.angle("wheel")[-1], turned, rtol=0, atol=CLOSE)
    assert run.summary["constraint_errors"]["relative"] < 1e-14
    assert run.summary["energy"]["relative_error"] < 1e-12


@pytest.mark.parametrize("inertia", [0.5, 0.1, 0.9])
def test_it_rolls_up_to_the_slope_of_the_closed_form(inertia: float) -> None:
    """Tan a ≤ k (1 + m r²/I), for wheels of any inertia."""
    k, m, r = 0.2, 1.0, 1.0
    limit = math.atan(k * (1.0 + m * r * r / inertia))
    for side, name in ((-1e-6, "sticks"), (1e-6, "slides")):
        scene = gr.example("wheel-euler-parameters")
        wheel = gr.RigidBody(mass=m, inertia=inertia, parametrisation=scene.body["wheel"].parametrisation)  # type: ignore[attr-defined]
        scene = scene.model_copy(update={"body": {"wheel": wheel}}).vary({
            "system.parameters.a": limit + side, "system.start.x_dot": 0.0, "system.start.q_dot": 0.0})
        assert gr.check(scene).frictions == {"ground": name}  # type: ignore[attr-defined]


def test_the_frequencies_of_a_divided_body_are_those_of_the_whole() -> None:
    """Roots of the 2 by 2 problem with masses m₁ + m₂ and m₃ (Souchet, example 2)."""
    found = gr.linearize(gr.example("divided-body"), at="equilibrium").frequencies
    stiffness, mass = np.array([[150.0, -50.0], [-50.0, 50.0]]), np.diag([3.0, 1.5])
    assert_allclose(np.sort(found) ** 2, np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real), rtol=1e-11)


# ---- runs

def test_full_turns_are_counted_between_rare_frames() -> None:
    """Four turns from frame to frame, and the state between them."""
    body = gr.RigidBody(mass=1.0, inertia=0.2, parametrisation=gr.Parametrisation(
        position=("x", "y"), **{key: PLANAR["Euler parameters"][key] for key in ("rotation", "rigidity")}))
    rate = 8.0 * math.pi + 0.3
    scene = gr.Scene(body={"disc": body}, system=gr.FormulaSystem(
        coordinates=("x", "y", "p", "q"), start={"x": 0, "y": 0, "p": 1, "q": 0, "q_dot": 0.5 * rate}))
    run = gr.simulate(scene, until=3.0, interval=1.0)
    assert_allclose(run.angle("disc"), rate * run.t, rtol=0, atol=1e-7)
    sim = gr.Simulation(scene)
    sim.advance(0.9)
    assert sim.body("disc").angle == pytest.approx(0.9 * rate, abs=1e-7)


def test_it_is_resumed_to_the_bit_and_started_from(tmp_path: Path) -> None:
    scene, file = planar(PLANAR["Euler parameters"]), tmp_path / "plate.h5"
    whole = gr.simulate(scene, **TIGHT)
    assert not gr.simulate(scene, **TIGHT, output=file, progress=stop_at(0.35)).finished
    resumed = gr.simulate(scene, **TIGHT, output=file, resume=True)
    assert_same_run(resumed, whole)
    assert np.array_equal(resumed.angle("plate"), whole.angle("plate"))
    later = gr.simulate(scene.start_from(whole, 3), until=0.3, interval=0.1, tolerance=1e-12)
    assert_allclose(later.position("plate")[-1], whole.position("plate")[-1], rtol=0, atol=CLOSE)
    assert_allclose(later.angle("plate")[-1], whole.angle("plate")[-1], rtol=0, atol=CLOSE)


def test_it_is_read_and_set_while_it_runs() -> None:
    sim = gr.Simulation(planar(PLANAR["Euler parameters"]))
    assert sim.value("plate.wz") == pytest.approx(TURNING)
    sim.set_coordinates(q=0.0, p=1.0, p_dot=0.0, q_dot=1.0)
    assert sim.body("plate").angle == pytest.approx(0.0)
    assert sim.body("plate").angular_velocity == pytest.approx(2.0)
    with refused(gr.GranumError, '"plate"', "x, y, p, q", "set_coordinates"):
        sim.set_body("plate", position=(0.0, 0.0))


def test_joints_are_read_while_they_move() -> None:
    """Angle and rate of a hinge, as those of the ordinary plate."""
    states = []
    for scene, formulation in ((jointed(None, "hinge"), "newton-euler"),
                               (jointed(PLANAR["Euler parameters"], "hinge"), "fundamental")):
        sim = gr.Simulation(scene, formulation=formulation, tolerance=1e-12)
        sim.advance(0.3)
        states.append(sim.joint("pin"))
    assert states[1].kind == "hinge" and abs(states[0].value) > 0.1
    assert_allclose(states[1][1:], states[0][1:], rtol=0, atol=CLOSE)


def test_small_motions_and_generated_code_are_those_of_the_plate() -> None:
    """About the equilibrium, and in the state at the start."""
    given = gr.linearize(planar(None), at="equilibrium", formulation="fundamental").frequencies
    equations = gr.derive(planar(PLANAR["Euler parameters"]), "fundamental")
    assert_allclose(gr.linearize(planar(PLANAR["Euler parameters"]), at="equilibrium").frequencies, given, rtol=1e-9)
    program: dict[str, Any] = {}
    exec(equations.code("python"), program)
    q, v = equations.start
    assert_allclose(program["accelerations"](q, v)[0], equations.accelerations(q, v), rtol=1e-11)


# ---- formulas in Python

def test_bodies_of_python_take_formulas_as_strings() -> None:
    """The wheel of the document as a system: the accelerations of the scene."""
    wheel = gr.analytic.Body("wheel", "m", ("x", "y"), (("1 - 2*q**2", "-2*p*q"), ("2*p*q", "1 - 2*q**2")), "m*r**2/2")
    system = gr.analytic.System(
        "x y p q", parameters={"m": 1.0, "r": 1.0, "a": math.pi / 4}, bodies=[wheel],
        potential="9.81*m*(x*sin(a) + y*cos(a))",
        constraints=[gr.analytic.Constraint("contact", ("y - r",)),  # type: ignore[arg-type]
                     gr.analytic.Constraint("unit", ("p**2 + q**2 = 1",), silent=True)],  # type: ignore[arg-type]
        frictions=[gr.analytic.Friction("ground", ("contact", 0), ("x_dot + 2*r*(p*q_dot - q*p_dot)",), 0.2, True)])
    equations = gr.derive(gr.example("wheel-euler-parameters"))
    q, v = equations.start
    found = gr.derive(system, "virtual-work").accelerations(q, v)
    assert_allclose(found, equations.accelerations(q, v), rtol=0, atol=1e-12)


def test_what_is_wrong_with_bodies_of_python_is_named() -> None:
    def system(**more: Any) -> gr.analytic.System:
        keys: dict[str, Any] = {"name": "b", "mass": 1.0, "position": ("x", "y"), **more}
        return gr.analytic.System("x y", bodies=[gr.analytic.Body(**keys)])

    assert gr.derive(system()).accelerations(np.zeros(2), np.zeros(2)).tolist() == [0.0, 0.0]
    for more, names in (({"position": ("x", "z")}, ("position of b", "z")), ({"mass": "k"}, ("mass of b", "k")),
                        ({"position": ("x",)}, ("position of b", "1")),
                        ({"rotation": (("1", "0"),)}, ("rotation of b",)),
                        ({"rotation": (("x", "+"), ("0", "1"))}, ("+",)), ({"inertia": (1.0, 2.0)}, ("inertia",))):
        with refused(gr.GranumError, *names):
            system(**more)


# ---- what is refused

WHEEL = (Path(__file__).parents[2] / "examples" / "wheel-euler-parameters.toml").read_text("utf-8")


@pytest.mark.parametrize(("old", "new", "words"), [
    ('rigidity = ["p**2 + q**2 = 1"]', "", ("body.wheel.parametrisation.rotation", "p = 1, q = 0", "rigidity")),
    ('"p**2 + q**2 = 1"', '"p**2 + q**2 = 2"', ("body.wheel.parametrisation.rigidity", "p = ", "rotation")),
    ('"p**2 + q**2 = 1"', '"p**2 + z**2 = 1"', ("body.wheel.parametrisation.rigidity", "z")),
    ('"-2*p*q"],\n            ["2*p*q", "1 - 2*q**2"]', '"2*p*q"],\n            ["2*p*q", "2*q**2 - 1"]',
     ("body.wheel.parametrisation.rotation", "determinant")),
    ('"-2*p*q"', '"-2*p*x_dot"', ("body.wheel.parametrisation.rotation", "x_dot")),
    ('            ["2*p*q", "1 - 2*q**2"]', "", ("body.wheel.parametrisation", "2 rows")),
    ("[run]", "[start.wheel]\nposition = [0.0, 1.0]\n[run]", ("start.wheel", "[system.start]")),
    ("[run]", '[load.k]\nkind = "spring"\nstiffness = 1\nbetween = ["wheel", "o"]\n'
              '[body.o]\nkind = "fixed-point"\nposition = [5, 5]\n[run]', ("load.k", '"wheel"', "[system.start]")),
    ("[run]", '[material.steel]\ndensity = 7800\n[run]', ("body.wheel.parametrisation",)),
    ('"x_dot + r*wheel.wz"', '"x_dot + wheel.angle"', ("constraint.ground", "wheel.angle")),
    ('formulation = "virtual-work"', 'formulation = "newton-euler"', ("run.formulation", "newton-euler")),
    ("q = 0.0", "q = 0.5", ("system.start", "wheel.rigidity")),
])
def test_what_cannot_be_is_refused_with_its_key(old: str, new: str, words: tuple[str, ...], tmp_path: Path) -> None:
    assert old in WHEEL
    file = tmp_path / "wheel.toml"
    file.write_text(WHEEL.replace(old, new, 1), "utf-8")
    with refused(gr.SceneError, *words):
        gr.check(gr.load(file))


def test_a_guess_that_joints_would_count_from_is_refused() -> None:
    given = planar(PLANAR["Euler parameters"], constraint={"on": {"kind": "formula", "formula": "x = 0.25"}})
    start = {name: value for name, value in given.system.start.items() if name not in ("x", "x_dot")}
    system = given.system.model_copy(update={"start": start, "guess": {"x": 0.2}})
    with refused(gr.SceneError, '"plate"', "0.05", "[system.guess]", "[system.start]"):
        gr.derive(given.model_copy(update={"system": system}))


def test_other_formulations_and_surfaces_are_refused_by_name() -> None:
    with refused(gr.SceneError, "run.formulation", "scalar", "top"):
        gr.derive(spatial(SPATIAL["quaternion"]), "scalar")
    ball = gr.Sphere(radius=0.1, mass=1.0, parametrisation=gr.Parametrisation(position=("x", "y", "z")))
    with refused(gr.SceneError, "constraint.roll", '"ball"', "parametrisation"):
        gr.derive(gr.Scene(body={"ball": ball}, surface={"floor": gr.Surface(equation="Z")},
                           constraint={"roll": gr.Rolling(body="ball", on="floor")},
                           system=gr.FormulaSystem(coordinates=("x", "y", "z"), start={"x": 0, "y": 0, "z": 0.1})))
    with refused(gr.SceneError, "system", "kinetic"):
        gr.derive(gr.Scene(system=gr.FormulaSystem(coordinates=("x",))))
    turned = gr.Parametrisation(position=("x", "y"), rotation=(("1", "0"), ("0", "1")))
    with refused(gr.SceneError, "parametrisation", "rotation"):
        gr.PointMass(mass=1.0, parametrisation=turned)
