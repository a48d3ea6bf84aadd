"""Measures: formulas of what a run answers, read by a parser of their own, so that no text can do more than that.

    or         = and { "or" and }                   and = not { "and" not }         not = "not" not | comparison
    comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
    sum        = product { ("+" | "-") product }    product = factor { ("*" | "/") factor }
    factor     = ("+" | "-") factor | power         power = atom [ "**" factor ]
    atom       = number | 'text' | true | false | ANSWER word ... | function "(" or { "," or } ")" | "(" or ")"

Words behind the name of an answer name what it is about: `flow_rate outlet`. They may contain hyphens, so a minus sign
behind one stands free: `passed a - passed b`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, NoReturn

import numpy as np

from granum.base.errors import GranumError, Problem, did_you_mean
from granum.model.scene import Scene
from granum.run import Run
from granum.studies.answers import ANSWERS, Answer, Value, problem_of

LONGEST, DEEPEST = 2000, 40
"""Characters of a measure, and parentheses inside one another."""
FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs, "min": min, "max": max, "sqrt": math.sqrt, "log": math.log, "exp": math.exp}
_COMPARED = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge}
_TOKEN = re.compile(r"""\s*(?:
    (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<text>'[^']*'|"[^"]*")
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<sign>\*\*|==|!=|<=|>=|[-+*/()<>,])
  | (?P<other>\S)
)""", re.VERBOSE)
_WORD = re.compile(r"\s*(?:'([^']*)'|\"([^\"]*)\"|([A-Za-z_][A-Za-z0-9_.]*(?:-[A-Za-z0-9_.]+)*))")


_SYNONYMS = {"jam": "jammed"}
"""Words that mean an answer as well."""


class Part(NamedTuple):
    """A part of a measure."""

    kind: str
    """number, boolean or text."""
    evaluate: Callable[[Run], Any]
    unit: str = ""
    values: tuple[str, ...] = ()
    """Of an answer that is one of a few words."""
    literal: str | None = None
    """Of a text that is written out."""


def _literal(text: str) -> Part:
    """A text that is written out."""
    return Part("text", lambda run: text, literal=text)


class Measure(NamedTuple):
    """What is asked of each run, under the name of its column."""

    name: str
    text: str
    unit: str = ""
    function: Callable[[Run], Any] | None = None

    def evaluate(self, run: Run) -> Value:
        """What a run answers; raises GranumError where it does not."""
        value = (self.function or parsed(self.text).part.evaluate)(run)
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool | str):
            return value
        if isinstance(value, int | float):
            number: float = _finite(float(value), self.text if self.function is None else "the function")
            return number
        raise GranumError(f"the measure {self.name} gave {type(value).__name__}, but a number, a boolean or a string "
                          "is needed.")


class Parsed(NamedTuple):
    """A measure that has been read, and what it asks for."""

    part: Part
    asked: list[tuple[Answer, tuple[str, ...]]]


def check_measures(texts: Mapping[str, str], functions: Mapping[str, Callable[[Run], Any]],
                   scene: Scene) -> tuple[list[Measure], list[Problem]]:
    """Measures of runs of a scene, and what is wrong with them before anything runs."""
    measures, problems = [], []
    for name, text in texts.items():
        if name in functions:
            measures.append(Measure(name, text, "", functions[name]))
            continue
        try:
            read = parsed(text)
        except MeasureError as error:
            problems.append(Problem(f"measure.{name}", error.finding, error.remedy))
            continue
        for asked, words in read.asked:
            if wrong := problem_of(asked, words, scene):
                problems.append(Problem(f"measure.{name}", *wrong))
        measures.append(Measure(name, text, read.part.unit))
    return measures, problems


@cache
def parsed(text: str) -> Parsed:
    """Read a measure; raises MeasureError."""
    parser = _Parser(text)
    part = parser.either()
    if parser.token[0] != "end":
        parser.refuse(f"found {parser.token[1]!r} where the measure should end.")
    return Parsed(part, parser.asked)


class MeasureError(GranumError):
    """A text that is no measure."""

    def __init__(self, finding: str, remedy: str = "") -> None:
        self.finding, self.remedy = finding, remedy
        super().__init__(f"{finding} {remedy}".rstrip())


class _Parser:
    """One reading of one text, from left to right with one token to look at."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.depth = text, 0, 0
        self.asked: list[tuple[Answer, tuple[str, ...]]] = []
        if len(text) > LONGEST:
            self.refuse(f"found {len(text)} characters, but a measure has at most {LONGEST}.")
        self.token = self.next()

    def refuse(self, finding: str, remedy: str = "") -> NoReturn:
        shown = self.text if len(self.text) <= 80 else f"{self.text[:77]}..."
        raise MeasureError(f"in {shown!r} {finding}", remedy)

    def next(self) -> tuple[str, str]:
        """The token at the position, which moves behind it."""
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            return "end", ""
        self.position = match.end()
        kind, text = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "other":
            self.refuse(f"found {text!r}, which is not allowed in a measure.",
                        "Write == to compare." if text == "=" else "")
        return ("sign", text) if kind == "name" and text in ("and", "or", "not") else (kind, text)

    def take(self, *signs: str) -> str | None:
        """The sign that comes next, if it is one of these."""
        if self.token[0] == "sign" and self.token[1] in signs:
            taken = self.token[1]
            self.token = self.next()
            return taken
        return None

    def needs(self, part: Part, kind: str, what: str) -> Part:
        if part.kind != kind:
            self.refuse(f"{what} needs a {kind}, but found a {part.kind}.")
        return part

    def either(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"found more than {DEEPEST} nested parentheses.")
        left = self.both()
        while self.take("or"):
            left = self.joined(left, self.both(), "or", lambda a, b: a or b)
        self.depth -= 1
        return left

    def both(self) -> Part:
        left = self.negated()
        while self.take("and"):
            left = self.joined(left, self.negated(), "and", lambda a, b: a and b)
        return left

    def joined(self, a: Part, b: Part, word: str, join: Callable[[bool, bool], bool]) -> Part:
        first, second = (self.needs(part, "boolean", f"`{word}`").evaluate for part in (a, b))
        return Part("boolean", lambda run: join(first(run), second(run)))

    def negated(self) -> Part:
        count = 0
        while self.take("not"):
            count += 1
        part = self.comparison()
        if not count:
            return part
        inner = self.needs(part, "boolean", "`not`").evaluate
        return Part("boolean", lambda run: inner(run) == (count % 2 == 0))

    def comparison(self) -> Part:
        left = self.sum()
        sign = self.take(*_COMPARED)
        if sign is None:
            return left
        right = self.sum()
        if left.kind != right.kind:
            self.refuse(f"{sign} compares a {left.kind} with a {right.kind}.")
        if left.kind != "number" and sign not in ("==", "!="):
            self.refuse(f"{sign} compares numbers, but found a {left.kind}.")
        left, right = self.answerable(left, right), self.answerable(right, left)
        first, second, compare = left.evaluate, right.evaluate, _COMPARED[sign]
        return Part("boolean", lambda run: bool(compare(first(run), second(run))))

    def answerable(self, part: Part, other: Part) -> Part:
        """A part that may be a word written out, compared with an answer that is one of a few words."""
        if part.literal is None or not other.values:
            return part
        word = _SYNONYMS.get(part.literal, part.literal)
        if word not in other.values:
            self.refuse(f"found {word!r}, which is not a possible answer.", did_you_mean(word, other.values, "answer"))
        return _literal(word)

    def sum(self) -> Part:
        left = self.product()
        while sign := self.take("+", "-"):
            left = self.arithmetic(left, sign, self.product(), operator.add if sign == "+" else operator.sub)
        return left

    def product(self) -> Part:
        left = self.factor()
        while sign := self.take("*", "/"):
            left = self.arithmetic(left, sign, self.factor(), operator.mul if sign == "*" else _divided)
        return left

    def factor(self) -> Part:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        part = self.power()
        if not negative:
            return part
        inner = self.needs(part, "number", "-").evaluate
        return Part("number", lambda run: -inner(run), part.unit)

    def power(self) -> Part:
        base = self.atom()
        if not self.take("**"):
            return base
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"found more than {DEEPEST} nested powers.")
        raised = self.arithmetic(base, "**", self.factor(), _raised)
        self.depth -= 1
        return raised

    def arithmetic(self, a: Part, sign: str, b: Part, compute: Callable[[Any, Any], Any]) -> Part:
        first, second = (self.needs(part, "number", sign).evaluate for part in (a, b))
        unit = a.unit if sign in "+-" and a.unit == b.unit else ""
        return Part("number", lambda run: compute(first(run), second(run)), unit)

    def atom(self) -> Part:
        kind, text = self.token
        if self.take("("):
            part = self.either()
            if not self.take(")"):
                self.refuse("a parenthesis is not closed.")
            return part
        if kind == "name":
            return self.named(text)
        if kind not in ("number", "text"):
            self.refuse(f"found {text!r} where a number or an answer is expected." if text else
                        "found nothing where a number or an answer is expected.", f"Answers: {', '.join(ANSWERS)}.")
        self.token = self.next()
        if kind == "number":
            number = float(text)
            return Part("number", lambda run: number)
        return _literal(text[1:-1])

    def named(self, name: str) -> Part:
        if name in ("true", "false"):
            self.token = self.next()
            return Part("boolean", lambda run: name == "true")
        if name in FUNCTIONS:
            return self.function(name)
        if name not in ANSWERS:
            self.refuse(f"found {name!r}, which is not an answer of a "
                        "run.", did_you_mean(name, [*ANSWERS, *FUNCTIONS], "answer"))
        asked, words = ANSWERS[name], []
        for what in asked.arguments:
            match = _WORD.match(self.text, self.position)
            if match is None:
                self.refuse(f"{name} needs the name of a {what}.", f"Write {asked.form}.")
            words.append(next(word for word in match.groups() if word is not None))
            self.position = match.end()
        self.token = self.next()
        self.asked.append((asked, tuple(words)))
        return Part(asked.kind, lambda run: _finite(asked.evaluate(run, *words), " ".join([name, *words])), asked.unit,
                    tuple(asked.values))

    def function(self, name: str) -> Part:
        self.token = self.next()
        if not self.take("("):
            self.refuse(f"{name} is a function.", f"Write {name}(...).")
        parts = [self.needs(self.either(), "number", name)]
        while self.take(","):
            parts.append(self.needs(self.either(), "number", name))
        if not self.take(")"):
            self.refuse(f"the parenthesis of {name} is not closed.")
        if (len(parts) > 1) != (name in ("min", "max")):
            self.refuse(f"{name} takes {'several numbers' if name in ('min', 'max') else 'one number'}.")
        inner, shown = [part.evaluate for part in parts], f"{name}({', '.join(len(parts) * ['{:g}'])})"
        return Part("number", lambda run: _computed(FUNCTIONS[name], shown, *(one(run) for one in inner)),
                    parts[0].unit if name in ("abs", "min", "max") and len({part.unit for part in parts}) == 1 else "")


def _computed(function: Callable[..., Any], shown: str, *values: float) -> float:
    """A function of numbers, refused where it has no value; `shown` is how it is written with these numbers."""
    try:
        value = function(*values)
    except (ValueError, OverflowError, ZeroDivisionError):
        value = math.nan
    # a root of a negative number is complex
    number: float = _finite(float(value) if isinstance(value, int | float) else math.nan, shown.format(*values))
    return number


def _finite(value: Any, what: str) -> Any:
    """A value that can be recorded and compared: no comparison with one that is not a number is true."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GranumError(f"{what} has no finite value in this run.")
    return value


def _divided(a: float, b: float) -> float:
    return _computed(operator.truediv, "{:g} / {:g}", a, b)


def _raised(a: float, b: float) -> float:
    return _computed(operator.pow, "{:g} ** {:g}", a, b)
