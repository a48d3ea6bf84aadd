"""Coefficients of soft contact: springs between every two materials, and dashpots that give a restitution.

A dashpot whose force may not become tension gives more rebound than the textbook's c = -2 ln e √(m k)/√(π² + ln² e),
because grains part while they still overlap. Here the damping ratio ζ = c/(2 √(m k)) is the one with which the rebound
is e without tension (Schwager and Pöschel, Granular Matter 9 (2007) 465): with ζ = cos ψ

    e = exp(-2 ψ/tan ψ).

For the law of Hertz F = K δ^1.5, c = √5 ζ √(m K) δ^¼ (Tsuji et al., Powder Technol. 71 (1992) 239) makes q = δ^(5/4) a
function of ∫ δ^¼ dt that obeys the linear law (Antypov and Elliott, EPL 94 (2011) 50004), so the same ζ gives the same
e. ζ stops at 1, critical damping: e below exp(-2) = 0.135 is not reached, for more damping would ask for ever smaller
steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from granum.base.kernels import Floats
from granum.contact.penalty.laws.hertz import Hertz
from granum.contact.penalty.laws.law import ContactLaw, contact_law, pair_type, register
from granum.contact.penalty.laws.linear import Linear
from granum.grains.tables import Tables

register(Linear())
register(Hertz())


@dataclass(frozen=True)
class SoftContact:
    """How contacts between materials resist; (materials, materials) each."""

    law: ContactLaw
    parameters: Mapping[str, Floats]
    """Of the springs, by name; linear: k and k_t [N/m] as stiffness and shear; Hertz: E* and G* [Pa]."""
    damping: Floats
    """d in c = d √(S m_n), where S is the slope of the elastic force."""
    wave_times: Floats
    """(materials,), see `ContactLaw.wave_times`."""

    def pair(self, a: int, b: int) -> Any:
        """Parameters of the springs between materials a and b, as the law is told them."""
        return pair_type(tuple(self.parameters))(*(float(table[a, b]) for table in self.parameters.values()))


def compile_soft_contact(tables: Tables, law: str) -> SoftContact:
    """Springs and dashpots between all materials by the law of a name."""
    own, restitution = contact_law(law), tables["restitution"]
    ratios = {e: damping_ratio(e) for e in set(restitution.ravel().tolist())}
    ratio = np.vectorize(ratios.__getitem__, otypes=[float])(restitution)
    return SoftContact(own, own.parameters(tables), own.critical * ratio, own.wave_times(tables))


def rebound(zeta: float) -> float:
    """Restitution by springs with damping ratio ζ ≤ 1 that do not pull: exp(-2 ψ/tan ψ), ζ = cos ψ."""
    psi = math.acos(zeta)
    return math.exp(-2.0 * psi / math.tan(psi)) if psi > 0.0 else math.exp(-2.0)


def damping_ratio(e: float) -> float:
    """Damping ratio between 0 and 1 with which restitution is e, by bisection; 1 where even that rebounds more."""
    if e >= 1.0:
        return 0.0
    if e <= rebound(1.0):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rebound(middle) > e else (low, middle)
    return 0.5 * (low + high)
