"""Coulomb's law at one contact, for all solvers and for the residual: |F_t| ≤ μ F_n."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, inlined


@inlined
def limit_friction(x: float, y: float, z: float, limit: float) -> tuple[float, float, float, bool]:
    """The nearest vector of at most the length `limit` ≥ 0: of friction that stops a slip, what a contact bears.

    The last value says whether that is less, so that the contact slips. Rolling friction has the same law, for torques.
    """
    size = x * x + y * y + z * z
    # most contacts stick, and a branch spares them the wait for root and division
    if size > limit * limit:
        part = limit / math.sqrt(size)
        return part * x, part * y, part * z, True
    return x, y, z, False


def limit_frictions(vectors: Floats, limit: Floats) -> Floats:
    """`limit_friction` of (n, 3) vectors and (n,) limits."""
    size = np.linalg.norm(vectors, axis=1)
    part = np.where(size > limit, limit / np.maximum(size, 1e-300), 1.0)
    limited: Floats = part[:, None] * vectors
    return limited
