"""Laws of soft contact: stiffness between every two materials, dashpots that give a restitution, and a time step.

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

from granum.base.kernels import Floats, Ints
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import IM, KM, VX, VZ, Grains, R
from granum.grains.tables import Tables
from granum.model.materials import Material

SHEAR = 2.0 / 7.0
"""Tangential over normal stiffness of the linear law: periods of both agree for spheres."""
STEPS_OF_CONTACT = 25.0
"""Steps in the shortest contact for which a time step is proposed."""
FEWEST_STEPS_OF_CONTACT = 10.0
"""Steps in the shortest contact below which a time step is refused."""
RAYLEIGH = (0.2, 0.5)
"""Parts of the time a Rayleigh wave needs across a grain for which a step is proposed, and above which refused."""
CRITICAL = {"linear": 2.0, "hertz": 2.0 * math.sqrt(5.0 / 6.0)}
"""d in c = d √(S m_n) where the damping ratio is 1."""
HERTZ_DURATION = 2.9432750561
"""Duration of an elastic impact by Hertz times speed over largest overlap: 4 √π Γ(2/5)/(5 Γ(9/10))."""


@dataclass(frozen=True)
class Laws:
    """How contacts between materials resist; (materials, materials) each."""

    law: str
    stiffness: Floats
    """Linear: k [N/m]; Hertz: E* [Pa]."""
    shear: Floats
    """Linear: k_t [N/m]; Hertz: G* [Pa]."""
    damping: Floats
    """d in c = d √(S m_n), where S is the slope of the elastic force."""
    reached: Floats
    """Restitution that the dashpots give; above the wanted one where that would need more than critical damping."""
    rayleigh: Floats
    """(materials,): π/((0.1631 ν + 0.8766) √G) [1/√Pa]; times r √ρ it is the time of a Rayleigh wave across a grain."""

    @property
    def hertz(self) -> bool:
        """Is it the law of Hertz?"""
        return self.law == "hertz"


def compile_laws(materials: Sequence[Material], tables: Tables, law: str) -> Laws:
    """Laws between all materials; springs of both are in series, two of one material give that material's own."""
    if law == "linear":
        soft = np.array([1.0 / material.stiffness for material in materials])
        stiffness = 2.0 / np.add.outer(soft, soft)
        shear = SHEAR * stiffness
    else:
        young, poisson = (np.array([getattr(material, name) for material in materials])
                          for name in ("young_modulus", "poisson_ratio"))
        soft = (1.0 - poisson**2) / young
        stiffness = 1.0 / np.add.outer(soft, soft)
        soft = (2.0 - poisson) * 2.0 * (1.0 + poisson) / young
        shear = 1.0 / np.add.outer(soft, soft)
    ratios = {e: damping_ratio(e) for e in set(tables.restitution.ravel().tolist())}
    ratio = np.vectorize(ratios.__getitem__, otypes=[float])(tables.restitution)
    rayleigh = np.array([math.pi / (0.1631 * material.poisson_ratio + 0.8766)
                         * math.sqrt(2.0 * (1.0 + material.poisson_ratio) / material.young_modulus)
                         for material in materials])
    return Laws(law, stiffness, shear, CRITICAL[law] * ratio, np.maximum(tables.restitution, rebound(1.0)), rayleigh)


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


def stable_step(grains: Grains, elements: Elements, laws: Laws, gravity: Floats) -> tuple[float, float]:
    """A time step that suits the fastest contact, and the limit above which steps are refused [s]; inf without grains.

    Linear: the duration of a contact without dashpots, t_c = π √(m_n/k), of the lightest grains of every two materials.
    Hertz: that of the fastest impact, t_c = 2.94 δ_m/v, δ_m = (15 m_n v²/(16 E* √R*))^⅖, with twice the largest speed
    and a fall through the height of all grains; and a Rayleigh wave across a grain. Proposed are t_c/25 or 0.2 of the
    wave, refused is more than t_c/10, 0.5 of the wave, or what leapfrog with late dashpots bears in a dense packing,
    where the highest frequency is about twice that of a pair: ω h < √(1 + 4 ζ²) - 2 ζ.
    """
    proposed, limit = math.inf, math.inf
    free = grains.v[:, IM] > 0.0
    speed = 0.0
    if laws.hertz and np.any(free):
        size = float(np.linalg.norm(gravity))
        height = float(np.ptp(grains.x[:, :3] @ gravity)) / size + float(grains.x[:, R].max()) if size else 0.0
        speed = max(2.0 * float(np.sqrt(np.max(np.sum(grains.v[:, VX:VZ + 1] ** 2, axis=1))))
                    + math.sqrt(2.0 * size * height), 1e-3)
    lightest = {}
    for a in np.unique(grains.material[free]):
        rows = np.nonzero(free & (grains.material == a))[0]
        # with the law of Hertz a pair's duration goes with m²/r
        key = grains.v[rows, IM] ** 2 * (grains.x[rows, R] if laws.hertz else 1.0)
        lightest[int(a)] = rows[int(np.argmax(key))]
        if laws.hertz:
            wave = float(np.min(grains.x[rows, R] * np.sqrt(_density(grains, rows)))) * laws.rayleigh[a]
            proposed, limit = min(proposed, RAYLEIGH[0] * wave), min(limit, RAYLEIGH[1] * wave)
    for a, i in lightest.items():
        pairs = [(b, grains.v[i, IM] + grains.v[j, IM], 1.0 / grains.x[i, R] + 1.0 / grains.x[j, R])
                 for b, j in lightest.items()]
        pairs += [(a if b < 0 else int(b), grains.v[i, IM], 1.0 / grains.x[i, R]) for b in np.unique(elements.material)]
        for b, w_n, curvature in pairs:
            duration, omega = _duration(laws, a, b, w_n, curvature, speed)
            zeta = laws.damping[a, b] / CRITICAL[laws.law]
            bears = (math.sqrt(1.0 + 4.0 * zeta**2) - 2.0 * zeta) / omega
            proposed = min(proposed, duration / STEPS_OF_CONTACT)
            limit = min(limit, duration / FEWEST_STEPS_OF_CONTACT, bears)
    return min(proposed, limit), limit


def _density(grains: Grains, rows: Ints) -> Floats:
    """Density of spheres, or of disks of unit thickness [kg/m³]."""
    r, disk = grains.x[rows, R], grains.v[rows, KM] < 2.25 * grains.v[rows, IM]
    density: Floats = 1.0 / (grains.v[rows, IM] * np.where(disk, math.pi * r**2, 4.0 / 3.0 * math.pi * r**3))
    return density


def _duration(laws: Laws, a: int, b: int, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
    """Duration of an elastic contact [s] and its highest frequency √(S/m_n) [rad/s]."""
    k = float(laws.stiffness[a, b])
    if not laws.hertz:
        omega = math.sqrt(k * w_n)
        return math.pi / omega, omega
    overlap = (15.0 * speed**2 * math.sqrt(curvature) / (16.0 * k * w_n)) ** 0.4
    return HERTZ_DURATION * overlap / speed, math.sqrt(30.0 / 16.0) * speed / overlap
