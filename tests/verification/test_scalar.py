"""Scalar equations (Vinogradov) against the document's corrected terms, a SymPy Lagrangian, and whole runs."""

from __future__ import annotations

import re
from functools import cache
from math import cos, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import granum as gr
import scenes
from granum.algebra.expression import Expression, evaluate, free_symbols, rebuild, symbol
from granum.algebra.parse import parse
from granum.analytic import scalar
from granum.analytic.scalar.expressions import ScalarExpressions, scalar_expressions
from granum.base.kernels import Floats
from granum.validation.three_spheres import three_spheres
from messages import refused
from printed import accelerations_of, equations_in, in_state
from runs import assert_same_run, stop_at

M, C = (1.0, 2.0, 3.0), (1.0, 0.8, 1.2)
Q = np.array([0.1, 1.9, 0.5, 2.2, -0.7, 1.7])
"""α₁ β₁ α₂ β₂ α₃ β₃"""
W = np.array([0.5, 0.2, -0.4, 0.1, 0.3, -0.3])
COORDINATES = ("alpha_1", "beta_1", "alpha_2", "beta_2", "alpha_3", "beta_3")
FORCES = np.array([[0.3, -0.2, 0.5], [1.1, 0.7, -0.4], [-9.0, -19.0, -29.0]])
"""(component, sphere) [N]"""


def spheres() -> tuple[scalar.Cluster, scalar.Scratch]:
    """The tree of figure 3; body 0 is the ground."""
    force = np.hstack([np.zeros((3, 1)), FORCES])
    return scalar.prepare_cluster([-1, 0, 1, 1], [np.inf, *M], [0.0, *C], force=force)


def values() -> dict[str, float]:
    """All symbols of the three spheres."""
    named = {f"{kind}_{k + 1}": value for kind, given in (("m", M), ("c", C)) for k, value in enumerate(given)}
    named |= {f"F_{k + 1}_{axis}": FORCES[n, k] for k in range(3) for n, axis in enumerate("xyz")}
    return named | dict(zip(COORDINATES, Q, strict=True)) | {
        f"{name}_dot": rate for name, rate in zip(COORDINATES, W, strict=True)}


@cache
def written() -> ScalarExpressions:
    return scalar_expressions(spheres()[0])


