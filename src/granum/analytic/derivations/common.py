"""Steps that several formulations share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from granum.algebra import Expression, symbol
from granum.algebra.expression import ZERO, free_symbols, walk
from granum.algebra.polynomial import CONSTANT
from granum.algebra.show import latex, text
from granum.algebra.vectors import dot, total
from granum.analytic.derivations.blocks import named_block
from granum.analytic.derivations.derivation import Derivation, Grid, Label, Line, Step
from granum.analytic.derivations.notation import Notation
from granum.analytic.derivations.positions import held_joints
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.expressed_parts import Row

_WIDEST, _LONG = 110, 30
"""Signs of a row of a matrix, and of an entry in a wide one."""
_FEW = 6
"""Coordinates that are explained one by one where they are introduced."""


def derivation(n: Notation, formulation: str, principle: str, steps: Iterable[Step | None],
               coordinates: Iterable[str] | None = None) -> Derivation:
    """The steps that there are, with all symbols of the notation, and with letters that nothing else has."""
    if n.assembly is not None and (names := [name for name, link in n.assembly.scene.link.items() if link.sense]):
        principle += f" One-sided links are taken as closed: {', '.join(names)}."
    for letter in _LETTERS[formulation]:
        n.letter(letter)
    shown = [step if step.heading == "Coordinates" else replace(step, prose=n.lettered(step.prose))
             for step in steps if step is not None]
    used = {name for step in shown for line in step.lines for name in line.names}
    n.take_definitions()  # those that were met on the way
    if defined := _definitions(n, used):
        shown.insert(1, defined)
    if any(line.left.name in used for line in n.lengths):  # type: ignore[union-attr]
        shown.insert(1, Step("Springs", "The length of each spring.", tuple(n.lengths), essential=True))
    return Derivation(n.system.title, formulation, n.lettered(principle), tuple(shown),
                      tuple(n.quantities.values()), tuple(coordinates or (q.name for q in n.q)))


def _definitions(n: Notation, used: set[str]) -> Step | None:
    """What symbols of definitions are, those that are used and those that they need."""
    lines, needed = list[Line](), set(used)
    for own, formula in reversed([] if n.definitions is None else list(n.definitions.formulas.items())):
        if own.name in needed:
            lines.append(Line(own, formula))
            needed |= {*free_symbols([formula]), n.definitions.base(own).name}  # type: ignore[union-attr]
    return Step("Definitions", "Those of the scene, and their derivatives by the coordinates.", tuple(reversed(lines)),
                essential=True) if lines else None


_LETTERS = {
    "fundamental": ("M", "Q", "A", "b", "q", "a", "e", "K", "T"), "lagrange": ("T", "V", "L", "Q", "A", "q"),
    "gibbs-appell": ("G", "Pi", "Q", "A", "q"), "virtual-work": ("L", "Q", "A", "w", "q"),
    "newton-euler": ("M", "H", "E", "C", "J", "a", "b", "f"), "scalar": ("P",)}
"""Letters of the theory in the prose of each formulation."""


def coordinates_step(n: Notation, prose: str = "") -> Step:
    """What the coordinates are; their symbols are in the table below."""
    return Step("Coordinates", f"{prose}{_explained(n)}.{held_joints(n)}")


def _explained(n: Notation) -> str:
    """Coordinates with their meaning, those of one point together; their symbols alone where there are many."""
    groups = dict[str, list[Expression]]()
    for q in n.q:
        meaning = n.quantities[q.name].meaning
        position = meaning.partition(" of ")[2] if meaning[:5] in ("x of ", "y of ", "z of ") else ""
        groups.setdefault(f"position of {position}" if position else meaning, []).append(q)
    parts = list[str]()
    for told, listed in groups.items():
        own = told if len(listed) > 1 else n.quantities[listed[0].name].meaning
        names = ", ".join(f"`{text(q)}`" for q in listed)
        parts.append(names if own == "coordinate" or len(n.q) > _FEW else f"{names} ({own})")
    return ", ".join(parts)


def constraint_lines(n: Notation, rows: Iterable[Row]) -> list[Line]:
    """φ(q, t) = 0 and ψ(q, q̇, t) = 0, as they are given."""
    return [Line(n.shown(row.value), ZERO) for row in rows if not (row.slips or row.invariant)]


def scaled_links(n: Notation) -> str:
    """Why conditions of links are divided by their lengths, where they are."""
    return (" Those of links are divided by twice the length, so that their multipliers are forces."
            if any(_undivided_row(row) is not row for row in n.system.rows) else "")


def constraints_step(n: Notation, rows: Sequence[Row], multipliers: bool) -> Step | None:
    """What holds along the motion; links without multipliers are x² + y² - l² = 0, not divided by anything."""
    lines = constraint_lines(n, rows if multipliers else map(_undivided_row, rows))
    told = "It holds along the motion." if len(lines) == 1 else "They hold along the motion."
    return Step("Constraints" if len(lines) > 1 else "Constraint", told + (scaled_links(n) if multipliers else ""),
                tuple(lines), essential=True) if lines else None


def _undivided_row(row: Row) -> Row:
    """A row of a link without its divisor 2 l; any other as it is."""
    divided = row.value.kind == "/" and row.value.arguments[1].kind == "*" and (
        row.value.arguments[1].arguments[0].kind == "number")
    return replace(row, value=row.value.arguments[0]) if divided else row


DIFFERENTIATED = "each constraint differentiated along the motion until accelerations appear"
"""What joins the equations of motion where constraints have multipliers."""


def acceleration_lines(n: Notation, held: Sequence[bool] | None = None) -> list[Line]:
    """A q̈ = b, row by row, each without a constant that divides it."""
    return [_undivided(n, n.simple(dot([n.show(entry) for entry in row.A], n.a)), n.shown(row.b))
            for row, holds in zip(n.system.rows, held or [True] * len(n.system.rows), strict=True) if holds]


def _undivided(n: Notation, left: Expression, right: Expression) -> Line:
    """An equation times the symbol that all of it is divided by, as x ẍ/l + y ÿ/l = 0, less a factor 2 that it has."""
    divisors = {node.arguments[1] for node in walk([left, right]) if node.kind == "/"}
    if len(divisors) == 1 and (divisor := divisors.pop()).kind == "symbol" and n.quantities[divisor.name].value:
        left, right = n.simple(left * divisor), n.simple(right * divisor)
    return reduced(n, left, right)


def reduced(n: Notation, left: Expression, right: Expression = ZERO) -> Line:
    """An equation without a whole number that divides all of it."""
    simple = n.simplifier()  # which knows the order of symbols that are new
    factor = simple.common_integer([left, right])
    return Line(simple(left / factor), simple(right / factor)) if factor > 1 else Line(left, right)


def forces_of_constraints(n: Notation, i: int) -> Expression:
    """Σ λ A of coordinate i."""
    return total(n.show(row.A[i]) * multiplier for row, multiplier in zip(n.system.rows, n.multipliers, strict=True))


def partial(of: str, by: Expression) -> Label:
    """∂of/∂by."""
    return Label(f"d{of}/d({text(by)})", rf"\frac{{\partial {latex(symbol(of))}}}{{\partial {latex(by)}}}")


def in_time(of: Label) -> Label:
    """d/dt of something."""
    return Label(f"d/dt {of.text}", rf"\frac{{d}}{{dt}}{of.latex}")


def named_entries(n: Notation, matrix: str, rows: Sequence[Sequence[Expression]]) -> list[Line]:
    """A matrix of expressions; where a row is too wide, entries that are long have names and lines of their own."""
    lines, grid = list[Line](), list[tuple[Expression, ...]]()
    widths = [sum(len(text(entry)) + 2 for entry in row) for row in rows]
    for i, row in enumerate(rows, 1):
        # of a vector, long entries all have names or none has
        wide, entries = (max(widths) if len(row) == 1 else widths[i - 1]) > _WIDEST, list[Expression]()
        for j, entry in enumerate(row, 1):
            if len(row) == len(rows) and j < i and rows[j - 1][i - 1] is entry:  # symmetric
                entry = grid[j - 1][i - 1]
            elif wide and len(text(entry)) > _LONG:
                index = f"{i}_{j}" if len(row) > 1 else str(i)
                name = n.names.fresh(f"{matrix}_{index}", f"{matrix}_entry_{index}")
                lines.append(Line(n.add(Quantity(name, f"entry of {matrix}", part_of=matrix), CONSTANT), entry))
                entry = symbol(name)
            entries.append(entry)
        grid.append(tuple(entries))
    return [*lines, Line(named_block(matrix), Grid(tuple(grid)))]


def named(letter: str) -> Label:
    """A letter of a function or matrix."""
    return Label(letter, latex(symbol(letter)))


def mass_beyond(one: str, two: str) -> str:
    """What M_ij of two bodies means."""
    return f"mass of {one} and all beyond it" if one == two else f"mass beyond the links to {one} and {two}"
