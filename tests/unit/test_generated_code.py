"""Equations written out: Python and C that stand alone compute what the engine computes, text and LaTeX say it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.analytic import System, derive
from granum.analytic.result import Equations
from granum.base.kernels import Floats
from messages import refused, says
from scenes import pendulum, tree

EXAMPLES = Path(__file__).parents[2] / "examples"
G = 9.81


def double_pendulum() -> Equations:
    return derive(System(
        "a b", parameters={"m": 1.5, "M": 0.5, "l": 0.7, "g": G}, title="Double pendulum",
        kinetic="0.5*m*l**2*a_dot**2 + 0.5*M*l**2*(a_dot**2 + b_dot**2 + 2*a_dot*b_dot*cos(a - b))",
        potential="-g*l*(m*cos(a) + M*(cos(a) + cos(b)))", forces={"b": "-0.1*b_dot*abs(b_dot)"}))


def sleigh() -> Equations:
    """Chaplygin's sleigh, its knife edge and a moving rope: velocity rows, a row of time, a dependent one."""
    return derive(System(
        "x y a", parameters={"m": 2.0, "J": 0.3, "d": 0.2},
        kinetic="0.5*m*((x_dot - d*a_dot*sin(a))**2 + (y_dot + d*a_dot*cos(a))**2) + 0.5*J*a_dot**2",
        constraints={"edge": "x_dot*sin(a) - y_dot*cos(a)", "rope": "x = sinh(0.3*t) + 0.2",
                     "edge-again": "3*x_dot*sin(a) - 3*y_dot*cos(a)"}))


CASES: dict[str, Callable[[], Equations]] = {
    "double pendulum": double_pendulum,
    "sleigh": sleigh,
    "massless point": lambda: derive(System(
        "x y u v", kinetic="x_dot**2 + y_dot**2", potential="5*y",
        constraints={"wire": "v = 0.1*u**2", "rod": "(x - u)**2 + (y - v)**2 = 1"})),
    "rolling shell": lambda: gr.derive(gr.load(EXAMPLES / "rolling-shell.toml"), "fundamental"),
    "rolling shell, gibbs-appell": lambda: gr.derive(gr.load(EXAMPLES / "rolling-shell.toml"), "gibbs-appell"),
    "chain, newton-euler": lambda: gr.derive(pendulum(4), "newton-euler"),
    "chain, lagrange": lambda: gr.derive(pendulum(4), "lagrange"),
    "chain, scalar": lambda: gr.derive(pendulum(4), "scalar"),
    "tree, scalar": lambda: gr.derive(tree(3), "scalar"),
    "cart in chosen coordinates": lambda: gr.derive(gr.load(EXAMPLES / "cart-double-pendulum.toml")),
    "chain, fundamental": lambda: gr.derive(pendulum(3), "fundamental"),
}


def state(name: str, equations: Equations) -> tuple[Floats, Floats, float]:
    """A state away from rest; where there are constraints, any state will do for the algebra."""
    rng = np.random.default_rng(len(name))
    n = len(equations.coordinates)
    if "shell" in name:
        q, v = equations.start
        return q, v, 0.0
    q = equations.start[0] if "chain" in name or "tree" in name else rng.uniform(0.3, 1.2, n)
    return q, rng.normal(size=n), 0.4 if name == "sleigh" else 0.0


def expected(equations: Equations, q: Floats, v: Floats, t: float) -> Floats:
    return equations.accelerations(q, v, t)


def assert_same(found: list[float], wanted: Floats) -> None:
    assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def assert_balanced(equations: Equations, multipliers: Floats, a: Floats, where: tuple[Floats, Floats, float]) -> None:
    """M q̈ = f + Aᵀ λ with the multipliers of the program, whichever of several it took."""
    q, v, t = where
    if hasattr(equations, "matrices"):
        M, Q, A, _ = equations.matrices(q, v, t)
        size = np.abs(M @ a).max() + np.abs(Q).max()
        assert_allclose(A.T @ multipliers, M @ a - Q, rtol=0, atol=1e-11 * size)