def document() -> dict[tuple[str, ...], float]:
    """(53)-(60) as corrected in docs/theory/errata.md: η by row and column, μ by row and two rates."""
    a1, b1, a2, b2, a3, b3 = Q
    found = {
        ("alpha_1", "alpha_1"): sin(b1) ** 2,  # (53)
        ("alpha_1", "alpha_1", "beta_1"): 0.5 * sin(2.0 * b1),  # (54); half, as the mixed term is counted twice
        ("beta_1", "beta_1"): 1.0,
        ("beta_1", "alpha_1", "alpha_1"): -0.5 * sin(2.0 * b1),  # (56)
        ("alpha_2", "alpha_2"): sin(b2) ** 2,  # (57)
        ("alpha_2", "alpha_2", "beta_2"): 0.5 * sin(2.0 * b2),  # (58)
        ("beta_2", "beta_2"): 1.0,
        ("beta_2", "alpha_2", "alpha_2"): -0.5 * sin(2.0 * b2),  # (60)
        ("alpha_2", "alpha_1"): sin(b1) * sin(b2) * cos(a2 - a1),  # (57)
        ("alpha_2", "beta_1"): cos(b1) * sin(b2) * sin(a1 - a2),
        ("alpha_2", "alpha_1", "alpha_1"): sin(b1) * sin(b2) * sin(a2 - a1),  # (58)
        ("alpha_2", "alpha_1", "beta_1"): cos(b1) * sin(b2) * cos(a2 - a1),
        ("alpha_2", "beta_1", "beta_1"): sin(b1) * sin(b2) * sin(a2 - a1),
        ("beta_2", "alpha_1"): sin(b1) * cos(b2) * sin(a2 - a1),  # (59)
        ("beta_2", "beta_1"): cos(b1) * cos(b2) * cos(a2 - a1) + sin(b1) * sin(b2),
        ("beta_2", "alpha_1", "alpha_1"): -sin(b1) * cos(b2) * cos(a2 - a1),  # (60)
        ("beta_2", "alpha_1", "beta_1"): cos(b1) * cos(b2) * sin(a2 - a1),
        ("beta_2", "beta_1", "beta_1"): -sin(b1) * cos(b2) * cos(a2 - a1) + cos(b1) * sin(b2),
    }
    for n, a, b in ((2, a2, b2), (3, a3, b3)):
        alpha, beta = f"alpha_{n}", f"beta_{n}"
        found |= {
            ("alpha_1", alpha): sin(b1) * sin(b) * cos(a - a1),  # (53)
            ("alpha_1", beta): sin(b1) * cos(b) * sin(a - a1),
            ("alpha_1", alpha, alpha): sin(b1) * sin(b) * sin(a1 - a),  # (54)
            ("alpha_1", alpha, beta): sin(b1) * cos(b) * cos(a1 - a),
            ("alpha_1", beta, beta): sin(b1) * sin(b) * sin(a1 - a),
            ("beta_1", alpha): cos(b1) * sin(b) * sin(a1 - a),  # (55)
            ("beta_1", beta): cos(b1) * cos(b) * cos(a1 - a) + sin(b1) * sin(b),
            ("beta_1", alpha, alpha): -cos(b1) * sin(b) * cos(a1 - a),  # (56)
            ("beta_1", alpha, beta): cos(b1) * cos(b) * sin(a1 - a),
            ("beta_1", beta, beta): -cos(b1) * sin(b) * cos(a1 - a) + sin(b1) * cos(b),
        }
    return found


def test_terms_are_those_of_the_document() -> None:
    """Every η and μ of (53)-(60), and no other in rows α₁, β₁, α₂, β₂."""
    found = {}
    for row in COORDINATES[:4]:
        for term in written().rows[row]:
            found |= {(row, b): eta for b, eta in term.eta.items()}
            found |= {(row, *pair): mu for pair, mu in term.mu.items()}
    numbers = dict(zip(found, evaluate(list(found.values()), values()), strict=True))
    expected = document()
    assert set(numbers) == set(expected)
    # products of some ten factors of size 1: 1e-15, and 10 for another order or another sine
    assert numbers == pytest.approx(expected, abs=1e-14)


def test_weights_are_generalized_masses() -> None:
    """M_ij c_i c_j with M of (48): of the whole tree for sphere 1 alone, else of the farther sphere."""
    weights = [evaluate([term.weight], values())[0] for term in written().rows["alpha_1"]]
    assert sorted(weights) == pytest.approx(sorted([6.0, 2.0 * 0.8, 3.0 * 1.2]))


def lagrangian() -> tuple[Floats, Floats, Floats]:
    """Mass matrix, velocity terms and forces from kinetic energy and work, by SymPy."""
    sp = pytest.importorskip("sympy")
    q, w = sp.symbols("q:6"), sp.symbols("w:6")
    arms = [C[k] * sp.Matrix([sp.sin(q[2 * k + 1]) * sp.cos(q[2 * k]), sp.sin(q[2 * k + 1]) * sp.sin(q[2 * k]),
                              sp.cos(q[2 * k + 1])]) for k in range(3)]
    places = [arms[0], arms[0] + arms[1], arms[0] + arms[2]]
    rates = [place.jacobian(q) * sp.Matrix(w) for place in places]
    T = sum(M[k] * rates[k].dot(rates[k]) / 2 for k in range(3))
    work = sum(sp.Matrix(FORCES[:, k]).dot(places[k]) for k in range(3))
    momentum = sp.Matrix([T.diff(rate) for rate in w])
    bias = momentum.jacobian(q) * sp.Matrix(w) - sp.Matrix([T.diff(angle) for angle in q])
    at = {**dict(zip(q, Q, strict=True)), **dict(zip(w, W, strict=True))}
    parts = (momentum.jacobian(w), bias, sp.Matrix([work.diff(angle) for angle in q]))
    return tuple(np.array(part.subs(at).evalf(30), dtype=float) for part in parts)  # type: ignore[return-value]


