"""Elastic spheres: F = 4/3 E* √R* δ^1.5 (Hertz), k_t = 8 G* √(R* δ) (Mindlin without slip)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from granum.base.kernels import Floats, inlined
from granum.contact.penalty.laws.law import HERTZ, ContactLaw, Springs
from granum.grains.tables import Tables

DURATION = 2.9432750561
"""Duration of an elastic impact times speed over largest overlap: 4 √π Γ(2/5)/(5 Γ(9/10))."""


def springs(pair: Any, radius: float, overlap: float) -> Springs:
    """Hertz's force and Mindlin's stiffness from E* and G* [Pa]; no tension."""
    root = math.sqrt(radius * overlap)
    force = 4.0 / 3.0 * pair.stiffness * root * overlap
    return force, 2.0 * pair.stiffness * root, 8.0 * pair.shear * root, 0.0, 0.4 * force * overlap


hertz_springs = inlined(springs)


class Hertz(ContactLaw):
    """Young's modulus and Poisson's ratio of each material."""

    name, code, critical = "hertz", HERTZ, 2.0 * math.sqrt(5.0 / 6.0)
    keys = ("young_modulus", "poisson_ratio")
    springs = staticmethod(springs)

    def parameters(self, tables: Tables) -> Mapping[str, Floats]:
        """E* and G* [Pa]."""
        young, poisson = tables.own["young_modulus"], tables.own["poisson_ratio"]
        compliance = (1.0 - poisson**2) / young
        shear_compliance = (2.0 - poisson) * 2.0 * (1.0 + poisson) / young
        return {"stiffness": 1.0 / np.add.outer(compliance, compliance),
                "shear": 1.0 / np.add.outer(shear_compliance, shear_compliance)}

    def duration(self, pair: Any, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """t_c = 2.94 δ_m/v with δ_m = (15 m_n v²/(16 E* √R*))^⅖ (Johnson, Contact Mechanics, eq 11.24)."""
        overlap = (15.0 * speed**2 * math.sqrt(curvature) / (16.0 * pair.stiffness * w_n)) ** 0.4
        return DURATION * overlap / speed, math.sqrt(30.0 / 16.0) * speed / overlap

    def wave_times(self, tables: Tables) -> Floats:
        """Rayleigh waves: π/((0.1631 ν + 0.8766) √G)."""
        young, poisson = tables.own["young_modulus"], tables.own["poisson_ratio"]
        times: Floats = math.pi / (0.1631 * poisson + 0.8766) * np.sqrt(2.0 * (1.0 + poisson) / young)
        return times