@pytest.mark.parametrize("name", CASES)
def test_python_stands_alone(name: str, tmp_path: Path) -> None:
    """In a fresh process, isolated from this project, it imports NumPy alone and gives the same numbers."""
    equations = CASES[name]()
    q, v, t = where = state(name, equations)
    (tmp_path / "generated.py").write_text(equations.code("python"))
    (tmp_path / "use.py").write_text(
        "import importlib.util, json, sys\n"
        "found = importlib.util.spec_from_file_location('generated', sys.argv[1])\n"
        "module = importlib.util.module_from_spec(found)\n"
        "found.loader.exec_module(module)\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('granum', 'numba', 'sympy', 'scipy')]\n"
        "q, v, t = json.load(sys.stdin)\n"
        "a, multipliers = module.accelerations(q, v, t)\n"
        "print(json.dumps([a.tolist(), multipliers.tolist(), list(module.COORDINATES)]))\n")
    done = subprocess.run([sys.executable, "-I", str(tmp_path / "use.py"), str(tmp_path / "generated.py")], check=False,
                          input=json.dumps([q.tolist(), v.tolist(), t]), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    a, multipliers, names = json.loads(done.stdout)
    assert len(names) == len(equations.coordinates)
    assert_same(a, expected(equations, q, v, t))
    assert_balanced(equations, np.array(multipliers), np.array(a), where)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", CASES)
def test_c_compiles_and_computes(name: str, tmp_path: Path) -> None:
    """Without a warning, as C99, and with the numbers of the engine."""
    equations = CASES[name]()
    q, v, t = where = state(name, equations)
    n = len(q)
    (tmp_path / "generated.c").write_text(equations.code("c"))
    (tmp_path / "use.c").write_text(
        "#include <stdio.h>\n"
        "extern const int coordinate_count, row_count;\n"
        "int accelerations(const double *, const double *, double, const double *, double *, double *);\n"
        f"int main(void) {{ double q[{n}], v[{n}], t, a[{n}], x[100];\n"
        f"  for (int i = 0; i < {n}; i++) if (scanf(\"%lf\", q + i) != 1) return 3;\n"
        f"  for (int i = 0; i < {n}; i++) if (scanf(\"%lf\", v + i) != 1) return 3;\n"
        "  if (scanf(\"%lf\", &t) != 1) return 3;\n"
        "  if (accelerations(q, v, t, 0, a, x) != 0) return 4;\n"
        f"  for (int i = 0; i < {n}; i++) printf(\"%.17g \", a[i]);\n"
        "  for (int i = 0; i < row_count; i++) printf(\"%.17g \", x[i]);\n"
        "  return 0; }\n")
    built = subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", "-pedantic", "-O1", "-ffp-contract=off",
                            "generated.c", "use.c", "-o", "use", "-lm"], cwd=tmp_path, capture_output=True, text=True,
                           check=False)
    assert built.returncode == 0, built.stderr[:2000]
    numbers = " ".join(repr(float(x)) for x in [*q, *v, t])
    done = subprocess.run([str(tmp_path / "use")], input=numbers, capture_output=True, text=True, check=True)
    found = [float(word) for word in done.stdout.split()]
    assert_same(found[:n], expected(equations, q, v, t))
    assert_balanced(equations, np.array(found[n:]), np.array(found[:n]), where)


def branched(flip: str, dimension: int, closed: bool = False, damped: bool = False) -> gr.Scene:
    """A fork of three masses; links whose name is in `flip` are declared from child to parent."""
    places = {"pivot": (0.0, 0.0, 0.1), "a": (1.0, 0.2, -0.3), "b": (2.0, -0.5, 0.4), "c": (1.3, 1.2, 0.9)}
    ends = {"r": ("pivot", "a"), "s": ("a", "b"), "t": ("a", "c"), **({"u": ("b", "c")} if closed else {})}
    spring = gr.Spring(between=("b", "pivot"), stiffness=10.0, rest_length=0.3, damping=0.4)
    return gr.Scene(
        body={"pivot": gr.FixedPoint(position=places["pivot"][:dimension]),
              **{name: gr.PointMass(mass=mass) for name, mass in zip("abc", (1.0, 2.0, 0.5), strict=True)}},
        link={name: gr.Link(between=pair[::-1] if name in flip else pair) for name, pair in ends.items()},
        load={"gravity": gr.Gravity(acceleration=(0.2, -G, 1.0)[:dimension]),
              "push": gr.Force(on="b", force=(1.0, 2.0, -0.5)[:dimension]), **({"spring": spring} if damped else {})},
        start={name: gr.Start(position=places[name][:dimension]) for name in "abc"})


