"""Expressions as text, formulas, code and SymPy's: what is read and written, what is refused and in which words."""

from __future__ import annotations

import gc
import math
import pickle
from time import process_time

import pytest
import sympy
from sympy.physics.vector import dynamicsymbols

from granum.algebra import Expression, function, number, symbols
from granum.algebra.emit import c_function, python_function
from granum.algebra.expression import FUNCTIONS, ZERO, evaluate, rebuild, walk
from granum.algebra.parse import DEEPEST, LONGEST, ExpressionError, parse, parse_equation
from granum.algebra.show import latex, shared, text
from granum.algebra.sympy_bridge import from_sympy, to_sympy
from granum.base.errors import GranumError
from messages import refused

x, y, z = symbols("x y z")


@pytest.mark.parametrize(("text", "meant"), [
    ("-x**2", -(x**2)), ("(-x)**2", (-x) ** 2), ("2**-1", number(0.5)), ("x**-y", x**-y), ("2**3**2", number(512.0)),
    ("2**x", 2.0**x), ("x^y^z", x ** (y**z)), ("x-y-z", (x - y) - z), ("x/y/z", (x / y) / z), ("x/y*z", (x / y) * z),
    ("--x", x), ("+x", x), ("x - -y", x + y), ("1.5e-3*x", 0.0015 * x), (".5", number(0.5)), ("2.", number(2.0)),
    ("2*pi", number(2.0 * math.pi)), ("arctan2(y, x)", function("atan2", y, x)), ("ln(x)", function("log", x)),
    ("Abs(x)", function("abs", x)), ("arcsin(x) + arccos(x)", function("asin", x) + function("acos", x)),
    ("shell.contact.x", symbols("shell.contact.x")[0]), ("e", symbols("e")[0]), ("φ_1", symbols("φ_1")[0]),
    (" x\n +\ty ", x + y),
])
def test_text_means_this(text: str, meant: object) -> None:
    """A text is the same node as the operations it stands for, with Python's precedence."""
    assert parse(text) is meant


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_read(name: str) -> None:
    """All functions have their value."""
    values = (0.3, 0.7) if name == "atan2" else (0.3,)
    (found,) = evaluate([parse(f"{name}({', '.join('xy'[:len(values)])})")], {"x": 0.3, "y": 0.7})
    assert found == FUNCTIONS[name](*values)


def test_equation_is_its_difference() -> None:
    """`lhs = rhs` is lhs − rhs; without = the expression itself; columns count from the start of the whole."""
    assert parse_equation("(x) = y + 1") is x - (y + 1.0)
    assert parse_equation("x*y") is x * y
    with refused(ExpressionError, "=") as caught:
        parse_equation("x = y = z")
    assert caught.value.column == 7


