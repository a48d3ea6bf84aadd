"""Formulas with jumps and kinks as smooth formulas of modes.

sign(g) becomes a mode s, and |g| becomes s g. With s = ±1, the sign of g, formulas keep their values; while s does not
change they are smooth, and where g passes zero is an event. Between the two, s may take any value from -1 to 1 to hold
g at zero: the equivalent control of a sliding mode (A. F. Filippov, Differential Equations with Discontinuous Righthand
Sides, 1988, §4; V. I. Utkin, Sliding Modes in Control and Optimization, 1992, §2.3), dry friction that sticks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from granum.algebra.calculus import gradient
from granum.algebra.expression import Expression, Scalar, apply, evaluate, free_symbols, rebuild, symbol, walk

MOST = 64
"""Arguments that are followed; formulas with more keep their jumps."""
TRIALS, APPROACHES = 4, 20
"""States in which a jump is looked for, and steps from each to where an argument is zero."""
_JUMP = 1e-6
"""Difference of both sides, as a part of the size of the formulas, that is a jump; otherwise it is a kink."""
_LINEAR = ("+", "-", "*", "/", "neg", "sign", "abs")


class Switched(NamedTuple):
    """Formulas in modes."""

    outputs: list[Expression]
    arguments: list[Expression]
    """g of each mode; it may depend on modes before it."""
    places: list[list[Expression]]
    """The signs and absolute values that each mode stands for."""

    @property
    def modes(self) -> list[Expression]:
        """The symbols of the modes."""
        return [mode(k) for k in range(len(self.arguments))]

    def smooth(self, formulas: Sequence[Expression]) -> list[Expression]:
        """Formulas with the modes in place of what they stand for, and the arguments, whose zeros are events."""
        written: dict[Expression, Scalar] = {
            node: own if node.kind == "sign" else own * g
            for own, g, places in zip(self.modes, self.arguments, self.places, strict=True) for node in places}
        return [*rebuild(formulas, written), *self.arguments]

    def causes(self, formulas: Sequence[tuple[str, Sequence[Expression]]], otherwise: str) -> list[str]:
        """Of each mode, the name of the first formulas in which it stands for something."""
        inside = [(name, set(walk(own))) for name, own in formulas]
        return [next((name for name, nodes in inside if not nodes.isdisjoint(places)), otherwise)
                for places in self.places]

    def modes_in(self, formulas: Sequence[tuple[str, Sequence[Expression]]]) -> dict[str, int]:
        """The first mode that stands for something in formulas, by their names."""
        found = {name: next((k for k, places in enumerate(self.places) if not nodes.isdisjoint(places)), -1)
                 for name, nodes in ((name, set(walk(own))) for name, own in formulas)}
        return {name: k for name, k in found.items() if k >= 0}


def mode(k: int) -> Expression:
    """The symbol of mode k."""
    return symbol(f"modes {k}")


def switched(
    outputs: Sequence[Expression], within: Sequence[Expression], constant: Set[str] = frozenset(),
) -> Switched | None:
    """The outputs with a mode for each argument of sign and abs below the formulas `within`; None without any.

    Arguments of symbols that are constant along a motion have none.

    Within roots, denominators and other functions they stay what they are: forces must be affine in the modes, and a
    step that looks beyond an event would take the root of s g < 0 or meet the pole of 1/(ε + s g).
    """
    chosen = {node for node in _entering(within) if free_symbols(node.arguments) - constant}
    made = in_modes([*within, *outputs], chosen)
    return made._replace(outputs=made.outputs[len(within) :]) if 0 < len(made.arguments) <= MOST else None


def in_modes(outputs: Sequence[Expression], chosen: Set[Expression]) -> Switched:
    """The outputs with a mode for each argument of the chosen signs and absolute values."""
    made: dict[Expression, Expression] = {}
    places: dict[Expression, list[Expression]] = {}
    modes: dict[Expression, Expression] = {}
    for node in walk(outputs):
        arguments = tuple(made[argument] for argument in node.arguments)
        if node in chosen:
            g = arguments[0]
            own = modes.setdefault(g, mode(len(modes)))
            places.setdefault(g, []).append(node)
            made[node] = own if node.kind == "sign" else own * g
        else:
            made[node] = apply(node, *arguments) if arguments else node
    return Switched([made[output] for output in outputs], list(modes), list(places.values()))


def _entering(roots: Sequence[Expression]) -> set[Expression]:
    """Signs and absolute values that sums, products and numerators of the roots are made of, and arguments of such."""
    seen: set[Expression] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in seen and node.kind in _LINEAR:
            seen.add(node)
            stack.extend(node.arguments[:1] if node.kind == "/" else node.arguments)
    return {node for node in seen if node.kind in ("sign", "abs")}


def jumping(formulas: Sequence[Expression], by: Sequence[Expression], values: Mapping[str, float]) -> bool:
    """Do formulas jump where an argument passes zero that depends on some symbols?

    With both values of its mode they are compared in states where the argument is zero: c sign(v) jumps there,
    |v| and v² sign(v) do not.

    Args:
        formulas: of forces.
        by: the symbols, which are changed until the argument is zero.
        values: numbers of symbols that stay as they are.
    """
    found = switched(formulas, formulas)
    if found is None:
        return False
    names = {one.name for one in by}
    rng = np.random.default_rng(0)
    for own, g in zip(found.modes, found.arguments, strict=True):
        if not free_symbols([g]) & names:
            continue
        above, below = (rebuild(found.outputs, {own: side}) for side in (1.0, -1.0))
        used = sorted(free_symbols([*above, *below, g]) - set(values))
        for _ in range(TRIALS):
            state = dict(zip(used, rng.uniform(0.5, 1.5, len(used)).tolist(), strict=True)) | dict(values)
            state |= {one.name: 1.0 for one in found.modes}
            if _differ(above, below, g, [one for one in by if one.name in free_symbols([g])], state):
                return True
    return False


def _differ(
    above: Sequence[Expression], below: Sequence[Expression], g: Expression, by: Sequence[Expression],
    state: dict[str, float],
) -> bool:
    """Do formulas differ where g is zero, near a state?"""
    slopes = gradient(g, by)
    try:
        away = evaluate([*above, *below], state)  # what they amount to: at zero all of it may be rounding
        for _ in range(APPROACHES):
            value, *slope = evaluate([g, *slopes], state)
            size = float(np.dot(slope, slope))
            if value == 0.0 or size == 0.0:
                break
            state |= {one.name: state[one.name] - value * part / size for one, part in zip(by, slope, strict=True)}
        sides = np.array([evaluate(above, state), evaluate(below, state)])
    except (ArithmeticError, ValueError):  # the formulas have no value in this state
        return False
    size = max(float(np.abs(sides).max()), float(np.abs(away).max()))
    return bool(np.any(np.abs(sides[0] - sides[1]) > _JUMP * size))