def test_equations_are_those_of_a_lagrangian() -> None:
    """Expressions and kernel against SymPy: matrix, velocity terms, forces and accelerations to 1e-12."""
    mass, bias, force = lagrangian()
    entries = written().mass
    matrix = np.zeros((6, 6))
    for (a, b), value in zip(entries, evaluate(list(entries.values()), values()), strict=True):
        matrix[COORDINATES.index(a), COORDINATES.index(b)] = value
    assert matrix == pytest.approx(mass, abs=1e-12)
    for found, expected in ((written().velocity, bias), (written().force, force)):
        assert evaluate([found[name] for name in COORDINATES], values()) == pytest.approx(expected.ravel(), abs=1e-12)
    cluster, scratch = spheres()
    qdd = np.zeros(6)
    scalar.evaluator(cluster, scratch)(Q, W, qdd, np.zeros(4))
    assert qdd == pytest.approx(np.linalg.solve(mass, (force - bias).ravel()), abs=1e-12)


@pytest.mark.parametrize("dimension", [2, 3])
def test_expressions_of_a_long_chain(dimension: int) -> None:
    """A chain of many, in the plane one of a hundred: the kernel's accelerations solve the written equations."""
    count = 100 if dimension == 2 else 25
    rng = np.random.default_rng(3)
    cluster, scratch = scalar.prepare_cluster(
        np.arange(-1, count), np.concatenate([[np.inf], rng.uniform(0.5, 2.0, count)]),
        np.concatenate([[0.0], rng.uniform(0.5, 2.0, count)]), dimension=dimension,
        force=np.hstack([np.zeros((dimension, 1)), rng.normal(size=(dimension, count))]))
    equations = scalar_expressions(cluster, symbolic=False)
    size = count * (dimension - 1)
    assert len(equations.coordinates) == size and len(equations.mass) == (size**2 if dimension == 2 else size**2 - size)
    q, w, qdd = rng.uniform(0.5, 2.5, size), rng.normal(size=size), np.zeros(size)
    scalar.evaluator(cluster, scratch)(q, w, qdd, np.zeros(count + 1))
    at = dict(zip(equations.coordinates, q, strict=True))
    at |= {f"{name}_dot": rate for name, rate in zip(equations.coordinates, w, strict=True)}
    left, scale = np.zeros(size), np.zeros(size)
    second = dict(zip(equations.coordinates, qdd, strict=True))
    for (a, b), value in zip(equations.mass, evaluate(list(equations.mass.values()), at), strict=True):
        left[equations.coordinates.index(a)] += value * second[b]
        scale[equations.coordinates.index(a)] += abs(value * second[b])
    velocity, force = (evaluate([part[name] for name in equations.coordinates], at)
                       for part in (equations.velocity, equations.force))
    assert np.abs(left + velocity - force).max() < 1e-13 * scale.max()


