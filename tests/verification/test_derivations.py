"""Printed derivations are true: their equations, read back from the text, give the accelerations of the engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.algebra.expression import evaluate
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.derivation import Derivation
from granum.analytic.derivations.quantities import subscripts
from messages import refused, says
from printed import accelerations_of, consistent_states, equations_in, explained, in_state
from printed_vectors import Page
from scenes import hanging_ring, pendulum, spinning_ring, tree

EXAMPLES = Path(__file__).parents[2] / "examples"
SIX = ("newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")
FORMULAS = ("lagrange", "fundamental", "gibbs-appell", "virtual-work")


def slider_crank() -> gr.Scene:
    """The example without its motor, so that it has one degree of freedom."""
    scene = gr.load(EXAMPLES / "slider-crank.toml")
    return scene.model_copy(update={"constraint": {k: c for k, c in scene.constraint.items() if k != "motor"}})


def example(name: str) -> gr.Scene:
    return gr.load(EXAMPLES / f"{name}.toml")


CASES = [
    *(("double-pendulum", way) for way in SIX), *(("chain", way) for way in SIX),
    *(("slider-crank", way) for way in SIX if way != "scalar"), *(("four-bar", way) for way in FORMULAS),
    *(("rolling-disk", way) for way in FORMULAS),
    ("spherical-pendulum", "newton-euler"), *(("sprung rod", way) for way in FORMULAS), ("three-spheres", "scalar"),
    ("ring", "lagrange"), ("ring", "scalar"), ("ring", "newton-euler"), ("free ring", "lagrange"), ("tree", "scalar"),
    ("hanging-chain", "scalar"),
    ("sprung", "lagrange"),
    ("sprung", "scalar"), ("sprung", "newton-euler"), ("sprung", "gibbs-appell"),
    *(("free wheel", way) for way in FORMULAS), *(("divided-body", way) for way in FORMULAS),
    ("quaternion of a user", "virtual-work"), ("quaternion of a user", "fundamental"),
    *(("rattleback", way) for way in FORMULAS), *(("platform", way) for way in FORMULAS),
    ("truss", "gibbs-appell"), ("truss", "virtual-work"), ("hanging-chain", "gibbs-appell"),
]


def sprung() -> gr.Scene:
    """Two masses on rods, a force, and a spring with a damper to the ground."""
    return gr.Scene(
        title="Sprung", body={"pivot": gr.FixedPoint(position=(0.1, 0.0)), "post": gr.FixedPoint(position=(1.0, -1.0)),
                              "a": gr.PointMass(mass=0.7), "b": gr.PointMass(mass=0.4)},
        link={"r": gr.Link(between=("a", "pivot")), "s": gr.Link(between=("a", "b"))},
        load={"gravity": gr.Gravity(acceleration=(0.3, -9.81)), "push": gr.Force(on="b", force=(1.0, 0.5)),
              "spring": gr.Spring(between=("b", "post"), stiffness=30.0, rest_length=0.2, damping=2.0)},
        start={"a": gr.Start(position=(0.3, -0.4)), "b": gr.Start(position=(0.7, -0.5))})


def platform() -> gr.Scene:
    """A triangle on three parallel links of one length, which moves though such a net is rigid in general."""
    ends = {"p": (0.6, 0.8), "q": (1.6, 0.8), "r": (1.3, 1.6)}
    foot = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.7, 0.8)}
    return gr.Scene(
        title="Platform", body={**{name: gr.FixedPoint(position=at) for name, at in foot.items()},
                                **{name: gr.PointMass(mass=1.0 + k) for k, name in enumerate(ends)}},
        link={"".join(pair): gr.Link(between=tuple(pair)) for pair in ("ap", "bq", "cr", "pq", "qr", "rp")},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81))},
        start={name: gr.Start(position=at) for name, at in ends.items()})


def free_wheel() -> gr.Scene:
    """The wheel in Euler parameters without friction."""
    scene = example("wheel-euler-parameters")
    return scene.model_copy(update={"constraint": {k: c for k, c in scene.constraint.items() if k != "ground"}})


def own_quaternion() -> gr.Scene:
    """A body by a quaternion that is a user's, its rigidity condition derived from R."""
    rotation = (("a**2 + b**2 - c**2 - d**2", "2*(b*c - a*d)", "2*(b*d + a*c)"),
                ("2*(b*c + a*d)", "a**2 - b**2 + c**2 - d**2", "2*(c*d - a*b)"),
                ("2*(b*d - a*c)", "2*(c*d + a*b)", "a**2 - b**2 - c**2 + d**2"))
    return gr.Scene(
        title="Top", body={"top": gr.RigidBody(mass=1.7, inertia=(0.3, 0.4, 0.5), parametrisation=gr.Parametrisation(
            position=("x", "y", "z"), rotation=rotation))},
        system=gr.FormulaSystem(coordinates=("x", "y", "z", "a", "b", "c", "d"), start={
            "x": 0.0, "y": 0.0, "z": 0.0, "a": 0.8, "b": 0.2, "c": -0.4, "d": 0.4, "b_dot": 1.0, "c_dot": 0.5}),
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))})