@pytest.mark.parametrize("flip", ["", "r", "st", "rstu"])
@pytest.mark.parametrize(("formulation", "dimension", "closed", "damped"), [
    ("lagrange", 2, False, False), ("lagrange", 2, True, True), ("lagrange", 2, False, True),
    ("scalar", 2, False, False), ("scalar", 3, False, False), ("scalar", 2, True, True), ("scalar", 3, True, True),
    ("newton-euler", 2, True, True), ("newton-euler", 3, True, True)])
def test_code_is_in_the_coordinates_of_the_equations(
    formulation: str, dimension: int, closed: bool, damped: bool, flip: str,
) -> None:
    """Evaluated at `start`, whichever way links are declared: outward angles, or other charts, would differ."""
    equations = gr.derive(branched(flip, dimension, closed, damped), formulation)
    q, v = equations.start
    v = v + np.random.default_rng(7).normal(size=len(v)) * (not closed)
    program: dict[str, Any] = {}
    exec(equations.code("python"), program)
    assert len(program["COORDINATES"]) == len(q)
    assert_same(program["accelerations"](q, v)[0], equations.accelerations(q, v))


def test_text_of_lagrange_has_the_signs_of_its_links() -> None:
    """A link from child to parent has θ larger by π: its couplings with links from parent to child change sign."""
    def coupling(flip: str) -> list[str]:
        text = gr.derive(branched(flip, 2), "lagrange").code("text")
        return [line for line in text.splitlines() if re.search(r"cos\(theta_r - theta_s\)\*theta_s_ddot", line)]

    sign = r"([+-]) \S*l_r\*l_s\*cos\(theta_r - theta_s\)\*theta_s_ddot"
    (one,), (other,) = (re.findall(sign, "".join(coupling(flip))) for flip in ("", "s"))
    assert {one, other} == {"+", "-"}


@pytest.mark.parametrize("form", ["python", "c"])
def test_programs_with_friction_are_refused_by_name(form: str) -> None:
    """A program that held the slip rows for ever would stick: x would end at -0.31 m instead of -1.74 m."""
    with refused(gr.GranumError, '"rub"'):
        gr.derive(gr.load(EXAMPLES / "wheel.toml")).code(form)


def test_text_gives_both_regimes_of_friction() -> None:
    """Stick and slip by name; `test_derivations` solves what the text says about sliding."""
    equations = gr.derive(gr.load(EXAMPLES / "wheel.toml"))
    text = equations.code("text")
    assert "u_rub = x_dot + r*theta_dot" in text
    assert "stick, u = 0: abs(lambda_rub) <= mu_rub*abs(lambda_floor)" in text
    assert "slide: lambda_rub = -mu_rub*abs(lambda_floor)*u_rub/abs(u_rub)" in text
    assert re.search(r"mu_rub +coefficient of friction of rub +0\.2$", text, re.M)
    assert r"\frac{u_{\mathrm{rub}}}{\left|u_{\mathrm{rub}}\right|}" in equations.code("latex")