def test_expressions_of_a_free_chain() -> None:
    """Coordinates of a free root stand in front, and couple by components."""
    cluster, scratch = scalar.prepare_cluster([-1, 0, 1], [1.0, 2.0, 0.5], [0.0, 1.0, 0.7],
                                              force=np.arange(9.0).reshape(3, 3))
    equations = scalar_expressions(cluster, symbolic=False)
    assert equations.coordinates == ("x_1", "y_1", "z_1", "alpha_2", "beta_2", "alpha_3", "beta_3")
    q, w, qdd = np.linspace(0.5, 2.0, 7), np.linspace(-1.0, 1.0, 7), np.zeros(7)
    scalar.evaluator(cluster, scratch)(q, w, qdd, np.zeros(3))
    at = dict(zip(equations.coordinates, q, strict=True))
    at |= {f"{name}_dot": rate for name, rate in zip(equations.coordinates, w, strict=True)}
    for row in equations.coordinates:
        entries = {b: entry for (a, b), entry in equations.mass.items() if a == row}
        found = evaluate([*entries.values(), equations.velocity[row], equations.force[row]], at)
        left = sum(value * qdd[equations.coordinates.index(b)] for value, b in zip(found, entries, strict=False))
        assert left + found[-2] == pytest.approx(found[-1], abs=1e-12)


EXAMPLE = Path(__file__).parents[2] / "examples" / "three-spheres.toml"
EQUATIONS = (  # (49)-(52), corrected: M_11 for m_1, + for -, the factors 2 and c_2 that are missing
    "M_1_1*c_1**2*eta_1_1_alpha*alpha_1_ddot + m_2*c_1*c_2*(eta_1_2_alpha*alpha_2_ddot + eta_1_2_beta*beta_2_ddot)"
    " + m_3*c_1*c_3*(eta_1_3_alpha*alpha_3_ddot + eta_1_3_beta*beta_3_ddot)"
    " + M_1_1*c_1**2*mu_1_1_alphabeta*alpha_1_dot*beta_1_dot"
    " + m_2*c_1*c_2*(mu_1_2_alpha*alpha_2_dot**2 + 2*mu_1_2_alphabeta*alpha_2_dot*beta_2_dot"
    " + mu_1_2_beta*beta_2_dot**2)"
    " + m_3*c_1*c_3*(mu_1_3_alpha*alpha_3_dot**2 + 2*mu_1_3_alphabeta*alpha_3_dot*beta_3_dot"
    " + mu_1_3_beta*beta_3_dot**2)"
    " - Q_alpha_1",
    "M_1_1*c_1**2*beta_1_ddot + m_2*c_1*c_2*(eta_2_2_alpha*alpha_2_ddot + eta_2_2_beta*beta_2_ddot)"
    " + m_3*c_1*c_3*(eta_2_3_alpha*alpha_3_ddot + eta_2_3_beta*beta_3_ddot) + M_1_1*c_1**2*mu_2_1_alpha*alpha_1_dot**2"
    " + m_2*c_1*c_2*(mu_2_2_alpha*alpha_2_dot**2 + 2*mu_2_2_alphabeta*alpha_2_dot*beta_2_dot"
    " + mu_2_2_beta*beta_2_dot**2)"
    " + m_3*c_1*c_3*(mu_2_3_alpha*alpha_3_dot**2 + 2*mu_2_3_alphabeta*alpha_3_dot*beta_3_dot"
    " + mu_2_3_beta*beta_3_dot**2)"
    " - Q_beta_1",
    "m_2*c_2*(c_1*(eta_3_1_alpha*alpha_1_ddot + eta_3_1_beta*beta_1_ddot) + c_2*eta_3_2_alpha*alpha_2_ddot"
    " + c_1*(mu_3_1_alpha*alpha_1_dot**2 + 2*mu_3_1_alphabeta*alpha_1_dot*beta_1_dot + mu_3_1_beta*beta_1_dot**2)"
    " + c_2*mu_3_2_alphabeta*alpha_2_dot*beta_2_dot) - Q_alpha_2",
    "m_2*c_2*(c_1*(eta_4_1_alpha*alpha_1_ddot + eta_4_1_beta*beta_1_ddot) + c_2*beta_2_ddot"
    " + c_1*(mu_4_1_alpha*alpha_1_dot**2 + 2*mu_4_1_alphabeta*alpha_1_dot*beta_1_dot + mu_4_1_beta*beta_1_dot**2)"
    " + c_2*mu_4_2_alpha*alpha_2_dot**2) - Q_beta_2")
