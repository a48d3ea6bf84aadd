"""Formulas of the state of a running simulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols
from granum.algebra.parse import parse
from granum.base.errors import GranumError
from granum.run.simulation import Simulation

Quantity = Callable[[Simulation], float]
"""A number of a simulation as it is now."""


def quantity(sim: Simulation, formula: str, place: str) -> Quantity:
    """A formula of quantities and of parameters of [system], compiled; names are checked with a simulation."""
    parameters = sim.scene.system.parameters
    try:
        expression = parse(formula)
        names = sorted(free_symbols([expression]) - {"t"})
        for name in names:
            if name not in parameters:
                sim.value(name)
    except GranumError as error:
        raise GranumError(f"{place}: {error}") from None
    program, nothing = Compiled(names, [], [expression]), np.zeros(0)

    def value(sim: Simulation) -> float:
        state = [parameters[name] if name in parameters else sim.value(name) for name in names]
        return float(program(sim.t, np.array(state), nothing)[0])

    return value
