"""Coefficients of soft contact: moduli between every two materials, and dashpots that give a restitution.

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
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.base.kernels import Floats
from granum.contact.penalty.laws.hertz import Hertz
from granum.contact.penalty.laws.law import ContactLaw, contact_law, register
from granum.contact.penalty.laws.linear import Linear
from granum.grains.tables import Tables
from granum.model.materials import Material

register(Linear())
register(Hertz())


@dataclass(frozen=True)
class SoftContact:
    """How contacts between materials resist; (materials, materials) each."""

    law: ContactLaw
    stiffness: Floats
    """Linear: k [N/m]; Hertz: E* [Pa]."""
    shear: Floats
    """Linear: k_t [N/m]; Hertz: G* [Pa]."""
    damping: Floats
    """d in c = d √(S m_n), where S is the slope of the elastic force."""
    wave_times: Floats
    """(materials,), see `ContactLaw.wave_times`."""


def compile_soft_contact(materials: Sequence[Material], tables: Tables, law: str) -> SoftContact:
    """Moduli and dashpots between all materials by the law of a name."""
    own = contact_law(law)
    ratios = {e: damping_ratio(e) for e in set(tables.restitution.ravel().tolist())}
    ratio = np.vectorize(ratios.__getitem__, otypes=[float])(tables.restitution)
    return SoftContact(own, *own.moduli(materials), own.critical * ratio, own.wave_times(materials))


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
