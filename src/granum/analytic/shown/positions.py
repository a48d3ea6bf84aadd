"""Positions and velocities of bodies by chosen coordinates, and which joints hold by construction."""

from __future__ import annotations

from granum.algebra import Expression, symbol
from granum.algebra.expression import walk
from granum.analytic.shown.derivation import Line, Step
from granum.analytic.shown.notation import Notation, coordinate_quantity
from granum.base.text import listed
from granum.rows.joint import AXES
from granum.rows.system import symbol_name

_LONGEST = 200
"""Parts of a position beyond which nobody reads it."""


def held_joints(n: Notation) -> str:
    """Sentences about the joints of chosen coordinates; empty where all coordinates of all bodies are used."""
    if not n.held:
        return ""
    loops = list(dict.fromkeys(row.constraint for row in n.system.rows if not row.constraint.endswith(".unit")))
    told = f" They satisfy {listed(n.held)} in every position, so that these joints need no multipliers."
    return told + (f" Rows of {listed(loops)} remain, with a multiplier each." if loops else "")


def position_steps(n: Notation) -> list[Step]:
    """Positions of the mass centres by the chosen coordinates, and their rates, where they are short."""
    if not n.held or n.assembly is None or n.named is None:
        return []
    lines = list[tuple[Expression, Expression]]()
    for body in n.system.bodies:
        for axis, component in zip(AXES[: n.assembly.dimension], body.position, strict=False):
            value = n.shown(component)
            if value in n.q or value.is_zero:
                continue
            quantity = coordinate_quantity(f"{symbol_name(body.name)}.{axis}", n.assembly, n.named, ())
            n.quantities[quantity.name] = quantity
            lines.append((symbol(quantity.name), value))
    if not lines or any(len(list(walk([value]))) > _LONGEST for _, value in lines):
        return []
    rates = [(symbol(f"{name.name}_dot"), n.simple(n.rate(value))) for name, value in lines]
    return [Step("Positions", "The mass centres by the coordinates.", tuple(Line(*line) for line in lines)),
            Step("Velocities", "The rates of these positions.",
                 tuple(Line(name, rate) for name, rate in rates if not rate.is_zero))]
