"""Source text that computes expressions: straight lines, every shared node once, the same operations in each language.

C compiled without contraction to fused operations (`-std=c99`, or `-ffp-contract=off`) rounds as Python does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from keyword import iskeyword

from granum.algebra.expression import FUNCTIONS, Expression, walk
from granum.base.errors import GranumError, did_you_mean

LARGEST_POWER = 32
"""Whole powers up to here are products: n of them round by n/2 units in the last place at most, and are fast."""
_LONGEST = 60  # of what is written in place instead of getting a line of its own
_SUM, _PRODUCT, _SIGN, _ATOM = range(4)
_WORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|main|asm|typeof|"
    "linux|unix|NAN|INFINITY|HUGE_VAL.*|M_.*|FP_.*|MATH_.*|math|pow|fabs|" + "|".join(FUNCTIONS))
"""Words that C or its <math.h>, or the lines written here, have another use for."""


@dataclass(frozen=True, slots=True)
class _Language:
    """How a language writes what differs."""

    function: Callable[[str], str]
    """Name of a function of FUNCTIONS, or of pow."""
    sign: str
    define: str
    """A line that gives a name to a value."""
    store: str


_PYTHON = _Language(lambda name: f"math.{'fabs' if name == 'abs' else name}", "(float({0} > 0) - float({0} < 0))",
                    "    {} = {}", "    {}[{}] = {}")
_C = _Language(lambda name: "fabs" if name == "abs" else name, "(double)(({0} > 0) - ({0} < 0))",
               "    const double {} = {};", "    {}[{}] = {};")


def python_function(name: str, inputs: Mapping[str, Sequence[str] | str],
                    outputs: Mapping[str, Sequence[Expression]]) -> str:
    """A Python module with one function `name(*inputs, *outputs)` that fills the output arrays; it needs only `math`.

    An input is an argument with the names of the symbols it holds as an array, or with one bare name as a number. An
    output must not be the array of an input.
    """
    _check(name, inputs, outputs)
    lines = ["import math", "", "", f"def {name}({', '.join([*inputs, *outputs])}):"]
    lines += _Writer(_PYTHON, inputs, outputs).lines() or ["    pass"]
    return "\n".join(lines) + "\n"


def c_function(name: str, inputs: Mapping[str, Sequence[str] | str],
               outputs: Mapping[str, Sequence[Expression]]) -> str:
    """The same in C99, with <math.h>: `void name(const double *q, double t, double *M)`."""
    _check(name, inputs, outputs)
    arguments = [f"double {key}" if isinstance(held, str) else f"const double *{key}" for key, held in inputs.items()]
    arguments += [f"double *{key}" for key in outputs]
    lines = ["#include <math.h>", "", f"void {name}({', '.join(arguments) or 'void'})", "{"]
    return "\n".join([*lines, *_Writer(_C, inputs, outputs).lines(), "}"]) + "\n"


def _check(name: str, inputs: Mapping[str, Sequence[str] | str], outputs: Mapping[str, Sequence[Expression]]) -> None:
    """Refuse names no language takes, names used twice, and symbols no argument gives."""
    for word in (name, *inputs, *outputs):
        if not _is_identifier(word):
            raise GranumError(f"{word!r} is not allowed as the name of a function or argument: use letters, digits and "
                              "_, and no keyword of C or Python.")
    given = Counter(symbol for symbols in inputs.values() for symbol in _listed(symbols))
    for word, times in [*Counter([name, *inputs, *outputs]).items(), *given.items()]:
        if times > 1:
            raise GranumError(f"{word} is used twice in the function {name}: names must differ.")
    for node in walk(root for roots in outputs.values() for root in roots):
        if node.kind == "symbol" and node.name not in given:
            raise GranumError(f"the symbol {node.name} is not among the arguments. "
                              f"{did_you_mean(node.name, given, 'symbol')}")


def _listed(symbols: Sequence[str] | str) -> Sequence[str]:
    return [symbols] if isinstance(symbols, str) else symbols


def _is_identifier(word: str) -> bool:
    return re.fullmatch(r"[A-Za-z]\w*", word, re.ASCII) is not None and not (iskeyword(word) or _WORDS.fullmatch(word))


class _Writer:
    """One function's body."""

    def __init__(self, language: _Language, inputs: Mapping[str, Sequence[str] | str],
                 outputs: Mapping[str, Sequence[Expression]]) -> None:
        self.language, self.inputs, self.outputs = language, inputs, outputs
        self.order = list(walk(root for roots in outputs.values() for root in roots))
        self.written: dict[Expression, tuple[str, int]] = {}
        """Text of each node and its precedence."""
        self.body: list[str] = []
        self.powers: dict[tuple[str, int], str] = {}
        """Names of whole powers that have a line, by the name of the base and the exponent."""

    def lines(self) -> list[str]:
        """All lines: what the arguments give, what is computed from it, what is handed out."""
        self.names = self.load()
        uses = Counter(argument for node in self.order for argument in node.arguments)
        uses.update(root for roots in self.outputs.values() for root in roots)
        for node in self.order:
            if node.arguments:
                text, level = self.operation(node)
                once = uses[node] == 1 and len(text) <= _LONGEST
                self.written[node] = (text, level) if once else (self.define(text), _ATOM)
            elif node.kind == "number":
                self.written[node] = repr(node.value), _SIGN if node.value < 0.0 else _ATOM
        for key, roots in self.outputs.items():
            self.body += [self.language.store.format(key, i, self.written[root][0]) for i, root in enumerate(roots)]
        return self.body

    def load(self) -> Iterator[str]:
        """Write the lines that take symbols out of arguments; returns names for further lines."""
        used = {node.name: node for node in self.order if node.kind == "symbol"}
        taken = {*self.inputs, *self.outputs}
        for key, symbols in self.inputs.items():
            for i, symbol in enumerate(_listed(symbols)):
                if symbol not in used:
                    continue
                name = symbol
                if symbol == key and isinstance(symbols, str):
                    self.written[used[symbol]] = key, _ATOM
                    continue
                if not _is_identifier(symbol) or symbol in taken:
                    name = next(name for name in map(f"{key}_{{}}".format, count(i)) if name not in taken)
                taken.add(name)
                self.body.append(self.language.define.format(name, key if isinstance(symbols, str) else f"{key}[{i}]"))
                self.written[used[symbol]] = name, _ATOM
        return (name for name in map("s{}".format, count(1)) if name not in taken)

    def define(self, text: str) -> str:
        """Write a line that names a value; returns the name."""
        name = next(self.names)
        self.body.append(self.language.define.format(name, text))
        return name

    def operand(self, node: Expression, needed: int) -> str:
        """An argument, in parentheses where its precedence is below the one needed."""
        text, level = self.written[node]
        return text if level >= needed else f"({text})"

    def named(self, node: Expression) -> str:
        """An argument that is written several times: by its name."""
        text, _ = self.written[node]
        if not text.isidentifier():
            text = self.define(text)
            self.written[node] = text, _ATOM
        return text

    def operation(self, node: Expression) -> tuple[str, int]:
        """Text and precedence of an operation on arguments already written."""
        kind, arguments = node.kind, node.arguments
        if kind in ("+", "-"):
            return f"{self.operand(arguments[0], _SUM)} {kind} {self.operand(arguments[1], _PRODUCT)}", _SUM
        if kind in ("*", "/"):
            return f"{self.operand(arguments[0], _PRODUCT)} {kind} {self.operand(arguments[1], _SIGN)}", _PRODUCT
        if kind == "neg":
            return f"-{self.operand(arguments[0], _ATOM)}", _SIGN
        if kind == "sign":
            return self.language.sign.format(self.named(arguments[0])), _ATOM
        if kind == "^":
            base, exponent = arguments
            if exponent.kind == "number" and exponent.value.is_integer() and abs(exponent.value) <= LARGEST_POWER:
                return self.whole_power(base, int(exponent.value))
            kind = "pow"
        return f"{self.language.function(kind)}({', '.join(self.written[a][0] for a in arguments)})", _ATOM

    def whole_power(self, base: Expression, n: int) -> tuple[str, int]:
        """x^n by squaring."""
        product = self.product(self.named(base), abs(n))
        return product if n > 0 else f"1.0 / {product}" if abs(n) == 1 else f"1.0 / ({product})", _PRODUCT

    def product(self, x: str, n: int) -> str:
        """x^n = x^m · x^m or x^m · x^m · x, with m = n // 2 on a line of its own."""
        if n == 1:
            return x
        half = x if n < 4 else self.powers.get((x, n // 2))
        if half is None:
            half = self.powers[x, n // 2] = self.define(self.product(x, n // 2))
        return f"{half} * {half}" + (f" * {x}" if n % 2 else "")
