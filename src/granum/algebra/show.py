"""Expressions as text and as formulas. A graph with many shared parts is shown as definitions first: `shared`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import count
from typing import TypeAlias

from granum.algebra.expression import FUNCTIONS, Expression, apply, free_symbols, symbol, walk
from granum.base.errors import GranumError

MOST = 200_000
"""Operations written out in one text; shared parts count each time they are written."""

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
_Pieces: TypeAlias = "list[str | tuple[Expression, int]]"
"""What a node is written as: text, and arguments with the precedence below which they need parentheses."""


def text(expression: Expression, *, fractions: bool = False) -> str:
    """Infix with few parentheses, which `parse` reads back to the same node.

    Args:
        expression: what to write.
        fractions: write 1/2*m instead of 0.5*m, and 1/3*m instead of m/3, which reads back to the same value.
    """
    if not fractions:
        return _written(expression, _text_pieces, _text_level, "(", ")")
    return _written(expression, _fraction_pieces, lambda node: _PRODUCT if _fraction_text(node) else _text_level(node),
                    "(", ")")


def latex(expression: Expression, names: Mapping[str, str] | None = None) -> str:
    r"""A formula for LaTeX: fractions, roots, `theta_2_dot` as \dot{\theta}_{2}; `names` gives symbols by hand."""
    return _written(expression, lambda node: _latex_pieces(node, names or {}), _latex_level, r"\left(", r"\right)")


def small_fraction(value: float, largest: int = 1000) -> Fraction | None:
    """The fraction with a denominator up to `largest` that is this very double, if there is one."""
    near = Fraction(value).limit_denominator(largest)
    return near if near.numerator / near.denominator == value else None


def shared(
    roots: Sequence[Expression], called: str = "x{}", taken: Set[str] = frozenset(),
) -> tuple[list[tuple[str, Expression]], list[Expression]]:
    """Definitions x1, x2, ... of what the roots use more than once, each from earlier ones, and the roots by them.

    They are `called` so where a name is neither `taken` nor one of the roots.
    """
    order = list(walk(roots))
    uses = dict.fromkeys(order, 0)
    for root in roots:
        uses[root] += 1
    for node in reversed(order):
        # what stays in place is written as often as it is used, and its arguments with it
        times = uses[node] if _stays(node) else 1
        for argument in node.arguments:
            uses[argument] += times
    taken, definitions = free_symbols(roots) | taken, list[tuple[str, Expression]]()
    fresh = (name for name in map(called.format, count(1)) if name not in taken)
    made: dict[Expression, Expression] = {}
    for node in order:
        made[node] = apply(node, *(made[argument] for argument in node.arguments)) if node.arguments else node
        if uses[node] > 1 and not _stays(node):
            name = next(fresh)
            definitions.append((name, made[node]))
            made[node] = symbol(name)
    return definitions, [made[root] for root in roots]


def _stays(node: Expression) -> bool:
    """Is it too small to be worth a name: a number, a symbol, a multiple of a symbol, or a change of sign?"""
    return node.kind in ("number", "symbol", "neg") or (
        node.kind == "*" and node.arguments[0].kind == "number" and node.arguments[1].kind == "symbol")


def _written(root: Expression, pieces: Callable[[Expression], _Pieces], level: Callable[[Expression], int],
             opening: str, closing: str) -> str:
    """The text of a root, piece by piece on a stack of its own: depth is no limit, only length is."""
    _check_size(root)
    out: list[str] = []
    stack: _Pieces = [(root, _SUM)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        node, needed = piece
        enclosed = level(node) < needed
        if enclosed:
            out.append(opening)
            stack.append(closing)
        stack.extend(reversed(pieces(node)))
    return "".join(out)


def _check_size(root: Expression) -> None:
    size: dict[Expression, int] = {}
    for node in walk([root]):
        size[node] = min(1 + sum(size[argument] for argument in node.arguments), MOST + 1)
    if size[root] > MOST:
        raise GranumError(f"an expression of {len(size)} distinct parts has more than {MOST} parts when written out. "
                          "Use shared([...]), which defines repeated parts once.")


def _joined(arguments: Sequence[Expression]) -> _Pieces:
    """Arguments of a function, with commas."""
    pieces: _Pieces = []
    for argument in arguments:
        pieces += [", ", (argument, _SUM)]
    return pieces[1:]


# ---- text

def _text_level(node: Expression) -> int:
    if node.kind == "number":
        return _SIGN if node.value < 0.0 else _ATOM
    if node.kind == "neg":
        return _PRODUCT if _sign_joins(node.arguments[0]) else _SIGN
    return _LEVELS.get(node.kind, _ATOM)


_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}


def _text_pieces(node: Expression) -> _Pieces:
    kind, arguments = node.kind, node.arguments
    if kind == "number":
        return [_number_text(node.value)]
    if kind == "symbol":
        return [node.name]
    if kind == "neg":
        return ["-", (arguments[0], _PRODUCT if _sign_joins(arguments[0]) else _POWER)]
    if kind in ("+", "-"):
        return [(arguments[0], _SUM), f" {kind} ", (arguments[1], _PRODUCT)]
    if kind in ("*", "/"):
        joins = kind == "*" and arguments[0].kind == "number" and _is_product(arguments[1])
        return [(arguments[0], _PRODUCT), kind, (arguments[1], _PRODUCT if joins else _SIGN)]
    if kind == "^":
        return [(arguments[0], _ATOM), "**", (arguments[1], _SIGN)]
    return [kind, "(", *_joined(arguments), ")"]


def _is_product(node: Expression) -> bool:
    """Does 2*a*b, read as (2*a)*b, come out as 2*(a*b)? Numbers gather in front of products, not of quotients."""
    if node.kind != "*":
        return False
    while node.kind == "*":
        node = node.arguments[0]
    return node.kind != "/"


def _sign_joins(node: Expression) -> bool:
    """Does -a*b, read as (-a)*b, come out as -(a*b)? Not if a takes up the sign itself: a number or a difference."""
    if node.kind not in ("*", "/"):
        return False
    while node.kind in ("*", "/"):
        node = node.arguments[0]
    return node.kind not in ("number", "-")


def _number_text(value: float) -> str:
    if abs(value) == math.pi:
        return "-pi" if value < 0.0 else "pi"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _fraction_text(node: Expression) -> str:
    """A half, a quarter or an eighth, which are exact; empty for anything else."""
    if node.kind != "number" or not abs(node.value) < _FEW:
        return ""
    fraction = Fraction(node.value)
    return str(fraction) if fraction.denominator in (2, 4, 8) else ""


_FEW = 10.0
"""Numbers below which halves are written as fractions."""


def _fraction_pieces(node: Expression) -> _Pieces:
    if made := _fraction_text(node):
        return [made]
    part = part_of(node)
    return [f"{part[0]}*", (part[1], _PRODUCT)] if part is not None else _text_pieces(node)


def part_of(node: Expression) -> tuple[Fraction, Expression] | None:
    """2/3 and x y of 2 x y/3, a product that is divided by a small whole number; none for anything else."""
    if node.kind != "/" or node.arguments[1].kind != "number" or node.arguments[0].kind not in ("*", "symbol", "^"):
        return None
    above, below = node.arguments[0], node.arguments[1].value
    leading = above.arguments[0] if above.kind == "*" else above
    factor = leading.value if leading.kind == "number" else 1.0
    if not (below.is_integer() and 1.0 < below < 100.0 and factor.is_integer() and 0.0 < factor < 100.0):
        return None
    return Fraction(int(factor), int(below)), above.arguments[1] if leading.kind == "number" else above


# ---- LaTeX

def _latex_level(node: Expression) -> int:
    if node.kind in ("+", "-") or minus_first(node):
        return _SUM
    if node.kind == "number":
        return _ATOM if _number_latex(node.value).replace(".", "").isdigit() else _PRODUCT
    return _POWER if node.kind == "exp" else _LEVELS.get(node.kind, _ATOM)


def _latex_pieces(node: Expression, names: Mapping[str, str]) -> _Pieces:
    kind, arguments = node.kind, node.arguments
    if kind == "number":
        return [_number_latex(node.value)]
    if kind == "symbol":
        return [_name_latex(node.name, names)]
    if kind == "neg":
        return ["-", (arguments[0], _PRODUCT)]
    if kind in ("+", "-"):
        return _latex_sum(node)
    if kind == "*":
        a, b = arguments
        between = r" \cdot " if _digit_first(b) else " "
        return [(a, _SUM if a.kind in ("*", "number") else _PRODUCT), between, (b, _PRODUCT)]
    if (part := part_of(node)) is not None:
        return [rf"\frac{{{part[0].numerator}}}{{{part[0].denominator}}} ", (part[1], _PRODUCT)]
    if kind == "/":
        return [r"\frac{", (arguments[0], _SUM), "}{", (arguments[1], _SUM), "}"]
    if kind == "^":
        return _latex_power(*arguments)
    before, after = _LATEX_FUNCTIONS.get(kind, (rf"\{kind}\left(", r"\right)"))
    return [before, *_joined(arguments), after]


def _latex_sum(node: Expression) -> _Pieces:
    """Terms with their own signs: a + (-2 b) is a - 2 b."""
    a, b = node.arguments
    sign = node.kind
    if b.kind in ("+", "-"):
        return [(a, _SUM), f" {sign} ", (b, _PRODUCT if sign == "-" or minus_first(b) else _SUM)]
    if minus_first(b):
        sign, b = "+" if sign == "-" else "-", without_minus(b)
    return [(a, _SUM), f" {sign} ", (b, _PRODUCT)]


def _latex_power(base: Expression, exponent: Expression) -> _Pieces:
    whole = exponent.kind == "number" and exponent.value.is_integer() and exponent.value > 0.0
    if whole and base.kind in FUNCTIONS and base.kind not in ("exp", "sqrt", "abs"):
        before, after = _LATEX_FUNCTIONS.get(base.kind, (rf"\{base.kind}\left(", r"\right)"))
        name = before.removesuffix(r"\left(")
        return [name, "^{", (exponent, _SUM), r"}\left(", *_joined(base.arguments), after]
    return [(base, _ATOM), "^{", (exponent, _SUM), "}"]


_LATEX_FUNCTIONS = {
    "asin": (r"\arcsin\left(", r"\right)"), "acos": (r"\arccos\left(", r"\right)"),
    "atan": (r"\arctan\left(", r"\right)"), "log": (r"\ln\left(", r"\right)"),
    "sqrt": (r"\sqrt{", "}"), "exp": ("e^{", "}"), "abs": (r"\left|", r"\right|"),
    "sign": (r"\operatorname{sign}\left(", r"\right)"), "atan2": (r"\operatorname{atan2}\left(", r"\right)"),
}


def minus_first(node: Expression) -> bool:
    """Does its formula begin with a minus sign?"""
    while node.kind in ("+", "-", "*"):
        node = node.arguments[0]
    return node.kind == "neg" or (node.kind == "number" and node.value < 0.0)


def without_minus(node: Expression) -> Expression:
    """A product, number or negative that begins with a minus sign, without it."""
    if node.kind == "*":
        return without_minus(node.arguments[0]) * node.arguments[1]
    return -node


def _digit_first(node: Expression) -> bool:
    """Does its formula begin with a digit or a fraction of numbers, which a number before it would run into?"""
    while node.kind in ("*", "^"):
        node = node.arguments[0]
    return node.kind == "number" or part_of(node) is not None


def _number_latex(value: float) -> str:
    sign, size = "-" if value < 0.0 else "", abs(value)
    fraction = small_fraction(size, 9)
    if size == math.pi:
        return rf"{sign}\pi"
    if fraction is not None and fraction.denominator > 1 and fraction.numerator < 1000:
        return rf"{sign}\frac{{{fraction.numerator}}}{{{fraction.denominator}}}"
    mantissa, _, exponent = _number_text(size).partition("e")
    return sign + (rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa)


LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}
_NAMED = {*LETTERS.values()}
_DOTS = {"_dot": r"\dot", "_ddot": r"\ddot"}


def _name_latex(name: str, names: Mapping[str, str]) -> str:
    """A name as a formula: dots of rates, Greek letters, what follows as a subscript, the owner of a part last."""
    if name in names:
        return names[name]
    for ending, dot in _DOTS.items():
        if name.endswith(ending) and len(name) > len(ending):
            bare = name.removesuffix(ending)
            if bare in names:
                return rf"{dot}{{{names[bare]}}}"
            letter, below = _letter_and_subscript(bare)
            return rf"{dot}{{{letter}}}{below}"
    return "".join(_letter_and_subscript(name))


def _letter_and_subscript(name: str) -> tuple[str, str]:
    owner, _, last = name.rpartition(".")
    first, *below = [part for part in last.split("_") if part] or [last]
    split = re.fullmatch(r"(\D+)(\d+)", first)
    if split:
        first, below = split[1], [split[2], *below]
    below = [_word_latex(part) for part in (*below, *([owner] if owner else []))]
    return _word_latex(first), rf"_{{{','.join(below)}}}" if below else ""


def _word_latex(word: str) -> str:
    word = LETTERS.get(word, word)
    if word in _NAMED:
        return "\\" + word
    escaped = word.replace("_", r"\_")
    return escaped if len(word) == 1 or word.isdigit() else rf"\mathrm{{{escaped}}}"
