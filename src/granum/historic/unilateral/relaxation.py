"""Relaxation of Gauss-Seidel sweeps over links: how far a sweep goes beyond what one link by itself asks for.

Without friction the matrix of link forces is symmetric and positive semidefinite, and projected sweeps converge for
every factor ω between 0 and 2 (Cryer, SIAM J. Control 9 (1971) 385); ω > 1 needs the fewest. Friction of a sliding link
acts on others through its normal force, but does not act back: the matrix is no longer symmetric. Let two links have
the matrix [[1, p], [q, 1]] in units of the diagonal. The eigenvalues of a sweep obey (λ + ω - 1)² = ω² p q λ. Where
friction makes p q = -κ² negative, |λ| < 1 only for ω < 2/(1 + κ). So ω falls to 1 where sweeps do not settle.
"""

from __future__ import annotations

import math

from granum.base.kernels import inlined

SWEEPS = 10
"""Gauss-Seidel sweeps in one round, as published (10 to 20)."""
OVER, PLAIN = 1.7, 3
"""Over-relaxation of sweeps (published: 1.5) after so many plain rounds, which end few contacts at once."""
PATIENCE = 20
"""Rounds in which the change must have fallen to half; else sweeps go on without over-relaxation."""


@inlined
def relaxed(rounds: int, change: float, over: float, aim: float, since: int) -> tuple[float, float, int]:
    """After a round: factor of the next one, change that is aimed at, and the round since which it is."""
    if rounds == PLAIN:
        return OVER, 0.5 * change, rounds
    if change <= aim:
        return over, 0.5 * change, rounds
    if rounds - since >= PATIENCE:
        return 1.0, math.inf, rounds
    return over, aim, since
