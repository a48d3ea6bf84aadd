"""Coulomb's law at one contact, for all solvers: |F_t| ≤ μ F_n."""

from __future__ import annotations

import math

from granum.base.kernels import inlined


@inlined
def limit_friction(x: float, y: float, z: float, limit: float) -> tuple[float, float, float]:
    """The nearest vector of at most the length `limit` ≥ 0: of friction that stops a slip, what a contact bears."""
    size = math.sqrt(x * x + y * y + z * z)
    part = limit / size if size > limit else 1.0
    return part * x, part * y, part * z
