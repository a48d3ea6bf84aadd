"""From a problem with bodies or equality rows to one of contacts alone: u = W r + q.

Layout and signs of FCLIB (Acary, Brémond, Koziara and Pérignon 2014, INRIA RT-0444):

    global   M v = H r + G λ + f,  Gᵀ v + b = 0,  u = Hᵀ v + w
    local    u = W r + V λ + q,  Vᵀ r + R λ + s = 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats

if TYPE_CHECKING:
    from scipy.sparse import spmatrix

TOGETHER = 256
"""Columns that are solved for at once."""


def without_bodies(M: spmatrix, H: spmatrix, f: Floats, w: Floats, G: spmatrix | None, b: Floats | None,
                   name: str) -> tuple[spmatrix, Floats]:
    """W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w; with G the inverse is that of [[M, -G], [Gᵀ, 0]]."""
    from scipy.sparse import bmat, csc_matrix, vstack

    matrix, right, load = csc_matrix(M), csc_matrix(H), f
    if G is not None and b is not None and G.shape[1]:
        matrix = bmat([[M, -G], [G.T, None]], format="csc")
        right, load = vstack([H, csc_matrix((G.shape[1], H.shape[1]))], format="csc"), np.concatenate([f, -b])
    solved, velocity = _solved(matrix, right, load, name, "M" if G is None else "M with the rows of G")
    count = H.shape[0]
    return H.T @ solved[:count], H.T @ velocity[:count] + w


def without_equalities(W: spmatrix, q: Floats, V: spmatrix, R: spmatrix, s: Floats,
                       name: str) -> tuple[spmatrix, Floats]:
    """W - V R⁻¹ Vᵀ and q - V R⁻¹ s."""
    from scipy.sparse import csc_matrix

    solved, shift = _solved(csc_matrix(R), csc_matrix(V.T), s, name, "R")
    return W - V @ solved, q - V @ shift


def _solved(matrix: Any, right: Any, load: Floats, name: str, what: str) -> tuple[Any, Floats]:
    """The inverse of a sparse matrix times a sparse one, and times a vector."""
    from scipy.sparse import csc_matrix, hstack
    from scipy.sparse.linalg import splu

    try:
        factors = splu(matrix)
    except RuntimeError:
        raise GranumError(f"{name}: {what} is singular, so that velocities do not follow from impulses. It must be "
                          "regular; rows that repeat others have to be removed.") from None
    parts = [csc_matrix(factors.solve(right[:, k : k + TOGETHER].toarray()))
             for k in range(0, right.shape[1], TOGETHER)]
    return hstack(parts, format="csr") if parts else csc_matrix(right.shape), factors.solve(load)
