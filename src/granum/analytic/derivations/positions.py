"""Positions and velocities of bodies by chosen coordinates, and which joints hold by construction."""

from __future__ import annotations

from granum.algebra import Expression, symbol
from granum.algebra.expression import as_expression, walk
from granum.algebra.vectors import total
from granum.analytic.derivations.blocks import named_block
from granum.analytic.derivations.derivation import Line, Step
from granum.analytic.derivations.notation import Notation, coordinate_quantity
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


def position_steps(n: Notation, derivative: str = "Velocities", essential: bool = False) -> list[Step]:
    """Positions of the mass centres by the chosen coordinates, and their velocities or accelerations, if short."""
    lines = [line for components in _mass_centres(n).values() for line in components if line[0] is not line[1]]
    if not lines:
        return []
    rates = [(symbol(f"{name.name}_dot"), n.simple(n.rate(value))) for name, value in lines]
    told = "The rates of these positions."
    if derivative == "Accelerations":
        rates = [(symbol(f"{name.name}_ddot"), n.simple(n.rate(rate))) for (name, _), (_, rate) in zip(
            lines, rates, strict=True)]
        told = "The second derivatives of these positions."
    return [Step("Positions", "The mass centres by the coordinates.", tuple(Line(*line) for line in lines),
                 essential),
            Step(derivative, told, tuple(Line(name, rate) for name, rate in rates if not rate.is_zero), essential)]


def kinetic_step(n: Notation) -> Step | None:
    """T by the velocities of the mass centres, of chosen coordinates."""
    T = half_sum(n, "_dot")
    return None if T is None else Step("Kinetic energy", "Of the mass centres and the rotations. `M` has its second "
                                       "derivatives by the rates of the coordinates.", (Line(named_block(
                                           n.letter("T")), T),))


def half_sum(n: Notation, dots: str) -> Expression | None:
    """1/2 m |v|² + 1/2 I ω² of all bodies in 2-D by chosen coordinates, or of accelerations; none where that is long.

    What a component is a derivative of stands before the dots, `x_upper` or a coordinate.
    """
    centres = _mass_centres(n)
    if not centres or n.assembly is None or n.assembly.dimension != 2:
        return None
    parts = list[Expression]()
    for body in n.system.bodies:
        squares = [symbol(f"{name.name}{dots}") ** 2 for name, _ in centres[body.name]]
        if squares:
            parts.append(0.5 * n.show(body.mass) * total(squares))
        if body.rotation is not None and body.spin is not None:
            omega = n.shown(body.spin[2])
            turned = omega if dots == "_dot" else n.simple(n.rate(omega))
            if not turned.is_zero:
                parts.append(0.5 * n.show(as_expression(body.moments[2][2])) * turned**2)
    return total(parts)


def _mass_centres(n: Notation) -> dict[str, list[tuple[Expression, Expression]]]:
    """Components of the mass centre of each body that move, as symbols, and what they are by the chosen coordinates.

    Empty where no coordinates are chosen, or where the formulas are too long to read.
    """
    if not n.held or n.assembly is None or n.named is None:
        return {}
    centres = dict[str, list[tuple[Expression, Expression]]]()
    for body in n.system.bodies:
        own = centres.setdefault(body.name, [])
        for axis, component in zip(AXES[: n.assembly.dimension], body.position, strict=False):
            value = n.shown(component)
            if value in n.q:
                own.append((value, value))
            elif not n.simple(n.rate(value)).is_zero:
                own.append((_component(n, body.name, axis), value))
    values = [value for own in centres.values() for _, value in own]
    return {} if any(len(list(walk([value]))) > _LONGEST for value in values) else centres


def _component(n: Notation, body: str, axis: str) -> Expression:
    """A component of a mass centre that is no coordinate, named as if it were one."""
    assert n.assembly is not None and n.named is not None
    meaning = f"{axis} of the mass centre of {body}"
    for name, quantity in n.quantities.items():
        if quantity.meaning == meaning and quantity.value is None:
            return symbol(name)
    quantity = coordinate_quantity(f"{symbol_name(body)}.{axis}", n.assembly, n.named, ())
    n.quantities[quantity.name] = quantity
    return symbol(quantity.name)