PRINTED = {  # (53)-(60) as they stand in the document, but for the signs and the index that errata.md corrects
    "eta_1_1_alpha": "sin(b1)**2", "eta_1_2_alpha": "sin(b1)*sin(b2)*cos(a2 - a1)",  # (53)
    "eta_1_2_beta": "sin(b1)*cos(b2)*sin(a2 - a1)", "eta_1_3_alpha": "sin(b1)*sin(b3)*cos(a3 - a1)",
    "eta_1_3_beta": "sin(b1)*cos(b3)*sin(a3 - a1)",
    "mu_1_1_alphabeta": "sin(2*b1)", "mu_1_2_alpha": "sin(b1)*sin(b2)*sin(a1 - a2)",  # (54)
    "mu_1_2_alphabeta": "sin(b1)*cos(b2)*cos(a1 - a2)", "mu_1_2_beta": "sin(b1)*sin(b2)*sin(a1 - a2)",
    "mu_1_3_alpha": "sin(b1)*sin(b3)*sin(a1 - a3)", "mu_1_3_alphabeta": "sin(b1)*cos(b3)*cos(a1 - a3)",
    "mu_1_3_beta": "sin(b1)*sin(b3)*sin(a1 - a3)",
    "eta_2_2_alpha": "cos(b1)*sin(b2)*sin(a1 - a2)",  # (55)
    "eta_2_2_beta": "cos(b1)*cos(b2)*cos(a1 - a2) + sin(b1)*sin(b2)",
    "eta_2_3_alpha": "cos(b1)*sin(b3)*sin(a1 - a3)",
    "eta_2_3_beta": "cos(b1)*cos(b3)*cos(a1 - a3) + sin(b1)*sin(b3)",
    "mu_2_1_alpha": "-0.5*sin(2*b1)", "mu_2_2_alpha": "-cos(b1)*sin(b2)*cos(a1 - a2)",  # (56)
    "mu_2_2_alphabeta": "cos(b1)*cos(b2)*sin(a1 - a2)",
    "mu_2_2_beta": "-cos(b1)*sin(b2)*cos(a1 - a2) + sin(b1)*cos(b2)",
    "mu_2_3_alpha": "-cos(b1)*sin(b3)*cos(a1 - a3)", "mu_2_3_alphabeta": "cos(b1)*cos(b3)*sin(a1 - a3)",
    "mu_2_3_beta": "-cos(b1)*sin(b3)*cos(a1 - a3) + sin(b1)*cos(b3)",
    "eta_3_1_alpha": "sin(b1)*sin(b2)*cos(a2 - a1)", "eta_3_1_beta": "cos(b1)*sin(b2)*sin(a1 - a2)",  # (57)
    "eta_3_2_alpha": "sin(b2)**2",
    "mu_3_1_alpha": "sin(b1)*sin(b2)*sin(a2 - a1)", "mu_3_1_alphabeta": "cos(b1)*sin(b2)*cos(a2 - a1)",  # (58)
    "mu_3_1_beta": "sin(b1)*sin(b2)*sin(a2 - a1)", "mu_3_2_alphabeta": "sin(2*b2)",
    "eta_4_1_alpha": "sin(b1)*cos(b2)*sin(a2 - a1)",  # (59)
    "eta_4_1_beta": "cos(b1)*cos(b2)*cos(a2 - a1) + sin(b1)*sin(b2)",
    "mu_4_1_alpha": "-sin(b1)*cos(b2)*cos(a2 - a1)", "mu_4_1_alphabeta": "cos(b1)*cos(b2)*sin(a2 - a1)",  # (60)
    "mu_4_1_beta": "-sin(b1)*cos(b2)*cos(a2 - a1) + cos(b1)*sin(b2)", "mu_4_2_alpha": "-0.5*sin(2*b2)"}
