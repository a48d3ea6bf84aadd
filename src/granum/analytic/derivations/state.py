"""Numbers of all symbols in a state, to see what vanishes."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from granum.algebra.expression import evaluate
from granum.analytic.derivations.notation import Notation
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.starts import nearest
from granum.base.errors import GranumError


def numbers(n: Notation, equations: ExpressedEquations) -> dict[str, float]:
    """Constants and coordinates at the start, or in some state where there is none; t = 0."""
    try:
        q = equations.start[0]
    except GranumError:
        q = np.random.default_rng(0).uniform(0.2, 0.9, len(n.q))
    # a start is often a special position: what vanishes only there may still be divided by; what vanishes wherever the
    # constraints hold, as of a platform on three parallel links, may not
    q = q + 1e-3 * np.random.default_rng(1).uniform(-1.0, 1.0, len(q))
    with suppress(GranumError):
        q = nearest(equations.system, q)
    values = {name: quantity.value for name, quantity in n.quantities.items() if quantity.value is not None}
    values |= {**{c.name: float(x) for c, x in zip(n.q, q, strict=True)}, "t": 0.0}
    for own, formula in {} if n.definitions is None else n.definitions.formulas.items():
        values[own.name] = evaluate([formula], values)[0]
    return values
