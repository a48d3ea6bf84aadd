"""Lengths of springs, which a derivation names: d = √(d_x² + d_y²) of the vector between the ends."""

from __future__ import annotations

from granum.algebra import Expression
from granum.algebra.expression import walk
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.expressed import System
from granum.assembly.assembly import Assembly
from granum.model.loads import Spring


def spring_lengths(system: System, assembly: Assembly | None) -> list[tuple[str, str, Expression, list[Expression]]]:
    """Of each spring: its name, what stands for it below a letter, its length, and what is squared in that.

    None where the roots in the potential energy are not those of the springs alone.
    """
    if assembly is None:
        return []
    springs = [load.name for load in assembly.loads if isinstance(load.entry, Spring)]
    roots = [node for node in walk([system.potential]) if node.kind == "sqrt"]
    parts = [squared(node.arguments[0]) for node in roots]
    if len(roots) != len(springs) or not all(parts):
        return []
    shorts = subscripts(assembly.scene.load)
    return [(name, shorts[name], root, own) for name, root, own in zip(springs, roots, parts, strict=True)]


def squared(node: Expression) -> list[Expression]:
    """What is squared in a sum of squares; empty for anything else."""
    if node.kind == "+":
        one, two = map(squared, node.arguments)
        return [*one, *two] if one and two else []
    if node.kind == "*" and node.arguments[0] is node.arguments[1]:
        return [node.arguments[0]]
    return [node.arguments[0]] if node.kind == "^" and node.arguments[1].value == 2.0 else []
