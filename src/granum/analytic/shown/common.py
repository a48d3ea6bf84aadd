"""Steps that several formulations share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from granum.algebra import Expression
from granum.algebra.expression import ZERO
from granum.algebra.show import latex, text
from granum.algebra.vectors import dot, total
from granum.analytic.shown.derivation import Derivation, Label, Line, Step
from granum.analytic.shown.notation import Notation

_FEW = 6
"""Coordinates that are explained one by one where they are introduced."""


def derivation(n: Notation, formulation: str, principle: str, steps: Iterable[Step | None],
               coordinates: Iterable[str] | None = None) -> Derivation:
    """The steps that there are, with all symbols of the notation."""
    if n.assembly is not None and (names := [name for name, link in n.assembly.scene.link.items() if link.sense]):
        principle += f" One-sided links are taken as closed: {', '.join(names)}."
    return Derivation(n.system.title, formulation, principle, tuple(step for step in steps if step is not None),
                      tuple(n.quantities.values()), tuple(coordinates or (q.name for q in n.q)))


def coordinates_step(n: Notation, prose: str = "") -> Step:
    """What the coordinates are; their symbols are in the table below."""
    listed = ", ".join(f"`{text(q)}`" for q in n.q)
    named_ones = [(q, n.quantities[q.name].meaning) for q in n.q]
    meanings = "; ".join(f"`{text(q)}` is the {meaning}" for q, meaning in named_ones if meaning != "coordinate")
    told = f": {meanings}" if meanings and len(n.q) <= _FEW else ""
    return Step("Coordinates", f"{prose}{listed}{told}. The rate of `x` is `x_dot`, its second derivative `x_ddot`.")


def constraint_lines(n: Notation) -> list[Line]:
    """φ(q, t) = 0 and ψ(q, q̇, t) = 0, as they are given."""
    return [Line(n.shown(row.value), ZERO) for row in n.system.rows if not (row.slips or row.invariant)]


def acceleration_lines(n: Notation, held: Sequence[bool] | None = None) -> list[Line]:
    """A q̈ = b, row by row."""
    return [Line(n.simple(dot([n.show(entry) for entry in row.A], n.a)), n.shown(row.b))
            for row, holds in zip(n.system.rows, held or [True] * len(n.system.rows), strict=True) if holds]


def forces_of_constraints(n: Notation, i: int) -> Expression:
    """Σ λ A of coordinate i."""
    return total(n.show(row.A[i]) * multiplier for row, multiplier in zip(n.system.rows, n.multipliers, strict=True))


def partial(of: str, by: Expression) -> Label:
    """∂of/∂by."""
    return Label(f"d{of}/d({text(by)})", rf"\frac{{\partial {of}}}{{\partial {latex(by)}}}")


def in_time(of: Label) -> Label:
    """d/dt of something."""
    return Label(f"d/dt {of.text}", rf"\frac{{d}}{{dt}}{of.latex}")


def named(letter: str) -> Label:
    """A letter of a function or matrix."""
    return Label(letter, letter)
