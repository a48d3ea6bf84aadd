"""Simplified formulas: as short as a textbook has them, and equal to what they come from."""

from __future__ import annotations

import numpy as np
import pytest

from granum.algebra.expression import evaluate, free_symbols
from granum.algebra.parse import parse
from granum.algebra.polynomial import CONSTANT, COORDINATE, RATE, UNKNOWN, Simplifier
from granum.algebra.show import text


def kind(name: str) -> int:
    if name.endswith("_ddot"):
        return UNKNOWN
    return RATE if name.endswith("_dot") else CONSTANT if name[0] in "mlgk" else COORDINATE


ORDER = ["m_1", "m_2", "g", "k", "l_1", "l_2", "a", "b", "x", "y",
         "a_dot", "b_dot", "x_dot", "y_dot", "a_ddot", "b_ddot"]
SHORT = {
    "sin(a)**2 + cos(a)**2": "1", "1 - sin(a)**2": "cos(a)**2", "k - k*cos(b)**2": "k*sin(b)**2",
    "cos(a)*cos(b) + sin(a)*sin(b)": "cos(a - b)", "cos(a)*cos(b) - sin(a)*sin(b)": "cos(a + b)",
    "sin(a)*cos(b) - cos(a)*sin(b)": "sin(a - b)", "sin(b)*cos(a) + cos(b)*sin(a)": "sin(a + b)",
    "cos(b - a)": "cos(a - b)", "sin(b - a)": "-sin(a - b)", "x**2 - 2*x*y + y**2": "(y - x)**2",
    "sqrt(x**2 + y**2)**2": "x**2 + y**2", "m_1*l_1*a_ddot + m_2*l_1*a_ddot": "(m_1 + m_2)*l_1*a_ddot",
    "m_1*x_dot**2/2 + m_1*y_dot**2/2": "0.5*m_1*(x_dot**2 + y_dot**2)", "x/k - x/k": "0", "(x*k)/(k*y)": "x/y",
    "m_1*(l_1*cos(a)*a_dot)**2 + m_1*(l_1*sin(a)*a_dot)**2": "m_1*l_1**2*a_dot**2",
    "2 - 4*x**2": "2*(1 - 2*x**2)", "x**2 - 1 + y**2": "x**2 + y**2 - 1",
    "(m_1/8 + m_2/2)*a_dot**2": "0.5*(0.25*m_1 + m_2)*a_dot**2", "(m_1/2 + m_2)*x": "(0.5*m_1 + m_2)*x",
}


def test_thirds_are_written_as_fractions() -> None:
    """m/3 as 1/3*m, which has the same value."""
    assert text(parse("m_1*l_1**2/3 + 2*m_2/7"), fractions=True) == "1/3*m_1*l_1**2 + 2/7*m_2"


@pytest.mark.parametrize("formula", SHORT)
def test_formulas_are_short(formula: str) -> None:
    assert text(Simplifier(kind, ORDER)(parse(formula))) == SHORT[formula]


@pytest.mark.parametrize("formula", [
    *SHORT, "exp(-(x + y)**2/(m_1 + m_2))*atan2(x*cos(a), y)", "(x + y)**3/(x - y)**2 - tan(a + b)*sqrt(x*y)",
    "x**k + abs(x - y)*sign(y)/3", "(m_1*x + m_2*y)/(m_1 + m_2) + 0.1*x/7", "sin(a)**3*cos(a) + sin(a)*cos(a)**3",
    "1/(1/x + 1/y)", "(sin(a)*sin(b) + cos(a)*cos(b))*(x_dot - y_dot)**2*a_ddot/l_1 - b_ddot*log(x)"])
def test_formulas_keep_their_value(formula: str) -> None:
    """Rounding of a few dozen operations."""
    given = parse(formula)
    simple, random = Simplifier(kind, ORDER)(given), np.random.default_rng(3)
    for _ in range(5):
        values = {name: random.uniform(0.3, 2.0) for name in free_symbols([given])}
        one, other = evaluate([given, simple], values)
        assert other == pytest.approx(one, rel=1e-12, abs=1e-14)


def test_squares_that_are_known_are_inserted() -> None:
    simple = Simplifier(kind, ORDER, {"y": parse("l_1**2 - x**2")})
    assert text(simple(parse("m_1*(x**2 + y**2)*a_ddot"))) == "m_1*l_1**2*a_ddot"


def test_what_would_grow_too_long_stays_as_it_is() -> None:
    product = parse("*".join(f"(x + {k}*y + a*b + sin(a)*k)" for k in range(1, 9)))
    assert Simplifier(kind, ORDER)(product) is product
