"""Derivation: what a formulation shows of a system, step by step, whatever it is printed on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from granum.algebra import Expression, symbol
from granum.algebra.expression import free_symbols
from granum.algebra.show import shared
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.quantities import Quantity


@dataclass(frozen=True)
class Label:
    """What stands for a quantity that is no symbol, as text and in LaTeX: dL/dx, H γ, (I - A⁺ A) M."""

    text: str
    latex: str


@dataclass(frozen=True)
class Grid:
    """A matrix of entries or blocks."""

    rows: tuple[tuple[Expression | Block, ...], ...]

    @property
    def column(self) -> bool:
        """Is it a vector?"""
        return all(len(row) == 1 for row in self.rows)


Side: TypeAlias = "Expression | Label | Grid | Block"


@dataclass(frozen=True)
class Line:
    """An equation or inequality; one that says that a symbol is an expression defines it."""

    left: Side
    right: Side
    relation: str = "="
    apart: bool = False
    """Does it begin a row of a printed page, where short equations share rows?"""

    @property
    def expressions(self) -> list[Expression]:
        """All expressions of both sides."""
        return [e for side in (self.left, self.right) for e in _parts(side) if isinstance(e, Expression)]

    @property
    def names(self) -> set[str]:
        """All symbols of both sides."""
        blocks = [b for side in (self.left, self.right) for b in _parts(side) if isinstance(b, Block)]
        return free_symbols(self.expressions).union(*(block.names for block in blocks))


@dataclass(frozen=True)
class Step:
    """A step of a derivation."""

    heading: str
    prose: str
    lines: tuple[Line, ...] = ()
    essential: bool = False
    """Is it shown without the other steps?"""
    equations: bool = False
    """Are its lines the equations of motion?"""


@dataclass(frozen=True)
class Derivation:
    """The equations of motion of a system in one formulation, and the steps that lead to them.

    Print it, or let a notebook show it; `text`, `latex` and `html` write it with or without the steps.
    """

    title: str
    formulation: str
    principle: str
    """The idea in a sentence, with its source."""
    steps: tuple[Step, ...]
    quantities: tuple[Quantity, ...]
    """All symbols that may appear; a table lists those that do."""
    coordinates: tuple[str, ...]
    """Symbols of the coordinates, in the order of `Equations.coordinates`."""

    def shown(self, steps: bool) -> tuple[Step, ...]:
        """All steps, or those that are essential."""
        return self.steps if steps else tuple(step for step in self.steps if step.essential)

    def used(self, steps: bool) -> list[Quantity]:
        """Quantities that appear, in their order: neither rates of what is among them nor components of vectors."""
        names = {name for step in self.shown(steps) for line in step.lines for name in line.names}
        names |= {base for name in names for base in _bases(name)}
        known = {quantity.name for quantity in self.quantities}
        return [quantity for quantity in self.quantities if quantity.name in names and quantity.part_of not in names
                and not known.intersection(_bases(quantity.name))]

    def table(self, steps: bool) -> list[Quantity]:
        """Quantities for a table: rates and second derivatives of others that it lists need no rows."""
        used = self.used(steps)
        names = {quantity.name for quantity in used}
        return [quantity for quantity in used if not (_is_rate(quantity) and names & set(_bases(quantity.name)))]

    @cached_property
    def equations(self) -> tuple[Line, ...]:
        """The equations of motion alone."""
        return tuple(line for step in self.steps if step.equations for line in step.lines)

    @cached_property
    def values(self) -> dict[str, float]:
        """Numbers of the constants, by name."""
        return {quantity.name: quantity.value for quantity in self.quantities if quantity.value is not None}

    @cached_property
    def latex_names(self) -> dict[str, str]:
        """How LaTeX writes symbols that are not written by their name."""
        return {quantity.name: quantity.latex for quantity in self.quantities if quantity.latex}

    def with_shared_parts(self, steps: bool = True) -> Derivation:
        """All steps, or those that are essential, with common subexpressions defined once, as z_1, z_2, ..."""
        taken, shown, names = {quantity.name for quantity in self.quantities}, list[Step](), list[str]()
        for step in self.shown(steps):
            definitions, roots = shared([e for line in step.lines for e in line.expressions], "z_{}", {*taken, *names})
            names += [name for name, _ in definitions]
            left = iter(roots)
            lines = [replace(line, left=_rebuilt(line.left, left), right=_rebuilt(line.right, left))
                     for line in step.lines]
            shown.append(replace(step, lines=tuple(_in_time(lines, [Line(symbol(name), part)
                                                                   for name, part in definitions]))))
        further = tuple(Quantity(name, "common subexpression") for name in names)
        return replace(self, steps=tuple(shown), quantities=(*self.quantities, *further))

    def text(self, steps: bool = False) -> str:
        """Plain text."""
        from granum.analytic.derivations.text import written

        return written(self, steps)

    def latex(self, steps: bool = False) -> str:
        """A LaTeX document."""
        from granum.analytic.derivations.latex import document

        return document(self, steps)

    def html(self, steps: bool = False) -> str:
        """A web page that needs nothing else."""
        from granum.analytic.derivations.page import page

        return page(self, steps)

    def __str__(self) -> str:
        return self.text(steps=True)

    def _repr_latex_(self) -> str:
        """The equations of motion, for notebooks."""
        from granum.analytic.derivations.latex import aligned

        return f"$\\displaystyle {aligned(self.equations, self.latex_names)}$"

    def _repr_html_(self) -> str:
        """All steps with formulas for MathJax, for notebooks."""
        from granum.analytic.derivations.page import fragment

        return fragment(self)


def _in_time(lines: Iterable[Line], definitions: Sequence[Line]) -> Iterator[Line]:
    """Lines, each after the definitions that it needs: these may need what lines before it define."""
    left = {definition.expressions[0].name: definition for definition in definitions}
    for line in lines:
        needed = [name for name in left if name in line.names]
        for name in needed:  # which grows
            needed += [one for one in left if one in left[name].names and one not in needed]
        yield from [left.pop(name) for name in list(left) if name in needed]
        yield line


def _parts(side: Side) -> list[Expression | Block]:
    if isinstance(side, Grid):
        return [entry for row in side.rows for entry in row]
    return [] if isinstance(side, Label) else [side]


def _rebuilt(side: Side, parts: Iterator[Expression]) -> Side:
    """A side with its expressions replaced by the next ones."""
    def next_of(part: Expression | Block) -> Expression | Block:
        return next(parts) if isinstance(part, Expression) else part

    if isinstance(side, Grid):
        return Grid(tuple(tuple(next_of(entry) for entry in row) for row in side.rows))
    return side if isinstance(side, Label) else next_of(side)


def _is_rate(quantity: Quantity) -> bool:
    return quantity.meaning.startswith(("rate of ", "second derivative of "))


def _bases(name: str) -> Sequence[str]:
    """What a rate or second derivative is one of."""
    if name.endswith("_ddot"):
        return [name.removesuffix("_ddot"), f"{name.removesuffix('_ddot')}_dot"]
    return [name.removesuffix("_dot")] if name.endswith("_dot") else []
