"""Random texts as expressions: each is an expression that can be printed, derived and read again, or it is refused."""

from __future__ import annotations

import random
from contextlib import suppress

import granum as gr
from granum.algebra.calculus import gradient
from granum.algebra.expression import evaluate, free_symbols, symbol
from granum.algebra.parse import RESERVED, parse, parse_equation
from granum.algebra.show import text
from tests.fuzz.campaign import SEED, Campaign, Finding

NAMES = ["x", "y", "z_dot", "t", "r", "θ", "a.b"]
PIECES = [*NAMES, *sorted(RESERVED), "0", "1", "2", "-1", "0.5", "1e-320", "1e308", "1e999", "9" * 400, "+", "-", "*",
          "/", "**", "^", "(", ")", ",", "=", " ", "\t", "\n", "\x00", "²", "×", "//", "==", "lambda", "__class__", ".",
          "[", "]", "{", "'", '"', ";", "@", "import os", "(((((", ")))))", "--------", "**2**2**2", "sqrt(-1)", "1/0",
          "π"]


def expression(rng: random.Random, depth: int) -> str:
    """A text that is an expression, or would be."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*NAMES, "1", "2.5", "1e-3", "1e150", "0"])
    inner = [expression(rng, depth - 1) for _ in range(2)]
    match rng.randrange(4):
        case 0:
            return f"{rng.choice(sorted(RESERVED))}({inner[0]})"
        case 1:
            return f"-({inner[0]})"
        case 2:
            return f"({inner[0]}){rng.choice(['**', '^'])}{rng.choice(['2', '-1', '0.5', '(1/3)', inner[1]])}"
        case _:
            return f"({inner[0]}) {rng.choice('+-*/')} ({inner[1]})"


def expression_text(number: int) -> str:
    """The input of a number: pieces at random, an expression, or an expression with a piece put in."""
    rng = random.Random(f"{SEED} expressions {number}")
    match number % 3:
        case 0:
            return "".join(rng.choices(PIECES, k=rng.choice([1, 3, 8, 20, 300])))
        case 1:
            return expression(rng, rng.randrange(1, 7))
        case _:
            sound = expression(rng, 4)
            at = rng.randrange(len(sound))
            return sound[:at] + rng.choice(PIECES) + sound[at + rng.randrange(2):]


def attack(number: int) -> str:
    """Read a text, evaluate and derive what it says, print it and read that again."""
    try:
        parsed = parse_equation(expression_text(number))
    except gr.GranumError as error:
        if not str(error) or len(str(error)) > 2000:
            raise Finding(f"a message of {len(str(error))} characters") from error
        return "refused"
    names = sorted(free_symbols([parsed]))
    with suppress(ArithmeticError, ValueError):  # what has no value at one place has one elsewhere
        evaluate([parsed], {name: 0.5 + 0.25 * k for k, name in enumerate(names)})
    try:
        for rate in gradient(parsed, [symbol(name) for name in names]):
            text(rate)
    except gr.GranumError:
        return "read, no derivative"
    if parse(text(parsed)) is not parsed:
        raise Finding("an expression that is printed and read is another one")
    return "read"


EXPRESSIONS = Campaign("expressions", attack, 12000, least=300)
