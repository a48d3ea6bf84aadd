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
from granum.analytic.shown.quantities import RATES, Quantity

_WIDTH = 84
"""Signs of a formula that fit on a line, counted as they are set."""
_SHORT = 20
"""Signs of a left side whose sign of equality is aligned with others."""
_GAP = 6
"""Signs between equations that share a row."""
_RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge"}
_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,multicol}
\usepackage[margin=2cm]{geometry}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{60}
\setlength{\parindent}{0pt}
\setlength{\multicolsep}{4pt}
\begin{document}
\setlength{\abovedisplayskip}{4pt}
\setlength{\belowdisplayskip}{4pt}
\setlength{\abovedisplayshortskip}{2pt}
"""


def document(derivation: Derivation, steps: bool) -> str:
    """A document for pdflatex."""
    names = derivation.latex_names
    parts = [_HEAD, rf"\section*{{{escaped(derivation.title or 'Equations of motion')}: {derivation.formulation}}}", "",
             _prose(derivation.principle, names), ""]
    for number, step in enumerate(derivation.shown(steps), 1):
        parts += [rf"\medskip\textbf{{{number}. {escaped(step.heading)}.}} {_prose(step.prose, names)}"]
        if step.lines:
            parts += [r"\begin{align*}", " \\\\\n".join(_packed(step.lines, names)), r"\end{align*}"]
        parts.append("")
    parts += [rf"\medskip\textbf{{Symbols.}} {_prose(RATES, names)}", _table(derivation.table(steps), names),
              r"\end{document}"]
    return "\n".join(parts) + "\n"


def aligned(lines: Iterable[Line], names: Mapping[str, str]) -> str:
    """Equations one below the other, for display mathematics."""
    return "\\begin{aligned}\n" + " \\\\\n".join(_lines(lines, names)) + "\n\\end{aligned}"


def _packed(lines: Iterable[Line], names: Mapping[str, str]) -> list[str]:
    """Equations one below the other; short ones that follow each other share a row."""
    rows, room = list[str](), 0
    for line in lines:
        written = line_latex(line, names)
        size = _size(written[0]) + _GAP
        if len(written) == 1 and rows and size <= room and not line.apart:
            rows[-1] += rf" \qquad {line_in_one(line, names)}"
            room -= size
        else:
            rows += written
            room = _WIDTH - size if len(written) == 1 else 0
    return [re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\\tfrac{\1}{\2}", row) for row in rows]


def _lines(lines: Iterable[Line], names: Mapping[str, str]) -> list[str]:
    return [one for line in lines for one in line_latex(line, names)]


def line_latex(line: Line, names: Mapping[str, str]) -> list[str]:
    """An equation with its sign aligned after a short left side; what is long goes on below."""
    sign, left = _RELATIONS[line.relation], _side(line.left, names)
    used = _size(left[-1]) + 4
    if len(left) == 1 and used <= _SHORT:
        first, *others = _side(line.right, names, used)
        return [rf"{left[0]} &{sign} {first}", *(rf"&\quad {row}" for row in others)]
    first, *others = _side(line.right, names, used)
    if used + _size(first) > _WIDTH:  # there is no room for its first term
        left, (first, *others) = [*left, ""], _side(line.right, names, 4)
    above, *below = [*left[:-1], f"{left[-1]} {sign} {first}"]
    return [rf"& {above}", *(rf"&\quad {row}" for row in (*below, *others))]


def line_in_one(line: Line, names: Mapping[str, str]) -> str:
    """An equation in one line."""
    return f" {_RELATIONS[line.relation]} ".join(" ".join(_side(side, names)) for side in (line.left, line.right))


def _side(side: Side, names: Mapping[str, str], taken: int = 0) -> list[str]:
    """A side in lines that fit; of the first, some room may be taken."""
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
    return _broken(side, names, taken)


def _entry(entry: Expression | Block, names: Mapping[str, str]) -> str:
    return latex_of(entry, names) if isinstance(entry, Expression) else entry.latex


def _broken(expression: Expression, names: Mapping[str, str], taken: int) -> list[str]:
    """A formula in lines that fit, broken before the terms of its sum."""
    lines = [""]
    for sign, term in _terms(expression):
        text = latex_of(term, names)
        if term.kind in ("+", "-"):
            text = rf"\left({text}\right)"
        if lines[-1] and _size(lines[-1]) + _size(text) + taken > _WIDTH:
            lines.append("")
            taken = 2
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
    """About how wide a formula is: its signs without commands for their looks, of a matrix its widest row."""
    def widest(found: re.Match[str]) -> str:
        return max(found[1].split(r"\\"), key=_size) + "11"

    plain = re.sub(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", widest, latex)
    plain = re.sub(r"\\frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", lambda found: max(
        found[1], found[2], key=_size), plain)
    plain = re.sub(r"_\{((?:[^{}]|\{[^{}]*\})*)\}", lambda found: "1" * round(0.65 * _size(found[1])), plain)
    plain = re.sub(r"\\(left|right|frac|mathrm|dot|ddot|tilde|widetilde|quad|,)|[{}_^ ]", "", plain)
    plain = re.sub(r"\\(sin|cos|tan|exp|ln|tanh)\b|[-+=]", "111", plain)
    return len(re.sub(r"\\[a-zA-Z]+", "1", plain).replace("&", "11"))


def _prose(prose: str, names: Mapping[str, str]) -> str:
    return "".join(f"${part.latex}$" if isinstance(part, Label) else escaped(part) for part in pieces(prose, names))


def _table(quantities: list[Quantity], names: Mapping[str, str]) -> str:
    """Symbols in two columns."""
    rows = [rf"\hangindent=1.5em ${latex_of(symbol(q.name), names)}$ \enspace {escaped(q.meaning)} \enspace {_value(q)}"
            r"\par" for q in quantities]
    return "\n".join([r"\begin{multicols}{2}\footnotesize\raggedright", *rows, r"\end{multicols}"])


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
