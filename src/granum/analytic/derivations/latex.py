"""Derivations in LaTeX: a document that compiles, or the equations alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import mul

from granum.algebra import Expression, symbol
from granum.algebra.expression import ONE
from granum.algebra.show import LETTERS, minus_first, without_minus
from granum.algebra.show import latex as latex_of
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.derivation import Derivation, Grid, Label, Line, Side
from granum.analytic.derivations.fitting import fitted
from granum.analytic.derivations.prose import pieces, with_formulas
from granum.analytic.derivations.quantities import RATES, Quantity, rows_of_table, with_rates
from granum.analytic.derivations.width import PAGE, width

_SHORT = 20
"""Signs of a left side whose sign of equality is aligned with others."""
_GAP = 6
"""Signs between equations that share a row."""
_INDENT, _SIGN = 2, 4
"""Signs by which what goes on below is moved in, and of a relation."""
_RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge"}
_MATRIX = re.compile(r"\\begin\{bmatrix\}.*\\end\{bmatrix\}(\^\{T\})?", re.S)
_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,graphicx,multicol}
\usepackage[hmargin=2cm,vmargin=1.6cm]{geometry}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{COLUMNS}
\setlength{\parindent}{0pt}
\setlength{\multicolsep}{4pt}
\begin{document}
\setlength{\abovedisplayskip}{4pt}
\setlength{\belowdisplayskip}{4pt}
\setlength{\abovedisplayshortskip}{2pt}
"""


def document(derivation: Derivation, steps: bool) -> str:
    """A document for pdflatex."""
    derivation = fitted(derivation, steps)
    names = derivation.latex_names
    title = f"{escaped(derivation.title or 'Equations of motion')}: {derivation.formulation}"
    parts = [_HEAD.replace("COLUMNS", str(_columns(derivation, steps))), rf"\section*{{{title}}}", "",
             _prose(derivation.principle, names), ""]
    for number, step in enumerate(derivation.shown(steps), 1):
        parts += [rf"\smallskip\textbf{{{number}. {escaped(step.heading)}.}} {_prose(step.prose, names)}"]
        if step.lines:
            parts += [r"\begin{align*}", " \\\\\n".join(_packed(step.lines, names)), r"\end{align*}"]
        parts.append("")
    parts += [rf"\medskip\textbf{{Symbols.}} {_prose(RATES, names)}", _table(derivation.table(steps), names),
              r"\end{document}"]
    return "\n".join(parts) + "\n"


def _columns(derivation: Derivation, steps: bool) -> int:
    """Columns of the widest matrix; a vector that lies down has as many as it has components."""
    sides = [side for step in derivation.shown(steps) for line in step.lines for side in (line.left, line.right)]
    grids = [side for side in sides if isinstance(side, Grid) and side.rows]
    return max([10, *(max(len(grid.rows), len(grid.rows[0])) for grid in grids)])


