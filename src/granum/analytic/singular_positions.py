"""Singular positions: what every formulation says where constraints lose their independence along a motion."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from granum.base.kernels import Floats

SINGULAR = 1e-8
"""Independence of a constraint row below which a position counts as singular: the square of the sine of its angle to
the span of the others, 1e-4 rad, relative to where the run began."""
ERRORS = 10.0
"""The same as a multiple of the relative constraint error δ: branches ab = 0 that cross become ab ~ δ, which turns from
one into the other where the independence, as a² and b², is of the order of δ."""
NEAR = 0.04
"""Independence below which rows are followed through a singular position; the most that an error may ask for."""


def singular_position(t: float, constraints: Iterable[str], drives: Iterable[str] = ()) -> str:
    """What is wrong in a singular position.

    Args:
        t: [s].
        constraints: names of those that carry the self-stress σ, Jᵀσ = 0.
        drives: those of them that follow a motion of time. As Jv = -φ_t, no velocity follows them where σᵀφ_t ≠ 0.
    """
    moving = ", ".join(drives)
    blocked = f" The mechanism cannot follow {moving} beyond this position." if moving else ""
    return (f"at t = {t:g} s the system reaches a singular position: the constraints {', '.join(constraints)} become "
            f"dependent, and several motions may follow, or none.{blocked} Change the start, the lengths or the drives "
            "so that the motion avoids it.")


def independence(began: Floats, now: Floats) -> tuple[float, Floats]:
    """How independent constraint rows are, and the combination of them that is least so.

    That is the smallest singular value of those rows that were independent where they `began`, relative to what it was
    there, all rows in the lengths that they had there: zero in a singular position.
    """
    size = np.maximum(np.linalg.norm(began, axis=1), 1e-300)[:, None]
    before = np.linalg.svd(began / size, compute_uv=False)
    U, values, _ = np.linalg.svd(now / size)
    last = int(np.count_nonzero(before > 1e-9 * before[0])) - 1
    return float(values[last] / before[last]), U[:, last]


class WeakestRows:
    """The combination u of constraint rows that is nearest to a self-stress, followed from step to step.

    g = Aᵀu vanishes in a singular position, and has the opposite direction beyond it.
    """

    def __init__(self, rows: Floats) -> None:
        self._size = np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
        values = np.linalg.svd(rows / self._size, compute_uv=False)
        self._rank = int(np.count_nonzero(values > 1e-9 * values[0]))
        self._least = float(values[self._rank - 1])
        self._u, self._g = np.zeros(len(rows)), np.zeros(rows.shape[1])
        self._t = 0.0

    def begin(self, rows: Floats, t: float) -> None:
        """Follow from here."""
        self._u[:] = self._g[:] = 0.0
        self.passed(rows, 0.0, t)

    def passed(self, rows: Floats, error: float, t: float) -> float | None:
        """Time of a singular position that a step to t has met or passed; error: largest relative constraint error."""
        U, values, _ = np.linalg.svd(rows / self._size)
        u = U[:, self._rank - 1] * (-1.0 if U[:, self._rank - 1] @ self._u < 0.0 else 1.0)
        g, before, began = (rows / self._size).T @ u, self._g, self._t
        self._u, self._g, self._t = u, g, t
        independence = float(values[self._rank - 1] / self._least) ** 2
        if independence < max(SINGULAR, min(ERRORS * error, NEAR)):
            return t
        sizes = np.linalg.norm(before), np.linalg.norm(g)
        if independence < NEAR and before @ g < -0.5 * sizes[0] * sizes[1]:
            return began + float(sizes[0] / (sizes[0] + sizes[1])) * (t - began)
        return None
