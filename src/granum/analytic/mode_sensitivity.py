"""Derivatives of frequencies by a parameter, also where several are equal (docs/theory/sensitivity.md).

With (δq, δq̇)˙ = W(p) (δq, δq̇), and X and Y right and left eigenvectors of all modes that have the eigenvalue s,

    ds/dp are the eigenvalues of (Yᴴ X)⁻¹ Yᴴ (dW/dp) X.

A single eigenvalue is the case of one column. Equal ones separate in directions within their eigenspace that depend on
the parameter; differences of sorted frequencies would mix them up, for they cross.

Source: Lancaster (1964), for matrices that depend on a parameter.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eig

from granum.analytic.state_space import Complexes, Linearization
from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints

EQUAL = 1e-8
"""Difference of eigenvalues, relative to their size, below which they are equal."""
DEFECTIVE = 1e-5
"""Smallest singular value of Yᴴ X, of vectors of unit length, from which eigenvalues have derivatives."""
ROUNDING = 1e-14
"""Error of eigenvectors, relative."""


def frequency_slopes(linear: Linearization, rate: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Derivatives of `linear.frequencies`, in ascending order where frequencies are equal, and their errors.

    Args:
        linear: the linear equations.
        rate: derivative of `linear.matrix` by the parameter.
        error: error of each of its entries.
    """
    swings = np.array([linear.modes[linear.oscillation(k)] for k in range(len(linear.frequencies))])
    decomposed = eig(linear.matrix, left=True, right=True)
    slopes, errors = np.zeros(len(swings)), np.zeros(len(swings))
    for k, equal in enumerate(_groups(swings)):
        if equal[0] == k:
            slopes[equal], errors[equal] = _group_slopes(decomposed, swings[k], len(equal), rate, error)
    for k, equal in enumerate(_groups(swings.imag)):  # of different damping too
        if equal[0] == k:
            order = equal[np.argsort(slopes[equal])]
            slopes[equal], errors[equal] = slopes[order], errors[order]
    return slopes, errors


def _groups(values: Complexes | Floats) -> list[Ints]:
    """For each value the numbers of all that equal it."""
    return [np.flatnonzero(np.abs(values - one) <= EQUAL * abs(one)) for one in values]


def _group_slopes(
    decomposed: tuple[Complexes, Complexes, Complexes], s: complex, count: int, rate: Floats, error: Floats,
) -> tuple[Floats, float]:
    """Derivatives of the imaginary parts of equal eigenvalues, and their error."""
    values, left, right = decomposed
    equal = np.abs(values - s) <= EQUAL * abs(s)
    X, Y = right[:, equal], left[:, equal].conj().T
    if X.shape[1] != count or np.linalg.svd(Y @ X, compute_uv=False)[-1] < DEFECTIVE:
        raise GranumError(f"modes coalesce at {abs(s.imag):.6g} rad/s: they have one shape between them, as where a "
                          "structure begins to flutter, so that these frequencies have no finite derivative. Change "
                          "a parameter.")
    own = np.linalg.solve(Y @ X, Y)
    return (np.sort(np.linalg.eigvals(own @ rate @ X).imag),
            float(np.linalg.norm(np.abs(own) @ (error + ROUNDING * np.abs(rate)) @ np.abs(X), 2)))