def sprung_rod() -> gr.Scene:
    """A rod on a ball joint and a spring, for which derivations have no vectors: written in components."""
    scene = example("spherical-pendulum")
    spring = gr.Spring(between=("pivot", "rod"), stiffness=40.0, rest_length=0.3)
    return scene.model_copy(update={"load": {**scene.load, "spring": spring}})


def conical() -> gr.Scene:
    """A mass on a rod in 3-D."""
    return gr.Scene(body={"pivot": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "bob": gr.PointMass(mass=1.0)},
                    link={"rod": gr.Link(between=("pivot", "bob"))}, start={"bob": gr.Start(position=(0.3, 0.0, -0.4))})


def scene_of(name: str) -> gr.Scene:
    made = {"chain": lambda: pendulum(4), "slider-crank": slider_crank, "ring": lambda: hanging_ring(4),
            "free ring": lambda: spinning_ring(4), "tree": lambda: tree(2), "conical": conical, "sprung": sprung,
            "free wheel": free_wheel, "quaternion of a user": own_quaternion, "sprung rod": sprung_rod,
            "platform": platform}
    return made[name]() if name in made else example(name)


def states_of(equations: Any, scene: gr.Scene) -> list[tuple[np.ndarray, np.ndarray]]:
    """States that satisfy the constraints, in the coordinates of the equations."""
    if hasattr(equations, "from_state"):  # links: from rectangular coordinates
        by_formulas = gr.derive(scene, "fundamental")
        listed = consistent_states(by_formulas.system, by_formulas.start[0], 3)
        return [_as_links(equations, by_formulas.coordinates, q, v) for q, v in listed]
    by_formulas = gr.derive(scene, "fundamental") if not hasattr(equations, "matrices") else equations
    order = [by_formulas.coordinates.index(name) for name in equations.coordinates]
    return [(q[order], v[order]) for q, v in consistent_states(by_formulas.system, by_formulas.start[0], 3)]


def _as_links(equations: Any, names: tuple[str, ...], q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    system = equations.system
    state = equations.to_state(*equations.start)
    for body in np.flatnonzero(~system.fixed):
        own = [names.index(f"{system.body_name(int(body)).replace('-', '_')}.{axis}") for axis in "xyz"[: len(state.x)]]
        state.x[:, body], state.v[:, body] = q[own], v[own]
    placed: tuple[np.ndarray, np.ndarray] = equations.from_state(state)
    return placed


@pytest.mark.parametrize(("name", "formulation"), CASES)
def test_printed_equations_give_the_accelerations_of_the_engine(name: str, formulation: str) -> None:
    """Round-off of a solve with a condition number up to 1e3 leaves 1e-11 with a margin."""
    scene = scene_of(name)
    equations = gr.derive(scene, formulation)
    shown = equations.derivation()
    assert len(shown.coordinates) == len(equations.coordinates)
    explained(shown)
    for text in (shown.text(), shown.with_shared_parts().text(steps=True)):
        for q, v in states_of(equations, scene):
            state = in_state(shown, q, v)
            by_matrices = isinstance(shown.equations[-1].left, Block)
            found = Page(text, state, shown.coordinates).accelerations() if by_matrices else accelerations_of(
                text, state, shown.coordinates)
            wanted = equations.accelerations(q, v)
            assert_allclose(found, wanted, rtol=0.0, atol=2e-10 * np.abs(wanted).max())


@pytest.mark.parametrize("formulation", ["lagrange", "gibbs-appell", "virtual-work"])
def test_a_parallelogram_with_a_third_crank_swings_as_a_pendulum(formulation: str) -> None:
    """Three cranks hold the beam, but parallel ones of one length do not: theta_ddot = -g cos(theta)/l."""
    scene = example("overclosed")
    equations, (l, g) = gr.derive(scene, formulation), (scene.system.parameters[name] for name in "lg")
    shown = equations.derivation()
    for angle, rate in ((0.4, 0.7), (-0.9, 1.3), (-2.0, -0.4)):
        e, n, turned = (np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0]),
                        -g * np.cos(angle) / l)
        found = accelerations_of(shown.text(), in_state(shown, l * e, l * rate * n), shown.coordinates)
        assert_allclose(found, l * (turned * n - rate**2 * e), rtol=0.0, atol=1e-11)


