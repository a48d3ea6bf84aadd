"""Derivations as plain text, in which every equation can be read back by `algebra.parse`."""

from __future__ import annotations

from textwrap import wrap

from granum.algebra import Expression
from granum.algebra.show import text as text_of
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.derivation import Derivation, Grid, Label, Line, Side
from granum.analytic.derivations.prose import plain
from granum.analytic.derivations.quantities import RATES, Quantity, rows_of_table

_WIDTH = 118
_COLUMN = 100
"""Signs of a vector that is written on one line, its components separated by semicolons."""


def written(derivation: Derivation, steps: bool) -> str:
    """Title, principle, steps and the table of symbols."""
    heading = derivation.title or "Equations of motion"
    parts = [f"{heading}: {derivation.formulation}", *_prose(derivation.principle, ""), ""]
    for number, step in enumerate(derivation.shown(steps), 1):
        parts += [f"{number}. {step.heading}", *_prose(step.prose, "   ")]
        parts += [text for line in step.lines for text in _line(line)]
        parts.append("")
    return "\n".join([*parts, "Symbols", *_prose(RATES, "   "), *_table(derivation.table(steps))]) + "\n"


def _prose(text: str, indent: str) -> list[str]:
    return wrap(plain(text), _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _line(line: Line) -> list[str]:
    """One line of text; a matrix has one for each row, below its name."""
    left, right = _side(line.left), _side(line.right)
    if len(right) == 1:
        return [f"      {left[0]} {line.relation} {right[0]}"]
    return [f"      {left[0]} {line.relation}", *(f"         {row}" for row in right)]


def _side(side: Side) -> list[str]:
    if isinstance(side, Label):
        return [side.text]
    if not isinstance(side, Grid):
        return [_entry(side)]
    cells = [[_entry(entry) for entry in row] for row in side.rows]
    if side.column and sum(len(row[0]) + 2 for row in cells) <= _COLUMN:  # a vector fits on a line
        return [f"[ {'; '.join(row[0] for row in cells)} ]"]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [f"[ {', '.join(c.ljust(w) for c, w in zip(row, widths, strict=True))} ]" for row in cells]


def _entry(entry: Expression | Block) -> str:
    return text_of(entry, fractions=True) if isinstance(entry, Expression) else entry.text


def value_text(quantity: Quantity) -> str:
    """Value and unit of a quantity, or its unit alone in brackets."""
    if quantity.value is None:
        return f"[{quantity.unit}]" if quantity.unit else ""
    return f"{quantity.value:.12g} {quantity.unit}".rstrip()


def _table(quantities: list[Quantity]) -> list[str]:
    rows = [(", ".join(q.name for q in listed), meaning, value_text(listed[0]))
            for listed, meaning in rows_of_table(quantities)]
    wide, long = (max((len(row[k]) for row in rows), default=0) for k in range(2))
    return [f"   {names.ljust(wide)}  {meaning.ljust(long)}  {value}".rstrip() for names, meaning, value in rows]
