"""The linear complementarity problem of one-sided links, against all choices of active rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from granum.base.kernels import Floats
from granum.integrate.complementarity import complementary

NUMBERS = st.floats(-2.0, 2.0, allow_subnormal=False).map(lambda value: round(value, 3))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """S = A Aᵀ, of full rank or not, and q in its range, as rates of gaps are: A v."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    A = np.array(draw(st.lists(NUMBERS, min_size=rows * columns, max_size=rows * columns))).reshape(rows, columns)
    v = np.array(draw(st.lists(NUMBERS, min_size=columns, max_size=columns)))
    return A @ A.T, A @ v


@given(problems())
def test_solution_is_complementary(problem: tuple[Floats, Floats]) -> None:
    """p ≥ 0, w ≥ 0, pᵀw = 0; w is unique, so that no other choice of active rows has another one."""
    S, q = problem
    p, active = complementary(S, q)
    w, size = S @ p + q, max(float(np.abs(S).max()), float(np.abs(q).max()), 1e-3)
    assert p.min() >= 0.0 and np.array_equal(active, p > 0.0)
    assert w.min() >= -1e-8 * size
    assert abs(p @ w) <= 1e-7 * size * max(1.0, float(p.max()))
    for choice in product((False, True), repeat=len(q)):
        rows = np.array(choice)
        other = np.zeros(len(q))
        other[rows] = np.linalg.lstsq(S[np.ix_(rows, rows)], -q[rows], rcond=1e-10)[0]
        gap = S @ other + q
        if other.min() >= 0.0 and gap.min() >= 0.0 and np.abs(gap[rows]).max(initial=0.0) <= 1e-9 * size:
            assert gap == pytest.approx(w, abs=1e-5 * size)


def test_nothing_to_solve() -> None:
    """No links, and links that part by themselves."""
    assert complementary(np.zeros((0, 0)), np.zeros(0))[0].shape == (0,)
    assert not complementary(np.eye(2), np.array([1.0, 0.0]))[1].any()


def test_redundant_rows() -> None:
    """Two contacts at one place carry the load together or one of them alone, never with a pull."""
    p, active = complementary(np.ones((2, 2)), np.array([-3.0, -3.0]))
    assert p.sum() == pytest.approx(3.0) and active.sum() >= 1
