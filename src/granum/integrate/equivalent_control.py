"""Values of modes that hold their arguments together: E s = b with all |s| ≤ 1.

Joints of a loop come to rest together. Their rates depend on one another, so E has less than full rank, and many s hold
them. Some modes, as many as the rank, then follow the motion; the others keep their values, and what they hold is held
with the rest. Whether a loop sticks does not depend on who takes which share, only on whether there is a solution.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats

_RANK = 1e-8
"""Pivot, relative to the diagonal, below which an argument depends on the others."""
_PLENTY = 0.9
"""Largest share that is left as the least norm gives it; beyond, those that follow the motion get the most room."""
_FITS = 1e-8
"""Residual of E s = b, relative to the size of the terms."""
SWEEPS = 2000
"""Of the iteration for many arguments at zero."""
_STILL = 1e-9
"""Rate of an argument, as a part of what its mode changes it by, that counts as held there."""


def independent(effect: Floats) -> list[int]:
    """Modes that hold all arguments which modes can hold: pivots of the symmetrically scaled matrix."""
    size = np.sqrt(np.abs(np.diag(effect)))
    acts = size > 0.0
    scale = np.where(acts, 1.0 / np.where(acts, size, 1.0), 0.0)
    left = scale[:, None] * effect * scale
    chosen: list[int] = []
    while True:
        pivots = np.abs(np.diag(left))
        k = int(np.argmax(pivots))
        if pivots[k] <= _RANK:
            return sorted(chosen)
        chosen.append(k)
        left = left - np.outer(left[:, k], left[k]) / left[k, k]
        left[k], left[:, k] = 0.0, 0.0


def shares(effect: Floats, right: Floats, follow: list[int]) -> Floats | None:
    """Modes s with E s = b, none larger than need be among those that follow the motion; None where others exceed 1.

    The least norm where that leaves room, which uses all alike; else those that keep their values take as much as they
    can, by linear programming, so that the others have the most room.
    """
    size = np.abs(effect).sum(axis=1)
    rows = size > 0.0
    if len(follow) == len(right):
        return np.linalg.solve(effect, right).astype(np.float64)
    E, b = effect[rows] / size[rows, None], right[rows] / size[rows]
    least = np.linalg.lstsq(E, b, rcond=_RANK)[0].astype(np.float64)
    fits = np.abs(E @ least - b).max() <= _FITS * max(1.0, float(np.abs(b).max()))
    if not fits or np.abs(least).max() <= _PLENTY:
        return least if fits else None
    from scipy.optimize import linprog  # loops near slipping alone need it

    n, k = len(right), len(follow)
    below = np.zeros((2 * k, n + 1))
    below[:, n] = -1.0
    for row, i in enumerate(follow):
        below[row, i], below[k + row, i] = 1.0, -1.0
    kept = [i for i in range(n) if i not in follow]
    bounds = [(-1.0, 1.0) if i in kept else (None, None) for i in range(n)] + [(0.0, None)]
    # rows beyond the rank follow from the others, but for rounding: they would contradict each other
    own = np.isin(np.flatnonzero(rows), follow)
    found = linprog(np.eye(n + 1)[n], below, np.zeros(2 * k), np.column_stack([E[own], np.zeros(own.sum())]), b[own],
                    bounds)
    if found.status != 0:
        return None
    taken = np.array(found.x[:n])
    taken[kept] = np.clip(taken[kept], -1.0, 1.0)
    block = np.ix_(follow, follow)
    taken[follow] = np.linalg.solve(effect[block], right[follow] - effect[np.ix_(follow, kept)] @ taken[kept])
    return taken


def exchangeable(effect: Floats) -> Floats:
    """How far each mode may change where the others make up for it: the largest entry in the null space of E."""
    size = np.abs(effect).sum(axis=1)
    _, sizes, basis = np.linalg.svd(effect[size > 0.0] / size[size > 0.0, None])
    rank = int((sizes > _RANK).sum())
    return np.abs(basis[rank:]).max(axis=0, initial=0.0).astype(np.float64)


def many(effect: Floats, rate: Floats) -> Floats:
    """Ways of many arguments at zero with the rates ġ = rate + E s: 0 to be held, ±1 to leave, by relaxation.

    Each mode in turn takes the value between -1 and 1 that brings its own rate nearest to zero. For dry friction in the
    joints of a mechanism, -E is a positive semidefinite matrix times positive limits, and the sweeps converge.
    """
    s, own = np.zeros(len(rate)), np.diag(effect)
    for _ in range(SWEEPS):
        before = s.copy()
        for i in range(len(s)):
            if own[i] < 0.0:
                s[i] = min(1.0, max(-1.0, s[i] - (rate[i] + effect[i] @ s) / own[i]))
        if np.abs(s - before).max() <= _STILL * _STILL:
            break
    left = rate + effect @ s
    size = np.abs(effect).sum(axis=1)
    return np.where(np.abs(left) <= _STILL * (size + np.abs(rate)), 0.0, np.where(left < 0.0, -1.0, 1.0))