def test_generated_programs_say_what_is_not_determined(tmp_path: Path) -> None:
    code = derive(System("x y", kinetic="x_dot**2")).code("python")
    (tmp_path / "generated.py").write_text(code)
    done = subprocess.run([sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import generated; "
                           "generated.accelerations([0, 0], [0, 0])"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode != 0
    says(done.stderr.splitlines()[-1], "acceleration of y")


@pytest.mark.parametrize("title", ['A "quoted" title', "*/ int main(void) { }", '"""\nimport os\n"""', "back\\slash"])
def test_titles_cannot_leave_their_comment(title: str, tmp_path: Path) -> None:
    """A title of a scene from elsewhere must not become code."""
    equations = derive(System("x", kinetic="x_dot**2", potential="x**2", title=title))
    python = equations.code("python")
    compile(python, "generated", "exec")
    (tmp_path / "generated.py").write_text(python)
    done = subprocess.run([sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import generated; "
                           "print(hasattr(generated, 'os'), generated.accelerations([1.0], [0.0])[0][0])"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    imported, found = done.stdout.split()
    assert imported == "False" and float(found) == pytest.approx(-1.0, rel=1e-14)
    if shutil.which("gcc") is not None:
        (tmp_path / "generated.c").write_text(equations.code("c"))
        built = subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", "-c", "generated.c"], cwd=tmp_path, check=False,
                               capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        names = subprocess.run(["nm", "generated.o"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        assert " main" not in names


@pytest.mark.parametrize("name", CASES)
def test_text_and_latex(name: str) -> None:
    """Braces balance, environments close, and every coordinate is spoken of."""
    shown = CASES[name]().derivation()
    text, latex = shown.text(), shown.latex()
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", latex):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert latex.count(r"\left") - latex.count(r"\leftarrow") == latex.count(r"\right") - latex.count(r"\rightarrow")
    assert sorted(re.findall(r"\\begin\{(\w+\*?)\}", latex)) == sorted(re.findall(r"\\end\{(\w+\*?)\}", latex))
    vectors = {quantity.name: quantity.part_of for quantity in shown.quantities}
    for coordinate in shown.coordinates:  # those of a vector are spoken of where it is defined
        assert (coordinate if vectors[coordinate] else f"{coordinate}_ddot") in text
    assert "nan" not in text and "inf" not in text.replace("info", "")


def test_unknown_format_is_refused() -> None:
    with refused(gr.GranumError, '"pyton"', '"python"'):
        double_pendulum().code("pyton")


def test_frequencies_of_coupled_pendulums() -> None:
    """Against the generalised eigenvalue problem K x = ω² M x."""
    equations = derive(System(
        "a b", parameters={"m": 1.0, "M": 2.0, "l": 0.8, "g": G, "k": 3.0},
        kinetic="0.5*m*l**2*a_dot**2 + 0.5*M*l**2*b_dot**2", potential="-g*l*(m*cos(a) + M*cos(b)) + 0.5*k*(a - b)**2"))
    found = equations.linearize(np.zeros(2), np.zeros(2))
    M = np.diag([1.0, 2.0]) * 0.64
    K = np.diag([1.0, 2.0]) * G * 0.8 + 3.0 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
    assert_allclose(found.frequencies, expected, rtol=1e-9)
    assert np.abs(found.modes.real).max() < 1e-8


@pytest.mark.parametrize("formulation", ["fundamental", "lagrange", "gibbs-appell", "virtual-work"])
def test_frequency_of_a_constrained_pendulum(formulation: str) -> None:
    """Rectangular coordinates: the constraint leaves one mode, ω² = g/l below and growth √(g/l) above."""
    system = System("x y", parameters={"l": 0.8, "g": G}, kinetic="0.5*(x_dot**2 + y_dot**2)", potential="g*y",
                    constraints={"rod": "x**2 + y**2 = l**2"})
    equations = derive(system, formulation)
    hanging = equations.linearize(np.array([0.0, -0.8]), np.zeros(2))
    assert_allclose(hanging.frequencies, [np.sqrt(G / 0.8)], rtol=1e-8)
    assert len(hanging.modes) == 2
    standing = equations.linearize(np.array([0.0, 0.8]), np.zeros(2))
    assert len(standing.frequencies) == 0
    assert standing.modes.real.max() == pytest.approx(np.sqrt(G / 0.8), rel=1e-8)


def test_frequencies_of_a_chain_do_not_depend_on_coordinates() -> None:
    """Three masses on rods, hanging: newton-euler, lagrange and fundamental see the same modes."""
    scene = pendulum(3, angle=0.0)
    found = {}
    for formulation in ("newton-euler", "lagrange", "fundamental", "gibbs-appell"):
        equations = gr.derive(scene, formulation)
        q, v = equations.start
        found[formulation] = equations.linearize(q, v).frequencies
        assert_allclose(found[formulation], found["newton-euler"], rtol=1e-7, err_msg=formulation)
    assert len(found["lagrange"]) == 3


def test_damped_modes_decay() -> None:
    equations = derive(System("x", kinetic="0.5*x_dot**2", potential="4.5*x**2", forces={"x": "-0.4*x_dot"}))
    modes = sorted(equations.linearize(np.zeros(1), np.zeros(1)).modes, key=lambda s: s.imag)
    assert_allclose(modes, [-0.2 - 1j * np.sqrt(8.96), -0.2 + 1j * np.sqrt(8.96)], rtol=1e-9)