def test_the_stress_is_eliminated_in_the_symbols_of_the_document() -> None:
    """The rigidity condition p w_p + q w_q = 0, dual vectors and virtual works of the wheel (Souchet, corrected)."""
    import sympy as sp

    from granum.algebra.sympy_bridge import to_sympy

    shown = gr.derive(example("wheel-euler-parameters")).derivation()
    lines = {step.heading: step.lines for step in shown.steps}
    p, q, w_p, w_q = sp.symbols("p q w_p w_q")
    R = sp.Matrix([[1 - 2 * q**2, -2 * p * q], [2 * p * q, 1 - 2 * q**2]])
    grad = (R.diff(p) * w_p + R.diff(q) * w_q) * R.adjugate()
    determinant, strain = (to_sympy(side) for side in (  # type: ignore[arg-type]
        lines["Elimination of the stress"][0].right, lines["Elimination of the stress"][1].left))
    assert sp.expand(determinant - R.det()) == 0 and sp.expand(strain - grad[0, 0]) == 0
    assert shown.text(steps=True).count("p*w_p + q*w_q = 0") == 1
    for line in lines["Virtual work with stress"][1:]:
        by = p if line.left.text == "a[p]" else q  # type: ignore[union-attr]
        assert sp.expand(to_sympy(line.right) - (R.diff(by) * R.T)[1, 0]) == 0  # type: ignore[arg-type]
    L = {line.left.name: line.right for line in lines["Inertial forces"]}  # type: ignore[union-attr]
    m, r, I, pd, qd, pdd, qdd = sp.symbols("m r I_wheel p_dot q_dot p_ddot q_ddot")
    found = to_sympy(L["L_p"]) * w_p + to_sympy(L["L_q"]) * w_q  # type: ignore[arg-type]
    document = 2 * m * r**2 * ((q**2 * w_p + p * q * w_q) * pdd + (p * q * w_p + (p**2 + 4 * q**2) * w_q) * qdd
                              + 2 * (q * w_p + p * w_q) * pd * qd + 4 * q * w_q * qd**2)
    assert sp.expand(found.subs(I, m * r**2 / 2) - document) == 0


def test_displacements_of_the_wheel_keep_it_rigid() -> None:
    """w_p and w_q by the virtual rotation, without a division: S_i w_i = 0 where p² + q² = 1."""
    import sympy as sp

    from granum.algebra.sympy_bridge import to_sympy

    shown = gr.derive(example("wheel-euler-parameters")).derivation()
    (step,) = (one for one in shown.steps if one.heading == "Virtual displacements")
    by = {text.left.name: to_sympy(text.right) for text in step.lines}  # type: ignore[union-attr, arg-type]
    p, q, rotation = sp.symbols("p q w_phi_wheel")
    assert sp.expand(p * by["w_p"] + q * by["w_q"]) == 0
    turned = 2 * q * (1 - 2 * q**2) * by["w_p"] + 2 * p * (1 + 2 * q**2) * by["w_q"]
    assert sp.expand((turned - rotation).subs(p, sp.sqrt(1 - q**2))) == 0


def of_angles(equations: Any, shown: Derivation, q: np.ndarray, v: np.ndarray) -> tuple[Any, Any, Any]:
    """Angles of all links and positions that are printed, their rates, and their accelerations by the engine."""
    system, state, a = equations.system, equations.to_state(q, v), np.zeros_like(equations.to_state(q, v).x)
    a[:, ~system.fixed] = equations.accelerations(q, v).reshape(2, -1)
    apart = [array[:, system.links.head] - array[:, system.links.tail] for array in (state.x, state.v, a)]
    square = (apart[0] ** 2).sum(axis=0)
    theta = np.arctan2(apart[0][1], apart[0][0])
    rate, second = ((apart[0][0] * one[1] - apart[0][1] * one[0]) / square for one in apart[1:])
    meaning = {quantity.name: quantity.meaning for quantity in shown.quantities}
    roots = [("xy".index(meaning[name][0]), system.body_names.index(meaning[name][5:]))
             for name in shown.coordinates[len(theta):]]
    return tuple(np.array([*angles, *(table[k] for k in roots)])
                 for angles, table in ((theta, state.x), (rate, state.v), (second, a)))


