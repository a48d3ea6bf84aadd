"""Random expressions: text against Python's own reading, code against its evaluation, garbage against patience."""

from __future__ import annotations

import ctypes
import importlib.util
import math
import re
import runpy
import shutil
import subprocess
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from granum.algebra import Expression, as_expression, function, symbol
from granum.algebra.emit import LARGEST_POWER, c_function, python_function
from granum.algebra.expression import FUNCTIONS, evaluate, rebuild
from granum.algebra.parse import ExpressionError, parse, parse_equation
from granum.algebra.show import latex, shared, text
from granum.algebra.sympy_bridge import from_sympy, to_sympy
from granum.base.errors import GranumError

NAMES = ("x", "y", "z")
VALUES = {"x": 3.0, "y": -2.0, "z": 0.5}


def python_reads(texts: list[str], names: dict[str, Any]) -> list[Any]:
    """What Python takes the texts for; a text that has no value is None."""
    lines = ["found = []"]
    for source in texts:
        lines += ["try:", f"    found.append({source})"]
        lines += ["except (ArithmeticError, TypeError, Refused):", "    found.append(None)"]
    with TemporaryDirectory() as folder:
        script = Path(folder, "texts.py")
        script.write_text("\n".join(lines))
        return list(runpy.run_path(str(script), init_globals=names)["found"])


@st.composite
def written(draw: st.DrawFn, atoms: tuple[str, ...], signs: str, powers: tuple[str, ...]) -> str:
    """A text of the grammar with few parentheses, so that precedence decides what it means."""
    text = draw(st.sampled_from(atoms))
    for _ in range(draw(st.integers(0, 7))):
        other = draw(st.sampled_from(atoms))
        sign = draw(st.sampled_from(signs))
        text = draw(st.sampled_from([
            f"{text} {sign} {other}", f"{other} {sign} {text}", f"({text})", f"-{text}", f"+{text}",
            f"{text} {sign} -{other}", f"{other}**{draw(st.sampled_from(powers))} {sign} {text}",
            f"({text})**{draw(st.sampled_from(powers))}",
        ]))
    return text


NUMBERS = ("0.", "1.", "2.", "3.", ".5", "0.25", "1e1", "7.", "1.1", "1e-3")
CALLS = tuple(f"{name}({text})" for name in sorted({*FUNCTIONS} - {"atan2"}) for text in ("x", "-y", "x*y", "2-z**2"))
ANY = written((*NAMES * 4, *NUMBERS, *CALLS), "+-*/", ("2", "-1", "x", "-y", "0.5", "-x**2", "3"))
EXACT = written((*NAMES, "1", "2", "3", "0.5"), "+-*", ("2", "1", "0"))


@given(st.lists(ANY, min_size=10, max_size=10))
def test_python_builds_the_same_nodes(drawn: list[str]) -> None:
    """Python reading the text with symbols and functions for the names makes the very node, or neither makes one."""
    names: dict[str, Any] = {name: symbol(name) for name in NAMES} | {"Refused": GranumError}
    names |= {name: partial(function, name) for name in FUNCTIONS}
    for source, meant in zip(drawn, python_reads(drawn, names), strict=True):
        try:
            found: Expression | None = parse(source, NAMES)
        except ExpressionError:
            found = None
        if meant is None or isinstance(meant, complex):
            assert found is None, source
        else:
            assert found is as_expression(meant), source


@given(st.lists(EXACT, min_size=10, max_size=10))
def test_values_are_those_of_python(drawn: list[str]) -> None:
    """With numbers that double precision adds and multiplies without rounding, values are Python's to 1e-12."""
    for source, meant in zip(drawn, python_reads(drawn, {**VALUES, "Refused": GranumError}), strict=True):
        (found,) = evaluate([parse(source)], VALUES)
        assert abs(found - meant) <= 1e-12 * abs(meant), source


PIECES = st.sampled_from([*"xyz+-*/^()=.,;:'\"[]{}<>!&|~%@#$\\_ \n\0²−αΩé0129", "**", "sin(", "atan2(", "lambda ", "1e",
                          "__", "1e9", ".5", "if", "x.y", "//", "==", "pi", "9**9**9"])


@settings(max_examples=1000)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=40).map("".join)), st.booleans())
def test_garbage_is_refused_or_read(text: str, closed: bool) -> None:
    """Whatever the text, there is an expression or an ExpressionError that says where."""
    for reading in (parse, parse_equation):
        try:
            assert isinstance(reading(text, NAMES if closed else None), Expression)
        except ExpressionError as error:
            assert 1 <= error.column <= len(text) + 1 and error.finding


def read(drawn: list[str]) -> list[Expression]:
    """The texts that have a meaning."""
    found = []
    for source in drawn:
        with suppress(ExpressionError):
            found.append(parse(source))
    return found


@given(st.lists(ANY, min_size=10, max_size=10))
def test_text_is_read_back(drawn: list[str]) -> None:
    """The text of a node is read to the very node; a formula opens and closes as often."""
    for node in read(drawn):
        assert parse(text(node)) is node
        formula = latex(node)
        assert formula.count("{") == formula.count("}") and formula.count(r"\left") == formula.count(r"\right")
        assert "--" not in formula and "+ -" not in formula and "- -" not in formula


