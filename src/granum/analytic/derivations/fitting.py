"""Derivations whose rows fit on a page: what cannot be broken into rows gets a name, and a line that defines it.

A sum is broken before its terms. What is inside a function, a root, a divisor or a matrix is not, nor is a second long
sum in one product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from granum.algebra import Expression, symbol
from granum.algebra.expression import apply, walk
from granum.algebra.show import latex as latex_of
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.derivation import Derivation, Grid, Line, Side, Step
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.derivations.width import PAGE, width

_INSIDE = 28.0
"""Width of what cannot be broken, so that there is room for what stands around it."""
_ENTRY = 6.0
"""Width of an entry of a matrix that is worth a name."""


def fitted(derivation: Derivation, steps: bool) -> Derivation:
    """All steps, or those that are essential, with names for what is too wide."""
    names = _Names(derivation)
    shown = tuple(replace(step, lines=tuple(names.lines(step))) for step in derivation.shown(steps))
    if not names.made:
        return derivation
    further = tuple(Quantity(made.name, "shorthand") for made in names.made.values())
    return replace(derivation, steps=shown, quantities=(*derivation.quantities, *further))


@dataclass
class _Names:
    """Names that are given, each once in a derivation."""

    derivation: Derivation
    made: dict[Expression, Expression] = field(default_factory=dict)
    new: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        taken = {quantity.name for quantity in self.derivation.quantities}
        self._fresh: Iterator[str] = (name for name in map("z_{}".format, count(1)) if name not in taken)

    def lines(self, step: Step) -> Iterator[Line]:
        """Lines of a step, each after what it needs."""
        for line in step.lines:
            fitting = replace(line, left=self._side(line.left), right=self._side(line.right))
            yield from self.new
            self.new = []
            yield fitting

    def _width(self, part: Expression | Block) -> float:
        latex = latex_of(part, self.derivation.latex_names) if isinstance(part, Expression) else part.latex
        return width(latex)

    def _side(self, side: Side) -> Side:
        if isinstance(side, Expression):
            return self._expression(side)
        return self._grid(side) if isinstance(side, Grid) and not side.column else side

    def _name(self, part: Expression) -> Expression:
        if part not in self.made:
            self.made[part] = symbol(next(self._fresh))
            self.new.append(Line(self.made[part], part))
        return self.made[part]

    def _expression(self, root: Expression) -> Expression:
        """An expression in which nothing unbreakable is wide."""
        if self._width(root) <= _INSIDE:
            return root
        done: dict[Expression, Expression] = {}
        for node in walk([root]):
            parts = [done[argument] for argument in node.arguments]
            done[node] = apply(node, *self._enclosed(node.kind, parts)) if parts else node
        return done[root]

    def _enclosed(self, kind: str, parts: list[Expression]) -> list[Expression]:
        """Arguments of an operation, by name where it cannot be broken inside them."""
        if kind in ("+", "-", "neg"):
            return parts
        sums = [k for k, part in enumerate(parts) if _has_sum(part)]
        if kind == "*" and len(sums) < 2:
            return parts
        if kind == "*":  # the wider one stays open
            sums.remove(max(sums, key=lambda k: self._width(parts[k])))
        inside = {"/": [1], "*": sums}.get(kind, list(range(len(parts))))
        return [self._name(part) if k in inside and self._width(part) > _INSIDE else part
                for k, part in enumerate(parts)]

    def _grid(self, grid: Grid) -> Grid:
        """A matrix with names for its widest entries, as many as it takes."""
        rows = [list(row) for row in grid.rows]
        while True:
            columns = [max(map(self._width, column)) for column in zip(*rows, strict=True)]
            widest = max(range(len(columns)), key=columns.__getitem__)
            if sum(columns) + 1.75 * len(columns) <= PAGE - 10.0 or columns[widest] <= _ENTRY:
                return Grid(tuple(map(tuple, rows)))
            for row in rows:
                entry = row[widest]
                if isinstance(entry, Block):
                    return grid
                row[widest] = self._name(entry) if self._width(entry) > _ENTRY else entry


def _has_sum(part: Expression) -> bool:
    """Is it a sum, or a product with one?"""
    if part.kind == "*":
        return any(map(_has_sum, part.arguments))
    return part.kind in ("+", "-") or (part.kind in ("/", "neg") and _has_sum(part.arguments[0]))
