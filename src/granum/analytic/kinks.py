"""Kinks of formulas: abs and sign where their argument is zero, and what holds on either side.

Each `sign(a)` is written as a mode s, and each `abs(a)` as s a (`algebra.switches`), also within roots and
denominators: nothing is integrated here. Everything else in a formula is smooth, so that the exact derivatives for
s = 1 and for s = -1 are those on the two sides. A stop is such a formula, and so is the limit of an actuator
(docs/theory/linearization.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from granum.algebra import Expression, jacobian
from granum.algebra.expression import walk
from granum.algebra.show import text
from granum.algebra.switches import in_modes
from granum.analytic.expressed import System
from granum.base.kernels import Floats
from granum.base.text import listed

CLOSE = 1e-10
"""Change of the state within which a side may change for the state to be at a kink, relative to max(1, |state|)."""
REACHED = 1e-4
"""Part of the change of an argument that this may cause below which the motion does not change it."""
DIRECTIONS = 24
"""Directions in which sides are looked for, and as many opposite ones."""
_LONGEST = 60
"""Characters of an argument that a message shows."""


class Kinks:
    """Formulas with the sign of every argument of abs and sign as a mode."""

    def __init__(self, system: System, formulas: Sequence[Expression], by: Sequence[Expression]) -> None:
        made = in_modes(formulas, _moving(formulas, by))
        self.formulas = made.outputs
        self.arguments = [places[0].arguments[0] for places in made.places]
        """The arguments that depend on the symbols `by`, as they stand."""
        self.names = [mode.name for mode in made.modes]
        self._system = system
        slopes = [entry for row in jacobian(self.arguments, by) for entry in row]
        self._program = system.compile([*self.arguments, *slopes]) if self.arguments else None

    def sides(self, t: float, y: Floats, data: Floats, reach: float = 0.0) -> Floats:
        """Signs of all arguments in a state; zero where they are no larger than a change of the state by `reach`."""
        if self._program is None:
            return np.zeros(0)
        out = self._program(t, y, data)
        count = len(self.arguments)
        slopes = np.abs(out[count:]).reshape(count, -1).sum(axis=1)
        return np.where(np.abs(out[:count]) > reach * slopes, np.sign(out[:count]), 0.0)

    def around(self, t: float, y: Floats, data: Floats, basis: Floats, inputs: Sequence[int] = ()) -> list[Floats]:
        """Signs of the arguments in all directions from a state: more than one where it is at a kink.

        Args:
            t, y, data: the state and the parameters.
            basis: changes of the state that the constraints allow, as columns.
            inputs: numbers of the parameters that change too.
        """
        found: dict[tuple[float, ...], Floats] = {}
        if not self.arguments:
            return []
        own, rng = self.sides(t, y, data), np.random.default_rng(0)
        close = CLOSE * max(1.0, float(np.abs(y).max(initial=0.0)), float(np.abs(data[list(inputs)]).max(initial=0.0)))
        for direction in rng.uniform(-1.0, 1.0, (DIRECTIONS, basis.shape[1] + len(inputs))):
            change, pushed = basis @ direction[: basis.shape[1]], np.zeros(len(data))
            pushed[list(inputs)] = direction[basis.shape[1] :]
            wide = close / max(float(np.abs(change).max(initial=0.0)), float(np.abs(pushed).max(initial=0.0)), 1e-300)
            for part in (wide, -wide):
                sides = self.sides(t, y + part * change, data + part * pushed, REACHED * close)
                sides = np.where(sides == 0.0, own, sides)
                found.setdefault(tuple(sides.tolist()), sides)
        return [found[signs] for signs in sorted(found)]

    def described(self, patterns: Sequence[Floats], outputs: Iterable[str] = ()) -> tuple[str, list[str]]:
        """What has a kink, and where each of some patterns of signs holds, in words."""
        changes = [k for k in range(len(self.arguments)) if len({sides[k] for sides in patterns} - {0.0}) > 1]
        # the argument of a stop's force is zero before its limit: where the limit itself is, says the other
        named = [k for k in changes if all(sides[k] for sides in patterns)] or changes
        holders = dict.fromkeys(name for k in named for name in _holders(self._system, self.arguments[k]))
        holders |= dict.fromkeys(outputs)
        words = [f"{self._called(k, named)} = 0" for k in named]
        where = [" and ".join(f"{self._called(k, named)} {'>' if sides[k] > 0.0 else '<'} 0" for k in named if sides[k])
                 for sides in patterns]
        return f"{listed(list(holders)) or 'a formula'} has a kink in this state, at {' and '.join(words)}", where

    def _called(self, k: int, named: Sequence[int]) -> str:
        """An argument as a message writes it."""
        written = text(self.arguments[k])
        return written if len(written) <= _LONGEST else "its argument" if len(named) == 1 else f"argument {k + 1}"


def _moving(roots: Sequence[Expression], by: Sequence[Expression]) -> set[Expression]:
    """Signs and absolute values below the roots that depend on symbols."""
    moving = set(by)
    for node in walk(roots):
        if any(argument in moving for argument in node.arguments):
            moving.add(node)
    return {node for node in moving if node.kind in ("abs", "sign")}


def _holders(system: System, argument: Expression) -> list[str]:
    """Loads, forces, energies and constraints that use an argument of abs or sign."""
    places = {f'{load.section} "{load.name}"': [load.potential, *load.forces.values()] for load in system.loads}
    places |= {"the potential energy": [system.own_potential], "the kinetic energy": [system.kinetic]}
    places |= {f"the force on {name}": [force] for name, force in zip(
        system.coordinates, system.own_forces, strict=True)}
    places |= {f'constraint "{constraint.name}"': list(constraint.rows) for constraint in system.constraints}
    return [name for name, formulas in places.items() if any(
        node.kind in ("abs", "sign") and node.arguments[0] is argument for node in walk(formulas))]