@given(st.lists(ANY, min_size=10, max_size=10))
def test_shared_parts_put_back_give_the_roots(drawn: list[str]) -> None:
    """No definition is used by one before it, and after them nothing but small parts is used twice."""
    roots = read(drawn)
    definitions, rest = shared(roots)
    back: dict[Expression, Expression | float | int] = {}
    for name, meaning in definitions:
        back[symbol(name)] = rebuild([meaning], back)[0]
    assert rebuild(rest, back) == roots
    assert shared([*(meaning for _, meaning in definitions), *rest])[0] == []


@given(st.lists(EXACT, min_size=5, max_size=5))
def test_sympy_has_the_same_value(drawn: list[str]) -> None:
    """Without rounding, the value in SymPy is the value here, and the way back keeps it."""
    for node in map(parse, drawn):
        there = to_sympy(node)
        (meant,) = evaluate([node], VALUES)
        assert there.subs({"x": 3, "y": -2, "z": sympy.Rational(1, 2)}) == sympy.Rational(meant)
        assert evaluate([from_sympy(there)], VALUES) == [meant]


# ---- code

def run_python(inputs: dict[str, list[str] | str], roots: list[Expression], values: list[float]) -> list[float]:
    """Write the function to a file, import it and call it."""
    with TemporaryDirectory() as folder:
        Path(folder, "written.py").write_text(python_function("computed", inputs, {"f": roots}))
        spec = importlib.util.spec_from_file_location("written", Path(folder, "written.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    found = [math.nan] * len(roots)
    module.computed(values[:2], values[2], found)
    return found


def run_c(inputs: dict[str, list[str] | str], roots: list[Expression], values: list[float]) -> list[float]:
    """Compile the function, load it and call it."""
    array = ctypes.c_double * max(len(roots), 2)
    found = array(*[math.nan] * len(array()))
    with TemporaryDirectory() as folder:
        Path(folder, "written.c").write_text(c_function("computed", inputs, {"f": roots}))
        subprocess.run([str(COMPILER), "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-parameter",
                        "-O2", "-shared", "-fPIC", "-o", "written.so", "written.c", "-lm"], cwd=folder, check=True)
        ctypes.CDLL(str(Path(folder, "written.so"))).computed(
            (ctypes.c_double * 2)(*values[:2]), ctypes.c_double(values[2]), found)
    return list(found)[:len(roots)]


def having_values(drawn: list[str], values: dict[str, float]) -> dict[str, float]:
    """The texts with a finite real value and no intermediate one without, and this value."""
    found = {}
    for source in drawn:
        with suppress(ValueError, ArithmeticError, TypeError, ExpressionError):  # a power can be complex on the way
            (value,) = evaluate([parse(source)], values)
            if not isinstance(value, complex) and math.isfinite(value):
                found[source] = value
    return found


COMPILER = shutil.which("gcc") or shutil.which("cc")
INPUTS: dict[str, list[str] | str] = {"q": ["x", "y"], "z": "z"}
LANGUAGES = [run_python, pytest.param(run_c, marks=pytest.mark.skipif(not COMPILER, reason="no C compiler"))]
ROOTED = written((*NAMES * 4, *NUMBERS, *CALLS, "sign(x - y)*(x - y)"), "+-*/", ("x", "-y", "0.5", "1.5", "-x**z"))
POSITIVE = written((*NAMES, "2.", "7.", "exp(x*y)", "0.1"), "+*/", ("2", "3", "-1", "-5", "8", "-11"))


@pytest.mark.parametrize("run", LANGUAGES)
@given(drawn=st.lists(ROOTED, min_size=20, max_size=20))
@settings(max_examples=15)
def test_code_computes_the_same_bits(run: Any, drawn: list[str]) -> None:
    """Code does the operations of the nodes in their order: without whole powers, no bit differs (z**2 is exact)."""
    values = {"x": 0.3, "y": 0.7, "z": 0.5}
    meant = having_values(drawn, values)
    found = run(INPUTS, [parse(source) for source in meant], [*values.values()])
    assert found == [*meant.values()]


@pytest.mark.parametrize("run", LANGUAGES)
@given(drawn=st.lists(POSITIVE, min_size=20, max_size=20))
@settings(max_examples=15)
def test_code_with_whole_powers(run: Any, drawn: list[str]) -> None:
    """Products instead of powers differ by rounding only: n units of 2^-53 for x^n, where nothing cancels."""
    values = {"x": 0.9, "y": 1.3, "z": 1.1}
    meant = having_values([re.sub(r"(?<!\*\*)-", "", source) for source in drawn], values)
    found = run(INPUTS, [parse(source) for source in meant], [*values.values()])
    for (source, value), computed in zip(meant.items(), found, strict=True):
        degree = math.prod(int(n) for n in re.findall(r"\*\*-?(\d+)", source))
        assert abs(computed - value) <= 2.0**-53 * len(source) * degree * value, source


@pytest.mark.parametrize("run", LANGUAGES)
def test_code_of_every_power(run: Any) -> None:
    """x^n from squares for each n, to n units of 2^-53, and from pow beyond."""
    x, exponents = symbol("x"), [n for n in range(-LARGEST_POWER - 2, LARGEST_POWER + 3) if n]
    found = run(INPUTS, [x ** float(n) for n in exponents], [1.2345, 0.0, 0.0])
    for n, value in zip(exponents, found, strict=True):
        exact = Fraction(1.2345) ** n
        assert abs(Fraction(value) - exact) <= exact * (abs(n) + 1) / 2**53, n