@pytest.mark.parametrize(("text", "column", "name"), [
    ("2*x + alpa", 7, '"alpha"'), ("foo(x)", 1, "sin, cos, "), ("sinn(x)", 1, '"sin"'),
    ("9**9**9", 2, ">>**<<"), ("1/(x - x)", 2, ">>/<<"), ("x*log(-1)", 3, ">>log<<"),
    ("(-8)**(1/3)", 5, ">>**<<"), ("1e999", 1, ">>1e999<<"),
    ("x.__class__", 1, "__class__"), ("__import__", 1, "__import__"),
    ("__import__('os')", 1, "__import__"), ("x._y", 1, "_y"),
    ("(x).real", 4, ">>.<<"), ("x[0]", 2, ">>[<<"),
    ("{x}", 1, ">>{<<"), ("'x'", 1, ">>'<<"),
    ('x + "y"', 5, '>>"<<'), ("lambda x: x", 1, ">>lambda<<"),
    ("x if y else x", 3, ">>if<<"), ("x; y", 2, ">>;<<"),
    ("x < y", 3, ">><<<"), ("x == y", 3, ">>==<<"),
    ("x := y", 3, ">>:=<<"), ("x = y", 3, ">>=<<"),
    ("x // y", 3, "/."), ("x²", 2, "**2"), ("x − y", 3, "-."), ("x\0", 2, "U+0000"),
    ("2x", 2, "*x"), ("x y", 3, "*y"), ("x(y)", 1, "x*(...)"),
    ("1,5", 2, "1.5"), ("(x + y", 1, ">>(<<"), ("x + y)", 6, ">>)<<"), ("x +", 4, ">><<"),
    ("", 1, ">><<"), ("x * / y", 5, ">>/<<"), ("sin", 1, ">>sin<<"),
    ("sin()", 5, ">>)<<"), ("sin(x, y)", 1, "2 arguments"), ("atan2(x)", 1, "atan2(y, x)"),
])
def test_refused_in_words(text: str, column: int, name: str) -> None:
    """What is no expression is refused with its column, the text around it and a remedy."""
    with refused(ExpressionError, f"column {column}, in ", name) as caught:
        parse(text, known=["x", "y", "alpha"])
    assert caught.value.column == column
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("text", [
    "(" * 1_000_000, "x" * LONGEST, "-" * 9_999 + "x", "x**" * 5_000 + "x", "sin(" * 4_000, "((" * 31 + "x" + "))" * 31,
    "9**" * 5_000 + "9", "9" * LONGEST, "1 " + "9" * 19_000, "x" + ".x" * 9_000, "x+" * 10_000,
], ids=lambda text: f"{text[:6]} ({len(text)})")
def test_attacks_end_at_once(text: str) -> None:
    """Texts made to exhaust time, stack or memory are refused fast, in a short message."""
    known = [f"body{i}.x" for i in range(5_000)] + ["x"]
    gc.disable()  # to collect what other tests left takes half a second
    try:
        start = process_time()
        with pytest.raises(ExpressionError) as caught:
            parse(text, known=known)
        taken = process_time() - start
    finally:
        gc.enable()
    assert taken < 0.5
    assert len(str(caught.value)) < 1_000