FORCED = {  # (61)-(64), corrected
    "Q_alpha_1": "-c_1*(F_1_x + F_2_x + F_3_x)*sin(a1)*sin(b1) + c_1*(F_1_y + F_2_y + F_3_y)*cos(a1)*sin(b1)",
    "Q_beta_1": "c_1*(F_1_x + F_2_x + F_3_x)*cos(a1)*cos(b1) + c_1*(F_1_y + F_2_y + F_3_y)*sin(a1)*cos(b1)"
                " - c_1*(F_1_z + F_2_z + F_3_z)*sin(b1)",
    "Q_alpha_2": "c_2*(-F_2_x*sin(a2) + F_2_y*cos(a2))*sin(b2)",
    "Q_beta_2": "c_2*(F_2_x*cos(a2)*cos(b2) + F_2_y*sin(a2)*cos(b2) - F_2_z*sin(b2))"}


def written_out(formula: str) -> str:
    """a1 and b1 as the derivation names them."""
    return re.sub(r"\b([ab])(\d)\b", lambda m: f"{'alpha' if m[1] == 'a' else 'beta'}_{m[2]}", formula)


def same(one: Expression, other: Expression) -> bool:
    """Equal for three sets of random numbers of all their symbols."""
    names = sorted(free_symbols([one, other]))
    for values in np.random.default_rng(3).uniform(0.3, 1.7, (3, len(names))):
        a, b = evaluate([one, other], dict(zip(names, values.tolist(), strict=True)))
        if a != pytest.approx(b, abs=1e-12):
            return False
    return True


def test_printed_equations_are_those_of_the_document() -> None:
    """(49)-(60), corrected, coefficient by coefficient; rows α₃ and β₃ are those of α₂ and β₂ with 3 in place of 2."""
    text = gr.derive(gr.load(EXAMPLE), "scalar").code("text")
    lines = equations_in(text)
    defined = {left.name: right for left, right in lines if left.kind == "symbol"}
    coefficients = {name: value for name, value in defined.items() if name.startswith(("eta", "mu"))}
    swapped = {re.sub(r"_2_", "_3_", name.replace("_3_", "_5_", 1).replace("_4_", "_6_", 1)):
               formula.replace("a2", "a3").replace("b2", "b3") for name, formula in PRINTED.items()
               if name.split("_")[1] in "34"}
    wanted = {**PRINTED, **swapped}
    assert set(coefficients) == set(wanted)
    for name, formula in wanted.items():
        assert same(coefficients[name], parse(written_out(formula))), name
    masses: dict[Expression, Any] = {symbol(name): defined[name] for name in ("M_1_2", "M_1_3", "M_2_2", "M_3_3")}
    found = [rebuild([left - right], masses)[0] for left, right in lines if left.kind != "symbol"]
    assert len(found) == 6
    third = [re.sub(r"_([34])_([12])_", lambda m: f"_{int(m[1]) + 2}_{m[2].replace('2', '3')}_", equation)
             for equation in EQUATIONS[2:]]
    third = [re.sub(r"\b(m|c|alpha|beta|Q_alpha|Q_beta)_2(?=\b|_d)", r"\1_3", equation) for equation in third]
    for one, formula in zip(found, (*EQUATIONS, *third), strict=True):
        assert same(one, parse(formula)), formula
    assert same(defined["M_1_1"], parse("m_1 + m_2 + m_3"))


def test_printed_forces_are_those_of_the_document() -> None:
    """(61)-(64), corrected, with a force on each sphere."""
    scene = gr.load(EXAMPLE)
    pushes = {f"push-{name}": gr.Force(on=f"sphere-{k}", force=(0.1 * k, 0.3, 0.2)) for k, name in enumerate("abc", 1)}
    text = gr.derive(scene.model_copy(update={"load": {**scene.load, **pushes}}), "scalar").code("text")
    defined = {left.name: right for left, right in equations_in(text) if left.kind == "symbol"}
    for name, formula in FORCED.items():
        assert same(defined[name], parse(written_out(formula))), name


