"""Forces of inertia of formulas: masses of what moves with the coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression
from granum.algebra.vectors import dot, total


def add_inertia(
    M: list[list[Expression]], h: list[Expression], slopes: Sequence[Sequence[Expression]], bias: Sequence[Expression],
    weights: Sequence[Sequence[Expression | float]], push: Sequence[Expression] = (),
) -> None:
    """Add forces of inertia Jᵀ (W (J q̈ + a₀) + p) to M q̈ + h.

    Args:
        M, h: changed in place.
        slopes: J.
        bias: a₀, the acceleration at q̈ = 0.
        weights: W, where one weight alone stands for a multiple of 1.
        push: p; left out, nothing.
    """
    def heavy(z: Sequence[Expression]) -> list[Expression]:
        if len(weights) == 1:
            return [weights[0][0] * entry for entry in z]
        return [total(w * entry for w, entry in zip(line, z, strict=True) if not isinstance(w, float) or w != 0.0)
                for line in weights]

    columns = [[row[i] for row in slopes] for i in range(len(h))]
    moves = [i for i, column in enumerate(columns) if any(not entry.is_zero for entry in column)]
    weighted, pushed = {j: heavy(columns[j]) for j in moves}, heavy(bias)
    pushed = [a + b for a, b in zip(pushed, push, strict=True)] if push else pushed
    for i in moves:
        h[i] = h[i] + dot(columns[i], pushed)
        for j in moves:
            M[i][j] = M[i][j] + dot(columns[i], weighted[j])


def euler_tensor(inertia: Sequence[Sequence[Expression | float]]) -> list[list[Expression | float]]:
    """Ē = ∫ρ X Xᵀ = ½ tr(I) 1 - I."""
    half = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2])
    return [[half - entry if i == j else -entry for j, entry in enumerate(row)] for i, row in enumerate(inertia)]


def quadratic(weights: Sequence[Sequence[Expression | float]], z: Sequence[Expression]) -> Expression:
    """zᵀ W z."""
    return total(weights[i][j] * z[i] * z[j] for i in range(len(z)) for j in range(len(z))
                 if not (z[i].is_zero or z[j].is_zero))