@pytest.mark.parametrize("name", ["double-pendulum", "chain", "ring", "free ring", "tree", "sprung"])
def test_newton_euler_in_angles(name: str) -> None:
    """Accelerations of angles, and link forces, are those of the engine; trees, loops, free clusters and springs."""
    scene = scene_of(name)
    equations = gr.derive(scene, "newton-euler")
    shown = equations.derivation_in_angles()
    explained(shown)
    for text in (shown.text(), shown.with_shared_parts().text(steps=True)):
        for q, v in states_of(equations, scene):
            angles, rates, wanted = of_angles(equations, shown, q, v)
            known = in_state(shown, angles, rates)
            found = accelerations_of(text, known, shown.coordinates)
            assert_allclose(found, wanted, rtol=0.0, atol=2e-10 * np.abs(wanted).max())
            forces = {f"gamma_{name}": force for name, force in zip(
                subscripts(equations.reactions(q, v)).values(), equations.reactions(q, v).values(), strict=True)}
            seconds = {f"{q}_ddot": a for q, a in zip(shown.coordinates, wanted.tolist(), strict=True)}
            values = {**known, **forces, **seconds}
            for left, right in equations_in(text):
                if left.kind == "symbol" and left.name not in values:
                    values[left.name] = evaluate([right], values)[0]
                one, other = evaluate([left, right], values)
                assert abs(one - other) < 1e-8 * (1.0 + abs(one))


def test_three_disks_of_the_thesis_in_angles() -> None:
    """(3.42) and (3.43), corrected: a disk hangs from the ground, and two hang from it."""
    disks = gr.Scene(
        body={"ground": gr.FixedPoint(position=(0.0, 0.0)),
              **{f"disk-{k}": gr.PointMass(mass=0.1 * k) for k in (1, 2, 3)}},
        link={"rod-1": gr.Link(between=("ground", "disk-1")), "rod-2": gr.Link(between=("disk-1", "disk-2")),
              "rod-3": gr.Link(between=("disk-1", "disk-3"))}, load={"g": gr.Gravity(acceleration=(0.0, -9.81))},
        start={"disk-1": gr.Start(position=(0.1, -0.4)), "disk-2": gr.Start(position=(0.4, -0.7)),
               "disk-3": gr.Start(position=(-0.3, -0.6))})
    lines = gr.derive(disks, "newton-euler").code("text", angles=True).splitlines()
    for wanted in (
        "l_1*theta_1_dot**2 = gamma_1/m_1 - gamma_2/m_1*cos(theta_1 - theta_2) - gamma_3/m_1*cos(theta_1 - theta_3) "
        "+ g*sin(theta_1)",
        "l_2*theta_2_dot**2 = (1/m_1 + 1/m_2)*gamma_2 - gamma_1/m_1*cos(theta_2 - theta_1) "
        "+ gamma_3/m_1*cos(theta_2 - theta_3)",
        "l_3*theta_3_dot**2 = gamma_2/m_1*cos(theta_3 - theta_2) - gamma_1/m_1*cos(theta_3 - theta_1) "
        "+ (1/m_1 + 1/m_3)*gamma_3",
        "l_1*theta_1_ddot = -gamma_2/m_1*sin(theta_1 - theta_2) - gamma_3/m_1*sin(theta_1 - theta_3) - g*cos(theta_1)",
        "l_2*theta_2_ddot = gamma_3/m_1*sin(theta_2 - theta_3) - gamma_1/m_1*sin(theta_2 - theta_1)",
        "l_3*theta_3_ddot = gamma_2/m_1*sin(theta_3 - theta_2) - gamma_1/m_1*sin(theta_3 - theta_1)",
    ):
        assert f"      {wanted}" in lines, "\n".join(lines)


@pytest.mark.parametrize(("name", "formulation", "form", "names"), [
    ("conical", "newton-euler", "text", ["3-D"]), ("slider-crank", "newton-euler", "text", ["newton-euler"]),
    ("double-pendulum", "lagrange", "latex", ["lagrange"]), ("double-pendulum", "newton-euler", "python", ["python"]),
])
def test_what_has_no_form_in_angles_is_refused(name: str, formulation: str, form: str, names: list[str]) -> None:
    with refused(gr.GranumError, "angles", *names):
        gr.derive(scene_of(name), formulation).code(form, angles=True)


