"""Linear springs: F = k δ, with k_t = 2/7 k, so that normal and tangential periods of spheres agree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from granum.base.kernels import Floats, inlined
from granum.contact.penalty.laws.law import LINEAR, ContactLaw, Springs
from granum.grains.tables import Tables

SHEAR = 2.0 / 7.0
"""Tangential over normal stiffness."""


def springs(pair: Any, radius: float, overlap: float) -> Springs:
    """F = k δ and k_t; no tension."""
    force = pair.stiffness * overlap
    return force, pair.stiffness, pair.shear, 0.0, 0.5 * force * overlap


linear_springs = inlined(springs)


class Linear(ContactLaw):
    """k [N/m] of each material; those of two materials are in series."""

    name, code, nonlinear = "linear", LINEAR, False
    keys = ("stiffness",)
    springs = staticmethod(springs)

    def parameters(self, tables: Tables) -> Mapping[str, Floats]:
        """k and k_t [N/m]; two grains of one material have that material's own."""
        stiffness = tables["stiffness"]
        return {"stiffness": stiffness, "shear": SHEAR * stiffness}

    def duration(self, pair: Any, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """π √(m_n/k), at any speed."""
        omega = math.sqrt(pair.stiffness * w_n)
        return math.pi / omega, omega
