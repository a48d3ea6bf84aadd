"""Expressions as text: what is read, what is refused and in which words."""

from __future__ import annotations

import math
import pickle
from time import perf_counter

import pytest

from granum.algebra import function, number, symbols
from granum.algebra.expression import FUNCTIONS, evaluate
from granum.algebra.parse import DEEPEST, LONGEST, ExpressionError, parse, parse_equation

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
    with pytest.raises(ExpressionError, match=r"one =") as caught:
        parse_equation("x = y = z")
    assert caught.value.column == 7


@pytest.mark.parametrize(("text", "column", "said"), [
    ("2*x + alpa", 7, 'alpa is not known here. Did you mean "alpha"?'),
    ("foo(x)", 1, "The functions are sin, cos, "), ("sinn(x)", 1, 'Did you mean "sin"?'),
    ("9**9**9", 2, "no finite number"), ("1/(x - x)", 2, "divides by zero"), ("x*log(-1)", 3, "no finite number"),
    ("(-8)**(1/3)", 5, "no finite number"), ("1e999", 1, "finite"),
    ("x.__class__", 1, "is not part of an expression"), ("__import__", 1, "is not part of an expression"),
    ("__import__('os')", 1, "is not part of an expression"), ("x._y", 1, "is not part of an expression"),
    ("(x).real", 4, ". is not part of an expression"), ("x[0]", 2, "[ is not part of an expression"),
    ("{x}", 1, "{ is not part of an expression"), ("'x'", 1, "' is not part of an expression"),
    ('x + "y"', 5, '" is not part of an expression'), ("lambda x: x", 1, "lambda is not part of an expression"),
    ("x if y else x", 3, "if is not part of an expression"), ("x; y", 2, "; is not part of an expression"),
    ("x < y", 3, "< is not part of an expression"), ("x == y", 3, "== is not part of an expression"),
    ("x := y", 3, ":= is not part of an expression"), ("x = y", 3, "= is not part of an expression"),
    ("x // y", 3, "Write /."), ("x²", 2, "Write **2."), ("x − y", 3, "Write -."), ("x\0", 2, "U+0000 is not part"),
    ("2x", 2, "For a product write *x."), ("x y", 3, "For a product write *y."), ("x(y)", 1, "write x*(...)"),
    ("1,5", 2, "1.5"), ("(x + y", 1, "never closed"), ("x + y)", 6, "no ( belongs"), ("x +", 4, "the text ends"),
    ("", 1, "the text ends"), ("x * / y", 5, "/ stands where"), ("sin", 1, "sin is a function"),
    ("sin()", 5, ") stands where"), ("sin(x, y)", 1, "2 arguments"), ("atan2(x)", 1, "atan2(y, x)"),
])
def test_refused_in_words(text: str, column: int, said: str) -> None:
    """What is no expression is refused with its column, the text around it and a remedy."""
    with pytest.raises(ExpressionError) as caught:
        parse(text, known=["x", "y", "alpha"])
    assert caught.value.column == column
    assert said in str(caught.value) and f"column {column}, in " in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("text", [
    "(" * 1_000_000, "x" * LONGEST, "-" * 9_999 + "x", "x**" * 5_000 + "x", "sin(" * 4_000, "((" * 31 + "x" + "))" * 31,
    "9**" * 5_000 + "9", "9" * LONGEST, "1 " + "9" * 19_000, "x" + ".x" * 9_000, "x+" * 10_000,
], ids=lambda text: f"{text[:6]} ({len(text)})")
def test_attacks_end_at_once(text: str) -> None:
    """Texts made to exhaust time, stack or memory are refused fast, in a short message."""
    start = perf_counter()
    with pytest.raises(ExpressionError) as caught:
        parse(text, known=[f"body{i}.x" for i in range(5_000)] + ["x"])
    assert perf_counter() - start < 0.5
    assert len(str(caught.value)) < 1_000


def test_limits_are_reached() -> None:
    """What just fits is read: so many levels, so many characters."""
    assert parse("(" * DEEPEST + "x" + ")" * DEEPEST) is x
    assert parse("-" * DEEPEST + "x") is x
    (found,) = evaluate([parse("x+" * (LONGEST // 2 - 1) + "x")], {"x": 1.0})
    assert found == LONGEST // 2
