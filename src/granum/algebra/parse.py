"""Expressions from text: tokens and a parser of its own, so that no text can do more than become an expression.

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = ("+" | "-") factor | power            so that -x**2 = -(x**2)
    power   = atom [ ("**" | "^") factor ]          to the right, and 2**-1 works
    atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Set
from difflib import get_close_matches
from keyword import iskeyword
from typing import NamedTuple, NoReturn

from granum.algebra.expression import FUNCTIONS, Expression, function, number, symbol
from granum.base.errors import GranumError, did_you_mean

LONGEST = 20_000
"""Characters of a text. Each node takes at least one, so this bounds the nodes too."""
DEEPEST = 60
"""Parentheses, powers and signs inside one another; Python's own stack ends far beyond."""
_LONGEST_NAME = 120  # looking for similar names takes time with the square of it
ALIASES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "ln": "log", "Abs": "abs"}
RESERVED = frozenset({*FUNCTIONS, *ALIASES, "pi"})
"""Names with a meaning of their own: nothing else can be called so."""

_TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
  | (?P<name>[A-Za-zΑ-Ωα-ω_][A-Za-zΑ-Ωα-ω0-9_]*(?:\.[A-Za-zΑ-Ωα-ω_][A-Za-zΑ-Ωα-ω0-9_]*)*)
  | (?P<foreign>[-+*/<>!:=]=|->|//)
  | (?P<sign>\*\*|[-+*/^(),=])
  | (?P<other>.)
""", re.VERBOSE | re.DOTALL)
_INSTEAD = {"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "²": "**2", "³": "**3", "√": "sqrt(...)",
            "π": "pi", "//": "/"}
_ARITHMETIC = "An expression consists of numbers, names, + - * / **, parentheses and functions."


class ExpressionError(GranumError):
    """A text that is no expression: the place in it, what was found there and what would be right."""

    def __init__(self, text: str, start: int, end: int, finding: str, remedy: str = "") -> None:
        self.column, self.finding, self.remedy = start + 1, finding, remedy
        super().__init__(f"column {self.column}, {_around(text, start, end)}: {finding}{' ' if remedy else ''}{remedy}")

    def __reduce__(self) -> str | tuple[object, ...]:
        """Travel between processes by what is said, the text is not kept."""
        return _restored, (str(self), self.column, self.finding, self.remedy)


def _restored(message: str, column: int, finding: str, remedy: str) -> ExpressionError:
    error = ExpressionError.__new__(ExpressionError, message)
    error.column, error.finding, error.remedy = column, finding, remedy
    return error


def _around(text: str, start: int, end: int) -> str:
    """The text near a place, which is marked: `in "2*x + >>foo<< * y"`."""
    end = min(end, start + 30)
    before, after = text[max(0, start - 25):start], text[end:end + 25]
    shown = f"{'...' if start > 25 else ''}{before}>>{text[start:end]}<<{after}{'...' if end + 25 < len(text) else ''}"
    return f'in "{"".join(c if c.isprintable() else " " for c in shown)}"'


class _Token(NamedTuple):
    kind: str
    """"number", "name", "end", or the sign itself."""
    text: str
    start: int


def parse(text: str, known: Collection[str] | None = None) -> Expression:
    """The expression a text means; a name outside of `known` (where given) is refused, as is everything unclear."""
    parser = _Parser(text, known)
    expression = parser.sum()
    parser.finish("an equation is not allowed here; write one expression")
    return expression


def parse_equation(text: str, known: Collection[str] | None = None) -> Expression:
    """What an equation sets to zero: lhs − rhs of `lhs = rhs`, or the expression itself without `=`."""
    parser = _Parser(text, known)
    expression = parser.sum()
    if parser.token.kind == "=":
        equals = parser.take()
        expression = parser.joined(equals, expression, parser.sum())
    parser.finish("an equation has exactly one =")
    return expression


class _Parser:
    """One reading of one text, from left to right with one token to look at."""

    def __init__(self, text: str, known: Collection[str] | None) -> None:
        self.text = text
        if len(text) > LONGEST:
            raise ExpressionError(text, LONGEST, LONGEST + 1, f"the expression has {len(text)} characters.",
                                  f"At most {LONGEST} are allowed.")
        self.known = known if known is None or isinstance(known, Set | Mapping) else dict.fromkeys(known)
        self.depth = -1
        self.position = 0
        self.token = self.next()

    # ---- tokens

    def next(self) -> _Token:
        """The token at the position, which moves behind it."""
        while match := _TOKEN.match(self.text, self.position):
            start, self.position = self.position, match.end()
            kind, text = str(match.lastgroup), match.group()
            if kind in ("foreign", "other"):
                self.refuse_foreign(_Token(kind, text, start))
            if kind != "space":
                return _Token(text if kind == "sign" else kind, text, start)
        return _Token("end", "", len(self.text))

    def take(self) -> _Token:
        """The token looked at; the next one is looked at then."""
        taken, self.token = self.token, self.next()
        return taken

    def refuse(self, token: _Token, finding: str, remedy: str = "") -> NoReturn:
        """Raise with the place of a token."""
        raise ExpressionError(self.text, token.start, token.start + len(token.text), finding, remedy)

    def refuse_foreign(self, token: _Token) -> NoReturn:
        """A sign that has no meaning here, such as a bracket, a quote or a comparison."""
        instead = _INSTEAD.get(token.text)
        shown = token.text if token.text.isprintable() else f"U+{ord(token.text):04X}"
        self.refuse(token, f"{shown} is not part of an expression.", f"Write {instead}." if instead else _ARITHMETIC)

    def made(self, token: _Token, operation: Callable[[], Expression]) -> Expression:
        """An operation done; one without a finite value is refused at its place."""
        try:
            return operation()
        except GranumError as error:
            self.refuse(token, str(error), "Every constant part must have a finite real value.")

    # ---- grammar

    def sum(self) -> Expression:
        """Products joined by + and -."""
        total = self.product()
        while self.token.kind in ("+", "-"):
            sign = self.take()
            total = self.joined(sign, total, self.product())
        return total

    def product(self) -> Expression:
        """Factors joined by * and /."""
        total = self.factor()
        while self.token.kind in ("*", "/"):
            sign = self.take()
            total = self.joined(sign, total, self.factor())
        return total

    def factor(self) -> Expression:
        """A power with or without signs before it; everything nested comes through here."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(self.token, f"the expression is nested more than {DEEPEST} levels deep.",
                        "Name its parts, or remove redundant parentheses.")
        if self.token.kind in ("+", "-"):
            sign = self.take()
            factor = self.factor() if sign.kind == "+" else -self.factor()
        else:
            factor = self.power()
        self.depth -= 1
        return factor

    def power(self) -> Expression:
        """An atom, or an atom to the power of a factor."""
        base = self.atom()
        if self.token.kind in ("**", "^"):
            sign = self.take()
            return self.joined(sign, base, self.factor())
        return base

    def atom(self) -> Expression:
        """A number, a name, a call or what stands in parentheses."""
        token = self.take()
        if token.kind == "number":
            return self.made(token, lambda: number(float(token.text)))
        if token.kind == "name":
            return self.call(token) if self.token.kind == "(" else self.named(token)
        if token.kind != "(":
            finding = "the expression ends" if token.kind == "end" else f"{token.text} was found"
            self.refuse(token, f"{finding} where a number, a name or ( is expected.", _ARITHMETIC)
        inside = self.sum()
        self.close(token)
        return inside

    def call(self, name: _Token) -> Expression:
        """A function of FUNCTIONS and its arguments."""
        called = ALIASES.get(name.text, name.text)
        if called not in FUNCTIONS:
            self.refuse_function(name)
        opened = self.take()
        arguments = [self.sum()]
        while self.token.kind == ",":
            self.take()
            arguments.append(self.sum())
        self.close(opened)
        needed = 2 if called == "atan2" else 1
        if len(arguments) != needed:
            self.refuse(name, f"{name.text} has {len(arguments)} argument{'s' * (len(arguments) > 1)}.",
                        f"Write {called}({'y, x' if needed == 2 else 'x'}).")
        return self.made(name, lambda: function(called, *arguments))

    def named(self, token: _Token) -> Expression:
        """The number pi, or a symbol if its name is allowed and known."""
        name = token.text
        self.check_word(token)
        if name == "pi":
            return number(math.pi)
        if name in RESERVED:
            self.refuse(token, f"{name} is a function.", f"Write {name}(...).")
        if self.known is not None and name not in self.known:
            self.refuse(token, f"{name} is unknown here.", did_you_mean(name, self.known, "name"))
        return symbol(name)

    def joined(self, sign: _Token, a: Expression, b: Expression) -> Expression:
        """The operation of a sign on its two sides."""
        return self.made(sign, lambda: _OPERATIONS[sign.kind](a, b))

    # ---- what can be wrong

    def check_word(self, token: _Token) -> None:
        """Refuse names that reach into Python, and Python's own words."""
        if len(token.text) > _LONGEST_NAME:
            self.refuse(token, f"a name has {len(token.text)} characters.", f"A name may have at most {_LONGEST_NAME}.")
        first, *others = token.text.split(".")
        if first.startswith("__") or any(part.startswith("_") for part in others):
            self.refuse(token, f"{token.text} is not part of an expression.",
                        "The part of a name after a dot must begin with a letter, and no name may begin with __.")
        for part in (first, *others):
            if iskeyword(part):
                self.refuse(token, f"{part} is a keyword of Python and not allowed in an "
                                   "expression.", "Use another name.")

    def refuse_function(self, name: _Token) -> NoReturn:
        """A call of something that is no function of expressions."""
        self.check_word(name)
        if name.text == "pi" or (self.known is not None and name.text in self.known):
            self.refuse(name, f"{name.text} is not a function.", f"For a product, write {name.text}*(...).")
        near = get_close_matches(name.text, FUNCTIONS, 1)
        hint = f'Did you mean "{near[0]}"? ' if near else ""
        self.refuse(name, f"{name.text} is not a function.", f"{hint}Known functions: {', '.join(FUNCTIONS)}.")

    def close(self, opened: _Token) -> None:
        """Take the ) that belongs to a (."""
        if self.token.kind == ")":
            self.take()
        elif self.token.kind == "end":
            self.refuse(opened, "this ( is never closed.", "Add the closing ).")
        else:
            self.refuse_follower("an equation is not allowed in parentheses")

    def finish(self, about_equals: str) -> None:
        """Refuse what stands behind a whole expression."""
        if self.token.kind != "end":
            self.refuse_follower(about_equals)

    def refuse_follower(self, about_equals: str) -> NoReturn:
        """A token that cannot follow an operand."""
        token = self.token
        if token.kind == "=":
            self.refuse(token, f"= is not part of an expression: {about_equals}.")
        if token.kind == ")":
            self.refuse(token, "there is no ( for this ).", "Remove it, or open one before.")
        if token.kind == ",":
            self.refuse(token, ", is only allowed between the arguments of a "
                               "function.", "Write decimals with a point: 1.5.")
        if token.kind == "name":
            self.check_word(token)
        shown = token.text[:_LONGEST_NAME]
        self.refuse(token, f"{shown} must be preceded by + - * / or **.", f"For a product, write *{shown}.")


_OPERATIONS: dict[str, Callable[[Expression, Expression], Expression]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": lambda a, b: a**b, "^": lambda a, b: a**b, "=": lambda a, b: a - b,
}
