"""Linear complementarity: forces or impulses that only push, and gaps that only open.

    p ≥ 0,  w = S p + q ≥ 0,  pᵀ w = 0,     S symmetric, positive semidefinite

The solution is the minimum of ½ pᵀ S p + qᵀ p over p ≥ 0 (Gauss's principle of least constraint where p are forces, the
least kinetic energy of the change where they are impulses). It is found by the active-set method of C. L. Lawson and
R. J. Hanson, Solving Least Squares Problems (1974), chapter 23: finite, and every iterate is admissible.
"""

from __future__ import annotations

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Flags, Floats

NEGLIGIBLE = 1e-12
"""Part of the largest |q| (rows scaled to a unit diagonal) up to which a negative w is rounding."""


def complementary(S: Floats, q: Floats) -> tuple[Floats, Flags]:
    """The solution p, and the rows that are active: those with p > 0.

    Where several solutions exist (S singular) the active rows are independent, and the others have p = 0.
    """
    scale = 1.0 / np.sqrt(np.where(np.diag(S) > 0.0, np.diag(S), 1.0))
    S, q = S * np.outer(scale, scale), q * scale
    p, active, barred = np.zeros(len(q)), np.zeros(len(q), dtype=bool), np.zeros(len(q), dtype=bool)
    allowed = NEGLIGIBLE * float(np.abs(q).max(initial=0.0))
    for _ in range(10 * len(q) + 10):
        w = np.where(active | barred, 0.0, S @ p + q)
        if not len(q) or w.min() >= -allowed:
            return p * scale, active
        entering = int(w.argmin())
        active[entering] = True
        p, active = _descend(S, q, p, active)
        # a row that depends on the active ones cannot enter by itself: it waits until another change is made
        barred = np.where(active[entering], False, barred)
        barred[entering] = not active[entering]
    raise NotConvergedError(f"the complementarity problem of {len(q)} one-sided links was not solved.")


def _descend(S: Floats, q: Floats, p: Floats, active: Flags) -> tuple[Floats, Flags]:
    """Towards the minimum over the active rows, as far as all stay positive; rows that reach zero leave."""
    active = active.copy()
    while active.any():
        goal = np.zeros_like(p)
        goal[active] = np.linalg.lstsq(S[np.ix_(active, active)], -q[active], rcond=None)[0]
        falling = active & (goal <= 0.0)
        if not falling.any():
            return goal, active
        ratio = p[falling] / (p[falling] - goal[falling]) if np.all(p[falling] > goal[falling]) else np.zeros(1)
        share = float(ratio.min())
        p = p + share * (goal - p)
        leaving = falling & (p <= NEGLIGIBLE * float(np.abs(p).max()))
        if not leaving.any():
            leaving[np.flatnonzero(falling)[ratio.argmin()]] = True
        active &= ~leaving
        p = np.where(active, p, 0.0)
    return p, active
