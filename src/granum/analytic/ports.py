"""Inputs and outputs of a system: what is changed from outside, and what is looked at, with exact derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, jacobian, symbol
from granum.algebra.expression import free_symbols, rebuild, walk
from granum.analytic.expressed import System
from granum.analytic.kinks import Kinks
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.rows.system import symbol_name

KINK = 1e-6
"""Relative change of a derivative from one side of a state to the other from which there is none."""


class Slopes(NamedTuple):
    """Derivatives in a state."""

    force: Floats
    """(n, inputs): ∂f/∂u"""
    observe: Floats
    """(outputs, 2n): ∂y/∂(q, q̇)"""
    direct: Floats
    """(outputs, inputs): ∂y/∂u"""


class Ports:
    """Inputs u, which are parameters of a system, and outputs y, which are formulas of its state."""

    def __init__(self, system: System, inputs: tuple[str, ...], outputs: Mapping[str, Expression],
                 force: Sequence[Expression]) -> None:
        self.system, self.inputs, self.outputs = system, inputs, dict(outputs)
        self._refuse()
        y, u = (*system.q, *system.v), [symbol(name) for name in inputs]
        parameters, pushed = list(system.parameters), list(force) if inputs else []
        self._numbers = [parameters.index(name) for name in inputs]
        self._kinks = Kinks(system, [*pushed, *self.outputs.values()], [*y, *u])
        n = len(pushed)
        pushed, looked_at = self._kinks.formulas[:n], self._kinks.formulas[n:]
        tables = jacobian(pushed, u), jacobian(looked_at, y), jacobian(looked_at, u)
        self._shapes = (len(system.q), len(u)), (len(looked_at), len(y)), (len(looked_at), len(u))
        self._program = system.compile([entry for table in tables for row in table for entry in row], self._kinks.names)

    @classmethod
    def read(cls, system: System, inputs: Sequence[str] | None = None,
             outputs: Sequence[str] | Mapping[str, str] | None = None) -> Ports:
        """Ports by name.

        Args:
            system: the system.
            inputs: names of parameters; left out, the inputs of the system, which are commands of actuators.
            outputs: names of coordinates, rates or what joints and bodies do (`pin.angle`, `arm.tip.x`), or formulas,
                with a name each if they are a dictionary; left out, all coordinates.
        """
        pushing = [name for name in system.inputs if not any(name in free_symbols([row.value]) for row in system.rows)]
        own = pushing if inputs is None else [_parameter(system, name) for name in inputs]
        given = system.coordinates if outputs is None else outputs
        named = given if isinstance(given, Mapping) else dict(zip(given, given, strict=True))
        return cls(system, tuple(own), {name: quantity(system, formula, f'output "{name}"')
                                        for name, formula in named.items()}, system.force_formulas)

    def moved_to(self, system: System, force: Sequence[Expression]) -> Ports:
        """The same ports of a system in other coordinates, which defines those that it replaces."""
        return Ports(system, self.inputs, dict(zip(self.outputs, rebuild(
            list(self.outputs.values()), system.defined), strict=True)), force)

    def _refuse(self) -> None:
        """Refuse inputs that move a constraint instead of pushing."""
        for name in self.inputs:
            for row in self.system.rows:
                if name in free_symbols([row.value]):
                    raise GranumError(f'the input "{name}" is in the constraint {row.name}: it prescribes a motion '
                                      "instead of a force. Choose parameters that only forces depend on.")

    def evaluate(self, q: Floats, v: Floats, t: float, basis: Floats) -> Slopes:
        """The derivatives in a state; `basis` are its changes that the constraints allow, as columns."""
        y, data = np.concatenate([q, v]), self.system.parameter_values
        patterns = self._kinks.around(t, y, data, basis, self._numbers) or [np.zeros(0)]
        found = [self._slopes(t, y, np.concatenate([data, sides])) for sides in patterns]
        first = found[0]
        for other in found[1:]:
            changes = ((other.force - first.force, first.force), (other.direct - first.direct, first.direct),
                       ((other.observe - first.observe) @ basis, first.observe @ basis))
            if any(np.abs(change).max(initial=0.0) > KINK * np.abs(own).max(initial=1e-300) for change, own in changes):
                raise GranumError(f"{self._kinks.described(patterns, self._uses())[0]}, so that an input or output has "
                                  "no derivative there. Linearise about a state away from the kink, or use other "
                                  "inputs and outputs.")
        return first

    def _uses(self) -> list[str]:
        """Outputs with abs or sign."""
        return [f'output "{name}"' for name, formula in self.outputs.items() if any(
            node.kind in ("abs", "sign") for node in walk([formula]))]

    def _slopes(self, t: float, y: Floats, data: Floats) -> Slopes:
        """The derivatives on one side of all kinks."""
        out = self._program(t, y, data)
        if not np.isfinite(out).all():
            raise GranumError("an input or output has no finite derivative in this state. Use other outputs.")
        ends = np.cumsum([rows * columns for rows, columns in self._shapes])
        parts = np.split(out[: ends[-1]], ends[:-1])
        return Slopes(*(part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)))


def _parameter(system: System, name: str) -> str:
    """The parameter of a name, in which - is a sign for formulas; an actuator of one command has the name of that."""
    known = list(system.parameters)
    found = [one for one in known if name in (one, one.rpartition(".")[0]) or symbol_name(name) == one]
    if name in known or len(found) == 1:
        return name if name in known else found[0]
    several = f" It has several: {', '.join(found)}." if found else f" {did_you_mean(name, known, 'parameter')}"
    raise GranumError(f'there is no parameter "{name}" to be an input.{several}')


def quantity(system: System, formula: str, place: str) -> Expression:
    """What a user names: a coordinate, a rate, what a joint measures, or a formula of these."""
    own = symbol_name(formula)  # the name of a body may contain a minus sign
    if own not in system.known and own in system.measures:
        return system.measures[own]
    return system.read(own if own in system.known else formula, place)