def test_all_links_are_measured_from_the_z_axis_but_one_that_starts_along_it() -> None:
    """One chart for a derivation; at the pole of it α would not be defined, and the derivation says so."""
    scene = gr.load(EXAMPLE)
    assert not gr.derive(scene, "scalar").cluster.charts.any()  # type: ignore[attr-defined]
    upright = scene.vary({"start.sphere-2.position": [0.28, 0.0, 1.66]})
    equations = gr.derive(upright, "scalar")
    shown = equations.derivation()
    charts = equations.cluster.charts[0]  # type: ignore[attr-defined]
    assert [bool(chart) for chart in charts] == [False, False, True, False]
    assert "contact-2 starts along the z axis" in shown.steps[0].prose
    q, v = equations.start
    v = v + np.random.default_rng(4).normal(size=6)
    found = accelerations_of(shown.text(), in_state(shown, q, v), shown.coordinates)
    assert found == pytest.approx(equations.accelerations(q, v), rel=1e-10, abs=1e-10)


def test_latex_is_written_out() -> None:
    """The equations with their coefficients, balanced, as (49) and (53) are set; a body of inertia is refused."""
    text = gr.derive(three_spheres(), "scalar").latex().replace("&=", "=")  # wherever rows are aligned
    assert text.count("=") == 6 + 49 + 6 and text.count("{") == text.count("}")
    assert text.count(r"\left") == text.count(r"\right")
    assert r"M_{1,1} c_{1}^{2} {\eta_{11}^{\alpha}} \ddot{\alpha}_{1}" in text
    assert r"{\eta_{12}^{\alpha}} = \sin\left(\beta_{1}\right) \sin\left(\beta_{2}\right) \cos" in text
    assert r"{\mu_{11}^{\alpha\beta}} = \sin\left(2 \beta_{1}\right)" in text
    assert gr.derive(scenes.hanging_ring(), "scalar").latex().count(r"\gamma_{") == 4  # the hook is no part
    inertia = np.array([np.zeros((3, 3)), np.eye(3)])
    cluster, _ = scalar.prepare_cluster([-1, 0], [np.inf, 1.0], [0.0, 1.0], inertia=inertia)
    with refused(gr.GranumError, "spheres"):
        scalar_expressions(cluster)


@pytest.mark.parametrize(("name", "until"), [("pendulum", 0.5), ("tree", 0.5), ("components", 0.5), ("sprung", 0.5),
                                             ("hanging-ring", 0.5), ("suspended", 0.5), ("net", 0.3)])
def test_runs_agree_with_newton_euler(name: str, until: float) -> None:
    """Positions to 1e-9, link forces to 1e-7 of the largest; 1e-12 is kept in each of a few hundred steps."""
    one, other = (
        gr.simulate(scenes.SCENES[name](), until=until, solver="dop853", tolerance=1e-12, formulation=formulation)
        for formulation in ("newton-euler", "scalar")
    )
    assert one.positions == pytest.approx(other.positions, abs=1e-9)
    assert one.tensions == pytest.approx(other.tensions, abs=1e-7 * np.abs(one.tensions).max(initial=1.0))


