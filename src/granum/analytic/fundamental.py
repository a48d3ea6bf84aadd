"""fundamental: Udwadia and Phohomsiri's equations of constrained motion, for any rows and any mass matrix.

Source: Udwadia and Mogharabin (2022).
"""

from __future__ import annotations

import numpy as np

from granum.analytic.constrained import moore_penrose, refuse_undetermined
from granum.analytic.expressed_equations import INCONSISTENT
from granum.analytic.result import as_vector
from granum.analytic.row_equations import RowEquations
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats


class Fundamental(RowEquations):
    """Udwadia and Phohomsiri's equations of constrained motion (Udwadia and Mogharabin 2022, eqs. 43-51)."""

    formulation = "fundamental"
    _examined = False

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ by elimination, or by the Moore-Penrose form where M is not positive semidefinite (43)."""
        n = len(self.coordinates)
        q, v = as_vector(q, n), as_vector(v, n)
        if not self._examined:
            # round-off can hide a vanishing pivot from the elimination: the first state is examined by singular values
            M, _, A, _ = self.matrices(q, v, t)
            if np.isfinite(M).all() and np.isfinite(A).all():
                refuse_undetermined(self.coordinates, M, A)
                self._examined = True
        mismatch = self.data.work.mismatch
        mismatch[0] = 0.0
        if self.evaluate(q, v, t) != 0:
            return self._by_pseudo_inverse(q, v, t)
        if mismatch[0] > INCONSISTENT:
            self.refuse_contradiction(q, v, t)
        return self.data.formulas.qdd.copy()

    def _by_pseudo_inverse(self, q: Floats, v: Floats, t: float) -> Floats:
        M, Q, A, b = self.matrices(q, v, t)
        if not (np.isfinite(M).all() and np.isfinite(A).all() and np.isfinite(Q).all() and np.isfinite(b).all()):
            raise NotConvergedError(f"the equations have no finite value at t = {t:g} s in this state.")
        refuse_undetermined(self.coordinates, M, A)
        return moore_penrose(M, Q, A, b)