def aligned(lines: Iterable[Line], names: Mapping[str, str]) -> str:
    """Equations one below the other, for display mathematics."""
    listed = list(lines)
    column = _column(listed, names)
    rows = [row for line in listed for row in line_latex(line, names, column)]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _packed(lines: Sequence[Line], names: Mapping[str, str]) -> list[str]:
    """Equations one below the other; short ones that follow each other share a row."""
    rows, room, column = list[str](), 0.0, _column(lines, names)
    for line in lines:
        written = line_latex(line, names, column)
        size = width(written[0].partition("&")[2]) + _GAP
        if len(written) == 1 and rows and not line.apart and width(joined := line_in_one(line, names)) + _GAP <= room:
            rows[-1] += rf" \qquad {joined}"
            room -= width(joined) + _GAP
        else:
            rows += written
            room = PAGE - column - size if len(written) == 1 else 0.0
    return [_narrowed(re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\\tfrac{\1}{\2}", row)) for row in rows]


def _narrowed(row: str) -> str:
    """A row with its matrix in smaller type where that is too wide for the page."""
    found = _MATRIX.search(row)
    if found is None or width(row) <= PAGE:
        return row
    left = max(0.3, 1.0 - (width(row) - width(found[0]) + 2.0) / PAGE)
    narrow = rf"\resizebox{{{left:.2f}\linewidth}}{{!}}{{$\displaystyle {found[0]}$}}"
    return f"{row[: found.start()]}{narrow}{row[found.end() :]}"


def _column(lines: Sequence[Line], names: Mapping[str, str]) -> float:
    """Width of the left sides where the signs of equality are aligned; 0 where one is too wide for that."""
    lefts = [_side(line.left, names) for line in lines]
    widest = max((width(left[0]) for left in lefts), default=0.0)
    return widest if widest <= _SHORT and all(len(left) == 1 for left in lefts) else 0.0


def line_latex(line: Line, names: Mapping[str, str], column: float = 0.0) -> list[str]:
    """An equation in rows, its sign after a column for left sides, if there is one; what is long goes on below."""
    sign, left = _RELATIONS[line.relation], _side(line.left, names)
    if column:
        first, *others = _side(line.right, names, column + _SIGN, column + _INDENT)
        return [rf"{left[0]} &{sign} {first}", *(rf"&\quad {row}" for row in others)]
    used = width(left[-1]) + _SIGN
    first, *others = _side(line.right, names, used)
    if used + width(first) > PAGE:  # there is no room for its first term
        left, (first, *others) = [*left, ""], _side(line.right, names, _SIGN)
    above, *below = [*left[:-1], f"{left[-1]} {sign} {first}"]
    return [rf"& {above}", *(rf"&\quad {row}" for row in (*below, *others))]


def line_in_one(line: Line, names: Mapping[str, str]) -> str:
    """An equation in one line."""
    return f" {_RELATIONS[line.relation]} ".join(" ".join(_side(side, names)) for side in (line.left, line.right))


def _side(side: Side, names: Mapping[str, str], taken: float = 0.0, indent: float = _INDENT) -> list[str]:
    """A side in lines that fit; of the first some room is taken, of the others as much as they are moved in."""
    if isinstance(side, Label):
        return [side.latex]
    if isinstance(side, Block):
        return _lines_of(_split(_open(side.latex) if taken + width(side.latex) > PAGE else side.latex), taken, indent)
    if isinstance(side, Grid):
        cells = [[_entry(entry, names) for entry in row] for row in side.rows]
        if side.column and sum(width(row[0]) + 2 for row in cells) <= PAGE and not any(
                isinstance(row[0], Block) for row in side.rows):  # a vector lies down to save space
            return [rf"\begin{{bmatrix}} {' & '.join(row[0] for row in cells)} \end{{bmatrix}}^{{T}}"]
        rows = r" \\ ".join(" & ".join(row) for row in cells)
        return [rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"]
    return _broken(side, names, taken, indent)


def _entry(entry: Expression | Block, names: Mapping[str, str]) -> str:
    return latex_of(entry, names) if isinstance(entry, Expression) else entry.latex


def _broken(expression: Expression, names: Mapping[str, str], taken: float, indent: float) -> list[str]:
    """A formula in lines that fit, broken before the terms of its sum and, where one is too long, inside it."""
    return _lines_of(_parts(expression, names, PAGE - max(taken, indent)), taken, indent)


def _open(latex: str) -> str:
    """A long diagonal matrix in parentheses that can stand on different rows."""
    inner = re.fullmatch(r"(\\operatorname\{diag\})\\left\((.*)\\right\)", latex, re.S)
    return latex if inner is None else rf"{inner[1]}\bigl({inner[2]}\bigr)"


def _split(latex: str) -> list[str]:
    """Terms of a sum of vectors and matrices with their signs; entries of an open diagonal matrix."""
    parts, depth = [""], 0
    for piece in re.split(r"(\\left|\\right|\\begin\{bmatrix\}|\\end\{bmatrix\}|[{}]| [-+] |, )", latex):
        depth += (piece in ("{", r"\left", r"\begin{bmatrix}")) - (piece in ("}", r"\right", r"\end{bmatrix}"))
        if piece in (" + ", " - ") and not depth:
            parts.append("")
        parts[-1] += piece
        if piece == ", " and not depth:
            parts.append("")
    return parts


def _lines_of(parts: Iterable[str], taken: float, indent: float) -> list[str]:
    """Parts of a formula in lines that fit."""
    lines = [""]
    for part in parts:
        if lines[-1] and width(lines[-1]) + width(part) + taken > PAGE:
            lines.append("")
            taken = indent
        lines[-1] += part
    return lines


def _parts(expression: Expression, names: Mapping[str, str], room: float) -> list[str]:
    """Terms of a sum with their signs; those that are too wide are in several parts."""
    parts = list[str]()
    for sign, term in _terms(expression):
        first, *others = _opened(term, names, room)
        lead = (" + " if sign > 0 else " - ") if parts else ("" if sign > 0 else "-")
        parts += [lead + first, *others]
    return parts


def _opened(term: Expression, names: Mapping[str, str], room: float) -> list[str]:
    """A term; one that is too wide as the parts of its widest sum in parentheses, with its other factors around."""
    text = latex_of(term, names)
    if term.kind in ("+", "-"):
        text = rf"\left({text}\right)"
    above, below = _factors(term)
    sums = [k for k, factor in enumerate(above) if factor.kind in ("+", "-")]
    if width(text) <= room or not sums:
        return [text]
    widest = max(sums, key=lambda k: width(latex_of(above[k], names)))
    before, after = (latex_of(reduce(mul, some, ONE), names) if some else "" for some in (
        above[:widest], above[widest + 1 :]))
    if below:
        before = rf"\frac{{{before or '1'}}}{{{latex_of(reduce(mul, below, ONE), names)}}}"
    parts = _parts(above[widest], names, room)
    parts[0] = rf"{before} \Bigl({parts[0]}".lstrip()
    parts[-1] = rf"{parts[-1]}\Bigr) {after}".rstrip()
    return parts


def _factors(term: Expression) -> tuple[list[Expression], list[Expression]]:
    """Factors of a product, and of what divides it."""
    if term.kind not in ("*", "/"):
        return [term], []
    (above, below), (others, further) = map(_factors, term.arguments)
    return ([*above, *others], [*below, *further]) if term.kind == "*" else ([*above, *further], [*below, *others])


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
        elif node.kind != "-" and minus_first(node):
            done.append((-sign, without_minus(node)))
        else:
            done.append((sign, node))
    return done


def _prose(prose: str, names: Mapping[str, str]) -> str:
    return "".join(f"${part.latex}$" if isinstance(part, Label) else escaped(part) for part in pieces(prose, names))


def _table(quantities: list[Quantity], names: Mapping[str, str]) -> str:
    """Symbols in two columns."""
    known = with_rates(quantities)
    rows = [rf"\hangindent=1.5em ${', '.join(latex_of(symbol(q.name), names) for q in listed)}$ \enspace "
            rf"{_prose(with_formulas(meaning, known), names)} \enspace {_value(listed[0])}\par"
            for listed, meaning in rows_of_table(quantities)]
    return "\n".join([r"\begin{multicols}{2}\footnotesize\raggedright", *rows, r"\end{multicols}"])


def _value(quantity: Quantity) -> str:
    unit = quantity.unit.replace("^2", "$^2$")
    if quantity.value is None:
        return f"[{unit}]" if unit else ""
    mantissa, _, exponent = f"{quantity.value:.6g}".partition("e")
    number = rf"${mantissa} \cdot 10^{{{int(exponent)}}}$" if exponent else f"${mantissa}$"
    return f"{number} {unit}".rstrip()


_SPECIAL = {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
            "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''",
            **{letter: rf"$\{name}$" for letter, name in LETTERS.items()}}


def escaped(text: str) -> str:
    """Plain words in LaTeX; letters that its fonts lack become question marks."""
    return "".join(_SPECIAL.get(sign, sign if ord(sign) < 0x180 and sign.isprintable() else "?") for sign in text)
