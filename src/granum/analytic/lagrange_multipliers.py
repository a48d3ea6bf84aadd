"""lagrange of systems of formulas: equations of the first kind, with a multiplier for every row."""

from __future__ import annotations

import numpy as np

from granum.analytic.constrained import equilibrated, refuse_undetermined
from granum.analytic.expressed_equations import INCONSISTENT
from granum.analytic.row_equations import RowEquations
from granum.base.kernels import Floats


class Multipliers(RowEquations):
    """Lagrange's equations of the first kind: M q̈ - Aᵀ λ = Q and A q̈ = b solved together."""

    formulation = "lagrange"

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ from the whole matrix [M -Aᵀ; A 0], by least squares where rows depend on each other."""
        M, Q, A, b = self.matrices(q, v, t)
        refuse_undetermined(self.coordinates, M, A)
        N, B, light = equilibrated(M, A)
        size = np.linalg.norm(A * light, axis=1)
        whole = np.block([[N, -B.T], [B, np.zeros((len(B), len(B)))]])
        right = np.concatenate([Q * light, b / np.where(size > 0.0, size, 1.0)])
        solution: Floats = np.linalg.lstsq(whole, right, rcond=1e-12)[0][: len(Q)]
        if np.abs(B @ solution - right[len(Q) :]).max(initial=0.0) > INCONSISTENT * np.abs(right).max(initial=0.0):
            self.refuse_contradiction(q, v, t)
        return solution * light
