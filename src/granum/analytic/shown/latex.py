"""Derivations in LaTeX: a document that compiles, or the equations alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from granum.algebra import Expression, symbol
from granum.algebra.show import LETTERS
from granum.algebra.show import latex as latex_of
from granum.analytic.shown.blocks import Block
from granum.analytic.shown.derivation import Derivation, Grid, Label, Line, Side
from granum.analytic.shown.prose import pieces
from granum.analytic.shown.quantities import Quantity

_WIDTH = 62
"""Signs of a formula that fit on a line, counted as they are set."""
_RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge"}
_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,longtable}
\usepackage[margin=2cm]{geometry}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{60}
\renewcommand{\arraystretch}{1.3}
\setlength{\parindent}{0pt}
\begin{document}
"""


def document(derivation: Derivation, steps: bool) -> str:
    """A document for pdflatex."""
    names = derivation.latex_names
    parts = [_HEAD, rf"\section*{{{escaped(derivation.title or 'Equations of motion')}: {derivation.formulation}}}", "",
             _prose(derivation.principle, names), ""]
    for step in derivation.shown(steps):
        parts += [rf"\subsection*{{{escaped(step.heading)}}}", _prose(step.prose, names)]
        if step.lines:
            parts += [r"\begin{align*}", " \\\\\n".join(_lines(step.lines, names)), r"\end{align*}"]
    parts += [r"\subsection*{Symbols}", _table(derivation.used(steps), names), r"\end{document}"]
    return "\n".join(parts) + "\n"


def aligned(lines: Iterable[Line], names: Mapping[str, str]) -> str:
    """Equations one below the other, for display mathematics."""
    return "\\begin{aligned}\n" + " \\\\\n".join(_lines(lines, names)) + "\n\\end{aligned}"


def _lines(lines: Iterable[Line], names: Mapping[str, str]) -> list[str]:
    return [one for line in lines for one in line_latex(line, names)]


def line_latex(line: Line, names: Mapping[str, str]) -> list[str]:
    """An equation with its sign aligned; a long right side goes on below."""
    left, right = _side(line.left, names), _side(line.right, names)
    first, *others = right
    if len(left) > 1:  # a long left side stands above its right side
        above, *below = left
        return [rf"& {above}", *(rf"&\quad {row}" for row in below[:-1]),
                rf"&\quad {below[-1]} {_RELATIONS[line.relation]} {first}", *(rf"&\qquad {row}" for row in others)]
    return [rf"{left[0]} &{_RELATIONS[line.relation]} {first}", *(rf"&\quad {row}" for row in others)]


def line_in_one(line: Line, names: Mapping[str, str]) -> str:
    """An equation in one line."""
    return f" {_RELATIONS[line.relation]} ".join(" ".join(_side(side, names)) for side in (line.left, line.right))


def _side(side: Side, names: Mapping[str, str]) -> list[str]:
    if isinstance(side, Label):
        return [side.latex]
    if isinstance(side, Block):
        return [side.latex]
    if isinstance(side, Grid):
        cells = [[_entry(entry, names) for entry in row] for row in side.rows]
        if side.column and sum(_size(row[0]) + 2 for row in cells) <= _WIDTH and not any(
                isinstance(row[0], Block) for row in side.rows):  # a vector lies down to save space
            return [rf"\begin{{bmatrix}} {' & '.join(row[0] for row in cells)} \end{{bmatrix}}^{{T}}"]
        rows = r" \\ ".join(" & ".join(row) for row in cells)
        return [rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"]
    return _broken(side, names)


def _entry(entry: Expression | Block, names: Mapping[str, str]) -> str:
    return latex_of(entry, names) if isinstance(entry, Expression) else entry.latex


def _broken(expression: Expression, names: Mapping[str, str]) -> list[str]:
    """A formula in lines that fit, broken before the terms of its sum."""
    lines = [""]
    for sign, term in _terms(expression):
        text = latex_of(term, names)
        if term.kind in ("+", "-"):
            text = rf"\left({text}\right)"
        if lines[-1] and _size(lines[-1]) + _size(text) > _WIDTH:
            lines.append("")
        first = len(lines) == 1 and not lines[-1]
        lines[-1] += (text if sign > 0 else f"-{text}") if first else f" {'+' if sign > 0 else '-'} {text}"
    return lines


def _terms(expression: Expression) -> list[tuple[int, Expression]]:
    """Terms of a sum with their signs."""
    done: list[tuple[int, Expression]] = []
    stack = [(1, expression)]
    while stack:
        sign, node = stack.pop()
        if node.kind == "+" or (node.kind == "-" and sign > 0):
            a, b = node.arguments
            stack += [(sign if node.kind == "+" else -sign, b), (sign, a)]
        elif node.kind == "neg":
            stack.append((-sign, node.arguments[0]))
        else:
            done.append((sign, node))
    return done


def _size(latex: str) -> int:
    """About how wide a formula is: its signs without commands for their looks."""
    plain = re.sub(r"\\(left|right|frac|mathrm|dot|ddot|quad|,)|[{}_^ ]", "", latex)
    return len(re.sub(r"\\[a-zA-Z]+", "x", plain))


def _prose(prose: str, names: Mapping[str, str]) -> str:
    return "".join(f"${part.latex}$" if isinstance(part, Label) else escaped(part) for part in pieces(prose, names))


def _table(quantities: list[Quantity], names: Mapping[str, str]) -> str:
    rows = [rf"${latex_of(symbol(q.name), names)}$ & {escaped(q.meaning)} & {_value(q)} \\" for q in quantities]
    return "\n".join([r"\begin{longtable}{@{}lll@{}}", *rows, r"\end{longtable}"])


def _value(quantity: Quantity) -> str:
    unit = quantity.unit.replace("^2", "$^2$")
    if quantity.value is None:
        return f"[{unit}]" if unit else ""
    mantissa, _, exponent = f"{quantity.value:.12g}".partition("e")
    number = rf"${mantissa} \cdot 10^{{{int(exponent)}}}$" if exponent else f"${mantissa}$"
    return f"{number} {unit}".rstrip()


_SPECIAL = {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
            "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''",
            **{letter: rf"$\{name}$" for letter, name in LETTERS.items()}}


def escaped(text: str) -> str:
    """Plain words in LaTeX; letters that its fonts lack become question marks."""
    return "".join(_SPECIAL.get(sign, sign if ord(sign) < 0x180 and sign.isprintable() else "?") for sign in text)
