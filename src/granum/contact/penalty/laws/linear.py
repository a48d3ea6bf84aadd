"""Linear springs: F = k δ, with k_t = 2/7 k, so that normal and tangential periods of spheres agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.base.kernels import Floats, inlined
from granum.contact.penalty.laws.law import LINEAR, ContactLaw, Springs
from granum.model.materials import Material

SHEAR = 2.0 / 7.0
"""Tangential over normal stiffness."""


def springs(stiffness: float, shear: float, radius: float, overlap: float) -> Springs:
    """F = k δ and k_t; no tension."""
    force = stiffness * overlap
    return force, stiffness, shear, 0.0, 0.5 * force * overlap


linear_springs = inlined(springs)


class Linear(ContactLaw):
    """k [N/m] of each material; those of two materials are in series."""

    name, code, nonlinear = "linear", LINEAR, False
    springs = staticmethod(springs)

    def moduli(self, materials: Sequence[Material]) -> tuple[Floats, Floats]:
        """k and k_t [N/m]; two grains of one material have that material's own."""
        compliance = np.array([1.0 / material.stiffness for material in materials])
        stiffness = 2.0 / np.add.outer(compliance, compliance)
        return stiffness, SHEAR * stiffness

    def duration(self, stiffness: float, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """π √(m_n/k), at any speed."""
        omega = math.sqrt(stiffness * w_n)
        return math.pi / omega, omega
