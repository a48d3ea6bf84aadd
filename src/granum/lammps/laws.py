"""Contact laws of `soft` as coefficients of LAMMPS' `pair_style granular` and `fix wall/gran/region ... granular`.

    F_n       hooke k, or hertz 4/3 E*: F = k δ, F = 4/3 E* √(R* δ) δ; `limit_damping`: contacts do not pull
    dashpot   damping coeff_restitution e': c = 2 ζ √(m_n k) and √5 ζ √(m_n F/δ) with ζ = -ln e'/√(π² + ln² e'), the
              same two forms as in `contact.penalty.coefficients`. Granum's ζ is the one that gives the restitution
              without tension, so e' is computed from ζ, and is not the restitution of the scene
    F_t       linear_history k_t x μ, or mindlin_rescale/force 8 G* x μ, which keeps the force while the contact is
              loaded and the stretch while it is unloaded, as Granum does; c_t = x c with x = m_t/m_n = 1/(1 + κ)
    rolling   sds k_r γ_r μ_r with v_r = R* ω_t: k_r = k_t, and γ_r R*² is the rate of the dashpots times the inertia

As in Granum, dashpots see velocities that are h/2 older than positions, and c² = c₀² (1 - c h/2 m_n) makes up for it.
LAMMPS has one coefficient for all contacts of two materials, so that m_n is that of their median grains here. The
correction is left out for the law of Hertz, whose c depends on the overlap; docs/beyond-one-machine.md has the errors.

Sources: LAMMPS manual, pair_style granular; Tsuji et al. (1992), Antypov and Elliott (2011), Thornton et al. (2013).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.contact.penalty.coefficients import SoftContact
from granum.contact.penalty.forces import damping_rate
from granum.contact.penalty.laws.law import LINEAR
from granum.grains.state import Grains
from granum.grains.tables import Tables
from granum.state.table import IM, KM, R

LEAST_RESTITUTION = 1e-300
"""e' of critical damping; ζ is 1 - 1e-5 there, and the logarithm of zero is none."""


class Median(NamedTuple):
    """The median grain of a material."""

    inverse_mass: float
    inverse_inertia: float
    radius: float


class Laws:
    """Coefficients between the materials of a scene."""

    def __init__(self, contact: SoftContact, tables: Tables, kinds: Grains, step: float) -> None:
        self.contact, self.tables, self.step = contact, tables, step
        self.ratio = float(kinds.v[0, KM] / kinds.v[0, IM])
        """κ = m r²/I, the same for all grains."""
        self._median = [self._of(kinds, material) for material in range(len(tables.names))]

    @staticmethod
    def _of(kinds: Grains, material: int) -> Median:
        """The median grain of a material; of all grains where none is made of it."""
        own = kinds.material == material
        rows = np.flatnonzero(own if own.any() else np.ones(kinds.count, bool))
        middle = rows[np.argsort(kinds.x[rows, R], kind="stable")[len(rows) // 2]]
        r = float(kinds.x[middle, R])
        return Median(float(kinds.v[middle, IM]), float(kinds.v[middle, KM]) / r**2, r)

    def between_grains(self, a: int, b: int) -> str:
        """What follows `pair_coeff I J`."""
        one, two = self._median[a], self._median[b]
        return self._terms(a, b, one.inverse_mass + two.inverse_mass, one.inverse_inertia + two.inverse_inertia,
                           one.radius * two.radius / (one.radius + two.radius))

    def at_wall(self, grain: int, wall: int) -> str:
        """What follows `granular`; a wall without a material (-1) counts as made of the grain's."""
        return self._terms(grain, grain if wall < 0 else wall, *self._median[grain])

    def _terms(self, a: int, b: int, w_n: float, w_r: float, radius: float) -> str:
        contact, linear = self.contact, self.contact.law.code == LINEAR
        stiffness, shear = contact.pair(a, b)
        damping = float(contact.damping[a, b])
        rate = damping_rate(damping, stiffness, w_n, self.step) if linear else 0.0
        zeta = rate / math.sqrt(stiffness * w_n) / contact.law.critical if linear else damping / contact.law.critical
        normal = f"hooke {stiffness!r}" if linear else f"hertz {4.0 / 3.0 * stiffness!r}"
        terms = [normal, repr(restitution_without_limit(zeta)), "damping coeff_restitution"]
        across, friction = 1.0 / (1.0 + self.ratio), float(self.tables["friction"][a, b])
        if friction == 0.0:
            terms.append("tangential linear_nohistory 0.0 0.0")
        elif linear:
            terms.append(f"tangential linear_history {shear!r} {across!r} {friction!r}")
        else:
            terms.append(f"tangential mindlin_rescale/force {8.0 * shear!r} {across!r} {friction!r}")
        if (rolling := float(self.tables["rolling_friction"][a, b])) > 0.0:
            terms.append(f"rolling sds {shear!r} {rate / (w_r * radius**2)!r} {rolling!r}")
        return " ".join([*terms, "limit_damping"])


def restitution_without_limit(zeta: float) -> float:
    """e' = exp(-π ζ/√(1 - ζ²)): the rebound by springs with damping ratio ζ that may pull."""
    if zeta >= 1.0:
        return LEAST_RESTITUTION
    return max(math.exp(-math.pi * zeta / math.sqrt((1.0 - zeta) * (1.0 + zeta))), LEAST_RESTITUTION)
