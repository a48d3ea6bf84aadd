"""Linear springs: F = k δ, with k_t = 2/7 k unless the materials say otherwise: then normal and tangential periods of
spheres agree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from granum.base.kernels import Floats, inlined
from granum.contact.penalty.laws.law import LINEAR, ContactLaw, Springs
from granum.grains.tables import Tables

ACROSS = 3.5
"""m_n/m_t of spheres, the largest of round grains: 1 + m r²/I."""


def springs(pair: Any, radius: float, overlap: float) -> Springs:
    """F = k δ and k_t; no tension."""
    force = pair.stiffness * overlap
    return force, pair.stiffness, pair.shear, 0.0, 0.5 * force * overlap


linear_springs = inlined(springs)


class Linear(ContactLaw):
    """k [N/m] of each material; those of two materials are in series."""

    name, code, nonlinear = "linear", LINEAR, False
    keys = ("stiffness", "stiffness_ratio")
    springs = staticmethod(springs)

    def parameters(self, tables: Tables) -> Mapping[str, Floats]:
        """k and k_t [N/m]; two grains of one material have that material's own."""
        stiffness = tables["stiffness"]
        return {"stiffness": stiffness, "shear": tables["stiffness_ratio"] * stiffness}

    def duration(self, pair: Any, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """π √(m_n/k), at any speed; half the period across the normal where that is shorter."""
        omega = math.sqrt(max(pair.stiffness, ACROSS * pair.shear) * w_n)
        return math.pi / omega, omega
