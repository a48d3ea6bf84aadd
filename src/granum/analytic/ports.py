"""Inputs and outputs of a system: what is changed from outside, and what is looked at, with exact derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, jacobian, symbol
from granum.algebra.expression import free_symbols
from granum.analytic.expressed import System
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.rows.system import symbol_name


class Slopes(NamedTuple):
    """Derivatives in a state."""

    force: Floats
    """(n, inputs): ∂f/∂u"""
    observe: Floats
    """(outputs, 2n): ∂y/∂(q, q̇)"""
    direct: Floats
    """(outputs, inputs): ∂y/∂u"""


class Ports:
    """Inputs u, which are parameters of the system, and outputs y, which are formulas of its state.

    Args:
        system: the system.
        inputs: names of parameters.
        outputs: names of coordinates, rates or what joints measure (`pin.angle`), or formulas, with a name each if they
            are a dictionary; left out, all coordinates.
    """

    def __init__(self, system: System, inputs: Sequence[str] = (),
                 outputs: Sequence[str] | Mapping[str, str] | None = None) -> None:
        self.system, self.inputs = system, tuple(map(symbol_name, inputs))
        given = system.coordinates if outputs is None else outputs
        named = given if isinstance(given, Mapping) else dict(zip(given, given, strict=True))
        self.outputs = {name: quantity(system, formula, f'output "{name}"') for name, formula in named.items()}
        self._refuse()
        y, u = (*system.q, *system.v), [symbol(name) for name in self.inputs]
        read = list(self.outputs.values())
        tables = jacobian(system.force_formulas, u), jacobian(read, y), jacobian(read, u)
        self._shapes = (len(system.q), len(u)), (len(read), len(y)), (len(read), len(u))
        self._program = system.compile([entry for table in tables for row in table for entry in row])

    def _refuse(self) -> None:
        """Refuse inputs that are no parameters, or that move a constraint instead of pushing."""
        for name in self.inputs:
            if name not in self.system.parameters:
                raise GranumError(f'there is no parameter "{name}" to be an input. '
                                  f'{did_you_mean(name, self.system.parameters, "parameter")}')
            for row in self.system.rows:
                if name in free_symbols([row.value]):
                    raise GranumError(f'the input "{name}" is in the constraint {row.name}: it prescribes a motion '
                                      "instead of a force. Choose parameters that only forces depend on.")

    def evaluate(self, q: Floats, v: Floats, t: float) -> Slopes:
        """The derivatives in a state."""
        out = self._program(t, np.concatenate([q, v]), self.system.parameter_values)
        if not np.isfinite(out).all():
            raise GranumError("an input or output has no finite derivative in this state. Use other outputs.")
        ends = np.cumsum([rows * columns for rows, columns in self._shapes])
        parts = np.split(out[: ends[-1]], ends[:-1])
        return Slopes(*(part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)))


def quantity(system: System, formula: str, place: str) -> Expression:
    """What a user names: a coordinate, a rate, what a joint measures, or a formula of these."""
    own = symbol_name(formula)  # the name of a body may contain a minus sign
    if own in system.measures:
        return system.measures[own]
    return symbol(own) if own in system.known and symbol(own) not in system.defined else system.read(formula, place)