@pytest.mark.parametrize("name", ["wheel", "wheel-euler-parameters"])
def test_printed_friction_is_that_of_a_sliding_wheel(name: str) -> None:
    equations = gr.derive(example(name))
    shown = equations.derivation()
    q, v = equations.start
    found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
    assert_allclose(found, equations.accelerations(q, v), rtol=1e-12, atol=1e-14)


def test_a_driven_mechanism_has_no_equation_left() -> None:
    equations = gr.derive(example("slider-crank"), "gibbs-appell")
    shown = equations.derivation()
    q, v = equations.start
    found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
    assert_allclose(found, equations.accelerations(q, v), atol=1e-9)
    last = shown.steps[-1]
    assert not last.lines and last.prose in shown.text()
    says(last.prose)


def test_quasi_velocities_that_are_given_are_used() -> None:
    """A ball on a slope, in its angular velocities: 5/7 g sin(slope)."""
    ball = gr.analytic.System(
        "x y psi theta phi", parameters={"m": 2.0, "a": 0.3, "I": 0.072, "g": 9.81, "slope": 0.5},
        kinetic="m*(x_dot**2 + y_dot**2)/2"
                " + I*(psi_dot**2 + theta_dot**2 + phi_dot**2 + 2*psi_dot*phi_dot*cos(theta))/2",
        potential="-m*g*sin(slope)*y",
        constraints={"roll": ["x_dot = a*(theta_dot*sin(psi) - phi_dot*sin(theta)*cos(psi))",
                              "y_dot = -a*(theta_dot*cos(psi) + phi_dot*sin(theta)*sin(psi))"]})
    equations = gr.derive(ball, "gibbs-appell", quasi={
        "wx": "theta_dot*cos(psi) + phi_dot*sin(theta)*sin(psi)",
        "wy": "theta_dot*sin(psi) - phi_dot*sin(theta)*cos(psi)", "wz": "psi_dot + phi_dot*cos(theta)"})
    shown = equations.derivation()
    q, v = gr.analytic.consistent(ball, {"theta": 1.0, "x_dot": 0.3, "psi_dot": 1.0})
    found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
    assert_allclose(found, equations.accelerations(q, v), atol=1e-10)
    assert found[1] == pytest.approx(5.0 / 7.0 * 9.81 * np.sin(0.5), rel=1e-12)
    assert "wx_dot" in shown.text() and "x_dot = a*wy" in shown.text()


def test_the_double_pendulum_is_that_of_the_textbook() -> None:
    """Landau and Lifshitz (1976), section 5, problem 1, with angles from the vertical: θ = φ - π/2."""
    import sympy

    from granum.algebra.sympy_bridge import to_sympy

    shown = gr.derive(example("double-pendulum"), "lagrange").derivation()
    t = sympy.Symbol("t")
    m1, m2, l1, l2, g = sympy.symbols("m_1 m_2 l_1 l_2 g")
    f1, f2 = (sympy.Function(name)(t) for name in ("f1", "f2"))
    kinetic = (m1 + m2) / 2 * l1**2 * f1.diff(t) ** 2 + m2 / 2 * l2**2 * f2.diff(t) ** 2 + (
        m2 * l1 * l2 * f1.diff(t) * f2.diff(t) * sympy.cos(f1 - f2))
    lagrangian = kinetic + (m1 + m2) * g * l1 * sympy.cos(f1) + m2 * g * l2 * sympy.cos(f2)
    for line, f in zip(shown.equations, (f1, f2), strict=True):
        printed = to_sympy(line.left - line.right)  # type: ignore[operator]
        replaced = printed.subs({f"theta_{k}_ddot": one.diff(t, 2) for k, one in ((1, f1), (2, f2))}).subs(
            {f"theta_{k}_dot": one.diff(t) for k, one in ((1, f1), (2, f2))}).subs(
            {f"theta_{k}": one - sympy.pi / 2 for k, one in ((1, f1), (2, f2))})
        textbook = lagrangian.diff(f.diff(t)).diff(t) - lagrangian.diff(f)
        assert sympy.simplify(sympy.expand(replaced - textbook)) == 0