def through_the_pole() -> gr.Scene:
    """A pendulum that starts where β is best measured from the x axis, and swings exactly through that axis."""
    k = 0.5**0.5
    return gr.Scene(
        body={"pivot": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
        link={"rod": gr.Link(between=("pivot", "bob"))},
        start={"bob": gr.Start(position=(0.0, k, k), velocity=(3.0, 0.0, 0.0))},
        load={"gravity": gr.Gravity(acceleration=(-1.0, -2.0 * k, -2.0 * k))},
    )


# dop853 and adams keep 1e-12 a step in 120 and 1000 steps; rk4 at 1 ms: h⁴ times a fifth derivative of some 3⁵
@pytest.mark.parametrize(("solver", "accuracy"), [("dop853", 1e-10), ("adams", 1e-9), ("rk4", 1e-9)])
def test_a_pendulum_swings_through_the_pole(solver: str, accuracy: float) -> None:
    settings = {"until": 3.0, "interval": 1.5, "step": 1e-3}
    expected = gr.simulate(through_the_pole(), **settings, tolerance=1e-13)
    found = gr.simulate(through_the_pole(), **settings, tolerance=1e-12, solver=solver, formulation="scalar")
    assert found.positions == pytest.approx(expected.positions, abs=accuracy)
    assert found.velocities == pytest.approx(expected.velocities, abs=3.0 * accuracy)


def test_a_resumed_run_has_the_same_bits(tmp_path: Path) -> None:
    """Charts are chosen from the state alone, so that nothing is forgotten between frames."""
    settings = {"until": 2.0, "interval": 0.25, "formulation": "scalar"}
    whole = gr.simulate(through_the_pole(), **settings)
    file = tmp_path / "run.h5"
    gr.simulate(through_the_pole(), **settings, output=file, progress=stop_at(0.9))
    assert_same_run(gr.simulate(through_the_pole(), **settings, output=file, resume=True), whole)


def test_energy_of_a_run_in_space() -> None:
    """1e-12 kept in each of some hundred steps, relative to what is exchanged."""
    run = gr.simulate(three_spheres(), until=3.0, solver="dop853", tolerance=1e-12, formulation="scalar")
    assert np.ptp(run.energy.total) < 1e-9 * np.ptp(run.energy.kinetic)


def test_energy_and_momentum_of_rigid_bodies() -> None:
    """Two free rigid bodies whose spheres touch, far from symmetric: energy, momentum and angular momentum stay."""
    rng = np.random.default_rng(8)
    inertia = np.array([A @ A.T + 0.3 * np.eye(3) for A in rng.normal(size=(2, 3, 3))])
    mass = np.array([1.5, 0.7])
    u, e = np.array([[0.0, 0.0, 0.0], [0.3, 0.1, -0.2]]), np.array([[0.0, 0.0, 0.0], [0.2, -0.3, 0.1]])
    cluster, s = scalar.prepare_cluster([-1, 0], mass, [0.0, 0.6], inertia=inertia, u=u, e=e)
    size = cluster.rows.shape[1]
    q, w, charts = rng.uniform(-1.0, 1.0, size), 2.0 * rng.normal(size=size), set()
    scalar.rechart(cluster, s, q, w)
    begin = _constants(s, mass, inertia, q, w, cluster)
    run, gamma = scalar.evaluator(cluster, s), np.zeros(2)

    def rates(_: float, y: Floats) -> Floats:
        result = np.concatenate([y[size:], np.zeros(size)])
        run(y[:size].copy(), y[size:].copy(), result[size:], gamma)
        return result

    for _ in range(40):
        y = solve_ivp(rates, (0.0, 0.1), np.concatenate([q, w]), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        q, w = y[:size].copy(), y[size:].copy()
        scalar.rechart(cluster, s, q, w)
        charts.add(tuple(cluster.charts.ravel()))
    assert len(charts) > 2  # the run has been through several charts
    assert _constants(s, mass, inertia, q, w, cluster) == pytest.approx(begin, abs=1e-9)


def _constants(
    s: scalar.Scratch, mass: Floats, inertia: Floats, q: Floats, w: Floats, cluster: scalar.Cluster
) -> Floats:
    """Kinetic energy, momentum, angular momentum."""
    scalar.kinematics(cluster, s, q, w)
    spin = np.array([s.R[b] @ inertia[b] @ s.R[b].T @ s.omega[b] for b in range(2)])
    energy = 0.5 * (mass * s.v**2).sum() + 0.5 * (spin * s.omega).sum()
    angular = (mass * np.cross(s.x.T, s.v.T).T).sum(axis=1) + spin.sum(axis=0)
    return np.concatenate([[energy], (mass * s.v).sum(axis=1), angular])
