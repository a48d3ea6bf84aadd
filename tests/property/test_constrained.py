"""Elimination on S = M + w AᵀA against the Moore-Penrose form, for singular M and dependent rows.

The Moore-Penrose form is eq. 43 of Udwadia and Mogharabin (2022).
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import granum as gr
from granum.analytic.constrained import moore_penrose, solve
from granum.base.kernels import Floats
from messages import refused

seeds = st.integers(0, 2**32 - 1)


def eliminated(M: Floats, Q: Floats, A: Floats, b: Floats) -> tuple[float, Floats, Floats]:
    """What `solve` returns, the accelerations and the multipliers."""
    n, m = len(Q), len(b)
    qdd, multipliers = np.zeros(n), np.zeros(m)
    space = [np.zeros(shape) for shape in ((n, n), (m, n), (m, n), (m, m), m, m, m)]
    return solve(M, Q, A, A, b, qdd, multipliers, *space, np.zeros(m + 1), False), qdd, multipliers


def system(seed: int, n: int, rank: int, independent: int, dependent: int) -> tuple[Floats, Floats, Floats, Floats]:
    """M of a given rank, Q, and consistent rows of which some repeat combinations of the others."""
    rng = np.random.default_rng(seed)
    L = rng.normal(size=(n, rank))
    A = rng.normal(size=(independent, n))
    mix = rng.normal(size=(dependent, independent))
    b = rng.normal(size=independent)
    return L @ L.T, rng.normal(size=n), np.vstack([A, mix @ A]), np.concatenate([b, mix @ b])


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(2, 9), st.integers(0, 3), st.integers(0, 3), st.data())
def test_elimination_is_the_moore_penrose_form(
    seed: int, n: int, missing: int, dependent: int, data: st.DataObject,
) -> None:
    """Where rank [M; A] = n both give one acceleration, and M q̈ - Q = Aᵀ λ; tolerance: eps times the condition."""
    missing = min(missing, n - 1)
    independent = data.draw(st.integers(max(1, missing), n))
    M, Q, A, b = system(seed, n, n - missing, independent, dependent)
    sizes = np.linalg.svd(np.vstack([M, A]), compute_uv=False)
    rows = np.linalg.svd(A, compute_uv=False)[:independent]
    inside = np.linalg.svd(A)[2][independent:]
    free = np.linalg.eigvalsh(inside @ M @ inside.T) if len(inside) else np.ones(1)
    assume(sizes[-1] > 1e-2 * sizes[0] and rows[-1] > 3e-2 * rows[0] and free[0] > 1e-2)
    mismatch, qdd, multipliers = eliminated(M, Q, A, b)
    expected = moore_penrose(M, Q, A, b)
    scale = max(1.0, float(np.abs(expected).max()))
    assert 0.0 <= mismatch < 1e-8
    np.testing.assert_allclose(qdd / scale, expected / scale, atol=1e-9)
    size = max(1.0, float(np.abs(multipliers).max()) * float(np.abs(A).max()), scale * float(np.abs(M).max()))
    np.testing.assert_allclose((M @ qdd - Q - A.T @ multipliers) / size, 0.0, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(3, 8))
def test_rows_that_contradict_one_another(seed: int, n: int) -> None:
    """A repeated row with another right-hand side is told by a mismatch of its size."""
    M, Q, A, b = system(seed, n, n, 1, 1)
    b[1] += 1.0 + abs(b[1])
    assert eliminated(M, Q, A, b)[0] > 1e-6


@pytest.mark.parametrize("seed", [622704, 1, 2, 3])
def test_what_is_not_determined_is_refused(seed: int) -> None:
    """Where rank [M; A] < n Granum says so; in the first of these the vanishing pivot is lost in round-off."""
    M, Q, A, _ = system(seed, 3, 1, 1, 0)
    row = " + ".join(f"({a!r})*{name}" for a, name in zip(A[0].tolist(), "xyz", strict=True))
    loose = gr.analytic.System("x y z", mass=M.tolist(), forces=Q.tolist(), constraints={"row": row})
    with refused(gr.GranumError, "rank 2", "3 coordinates"):
        gr.derive(loose).accelerations(np.zeros(3), np.zeros(3))