OWN = {
    "newton-euler": ["H_1_2 = ", "gamma_1", "H gamma = b", "E ="],
    "lagrange": ["L = ", "dL/d(theta_1_dot) = ", "T = "],
    "scalar": ["M_1_2 = m_2", "P =", "alpha_1_ddot"],
    "fundamental": ["q_ddot = a + M^(-1/2) (A M^(-1/2))^+ (b - A a)", "A =", "b =", "K_1_2 = "],
    "gibbs-appell": ["G = 1/2*m_1*(x_1_ddot**2 + y_1_ddot**2)", "dG/d(pi_ddot) = Pi", "Pi_omega_1 = "],
    "virtual-work": ["w_x_1 = -y_1*w_phi_1", "L_x_1 = m_1*x_1_ddot", "Q_y_1 = -m_1*g"],
}


def test_each_formulation_shows_its_own_quantities() -> None:
    texts = {way: gr.derive(example("double-pendulum"), way).code("text", steps=True) for way in SIX}
    for way, parts in OWN.items():
        for part in parts:
            assert part in texts[way], (way, part)
        distinct = parts[0]
        assert not any(distinct in text for other, text in texts.items() if other != way), way
    assert ">= 0  for all v" in gr.derive(example("wheel")).code("text")


def test_symbols_stay_symbols() -> None:
    """No value of a constant appears in a formula: the table alone has them."""
    for way in SIX:
        text = gr.derive(example("double-pendulum"), way).code("text", steps=True)
        formulas, _, table = text.partition("\nSymbols\n")
        assert not any(value in formulas for value in ("9.81", "0.2 ", "0.2*", "0.1*", "0.4", "0.05"))
        assert "9.81 m/s^2" in table and "mass of bob-1" in table


def test_names_of_the_user_are_not_taken() -> None:
    """Parameters called g, m_1 and z_1 beside a body whose mass would be m_1."""
    scene = gr.Scene.model_validate({
        "body": {"pivot": {"kind": "fixed-point", "position": [0.0, 0.0]},
                 "bob-1": {"kind": "point-mass", "mass": 2.0}},
        "link": {"rod-1": {"between": ["pivot", "bob-1"]}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, -9.81]}},
        "start": {"bob-1": {"position": [0.5, 0.0]}},
        "system": {"coordinates": ["s"], "kinetic": "m_1*s_dot**2/2", "potential": "g*s + z_1*s**2",
                   "parameters": {"m_1": 3.0, "g": 1.5, "z_1": 0.7}, "start": {"s": 0.2}},
        "run": {"formulation": "fundamental"}})
    equations = gr.derive(scene)
    shown = equations.derivation().with_shared_parts()
    assert shown.values["m_1"] == 3.0 and shown.values["m_bob_1"] == 2.0 and shown.values["g"] == 1.5
    explained(shown)
    ((q, v),) = consistent_states(equations.system, equations.start[0], 1)  # type: ignore[attr-defined]
    found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
    assert_allclose(found, equations.accelerations(q, v), rtol=1e-9)


@pytest.mark.parametrize("formulation", FORMULAS)
def test_letters_of_the_theory_give_way_to_names_of_the_user(formulation: str) -> None:
    """A pendulum on a cart whose mass is called M, in the coordinate q: neither stands for a matrix or a vector."""
    system = gr.analytic.System(
        "q y", parameters={"M": 2.0, "T": 0.3, "G": 9.81, "L": 0.5}, potential="M*G*y",
        kinetic="M*(q_dot**2 + y_dot**2)/2", constraints={"rod": "(q**2 + y**2 - L**2)/(2*L)"}, forces={"q": "T"})
    equations = gr.derive(system, formulation)
    shown = equations.derivation()
    text = shown.text(steps=True)
    for own in ("M", "T", "G", "L", "q"):
        assert not re.search(rf"^ +{own} = ", text, re.M), own
        assert not re.search(rf"^ +d?{own}(/d|\[)", text, re.M), own
    assert "M q_ddot" not in text and "dL/" not in text and "dG/" not in text
    q, v = gr.analytic.consistent(system, {"q": 0.3, "q_dot": 0.4}, guess={"y": -1.0})
    found = accelerations_of(text, in_state(shown, q, v), shown.coordinates)
    assert_allclose(found, equations.accelerations(q, v), rtol=1e-9)


def test_displacements_that_depend_on_others_are_not_called_independent() -> None:
    """Six hinges in a ring: 30 rows hold 35 coordinates, and no displacement is independent by itself."""
    text = gr.derive(example("bricard"), "virtual-work").code("text")
    assert "independent: " not in text.lower() and "of all coordinates" in text
