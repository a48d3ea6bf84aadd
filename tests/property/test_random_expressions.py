"""Random expressions: as text against Python's own reading, as garbage against the parser's patience."""

from __future__ import annotations

import runpy
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from granum.algebra import Expression, as_expression, function, symbol
from granum.algebra.expression import FUNCTIONS, evaluate
from granum.algebra.parse import ExpressionError, parse, parse_equation
from granum.base.errors import GranumError

NAMES = ("x", "y", "z")
VALUES = {"x": 3.0, "y": -2.0, "z": 0.5}


def python_reads(texts: list[str], names: dict[str, Any]) -> list[Any]:
    """What Python takes the texts for; a text that has no value is None."""
    lines = ["found = []"]
    for text in texts:
        lines += ["try:", f"    found.append({text})"]
        lines += ["except (ArithmeticError, TypeError, Refused):", "    found.append(None)"]
    with TemporaryDirectory() as folder:
        script = Path(folder, "texts.py")
        script.write_text("\n".join(lines))
        return list(runpy.run_path(str(script), init_globals=names)["found"])


@st.composite
def texts(draw: st.DrawFn, atoms: tuple[str, ...], signs: str, powers: tuple[str, ...]) -> str:
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
ANY = texts((*NAMES * 4, *NUMBERS, *CALLS), "+-*/", ("2", "-1", "x", "-y", "0.5", "-x**2", "3"))
EXACT = texts((*NAMES, "1", "2", "3", "0.5"), "+-*", ("2", "1", "0"))


@given(st.lists(ANY, min_size=10, max_size=10))
def test_python_builds_the_same_nodes(drawn: list[str]) -> None:
    """Python reading the text with symbols and functions for the names makes the very node, or neither makes one."""
    names: dict[str, Any] = {name: symbol(name) for name in NAMES} | {"Refused": GranumError}
    names |= {name: partial(function, name) for name in FUNCTIONS}
    for text, meant in zip(drawn, python_reads(drawn, names), strict=True):
        try:
            found: Expression | None = parse(text, NAMES)
        except ExpressionError:
            found = None
        if meant is None or isinstance(meant, complex):
            assert found is None, text
        else:
            assert found is as_expression(meant), text


@given(st.lists(EXACT, min_size=10, max_size=10))
def test_values_are_those_of_python(drawn: list[str]) -> None:
    """With numbers that double precision adds and multiplies without rounding, values are Python's to 1e-12."""
    for text, meant in zip(drawn, python_reads(drawn, {**VALUES, "Refused": GranumError}), strict=True):
        (found,) = evaluate([parse(text)], VALUES)
        assert abs(found - meant) <= 1e-12 * abs(meant), text


PIECES = st.sampled_from([*"xyz+-*/^()=.,;:'\"[]{}<>!&|~%@#$\\_ \n\0²−αΩé0129", "**", "sin(", "atan2(", "lambda ", "1e",
                          "__", "1e9", ".5", "if", "x.y", "//", "==", "pi", "9**9**9"])


@settings(max_examples=1000)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=40).map("".join)), st.booleans())
def test_garbage_is_refused_or_read(text: str, closed: bool) -> None:
    """Whatever the text, there is an expression or an ExpressionError that says where."""
    for read in (parse, parse_equation):
        try:
            assert isinstance(read(text, NAMES if closed else None), Expression)
        except ExpressionError as error:
            assert 1 <= error.column <= len(text) + 1 and error.finding