def test_limits_are_reached() -> None:
    """What just fits is read: so many levels, so many characters."""
    assert parse("(" * DEEPEST + "x" + ")" * DEEPEST) is x
    assert parse("-" * DEEPEST + "x") is x
    (found,) = evaluate([parse("x+" * (LONGEST // 2 - 1) + "x")], {"x": 1.0})
    assert found == LONGEST // 2


@pytest.mark.parametrize(("source", "written", "formula"), [
    ("-(2*x)", "-(2*x)", "-2 x"),
    ("-(x*y)", "-x*y", "-x y"),
    ("x/(-(y*z))", "x/(-y*z)", r"\frac{x}{-y z}"),
    ("x - (y - z)", "x - (y - z)", r"x - \left(y - z\right)"),
    ("x + (y + z)", "x + (y + z)", "x + y + z"),
    ("x + (-y - z)", "x + (-y - z)", r"x + \left(-y - z\right)"),
    ("x + -2*y - -3*z*x", "x + -2*y - -3*z*x", "x - 2 y + 3 z x"),
    ("(x^2)^3", "(x**2)**3", r"\left(x^{2}\right)^{3}"),
    ("x^-y^2", "x**-y**2", "x^{-y^{2}}"),
    ("(-2)^x", "(-2)**x", r"\left(-2\right)^{x}"),
    ("(x/y)^2", "(x/y)**2", r"\left(\frac{x}{y}\right)^{2}"),
    ("2*3^x", "2*3**x", r"2 \cdot 3^{x}"),
    ("x*(2*y)", "2*x*y", "2 x y"),
    ("(x + y)*z", "(x + y)*z", r"\left(x + y\right) z"),
    ("0.5*m*theta_2_dot^2", "0.5*m*theta_2_dot**2", r"\frac{1}{2} m \dot{\theta}_{2}^{2}"),
    ("beta1*shell.x_dot", "beta1*shell.x_dot", r"\beta_{1} \dot{x}_{\mathrm{shell}}"),
    ("I_xx*q_ddot*φ", "I_xx*q_ddot*φ", r"I_{\mathrm{xx}} \ddot{q} \phi"),
    ("sin(x)^2 + exp(x)^2", "sin(x)**2 + exp(x)**2", r"\sin^{2}\left(x\right) + \left(e^{x}\right)^{2}"),
    ("sqrt(x)/abs(y)", "sqrt(x)/abs(y)", r"\frac{\sqrt{x}}{\left|y\right|}"),
    ("atan2(y, x) - acos(z)", "atan2(y, x) - acos(z)",
     r"\operatorname{atan2}\left(y, x\right) - \arccos\left(z\right)"),
    ("1.5e-7*x - pi", "1.5e-07*x - pi", r"1.5 \cdot 10^{-7} x - \pi"),
    ("1/3*x + 9.81", "0.3333333333333333*x + 9.81", r"\frac{1}{3} x + 9.81"),
])
def test_shown_as_text_and_formula(source: str, written: str, formula: str) -> None:
    """Text is read back to the same node; a formula has the signs and fractions one would write."""
    node = parse(source)
    assert text(node) == written and parse(written) is node
    assert latex(node) == formula


def test_names_of_a_formula_can_be_given() -> None:
    """Names given by hand serve for rates too."""
    assert latex(parse("rod_dot + rod"), {"rod": r"\ell"}) == r"\dot{\ell} + \ell"


def doubled(levels: int) -> Expression:
    """An expression with 2 nodes for each level that has 2^levels parts when it is written out."""
    node = x
    for _ in range(levels):
        node = node + node * node
    return node


def test_shared_parts_are_defined_once() -> None:
    """Definitions stand in order of need, avoid names in use, and put back they give the roots."""
    x1 = symbols("x1")[0]
    part = function("sin", x * x1)
    definitions, roots = shared([part + 2.0 * x, -part, part * part * (2.0 * x)])
    assert [name for name, _ in definitions] == ["x2"]
    assert definitions[0][1] is part and text(roots[2]) == "2*x2*x2*x"

    deep = doubled(2_000)
    with refused(GranumError, "shared"):
        text(deep)
    definitions, roots = shared([deep, -deep])
    assert len(definitions) == 2_000 and text(definitions[-1][1]) == "x1999 + x1999*x1999"
    assert text(roots[1]) == "-x2000"
    back: dict[Expression, Expression] = {}
    for name, meaning in definitions:
        back[symbols(name)[0]] = rebuild([meaning], back)[0]
    assert rebuild(roots, back) == [deep, -deep]


def test_a_long_sum_is_written_without_depth() -> None:
    """Ten thousand terms are no deeper than one."""
    node = parse("z+" + "x*y+" * 4_999 + "z")
    assert parse(text(node).replace(" ", "")) is node
    assert latex(node).count("x y") == 4_999


# ---- SymPy

@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_travel_to_sympy_and_back(name: str) -> None:
    """Each function is SymPy's of that meaning."""
    arguments = (x, y) if name == "atan2" else (x,)
    node = function(name, *arguments)
    there = to_sympy(node)
    assert from_sympy(there) is node
    values = {"x": 0.3, "y": 0.7}
    assert float(there.subs(values)) == pytest.approx(evaluate([node], values)[0], rel=1e-14)


def test_sympy_forms_are_read() -> None:
    """Fractions become divisions, functions of time symbols, and numbers their doubles."""
    a, b = sympy.symbols("x y")
    q = dynamicsymbols("q")
    t = dynamicsymbols._t
    for form, meant in [
        (a / 3, x / 3.0), (-a / b**2, -(x / y**2)), (1 / sympy.sqrt(a), 1.0 / function("sqrt", x)), (2**a, 2.0**x),
        (sympy.pi * a, math.pi * x), (sympy.E, number(math.e)), (sympy.Float(0.1) * a, 0.1 * x), (7, number(7.0)),
        (q, symbols("q")[0]), (q.diff(t), symbols("q_dot")[0]), (q.diff(t, 2), symbols("q_ddot")[0]),
        (t * sympy.Symbol("t"), symbols("t")[0] ** 2.0), (sympy.Rational(2, 3) * a / b, 2.0 * x / (3.0 * y)),
    ]:
        assert from_sympy(form) is meant, form
    assert from_sympy(sympy.Function("f")(a) + a, {sympy.Function("f")(a): "z"}) in (x + z, z + x)


def test_sympy_lagrangian_has_its_value() -> None:
    """The Lagrangian of a double pendulum, with functions of time, against SymPy's own evaluation."""
    a, b = dynamicsymbols("a b")
    t = dynamicsymbols._t
    m, g = sympy.symbols("m g")
    px, py = sympy.sin(a) + sympy.sin(b) / 2, -sympy.cos(a) - sympy.cos(b) / 2
    L = m * (sympy.sin(a).diff(t) ** 2 + px.diff(t) ** 2 + py.diff(t) ** 2) / 2 - m * g * py
    values = {"a": 0.3, "b": -1.1, "a_dot": 0.7, "b_dot": 2.3, "m": 1.7, "g": 9.81}
    meant = L.subs({a.diff(t): 0.7, b.diff(t): 2.3}).subs({a: 0.3, b: -1.1, m: 1.7, g: 9.81})
    assert evaluate([from_sympy(L)], values)[0] == pytest.approx(float(meant), rel=1e-13)


def test_large_shared_expressions_travel_fast() -> None:
    """Two hundred doublings (2^200 parts written out) go there and back in linear time."""
    node = x
    for _ in range(200):
        node = function("sin", node) * node + node
    start = process_time()
    there = to_sympy(node)
    back = from_sympy(there)
    assert process_time() - start < 5.0
    assert len(list(walk([back]))) == len(list(walk([node])))
    assert evaluate([back], {"x": 1e-3}) == pytest.approx(evaluate([node], {"x": 1e-3}), rel=1e-13)
    with refused(GranumError, "gamma"):
        from_sympy(sympy.gamma(there, evaluate=False))


@pytest.mark.parametrize(("form", "name"), [
    ("x + 1", "str"), (sympy.oo, "oo"), (sympy.I, "ImaginaryUnit"),
    (sympy.zoo, "ComplexInfinity"),
    (sympy.Max(sympy.Symbol("x"), 1), "Max"), (sympy.Function("f")(sympy.Symbol("x")), "f(x)"),
    (sympy.Integral(sympy.Symbol("x")), "Integral"), (sympy.Eq(sympy.Symbol("x"), 1), "lhs - rhs"),
    (sympy.Symbol("x") + sympy.Symbol("x", positive=True), "symbol x"),
    (sympy.Symbol("x") + dynamicsymbols("x"), "symbol x"), (sympy.Matrix([1]), "Matrix"),
    (sympy.Derivative(sympy.Symbol("x") ** 2, sympy.Symbol("x")), "doit"), (sympy.Integer(10) ** 400, "finite"),
])
def test_sympy_forms_without_meaning_are_refused(form: object, name: str) -> None:
    """What expressions do not have is refused by name."""
    with refused(GranumError, name):
        from_sympy(form)


def test_numbers_are_exact_in_sympy() -> None:
    """Small fractions are exact; others keep every bit."""
    assert to_sympy(parse("0.5*x + 9.81")) == sympy.Symbol("x") / 2 + sympy.Rational(981, 100)
    assert to_sympy(number(math.pi)) == sympy.pi
    value = 0.12345678901234567
    assert float(to_sympy(number(value))) == value


# ---- code

def test_code_reads_well() -> None:
    """What is used once stands in place; what is used again has a line; zeros are written."""
    part = function("sin", x * y)
    source = python_function("rates", {"q": ["x", "y", "shell.z"], "t": "t"},
                             {"f": [part * part + symbols("shell.z")[0] * symbols("t")[0], ZERO], "g": [x**3.0]})
    assert source == """\
import math


def rates(q, t, f, g):
    x = q[0]
    y = q[1]
    q_2 = q[2]
    s1 = math.sin(x * y)
    f[0] = s1 * s1 + q_2 * t
    f[1] = 0.0
    g[0] = x * x * x
"""


@pytest.mark.parametrize(("inputs", "outputs", "name"), [
    ({"q": ["x"]}, {"f": [x * y]}, "symbol y"), ({"q": ["x", "x"]}, {"f": [x]}, "x"), ({"q": ["x"]}, {"q": [x]}, "q"),
    ({"double": ["x"]}, {"f": [x]}, "'double'"), ({"q; system()": ["x"]}, {"f": [x]}, "'q; system()'"),
    ({"sin": ["x"]}, {"f": [x]}, "'sin'"),
])
def test_code_that_cannot_be_written(inputs: dict[str, list[str]], outputs: dict[str, list[Expression]],
                                     name: str) -> None:
    """Missing symbols, doubled names and names no language takes are refused."""
    for write in (python_function, c_function):
        with refused(GranumError, name):
            write("f0", inputs, outputs)
